"""What slices answer is what one search over the whole rulebook answers."""

from collections.abc import Callable
from itertools import takewhile
from pathlib import Path

import pytest
from tests.benchmarks.checking import Book

from lexbelli import Rulebook, load_rulebook
from lexbelli.check import check
from lexbelli.programs import whole
from lexbelli.repairs import amounts, last_number, with_number
from lexbelli.rulebook import everywhere, session, switches
from lexbelli.search import Deadline, Search, brave
from lexbelli.terms import quoted
from lexbelli.witnesses import Cause, nearest

LIBRARY = Path(__file__).parent.parent / "library_rulebook"
GOALS = {"clash": 4, "effective": 1, "speaks": 1}


def drawn(folder: Path, clauses: int) -> Rulebook:
    """Return a rulebook of that many clauses, with planted defects."""
    Book(clauses).write(folder)
    return load_rulebook(folder)


BOOKS: dict[str, Callable[[Path], Rulebook]] = {
    "the shipped rulebook": lambda _: load_rulebook(),
    "the lending rules": lambda _: load_rulebook(LIBRARY),
    "60 drawn clauses": lambda folder: drawn(folder, 60),
    "240 drawn clauses": lambda folder: drawn(folder, 240),
}


@pytest.fixture(params=BOOKS)
def any_book(request: pytest.FixtureRequest, tmp_path: Path) -> Rulebook:
    return BOOKS[request.param](tmp_path)


def test_slices_find_what_one_search_finds(any_book: Rulebook) -> None:
    statements = any_book.statements + any_book.choice + any_book.check + any_book.effects
    found = brave(statements, everywhere(any_book), GOALS.items(), 100)
    program = whole(any_book)
    for name in GOALS:
        goals = [g for g in program.goals(name) if name != "clash" or g.arguments[0].string != "LB107"]
        sliced = program.some(goals, Deadline(100))
        assert sorted(sliced) == [atom for atom in found if atom.name == name]


def test_witnesses_change_no_more_than_those_of_one_search(any_book: Rulebook) -> None:
    """As few facts, and numbers as near: the two are all of the cost but the order of the facts."""
    program = whole(any_book)
    goals = [goal for goal in program.goals("clash") if goal.arguments[0].string != "LB107"]
    clashes = program.some(goals, Deadline(100))[::3]
    places = nearest(any_book, clashes, Deadline(100))
    grounded = session(any_book)
    lines = [
        switches(any_book, frozenset()),
        amounts(grounded.facts, grounded.facts, grounded.group_of, grounded.mapping("scale")),
        *(f"base({quoted(n)},{fact})." for n, base in program.bases.items() for fact in base.facts),
        "current(Fact) :- near(Base), base(Base,Fact).",
    ]
    statements = any_book.statements + any_book.choice + any_book.check + any_book.effects
    for clash in clashes:
        place = places[clash]
        assert place.base is not None
        costs = []
        for near in (f"1 {{ near({';'.join(map(quoted, program.bases))}) }} 1.", _at(place.base)):
            search = Search(statements + any_book.repair, "\n".join([*lines, near]))
            best = search.best(frozenset(), 100, held=[str(clash)])
            assert best is not None
            costs.append(best[0])
        assert costs[0] == costs[1]  # no other scenario is nearer
        assert costs[0][0] == len({grounded.group_of.get(c.fact, c.fact) for c in place.changes})
        if len(any_book.clauses) > 100:
            break  # one search takes long
    assert clashes


def _at(base: str) -> str:
    return f"near({quoted(base)})."


def test_a_drawn_rulebook_has_the_planted_defects_and_no_others(tmp_path: Path) -> None:
    planted = Book(150)
    planted.write(tmp_path)
    assert {finding.id for finding in check(load_rulebook(tmp_path)).findings} == planted.expected


def test_without_a_scenario_witnesses_are_whole_positions(tmp_path: Path) -> None:
    """What no scenario tells is sought as well, so that the position can be judged again."""
    planted = Book(40)
    planted.write(tmp_path)
    with_scenario = {finding.id for finding in check(load_rulebook(tmp_path)).findings}
    (tmp_path / "scenarios" / "start.lp").unlink()
    (tmp_path / "scenarios").rmdir()
    found = check(load_rulebook(tmp_path)).findings
    assert {finding.id for finding in found} == with_scenario
    assert all(finding.witness.base is None for finding in found if finding.witness)


def test_ranges_are_what_one_number_after_the_other_says(any_book: Rulebook) -> None:
    program = whole(any_book)
    goals = [goal for goal in program.goals("clash") if goal.arguments[0].string != "LB107"]
    clashes = program.some(goals, Deadline(100))[::2]
    bounds = {name: (int(low), int(high)) for name, low, high in session(any_book).pairs("bounds", 3)}
    told = 0
    for clash, place in nearest(any_book, clashes, Deadline(100)).items():
        cause = Cause(any_book, clash)
        expected = []
        for fact in place.state.facts:
            low, high = bounds.get(fact.partition("(")[0], (1, 0))
            others = set(place.state.facts) - {fact}
            # a group that needs a value has one of these, which one is all that can matter
            needed = program.group_of.get(fact) in session(any_book).needed
            holding = [n for n in range(low, high + 1) if cause.holds(others | {with_number(fact, n)})]
            number = last_number(fact)
            if (
                number is not None
                and low <= high
                and not (len(holding) == high + 1 - low and (needed or cause.holds(others)))
            ):
                below = [*takewhile(holding.__contains__, range(number, low - 1, -1))]
                above = [*takewhile(holding.__contains__, range(number, high + 1))]
                expected.append((fact, below[-1], above[-1]))
        ranges = [(one.fact, one.low, one.high) for one in cause.ranges(place.state)]
        assert ranges == expected
        told += len(ranges)
    assert told
