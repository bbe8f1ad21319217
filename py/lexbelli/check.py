"""Proofs about a whole rulebook: contradictions, duties nobody can meet, clauses that never speak.

Everything is asked of all positions at once: what no position shows has been proved, not sampled. Each
contradiction comes with the position nearest to a scenario, which has been judged again before it is
shown, and with the clauses that bring it about.
"""

import time
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field

from lexbelli.acceptances import settle
from lexbelli.barred import barred_steps
from lexbelli.clashes import clashes, effect_clashes
from lexbelli.drift import Comparison
from lexbelli.errors import LimitError
from lexbelli.findings import Finding, Proof
from lexbelli.gaps import gaps
from lexbelli.idle import idle_conditions
from lexbelli.printed_check import ASKED_OF_TEXT, printed_check
from lexbelli.redundancy import redundancies
from lexbelli.references import references
from lexbelli.roots import rooted
from lexbelli.rulebook import Rulebook
from lexbelli.search import Deadline
from lexbelli.silences import silences
from lexbelli.structure import structure
from lexbelli.tensions import tensions
from lexbelli.twins import twins

SECONDS = 60.0


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked of a whole rulebook, in words, and the codes of what it may find."""

    ask: Callable[[Rulebook, Deadline], Proof]
    words: str
    codes: frozenset[str]
    on_request: bool = False  # asked only where one of its codes is named


QUESTIONS = (
    Question(clashes, "which clauses clash", frozenset({"LB101", "LB102", "LB103", "LB104", "LB302"})),
    Question(barred_steps, "which steps are required and barred", frozenset({"LB102"})),
    Question(effect_clashes, "which effects clash", frozenset({"LB105"})),
    Question(silences, "which clauses never speak", frozenset({"LB201", "LB202"})),
    Question(redundancies, "which clauses are redundant", frozenset({"LB203"})),
    Question(idle_conditions, "which conditions are idle", frozenset({"LB205"})),
    Question(gaps, "which cases clauses leave out", frozenset({"LB301"})),
    Question(twins, "which twin clauses differ", frozenset({"LB301"})),
    Question(tensions, "which limits are kept in vain", frozenset({"LB107"}), on_request=True),
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


def check(
    book: Rulebook,
    seconds: float = SECONDS,
    progress: Callable[[str], None] | None = None,
    *,
    text: Comparison | None = None,
    codes: Collection[str] = (),
) -> Report:
    """Return what is wrong with a rulebook, root causes and the gravest first.

    A rulebook that was loaded tolerantly has what its structure lacks told as findings. A `text` of the
    printed rules, compared with the headings, is asked as well. `codes` are those that are wanted, all
    by default but LB107, which is for those who ask. `seconds` limits the proofs; what is cut is listed
    as unknown. `progress` is told each question before it is asked. Raises RulebookError for
    declarations that make no sense, and when a witness does not show again what it was found for, which
    is a bug of the program.
    """
    begin = time.monotonic()
    deadline = Deadline(seconds)
    found: list[Finding] = []
    proved: list[str] = []
    unknown: list[str] = []
    asked: list[tuple[str, float]] = []
    unasked = set(ASKED_OF_TEXT if text is None else ())
    for question in QUESTIONS:
        if (codes or question.on_request) and not question.codes & set(codes):
            unasked |= question.codes
            continue
        if progress is not None:
            progress(question.words)
        start = time.monotonic()
        try:
            proof = question.ask(book, deadline)
        except LimitError:
            unknown.append(f"{question.words}: unknown within {seconds:g} s")
            unasked |= question.codes
            continue
        asked.append((question.words, time.monotonic() - start))
        found += proof.findings
        proved += proof.proved
    found += references(book)
    found += structure(book)
    if text is not None:
        told = printed_check(book, text)
        found += told.findings
        proved += told.proved
    silent = {one.clauses[0] for one in found if one.code in ("LB201", "LB202")}
    # of a clause that is silent nothing more need be said
    found = [f for f in found if f.code not in ("LB203", "LB205") or not silent & {*f.clauses}]
    settled = settle(book, rooted(found), unasked)
    return Report(
        settled.findings,
        tuple(proved),
        tuple(unknown),
        settled.stale,
        time.monotonic() - begin,
        settled.expired,
        tuple(asked),
        settled.nearest,
    )
