"""Findings as text: the gravest first, each with a position to set up."""

from collections.abc import Callable, Collection, Sequence

from rich.console import Console
from rich.markup import escape

from lexbelli.check import Report
from lexbelli.findings import CODES, SEVERITIES, Finding
from lexbelli.model import Change
from lexbelli.text import Draw

_COLOUR = {"error": "bold red", "warning": "yellow", "note": "dim"}


def check_text(
    report: Report,
    findings: Sequence[Finding],
    say: Callable[[Change], str],
    verbose: bool,
    asked: Collection[str] = (),
) -> Draw:
    """Return findings with their witnesses; notes, cores and suggestions when `verbose`.

    Notes of the codes that are `asked` for are shown in any case.
    """

    def draw(console: Console) -> None:
        shown = [f for f in findings if verbose or f.severity != "note" or f.code in asked]
        for finding in shown:
            _draw_finding(console, finding, say, verbose)
        for statement in report.proved:
            console.print(f"[green]proved[/] {escape(statement)}")
        for question in report.unknown:
            console.print(f"[bold]unknown[/] {escape(question)}")
        for number in report.stale:
            console.print(f"[yellow]no longer found[/] {escape(number)}, which the rulebook accepts")
        counts = [
            f"{count} {severity}{'s' * (count != 1)}"
            for severity in SEVERITIES
            if (count := sum(finding.severity == severity for finding in findings))
        ]
        accepted = sum(bool(finding.accepted) for finding in findings)
        told = ", ".join(counts) or "nothing found"
        console.print(told + (f", {accepted} of them accepted" if accepted else ""))
        if verbose:
            console.print(f"in {report.seconds:.1f} s")

    return draw


def _draw_finding(
    console: Console, finding: Finding, say: Callable[[Change], str], verbose: bool
) -> None:
    code = CODES[finding.code]
    clauses = " / ".join(finding.clauses)
    console.print(
        f"[{_COLOUR[code.severity]}]{finding.code} {code.name}[/]  [bold]{escape(clauses)}[/]"
    )
    console.print(f"  {escape(finding.message)}")
    if finding.place is not None:
        console.print(f"  at {escape(str(finding.place))}", soft_wrap=True)
    if len(finding.subjects) > 1:
        console.print(f"  and for {len(finding.subjects) - 1} more")
    if finding.witness is not None:
        changes = "; ".join(say(change) for change in finding.witness.changes)
        start = finding.witness.base or "a position"
        console.print(f"  witness: {escape(start)}{': ' if changes else ''}{escape(changes)}")
    for one in finding.ranges:
        console.print(f"  as long as {escape(one.fact.partition('(')[0])} is {one.low} to {one.high}")
    if finding.accepted:
        console.print(f"  accepted: {escape(finding.accepted)}")
    if verbose:
        if finding.core:
            console.print(f"  brought about by {escape(' '.join(finding.core))}")
        console.print(f"  {escape(finding.suggestion)}")
    console.print()
