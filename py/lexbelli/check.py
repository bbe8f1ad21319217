"""Proofs about a whole rulebook: contradictions, duties nobody can meet, clauses that never speak.

Everything is asked of all positions at once: what no position shows has been proved, not sampled. Each
contradiction comes with the position nearest to a scenario, which has been judged again before it is
shown, and with the clauses that bring it about.
"""

import time
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial

from clingo import Symbol

from lexbelli.acceptances import settle
from lexbelli.barred import barred_steps, barred_to_show
from lexbelli.clashes import CLASHES, clashes, clashes_to_show, effect_clashes
from lexbelli.drift import Comparison
from lexbelli.errors import LimitError
from lexbelli.findings import Finding, Proof, Wanted, every
from lexbelli.gaps import gaps, gaps_to_show
from lexbelli.idle import idle_conditions
from lexbelli.printed_check import ASKED_OF_TEXT, printed_check
from lexbelli.redundancy import redundancies
from lexbelli.references import references
from lexbelli.roots import rooted
from lexbelli.rulebook import Rulebook, session
from lexbelli.search import Deadline
from lexbelli.silences import silences
from lexbelli.structure import structure
from lexbelli.tensions import tensions
from lexbelli.together import together
from lexbelli.twins import twins, twins_to_show
from lexbelli.witnesses import nearest

SECONDS = 60.0


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked of a whole rulebook, in words, and the codes of what it may find."""

    ask: Callable[[Rulebook, Deadline, Wanted], Proof]
    words: str
    codes: frozenset[str]
    on_request: bool = False  # asked only where one of its codes is named
    varied: bool = False  # asked of what would be without a clause or a condition
    shown: Callable[[Rulebook, Deadline, Wanted], Sequence[Symbol]] | None = None
    """What it will show a position of, so that those of several questions are found at once."""


def _plain(ask: Callable[[Rulebook, Deadline], Proof]) -> Callable[[Rulebook, Deadline, Wanted], Proof]:
    """Return a question that tells all its findings whole, wanted or not."""
    return lambda book, deadline, _: ask(book, deadline)


def _of(*codes: str) -> frozenset[str]:
    return frozenset(codes)


QUESTIONS = (
    Question(clashes, "which clauses clash", _of(*CLASHES), shown=clashes_to_show),
    Question(barred_steps, "which steps are required and barred", _of("LB102"), shown=barred_to_show),
    Question(effect_clashes, "which effects clash", _of("LB105")),
    Question(_plain(silences), "which clauses never speak", _of("LB201", "LB202")),
    Question(gaps, "which cases clauses leave out", _of("LB301"), shown=gaps_to_show),
    Question(twins, "which twin clauses differ", _of("LB301"), shown=twins_to_show),
    Question(_plain(tensions), "which limits are kept in vain", _of("LB107"), on_request=True),
    Question(_plain(redundancies), "which clauses are redundant", _of("LB203"), varied=True),
    Question(_plain(idle_conditions), "which conditions are idle", _of("LB205"), varied=True),
)


@dataclass(frozen=True, slots=True)
class Report:
    """What a check found.

    `proved` are statements that hold of every position; `unknown` are questions that the time limit
    cut; `stale` are acceptances of the rulebook that no finding matches any more, `nearest` the ids
    that some of them may mean; `expired` are those that ended with the edition in force.
    """

    findings: tuple[Finding, ...]
    proved: tuple[str, ...]
    unknown: tuple[str, ...]
    stale: tuple[str, ...]
    seconds: float = 0.0  # how long all of it took
    expired: tuple[str, ...] = ()
    asked: tuple[tuple[str, float], ...] = ()  # each question, and the seconds that it took
    nearest: Mapping[str, str] = field(default_factory=dict)


def check(  # noqa: PLR0913 - what is asked, within which limits, and by how many
    book: Rulebook,
    seconds: float = SECONDS,
    progress: Callable[[str], None] | None = None,
    *,
    text: Comparison | None = None,
    codes: Collection[str] = (),
    apart: bool = False,
    wanted: Wanted = every,
) -> Report:
    """Return what is wrong with a rulebook, root causes and the gravest first.

    A rulebook that was loaded tolerantly has what its structure lacks told as findings. A `text` of the
    printed rules, compared with the headings, is asked as well. `codes` are those that are wanted, all
    by default but LB107, which is for those who ask. `seconds` limits the proofs; what is cut is listed
    as unknown. `progress` is told each question before it is asked. When `apart`, half of them are
    asked at the same time in a process of their own, a fork of this one: not where other threads work.
    Findings that are not `wanted` are found, and not told in words nor shown by a position.

    Raises RulebookError for declarations that make no sense, and when a witness does not show again
    what it was found for, which is a bug of the program.
    """
    begin = time.monotonic()
    questions = [q for q in QUESTIONS if (q.codes & set(codes) if codes or q.on_request else True)]
    deadline = Deadline(seconds)
    said, varied = ([q for q in questions if q.varied == which] for which in (False, True))
    session(book)  # before there are two processes, which both ask it
    about = book, deadline, wanted
    first, second = together(
        partial(_ask, about, said, progress),
        partial(_ask, about, varied, None if apart else progress),
        apart=apart and bool(said and varied),
    )
    answers = first | second
    asked = [(question, answers[question.words]) for question in questions]
    done = [(question, answer) for question, answer in asked if answer is not None]
    unasked = {code for q in QUESTIONS if answers.get(q.words) is None for code in q.codes}
    found = [finding for _, answer in done for finding in answer.proof.findings]
    proved = [line for _, answer in done for line in answer.proof.proved]
    found += references(book)
    found += structure(book)
    if text is not None:
        told = printed_check(book, text)
        found += told.findings
        proved += told.proved
    silent = {one.clauses[0] for one in found if one.code in ("LB201", "LB202")}
    # of a clause that is silent nothing more need be said
    found = [f for f in found if f.code not in ("LB203", "LB205") or not silent & {*f.clauses}]
    settled = settle(book, rooted(found), unasked | set(ASKED_OF_TEXT if text is None else ()))
    cut = [question.words for question, answer in asked if answer is None]
    return Report(
        settled.findings,
        tuple(proved),
        tuple(f"{words}: unknown within {seconds:g} s" for words in cut),
        settled.stale,
        time.monotonic() - begin,
        settled.expired,
        tuple((question.words, answer.seconds) for question, answer in done),
        settled.nearest,
    )


@dataclass(frozen=True, slots=True)
class _Answer:
    """What a question came to, and how long it took."""

    proof: Proof
    seconds: float


def _ask(
    about: tuple[Rulebook, Deadline, Wanted],
    questions: Sequence[Question],
    progress: Callable[[str], None] | None,
) -> dict[str, _Answer | None]:
    """Return the answers to questions by their words, None where the time was over."""
    answers: dict[str, _Answer | None] = {}
    for question in questions:
        if progress is not None:
            progress(question.words)
        start = time.monotonic()
        try:
            if not answers:
                _look_ahead(about, questions)
            proof = question.ask(*about)
            answers[question.words] = _Answer(proof, time.monotonic() - start)
        except LimitError:
            answers[question.words] = None
    return answers


def _look_ahead(about: tuple[Rulebook, Deadline, Wanted], questions: Iterable[Question]) -> None:
    """Find the positions that questions will show at once: the searches for them share most."""
    shown = [goal for one in questions if one.shown is not None for goal in one.shown(*about)]
    if shown:
        nearest(about[0], shown, about[1])
