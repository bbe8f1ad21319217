"""Where clauses stand, named so that the same rulebook gives the same names wherever it lies."""

from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

from lexbelli.rulebook import Rulebook


@dataclass(frozen=True, slots=True)
class Base:
    """A folder that files are named from: the one a command was run in, or the rulebook's."""

    name: str
    meaning: str
    folder: Path


def base_of(book: Rulebook) -> Base:
    """Return what files are named from: the working folder when the rulebook is in it."""
    here, root = Path.cwd().resolve(), book.root.resolve()
    if root.is_relative_to(here):
        return Base("%SRCROOT%", "the folder in which the check was run", here)
    return Base("RULEBOOK", "the folder of the rulebook", root)


def address(base: Base, file: str) -> str:
    """Return a file of the rulebook as a relative URI."""
    return quote(Path(file).resolve().relative_to(base.folder).as_posix())


def place_in(book: Rulebook, clause: str) -> tuple[str, int]:
    """Return the file and line of a clause's heading; of the first one for what has no heading."""
    known = book.clause(clause)
    if known is None:
        return book.clauses[0].place.file, 1
    return known.place.file, max(1, known.place.line)
