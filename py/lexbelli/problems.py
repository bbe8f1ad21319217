"""What is wrong with a rulebook's structure: an error for most questions, a finding for a check."""

from dataclasses import dataclass

from lexbelli.errors import Place, RulebookError


@dataclass(frozen=True, slots=True)
class Problem:
    """A defect that leaves the other clauses as they are.

    `clauses` are those concerned, the one to look at first; `subject` is what it is about, if anything.
    """

    code: str
    clauses: tuple[str, ...]
    place: Place | None
    message: str
    hint: str = ""
    subject: str = ""


def refuse(problem: Problem) -> None:
    """Raise RulebookError for a problem."""
    raise RulebookError(problem.message, place=problem.place, hint=problem.hint)
