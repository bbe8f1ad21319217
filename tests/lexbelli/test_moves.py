"""Verdicts on actions."""

import pytest

from lexbelli import Rulebook, UnknownNameError, judged_move, load_state, moves

SUPPORTED = [
    "rgt(40)", "phase(russia,declaration)", "economic_interest(germany,rumania)",
    "declared_war(russia,rumania)", "at_war(russia,rumania)", "supported(germany,rumania)",
]  # fmt: skip


def test_many_states_are_judged_at_once(book: Rulebook) -> None:
    states = [load_state(book, name) for name in book.scenarios()]
    together = moves(book, states)
    assert together == [moves(book, [state])[0] for state in states]


def test_what_is_listed_is_what_every_verdict_holds(book: Rulebook) -> None:
    state = load_state(book, "spring_1940", set=SUPPORTED)
    (whole,) = moves(book, [state], every=True)
    (listed,) = moves(book, [state])
    assert listed.moves == tuple(m for m in whole.moves if m.verdict in ("legal", "contested"))
    assert len(whole.moves) > 1000


def test_german_support_below_rgt_50_leaves_russia_a_contested_war(book: Rulebook) -> None:
    state = load_state(book, "spring_1940", set=SUPPORTED)
    war = judged_move(book, state, "declare_war(russia,germany)")
    assert war.verdict == "contested"
    assert war.clauses == ("63.51H", "69.21.s2b")
    assert war.cost == 35
    assert judged_move(book, state, "back_down(russia,rumania)").verdict == "legal"


def test_each_of_the_five_verdicts(book: Rulebook) -> None:
    state = load_state(book, "spring_1940", set=SUPPORTED)
    verdicts = {move.verdict for move in moves(book, [state], every=True)[0].moves}
    assert verdicts == {"legal", "contested", "forbidden", "not_permitted", "unavailable"}


def test_actions_of_one_party(book: Rulebook) -> None:
    state = load_state(book, "campaign_1939")
    (position,) = moves(book, [state], ["germany"])
    assert {move.actor for move in position.moves} == {"germany"}
    with pytest.raises(UnknownNameError) as caught:
        moves(book, [state], ["germny"])
    assert caught.value.hint == "did you mean germany?"


@pytest.mark.parametrize(
    ("action", "hint"),
    [
        ("declare_war(russia,rumaina)", "declare_war(russia,rumania)"),
        ("declare_wra(russia,rumania)", "declare_war"),
        ("declare_war(russia)", "declare_war(russia,"),
        ("declare_war(russia,sweden,now)", "declare_war(russia,sweden)"),
    ],
)
def test_an_unknown_action_gets_the_nearest_one(book: Rulebook, action: str, hint: str) -> None:
    with pytest.raises(UnknownNameError) as caught:
        judged_move(book, load_state(book), action)
    assert hint in caught.value.hint


def test_a_priority_in_words_sets_a_prohibition_aside(book: Rulebook) -> None:
    state = load_state(book, "campaign_1939", set=["phase(russia,declaration)"])
    move = judged_move(book, state, "declare_war(russia,baltic_states)")
    assert (move.verdict, move.clauses, move.overridden) == ("legal", ("65.22.s2",), ("63.51D",))
