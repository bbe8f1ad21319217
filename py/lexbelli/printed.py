"""A user's plain-text copy of a printed rulebook, split into its numbered clauses.

Copies come as they were scanned: running headers between the pages, bullets lost, lines broken in the
middle, a table of contents before each chapter, pieces of clauses out of their place. At the start of a
line a number may be written in many ways; within a line it begins a clause only before a title in
capitals or after a finished sentence. Everywhere else a number is a reference.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import zip_longest

from lexbelli.errors import InputError, Place
from lexbelli.scan import CLOSERS, Line, finished, read_lines
from lexbelli.terms import clause_key

_NUMBER = r"(\d{1,3})\s?\.\s?(\d{1,4})"
_AT_START = re.compile(
    rf"(?:[*\u2022\u00b7o-]\s+|\u00a7\s*|(?:Rule|Section|Clause)\s+)?[\[(]?{_NUMBER}([A-Z]?)"
    r"[\])]?\s?[.:)\u2013\u2014-]{0,2}(?:\s+|$)(.*)",
    re.IGNORECASE,
)
_WITHIN = re.compile(r"(?<![\w(./-])(\d{1,3}\.\d{1,4})(?=\s+[\"'\u201c\u2018(]?[A-Z])")
_CHAPTER_LINE = re.compile(
    r"(?:(?:rule|chapter)\s+)?(\d{1,3})\.?\s+([A-Z][A-Z '\u2019,&/-]+)", re.IGNORECASE
)
_CHAPTER_WITHIN = re.compile(r"(?<![\w(./-])(\d{1,3})\.\s+[A-Z][A-Z\s'\u2019,&/-]+(?=\s\d{1,3}\.)")
_BREAK = re.compile(r"(?:table of )?contents|index|errata", re.IGNORECASE)
_REFERS = re.compile(
    r"(?:\b(?:rules?|sections?|clauses?|see|in|of|by|under|to|and|or|per|with|from|cf\.|sec\.|as)|EXCEPTIONS?:|[,(])$",
    re.IGNORECASE,
)
_ABBREVIATION = re.compile(
    r"(?:\b(?:i\.e|e\.g|vs|approx|cf|etc|ca|no|sec|max|min)|\b[A-Z])\.$", re.IGNORECASE
)
_PLURAL_ACRONYM = re.compile(r"\b[A-Z]{2,}s\b")
_LONGEST_TITLE = 120
_SENTENCE = 6  # words that make a sentence of what stands behind a number


@dataclass(frozen=True, slots=True)
class PrintedClause:
    """One numbered clause of the text: "7.12" or, with its letter, "7.12A"."""

    number: str
    title: str
    text: str


@dataclass(frozen=True, slots=True)
class _Span:
    start: int  # of the number
    body: int  # of what follows it
    number: str  # empty where something else begins


def split_text(text: str, file: str) -> list[PrintedClause]:
    """Return the clauses of a text, sorted by number; lettered ones after their clause.

    Raises InputError when no numbered clause is found.
    """
    lines = read_lines(text)
    joined = "\n".join(line.text for line in lines)
    copies: dict[str, list[str]] = {}
    spans = sorted(_spans(lines, joined), key=lambda span: span.start)
    for span, following in zip_longest(spans, spans[1:]):
        body = joined[span.body : following.start if following else len(joined)].strip()
        if span.number and not _is_contents(body):
            copies.setdefault(span.number, []).append(body)
    if not copies:
        raise InputError("there is no numbered clause in this text", place=Place(file))
    bodies = {number: max(found, key=_completeness) for number, found in copies.items()}
    bodies = {n: body for n, body in bodies.items() if not _is_heading(n, body, bodies)}
    pieces = [piece for n, body in _rejoin(bodies).items() for piece in letters(n, body)]
    return sorted(pieces, key=lambda piece: clause_key(piece.number))


def _flat(text: str) -> str:
    return " ".join(text.split())


# ---- where clauses begin -------------------------------------------------------------------------


def _spans(lines: Sequence[Line], joined: str) -> Iterator[_Span]:
    """Return where clauses, chapters and lists begin."""
    offset, starts, last = 0, set[int](), ""
    chapters = {
        m.group(1)
        for m in _WITHIN.finditer(joined)
        if _title(_flat(joined[m.end() : m.end() + 200]))[0]
    }
    chapters = {number.partition(".")[0] for number in chapters}
    for place, line in enumerate(lines):
        before = lines[place - 1] if place else Line("", True)
        ahead = lines[place + 1].text if place + 1 < len(lines) else ""
        match = _AT_START.fullmatch(line.text)
        if match and _begins(match, before, line, ahead, last):
            last = f"{match.group(1)}.{match.group(2)}"
            chapters.add(match.group(1))
            starts.add(offset + match.start(1))
            yield _Span(offset, offset + match.start(4), f"{last}{match.group(3).upper()}")
        elif finished(before.text) and _begins_other(line.text):
            yield _Span(offset, offset + len(line.text), "")
        offset += len(line.text) + 1
    for match in _WITHIN.finditer(joined):
        known = match.group(1).partition(".")[0] in chapters
        if match.start() not in starts and known and _begins_within(joined, match):
            yield _Span(match.start(), match.end(), match.group(1))
    for match in _CHAPTER_WITHIN.finditer(joined):
        if finished(joined[: match.start()].rstrip()):
            yield _Span(match.start(), match.end(), "")


def _begins_other(line: str) -> bool:
    """Say whether a line begins a chapter, a table of contents, an index."""
    chapter = _CHAPTER_LINE.fullmatch(line)
    return bool(_BREAK.fullmatch(line)) or (chapter is not None and chapter.group(2).isupper())


def _begins(match: re.Match[str], before: Line, line: Line, ahead: str, last: str) -> bool:
    """Say whether the number at the start of a line begins a clause rather than going on."""
    rest = match.group(4) or ahead
    if not rest or rest[0] in ",;.)-\u2013" or _WITHIN.match(rest):
        return False
    ready = finished(before.text) or line.after_blank
    bracket = re.search(r"[()\[\]]", line.text[: match.start(4)])
    if (_title(rest)[0] or _shouts(rest)) and (ready or not bracket):
        return True
    if _REFERS.search(before.text) or (match.group(4) and rest[:1].islower()):
        return False
    return ready or _follows(last, f"{match.group(1)}.{match.group(2)}")


def _follows(last: str, number: str) -> bool:
    """Say whether a number is the next after another, on its level or one below or above."""
    if not last or last.partition(".")[0] != number.partition(".")[0]:
        return False
    old, new = last.partition(".")[2], number.partition(".")[2]
    return new == f"{old}1" or any(
        new in (f"{old[: k - 1]}{int(old[k - 1]) + 1}", f"{old[: k - 1]}{int(old[k - 1]) + 1}1")
        for k in range(1, len(old) + 1)
        if old[k - 1] != "9"
    )


def _shouts(text: str) -> bool:
    """Say whether a text begins with two words in capitals."""
    words = text.split(maxsplit=2)[:2]
    return len(words) > 1 and all(word.isupper() and len(word) > 1 for word in words)


def _begins_within(text: str, match: re.Match[str]) -> bool:
    """Say whether a number within a line begins a clause rather than referring to one."""
    after = _flat(text[match.end() : match.end() + 300])
    if _title(after)[0]:
        return True
    before = text[: match.start()].rstrip()
    if "\n" in text[len(before) : match.start()] or _REFERS.search(before[-20:]):
        return False
    return _shouts(after) or not before or before[-1] in CLOSERS


def _title(text: str) -> tuple[str, str]:
    """Split off a title in capitals that ends with a colon."""
    head, colon, rest = text[: _LONGEST_TITLE + 1].partition(":")
    plain = _PLURAL_ACRONYM.sub("", head)
    if colon and plain.upper() == plain and any(letter.isalpha() for letter in plain):
        return head.strip(), (rest + text[_LONGEST_TITLE + 1 :]).strip()
    return "", text


# ---- what a clause is ----------------------------------------------------------------------------


def _is_contents(body: str) -> bool:
    """Say whether a text is an entry of a table of contents: a heading and nothing behind it."""
    title, text = _title(_flat(body))
    plain = _PLURAL_ACRONYM.sub("", text)
    return not title and (plain.upper() == plain or not re.search(r"[.;:!?)\"\u201d]", text))


def _completeness(body: str) -> tuple[bool, bool, int]:
    """Rank the copies of one clause: with a title, ending like a sentence, long."""
    title, text = _title(_flat(body))
    return bool(title), bool(text) and text[-1] in CLOSERS, len(text)


def _is_heading(number: str, body: str, bodies: Iterable[str]) -> bool:
    """Say whether a number only heads others: what stands behind it is no sentence."""
    title, text = _title(_flat(body))
    sentence = bool(title and text) or (len(text.split()) >= _SENTENCE and text[-1] in CLOSERS)
    return not sentence and any(n != number and n.startswith(number) for n in bodies)


def _rejoin(bodies: dict[str, str]) -> dict[str, str]:
    """Put a piece that begins in the middle of a sentence back behind the clause that lacks its end."""
    torn = [number for number, body in bodies.items() if body and body[-1].islower()]
    hosts = [
        (number, match)
        for number, body in bodies.items()
        for match in re.finditer(r"(?<=\.)\s+(?=[a-z]{2})", body)
        if not _ABBREVIATION.search(body[: match.start()])
    ]
    if len(torn) != 1 or len(hosts) != 1 or torn[0] == hosts[0][0]:
        return bodies
    host, match = hosts[0]
    piece = bodies[host][match.end() :]
    return bodies | {host: bodies[host][: match.start()], torn[0]: f"{bodies[torn[0]]} {piece}"}


def letters(number: str, body: str) -> list[PrintedClause]:
    """Split a clause at its letters A., B., C. in their order, however they are written."""
    styles = (r"{}\.", r"{}\)", r"\({}\)", r"\[{}\]", r"{}:", rf"{re.escape(number)}{{}}[.:)]?")
    chains = [_chain(style, body, alphabet) for style in styles for alphabet in _ALPHABETS]
    cuts = max(chains, key=len)
    if len(cuts) == 1 and cuts[0][2] != "A":
        cuts = []
    title, own = _title(_flat(body[: cuts[0][0]] if cuts else body))
    pieces = [PrintedClause(number, title, own)] if own else []
    for (_, begin, letter), following in zip_longest(cuts, cuts[1:]):
        head, text = _title(_flat(body[begin : following[0] if following else len(body)]))
        pieces.append(PrintedClause(f"{number}{letter}", head, text))
    return pieces


_ALPHABETS = ("ABCDEFGHIJKLMNOPQRSTUVWXYZ", "abcdefghijklmnopqrstuvwxyz")


def _chain(style: str, body: str, alphabet: str) -> list[tuple[int, int, str]]:
    """Return the letters of one style in their order; one may be missing before the next."""
    cuts: list[tuple[int, int, str]] = []
    place, missed = 0, 0
    for letter in alphabet:
        mark = style.format(letter)
        pattern = re.compile(
            rf"(?:(?:^|(?<=\n))(?:[*\u2022\u00b7+o-]\s+)?|(?<=[.:;)\u201d,] )|(?<=and )|(?<=or )){mark}"
            r"(?:\s+|(?=[A-Z][a-z]))(?=[\"\u201c(A-Z\d])"
        )
        match = pattern.search(body, place)
        at_start = match is not None and (match.start() == 0 or body[match.start() - 1] == "\n")
        if match is None or (missed and not at_start):
            missed += 1
            if missed > 1:
                break
            continue
        cuts.append((match.start(), match.end(), letter.upper()))
        place, missed = match.end(), 0
    return cuts
