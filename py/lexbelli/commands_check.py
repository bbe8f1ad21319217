"""The commands that check a whole rulebook, and tell what their findings mean."""

import sys
from typing import Any

import click

from lexbelli import answers_check, text_check
from lexbelli.check import SECONDS, check
from lexbelli.errors import LimitError, UnknownNameError
from lexbelli.findings import find_code
from lexbelli.options import Given, Seconds, once, rulebook_options
from lexbelli.suggest import did_you_mean
from lexbelli.terms import names_clause


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
@click.option("-v", "--verbose", is_flag=True, help="notes, cores and suggestions as well")
@once("--time-limit", type=Seconds(), default=SECONDS, metavar="S", help="seconds for all proofs")
@rulebook_options
def check_command(
    codes: tuple[str, ...], clauses: tuple[str, ...], verbose: bool, **options: Any
) -> None:
    """Look for contradictions, duties nobody can meet, and clauses that never speak.

    Ends with 1 when there is a finding, other than a note, that the rulebook does not accept.
    """
    given = Given(options)
    wanted = {find_code(code).code for code in codes}
    for number in clauses:
        if not any(names_clause(number, clause.id) for clause in given.book.clauses):
            hint = did_you_mean(number, [clause.id for clause in given.book.clauses])
            raise UnknownNameError(f"there is no clause {number!r}", hint=hint)
    report = check(given.book, options["time_limit"], wanted)
    findings = [
        finding
        for finding in report.findings
        if (not wanted or finding.code in wanted)
        and (not clauses or any(names_clause(n, c) for n in clauses for c in finding.clauses))
    ]
    given.output.write(
        lambda: answers_check.check_answer(report, findings),
        text_check.check_text(report, findings, given.say_change, verbose),
    )
    if report.unknown:
        sys.exit(LimitError.exit_code)
    if any(not finding.accepted and finding.severity != "note" for finding in findings):
        sys.exit(1)


@click.command("explain-code")
@click.argument("code")
def explain_code(code: str) -> None:
    """Tell what a finding of this CODE means, and how to resolve it."""
    found = find_code(code)
    click.echo(f"{found.code}  {found.name} ({found.severity})\n\n{found.meaning}\n\n{found.remedy}")
