"""Findings as JUnit XML, which build servers count: an open finding is a failed test.

Accepted findings are skipped tests, notes and proved statements passed ones, and a question that the
time limit cut is an error.
"""

import re
from collections.abc import Iterable, Iterator
from xml.etree import ElementTree
from xml.etree.ElementTree import Element, SubElement

from lexbelli.check_words import Checked, out_of_date, range_words, witness_words
from lexbelli.codes import CODES
from lexbelli.findings import Finding
from lexbelli.places import address, base_of, place_in

# what XML 1.0 cannot hold, however it is written
_BARRED = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_COUNTED = {"failures": "failure", "errors": "error", "skipped": "skipped"}


def junit(told: Checked) -> str:
    """Return a check as JUnit XML: a suite for each code, for the proofs, and for what was cut."""
    every = Element("testsuites", name="lexbelli check")
    by_code: dict[str, list[Finding]] = {}
    for finding in told.findings:
        by_code.setdefault(finding.code, []).append(finding)
    for code, findings in by_code.items():
        _suite(every, f"{code} {CODES[code].name}", (_finding(told, one) for one in findings))
    report = told.report
    _suite(every, "proved", (_case("proved", statement) for statement in report.proved))
    _suite(every, "unknown", _cut(report.unknown))
    _suite(every, "acceptances", _remarks(out_of_date(report)))
    for count in ("tests", *_COUNTED):
        every.set(count, str(sum(int(suite.get(count, "0")) for suite in every)))
    ElementTree.indent(every)
    written = ElementTree.tostring(every, encoding="unicode")
    return f'<?xml version="1.0" encoding="utf-8"?>\n{written}\n'


def _suite(every: Element, name: str, cases: Iterable[Element]) -> None:
    """Add a suite with its counts, unless it has no test."""
    suite = Element("testsuite", name=clean(name))
    suite.extend(cases)
    if len(suite):
        suite.set("tests", str(len(suite)))
        for count, mark in _COUNTED.items():
            suite.set(count, str(len(suite.findall(f"testcase/{mark}"))))
        every.append(suite)


def _finding(told: Checked, finding: Finding) -> Element:
    case = _case(f"{finding.code}.{finding.root}" if finding.root else finding.code, finding.id)
    if finding.accepted:
        SubElement(case, "skipped", message=clean(finding.accepted))
    elif finding.severity == "note":
        SubElement(case, "system-out").text = clean(finding.message)
    else:
        failure = SubElement(case, "failure", type=finding.severity, message=clean(finding.message))
        failure.text = clean("\n".join(_details(told, finding)))
    return case


def _details(told: Checked, finding: Finding) -> Iterator[str]:
    base = base_of(told.book)
    if finding.place is not None:
        yield f"{address(base, finding.place.file)}:{finding.place.line}"
    for clause in dict.fromkeys(finding.clauses):
        known = told.book.clause(clause)
        if known is not None:
            place = place_in(told.book, clause)
            yield f"{address(base, place.file)}:{place.line}: {clause} {known.title}"
    if finding.witness is not None:
        yield f"witness: {witness_words(finding, told.say)}"
    yield from (f"as long as {words}" for words in range_words(finding))
    if finding.core:
        yield f"brought about by {' '.join(finding.core)}"
    yield finding.suggestion


def _cut(questions: Iterable[str]) -> Iterator[Element]:
    for question in questions:
        case = _case("unknown", question.partition(":")[0])
        SubElement(case, "error", type="unknown", message=clean(question))
        yield case


def _remarks(lines: Iterable[tuple[str, str]]) -> Iterator[Element]:
    for mark, words in lines:
        case = _case(mark, words.partition(",")[0])
        SubElement(case, "system-out").text = clean(f"{mark}: {words}")
        yield case


def _case(group: str, name: str) -> Element:
    return Element("testcase", classname=clean(group), name=clean(name))


def clean(text: str) -> str:
    """Return a text that XML can hold: other characters are written as their numbers."""
    return _BARRED.sub(lambda match: f"\\x{ord(match.group()):02x}", text)
