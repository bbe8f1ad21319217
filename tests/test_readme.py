"""Every promise of the README, run as the README shows it."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from lexbelli import load_rulebook

ROOT = Path(__file__).resolve().parent.parent
README = (ROOT / "README.md").read_text("utf-8")
SHOWN = re.findall(r"```console\n\$ (.*?)\n(.*?)```", README, flags=re.DOTALL)
PYTHON = re.findall(r"```python\n(.*?)```", README, flags=re.DOTALL)


def run(command: str) -> str:
    """Run a shell command in the checkout with `lexbelli` meaning this one; return all it prints."""
    command = re.sub(r"\blexbelli (?=[a-z])", f"{sys.executable} -m lexbelli ", command, count=1)
    result = subprocess.run(
        command, shell=True, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        text=True, check=False, encoding="utf-8",
    )  # fmt: skip
    return result.stdout


@pytest.mark.parametrize(("command", "output"), SHOWN, ids=[command[:40] for command, _ in SHOWN])
def test_a_command_prints_what_the_readme_shows(command: str, output: str) -> None:
    assert run(command) == output


def test_the_readme_shows_commands() -> None:
    assert len(SHOWN) >= 7
    assert len(PYTHON) == 1


def test_the_python_example_prints_what_its_comment_says() -> None:
    promised = re.search(r"print\(len\(legal\)\)  # (\d+)", PYTHON[0])
    assert promised is not None
    result = subprocess.run(
        [sys.executable, "-c", PYTHON[0]], capture_output=True, text=True, check=True
    )
    assert result.stdout.strip() == promised.group(1)


def test_the_example_clause_is_the_one_in_the_rulebook() -> None:
    shown = re.search(r"```\n(%## .*?)```", README, flags=re.DOTALL)
    assert shown is not None
    rules = (ROOT / "asp/a_world_at_war/rules/63_eastern_europe.lp").read_text("utf-8")
    assert shown.group(1) in rules


def test_the_count_of_clauses_without_rules_is_true() -> None:
    silent = sum(1 for clause in load_rulebook().clauses if clause.reason)
    assert f"- {silent} clauses have no rules and say why" in README
