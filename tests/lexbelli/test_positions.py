"""Duties, values and conclusions of a position."""

import pytest

from lexbelli import (
    Rulebook,
    UnknownNameError,
    conclusion,
    conclusions,
    duties,
    duty_status,
    load_state,
    value_of,
    values,
)

GARRISON = ["phase(russia,end)", "rgt(20)"]


def test_duties_say_their_status_their_clauses_and_the_ways(book: Rulebook) -> None:
    state = load_state(book, "campaign_1939", set=["phase(russia,end)"])
    (duty,) = duties(book, state)
    assert (duty.duty, duty.status, duty.clauses) == (
        "accept_control(eastern_poland)", "unmet", ("64.35.s2",),
    )  # fmt: skip
    assert [(way.action, way.verdict) for way in duty.ways] == [
        ("gain_control(russia,eastern_poland)", "legal")
    ]


@pytest.mark.parametrize(
    ("changes", "status"),
    [
        ([], "unmet"),
        (["garrison(aaf,15)"], "met"),
        (["in_play(aaf,14)"], "impossible"),
        (["in_play(aaf,15)"], "unmet"),
        (["rgt(19)"], "none"),
    ],
)
def test_a_duty_is_impossible_when_the_units_do_not_exist(
    book: Rulebook, changes: list[str], status: str
) -> None:
    changes = [*GARRISON[: 1 if "rgt(19)" in changes else 2], *changes]
    state = load_state(book, "spring_1940", set=changes)
    assert duty_status(book, state, "garrison(aaf)").status == status


def test_values_with_their_clauses(book: Rulebook) -> None:
    found = {v.quantity: (v.value, v.clauses) for v in values(book, load_state(book, "spring_1940"))}
    assert found["brp_value(eastern_poland)"] == (10, ("63.11A", "64.32.s1"))
    assert found["brp_value(poland)"] == (20, ("64.32.s1",))
    assert "brp_value(rumania)" not in found


def test_a_quantity_that_no_clause_fixes(book: Rulebook) -> None:
    state = load_state(book, "spring_1940")
    assert value_of(book, state, "brp_value(rumania)").value is None
    assert value_of(book, state, "cost(offensive(germany,poland))").value is None


def test_conclusions(book: Rulebook) -> None:
    found = {c.fact: c.holds for c in conclusions(book, load_state(book, "summer_1941"))}
    assert found["surprise"] is True
    assert found["associates(finland,germany)"] is False
    disputed = load_state(book, "summer_1941", set=["border_war_occurred(finland)"])
    answer = conclusion(book, disputed, "associates(finland,germany)")
    assert (answer.holds, answer.clauses) == ("contested", ("67.42", "67.51"))


def test_a_fact_of_the_state_can_be_asked_too(book: Rulebook) -> None:
    state = load_state(book, "spring_1940")
    assert conclusion(book, state, "rgt=30").holds is True
    assert conclusion(book, state, "at_war(britain,germany)").holds is True
    assert conclusion(book, state, "rgt_reached(45)").holds is False
    higher = load_state(book, "spring_1940", set=["rgt(47)"])
    assert conclusion(book, higher, "rgt_reached(45)").holds is True


def test_unknown_names(book: Rulebook) -> None:
    state = load_state(book)
    with pytest.raises(UnknownNameError, match="no duty"):
        duty_status(book, state, "garison(aaf)")
    with pytest.raises(UnknownNameError, match="no quantity"):
        value_of(book, state, "brp_valeu(poland)")
    with pytest.raises(UnknownNameError, match="no fact"):
        conclusion(book, state, "associate(finland,germany)")
