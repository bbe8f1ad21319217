"""Conditions that never make a difference: without one the clause would say the same everywhere.

What events change is left out: such rules repeat, on purpose, when the event can happen.
"""

from collections.abc import Sequence

from lexbelli.codes import CODES
from lexbelli.findings import Finding, Proof
from lexbelli.programs import varied
from lexbelli.reify import reified_program
from lexbelli.rulebook import Rulebook
from lexbelli.search import Deadline


def idle_conditions(book: Rulebook, deadline: Deadline) -> Proof:
    """Return the conditions without which a clause would never speak otherwise than it does."""
    norms, _ = reified_program(book, effects=False)
    needed = {
        (atom.arguments[0].number, atom.arguments[1].number)
        for atom in varied(book).some(varied(book).goals("alone__"), deadline)
    }
    idle: dict[tuple[str, str], list[str]] = {}
    elsewhere = set()  # conditions that another rule of the clause needs
    for one in norms:
        for k, condition in enumerate(one.conditions):
            if (one.number, k) not in needed:
                idle.setdefault((one.norm.clause, condition), []).append(one.norm.shape)
            else:
                elsewhere.add((one.norm.clause, condition))
    findings = [_finding(book, key, shapes, key in elsewhere) for key, shapes in idle.items()]
    return Proof(findings, [f"{len(needed)} conditions make a difference in some position"])


def _finding(book: Rulebook, key: tuple[str, str], shapes: Sequence[str], elsewhere: bool) -> Finding:
    number, condition = key
    clause = book.clause(number)
    title = clause.title if clause else ""
    message = f"{title}: it says the same without the condition {condition}"
    if elsewhere:
        message += f" of {' and '.join(shapes)}, though another of its rules needs it"
    return Finding(
        "LB205", (number,), tuple(shapes), message, CODES["LB205"].remedy, key=f"{number}:{condition}"
    )
