"""Clauses that speak in no position, and those that are set aside wherever they speak."""

from collections.abc import Iterable, Iterator

from lexbelli.codes import CODES
from lexbelli.findings import Finding, Proof
from lexbelli.norms import EFFECTS
from lexbelli.reify import reified_program
from lexbelli.rulebook import Rulebook, everywhere
from lexbelli.search import Deadline, brave
from lexbelli.terms import clause_key


def silences(book: Rulebook, deadline: Deadline) -> Proof:
    """Return the clauses that speak in no position, and those that are set aside in every one."""
    norms, program = reified_program(book)
    voice = f"{program} voice__(N) :- spoken__(N,_)."
    # most clauses speak among the values that clauses tell apart; the others are sought among all
    clauses = {one.norm.clause for one in norms}
    changing = {one.norm.clause for one in norms if one.norm.head in EFFECTS}
    for full in (False, True):
        extra = f"{everywhere(book, full=full)} {voice}"
        voices, effective = _voices(book, extra, deadline.left())
        spoken = {one.norm.clause for one in norms if one.number in voices}
        if clauses == spoken and spoken <= effective | changing:
            break
    findings = list(_silent(book, clauses - spoken, "LB201"))
    findings += _silent(book, spoken - effective - changing, "LB202")
    silent = {code for code in ("LB201", "LB202") if any(f.code == code for f in findings)}
    proved = [f"{len(spoken)} clauses speak in some position"]
    proved += [
        f"no clause is {CODES[code].name} ({code})" for code in ("LB201", "LB202") if code not in silent
    ]
    return Proof(findings, proved)


def _voices(book: Rulebook, extra: str, seconds: float) -> tuple[set[int], set[str]]:
    """Return the norms that speak in some position, and the clauses that have a say in some."""
    statements = book.statements + book.choice + book.check
    atoms = brave(statements, extra, [("voice__", 1), ("effective", 1)], seconds)
    voices = {atom.arguments[0].number for atom in atoms if atom.name == "voice__"}
    return voices, {atom.arguments[0].string for atom in atoms if atom.name == "effective"}


def _silent(book: Rulebook, clauses: Iterable[str], code: str) -> Iterator[Finding]:
    said = {
        "LB201": "it speaks in no position that can be",
        "LB202": "wherever it speaks a higher clause sets it aside",
    }
    for number in sorted(clauses, key=clause_key):
        clause = book.clause(number)
        title = clause.title if clause else ""
        yield Finding(code, (number,), (), f"{title}: {said[code]}", CODES[code].remedy)
