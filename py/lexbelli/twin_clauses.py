"""Clauses that a rulebook declares twins, each with what it says in the words of the other."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from lexbelli.declarations import declared
from lexbelli.errors import RulebookError
from lexbelli.renaming import Counterparts
from lexbelli.rulebook import Rulebook, session
from lexbelli.sayings import Saying, sayings
from lexbelli.suggest import did_you_mean
from lexbelli.terms import clause_key, names_clause

_APART = """
#defined said__/3.
apart__(N,here,T)  :- said__(N,here,T), not said__(N,there,T).
apart__(N,there,T) :- said__(N,there,T), not said__(N,here,T).
"""


@dataclass(frozen=True, slots=True)
class Twins:
    """Two clauses, and what each says, the first renamed into the words of the second."""

    first: str
    second: str
    here: tuple[Saying, ...]
    there: tuple[Saying, ...]


def twins_program(book: Rulebook) -> str:
    """Return the rules from which it follows where twins say different things."""
    couples = couples_of(book)
    return "".join([_APART, *(line for n, couple in enumerate(couples) for line in _rules(n, couple))])


@lru_cache(maxsize=2)
def couples_of(book: Rulebook) -> tuple[Twins, ...]:
    """Return the pairs of twins. Raises RulebookError as `paired` does."""
    return tuple(_couples(book, paired(book)[0]))


def paired(book: Rulebook) -> tuple[list[tuple[str, str]], dict[str, str]]:
    """Return the pairs of twins, and the clauses of twin numbers that have none, with the other number.

    Raises RulebookError for a number that names no clause with rules.
    """
    speaking = {norm.clause for norm in book.norms}
    pairs: list[tuple[str, str]] = []
    groups: list[tuple[str, str, set[str], set[str]]] = []
    for first, second in session(book).pairs("twin", 2):
        if first == second:
            message = f"twin({first},{second}): a clause is no twin of itself"
            raise RulebookError(message, place=declared(book, first))
        mine, others = (
            {clause for clause in speaking if names_clause(number, clause)}
            for number in (first, second)
        )
        for number, members in ((first, mine), (second, others)):
            if not members:
                raise RulebookError(
                    f"twin({first},{second}): {number} is no clause with rules",
                    place=declared(book, number),
                    hint=did_you_mean(number, speaking),
                )
        if (mine, others) == ({first}, {second}):
            pairs.append((first, second))
        else:
            groups.append((first, second, mine, others))
    paired = {clause for pair in pairs for clause in pair}
    alone: dict[str, str] = {}
    for first, second, mine, others in groups:
        for clause in mine - paired:
            twin = second + clause.removeprefix(first)
            if twin in others - paired:
                pairs.append((clause, twin))
    paired = {clause for pair in pairs for clause in pair}
    for first, second, mine, others in groups:
        alone |= dict.fromkeys(mine - paired, second) | dict.fromkeys(others - paired, first)
    pairs.sort(key=lambda pair: [clause_key(clause) for clause in pair])
    return pairs, dict(sorted(alone.items(), key=lambda row: clause_key(row[0])))


def _couples(book: Rulebook, pairs: Sequence[tuple[str, str]]) -> list[Twins]:
    """Return the pairs with what they say."""
    counterparts = Counterparts(book)
    clauses: dict[str, str] = {}
    for first, second in pairs:
        clauses.setdefault(first, second)
        clauses.setdefault(second, first)
    couples = []
    for first, second in pairs:
        theirs = [norm for norm in book.norms if norm.clause == second]
        renaming = counterparts.renaming((norm.rule for norm in theirs), clauses)
        here = sayings(book, first, renaming=renaming, number=counterparts.number)
        couples.append(Twins(first, second, here, sayings(book, second)))
    return couples


def _rules(number: int, couple: Twins) -> Iterator[str]:
    """Write the rules that tell what both say, in the words of the second."""
    for side, said in (("here", couple.here), ("there", couple.there)):
        for one in said:
            body = ", ".join(map(str, one.body)) or "#true"
            yield f"said__({number},{side},{one.term()}) :- {body}.\n"
