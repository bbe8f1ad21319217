"""Findings as SARIF 2.1.0, which code hosts show beside the clauses.

Each code is a rule with its page of help, each finding a result at the heading of its first clause. The
format is that of the OASIS standard; what a code host asks for beyond it (descriptions of every rule, a
location and a line hash for every result) is always there.
"""

import hashlib
from importlib import metadata

from lexbelli.answers import Json, dump
from lexbelli.answers_check import finding_answer
from lexbelli.check_words import Checked, out_of_date, range_words, witness_words
from lexbelli.codes import CODES, Code
from lexbelli.errors import Place
from lexbelli.findings import Finding
from lexbelli.help_pages import help_page
from lexbelli.places import Base, address, base_of, place_in

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"

_WEIGHT = {"error": "error", "warning": "warning", "note": "recommendation"}
_KEPT = ("id", "root", "subjects", "witness", "core", "ranges")


def sarif(told: Checked) -> str:
    """Return a check as one run of SARIF; accepted findings are suppressed, proofs are properties."""
    report, base = told.report, base_of(told.book)
    run: Json = {
        "tool": {
            "driver": {
                "name": "Lex Belli",
                "semanticVersion": metadata.version("lexbelli"),
                "rules": [_rule(code) for code in CODES.values()],
            }
        },
        "automationDetails": {"id": f"lexbelli/{told.book.root.resolve().name}/{told.book.edition}/"},
        "originalUriBaseIds": {base.name: {"description": {"text": base.meaning}}},
        "invocations": [
            {
                "executionSuccessful": not report.unknown,
                "toolExecutionNotifications": [_note("error", text) for text in report.unknown],
                "toolConfigurationNotifications": [
                    _note("warning", f"{mark}: {words}") for mark, words in out_of_date(report)
                ],
            }
        ],
        "results": [_result(told, finding, base) for finding in told.findings],
        "properties": {"proved": list(report.proved)},
    }
    return dump({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]})


def _note(level: str, text: str) -> Json:
    return {"level": level, "message": {"text": text}}


def _rule(code: Code) -> Json:
    page = help_page(code)
    return {
        "id": code.code,
        "name": code.name.title().replace(" ", ""),
        "shortDescription": {"text": f"{code.name[0].upper()}{code.name[1:]}"},
        "fullDescription": {"text": code.meaning},
        "help": {"text": page, "markdown": page},
        "defaultConfiguration": {"level": code.severity},
        "properties": {
            "tags": ["rulebook"],
            "precision": "very-high",
            "problem.severity": _WEIGHT[code.severity],
        },
    }


def _result(told: Checked, finding: Finding, base: Base) -> Json:
    answer = finding_answer(finding)
    clauses = [*dict.fromkeys(finding.clauses)]
    return {
        "ruleId": finding.code,
        "ruleIndex": [*CODES].index(finding.code),
        "level": finding.severity,
        "message": {"text": _message(told, finding)},
        "locations": [_location(told, clauses[0] if clauses else "", base, finding.place)],
        "relatedLocations": [
            {"id": number, **_location(told, clause, base), "message": {"text": clause}}
            for number, clause in enumerate(clauses[1:], 1)
        ],
        "partialFingerprints": {
            "findingId/v1": finding.id,
            # a code host tells results of one rule on one line apart by this alone
            "primaryLocationLineHash": f"{hashlib.sha256(finding.id.encode()).hexdigest()[:16]}:1",
        },
        "suppressions": [
            {"kind": "inSource", "status": "accepted", "justification": finding.accepted}
        ] if finding.accepted else [],
        "properties": {name: answer[name] for name in _KEPT},
    }  # fmt: skip


def _message(told: Checked, finding: Finding) -> str:
    parts = [finding.message]
    if finding.witness is not None:
        parts.append(f"Witness: {witness_words(finding, told.say)}")
    parts += [f"As long as {words}" for words in range_words(finding)]
    return ". ".join(parts) + "."


def _location(told: Checked, clause: str, base: Base, place: Place | None = None) -> Json:
    found = place_in(told.book, clause, place)
    physical = {
        "artifactLocation": {"uri": address(base, found.file), "uriBaseId": base.name},
        "region": {"startLine": found.line},
    }
    return {"physicalLocation": physical, "logicalLocations": [{"name": clause, "kind": "clause"}]}
