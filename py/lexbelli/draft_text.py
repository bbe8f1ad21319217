"""A draft of an erratum as the text of an overlay: its head, and the whole clause that it redefines."""

import re
import textwrap
from collections.abc import Sequence
from pathlib import Path

from lexbelli.drafts import OVERRIDE, Draft, Edit
from lexbelli.findings import Finding
from lexbelli.norms import place_of
from lexbelli.phrases import wording
from lexbelli.rulebook import Rulebook
from lexbelli.source import read_text
from lexbelli.terms import split_arguments

_CHANGE_LINE = re.compile(r"%\s*redefined:")
_WIDTH = 100
_NAMED = 3  # subjects that the reason names


def overlay_text(book: Rulebook, finding: Finding, draft: Draft) -> str:
    """Return the overlay of a draft, ready to edit; the clause is kept as its file has it."""
    what = told(draft)
    reason = (
        f"{' and '.join(finding.clauses)} disagree about this: {_about(book, finding)}. Here "
        f"{draft.clause} is changed: {what}. Say why the text should have it so."
    )
    title = f"{draft.clause} {'above' if draft.way == OVERRIDE else 'gives way to'} {draft.other}"
    head = [f"%# title: {title}", "%# date: undated", f"%# for: {book.edition}"]
    head += textwrap.wrap(
        reason,
        _WIDTH,
        initial_indent="%# reason: ",
        subsequent_indent="%#         ",
        break_long_words=False,
        break_on_hyphens=False,
    )
    heading, *rest = _block(book, draft)
    return "\n".join([*head, "", heading, f"% redefined: {what}", *rest]) + "\n"


def told(draft: Draft) -> str:
    """Say what a draft changes in its clause."""
    if draft.way == OVERRIDE:
        return f"it stands above {draft.other}"
    return f"it gives way to {draft.other}, with the condition {'; '.join(draft.conditions)}"


def _about(book: Rulebook, finding: Finding) -> str:
    """Say what a finding is about."""
    terms = dict.fromkeys(
        term
        for subject in finding.subjects
        for term in (
            split_arguments(subject) if subject.startswith(("both(", "change(")) else (subject,)
        )
    )
    said = [wording(book).say(term) for term in terms]
    more = f", and {len(said) - _NAMED} more" if len(said) > _NAMED else ""
    return "; ".join(said[:_NAMED]) + more


def _block(book: Rulebook, draft: Draft) -> Sequence[str]:
    """Return the lines of a clause as its file has them, with the edits of a draft made."""
    clause = book.clause(draft.clause)
    assert clause is not None
    lines = read_text(Path(clause.place.file)).splitlines()
    first = clause.place.line - 1
    end = next((n for n in range(first + 1, len(lines)) if lines[n].startswith("%##")), len(lines))
    for edit in sorted((e for e in draft.edits if e.norm is not None), key=_begin, reverse=True):
        end += _replaced(lines, edit)
    block = [line for line in lines[first:end] if not _CHANGE_LINE.match(line)]
    while not block[-1].strip():
        block.pop()
    for edit in draft.edits:
        if edit.norm is None:
            block += [edit.comment, *(line for rule in edit.rules for line in rule.splitlines())]
    return block


def _begin(edit: Edit) -> tuple[int, int]:
    assert edit.norm is not None
    place = place_of(edit.norm.rule)
    return place.line, place.column


def _replaced(lines: list[str], edit: Edit) -> int:
    """Write rules in place of one of a file, and return how many lines that adds."""
    assert edit.norm is not None
    begin, end = edit.norm.rule.location.begin, edit.norm.rule.location.end
    # clingo counts bytes
    before = lines[begin.line - 1].encode()[: begin.column - 1].decode().rstrip()
    after = lines[end.line - 1].encode()[end.column - 1 :].decode().strip()
    new = [before] if before else []
    new += [edit.comment, *(line for rule in edit.rules for line in rule.splitlines())]
    new += [after] if after else []
    lines[begin.line - 1 : end.line] = new
    more: int = len(new) - (end.line - begin.line + 1)
    return more
