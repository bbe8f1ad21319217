"""Reading the user's files at the door: nothing binary, nothing empty, nothing that runs."""

import re
from pathlib import Path

from lexbelli.errors import InputError, Place, RulebookError

MOST_BYTES = 16 * 1024 * 1024
HIGHEST_INTEGER = 2**31 - 1  # clingo's integers wrap silently beyond it

# what hides text from the search for directives: strings, block comments, line comments
_HIDDEN = re.compile(r'"(?:\\.|[^"\\\n])*"|%\*.*?\*%|%[^\n]*', re.DOTALL)
_DIRECTIVE = re.compile(r"#\s*(script|include)\b(?:\s*(\"[^\"\n]*\"|<[^>\n]*>))?")
_NUMBER = re.compile(r"(?<![\w'])\d{10,}")


def read_text(path: Path) -> str:
    """Return the text of a file the user named.

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
    if not data.strip():
        raise InputError("the file is empty", place=place)
    if len(data) > MOST_BYTES:
        raise InputError(f"the file is larger than {MOST_BYTES // 2**20} MiB", place=place)
    if data.startswith((b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff")):
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


def read_program(path: Path, root: Path) -> str:
    """Return the text of an `.lp` file that holds no script and includes nothing outside `root`.

    Raises InputError as `read_text` does, and RulebookError with line and column for an embedded
    script, for an include of a file outside `root`, and for a number that clingo would wrap.
    """
    text = read_text(path)
    for match in _DIRECTIVE.finditer(
        _HIDDEN.sub(_blank_comment, text) if _DIRECTIVE.search(text) else ""
    ):
        place = _place(path, text, match.start())
        if match.group(1) == "script":
            raise RulebookError("embedded scripts are refused: files are data", place=place)
        target = (match.group(2) or "").strip('"<>')
        inside = (path.parent / target).resolve()
        if not target or not inside.is_relative_to(root.resolve()) or not inside.is_file():
            raise RulebookError(
                f"#include of {target or 'nothing'}: only files inside {root} may be included",
                place=place,
            )
    for match in _NUMBER.finditer(_HIDDEN.sub(_blank, text) if _NUMBER.search(text) else ""):
        if int(match.group()) > HIGHEST_INTEGER:
            raise RulebookError(
                f"the number {match.group()} is out of range",
                place=_place(path, text, match.start()),
                hint=f"the largest is {HIGHEST_INTEGER}",
            )
    return text


def _blank(match: re.Match[str]) -> str:
    """Blank out text, keeping its length and lines."""
    return re.sub(r"[^\n]", " ", match.group())


def _blank_comment(match: re.Match[str]) -> str:
    """Blank out comments but keep strings, which may name an included file."""
    return match.group() if match.group().startswith('"') else _blank(match)


def _place(path: Path, text: str, offset: int) -> Place:
    line = text.count("\n", 0, offset) + 1
    return Place(str(path), line, offset - text.rfind("\n", 0, offset))
