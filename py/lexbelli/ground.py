"""A ground program: rules over atoms that are numbers, a literal negative where it is negated."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from copy import copy
from functools import cached_property
from typing import NamedTuple


class Rule(NamedTuple):
    """One ground rule. From its body one atom of its head follows; with `choice`, each of them may.

    Without a head its body may not hold. With `weights`, one for each literal, a body holds when those
    of its true literals come to `least`.
    """

    head: tuple[int, ...]
    body: tuple[int, ...]
    choice: bool = False
    least: int = 0
    weights: tuple[int, ...] = ()


class Program:
    """The rules of a ground program, by what they lead to."""

    def __init__(self, rules: Iterable[Rule], facts: Iterable[int]) -> None:
        """Take the rules, and the atoms that hold always."""
        self.facts = frozenset(facts)
        self.rules: list[Rule] = []
        self.leading: dict[int, list[Rule]] = {}
        self.constraints: list[Rule] = []
        self.open: set[int] = set()  # atoms that are chosen
        self.tied: list[tuple[int, ...]] = []  # atoms whose rules restrict what is below them
        self._take(rules)

    def extended(self, rules: Iterable[Rule]) -> "Program":
        """Return the program with further rules, which lead to atoms of their own only."""
        other = copy(self)
        other.__dict__.pop("reading", None)
        other.__dict__.pop("highest", None)
        other.rules, other.constraints = [*self.rules], [*self.constraints]
        other.leading, other.open, other.tied = {**self.leading}, {*self.open}, [*self.tied]
        other._take(rules)
        return other

    def _take(self, rules: Iterable[Rule]) -> None:
        backward: list[int] = []
        for rule in rules:
            self.rules.append(rule)
            head, body = rule.head, rule.body
            if not head:
                self.constraints.append(rule)
                continue
            for atom in head:
                self.leading.setdefault(atom, []).append(rule)
            if rule.choice or len(head) > 1:
                self.open.update(head)
                if not rule.choice:
                    self.tied.append(head)
            # atoms are numbered as they are grounded: a circle needs a step to a higher number
            if body and max(*body, -min(body)) >= min(head):
                backward += head
        for circle in _circles(backward, self.below):
            inside = set(circle)
            bodies = [rule.body for atom in circle for rule in self.leading[atom]]
            if any(-literal in inside for body in bodies for literal in body):
                self.open |= inside
                self.tied.append(circle)

    @cached_property
    def reading(self) -> Mapping[int, Sequence[Rule]]:
        """The rules that have an atom in their body."""
        found: dict[int, list[Rule]] = {}
        for rule in self.rules:
            for literal in rule.body:
                found.setdefault(abs(literal), []).append(rule)
        return found

    @cached_property
    def highest(self) -> int:
        """The highest number of an atom."""
        heads = max((max(rule.head) for rule in self.rules if rule.head), default=0)
        return max(heads, *self.facts, 0)

    def below(self, atom: int) -> list[int]:
        """Return the atoms in the bodies of the rules that lead to an atom."""
        return [abs(literal) for rule in self.leading.get(atom, ()) for literal in rule.body]


def _circles(starts: Iterable[int], below: Callable[[int], Sequence[int]]) -> Iterator[tuple[int, ...]]:
    """Return the strongly connected components of more than one atom, or with a step to itself.

    Only those that can be reached from `starts` are sought.
    """
    order: dict[int, int] = {}
    lowest: dict[int, int] = {}
    open_: dict[int, None] = {}
    for start in starts:
        if start in order:
            continue
        trail: list[tuple[int, Iterator[int]]] = []
        reached: int | None = start
        while reached is not None or trail:
            if reached is not None:
                order[reached] = lowest[reached] = len(order)
                open_[reached] = None
                trail.append((reached, iter(below(reached))))
            atom, steps = trail[-1]
            reached = None
            for step in steps:
                if step not in order:
                    reached = step
                    break
                if step in open_:
                    lowest[atom] = min(lowest[atom], order[step])
            if reached is not None:
                continue
            trail.pop()
            if trail:
                above = trail[-1][0]
                lowest[above] = min(lowest[above], lowest[atom])
            if lowest[atom] == order[atom]:
                circle: list[int] = []
                while not circle or circle[-1] != atom:
                    circle.append(open_.popitem()[0])
                if len(circle) > 1 or atom in below(atom):
                    yield tuple(circle)
