"""Positions that show a clash: the one nearest to a scenario, and what in it matters."""

from collections.abc import Callable, Collection, Sequence

from clingo import Symbol

from lexbelli.errors import RulebookError
from lexbelli.findings import Range
from lexbelli.model import State
from lexbelli.programs import whole
from lexbelli.repairs import amounts, changes_between, last_number, with_number
from lexbelli.rulebook import Rulebook, session
from lexbelli.search import Deadline, Probe, Search, smallest
from lexbelli.slices import Slice
from lexbelli.terms import clause_key, quoted, written
from lexbelli.whole import Place, Whole

# a slice need not have all of it; the rulebook's own constraints are in it already
_DEFINED = " ".join(
    f"#defined {name}."
    for name in (
        "verdict/2", "impossible/1", "settled/1", "state/1", "unvalued/1", "fact/1", "group/2",
        "base/2",
    )
)  # fmt: skip

_NONE = ""  # stands for no value of a group


def nearest(
    book: Rulebook, clashes: Sequence[Symbol], deadline: Deadline, program: Whole | None = None
) -> dict[Symbol, Place]:
    """Return, for each clash or other goal, the position nearest to a scenario in which it holds.

    Positions are sought among the values that clauses tell apart, and only where there is none among
    all values; what has been found once is known. Raises LimitError when the time is over.
    """
    program = program or whole(book)
    found = program.places
    found |= _everywhere(program, [clash for clash in clashes if clash not in found])
    for full in (False, True):
        left = [clash for clash in clashes if clash not in found]
        asked = {program.atom(clash): clash for clash in left}
        for piece in program.slices(left, full=full):
            search = _Search(book, program, piece, [asked[goal] for goal in piece.goals], full=full)
            for goal in piece.goals:
                place = search.nearest(asked[goal], deadline.left())
                if place is not None:
                    found[asked[goal]] = place
    for clash in clashes:
        if clash not in found:
            raise RulebookError(
                f"{clash} holds in some position, and none is found",
                hint="this is a bug of the program, please report it",
            )
    return {clash: found[clash] for clash in clashes}


def _everywhere(program: Whole, goals: Sequence[Symbol]) -> dict[Symbol, Place]:
    """Return the goals that hold in every position: a scenario is nearest to itself."""
    value = program.slicer(full=True).value
    if not program.bases:
        return {}
    name = max(program.bases)
    state = State("witness", program.bases[name].facts)
    return {goal: Place(state, name, ()) for goal in goals if value(program.atom(goal))}


class _Search:
    """A search in one slice: what is outside it stays as it is in the scenario."""

    def __init__(
        self, book: Rulebook, program: Whole, piece: Slice, goals: Sequence[Symbol], *, full: bool
    ) -> None:
        inside = program.facts_in(piece)
        self._inside = set(inside)
        self._group_of = program.group_of
        self._bases = program.bases or {"": State("", ())}
        known = program.facts if full else program.narrow
        lines = [_DEFINED]
        for fact in inside:
            lines.append(f"fact({fact}).")
            if fact in program.group_of:
                lines.append(f"group({fact},{program.group_of[fact]}).")
        lines.append(amounts(inside, known, program.group_of, program.scale))
        lines += [
            f"base({quoted(name)},{fact})."
            for name, base in self._bases.items()
            for fact in base.facts
            if fact in self._inside
        ]
        lines.append(f"1 {{ near({';'.join(map(quoted, self._bases))}) }} 1.")
        lines.append("current(Fact) :- near(Base), base(Base,Fact).")
        # of scenarios that are equally near the last by name
        places = enumerate(reversed(list(self._bases)))
        lines += [f":~ near({quoted(name)}). [{place}@-1]" for place, name in places]
        part = program.part(piece, ("state", "unvalued"), goals)
        self._search = Search(book.repair, "\n".join(lines), part, shown={"state": 1, "near": 1})

    def nearest(self, clash: Symbol, seconds: float) -> Place | None:
        best = self._search.best(frozenset(), seconds, held=[str(clash)])
        if best is None:
            return None
        world = best[1]
        name = written(world["near"][0].arguments[0])
        base = self._bases[name]
        facts = {written(atom.arguments[0]) for atom in world.get("state", ())}
        facts.update(fact for fact in base.facts if fact not in self._inside)
        changes = changes_between(base.facts, facts, self._group_of)
        return Place(State("witness", tuple(sorted(facts))), name or None, changes)


class Cause:
    """What leads to one clash: asked about it, a position is no more than its facts that matter."""

    def __init__(
        self,
        book: Rulebook,
        clash: Symbol,
        program: Whole | None = None,
        beside: Collection[Symbol] = (),
    ) -> None:
        """Cut the clash, or another goal, out of the rulebook, with goals `beside` it to ask about."""
        self._book = book
        self._program = program or whole(book)
        self._clash = clash
        goals = (clash, *beside)
        part = self._program.cone(goals)
        atoms = [atom for atom in part.names.values() if atom not in goals]
        self._facts, self._unvalued = (
            {written(atom.arguments[0]): atom for atom in atoms if atom.name == name}
            for name in ("state", "unvalued")
        )
        # the values of each group, and that it has none
        self._groups: dict[str, dict[str, Symbol]] = {}
        for fact, atom in self._facts.items():
            if fact in self._program.group_of:
                self._groups.setdefault(self._program.group_of[fact], {})[fact] = atom
        for group, atom in self._unvalued.items():
            self._groups.setdefault(group, {})[_NONE] = atom
        self.switches = {atom for atom in atoms if atom in self._program.switches}
        self._on = {atom for atom in self.switches if self._program.switches[atom]}
        self._probe = Probe(part, *goals, apart=map(dict.values, self._groups.values()))

    def holds(
        self,
        facts: Collection[str],
        on: Collection[Symbol] | None = None,
        goal: Symbol | None = None,
    ) -> bool:
        """Say whether the clash, or a goal beside it, holds in a position.

        The switches `on` are on then, or they are as they are.
        """
        true = [*self._true(facts), *(self._on if on is None else on)]
        return self._probe.holds(true, goal or self._clash)

    def _true(self, facts: Collection[str]) -> list[Symbol]:
        """Return the atoms that are true when exactly these facts hold."""
        true = [atom for fact, atom in self._facts.items() if fact in facts]
        if self._unvalued:
            valued = {self._program.group_of.get(fact) for fact in facts}
            true += [atom for group, atom in self._unvalued.items() if group not in valued]
        return true

    def ranges(self, state: State) -> tuple[Range, ...]:
        """Return the numbers between which the clash stays, for each fact whose number matters."""
        bounds = {
            name: (int(low), int(high)) for name, low, high in session(self._book).pairs("bounds", 3)
        }
        found = []
        for fact in state.facts:
            name, number = fact.partition("(")[0], last_number(fact)
            if name in bounds and number is not None:
                stays = self._stays(state, fact)
                if stays is not None:
                    found.append(_range(fact, number, bounds[name], stays))
        return tuple(found)

    def _stays(self, state: State, fact: str) -> Callable[[str], bool] | None:
        """Return what tells with which other value of a fact the clash stays, None if with any."""
        others = set(state.facts) - {fact}
        if fact not in self._program.group_of:
            matters = fact in self._facts and not self.holds(others)
            return (lambda other: self.holds(others | {other})) if matters else None
        group = self._program.group_of[fact]
        values = self._groups.get(group, {})
        kept: Collection[Symbol | None] = ()
        if values:
            true = [*self._true(others - values.keys()), *self._on]
            kept = self._probe.choices(true, values.values(), self._clash)
        ends = any(atom not in kept for value, atom in values.items() if value != fact)
        # none of them may be a value on which nothing depends or, where it is not one of them, no value
        others_left = len(values.keys() - {_NONE}) < self._program.sizes[group]
        others_left |= _NONE not in values and group in self._program.optional
        if ends or (fact in values and others_left and None not in kept):
            return lambda other: values.get(other) in kept
        return None

    def core(self, state: State, clauses: tuple[str, ...]) -> tuple[str, ...]:
        """Return clauses that bring the clash about by themselves, none of which can be spared.

        `clauses` are those that clash: they are tried alone first.
        """
        force = {atom.arguments[0].string: atom for atom in self.switches}
        alone = [force[clause] for clause in clauses if clause in force]
        kept = self.smallest(state, alone if self.holds(state.facts, alone) else list(force.values()))
        return tuple(sorted((atom.arguments[0].string for atom in kept), key=clause_key))

    def smallest(self, state: State, on: Sequence[Symbol]) -> list[Symbol]:
        """Return switches, of those that are on, that are enough for the clash, and none to spare."""
        return smallest(on, lambda some: self.holds(state.facts, some))


def _range(fact: str, number: int, bounds: tuple[int, int], stays: Callable[[str], bool]) -> Range:
    low = high = number
    while low > bounds[0] and stays(with_number(fact, low - 1)):
        low -= 1
    while high < bounds[1] and stays(with_number(fact, high + 1)):
        high += 1
    return Range(fact, low, high)
