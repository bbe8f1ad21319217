"""What tells two answers apart: two actions in one state, or one action in two states."""

from collections.abc import Iterable
from dataclasses import dataclass

from lexbelli.errors import InputError
from lexbelli.model import Change, Condition, Entry, Explanation, State
from lexbelli.moves import judged_move
from lexbelli.repairs import state_changes
from lexbelli.rulebook import Rulebook
from lexbelli.states import session_for
from lexbelli.why import why


@dataclass(frozen=True, slots=True)
class Difference:
    """A clause that says one thing of the first and not of the second, or the other way round.

    `first` and `second` are the conditions that are met of one and not of the other; both are empty for
    a clause that is only about one of them, which `about` names: "first", "second" or "both".
    """

    entry: Entry
    about: str
    first: tuple[Condition, ...] = ()
    second: tuple[Condition, ...] = ()


@dataclass(frozen=True, slots=True)
class Contrast:
    """Two explanations, the clauses that tell them apart, and the facts that do, for two states.

    `changes` are facts to change in the first state so that the answer is that of the second: facts in
    which the two differ, and none of them can be spared.
    """

    first: Explanation
    second: Explanation
    apart: tuple[Difference, ...]
    changes: tuple[Change, ...] = ()


def contrast_actions(book: Rulebook, state: State, action: str, other: str) -> Contrast:
    """Return why one action and not another has its verdict in a state.

    Raises InputError or UnknownNameError when there is no such action.
    """
    first, second = why(book, state, action), why(book, state, other)
    if first.action == second.action:
        raise InputError(f"{first.action} is one action, not two to tell apart")
    return Contrast(first, second, tuple(_apart(first, second)))


def contrast_states(book: Rulebook, action: str, one: State, two: State) -> Contrast:
    """Return why an action has its verdict in one state and not in another.

    Raises InputError or UnknownNameError when there is no such action.
    """
    first, second = why(book, one, action), why(book, two, action)
    return Contrast(first, second, tuple(_apart(first, second)), _fewest(book, first, second))


def _entries(found: Explanation) -> list[Entry]:
    return [*found.forbidden_by, *found.permitted_by, *found.would_permit, *found.would_forbid]


def _apart(first: Explanation, second: Explanation) -> Iterable[Difference]:
    """Return the clauses that speak of one and not of the other."""
    here, there = _by_clause(first), _by_clause(second)
    for key in dict.fromkeys((*here, *there)):
        ours, theirs = here.get(key, []), there.get(key, [])
        speaks = [any(entry.met for entry in entries) for entries in (ours, theirs)]
        if speaks[0] == speaks[1]:
            continue
        entry = next(e for e in (*ours, *theirs) if e.met)
        if not ours or not theirs:
            yield Difference(entry, "second" if not ours else "first")
            continue
        silent = min(ours if speaks[1] else theirs, key=_lacking)
        told = {condition.phrase for condition in silent.conditions}
        met = tuple(c for c in entry.conditions if c.phrase not in told)
        unmet = tuple(c for c in silent.conditions if not c.met)
        yield Difference(entry, "both", *((met, unmet) if speaks[0] else (unmet, met)))


def _by_clause(found: Explanation) -> dict[tuple[str, str], list[Entry]]:
    entries: dict[tuple[str, str], list[Entry]] = {}
    for entry in _entries(found):
        entries.setdefault((entry.clause, entry.head), []).append(entry)
    return entries


def _lacking(entry: Entry) -> int:
    return sum(not condition.met for condition in entry.conditions)


def _fewest(book: Rulebook, first: Explanation, second: Explanation) -> tuple[Change, ...]:
    """Return changes of the first state that bring the second's verdict; none can be spared."""
    wanted = second.move.verdict
    if wanted == first.move.verdict:
        return ()
    held, goal = set(first.state.facts), set(second.state.facts)
    group_of = session_for(book, first.state.facts).group_of
    group_of = group_of | session_for(book, second.state.facts).group_of
    keys = sorted({group_of.get(fact, fact) for fact in held ^ goal})
    taken = list(keys)
    spared = True
    while spared:  # one that could not go may go once another has
        spared = False
        for key in list(taken):
            fewer = [kept for kept in taken if kept != key]
            if _verdict(book, _mixed(held, goal, fewer, group_of), first.action) == wanted:
                taken, spared = fewer, True
    return state_changes(book, first.state, _mixed(held, goal, taken, group_of))


def _mixed(held: set[str], goal: set[str], keys: list[str], group_of: dict[str, str]) -> set[str]:
    """Return the first facts, but as in the second for these groups."""
    kept = {fact for fact in held if group_of.get(fact, fact) not in keys}
    return kept | {fact for fact in goal if group_of.get(fact, fact) in keys}


def _verdict(book: Rulebook, facts: set[str], action: str) -> str:
    """Return the verdict in a state, or nothing for one that cannot be."""
    state = State("between", tuple(sorted(facts)))
    if session_for(book, state.facts).judge(state.facts).of("impossible"):
        return ""
    return judged_move(book, state, action).verdict
