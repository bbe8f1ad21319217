"""Why a duty stands as it does, a quantity has its value, or a fact holds or does not."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from clingo import String

from lexbelli.duties import duty_status
from lexbelli.errors import UnknownNameError
from lexbelli.facts import conclusion
from lexbelli.model import Condition, Entry, Move, State
from lexbelli.moves import action_owners
from lexbelli.opening import opened
from lexbelli.phrases import wording
from lexbelli.printed import PrintedClause
from lexbelli.rulebook import Rulebook
from lexbelli.solver import World
from lexbelli.states import grounding_for, session_for
from lexbelli.suggest import did_you_mean
from lexbelli.terms import parse_fact, parse_term, written
from lexbelli.values import value_of
from lexbelli.why import above, deepened, quoted, spoken_entries

KINDS = ("action", "duty", "value", "quantity", "fact")
# by head, the atom that says that a clause's word is set aside by a higher one
_DEFEATED = {"obliges": "lifted", "sets": "set_aside", "concludes": "overruled", "denies": "overruled"}


@dataclass(frozen=True, slots=True)
class Account:
    """Why something other than an action is as it is.

    `kind` is "duty", "quantity" or "fact". `answer` is a duty's status, a quantity's value (None where
    no clause fixes it) or whether a fact holds; "contested" where clauses differ. `because` is what a
    fact rests on by its meaning.
    """

    state: State
    kind: str
    subject: str
    reads: str
    answer: str | int | bool | None
    verdict: str
    meaning: str
    said_by: tuple[Entry, ...] = ()
    denied_by: tuple[Entry, ...] = ()
    would_say: tuple[Entry, ...] = ()
    would_deny: tuple[Entry, ...] = ()
    overridden: tuple[Entry, ...] = ()
    because: tuple[Condition, ...] = ()
    ways: tuple[tuple[Move, str], ...] = ()


def kind_of(book: Rulebook, state: State, asked: str) -> tuple[str, str]:
    """Return what is asked about, an action, duty, quantity or fact, and how it is written.

    The kind may stand before it in so many words: "duty leave(x)"; it is then taken at its word. Raises
    InputError or UnknownNameError with the nearest names when there is no such thing.
    """
    kind, _, rest = asked.strip().partition(" ")
    if kind in KINDS and rest.strip():
        return "quantity" if kind == "value" else kind, rest.strip()
    text = str(parse_fact(asked))
    grounded = grounding_for(book, (*state.facts, text))
    text = grounded.mapping("same").get(text, text)
    actions = action_owners(grounded)
    quantities = grounded.names("quantity") | {
        f"{name}({action})" for name in grounded.names("quantity_of") for action in actions
    }
    known = {
        "action": set(actions),
        "duty": grounded.names("duty"),
        "quantity": quantities,
        "fact": grounded.names("derivable") | set(grounded.facts),
    }
    for found, names in known.items():
        if text in names:
            return found, text
    every = set().union(*known.values())
    name = text.partition("(")[0]
    alike = {term for term in every if term.partition("(")[0] == name}
    hint = did_you_mean(text, alike or every) or (f"for example {min(alike)}" if alike else "")
    hint = hint or did_you_mean(name, {term.partition("(")[0] for term in every})
    kinds = [found for found, names in known.items() if names & alike]
    what = " or ".join(kinds) or "action, duty, quantity or fact"
    raise UnknownNameError(f"there is no {what} {text}", hint=hint)


def account(book: Rulebook, state: State, kind: str, subject: str) -> Account:
    """Return why a duty, quantity or fact is as it is.

    Raises InputError or UnknownNameError when there is no such thing.
    """
    make = {"duty": _duty, "quantity": _quantity, "value": _quantity, "fact": _fact}
    if kind not in make:
        hint = did_you_mean(kind, make) or f"there are: {', '.join(make)}"
        raise UnknownNameError(f"there is no account of a {kind!r}", hint=hint)
    return make[kind](book, state, subject.strip().removesuffix("."))


def quote_account(found: Account, printed: Sequence[PrintedClause]) -> Account:
    """Return the account with the printed words of each clause, where the text has them."""
    return replace(
        found,
        said_by=quoted(found.said_by, printed),
        denied_by=quoted(found.denied_by, printed),
        would_say=quoted(found.would_say, printed),
        would_deny=quoted(found.would_deny, printed),
        overridden=quoted(found.overridden, printed),
    )


def _duty(book: Rulebook, state: State, subject: str) -> Account:
    duty = duty_status(book, state, subject)
    spoken = _Spoken(book, state, duty.duty, ("obliges",))
    words = wording(book)
    return Account(
        state, "duty", duty.duty, duty.reads, duty.status, duty.status, _DUTY[duty.status],
        said_by=spoken.standing("obliges"),
        would_say=spoken.silent("obliges"),
        overridden=spoken.overridden(),
        ways=tuple((move, words.say(move.action)) for move in duty.ways),
    )  # fmt: skip


_DUTY = {
    "met": "it is met already",
    "unmet": "it is not met yet",
    "impossible": "it can no longer be met",
    "none": "no clause imposes it here",
}


def _quantity(book: Rulebook, state: State, subject: str) -> Account:
    value = value_of(book, state, subject)
    spoken = _Spoken(book, state, value.quantity, ("sets",))
    verdict = "contested" if value.value == "contested" else str(value.value)
    meaning = "clauses fix different values" if verdict == "contested" else "a clause fixes it"
    if value.value is None:
        verdict, meaning = "no value", "no clause fixes it here"
    return Account(
        state, "quantity", value.quantity, value.reads, value.value, verdict, meaning,
        said_by=spoken.standing("sets"),
        would_say=spoken.silent("sets"),
        overridden=spoken.overridden(),
    )  # fmt: skip


def _fact(book: Rulebook, state: State, subject: str) -> Account:
    found = conclusion(book, state, subject)
    spoken = _Spoken(book, state, found.fact, ("concludes", "denies"))
    verdict = "it holds" if found.holds is True else "it does not hold"
    meaning = "by the clauses named" if found.clauses else "by the meaning of the facts"
    because: tuple[Condition, ...] = ()
    if found.holds == "contested":
        verdict, meaning = "contested", "one clause concludes it, another denies it"
    elif found.fact in state.facts:
        meaning = "the position says so"
    elif not found.clauses:
        because = spoken.meaning(holds=found.holds is True)
        if found.holds is not True and not because:
            meaning = "neither the position nor a clause says so"
    return Account(
        state, "fact", found.fact, wording(book).say(found.fact), found.holds, verdict, meaning,
        said_by=spoken.standing("concludes"),
        denied_by=spoken.standing("denies"),
        would_say=spoken.silent("concludes"),
        would_deny=spoken.silent("denies"),
        overridden=spoken.overridden(),
        because=because,
    )  # fmt: skip


class _Spoken:
    """What clauses say, or would say, about one term through some heads."""

    def __init__(self, book: Rulebook, state: State, subject: str, heads: Iterable[str]) -> None:
        self._book = book
        self._term = parse_term(subject)
        grounded = session_for(book, state.facts)
        self._world: World = grounded.everything(state.facts)
        self._above = above(self._world, self._term)
        entries = spoken_entries(book, self._world, heads, self._term)
        self._entries = [self._valued(e) for e in deepened(book, self._world, entries, grounded)]

    def _valued(self, entry: Entry) -> Entry:
        """Return an entry of a clause that fixes a value, with the values it fixes."""
        if entry.head != "sets" or not entry.met:
            return entry
        values = sorted(
            written(atom.arguments[2])
            for atom in self._world.get("sets", ())
            if atom.arguments[0] == String(entry.clause) and atom.arguments[1] == self._term
        )
        return replace(entry, value=" and ".join(values))

    def _defeated(self, entry: Entry) -> bool:
        return any(
            atom.arguments[0] == String(entry.clause) and atom.arguments[1] == self._term
            for atom in self._world.get(_DEFEATED[entry.head], ())
        )

    def standing(self, head: str) -> tuple[Entry, ...]:
        """Return what clauses say through a head and nothing sets aside."""
        return _once(e for e in self._entries if e.met and e.head == head and not self._defeated(e))

    def silent(self, head: str) -> tuple[Entry, ...]:
        """Return what clauses would say if more of their conditions were met."""
        return _once(e for e in self._entries if not e.met and e.head == head)

    def overridden(self) -> tuple[Entry, ...]:
        """Return what higher clauses set aside."""
        return _once(
            replace(e, by=self._above.get(e.clause, ()))
            for e in self._entries
            if e.met and self._defeated(e)
        )

    def meaning(self, *, holds: bool) -> tuple[Condition, ...]:
        """Return what a fact rests on by its meaning, or what it lacks."""
        words = wording(self._book).say(self._term, holds=holds)
        asked = Condition(holds, words, atoms=((self._term, holds),))
        return opened(self._book, self._world, [asked])[asked].because


def _once(entries: Iterable[Entry]) -> tuple[Entry, ...]:
    kept: dict[object, Entry] = {}
    for entry in entries:
        kept.setdefault((entry.clause, entry.head, entry.met and entry.value, entry.conditions), entry)
    return tuple(kept.values())
