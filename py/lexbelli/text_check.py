"""Findings as text: one page of root causes, or every finding in full."""

from collections.abc import Sequence

from rich.console import Console
from rich.markup import escape

from lexbelli.check_words import Checked, Say, count, extent, range_words, remarks, witness_words
from lexbelli.codes import CODES
from lexbelli.findings import Finding
from lexbelli.roots import Group, groups_of
from lexbelli.text import Draw

_COLOUR = {"error": "bold red", "warning": "yellow", "note": "dim"}


def check_text(told: Checked, *, whole: bool = False, verbose: bool = False) -> Draw:
    """Return root causes on one page; each finding when `whole`, with its core when `verbose`."""

    def draw(console: Console) -> None:
        if whole or verbose:
            for finding in told.findings:
                _draw_finding(console, finding, told.say, verbose)
        else:
            _draw_roots(console, told.findings, told.say)
        for statement in told.report.proved:
            console.print(f"[green]proved[/] {escape(statement)}")
        for mark, words in remarks(told.report):
            console.print(f"[bold yellow]{mark}[/] {escape(words)}")
        if told.findings or not told.report.unknown:
            console.print(count(told.findings))
        if verbose:
            for question, seconds in told.report.asked:
                console.print(f"[dim]asked {escape(question)}: {seconds:.1f} s[/]")
            console.print(f"in {told.report.seconds:.1f} s")
        elif told.findings and not whole:
            console.print(
                "-v shows every finding in full, --clause NUMBER or --code CODE some of them; "
                "explain-code CODE tells what a code means"
            )

    return draw


# ---- one page ------------------------------------------------------------------------------------


def _draw_roots(console: Console, findings: Sequence[Finding], say: Say) -> None:
    """Draw a block for each root of errors, a line for each of warnings; notes are only counted."""
    groups = groups_of(findings)
    for group in groups:
        if group.findings[0].severity == "error":
            _draw_root(console, group, say)
    lines = [group for group in groups if group.findings[0].severity == "warning"]
    for group in lines:
        accepted = sum(bool(finding.accepted) for finding in group.findings)
        counts = [str(len(group.findings))] if len(group.findings) > 1 else []
        counts += [f"{accepted} accepted" if counts else "accepted"] if accepted else []
        more = f" ({', '.join(counts)})" if counts else ""
        console.print(
            f"{_title(group.code)}  [bold]{escape(group.root)}[/]{more}  "
            f"{escape(group.findings[0].message)}",
            no_wrap=True,
            overflow="ellipsis",
        )
    if lines:
        console.print()


def _draw_root(console: Console, group: Group, say: Say) -> None:
    against = f" with {escape(', '.join(group.others))}" if group.others else ""
    accepted = sum(bool(finding.accepted) for finding in group.findings)
    told = extent(group) + (f", {accepted} accepted" if accepted else "")
    console.print(f"{_title(group.code)}  [bold]{escape(group.root)}[/]{against}: {told}")
    first = next((one for one in group.findings if not one.accepted), None)
    if first is not None:
        console.print(f"  {escape(first.message)}")
        if first.witness is not None:
            console.print(f"  witness: {escape(witness_words(first, say))}")
    console.print()


def _title(code: str) -> str:
    return f"[{_COLOUR[CODES[code].severity]}]{code} {CODES[code].name}[/]"


# ---- in full -------------------------------------------------------------------------------------


def _draw_finding(console: Console, finding: Finding, say: Say, verbose: bool) -> None:
    console.print(f"{_title(finding.code)}  [bold]{escape(' / '.join(finding.clauses))}[/]")
    console.print(f"  {escape(finding.message)}")
    if finding.place is not None:
        console.print(f"  at {escape(str(finding.place))}", soft_wrap=True)
    if len(finding.subjects) > 1:
        console.print(f"  and for {len(finding.subjects) - 1} more")
    if finding.witness is not None:
        console.print(f"  witness: {escape(witness_words(finding, say))}")
    for words in range_words(finding):
        console.print(f"  as long as {escape(words)}")
    if finding.accepted:
        console.print(f"  accepted: {escape(finding.accepted)}")
    if verbose:
        if finding.core:
            console.print(f"  brought about by {escape(' '.join(finding.core))}")
        console.print(f"  {escape(finding.suggestion)}")
    console.print(f"  id: {escape(finding.id)}")
    console.print()
