"""The smallest changes after which an action is legal."""

import pytest
from tests.support import changed_state

from lexbelli import (
    Change,
    LimitError,
    Rulebook,
    judged_move,
    load_state,
    repairs,
    reversals,
)
from lexbelli.repairs import in_words


def options(found: list[tuple[Change, ...]]) -> list[list[str]]:
    return [[f"{change.way} {change.fact}" for change in changes] for changes in found]


def test_each_smallest_set_of_facts_once_with_the_nearest_number(book: Rulebook) -> None:
    changes = ["rgt(30)", "economic_interest(germany,rumania)", "phase(russia,declaration)"]
    state = load_state(book, "spring_1940", set=changes)
    assert options(repairs(book, state, "declare_war(russia,rumania)")) == [
        ["unset economic_interest(germany,rumania)"],
        ["set rgt(35)"],
    ]


def test_two_facts_where_one_is_not_enough(book: Rulebook) -> None:
    state = load_state(book, "campaign_1939")
    assert options(repairs(book, state, "declare_war(russia,finland)")) == [
        ["set phase(russia,start)", "set rgt(25)"]
    ]


def test_a_legal_action_needs_none(book: Rulebook) -> None:
    assert repairs(book, load_state(book), "end_phase") == []


def test_what_no_clause_ever_grants_has_none(book: Rulebook) -> None:
    assert repairs(book, load_state(book), "attrition(usa,turkey)") == []


def test_every_repair_replays(book: Rulebook) -> None:
    state = load_state(book, "spring_1940")
    for action in ("enter(russia,bessarabia)", "offensive(poland,germany)", "cut_off_oil(russia)"):
        found = repairs(book, state, action)
        assert found
        for changes in found:
            after = load_state(
                book,
                "spring_1940",
                set=[c.fact for c in changes if c.way == "set"],
                unset=[c.fact for c in changes if c.way == "unset"],
            )
            assert judged_move(book, after, action).verdict == "legal"


def test_a_search_that_is_cut_is_unknown_not_none(book: Rulebook) -> None:
    with pytest.raises(LimitError, match="unknown within 0 s"):
        repairs(book, load_state(book), "declare_war(russia,finland)", seconds=0)


def test_a_number_comes_with_the_range_that_serves(book: Rulebook) -> None:
    state = load_state(book, "spring_1940", set=["rgt(30)", "phase(russia,declaration)"])
    ((change,),) = repairs(book, state, "declare_war(russia,germany)")
    assert (change.fact, change.low, change.high, change.now) == ("rgt(50)", 50, 75, 30)
    assert in_words(book, change) == "RGT is 50 or more, now 30"
    lower = load_state(book, state.name, set=["rgt(49)", "phase(russia,declaration)"])
    assert judged_move(book, lower, "declare_war(russia,germany)").verdict != "legal"


@pytest.mark.parametrize(
    ("low", "high", "below", "above", "words"),
    [
        (35, 75, False, True, "RGT is 35 or more, now 30"),
        (0, 35, True, False, "RGT is 35 or less, now 30"),
        (35, 49, False, False, "RGT is 35 (any of 35 to 49, now 30)"),
        (35, 35, False, False, "RGT is 35, now 30"),
    ],
)
def test_how_a_range_reads(  # noqa: PLR0917
    book: Rulebook, low: int, high: int, below: bool, above: bool, words: str
) -> None:
    change = Change("set", "rgt(35)", low, high, 30, below, above)
    assert in_words(book, change) == words


def test_what_nobody_can_change_stays(book: Rulebook) -> None:
    state = load_state(book, "spring_1940")
    for action in ("gain_control(russia,eastern_poland)", "declare_war(russia,germany)"):
        found = repairs(book, state, action, most=3)
        assert not [c.fact for changes in found for c in changes if c.fact.startswith("turn(")]


def test_a_legal_action_has_its_reverse(book: Rulebook) -> None:
    state = load_state(book, "spring_1940", set=["rgt(50)", "phase(russia,declaration)"])
    found = reversals(book, state, "declare_war(russia,germany)")
    assert ["set rgt(49)"] in options(found)
    for changes in found:
        after = changed_state(book, state, changes)
        assert judged_move(book, after, "declare_war(russia,germany)").verdict != "legal"
    assert reversals(book, load_state(book), "attrition(usa,turkey)") == []
