"""The engine knows no game: no constant, action or clause number of the rulebook in Python."""

import re
from pathlib import Path

import pytest

from lexbelli import Rulebook
from lexbelli.rulebook import session

SOURCES = sorted((Path(__file__).resolve().parent.parent / "py" / "lexbelli").rglob("*.py"))
# words that the rulebook uses and that are also plain English or names of the engine's own
COMMON = {
    "start", "end", "movement", "construction", "spring", "turn", "phase", "same", "duty", "place",
    "cost", "value", "action", "name", "number", "state", "fact", "key", "held", "leave", "gain",
    "send", "set_up", "short", "resist", "ends", "begins", "remain", "enter", "produce", "offensive",
    "demand", "commands", "lost", "controls", "partisan", "summer", "fall", "winter", "adjacent",
    "deploy", "withdraw", "in_play", "declaration",
}  # fmt: skip


@pytest.mark.parametrize("path", SOURCES, ids=lambda p: p.name)
def test_no_game_word_in_python(path: Path, book: Rulebook) -> None:
    grounded = session(book)
    terms = set(grounded.facts) | grounded.names("action") | grounded.names("derivable")
    words = {word for term in terms for word in re.findall(r"[a-z][a-z0-9_]*", term)} - COMMON
    written = set(re.findall(r"[a-z][a-z0-9_]*", path.read_text("utf-8").lower()))
    assert words & written == set()


@pytest.mark.parametrize("path", SOURCES, ids=lambda p: p.name)
def test_no_clause_number_in_python(path: Path) -> None:
    assert re.findall(r"\b6[3-9]\.\d+", path.read_text("utf-8")) == []


@pytest.mark.parametrize("path", SOURCES, ids=lambda p: p.name)
def test_modules_are_short(path: Path) -> None:
    assert len(path.read_text("utf-8").splitlines()) <= 350


def test_only_one_module_touches_the_solver() -> None:
    users = [
        p.name for p in SOURCES if re.search(r"clingo\.Control|import Control", p.read_text("utf-8"))
    ]
    assert users == ["solver.py"]


def test_the_source_root_is_no_package() -> None:
    assert not (SOURCES[0].parent.parent / "__init__.py").exists()
