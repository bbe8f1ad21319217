"""Facts, actions and terms in words, from the phrases that the rulebook declares beside them."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from clingo import Number, Symbol, SymbolType

from lexbelli.errors import InputError, RulebookError
from lexbelli.rulebook import Rulebook, session
from lexbelli.terms import parse_term

_PLACEHOLDER = re.compile(r"\{([A-Z]\w*)\}")
_VARIABLE = re.compile(r"\b[A-Z]\w*\b")


@dataclass(frozen=True, slots=True)
class Pattern:
    """How the terms of one shape read: `names` are the variables of the pattern, in order."""

    shape: Symbol
    names: tuple[str, ...]
    true: str
    false: str


class Wording:
    """The words of one rulebook."""

    def __init__(self, book: Rulebook) -> None:
        """Take the rulebook's `reads`, `reads_none` and `name` facts."""
        grounded = session(book)
        self._grounded = grounded
        self._told: dict[tuple[str, int], bool] = {}
        self.worded: dict[str, bool] = {}  # literals as written, and whether users read about them
        self._patterns: dict[tuple[str, int], list[Pattern]] = {}
        rows = [(row[0], row[1], row[2]) for row in grounded.pairs("reads", 3)]
        rows += [(row[0], row[1], f"not: {row[1]}") for row in grounded.pairs("reads", 2)]
        for text, true, false in rows:
            pattern = _pattern(text, true, false)
            key = (pattern.shape.name, len(pattern.shape.arguments))
            self._patterns.setdefault(key, []).append(pattern)
        for patterns in self._patterns.values():
            patterns.sort(key=lambda pattern: len(pattern.names))
        self._none = {
            _key(_pattern(row[0], "", "").shape): row[1] for row in grounded.pairs("reads_none", 2)
        }
        self._constants = {row[0]: row[1] for row in grounded.pairs("name", 2)}

    def knows(self, name: str, arity: int) -> bool:
        """Say whether a reader is told of atoms of this shape.

        What has a phrase is told in it; what depends on the state but has none is shown as it stands.
        """
        key = (name, arity)
        if key not in self._told:
            self._told[key] = key in self._patterns or not self._grounded.is_static(*key)
        return self._told[key]

    def has_phrase(self, name: str, arity: int) -> bool:
        """Say whether atoms of this shape are told in words of their own."""
        return (name, arity) in self._patterns

    def argument_names(self, name: str, arity: int) -> tuple[str, ...]:
        """Return what the arguments of atoms of this shape are called, or nothing."""
        patterns = self._patterns.get((name, arity))
        names = patterns[-1].names if patterns else ()
        return names if len(names) == arity else ()

    def say(self, term: Symbol | str, holds: bool = True) -> str:
        """Return the phrase of a fact that holds or does not, or of an action or quantity."""
        symbol = parse_term(term) if isinstance(term, str) else term
        found = self._match(symbol)
        if found is None:
            return str(symbol) if holds else f"not {symbol}"
        pattern, values = found
        return self._fill(pattern.true if holds else pattern.false, values)

    def say_none(self, symbol: Symbol, given: Mapping[int, Symbol]) -> str | None:
        """Return the phrase for a one-valued fact that has no value at all, where there is one."""
        text = self._none.get(_key(symbol))
        if text is None:
            return None
        found = self._patterns[_key(symbol)][-1]
        told = set(_PLACEHOLDER.findall(text))
        if any(name not in told for place, name in enumerate(found.names) if place in given):
            return None  # the phrase would leave out what is asked about
        values = {
            name: self.say_constant(given[place]) if place in given else f"any {name.lower()}"
            for place, name in enumerate(found.names)
        }
        return self._fill_text(text, values)

    def say_constant(self, symbol: Symbol) -> str:
        """Return a constant, number or nested term in words."""
        if symbol.type is SymbolType.Function and (symbol.arguments or symbol.name):
            if symbol.arguments or str(symbol) not in self._constants:
                if self._match(symbol) is not None:
                    return self.say(symbol)
                return str(symbol).replace("_", " ")
            return self._constants[str(symbol)]
        return str(symbol)

    def _match(self, symbol: Symbol) -> tuple[Pattern, dict[str, Symbol]] | None:
        for pattern in self._patterns.get(_key(symbol), ()):
            values: dict[str, Symbol] = {}
            if _unify(pattern.shape, symbol, values):
                return pattern, values
        return None

    def _fill(self, text: str, values: Mapping[str, Symbol]) -> str:
        return self._fill_text(text, {n: self.say_constant(v) for n, v in values.items()})

    @staticmethod
    def _fill_text(text: str, values: Mapping[str, str]) -> str:
        return _PLACEHOLDER.sub(lambda match: values.get(match.group(1), match.group()), text)


@lru_cache(maxsize=8)
def wording(book: Rulebook) -> Wording:
    """Return the words of a rulebook, looked up once."""
    return Wording(book)


def _key(symbol: Symbol) -> tuple[str, int]:
    return symbol.name, len(symbol.arguments)


def _pattern(text: str, true: str, false: str) -> Pattern:
    """Read a pattern such as `level(Value)`: its variables become marked constants."""
    names = tuple(dict.fromkeys(_VARIABLE.findall(text)))
    try:
        shape = parse_term(_VARIABLE.sub(lambda match: f"_v{match.group()}", text))
    except InputError:
        shape = Number(0)
    if shape.type is not SymbolType.Function:
        raise RulebookError(f"reads: {text!r} is not the pattern of a fact, action, duty or quantity")
    return Pattern(shape, names, true, false)


def _unify(shape: Symbol, symbol: Symbol, values: dict[str, Symbol]) -> bool:
    if shape.type is SymbolType.Function and shape.name.startswith("_v") and not shape.arguments:
        return values.setdefault(shape.name[2:], symbol) == symbol
    if shape.type is not SymbolType.Function or symbol.type is not SymbolType.Function:
        return shape == symbol
    return _key(shape) == _key(symbol) and all(
        _unify(inner, given, values)
        for inner, given in zip(shape.arguments, symbol.arguments, strict=True)
    )
