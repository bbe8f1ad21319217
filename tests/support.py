"""Random positions for property tests and benchmarks."""

import random
from collections.abc import Iterable

from lexbelli import Change, Rulebook, State
from lexbelli.rulebook import session
from lexbelli.state_files import Draft, Given
from lexbelli.state_files import changes as state_changes
from lexbelli.states import load_state, resolve
from lexbelli.terms import parse_fact


def random_state(book: Rulebook, rng: random.Random, changes: int = 12) -> State:
    """Return an admissible position: a scenario with up to `changes` random facts set."""
    grounded = session(book)
    every = sorted(grounded.facts)
    while True:
        start = load_state(book, rng.choice(sorted(book.scenarios())))
        facts = set(start.facts)
        for fact in rng.sample(every, rng.randint(0, changes)):
            group = grounded.group_of.get(fact)
            facts = {f for f in facts if group is None or grounded.group_of.get(f) != group} | {fact}
        state = State("random", tuple(sorted(facts)))
        if not grounded.judge(state.facts).of("impossible"):
            return state


def changed_state(book: Rulebook, state: State, changes: Iterable[Change]) -> State:
    """Return the state after changes, as `--set` and `--unset` make them."""
    listed = list(changes)
    made = [change.fact for change in listed if change.way == "set"]
    gone = [change.fact for change in listed if change.way == "unset"]
    given = tuple(Given(parse_fact(fact)) for fact in state.facts)
    return resolve(book, Draft(state.name, given, (state_changes(made, gone),)))
