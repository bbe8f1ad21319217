"""What would have to change for an action to be legal: the smallest changes of the state."""

import re
import time

from lexbelli.errors import LimitError, RulebookError
from lexbelli.model import Change, State
from lexbelli.moves import judged_move
from lexbelli.phrases import wording
from lexbelli.rulebook import Rulebook, switches
from lexbelli.solver import Search, written
from lexbelli.states import full_names, session_for
from lexbelli.terms import parse_term

MOST = 5
SECONDS = 10.0
LONGEST = 86400  # a day; a longer wait overflows in the solver

_NUMBER = re.compile(r"-?[0-9]+")

Repair = tuple[Change, ...]


class CutError(LimitError):
    """The search was cut by its time limit; `found` are repairs all the same, but not all there are."""

    def __init__(self, message: str, found: list[Repair]) -> None:
        """Keep what was found before."""
        super().__init__(message)
        self.found = found


def repairs(
    book: Rulebook, state: State, action: str, most: int = MOST, seconds: float = SECONDS
) -> list[Repair]:
    """Return the smallest sets of changes after which the action is legal, at most `most`.

    Fewest facts first; each set of facts once, with the smallest change of numbers. Every one has
    been replayed. An action that is legal already needs none. Raises UnknownNameError when there is
    no such action, CutError with those found so far when it takes more than `seconds` seconds.
    """
    deadline = time.monotonic() + min(seconds, LONGEST)
    if judged_move(book, state, action).verdict == "legal":
        return []
    statements = book.statements + book.choice + book.repair
    search = Search(statements, f"{current_state(book, state)} wanted({parse_term(action)}).")
    found: list[Repair] = []
    fewest = None
    while len(found) < most:
        try:
            best = search.best(frozenset({"state", "differs"}), _left(deadline))
        except LimitError:
            raise CutError(f"unknown within {seconds:g} s", _sorted(found)) from None
        if best is None:
            break
        cost, world = best
        fewest = cost[0] if fewest is None else fewest
        if cost[0] > fewest:
            break
        after = {written(atom.arguments[0]) for atom in world["state"]}
        found.append(state_changes(book, state, after))
        _replay(book, state, after, action)
        search.refuse(world["differs"])
    return _sorted(found)


def _left(deadline: float) -> float:
    """Return the seconds left. Raises LimitError when there are none."""
    left = deadline - time.monotonic()
    if left <= 0:
        raise LimitError("the time is over")
    return left


def _sorted(found: list[Repair]) -> list[Repair]:
    return sorted(found, key=lambda changes: [(c.fact, c.way) for c in changes])


def current_state(book: Rulebook, state: State) -> str:
    """Write a state and its numbers for a search that changes as little of it as it can."""
    grounded = session_for(book, state.facts)
    lines = [switches(book, full_names(book, state.facts))]
    lines += [f"current({fact})." for fact in state.facts]
    scale = grounded.mapping("scale")
    for fact, group in grounded.group_of.items():
        number = scale.get(fact) or fact.rstrip(")").rpartition(",")[2].rpartition("(")[2]
        if _NUMBER.fullmatch(number):
            lines.append(f"amount({fact},{group},{number}).")
    lines += [f"order({fact},{place})." for place, fact in enumerate(sorted(grounded.facts), 1)]
    return "\n".join(lines)


def state_changes(book: Rulebook, state: State, after: set[str]) -> Repair:
    """Return what to set and unset; setting a value replaces the old one by itself."""
    grounded = session_for(book, after)
    made = sorted(after - set(state.facts))
    replaced = {grounded.group_of[fact] for fact in made if fact in grounded.group_of}
    gone = sorted(
        fact for fact in set(state.facts) - after if grounded.group_of.get(fact) not in replaced
    )
    return tuple([Change("set", fact) for fact in made] + [Change("unset", f) for f in gone])


def _replay(book: Rulebook, state: State, after: set[str], action: str) -> None:
    changed = State(state.name, tuple(sorted(after)))
    verdict = judged_move(book, changed, action).verdict
    if verdict != "legal":
        raise RulebookError(
            f"a repair for {action} does not replay: the action would be {verdict}",
            hint="this is a bug of the program, please report it",
        )


def in_words(book: Rulebook, change: Change) -> str:
    """Return one change in words, from the phrases of the rulebook."""
    return wording(book).say(change.fact, holds=change.way == "set")
