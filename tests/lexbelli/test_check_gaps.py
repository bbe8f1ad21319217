"""What clauses leave out: cases of a partition, words of a twin, and limits kept in vain."""

import random
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.support import changed_state, random_state

from lexbelli import Rulebook, load_rulebook, load_state
from lexbelli.check import check
from lexbelli.errors import RulebookError
from lexbelli.findings import Finding, Proof
from lexbelli.gaps import gaps, speaking
from lexbelli.search import Deadline
from lexbelli.states import session_for
from lexbelli.tensions import tensions
from lexbelli.terms import written
from lexbelli.twins import twins
from lexbelli.why import why

Run = Callable[..., "subprocess.CompletedProcess[str]"]
LIBRARY = Path(__file__).parent.parent / "library_rulebook"
SOUND = {"LB101:1.1+1.2", "LB101:1.1+1.4", "LB101:1.3+1.4"}


def planted(tmp_path: Path, rules: str, declarations: str) -> Rulebook:
    """Return the lending rules with clauses and declarations added."""
    folder = tmp_path / "library"
    shutil.copytree(LIBRARY, folder)
    for file, text in ((folder / "rules" / "1_lending.lp", rules), (folder / "desk.lp", declarations)):
        file.write_text(f"{file.read_text('utf-8')}\n{text}\n", "utf-8")
    return load_rulebook(folder)


def ids(findings: object) -> set[str]:
    assert isinstance(findings, tuple | list)
    return {finding.id for finding in findings}


def only(proof: Proof) -> Finding:
    (finding,) = proof.findings
    return finding


# ---- planted gaps --------------------------------------------------------------------------------

READERS = """
derivable((light(P);heavy(P))) :- person(P).
reads("light(P)","{P} reads little","{P} does not read little").
reads("heavy(P)","{P} reads much","{P} does not read much").
reads("readers","what a reader is").
divides(readers,("2.1";"2.2")).
case(readers,books(P,N)) :- books(P,N).
concerns(readers,books(P,N),(light(P);heavy(P))) :- books(P,N).
"""
LIGHT = '%## 2.1  Light readers\nconcludes("2.1",light(P)) :- books(P,N), N < 4.\n'


def test_a_gap_between_two_ranges_is_found_with_its_range(tmp_path: Path) -> None:
    rules = LIGHT + '%## 2.2  Heavy readers\nconcludes("2.2",heavy(P)) :- books(P,N), N > 5.'
    book = planted(tmp_path, rules, READERS)
    report = check(book)
    assert ids(report.findings) - SOUND == {"LB301:2.1+2.2"}
    (finding,) = [f for f in report.findings if f.code == "LB301"]
    assert finding.subjects == ("books(ann,4)", "books(ann,5)", "books(bob,4)", "books(bob,5)")
    assert finding.message == (
        "what a reader is: none of these clauses speaks in some position where "
        "Ann has 4 to 5 books out, or Bob has 4 to 5 books out"
    )
    assert [(one.fact, one.low, one.high) for one in finding.ranges] == [("books(ann,4)", 4, 5)]
    assert finding.witness is not None
    assert [change.fact for change in finding.witness.changes] == ["books(ann,4)"]


def test_a_division_without_a_gap_is_proved(tmp_path: Path) -> None:
    rules = LIGHT + '%## 2.2  Heavy readers\nconcludes("2.2",heavy(P)) :- books(P,N), N > 3.'
    report = check(planted(tmp_path, rules, READERS))
    assert ids(report.findings) == SOUND
    assert any("1 partition of clauses leaves no case out" in line for line in report.proved)


@pytest.mark.parametrize(
    ("rule", "left_out"),
    [
        # a way to meet a duty says nothing where nobody is bound
        ('obliges("2.1",settle(P)) :- staff(P).\ndischarges("2.1",settle(P),pay(P)) :- person(P).',
         {"day(monday)", "day(sunday)"}),
        # what happens when something is done is said, and so is a priority
        ('initiates("2.1",borrow(P),staff(P)) :- person(P), day(monday).', {"day(sunday)"}),
        ('overrides("2.1","1.2",borrow(P)) :- person(P), day(sunday).', {"day(monday)"}),
    ],
)  # fmt: skip
def test_what_counts_as_speaking(tmp_path: Path, rule: str, left_out: set[str]) -> None:
    declarations = 'divides(days,"2.1"). case(days,day(D)) :- day(D). reads("days","the days").'
    proof = gaps(planted(tmp_path, f"%## 2.1  A\n{rule}", declarations), Deadline(60))
    assert {*only(proof).subjects} == left_out
    assert "2.1 is silent" in only(proof).message


# ---- planted twins -------------------------------------------------------------------------------


def of_two(tmp_path: Path, first: str, second: str, more: str = "") -> Proof:
    """Compare a clause about Ann with one about Bob."""
    rules = f"%## 2.1  Ann\n{first}\n%## 2.2  Bob\n{second}"
    declarations = f'twin("2.1","2.2"). counterpart(ann,bob). {more}'
    return twins(planted(tmp_path, rules, declarations), Deadline(60))


def test_a_condition_that_one_twin_lacks_is_told_in_words_and_shown(tmp_path: Path) -> None:
    rules = (
        '%## 2.1  Ann\npermits("2.1",pay(ann)) :- overdue(ann), day(sunday).\n'
        '%## 2.2  Bob\npermits("2.2",pay(bob)) :- overdue(bob).'
    )
    book = planted(tmp_path, rules, 'twin("2.1","2.2"). counterpart(ann,bob).')
    report = check(book)
    # both grant what an obligation permits already
    assert ids(report.findings) - SOUND == {"LB301:2.1+2.2", "LB203:2.1+1.5", "LB203:2.2+1.5"}
    (finding,) = [f for f in report.findings if f.code == "LB301"]
    assert "2.1 asks that it is sunday; 2.2 does not" in finding.message
    assert finding.subjects == ("pay(bob)",)
    assert finding.witness is not None
    assert finding.witness.base is not None
    state = changed_state(book, load_state(book, finding.witness.base), finding.witness.changes)
    assert "overdue(bob)" in state.facts
    assert "day(sunday)" not in state.facts


def test_different_conditions_numbers_and_norms_are_told(tmp_path: Path) -> None:
    both = only(of_two(
        tmp_path / "1",
        'sets("2.1",cost(borrow(ann)),3) :- staff(ann), overdue(ann).',
        'sets("2.2",cost(borrow(bob)),2) :- staff(bob), money(bob,5).',
    ))  # fmt: skip
    assert "2.1 fixes 3, 2.2 fixes 2" in both.message
    assert "2.1 asks that Ann has a book overdue; 2.2 asks that Bob has 5 coins" in both.message
    missing = only(of_two(
        tmp_path / "2",
        'permits("2.1",pay(ann)).\nforbids("2.1",borrow(ann)) :- overdue(ann).',
        'permits("2.2",pay(bob)).',
    ))  # fmt: skip
    assert "2.1 forbids: Ann borrows a book; 2.2 says nothing of the kind" in missing.message


def test_priorities_are_compared_as_well(tmp_path: Path) -> None:
    finding = only(of_two(
        tmp_path,
        'overrides("2.1","1.2",borrow(ann)) :- staff(ann).',
        'overrides("2.2","1.2",borrow(bob)) :- staff(bob), overdue(bob).',
    ))  # fmt: skip
    assert finding.subjects == ("borrow(bob)",)
    assert "2.2 asks that Bob has a book overdue; 2.1 does not" in finding.message


@pytest.mark.parametrize(
    ("first", "second", "more"),
    [
        ('permits("2.1",pay(ann)) :- overdue(ann).', 'permits("2.2",pay(bob)) :- overdue(bob).', ""),
        # other names for the variables, another order, and another way to set the limit
        (
            'permits("2.1",pay(ann)) :- books(ann,N), N > 3, staff(ann).',
            'permits("2.2",pay(bob)) :- staff(bob), books(bob,Many), Many >= 4.',
            "",
        ),
        # numbers that are declared to correspond
        (
            'sets("2.1",cost(pay(ann)),3).',
            'sets("2.2",cost(pay(bob)),4).',
            "counterpart((cost(pay(ann)),3),(cost(pay(bob)),4)).",
        ),
        # names of facts that correspond
        (
            'permits("2.1",pay(ann)) :- regular_a.\nregular_a :- overdue(ann).',
            'permits("2.2",pay(bob)) :- regular_b.\nregular_b :- overdue(bob).',
            "counterpart(regular_a,regular_b).",
        ),
    ],
)
def test_twins_that_say_the_same_are_proved(tmp_path: Path, first: str, second: str, more: str) -> None:
    proof = of_two(tmp_path, first, second, more)
    assert proof.findings == []
    assert proof.proved == [
        "1 pair of twin clauses says the same (LB301) over all positions that can be"
    ]


def test_of_twin_numbers_the_clauses_that_end_alike_are_twins(tmp_path: Path) -> None:
    rules = "".join(
        f'%## {number}  {person}\npermits("{number}",{what}({person})).\n'
        for number, person, what in (
            ("2.A", "ann", "pay"), ("2.B", "ann", "borrow"),
            ("3.A", "bob", "pay"), ("3.C", "bob", "pay"),
        )
    )  # fmt: skip
    proof = twins(planted(tmp_path, rules, 'twin("2","3"). counterpart(ann,bob).'), Deadline(60))
    assert ids(proof.findings) == {"LB301:2.B", "LB301:3.C"}
    assert "no counterpart in 3" in proof.findings[0].message


@pytest.mark.parametrize(
    ("declarations", "message"),
    [
        ('divides(days,"1.9"). case(days,day(D)) :- day(D).', "divides(days,1.9): 1.9 is no clause"),
        ('divides(days,"1.1"). case(day,day(D)) :- day(D).', "day has no clause that divides it"),
        ('divides(days,"1.1").', "days has no case"),
        ('twin("1.1","1.9").', "twin(1.1,1.9): 1.9 is no clause with rules"),
        ('twin("1.1","1.2"). counterpart(3,4).', "two words correspond"),
    ],
)
def test_declarations_that_make_no_sense(
    tmp_path: Path, cli: Run, declarations: str, message: str
) -> None:
    book = planted(tmp_path, "", declarations)
    with pytest.raises(RulebookError) as caught:
        check(book)
    assert message in str(caught.value)
    assert cli("check", "--rulebook", str(book.root)).returncode == 2


# ---- tensions ------------------------------------------------------------------------------------


def test_tensions_are_looked_for_when_they_are_asked_for(tmp_path: Path, cli: Run) -> None:
    book = planted(tmp_path, "", "")
    assert ids(check(book).findings) == SOUND
    assert ids(check(book, codes=["LB107"]).findings) == {"LB107:1.4+1.2"}
    result = cli("check", "--rulebook", str(book.root), "--code", "LB107", "--verbose")
    assert result.returncode == 0
    assert "1.4 asks for something that is met, and 1.2 forbids it" in result.stdout


def test_a_tension_is_shown_by_its_witness_and_is_no_contradiction(tmp_path: Path) -> None:
    rules = (
        '%## 2.1  A limit\nopens("2.1",borrow(P)) :- staff(P).\n'
        '%## 2.2  A ban\nforbids("2.2",borrow(P)) :- overdue(P).\n'
        'forbids("2.2",pay(P)) :- money(P,1).\n'
        '%## 2.3  Outright\npermits("2.3",pay(P)) :- staff(P).\nopens("2.3",borrow(P)) :- staff(P).'
    )
    book = planted(tmp_path, rules, "")
    found = {finding.id: finding for finding in tensions(book, Deadline(60)).findings}
    assert "LB107:2.1+2.2" in found
    assert "LB107:2.3+2.2" not in found  # they contradict each other on paying
    witness = found["LB107:2.1+2.2"].witness
    assert witness is not None
    assert witness.base is not None
    state = changed_state(book, load_state(book, witness.base), witness.changes)
    answer = why(book, state, found["LB107:2.1+2.2"].subjects[0], whole=False)
    assert ("2.1", "opens") in {(e.clause, e.head) for e in answer.permitted_by}
    assert "2.2" in {e.clause for e in answer.forbidden_by}


# ---- the shipped rulebook ------------------------------------------------------------------------


@pytest.fixture(scope="module")
def left_out(book: Rulebook) -> Proof:
    return gaps(book, Deadline(120))


@pytest.fixture(scope="module")
def different(book: Rulebook) -> Proof:
    return twins(book, Deadline(120))


def test_the_gaps_of_the_text(left_out: Proof) -> None:
    found = {finding.id: finding.subjects for finding in left_out.findings}
    assert found == {
        # 66.12A prints outcomes for 0 to -3, for a result of 0 or less
        "LB301:66.12A.1+66.12A.2+66.12A.3+66.12A.4": (
            "diplomatic_result(rumania,-5)", "diplomatic_result(rumania,-4)",
        ),
        # 69.11: a share of 10 BRPs in summer and in winter is no whole number
        "LB301:69.11.s3": ("ends_in(summer)", "ends_in(winter)"),
        # 63.51D leaves out what the Axis control, 63.51E what Germany controls
        "LB301:63.51D+63.51E.s1a+63.51E.s1b": ("neighbor(italian,no_interest)",),
        # 65.23 speaks of later turns only if Russia did not declare war in fall 1939
        "LB301:65.22.s1+65.23.s1": ("baltic_war(later_at_war)",),
        # 66.32 speaks of a partner and of a neutral, 67.32 of what the Axis control and of a neutral
        "LB301:66.32.s2a+66.32.s3+66.32.s4": (
            "stands(rumania,a_partner_elsewhere)", "stands(rumania,at_war_by_itself)",
            "stands(rumania,fallen_to(germany))",
        ),
        "LB301:67.32.s2a+67.32.s3+67.32.s4": (
            "stands(finland,a_partner_elsewhere)", "stands(finland,at_war_by_itself)",
        ),
    }  # fmt: skip


@pytest.mark.parametrize(
    ("result", "clauses"),
    [
        (0, {"66.12A", "66.12A.1"}),
        (-3, {"66.12A", "66.12A.4"}),
        (-4, {"66.12A"}),
        (-5, {"66.12A"}),
        (2, {"66.12B.a", "66.12B.b", "66.12B.c"}),
        (4, {"66.12C.s1", "66.12C.s2a", "66.12C.s2b", "66.12C.s2c", "66.12C.s3"}),
        (7, {"66.12D.a", "66.12D.b", "66.12D.c", "66.12F"}),
    ],
)
def test_who_answers_a_demand_by_the_printed_text(
    book: Rulebook, result: int, clauses: set[str]
) -> None:
    facts = ["demanded(rumania)", f"diplomatic_result(rumania,{result})"]
    spoken = speaking(book, load_state(book, "spring_1940", set=facts))
    procedures = {"66.12.a", "66.12.b"}  # the roll, and what a result brings anyway
    assert {clause for clause in spoken if clause.startswith("66.12")} - procedures == clauses


@pytest.mark.parametrize(
    ("base", "changes", "subject", "clauses"),
    [
        # Germany declared war in summer 1941, as the printed example has it
        ("summer_1941", ["turn(fall,1941)"], "prorated_loss(russia)", {"69.11.s3"}),
        ("summer_1941", ["turn(summer,1941)", "war_began(germany,russia,spring,1941)"],
         "prorated_loss(russia)", set()),
        ("spring_1940", [], "declare_war(russia,turkey)", {"63.51D"}),
        ("spring_1940", ["economic_interest(germany,turkey)"], "declare_war(russia,turkey)",
         {"63.51E.s1a", "69.21.s1"}),
        ("spring_1940", ["associated(turkey,germany)"], "declare_war(russia,turkey)",
         {"63.51E.s1b"}),
        ("spring_1940", ["associated(turkey,italy)"], "declare_war(russia,turkey)", set()),
    ],
)  # fmt: skip
def test_who_speaks_of_a_subject_by_the_printed_text(
    book: Rulebook, base: str, changes: list[str], subject: str, clauses: set[str]
) -> None:
    spoken = speaking(book, load_state(book, base, set=changes))
    found = {clause for clause, subjects in spoken.items() if subject in subjects}
    assert {clause for clause in found if not clause.startswith("outside.")} == clauses


def test_no_random_position_shows_a_gap_that_the_proof_has_missed(
    book: Rulebook, left_out: Proof
) -> None:
    """An independent look: sampled positions, each clause asked in each."""
    known = {case for finding in left_out.findings for case in finding.subjects}
    rng = random.Random(301)
    for _ in range(40):
        state = random_state(book, rng, changes=30)
        world = session_for(book, state.facts, effects=True).everything(state.facts)
        spoken = speaking(book, state)
        for atom in world.get("case", ()):
            name, case = atom.arguments
            clauses = {a.arguments[1].string for a in world["divides"] if a.arguments[0] == name}
            asked = {
                written(a.arguments[2])
                for a in world.get("concerns", ())
                if a.arguments[:2] == [name, case]
            }
            said = set().union(*(spoken.get(clause, set()) for clause in clauses))
            if not (said & asked if asked else said):
                assert written(case) in known, (name, case, state.facts)


def test_the_twins_that_differ(different: Proof) -> None:
    told = {finding.id: finding.message for finding in different.findings}
    assert set(told) == {
        "LB301:66.11+67.11", "LB301:66.22C+67.23A.3", "LB301:66.32.s2a+67.32.s2a",
        "LB301:66.32.s2b+67.32.s2b", "LB301:66.32.s3+67.32.s3", "LB301:66.41.s1+67.41.s1",
        "LB301:66.23.s2",
    }  # fmt: skip
    assert told["LB301:66.32.s2a+67.32.s2a"].startswith(
        "66.32.s2a asks that Rumania is associated with or allied to the Axis; "
        "67.32.s2a asks that the Axis control Finland"
    )
    assert told["LB301:66.11+67.11"].startswith("67.11 asks that Fall 1939 is over; 66.11 does not")


def test_a_word_lost_in_one_twin_is_found(rulebook_copy: Path) -> None:
    chapter = rulebook_copy / "rules" / "65_baltic_states.lp"
    text = chapter.read_text("utf-8")
    lost = "receives(Side,baltic_states), not income_forfeit(Side,baltic_states)."
    assert lost in text
    chapter.write_text(text.replace(lost, "receives(Side,baltic_states)."), "utf-8")
    proof = twins(load_rulebook(rulebook_copy), Deadline(120))
    (finding,) = [f for f in proof.findings if f.clauses == ("64.33", "65.12")]
    assert "64.33 asks that any side has not let a player turn end" in finding.message
