"""What a long search is doing, told on a terminal; nothing where nobody is looking."""

import os
import shutil
import sys
import threading
from contextlib import suppress
from types import TracebackType
from typing import TextIO

DELAY = 1.0  # seconds; what takes less is not worth a line

_CLEAR = "\r\x1b[2K"


class Progress:
    """One line on standard error with the question being asked, gone when the answer comes.

    Called with each question in turn. It stays silent unless standard error is a terminal and the
    answer goes to one too, or to a file.
    """

    def __init__(self, *, to_file: bool, stream: TextIO | None = None, delay: float = DELAY) -> None:
        """Take the stream to write to, standard error by default."""
        self._stream = sys.stderr if stream is None else stream
        looking = self._stream.isatty() and (to_file or sys.stdout.isatty())
        self._on = looking and os.environ.get("TERM") != "dumb"
        self._question = ""
        self._shown = False
        self._lock = threading.Lock()
        self._timer = threading.Timer(delay, self._begin)
        self._timer.daemon = True

    def __enter__(self) -> "Progress":
        """Start the time."""
        if self._on:
            self._timer.start()
        return self

    def __call__(self, question: str) -> None:
        """Tell which question is asked now."""
        with self._lock:
            self._question = question
            if self._shown:
                self._draw()

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Clear the line."""
        self._timer.cancel()
        with self._lock:
            self._on = False
            if self._shown:
                self._write(_CLEAR)

    def _begin(self) -> None:
        with self._lock:
            if self._on:
                self._shown = True
                self._draw()

    def _draw(self) -> None:
        width = shutil.get_terminal_size().columns
        self._write(_CLEAR + f"{self._question} ..."[: width - 1])

    def _write(self, text: str) -> None:
        with suppress(OSError, ValueError):  # a terminal that has gone away
            self._stream.write(text)
            self._stream.flush()
