"""What one rulebook says otherwise than another, and that it says the rest alike.

Both are asked about all positions at once. What differs nowhere is proved to be equivalent; every
difference comes with the position nearest to a scenario that shows it, which both rulebooks have then
judged in the ordinary way, and with the changed clauses that bring it about.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from clingo import Function, Symbol

from lexbelli.errors import RulebookError
from lexbelli.findings import Range, Witness
from lexbelli.model import State
from lexbelli.rulebook import Rulebook
from lexbelli.search import Deadline
from lexbelli.standing import Standing, standing
from lexbelli.terms import clause_key, written
from lexbelli.together import shared
from lexbelli.union import GOALS, NEW, second_of, union
from lexbelli.whole import Place, Whole
from lexbelli.witnesses import Cause, nearest

KINDS = ("action", "duty", "quantity", "conclusion", "effect")
# how the answers of two rulebooks compare; the first four are about what is legal
STRICTER, LOOSER, BOTH, CHANGED, EQUIVALENT = "stricter", "looser", "both", "changed", "equivalent"


@dataclass(frozen=True, slots=True)
class Shown:
    """One position in which the two rulebooks differ about a subject.

    `way` is "stricter", "looser" or "changed", where it is as legal as before; `causes` are the changed
    clauses without whose change the new answer would be another.
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
    agree, by kind. `changed` are the clauses that are not the same in both, and `clarifications` those
    of them that both have and that are proved to change nothing, alone or beside the others.
    """

    differences: tuple[Difference, ...]
    equivalent: Mapping[str, tuple[str, ...]]
    changed: tuple[str, ...]
    clarifications: tuple[str, ...]


def compare(old: Rulebook, new: Rulebook, deadline: Deadline, *, apart: bool = False) -> Comparison:
    """Return what two rulebooks about one game say alike, and what otherwise.

    When `apart`, a fork of this process is asked about half of the subjects; see `together`. Raises
    LimitError when it is not over in time, RulebookError when a difference does not show again in the
    ordinary way, which is a bug of the program.
    """
    first = union(old, new)
    both = second_of(first)
    asked = _by_subject(goal for name in GOALS for goal in both.goals(name))
    find = partial(_differences, (old, new), both, deadline)
    found = zip(asked, shared(find, list(asked.items()), apart=apart), strict=True)
    differences = dict(sorted(((key, one) for key, one in found if one is not None), key=_place))
    alike: dict[str, list[str]] = {kind: [] for kind in KINDS}
    for kind, subject in dict.fromkeys(_keys(both)):
        if (kind, subject) not in differences:
            alike[kind].append(written(subject))
    changed = changed_clauses(old, new)
    causing = {clause for one in differences.values() for clause in one.clauses}
    kept = [c for c in changed if old.clause(c) and new.clause(c) and c not in causing]
    return Comparison(
        tuple(differences.values()),
        {kind: tuple(sorted(subjects)) for kind, subjects in alike.items()},
        changed,
        tuple(clause for clause in kept if not _alters(first, clause, deadline)),
    )


Key = tuple[str, Symbol]  # a kind, and a subject of it
Answers = Mapping[tuple[Symbol, ...], Sequence[Symbol]]  # the new ones, by kind and subject


def _keys(both: Whole) -> Iterator[Key]:
    for atom in both.atoms["comes_to"]:
        yield atom.arguments[0].name, atom.arguments[1]


def _by_subject(goals: Iterable[Symbol]) -> dict[Key, list[Symbol]]:
    """Return for each subject the ways in which it differs, or may."""
    asked: dict[Key, list[Symbol]] = {}
    for goal in goals:
        asked.setdefault((goal.arguments[0].name, goal.arguments[1]), []).append(goal)
    return asked


def _place(row: tuple[Key, Difference]) -> tuple[int, str]:
    (kind, _), difference = row
    return KINDS.index(kind), difference.subject


def _differences(
    books: tuple[Rulebook, Rulebook],
    both: Whole,
    deadline: Deadline,
    asked: Sequence[tuple[Key, Sequence[Symbol]]],
) -> list[Difference | None]:
    """Return for each subject how it differs, None where it does not."""
    found = both.some([goal for _, goals in asked for goal in goals], deadline)
    places = nearest(books[NEW], found, deadline, both)
    answers: dict[tuple[Symbol, ...], list[Symbol]] = {}
    for one in both.goals("answers__"):
        kind, subject, _ = one.arguments
        answers.setdefault((kind, subject), []).append(one)
    shown = _by_subject(found)
    return [
        _difference(books, both, key, {goal: places[goal] for goal in shown[key]}, answers)
        if key in shown
        else None
        for key, _ in asked
    ]


def _difference(
    books: tuple[Rulebook, Rulebook],
    both: Whole,
    key: Key,
    places: Mapping[Symbol, Place],
    answers: Answers,
) -> Difference:
    kind, subject = key
    shown = [_shown(books, both, kind, (goal, place), answers) for goal, place in places.items()]
    ways = [one.way for one in shown if one.way != CHANGED] or [CHANGED]
    causes = sorted({clause for one in shown for clause in one.causes}, key=clause_key)
    relation = BOTH if len(ways) > 1 else ways[0]
    return Difference(written(subject), kind, relation, tuple(causes), tuple(shown))


def _shown(
    books: tuple[Rulebook, Rulebook],
    both: Whole,
    kind: str,
    shown: tuple[Symbol, Place],
    answers: Answers,
) -> Shown:
    """Return one position of a difference, after both rulebooks have judged it."""
    goal, place = shown
    way = CHANGED if goal.name == "altered__" else goal.name.rstrip("_")
    subject = written(goal.arguments[-1])
    before, after = (standing(book, kind, place.state, subject) for book in books)
    if "unknown" in (before.answer, after.answer):  # only one of them knows the subject at all
        way = CHANGED
    else:
        _refuse_unshown(way, subject, before, after)
    told = [one for asked in (tuple(goal.arguments), _price(goal)) for one in answers.get(asked, ())]
    cause = Cause(books[NEW], goal, both, told)
    return Shown(
        way,
        Witness(place.base, place.changes),
        place.state,
        before,
        after,
        _causes(goal, told, cause, place.state),
        cause.ranges(place.state),
    )


def _price(goal: Symbol) -> tuple[Symbol, ...]:
    """Return the kind and subject of the cost of an action."""
    kind, subject = goal.arguments
    return (Function("quantity"), Function("cost", [subject])) if kind.name == "action" else ()


def _causes(goal: Symbol, answers: Sequence[Symbol], cause: Cause, state: State) -> tuple[str, ...]:
    """Return the changed clauses without whose change the answer would not be what it is.

    Where each of several would do alone, those are told that bring a difference about by themselves.
    """
    changed = sorted(set(map(_clause, cause.switches)), key=clause_key)  # others have no part in it
    price = _price(goal)

    def answer(clauses: Collection[str]) -> set[Symbol]:
        on = _on(cause.switches, (), clauses)
        given = {one for one in answers if cause.holds(state.facts, on, one)}
        legal = any(str(one.arguments[2]) == "legal" for one in given)
        return {one for one in given if legal or tuple(one.arguments[:2]) != price}

    new = answer(changed)
    needed = [one for one in changed if answer([c for c in changed if c != one]) != new]
    if needed:
        return tuple(needed)
    kept = changed
    for clause in reversed(changed):
        fewer = [other for other in kept if other != clause]
        if cause.holds(state.facts, _on(cause.switches, (), fewer)):
            kept = fewer
    return tuple(kept)


def _clause(switch: Symbol) -> str:
    return switch.arguments[1].string


def _on(switches: Iterable[Symbol], first: Collection[str], second: Collection[str]) -> list[Symbol]:
    """Return the switches that are on where the first and second version change these clauses."""
    return [
        switch
        for switch in switches
        if (switch.arguments[0].number == NEW)
        == (_clause(switch) in (first if switch.name == "only__" else second))
    ]


def _alters(first: Whole, clause: str, deadline: Deadline) -> bool:
    """Say whether the change of one clause alters any answer, alone or beside all the others."""
    tags = [switch for switch in first.switches if _clause(switch) == clause]
    if not tags:
        return False  # its rules are the same, word for word
    others = {_clause(switch) for switch in first.switches} - {clause}
    one = second_of(first, tags)
    goals = [goal for name in GOALS for goal in one.goals(name)]
    for changed in ((), others):
        on = set(_on(one.switches, changed, [clause]))
        if one.switched(on).some(goals, deadline):
            return True
    return False


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


def _refuse_unshown(way: str, subject: str, before: Standing, after: Standing) -> None:
    legal = (before.answer == "legal", after.answer == "legal")
    wanted = {STRICTER: (True, False), LOOSER: (False, True)}
    same = before.answer == after.answer and (before.cost == after.cost or not all(legal))
    if legal != wanted.get(way, legal) or same:
        raise RulebookError(
            f"the position in which {subject} differs does not show it again",
            hint="this is a bug of the program, please report it",
        )
