"""Findings about a rulebook, and what was proved of it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from lexbelli.codes import CODES
from lexbelli.errors import Place
from lexbelli.model import Change

ALL = "over all positions that can be"


@dataclass(frozen=True, slots=True)
class Witness:
    """A position that shows a finding: a scenario and the facts that differ from it."""

    base: str | None
    changes: tuple[Change, ...]


@dataclass(frozen=True, slots=True)
class Range:
    """The numbers of one fact between which a finding holds, all else as in the witness."""

    fact: str
    low: int
    high: int


@dataclass(frozen=True, slots=True)
class Finding:
    """One finding. `subjects` are all it was found for; witness, range and core are for the first.

    `core` is a set of clauses that brings it about and of which none can be spared.
    """

    code: str
    clauses: tuple[str, ...]
    subjects: tuple[str, ...]
    message: str
    suggestion: str
    witness: Witness | None = None
    ranges: tuple[Range, ...] = ()
    core: tuple[str, ...] = ()
    accepted: str = ""  # the reason the rulebook gives for leaving it
    root: str = ""  # the printed clause that it shares with most of its kind
    place: Place | None = None  # where it is written, for a finding that no clause can tell it of
    key: str = ""  # what it is known by, where clauses do not tell it from others

    @property
    def id(self) -> str:
        """A name that stays the same as long as the clauses, or the key, do."""
        return f"{self.code}:{self.key or '+'.join(self.clauses)}"

    @property
    def severity(self) -> str:
        """How much it matters: "error", "warning" or "note"."""
        return CODES[self.code].severity


# says of a finding, by its id, whether a position that shows it is wanted: to find it is not enough
Wanted = Callable[[str], bool]


def every(_: str) -> bool:
    """Say of every finding that a position is wanted."""
    return True


def found(code: str, clauses: tuple[str, ...]) -> Finding:
    """Return a finding that is known by its clauses and told no further."""
    return Finding(code, clauses, (), "", "")


@dataclass(frozen=True, slots=True)
class Proof:
    """What asking one question of a whole rulebook came to: findings, and what was proved."""

    findings: Sequence[Finding] = ()
    proved: Sequence[str] = ()
