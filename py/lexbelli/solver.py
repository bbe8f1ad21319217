"""The only module that touches clingo.Control: grounding once, judging many states, and probing."""

import gc
import threading
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property, lru_cache

import clingo
from clingo import Symbol
from clingo.ast import AST, ProgramBuilder

from lexbelli.errors import RulebookError
from lexbelli.ground import Program
from lexbelli.parsing import MessageLog
from lexbelli.parts import Part, Watch
from lexbelli.terms import split_arguments, written

# what an answer is read from, with the number of arguments
READ = {
    "available": 1, "verdict": 2, "decides": 3, "overridden": 3, "status": 2, "imposes": 2, "way": 2,
    "fixes": 3, "concluded": 2, "denied": 2, "disputed": 1, "holds": 1, "impossible": 1,
    "stage": 3, "starts": 3, "stops": 3,
}  # fmt: skip


# clingo is not made for two threads on one grounding, nor for its messages to come from two at once
LOCK = threading.RLock()


def ground_program(
    statements: Iterable[AST],
    extra: str,
    options: Sequence[str] = ("--models=1",),
    *,
    part: Part | None = None,
    observer: clingo.Observer | None = None,
) -> clingo.Control:
    """Ground a rulebook, or what asks something of a `part` of one, with `extra` facts.

    What an `observer` is told goes nowhere else: such a program cannot be solved.
    Raises RulebookError for unsafe rules, undeclared predicates and whatever else clingo reports.
    """
    log = MessageLog()
    try:
        with LOCK:
            control = clingo.Control(list(options), logger=log)
            if observer is not None:
                control.register_observer(observer, replace=True)
            if part is not None:
                with control.backend() as backend:
                    part.give(backend)
            with ProgramBuilder(control) as builder:
                for statement in statements:
                    builder.add(statement)
            control.add("base", [], extra)
            control.ground()
    except RuntimeError as error:
        raise log.error(RulebookError, str(error)) from None
    if log.messages:
        raise log.error(RulebookError, "")
    return control


def ground_rules(
    statements: Iterable[AST], extra: str, names: Mapping[str, int]
) -> tuple[Program, dict[str, dict[Symbol, int]]]:
    """Return what a rulebook is grounded to, and the atoms of these names by symbol.

    `names` gives the number of their arguments. Raises RulebookError as `ground_program` does.
    """
    watch = Watch()
    collecting = gc.isenabled()
    gc.disable()  # all that is written down stays: looking for garbage in it takes a fifth of the time
    try:
        control = ground_program(statements, extra, observer=watch)
    finally:
        if collecting:
            gc.enable()
    named = {
        name: {atom.symbol: atom.literal for atom in control.symbolic_atoms.by_signature(name, arity)}
        for name, arity in names.items()
    }
    return Program(watch.rules, watch.facts), named


def refuse_unsafe(statements: Iterable[AST]) -> None:
    """Raise RulebookError for statements that cannot be grounded, whatever atoms there are."""
    log = MessageLog()
    try:
        with LOCK:
            control = clingo.Control(logger=log)
            with ProgramBuilder(control) as builder:
                for statement in statements:
                    builder.add(statement)
            control.ground()
    except RuntimeError as error:
        raise log.error(RulebookError, str(error)) from None


# an atom to read: its literal, its name, its arguments
Row = tuple[int, str, tuple[str, ...]]

# every true atom of a state, by name
World = dict[str, list[Symbol]]


@dataclass(frozen=True, slots=True)
class Answer:
    """The atoms of one judged state, by name: each as a tuple of its arguments, written out."""

    atoms: dict[str, list[tuple[str, ...]]] = field(default_factory=dict)

    def of(self, name: str) -> list[tuple[str, ...]]:
        """Return the true atoms of this name."""
        return self.atoms.get(name, [])

    def names(self, name: str) -> set[str]:
        """Return the arguments of the true atoms of a name that takes one."""
        return {row[0] for row in self.of(name)}

    def by_last(self, name: str) -> dict[str, set[str]]:
        """Return, for each last argument of a name that takes two, the first ones."""
        found: dict[str, set[str]] = {}
        for first, last in self.of(name):
            found.setdefault(last, set()).add(first)
        return found


class Session:
    """One grounding of a rulebook that judges any number of states under assumptions."""

    def __init__(
        self, statements: Sequence[AST], extra: str, read: Mapping[str, int] | None = None
    ) -> None:
        """Ground the statements.

        `read` names the atoms that answers are read from, with their number of arguments.
        """
        self._control = ground_program(statements, extra, ("--models=2",))
        self._texts: dict[tuple[str, int], list[tuple[str, int]]] = {}
        self._tables: dict[tuple[str, int], list[tuple[str, ...]]] = {}
        self.facts = {fact: literal for (fact,), literal in self.atoms("state", 1)}
        self.group_of = {fact: group for (fact, group), _ in self.atoms("group", 2)}
        self.needed = frozenset(self.names("needed"))
        self._unvalued = {group: literal for (group,), literal in self.atoms("unvalued", 1)}
        self._plain = [(f, lit) for f, lit in self.facts.items() if f not in self.group_of]
        self._wanted = READ if read is None else read
        self._rows: dict[str, list[Row]] = {}
        self._about: dict[tuple[str, int], dict[str, list[Row]]] = {}
        self._last: tuple[tuple[str, ...], Answer] | None = None
        self._known: dict[Symbol, str] = {}  # names of atoms: clingo takes longer to tell them
        self._world = lru_cache(maxsize=8)(self._true_atoms)  # one state is often asked about again

    def atoms(self, name: str, arity: int) -> Iterator[tuple[tuple[str, ...], int]]:
        """Yield every atom of this name that may hold, as written arguments, with its literal."""
        for text, literal in self.texts(name, arity):
            yield split_arguments(text), literal

    def texts(self, name: str, arity: int) -> list[tuple[str, int]]:
        """Return every atom of this name that may hold, as text, with its literal."""
        if (name, arity) not in self._texts:
            found = self._control.symbolic_atoms.by_signature(name, arity)
            self._texts[name, arity] = [(str(atom.symbol), atom.literal) for atom in found]
        return self._texts[name, arity]

    def pairs(self, name: str, arity: int) -> list[tuple[str, ...]]:
        """Return every atom of this name that may hold, as written arguments."""
        if (name, arity) not in self._tables:
            self._tables[name, arity] = [arguments for arguments, _ in self.atoms(name, arity)]
        return self._tables[name, arity]

    def symbols(self, name: str, arity: int) -> list[Symbol]:
        """Return every atom of this name that may hold."""
        return [atom.symbol for atom in self._control.symbolic_atoms.by_signature(name, arity)]

    def is_static(self, name: str, arity: int) -> bool:
        """Say whether no state changes the atoms of this name."""
        atoms = self._control.symbolic_atoms.by_signature(name, arity)
        return all(atom.is_fact for atom in atoms)

    def names(self, name: str) -> set[str]:
        """Return the arguments of every atom of a name that takes one."""
        return {row[0] for row in self.pairs(name, 1)}

    def mapping(self, name: str) -> dict[str, str]:
        """Return every atom of a name that takes two, from the first argument to the last."""
        return {row[0]: row[1] for row in self.pairs(name, 2)}

    def assumptions(self, facts: Iterable[str], free: str | None = None) -> list[int]:
        """Return the literals that say that exactly these facts hold, but for one group left `free`."""
        held = set(facts)
        valued = {self.group_of[fact] for fact in held if fact in self.group_of} | {free}
        chosen = [self.facts[fact] for fact in held if fact in self.group_of]
        plain = [literal if fact in held else -literal for fact, literal in self._plain]
        empty = [lit for group, lit in self._unvalued.items() if group not in valued]
        return chosen + plain + empty

    def judge(self, facts: tuple[str, ...]) -> Answer:
        """Return what the rules say of the state in which exactly these facts hold."""
        if self._last is None or self._last[0] != facts:
            self._last = (tuple(facts), self._judge(facts))
        return self._last[1]

    @cached_property
    def _read(self) -> list[tuple[int, list[tuple[str, tuple[str, ...]]]]]:
        """Every atom that answers are read from, by literal."""
        by_literal: dict[int, list[tuple[str, tuple[str, ...]]]] = {}
        for name, arity in self._wanted.items():
            for arguments, literal in self.atoms(name, arity):
                by_literal.setdefault(literal, []).append((name, arguments))
        return list(by_literal.items())

    def _judge(self, facts: tuple[str, ...]) -> Answer:
        atoms: dict[str, list[tuple[str, ...]]] = {}
        with self.model(facts) as model:
            for literal, rows in self._read:
                if model.is_true(literal):
                    for name, arguments in rows:
                        atoms.setdefault(name, []).append(arguments)
        return Answer(atoms)

    def read(self, facts: tuple[str, ...], rows: Iterable[Row]) -> Answer:
        """Return those of the atoms that hold in the state of exactly these facts."""
        atoms: dict[str, list[tuple[str, ...]]] = {}
        with self.model(facts) as model:
            for literal, name, arguments in rows:
                if model.is_true(literal):
                    atoms.setdefault(name, []).append(arguments)
        return Answer(atoms)

    def is_true(self, facts: tuple[str, ...], atom: Symbol) -> bool:
        """Say whether one atom holds in the state of exactly these facts."""
        literal = self.literal(atom)
        if literal is None:
            return False
        with self.model(facts) as model:
            return model.is_true(literal)

    def literal(self, atom: Symbol) -> int | None:
        """Return the literal of an atom, or None for one that holds in no state."""
        known = self._control.symbolic_atoms[atom]
        return None if known is None else known.literal

    def is_fixed(self, told: tuple[Symbol, bool]) -> bool:
        """Say whether an atom, told with whether it holds, is the same in every state."""
        atom, holds = told
        known = self._control.symbolic_atoms[atom]
        return known.is_fact if known is not None and holds else known is None and not holds

    def rows(self, *names: str) -> list[Row]:
        """Return every atom of these names that may hold, for `read`."""
        for name in names:
            if name not in self._rows:
                found = self.atoms(name, READ[name])
                self._rows[name] = [(literal, name, arguments) for arguments, literal in found]
        return [row for name in names for row in self._rows[name]]

    def rows_about(self, term: str, **places: int) -> list[Row]:
        """Return the atoms of these names that have a term at the given place of their arguments."""
        found: list[Row] = []
        for name, place in places.items():
            if (name, place) not in self._about:
                index = self._about[name, place] = {}
                for row in self.rows(name):
                    index.setdefault(row[2][place], []).append(row)
            found += self._about[name, place].get(term, ())
        return found

    @contextmanager
    def model(self, facts: tuple[str, ...]) -> Iterator[clingo.Model]:
        """Solve the state of exactly these facts, and give its model to look into.

        Raises RulebookError when the rules leave the state without a model, or with several.
        """
        assumed = self.assumptions(facts)
        with LOCK, self._control.solve(assumptions=assumed, yield_=True) as handle:
            model = handle.model()
            if model is None:
                raise _undecided("the rules contradict themselves in this state")
            yield model
            handle.resume()
            if handle.model() is None:
                return
        raise _undecided(f"the rules do not decide {self._open_atom(facts)} in this state")

    def _open_atom(self, facts: tuple[str, ...]) -> str:
        """Return an atom that holds in one model of the state and not in another."""
        with self._control.solve(assumptions=self.assumptions(facts), yield_=True) as handle:
            first, second = (set(model.symbols(atoms=True)) for model in handle)
        return written(min(first ^ second))

    def possible(self, literals: Sequence[int], seconds: float) -> bool | None:
        """Say whether some state makes all these literals true; None when time runs out."""
        with LOCK, self._control.solve(assumptions=literals, async_=True) as handle:
            if not handle.wait(seconds):
                handle.cancel()
                return None
            return bool(handle.get().satisfiable)

    def everything(self, facts: tuple[str, ...], names: Collection[str] | None = None) -> World:
        """Return the true atoms of the state in which exactly these facts hold, or those of `names`."""
        if names is None:
            return self._world(facts)
        world: World = {}
        atoms = self._control.symbolic_atoms
        with self.model(facts) as model:
            for name, arity, _ in atoms.signatures:
                for atom in atoms.by_signature(name, arity) if name in names else ():
                    if model.is_true(atom.literal):
                        world.setdefault(name, []).append(atom.symbol)
        return world

    def _true_atoms(self, facts: tuple[str, ...]) -> World:
        world: World = {}
        with self.model(facts) as model:
            for symbol in model.symbols(atoms=True):
                name = self._known.get(symbol) or self._known.setdefault(symbol, symbol.name)
                world.setdefault(name, []).append(symbol)
        return world


def _undecided(message: str) -> RulebookError:
    return RulebookError(message, hint="something depends on its own absence")


def probe(atoms: Iterable[Symbol], program: str, names: frozenset[str]) -> list[Symbol]:
    """Return the atoms of the given names that `program` derives from the given atoms.

    Raises RulebookError for a rule that cannot be taken apart.
    """
    log = MessageLog()
    with LOCK:
        control = clingo.Control(logger=log)
        with control.backend() as backend:
            for atom in atoms:
                backend.add_rule([backend.add_atom(atom)])
        try:
            control.add("base", [], program)
            control.ground()
        except RuntimeError as error:
            raise log.error(RulebookError, str(error)) from None
        with control.solve(yield_=True) as handle:
            model = handle.model()
            found = model.symbols(atoms=True) if model else []
            return sorted(symbol for symbol in found if symbol.name in names)
