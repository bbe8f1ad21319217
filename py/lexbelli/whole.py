"""A whole rulebook as one ground program, asked in slices.

Every fact is grounded at all its values, what events change is in it as well, and every clause may be
switched off. A slice that answers for some goals is exact: see `slices`.
"""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from clingo import Function, Symbol, parse_term

from lexbelli.errors import RulebookError
from lexbelli.ground import Program, Rule
from lexbelli.model import Change, State
from lexbelli.parts import Part
from lexbelli.search import Deadline, Probe, brave, exists
from lexbelli.slices import Slice, Slicer

_GROUP = re.compile(r"group\((\w+(?:\([^()]*\))?),(\w+(?:\([^()]*\))?)\)")
_FIRST = 8  # most of what can hold at all holds by one of so many rules

Named = Mapping[str, Mapping[Symbol, int]]


@dataclass(frozen=True, slots=True)
class Place:
    """A position, and how it is reached from a scenario."""

    state: State
    base: str | None
    changes: tuple[Change, ...]


@dataclass(frozen=True, eq=False)
class Whole:
    """A ground program over every position, and the scenarios that positions are near to.

    `atoms` are those of the names asked about, by symbol. `switches` are chosen atoms that are no part
    of a position, each with whether it holds unless one asks otherwise.
    """

    program: Program
    atoms: Named
    bases: Mapping[str, State]
    narrow: Collection[str]  # the values that clauses tell apart, and those of the scenarios
    scale: Mapping[str, str]
    switches: Mapping[Symbol, bool]
    numbers: Mapping[Symbol, int]  # of the switches
    always: Sequence[Symbol] = ()  # goals to find out about at once, when the first of them is asked
    places: dict[Symbol, Place] = field(default_factory=dict)  # what goals have been found to hold in
    _slicers: dict[bool, Slicer] = field(default_factory=dict)
    _known: dict[Symbol, bool] = field(default_factory=dict)
    _numbered: dict[str, Mapping[int, Symbol]] = field(default_factory=dict)

    @cached_property
    def facts(self) -> Sequence[str]:
        """Every fact that a position may hold."""
        return [str(atom.arguments[0]) for atom in self.atoms["state"]]

    def facts_in(self, piece: Slice) -> list[str]:
        """Return the facts that a slice is about, sorted."""
        told = self._by_number("state")
        return sorted(str(told[number].arguments[0]) for number in told.keys() & piece.atoms)

    @cached_property
    def group_of(self) -> Mapping[str, str]:
        """The group of each fact that has one."""
        # of most the text tells it, which is quicker than taking atoms apart
        groups: dict[str, str] = {}
        for atom in self.atoms["group"]:
            match = _GROUP.fullmatch(str(atom))
            fact, group = match.groups() if match else map(str, atom.arguments)
            groups[fact] = group
        return groups

    @cached_property
    def sizes(self) -> Counter[str]:
        """How many values each group has."""
        return Counter(self.group_of.values())

    @cached_property
    def optional(self) -> frozenset[str]:
        """The groups that may have no value."""
        return frozenset(str(atom.arguments[0]) for atom in self.atoms["unvalued"])

    @cached_property
    def _causes(self) -> Slicer:
        return Slicer(self.program)

    def where(self, kind: str, subject: Symbol) -> list[int]:
        """Return what must hold for an answer to count: of an effect, that its event can happen."""
        if kind != "effect":
            return []
        happens = self.atoms["can_happen"].get(Function("can_happen", [subject.arguments[0]]))
        return [] if happens is None else [happens]

    def extended(
        self,
        rules: Iterable[Rule],
        goals: Named,
        switches: Mapping[Symbol, bool],
        numbers: Mapping[Symbol, int],
    ) -> "Whole":
        """Return the same with further rules, goals and switches."""
        return replace(
            self,
            program=self.program.extended(rules),
            atoms={**self.atoms, **goals},
            switches={**self.switches, **switches},
            numbers={**self.numbers, **numbers},
            always=(),
            places={},
            _slicers={},
            _known={},
            _numbered={},
        )

    def switched(self, on: Collection[Symbol]) -> "Whole":
        """Return the same with exactly these switches on."""
        chosen = {switch: switch in on for switch in self.switches}
        return replace(self, switches=chosen, places={}, _slicers={}, _known={})

    def goals(self, name: str) -> list[Symbol]:
        """Return the atoms of this name that may hold, sorted."""
        return sorted(self.atoms.get(name, ()))

    def slicer(self, *, full: bool) -> Slicer:
        """Return what cuts slices: of positions at all values of the facts when `full`."""
        if full not in self._slicers:
            left_out = [] if full else self._wide()
            held = {
                on: [self.numbers[s] for s, o in self.switches.items() if o == on]
                for on in (True, False)
            }
            self._slicers[full] = Slicer(
                self.program,
                denied=self.atoms["impossible"].values(),
                true=held[True],
                false=[*left_out, *held[False]],
            )
        return self._slicers[full]

    def _wide(self) -> list[int]:
        """Return the numbers of the facts that are not narrow."""
        states = self.atoms["state"]
        narrow = {states.get(Function("state", [parse_term(fact)])) for fact in self.narrow}
        return [number for number in states.values() if number not in narrow]

    def slices(self, goals: Iterable[Symbol], *, full: bool) -> Iterator[Slice]:
        """Return slices for goals with every switch as it is, at all values when `full`.

        What is true from the start, or false, is in none of them. A position in a slice is completed by
        a scenario; where there is none, everything is in one slice.
        """
        slicer = self.slicer(full=full)
        known = (self.atom(goal) for goal in goals)
        open_ = [literal for literal in known if slicer.value(literal) is None]
        return slicer.slices(open_) if self.bases else iter([slicer.everything(open_)] * bool(open_))

    def atom(self, goal: Symbol) -> int:
        """Return the number of a goal."""
        return self.atoms[goal.name][goal]

    def some(self, goals: Iterable[Symbol], deadline: Deadline) -> list[Symbol]:
        """Return those of the goals that hold in some position, in their order.

        What is asked of every rulebook is found out at once, when the first of it is asked. Raises
        LimitError when the time is over.
        """
        asked = list(goals)
        left = [goal for goal in asked if goal not in self._known]
        if left:
            every = dict.fromkeys([*left, *(() if self._known else self.always)])
            found = self._some(every, deadline)
            self._known.update((goal, goal in found) for goal in every)
        return [goal for goal in asked if self._known[goal]]

    def _some(self, goals: Iterable[Symbol], deadline: Deadline) -> set[Symbol]:
        asked = {self.atom(goal): goal for goal in goals}
        slicer = self.slicer(full=True)
        self._refuse_nothing(deadline)
        found = {goal for literal, goal in asked.items() if slicer.value(literal)}
        left = [literal for literal in asked if slicer.value(literal) is None]
        for tried in (slicer.sketch(left, _FIRST), slicer):
            for piece in tried.slices(left):
                part = Part(piece.rules, {literal: asked[literal] for literal in piece.goals})
                found.update(brave((), "", (), deadline.left(), part))
            left = [goal for goal in left if asked[goal] not in found and slicer.ways(goal) > _FIRST]
        return found

    def _refuse_nothing(self, deadline: Deadline) -> None:
        """Refuse a rulebook in which no position can be: everything would be proved of it."""
        everything = () if self.bases else self.slicer(full=True).everything(()).rules
        if not self.bases and not exists((), "", deadline.left(), Part(everything, {})):
            raise RulebookError(
                "no position can be: each is impossible", hint="impossible/1 says what cannot be"
            )

    def part(self, piece: Slice, names: Collection[str], goals: Iterable[Symbol]) -> Part:
        """Return a slice with names for its goals and its atoms of these names."""
        named = {self.atom(goal): goal for goal in goals}
        for name in names:
            told = self._by_number(name)
            named.update((number, told[number]) for number in sorted(told.keys() & piece.atoms))
        return Part(piece.rules, named)

    def _by_number(self, name: str) -> Mapping[int, Symbol]:
        if name not in self._numbered:
            self._numbered[name] = {number: atom for atom, number in self.atoms[name].items()}
        return self._numbered[name]

    def probes(self, goals: Iterable[Symbol], open_: str) -> Mapping[Symbol, Probe]:
        """Return for each goal what tells whether it can hold, given the switches of one name."""
        asked = {self.atom(goal): goal for goal in goals}
        left = self.atoms[open_]
        off = [n for switch, n in self.numbers.items() if switch not in left]
        slicer = Slicer(self.program, self.atoms["impossible"].values(), false=off)
        found: dict[Symbol, Probe] = {}
        for piece in slicer.slices(asked):
            inside = [asked[goal] for goal in piece.goals]
            found |= dict.fromkeys(inside, Probe(self.part(piece, (open_,), inside), *inside))
        return found

    def cone(self, goals: Collection[Symbol]) -> Part:
        """Return what leads to some goals, with the facts, groups and switches that matter to them."""
        piece = self._causes.cone([self.atom(goal) for goal in goals])
        part = self.part(piece, ("state", "unvalued"), goals)
        switches = {n: symbol for symbol, n in self.numbers.items() if n in piece.atoms}
        return replace(part, names={**part.names, **switches})
