"""Searches over all states at once: the best one of a kind, and what holds in one of them at least."""

import time
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any, TypeVar

import clingo
from clingo import Symbol
from clingo.ast import AST

from lexbelli.errors import LimitError
from lexbelli.parts import Part
from lexbelli.solver import LOCK, World, ground_program

T = TypeVar("T")


class Deadline:
    """The end of the time that all the searches of one question may take together."""

    def __init__(self, seconds: float) -> None:
        """Start the time now."""
        self._end = time.monotonic() + seconds

    def left(self) -> float:
        """Return the seconds that are left. Raises LimitError when there are none."""
        left = self._end - time.monotonic()
        if left <= 0:
            raise LimitError("the time is over")
        return left


def brave(
    statements: Sequence[AST],
    extra: str,
    names: Iterable[tuple[str, int]],
    seconds: float,
    part: Part | None = None,
) -> list[Symbol]:
    """Return the atoms of these names that hold in some state at least.

    Of a `part` of a program without any statements, those with names are sought. Raises LimitError
    when the search is not over after this many seconds.
    """
    shown = " ".join(f"#show {name}/{arity}." for name, arity in names)
    # what is sought is tried first, so that a model shows much of it at once
    options = (
        "--models=0", "--enum-mode=brave", "--restart-on-model",
        "--heuristic=Domain", "--dom-mod=true,show",
    )  # fmt: skip
    control = ground_program(statements, f"{extra} {shown}", options, part=part)
    deadline = time.monotonic() + seconds
    with LOCK, control.solve(yield_=True, async_=True) as handle:
        for _ in _models(handle, deadline, seconds):
            pass  # each has what those before it have, and more
        last = handle.last()
        return sorted(last.symbols(shown=True)) if last is not None else []


def _models(handle: clingo.SolveHandle, deadline: float, seconds: float) -> Iterator[clingo.Model]:
    """Return one model after the other, until there is none or the time is over."""
    while True:
        handle.resume()
        if not handle.wait(max(0.0, deadline - time.monotonic())):
            handle.cancel()
            raise LimitError(f"unknown within {seconds:g} s")
        model = handle.model()
        if model is None:
            return
        yield model


def exists(statements: Sequence[AST], extra: str, seconds: float, part: Part | None = None) -> bool:
    """Say whether there is any state at all with which a program is content.

    Raises LimitError when the search is not over after this many seconds.
    """
    control = ground_program(statements, extra, part=part)
    with LOCK, control.solve(async_=True) as handle:
        if not handle.wait(seconds):
            handle.cancel()
            raise LimitError(f"unknown within {seconds:g} s")
        return bool(handle.get().satisfiable)


def smallest(items: Sequence[T], enough: Callable[[Sequence[T]], bool]) -> list[T]:
    """Return some of the items that are enough, as all of them are, and none of which can be spared.

    Those that come first are spared first; large parts are tried before small ones, as most can be.
    """
    kept = list(items)

    def spare(part: Sequence[T]) -> None:
        fewer = [item for item in kept if item not in part]
        if enough(fewer):
            kept[:] = fewer
        elif len(part) > 1:
            middle = len(part) // 2
            spare(part[:middle])
            spare(part[middle:])

    if kept:
        spare(items)
    return kept


class Search:
    """A search for best models of a program, each different from those found before."""

    def __init__(
        self,
        statements: Sequence[AST],
        extra: str,
        part: Part | None = None,
        *,
        shown: Mapping[str, int] | None = None,
    ) -> None:
        """Ground the program, of which `part` is grounded already.

        With `shown`, names with the number of their arguments, models tell of these atoms only, which
        is quicker where most do not hold. Raises RulebookError as `ground_program` does.
        """
        self._shown = shown is not None
        extra += "".join(f"\n#show {name}/{arity}." for name, arity in (shown or {}).items())
        options = ("--models=0", "--opt-mode=opt", "--opt-strategy=usc,stratify")
        self._control = ground_program(statements, extra, options, part=part)
        self._parts = 0
        self._asked: dict[frozenset[str], list[tuple[Symbol, int]]] = {}

    def _atoms(self, names: frozenset[str]) -> list[tuple[Symbol, int]]:
        """Return every atom of these names that may hold, with its literal."""
        if names not in self._asked:
            atoms = self._control.symbolic_atoms
            self._asked[names] = [
                (atom.symbol, atom.literal)
                for name, arity, positive in atoms.signatures
                if name in names
                for atom in atoms.by_signature(name, arity, positive)
            ]
        return self._asked[names]

    def best(
        self,
        names: frozenset[str],
        seconds: float,
        held: Iterable[str] = (),
        denied: Iterable[str] = (),
    ) -> tuple[list[int], World] | None:
        """Return the cost of a best model and its atoms of these names, or None without a model.

        In it the atoms `held` hold and those `denied` do not. Raises LimitError when the search is not
        over after this many seconds.
        """
        found: tuple[list[int], World] | None = None
        asked = [] if self._shown else self._atoms(names)
        deadline = time.monotonic() + seconds
        assumptions = [(clingo.parse_term(atom), True) for atom in held]
        assumptions += [(clingo.parse_term(atom), False) for atom in denied]
        with LOCK, self._control.solve(assumptions, yield_=True, async_=True) as handle:
            for model in _models(handle, deadline, seconds):
                world: World = {}
                told = [symbol for symbol, literal in asked if model.is_true(literal)]
                for symbol in model.symbols(shown=True) if self._shown else told:
                    world.setdefault(symbol.name, []).append(symbol)
                found = (list(model.cost), world)
        return found

    def refuse(self, atoms: Iterable[Symbol]) -> None:
        """From now on leave out models in which all these atoms hold."""
        self._parts += 1
        self._asked.clear()
        name = f"refused_{self._parts}"
        self._control.add(name, [], f":- {', '.join(map(str, atoms))}.")
        self._control.ground([(name, [])])


class Probe:
    """A part of a program, asked whether an atom can hold when all the others with names are given."""

    def __init__(self, part: Part, *goals: Symbol, apart: Iterable[Collection[Symbol]] = ()) -> None:
        """Take the part, whose names are what is to be given, and the atoms that are asked about.

        Of each collection of atoms that are `apart` no two hold.
        """
        control = ground_program((), "", part=part)
        self._control = control
        literals = {atom.symbol: atom.literal for atom in control.symbolic_atoms}
        self._goals = {goal: literals.pop(goal) for goal in goals}
        self._given = literals
        with control.backend() as backend:
            for atoms in apart:
                backend.add_weight_rule([], 2, [(literals[atom], 1) for atom in atoms])
        self._told: dict[tuple[Symbol, frozenset[Symbol]], bool] = {}

    def holds(self, true: Iterable[Symbol], goal: Symbol | None = None) -> bool:
        """Say whether the goal can hold when exactly these of the atoms given are true."""
        held = frozenset(self._given.keys() & true)
        asked = goal if goal is not None else next(iter(self._goals))
        if (asked, held) not in self._told:
            assumed = [lit if atom in held else -lit for atom, lit in self._given.items()]
            with LOCK:
                result = self._control.solve(assumptions=[self._goals[asked], *assumed])
            self._told[asked, held] = bool(result.satisfiable)
        return self._told[asked, held]

    def choices(
        self, true: Collection[Symbol], some: Collection[Symbol], goal: Symbol
    ) -> set[Symbol | None]:
        """Return with which one of some atoms that are apart the goal can hold, None for none of them.

        Of the other atoms given exactly these are true.
        """
        left = {atom: literal for atom, literal in self._given.items() if atom in some}
        given = self._given.items() - left.items()
        assumed = [literal if atom in true else -literal for atom, literal in given]
        solving: Any = self._control.configuration.solve
        found: set[Symbol | None] = set()
        with LOCK:
            solving.models = 0  # all of them
            with self._control.solve([self._goals[goal], *assumed], yield_=True) as handle:
                for model in handle:
                    held = (atom for atom, literal in left.items() if model.is_true(literal))
                    found.add(next(held, None))
            solving.models = 1
        return found
