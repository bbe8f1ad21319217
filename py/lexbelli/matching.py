"""Terms as rules write them: without their pools, against ground terms, and against each other."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product

from clingo import Symbol, SymbolType
from clingo.ast import AST, ASTType

from lexbelli.literals import variables

_WORD = re.compile(r'"(?:[^"\\]|\\.)*"|[A-Za-z_][A-Za-z0-9_\']*')


def without_pools(term: AST) -> list[AST]:
    """Return the terms that a term with pools anywhere in it stands for."""
    if term.ast_type is ASTType.Pool:
        return [inner for argument in term.arguments for inner in without_pools(argument)]
    if term.ast_type is not ASTType.Function or not term.arguments:
        return [term]
    chosen = product(*(without_pools(argument) for argument in term.arguments))
    return [term.update(arguments=list(arguments)) for arguments in chosen]


def match(pattern: AST, symbol: Symbol) -> dict[str, Symbol] | None:
    """Return the values that make a term without pools a ground one, or None; sums are let pass."""
    values: dict[str, Symbol] = {}
    return values if _match(pattern, symbol, values) else None


def _match(pattern: AST, symbol: Symbol, values: dict[str, Symbol]) -> bool:
    if pattern.ast_type is ASTType.Variable:
        return pattern.name == "_" or values.setdefault(pattern.name, symbol) == symbol
    if pattern.ast_type is ASTType.SymbolicTerm:
        return bool(pattern.symbol == symbol)
    if pattern.ast_type is not ASTType.Function:
        return True
    return (
        symbol.type is SymbolType.Function
        and (symbol.name, len(symbol.arguments)) == (pattern.name, len(pattern.arguments))
        and all(_match(p, s, values) for p, s in zip(pattern.arguments, symbol.arguments, strict=True))
    )


def narrowed(pattern: AST, symbols: Sequence[Symbol]) -> tuple[str, dict[str, str]]:
    """Write a term for just these ground ones, all of which it matches, and what its variables are.

    A variable that has one value in all of them is that value; one that has several stays.
    """
    found = [match(pattern, symbol) or {} for symbol in symbols]
    values = {
        name: str(found[0][name])
        for name in variables(pattern)
        if name in found[0] and all(one.get(name) == found[0][name] for one in found)
    }
    return substituted(str(pattern), values), values


def substituted(text: str, values: Mapping[str, str]) -> str:
    """Write terms or literals in place of variables of a text; what stands in quotation marks stays."""
    return _WORD.sub(lambda found: values.get(found.group(), found.group()), text)


@dataclass(slots=True)
class Alignment:
    """How one term is to be read so that it is another.

    `known` are its variables with what stands in their place in the other; `apart` are variables of the
    other, each with the constant that the one has instead: they agree only where it is that constant.
    """

    known: dict[str, str] = field(default_factory=dict)
    apart: dict[str, str] = field(default_factory=dict)


def align(one: AST, other: AST) -> Alignment | None:
    """Return how a term without pools is to be read as another, or None where it never can be."""
    found = Alignment()
    return found if _align(one, other, found) else None


def _align(one: AST, other: AST, found: Alignment) -> bool:
    if one.ast_type is ASTType.Variable:
        return one.name == "_" or found.known.setdefault(one.name, str(other)) == str(other)
    if other.ast_type is ASTType.Variable:
        if not variables(one) and other.name != "_":
            found.apart[other.name] = str(one)
        return not variables(one)
    if ASTType.Function in (one.ast_type, other.ast_type):
        return (
            one.ast_type is other.ast_type
            and (one.name, len(one.arguments)) == (other.name, len(other.arguments))
            and all(_align(a, b, found) for a, b in zip(one.arguments, other.arguments, strict=True))
        )
    if ASTType.SymbolicTerm in (one.ast_type, other.ast_type):
        return str(one) == str(other)
    return True


def extended(found: Alignment, one: Iterable[AST], other: Sequence[AST]) -> None:
    """Read further variables of one body as those of another, by positive literals that agree.

    The literals share a name, and at least one term that is known already.
    """
    for literal, counterpart in _alike(one, other):
        further = dict(found.known)
        shared = False
        for argument, standing in zip(literal.arguments, counterpart.arguments, strict=True):
            if argument.ast_type is not ASTType.Variable:
                if str(argument) != str(standing):
                    break
            elif argument.name in found.known:
                shared = True
                if found.known[argument.name] != str(standing):
                    break
            elif argument.name != "_":
                further[argument.name] = str(standing)
        else:
            if shared:
                found.known = further


def _alike(one: Iterable[AST], other: Sequence[AST]) -> Iterator[tuple[AST, AST]]:
    for literal in one:
        for counterpart in other:
            atoms = literal.atom.symbol, counterpart.atom.symbol
            if len({(atom.name, len(atom.arguments)) for atom in atoms}) == 1:
                yield atoms
