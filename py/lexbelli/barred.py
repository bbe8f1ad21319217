"""Steps that a clause requires and another forbids for good: duties that nobody can meet.

A step is barred when it is forbidden whenever it is required, or forbidden because of how things stand,
which no passing of time and no number changes; see `steps`.
"""

from collections.abc import Sequence

from clingo import Symbol

from lexbelli.errors import RulebookError
from lexbelli.findings import ALL, Finding, Proof, Wanted, Witness, every, found
from lexbelli.moves import judged_move
from lexbelli.phrases import wording
from lexbelli.programs import whole
from lexbelli.rulebook import Rulebook
from lexbelli.search import Deadline
from lexbelli.terms import clause_key, written
from lexbelli.whole import Place
from lexbelli.witnesses import Cause, nearest


def barred_steps(book: Rulebook, deadline: Deadline, wanted: Wanted = every) -> Proof:
    """Return the clauses that require a step which another clause forbids for good."""
    shown = _shown(book, deadline)
    places = nearest(book, barred_to_show(book, deadline, wanted), deadline)
    findings = [
        _finding(book, pair, goals, places[goals[0]]) if goals[0] in places else found("LB102", pair)
        for pair, goals in sorted(shown.items(), key=lambda row: [clause_key(c) for c in row[0]])
    ]
    return Proof(findings, [] if findings else [f"no required step is barred (LB102) {ALL}"])


def barred_to_show(book: Rulebook, deadline: Deadline, wanted: Wanted) -> list[Symbol]:
    """Return what `barred_steps` will show a position of."""
    shown = _shown(book, deadline)
    return [goals[0] for pair, goals in shown.items() if wanted(found("LB102", pair).id)]


def _shown(book: Rulebook, deadline: Deadline) -> dict[tuple[str, str], list[Symbol]]:
    """Return for each pair of clauses the steps that the one requires and the other bars."""
    program = whole(book)
    barred = program.goals("barred__")
    holding = program.some([*barred, *program.goals("free__")], deadline)
    free = {tuple(goal.arguments) for goal in holding if goal.name == "free__"}
    grouped: dict[tuple[str, str], list[Symbol]] = {}
    for goal in holding:
        if goal.name == "barred__":
            how, norm, clause, ban, step = goal.arguments
            if how.name == "lasting" or (norm, step.arguments[0]) not in free:
                pair = (clause.string, ban.string)
                grouped.setdefault(pair, []).append(goal)
    return {pair: _first_of_each(goals) for pair, goals in grouped.items()}


def _first_of_each(goals: Sequence[Symbol]) -> list[Symbol]:
    """Return one goal for each step, those that hold as things stand before the others."""
    found: dict[Symbol, Symbol] = {}
    for goal in sorted(goals, key=lambda goal: (goal.arguments[0].name != "lasting", goal)):
        found.setdefault(goal.arguments[4], goal)
    return list(found.values())


def _finding(book: Rulebook, pair: tuple[str, str], goals: Sequence[Symbol], place: Place) -> Finding:
    clause, ban = pair
    action, step = (written(term) for term in goals[0].arguments[4].arguments)
    move, wanted = (judged_move(book, place.state, term) for term in (step, action))
    if move.verdict != "forbidden" or ban not in move.clauses or clause not in wanted.clauses:
        raise RulebookError(
            f"the witness of {clause} and {ban} does not show it again: {', '.join(place.state.facts)}",
            hint="this is a bug of the program, please report it",
        )
    say = wording(book).say
    always = goals[0].arguments[0].name != "lasting"
    cause = Cause(book, goals[0])
    return Finding(
        code="LB102",
        clauses=pair,
        subjects=tuple(written(goal.arguments[4]) for goal in goals),
        message=f"{say(action)}: {clause} asks for a step before it, {say(step)}, which {ban} forbids "
        + ("whenever it is asked for" if always else "as things stand"),
        suggestion=f"say in {ban} that the step is free where {clause} asks for it, or in {clause} "
        "what holds where it cannot be taken",
        witness=Witness(place.base, place.changes),
        ranges=cause.ranges(place.state),
        core=cause.core(place.state, pair),
    )
