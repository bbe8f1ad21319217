"""Findings about a rulebook: their codes, what each means, and how to resolve it."""

from collections.abc import Mapping
from dataclasses import dataclass

from lexbelli.errors import UnknownNameError
from lexbelli.model import Change
from lexbelli.suggest import did_you_mean

SEVERITIES = ("error", "warning", "note")


@dataclass(frozen=True, slots=True)
class Code:
    """One kind of finding."""

    code: str
    name: str
    severity: str
    meaning: str
    remedy: str


CODES: Mapping[str, Code] = {
    code.code: code
    for code in (
        Code(
            "LB101", "contradiction", "error",
            "One clause permits an action outright, or obliges to it, another forbids it, and no words "
            "of the text put one above the other. The witness is a position in which both speak.",
            "Say in the text which of the two stands above, and write it as overrides; or give one of "
            "them the condition that it leaves unsaid.",
        ),
        Code(
            "LB102", "impossible duty", "error",
            "A clause imposes a duty, and every action that would meet it is forbidden in the witness.",
            "Allow one way to meet the duty, or lift the duty where all of them are forbidden.",
        ),
        Code(
            "LB103", "value clash", "error",
            "Two clauses fix different numbers for one quantity, or one clause fixes two.",
            "Say which number goes before the other, or when each of them applies.",
        ),
        Code(
            "LB104", "conclusion clash", "error",
            "One clause concludes a fact that another denies, one denies what holds by the meaning "
            "of the facts, or two facts follow that exclude each other.",
            "Say which clause stands above, or state the condition that keeps them apart.",
        ),
        Code(
            "LB105", "effect clash", "error",
            "One event starts a fact by one clause and ends it by another.",
            "Say which of the two happens, or state the condition that keeps them apart.",
        ),
        Code(
            "LB201", "unreachable", "warning",
            "The clause speaks in no position that can be: its conditions never hold together.",
            "Correct the condition that cannot hold, or strike the clause.",
        ),
        Code(
            "LB202", "masked", "warning",
            "The clause speaks in some positions, but in all of them a higher clause sets it aside.",
            "Strike the clause, or limit the one above it.",
        ),
        Code(
            "LB302", "duty without means", "warning",
            "A clause imposes a duty that no action of the rulebook meets; it can only be met by what "
            "is decided elsewhere.",
            "Name an action that meets the duty, or accept that the position records it.",
        ),
        Code(
            "LB401", "dangling reference", "warning",
            "The clause refers to a number of this rulebook that is no clause.",
            "Correct the reference.",
        ),
        Code(
            "LB402", "outside reference", "note",
            "The clause refers to a rule of another chapter.",
            "Nothing needs to be done; the rule decides outside this rulebook.",
        ),
    )
}  # fmt: skip


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

    @property
    def id(self) -> str:
        """A name that stays the same as long as the clauses do."""
        return f"{self.code}:{'+'.join(self.clauses)}"

    @property
    def severity(self) -> str:
        """How much it matters: "error", "warning" or "note"."""
        return CODES[self.code].severity


def find_code(code: str) -> Code:
    """Return what a code means. Raises UnknownNameError with the nearest code."""
    known = CODES.get(code.upper())
    if known is None:
        hint = did_you_mean(code.upper(), CODES) or f"there are: {', '.join(CODES)}"
        raise UnknownNameError(f"there is no code {code}", hint=hint)
    return known
