"""What the reports of a check say in words, whatever their format."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from lexbelli.check import Report
from lexbelli.codes import SEVERITIES
from lexbelli.findings import Finding, Witness
from lexbelli.model import Change
from lexbelli.roots import Group
from lexbelli.rulebook import Rulebook

Say = Callable[[Change], str]

# what the subjects of a finding are, one and several
_SUBJECTS = {
    "LB101": ("action", "actions"), "LB102": ("duty", "duties"), "LB103": ("quantity", "quantities"),
    "LB104": ("fact", "facts"), "LB105": ("change", "changes"), "LB107": ("action", "actions"),
    "LB302": ("duty", "duties"),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Checked:
    """What a report is made of: the findings asked for, and how a change of the position reads."""

    book: Rulebook
    report: Report
    findings: Sequence[Finding]
    say: Say


def remarks(report: Report) -> list[tuple[str, str]]:
    """Return what the time limit cut, and which acceptances are out of date, each with its mark."""
    return [("unknown", question) for question in report.unknown] + out_of_date(report)


def out_of_date(report: Report) -> list[tuple[str, str]]:
    """Return the acceptances that have expired and those that match nothing, each with its mark."""
    lines = [
        ("expired", f"{id_}, which the rulebook accepted before this edition; it is open again")
        for id_ in report.expired
    ]
    for id_ in report.stale:
        hint = f"; did you mean {report.nearest[id_]}?" if id_ in report.nearest else ""
        lines.append(("no longer found", f"{id_}, which the rulebook accepts{hint}"))
    return lines


def count(findings: Sequence[Finding]) -> str:
    """Return how many findings of each severity there are, in words."""
    counts = [
        counted(number, severity, f"{severity}s")
        for severity in SEVERITIES
        if (number := sum(finding.severity == severity for finding in findings))
    ]
    accepted = sum(bool(finding.accepted) for finding in findings)
    told = ", ".join(counts) or "nothing found"
    return told + (f", {accepted} of them accepted" if accepted else "")


def counted(number: int, one: str, several: str) -> str:
    """Return a number and what it counts."""
    return f"{number} {one if number == 1 else several}"


def extent(group: Group) -> str:
    """Return how many findings a group has, and about how many actions, duties or facts."""
    told = counted(len(group.findings), "finding", "findings")
    if group.subjects:
        told += (
            f" about {counted(len(group.subjects), *_SUBJECTS.get(group.code, ('thing', 'things')))}"
        )
    return told


def witness_words(finding: Finding, say: Say) -> str:
    """Return the position that shows a finding, in words; nothing where there is none."""
    return position_words(finding.witness, say) if finding.witness is not None else ""


def position_words(witness: Witness, say: Say) -> str:
    """Return a position in words: a scenario and what is different from it."""
    changes = "; ".join(say(change) for change in witness.changes)
    start = witness.base or "a position"
    return f"{start}{': ' if changes else ''}{changes}"


def range_words(finding: Finding) -> list[str]:
    """Return the numbers between which a finding holds, in words."""
    return [f"{one.fact.partition('(')[0]} is {one.low} to {one.high}" for one in finding.ranges]
