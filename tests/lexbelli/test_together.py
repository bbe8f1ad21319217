"""Two tasks at the same time come to what they come to one after the other."""

import os
import pickle
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
from tests.overlay_texts import LIBRARY, TWO_BOOKS, erratum

from lexbelli import load_rulebook
from lexbelli.check import check
from lexbelli.errata import errata
from lexbelli.errors import LimitError, RulebookError
from lexbelli.sides import two_sides
from lexbelli.together import processors, shared, together

forking = pytest.mark.skipif(processors() == 1, reason="there is no fork, or one processor")


def raised(error: Exception) -> str:
    raise error


@forking
def test_both_results_come_back_and_one_from_elsewhere() -> None:
    here, there = together(os.getpid, os.getpid, apart=True)
    assert here == os.getpid()
    assert there != here
    assert together(os.getpid, os.getpid, apart=False) == (here, here)


@forking
@pytest.mark.parametrize("error", [LimitError("the time is over"), RulebookError("odd", hint="why")])
def test_an_error_is_raised_as_it_is_wherever_it_comes_up(error: Exception) -> None:
    for tasks in ((partial(raised, error), str), (str, partial(raised, error))):
        with pytest.raises(type(error), match=str(error).split("\n", 1)[0]) as told:
            together(*tasks, apart=True)
        assert told.value is error


@forking
def test_what_dies_or_cannot_come_back_is_done_again_here() -> None:
    first = os.getpid()

    def dies() -> int:
        if os.getpid() != first:
            os.kill(os.getpid(), signal.SIGKILL)
        return 7

    assert together(int, dies, apart=True) == (0, 7)
    lock = threading.Lock()  # cannot be pickled
    assert together(int, lambda: lock, apart=True) == (0, lock)


@forking
def test_what_two_processes_are_too_many_for_one_does() -> None:
    """Such as a thread that the system does not allow while the other process lives."""
    tries: list[int] = []

    def fails_once() -> int:
        tries.append(0)
        if len(tries) == 1:
            raise RuntimeError("can't start new thread")
        return len(tries)

    assert together(fails_once, os.getpid, apart=True) == (2, os.getpid())


@forking
def test_what_comes_back_in_part_is_done_again_here() -> None:
    first = os.getpid()

    def dies_while_it_sends() -> bytes:
        if os.getpid() != first:
            threading.Timer(0.2, os.kill, (os.getpid(), signal.SIGKILL)).start()
        return bytes(1_000_000)

    def slow() -> int:
        time.sleep(0.5)
        return 1

    assert together(slow, dies_while_it_sends, apart=True) == (1, bytes(1_000_000))


def test_where_the_system_allows_no_process_both_are_done_here(monkeypatch: pytest.MonkeyPatch) -> None:
    def refused() -> int:
        raise BlockingIOError("no more processes")

    monkeypatch.setattr(os, "fork", refused)
    assert together(os.getpid, os.getpid, apart=True) == (os.getpid(), os.getpid())


@forking
def test_a_long_result_comes_back_whole() -> None:
    assert together(int, partial(bytes, 1_000_000), apart=True) == (0, bytes(1_000_000))


def test_what_is_found_can_come_from_elsewhere() -> None:
    report = check(load_rulebook(LIBRARY))
    assert pickle.loads(pickle.dumps(report)) == report
    old, new = two_sides(None, ["earlier", "current"], None)
    comparison = errata(old, new, findings=False).comparison
    assert pickle.loads(pickle.dumps(comparison)) == comparison


@forking
def test_a_check_finds_the_same_in_two_processes() -> None:
    book = load_rulebook(LIBRARY)
    alone, apart = check(book), check(book, apart=True)
    assert apart.findings == alone.findings
    assert apart.proved == alone.proved
    assert [words for words, _ in apart.asked] == [words for words, _ in alone.asked]
    cut = check(load_rulebook(LIBRARY), 0, apart=True)
    assert cut.unknown == check(load_rulebook(LIBRARY), 0).unknown


@forking
def test_a_comparison_is_the_same_in_two_processes() -> None:
    old, new = two_sides(None, ["earlier", "current"], None)
    found = [errata(old, new, findings=False, apart=apart) for apart in (False, True)]
    assert found[0].comparison == found[1].comparison
    assert found[0].comparison is not None
    assert found[0].comparison.differences


@forking
def test_findings_come_and_go_alike_in_two_processes(tmp_path: Path) -> None:
    old, new = two_sides(LIBRARY, [str(erratum(tmp_path / "rulebook", TWO_BOOKS))], None)
    found = [errata(old, new, apart=apart) for apart in (False, True)]
    assert found[0].consistency == found[1].consistency
    assert found[0].consistency is not None
    assert found[0].comparison == found[1].comparison


def children(process: "subprocess.Popen[str]") -> list[str]:
    listed = Path(f"/proc/{process.pid}/task/{process.pid}/children")
    return listed.read_text("utf-8").split() if listed.exists() else []


def waited(condition: Callable[[], object]) -> bool:
    end = time.monotonic() + 30
    while not condition() and time.monotonic() < end:
        time.sleep(0.02)
    return bool(condition())


@forking
@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="the system lists no processes")
@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_no_process_is_left_behind(root: Path, how: signal.Signals) -> None:
    process = subprocess.Popen(
        [sys.executable, "-m", "lexbelli", "check"],
        cwd=root, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        # whoever runs the tests in the background may have interrupts ignored
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # noqa: PLW1509
    )  # fmt: skip
    assert waited(lambda: children(process))
    (child,) = children(process)
    process.send_signal(how)
    process.communicate()
    assert waited(lambda: not Path(f"/proc/{child}").exists())


@pytest.mark.parametrize("apart", [False, True])
@pytest.mark.parametrize("number", [0, 1, 2, 7])
def test_what_is_shared_out_keeps_its_place(number: int, apart: bool) -> None:
    items = list(range(number))
    assert shared(lambda some: [10 * one for one in some], items, apart=apart) == [
        10 * one for one in items
    ]
