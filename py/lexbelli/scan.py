"""Lines of a scanned text, without what is not the text: page numbers, running headers, contents."""

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

CLOSERS = ".:;!?\"'\u201d\u2019)"  # what a finished sentence or heading ends with

_INVISIBLE = dict.fromkeys(map(ord, "\u00ad\u200b\u200c\u200d\u2060\ufeff"))
_MARKUP = re.compile(r"^\s*(?:>|#{1,6})\s+|\*\*|__")
_BROKEN_WORD = re.compile(r"([A-Za-z]{2})[-\u00ad\u00ac]\n\s*([a-z]{2})")
_LEADERS = re.compile(r"(?:\.{3,}|\u2026|(?:\. ){3,}|_{3,}|\t| {3,})\s*\d{1,3}$")
_PAGE = re.compile(
    r"[-\u2013\u2014\[(|\s]*(?:p(?:age|g|p)?\.?\s*)?(\d{1,4})(?:\s*(?:of|/)\s*\d+)?[-\u2013\u2014\])|\s]*",
    re.I,
)
_ROMAN = re.compile(r"[ivxl]{1,6}")
_RANGE = re.compile(r"\d{1,3}\.\d{1,4}\s*(?:-|\u2013|to)\s*\d{1,3}\.\d{1,4}")
_LONGEST_HEADER = 80
_HEADERS = 3  # how often a line must recur to be a header by that alone
_PAGES = 2  # how many numbers make a run of page numbers
_STEP = 3  # how far page numbers may be apart


@dataclass(frozen=True, slots=True)
class Line:
    """One line that belongs to the text."""

    text: str
    after_blank: bool


def read_lines(text: str) -> list[Line]:
    """Return the lines of a text that say something, each with its spaces folded."""
    text = unicodedata.normalize("NFKC", text).translate(_INVISIBLE)
    text = _BROKEN_WORD.sub(r"\1\2", text.replace("\r\n", "\n").replace("\r", "\n"))
    raw = [_MARKUP.sub("", line) for line in text.replace("\f", "\n").split("\n")]
    kept = ["" if _LEADERS.search(line.rstrip()) else " ".join(line.split()) for line in raw]
    for drop in (_page_numbers, _headers):
        gone = drop(kept)
        kept = ["" if number in gone else line for number, line in enumerate(kept)]
    return [Line(line, number > 0 and not kept[number - 1]) for number, line in enumerate(kept) if line]


def _near(lines: Sequence[str], number: int, step: int) -> str:
    """Return the next line that says something, in either direction."""
    number += step
    while 0 <= number < len(lines):
        if lines[number]:
            return lines[number]
        number += step
    return ""


def finished(line: str) -> bool:
    """Say whether a line ends a sentence or a heading, or is none."""
    return not line or line[-1] in CLOSERS or line.isupper()


def _interrupts(lines: Sequence[str], number: int) -> bool:
    """Say whether a line stands in the middle of a sentence that goes on behind it."""
    after = _near(lines, number, 1)
    return not finished(_near(lines, number, -1)) and after[:1].islower()


def _page_numbers(lines: Sequence[str]) -> set[int]:
    """Return the lines that are page numbers: an ascending run, or numbers between sentences."""
    found = [
        (n, int(m.group(1))) for n, line in enumerate(lines) if line and (m := _PAGE.fullmatch(line))
    ]
    gone = {n for n, line in enumerate(lines) if line and _ROMAN.fullmatch(line)}
    for run in _runs(found):
        gone.update(run)
    for number, _ in found:
        line = lines[number]
        alone = (
            line.isdigit()
            and finished(_near(lines, number, -1))
            and not _near(lines, number, 1)[:1].islower()
        )
        marked = not line.isdigit() and not line.endswith(".") and not line.startswith("(")
        if alone or marked or (line.isdigit() and _interrupts(lines, number)):
            gone.add(number)
    return gone


def _runs(found: Sequence[tuple[int, int]]) -> Iterator[list[int]]:
    """Return the longest run of lines whose numbers rise by small steps, if it is one of pages."""
    best: list[list[int]] = []
    for place, (line, value) in enumerate(found):
        before = [best[k] for k in range(place) if found[k][1] < value <= found[k][1] + _STEP]
        best.append([*max(before, key=len, default=[]), line])
    longest = max(best, key=len, default=[])
    if len(longest) > _PAGES:
        yield longest


def _headers(lines: Sequence[str]) -> set[int]:
    """Return the lines that recur as headers or footers of pages."""
    groups: dict[str, list[int]] = defaultdict(list)
    for number, line in enumerate(lines):
        if line and len(line) <= _LONGEST_HEADER:
            key = re.sub(r"[\W\d_]+", "", _RANGE.sub("", line)).casefold()
            groups[key or ("range" if _RANGE.fullmatch(line) else "")].append(number)
    gone: set[int] = set()
    for key, numbers in groups.items():
        if not key or any(_is_body(lines[number]) for number in numbers):
            continue
        many = len(numbers) >= _HEADERS or any(_interrupts(lines, number) for number in numbers)
        body = _repeats(lines, numbers) or _are_headings([lines[number] for number in numbers])
        if key == "range" or (len(numbers) > 1 and many and not body):
            gone.update(numbers)
    return gone


def _repeats(lines: Sequence[str], numbers: Sequence[int]) -> bool:
    """Say whether lines recur because the sentence they stand in does: it goes on in the same way."""
    before = {_near(lines, number, -1).rpartition(" ")[2] for number in numbers}
    after = {_near(lines, number, 1).partition(" ")[0] for number in numbers}
    return len(numbers) > 1 and (len(before) == 1 or len(after) == 1)


def _are_headings(lines: Sequence[str]) -> bool:
    """Say whether lines are a section and its first clause under the same title: 7.2, then 7.21."""
    starts = {match.group() for line in lines if (match := re.match(r"\d{1,3}\.\d+", line))}
    return any(one != other and other.startswith(one) for one in starts for other in starts)


def _is_body(line: str) -> bool:
    """Say whether a line is part of a sentence or a heading with text, however often it recurs."""
    return line[:1].islower() or line[-1] in ".:;,!?"
