"""A change as Markdown for a published errata sheet: clause by clause, with example positions."""

from collections.abc import Iterator

from lexbelli.codes import CODES
from lexbelli.errata import Errata, counted, proved, unchanged_clauses
from lexbelli.errata_sheet import Example, Row, rows
from lexbelli.errata_words import order_words, overlay_words
from lexbelli.exports import escaped
from lexbelli.findings import Finding


def markdown(found: Errata) -> str:
    """Return what a change does as an errata sheet."""
    lines = [f"# From {escaped(found.old.name)} to {escaped(found.new.name)}", ""]
    for side in (found.old, found.new):
        for overlay in side.book.overlays:
            lines += [f"**{escaped(overlay_words(overlay))}**. {escaped(overlay.reason)}", ""]
    lines += [f"The two are **{found.verdict}**.", ""]
    for question in found.unknown:
        lines += [f"**unknown**: {escaped(question)}", ""]
    told = rows(found)
    if told:
        lines += [*_table(told), ""]
    for row in told:
        lines += [*_row(row), ""]
    proofs = [f"- {escaped(line)}" for line in proved(found)]
    same = unchanged_clauses(found) if found.comparison else []
    if same:
        proofs.append(f"- {counted(len(same), 'clause')} the same in both, word for word")
    if proofs:
        lines += ["## Proved", "", *proofs, ""]
    if found.consistency is not None:
        lines += ["## Findings", "", *_findings(found), ""]
    return "\n".join(lines).rstrip("\n") + "\n"


def _table(told: list[Row]) -> Iterator[str]:
    yield "| clause | title | change | effect in play |"
    yield "| --- | --- | --- | --- |"
    for row in told:
        effect = ", ".join(dict.fromkeys(one.relation for one in row.effects))
        effect = effect or ("clarification" if row.clarifies else "see below")
        yield f"| {escaped(row.clause)} | {escaped(row.title)} | {row.way} | {effect} |"


def _row(row: Row) -> Iterator[str]:
    yield f"## {escaped(row.clause)} {escaped(row.title)}"
    yield ""
    yield f"- **old sense**: {escaped(row.old)}"
    yield f"- **new sense**: {escaped(row.new)}"
    if row.reason:
        yield f"- **reason**: {escaped(row.reason)}"
    if row.remark:
        yield f"- **{'clarification' if row.clarifies else 'effect'}**: {escaped(row.remark)}"
    for effect in row.effects:
        yield f"- **effect**: {effect.relation} ({effect.meaning}): {escaped(effect.about)}"
        for example in effect.examples:
            yield from _example(example)


def _example(example: Example) -> Iterator[str]:
    yield f"  - example ({example.way}): {escaped(example.position)}"
    yield f"    - old: {escaped(example.old)}"
    yield f"    - new: {escaped(example.new)}"
    for words in example.ranges:
        yield f"    - as long as {escaped(words)}"
    if example.together:
        yield f"    - together with {escaped(' '.join(example.together))}"


def _findings(found: Errata) -> Iterator[str]:
    told = found.consistency
    assert told is not None
    for mark, findings in (("brought", told.brought), ("removed", told.removed)):
        for finding in findings:
            yield f"- **{mark}** {_finding(finding)}"
    if not (told.brought or told.removed):
        yield "- no finding comes or goes"
    if told.kept:
        yield f"- {counted(len(told.kept), 'finding')} left as before"
    yield from (f"- {escaped(line)}" for line in order_words(told))


def _finding(finding: Finding) -> str:
    return (
        f"{finding.code} {CODES[finding.code].name}, {escaped(' / '.join(finding.clauses))}: "
        f"{escaped(finding.message)}{' (accepted)' if finding.accepted else ''}"
    )
