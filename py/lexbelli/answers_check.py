"""Findings as plain data for JSON, as the published schema describes them."""

from collections.abc import Sequence

from lexbelli.answers import Json, headed
from lexbelli.check import Report
from lexbelli.codes import CODES
from lexbelli.errors import Place
from lexbelli.findings import Finding


def check_answer(report: Report, findings: Sequence[Finding]) -> Json:
    """Return findings, what was proved, and what the time limit left unknown."""
    return headed(
        "check",
        {
            "findings": [finding_answer(finding) for finding in findings],
            "proved": list(report.proved),
            "unknown": list(report.unknown),
            "stale": list(report.stale),
            "nearest": dict(report.nearest),
            "expired": list(report.expired),
        },
    )


def finding_answer(finding: Finding) -> Json:
    """Return one finding."""
    return {
        "id": finding.id,
        "code": finding.code,
        "name": CODES[finding.code].name,
        "severity": finding.severity,
        "clauses": list(finding.clauses),
        "root": finding.root,
        "subject": finding.subjects[0] if finding.subjects else None,
        "subjects": list(finding.subjects),
        "message": finding.message,
        "witness": _witness(finding),
        "range": _ranges(finding)[0] if finding.ranges else None,
        "ranges": _ranges(finding),
        "core": list(finding.core),
        "occurrences": max(1, len(finding.subjects)),
        "accepted": finding.accepted or None,
        "suggestion": finding.suggestion,
        "place": _place(finding.place),
    }


def _place(place: Place | None) -> Json | None:
    return None if place is None else {"file": place.file, "line": place.line, "column": place.column}


def _witness(finding: Finding) -> Json | None:
    if finding.witness is None:
        return None
    changes = finding.witness.changes
    return {
        "base": finding.witness.base,
        "set": [change.fact for change in changes if change.way == "set"],
        "unset": [change.fact for change in changes if change.way == "unset"],
    }


def _ranges(finding: Finding) -> list[Json]:
    return [{"fact": one.fact, "from": one.low, "to": one.high} for one in finding.ranges]
