"""Conditions on facts with a name that nothing declares: they would never, or always, be met."""

import re
from collections.abc import Collection, Iterable, Iterator, Sequence

from clingo.ast import AST, ASTType

from lexbelli.errors import RulebookError
from lexbelli.norms import Norm, place_of
from lexbelli.solver import Session
from lexbelli.suggest import did_you_mean

_SHAPE = re.compile(r"(?:not )*(_*[a-z][A-Za-z0-9_']*)\((.*)\)")
_FLAT = re.compile(r"[\w',]*")
_NAME = re.compile(r"_*[a-z][A-Za-z0-9_']*")


def refuse_unknown_constants(norms: Iterable[Norm], grounded: Session) -> None:
    """Refuse a condition of a norm on a settable fact with a name that nothing declares.

    A name that is declared and does not fit makes a clause that never speaks, which a check finds.
    Raises RulebookError with place and nearest name.
    """
    facts = {fact.partition("(")[0] for fact in grounded.facts}
    columns: dict[tuple[str, int, int], set[str]] = {}
    for literal, name, arguments in _conditions(norms, facts):
        for place, value in enumerate(arguments):
            if not _NAME.fullmatch(value):
                continue
            key = name, len(arguments), place
            if key not in columns:
                columns[key] = {row[place] for row in grounded.pairs(*key[:2])}
            known = columns[key]
            if known and value not in known and value not in _declared(grounded):
                raise RulebookError(
                    f"{value} in {literal.atom}: no fact has this name",
                    place=place_of(literal.atom.symbol),
                    hint=did_you_mean(value, known),
                )


def _conditions(
    norms: Iterable[Norm], names: Collection[str]
) -> Iterator[tuple[AST, str, Sequence[str]]]:
    """Return the conditions on facts, each with its name and its arguments."""
    for literal in (literal for norm in norms for literal in norm.body):
        shape = _SHAPE.fullmatch(str(literal))  # quicker than asking for the parts
        if shape is None or shape.group(1) not in names:
            continue
        if _FLAT.fullmatch(shape.group(2)):
            yield literal, shape.group(1), shape.group(2).split(",")
        elif literal.atom.ast_type is ASTType.SymbolicAtom:
            symbol = literal.atom.symbol
            if symbol.ast_type is ASTType.Function:
                yield literal, symbol.name, list(map(str, symbol.arguments))


def _declared(grounded: Session) -> set[str]:
    """Return every name in what the rulebook declares."""
    terms = set(grounded.facts) | set(grounded.mapping("same")) | set(grounded.mapping("name"))
    for kind in ("action", "duty", "quantity", "derivable"):
        terms |= grounded.names(kind)
    return {name for term in terms for name in _NAME.findall(term)}
