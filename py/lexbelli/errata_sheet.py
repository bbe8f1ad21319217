"""A change as a published errata sheet tells it: clause by clause, with what it does in play."""

from collections.abc import Iterator
from dataclasses import dataclass

from lexbelli.comparison import Shown
from lexbelli.errata import ChangedClause, Errata, changed_clauses
from lexbelli.errata_words import (
    MEANINGS,
    Block,
    Words,
    answer_words,
    blocks,
    more,
    named,
    reason_words,
)
from lexbelli.model import Clause


@dataclass(frozen=True, slots=True)
class Example:
    """A position and both answers; `together` are the other changed clauses that it takes."""

    way: str
    position: str
    ranges: tuple[str, ...]
    old: str
    new: str
    together: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Effect:
    """What a clause changes in play about subjects of one kind."""

    relation: str
    about: str
    meaning: str
    examples: tuple[Example, ...]


@dataclass(frozen=True, slots=True)
class Row:
    """One changed clause: what it said, what it says, why, and what that does."""

    clause: str
    title: str
    way: str
    old: str
    new: str
    reason: str
    effects: tuple[Effect, ...]
    clarifies: bool
    remark: str  # what there is to say where it has no effect of its own


def rows(found: Errata) -> list[Row]:
    """Return a row for each changed clause."""
    if found.comparison is None:
        return []
    words = Words(found.old.book, found.new.book)
    folded = blocks(found.comparison.differences)
    return [_row(one, folded, words) for one in changed_clauses(found)]


def _row(one: ChangedClause, folded: list[Block], words: Words) -> Row:
    effects = tuple(
        _effect(block, one.clause, words) for block in folded if one.clause in block.clauses
    )
    remark = ""
    if one.clarifies:
        remark = "it is proved that no answer changes, with the other changes and without them"
    elif not effects:
        remark = (
            "in the positions shown the other changes decide"
            if folded
            else "no answer changes in any position"
        )
    return Row(
        one.clause,
        one.title,
        one.way,
        _sense(one.old, "nothing: the clause is new"),
        _sense(one.new, "nothing: the clause is withdrawn"),
        reason_words(one.told),
        effects,
        one.clarifies,
        remark,
    )


def _sense(clause: Clause | None, absent: str) -> str:
    """Return what a clause says; its title where it has no gist."""
    return absent if clause is None else clause.gist or clause.title


def _effect(block: Block, clause: str, words: Words) -> Effect:
    return Effect(
        block.relation,
        words.subject(block.first) + more(block),
        MEANINGS[block.relation],
        tuple(_examples(block, clause, words)),
    )


def _examples(block: Block, clause: str, words: Words) -> Iterator[Example]:
    for shown in block.first.shown:
        if clause in shown.causes:
            yield _example(block.kind, shown, clause, words)


def _example(kind: str, shown: Shown, clause: str, words: Words) -> Example:
    return Example(
        shown.way,
        words.position(shown),
        tuple(words.ranges(shown)),
        answer_words(kind, shown.old),
        answer_words(kind, shown.new),
        tuple(other for other in named(shown.causes) if other != clause),
    )
