"""The smallest changes after which an action is legal."""

import pytest

from lexbelli import Change, LimitError, Rulebook, judged_move, load_state, repairs


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
