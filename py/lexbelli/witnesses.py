"""Positions that show a clash: the one nearest to a scenario, and what in it matters."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass

from clingo import Symbol
from clingo.ast import AST

from lexbelli.errors import RulebookError
from lexbelli.findings import Range
from lexbelli.model import Change, State
from lexbelli.repairs import amounts, last_number, state_changes, with_number
from lexbelli.rulebook import Rulebook, session, switches
from lexbelli.search import Search
from lexbelli.solver import Session
from lexbelli.states import full_names, load_state
from lexbelli.terms import clause_key, quoted, written


@dataclass(frozen=True, slots=True)
class Place:
    """A position, and how it is reached from a scenario."""

    state: State
    base: str | None
    changes: tuple[Change, ...]


class Witnesses:
    """Searches over the positions of one rulebook."""

    def __init__(
        self, book: Rulebook, *, effects: bool = False, goals: tuple[AST, ...] | None = None
    ) -> None:
        """Take the rulebook's scenarios to be near to; `effects` asks what events do.

        `goals` derive something else than a clash to look for.
        """
        self._book = book
        asked = goals if goals is not None else book.effects if effects else book.check
        self._statements = book.statements + book.choice + asked
        self._bases = {name: load_state(book, name) for name in book.scenarios()}
        self._searches: dict[bool, Search] = {}
        self._sessions: dict[bool, Session] = {}
        self._cores: dict[bool, Session] = {}

    def _session(self, facts: Iterable[str], *, free: bool = False) -> Session:
        """Return a grounding of the clashes that knows these facts, with clauses in force or `free`."""
        full = bool(full_names(self._book, facts))
        kept = self._cores if free else self._sessions
        if full not in kept:
            wide = frozenset(session(self._book).names("wide")) if full else frozenset()
            extra = switches(self._book, wide)
            if free:
                extra = "".join(f"{{in_force({quoted(c.id)})}}." for c in self._book.clauses)
                extra += "".join(f"full({name})." for name in sorted(wide))
            kept[full] = Session(self._statements, extra, read={"clash": 4})
        return kept[full]

    def _search(self, *, full: bool) -> Search:
        if full not in self._searches:
            wide = frozenset(session(self._book).names("wide")) if full else frozenset()
            grounded = session(self._book, wide)
            lines = [switches(self._book, wide), amounts(grounded)]
            names = self._bases or {"": State("", ())}
            lines += [f"base({quoted(name)},{fact})." for name, s in names.items() for fact in s.facts]
            lines.append(f"1 {{ near({';'.join(map(quoted, names))}) }} 1.")
            lines.append("current(Fact) :- near(Base), base(Base,Fact).")
            self._searches[full] = Search(self._statements + self._book.repair, "\n".join(lines))
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

    def ranges(self, clash: Symbol, state: State) -> tuple[Range, ...]:
        """Return the numbers between which the clash stays, for each fact whose number matters."""
        bounds = {
            name: (int(low), int(high)) for name, low, high in session(self._book).pairs("bounds", 3)
        }
        found = []
        for fact in state.facts:
            number = last_number(fact)
            name = fact.partition("(")[0]
            if number is not None and name in bounds and self._matters(clash, state, fact):
                found.append(self._range(clash, state, fact, bounds[name]))
        return tuple(found)

    def _matters(self, clash: Symbol, state: State, fact: str) -> bool:
        """Say whether another number of a fact could end the clash."""
        grounded = self._session(state.facts)
        literal = grounded.literal(clash)
        others = [held for held in state.facts if held != fact]
        free = grounded.assumptions(others, free=grounded.group_of.get(fact))
        return literal is not None and grounded.possible([*free, -literal], 60) is not False

    def _range(self, clash: Symbol, state: State, fact: str, bounds: tuple[int, int]) -> Range:
        others = set(state.facts) - {fact}

        def holds(number: int) -> bool:
            facts = tuple(sorted(others | {with_number(fact, number)}))
            return self._session(facts).is_true(facts, clash)

        low = high = last_number(fact) or 0
        while low > bounds[0] and holds(low - 1):
            low -= 1
        while high < bounds[1] and holds(high + 1):
            high += 1
        return Range(fact, low, high)

    def core(self, clash: Symbol, state: State, clauses: tuple[str, ...]) -> tuple[str, ...]:
        """Return clauses that bring the clash about by themselves, none of which can be spared.

        `clauses` are those that clash: they are tried alone first.
        """
        grounded = self._session(state.facts, free=True)
        force = {row[0]: literal for row, literal in grounded.literals("in_force", 1)}
        goal = grounded.literal(clash)
        fixed = [*grounded.assumptions(state.facts), *([] if goal is None else [goal])]

        def shows(chosen: Collection[str]) -> bool:
            switched = [literal if clause in chosen else -literal for clause, literal in force.items()]
            return grounded.possible([*fixed, *switched], 60) is True

        kept = list(clauses) if shows(clauses) else list(force)
        size = len(kept)
        while size >= 1:  # in large parts first: most clauses have nothing to do with it
            place = 0
            while place < len(kept):
                fewer = kept[:place] + kept[place + size :]
                if shows(fewer):
                    kept = fewer
                else:
                    place += size
            size //= 2
        return tuple(sorted(kept, key=clause_key))
