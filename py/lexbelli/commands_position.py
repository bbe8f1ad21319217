"""The commands that ask about a position."""

import sys
from pathlib import Path
from typing import Any, NoReturn

import click
from rich.console import Console

from lexbelli import answers, answers_rulebook, text, text_rulebook
from lexbelli.commands_why import with_changes
from lexbelli.duties import duties as find_duties
from lexbelli.errors import InputError, Place, UnknownNameError
from lexbelli.facts import conclusions
from lexbelli.model import Move, State
from lexbelli.moves import action_owners, known_action, reason
from lexbelli.moves import moves as find_moves
from lexbelli.options import (
    Given,
    book_options,
    change_options,
    once,
    output_file,
    rulebook_options,
    say,
    write_file,
)
from lexbelli.play import Game, state_file
from lexbelli.play import play as play_steps
from lexbelli.rulebook import Rulebook, session
from lexbelli.state_files import SUFFIXES
from lexbelli.suggest import did_you_mean
from lexbelli.telling import Style, tell
from lexbelli.text_why import telling_text
from lexbelli.values import values as find_values
from lexbelli.why import why as explain


@click.command()
@click.argument("states", nargs=-1, metavar="[STATE]...")
@change_options
@click.option("--actor", multiple=True, metavar="PARTY", help="only actions of this party")
@click.option("--all", "every", is_flag=True, help="every available action with its verdict")
@click.option("--why", "reasons", is_flag=True, help="with a line of reason for each")
@rulebook_options
def moves(
    states: tuple[str, ...], actor: tuple[str, ...], every: bool, reasons: bool, **options: Any
) -> None:
    """List what may be done: legal and contested actions, with their clauses."""
    given = Given(options)
    positions = find_moves(given.book, [given.state(s) for s in states or (None,)], actor, every=every)

    def because(move: Move) -> str:
        return reason(given.book, move)

    told = because if reasons else None
    given.output.write(
        lambda: answers.moves_answer(positions, every, told),
        text.moves_text(positions, every, given.headline, given.say, told),
    )


@click.command()
@click.argument("state", required=False)
@change_options
@rulebook_options
def state(state: str | None, **options: Any) -> None:
    """Check a position and show it in words; -o with the ending of a state file keeps it as one."""
    given = Given(options)
    position = given.state(state)
    file = given.output.file
    if file is not None and file.suffix in SUFFIXES and given.output.format == "text":
        given.output.write_text(state_file(position, file.suffix))
        return
    phrases = [given.say(fact) for fact in position.facts]
    follows = conclusions(given.book, position)
    given.output.write(
        lambda: answers.state_answer(position, phrases, follows),
        text.state_text(position, phrases, follows),
    )


@click.command()
@click.argument("state", required=False)
@change_options
@rulebook_options
def duties(state: str | None, **options: Any) -> None:
    """List the duties of a position: met, unmet or impossible, and the ways to meet them."""
    given = Given(options)
    position = given.state(state)
    found = find_duties(given.book, position)
    given.output.write(
        lambda: answers.duties_answer(position, found),
        text.duties_text(position, given.headline(position), found),
    )


@click.command()
@click.argument("state", required=False)
@change_options
@rulebook_options
def values(state: str | None, **options: Any) -> None:
    """List the numbers that clauses fix in a position."""
    given = Given(options)
    position = given.state(state)
    found = find_values(given.book, position)
    given.output.write(
        lambda: answers.values_answer(position, found),
        text.values_text(position, given.headline(position), found),
    )


@click.command()
@click.argument("steps", nargs=-1, required=True, metavar="[STATE] STEP...")
@click.option("--force", is_flag=True, help="apply actions that are not legal too")
@once("--format", "format_", type=click.Choice(["text", "json"]), default="text")
@once("-o", "--output", metavar="FILE", help="write the new state: .lp, .toml or .json")
@change_options
@book_options
def play(steps: tuple[str, ...], force: bool, **options: Any) -> None:
    """Apply STEPs to a position and show what changed, and by which clause.

    A STEP is an action, or set:FACT or unset:FACT for what dice or other rules decide. An action
    that is not legal is refused with its explanation.
    """
    target = output_file(options["output"], options["overwrite"])
    if target is not None:
        _state_file(State("", ()), target)  # a wrong ending is told before anything is played
    given = Given(options | {"output": None})
    source, rest = (steps[0], steps[1:]) if _is_state(given.book, steps[0]) else (None, steps)
    if not rest:
        raise click.UsageError("name at least one STEP to play")
    position = given.state(source)
    if source is None:
        _refuse_misnamed(given.book, position, rest[0])
    game = play_steps(given.book, position, rest, force)
    if game.refused is not None:
        _refuse(given, game, target)
    written = given.output.text(
        lambda: answers_rulebook.play_answer(game), text_rulebook.play_text(game, given.say)
    )
    if target is not None:  # first, as the answer may be lost and is easily asked for again
        write_file(target, _state_file(game.state, target), options["overwrite"])
    say(written)


def _state_file(state: State, target: Path) -> str:
    """Return a state as text for the file named. Raises InputError when its ending is wrong."""
    try:
        return state_file(state, target.suffix)
    except InputError as error:
        error.place = Place(str(target))
        raise


def _refuse(given: Given, game: Game, target: Path | None) -> NoReturn:
    """Show what was played up to the action that is refused, and why it is."""
    found = explain(given.book, game.state, str(game.refused))
    found, unknown = with_changes(given.book, game.state, found)

    def draw(console: Console) -> None:
        text_rulebook.play_text(game, given.say)(console)
        console.print()
        headline = f"{game.state.name}: {given.headline(game.state)}"
        style = Style(headline, given.say, given.say_change, whole=False, unknown=unknown)
        telling_text(tell(found, style))(console)
        if target is not None:
            console.print(f"\n{target} was not written.", markup=False)

    given.output.write(
        lambda: answers_rulebook.play_answer(game, answers.why_answer(found, bool(unknown))), draw
    )
    sys.exit(1)


def _refuse_misnamed(book: Rulebook, position: State, word: str) -> None:
    """Raise UnknownNameError when the first word of a play is neither a state nor a step."""
    if any(mark in word for mark in "(:"):
        return
    try:
        known_action(book, word, position)
    except (InputError, UnknownNameError):
        actions = {action.partition("(")[0] for action in action_owners(session(book))}
        hint = did_you_mean(word, {*book.scenarios(), *actions}) or (
            f"a state is {', '.join(book.scenarios())} or a file ending in {', '.join(SUFFIXES)}"
        )
        raise UnknownNameError(f"{word!r} is neither a state nor a step", hint=hint) from None


def _is_state(book: Rulebook, word: str) -> bool:
    """Say whether the first word of a play names a state rather than a step."""
    return word in book.scenarios() or Path(word).suffix in SUFFIXES
