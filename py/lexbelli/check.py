"""Proofs about a whole rulebook: contradictions, duties nobody can meet, clauses that never speak.

Everything is asked of all positions at once: what no position shows has been proved, not sampled. Each
contradiction comes with the position nearest to a scenario, which has been judged again before it is
shown, and with the clauses that bring it about.
"""

import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from clingo import Symbol
from clingo.ast import AST

from lexbelli.duties import duty_status
from lexbelli.errors import LimitError, RulebookError
from lexbelli.facts import conclusion
from lexbelli.findings import CODES, SEVERITIES, Finding, Witness
from lexbelli.model import State
from lexbelli.moves import judged_move
from lexbelli.norms import EFFECTS
from lexbelli.phrases import wording
from lexbelli.play import play
from lexbelli.references import references
from lexbelli.reify import reified_program
from lexbelli.rulebook import Rulebook, session, switches
from lexbelli.search import brave
from lexbelli.terms import clause_key, split_arguments, written
from lexbelli.values import value_of
from lexbelli.witnesses import Witnesses

SECONDS = 60.0
_ALL = "over all positions that can be"


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


def check(book: Rulebook, seconds: float = SECONDS) -> Report:
    """Return what is wrong with a rulebook, the gravest first.

    `seconds` limits the whole of it; what is cut is listed as unknown. Raises RulebookError when a
    witness does not show again what it was found for, which is a bug of the program.
    """
    begin = time.monotonic()
    deadline = begin + seconds
    found: list[Finding] = []
    proved: list[str] = []
    unknown: list[str] = []
    questions = (
        (_clashes, "which clauses clash"),
        (_effects, "which effects clash"),
        (_silences, "which clauses never speak"),
    )
    for ask, question in questions:
        try:
            said, statements = ask(book, deadline)
        except LimitError:
            unknown.append(f"{question}: unknown within {seconds:g} s")
            continue
        found += said
        proved += statements
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


def _everywhere(book: Rulebook, *, full: bool = True) -> str:
    """Return the facts for a proof: every clause, every value when `full`, and nothing impossible."""
    wide = frozenset(session(book).names("wide")) if full else frozenset()
    return f"{switches(book, wide)} :- impossible(_)."


# ---- clauses that disagree -----------------------------------------------------------------------


def _clashes(book: Rulebook, deadline: float) -> tuple[list[Finding], list[str]]:
    """Return the clauses that disagree about what may, must or does hold in some position."""
    statements = book.statements + book.choice + book.check
    codes = ("LB101", "LB102", "LB103", "LB104", "LB302")
    return _disagreements(book, statements, Witnesses(book), codes, deadline)


def _effects(book: Rulebook, deadline: float) -> tuple[list[Finding], list[str]]:
    """Return the clauses of which one starts what another ends, by one event."""
    statements = book.statements + book.choice + book.effects
    return _disagreements(book, statements, Witnesses(book, effects=True), ("LB105",), deadline)


def _disagreements(
    book: Rulebook,
    statements: tuple[AST, ...],
    witnesses: Witnesses,
    codes: Sequence[str],
    deadline: float,
) -> tuple[list[Finding], list[str]]:
    """Return the clauses that disagree in some position, each pair once, and what kinds none is of."""
    grouped: dict[tuple[str, tuple[str, ...]], list[Symbol]] = {}
    with_ways = {duty for duty, _ in session(book).pairs("way", 2)}
    for atom in brave(statements, _everywhere(book), [("clash", 4)], _left(deadline)):
        if atom.arguments[0].string == "LB302" and written(atom.arguments[3]) in with_ways:
            continue  # there is a way in another position
        pair = tuple(dict.fromkeys(clause.string for clause in atom.arguments[1:3]))
        grouped.setdefault((atom.arguments[0].string, pair), []).append(atom)
    findings = []
    for (code, clauses), shown in grouped.items():
        finding = _described(book, code, clauses, shown)
        place = witnesses.nearest(shown[0], _left(deadline))
        _replay(book, finding, place.state)
        findings.append(
            replace(
                finding,
                witness=Witness(place.base, place.changes),
                ranges=witnesses.ranges(shown[0], place.state),
                core=witnesses.core(shown[0], place.state, clauses),
            )
        )
    kinds = {finding.code for finding in findings}
    proved = [f"no {CODES[code].name} ({code}) {_ALL}" for code in codes if code not in kinds]
    return findings, proved


def _left(deadline: float) -> float:
    left = deadline - time.monotonic()
    if left <= 0:
        raise LimitError("the time is over")
    return left


def _described(book: Rulebook, code: str, clauses: tuple[str, ...], shown: Sequence[Symbol]) -> Finding:
    """Return a finding in words."""
    subjects = tuple(written(atom.arguments[3]) for atom in shown)
    words = " and ".join(wording(book).say(term) for term in _terms(subjects[0]))
    first, last = clauses[0], clauses[-1]
    together = len(_terms(subjects[0])) > 1
    message = {
        "LB101": f"{words}: {first} grants it and {last} forbids it",
        "LB102": f"{words}: {first} imposes it, and every way to do it is forbidden",
        "LB103": f"{words}: {first} and {last} fix different numbers"
        if first != last
        else f"{words}: {first} fixes two numbers",
        "LB104": f"{words}: {first} concludes it and {last} denies it"
        if first != last
        else f"{words}: it holds by its meaning, and {first} denies it",
        "LB302": f"{words}: {first} imposes it, and no action of this rulebook does it",
    }.get(code, "")
    if code == "LB105":
        action, fact = (wording(book).say(term) for term in _terms(subjects[0]))
        message = f"{action}: {first} starts that {fact}, and {last} ends it"
    elif together:
        message = f"{words}: {' and '.join(clauses)} conclude them, and they exclude each other"
    suggestion = CODES[code].remedy
    if first != last and not together:
        suggestion = (
            f"say which stands above, then overrides({_quoted(first, last)},{subjects[0]}) "
            f"or overrides({_quoted(last, first)},{subjects[0]})"
        )
    return Finding(code, clauses, subjects, message, suggestion)


def _terms(subject: str) -> list[str]:
    """Return what a finding is about: one term, two facts, or an action and a fact."""
    pair = subject.startswith(("both(", "change("))
    return list(split_arguments(subject)) if pair else [subject]


def _quoted(*clauses: str) -> str:
    return ",".join(f'"{clause}"' for clause in clauses)


def _replay(book: Rulebook, finding: Finding, state: State) -> None:
    """Ask of the witness, in the ordinary way, what it was found for."""
    subject = finding.subjects[0]
    if finding.code == "LB101":
        move = judged_move(book, state, subject)
        shows = move.verdict == "contested" and {*finding.clauses} <= {*move.clauses}
    elif finding.code == "LB103":
        shows = value_of(book, state, subject).value == "contested"
    elif finding.code == "LB104":
        terms = _terms(subject)
        wanted = True if len(terms) > 1 else "contested"
        shows = all(conclusion(book, state, term).holds == wanted for term in terms)
    elif finding.code == "LB105":
        action, fact = _terms(subject)
        shows = fact in play(book, state, [action]).steps[0].clashes
    else:
        duty = duty_status(book, state, subject)
        shows = duty.status in ("unmet", "impossible") and {*finding.clauses} <= {*duty.clauses}
    if not shows:
        raise RulebookError(
            f"the witness of {finding.id} does not show it again: {', '.join(state.facts)}",
            hint="this is a bug of the program, please report it",
        )


# ---- clauses that say nothing --------------------------------------------------------------------


def _silences(book: Rulebook, deadline: float) -> tuple[list[Finding], list[str]]:
    """Return the clauses that speak in no position, and those that are set aside in every one."""
    norms, program = reified_program(book)
    voice = f"{program} voice__(N) :- spoken__(N,_)."
    # most clauses speak among the values that clauses tell apart; the others are sought among all
    clauses = {one.norm.clause for one in norms}
    changing = {one.norm.clause for one in norms if one.norm.head in EFFECTS}
    for full in (False, True):
        extra = f"{_everywhere(book, full=full)} {voice}"
        voices, effective = _voices(book, extra, _left(deadline))
        spoken = {one.norm.clause for one in norms if one.number in voices}
        if clauses == spoken and spoken <= effective | changing:
            break
    findings = list(_silent(book, clauses - spoken, "LB201"))
    findings += _silent(book, spoken - effective - changing, "LB202")
    silent = {code for code in ("LB201", "LB202") if any(f.code == code for f in findings)}
    proved = [f"{len(spoken)} clauses speak in some position"]
    proved += [
        f"no clause is {CODES[code].name} ({code})" for code in ("LB201", "LB202") if code not in silent
    ]
    return findings, proved


def _voices(book: Rulebook, extra: str, seconds: float) -> tuple[set[int], set[str]]:
    """Return the norms that speak in some position, and the clauses that have a say in some."""
    statements = book.statements + book.choice + book.check
    atoms = brave(statements, extra, [("voice__", 1), ("effective", 1)], seconds)
    voices = {atom.arguments[0].number for atom in atoms if atom.name == "voice__"}
    return voices, {atom.arguments[0].string for atom in atoms if atom.name == "effective"}


def _silent(book: Rulebook, clauses: Iterable[str], code: str) -> Iterator[Finding]:
    said = {
        "LB201": "it speaks in no position that can be",
        "LB202": "wherever it speaks a higher clause sets it aside",
    }
    for number in sorted(clauses, key=clause_key):
        clause = book.clause(number)
        title = clause.title if clause else ""
        yield Finding(code, (number,), (), f"{title}: {said[code]}", CODES[code].remedy)
