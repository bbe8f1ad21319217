"""Terms as users write them, read strictly: ground, no arithmetic, no variables, no pools."""

import re

from clingo import Function, Number, String, Symbol, SymbolType

from lexbelli.errors import InputError
from lexbelli.source import HIGHEST_INTEGER

DEEPEST = 20
LONGEST = 2000

_STRING = re.compile(r'"(?:[^"\\]|\\.)*"', re.DOTALL)
_ESCAPE = re.compile(r"\\(.)")
_TOKEN = re.compile(r"\s*(?:(-?[0-9]+)|(_*[a-z][A-Za-z0-9_']*)|([(),])|(\S))")
_ASSIGNMENT = re.compile(r"\s*(_*[a-z][A-Za-z0-9_']*)\s*=(.*)", re.DOTALL)


def parse_term(text: str) -> Symbol:
    """Return the term that `text` writes, such as `name(a,b(7))`.

    Raises InputError naming the column when it is not one ground term.
    """
    return _Reader(text).whole()


def parse_fact(text: str) -> Symbol:
    """Return the fact that `text` writes; `name=36` and `name=a,7` are accepted as well.

    Raises InputError naming the column when it is not one ground fact.
    """
    _refuse_other(text)
    assignment = _ASSIGNMENT.fullmatch(text)
    if assignment:
        name, values = assignment.groups()
        if not values.strip():
            raise InputError(f"{text!r} is no fact: column {len(text) + 1}: the value is missing")
        return parse_term(f"{name}({values.strip()})")
    return parse_term(text.strip().removesuffix("."))


def _refuse_other(text: object) -> None:
    if not isinstance(text, str):
        raise TypeError(f"a term is given as a text, not as {type(text).__name__}")


class _Reader:
    """One pass over the tokens of a term."""

    def __init__(self, text: str) -> None:
        _refuse_other(text)
        if len(text) > LONGEST:
            raise InputError(f"a term of {len(text)} characters is too long")
        self._text = text
        self._tokens: list[tuple[str, str, int]] = []
        position = 0
        while text[position:].strip():
            match = _TOKEN.match(text, position)
            assert match is not None  # the last alternative takes any character
            assert match.lastindex is not None
            kind = ("number", "name", "mark", "other")[match.lastindex - 1]
            self._tokens.append((kind, match.group(match.lastindex), match.start(match.lastindex)))
            position = match.end()
        self._next = 0

    def whole(self) -> Symbol:
        term = self._term(0)
        if self._next < len(self._tokens):
            raise self._wrong("the term should end here")
        return term

    def _term(self, depth: int) -> Symbol:
        if depth > DEEPEST:
            raise self._wrong("the term is nested too deeply")
        kind, value, _ = self._peek()
        if kind == "number":
            self._next += 1
            if abs(int(value)) > HIGHEST_INTEGER:
                self._next -= 1
                raise self._wrong(f"the number is out of range, the largest is {HIGHEST_INTEGER}")
            return Number(int(value))
        if kind != "name":
            raise self._wrong(_expectation(kind, value))
        self._next += 1
        return Function(value, self._arguments(depth))

    def _arguments(self, depth: int) -> list[Symbol]:
        if self._peek()[1] != "(":
            return []
        self._next += 1
        arguments = [self._term(depth + 1)]
        while self._peek()[1] == ",":
            self._next += 1
            arguments.append(self._term(depth + 1))
        if self._peek()[1] != ")":
            raise self._wrong("a closing parenthesis or a comma is missing")
        self._next += 1
        return arguments

    def _peek(self) -> tuple[str, str, int]:
        if self._next < len(self._tokens):
            return self._tokens[self._next]
        return ("end", "", len(self._text))

    def _wrong(self, what: str) -> InputError:
        shown = self._text if len(self._text) <= 80 else self._text[:77] + "..."
        return InputError(f"{shown!r} is not a term: column {self._peek()[2] + 1}: {what}")


def _expectation(kind: str, value: str) -> str:
    if kind == "end":
        return "something is missing"
    if value[:1].isupper():
        return f"constants are lower-case, {value!r} looks like a variable"
    return f"a name or a number is expected, not {value!r}"


def clause_key(clause: str) -> tuple[tuple[int, int, str], ...]:
    """Sort clause numbers as numbers: 7.3 before 7.21, 5.21A before 5.211, both before 5.22."""
    key: list[tuple[int, int, str]] = []
    for digits, letters in re.findall(r"([0-9]+)|([^0-9.]+)", clause):
        if letters:
            key.append((0, 0, letters) if key else (1, 0, letters))
        elif key and len(digits) > 2:
            key += [_digits_key(digits[:2]), _digits_key(digits[2:])]
        else:
            key.append(_digits_key(digits))
    return tuple(key)


def _digits_key(digits: str) -> tuple[int, int, str]:
    """Sort digits as the number they write, however long it is."""
    number = digits.lstrip("0")
    return 0, len(number), number


def names_clause(wanted: str, clause: str) -> bool:
    """Say whether `wanted` names `clause` or the printed number it belongs to.

    "3.51" names 3.51A and 3.51A.s1, but "5.21" does not name 5.211.
    """
    rest = clause.removeprefix(wanted)
    if clause == wanted:
        return True
    return bool(wanted) and clause.startswith(wanted) and not "0" <= rest[0] <= "9"


# ---- writing --------------------------------------------------------------------------------------


def split_arguments(atom: str) -> tuple[str, ...]:
    """Return the arguments of a written atom; strings lose their quotation marks."""
    inner = atom[atom.index("(") + 1 : -1] if atom.endswith(")") else ""
    parts = inner.split(",") if inner else []
    if "(" not in inner and '"' not in inner:
        return tuple(parts)
    arguments: list[str] = []
    open_part = ""
    for part in parts:
        open_part = f"{open_part},{part}" if open_part else part
        if open_part.startswith('"'):
            if not _STRING.fullmatch(open_part):
                continue
            arguments.append(_ESCAPE.sub(_unescape, open_part[1:-1]))
        elif open_part.count("(") > open_part.count(")"):
            continue
        else:
            arguments.append(open_part)
        open_part = ""
    return tuple(arguments)


def _unescape(match: re.Match[str]) -> str:
    return "\n" if match.group(1) == "n" else match.group(1)


def written(symbol: Symbol) -> str:
    """Write a symbol as users write it; a string without its quotation marks."""
    return symbol.string if symbol.type is SymbolType.String else str(symbol)


def quoted(text: str) -> str:
    """Write a string for a program, with the only escapes clingo knows."""
    return str(String(text))
