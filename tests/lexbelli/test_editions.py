"""The earlier edition of rule 63, and editions and errata on the command line."""

import json
import random
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.overlay_texts import LIBRARY, NO_SUNDAY, TWO_BOOKS, erratum
from tests.support import random_state

from lexbelli import (
    Rulebook,
    State,
    conclusions,
    duties,
    load_rulebook,
    load_state,
    moves,
    schema,
    values,
    why,
)

Run = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture
def library(tmp_path: Path) -> Path:
    """A copy of the lending rules that a test may add to."""
    folder = tmp_path / "library"
    shutil.copytree(LIBRARY, folder)
    return folder


# all that 63.51C and the first part of 63.51F speak of
CHANGED = (
    "deploy_freely", "transfer_to_siberia", "produce(", "hold_produced", "must_hold", "extra_movement",
)  # fmt: skip


def answers(book: Rulebook, state: State) -> dict[str, object]:
    """Return everything that can be asked of a position."""
    found: dict[str, object] = {}
    found |= {m.action: (m.verdict, m.cost, m.clauses) for m in moves(book, [state])[0].moves}
    found |= {v.quantity: (v.value, v.clauses) for v in values(book, state)}
    found |= {d.duty: (d.status, d.clauses) for d in duties(book, state)}
    found |= {c.fact: (c.holds, c.clauses) for c in conclusions(book, state)}
    return found


@pytest.fixture(scope="module")
def earlier() -> Rulebook:
    return load_rulebook(edition="earlier")


def test_in_random_positions_only_what_63_51_changes_is_different(
    book: Rulebook, earlier: Rulebook
) -> None:
    rng = random.Random(6351)
    for _ in range(40):
        state = random_state(book, rng)
        old, new = answers(earlier, state), answers(book, state)
        changed = {s for s in old.keys() | new.keys() if old.get(s) != new.get(s)}
        assert [s for s in sorted(changed) if not s.startswith(CHANGED)] == []


def test_the_earlier_edition_is_told_in_its_own_words(earlier: Rulebook) -> None:
    state = load_state(
        earlier, set=["phase(russia,construction)", "rgt(39)", "produced(infantry_3_3,2)"]
    )
    told = why(earlier, state, "deploy_freely(russia,infantry_3_3)")
    (entry,) = told.forbidden_by
    assert (told.move.verdict, entry.clause) == ("forbidden", "63.51C.s1a")
    assert [condition.phrase for condition in entry.conditions if condition.wordless] == []
    assert not any(c.wordless for e in told.would_permit for c in e.conditions)


@pytest.mark.parametrize(
    ("arguments", "code", "part"),
    [
        (["moves", "spring_1940", "--set", "produced(aaf,2)", "--all"], 0, "63.51C.s1a"),
        (
            ["why", "deploy_freely(russia,aaf)", "spring_1940", "--set", "produced(aaf,2)"],
            0,
            "63.51C.s1a",
        ),
        (["values", "--set", "produced(aaf,2)"], 0, "63.51C.s1a"),
        (["duties", "--set", "produced(aaf,2)"], 0, "63.51C.s1a"),
        (["clauses", "63.51C"], 0, "withdrawn by earlier: the earlier text knows no transfers"),
        (["clauses", "63.51C.s4"], 0, "withdrawn by earlier"),
        (["clauses", "63.51F.5"], 0, "redefined by earlier: in the same words"),
        (["clauses"], 0, "added by earlier"),
        (["state", "--set", "produced(aaf,2)"], 0, "air factor"),
        (["play", "end_phase"], 0, "end_phase"),
        (["names", "deploy_freely"], 0, "deploy_freely"),
        (["check", "--code", "LB302", "--clause", "63.51C"], 1, "63.51C.s1a"),
        (["cases", "{handed}"], 0, "14 passed, 0 failed, 310 skipped"),
    ],
)
def test_every_command_takes_the_edition(
    cli: Run, root: Path, arguments: list[str], code: int, part: str
) -> None:
    handed = str(root / "tests" / "cases" / "handed.toml")
    result = cli(*(a.format(handed=handed) for a in arguments), "--edition", "earlier")
    assert (result.returncode, result.stderr) == (code, ""), result.stderr
    assert part in " ".join(result.stdout.split())


def test_the_command_line_takes_errata_in_order(cli: Run, library: Path) -> None:
    first = str(erratum(library, TWO_BOOKS, "first.lp"))
    second = str(erratum(library, NO_SUNDAY, "second.lp"))
    base = ["--rulebook", str(library), "--erratum", first]
    asked = ["why", "borrow(ann)", "--set", "books(ann,2)"]
    result = cli(*asked, *base, "--erratum", second)
    assert result.returncode == 0, result.stderr
    assert "Two books at most" in result.stdout
    result = cli("moves", *base, "--erratum", first)
    assert (result.returncode, "given twice" in result.stderr) == (2, True)
    result = cli("moves", *base, "--erratum", "")
    assert (result.returncode, "--erratum is given nothing" in result.stderr) == (2, True)
    result = cli("moves", *base, "--erratum", "nowhere.lp")
    assert (result.returncode, "nowhere.lp: there is no such file" in result.stderr) == (2, True)


def test_cases_are_judged_with_errata(cli: Run, library: Path) -> None:
    cases = library.parent / "cases.toml"
    ask = '[[case]]\nid = "{0}"\ntitle = "Two"\nbase = "monday"\nset = ["books(ann,2)"]\n'
    ask += 'action = "borrow(ann)"\n'
    cases.write_text(
        ask.format("now") + 'verdict = "contested"\n'
        + ask.format("old") + 'edition = "old"\nverdict = "legal"\n',
        "utf-8",
    )  # fmt: skip
    erratum(library, NO_SUNDAY, "library/editions/old.lp")
    path = str(erratum(library, TWO_BOOKS))
    result = cli("cases", str(cases), "--rulebook", str(library), "--erratum", path)
    assert result.stderr == ""
    assert (result.returncode, result.stdout) == (0, "2 passed, 0 failed, 0 skipped\n"), result.stdout


def test_clauses_as_json_say_where_they_come_from(cli: Run) -> None:
    jsonschema = pytest.importorskip("jsonschema")
    answer = json.loads(cli("clauses", "63.51F", "--edition", "earlier", "--format", "json").stdout)
    jsonschema.validate(answer, schema("clauses"))
    sources = {row["clause"]: row["overlay"] for row in answer["clauses"]}
    assert sources["63.51F"] is None
    assert sources["63.51F.1"] == {"name": "earlier", "change": "added", "reason": None}
    assert sources["63.51F.5"]["change"] == "redefined"
    assert [row["clause"] for row in answer["withdrawn"]] == ["63.51F.1a", "63.51F.1b"]
