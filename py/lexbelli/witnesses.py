"""Positions that show a clash: the one nearest to a scenario, and what in it matters."""

from dataclasses import dataclass

from clingo import Symbol

from lexbelli.errors import RulebookError
from lexbelli.findings import Range
from lexbelli.model import Change, State
from lexbelli.repairs import amounts, last_number, state_changes, with_number
from lexbelli.rulebook import Rulebook, session, switches
from lexbelli.solver import Search, Session
from lexbelli.states import load_state
from lexbelli.terms import quoted, written


@dataclass(frozen=True, slots=True)
class Place:
    """A position, and how it is reached from a scenario."""

    state: State
    base: str | None
    changes: tuple[Change, ...]


class Witnesses:
    """Searches over the positions of one rulebook."""

    def __init__(self, book: Rulebook) -> None:
        """Take the rulebook's scenarios as the positions to be near to."""
        self._book = book
        self._bases = {name: load_state(book, name) for name in book.scenarios()}
        self._searches: dict[bool, Search] = {}
        self._judging = Session(
            book.statements + book.choice + book.check, self._facts(full=True), read={"clash": 4}
        )
        self._cores: Session | None = None

    def _facts(self, *, full: bool) -> str:
        wide = frozenset(session(self._book).names("wide")) if full else frozenset()
        return switches(self._book, wide)

    def _search(self, *, full: bool) -> Search:
        if full not in self._searches:
            wide = frozenset(session(self._book).names("wide")) if full else frozenset()
            grounded = session(self._book, wide)
            lines = [switches(self._book, wide), amounts(grounded)]
            names = self._bases or {"": State("", ())}
            lines += [f"base({quoted(name)},{fact})." for name, s in names.items() for fact in s.facts]
            lines.append(f"1 {{ near({';'.join(map(quoted, names))}) }} 1.")
            lines.append("current(Fact) :- near(Base), base(Base,Fact).")
            statements = (
                self._book.statements + self._book.choice + self._book.repair + self._book.check
            )
            self._searches[full] = Search(statements, "\n".join(lines))
        return self._searches[full]

    def nearest(self, clash: Symbol, seconds: float) -> Place:
        """Return the position nearest to a scenario in which two clauses clash.

        Raises LimitError when the search is not over after this many seconds.
        """
        names = frozenset({"state", "near"})
        for full in (False, True):
            best = self._search(full=full).best(names, seconds, held=[str(clash)])
            if best is not None:
                facts = {written(atom.arguments[0]) for atom in best[1]["state"]}
                base = written(best[1]["near"][0].arguments[0])
                begin = self._bases.get(base, State("", ()))
                changes = state_changes(self._book, begin, facts)
                return Place(State("witness", tuple(sorted(facts))), base or None, changes)
        raise RulebookError(
            f"{clash} holds in some position, and none is found",
            hint="this is a bug of the program, please report it",
        )

    def _holds(self, clash: Symbol, facts: set[str]) -> bool:
        return self._judging.is_true(tuple(sorted(facts)), clash)

    def ranges(self, clash: Symbol, state: State) -> tuple[Range, ...]:
        """Return the numbers between which the clash stays, for each fact whose number matters."""
        bounds = {
            name: (int(low), int(high)) for name, low, high in session(self._book).pairs("bounds", 3)
        }
        found = []
        for fact in state.facts:
            number = last_number(fact)
            name = fact.partition("(")[0]
            if number is None or name not in bounds:
                continue
            least, greatest = bounds[name]
            others = set(state.facts) - {fact}
            low = high = number
            while low > least and self._holds(clash, others | {with_number(fact, low - 1)}):
                low -= 1
            while high < greatest and self._holds(clash, others | {with_number(fact, high + 1)}):
                high += 1
            if (low, high) != (least, greatest):
                found.append(Range(fact, low, high))
        return tuple(found)

    def core(self, clash: Symbol, state: State, clauses: tuple[str, ...]) -> tuple[str, ...]:
        """Return clauses that bring the clash about by themselves, none of which can be spared."""
        if self._cores is None:
            wide = frozenset(session(self._book).names("wide"))
            free = "".join(f"{{in_force({quoted(clause.id)})}}." for clause in self._book.clauses)
            extra = free + "".join(f"full({name})." for name in sorted(wide))
            statements = self._book.statements + self._book.choice + self._book.check
            self._cores = Session(statements, extra, read={})
        literals = {row[0]: literal for row, literal in self._cores.literals("in_force", 1)}
        goal = self._cores.literal(clash)
        fixed = [*self._cores.assumptions(state.facts), goal]
        kept = list(literals)

        def shows(in_force: list[str]) -> bool:
            chosen = set(in_force)
            force = [lit if clause in chosen else -lit for clause, lit in literals.items()]
            return bool(self._cores is not None and self._cores.possible([*fixed, *force], 60))

        # the clauses in halves first: most of them have nothing to do with it
        size = len(kept)
        while size >= 1:
            place = 0
            while place < len(kept):
                fewer = kept[:place] + kept[place + size :]
                if shows(fewer):
                    kept = fewer
                else:
                    place += size
            size //= 2
        return tuple(clause for clause in kept)
