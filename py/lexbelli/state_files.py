"""Reading positions: scenarios, state files and changes, as written and not yet checked.

A state is a scenario or a file: `.lp` with facts, `.toml` or `.json` with `base`, `set` and `unset`.
"""

import os.path
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from clingo import Function, Number, Symbol, SymbolType
from clingo.ast import AST, ASTType, Sign, UnaryOperator

from lexbelli.errors import InputError, LexBelliError, Place, RulebookError, UnknownNameError
from lexbelli.parsing import parse_rules
from lexbelli.rulebook import Rulebook, session
from lexbelli.source import read_text
from lexbelli.suggest import did_you_mean
from lexbelli.tables import parse_json, parse_toml, shown
from lexbelli.terms import parse_fact

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


def default_scenario(book: Rulebook) -> str:
    """Return the scenario that is meant when the user names none.

    Raises RulebookError when the rulebook names two, or one that is not there, InputError when it has
    none at all.
    """
    place = Place(str(book.root))
    named = sorted(session(book).names("default_scenario"))
    scenarios = list(book.scenarios())
    if len(named) > 1:
        raise RulebookError(f"there are two default scenarios: {' and '.join(named)}", place=place)
    if named and named[0] not in scenarios:
        raise RulebookError(
            f"default_scenario({named[0]}): there is no such scenario",
            place=place,
            hint=_which(named[0], scenarios),
        )
    if not scenarios:
        raise InputError("the rulebook has no scenario to begin with", place=place)
    return named[0] if named else scenarios[0]


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
    for way, facts in (("set", set), ("unset", unset)):
        if isinstance(facts, str):
            raise TypeError(f"{way} takes a list of facts, not the text {facts!r}")
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
    if str(source) and os.path.exists(path):  # unlike Path.exists, without an error for a long name
        raise InputError(f"{path} is no state file", hint=f"a state file ends in {', '.join(SUFFIXES)}")
    raise _no_scenario(str(source), scenarios)


def _no_scenario(name: str, scenarios: Collection[str], place: Place | None = None) -> UnknownNameError:
    message = f"there is no scenario {shown(name)}"
    return UnknownNameError(message, place=place, hint=_which(name, scenarios))


def _which(name: str, scenarios: Collection[str]) -> str:
    """Return a hint at the scenarios there are."""
    listed = f"there are: {', '.join(scenarios)}" if scenarios else ""
    return did_you_mean(name, scenarios) or listed


def _read_table(path: Path) -> Any:
    text = read_text(path)
    return parse_toml(text, str(path)) if path.suffix == ".toml" else parse_json(text, str(path))


def _from_table(book: Rulebook, name: str, table: Any, file: str) -> Draft:
    place = Place(file)
    if not isinstance(table, Mapping):
        raise InputError("a state is a table with base, set and unset", place=place)
    for key in table:
        if key not in _KEYS:
            hint = did_you_mean(str(key), _KEYS) or "a state has base, set and unset"
            raise InputError(f"a state has no key {shown(key)}", place=place, hint=hint)
    base = table.get("base")
    if "base" in table and not isinstance(base, str):
        raise InputError(f"base must be a scenario in quotation marks, not {shown(base)}", place=place)
    change = changes(_texts(table, "set", place), _texts(table, "unset", place), place)
    return from_changes(book, name, base, change, place)


def _texts(table: Mapping[str, Any], key: str, place: Place) -> list[str]:
    value = table.get(key, [])
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        raise InputError(f"{key} must be a list of facts in quotation marks", place=place)
    return value


def from_changes(
    book: Rulebook, name: str, base: str | None, change: Changes, place: Place | None = None
) -> Draft:
    """Return the draft of a scenario with changes, as state files and cases write it.

    Raises UnknownNameError when there is no such scenario.
    """
    begin: tuple[Given, ...] = ()
    if base is not None:
        scenarios = book.scenarios()
        if base not in scenarios:
            raise _no_scenario(base, scenarios, place)
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
        if statement.ast_type is ASTType.Comment or str(statement) == "#program base.":
            continue
        fact = _ground_fact(statement)
        if fact is None:
            raise InputError("a state holds ground facts only, such as name(30).", place=place)
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
        inner = term.argument.symbol if term.argument.ast_type is ASTType.SymbolicTerm else None
        return Number(-inner.number) if inner and inner.type is SymbolType.Number else None
    if term.ast_type is ASTType.Function and not term.external:
        arguments = [_ground_term(argument) for argument in term.arguments]
        if all(argument is not None for argument in arguments):
            return Function(term.name, [a for a in arguments if a is not None])
    return None
