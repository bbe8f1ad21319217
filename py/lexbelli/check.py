"""Proofs about a whole rulebook: contradictions, duties nobody can meet, clauses that never speak.

Everything is asked of all positions at once: what no position shows has been proved, not sampled. Each
contradiction comes with the position nearest to a scenario, which has been judged again before it is
shown, and with the clauses that bring it about.
"""

import time
from collections.abc import Callable, Collection
from dataclasses import dataclass, replace

from lexbelli.clashes import clashes, effect_clashes
from lexbelli.errors import LimitError
from lexbelli.findings import SEVERITIES, Finding, Proof
from lexbelli.gaps import gaps
from lexbelli.references import references
from lexbelli.rulebook import Rulebook, session
from lexbelli.search import Deadline
from lexbelli.silences import silences
from lexbelli.tensions import tensions
from lexbelli.terms import clause_key
from lexbelli.twins import twins

SECONDS = 60.0

# each question is asked of the whole rulebook; what it finds and what it proves comes back
Question = tuple[Callable[[Rulebook, Deadline], Proof], str]
QUESTIONS: tuple[Question, ...] = (
    (clashes, "which clauses clash"),
    (effect_clashes, "which effects clash"),
    (silences, "which clauses never speak"),
    (gaps, "which cases clauses leave out"),
    (twins, "which twin clauses differ"),
)
# and these only when one asks for their code
ON_REQUEST: dict[str, Question] = {"LB107": (tensions, "which limits are kept in vain")}


@dataclass(frozen=True, slots=True)
class Report:
    """What a check found.

    `proved` are statements that hold of every position; `unknown` are questions that the time limit
    cut; `stale` are acceptances of the rulebook that no finding matches any more.
    """

    findings: tuple[Finding, ...]
    proved: tuple[str, ...]
    unknown: tuple[str, ...]
    stale: tuple[str, ...]
    seconds: float = 0.0  # how long all of it took


def check(book: Rulebook, seconds: float = SECONDS, codes: Collection[str] = ()) -> Report:
    """Return what is wrong with a rulebook, the gravest first.

    `seconds` limits the whole of it; what is cut is listed as unknown. `codes` are those asked for by
    name: LB107 is looked for only then. Raises RulebookError for declarations that make no sense, and
    when a witness does not show again what it was found for, which is a bug of the program.
    """
    begin = time.monotonic()
    deadline = Deadline(seconds)
    found: list[Finding] = []
    proved: list[str] = []
    unknown: list[str] = []
    for ask, question in (*QUESTIONS, *(asked for code, asked in ON_REQUEST.items() if code in codes)):
        try:
            proof = ask(book, deadline)
        except LimitError:
            unknown.append(f"{question}: unknown within {seconds:g} s")
            continue
        found += proof.findings
        proved += proof.proved
    found += references(book)
    accepted = session(book).mapping("accepts")
    findings = [replace(one, accepted=accepted.get(one.id, "")) for one in found]
    stale = sorted(accepted.keys() - {one.id for one in findings})
    took = time.monotonic() - begin
    listed = tuple(sorted(findings, key=_order))
    return Report(listed, tuple(proved), tuple(unknown), tuple(stale), took)


def _order(finding: Finding) -> tuple[object, ...]:
    return (
        SEVERITIES.index(finding.severity),
        finding.code,
        [clause_key(clause) for clause in finding.clauses],
    )
