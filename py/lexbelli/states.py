"""Positions, checked against the rulebook: what is set, what is replaced, what cannot be.

Changes come in rounds; in each, `unset` is applied before `set`, and setting a fact replaces the old
value of its group.
"""

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import pairwise
from pathlib import Path

from clingo import Symbol, SymbolType

from lexbelli.alone import world_alone
from lexbelli.errors import Place, RulebookError, StateError
from lexbelli.model import State
from lexbelli.rulebook import Rulebook, one_state, session
from lexbelli.solver import Session, World
from lexbelli.state_files import Changes, Draft, Given, draft
from lexbelli.suggest import did_you_mean
from lexbelli.terms import parse_fact, written
from lexbelli.trace import involved_facts

_FACT = re.compile(r"_*[a-z][A-Za-z0-9_']*(?:\([A-Za-z0-9_',()-]+\))?")
_NUMBER = re.compile(r"-?[0-9]+")


def load_state(
    book: Rulebook,
    source: str | Path | None = None,
    *,
    set: Iterable[str] = (),
    unset: Iterable[str] = (),
) -> State:
    """Return a checked state: a scenario or file, then `unset`, then `set`.

    Raises InputError, UnknownNameError or StateError naming the fact, the place and the nearest
    right thing: an unknown or derived fact, a value out of range, two values for one thing, a
    missing turn, an impossible state.
    """
    state = resolve(book, draft(book, source, set=set, unset=unset))
    refuse_impossible(book, state)
    return state


def full_names(book: Rulebook, facts: Iterable[str]) -> frozenset[str]:
    """Return the names of the facts whose every value must be grounded to hold these facts."""
    grounded = session(book)
    wide = grounded.names("wide")
    names = {fact.partition("(")[0] for fact in facts if fact not in grounded.facts}
    return frozenset(names & wide)


def grounding_for(book: Rulebook, facts: Collection[str], effects: bool = False) -> Session:
    """Return a grounding that knows all these facts, as far as the rulebook does.

    Raises RulebookError for a rulebook in which no state can be told.
    """
    if isinstance(facts, str) or not all(isinstance(fact, str) for fact in facts):
        raise TypeError(f"the facts of a state are texts, not {facts!r:.60}")
    grounded = session(book, full_names(book, facts), effects)
    _refuse_untellable(grounded)
    return grounded


def session_for(book: Rulebook, facts: Collection[str], effects: bool = False) -> Session:
    """Return a grounding that knows these facts, which are all that holds in a state.

    Raises StateError as `refuse_malformed` does.
    """
    grounded = grounding_for(book, facts, effects)
    refuse_malformed(grounded, facts)
    return grounded


def world_for(
    book: Rulebook, facts: tuple[str, ...], names: Collection[str], *, effects: bool = False
) -> World:
    """Return the true atoms of these names in the state in which exactly these facts hold.

    With `effects`, what events change is among them: asked of few states, each is grounded alone.
    Raises StateError as `refuse_malformed` does.
    """
    grounded = session_for(book, facts)
    if not effects:
        return grounded.everything(facts, names)
    alone = one_state(book, facts, full_names(book, facts))
    return world_alone((*book.statements, *book.effects), alone, names)


def refuse_malformed(grounded: Session, facts: Collection[str], place: Place | None = None) -> None:
    """Refuse facts that no checked state consists of; states made by hand may.

    Assumptions on a grounding would pass over an unknown fact, or one said twice. Raises StateError.
    """
    values: dict[str, str] = {}
    for fact in facts:
        if fact not in grounded.facts:
            known = _known(grounded, grounded.mapping("same"), Given(parse_fact(fact), place))
            raise StateError(f"a state spells {fact} as {known}", place=place)
        group = grounded.group_of.get(fact)
        if group is not None and values.setdefault(group, fact) != fact:
            raise StateError(f"two values for {group}: {values[group]} and {fact}", place=place)
    if grounded.needed - values.keys():
        _refuse_missing(grounded, values, place)
    if isinstance(facts, Sequence) and any(one >= two for one, two in pairwise(facts)):
        raise StateError("the facts of a state are sorted, each there once", place=place)


def _refuse_missing(grounded: Session, present: Collection[str], place: Place | None) -> None:
    for group in sorted(grounded.needed.difference(present)):
        example = min(f for f, g in grounded.group_of.items() if g == group)
        raise StateError(
            f"the state says nothing of {group}",
            place=place,
            hint=f"it needs one such fact, for example {example}",
        )


@lru_cache(maxsize=16)
def _refuse_untellable(grounded: Session) -> None:
    """Refuse a rulebook with a fact nobody can write, or a group that no fact can fill."""
    for fact in grounded.facts:
        if not _FACT.fullmatch(fact):
            raise RulebookError(f"fact({fact}): a fact is a name, with constants and numbers behind it")
    for group in sorted(grounded.needed.difference(grounded.group_of.values())):
        raise RulebookError(f"needed({group}): no fact belongs to this group")
    for name, *limits in grounded.pairs("bounds", 3):
        if not all(_NUMBER.fullmatch(limit) for limit in limits):
            raise RulebookError(f"bounds({name},{','.join(limits)}): the limits must be numbers")
    for spelling in grounded.mapping("same"):
        if spelling in grounded.facts:
            raise RulebookError(f"same({spelling},_): this is a fact of its own, not another spelling")
    groups: dict[str, str] = {}
    for fact, group in grounded.pairs("group", 2):
        if groups.setdefault(fact, group) != group:
            raise RulebookError(f"{fact} belongs to two groups: {groups[fact]} and {group}")


def resolve(book: Rulebook, drafted: Draft) -> State:
    """Check a draft and apply its changes, except that the state may still be impossible.

    Raises StateError as `load_state` does.
    """
    grounded = grounding_for(book, [written(item.fact) for item in drafted.mentioned()])
    same = grounded.mapping("same")
    facts = set(_distinct(grounded, same, drafted.base))
    for change in drafted.rounds:
        facts = _changed(grounded, same, facts, change)
    _refuse_missing(grounded, {grounded.group_of.get(fact, "") for fact in facts}, Place(drafted.name))
    return State(drafted.name, tuple(sorted(facts)))


def _changed(grounded: Session, same: Mapping[str, str], facts: set[str], change: Changes) -> set[str]:
    """Apply one round of changes: unset, then set, which replaces what excludes it."""
    unset = {_known(grounded, same, item) for item in change.unset}
    for item in change.set:
        fact = _known(grounded, same, item)
        if fact in unset:
            raise StateError(f"{fact} is both set and unset", place=item.place)
    made = set(_distinct(grounded, same, change.set))
    taken = {grounded.group_of[fact] for fact in made if fact in grounded.group_of}
    return {f for f in facts if f not in unset and grounded.group_of.get(f) not in taken} | made


def _distinct(grounded: Session, same: Mapping[str, str], given: Iterable[Given]) -> list[str]:
    """Return the facts, refusing two values for one thing."""
    values: dict[str, str] = {}
    facts = []
    for item in given:
        fact = _known(grounded, same, item)
        group = grounded.group_of.get(fact, fact)
        if values.setdefault(group, fact) != fact:
            raise StateError(f"two values for {group}: {values[group]} and {fact}", place=item.place)
        facts.append(fact)
    return facts


def _known(grounded: Session, same: Mapping[str, str], item: Given) -> str:
    """Return the fact as the rulebook spells it, or say what is wrong with it."""
    text = written(item.fact)
    fact = same.get(text, text)
    if fact in grounded.facts:
        return fact
    derivable = grounded.names("derivable")
    names = {known.partition("(")[0] for known in grounded.facts}
    name = item.fact.name if item.fact.type is SymbolType.Function else text
    hint = ""
    if fact in derivable or (name not in names and any(d.partition("(")[0] == name for d in derivable)):
        message = f"{text} is derived from the other facts and cannot be set"
    elif name not in names:
        message = f"there is no fact {text}"
        hint = did_you_mean(name, names)
    else:
        message, hint = _wrong_value(grounded, same, item.fact)
    error = StateError(message, place=item.place, hint=hint)
    error.unknown = message.startswith("there is no fact")
    raise error


def _wrong_value(grounded: Session, same: Mapping[str, str], fact: Symbol) -> tuple[str, str]:
    text = written(fact)
    known = [k for k in (*grounded.facts, *same) if k.partition("(")[0] == fact.name]
    arities = {len(parse_fact(k).arguments) for k in known[:1]}
    if len(fact.arguments) not in arities:
        count = min(arities)
        return f"{fact.name} takes {count} argument{'s' * (count != 1)}, not {len(fact.arguments)}", (
            f"for example {known[0]}"
        )
    bounds = {name: (low, high) for name, low, high in grounded.pairs("bounds", 3)}
    last = fact.arguments[-1] if fact.arguments else None
    if fact.name in bounds and last is not None:
        low, high = bounds[fact.name]
        if last.type is not SymbolType.Number or not int(low) <= last.number <= int(high):
            return f"{text}: the value must be a number from {low} to {high}", ""
    return f"{text} is not among the values of {fact.name}", did_you_mean(text, known)


def refuse_impossible(book: Rulebook, state: State) -> None:
    """Raise StateError with the sentence and the facts involved when the state cannot be."""
    grounded = session_for(book, state.facts)
    answer = grounded.read(state.facts, grounded.rows("impossible"))
    sentences = sorted(answer.names("impossible"))
    if sentences:
        facts = ", ".join(involved_facts(book, grounded.everything(state.facts), sentences[0]))
        raise StateError(
            f"this state is impossible: {sentences[0]}",
            place=Place(state.name),
            hint=f"involved: {facts}" if facts else "",
        )
