"""What must hold in every admissible position, on random ones."""

import random

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from lexbelli import Rulebook, load_rulebook, moves, repairs
from lexbelli.moves import judged_move
from lexbelli.repairs import in_words
from lexbelli.rulebook import judge_fresh
from lexbelli.solver import Answer
from lexbelli.state_files import Draft, Given
from lexbelli.state_files import changes as state_changes
from lexbelli.states import full_names, load_state, resolve, session_for
from lexbelli.terms import parse_fact
from tests.support import random_state

BOOK = load_rulebook()
SEEDS = st.integers(min_value=0, max_value=2**32)
FEW = settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])


def given_facts(facts: tuple[str, ...]) -> tuple[Given, ...]:
    return tuple(Given(parse_fact(fact)) for fact in facts)


def rows(answer: Answer) -> dict[str, set[tuple[str, ...]]]:
    return {name: set(found) for name, found in answer.atoms.items() if name != "stage"}


@FEW
@given(SEEDS)
def test_assumptions_on_the_shared_grounding_agree_with_a_fresh_one(seed: int) -> None:
    state = random_state(BOOK, random.Random(seed), changes=25)
    shared = session_for(BOOK, state.facts).judge(state.facts)
    fresh = judge_fresh(BOOK, state.facts, full_names(BOOK, state.facts))
    assert rows(shared) == rows(fresh)


@FEW
@given(SEEDS)
def test_a_verdict_follows_from_the_clauses_it_names(seed: int) -> None:
    state = random_state(BOOK, random.Random(seed), changes=25)
    answer = session_for(BOOK, state.facts).judge(state.facts)
    heads: dict[str, set[str]] = {}
    for _, head, action in answer.of("decides"):
        heads.setdefault(action, set()).add(head)
    available = answer.names("available")
    for move in moves(BOOK, [state], every=True)[0].moves:
        said = heads.get(move.action, set())
        outright, banned = bool(said & {"permits", "obliges"}), "forbids" in said
        expected = {
            (True, True): "contested",
            (False, True): "forbidden",
            (True, False): "legal",
            (False, False): "legal" if "opens" in said else "not_permitted",
        }[outright, banned]
        assert move.verdict == (expected if move.action in available else "unavailable")


@FEW
@given(SEEDS)
def test_one_at_a_time_and_all_at_once_agree(seed: int) -> None:
    rng = random.Random(seed)
    states = [random_state(BOOK, rng) for _ in range(3)]
    assert moves(BOOK, states, every=True) == [moves(BOOK, [state], every=True)[0] for state in states]


@settings(FEW, max_examples=6)
@given(SEEDS)
def test_every_repair_replays_and_reads(seed: int) -> None:
    rng = random.Random(seed)
    state = random_state(BOOK, rng)
    actions = [
        m.action
        for m in moves(BOOK, [state], every=True)[0].moves
        if m.verdict in ("forbidden", "contested")
    ]
    for action in rng.sample(actions, min(2, len(actions))):
        for changes in repairs(BOOK, state, action, seconds=60):
            made = [c.fact for c in changes if c.way == "set"]
            gone = [c.fact for c in changes if c.way == "unset"]
            drafted = Draft("repaired", given_facts(state.facts), (state_changes(made, gone),))
            assert judged_move(BOOK, resolve(BOOK, drafted), action).verdict == "legal"
            assert all(in_words(BOOK, change) for change in changes)


def test_a_wide_value_is_judged_like_any_other(book: Rulebook) -> None:
    state = load_state(
        book, "spring_1940", set=["brp(russia,137)", "phase(russia,end)", "garrison(aaf,27)"]
    )
    fresh = judge_fresh(book, state.facts, full_names(book, state.facts))
    assert rows(session_for(book, state.facts).judge(state.facts)) == rows(fresh)
    assert judged_move(book, state, "end_phase").verdict == "legal"
