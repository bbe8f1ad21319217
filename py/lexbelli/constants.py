"""Conditions on facts with a name that nothing declares: they would never, or always, be met."""

import re
from collections.abc import Collection, Iterable, Iterator

from clingo import SymbolType
from clingo.ast import AST, ASTType

from lexbelli.errors import RulebookError
from lexbelli.norms import Norm, place_of
from lexbelli.solver import Session
from lexbelli.suggest import did_you_mean

_SHAPE = re.compile(r"(?:not )*(_*[a-z][A-Za-z0-9_']*)\(.*[a-z]")
_NAME = re.compile(r"_*[a-z][A-Za-z0-9_']*")


def refuse_unknown_constants(norms: Iterable[Norm], grounded: Session) -> None:
    """Refuse a condition of a norm on a settable fact with a name that nothing declares.

    A name that is declared and does not fit makes a clause that never speaks, which a check finds.
    Raises RulebookError with place and nearest name.
    """
    facts = {fact.partition("(")[0] for fact in grounded.facts}
    columns: dict[tuple[str, int, int], set[str]] = {}
    for norm in norms:
        for symbol, place, value in _constants(norm.body, facts):
            key = (symbol.name, len(symbol.arguments), place)
            if key not in columns:
                columns[key] = {row[place] for row in grounded.pairs(*key[:2])}
            known = columns[key]
            if known and value not in known and value not in _declared(grounded):
                raise RulebookError(
                    f"{value} in {symbol}: no fact has this name",
                    place=place_of(symbol),
                    hint=did_you_mean(value, known),
                )


def _constants(body: Iterable[AST], names: Collection[str]) -> Iterator[tuple[AST, int, str]]:
    """Return the names in conditions on facts, each with the condition and its place in it."""
    for literal in body:
        shape = _SHAPE.match(str(literal))  # looking at the text is quicker than asking for the parts
        if shape is None or shape.group(1) not in names:
            continue
        if literal.atom.ast_type is not ASTType.SymbolicAtom:
            continue
        symbol = literal.atom.symbol
        if symbol.ast_type is ASTType.Function:
            for place, term in enumerate(symbol.arguments):
                if term.ast_type is ASTType.SymbolicTerm and term.symbol.type is SymbolType.Function:
                    yield symbol, place, str(term)


def _declared(grounded: Session) -> set[str]:
    """Return every name in what the rulebook declares."""
    terms = set(grounded.facts) | set(grounded.mapping("same")) | set(grounded.mapping("name"))
    for kind in ("action", "duty", "quantity", "derivable"):
        terms |= grounded.names(kind)
    return {name for term in terms for name in _NAME.findall(term)}
