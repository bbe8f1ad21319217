"""Terms of a printed text: two for one thing, and one for two things, of those a rulebook declares.

`term(Thing,Wording)` declares that the printed rules may call a thing so. A wording may have several
forms, such as its singular and its plural, separated by bars.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from unicodedata import normalize

from lexbelli.errors import RulebookError
from lexbelli.findings import Finding
from lexbelli.phrases import wording
from lexbelli.printed import PrintedClause
from lexbelli.rulebook import Rulebook, session
from lexbelli.terms import clause_key, parse_term

# how often each form of a wording stands in each clause
Places = Mapping[str, Counter[str]]

_HYPHENS = "-\u00ad\u2010\u2011\u2012\u2013"
_JOINTS = {
    **dict.fromkeys(_HYPHENS, rf"\s*[{_HYPHENS}]?\s*"),
    **dict.fromkeys("'\u2018\u2019", "['\u2018\u2019]"),
    " ": r"\s+",
}
_TORN = rf"(?:[{_HYPHENS}]\s+)?"  # where a line ended in the middle of a word
_MASK = "\0"
_COUNTS = {2: "two", 3: "three", 4: "four", 5: "five", 6: "six"}


def terminology(book: Rulebook, printed: Sequence[PrintedClause]) -> list[Finding]:
    """Return the declared things that the text calls by several terms, and terms of several things.

    Raises RulebookError for a wording without a word.
    """
    things: dict[str, list[str]] = defaultdict(list)
    owners: dict[str, set[str]] = defaultdict(set)
    for thing, words in sorted(session(book).pairs("term", 2)):
        things[thing].append(words)
        for form in _forms(words):
            owners[form].add(thing)
    places = _places(printed, owners)
    return [*_several_terms(book, things, places), *_several_things(book, things, owners, places)]


def _forms(words: str) -> list[str]:
    """Return the forms of a wording, each as it is to be sought."""
    forms = [" ".join(normalize("NFKC", form).casefold().split()) for form in words.split("|")]
    if not all(any(letter.isalnum() for letter in form) for form in forms):
        raise RulebookError(
            f"term: there is no word in a form of {words!r}",
            hint='write term(thing,"wording"), or "one form|another form"',
        )
    return list(dict.fromkeys(forms))


def _places(printed: Sequence[PrintedClause], forms: Mapping[str, set[str]]) -> Places:
    """Return where each form stands; a longer one hides the shorter ones inside it."""
    patterns = [(form, _pattern(form)) for form in sorted(forms, key=lambda form: (-len(form), form))]
    places: dict[str, Counter[str]] = {form: Counter() for form in forms}
    for clause in printed:
        text = normalize("NFKC", clause.text)
        for form, pattern in patterns:
            text, count = pattern.subn(_MASK, text)
            if count:
                places[form][clause.number] += count
    return places


def _pattern(form: str) -> re.Pattern[str]:
    parts: list[str] = []
    for before, letter in zip(f" {form}", form, strict=False):
        torn = _TORN if before.isalnum() and letter.isalnum() else ""
        parts.append(torn + _JOINTS.get(letter, re.escape(letter)))
    return re.compile(rf"(?<!\w){''.join(parts)}(?!\w)", re.IGNORECASE)


def _several_terms(
    book: Rulebook, things: Mapping[str, Sequence[str]], places: Places
) -> Iterator[Finding]:
    for thing, declared in sorted(things.items()):
        found = {words: _together(places, words) for words in declared}
        used = sorted(
            (words for words in declared if found[words]),
            key=lambda words: (-found[words].total(), words),
        )
        if len(used) < 2:
            continue
        told = "; ".join(f"{_quoted(words)} {_where(found[words])}" for words in used)
        yield Finding(
            "LB406",
            _listed(*(found[words] for words in used)),
            (thing,),
            f"{_count(used)} terms for one thing, {_thing(book, thing)}: {told}",
            "Use one term throughout" + _favourite([(found[words].total(), words) for words in used]),
            key=thing,
        )


def _several_things(
    book: Rulebook,
    things: Mapping[str, Sequence[str]],
    owners: Mapping[str, set[str]],
    places: Places,
) -> Iterator[Finding]:
    shared: dict[tuple[str, ...], list[str]] = defaultdict(list)
    for form, meant in owners.items():
        if len(meant) > 1 and places[form]:
            first = min(words for words in things[min(meant)] if form in _forms(words))
            shared[(first, *sorted(meant))].append(form)
    for (words, *of), forms in sorted(shared.items()):
        found = sum((places[form] for form in forms), Counter[str]())
        yield Finding(
            "LB406",
            _listed(found),
            tuple(of),
            f"one term with {_count(of)} meanings, {_quoted(words)}: "
            f"{', or '.join(_thing(book, thing) for thing in of)}; {_where(found)}",
            "Keep the term for one of them, and give the other a term of its own.",
            key=f"{_forms(words)[0].replace(' ', '_')}:{'+'.join(of)}",
        )


def _together(places: Places, words: str) -> Counter[str]:
    return sum((places[form] for form in _forms(words)), Counter[str]())


def _favourite(used: Sequence[tuple[int, str]]) -> str:
    """Return which term stands in the text most often, where one does."""
    (most, words), (next_most, _) = used[:2]
    return f"; {_quoted(words)} stands there most often." if most > next_most else "."


def _listed(*found: Counter[str]) -> tuple[str, ...]:
    return tuple(sorted({clause for one in found for clause in one}, key=clause_key))


def _where(found: Counter[str]) -> str:
    total = found.total()
    times = {1: "once", 2: "twice"}.get(total, f"{total} times")
    return f"{times}, in {' '.join(_listed(found))}"


def _count(items: Sequence[object]) -> str:
    return _COUNTS.get(len(items), str(len(items)))


def _quoted(words: str) -> str:
    return f'"{words.partition("|")[0]}"'


def _thing(book: Rulebook, thing: str) -> str:
    return wording(book).say_constant(parse_term(thing))
