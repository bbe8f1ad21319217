"""The errors that reach a user: each names the thing, the place and the nearest right thing."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Place:
    """A spot in a file: path as the user wrote it, line and column from 1 (0 when unknown)."""

    file: str
    line: int = 0
    column: int = 0

    def __str__(self) -> str:
        """Write the place as compilers do."""
        parts = [self.file, *(str(n) for n in (self.line, self.column) if n)]
        return ":".join(parts)


class LexBelliError(Exception):
    """Something the user can put right. `exit_code` is what the command line ends with."""

    exit_code = 2

    def __init__(self, message: str, *, place: Place | None = None, hint: str = "") -> None:
        """Keep what is wrong, where, and what would be right."""
        super().__init__(message)
        self.message = message
        self.place = place
        self.hint = hint

    def __str__(self) -> str:
        """Write the error on one line, with the hint below."""
        where = f"{self.place}: " if self.place else ""
        return f"{where}{self.message}" + (f"\n  {self.hint}" if self.hint else "")


class InputError(LexBelliError):
    """A file that cannot be read, or text in it that does not parse."""


class RulebookError(LexBelliError):
    """A rulebook that cannot be used: a syntax error, a clause without rules, a rule without one."""


class StateError(LexBelliError):
    """A state that cannot be: an unknown fact, two values for one thing, an impossibility.

    `unknown` says that a fact's name is not among those the rulebook declares.
    """

    unknown = False


class UnknownNameError(LexBelliError):
    """An action, clause, scenario, duty or quantity that the rulebook does not declare."""


class LimitError(LexBelliError):
    """A search that was cut by a limit: the answer is unknown."""

    exit_code = 3
