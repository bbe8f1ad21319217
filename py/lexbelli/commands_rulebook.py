"""The commands that ask about the rulebook, its cases and its answers."""

import sys
from collections.abc import Sequence
from typing import Any

import click

from lexbelli import answers, answers_rulebook, text_rulebook
from lexbelli.cases import Case, read_cases, run_cases
from lexbelli.clauses import find_clauses, find_withdrawn, rules_as_written
from lexbelli.coverage import coverage
from lexbelli.drift import printed_number, printed_text
from lexbelli.errors import InputError, LexBelliError
from lexbelli.missing import missing_cases
from lexbelli.model import Clause
from lexbelli.names import find_names, nearest_word
from lexbelli.options import (
    CASES_HERE,
    Given,
    case_paths,
    compare_printed,
    read_printed,
    rulebook_options,
    say,
    text_option,
)
from lexbelli.overlays import origin
from lexbelli.printed import PrintedClause
from lexbelli.rulebook import session
from lexbelli.text import in_turn


@click.command()
@click.argument("words", nargs=-1, metavar="[NUMBER|WORDS]")
@click.option("--coverage", "covered", is_flag=True, help="what is formalised, and what cases pin")
@click.option("--cases", "files", multiple=True, metavar="PATH", help="case files or folders to use")
@text_option
@rulebook_options
def clauses(
    words: tuple[str, ...], covered: bool, files: tuple[str, ...], text_file: str | None, **options: Any
) -> None:
    """Show the clauses of a NUMBER, those that mention WORDS, or the whole catalogue.

    With --text alone, compare a printed text with the catalogue; with a NUMBER, quote it.
    """
    if covered and text_file is not None:
        raise click.UsageError("--coverage says nothing of a printed text: leave out --text")
    given = Given(options)
    wanted = " ".join(words) or None
    found = find_clauses(given.book, wanted)
    session(given.book)  # a rulebook that does not ground has no catalogue to trust
    if covered:
        _show_coverage(given, found, read_cases(case_paths(files)))
    elif text_file is not None and wanted is None:
        comparison = compare_printed(text_file, given.book.clauses)
        given.output.write(
            lambda: answers_rulebook.comparison_answer(comparison),
            text_rulebook.comparison_text(comparison),
        )
    else:
        printed = read_printed(text_file)
        _show_clauses(given, found, printed, _known_cases(files), wanted)


def _known_cases(files: Sequence[str]) -> list[Case]:
    """Return the cases to say what pins a clause; those not asked for may be of any kind."""
    try:
        return read_cases(case_paths(files))
    except (LexBelliError, OSError) as error:
        if files:
            raise
        click.echo(f"lexbelli: {CASES_HERE} is left out, as it cannot be read: {error}", err=True)
        return []


def _show_coverage(given: Given, found: Sequence[Clause], known: Sequence[Case]) -> None:
    """Show what the cases pin."""
    if not known:
        raise InputError("there is no case to cover anything", hint="name case files with --cases")
    rows = coverage(given.book, known, found)
    given.output.write(
        lambda: answers_rulebook.coverage_answer(rows), text_rulebook.coverage_text(rows)
    )


def _show_clauses(
    given: Given,
    found: Sequence[Clause],
    printed: Sequence[PrintedClause],
    known: Sequence[Case],
    wanted: str | None,
) -> None:
    """Show the clauses that are wanted one by one, or the catalogue."""
    overlays = given.book.overlays
    gone = find_withdrawn(given.book, wanted)
    rules = [rules_as_written(clause) for clause in found]
    texts = [printed_text(printed, clause.id) for clause in found]
    own = [case for case in known if case.edition == given.book.edition]
    pinned = [
        [case.id for case in own if {clause.id, printed_number(clause.id)} & {*case.clauses}]
        for clause in found
    ]
    if wanted is not None:
        rows = zip(found, rules, texts, pinned, strict=True)
        drawn = [text_rulebook.clause_text(*row, origin(overlays, row[0].id)) for row in rows]
        draw = in_turn([*drawn, *([text_rulebook.withdrawn_text(gone)] if gone else [])])
    else:
        draw = text_rulebook.catalogue_text(found, overlays, gone)
    given.output.write(
        lambda: answers_rulebook.clauses_answer(found, rules, texts, pinned, overlays, gone), draw
    )


@click.command()
@click.argument("files", nargs=-1, metavar="[FILES]...")
@click.option("--all", "every", is_flag=True, help="list every case, not only the failed ones")
@click.option("--missing", is_flag=True, help="write skeletons of the cases that are missing")
@rulebook_options
def cases(files: tuple[str, ...], every: bool, missing: bool, **options: Any) -> None:
    """Run verdict cases from TOML files or folders; tests/cases when none is named.

    With --missing, write a case table for each side of a condition that no case shows, with a
    position but without the answer, which is yours to read in the text.
    """
    given = Given(options)
    if not files and not CASES_HERE.is_dir():
        raise InputError("name the case files to run", hint=f"there is no {CASES_HERE} here")
    known = read_cases(case_paths(files))
    if missing:
        if given.output.format != "text" or every:
            raise click.UsageError("--missing writes cases as TOML, and all of them")
        given.output.write_text(missing_cases(given.book, coverage(given.book, known)))
        return
    outcomes = run_cases(given.book, known)
    given.output.write(
        lambda: answers_rulebook.cases_answer(outcomes),
        text_rulebook.cases_text(outcomes, every),
    )
    if any(outcome.outcome == "failed" for outcome in outcomes):
        sys.exit(1)


@click.command()
@click.argument("words", nargs=-1, metavar="[WORD]...")
@rulebook_options
def names(words: tuple[str, ...], **options: Any) -> None:
    """List what can be said: facts, actions, duties and values, and how they are written.

    With WORDs, all that have them; without one, an example of each.
    """
    given = Given(options)
    found = find_names(given.book, words)
    if not found:
        shown = " and ".join(map(repr, words))
        listing = "lexbelli names lists an example of each"
        near = nearest_word(given.book, words)
        hint = f"{near}\n  {listing}" if near else listing
        raise InputError(f"nothing has {shown} in it", hint=hint)
    given.output.write(lambda: answers_rulebook.names_answer(found), text_rulebook.names_text(found))


@click.command()
@click.argument("name", required=False)
def schema(name: str | None) -> None:
    """Print the JSON schema of an answer, or the names of those there are."""
    if name is None:
        say("\n".join(answers.schema_names()) + "\n")
    else:
        say(answers.dump(answers.schema(name)))
