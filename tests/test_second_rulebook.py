"""A second rulebook is a second folder: the engine answers for a lending library as it is."""

from collections.abc import Mapping
from itertools import combinations, product
from pathlib import Path

import pytest

from lexbelli import (
    Rulebook,
    State,
    duty_status,
    judged_move,
    load_rulebook,
    load_state,
    repairs,
    reversals,
    why,
)
from lexbelli.play import play
from lexbelli.rulebook import session


@pytest.fixture(scope="module")
def library() -> Rulebook:
    return load_rulebook(Path(__file__).with_name("library_rulebook"))


@pytest.mark.parametrize(
    ("changes", "verdict", "clauses", "overridden"),
    [
        ([], "legal", ("1.1", "1.4"), ()),
        (["day(sunday)"], "contested", ("1.1", "1.2"), ()),
        (["day(sunday)", "staff(ann)"], "legal", ("1.1", "1.3", "1.4"), ("1.2",)),
        (["books(ann,3)"], "contested", ("1.1", "1.4"), ()),
        (["books(ann,3)", "staff(ann)"], "contested", ("1.1", "1.3", "1.4"), ()),
    ],
)
def test_verdicts(
    library: Rulebook,
    changes: list[str],
    verdict: str,
    clauses: tuple[str, ...],
    overridden: tuple[str, ...],
) -> None:
    move = judged_move(library, load_state(library, set=changes), "borrow(ann)")
    assert (move.verdict, move.clauses, move.overridden) == (verdict, clauses, overridden)


@pytest.mark.parametrize(
    ("changes", "status"),
    [
        ([], "none"),
        (["overdue(ann)"], "unmet"),
        (["overdue(ann)", "money(ann,2)"], "unmet"),
        (["overdue(ann)", "money(ann,1)"], "impossible"),
        (["overdue(bob)", "money(ann,1)"], "none"),
    ],
)
def test_a_duty_that_cannot_be_paid_for_is_impossible(
    library: Rulebook, changes: list[str], status: str
) -> None:
    assert duty_status(library, load_state(library, set=changes), "settle(ann)").status == status


def test_explanation_and_repair(library: Rulebook) -> None:
    state = load_state(library, set=["books(ann,5)"])
    found = why(library, state, "borrow(ann)")
    assert [c.phrase for e in found.forbidden_by for c in e.conditions] == [
        "Ann has 5 books out (at least 3)"
    ]
    assert [[c.fact for c in changes] for changes in repairs(library, state, "borrow(ann)")] == [
        ["books(ann,2)"]
    ]


def test_every_smallest_repair_is_found_and_no_other(library: Rulebook) -> None:
    """Against trying every change of one and of two things, over the whole of a small state space."""
    grounded = session(library)
    groups: dict[str, list[str | None]] = {}
    for fact in grounded.facts:
        groups.setdefault(grounded.group_of.get(fact, fact), []).append(fact)
    for group, choices in groups.items():
        if group not in grounded.needed:
            choices.append(None)
    for start in ([], ["books(ann,5)", "day(sunday)"], ["overdue(ann)", "money(ann,1)", "staff(bob)"]):
        state = load_state(library, set=start)
        for action in ("borrow(ann)", "pay(ann)"):
            legal = judged_move(library, state, action).verdict == "legal"
            look = reversals if legal else repairs
            found = {
                frozenset(grounded.group_of.get(c.fact, c.fact) for c in changes)
                for changes in look(library, state, action, most=1000)
            }
            assert found == _tried(library, state, action, groups, not legal)


def _tried(
    book: Rulebook, state: State, action: str, groups: Mapping[str, list[str | None]], legal: bool
) -> set[frozenset[str]]:
    """Return the smallest sets of things to change, found by trying."""
    held = set(state.facts)
    for size in (1, 2):
        found = set()
        for chosen in combinations(groups, size):
            for values in product(*(groups[group] for group in chosen)):
                facts = {f for f in held if all(f not in groups[group] for group in chosen)}
                facts |= {value for value in values if value}
                changed = State("tried", tuple(sorted(facts)))
                if facts != held and (judged_move(book, changed, action).verdict == "legal") == legal:
                    found.add(frozenset(chosen))
        if found:
            return found
    return set()


def test_play(library: Rulebook) -> None:
    game = play(
        library, load_state(library), ["borrow(ann)", "borrow(ann)", "set:overdue(ann)", "pay(ann)"]
    )
    assert game.refused is None
    assert set(game.state.facts) == {"day(monday)", "books(ann,2)"}
