"""The proofs of `check` against a naive reading of random positions, which shares no code with them."""

from itertools import islice
from pathlib import Path

import clingo
import pytest

import lexbelli
from lexbelli import Rulebook, State, load_rulebook, load_state
from lexbelli.check import Report, check
from lexbelli.terms import split_arguments
from tests.drawing import Drawing
from tests.naive import NaiveBook, Reading
from tests.support import changed_state

LIBRARY = Path(__file__).parent / "library_rulebook"
CLASHES = ("LB101", "LB102", "LB103", "LB104", "LB105", "LB302")
SEED = 63
USUAL, RARE = 150, 8  # positions of usual values, and with one value that is grounded on demand


class Sample:
    """One rulebook, checked once, with positions of it drawn at random and read naively."""

    def __init__(self, folder: Path, number: int, rare: int) -> None:
        """Check the rulebook in a folder, and draw so many positions, and `rare` ones besides."""
        self.folder = folder
        self.book: Rulebook = load_rulebook(folder)
        self.report: Report = check(self.book)
        self.naive = NaiveBook(folder)
        self.positions: list[Reading] = list(Drawing(self.naive, SEED).positions(number))
        if rare:
            full = NaiveBook(folder, full=True)
            drawing = Drawing(full, SEED, full.facts - self.naive.facts)
            self.positions += drawing.positions(rare)

    def found(self, code: str) -> set[str]:
        """Return the first clauses of the findings of a code."""
        return {finding.clauses[0] for finding in self.report.findings if finding.code == code}


@pytest.fixture(scope="module", params=["shipped", "library"])
def sample(request: pytest.FixtureRequest) -> Sample:
    if request.param == "library":
        return Sample(LIBRARY, 60, 0)
    return Sample(load_rulebook().root, USUAL, RARE)


def test_the_answers_are_those_of_the_naive_reading(sample: Sample) -> None:
    for position in sample.positions:
        state = State("drawn", position.facts)
        (judged,) = lexbelli.moves(sample.book, [state], every=True)
        numbers = lexbelli.values(sample.book, state)
        facts = lexbelli.conclusions(sample.book, state)
        duties = lexbelli.duties(sample.book, state)
        assert {move.action: move.verdict for move in judged.moves} == position.verdicts, state.facts
        assert {value.quantity: value.value for value in numbers} == position.values, state.facts
        assert {one.fact: one.holds for one in facts} == position.conclusions, state.facts
        assert {duty.duty: duty.status for duty in duties} == position.statuses, state.facts


def test_no_position_shows_a_clash_that_the_proof_has_missed(sample: Sample) -> None:
    proved = {(finding.code, frozenset(finding.clauses)) for finding in sample.report.findings}
    for position in sample.positions:
        missed = position.clashes.keys() - proved
        assert not missed, (missed, position.clashes, position.facts)


def test_every_witness_shows_its_clash_to_the_naive_reading(sample: Sample) -> None:
    for finding in sample.report.findings:
        if finding.witness is not None and finding.code in CLASHES:
            start = load_state(sample.book, finding.witness.base)
            facts = changed_state(sample.book, start, finding.witness.changes).facts
            shown = sample.naive.read(map(clingo.parse_term, facts))
            assert shown is not None, finding.id
            if finding.subjects[0].startswith("step("):  # a required step, and the clause that bars it
                action, step = split_arguments(finding.subjects[0])
                assert shown.verdicts[step] == "forbidden", finding.id
                assert shown.verdicts[action] != "legal", finding.id
                continue
            assert (finding.code, frozenset(finding.clauses)) in shown.clashes, finding.id


def test_clauses_called_silent_are_silent_and_the_others_are_counted(sample: Sample) -> None:
    speaking = {clause for position in sample.positions for clause in position.speaking}
    deciding = {clause for position in sample.positions for clause in position.deciding}
    unreachable, masked = sample.found("LB201"), sample.found("LB202")
    assert not speaking & unreachable
    assert not deciding & (unreachable | masked)
    heard = sample.naive.clauses() - unreachable
    assert f"{len(heard)} clauses speak in some position" in sample.report.proved
    # a sample worth its name: it hears every clause that is there to be heard
    assert heard - speaking == set()


def test_nothing_depends_on_a_clause_called_redundant(sample: Sample) -> None:
    for clause in sorted(sample.found("LB203")):
        fewer = NaiveBook(sample.folder, without=clause)
        usual = (one for one in sample.positions[:USUAL] if clause in one.speaking)
        for position in islice(usual, 12):
            left = fewer.read_again(position)
            assert left is not None, (clause, position.facts)
            assert left.answers() == position.answers(), (clause, position.facts)


def test_a_clause_says_the_same_without_a_condition_called_idle(sample: Sample) -> None:
    """In positions in which the clause speaks, with the condition or without, and in any others."""
    idle = [finding for finding in sample.report.findings if finding.code == "LB205"]
    for finding in idle:
        (clause,), condition = finding.clauses, finding.key.partition(":")[2]
        rules = dict.fromkeys(finding.subjects, condition.split(", "))
        lighter = NaiveBook(sample.folder, dropped=rules)
        speaking = [one for one in sample.positions[:USUAL] if clause in one.speaking]
        for position in (*speaking[:8], *sample.positions[:12]):
            again = lighter.read_again(position)
            assert again is not None, (finding.id, position.facts)
            assert again.said_by(clause) == position.said_by(clause), (finding.id, position.facts)
            assert again.answers() == position.answers(), (finding.id, position.facts)
    assert idle or sample.folder == LIBRARY


def test_a_condition_not_called_idle_is_missed_by_the_naive_reading() -> None:
    """Of the lending rules each can be dropped in turn, and some drawn position shows it."""
    naive = NaiveBook(LIBRARY)
    drawn = list(Drawing(naive, SEED).positions(60))
    idle = {
        finding.key for finding in check(load_rulebook(LIBRARY)).findings if finding.code == "LB205"
    }
    for norm in load_rulebook(LIBRARY).norms:
        for literal in map(str, norm.body):
            if norm.head in ("initiates", "terminates") or f"{norm.clause}:{literal}" in idle:
                continue
            try:
                lighter = NaiveBook(LIBRARY, dropped={norm.shape: [literal]})
            except RuntimeError:
                continue  # it binds the variables of the rule
            again = [lighter.read_again(position) for position in drawn]
            pairs = [(one, two) for one, two in zip(again, drawn, strict=True) if one is not None]
            said = [(one.said_by(norm.clause), two.said_by(norm.clause)) for one, two in pairs]
            assert any(one != two for one, two in said), (norm.shape, literal)


def test_the_naive_reading_hears_what_it_is_there_for() -> None:
    """Without this, agreeing could mean that neither looks: the known clashes, and a clause missed."""
    naive = NaiveBook(LIBRARY)
    drawn = list(Drawing(naive, SEED).positions(60))
    clashes = {(code, *sorted(clauses)) for position in drawn for code, clauses in position.clashes}
    assert clashes == {("LB101", "1.1", "1.2"), ("LB101", "1.1", "1.4"), ("LB101", "1.3", "1.4")}
    for clause in sorted(naive.clauses()):
        fewer = NaiveBook(LIBRARY, without=clause)
        again = [fewer.read_again(position) for position in drawn]
        changed = [one.answers() != two.answers() for one, two in zip(again, drawn, strict=True) if one]
        assert any(changed), clause
