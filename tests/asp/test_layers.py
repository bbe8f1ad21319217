"""The programs themselves: each loads in plain clingo, and keeps the style that explanations need."""

import re
from pathlib import Path

import clingo
import pytest

from lexbelli.locate import asp_root

FILES = sorted(asp_root().rglob("*.lp"))
RULES = sorted((asp_root() / "a_world_at_war" / "rules").glob("*.lp"))


@pytest.mark.parametrize("path", FILES, ids=lambda p: p.name)
def test_every_file_loads_in_plain_clingo(path: Path) -> None:
    control = clingo.Control(logger=lambda code, message: None)
    control.load(str(path))


def test_the_whole_rulebook_grounds_in_plain_clingo_without_a_message() -> None:
    messages: list[str] = []
    control = clingo.Control(logger=lambda code, message: messages.append(message))
    for path in FILES:
        if path.parent.name not in ("scenarios", "editions", "errata") and path.name != "repair.lp":
            control.load(str(path))
    control.ground()
    assert messages == []


@pytest.mark.parametrize("path", RULES, ids=lambda p: p.name)
def test_rules_show_nothing_and_forbid_no_state(path: Path) -> None:
    text = re.sub(r"%[^\n]*", "", path.read_text("utf-8"))
    assert "#show" not in text
    assert not re.search(r"(^|\.\s)\s*:-", text)


@pytest.mark.parametrize("path", RULES, ids=lambda p: p.name)
def test_norm_bodies_are_flat(path: Path) -> None:
    text = re.sub(r"%[^\n]*", "", path.read_text("utf-8"))
    assert "{" not in re.sub(r'"[^"\n]*"', "", text)


def test_chapters_do_not_include_each_other() -> None:
    assert not any("#include" in path.read_text("utf-8") for path in FILES)
