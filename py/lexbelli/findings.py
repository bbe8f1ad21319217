"""Findings about a rulebook: their codes, what each means, and how to resolve it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from lexbelli.errors import Place, UnknownNameError
from lexbelli.model import Change
from lexbelli.suggest import did_you_mean

SEVERITIES = ("error", "warning", "note")
ALL = "over all positions that can be"


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
            "LB106", "priority cycle", "error",
            "Clauses stand above each other in a circle on one subject, so that none of them counts there.",
            "Take one of the priorities back: the one whose words in the text are weakest.",
        ),
        Code(
            "LB107", "tension", "note",
            "The limit or requirement of one clause is met while another clause forbids the action. This is "
            "how limits work together; it is shown on request only.",
            "Nothing needs to be done, unless the first clause was meant to grant the action.",
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
            "LB203", "redundant", "warning",
            "No verdict, duty, value, conclusion or effect depends on the clause: what it says, other clauses "
            "say as well wherever it speaks.",
            "Strike the clause, or turn it into a reference to those that say the same.",
        ),
        Code(
            "LB205", "idle condition", "note",
            "A condition of the clause never makes a difference: wherever all the others hold, it holds too, "
            "or another rule of the clause says the same.",
            "Strike the condition, or say what it was meant to keep out.",
        ),
        Code(
            "LB301", "gap", "warning",
            "Clauses divide the values of a quantity between them and leave some out; or of two clauses that "
            "are declared twins one says what the other leaves out.",
            "Say what holds for the values left out, or give the twin the missing words.",
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
        Code(
            "LB403", "unformalised", "warning",
            "The clause has a heading and neither rules nor a stated reason for having none.",
            "Write its rules, or a line '% not formalised: why' below its heading.",
        ),
        Code(
            "LB404", "orphan rule", "error",
            "A rule names a clause under whose heading it does not stand, or that has no heading at all.",
            "Put the rule under the heading of its clause, or write the heading.",
        ),
        Code(
            "LB405", "text drift", "warning",
            "The copy of the printed rules and the headings here disagree on which clauses there are.",
            "Add the missing heading, strike the one too many, or correct its number.",
        ),
        Code(
            "LB406", "term", "note",
            "The copy of the printed rules uses two terms for one thing, or one term for two things, of those "
            "that the rulebook declares.",
            "Use one term for one thing throughout.",
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
    place: Place | None = None  # where it is written, for a finding that no clause can tell it of
    key: str = ""  # what it is known by, for a finding that many clauses share

    @property
    def id(self) -> str:
        """A name that stays the same as long as the clauses, or the key, do."""
        return f"{self.code}:{self.key or '+'.join(self.clauses)}"

    @property
    def severity(self) -> str:
        """How much it matters: "error", "warning" or "note"."""
        return CODES[self.code].severity


@dataclass(frozen=True, slots=True)
class Proof:
    """What asking one question of a whole rulebook came to: findings, and what was proved."""

    findings: Sequence[Finding] = ()
    proved: Sequence[str] = ()


def find_code(code: str) -> Code:
    """Return what a code means. Raises UnknownNameError with the nearest code."""
    known = CODES.get(code.upper())
    if known is None:
        hint = did_you_mean(code.upper(), CODES) or f"there are: {', '.join(CODES)}"
        raise UnknownNameError(f"there is no code {code}", hint=hint)
    return known
