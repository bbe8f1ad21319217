"""Rules of which a part is grounded apart: what shares no variable with the rest is asked once.

Otherwise a rule would be grounded for each way to meet one condition with each way to meet another.
"""

from collections.abc import Iterable, Iterator

from clingo import Number, Symbol
from clingo.ast import AST, Function, Literal, Location, Rule, Sign, SymbolicAtom, SymbolicTerm

from lexbelli.literals import split_body, variables


def factored(rule: AST, first: int) -> list[AST]:
    """Return a rule that says the same, after those that say which of its conditions are met.

    What these derive is counted from `first`.
    """
    rules: list[AST] = []
    place, body = rule.location, list(rule.body)
    known = set(variables(rule.head))
    for group in split_body(body, known):
        named = {name for literal in group for name in variables(literal)}
        if named and named.isdisjoint(known):
            met = plain_literal(place, "factor__", Number(first + len(rules)))
            rules.append(Rule(place, met, group))
            body = [*(literal for literal in body if literal not in group), met]
    return [*rules, rule.update(body=body) if rules else rule]


def with_factors(statements: Iterable[AST], rules: Iterable[AST]) -> Iterator[AST]:
    """Yield statements, with those of them that are among some rules factored."""
    told = {id(rule) for rule in rules}
    count = 0
    for statement in statements:
        parts = factored(statement, count) if id(statement) in told else [statement]
        count += len(parts)
        yield from parts


def plain_literal(place: Location, name: str, *terms: Symbol) -> AST:
    """Return the literal of an atom of ground terms."""
    atom = Function(place, name, [SymbolicTerm(place, term) for term in terms], 0)
    return Literal(place, Sign.NoSign, SymbolicAtom(atom))
