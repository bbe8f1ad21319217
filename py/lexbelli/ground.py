"""A ground program taken apart: which atoms depend on which, and two versions of it over one state.

Atoms are numbers, as the solver counts them; a literal is a number, negative for "not". To compare two
versions of a program only what depends on a difference is written twice. What both share stays one, so
that a proof that nothing differs need not find out again that the same rules come to the same.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from clingo import Symbol


@dataclass(frozen=True, slots=True)
class GroundRule:
    """One ground rule, with an empty head for a constraint.

    With a `bound` the body is a sum that must reach it, and `weights` are those of its literals.
    """

    head: tuple[int, ...]
    body: tuple[int, ...]
    choice: bool = False
    bound: int | None = None
    weights: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Minimized:
    """A sum to keep small: literals with their weights, on one level of importance."""

    priority: int
    literals: tuple[tuple[int, int], ...]


@dataclass(frozen=True)
class GroundProgram:
    """The rules of a ground program and the names of its atoms; facts have no number."""

    rules: Sequence[GroundRule]
    names: Mapping[Symbol, int]
    minimized: Sequence[Minimized] = ()
    facts: frozenset[Symbol] = field(default_factory=frozenset)

    @cached_property
    def defining(self) -> Mapping[int, Sequence[int]]:
        """The rules that derive an atom, by their place."""
        found: dict[int, list[int]] = {}
        for place, rule in enumerate(self.rules):
            for atom in rule.head:
                found.setdefault(atom, []).append(place)
        return found

    @cached_property
    def reading(self) -> Mapping[int, Sequence[int]]:
        """The rules with an atom in their body, by their place."""
        found: dict[int, list[int]] = {}
        for place, rule in enumerate(self.rules):
            for literal in rule.body:
                found.setdefault(abs(literal), []).append(place)
        return found

    @cached_property
    def chosen(self) -> frozenset[int]:
        """The atoms that are left to choice."""
        return frozenset(atom for rule in self.rules if rule.choice for atom in rule.head)

    def above(self, atoms: Iterable[int]) -> set[int]:
        """Return the atoms that depend on some of these, with these."""
        reached = set(atoms)
        waiting = list(reached)
        while waiting:
            for place in self.reading.get(waiting.pop(), ()):
                for atom in self.rules[place].head:
                    if atom not in reached:
                        reached.add(atom)
                        waiting.append(atom)
        return reached

    def below(self, atoms: Iterable[int], known: Collection[int] = ()) -> set[int]:
        """Return the atoms on which these depend, with these; `known` ones are not looked into."""
        reached = set(atoms)
        waiting = list(reached)
        while waiting:
            for place in self.defining.get(waiting.pop(), ()):
                for literal in (*self.rules[place].head, *self.rules[place].body):
                    atom = abs(literal)
                    if atom not in reached and atom not in known:
                        reached.add(atom)
                        waiting.append(atom)
        return reached


@dataclass(frozen=True, slots=True)
class Second:
    """A second version of what depends on a difference: further rules, beside those of the program.

    `numbers` gives the number that an atom has in it, where it has another; the rest is shared.
    """

    rules: Sequence[GroundRule]
    numbers: Mapping[int, int]


def second_version(program: GroundProgram, tags: Iterable[int], first: int) -> Second:
    """Return a version of a program in which some chosen atoms may be chosen otherwise.

    The `tags` are these atoms, such as the switches of clauses. Only what depends on them is written
    again, with atoms counted from `first`; constraints hold in both versions.
    """
    tags = set(tags)
    numbers = {atom: first + place for place, atom in enumerate(sorted(program.above(tags)))}

    def again(place: int) -> GroundRule:
        rule = program.rules[place]
        body = tuple(_signed(numbers.get(abs(lit), abs(lit)), lit) for lit in rule.body)
        head = tuple(numbers.get(atom, atom) for atom in rule.head)
        return GroundRule(head, body, rule.choice, rule.bound, rule.weights)

    rules = [GroundRule((numbers[tag],), (), choice=True) for tag in sorted(tags)]
    deriving = {p for atom in numbers.keys() - tags for p in program.defining.get(atom, ())}
    ruling_out = {
        p for atom in numbers for p in program.reading.get(atom, ()) if not program.rules[p].head
    }
    rules += [again(place) for place in sorted(deriving | ruling_out)]
    return Second(rules, numbers)


def _signed(atom: int, literal: int) -> int:
    return atom if literal > 0 else -atom
