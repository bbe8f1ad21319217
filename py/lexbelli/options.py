"""The options that commands share, and what they stand for."""

import os
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from lexbelli import answers
from lexbelli.errors import InputError, Place
from lexbelli.model import Change, State
from lexbelli.phrases import wording
from lexbelli.printed import PrintedClause, split_text
from lexbelli.repairs import in_words
from lexbelli.rulebook import Rulebook, load_rulebook, session
from lexbelli.source import read_text
from lexbelli.states import load_state

CASES_HERE = Path("tests/cases")
_PLAIN = str.maketrans(
    {"\u2713": "+", "\u2717": "-", "\u2502": "|", "\u251c": "|", "\u2514": "`", "\u2500": "-"}
)


@dataclass(frozen=True, slots=True)
class Output:
    """How and where to write an answer."""

    format: str
    file: Path | None
    overwrite: bool

    def write(self, answer: Callable[[], answers.Json], words: Callable[[], str]) -> None:
        """Write the answer as JSON or text, to the file or standard output."""
        self.write_text(answers.dump(answer()) if self.format == "json" else words())

    def write_text(self, written: str) -> None:
        """Write a text to the file or standard output."""
        if self.file is None:
            click.echo(_showable(written), nl=False)
        else:
            write_file(self.file, written, self.overwrite)


def _showable(text: str) -> str:
    """Return the text with plain marks where standard output cannot show ours."""
    try:
        text.encode(sys.stdout.encoding or "ascii")
    except UnicodeEncodeError:
        return text.translate(_PLAIN)
    return text


def refuse_existing(path: Path, overwrite: bool) -> None:
    """Raise InputError when a file is there and may not be replaced."""
    if path.exists() and not overwrite:
        raise InputError(
            "the file exists already",
            place=Place(str(path)),
            hint="name another, or say --overwrite",
        )


def write_file(path: Path, content: str, overwrite: bool) -> None:
    """Write a file whole or not at all; an existing one only when asked to.

    Raises InputError when it exists or cannot be written.
    """
    place = Place(str(path))
    refuse_existing(path, overwrite)
    part = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        part.write_text(content, "utf-8")
        part.replace(path)
    except (OSError, ValueError) as error:
        part.unlink(missing_ok=True)
        reason = getattr(error, "strerror", None) or str(error)
        raise InputError(f"the file cannot be written: {reason}", place=place) from None


# ---- shared options ------------------------------------------------------------------------------


def book_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options that say which rulebook."""
    options = [
        click.option("--rulebook", metavar="DIR", help="another rulebook's folder"),
        click.option("--edition", default="current", metavar="NAME", help="an edition of it"),
        click.option("--overwrite", is_flag=True, help="let -o replace a file"),
    ]
    for option in reversed(options):
        command = option(command)
    return command


def text_option(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the option for a printed text."""
    return click.option(
        "--text", "text_file", metavar="FILE", help="your plain-text copy of the printed rulebook"
    )(command)


def rulebook_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options that say which rulebook and how to write the answer."""
    command = book_options(command)
    options = [
        click.option("--format", "format_", type=click.Choice(["text", "json"]), default="text"),
        click.option("-o", "--output", metavar="FILE", help="write the answer to a file"),
    ]
    for option in reversed(options):
        command = option(command)
    return command


def change_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options that change a state."""
    options = [
        click.option("--set", "set_", multiple=True, metavar="FACT", help="a fact to make true"),
        click.option("--unset", multiple=True, metavar="FACT", help="a fact to make false"),
    ]
    for option in reversed(options):
        command = option(command)
    return command


class Given:
    """The options of one call, taken apart."""

    def __init__(self, options: dict[str, Any]) -> None:
        self.book: Rulebook = load_rulebook(options["rulebook"], options["edition"])
        file = options["output"]
        self.output = Output(options["format_"], Path(file) if file else None, options["overwrite"])
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
    return split_text(read_text(Path(file)), file) if file else []
