"""Questions asked at the same time, where there is more than one processor to ask them."""

import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Sequence
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from typing import TypeVar

T = TypeVar("T")


def processors() -> int:
    """Return how many processes can work at the same time: one where none can be made by a fork."""
    if "fork" not in multiprocessing.get_all_start_methods():
        return 1
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def together(tasks: Sequence[Callable[[], T]], *, apart: bool) -> list[T]:
    """Return the results of some tasks, in their order.

    When `apart`, all but the first are worked on in processes of their own, copies of this one, to
    which a task may refer whatever it likes; their results come back pickled. What fails there is done
    again here, so that its error is raised here.
    """
    if not apart:
        return [task() for task in tasks]
    first, *others = tasks
    waiting = [_begun(task) for task in others]
    results = [first()]
    for task, (process, answer) in zip(others, waiting, strict=True):
        try:
            results.append(answer.recv())
        except EOFError:
            results.append(task())
        process.join()
    return results


def _begun(task: Callable[[], T]) -> tuple[BaseProcess, Connection]:
    """Begin a task in a process of its own, and return it with where its result will come from."""
    context = multiprocessing.get_context("fork")
    here, there = context.Pipe(duplex=False)
    process = context.Process(target=_work, args=(task, there), daemon=True)
    process.start()
    there.close()
    return process, here


def _work(task: Callable[[], T], there: Connection) -> None:
    threading.Thread(target=_end_with_parent, daemon=True).start()
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    try:
        there.send(task())
    except BaseException:
        os._exit(1)


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
