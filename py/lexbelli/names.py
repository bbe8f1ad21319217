"""What there is to speak of: facts, actions, duties and values, how they are written and read."""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from lexbelli.moves import action_owners
from lexbelli.phrases import wording
from lexbelli.rulebook import Rulebook, session
from lexbelli.suggest import did_you_mean

_WORD = re.compile(r"\w+")
KINDS = ("fact", "derived fact", "action", "duty", "value")


@dataclass(frozen=True, slots=True)
class Name:
    """One thing to speak of. `kind` is one of KINDS."""

    kind: str
    term: str
    reads: str


def find_names(book: Rulebook, words: Iterable[str] = ()) -> list[Name]:
    """Return what has all these words in its term or its phrase; without any, an example of each shape.

    Facts with many values are listed at those that clauses tell apart.
    """
    if isinstance(words, str):
        raise TypeError(f"words are a list of texts, not the text {words!r}")
    grounded = session(book)
    phrases = wording(book)
    quantities = grounded.names("quantity") | {
        f"{name}({action})"
        for name in grounded.names("quantity_of")
        for action in action_owners(grounded)
    }
    listed: dict[str, Iterable[str]] = {
        "fact": grounded.facts,
        "derived fact": grounded.names("derivable") - set(grounded.facts),
        "action": action_owners(grounded),
        "duty": grounded.names("duty"),
        "value": quantities,
    }
    found = [Name(kind, term, phrases.say(term)) for kind in KINDS for term in sorted(listed[kind])]
    asked = [word.lower() for word in words]
    if not asked:
        shapes: dict[tuple[str, str], Name] = {}
        for name in found:
            shapes.setdefault((name.kind, name.term.partition("(")[0]), name)
        return list(shapes.values())
    return [n for n in found if all(word in f"{n.term} {n.reads}".lower() for word in asked)]


def nearest_word(book: Rulebook, words: Iterable[str]) -> str:
    """Return which word may be meant by the first of these that nothing has, or an empty text."""
    texts = [f"{one.term} {one.reads}" for one in find_names(book, [""])]
    missed = (word for word in words if not any(word.lower() in text.lower() for text in texts))
    return did_you_mean(next(missed, ""), {word for text in texts for word in _WORD.findall(text)})
