"""What a change of a rulebook does: to what is legal and what follows, and to what check finds."""

import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from typing import TypeVar

from lexbelli.comparison import KINDS, Comparison, compare
from lexbelli.consistency import Asked, Consistency
from lexbelli.errors import LimitError, UnknownNameError
from lexbelli.findings import every
from lexbelli.model import Clause, ClauseChange, Overlay
from lexbelli.search import Deadline
from lexbelli.sides import Side
from lexbelli.suggest import did_you_mean
from lexbelli.together import together

T = TypeVar("T")

SECONDS = 60.0
_COMPARED = "what the two say otherwise"
_CHECKED = "which findings come and go"


@dataclass(frozen=True, slots=True)
class ChangedClause:
    """One clause that the two sides do not have alike.

    `way` is "redefined", "added" or "withdrawn", seen from the old side; `told` is the overlay that
    speaks of it, with what it says there, and None where none does.
    """

    clause: str
    way: str
    old: Clause | None
    new: Clause | None
    told: tuple[Overlay, ClauseChange] | None
    clarifies: bool
    relations: tuple[str, ...]  # of the subjects on which it brings a difference about

    @property
    def title(self) -> str:
        """Its title, by preference the new one."""
        clause = self.new or self.old
        return clause.title if clause else ""


@dataclass(frozen=True, slots=True)
class Errata:
    """What a change does. What the time limit cut is None, and named among the `unknown`.

    `part` says that only some of the subjects are told.
    """

    old: Side
    new: Side
    comparison: Comparison | None
    consistency: Consistency | None
    unknown: tuple[str, ...]
    seconds: float = 0.0
    part: bool = False

    @property
    def relation(self) -> str:
        """How the two compare: "equivalent", "different" or "unknown"."""
        if self.comparison is None:
            return "unknown"
        return "different" if self.comparison.differences else "equivalent"

    @property
    def verdict(self) -> str:
        """The same in words."""
        return f"{self.relation}{' in what was asked about' if self.part else ''}"


def errata(  # noqa: PLR0913 - what is asked, within which limits, and by how many
    old: Side,
    new: Side,
    seconds: float = SECONDS,
    progress: Callable[[str], None] | None = None,
    *,
    findings: bool = True,
    apart: bool = False,
) -> Errata:
    """Return what differs between two sides, and which findings of a check that brings and removes.

    These are left out unless `findings` is true. `seconds` limits all of it together; `progress` is
    told each question before it is asked. When `apart`, half of the work is done at the same time in a
    process of its own, a fork of this one: not where other threads work. Raises RulebookError when a
    difference does not show again, which is a bug of the program.
    """
    begin = time.monotonic()
    deadline = Deadline(seconds)

    def compared() -> Comparison | None:
        if progress is not None:
            progress(_COMPARED)
        whole = apart and not findings
        return _in_time(partial(compare, old.book, new.book, deadline, apart=whole))

    asked = Asked(old, new, deadline, None if apart else progress, apart=apart)
    checked: Consistency | None = None
    if findings:

        def here() -> tuple[Comparison | None, frozenset[str] | None]:
            return compared(), _in_time(partial(asked.known, old))

        (comparison, known), after = together(
            here, partial(_in_time, partial(asked.findings, new, every)), apart=apart
        )
        if known is not None and after is not None:
            if progress is not None:
                progress(_CHECKED)
            checked = _in_time(partial(asked.consistency, known, after))
    else:
        comparison = compared()
    cut = [_COMPARED] * (comparison is None) + [_CHECKED] * (findings and checked is None)
    return Errata(
        old,
        new,
        comparison,
        checked,
        tuple(f"{words}: unknown within {seconds:g} s" for words in cut),
        time.monotonic() - begin,
    )


def _in_time(task: Callable[[], T]) -> T | None:
    """Return what a task comes to, None when the time is over before."""
    with suppress(LimitError):
        return task()
    return None


def about(found: Errata, kinds: tuple[str, ...], subjects: tuple[str, ...]) -> Errata:
    """Return what was found about some kinds of subject, or about subjects of some name.

    None named stands for all. Raises UnknownNameError for a subject that is not there.
    """
    comparison = found.comparison
    if comparison is None or not (kinds or subjects):
        return found
    every = {one.subject for one in comparison.differences}
    every |= {subject for alike in comparison.equivalent.values() for subject in alike}
    names = {name for subject in every for name in (subject, subject.partition("(")[0])}
    for subject in subjects:
        if subject not in names:
            alike = {name for name in names if name.partition("(")[0] == subject.partition("(")[0]}
            raise UnknownNameError(
                f"neither side speaks of {subject!r}", hint=did_you_mean(subject, alike or names)
            )

    def wanted(kind: str, subject: str) -> bool:
        told = {subject, subject.partition("(")[0]}
        return (not kinds or kind in kinds) and (not subjects or bool(told & {*subjects}))

    differences = tuple(d for d in comparison.differences if wanted(d.kind, d.subject))
    equivalent = {
        kind: tuple(subject for subject in alike if wanted(kind, subject))
        for kind, alike in comparison.equivalent.items()
    }
    told = replace(comparison, differences=differences, equivalent=equivalent)
    return replace(found, comparison=told, part=True)


def changed_clauses(found: Errata) -> list[ChangedClause]:
    """Return each clause that the sides do not have alike, in the order of their numbers."""
    if found.comparison is None:
        return []
    relations: dict[str, dict[str, None]] = {}
    for difference in found.comparison.differences:
        for clause in difference.clauses:
            relations.setdefault(clause, {})[difference.relation] = None
    told = _told(found)
    return [
        ChangedClause(
            clause,
            "added" if old is None else "withdrawn" if new is None else "redefined",
            old,
            new,
            told.get(clause),
            clause in found.comparison.clarifications,
            tuple(relations.get(clause, ())),
        )
        for clause in found.comparison.changed
        for old, new in [(found.old.book.clause(clause), found.new.book.clause(clause))]
    ]


def unchanged_clauses(found: Errata) -> list[str]:
    """Return the clauses that both sides have in the same words and rules."""
    changed = set(found.comparison.changed) if found.comparison else set()
    return [clause.id for clause in found.new.book.clauses if clause.id not in changed]


def proved(found: Errata) -> list[str]:
    """Return what was proved, in sentences."""
    if found.comparison is None:
        return []
    lines = []
    for kind in KINDS:
        alike = len(found.comparison.equivalent.get(kind, ()))
        every = alike + sum(one.kind == kind for one in found.comparison.differences)
        if alike:
            some = "all" if alike == every else f"{alike} of"
            lines.append(
                f"{some} {counted(every, kind)} "
                f"{'is' if every == 1 else 'are'} answered alike in all positions that can be"
            )
    for clause in found.comparison.clarifications:
        lines.append(f"{clause} is changed in words only: it changes no answer")
    return lines


_SEVERAL: Mapping[str, str] = {"duty": "duties", "quantity": "quantities"}


def counted(number: int, kind: str) -> str:
    """Return a number of subjects of a kind in words."""
    return f"{number} {kind if number == 1 else _SEVERAL.get(kind, f'{kind}s')}"


def _told(found: Errata) -> dict[str, tuple[Overlay, ClauseChange]]:
    """Return the overlays that speak of clauses: those of the new side before those of the old."""
    return {
        change.clause: (overlay, change)
        for side in (found.old, found.new)
        for overlay in side.book.overlays
        for change in overlay.changes
    }
