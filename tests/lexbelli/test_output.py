"""Where answers go: terminals, pipes and files, and what must not happen to them there."""

import os
import pty
import re
import signal
import stat
import subprocess
import sys
import time
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from types import SimpleNamespace

import pytest
from click.testing import CliRunner

from lexbelli import Rulebook, load_state, repairs
from lexbelli.cli import command_line
from lexbelli.repairs import CutError
from lexbelli.search import Search

Run = Callable[..., "subprocess.CompletedProcess[str]"]
COMMAND = f"{sys.executable} -m lexbelli"


def complains(result: "subprocess.CompletedProcess[str]", *parts: str) -> None:
    """Check that the command ended with 2, said so on standard error, and answered nothing."""
    assert result.returncode == 2, result
    assert result.stdout == ""
    assert "Traceback" not in result.stderr
    assert "Exception ignored" not in result.stderr
    for part in parts:
        assert part in result.stderr


def shell(script: str, cwd: Path) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        ["bash", "-c", script], cwd=cwd, capture_output=True, text=True, check=False,
        env=os.environ | {"LC_ALL": "C.UTF-8"},
    )  # fmt: skip


def on_terminal(*arguments: str, columns: int, cwd: Path) -> str:
    """Return what the command shows on a terminal of this width."""
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-m", "lexbelli", *arguments], cwd=cwd, stdout=theirs, stderr=theirs,
        env=os.environ | {"COLUMNS": str(columns), "TERM": "xterm"},
    )  # fmt: skip
    os.close(theirs)
    shown = b""
    try:
        while part := os.read(ours, 65536):
            shown += part
    except OSError:  # how Linux says that the other end is closed
        pass
    os.close(ours)
    assert process.wait() == 0, shown
    return shown.decode()


# ---- files ---------------------------------------------------------------------------------------


def test_a_play_is_written_before_it_is_shown(cli: Run, tmp_path: Path) -> None:
    result = shell(f"{COMMAND} play end_phase -o new.lp > /dev/full", tmp_path)
    complains(result, "standard output: No space left")
    assert "phase(axis,diplomatic)." in (tmp_path / "new.lp").read_text("utf-8")
    complains(cli("play", "end_phase", "-o", "no/new.lp", cwd=tmp_path), "there is no folder no")
    full = shell(f"ulimit -f 0; {COMMAND} play end_phase -o full.lp | cat; exit $PIPESTATUS", tmp_path)
    complains(full, "full.lp: the file cannot be written: File too large")
    assert [path.name for path in tmp_path.iterdir()] == ["new.lp"]


def test_a_file_is_the_same_whatever_the_terminal(cli: Run, tmp_path: Path) -> None:
    for columns, name in ((200, "wide"), (50, "narrow")):
        assert on_terminal("moves", "-o", name, columns=columns, cwd=tmp_path) == ""
    wide = (tmp_path / "wide").read_text("utf-8")
    assert "\x1b" not in wide
    assert wide == (tmp_path / "narrow").read_text("utf-8") == cli("moves").stdout


def test_only_a_regular_file_is_replaced(cli: Run, tmp_path: Path) -> None:
    kept = tmp_path / "kept"
    kept.write_text("mine", "utf-8")
    kept.chmod(0o444)
    (tmp_path / "link").symlink_to("kept")
    (tmp_path / "dangling").symlink_to("nowhere")
    os.mkfifo(tmp_path / "pipe")
    for name, reason in (
        ("kept", "kept: the file is read-only"),
        ("link", "link: this is a link to kept"),
        ("dangling", "dangling: this is a link to nowhere"),
        ("pipe", "pipe: this is a device or a pipe"),
        ("/dev/null", "/dev/null: this is a device or a pipe"),
    ):
        complains(cli("moves", "-o", name, "--overwrite", cwd=tmp_path), reason)
    complains(cli("moves", "-o", "dangling", cwd=tmp_path), "this is a link to nowhere")
    assert kept.read_text("utf-8") == "mine"
    assert sorted(p.name for p in tmp_path.iterdir()) == ["dangling", "kept", "link", "pipe"]


def test_permissions_are_kept_and_new_ones_are_as_usual(tmp_path: Path) -> None:
    (tmp_path / "old").write_text("mine", "utf-8")
    (tmp_path / "old").chmod(0o640)
    script = f"umask 027; {COMMAND} moves -o new; umask 0; {COMMAND} moves -o old --overwrite"
    assert shell(script, tmp_path).returncode == 0
    assert {stat.S_IMODE((tmp_path / name).stat().st_mode) for name in ("old", "new")} == {0o640}
    longest = "b" * 255
    assert shell(f"{COMMAND} moves -o {longest}", tmp_path).returncode == 0


@pytest.mark.parametrize("name", ["new/", ".", "/", "..", "there", "a_file/x", "no/x", "a" * 300])
def test_what_cannot_be_a_file_is_refused(cli: Run, tmp_path: Path, name: str) -> None:
    (tmp_path / "there").mkdir()
    (tmp_path / "a_file").touch()
    complains(cli("moves", "-o", name, "--overwrite", cwd=tmp_path), f"{name}: ")
    assert sorted(p.name for p in tmp_path.iterdir()) == ["a_file", "there"]


@pytest.mark.parametrize(
    ("arguments", "parts"),
    [
        (["moves", "-o", ""], ["--output is given nothing"]),
        (["play", "end_phase", "-o", "x.txt"], ["x.txt: ", "not .txt"]),
        (["moves", "-o", "a", "-o", "b"], ["--output is given 2 times"]),
        (["moves", "--format", "json", "--format", "text"], ["--format is given 2 times"]),
        (["clauses", "--coverage", "--text", "a"], ["--coverage", "--text"]),
        (["moves", "a" * 5000], ["aaa..."]),
        (["moves", f"x/{'a' * 300}.lp"], ["aaa.lp: "]),
        (["cases", "a" * 300], ["aaa", "File name too long"]),
        (["why", "end_phase", "--time-limit", "nan"], ["nan is not in the range 0<=x<=86400"]),
        (["why", "end_phase", "--time-limit", "inf"], ["inf is not in the range 0<=x<=86400"]),
        (["why", "end_phase", "--time-limit", "1e10"], ["is not in the range 0<=x<=86400"]),
        (["play", "spring_1941", "end_phase"], ["'spring_1941'", "did you mean spring_1940?"]),
        (["play", "end_phse"], ["'end_phse'", "did you mean end_phase?"]),
        (["play", "spring_1940"], ["name at least one STEP"]),
    ],
)
def test_bad_input_is_told_what_is_wrong(cli: Run, arguments: list[str], parts: list[str]) -> None:
    complains(cli(*arguments), *parts)


# ---- standard output -----------------------------------------------------------------------------


@pytest.mark.parametrize("command", ["moves", "schema", "--help"])
def test_output_that_cannot_be_written_is_an_error(tmp_path: Path, command: str) -> None:
    complains(shell(f"{COMMAND} {command} > /dev/full", tmp_path), "standard output: No space left")
    complains(shell(f"{COMMAND} {command} >&-", tmp_path), "standard output: ")
    assert shell(f"{COMMAND} {command} | true", tmp_path).stderr == ""


def test_names_that_are_no_text(tmp_path: Path) -> None:
    Path(os.fsdecode(os.fsencode(tmp_path) + b"/\xff.toml")).write_text(
        'base = "spring_1940"\n', "utf-8"
    )
    shown = shell(f"{COMMAND} moves $'\\xff.toml' && {COMMAND} moves $'\\xff.toml' -o file", tmp_path)
    assert shown.returncode == 0, shown.stderr
    assert shown.stdout.startswith("?.toml: it is Spring 1940")
    complains(shell(f"{COMMAND} moves $'\\xff.json'", tmp_path), "?.json: there is no such file")


@pytest.mark.parametrize("columns", [10, 40, 80])
def test_nothing_is_dropped_on_a_narrow_terminal(tmp_path: Path, columns: int) -> None:
    shown = re.sub(r"\x1b\[\d*m|\s", "", on_terminal("moves", columns=columns, cwd=tmp_path))
    for part in ("legal", "64.34.s1a", "enter(poland,germany)", "Germany moves"):
        assert part.replace(" ", "") in shown


def test_text_is_printed_as_it_stands(cli: Run, rulebook_copy: Path, tmp_path: Path) -> None:
    odd = ":cat: [bold]not bold[/bold] [/] \\[x] 7"
    (rulebook_copy / "rules" / "zz.lp").write_text(
        f"%## 999.1  {odd}\n% > {odd}\n% see: {odd}\n% not formalised: {odd}\n", "utf-8"
    )
    shown = cli("clauses", "999.1", "--rulebook", str(rulebook_copy)).stdout
    assert shown.count(odd) == 4
    (tmp_path / "[red]:cat:.toml").write_text('base = "spring_1940"\n', "utf-8")
    steps = ["[red]:cat:.toml", "declare_war(russia,germany)", "-o", "[b]:dog:.lp"]
    refused = cli("play", *steps, cwd=tmp_path).stdout
    assert "[red]:cat:.toml: it is Spring 1940" in refused
    assert "[b]:dog:.lp was not written." in refused


# ---- searches and cases --------------------------------------------------------------------------


def test_a_cut_search_keeps_what_it_found(book: Rulebook, monkeypatch: pytest.MonkeyPatch) -> None:
    action, left, best = "enter(russia,bessarabia)", [], Search.best
    every = repairs(book, load_state(book), action)

    def slow(search: Search, names: frozenset[str], seconds: float) -> object:
        left.append(seconds)
        return best(search, names, 60)

    clock = SimpleNamespace(monotonic=lambda: 3.0 * len(left))
    monkeypatch.setattr(import_module("lexbelli.repairs"), "time", clock)
    monkeypatch.setattr(Search, "best", slow)
    with pytest.raises(CutError, match="unknown within 5 s") as caught:
        repairs(book, load_state(book), action, seconds=5)
    assert left == [5, 2]
    assert caught.value.found == every  # what was cut is the search for a third
    left.clear()
    shown = CliRunner().invoke(command_line, ["why", action, "-v", "--time-limit", "5", "--terms"])
    assert shown.exit_code == CutError.exit_code
    assert "what else would make it legal: unknown within 5 s" in shown.output
    assert "--set" in shown.output


@pytest.mark.parametrize("content", [None, "(((", '[[case]]\nid = "x"\n', "[other]\n"])
def test_foreign_cases_do_not_hide_a_clause(cli: Run, tmp_path: Path, content: str | None) -> None:
    folder = tmp_path / "tests" / "cases"
    folder.mkdir(parents=True)
    if content is not None:
        (folder / "theirs.toml").write_text(content, "utf-8")
    result = cli("clauses", "69.21.s1", cwd=tmp_path)
    assert result.returncode == 0
    assert result.stdout.startswith("69.21.s1 ")
    assert "tests/cases is left out" in result.stderr
    complains(cli("clauses", "69.21.s1", "--cases", "tests/cases", cwd=tmp_path), "tests/cases")
    complains(cli("clauses", "--coverage", cwd=tmp_path), "tests/cases")


def test_an_interrupted_search_ends_quietly(root: Path) -> None:
    process = subprocess.Popen(
        [sys.executable, "-m", "lexbelli", "clauses", "--coverage"], cwd=root,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        # whoever runs the tests in the background may have interrupts ignored
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # noqa: PLW1509
    )  # fmt: skip
    time.sleep(2)
    process.send_signal(signal.SIGINT)
    assert process.communicate() == ("", "\nlexbelli: interrupted\n")
    assert process.returncode == 130
