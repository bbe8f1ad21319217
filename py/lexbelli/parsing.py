"""Program files as statements: parsed by clingo, with its messages as our errors.

clingo reports errors as bare RuntimeError and sends the detail to a logger; here they become our
errors with file, line and column.
"""

import re
from pathlib import Path

from clingo import MessageCode
from clingo.ast import AST, parse_files, parse_string

from lexbelli.errors import InputError, LexBelliError, Place, RulebookError
from lexbelli.source import read_program

_INTERNAL = re.compile(r":-\[#inc_base\];")
_GUARD = re.compile(r';?in_force\("[^"]*"\)')
_UNSAFE = re.compile(r"note: '(\w+)' is unsafe")
_MESSAGE = re.compile(
    r"(?P<file>.*?):(?P<line>\d+):(?P<column>\d+)[-:\d]*: (?P<text>(?:error|info|warning): .*)",
    re.DOTALL,
)


# what a screen obeys instead of showing it, and what no page may hold
_HIDDEN = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\u202a-\u202e\u2066-\u2069\ufffe\uffff]")


class MessageLog:
    """Collects what clingo says and turns the first serious message into an error."""

    def __init__(self) -> None:
        self.messages: list[str] = []

    def __call__(self, code: MessageCode, message: str) -> None:
        """Take one message of clingo's."""
        if code is not MessageCode.FileIncluded:
            self.messages.append(message.strip())

    def error(self, kind: type[LexBelliError], fallback: str) -> LexBelliError:
        """Return the first serious message as an error of the given kind."""
        serious = [message for message in self.messages if ": error: " in message]
        message = (serious or self.messages or [fallback])[0]
        match = _MESSAGE.match(message)
        if not match:
            return kind(message)
        unsafe = _UNSAFE.findall(match["text"])
        text = _INTERNAL.sub(":- ", match["text"].replace("\n  ", " ").split("\n")[0])
        text = _GUARD.sub("", text)
        if unsafe:
            text = f"unsafe: no positive condition binds {' and '.join(dict.fromkeys(unsafe))}"
        text = text.removeprefix("error: ").removeprefix("info: ").removeprefix("warning: ")
        return kind(text, place=Place(match["file"], int(match["line"]), int(match["column"])))


def parse_rules(path: Path, root: Path) -> list[AST]:
    """Return the statements and comments of a program file in order, with their places.

    Raises InputError and RulebookError as `read_program` does, and RulebookError with file, line and
    column when the syntax is wrong or text of a file outside `root` turned up.
    """
    text = read_program(path, root)
    if not str(path).isprintable():
        raise InputError("the name of the file cannot be written", place=Place(repr(str(path))))
    hidden = _HIDDEN.search(text)
    if hidden is not None:
        line, start = text.count("\n", 0, hidden.start()) + 1, text.rfind("\n", 0, hidden.start())
        raise RulebookError(
            f"the character U+{ord(hidden.group()):04X} cannot be seen",
            place=Place(str(path), line, hidden.start() - start),
        )
    log = MessageLog()
    statements: list[AST] = []
    try:
        parse_files([str(path)], statements.append, logger=log)
    except RuntimeError as error:
        raise log.error(RulebookError, str(error)) from None
    # clingo looks for included files in other places as well: see that none of them was found
    files = {s.location.begin.filename for s in statements} if "include" in text else set()
    for name in files - {str(path)}:
        if not Path(name).resolve().is_relative_to(root.resolve()):
            raise RulebookError("text from outside the rulebook's folder", place=Place(str(path)))
    return statements


def parse_text(text: str) -> list[AST]:
    """Return the statements of a program that the engine wrote itself."""
    statements: list[AST] = []
    parse_string(text, statements.append)
    return statements
