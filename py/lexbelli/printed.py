"""A user's plain-text copy of a printed rulebook, split into its numbered clauses.

Copies come as they were scanned: running headers between the pages, bullets lost, lines broken in the
middle, a table of contents before each chapter, pieces of clauses out of their place. A clause begins
where its number stands before a title in capitals or at the start of a sentence; everywhere else a
number is a reference.
"""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import zip_longest

from lexbelli.errors import InputError, Place
from lexbelli.model import Clause
from lexbelli.terms import clause_key

_HEAD = re.compile(r"(?<![\w(./-])(\d{1,3}\.\d{1,4})(?=\s+[\"'\u201c\u2018(]?[A-Z])")
_CHAPTER = re.compile(r"(?<![\w(./-])(\d{1,3})\.\s+(?=[A-Z]{3})")
_REFERENCE = re.compile(r"(?<![\w.-])(\d{1,3}\.\d{1,4}[A-Z]?)(?![\w]|\.\d)")
_NUMBER_ALONE = re.compile(r"[\d\W]*")
_PRINTED_NUMBER = re.compile(r"\d+\.\d+[A-Z]?")
_PLURAL_ACRONYM = re.compile(r"\b[A-Z]{2,}s\b")
_LONGEST_TITLE = 120
_HEADER_REPEATS = 3


@dataclass(frozen=True, slots=True)
class PrintedClause:
    """One numbered clause of the text: "7.12" or, with its letter, "7.12A"."""

    number: str
    title: str
    text: str


@dataclass(frozen=True, slots=True)
class Comparison:
    """How a text and our headings compare."""

    clauses: tuple[PrintedClause, ...]
    only_in_text: tuple[str, ...]
    only_in_rulebook: tuple[str, ...]
    dangling: tuple[tuple[str, str], ...]  # clause, number of a clause that exists nowhere
    outside: tuple[tuple[str, str], ...]  # clause, number of a clause in another chapter


@dataclass(frozen=True, slots=True)
class _Span:
    start: int  # of the number
    body: int  # of what follows it
    number: str  # empty for a chapter's heading


# ---- splitting -----------------------------------------------------------------------------------


def split_text(text: str, file: str) -> list[PrintedClause]:
    """Return the clauses of a text, sorted by number; lettered ones after their clause.

    Raises InputError when no numbered clause is found.
    """
    joined = _join_lines(text)
    spans = _spans(joined)
    found: dict[str, PrintedClause] = {}
    for span, following in zip_longest(spans, spans[1:]):
        if not span.number:
            continue
        end = following.start if following else len(joined)
        clause = _clause(span.number, joined[span.body : end].strip())
        if clause is None:
            continue
        known = found.get(clause.number)
        if known is None or len(clause.text) > len(known.text):
            found[clause.number] = clause
    if not found:
        raise InputError("there is no numbered clause in this text", place=Place(file))
    whole = _rejoin(list(found.values()))
    return sorted(
        [piece for clause in whole for piece in _letters(clause)],
        key=lambda piece: clause_key(piece.number),
    )


def _join_lines(text: str) -> str:
    """Return the text on one line, without running headers and page numbers."""
    lines = [line.strip() for line in text.replace("\f", "\n").splitlines()]
    bare = [re.sub(r"\d+", "", line).strip() for line in lines]
    repeated = {
        line for line, count in Counter(bare).items() if count >= _HEADER_REPEATS and len(line) > 3
    }
    kept = []
    for line, stripped in zip(lines, bare, strict=True):
        header = stripped in repeated and not _HEAD.match(line) and not line.endswith((".", ";"))
        if line and not header and not (_NUMBER_ALONE.fullmatch(line) and line[:1].isdigit()):
            kept.append(line)
    return re.sub(r"\s+", " ", " ".join(kept))


def _spans(text: str) -> list[_Span]:
    """Return where clauses and chapters begin."""
    spans = [
        _Span(match.start(), match.end(), match.group(1))
        for match in _HEAD.finditer(text)
        if _begins_clause(text, match)
    ]
    spans += [_Span(match.start(), match.end(), "") for match in _CHAPTER.finditer(text)]
    return sorted(spans, key=lambda span: span.start)


def _begins_clause(text: str, match: re.Match[str]) -> bool:
    """Say whether a number begins a clause rather than referring to one."""
    after = text[match.end() :].lstrip()
    words = after.split(maxsplit=2)[:2]
    if len(words) == 2 and all(word.isupper() and len(word) > 1 for word in words):
        return True
    if _title(after)[0]:
        return True
    before = text[: match.start()].rstrip()
    return not before or before[-1] in ".:;!?\"'\u201d\u2019" or before.endswith(".)")


def _title(text: str) -> tuple[str, str]:
    """Split off a title in capitals that ends with a colon."""
    head, colon, rest = text[: _LONGEST_TITLE + 1].partition(":")
    plain = _PLURAL_ACRONYM.sub("", head)
    if colon and plain.upper() == plain and any(letter.isalpha() for letter in plain):
        return head.strip(), (rest + text[_LONGEST_TITLE + 1 :]).strip()
    return "", text


def _clause(number: str, body: str) -> PrintedClause | None:
    """Return a clause, or None for an entry of a table of contents."""
    title, text = _title(body)
    plain = _PLURAL_ACRONYM.sub("", text)
    if not title and plain.upper() == plain:
        return None
    return PrintedClause(number, title, text)


def _rejoin(clauses: Sequence[PrintedClause]) -> list[PrintedClause]:
    """Put a piece that begins in the middle of a sentence back behind the clause that lacks its end."""
    torn = [c for c in clauses if c.text and c.text[-1].islower()]
    hosts = [(c, m.start()) for c in clauses if (m := re.search(r"(?<=\. )[a-z]", c.text))]
    if len(torn) != 1 or len(hosts) != 1 or torn[0] is hosts[0][0]:
        return list(clauses)
    (host, start), (end,) = hosts[0], torn
    return [
        PrintedClause(c.number, c.title, c.text[:start].strip())
        if c is host
        else PrintedClause(c.number, c.title, f"{c.text} {host.text[start:]}")
        if c is end
        else c
        for c in clauses
    ]


def _letters(clause: PrintedClause) -> list[PrintedClause]:
    """Split a clause at its letters A., B., C. in their order, and leave out empty headings."""
    cuts: list[tuple[int, int, str]] = []
    place = 0
    for letter in "ABCDEFGHIJKLMNOPQRSTUVWXYZ":
        pattern = re.compile(rf"(?:^|(?<=[.:;)] )|(?<=and )|(?<=or )){letter}\.\s+(?=[\"(A-Z])")
        match = pattern.search(clause.text, place)
        if match is None:
            break
        cuts.append((match.start(), match.end(), letter))
        place = match.end()
    if len(cuts) == 1:
        cuts = []
    first = cuts[0][0] if cuts else len(clause.text)
    own = clause.text[:first].strip()
    pieces = [PrintedClause(clause.number, clause.title, own)] if own else []
    for (_, begin, letter), following in zip_longest(cuts, cuts[1:]):
        end = following[0] if following else len(clause.text)
        title, text = _title(clause.text[begin:end].strip())
        pieces.append(PrintedClause(f"{clause.number}{letter}", title, text))
    return pieces


# ---- comparing -----------------------------------------------------------------------------------


def printed_number(clause: str) -> str:
    """Return the printed number that one of our clause ids belongs to, or nothing."""
    match = _PRINTED_NUMBER.match(clause)
    return match.group() if match else ""


def printed_text(printed: Iterable[PrintedClause], clause: str) -> str | None:
    """Return the printed words of the number that one of our clauses belongs to."""
    number = printed_number(clause)
    return next((piece.text for piece in printed if piece.number == number), None)


def compare(printed: Sequence[PrintedClause], clauses: Sequence[Clause]) -> Comparison:
    """Return what the text has that the rulebook lacks, the other way round, and stray references."""
    theirs = {piece.number for piece in printed}
    ours = {number for clause in clauses if (number := printed_number(clause.id))}
    chapters = {number.partition(".")[0] for number in theirs}
    everywhere = theirs | ours | {number.rstrip("ABCDEFGHIJKLMNOPQRSTUVWXYZ") for number in theirs}
    dangling, outside = [], []
    for piece in printed:
        for number in dict.fromkeys(_REFERENCE.findall(piece.text)):
            if number.partition(".")[0] not in chapters:
                outside.append((piece.number, number))
            elif not any(known == number or known.startswith(number) for known in everywhere):
                dangling.append((piece.number, number))
    covered = {number for number in ours if number.partition(".")[0] in chapters}
    return Comparison(
        clauses=tuple(printed),
        only_in_text=tuple(sorted(theirs - ours, key=clause_key)),
        only_in_rulebook=tuple(sorted(covered - theirs, key=clause_key)),
        dangling=tuple(dangling),
        outside=tuple(outside),
    )
