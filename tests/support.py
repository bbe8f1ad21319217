"""Random positions for property tests and benchmarks."""

import random

from lexbelli import Rulebook, State
from lexbelli.rulebook import session
from lexbelli.states import load_state


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
