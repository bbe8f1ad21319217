"""Positions from scenarios, files and changes: read at the door, checked against the rulebook.

A state is a scenario or a file (`.lp` with facts; `.toml` or `.json` with `base`, `set`, `unset`) plus
changes. `unset` is applied before `set`; setting a fact replaces the old value of its group.
"""

import json
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from clingo import Function, Number, Symbol, SymbolType
from clingo.ast import AST, ASTType, Sign, UnaryOperator

from lexbelli.errors import InputError, LexBelliError, Place, StateError, UnknownNameError
from lexbelli.model import State
from lexbelli.rulebook import Rulebook, session
from lexbelli.solver import Session, parse_rules, written
from lexbelli.source import read_text
from lexbelli.suggest import did_you_mean
from lexbelli.terms import parse_fact
from lexbelli.trace import involved_facts

SUFFIXES = (".lp", ".toml", ".json")
_KEYS = ("base", "set", "unset")


@dataclass(frozen=True, slots=True)
class Given:
    """A fact as the user gave it, and where."""

    fact: Symbol
    place: Place | None = None


@dataclass(frozen=True, slots=True)
class Changes:
    """Facts to unset and facts to set, in that order."""

    unset: tuple[Given, ...] = ()
    set: tuple[Given, ...] = ()


@dataclass(frozen=True, slots=True)
class Draft:
    """A state as written, before it is checked: the facts to begin with, then rounds of changes."""

    name: str
    base: tuple[Given, ...]
    rounds: tuple[Changes, ...] = ()

    def mentioned(self) -> Iterator[Given]:
        """Return every fact the draft names."""
        yield from self.base
        for changes in self.rounds:
            yield from changes.unset
            yield from changes.set


# ---- reading -------------------------------------------------------------------------------------


def default_scenario(book: Rulebook) -> str:
    """Return the scenario that is meant when the user names none."""
    named = session(book).pairs("default_scenario", 1)
    if named:
        return named[0][0]
    scenarios = list(book.scenarios())
    if not scenarios:
        raise InputError("the rulebook has no scenario to begin with", place=Place(str(book.root)))
    return scenarios[0]


def draft(
    book: Rulebook,
    source: str | Path | None = None,
    *,
    set: Iterable[str] = (),
    unset: Iterable[str] = (),
) -> Draft:
    """Read a scenario or state file and further changes, unchecked.

    Raises InputError for a file or term that cannot be read, UnknownNameError for no such scenario.
    """
    read = _read_source(book, default_scenario(book) if source is None else source)
    more = changes(set, unset)
    return Draft(read.name, read.base, (*read.rounds, more)) if more.set or more.unset else read


def changes(
    set: Iterable[str],
    unset: Iterable[str],
    place: Place | None = None,
) -> Changes:
    """Read facts to set and to unset. Raises InputError for one that is not a ground term."""
    try:
        return Changes(
            tuple(Given(parse_fact(text), place) for text in unset),
            tuple(Given(parse_fact(text), place) for text in set),
        )
    except LexBelliError as error:
        error.place = error.place or place
        raise


def _read_source(book: Rulebook, source: str | Path) -> Draft:
    path = Path(source)
    scenarios = book.scenarios()
    if isinstance(source, str) and source in scenarios:
        return Draft(source, tuple(_read_facts(scenarios[source], book.root)))
    if path.suffix in SUFFIXES:
        if path.suffix == ".lp":
            return Draft(path.name, tuple(_read_facts(path, path.parent)))
        return _from_table(book, path.name, _read_table(path), str(path))
    if path.exists():
        raise InputError(f"{path} is no state file", hint=f"a state file ends in {', '.join(SUFFIXES)}")
    hint = did_you_mean(str(source), scenarios) or f"there are: {', '.join(scenarios)}"
    raise UnknownNameError(f"there is no scenario {str(source)!r}", hint=hint)


def _read_table(path: Path) -> Any:
    text = read_text(path)
    try:
        return tomllib.loads(text) if path.suffix == ".toml" else json.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise InputError(f"this is not TOML: {error}", place=Place(str(path))) from None
    except json.JSONDecodeError as error:
        place = Place(str(path), error.lineno, error.colno)
        raise InputError(f"this is not JSON: {error.msg}", place=place) from None
    except RecursionError:
        raise InputError("the file is nested too deeply", place=Place(str(path))) from None


def _from_table(book: Rulebook, name: str, table: Any, file: str) -> Draft:
    place = Place(file)
    if not isinstance(table, Mapping):
        raise InputError("a state is a table with base, set and unset", place=place)
    for key in table:
        if key not in _KEYS:
            hint = did_you_mean(str(key), _KEYS) or "a state has base, set and unset"
            raise InputError(f"a state has no key {key!r}", place=place, hint=hint)
    change = changes(_texts(table, "set", place), _texts(table, "unset", place), place)
    return from_changes(book, name, table.get("base"), change, place)


def _texts(table: Mapping[str, Any], key: str, place: Place) -> list[str]:
    value = table.get(key, [])
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        raise InputError(f"{key} must be a list of facts in quotation marks", place=place)
    return value


def from_changes(
    book: Rulebook, name: str, base: object, change: Changes, place: Place | None = None
) -> Draft:
    """Return the draft of a scenario with changes, as state files and cases write it.

    Raises UnknownNameError when there is no such scenario.
    """
    begin: tuple[Given, ...] = ()
    if base is not None:
        scenarios = book.scenarios()
        if not isinstance(base, str) or base not in scenarios:
            hint = did_you_mean(str(base), scenarios) or f"there are: {', '.join(scenarios)}"
            raise UnknownNameError(f"there is no scenario {base!r}", place=place, hint=hint)
        begin = _scenario_facts(book, base)
    return Draft(name, begin, (change,))


@lru_cache(maxsize=64)
def _scenario_facts(book: Rulebook, name: str) -> tuple[Given, ...]:
    return tuple(_read_facts(book.scenarios()[name], book.root))


def _read_facts(path: Path, root: Path) -> Iterable[Given]:
    """Read an `.lp` file of ground facts."""
    try:
        statements = parse_rules(path, root)
    except LexBelliError as error:
        raise InputError(error.message, place=error.place, hint=error.hint) from None
    for statement in statements:
        begin = statement.location.begin
        place = Place(begin.filename, begin.line, begin.column)
        if statement.ast_type is ASTType.Comment or str(statement).startswith("#program base"):
            continue
        fact = _ground_fact(statement)
        if fact is None:
            raise InputError("a state holds ground facts only, such as rgt(30).", place=place)
        yield Given(fact, place)


def _ground_fact(statement: AST) -> Symbol | None:
    if statement.ast_type is not ASTType.Rule or len(statement.body):
        return None
    head = statement.head
    if head.ast_type is not ASTType.Literal or head.sign != Sign.NoSign:
        return None
    if head.atom.ast_type is not ASTType.SymbolicAtom:
        return None
    return _ground_term(head.atom.symbol)


def _ground_term(term: AST) -> Symbol | None:
    if term.ast_type is ASTType.SymbolicTerm:
        symbol: Symbol = term.symbol
        return symbol if symbol.type in (SymbolType.Number, SymbolType.Function) else None
    if term.ast_type is ASTType.UnaryOperation and term.operator_type == UnaryOperator.Minus:
        inner = _ground_term(term.argument)
        return Number(-inner.number) if inner and inner.type is SymbolType.Number else None
    if term.ast_type is ASTType.Function and not term.external:
        arguments = [_ground_term(argument) for argument in term.arguments]
        if all(argument is not None for argument in arguments):
            return Function(term.name, [a for a in arguments if a is not None])
    return None


# ---- checking ------------------------------------------------------------------------------------


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


def session_for(book: Rulebook, facts: Iterable[str], effects: bool = False) -> Session:
    """Return a grounding that knows all these facts."""
    return session(book, full_names(book, facts), effects)


def resolve(book: Rulebook, drafted: Draft) -> State:
    """Check a draft and apply its changes, except that the state may still be impossible.

    Raises StateError as `load_state` does.
    """
    grounded = session_for(book, (written(item.fact) for item in drafted.mentioned()))
    same = grounded.mapping("same")
    facts = set(_distinct(grounded, same, drafted.base))
    for change in drafted.rounds:
        facts = _changed(grounded, same, facts, change)
    present = {grounded.group_of.get(fact) for fact in facts}
    for group in sorted(grounded.needed - present):
        example = min(f for f, g in grounded.group_of.items() if g == group)
        raise StateError(
            f"the state says nothing of {group}",
            place=Place(drafted.name),
            hint=f"it needs one such fact, for example {example}",
        )
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
    error.unknown = name not in names
    raise error


def _wrong_value(grounded: Session, same: Mapping[str, str], fact: Symbol) -> tuple[str, str]:
    text = written(fact)
    known = [k for k in (*grounded.facts, *same) if k.partition("(")[0] == fact.name]
    arities = {len(parse_fact(k).arguments) for k in known[:1]}
    if len(fact.arguments) not in arities:
        return f"{fact.name} takes {min(arities)} arguments, not {len(fact.arguments)}", (
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
    answer = grounded.judge(state.facts)
    sentences = sorted(answer.names("impossible"))
    if sentences:
        facts = ", ".join(involved_facts(book, grounded.everything(state.facts), sentences[0]))
        raise StateError(
            f"this state is impossible: {sentences[0]}",
            place=Place(state.name),
            hint=f"involved: {facts}" if facts else "",
        )
