"""Ground rules on their way between programs: written down as one is grounded, and given to another."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain

import clingo
from clingo import Symbol

from lexbelli.ground import Rule


@dataclass(frozen=True, slots=True)
class Part:
    """Ground rules to begin a program with, and the names of those of their atoms that have one."""

    rules: Sequence[Rule]
    names: Mapping[int, Symbol]

    def give(self, backend: clingo.Backend) -> None:
        """Give the rules to a program, with numbers of its own for their atoms."""
        own: dict[int, int] = {}
        for literal in dict.fromkeys(chain.from_iterable(rule.head + rule.body for rule in self.rules)):
            atom = abs(literal)
            if atom not in own:
                own[atom] = backend.add_atom(self.names.get(atom))
                own[-atom] = -own[atom]
        for rule in self.rules:
            head, body = [own[atom] for atom in rule.head], [own[literal] for literal in rule.body]
            if rule.weights:
                weighted = list(zip(body, rule.weights, strict=True))
                backend.add_weight_rule(head, rule.least, weighted, rule.choice)
            else:
                backend.add_rule(head, body, rule.choice)


class Watch(clingo.Observer):
    """Writes down what a program is grounded to."""

    def __init__(self) -> None:
        self.facts: list[int] = []
        self.rules: list[Rule] = []

    def rule(self, choice: bool, head: Sequence[int], body: Sequence[int]) -> None:
        if body or choice or len(head) != 1:
            self.rules.append(Rule(tuple(head), tuple(body), choice))
        else:
            self.facts.append(head[0])

    def weight_rule(
        self, choice: bool, head: Sequence[int], lower_bound: int, body: Sequence[tuple[int, int]]
    ) -> None:
        literals, weights = zip(*body, strict=True) if body else ((), ())
        self.rules.append(Rule(tuple(head), literals, choice, lower_bound, weights))
