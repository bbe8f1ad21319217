"""Findings about a whole rulebook: true, shown by a position, and complete as far as they go."""

import json
import random
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import jsonschema
import pytest
from tests.support import changed_state, random_state

import lexbelli
from lexbelli import (
    Rulebook,
    State,
    conclusion,
    duty_status,
    judged_move,
    load_rulebook,
    load_state,
    play,
)
from lexbelli.alone import judge_alone
from lexbelli.check import Report, check
from lexbelli.codes import CODES, find_code
from lexbelli.findings import Finding
from lexbelli.states import session_for
from lexbelli.terms import quoted, split_arguments

Run = Callable[..., "subprocess.CompletedProcess[str]"]
LIBRARY = Path(__file__).parent.parent / "library_rulebook"
HEADING = "%## 2.1  A new clause\n"


@pytest.fixture(scope="module")
def report(book: Rulebook) -> Report:
    return check(book)


def shown(book: Rulebook, finding: Finding) -> State:
    """Set the witness of a finding up."""
    assert finding.witness is not None
    assert finding.witness.base is not None
    return changed_state(book, load_state(book, finding.witness.base), finding.witness.changes)


# ---- the shipped rulebook ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("code", "clauses"),
    [
        ("LB101", {"69.21.s2b", "63.51H"}),
        ("LB101", {"66.32.s5c", "63.43.s2a"}),
        ("LB101", {"63.41", "65.21.s1a"}),
        ("LB101", {"66.22A.a", "63.43.s2a"}),
        ("LB104", {"67.51", "67.42"}),
    ],
)
def test_the_defects_of_the_text_come_out(report: Report, code: str, clauses: set[str]) -> None:
    assert [f for f in report.findings if f.code == code and {*f.clauses} == clauses]


def test_every_witness_is_a_position_that_shows_it(book: Rulebook, report: Report) -> None:
    for finding in report.findings:
        if finding.witness is None or finding.code == "LB301":  # those have tests of their own
            continue
        state = shown(book, finding)
        assert len(finding.witness.changes) <= 8, finding.id
        subject = finding.subjects[0]
        if finding.code == "LB101":
            move = judged_move(book, state, subject)
            assert move.verdict == "contested"
            assert {*finding.clauses} <= {*move.clauses}
        elif finding.code == "LB104" and subject.startswith("both("):
            assert all(conclusion(book, state, one).holds is True for one in split_arguments(subject))
        elif finding.code == "LB104":
            assert conclusion(book, state, subject).holds == "contested"
        elif finding.code == "LB102" and subject.startswith("step("):
            action, step = split_arguments(subject)
            requiring, barring = finding.clauses
            assert requiring in judged_move(book, state, action).clauses
            assert judged_move(book, state, step).verdict == "forbidden"
            assert barring in judged_move(book, state, step).clauses
        elif finding.code == "LB105":
            action, fact = split_arguments(subject)
            assert fact in play(book, state, [action]).steps[0].clashes
        else:
            assert duty_status(book, state, subject).status in ("unmet", "impossible")


def test_a_core_is_enough_and_all_of_it_is_needed(book: Rulebook, report: Report) -> None:
    """Against a fresh grounding with the clauses of the core in force and no others."""

    def contested(finding: Finding, clauses: tuple[str, ...]) -> bool:
        facts = shown(book, finding).facts
        program = "".join(f"in_force({quoted(clause)})." for clause in clauses)
        program += "".join(f"state({fact})." for fact in facts)
        answer = judge_alone(book.statements, program)
        subject = finding.subjects[0]
        if finding.code == "LB101":
            return (subject, "contested") in answer.of("verdict")
        if subject.startswith("both("):
            return {(one,) for one in split_arguments(subject)} <= set(answer.of("holds"))
        return (subject,) in answer.of("disputed")

    clashes = [f for f in report.findings if f.code in ("LB101", "LB104")]
    for finding in random.Random(5).sample(clashes, 12):
        assert contested(finding, finding.core), finding.id
        for clause in finding.core:
            fewer = tuple(other for other in finding.core if other != clause)
            assert not contested(finding, fewer), (finding.id, clause)


def test_a_range_is_exact(book: Rulebook, report: Report) -> None:
    (finding,) = [f for f in report.findings if {*f.clauses} == {"69.21.s2b", "63.51H"}]
    ((one),) = finding.ranges
    assert (one.fact, one.low, one.high) == ("rgt(35)", 35, 49)
    for level, verdict in ((34, "forbidden"), (35, "contested"), (49, "contested"), (50, "legal")):
        facts = [f for f in shown(book, finding).facts if not f.startswith("rgt(")]
        state = State("near", tuple(sorted([*facts, f"rgt({level})"])))
        assert judged_move(book, state, finding.subjects[0]).verdict == verdict


def test_no_random_position_shows_what_the_proof_has_missed(book: Rulebook, report: Report) -> None:
    """An independent look: sampled positions, judged one by one."""
    clashes = {frozenset(f.clauses) for f in report.findings if f.code == "LB101"}
    silent = {f.clauses[0] for f in report.findings if f.code in ("LB201", "LB202")}
    rng = random.Random(101)
    for _ in range(150):
        state = random_state(book, rng, changes=30)
        answer = session_for(book, state.facts).judge(state.facts)
        contested = {row[0] for row in answer.of("verdict") if row[1] == "contested"}
        sides: dict[str, tuple[set[str], set[str]]] = {}
        for clause, head, action in answer.of("decides"):
            if action in contested and head in ("permits", "obliges", "forbids"):
                sides.setdefault(action, (set(), set()))[head == "forbids"].add(clause)
            assert clause not in silent
        for granting, banning in sides.values():
            for one in granting:
                for other in banning:
                    assert frozenset((one, other)) in clashes, (one, other, state.facts)


# ---- planted defects -----------------------------------------------------------------------------


def planted(tmp_path: Path, rules: str, declarations: str = "") -> Report:
    """Check the lending rules with a clause and declarations added."""
    folder = tmp_path / "library"
    shutil.copytree(LIBRARY, folder, dirs_exist_ok=True)
    for file, text in ((folder / "rules" / "1_lending.lp", rules), (folder / "desk.lp", declarations)):
        file.write_text(f"{file.read_text('utf-8')}\n{text}\n", "utf-8")
    return check(load_rulebook(folder))


def ids(report: Report) -> set[str]:
    return {finding.id for finding in report.findings}


SOUND = {"LB101:1.1+1.2", "LB101:1.1+1.4", "LB101:1.3+1.4"}


def test_the_lending_rules_have_these_and_no_others(tmp_path: Path) -> None:
    assert ids(planted(tmp_path, "")) == SOUND


@pytest.mark.parametrize(
    ("rules", "declarations", "expected"),
    [
        ('forbids("2.1",pay(P)) :- money(P,5).', "", {"LB101:1.5+2.1", "LB102:1.5"}),
        ('sets("2.1",cost(pay(P)),3) :- staff(P).', "", {"LB103:1.5+2.1"}),
        (
            'concludes("2.1",happy(P)) :- staff(P).\n%## 2.2  B\ndenies("2.2",happy(P)) :- overdue(P).',
            'derivable(happy(P)) :- person(P). reads("happy(P)","{P} is happy","{P} is sad").',
            {"LB104:2.1+2.2"},
        ),
        (
            'concludes("2.1",owner(P)) :- staff(P).',
            'derivable(owner(P)) :- person(P). excludes(owner(ann),owner(bob)). '
            'reads("owner(P)","{P} owns it","{P} does not own it").',
            {"LB104:2.1"},
        ),
        ('initiates("2.1",pay(P),overdue(P)) :- overdue(P), staff(P).', "", {"LB105:2.1+1.6"}),
        ('forbids("2.1",borrow(P)) :- books(P,N), N > 7, N < 3.', "", {"LB201:2.1"}),
        (
            'forbids("2.1",borrow(P)) :- staff(P), day(sunday).\n'
            '%## 2.2  B\npermits("2.2",borrow(P)) :- staff(P).\n'
            'overrides("2.2","2.1",borrow(P)) :- staff(P).',
            "",
            {"LB202:2.1", "LB101:2.2+1.4"},
        ),
        (
            'obliges("2.1",greet(P)) :- staff(P).',
            'duty(greet(P)) :- person(P). reads("greet(P)","greet {P}").',
            {"LB302:2.1"},
        ),
        ('% see: 1.9 7.7\nforbids("2.1",pay(P)) :- not overdue(P), person(P).', "",
         {"LB401:2.1", "LB402:2.1", "LB203:2.1"}),  # what is not due cannot be paid anyway
    ],
)  # fmt: skip
def test_a_planted_defect_is_found_and_nothing_else(
    tmp_path: Path, rules: str, declarations: str, expected: set[str]
) -> None:
    found = ids(planted(tmp_path, HEADING + rules, declarations)) - SOUND
    assert found == expected


def test_what_is_accepted_stays_and_what_is_gone_is_told(tmp_path: Path) -> None:
    report = planted(tmp_path, "", 'accepts("LB101:1.1+1.4","a limit"). accepts("LB103:9.9","gone").')
    assert {f.id: f.accepted for f in report.findings if f.accepted} == {"LB101:1.1+1.4": "a limit"}
    assert report.stale == ("LB103:9.9",)


# ---- the commands --------------------------------------------------------------------------------


def test_the_command_tells_positions_in_words(cli: Run) -> None:
    result = cli("check", "--clause", "63.51H")
    assert result.returncode == 1
    assert "LB101 contradiction  69.21.s2b / 63.51H" in result.stdout
    assert "as long as rgt is 35 to 49" in result.stdout
    assert "proved no value clash" in result.stdout
    answer = json.loads(cli("check", "--code", "LB104", "--format", "json").stdout)
    jsonschema.validate(answer, lexbelli.schema("check"))
    assert {finding["code"] for finding in answer["findings"]} == {"LB104"}


def test_a_check_without_open_findings_ends_with_nought(cli: Run, tmp_path: Path) -> None:
    shutil.copytree(LIBRARY, tmp_path / "library")
    accepted = "".join(f'accepts("{one}","as it is").' for one in SOUND)
    desk = tmp_path / "library" / "desk.lp"
    desk.write_text(f"{desk.read_text('utf-8')}\n{accepted}\n", "utf-8")
    result = cli("check", "--rulebook", str(tmp_path / "library"))
    assert result.returncode == 0
    assert "3 errors, 3 of them accepted" in result.stdout


def test_a_check_that_is_cut_is_unknown(cli: Run) -> None:
    result = cli("check", "--time-limit", "0")
    assert result.returncode == 3
    assert "unknown which clauses clash: unknown within 0 s" in result.stdout


@pytest.mark.parametrize("code", CODES)
def test_every_code_is_explained(cli: Run, code: str) -> None:
    assert find_code(code.lower()).code == code
    assert CODES[code].meaning in cli("explain-code", code).stdout


@pytest.mark.parametrize(
    ("arguments", "what"),
    [
        (["check", "--code", "LB999"], "there is no code LB999"),
        (["check", "--clause", "63.99"], "there is no clause '63.99'"),
        (["explain-code", "LB10"], "did you mean LB10"),
    ],
)
def test_unknown_codes_and_clauses(cli: Run, arguments: list[str], what: str) -> None:
    result = cli(*arguments)
    assert result.returncode == 2
    assert what in result.stderr


# ---- conditions and clauses that matter, though it is easily missed ------------------------------

TWO_DUTIES = """reads("greet(Person)", "greet {Person}"). duty(greet(Person)) :- person(Person).
reads("bow(Person)", "bow to {Person}").       duty(bow(Person)) :- person(Person)."""


@pytest.mark.parametrize(
    ("rules", "declarations"),
    [
        # a priority on a fact that an event starts or ends: on Sunday paying ends what is overdue
        ('overrides("1.7","1.6",overdue(Person)) :- staff(Person), day(monday).', ""),
        # one action meets two duties: without the condition it would meet the second of everybody
        (
            """obliges("1.7",greet(Person)) :- person(Person).
discharges("1.7",greet(Person),pay(Person)) :- person(Person).
obliges("1.7",bow(Person)) :- person(Person).
discharges("1.7",bow(Person),pay(Person)) :- staff(Person).""",
            TWO_DUTIES,
        ),
        # two rules, and what each gives for a value: with other conditions the price is contested
        (
            """sets("1.7",cost(borrow(Person)),N) :- books(Person,N).
sets("1.7",cost(borrow(Person)),N) :- money(Person,N), staff(Person).""",
            "",
        ),
        # a condition that says which value it is cannot be struck, though it is always met
        ('sets("1.7",cost(borrow(Person)),N) :- books(Person,N).', ""),
    ],
)
def test_a_condition_that_matters_is_not_idle(tmp_path: Path, rules: str, declarations: str) -> None:
    report = planted(tmp_path, f"%## 1.7  Something else\n{rules}", declarations)
    assert not {id_ for id_ in ids(report) if id_.startswith("LB205:1.7")}


def test_what_only_an_event_that_cannot_be_would_change_is_redundant(tmp_path: Path) -> None:
    """Paying is out of the question with nothing overdue, and so changes nothing."""
    rules = """%## 1.7  Paying makes staff
initiates("1.7",pay(Person),staff(Person)) :- person(Person), not overdue(Person)."""
    found = ids(planted(tmp_path, rules))
    assert {"LB203:1.7", "LB201:1.7"} & found


def test_what_is_said_of_an_event_that_cannot_be_makes_no_difference(tmp_path: Path) -> None:
    """As before, but the clause speaks: it also meets what nobody asks for."""
    rules = """%## 1.7  Paying makes staff
initiates("1.7",pay(Person),staff(Person)) :- person(Person), not overdue(Person).
meets("1.7",pay(Person)) :- person(Person)."""
    assert "LB203:1.7" in ids(planted(tmp_path, rules))
