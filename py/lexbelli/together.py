"""Questions asked at the same time, where there is more than one processor to ask them."""

import multiprocessing
import os
import signal
import sys
import threading
from collections.abc import Callable, Sequence
from functools import partial
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from typing import TypeVar

from lexbelli.errors import LexBelliError

A = TypeVar("A")
B = TypeVar("B")


def processors() -> int:
    """Return how many processes can work at the same time: one where no fork of this one can be made.

    On macOS one can, but the system's own libraries may crash in it.
    """
    if "fork" not in multiprocessing.get_all_start_methods() or sys.platform == "darwin":
        return 1
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def together(here: Callable[[], A], there: Callable[[], B], *, apart: bool) -> tuple[A, B]:
    """Return what two tasks come to.

    When `apart`, the second is worked on in a process of its own, a copy of this one, while the first
    is worked on here. It may refer to whatever it likes, and its result comes back pickled. When it
    fails, or there can be no process, it is done here, so that its error is raised here.
    """
    begun = _begun(there) if apart else None
    if begun is None:
        return here(), there()
    process, answer = begun
    try:
        first = here()
    except Exception as error:
        process.kill()
        process.join()
        if isinstance(error, LexBelliError):
            raise
        return here(), there()  # what two processes are too many for, one may do
    try:
        second: B = answer.recv()
    except Exception:
        second = there()
    process.join()
    return first, second


def shared(task: Callable[[Sequence[A]], Sequence[B]], items: Sequence[A], *, apart: bool) -> list[B]:
    """Return what a task makes of some items, each at the place of its item.

    When `apart`, every other item is left to a process of its own, as in `together`.
    """
    if len(items) < 2 or not apart:
        return list(task(items))
    halves = together(partial(task, items[::2]), partial(task, items[1::2]), apart=True)
    return [halves[place % 2][place // 2] for place in range(len(items))]


def _begun(task: Callable[[], object]) -> tuple[BaseProcess, Connection] | None:
    """Begin a task in a process of its own, and return it with where its result will come from.

    None where the system allows no further process.
    """
    context = multiprocessing.get_context("fork")
    try:
        here, there = context.Pipe(duplex=False)
        process = context.Process(target=_work, args=(task, there), daemon=True)
        process.start()
    except OSError:
        return None
    there.close()
    return process, here


# ---- in the other process ------------------------------------------------------------------------


def _work(task: Callable[[], object], there: Connection) -> None:
    try:
        threading.Thread(target=_end_with_parent, daemon=True).start()
        if signal.getsignal(signal.SIGINT) is not signal.SIG_IGN:
            signal.signal(signal.SIGINT, signal.SIG_DFL)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
        there.send(task())
    except BaseException:
        os._exit(1)  # the task is done again where its error can be told


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
