"""Findings as one page of HTML that needs nothing else: no script, no other file."""

from collections.abc import Iterator
from dataclasses import dataclass

from lexbelli.check_words import Checked, count, extent, range_words, remarks, witness_words
from lexbelli.codes import CODES, Code
from lexbelli.exports import page
from lexbelli.findings import Finding
from lexbelli.roots import Group, groups_of


@dataclass(frozen=True, slots=True)
class Entry:
    """One finding as the page shows it."""

    finding: Finding
    clauses: tuple[tuple[str, str], ...]  # each with its title
    witness: str
    ranges: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Block:
    """A root and its findings."""

    group: Group
    extent: str
    entries: tuple[Entry, ...]


@dataclass(frozen=True, slots=True)
class Part:
    """All that was found of one code."""

    code: Code
    blocks: tuple[Block, ...]

    @property
    def size(self) -> int:
        """How many findings there are."""
        return sum(len(block.entries) for block in self.blocks)


def html(told: Checked) -> str:
    """Return a check as a page; a code is shown alone by following its link."""
    return page(
        "check.html",
        name=told.book.root.resolve().name,
        edition=told.book.edition,
        count=count(told.findings),
        parts=list(_parts(told)),
        proved=told.report.proved,
        remarks=remarks(told.report),
    )


def _parts(told: Checked) -> Iterator[Part]:
    by_code: dict[str, list[Group]] = {}
    for group in groups_of(told.findings):
        by_code.setdefault(group.code, []).append(group)
    for code, groups in by_code.items():
        yield Part(CODES[code], tuple(_block(told, group) for group in groups))


def _block(told: Checked, group: Group) -> Block:
    return Block(group, extent(group), tuple(_entry(told, one) for one in group.findings))


def _entry(told: Checked, finding: Finding) -> Entry:
    known = {clause.id: clause.title for clause in told.book.clauses}
    return Entry(
        finding,
        tuple((clause, known.get(clause, "")) for clause in dict.fromkeys(finding.clauses)),
        witness_words(finding, told.say),
        tuple(range_words(finding)),
    )
