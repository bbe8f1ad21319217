"""The things answers are made of. Facts, actions and clause ids are written as strings."""

from dataclasses import dataclass, field
from pathlib import Path

from clingo import Symbol

from lexbelli.errors import Place

VERDICTS = ("legal", "contested", "forbidden", "not_permitted", "unavailable")


@dataclass(frozen=True, slots=True)
class Clause:
    """One norm of the rulebook: its heading, what it says in our words, and where it stands."""

    id: str
    title: str
    gist: str
    kind: str
    see: tuple[str, ...]
    yields_to: str
    reason: str  # why it has no rules; empty when it has some
    place: Place
    rules: int  # how many rules stand under the heading
    heads: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class State:
    """A position: a name to show and the facts that hold, each as the rulebook spells it, sorted."""

    name: str
    facts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Move:
    """What may be done about one action in one state.

    `cost` is in whatever the rulebook counts, None where no clause fixes it, "contested"
    where clauses fix different ones. `clauses` are those that decide, `overridden` those defeated.
    """

    action: str
    actor: str
    verdict: str
    cost: int | str | None
    clauses: tuple[str, ...]
    overridden: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Position:
    """A state and the verdicts on its actions."""

    state: State
    moves: tuple[Move, ...]


@dataclass(frozen=True, slots=True)
class Condition:
    """One condition of a clause, in this state.

    `facts` are the facts of the state that matter to it; `phrase` says how things stand;
    `needed` says what would meet it, empty when it is met. `atoms` are what it speaks of, each with
    whether it holds, and `because` what stands behind those that are no facts of the state. `clause` is
    the clause by whose words a reason holds, where it is one. `wordless` marks what has no phrase.
    """

    met: bool
    phrase: str
    needed: str = ""
    facts: tuple[str, ...] = ()
    atoms: tuple[tuple[Symbol, bool], ...] = ()
    because: tuple["Condition", ...] = ()
    clause: str = ""
    wordless: bool = False


@dataclass(frozen=True, slots=True)
class Entry:
    """One thing a clause says, or would say, about an action, with its conditions."""

    clause: str
    head: str
    title: str
    gist: str
    conditions: tuple[Condition, ...]
    by: tuple[str, ...] = ()  # the clauses that stand above it here
    text: str | None = None
    words: str = ""  # the sense of the words that put them above it
    value: str = ""  # the number it fixes, for a clause about a quantity

    @property
    def met(self) -> bool:
        """Whether every condition is met, so that the clause does speak."""
        return all(condition.met for condition in self.conditions)


@dataclass(frozen=True, slots=True)
class Change:
    """One fact to make true (`set`) or false (`unset`).

    Where other numbers would serve as well, `low` and `high` are the ends of the range that does
    and `now` is the present number. A range is open where it ends with the values there are.
    """

    way: str
    fact: str
    low: int | None = None
    high: int | None = None
    now: int | None = None
    open_below: bool = False
    open_above: bool = False


@dataclass(frozen=True, slots=True)
class Explanation:
    """Why an action has its verdict: every clause that speaks, would speak, or is overridden."""

    state: State
    action: str
    reads: str
    move: Move
    forbidden_by: tuple[Entry, ...] = ()
    permitted_by: tuple[Entry, ...] = ()
    would_permit: tuple[Entry, ...] = ()
    would_forbid: tuple[Entry, ...] = ()
    overridden: tuple[Entry, ...] = ()
    unavailable: tuple[Condition, ...] = ()
    repairs: tuple[tuple[Change, ...], ...] = ()  # what would make it legal
    reversals: tuple[tuple[Change, ...], ...] = ()  # what would make it legal no longer
    duties_left: tuple[str, ...] = ()
    cost_clauses: tuple[str, ...] = ()  # those that fix the cost


@dataclass(frozen=True, slots=True)
class Duty:
    """A duty in a state: `met`, `unmet` (still possible) or `impossible`, and the ways to meet it."""

    duty: str
    reads: str
    status: str
    clauses: tuple[str, ...]
    ways: tuple[Move, ...]
    entries: tuple[Entry, ...] = field(default=())


@dataclass(frozen=True, slots=True)
class Value:
    """A number that clauses fix: None where none does, "contested" where they fix different ones."""

    quantity: str
    reads: str
    value: int | str | None
    clauses: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Conclusion:
    """Whether a derived fact holds: True, False or "contested", and the clauses behind it."""

    fact: str
    reads: str
    holds: bool | str
    clauses: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ClauseChange:
    """What an overlay does to one clause: `redefined`, `added` or `withdrawn`, and why.

    An added clause has no reason of its own.
    """

    clause: str
    way: str
    title: str
    reason: str
    place: Place


@dataclass(frozen=True, slots=True)
class Overlay:
    """An edition or an erratum: what it is called, what it was made for and why, what it changes.

    `name` is that of its file or folder, `date` is written as 2003, 2003-05, 2003-05-01 or undated.
    """

    name: str
    title: str
    date: str
    made_for: str
    reason: str
    path: Path
    changes: tuple[ClauseChange, ...]

    @property
    def redefines(self) -> tuple[str, ...]:
        """The ids of the clauses it redefines, in its order."""
        return self._of("redefined")

    @property
    def adds(self) -> tuple[str, ...]:
        """The ids of the clauses it adds, in its order."""
        return self._of("added")

    @property
    def withdraws(self) -> tuple[str, ...]:
        """The ids of the clauses it withdraws, in its order."""
        return self._of("withdrawn")

    def _of(self, way: str) -> tuple[str, ...]:
        return tuple(change.clause for change in self.changes if change.way == way)
