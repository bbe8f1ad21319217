"""One ground program and further versions of it over the same state, solved together."""

from collections.abc import Collection, Iterable, Mapping, Sequence

from lexbelli.ground import GroundProgram, GroundRule, second_version
from lexbelli.solver import GroundSolver

_PROBE = 60.0  # seconds for a question about one state, which takes a thousandth of one


class Versions:
    """A ground program and its versions: what does not depend on a difference they share."""

    def __init__(self, program: GroundProgram) -> None:
        """Take the program that the versions are of; what it minimizes is asked for by `best`."""
        self.program = program
        self._solver = GroundSolver(program.rules, program.minimized)
        self._deriving: dict[int, list[GroundRule]] = {}
        self._index(program.rules)
        self._next = 1 + max((atom for rule in program.rules for atom in rule.head), default=0)

    def second(self, tags: Iterable[int]) -> Mapping[int, int]:
        """Add a version in which some chosen atoms may be chosen otherwise.

        The answer gives the number that an atom has in it, where the two versions do not share it.
        """
        version = second_version(self.program, tags, self._next)
        self._next += len(version.numbers)
        self._add(version.rules)
        return version.numbers

    def some(self, bodies: Iterable[tuple[int, ...]]) -> int:
        """Return a new atom that holds when all literals of one of these bodies do."""
        goal = self._next
        self._next += 1
        self._add([GroundRule((goal,), body) for body in bodies])
        return goal

    def differs(self, numbers: Mapping[int, int], atoms: Iterable[int]) -> int | None:
        """Return a new atom that holds when one of these atoms differs in a second version.

        None stands for atoms that cannot differ.
        """
        pairs = [(atom, numbers[atom]) for atom in atoms if atom in numbers]
        if not pairs:
            return None
        return self.some(body for old, new in pairs for body in ((old, -new), (new, -old)))

    def model(self, assumed: Iterable[int], asked: Collection[int], seconds: float) -> set[int] | None:
        """Return those of the atoms asked for that hold in some state, or None when there is no state.

        In it all literals assumed are true. Raises LimitError when it takes more than `seconds`.
        """
        return self._solver.model(assumed, asked, seconds)

    def best(self, assumed: Iterable[int], asked: Collection[int], seconds: float) -> set[int] | None:
        """Return the same of the best such state."""
        return self._solver.model(assumed, asked, seconds, best=True)

    def shows(self, assumed: Iterable[int], seconds: float) -> bool:
        """Say whether some state makes all these literals true. Raises LimitError as `model` does."""
        return self._solver.model(assumed, (), seconds) is not None

    def part(self, goal: int) -> "Part":
        """Return by itself what leads to one atom, to be asked about states told whole."""
        reached, waiting = {goal}, [goal]
        rules: dict[GroundRule, None] = {}
        while waiting:
            for rule in self._deriving.get(waiting.pop(), ()):
                rules[rule] = None
                for atom in map(abs, (*rule.head, *rule.body)):
                    if atom not in reached:
                        reached.add(atom)
                        waiting.append(atom)
        return Part(goal, rules, reached)

    def _add(self, rules: Sequence[GroundRule]) -> None:
        self._solver.add(rules)
        self._index(rules)

    def _index(self, rules: Iterable[GroundRule]) -> None:
        for rule in rules:
            for atom in rule.head:
                self._deriving.setdefault(atom, []).append(rule)


class Part:
    """What leads to one atom."""

    def __init__(self, goal: int, rules: Iterable[GroundRule], atoms: Collection[int]) -> None:
        """Take the atom, and the rules that lead to it with all their atoms."""
        self._goal, self._atoms = goal, atoms
        self._solver = GroundSolver(rules)

    def holds(self, told: Iterable[int]) -> bool:
        """Say whether the atom holds, given literals that say everything else."""
        known = [literal for literal in told if abs(literal) in self._atoms]
        return self._solver.model([self._goal, *known], (), _PROBE) is not None
