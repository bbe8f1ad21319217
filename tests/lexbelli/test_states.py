"""Positions: scenarios, files, changes, and what an impossible one is told."""

import json
import shutil
from pathlib import Path

import pytest

from lexbelli import (
    InputError,
    LexBelliError,
    Rulebook,
    StateError,
    UnknownNameError,
    load_rulebook,
    load_state,
)


def test_the_first_scenario_is_the_campaign(book: Rulebook) -> None:
    assert load_state(book) == load_state(book, "campaign_1939")


def test_setting_a_value_replaces_the_old_one(book: Rulebook) -> None:
    state = load_state(book, "spring_1940", set=["rgt=36", "turn=fall,1940", "controls(axis,vilna)"])
    assert {"rgt(36)", "turn(fall,1940)", "controls(axis,vilna)"} <= set(state.facts)
    assert not {"rgt(30)", "turn(spring,1940)", "controls(russia,vilna)"} & set(state.facts)


def test_a_war_is_one_fact_however_it_is_written(book: Rulebook) -> None:
    one = load_state(book, "spring_1940", set=["at_war(rumania,russia)"])
    other = load_state(book, "spring_1940", set=["at_war(russia,rumania)"])
    assert one == other
    assert load_state(
        book, one.name if False else "spring_1940", unset=["at_war(britain,germany)"]
    ) == (load_state(book, "spring_1940", unset=["at_war(germany,britain)"]))


@pytest.mark.parametrize("suffix", [".lp", ".toml", ".json"])
def test_a_state_file(book: Rulebook, tmp_path: Path, suffix: str) -> None:
    wanted = load_state(book, "spring_1940", set=["rgt(36)"], unset=["at_war(germany,france)"])
    path = tmp_path / f"mine{suffix}"
    texts = {
        ".lp": "% mine\n" + "".join(f"{fact}.\n" for fact in wanted.facts),
        ".toml": 'base = "spring_1940"\nset = ["rgt(36)"]\nunset = ["at_war(germany,france)"]\n',
        ".json": json.dumps(
            {"base": "spring_1940", "set": ["rgt(36)"], "unset": ["at_war(germany,france)"]}
        ),
    }
    path.write_text(texts[suffix], "utf-8")
    assert load_state(book, path).facts == wanted.facts
    assert load_state(book, str(path), set=["rgt(40)"]).facts != wanted.facts


def test_changes_of_the_command_line_come_after_those_of_the_file(
    book: Rulebook, tmp_path: Path
) -> None:
    path = tmp_path / "mine.toml"
    path.write_text('base = "spring_1940"\nset = ["rgt(36)"]\n', "utf-8")
    assert "rgt(40)" in load_state(book, path, set=["rgt(40)"]).facts


def test_a_wide_value_is_grounded_when_it_is_used(book: Rulebook) -> None:
    state = load_state(book, "spring_1940", set=["brp(russia,137)", "garrison(aaf,27)"])
    assert {"brp(russia,137)", "garrison(aaf,27)"} <= set(state.facts)


@pytest.mark.parametrize(
    ("fact", "what", "hint"),
    [
        ("rtg(30)", "there is no fact rtg(30)", "did you mean rgt?"),
        ("economic_intrest(germany,rumania)", "there is no fact", "economic_interest"),
        ("rgt(99)", "the value must be a number from 0 to 75", ""),
        ("rgt(-1)", "the value must be a number from 0 to 75", ""),
        ("rgt(2147483647)", "the value must be a number from 0 to 75", ""),
        ("rgt(high)", "the value must be a number from 0 to 75", ""),
        ("brp(russia,301)", "the value must be a number from 0 to 300", ""),
        ("garrison(aaf,41)", "the value must be a number from 0 to 40", ""),
        ("diplomatic_result(rumania,13)", "the value must be a number from -5 to 12", ""),
        ("rgt", "rgt takes 1 argument, not 0", "for example"),
        ("at_war(germany)", "at_war takes 2 arguments, not 1", "for example"),
        ("at_war(germany,russia,now)", "at_war takes 2 arguments, not 3", "for example"),
        (
            "at_war(germany,rusia)",
            "is not among the values of at_war",
            "did you mean at_war(germany,russia)",
        ),
        ("turn(fall,1938)", "is not among the values of turn", "did you mean"),
        ("turn(autumn,1940)", "is not among the values of turn", ""),
        ("neutral(turkey)", "is derived from the other facts and cannot be set", ""),
        ("conquered(eastern_poland,russia)", "is derived from the other facts and cannot be set", ""),
        ("surprise", "is derived from the other facts and cannot be set", ""),
        ("part_of(bessarabia,rumania)", "is derived from the other facts and cannot be set", ""),
        ("ends(border_war(rumania))", "is derived from the other facts and cannot be set", ""),
    ],
)
def test_a_wrong_fact_is_told_what_is_wrong(book: Rulebook, fact: str, what: str, hint: str) -> None:
    for changes in ({"set": [fact]}, {"unset": [fact]}):
        with pytest.raises(StateError) as caught:
            load_state(book, "spring_1940", **changes)
        assert what in caught.value.message
        assert hint in caught.value.hint


def test_two_values_for_one_thing(book: Rulebook) -> None:
    with pytest.raises(StateError, match=r"two values for rgt: rgt\(30\) and rgt\(31\)"):
        load_state(book, "spring_1940", set=["rgt(30)", "rgt(31)"])
    with pytest.raises(StateError, match=r"is both set and unset"):
        load_state(
            book, "spring_1940", set=["at_war(russia,rumania)"], unset=["at_war(rumania,russia)"]
        )
    load_state(book, "spring_1940", set=["rgt(31)", "rgt=31"])


def test_a_state_needs_its_turn_phase_and_level(book: Rulebook, tmp_path: Path) -> None:
    for group in ("turn(spring,1940)", "phase(russia,diplomatic)", "rgt(30)"):
        with pytest.raises(StateError, match=f"says nothing of {group.partition('(')[0]}"):
            load_state(book, "spring_1940", unset=[group])


@pytest.mark.parametrize(
    ("changes", "sentence", "involved"),
    [
        (
            ["conquered(greece,germany)", "conquered(greece,russia)"],
            "conquered by two powers",
            ["conquered(greece,germany)", "conquered(greece,russia)"],
        ),
        (
            ["associated(turkey,germany)", "at_war(turkey,germany)"],
            "at war with the power it is associated with",
            ["associated(turkey,germany)", "at_war(germany,turkey)"],
        ),
        (
            ["associated(turkey,germany)", "minor_ally(turkey,russia)"],
            "partner of two powers of different sides",
            ["associated(turkey,germany)", "minor_ally(turkey,russia)"],
        ),
        (
            ["support_due(turkey)", "supported(germany,turkey)"],
            "owe an answer",
            ["support_due(turkey)"],
        ),
        (["produced(aaf,1)", "held(aaf,2)"], "kept back", ["held(aaf,2)", "produced(aaf,1)"]),
        (
            ["garrison(aaf,9)", "in_play(aaf,5)"],
            "than are in play",
            ["garrison(aaf,9)", "in_play(aaf,5)"],
        ),
        (
            ["rolled_result(turkey,6)", "diplomatic_result(turkey,8)"],
            "a lesser result",
            ["rolled_result(turkey,6)"],
        ),
        (["war_began(germany,russia,fall,1941)"], "still to come", ["turn(spring,1940)"]),
        (["invasion_turn(first_axis)"], "is an Axis player turn", ["invasion_turn(first_axis)"]),
    ],
)
def test_an_impossible_state_gets_its_sentence_and_the_facts(
    book: Rulebook, changes: list[str], sentence: str, involved: list[str]
) -> None:
    with pytest.raises(StateError) as caught:
        load_state(book, "spring_1940", set=changes)
    assert sentence in caught.value.message
    for fact in involved:
        assert fact in caught.value.hint


def test_that_a_group_has_a_value_leads_to_the_fact_that_gives_it(
    tmp_path: Path,
) -> None:
    folder = tmp_path / "library"
    shutil.copytree(Path(__file__).parent.parent / "library_rulebook", folder)
    with (folder / "desk.lp").open("a") as desk:
        desk.write('impossible("no money is noted on Sunday") :- day(sunday), valued(money(ann)).\n')
    book = load_rulebook(folder)
    load_state(book, "monday", set=["money(ann,2)"])
    load_state(book, "monday", set=["day(sunday)", "money(bob,2)"])
    with pytest.raises(StateError, match="no money is noted") as caught:
        load_state(book, "monday", set=["day(sunday)", "money(ann,2)"])
    assert "money(ann,2)" in caught.value.hint


@pytest.mark.parametrize(
    ("name", "content", "what"),
    [
        ("a.toml", b"base = spring", "not TOML"),
        ("a.json", b'{"base": ', "not JSON"),
        ("a.json", b"[" * 100_000, "nested too deeply"),
        ("a.json", b"[]", "a table with base, set and unset"),
        ("a.json", b'{"bass": "spring_1940"}', "a state has no key 'bass'"),
        ("a.toml", b'base = "spring_1941"', "there is no scenario 'spring_1941'"),
        ("a.toml", b"base = 3", "base must be a scenario in quotation marks, not 3"),
        ("a.toml", b'set = "rgt(3)"', "set must be a list of facts"),
        ("a.toml", b"set = [3]", "set must be a list of facts"),
        ("a.toml", b'base = "spring_1940"\nset = ["rgt("]', "is not a term"),
        ("a.lp", b"", "the file is empty"),
        ("a.toml", b"  \n", "the file is empty"),
        ("a.lp", b"\xef\xbb\xbfrgt(3).", "byte order mark"),
        ("a.json", b"\xff\xfe{\0}\0", "byte order mark"),
        ("a.lp", b"rgt(3).\0", "binary"),
        ("a.lp", b"rgt(3", "syntax error"),
        ("a.lp", b"rgt(1..3).", "ground facts only"),
        ("a.lp", b"rgt(X) :- turn(X,_).", "ground facts only"),
        ("a.lp", b"{rgt(3)}.", "ground facts only"),
        ("a.lp", b":- rgt(3).", "ground facts only"),
        ("a.lp", b"rgt(3) :- turn(fall,1939).", "ground facts only"),
        ("a.lp", b"#show rgt/1.", "ground facts only"),
        ("a.lp", b"#const x=3.", "ground facts only"),
        ("a.lp", b"#script (python)\n#end.", "scripts are refused"),
        ("a.lp", b'#include "/etc/passwd".', "only files inside"),
        ("a.lp", b"rgt(2147483648).", "out of range"),
        ("a.txt", b"rgt(3).", "is no state file"),
    ],
)
def test_a_wrong_file_is_told_what_is_wrong(
    book: Rulebook, tmp_path: Path, name: str, content: bytes, what: str
) -> None:
    path = tmp_path / name
    path.write_bytes(content)
    with pytest.raises(LexBelliError) as caught:
        load_state(book, str(path))
    assert what in str(caught.value)
    assert caught.value.exit_code == 2


def test_a_file_that_is_not_there(book: Rulebook, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="there is no such file"):
        load_state(book, tmp_path / "nothing.toml")
    (tmp_path / "folder.toml").mkdir()
    with pytest.raises(InputError, match="a directory"):
        load_state(book, tmp_path / "folder.toml")


def test_a_scenario_that_is_not_there(book: Rulebook) -> None:
    with pytest.raises(UnknownNameError) as caught:
        load_state(book, "sumer_1941")
    assert caught.value.hint.startswith("did you mean summer_1941")
