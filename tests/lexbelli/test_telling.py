"""Explanations told short and whole, in words, of whatever is asked, and in every format."""

import json
import random
import shutil
import subprocess
from collections.abc import Callable, Sequence
from pathlib import Path

import jsonschema
import pytest
from tests.support import random_state

import lexbelli
from lexbelli import Condition, Rulebook, load_state, why
from lexbelli.contrast import contrast_states
from lexbelli.exports import EXPORTS, svg
from lexbelli.states import session_for
from lexbelli.telling import Telling
from lexbelli.terms import written

SCENARIOS = ("spring_1940", "summer_1941")
Run = Callable[..., "subprocess.CompletedProcess[str]"]
RUMANIA = [
    "declare_war(russia,rumania)", "spring_1940", "--set", "economic_interest(germany,rumania)",
    "--set", "phase(russia,declaration)",
]  # fmt: skip


def shown(cli: Run, *arguments: str) -> str:
    result = cli("why", *arguments)
    assert result.returncode == 0, result.stderr
    return result.stdout


# ---- short and whole -----------------------------------------------------------------------------


def test_a_short_answer_fits_a_screen_and_says_what_matters(cli: Run) -> None:
    told = shown(cli, *RUMANIA)
    assert len(told.splitlines()) <= 30
    assert "forbidden: a clause forbids it; cost 10" in told
    for part in ("69.21.s1", "63.51E.s1a", "RGT is 30, must be at least 35", "and more, with -v"):
        assert part in told
    assert "declare_war" not in told  # words, not terms


def test_a_whole_answer_opens_derived_facts(cli: Run) -> None:
    told = shown(cli, *RUMANIA, "-v")
    assert "because no power controls Rumania" in told
    assert "RGT is 35 or more, now 30" in told
    assert "would forbid it, but" in told


def test_terms_are_shown_when_asked_for(cli: Run) -> None:
    told = shown(cli, *RUMANIA, "-v", "--terms")
    assert "declare_war(russia,rumania)" in told
    assert '--set "rgt(35)"' in told


def test_an_action_that_is_legal_is_told_what_would_end_that(cli: Run) -> None:
    told = shown(cli, "declare_war(russia,germany)", "spring_1940", "--set", "rgt(50)", "-v")
    assert "it would be legal no longer if" in told
    assert "RGT is 49 or less, now 50" in told


def test_not_permitted_and_forbidden_are_told_apart_in_the_first_lines(cli: Run) -> None:
    silent = shown(cli, "enter(russia,bessarabia)", "spring_1940").splitlines()[3]
    banned = shown(cli, "declare_war(russia,germany)", "spring_1940").splitlines()[3]
    assert silent == "not permitted: no clause of this rulebook grants it, and none forbids it"
    assert banned.startswith("forbidden: a clause forbids it")
    other = shown(cli, "attrition(russia,rumania)", "spring_1940")
    assert "not permitted: no clause of this rulebook ever grants it" in other


def _every(conditions: Sequence[Condition]) -> list[Condition]:
    return [c for condition in conditions for c in (condition, *_every(condition.because))]


def test_reasons_end_in_facts_and_say_how_things_stand(book: Rulebook) -> None:
    rng = random.Random(4)
    for _ in range(6):
        state = random_state(book, rng)
        world = session_for(book, state.facts).everything(state.facts)
        true = {written(atom) for atoms in world.values() for atom in atoms}
        actions = [m.action for m in lexbelli.moves(book, [state], every=True)[0].moves]
        for action in rng.sample(actions, 10):
            found = why(book, state, action)
            entries = (*found.forbidden_by, *found.permitted_by, *found.would_permit, *found.overridden)
            for condition in _every([c for e in entries for c in e.conditions]):
                assert condition.phrase
                assert condition.met or condition.needed
                for atom, holds in condition.atoms:
                    assert (written(atom) in true) == holds


def test_every_handed_case_is_explained_by_its_clauses(book: Rulebook, root: Path) -> None:
    cases = [
        case
        for case in lexbelli.read_cases([root / "tests" / "cases" / "handed.toml"])
        if case.question == "action" and case.edition == "current"
    ]
    for case in cases:
        state = load_state(book, str(case.base), set=case.set, unset=case.unset)
        found = why(book, state, case.subject, whole=False)
        told = [e.clause for e in (*found.forbidden_by, *found.permitted_by)]
        assert set(found.move.clauses) <= set(told), case.id
        for wanted in case.clauses:
            assert any(clause.startswith(wanted) for clause in told), (case.id, wanted)


# ---- other things than actions -------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "parts"),
    [
        (["garrison(aaf)", "--set", "phase(russia,end)", "--set", "rgt(20)"],
         ["unmet: it is not met yet", "63.51B.2", "imposed by"]),
        (["garrison(aaf)"], ["none: no clause imposes it here", "would impose it, but"]),
        (["accept_control(eastern_poland)", "--set", "phase(russia,end)"],
         ["64.35.s2", "by one of", "Russia takes control of hexes in eastern Poland"]),
        (["brp_value(rumania)"], ["no value: no clause fixes it here", "66.32.s1b"]),
        (["brp_value(poland)"], ["20: a clause fixes it", "64.32.s1", ": 20"]),
        (["rgt_reached(50)", "--set", "rgt(55)"], ["it holds", "RGT is 55 (at least 50)"]),
        (["rgt(0)"], ["it holds: the position says so"]),
        (["neutral(rumania)", "spring_1940", "--set", "associated(rumania,germany)"],
         ["it does not hold", "Rumania is associated with Germany"]),
        (["conquered(eastern_poland,russia)", "spring_1940"], ["concluded by", "64.32.s2"]),
        (["associates(finland,germany)", "summer_1941", "--set", "border_war_occurred(finland)"],
         ["contested: one clause concludes it, another denies it", "67.51", "denied by", "67.42"]),
        (["duty leave(germany,eastern_poland)"], ["none: no clause imposes it here", "64.34.s1b"]),
    ],
)  # fmt: skip
def test_duties_values_and_facts_are_explained(
    cli: Run, arguments: list[str], parts: list[str]
) -> None:
    told = shown(cli, *arguments)
    for part in parts:
        assert part in told
    answer = json.loads(shown(cli, *arguments, "--format", "json"))
    jsonschema.validate(answer, lexbelli.schema("account"))


@pytest.mark.parametrize(
    ("arguments", "part"),
    [
        # a number's range in words is that of the change
        (["operate_partisans(russia,ukraine)", "summer_1941"], "is 5 or less"),
        # a condition with alternatives is not told as if there were none
        (["defense_modifier(infantry,industrial_center)"], "it is not the movement or combat phase"),
        (["declare_war(germany,baltic_states)"], "such as the date, was left as it is"),
    ],
)
def test_what_is_told_is_true(cli: Run, arguments: list[str], part: str) -> None:
    assert part in " ".join(shown(cli, *arguments).split())


def test_a_reason_leaves_out_nothing_that_was_asked(cli: Run) -> None:
    told = shown(cli, "cut_off_oil(russia)", "spring_1940", "-v")
    assert "no power controls any minor" not in told


def test_whole_answers_say_when_there_are_more_changes(cli: Run) -> None:
    asked = ["subvert(russia,greece)", "spring_1940", "-v", "--max-repairs"]
    assert "and more, with -v or --max-repairs" in shown(cli, *asked, "3")
    assert "and more, with -v or --max-repairs" not in shown(cli, *asked, "100")


@pytest.mark.parametrize(
    ("asked", "what", "hint"),
    [
        ("neutral(rumnia)", "there is no fact neutral(rumnia)", "neutral(rumania)"),
        ("garison(aaf)", "there is no action, duty, quantity or fact garison(aaf)", "garrison"),
        ("duty leave(rusia)", "there is no duty leave(rusia)", ""),
        ("brp_value(rumania", "is not a term", ""),
    ],
)
def test_what_is_not_there_has_no_reason(cli: Run, asked: str, what: str, hint: str) -> None:
    result = cli("why", asked)
    assert result.returncode == 2
    assert what in result.stderr
    assert hint in result.stderr


# ---- contrast ------------------------------------------------------------------------------------


def test_two_actions_are_told_apart_by_their_clauses(cli: Run) -> None:
    asked = ["declare_war(russia,finland)", "spring_1940", "--not", "declare_war(russia,germany)"]
    told = shown(cli, *asked)
    assert "legal and forbidden" in told
    assert "63.51H  War on Germany from RGT 50 (it is only about: Russia declares war on" in told
    jsonschema.validate(json.loads(shown(cli, *asked, "--format", "json")), lexbelli.schema("contrast"))


def test_two_positions_are_told_apart_by_as_few_facts_as_can_be(book: Rulebook, cli: Run) -> None:
    action = "declare_war(russia,germany)"
    one = load_state(book, "spring_1940", set=["phase(russia,declaration)"])
    two = load_state(book, "spring_1940", set=["rgt(55)", "hex_control(germany,rumania)"])
    found = contrast_states(book, action, one, two)
    assert [change.fact for change in found.changes] == ["rgt(55)"]
    assert contrast_states(book, action, *(load_state(book, n) for n in SCENARIOS)).changes[1:] == ()
    assert [(d.entry.clause, d.entry.head) for d in found.apart] == [
        ("63.51H", "forbids"), ("63.51H", "permits"),
    ]  # fmt: skip
    told = shown(cli, "enter(russia,bessarabia)", "--in", "spring_1940", "--versus", "summer_1941")
    assert "told apart by" in told


@pytest.mark.parametrize(
    "arguments",
    [
        ["end_phase", "--in", "spring_1940"],
        ["end_phase", "campaign_1939", "--in", "spring_1940", "--versus", "summer_1941"],
        ["end_phase", "--not", "end_phase", "--versus", "summer_1941"],
        ["end_phase", "--not", "end_phase"],
        ["end_phase", ""],
        ["end_phase", "--versus", "summer_1941", "--exit-code"],
        ["end_phase", "--versus", "summer_1941", "--time-limit", "5"],
        ["rgt(0)", "--max-repairs", "2"],
    ],
)
def test_a_contrast_is_of_two_things(cli: Run, arguments: list[str]) -> None:
    assert cli("why", *arguments).returncode == 2


# ---- formats -------------------------------------------------------------------------------------


@pytest.mark.parametrize("form", [f for f in EXPORTS if f != "svg"])
def test_every_format_tells_the_same(cli: Run, form: str) -> None:
    told = shown(cli, *RUMANIA, "--format", form)
    for part in ("Russia declares war on Rumania", "69.21.s1", "63.51D", "no power controls Rumania"):
        assert part in told.replace("\\n", " ")
    assert told == shown(cli, *RUMANIA, "--format", form)


def test_what_is_said_twice_of_different_things_is_drawn_twice(cli: Run) -> None:
    asked = ["declare_war(russia,germany)", "spring_1940", "--format", "mermaid"]
    assert shown(cli, *asked).count("63.51H War on Germany from RGT 50") == 2
    changes = ["declare_war(germany,russia)", "spring_1940", "--format", "mermaid"]
    assert shown(cli, *changes).count("all of these hold") == 5


def test_a_page_needs_nothing_else(cli: Run) -> None:
    page = shown(cli, *RUMANIA, "--format", "html")
    assert "http" not in page
    assert "<script" not in page
    assert "prefers-color-scheme: dark" in page
    assert "@media print" in page


def test_text_in_a_page_is_text(rulebook_copy: Path, cli: Run) -> None:
    chapter = rulebook_copy / "rules" / "63_eastern_europe.lp"
    text = chapter.read_text("utf-8").replace("War on Germany from RGT 50", "<b>x</b> & *y* [z]")
    chapter.write_text(text, "utf-8")
    asked = ["declare_war(russia,germany)", "spring_1940", "--rulebook", str(rulebook_copy), "--format"]
    assert "&lt;b&gt;x&lt;/b&gt; &amp; *y* [z]" in shown(cli, *asked, "html")
    assert r"\<b\>x\</b\> \& \*y\* \[z\]" in shown(cli, *asked, "markdown")
    assert "#60;b>x#60;/b> #38; *y* [z]" in shown(cli, *asked, "mermaid")


@pytest.mark.skipif(shutil.which("dot") is None, reason="Graphviz is not installed")
def test_a_picture_is_drawn(cli: Run) -> None:
    assert "<svg" in shown(cli, *RUMANIA, "--format", "svg")


def test_without_graphviz_a_picture_is_refused(
    book: Rulebook, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(lexbelli.InputError, match="needs the program dot"):
        svg(Telling("a", "", "b", "legal", "c", ()))


@pytest.mark.skipif(shutil.which("chromium") is None, reason="Chromium is not installed")
@pytest.mark.parametrize("width", [400, 1200])
def test_a_page_shows_in_a_browser(cli: Run, tmp_path: Path, width: int) -> None:
    page = tmp_path / "why.html"
    assert cli("why", *RUMANIA, "--format", "html", "-o", str(page)).returncode == 0
    picture = tmp_path / "why.png"
    result = subprocess.run(
        [
            "chromium", "--headless", "--no-sandbox", "--disable-gpu", "--enable-logging=stderr",
            f"--user-data-dir={tmp_path / 'profile'}", f"--window-size={width},1600", "--dump-dom",
            f"--screenshot={picture}", page.as_uri(),
        ],
        capture_output=True, text=True, check=True, timeout=120,
    )  # fmt: skip
    assert "CONSOLE" not in result.stderr
    assert picture.stat().st_size > 20_000
