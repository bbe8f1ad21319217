"""Conditions that never make a difference: without one the clause would say the same everywhere.

What events change is left out: such rules repeat, on purpose, when the event can happen.
"""

from collections.abc import Iterator, Sequence

from lexbelli.codes import CODES
from lexbelli.findings import Finding, Proof
from lexbelli.norms import EFFECTS
from lexbelli.reify import Reified, reified_program
from lexbelli.rulebook import Rulebook, everywhere
from lexbelli.search import Deadline, brave

# alone__(N,K): in some position norm N lacks its condition K and no other, and the clause is silent
_ALONE = "alone__(N,K) :- lacks__(N,K,S), not said__(N,S)."


def idle_conditions(book: Rulebook, deadline: Deadline) -> Proof:
    """Return the conditions without which a clause would never speak otherwise than it does."""
    norms, program = reified_program(book)
    asked = {
        (one.number, k)
        for one in norms
        if one.norm.head not in EFFECTS
        for k in range(len(one.conditions))
    }
    needed: set[tuple[int, int]] = set()
    for full in (False, True):  # most conditions matter among the values that clauses tell apart
        waiting = sorted(asked - needed)
        if waiting:
            rules = "\n".join([program, _ALONE, *_lacking(norms, waiting), *_said(norms, waiting)])
            extra = f"{everywhere(book, full=full)} {rules}"
            atoms = brave(book.statements + book.choice, extra, [("alone__", 2)], deadline.left())
            needed |= {(atom.arguments[0].number, atom.arguments[1].number) for atom in atoms}
    idle: dict[tuple[str, str], list[str]] = {}
    for number, k in sorted(asked - needed):
        one = norms[number]
        idle.setdefault((one.norm.clause, one.conditions[k]), []).append(one.norm.shape)
    findings = [
        _finding(book, clause, condition, idle[clause, condition]) for clause, condition in idle
    ]
    proved = [f"{len(needed)} conditions make a difference in some position"]
    return Proof(findings, proved)


def _lacking(norms: Sequence[Reified], waiting: Sequence[tuple[int, int]]) -> Iterator[str]:
    for number, k in waiting:
        others = "".join(
            f", cond__({number},{other},S)"
            for other in range(len(norms[number].conditions))
            if other != k
        )
        yield f"lacks__({number},{k},S) :- about__({number},S), not cond__({number},{k},S){others}."


def _said(norms: Sequence[Reified], waiting: Sequence[tuple[int, int]]) -> Iterator[str]:
    """Write when another rule of a clause says what a norm would say."""
    asked = {number for number, _ in waiting}
    yield "said__(N,S) :- spoken__(N,S)."
    for one in norms:
        if one.number in asked:
            for other in norms:
                if other.number != one.number and other.norm.says_as(one.norm):
                    yield f"said__({one.number},S) :- spoken__({other.number},S)."


def _finding(book: Rulebook, number: str, condition: str, shapes: Sequence[str]) -> Finding:
    clause = book.clause(number)
    title = clause.title if clause else ""
    message = f"{title}: it says the same without the condition {condition}"
    return Finding(
        "LB205", (number,), tuple(shapes), message, CODES["LB205"].remedy, key=f"{number}:{condition}"
    )
