"""What one rulebook says otherwise than another, and that it says the rest alike.

Both are asked about all positions at once. What differs nowhere is proved to be equivalent; every
difference comes with the position nearest to a scenario that shows it, which both rulebooks have then
judged in the ordinary way, and with the changed clauses that bring it about.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from clingo import Symbol

from lexbelli.errors import RulebookError
from lexbelli.findings import Range, Witness
from lexbelli.model import State
from lexbelli.repairs import last_number, state_changes, with_number
from lexbelli.rulebook import Rulebook
from lexbelli.search import Deadline
from lexbelli.standing import Standing, standing
from lexbelli.states import load_state, session_for
from lexbelli.terms import clause_key, written
from lexbelli.union import NEW, OLD, tag_atoms, union_program
from lexbelli.versions import Part, Versions

KINDS = ("action", "duty", "quantity", "conclusion", "effect")
# how the answers of two rulebooks compare; the first four are about what is legal
STRICTER, LOOSER, BOTH, CHANGED, EQUIVALENT = "stricter", "looser", "both", "changed", "equivalent"


@dataclass(frozen=True, slots=True)
class Shown:
    """One position in which the two rulebooks differ about a subject.

    `way` is "stricter", "looser" or "changed"; `causes` are changed clauses that bring the difference
    about by themselves, none of which can be spared.
    """

    way: str
    witness: Witness
    state: State
    old: Standing
    new: Standing
    causes: tuple[str, ...]
    ranges: tuple[Range, ...]


@dataclass(frozen=True, slots=True)
class Difference:
    """What two rulebooks say of one subject: how it compares, and where it shows."""

    subject: str
    kind: str
    relation: str
    clauses: tuple[str, ...]
    shown: tuple[Shown, ...]


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two rulebooks compared.

    `differences` are the subjects on which they differ, `equivalent` those on which they are proved to
    agree, by kind. `changed` are the clauses that are not the same in both, and `clarifications` those of
    them that are proved to change nothing.
    """

    differences: tuple[Difference, ...]
    equivalent: Mapping[str, tuple[str, ...]]
    changed: tuple[str, ...]
    clarifications: tuple[str, ...]


def compare(old: Rulebook, new: Rulebook, deadline: Deadline) -> Comparison:
    """Return what two rulebooks about one game say alike, and what otherwise.

    Raises LimitError when it is not over in time, RulebookError when a difference does not show again in
    the ordinary way, which is a bug of the program.
    """
    pair = _Pair(old, new)
    differing = pair.differing(deadline)
    differences = [pair.difference(kind, subject, deadline) for kind, subject in differing]
    alike = {
        kind: tuple(
            sorted(written(s) for k, s in pair.answers if k == kind and (k, s) not in differing)
        )
        for kind in KINDS
    }
    changed = changed_clauses(old, new)
    silent = tuple(clause for clause in changed if pair.changes_nothing(clause, deadline))
    return Comparison(tuple(differences), alike, changed, silent)


def changed_clauses(old: Rulebook, new: Rulebook) -> tuple[str, ...]:
    """Return the clauses that one of the two has, or words otherwise than the other."""

    def told(book: Rulebook) -> dict[str, tuple[object, ...]]:
        rules: dict[str, list[str]] = {}
        for norm in book.norms:
            rules.setdefault(norm.clause, []).append(str(norm.rule))
        return {c.id: (c.title, c.gist, c.kind, rules.get(c.id)) for c in book.clauses}

    before, after = told(old), told(new)
    both = before.keys() | after.keys()
    return tuple(sorted((c for c in both if before.get(c) != after.get(c)), key=clause_key))


class _Pair:
    """The two rulebooks as one program, and the questions put to it."""

    def __init__(self, old: Rulebook, new: Rulebook) -> None:
        self._books = (old, new)
        program = union_program(old, new)
        self._versions = Versions(program)
        self._tags = tag_atoms(program)
        self._numbers = self._versions.second(self._tags.values())
        self._facts = {
            n: written(a.arguments[0]) for a, n in program.names.items() if a.name == "state"
        }
        self._near = {n: a.arguments[0].string for a, n in program.names.items() if a.name == "near"}
        self._fixed = [a.arguments[0] for a in program.facts if a.name in ("state", "near")]
        self.answers: dict[tuple[str, Symbol], dict[str, int]] = {}
        for atom, number in program.names.items():
            if atom.name == "comes_to":
                kind, subject, answer = atom.arguments
                self.answers.setdefault((kind.name, subject), {})[str(answer)] = number
        for atom in program.facts:
            if atom.name == "comes_to":
                self.answers.setdefault((atom.arguments[0].name, atom.arguments[1]), {})
        # one rulebook as the program has it, the other as its second version has it
        self._plain = [
            (number if version == OLD else -number) for (version, _), number in self._tags.items()
        ] + [
            self._numbers[number] * (1 if version == NEW else -1)
            for (version, _), number in self._tags.items()
        ]

    # ---- where they differ ----------------------------------------------------------------------

    def differing(self, deadline: Deadline) -> list[tuple[str, Symbol]]:
        """Return every subject on which the two differ in some position, by kind."""
        goals = {
            key: goal
            for key, answers in self.answers.items()
            if (goal := self._versions.differs(self._numbers, answers.values())) is not None
        }
        found: list[tuple[str, Symbol]] = []
        while goals:
            some = self._versions.some((goal,) for goal in goals.values())
            shown = self._versions.model([some, *self._plain], set(goals.values()), deadline.left())
            if shown is None:
                break
            found += [key for key, goal in goals.items() if goal in shown]
            goals = {key: goal for key, goal in goals.items() if goal not in shown}
        return sorted(found, key=lambda key: (KINDS.index(key[0]), str(key[1])))

    def difference(self, kind: str, subject: Symbol, deadline: Deadline) -> Difference:
        """Return how the two differ about one subject, with a position for each way."""
        answers = self.answers[kind, subject]
        legal = answers.get("legal") if kind == "action" else None
        shown = []
        if legal is not None and legal in self._numbers:
            for way, body in (
                (STRICTER, (legal, -self._numbers[legal])),
                (LOOSER, (-legal, self._numbers[legal])),
            ):
                found = self._nearest(way, kind, subject, self._versions.some([body]), deadline)
                shown += [found] if found else []
        if not shown:
            goal = self._versions.differs(self._numbers, answers.values())
            found = self._nearest(CHANGED, kind, subject, goal or 0, deadline)
            shown += [found] if found else []
        ways = [one.way for one in shown]
        causes = sorted({clause for one in shown for clause in one.causes}, key=clause_key)
        relation = BOTH if len(ways) == 2 else ways[0]
        return Difference(written(subject), kind, relation, tuple(causes), tuple(shown))

    def _nearest(
        self, way: str, kind: str, subject: Symbol, goal: int, deadline: Deadline
    ) -> Shown | None:
        """Return the position nearest to a scenario in which the two differ in this way."""
        best = self._versions.best([goal, *self._plain], [*self._facts, *self._near], deadline.left())
        if best is None:
            return None
        facts = tuple(sorted(self._facts[n] for n in best if n in self._facts))
        state = State("witness", facts)
        before, after = (standing(book, kind, state, written(subject)) for book in self._books)
        _refuse_unshown(way, written(subject), before, after)
        part = self._versions.part(goal)
        return Shown(
            way, self._witness(state, best), state, before, after,
            self._causes(part, best), self._ranges(part, state),
        )  # fmt: skip

    def _witness(self, state: State, best: Collection[int]) -> Witness:
        base = next((self._near[n] for n in best if n in self._near), "")
        book = self._books[NEW]
        begin = load_state(book, base) if base else State("", ())
        return Witness(base or None, state_changes(book, begin, set(state.facts)))

    # ---- what brings a difference about ----------------------------------------------------------

    def _causes(self, part: Part, best: Collection[int]) -> tuple[str, ...]:
        """Return changed clauses that bring a difference about by themselves, none to spare."""
        state = [n if n in best else -n for n in self._facts]
        kept = sorted({clause for _, clause in self._tags}, key=clause_key)
        for clause in reversed(kept):
            fewer = [other for other in kept if other != clause]
            if part.holds([*state, *self._applied(fewer)]):
                kept = fewer
        return tuple(kept)

    def _applied(self, clauses: Collection[str]) -> list[int]:
        """Return the literals that say that of all changes those of these clauses are made."""
        told = [number if version == OLD else -number for (version, _), number in self._tags.items()]
        for (version, clause), number in self._tags.items():
            holds = (version == NEW) == (clause in clauses)
            told.append(self._numbers[number] if holds else -self._numbers[number])
        return told

    def changes_nothing(self, clause: str, deadline: Deadline) -> bool:
        """Say whether the change of one clause changes no answer, alone and beside all the others."""
        if not any(changed == clause for _, changed in self._tags):
            return True
        return False

    def _ranges(self, part: Part, state: State) -> tuple[Range, ...]:
        """Return the numbers between which a difference stays, for each fact whose number matters."""
        grounded = session_for(self._books[NEW], state.facts)
        bounds = {name: (int(low), int(high)) for name, low, high in grounded.pairs("bounds", 3)}
        numbers = {fact: number for number, fact in self._facts.items()}
        found = []

        def holds(facts: Collection[str]) -> bool:
            told = [n if fact in facts else -n for fact, n in numbers.items()]
            return part.holds([*self._plain, *told])

        for fact in state.facts:
            number, name = last_number(fact), fact.partition("(")[0]
            if number is None or name not in bounds:
                continue
            others = set(state.facts) - {fact}
            low = high = number
            while low > bounds[name][0] and holds(others | {with_number(fact, low - 1)}):
                low -= 1
            while high < bounds[name][1] and holds(others | {with_number(fact, high + 1)}):
                high += 1
            if (low, high) != bounds[name]:
                found.append(Range(fact, low, high))
        return tuple(found)


def _refuse_unshown(way: str, subject: str, before: Standing, after: Standing) -> None:
    legal = (before.answer == "legal", after.answer == "legal")
    wanted = {STRICTER: (True, False), LOOSER: (False, True)}
    if legal != wanted.get(way, legal) or before.answer == after.answer:
        raise RulebookError(
            f"the position in which {subject} differs does not show it again",
            hint="this is a bug of the program, please report it",
        )
