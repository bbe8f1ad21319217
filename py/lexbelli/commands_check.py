"""The commands that check a whole rulebook, and tell what their findings mean."""

import sys
from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any

import click

from lexbelli import answers_check, text_check
from lexbelli.check import SECONDS, check
from lexbelli.check_words import Checked
from lexbelli.codes import find_code
from lexbelli.errors import LimitError, UnknownNameError
from lexbelli.help_pages import help_page
from lexbelli.options import (
    Given,
    Seconds,
    answer_options,
    compare_printed,
    once,
    say,
    text_option,
)
from lexbelli.printed_check import ASKED_OF_TEXT
from lexbelli.progress import Progress
from lexbelli.suggest import did_you_mean
from lexbelli.terms import names_clause
from lexbelli.text import render
from lexbelli.together import processors

# the formats beside text and JSON, each a function of the same name in a module of its own
WRITERS = ("markdown", "html", "sarif", "junit")


@click.command("check")
@click.option(
    "--code",
    "codes",
    multiple=True,
    metavar="CODE",
    help="only findings of this code; LB107 is looked for only when it is named",
)
@click.option(
    "--clause", "clauses", multiple=True, metavar="NUMBER", help="only those about this clause"
)
@click.option("-v", "--verbose", is_flag=True, help="every finding in full, with core and suggestion")
@text_option
@once("--time-limit", type=Seconds(), default=SECONDS, metavar="S", help="seconds for all proofs")
@answer_options("text", "json", *WRITERS)
def check_command(
    codes: tuple[str, ...],
    clauses: tuple[str, ...],
    verbose: bool,
    text_file: str | None,
    **options: Any,
) -> None:
    """Look for contradictions, duties nobody can meet, and clauses that never speak.

    Shows root causes on one page; -v, --code and --clause show findings in full. With --text, also
    clauses and terms in which a printed text and the rulebook differ. Ends with 1 when there is a
    finding, other than a note, that the rulebook does not accept.
    """
    wanted = {find_code(code).code for code in codes}
    if text_file is None and wanted & ASKED_OF_TEXT:
        of_text = " and ".join(sorted(wanted & ASKED_OF_TEXT))
        raise click.UsageError(f"{of_text}: say with --text FILE which printed text to ask")
    given = Given(options, tolerant=True)
    text = compare_printed(text_file, given.book.clauses) if text_file is not None else None
    for number in clauses:
        if not any(names_clause(number, clause.id) for clause in given.book.clauses):
            hint = did_you_mean(number, [clause.id for clause in given.book.clauses])
            raise UnknownNameError(f"there is no clause {number!r}", hint=hint)
    with Progress(to_file=given.output.file is not None) as progress:
        limit, apart = options["time_limit"], processors() > 1
        report = check(given.book, limit, progress, text=text, codes=wanted, apart=apart)
    findings = [
        finding
        for finding in report.findings
        if (not wanted or finding.code in wanted)
        and (not clauses or any(names_clause(n, c) for n in clauses for c in finding.clauses))
    ]
    told = Checked(given.book, report, findings, given.say_change)
    if given.output.format in WRITERS:
        given.output.write_text(_writer(given.output.format)(told))
    else:
        given.output.write(
            lambda: answers_check.check_answer(report, findings),
            text_check.check_text(told, whole=bool(codes or clauses), verbose=verbose),
        )
    if report.unknown:
        sys.exit(LimitError.exit_code)
    if any(not finding.accepted and finding.severity != "note" for finding in findings):
        sys.exit(1)


def _writer(format_: str) -> Callable[[Checked], str]:
    module: Mapping[str, Any] = vars(import_module(f"lexbelli.{format_}_check"))
    writer: Callable[[Checked], str] = module[format_]
    return writer


@click.command("explain-code")
@click.argument("code")
@once("--format", "format_", type=click.Choice(["text", "markdown"]), default="text")
def explain_code(code: str, format_: str) -> None:
    """Tell what a finding of this CODE means, how it is found, and how to resolve it."""
    page = help_page(find_code(code))
    if format_ == "text" and sys.stdout.isatty():
        drawn = import_module("rich.markdown").Markdown  # only where it is shown
        page = render(lambda console: console.print(drawn(page, code_theme="ansi_dark")), plain=False)
    say(page)
