"""What tests share: the rulebook, loaded once, and a way to run the command line."""

import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from lexbelli import Rulebook, load_rulebook

ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture(scope="session")
def root() -> Path:
    """The checkout."""
    return ROOT


@pytest.fixture(scope="session")
def book() -> Rulebook:
    """The rulebook that comes with the package."""
    return load_rulebook()


@pytest.fixture(scope="session")
def cli(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., "subprocess.CompletedProcess[str]"]:
    """Run the command line as a user does, in an empty folder unless told otherwise."""
    empty = tmp_path_factory.mktemp("empty")

    def run(*arguments: str, cwd: Path = empty) -> "subprocess.CompletedProcess[str]":
        return subprocess.run(
            [sys.executable, "-m", "lexbelli", *arguments],
            cwd=cwd, capture_output=True, text=True, check=False, encoding="utf-8",
        )  # fmt: skip

    return run


@pytest.fixture
def rulebook_copy(tmp_path: Path) -> Path:
    """A copy of the shipped rulebook that a test may damage."""
    folder = tmp_path / "rulebook"
    shutil.copytree(load_rulebook().root, folder)
    return folder
