"""Where clauses stand, named so that the same rulebook gives the same names wherever it lies."""

from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

from lexbelli.errors import Place
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


def place_in(book: Rulebook, clause: str, place: Place | None = None) -> Place:
    """Return where a clause is, or the `place` given; the first heading for what has neither."""
    known = book.clause(clause)
    found = place or (known.place if known else None)
    return found if found and found.line else Place(book.clauses[0].place.file, 1)
