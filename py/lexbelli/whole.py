"""The whole rulebook as one ground program, made once, and asked in slices.

Every fact is grounded at all its values, what events change is in it as well, and every clause may be
switched off. A slice that answers for some goals is exact: see `slices`.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import lru_cache

from clingo import Symbol

from lexbelli.model import State
from lexbelli.parts import Part
from lexbelli.rulebook import Rulebook, session
from lexbelli.search import Deadline, brave, exists
from lexbelli.slices import Slice, Slicer
from lexbelli.solver import ground_rules
from lexbelli.states import load_state
from lexbelli.terms import quoted

_NAMES = {
    "clash": 4, "effective": 1, "speaks": 1, "state": 1, "unvalued": 1, "in_force": 1,
    "impossible": 1, "group": 2,
}  # fmt: skip
_ALWAYS = ("clash", "effective")
_FIRST = 4  # most of what can hold at all holds by one of so many rules


class Whole:
    """The ground program of a rulebook, and the scenarios it has."""

    def __init__(self, book: Rulebook) -> None:
        """Ground it. Raises RulebookError as `session` and `load_state` do."""
        grounded = session(book)
        self.bases: Mapping[str, State] = {name: load_state(book, name) for name in book.scenarios()}
        extra = "".join(f"{{in_force({quoted(clause.id)})}}." for clause in book.clauses)
        extra += "".join(f"full({name})." for name in sorted(grounded.names("wide")))
        statements = book.statements + book.choice + book.check + book.effects
        self._program, self._atoms = ground_rules(statements, extra, _NAMES)
        self._slicers: dict[bool, Slicer] = {}
        self._causes = Slicer(self._program)
        self._known: dict[Symbol, bool] = {}
        state = self._atoms["state"]
        self.facts = {str(atom.arguments[0]): literal for atom, literal in state.items()}
        groups = [atom.arguments for atom in self._atoms["group"]]
        self.group_of = {str(fact): str(group) for fact, group in groups}
        # the values that clauses tell apart, and those of the scenarios
        self.narrow = {fact for base in self.bases.values() for fact in base.facts}
        self.narrow.update(grounded.facts)

    def goals(self, name: str) -> list[Symbol]:
        """Return the atoms of this name that may hold, sorted."""
        return sorted(self._atoms[name])

    def _slicer(self, *, full: bool) -> Slicer:
        if full not in self._slicers:
            left_out = {} if full else {f: lit for f, lit in self.facts.items() if f not in self.narrow}
            self._slicers[full] = Slicer(
                self._program,
                denied=self._atoms["impossible"].values(),
                true=self._atoms["in_force"].values(),
                false=left_out.values(),
            )
        return self._slicers[full]

    def slices(self, goals: Iterable[Symbol], *, full: bool) -> Iterator[Slice]:
        """Return slices for goals with every clause in force, at all values when `full`.

        What is true from the start, or false, is in none of them. A position in a slice is completed by
        a scenario; where there is none, everything is in one slice.
        """
        slicer = self._slicer(full=full)
        known = (self.atom(goal) for goal in goals)
        open_ = [literal for literal in known if slicer.value(literal) is None]
        return slicer.slices(open_) if self.bases else iter([slicer.everything(open_)] * bool(open_))

    def atom(self, goal: Symbol) -> int:
        """Return the number of a goal."""
        return self._atoms[goal.name][goal]

    def some(self, goals: Iterable[Symbol], deadline: Deadline) -> list[Symbol]:
        """Return those of the goals that hold in some position, in their order.

        What is asked of every rulebook is found out at once, when the first of it is asked. Raises
        LimitError when the time is over.
        """
        asked = list(goals)
        left = [goal for goal in asked if goal not in self._known]
        if left:
            first = [] if self._known else [goal for name in _ALWAYS for goal in self.goals(name)]
            every = dict.fromkeys([*left, *first])
            found = self._some(every, deadline)
            self._known.update((goal, goal in found) for goal in every)
        return [goal for goal in asked if self._known[goal]]

    def _some(self, goals: Iterable[Symbol], deadline: Deadline) -> set[Symbol]:
        asked = {self.atom(goal): goal for goal in goals}
        slicer = self._slicer(full=True)
        if not self._any(deadline):
            return set()
        found = {goal for literal, goal in asked.items() if slicer.value(literal)}
        left = [literal for literal in asked if slicer.value(literal) is None]
        for tried in (slicer.sketch(left, _FIRST), slicer):
            for piece in tried.slices(left):
                part = Part(piece.rules, {literal: asked[literal] for literal in piece.goals})
                found.update(brave((), "", (), deadline.left(), part))
            left = [goal for goal in left if asked[goal] not in found and slicer.ways(goal) > _FIRST]
        return found

    def _any(self, deadline: Deadline) -> bool:
        """Say whether there is any position at all, without which slices would not answer for it."""
        if self.bases:
            return True
        everything = self._slicer(full=True).everything(())
        return exists((), "", deadline.left(), Part(everything.rules, {}))

    def part(self, piece: Slice, names: Collection[str], goals: Iterable[Symbol]) -> Part:
        """Return a slice with names for its goals and its atoms of these names."""
        named = {self.atom(goal): goal for goal in goals}
        for name in names:
            named.update(
                (literal, atom) for atom, literal in self._atoms[name].items() if literal in piece.atoms
            )
        return Part(piece.rules, named)

    def cone(self, goal: Symbol) -> Part:
        """Return what leads to one goal, with the facts and clauses that matter to it."""
        piece = self._causes.cone(self.atom(goal))
        return self.part(piece, ("state", "in_force"), (goal,))


@lru_cache(maxsize=2)
def whole(book: Rulebook) -> Whole:
    """Return the ground program of a rulebook, made once and kept."""
    return Whole(book)
