"""Parts of a ground program that can be asked by themselves, with the same answer as the whole.

Whether an atom can hold depends on the rules that lead to it, its cone, and on what restricts the
choices in that cone. Choices that one constraint restricts belong to one family, and a slice holds all
that restricts the families of its cone. What is left out cannot stand against it: it can be completed
whatever happens in the slice, as long as the whole program has any stable model at all. Alternatives,
and atoms that depend on their own absence, restrict choices as constraints do.

Atoms are numbers and their negations negative ones, as clingo writes them.
"""

from collections.abc import Collection, Iterable, Iterator, Sequence
from copy import copy
from dataclasses import dataclass, field
from functools import cached_property

from lexbelli.ground import Program, Rule

LIMIT = 1500  # atoms of a slice, unless one of its goals has more
_ALL = 2**62


@dataclass(frozen=True, slots=True)
class Slice:
    """Goals, and the rules that decide whether each of them can hold."""

    goals: tuple[int, ...]
    atoms: frozenset[int]
    rules: tuple[Rule, ...]


# literals that are restricted, and by which constraint, unless by the rules for them
Restriction = tuple[tuple[int, ...], Rule | None]


@dataclass(slots=True)
class _Piece:
    """A slice in the making."""

    limit: int
    goals: list[int] = field(default_factory=list)
    atoms: set[int] = field(default_factory=set)
    families: set[int] = field(default_factory=set)

    def clear(self) -> None:
        """Begin the next one."""
        self.goals, self.atoms, self.families = [], set(), set()


class Slicer:
    """A program with some of its choices made, to be cut into slices."""

    def __init__(
        self,
        program: Program,
        denied: Iterable[int] = (),
        true: Iterable[int] = (),
        false: Iterable[int] = (),
    ) -> None:
        """Take atoms that may not hold, and chosen ones that are `true` or `false` from the start."""
        self._program = program
        self._true = program.facts.union(true)
        self._false = frozenset(false)
        self._denied = tuple(denied)
        self._known: dict[int, tuple[Rule, ...]] = {}
        self._below: dict[int, tuple[int, ...]] = {}
        self._parent: dict[int, int] = {}

    @cached_property
    def _families(self) -> dict[int, list[Restriction]]:
        """What restricts each family, by the atom that stands for it."""
        restrictions: list[Restriction] = [(atoms, None) for atoms in self._program.tied]
        for rule in (*self._program.constraints, *(Rule((), (atom,)) for atom in self._denied)):
            left = self._reduced(rule)
            if left is not None:
                restrictions.append((left.body, left))
        members: list[int] = []
        reached: dict[int, int] = {}
        for literals, _ in restrictions:
            members.append(self._joined(literals, reached, members))
        families: dict[int, list[Restriction]] = {}
        for member, restriction in zip(members, restrictions, strict=True):
            families.setdefault(self._family(member), []).append(restriction)
        return families

    def value(self, literal: int) -> bool | None:
        """Say whether a literal is true or false from the start; None where it is open."""
        atom = abs(literal)
        if atom in self._true:
            return literal > 0
        if atom in self._false or atom not in self._program.leading:
            return literal < 0
        return None

    def ways(self, goal: int) -> int:
        """Return how many rules can lead to an atom."""
        return len(self._rules(goal))

    def sketch(self, goals: Collection[int], most: int) -> "Slicer":
        """Return a slicer that tries so many of the rules for each goal only.

        What its slices find can hold; what they do not find may hold all the same where there are more
        rules. Nothing may depend on the goals.
        """
        assert self._families is not None  # made once, for both
        other = copy(self)
        other._known = self._known | {goal: self._rules(goal)[:most] for goal in goals}
        other._below = self._below.copy()
        for goal in goals:
            other._below.pop(goal, None)
        return other

    def cone(self, goals: Sequence[int]) -> Slice:
        """Return what leads to some goals, without anything that restricts the choices in it."""
        return self._cut(goals, self._descend(goals, set()), ())

    def everything(self, goals: Collection[int]) -> Slice:
        """Return goals with all that restricts any choice, whether it matters to them or not."""
        kept = [restriction for family in self._families.values() for restriction in family]
        restricted = [literal for literals, _ in kept for literal in literals]
        return self._cut(goals, self._descend([*goals, *restricted], set()), self._families)

    def slices(self, goals: Iterable[int], limit: int = LIMIT) -> Iterator[Slice]:
        """Return goals in slices: few of them, and none much larger than it has to be.

        Small goals share slices of at most `limit` atoms; a goal with more shares one with its like, up
        to ten times the size of the first of them, and with whatever has most of its atoms there.
        """
        small, large = _Piece(limit), _Piece(limit)
        for goal in goals:
            piece = small
            if self._is_covered(goal, large, limit) or self._size(goal, limit + 1) > limit:
                piece = large
            more, met = self._closed(goal, piece.atoms, piece.families)
            if piece.goals and len(piece.atoms) + len(more) > piece.limit:
                yield self._cut(piece.goals, piece.atoms, piece.families)
                piece.clear()
                more, met = self._closed(goal, (), ())
            if piece is large and not piece.goals:
                piece.limit = 10 * len(more)
            piece.goals.append(goal)
            piece.atoms |= more
            piece.families |= met
        for piece in (small, large):
            if piece.goals:
                yield self._cut(piece.goals, piece.atoms, piece.families)

    def _is_covered(self, goal: int, piece: _Piece, limit: int) -> bool:
        """Say whether a slice in the making has most of what a goal needs."""
        if not piece.goals:
            return False
        enough = 4 * len(self._closed(goal, piece.atoms, piece.families, limit)[0]) + 1
        return enough < 4 * limit and self._size(goal, enough) >= enough

    def _size(self, goal: int, enough: int) -> int:
        """Return how many atoms a goal needs, or a number that is enough."""
        return len(self._closed(goal, (), (), enough)[0])

    def _closed(
        self, goal: int, atoms: Collection[int], families: Collection[int], enough: int = _ALL
    ) -> tuple[set[int], set[int]]:
        """Return the atoms and families that a goal needs beside those that are there.

        The search stops when there are `enough` atoms.
        """
        restricted = self._families  # before any atom is asked for its family
        more: set[int] = set()
        met: set[int] = set()
        new = self._descend([goal], more, atoms, enough)
        while new and len(more) < enough:
            starts: list[int] = []
            for family in {self._family(atom) for atom in new if atom in self._program.open}:
                if family in restricted and family not in families and family not in met:
                    met.add(family)
                    starts += [lit for literals, _ in restricted[family] for lit in literals]
            new = self._descend(starts, more, atoms, enough)
        return more, met

    def _descend(
        self,
        starts: Iterable[int],
        seen: set[int],
        beside: Collection[int] = (),
        enough: int = _ALL,
    ) -> set[int]:
        """Add what leads to some literals to the atoms seen, and return what is new."""
        new: set[int] = set()
        pending = [abs(literal) for literal in starts if self.value(literal) is None]
        while pending and len(seen) < enough:
            atom = pending.pop()
            if atom not in seen and atom not in beside:
                seen.add(atom)
                new.add(atom)
                pending += self._below.get(atom) or self._step(atom)
        return new

    def _step(self, atom: int) -> tuple[int, ...]:
        """Return the open atoms in the rules for an atom."""
        below = {abs(literal) for rule in self._rules(atom) for literal in rule.body}
        return self._below.setdefault(atom, tuple(below))

    def _rules(self, atom: int) -> tuple[Rule, ...]:
        """Return the rules that can still lead to an atom; of choices with this head alone."""
        known = self._known.get(atom)
        if known is None:
            rules = []
            for rule in self._program.leading.get(atom, ()):
                left = self._reduced(rule)
                if left is not None:
                    single = left.choice and len(left.head) > 1
                    rules.append(Rule((atom,), left.body, True) if single else left)
            known = self._known[atom] = tuple(rules)
        return known

    def _reduced(self, rule: Rule) -> Rule | None:
        """Return a rule with what is open of its body, or None when that cannot hold."""
        left: list[int] = []
        if not rule.weights:
            for literal in rule.body:
                value = self.value(literal)
                if value is None:
                    left.append(literal)
                elif not value:
                    return None
            return rule if len(left) == len(rule.body) else Rule(rule.head, tuple(left), rule.choice)
        weights: list[int] = []
        least = rule.least
        for literal, weight in zip(rule.body, rule.weights, strict=True):
            value = self.value(literal)
            if value is None:
                left.append(literal)
                weights.append(weight)
            elif value:
                least -= weight
        if sum(weights) < least:
            return None
        if least <= 0:
            return Rule(rule.head, (), rule.choice)
        return Rule(rule.head, tuple(left), rule.choice, least, tuple(weights))

    def _cut(self, goals: Iterable[int], atoms: Iterable[int], families: Iterable[int]) -> Slice:
        rules = dict.fromkeys(rule for atom in sorted(atoms) for rule in self._rules(atom))
        kept = [rule for family in families for _, rule in self._families[family] if rule is not None]
        return Slice(tuple(goals), frozenset(atoms), (*rules, *kept))

    # ---- families: choices that are restricted together -----------------------------------------

    def _joined(self, literals: Iterable[int], reached: dict[int, int], members: Sequence[int]) -> int:
        """Make what is chosen below some literals one family, and return a member; nought without one.

        `reached` gives the place of the restriction that first came to an atom, and `members` a member
        of its family: what is below such an atom is in that family already.
        """
        place, joined = len(members), 0
        pending = [abs(literal) for literal in literals if self.value(literal) is None]
        while pending:
            atom = pending.pop()
            if atom in reached:
                member = members[reached[atom]] if reached[atom] != place else 0
            else:
                below = self._below.get(atom) or self._step(atom)
                chosen = atom in self._program.open
                if not below and not chosen:
                    continue  # nothing can lead to it any more
                reached[atom] = place
                pending += below
                member = atom if chosen else 0
            if member and joined:
                self._parent[self._family(member)] = self._family(joined)
            joined = joined or member
        return joined

    def _family(self, atom: int) -> int:
        """Return the one that stands for the family of a chosen atom."""
        while (parent := self._parent.get(atom, atom)) != atom:
            self._parent[atom] = self._parent.get(parent, parent)
            atom = parent
        return atom
