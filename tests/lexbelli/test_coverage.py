"""Every condition of every norm has a case on each side, except where no state can show it."""

import tomllib
from pathlib import Path

import pytest

from lexbelli import Rulebook, judged_move, load_state, read_cases
from lexbelli.answers_rulebook import coverage_totals
from lexbelli.coverage import ClauseCoverage, coverage
from lexbelli.missing import missing_cases

CASES = Path(__file__).resolve().parent.parent / "cases"


@pytest.fixture(scope="module")
def covered(book: Rulebook) -> list[ClauseCoverage]:
    return coverage(book, read_cases([CASES]))


def test_no_side_of_a_condition_is_without_a_case(covered: list[ClauseCoverage]) -> None:
    missing = [
        (c.clause.id, g.norm, g.what, g.side) for c in covered for g in c.gaps if g.provable is not True
    ]
    assert missing == []


def test_what_no_case_can_show_is_the_time_of_an_event(covered: list[ClauseCoverage]) -> None:
    """An event of a phase happens in that phase; nothing ever lets Rumania withdraw."""
    for clause in covered:
        for gap in clause.gaps:
            assert gap.what.startswith(("phase(", "turn(")) or "withdraw(" in gap.norm, gap


def test_every_clause_is_accounted_for(covered: list[ClauseCoverage]) -> None:
    totals = coverage_totals(covered)
    assert totals["clauses"] == 252
    assert totals["with_rules"] + totals["with_reason"] == 252
    assert totals["open"] == 0


def test_a_clause_with_norms_speaks_in_a_case(covered: list[ClauseCoverage]) -> None:
    assert [c.clause.id for c in covered if c.clause.heads and not c.cases_for] == []


def test_what_one_case_leaves_open(book: Rulebook) -> None:
    clause = book.clause("63.51H")
    assert clause is not None
    case = next(c for c in read_cases([CASES / "handed.toml"]) if c.id == "declare-germany-rgt-49")
    (found,) = coverage(book, [case], [clause])
    gaps = {(gap.norm.partition("(")[0], gap.what, gap.side) for gap in found.gaps}
    assert gaps == {
        ("permits", "speaks", "speaks"),
        ("permits", "rgt(Level), Level >= 50", "met"),
        ("forbids", "rgt(Level), Level < 50", "unmet"),
    }
    assert (found.cases_for, found.cases_against) == (("declare-germany-rgt-49",), ())


def test_without_cases_there_is_nothing_to_tell(book: Rulebook) -> None:
    assert {len(row.gaps) for row in coverage(book, [])} == {0}


def test_a_missing_case_gets_a_position_but_no_answer(book: Rulebook) -> None:
    clause = book.clause("63.51H")
    assert clause is not None
    case = next(c for c in read_cases([CASES / "handed.toml"]) if c.id == "declare-germany-rgt-49")
    written = missing_cases(book, coverage(book, [case], [clause]))
    tables = tomllib.loads(written)["case"]
    assert len(tables) == 3
    for table in tables:
        assert table["action"] == "declare_war(russia,germany)"
        assert "verdict" not in table
        state = load_state(book, table["base"], set=table["set"])
        assert "rgt(50)" in state.facts
        assert judged_move(book, state, table["action"]).verdict != "unavailable"


def test_nothing_is_missing_when_every_side_has_a_case(book: Rulebook) -> None:
    assert missing_cases(book, coverage(book, [])) == "# No side of a condition is without a case.\n"
