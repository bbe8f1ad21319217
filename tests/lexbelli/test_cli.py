"""The command line: answers, exit codes, and what bad input gets."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import jsonschema
import pytest

from lexbelli import schema
from lexbelli.answers import schema_names

Run = Callable[..., "subprocess.CompletedProcess[str]"]
CASES = Path(__file__).resolve().parent.parent / "cases"


def complains(result: "subprocess.CompletedProcess[str]", *parts: str) -> None:
    """Check that bad input was told so: exit code 2, the message on standard error, no traceback."""
    assert result.returncode == 2, result
    assert result.stdout == ""
    assert "Traceback" not in result.stderr
    for part in parts:
        assert part in result.stderr


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("moves", ["moves"]),
        ("moves", ["moves", "campaign_1939", "spring_1940", "summer_1941"]),
        ("moves", ["moves", "spring_1940", "--all", "--actor", "russia"]),
        ("why", ["why", "declare_war(russia,rumania)", "spring_1940", "--set", "rgt=24"]),
        ("why", ["why", "end_phase"]),
        ("why", ["why", "rebuild(finland,aaf)"]),
        ("why", ["why", "declare_war(russia,turkey)", "spring_1940"]),
        ("account", ["why", "garrison(aaf)", "spring_1940", "--set", "phase(russia,end)"]),
        ("account", ["why", "brp_value(poland)"]),
        ("account", ["why", "neutral(turkey)"]),
        ("contrast", ["why", "end_phase", "--versus", "summer_1941"]),
        ("moves", ["moves", "spring_1940", "--why"]),
        ("names", ["names", "rumania", "demand"]),
        ("state", ["state", "summer_1941"]),
        ("duties", ["duties", "spring_1940", "--set", "phase(russia,end)"]),
        ("values", ["values", "summer_1941"]),
        ("clauses", ["clauses"]),
        ("clauses", ["clauses", "66.25"]),
        ("coverage", ["clauses", "63.51H", "--coverage", "--cases", str(CASES / "play.toml")]),
        ("cases", ["cases", str(CASES / "69_german_economic_interests.toml")]),
        ("play", ["play", "end_phase", "set:rgt(30)", "end_phase"]),
    ],
)
def test_json_answers_fit_their_schema_and_are_the_same_each_time(
    cli: Run, name: str, arguments: list[str]
) -> None:
    first = cli(*arguments, "--format", "json")
    assert first.returncode == 0, first.stderr
    answer = json.loads(first.stdout)
    assert answer["schema"] == f"lexbelli/{name}/1"
    jsonschema.validate(answer, schema(name))
    assert cli(*arguments, "--format", "json").stdout == first.stdout


def test_every_schema_is_a_schema(cli: Run) -> None:
    for name in schema_names():
        jsonschema.Draft202012Validator.check_schema(schema(name))
    listed = cli("schema").stdout.split()
    assert listed == schema_names()
    assert json.loads(cli("schema", "why").stdout) == schema("why")
    complains(cli("schema", "mvoes"), "no schema 'mvoes'", "did you mean moves?")


def test_a_printed_text_in_json(cli: Run, tmp_path: Path) -> None:
    text = tmp_path / "mine.txt"
    text.write_text("63.41 ENTRY: Whatever it says there.\n63.99 NEW: More of it.\n", "utf-8")
    answer = json.loads(cli("clauses", "--text", str(text), "--format", "json").stdout)
    jsonschema.validate(answer, schema("text"))
    assert answer["only_in_text"] == ["63.99"]
    quoted = cli("clauses", "63.41", "--text", str(text)).stdout
    assert "printed: Whatever it says there." in quoted
    why = cli("why", "enter(russia,eastern_poland)", "summer_1941", "--text", str(text))
    assert "Whatever it says there." in why.stdout


def test_moves_alone_shows_the_campaign(cli: Run) -> None:
    result = cli("moves")
    assert result.returncode == 0
    assert result.stdout.startswith("campaign_1939: it is Fall 1939")
    assert "enter(germany,eastern_poland)" in result.stdout


def test_several_files_are_judged_together(cli: Run, tmp_path: Path) -> None:
    for level in (24, 25):
        (tmp_path / f"at_{level}.toml").write_text(
            f'base = "spring_1940"\nset = ["rgt({level})", "phase(russia,declaration)"]\n', "utf-8"
        )
    answer = json.loads(
        cli("moves", "at_24.toml", "at_25.toml", "--format", "json", cwd=tmp_path).stdout
    )
    verdicts = [
        {m["action"]: m["verdict"] for m in position["moves"]}.get("declare_war(russia,turkey)")
        for position in answer["positions"]
    ]
    assert verdicts == [None, "legal"]


@pytest.mark.parametrize(
    ("action", "changes", "code"),
    [
        ("end_phase", [], 0),
        ("declare_war(russia,rumania)", ["phase(russia,declaration)"], 0),
        ("declare_war(russia,rumania)", ["phase(russia,declaration)", "rgt(24)"], 1),
        ("attrition(russia,turkey)", [], 1),
        ("declare_war(germany,russia)", [], 1),
    ],
)
def test_why_can_answer_by_exit_code(cli: Run, action: str, changes: list[str], code: int) -> None:
    options = [part for change in changes for part in ("--set", change)]
    assert cli("why", action, "spring_1940", *options, "--exit-code").returncode == code
    assert cli("why", action, "spring_1940", *options).returncode == 0


def test_a_search_that_runs_out_of_time_is_unknown(cli: Run) -> None:
    result = cli("why", "declare_war(russia,finland)", "--time-limit", "0")
    assert result.returncode == 3
    assert "unknown within 0 s" in result.stdout


def test_cases_that_fail_end_with_one(cli: Run, tmp_path: Path) -> None:
    (tmp_path / "tests" / "cases").mkdir(parents=True)
    (tmp_path / "tests" / "cases" / "mine.toml").write_text(
        '[[case]]\nid = "one"\ntitle = "One"\nbase = "spring_1940"\nfact = "surprise"\nholds = true\n',
        "utf-8",
    )
    result = cli("cases", cwd=tmp_path)
    assert result.returncode == 1
    assert "failed one" in result.stdout
    assert "0 passed, 1 failed, 0 skipped" in result.stdout


def test_a_play_that_is_refused_explains_itself_and_writes_nothing(cli: Run, tmp_path: Path) -> None:
    target = tmp_path / "new.toml"
    result = cli("play", "spring_1940", "declare_war(russia,germany)", "-o", str(target))
    assert result.returncode == 1
    assert "is refused" in result.stdout
    assert "63.51H" in result.stdout
    assert not target.exists()
    found = json.loads(
        cli("play", "spring_1940", "declare_war(russia,germany)", "--format", "json").stdout
    )
    assert found["refused"] == "declare_war(russia,germany)"
    assert [entry["clause"] for entry in found["explanation"]["forbidden_by"]] == ["63.51H"]


def test_clauses_are_found_by_words(cli: Run) -> None:
    found = cli("clauses", "border", "war").stdout
    assert "66.12C" in found
    assert found == cli("clauses", "border war").stdout


@pytest.mark.parametrize("suffix", [".lp", ".toml", ".json"])
def test_play_writes_a_state_that_can_be_asked_about(cli: Run, tmp_path: Path, suffix: str) -> None:
    target = tmp_path / f"new{suffix}"
    assert cli("play", "spring_1940", "end_phase", "-o", str(target)).returncode == 0
    assert "phase(russia,declaration)" in cli("state", str(target)).stdout


@pytest.mark.parametrize("suffix", [".lp", ".toml", ".json"])
def test_state_keeps_a_position_as_a_file(cli: Run, tmp_path: Path, suffix: str) -> None:
    target = tmp_path / f"mine{suffix}"
    assert cli("state", "spring_1940", "--set", "rgt(41)", "-o", str(target)).returncode == 0
    assert "RGT is 41" in cli("state", str(target)).stdout


def test_nothing_is_overwritten_unasked(cli: Run, tmp_path: Path) -> None:
    target = tmp_path / "kept.json"
    target.write_text("mine", "utf-8")
    for command in (["moves", "--format", "json"], ["play", "end_phase"]):
        complains(cli(*command, "-o", str(target)), "exists already", "--overwrite")
        assert target.read_text("utf-8") == "mine"
    assert cli("moves", "--format", "json", "-o", str(target), "--overwrite").returncode == 0
    assert json.loads(target.read_text("utf-8"))["schema"] == "lexbelli/moves/1"
    complains(cli("moves", "-o", str(tmp_path / "no" / "folder")), "cannot be written")


@pytest.mark.parametrize(
    ("arguments", "parts"),
    [
        (["moves", "sumer_1941"], ["no scenario 'sumer_1941'", "did you mean summer_1941"]),
        (["moves", "nowhere.toml"], ["nowhere.toml: there is no such file"]),
        (["moves", "--set", "rgt(99)"], ["a number from 0 to 75"]),
        (["moves", "--set", "rgt(2147483648)"], ["out of range"]),
        (["moves", "--set", "rtg(9)"], ["no fact rtg(9)", "did you mean rgt?"]),
        (["moves", "--set", "neutral(turkey)"], ["is derived"]),
        (["moves", "--set", "at_war(germany)"], ["takes 2 arguments, not 1"]),
        (["moves", "--set", "rgt(1)", "--set", "rgt(2)"], ["two values for rgt"]),
        (["moves", "--unset", "rgt(0)"], ["says nothing of rgt"]),
        (["moves", "--set", ""], ["is not a term"]),
        (["moves", "--actor", "rusia"], ["no action belongs to 'rusia'", "did you mean russia?"]),
        (["moves", "--edition", "earliest"], ["no edition 'earliest'"]),
        (["moves", "--rulebook", "nowhere"], ["nowhere: there is no such rulebook folder"]),
        (["moves", "--format", "xml"], ["'xml'", "'json'"]),
        (["moves", "--al"], ["--al", "--all"]),
        (["mvoes"], ["mvoes"]),
        (["why"], ["ACTION"]),
        (["why", "declare_wra(russia,turkey)"], ["no action", "declare_war"]),
        (["why", "declare_war(russia"], ["is not a term", "closing parenthesis"]),
        (["why", "end_phase", "--time-limit", "-1"], ["-1"]),
        (["clauses", "69.99"], ["no clause '69.99'"]),
        (["names", "zeppelin"], ["nothing has 'zeppelin' in it"]),
        (["why", "end_phase", "--max-repairs", "0"], ["--max-repairs"]),
        (["clauses", "--text", "nowhere.txt"], ["nowhere.txt: there is no such file"]),
        (["clauses", "--coverage", "--cases", "nowhere.toml"], ["nowhere.toml"]),
        (["clauses", "--coverage"], ["no case to cover", "--cases"]),
        (["moves", "--set", "rgt="], ["'rgt=' is no fact: column 5: the value is missing"]),
        (["cases"], ["name the case files to run"]),
        (["cases", str(CASES / "play.toml"), "--missing", "--format", "json"], ["as TOML"]),
        (["cases", "nowhere.toml"], ["nowhere.toml: there is no such file"]),
        (["play"], ["STEP"]),
        (["play", "end_phase", "sing(russia)"], ["step 2: there is no action sing(russia)"]),
        (["play", "end_phase", "-o", "state.txt"], ["not .txt"]),
        (["duties", "spring_1940", "summer_1941"], ["summer_1941"]),
    ],
)
def test_bad_input_is_told_what_is_wrong(cli: Run, arguments: list[str], parts: list[str]) -> None:
    complains(cli(*arguments), *parts)


def test_output_that_cannot_show_a_character_does_without(root: Path) -> None:
    result = subprocess.run(
        [sys.executable, "-m", "lexbelli", "why", "declare_war(russia,finland)", "-v"],
        capture_output=True, check=False, env=os.environ | {"PYTHONIOENCODING": "ascii"},
    )  # fmt: skip
    assert result.returncode == 0, result.stderr
    assert b"63.51D" in result.stdout


def test_a_closed_pipe_is_no_error(root: Path) -> None:
    result = subprocess.run(
        f"{sys.executable} -m lexbelli clauses | head -n 1",
        shell=True, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert "Traceback" not in result.stderr
