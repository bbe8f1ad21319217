"""Findings about a rulebook, and what was proved of it."""

from collections.abc import Sequence
from dataclasses import dataclass

from lexbelli.codes import CODES
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
    detail: str = ""  # what tells it from others about the same clauses
    root: str = ""  # the printed clause that it shares with most of its kind

    @property
    def id(self) -> str:
        """A name that stays the same as long as the clauses do."""
        told = f":{self.detail}" if self.detail else ""
        return f"{self.code}:{'+'.join(self.clauses)}{told}"

    @property
    def severity(self) -> str:
        """How much it matters: "error", "warning" or "note"."""
        return CODES[self.code].severity


@dataclass(frozen=True, slots=True)
class Proof:
    """What asking one question of a whole rulebook came to: findings, and what was proved."""

    findings: Sequence[Finding] = ()
    proved: Sequence[str] = ()
