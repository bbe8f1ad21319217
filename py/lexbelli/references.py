"""References from clause to clause: those that lead nowhere, and those that lead outside."""

import re
from collections.abc import Iterator

from lexbelli.codes import CODES
from lexbelli.findings import Finding
from lexbelli.model import Clause
from lexbelli.rulebook import Rulebook

_NUMBER = re.compile(r"\b[0-9]+\.[0-9][0-9A-Za-z.]*")


def references(book: Rulebook) -> list[Finding]:
    """Return the references of the headings that lead to no clause, or to another chapter."""
    ids = [clause.id for clause in book.clauses]
    chapters = {number.partition(".")[0] for number in ids if number[0].isdigit()}
    found = []
    for clause in book.clauses:
        for target in dict.fromkeys(_targets(clause)):
            if any(number.startswith(target) for number in ids):
                continue
            code = "LB401" if target.partition(".")[0] in chapters else "LB402"
            message = f"{clause.title}: it refers to {target}, " + (
                "which is no clause" if code == "LB401" else "which is of another chapter"
            )
            found.append(Finding(code, (clause.id,), (target,), message, CODES[code].remedy))
    return found


def _targets(clause: Clause) -> Iterator[str]:
    yield from clause.see
    yield from (number.rstrip(".") for number in _NUMBER.findall(clause.yields_to))
