"""Norms: the rules through which clauses speak, and the heads they speak through."""

from dataclasses import dataclass
from functools import cached_property
from itertools import product

from clingo.ast import AST, ASTType

from lexbelli.errors import Place

# the heads through which clauses speak, with the number of their arguments
HEADS = {
    "permits": 2, "opens": 2, "meets": 2, "forbids": 2, "obliges": 2, "discharges": 3, "sets": 3,
    "concludes": 2, "denies": 2, "initiates": 3, "terminates": 3, "overrides": 3,
}  # fmt: skip
EFFECTS = frozenset({"initiates", "terminates"})


@dataclass(frozen=True)
class Norm:
    """One rule through which a clause speaks.

    `shape` is the head as written: a quick way to see what it can be about.
    """

    clause: str
    head: str
    shape: str
    rule: AST

    @cached_property
    def terms(self) -> tuple[tuple[AST, ...], ...]:
        """The arguments after the clause, once for each way to resolve their pools."""
        arguments = list(self.rule.head.atom.symbol.arguments)[1:]
        return tuple(product(*(alternatives(argument) for argument in arguments)))

    def may_be_about(self, name: str) -> bool:
        """Say whether a term of this name could fit the head."""
        return name in self.shape or self._is_open

    @cached_property
    def _is_open(self) -> bool:
        terms = (term for alternative in self.terms for term in alternative)
        return any(term.ast_type is ASTType.Variable for term in terms)

    @cached_property
    def body(self) -> tuple[AST, ...]:
        """The conditions, without the guard."""
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
