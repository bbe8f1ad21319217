"""What a tolerant load has let pass, as findings: rules out of place, bare headings, circles."""

from collections.abc import Sequence

from lexbelli.codes import CODES
from lexbelli.findings import Finding
from lexbelli.phrases import wording
from lexbelli.problems import Problem
from lexbelli.rulebook import Rulebook, session
from lexbelli.strays import circles
from lexbelli.suggest import did_you_mean


def structure(book: Rulebook) -> list[Finding]:
    """Return what is wrong with how a rulebook is put together, each with its place.

    Rules of one clause that stand under one heading are one finding, with the places of all of them as
    its subjects; so is a circle of priorities, with the subjects it is about.
    """
    grouped: dict[tuple[str, tuple[str, ...]], list[Problem]] = {}
    for problem in (*book.problems, *circles(book.norms, session(book))):
        grouped.setdefault((problem.code, problem.clauses), []).append(problem)
    return [_finding(book, problems) for problems in grouped.values()]


def _finding(book: Rulebook, problems: Sequence[Problem]) -> Finding:
    first = problems[0]
    subjects = tuple(one.subject for one in problems if one.subject)
    message, suggestion = first.message, first.hint or CODES[first.code].remedy
    if first.code == "LB106":
        circle = " above ".join((*first.clauses, first.clauses[0]))
        message = f"{wording(book).say(first.subject)}: priorities run in a circle, {circle}"
    elif first.code == "LB404":
        subjects = tuple(str(one.place) for one in problems)
        ids = [clause.id for clause in book.clauses]
        if first.clauses[0] not in ids:
            where = "" if len(first.clauses) == 1 else f", and {first.clauses[0]} has none"
            message += f"{where}; it is left out of the check"
            suggestion = f"{suggestion} {did_you_mean(first.clauses[0], ids)}".strip()
    return Finding(first.code, first.clauses, subjects, message, suggestion, place=first.place)
