"""Norms: the rules through which clauses speak, and the heads they speak through."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product

from clingo.ast import AST, ASTType

from lexbelli.errors import Place

HEADS = frozenset({
    "permits", "opens", "meets", "forbids", "obliges", "discharges", "sets", "concludes", "denies",
    "initiates", "terminates", "overrides",
})  # fmt: skip
EFFECTS = frozenset({"initiates", "terminates"})


@dataclass(frozen=True, slots=True)
class Norm:
    """One rule through which a clause speaks.

    `shape` is the head as written: a quick way to see what it can be about.
    """

    clause: str
    head: str
    shape: str
    rule: AST

    def terms(self) -> Iterator[tuple[AST, ...]]:
        """Return the arguments after the clause, once for each way to resolve their pools."""
        arguments = list(self.rule.head.atom.symbol.arguments)[1:]
        return product(*(alternatives(argument) for argument in arguments))

    def body(self) -> tuple[AST, ...]:
        """Return the conditions, without the guard."""
        return tuple(self.rule.body)[:-1]


def alternatives(term: AST) -> list[AST]:
    """Return the terms that a pool stands for; any other term stands for itself."""
    if term.ast_type is ASTType.Pool:
        return [inner for argument in term.arguments for inner in alternatives(argument)]
    return [term]


def place_of(statement: AST) -> Place:
    """Return where a statement begins."""
    begin = statement.location.begin
    return Place(begin.filename, begin.line, begin.column)
