"""One ground program and further versions of it over the same state, solved together."""

from collections.abc import Iterable, Sequence

from lexbelli.ground import GroundProgram, GroundRule, second_version
from lexbelli.solver import GroundSolver


class Versions:
    """A ground program and its versions: what does not depend on a difference they share."""

    def __init__(self, program: GroundProgram) -> None:
        """Take the program that the versions are of."""
        self.program = program
        self._solver = GroundSolver(program.rules)
        self._next = 1 + max((atom for rule in program.rules for atom in rule.head), default=0)

    def difference(self, changes: Sequence[tuple[int, bool]], answers: Iterable[int]) -> int | None:
        """Return an atom that says that some answer differs in a version with these changes.

        None stands for answers that have nothing to do with the changes.
        """
        second = second_version(self.program, changes, self._next)
        differing = second.differing(answers)
        if not differing:
            return None
        goal = self._next + len(second.numbers)
        self._next = goal + 1
        told = [
            GroundRule((goal,), pair)
            for old, new in differing.items()
            for pair in ((old, -new), (new, -old))
        ]
        self._solver.add([*second.rules, *told])
        return goal

    def shows(self, assumed: Iterable[int], seconds: float) -> bool:
        """Say whether some state makes all these literals true.

        Raises LimitError when the search is not over after this many seconds.
        """
        return self._solver.model(assumed, (), seconds) is not None
