"""The catalogue of clauses: by number, by word, with the rules as they stand in the file."""

import re
from pathlib import Path

from lexbelli.errors import UnknownNameError
from lexbelli.model import Clause, ClauseChange, Overlay
from lexbelli.overlays import withdrawn
from lexbelli.rulebook import Rulebook
from lexbelli.source import read_text
from lexbelli.suggest import did_you_mean
from lexbelli.terms import names_clause

_NUMBER = re.compile(r"\d[\w.]*|\w+\.\w+")
_HEADING_LINES = re.compile(r"%\s*(>|kind:|see:|yields to:|not formalised:|redefined:)")


def find_clauses(book: Rulebook, wanted: str | None = None) -> list[Clause]:
    """Return the clauses of a number, or those whose title or gist has all the words; or all.

    A number names itself and what hangs below it: "3.51" names 3.51A as well. Nothing is returned where
    all that is meant is withdrawn. Raises UnknownNameError when there is no such clause.
    """
    if wanted is None:
        return list(book.clauses)
    numbered = [clause for clause in book.clauses if _named(wanted, clause.id)]
    if numbered or find_withdrawn(book, wanted):
        return numbered
    words = wanted.lower().split()
    if words and not _NUMBER.fullmatch(wanted):
        spoken = [
            clause
            for clause in book.clauses
            if all(word in f"{clause.title} {clause.gist}".lower() for word in words)
        ]
        if spoken:
            return spoken
        raise UnknownNameError(f"no clause is numbered or mentions {wanted!r}")
    hint = did_you_mean(wanted, (clause.id for clause in book.clauses))
    raise UnknownNameError(f"there is no clause {wanted!r}", hint=hint)


def find_withdrawn(book: Rulebook, wanted: str | None = None) -> list[tuple[Overlay, ClauseChange]]:
    """Return the clauses of a number, or all, that an edition or erratum has withdrawn."""
    gone = withdrawn(book.overlays, book.clauses)
    return [pair for pair in gone if wanted is None or _named(wanted, pair[1].clause)]


def _named(wanted: str, clause: str) -> bool:
    """Say whether a number names a clause: 5.2 names 5.21, as the printed numbers nest."""
    return (
        names_clause(wanted, clause)
        or (_NUMBER.fullmatch(wanted) is not None and "." in wanted and clause.startswith(wanted))
        or (wanted.isdigit() and clause.startswith(f"{wanted}."))
    )


def rules_as_written(clause: Clause) -> str:
    """Return the lines under the clause's heading, as they stand in the file, without its gist."""
    lines = read_text(Path(clause.place.file)).splitlines()[clause.place.line :]
    kept = []
    for line in lines:
        if line.startswith("%##"):
            break
        if not _HEADING_LINES.match(line):
            kept.append(line)
    return "\n".join(kept).strip("\n")
