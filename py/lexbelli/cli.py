"""The command line. Errors go to standard error and end with exit code 2, never a traceback."""

import os
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import click

from lexbelli import answers, text
from lexbelli.cases import read_cases, run_cases
from lexbelli.clauses import find_clauses, rules_as_written
from lexbelli.duties import duties as find_duties
from lexbelli.errors import InputError, LexBelliError, LimitError, Place
from lexbelli.facts import conclusions
from lexbelli.model import Change, State
from lexbelli.moves import moves as find_moves
from lexbelli.phrases import wording
from lexbelli.repairs import SECONDS, in_words, repairs
from lexbelli.rulebook import Rulebook, load_rulebook, session
from lexbelli.states import load_state
from lexbelli.values import values as find_values
from lexbelli.why import why as explain

CASES_HERE = Path("tests/cases")


@dataclass(frozen=True, slots=True)
class Output:
    """How and where to write an answer."""

    format: str
    file: Path | None
    overwrite: bool

    def write(self, answer: Callable[[], answers.Json], words: Callable[[], str]) -> None:
        """Write the answer as JSON or text, to the file or standard output."""
        written = answers.dump(answer()) if self.format == "json" else words()
        if self.file is None:
            click.echo(written, nl=False)
        else:
            write_file(self.file, written, self.overwrite)


def write_file(path: Path, content: str, overwrite: bool) -> None:
    """Write a file whole or not at all; an existing one only when asked to.

    Raises InputError when it exists or cannot be written.
    """
    place = Place(str(path))
    if path.exists() and not overwrite:
        raise InputError(
            "the file exists already", place=place, hint="name another, or say --overwrite"
        )
    part = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        part.write_text(content, "utf-8")
        part.replace(path)
    except (OSError, ValueError) as error:
        part.unlink(missing_ok=True)
        reason = getattr(error, "strerror", None) or str(error)
        raise InputError(f"the file cannot be written: {reason}", place=place) from None


# ---- shared options ------------------------------------------------------------------------------


def _rulebook_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options that say which rulebook and how to write the answer."""
    options = [
        click.option("--rulebook", metavar="DIR", help="another rulebook's folder"),
        click.option("--edition", default="current", metavar="NAME", help="an edition of it"),
        click.option("--format", "format_", type=click.Choice(["text", "json"]), default="text"),
        click.option("-o", "--output", metavar="FILE", help="write the answer to a file"),
        click.option("--overwrite", is_flag=True, help="let -o replace a file"),
    ]
    for option in reversed(options):
        command = option(command)
    return command


def _change_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options that change a state."""
    options = [
        click.option("--set", "set_", multiple=True, metavar="FACT", help="a fact to make true"),
        click.option("--unset", multiple=True, metavar="FACT", help="a fact to make false"),
    ]
    for option in reversed(options):
        command = option(command)
    return command


class _Given:
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
        shown = [f for f in state.facts if grounded.group_of.get(f) in grounded.needed]
        return "; ".join(self.say(fact) for fact in sorted(shown, key=len, reverse=True))

    def say(self, term: str) -> str:
        return wording(self.book).say(term)

    def say_change(self, change: Change) -> str:
        return in_words(self.book, change)


# ---- commands ------------------------------------------------------------------------------------


@click.group(context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(package_name="lexbelli")
def command_line() -> None:
    """Answer questions about a rulebook: what is legal, why, and what follows.

    A STATE is a scenario of the rulebook or a file: .lp (facts), .toml or .json (base, set, unset).
    A fact is written rgt(36) or rgt=36.
    """


@command_line.command()
@click.argument("states", nargs=-1, metavar="[STATE]...")
@_change_options
@click.option("--actor", multiple=True, metavar="PARTY", help="only actions of this party")
@click.option("--all", "every", is_flag=True, help="every available action with its verdict")
@_rulebook_options
def moves(states: tuple[str, ...], actor: tuple[str, ...], every: bool, **options: Any) -> None:
    """List what may be done: legal and contested actions, with their clauses."""
    given = _Given(options)
    positions = find_moves(given.book, [given.state(s) for s in states or (None,)], actor)
    given.output.write(
        lambda: answers.moves_answer(positions, every),
        lambda: text.moves_text(positions, every, given.headline, given.say),
    )


@command_line.command()
@click.argument("action")
@click.argument("state", required=False)
@_change_options
@click.option("--exit-code", is_flag=True, help="end with 1 when the action is not legal")
@click.option("--time-limit", type=click.FloatRange(min=0), default=SECONDS, metavar="S",
              help="seconds to look for the smallest changes")  # fmt: skip
@_rulebook_options
def why(action: str, state: str | None, exit_code: bool, time_limit: float, **options: Any) -> None:
    """Explain the verdict on ACTION: every clause, its conditions, and what would change it."""
    given = _Given(options)
    position = given.state(state)
    found = explain(given.book, position, action)
    unknown = ""
    try:
        changes = repairs(given.book, position, action, seconds=time_limit)
        found = replace(found, repairs=tuple(changes))
    except LimitError as error:
        unknown = error.message
    given.output.write(
        lambda: answers.why_answer(found, bool(unknown)),
        lambda: text.why_text(found, given.headline(position), given.say_change, unknown),
    )
    if unknown:
        sys.exit(LimitError.exit_code)
    if exit_code and found.move.verdict != "legal":
        sys.exit(1)


@command_line.command()
@click.argument("state", required=False)
@_change_options
@_rulebook_options
def state(state: str | None, **options: Any) -> None:
    """Check a position and show it in words."""
    given = _Given(options)
    position = given.state(state)
    phrases = [given.say(fact) for fact in position.facts]
    follows = conclusions(given.book, position)
    given.output.write(
        lambda: answers.state_answer(position, phrases, follows),
        lambda: text.state_text(position, phrases, follows),
    )


@command_line.command()
@click.argument("state", required=False)
@_change_options
@_rulebook_options
def duties(state: str | None, **options: Any) -> None:
    """List the duties of a position: met, unmet or impossible, and the ways to meet them."""
    given = _Given(options)
    position = given.state(state)
    found = find_duties(given.book, position)
    given.output.write(
        lambda: answers.duties_answer(position, found),
        lambda: text.duties_text(position, given.headline(position), found),
    )


@command_line.command()
@click.argument("state", required=False)
@_change_options
@_rulebook_options
def values(state: str | None, **options: Any) -> None:
    """List the numbers that clauses fix in a position."""
    given = _Given(options)
    position = given.state(state)
    found = find_values(given.book, position)
    given.output.write(
        lambda: answers.values_answer(position, found),
        lambda: text.values_text(position, given.headline(position), found),
    )


@command_line.command()
@click.argument("wanted", required=False, metavar="[NUMBER|WORDS]")
@_rulebook_options
def clauses(wanted: str | None, **options: Any) -> None:
    """Show the clauses of a NUMBER, those that mention WORDS, or the whole catalogue."""
    given = _Given(options)
    found = find_clauses(given.book, wanted)
    session(given.book)  # a rulebook that does not ground has no catalogue to trust

    def words() -> str:
        if wanted is None:
            return text.catalogue_text(found)
        return "\n".join(text.clause_text(clause, rules_as_written(clause)) for clause in found)

    given.output.write(
        lambda: answers.clauses_answer(found, [rules_as_written(clause) for clause in found]),
        words,
    )


@command_line.command()
@click.argument("files", nargs=-1, metavar="[FILES]...")
@click.option("--all", "every", is_flag=True, help="list every case, not only the failed ones")
@_rulebook_options
def cases(files: tuple[str, ...], every: bool, **options: Any) -> None:
    """Run verdict cases from TOML files or folders; tests/cases when none is named."""
    given = _Given(options)
    if not files and not CASES_HERE.is_dir():
        raise InputError("name the case files to run", hint=f"there is no {CASES_HERE} here")
    read = read_cases([Path(file) for file in files] or [CASES_HERE])
    outcomes = run_cases(given.book, read)
    given.output.write(lambda: answers.cases_answer(outcomes), lambda: text.cases_text(outcomes, every))
    if any(outcome.outcome == "failed" for outcome in outcomes):
        sys.exit(1)


@command_line.command()
@click.argument("name", required=False)
def schema(name: str | None) -> None:
    """Print the JSON schema of an answer, or the names of those there are."""
    if name is None:
        click.echo("\n".join(answers.schema_names()))
    else:
        click.echo(answers.dump(answers.schema(name)), nl=False)


def main() -> None:
    """Run the command line; every error ends with a message and its exit code."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="replace")
    try:
        command_line()
    except LexBelliError as error:
        click.echo(f"lexbelli: {error}", err=True)
        sys.exit(error.exit_code)
    except RecursionError:
        click.echo("lexbelli: the input is nested too deeply", err=True)
        sys.exit(2)


if __name__ == "__main__":
    main()
