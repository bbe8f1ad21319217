"""The package works from a wheel in an empty environment, away from the checkout."""

import subprocess
import sys
import venv
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build a wheel, install it into an empty environment, and return its folder of programs."""
    folder = tmp_path_factory.mktemp("wheel")
    subprocess.run(
        [sys.executable, "-m", "build", "-w", "--no-isolation", "--outdir", str(folder), str(ROOT)],
        check=True, capture_output=True,
    )  # fmt: skip
    (wheel,) = folder.glob("*.whl")
    venv.create(folder / "env", with_pip=True)
    programs = folder / "env" / "bin"
    subprocess.run(
        [programs / "python", "-m", "pip", "install", "-q", str(wheel)], check=True, capture_output=True
    )
    return programs


@pytest.mark.parametrize("command", [["lexbelli"], ["python", "-m", "lexbelli"]])
def test_the_wheel_answers(installed: Path, tmp_path: Path, command: list[str]) -> None:
    result = subprocess.run(
        [installed / command[0], *command[1:], "moves"],
        cwd=tmp_path, capture_output=True, text=True, check=True, encoding="utf-8",
    )  # fmt: skip
    assert "offensive(germany,poland)" in result.stdout


def test_the_rulebook_is_inside_the_wheel(installed: Path, tmp_path: Path) -> None:
    code = "from lexbelli.locate import asp_root; print(asp_root())"
    result = subprocess.run(
        [installed / "python", "-c", code], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    assert Path(result.stdout.strip()).parts[-2:] == ("lexbelli", "asp")


def test_the_example_errata_are_inside_the_wheel(installed: Path, tmp_path: Path) -> None:
    code = "from lexbelli.locate import shipped_rulebook; print(shipped_rulebook() / 'errata')"
    folder = subprocess.run(
        [installed / "python", "-c", code], cwd=tmp_path, capture_output=True, text=True, check=True
    ).stdout.strip()
    erratum = Path(folder) / "answer_to_support.lp"
    result = subprocess.run(
        [installed / "lexbelli", "clauses", "69.21.s2b", "--erratum", erratum],
        cwd=tmp_path, capture_output=True, text=True, check=True, encoding="utf-8",
    )  # fmt: skip
    assert "redefined by answer_to_support" in result.stdout


def test_the_pages_of_help_are_inside_the_wheel(installed: Path, tmp_path: Path) -> None:
    result = subprocess.run(
        [installed / "lexbelli", "explain-code", "LB101"],
        cwd=tmp_path, capture_output=True, text=True, check=True, encoding="utf-8",
    )  # fmt: skip
    assert "## How to resolve it" in result.stdout


def test_the_types_are_published(installed: Path) -> None:
    (package,) = (installed.parent / "lib").glob("python*/site-packages/lexbelli")
    assert (package / "py.typed").exists()


def test_the_top_level_is_what_was_agreed() -> None:
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=False)
    if listed.returncode:
        pytest.skip("not a git checkout")
    top = {line.split("/")[0] for line in listed.stdout.splitlines()}
    plain = {name for name in top if not name.startswith(".")}
    assert plain == {"asp", "py", "tests", "pyproject.toml", "README.md"}
