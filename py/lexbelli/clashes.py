"""Clauses that disagree about what may, must or does hold, each with the position that shows it."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from clingo import Symbol

from lexbelli.codes import CODES
from lexbelli.duties import duty_status
from lexbelli.errors import RulebookError
from lexbelli.facts import conclusion
from lexbelli.findings import ALL, Finding, Proof, Wanted, Witness, every, found
from lexbelli.model import State
from lexbelli.moves import judged_move
from lexbelli.phrases import wording
from lexbelli.play import play
from lexbelli.programs import whole
from lexbelli.rulebook import Rulebook, session
from lexbelli.search import Deadline
from lexbelli.terms import split_arguments, written
from lexbelli.values import value_of
from lexbelli.witnesses import Cause, nearest

CLASHES = ("LB101", "LB102", "LB103", "LB104", "LB302")


def clashes(book: Rulebook, deadline: Deadline, wanted: Wanted = every) -> Proof:
    """Return the clauses that disagree about what may, must or does hold in some position."""
    return _disagreements(book, CLASHES, deadline, wanted)


def effect_clashes(book: Rulebook, deadline: Deadline, wanted: Wanted = every) -> Proof:
    """Return the clauses of which one starts what another ends, by one event."""
    return _disagreements(book, ("LB105",), deadline, wanted)


def clashes_to_show(book: Rulebook, deadline: Deadline, wanted: Wanted) -> list[Symbol]:
    """Return what `clashes` will show a position of."""
    return _to_show(_grouped(book, CLASHES, deadline), wanted)


# the goals of each kind and pair of clauses
Grouped = Mapping[tuple[str, tuple[str, ...]], Sequence[Symbol]]


def _to_show(grouped: Grouped, wanted: Wanted) -> list[Symbol]:
    return [shown[0] for key, shown in grouped.items() if wanted(found(*key).id)]


def _grouped(book: Rulebook, codes: Sequence[str], deadline: Deadline) -> Grouped:
    """Return for each kind and pair of clauses about what they disagree in some position."""
    grouped: dict[tuple[str, tuple[str, ...]], list[Symbol]] = {}
    with_ways = {duty for duty, _ in session(book).pairs("way", 2)}
    goals = [atom for atom in whole(book).goals("clash") if atom.arguments[0].string in codes]
    for atom in whole(book).some(goals, deadline):
        if atom.arguments[0].string == "LB302" and written(atom.arguments[3]) in with_ways:
            continue  # there is a way in another position
        pair = tuple(dict.fromkeys(clause.string for clause in atom.arguments[1:3]))
        grouped.setdefault((atom.arguments[0].string, pair), []).append(atom)
    return grouped


def _disagreements(book: Rulebook, codes: Sequence[str], deadline: Deadline, wanted: Wanted) -> Proof:
    """Return the clauses that disagree in some position, each pair once, and what kinds none is of."""
    grouped = _grouped(book, codes, deadline)
    findings = [found(*key) for key in grouped]
    places = nearest(book, _to_show(grouped, wanted), deadline)
    for number, ((code, clauses), shown) in enumerate(grouped.items()):
        if shown[0] not in places:
            continue
        finding = _described(book, code, clauses, shown)
        place, cause = places[shown[0]], Cause(book, shown[0])
        _replay(book, finding, place.state)
        findings[number] = replace(
            finding,
            witness=Witness(place.base, place.changes),
            ranges=cause.ranges(place.state),
            core=cause.core(place.state, clauses),
        )
    kinds = {finding.code for finding in findings}
    names = {code: f"{CODES[code].name} ({code})" for code in codes}
    if "LB102" in names:  # of two kinds, one of which is asked about here
        names["LB102"] = "duty has all its ways forbidden"
    proved = [f"no {name} {ALL}" for code, name in names.items() if code not in kinds]
    return Proof(findings, proved)


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
