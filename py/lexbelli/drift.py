"""What a printed text has that the headings lack, the other way round, and where it refers to."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from lexbelli.model import Clause
from lexbelli.printed import PrintedClause
from lexbelli.terms import clause_key

_REFERENCE = re.compile(r"(?<![\w.$/-])(\d{1,3}\.\d{1,4}[A-Z]?)(?![\w]|\.\d)")
_PRINTED_NUMBER = re.compile(r"\d+\.\d+[A-Z]?")
_SHARE = 3  # a chapter is in the text with one in so many of its clauses; an unknown one, with so many


@dataclass(frozen=True, slots=True)
class Comparison:
    """How a text and our headings compare.

    `chapters` are those that the text has; `unread` are clauses that it seems to have, but in a form
    that could not be told apart from the rest.
    """

    clauses: tuple[PrintedClause, ...]
    chapters: tuple[str, ...]
    only_in_text: tuple[str, ...]
    only_in_rulebook: tuple[str, ...]
    unread: tuple[str, ...]
    dangling: tuple[tuple[str, str], ...]  # clause, number of a clause that exists nowhere
    outside: tuple[tuple[str, str], ...]  # clause, number of a clause in another chapter


def printed_number(clause: str) -> str:
    """Return the printed number that one of our clause ids belongs to, or nothing."""
    match = _PRINTED_NUMBER.match(clause)
    return match.group() if match else ""


def printed_text(printed: Iterable[PrintedClause], clause: str) -> str | None:
    """Return the printed words of the number that one of our clauses belongs to."""
    number = printed_number(clause)
    return next((piece.text for piece in printed if piece.number == number), None)


def chapter_of(number: str) -> str:
    """Return the chapter of a clause number."""
    return number.partition(".")[0]


def compare(text: str, printed: Sequence[PrintedClause], clauses: Sequence[Clause]) -> Comparison:
    """Compare a text, and the clauses it was split into, with the catalogue."""
    theirs = {piece.number for piece in printed}
    ours = {number for clause in clauses if (number := printed_number(clause.id))}
    chapters = {
        chapter
        for chapter in {chapter_of(number) for number in theirs}
        if _is_there(chapter, theirs, ours)
    }
    covered = {number for number in ours if chapter_of(number) in chapters}
    missing = covered - theirs
    unread = {number for number in missing if _stands_in(text, number)}
    everywhere = theirs | ours
    dangling, outside = [], []
    for piece in printed:
        for number in dict.fromkeys(_REFERENCE.findall(piece.text)):
            if chapter_of(number) not in chapters:
                outside.append((piece.number, number))
            elif not any(known.startswith(number) for known in everywhere):
                dangling.append((piece.number, number))
    return Comparison(
        clauses=tuple(printed),
        chapters=tuple(sorted(chapters, key=clause_key)),
        only_in_text=tuple(sorted(theirs - ours - _headings(theirs, ours), key=clause_key)),
        only_in_rulebook=tuple(sorted(missing - unread, key=clause_key)),
        unread=tuple(sorted(unread, key=clause_key)),
        dangling=tuple(dangling),
        outside=tuple(outside),
    )


def _is_there(chapter: str, theirs: set[str], ours: set[str]) -> bool:
    """Say whether a text has a chapter, and not just a stray number of it."""
    known = {number for number in ours if chapter_of(number) == chapter}
    found = {number for number in theirs if chapter_of(number) == chapter}
    return len(found & known) * _SHARE >= len(known) if known else len(found) >= _SHARE


def _headings(theirs: set[str], ours: set[str]) -> set[str]:
    """Return the numbers that only head others, such as 7.2 over 7.21."""
    return {
        number
        for number in theirs
        if not number[-1].isalpha()
        and any(
            other != number and other.startswith(number) and other[len(number)].isdigit()
            for other in ours
        )
    }


def _stands_in(text: str, number: str) -> bool:
    """Say whether the text has the number at the start of a line, in whatever form."""
    chapter, _, rest = number.rstrip("ABCDEFGHIJKLMNOPQRSTUVWXYZ").partition(".")
    if number[-1].isalpha():
        letter = number[-1]
        return bool(
            re.search(rf"(?m)^\W*(?:{chapter}\W{{1,2}}{rest}\W?)?{letter}\W", text, re.IGNORECASE)
        )
    return bool(re.search(rf"(?m)^\W*(?:\w+\s)?{chapter}\s?[.,\u00b7]\s?{rest}(?!\d)", text))
