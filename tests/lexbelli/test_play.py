"""Playing actions and outcomes."""

from pathlib import Path

import pytest

from lexbelli import InputError, LexBelliError, Rulebook, load_state
from lexbelli.play import Game, play, state_file


def played(book: Rulebook, base: str, steps: list[str], *, force: bool = False) -> Game:
    return play(book, load_state(book, base), steps, force)


def test_a_border_war_from_demand_to_renunciation(book: Rulebook) -> None:
    game = played(
        book,
        "spring_1940",
        [
            "demand(russia,rumania)", "set:diplomatic_result(rumania,4)", "resist(rumania)",
            "set:deployed(rumania,bessarabia)", "set:in_area(rumania,bessarabia)",
            "end_phase", "end_phase", "enter(russia,bessarabia)",
            *["end_phase"] * 5, "renounce_claim(rumania,bessarabia)",
        ],
    )  # fmt: skip
    assert game.refused is None
    assert {"conceded(rumania)", "controls(russia,kishinev)", "turn(summer,1940)"} <= set(
        game.state.facts
    )
    assert not any(fact.startswith("border_war(") for fact in game.state.facts)
    last = {effect.fact: effect.clauses for effect in game.steps[-1].effects}
    assert last["border_war(rumania)"] == ("66.24.a", "66.25C.a")
    assert last["controls(russia,kishinev)"] == ("66.25C.c",)


def test_the_war_chain_from_interest_to_outbreak(book: Rulebook) -> None:
    game = played(
        book,
        "spring_1940",
        [
            "set:rgt(50)", "set:economic_interest(germany,rumania)", "end_phase",
            "declare_war(russia,rumania)", "announce_support(germany,rumania)",
            "declare_war(russia,germany)",
        ],
    )  # fmt: skip
    assert game.refused is None
    wanted = {
        "at_war(germany,russia)", "at_war(russia,rumania)", "declared_war(russia,germany)",
        "war_began(germany,russia,spring,1940)", "unconquered_at_outbreak(bessarabia)",
    }  # fmt: skip
    assert wanted <= set(game.state.facts)


def test_the_phases_of_both_player_turns_lead_to_the_next_turn(book: Rulebook) -> None:
    game = played(book, "campaign_1939", ["end_phase"] * 16)
    phases = [e.fact for step in game.steps for e in step.effects if e.fact.startswith("phase(")]
    order = [
        "start", "diplomatic", "declaration", "movement", "combat", "exploitation", "construction",
        "end",
    ]  # fmt: skip
    expected = [f"phase({side},{phase})" for side in ("axis", "russia") for phase in order]
    assert phases == [*expected[1:], "phase(axis,start)"]
    assert {"turn(winter,1939)", "controls(russia,vilna)"} <= set(game.state.facts)


def test_an_action_that_is_not_legal_is_refused(book: Rulebook) -> None:
    game = played(book, "campaign_1939", ["end_phase", "declare_war(russia,finland)", "end_phase"])
    assert (game.refused, game.verdict, len(game.steps)) == (
        "declare_war(russia,finland)", "unavailable", 1,
    )  # fmt: skip
    contested = [
        "set:declared_war(russia,rumania)", "set:at_war(russia,rumania)",
        "set:economic_interest(germany,rumania)", "set:supported(germany,rumania)", "set:rgt(40)",
        "declare_war(russia,germany)",
    ]  # fmt: skip
    assert played(book, "spring_1940", contested).verdict == "contested"


def test_force_applies_it_all_the_same(book: Rulebook) -> None:
    game = played(book, "spring_1940", ["declare_war(russia,germany)"], force=True)
    assert game.refused is None
    assert game.steps[0].verdict == "forbidden"
    assert "at_war(germany,russia)" in game.state.facts


def test_what_clauses_dispute_is_left_open_and_said(book: Rulebook) -> None:
    game = played(book, "summer_1941", ["set:border_war_occurred(finland)", "end_phase"])
    assert game.steps[-1].disputed == (("associates(finland,germany)", ("67.42", "67.51")),)
    assert "associated(finland,germany)" not in game.state.facts


@pytest.mark.parametrize(
    ("step", "what"),
    [
        ("declare_wra(russia,finland)", "step 2: there is no action"),
        ("set:rtg(3)", "step 2: there is no fact"),
        ("set:neutral(turkey)", "step 2: neutral(turkey) is derived"),
        ("set:invasion_turn(first_axis)", "step 2: this state is impossible"),
        ("unset:rgt(30)", "step 2: the state says nothing of rgt"),
        ("set:", "step 2: 'set:' is not a term"),
        ("sett:rgt(3)", "step 2: 'sett:rgt(3)' is not a term"),
    ],
)
def test_a_wrong_step_is_told_which_and_why(book: Rulebook, step: str, what: str) -> None:
    with pytest.raises(LexBelliError) as caught:
        played(book, "spring_1940", ["end_phase", step])
    assert caught.value.message.startswith(what)


def test_an_action_that_leads_where_no_position_can_be_names_the_clause(book: Rulebook) -> None:
    """67.51 lets Finland associate whatever became of it; a conquered country has no partner."""
    conquered = [
        "conquered(finland,russia)",
        "declared_war(russia,finland)",
        "border_war_occurred(finland)",
    ]
    with pytest.raises(LexBelliError, match="step 1: this state is impossible") as caught:
        play(book, load_state(book, "summer_1941", set=conquered), ["end_phase"])
    assert "brought about here: associated(finland,germany) (67.51)" in caught.value.hint


@pytest.mark.parametrize("suffix", [".lp", ".toml", ".json"])
def test_a_written_state_reads_back_the_same(book: Rulebook, tmp_path: Path, suffix: str) -> None:
    state = played(book, "campaign_1939", ["end_phase", "set:brp(russia,77)"]).state
    path = tmp_path / f"state{suffix}"
    path.write_text(state_file(state, suffix), "utf-8")
    assert load_state(book, path).facts == state.facts


def test_another_ending_is_refused(book: Rulebook) -> None:
    with pytest.raises(InputError, match=r"not \.txt"):
        state_file(load_state(book), ".txt")
