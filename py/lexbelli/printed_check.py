"""A printed text against the rulebook: which clauses each has, and which terms the text uses."""

from collections.abc import Iterable, Iterator

from lexbelli.codes import CODES
from lexbelli.drift import Comparison, chapter_of, printed_number
from lexbelli.findings import Finding, Proof
from lexbelli.references import references
from lexbelli.rulebook import Rulebook, session
from lexbelli.suggest import nearest
from lexbelli.terminology import terminology

ASKED_OF_TEXT = frozenset({"LB405", "LB406"})


def printed_check(book: Rulebook, text: Comparison) -> Proof:
    """Return where the text and the headings differ, where the text leads nowhere, and its terms."""
    drifts = list(_drifts(book, text))
    terms = terminology(book, text.clauses)
    proved = []
    if not drifts:
        compared = [piece for piece in text.clauses if chapter_of(piece.number) in text.chapters]
        proved.append(
            f"the text and the headings have the same clauses (LB405): {len(compared)}, "
            f"in {', '.join(text.chapters)}"
        )
    if not terms and session(book).pairs("term", 2):
        proved.append("the text uses each declared term in one way (LB406)")
    return Proof([*drifts, *_references(book, text), *terms], proved)


def _drifts(book: Rulebook, text: Comparison) -> Iterator[Finding]:
    """Return the clauses that only the text has, or only the headings, or that could not be read."""
    ours = {printed_number(clause.id) for clause in book.clauses} - {""}
    theirs = {piece.number: piece.title for piece in text.clauses}
    chapters = {chapter_of(number) for number in ours}
    if not chapters & {*text.chapters}:
        message = (
            f"none of the chapters of this rulebook stands in the text, "
            f"which has {', '.join(text.chapters) or 'single numbers only'}"
        )
        yield Finding("LB405", (), (), message, "Name the text of these rules.", key="chapters")
        return
    # chapters of other rules in the text are not ours to have
    added = [
        number for number in text.only_in_text if chapter_of(number) in chapters & {*text.chapters}
    ]
    for number in added:
        what = f"{number} {theirs[number]}".strip()
        yield _drift(
            number,
            f"the text has clause {what}, and no heading here has this number",
            _nearest(number, text.only_in_rulebook, ours),
        )
    for number in text.only_in_rulebook:
        yield _drift(
            number,
            f"a heading here has the number {number}, and the text has no such clause",
            _nearest(number, added, theirs),
        )
    for number in text.unread:
        yield _drift(
            number,
            f"{number} stands in the text, but not in a form that could be read",
            "Begin the clause on a line of its own in your copy.",
        )


def _drift(number: str, message: str, suggestion: str) -> Finding:
    return Finding("LB405", (number,), (number,), message, suggestion)


def _nearest(number: str, unmatched: Iterable[str], every: Iterable[str]) -> str:
    """Return what to do, with the nearest number, if possible one that has no partner either."""
    partners = [other for other in unmatched if chapter_of(other) == chapter_of(number)]
    near = nearest(number, partners, 1) or nearest(number, every, 1)
    return " ".join([CODES["LB405"].remedy, *(f"The nearest number is {other}." for other in near)])


def _references(book: Rulebook, text: Comparison) -> Iterator[Finding]:
    """Return the references that lead nowhere or to other chapters, and that no heading repeats."""
    told = {(printed_number(one.clauses[0]), one.subjects[0]) for one in references(book)}
    for code, listed, where in (
        ("LB401", text.dangling, "which is no clause"),
        ("LB402", text.outside, "which is of another chapter"),
    ):
        for number, target in listed:
            if (number, target) in told:
                continue
            message = f"the text of {number} refers to {target}, {where}"
            yield Finding(code, (number,), (target,), message, CODES[code].remedy)
