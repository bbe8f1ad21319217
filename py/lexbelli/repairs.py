"""What would have to change for an action to be legal: the smallest changes of the state."""

import re
import time
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from clingo import Symbol

from lexbelli.errors import LimitError, RulebookError
from lexbelli.model import Change, State
from lexbelli.moves import judged_move
from lexbelli.phrases import wording
from lexbelli.rulebook import Rulebook, session, switches
from lexbelli.search import Search, exists
from lexbelli.states import full_names, session_for
from lexbelli.terms import parse_term, written

MOST = 5
SECONDS = 10.0
LONGEST = 86400  # a day; a longer wait overflows in the solver

_LAST = re.compile(r"(-?[0-9]+)\)$")
_NUMBER = re.compile(r"-?[0-9]+")

Repair = tuple[Change, ...]


class CutError(LimitError):
    """The search was cut by its time limit; `found` are repairs all the same, but not all there are."""

    def __init__(self, message: str, found: Sequence[Repair] = ()) -> None:
        """Keep what was found before."""
        super().__init__(message)
        self.found = list(found)


def repairs(
    book: Rulebook, state: State, action: str, most: int = MOST, seconds: float = SECONDS
) -> list[Repair]:
    """Return the smallest sets of changes after which the action is legal, at most `most`.

    Fewest facts first; each set of facts once, with the smallest change of numbers and the range of
    those that serve as well. What nobody can change, the calendar say, stays. Every one has been
    replayed. An action that is legal already needs none. Raises UnknownNameError when there is no such
    action, CutError with those found so far when it takes more than `seconds` seconds.
    """
    if judged_move(book, state, action).verdict == "legal":
        return []
    return _smallest(book, state, _Aim(parse_term(action), legal=True), most, seconds)


def reversals(
    book: Rulebook, state: State, action: str, most: int = MOST, seconds: float = SECONDS
) -> list[Repair]:
    """Return the smallest sets of changes after which a legal action is legal no longer.

    As `repairs` otherwise; an action that is not legal has none.
    """
    if judged_move(book, state, action).verdict != "legal":
        return []
    return _smallest(book, state, _Aim(parse_term(action), legal=False), most, seconds)


@dataclass(frozen=True, slots=True)
class _Aim:
    """What a change is to do about one action."""

    action: Symbol
    legal: bool

    def reached(self, book: Rulebook, facts: Iterable[str]) -> bool:
        """Say whether the action is as wanted in the state of exactly these facts."""
        state = State("changed", tuple(sorted(facts)))
        return (judged_move(book, state, str(self.action)).verdict == "legal") == self.legal

    def __str__(self) -> str:
        """Write the aim as a fact for the search."""
        return f"{'wanted' if self.legal else 'unwanted'}({self.action})."


def _smallest(book: Rulebook, state: State, aim: _Aim, most: int, seconds: float) -> list[Repair]:
    """Look among the values that clauses tell apart, and only where none serves among all of them."""
    if most < 1:
        raise ValueError(f"most must be 1 or more, not {most}")
    deadline = time.monotonic() + min(seconds, LONGEST)
    narrow = full_names(book, state.facts)
    every = frozenset(session(book).names("wide"))
    try:
        for full in dict.fromkeys((narrow, narrow | every)):
            if _within_reach(book, state, aim, full, deadline):
                return _search(book, state, aim, full, most, deadline)
    except CutError as error:
        raise CutError(f"unknown within {seconds:g} s", error.found) from None
    return []


def _within_reach(
    book: Rulebook, state: State, aim: _Aim, full: frozenset[str], deadline: float
) -> bool:
    """Say whether any position at all serves in which what nobody can change is as it is here."""
    goal = f"verdict({aim.action},legal)"
    constraints = [
        f":- {'not ' if aim.legal else ''}{goal}.",
        ":- impossible(_).",
        "#defined current/1.",
    ]
    constraints += [
        ":- settled(Fact), state(Fact), not current(Fact).",
        ":- settled(Fact), current(Fact), not state(Fact).",
        *(f"current({fact})." for fact in state.facts),
    ]
    program = f"{switches(book, full)} {' '.join(constraints)}"
    try:
        return exists(book.statements + book.choice, program, _left(deadline))
    except LimitError:
        raise CutError("unknown") from None


def _search(  # noqa: PLR0913, PLR0917 - what is searched, for what, and how far
    book: Rulebook, state: State, aim: _Aim, full: frozenset[str], most: int, deadline: float
) -> list[Repair]:
    statements = book.statements + book.choice + book.repair
    search = Search(statements, f"{current_state(book, state, full)} {aim}")
    found: list[Repair] = []
    fewest = None
    while len(found) < most:
        try:
            best = search.best(frozenset({"state", "differs"}), _left(deadline))
        except LimitError:
            raise CutError("unknown", _sorted(found)) from None
        if best is None:
            break
        cost, world = best
        fewest = cost[0] if fewest is None else fewest
        if cost[0] > fewest:
            break
        after = {written(atom.arguments[0]) for atom in world["state"]}
        _replay(book, after, aim)
        changes = state_changes(book, state, after)
        found.append(tuple(_ranged(book, state, after, change, aim) for change in changes))
        search.refuse(world["differs"])
    return _sorted(found)


def _ranged(book: Rulebook, state: State, after: set[str], change: Change, aim: _Aim) -> Change:
    """Return a change of a number with the range of numbers that do as well, all else as it is."""
    name = change.fact.partition("(")[0]
    bounds = {
        row[0]: (int(row[1]), int(row[2])) for row in session_for(book, state.facts).pairs("bounds", 3)
    }
    number = last_number(change.fact)
    if change.way != "set" or name not in bounds or number is None:
        return change
    least, greatest = bounds[name]
    others = after - {change.fact}

    def serves(value: int) -> bool:
        return aim.reached(book, others | {with_number(change.fact, value)})

    low = high = number
    while low > least and serves(low - 1):
        low -= 1
    while high < greatest and serves(high + 1):
        high += 1
    stem = with_number(change.fact, 0)
    now = next(
        (n for f in state.facts if (n := last_number(f)) is not None and with_number(f, 0) == stem),
        None,
    )
    return replace(
        change, low=low, high=high, now=now, open_below=low == least, open_above=high == greatest
    )


def last_number(fact: str) -> int | None:
    """Return the number that a fact ends with, or None."""
    match = _LAST.search(fact)
    return int(match.group(1)) if match else None


def with_number(fact: str, number: int) -> str:
    """Return a fact with another number at its end."""
    return _LAST.sub(f"{number})", fact)


def _left(deadline: float) -> float:
    """Return the seconds left. Raises LimitError when there are none."""
    left = deadline - time.monotonic()
    if left <= 0:
        raise LimitError("the time is over")
    return left


def _sorted(found: list[Repair]) -> list[Repair]:
    return sorted(found, key=lambda changes: [(c.fact, c.way) for c in changes])


def current_state(book: Rulebook, state: State, full: frozenset[str]) -> str:
    """Write a state and its numbers for a search that changes as little of it as it can.

    `full` names the facts to be searched at every value they have.
    """
    grounded = session(book, full)
    current = [f"current({fact})." for fact in state.facts]
    numbers = amounts(grounded.facts, grounded.facts, grounded.group_of, grounded.mapping("scale"))
    return "\n".join([switches(book, full), *current, numbers])


def amounts(
    facts: Iterable[str], known: Iterable[str], group_of: Mapping[str, str], scale: Mapping[str, str]
) -> str:
    """Write the numbers of facts and their order, for a search that changes as little as it can.

    `known` are all facts that have a place in the order; `group_of` and `scale` are the rulebook's.
    """
    lines = []
    order = {fact: place for place, fact in enumerate(sorted(known), 1)}
    for fact in facts:
        number = scale.get(fact) or fact.rstrip(")").rpartition(",")[2].rpartition("(")[2]
        if fact in group_of and _NUMBER.fullmatch(number):
            lines.append(f"amount({fact},{group_of[fact]},{number}).")
        lines.append(f"order({fact},{order[fact]}).")
    return "\n".join(lines)


def state_changes(book: Rulebook, state: State, after: set[str]) -> Repair:
    """Return what to set and unset; setting a value replaces the old one by itself."""
    return changes_between(state.facts, after, session_for(book, after).group_of)


def changes_between(
    before: Collection[str], after: Collection[str], group_of: Mapping[str, str]
) -> Repair:
    """Return the same of the facts of two positions, given the groups of facts."""
    made = sorted(set(after) - set(before))
    replaced = {group_of[fact] for fact in made if fact in group_of}
    gone = sorted(f for f in set(before) - set(after) if group_of.get(f) not in replaced)
    return tuple([Change("set", fact) for fact in made] + [Change("unset", f) for f in gone])


def _replay(book: Rulebook, after: set[str], aim: _Aim) -> None:
    if not aim.reached(book, after):
        raise RulebookError(
            f"a change for {aim.action} does not replay",
            hint="this is a bug of the program, please report it",
        )


def in_words(book: Rulebook, change: Change) -> str:
    """Return one change in words, from the phrases of the rulebook, with the numbers that serve."""
    words = wording(book).say(change.fact, holds=change.way == "set")
    if change.low is None or change.high is None:
        return words
    now = "" if change.now is None else f", now {change.now}"
    if change.low == change.high:
        return f"{words}{now}"
    if change.open_above == change.open_below:
        return f"{words} (any of {change.low} to {change.high}{now})"
    end, more = (change.low, "or more") if change.open_above else (change.high, "or less")
    words = wording(book).say(with_number(change.fact, end))
    return f"{words} {more}{now}" if words.endswith(str(end)) else f"{words} ({end} {more}{now})"
