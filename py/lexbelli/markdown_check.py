"""Findings as Markdown, to be part of a report: root causes, and under each every finding."""

from collections.abc import Iterator

from lexbelli.check_words import Checked, count, extent, range_words, remarks, witness_words
from lexbelli.codes import CODES
from lexbelli.exports import escaped
from lexbelli.findings import Finding
from lexbelli.roots import Group, groups_of


def markdown(told: Checked) -> str:
    """Return a check as Markdown."""
    lines = [f"# Check of {escaped(told.book.root.resolve().name)}", ""]
    lines += [f"Edition {escaped(told.book.edition)}: {count(told.findings)}.", ""]
    lines += [*_table(told), ""] if told.findings else []
    for group in groups_of(told.findings):
        lines += [*_group(told, group), ""]
    if told.report.proved:
        lines += ["## Proved", "", *(f"- {escaped(one)}" for one in told.report.proved), ""]
    left = remarks(told.report)
    if left:
        lines += ["## Unknown and out of date", ""]
        lines += [*(f"- **{mark}**: {escaped(words)}" for mark, words in left), ""]
    return "\n".join(lines).rstrip("\n") + "\n"


def _table(told: Checked) -> Iterator[str]:
    yield "| code | meaning | severity | open | accepted |"
    yield "| --- | --- | --- | ---: | ---: |"
    for code in CODES.values():
        ones = [finding for finding in told.findings if finding.code == code.code]
        accepted = sum(bool(finding.accepted) for finding in ones)
        if ones:
            yield (
                f"| {code.code} | {code.name} | {code.severity} | {len(ones) - accepted} | {accepted} |"
            )


def _group(told: Checked, group: Group) -> Iterator[str]:
    against = f" with {', '.join(group.others)}" if group.others else ""
    yield f"## {group.code} {CODES[group.code].name}: {escaped(group.root + against)}"
    yield ""
    yield f"{extent(group)}."
    yield ""
    for finding in group.findings:
        yield from _finding(told, finding)


def _finding(told: Checked, finding: Finding) -> Iterator[str]:
    more = f" And for {len(finding.subjects) - 1} more." if len(finding.subjects) > 1 else ""
    yield f"- **{escaped(' / '.join(finding.clauses))}** {escaped(finding.message)}.{more}"
    if finding.witness is not None:
        yield f"  - witness: {escaped(witness_words(finding, told.say))}"
    for words in range_words(finding):
        yield f"  - as long as {escaped(words)}"
    if finding.core:
        yield f"  - brought about by {escaped(' '.join(finding.core))}"
    if finding.accepted:
        yield f"  - **accepted**: {escaped(finding.accepted)}"
    else:
        yield f"  - {escaped(finding.suggestion)}"
    yield f"  - id `{finding.id}`"
