"""Reading the user's files at the door: nothing binary, nothing empty, nothing that runs."""

import re
from dataclasses import dataclass
from pathlib import Path

from lexbelli.errors import InputError, Place, RulebookError

MOST_BYTES = 16 * 1024 * 1024
HIGHEST_INTEGER = 2**31 - 1  # clingo's integers wrap silently beyond it
DEEPEST = 200  # clingo's parser recurses over parentheses and over chains of operators
MOST_OPERATORS = 1000
_UTF8_MARK = b"\xef\xbb\xbf"

_TOKEN = re.compile(
    r"""(?P<open_comment>%\*) | (?P<line_comment>%[^\n]*)
    | (?P<string>"(?:\\.|[^"\\\n])*") | (?P<directive>\#\s*[a-z]+)
    | (?P<word>[A-Za-z_'][A-Za-z0-9_']*)
    | (?P<number>0x[0-9A-Fa-f]+|0o[0-7]+|0b[01]+|[0-9]+)
    | (?P<opening>[(\[{]) | (?P<closing>[)\]}])
    | (?P<dots>\.\.+) | (?P<end>\.) | (?P<operator>[-+*/\\^?&~|])
    | (?P<foreign>[^\x00-\x7f])""",
    re.VERBOSE,
)
_COMMENT_MARK = re.compile(r"%\*|\*%")
_TARGET = re.compile(r"\s*(?:\"([^\"\n]*)\"|<([^>\n]*)>)")


def read_text(path: Path, *, marked: bool = False) -> str:
    """Return the text of a file the user named; it may be `marked` as UTF-8 where nothing parses it.

    Raises InputError for a file that is missing, a directory, unreadable, empty, too large, binary,
    not UTF-8, or that begins with a byte order mark.
    """
    place = Place(str(path))
    try:
        if path.is_dir():
            raise InputError("this is a directory, not a file", place=place)
        with path.open("rb") as stream:
            data = stream.read(MOST_BYTES + 1)
    except FileNotFoundError:
        raise InputError("there is no such file", place=place) from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise InputError(f"the file cannot be read: {reason}", place=place) from None
    if marked:
        data = data.removeprefix(_UTF8_MARK)
    if not data.strip():
        raise InputError("the file is empty", place=place)
    if len(data) > MOST_BYTES:
        raise InputError(f"the file is larger than {MOST_BYTES // 2**20} MiB", place=place)
    if data.startswith((_UTF8_MARK, b"\xff\xfe", b"\xfe\xff")):
        raise InputError(
            "the file begins with a byte order mark", place=place, hint="save it as plain UTF-8"
        )
    if b"\0" in data:
        raise InputError("this is a binary file, not text", place=place)
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise InputError("the file is not UTF-8 text", place=Place(str(path), line)) from None


def read_program(path: Path, root: Path, seen: frozenset[Path] = frozenset()) -> str:
    """Return the text of an `.lp` file that clingo can be trusted with, and check what it includes.

    Raises InputError as `read_text` does and for what is no regular file, and RulebookError with line
    and column for an embedded script, an include of a file outside `root`, a number that clingo would
    wrap, a letter it does not know, nesting too deep for it, and old line ends it takes for none.
    """
    try:
        regular = path.is_file() or not path.exists()
    except (OSError, ValueError):
        regular = True  # reading it says what is wrong
    if not regular and not path.is_dir():
        raise InputError("this is no regular file", place=Place(str(path)))
    text = read_text(path)
    bare = re.search(r"\r(?!\n)", text)
    if bare:
        raise RulebookError(
            "a line ends in a carriage return alone",
            place=_place(path, text, bare.start()),
            hint="save the file with the line ends of Unix or Windows",
        )
    scan = _Scan(path, text)
    for included, place in scan.includes():
        file = _included(path, root, included, place)
        if file not in seen:
            read_program(path.parent / included, root, seen | {path.resolve()})
    return text


def _included(path: Path, root: Path, target: str, place: Place) -> Path:
    """Return the file that an include names, which must lie inside `root`."""
    inside = (path.parent / target).resolve()
    if not target or not inside.is_relative_to(root.resolve()) or not inside.is_file():
        raise RulebookError(
            f"#include of {target or 'nothing'}: only files inside {root} may be included",
            place=place,
        )
    # clingo looks in the working directory first
    if Path(target).exists() and Path(target).resolve() != inside:
        raise RulebookError(
            f"#include of {target}: the working directory has another file of that name", place=place
        )
    return inside


@dataclass(frozen=True, slots=True)
class _Scan:
    """One pass over the tokens of a program."""

    path: Path
    text: str

    def includes(self) -> list[tuple[str, Place]]:
        """Return the files the program includes; raises RulebookError for what is refused."""
        found: list[tuple[str, Place]] = []
        position = depth = operators = 0
        while match := _TOKEN.search(self.text, position):
            position = match.end()
            kind, value = match.lastgroup, match.group()
            if kind == "open_comment":
                position = self._end_of_comment(position)
            elif kind == "directive":
                if value.endswith("script"):
                    raise self._wrong("embedded scripts are refused: files are data", match.start())
                if value.endswith("include"):
                    target = _TARGET.match(self.text, position)
                    name = (target.group(1) or target.group(2) or "") if target else ""
                    found.append((name, _place(self.path, self.text, match.start())))
                    position = target.end() if target else position
            elif kind == "number":
                if _too_large(value):
                    shown = value if len(value) <= 20 else f"{value[:20]}..."
                    message, hint = (
                        f"the number {shown} is out of range",
                        f"the largest is {HIGHEST_INTEGER}",
                    )
                    raise self._wrong(message, match.start(), hint)
            elif kind == "foreign":
                message = f"{value!r} may stand only in quotation marks and comments"
                raise self._wrong(message, match.start())
            elif kind == "end":
                depth = operators = 0
            elif kind in ("opening", "closing"):
                depth += 1 if kind == "opening" else -1
            elif kind == "operator":
                operators += 1
            if depth > DEEPEST or operators > MOST_OPERATORS:
                raise self._wrong("the statement is nested too deeply", match.start())
        return found

    def _end_of_comment(self, position: int) -> int:
        """Return where a block comment ends; they nest."""
        depth = 1
        while depth:
            match = _COMMENT_MARK.search(self.text, position)
            if match is None:
                return len(self.text)
            depth += 1 if match.group() == "%*" else -1
            position = match.end()
        return position

    def _wrong(self, message: str, offset: int, hint: str = "") -> RulebookError:
        return RulebookError(message, place=_place(self.path, self.text, offset), hint=hint)


def _too_large(number: str) -> bool:
    """Say whether a number, in any notation, is beyond clingo's integers."""
    base = {"0x": 16, "0o": 8, "0b": 2}.get(number[:2], 10)
    digits = (number if base == 10 else number[2:]).lstrip("0")
    return len(digits) > 32 or (bool(digits) and int(digits, base) > HIGHEST_INTEGER)


def _place(path: Path, text: str, offset: int) -> Place:
    line = text.count("\n", 0, offset) + 1
    return Place(str(path), line, offset - text.rfind("\n", 0, offset))
