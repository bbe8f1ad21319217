"""Limits that are kept, and requirements that are met, while another clause forbids the action.

This is how limits work together and no defect, so it is looked for on request only.
"""

from clingo import Symbol

from lexbelli.codes import CODES
from lexbelli.errors import RulebookError
from lexbelli.findings import ALL, Finding, Proof, Witness
from lexbelli.model import State
from lexbelli.phrases import wording
from lexbelli.programs import whole
from lexbelli.rulebook import Rulebook
from lexbelli.search import Deadline
from lexbelli.terms import written
from lexbelli.whole import Place
from lexbelli.why import why
from lexbelli.witnesses import nearest


def tensions(book: Rulebook, deadline: Deadline) -> Proof:
    """Return the pairs of clauses of which one's limit is kept where the other forbids the action.

    Pairs that contradict each other outright, which is LB101, are left out.
    """
    goals = [goal for goal in whole(book).goals("clash") if goal.arguments[0].string == "LB107"]
    opposed: set[frozenset[str]] = set()
    found: dict[tuple[str, str], list[Symbol]] = {}
    for atom in whole(book).some([*goals, *whole(book).goals("opposed")], deadline):
        if atom.name == "opposed":
            opposed.add(frozenset(clause.string for clause in atom.arguments))
        else:
            pair = (atom.arguments[1].string, atom.arguments[2].string)
            found.setdefault(pair, []).append(atom)
    left = {pair: shown for pair, shown in found.items() if frozenset(pair) not in opposed}
    places = nearest(book, [shown[0] for shown in left.values()], deadline)
    findings = [_finding(book, places[shown[0]], pair, shown) for pair, shown in left.items()]
    return Proof(findings, [] if findings else [f"no {CODES['LB107'].name} (LB107) {ALL}"])


def _finding(book: Rulebook, place: Place, pair: tuple[str, str], shown: list[Symbol]) -> Finding:
    subjects = tuple(written(atom.arguments[3]) for atom in shown)
    head = _replay(book, pair, subjects[0], place.state)
    content = "grants it within its limit" if head == "opens" else "asks for something that is met"
    return Finding(
        code="LB107",
        clauses=pair,
        subjects=subjects,
        message=f"{wording(book).say(subjects[0])}: {pair[0]} {content}, and {pair[1]} forbids it",
        suggestion=CODES["LB107"].remedy,
        witness=Witness(place.base, place.changes),
    )


def _replay(book: Rulebook, pair: tuple[str, str], action: str, state: State) -> str:
    """Ask of the witness, in the ordinary way, how one clause speaks where the other forbids."""
    found = why(book, state, action, whole=False)
    content = {e.head for e in found.permitted_by if e.clause == pair[0]} & {"opens", "meets"}
    if not content or pair[1] not in {entry.clause for entry in found.forbidden_by}:
        raise RulebookError(
            f"the witness of {pair[0]} and {pair[1]} does not show it again: {', '.join(state.facts)}",
            hint="this is a bug of the program, please report it",
        )
    return "opens" if "opens" in content else "meets"
