"""The options that commands share, and what they stand for."""

import math
import os
import secrets
import stat
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TextIO

import click

from lexbelli import answers
from lexbelli.drift import Comparison, compare
from lexbelli.errors import InputError, Place
from lexbelli.model import Change, Clause, State
from lexbelli.overlays import CURRENT
from lexbelli.phrases import wording
from lexbelli.printed import PrintedClause, split_text
from lexbelli.repairs import LONGEST, in_words
from lexbelli.rulebook import Rulebook, load_rulebook, session
from lexbelli.source import read_text
from lexbelli.states import load_state
from lexbelli.text import Draw, render

Command = Callable[..., Any]
CASES_HERE = Path("tests/cases")
_PIPE_CLOSED = 141  # what a shell reports of a command that a closed pipe has ended
_MAY_WRITE = stat.S_IWUSR | stat.S_IWGRP | stat.S_IWOTH
_PLAIN = str.maketrans(
    {"\u2713": "+", "\u2717": "-", "\u2502": "|", "\u251c": "|", "\u2514": "`", "\u2500": "-"}
    | {"\u2026": "..."}
)


@dataclass(frozen=True, slots=True)
class Output:
    """How and where to write an answer."""

    format: str
    file: Path | None = None
    overwrite: bool = False

    def text(self, answer: Callable[[], answers.Json], draw: Draw) -> str:
        """Return the answer as JSON or text; only a terminal gets colours and its own width."""
        if self.format == "json":
            return answers.dump(answer())
        return render(draw, plain=self.file is not None or not sys.stdout.isatty())

    def write(self, answer: Callable[[], answers.Json], draw: Draw) -> None:
        """Write the answer as JSON or text, to the file or standard output."""
        self.write_text(self.text(answer, draw))

    def write_text(self, written: str) -> None:
        """Write a text to the file or standard output."""
        if self.file is None:
            say(written)
        else:
            write_file(self.file, written, self.overwrite)


# ---- standard output -----------------------------------------------------------------------------


def say(text: str) -> None:
    """Write a text to standard output; a reader that has gone away ends the command quietly."""
    try:
        click.echo(_showable(text), nl=False)
    except BrokenPipeError:
        abandon(sys.stdout)
        sys.exit(_PIPE_CLOSED)


def abandon(stream: TextIO) -> None:
    """Send what a stream still holds nowhere, so that it does not fail once more at the end."""
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def _showable(text: str) -> str:
    """Return the text with plain marks where standard output cannot show ours."""
    try:
        text.encode(sys.stdout.encoding or "ascii")
    except UnicodeEncodeError:
        return text.translate(_PLAIN)
    return text


# ---- files to write ------------------------------------------------------------------------------


def output_file(name: str | None, overwrite: bool) -> Path | None:
    """Return the file that -o names, if it was given.

    Raises InputError when nothing may be written to it, before there is anything to write.
    """
    if name is None:
        return None
    path = Path(name)
    if name.endswith(("/", os.sep)) or path.name in ("", ".."):
        raise InputError("this names a folder, not a file", place=Place(name))
    _mode(path, overwrite)
    return path


def write_file(path: Path, content: str, overwrite: bool) -> None:
    """Write a file whole or not at all; an existing one keeps its permissions.

    Raises InputError when it may not be replaced or cannot be written.
    """
    mode = _mode(path, overwrite)
    part = path.with_name(f".lexbelli-{secrets.token_hex(8)}.part")
    try:
        with part.open("x", encoding="utf-8", errors="backslashreplace") as stream:
            stream.write(content)
        if mode is not None:
            part.chmod(mode)
        part.replace(path)
    except OSError as error:
        raise _unwritable(path, error.strerror) from None
    finally:
        with suppress(OSError):
            part.unlink()


def _mode(path: Path, overwrite: bool) -> int | None:
    """Return the permissions of the file to replace, or None when there is none yet.

    Raises InputError for anything but a regular file that may be written and, with `overwrite`,
    replaced.
    """
    place = Place(str(path))
    try:
        mode = path.lstat().st_mode
    except FileNotFoundError:
        if path.parent.is_dir():
            return None
        raise _unwritable(path, f"there is no folder {path.parent}") from None
    except NotADirectoryError:
        raise _unwritable(path, f"{path.parent} is not a folder") from None
    except OSError as error:
        raise _unwritable(path, error.strerror) from None
    if stat.S_ISLNK(mode):
        hint = "name that file itself"
        raise InputError(f"this is a link to {path.readlink()}", place=place, hint=hint)
    if stat.S_ISDIR(mode):
        raise InputError("this is a folder, not a file", place=place)
    if not stat.S_ISREG(mode):
        raise InputError("this is a device or a pipe, not a file", place=place)
    if not overwrite:
        hint = "name another, or say --overwrite"
        raise InputError("the file exists already", place=place, hint=hint)
    if not mode & _MAY_WRITE:  # the mode rather than os.access, which lets root write anything
        raise InputError("the file is read-only", place=place, hint="name another")
    return stat.S_IMODE(mode)


def _unwritable(path: Path, reason: str | None) -> InputError:
    return InputError(f"the file cannot be written: {reason}", place=Place(str(path)))


# ---- shared options ------------------------------------------------------------------------------


class Seconds(click.FloatRange):
    """A number of seconds that a search may take."""

    def __init__(self) -> None:
        """Allow for a day at most."""
        super().__init__(min=0, max=LONGEST)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """Return the number; what is no number at all is in no range."""
        seconds: float = super().convert(value, param, ctx)
        if math.isnan(seconds):
            self.fail(f"{value} is not in the range 0<=x<={LONGEST:g}.", param, ctx)
        return seconds


def once(*names: str, default: Any = None, **details: Any) -> Callable[[Command], Command]:
    """Add an option that may be given once: of two values neither is the one that is meant."""

    def only(context: click.Context, option: click.Parameter, values: Sequence[Any]) -> Any:
        if len(values) > 1:
            raise click.UsageError(
                f"{option.opts[-1]} is given {len(values)} times, it takes one value"
            )
        return values[0] if _given(context, option, values) else default

    return click.option(*names, multiple=True, callback=only, **details)


def _given(context: click.Context, option: click.Parameter, values: Sequence[str]) -> Sequence[str]:
    """Refuse an option that is given nothing."""
    if "" in values:
        raise click.UsageError(f"{option.opts[-1]} is given nothing, it takes a value")
    return values


def _with(command: Command, *options: Callable[[Command], Command]) -> Command:
    """Add options, to be listed in this order."""
    for option in reversed(options):
        command = option(command)
    return command


def book_options(command: Command) -> Command:
    """Add the options that say which rulebook."""
    return _with(
        command,
        once("--rulebook", metavar="DIR", help="another rulebook's folder"),
        once("--edition", default=CURRENT, metavar="NAME", help="an edition of it"),
        click.option(
            "--erratum",
            "errata",
            multiple=True,
            callback=_given,
            metavar="FILE",
            help="an erratum to lay over it; may be repeated",
        ),
        click.option("--overwrite", is_flag=True, help="let -o replace a file"),
    )


def text_option(command: Command) -> Command:
    """Add the option for a printed text."""
    return once(
        "--text", "text_file", metavar="FILE", help="your plain-text copy of the printed rulebook"
    )(command)


def rulebook_options(command: Command) -> Command:
    """Add the options that say which rulebook and how to write the answer."""
    return answer_options("text", "json")(command)


def answer_options(*formats: str) -> Callable[[Command], Command]:
    """Add the options that say which rulebook, and in which of some formats to write the answer."""

    def add(command: Command) -> Command:
        return _with(
            book_options(command),
            once("--format", "format_", type=click.Choice(formats), default=formats[0]),
            once("-o", "--output", metavar="FILE", help="write the answer to a file"),
        )

    return add


def change_options(command: Command) -> Command:
    """Add the options that change a state."""
    return _with(
        command,
        click.option("--set", "set_", multiple=True, metavar="FACT", help="a fact to make true"),
        click.option("--unset", multiple=True, metavar="FACT", help="a fact to make false"),
    )


class Given:
    """The options of one call, taken apart."""

    def __init__(self, options: dict[str, Any], *, tolerant: bool = False) -> None:
        """Load the rulebook; `tolerant` keeps what a check can tell as findings."""
        file = output_file(options["output"], options["overwrite"])
        self.book: Rulebook = load_rulebook(
            options["rulebook"], options["edition"], options["errata"], tolerant=tolerant
        )
        self.output = Output(options["format_"], file, options["overwrite"])
        self._set: Sequence[str] = options.get("set_", ())
        self._unset: Sequence[str] = options.get("unset", ())

    def state(self, source: str | None) -> State:
        return load_state(self.book, source, set=self._set, unset=self._unset)

    def headline(self, state: State) -> str:
        """Return the facts that every state has, in words."""
        grounded = session(self.book)
        fact_of = {grounded.group_of.get(fact): fact for fact in state.facts}
        return "; ".join(self.say(fact_of[group]) for (group,) in grounded.pairs("needed", 1))

    def say(self, term: str) -> str:
        return wording(self.book).say(term)

    def say_change(self, change: Change) -> str:
        return in_words(self.book, change)


def case_paths(files: Sequence[str]) -> list[Path]:
    """Return the case files named, or those of the folder one stands in."""
    return [Path(file) for file in files] or ([CASES_HERE] if CASES_HERE.is_dir() else [])


def read_printed(file: str | None) -> list[PrintedClause]:
    return split_text(_read_copy(file), file) if file is not None else []


def compare_printed(file: str, clauses: Sequence[Clause]) -> Comparison:
    """Return how a printed text and the headings compare."""
    text = _read_copy(file)
    return compare(text, split_text(text, file), clauses)


def _read_copy(file: str) -> str:
    """Return a printed text as it was saved, with or without a byte order mark."""
    return read_text(Path(file), marked=True)
