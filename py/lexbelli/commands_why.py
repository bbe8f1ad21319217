"""The command that explains: an action, a duty, a value or a fact, in whatever format."""

import sys
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import click
from click.core import ParameterSource

from lexbelli import answers
from lexbelli.accounts import account, kind_of, quote_account
from lexbelli.contrast import contrast_actions, contrast_states
from lexbelli.errors import LimitError
from lexbelli.exports import EXPORTS
from lexbelli.model import Explanation, State
from lexbelli.options import (
    Given,
    Seconds,
    answer_options,
    change_options,
    once,
    read_printed,
    text_option,
)
from lexbelli.repairs import MOST, SECONDS, CutError, repairs, reversals
from lexbelli.rulebook import Rulebook
from lexbelli.telling import Style, Telling, tell, tell_account, tell_contrast
from lexbelli.text_why import telling_text
from lexbelli.why import quote
from lexbelli.why import why as explain


@click.command()
@click.argument("subject", metavar="ACTION")
@click.argument("state", required=False)
@change_options
@click.option("-v", "--verbose", is_flag=True, help="every clause, and every reason down to the facts")
@click.option("--terms", is_flag=True, help="show how facts and actions are written as well")
@once("--not", "other", metavar="ACTION", help="why this and not that: what tells them apart")
@once("--in", "one", metavar="STATE", help="with --versus: the first of two positions")
@once("--versus", "two", metavar="STATE", help="why it is so in one position and not in another")
@click.option("--exit-code", is_flag=True, help="end with 1 when the action is not legal")
@once("--time-limit", type=Seconds(), default=SECONDS, metavar="S",
      help="seconds to look for the smallest changes")  # fmt: skip
@once("--max-repairs", type=click.IntRange(1, 100), default=MOST, metavar="N",
      help="how many smallest changes to show")  # fmt: skip
@text_option
@answer_options("text", "json", *EXPORTS)
def why(subject: str, state: str | None, **options: Any) -> None:
    """Explain the verdict on ACTION, or a duty, a value or a fact.

    Short by default: what decides, what is lacking, and the nearest change that would make it legal.
    A kind (action, duty, value, fact) may be named before the term, where one term is of two.
    """
    given = Given(options)
    if options["one"] is not None and (state is not None or options["two"] is None):
        raise click.UsageError("--in names the first position, and --versus the second")
    if options["two"] is not None and options["other"] is not None:
        raise click.UsageError("two actions, or two positions, but not both")
    position = given.state(options["one"] if state is None else state)
    if options["other"] is not None or options["two"] is not None:
        _refuse_idle("a contrast", "text_file", "exit_code", "time_limit", "max_repairs")
        _contrast(given, position, subject.removeprefix("action "), options)
        return
    kind, term = kind_of(given.book, position, subject)
    if kind == "action":
        _why_action(given, position, term, options)
    else:
        _refuse_idle(f"a {kind}", "exit_code", "time_limit", "max_repairs")
        printed = read_printed(options["text_file"])
        found = quote_account(account(given.book, position, kind, term), printed)
        told = tell_account(found, _style(given, position, options))
        _write(given, told, lambda: answers.account_answer(found))


def _refuse_idle(asked: str, *names: str) -> None:
    """Refuse options that were given and would have no effect on what is asked."""
    context = click.get_current_context()
    for name in names:
        if context.get_parameter_source(name) is ParameterSource.COMMANDLINE:
            option = next(p.opts[-1] for p in context.command.params if p.name == name)
            raise click.UsageError(f"{option} has no effect on {asked}")


def _contrast(given: Given, position: State, action: str, options: dict[str, Any]) -> None:
    if options["other"] is not None:
        found = contrast_actions(given.book, position, action, options["other"])
        style = _style(given, position, options)
    else:
        versus = given.state(options["two"])
        found = contrast_states(given.book, action, position, versus)
        both = " / ".join(f"{one.name}: {given.headline(one)}" for one in (position, versus))
        style = replace(_style(given, position, options), headline=both)
    _write(given, tell_contrast(found, style), lambda: answers.contrast_answer(found))


def _why_action(given: Given, position: State, action: str, options: dict[str, Any]) -> None:
    printed = read_printed(options["text_file"])
    style = _style(given, position, options)
    whole = style.whole or given.output.format == "json"
    found = quote(explain(given.book, position, action, whole=whole), printed)
    most = options["max_repairs"]
    shown = most if style.whole else 1
    # one more than is shown tells whether there are more
    found, unknown = with_changes(
        given.book,
        position,
        found,
        options["time_limit"],
        most if given.output.format == "json" else shown + 1,
    )
    told = tell(found, replace(style, unknown=unknown, changes=shown))
    _write(given, told, lambda: answers.why_answer(found, bool(unknown)))
    if unknown:
        sys.exit(LimitError.exit_code)
    if options["exit_code"] and found.move.verdict != "legal":
        sys.exit(1)


def _write(given: Given, told: Telling, answer: Callable[[], answers.Json]) -> None:
    export = EXPORTS.get(given.output.format)
    if export is not None:
        given.output.write_text(export(told))
    else:
        given.output.write(answer, telling_text(told))


def _style(given: Given, position: State, options: dict[str, Any]) -> Style:
    return Style(
        f"{position.name}: {given.headline(position)}",
        given.say,
        given.say_change,
        whole=options["verbose"] or given.output.format in EXPORTS,
        terms=options["terms"],
    )


def with_changes(
    book: Rulebook, position: State, found: Explanation, seconds: float = SECONDS, most: int = MOST
) -> tuple[Explanation, str]:
    """Add the smallest changes to an explanation, and say when the search for them was cut."""
    legal = found.move.verdict == "legal"
    look = reversals if legal else repairs
    try:
        changes, unknown = look(book, position, found.action, most, seconds), ""
    except CutError as error:
        changes, unknown = error.found, error.message
    if legal:
        return replace(found, reversals=tuple(changes)), unknown
    return replace(found, repairs=tuple(changes)), unknown
