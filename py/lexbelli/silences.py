"""Clauses that speak in no position, and those that are set aside wherever they speak."""

from collections.abc import Collection, Iterable, Iterator

from lexbelli.codes import CODES
from lexbelli.findings import Finding, Proof
from lexbelli.norms import EFFECTS
from lexbelli.programs import whole
from lexbelli.rulebook import Rulebook
from lexbelli.search import Deadline
from lexbelli.terms import clause_key


def silences(book: Rulebook, deadline: Deadline) -> Proof:
    """Return the clauses that speak in no position, and those that are set aside in every one."""
    clauses = {norm.clause for norm in book.norms}
    changing = {norm.clause for norm in book.norms if norm.head in EFFECTS}
    effective = _some(book, "effective", clauses, deadline)
    # what has a say speaks
    spoken = effective | _some(book, "speaks", clauses - effective, deadline)
    findings = list(_silent(book, clauses - spoken, "LB201"))
    findings += _silent(book, spoken - effective - changing, "LB202")
    silent = {code for code in ("LB201", "LB202") if any(f.code == code for f in findings)}
    proved = [f"{len(spoken)} clauses speak in some position"]
    proved += [
        f"no clause is {CODES[code].name} ({code})" for code in ("LB201", "LB202") if code not in silent
    ]
    return Proof(findings, proved)


def _some(book: Rulebook, name: str, clauses: Collection[str], deadline: Deadline) -> set[str]:
    """Return those of the clauses of which an atom of this name holds in some position."""
    goals = [atom for atom in whole(book).goals(name) if atom.arguments[0].string in clauses]
    return {atom.arguments[0].string for atom in whole(book).some(goals, deadline)}


def _silent(book: Rulebook, clauses: Iterable[str], code: str) -> Iterator[Finding]:
    said = {
        "LB201": "it speaks in no position that can be",
        "LB202": "wherever it speaks a higher clause sets it aside",
    }
    for number in sorted(clauses, key=clause_key):
        clause = book.clause(number)
        title = clause.title if clause else ""
        yield Finding(code, (number,), (), f"{title}: {said[code]}", CODES[code].remedy)
