"""Parallel clauses: what one of them says and the other, in its own words, leaves out.

The rulebook declares which clauses are twins, `twin(Clause,Clause')`, and which words correspond,
`counterpart(Word,Word')`. The first clause is renamed into the words of the second, and both are asked
about all positions: where they never say different things, they say the same, however they are worded.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from clingo import Symbol

from lexbelli.conditions import Question, explain
from lexbelli.errors import RulebookError
from lexbelli.findings import ALL, Finding, Proof, Witness
from lexbelli.gaps import declared
from lexbelli.model import State
from lexbelli.norms import EFFECTS, HEADS
from lexbelli.parsing import parse_text
from lexbelli.phrases import wording
from lexbelli.renaming import Counterparts
from lexbelli.rulebook import Rulebook, everywhere, session
from lexbelli.sayings import Saying, apart, sayings
from lexbelli.search import Deadline, brave
from lexbelli.states import session_for
from lexbelli.suggest import did_you_mean
from lexbelli.terms import clause_key, names_clause, written
from lexbelli.witnesses import Witnesses

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


def twins(book: Rulebook, deadline: Deadline) -> Proof:
    """Return where clauses that are declared twins differ, and how many pairs say the same.

    Raises RulebookError for a declaration that names no clause or no word.
    """
    pairs, alone = _paired(book)
    if not pairs and not alone:
        return Proof()
    couples = _couples(book, pairs)
    program = "".join(
        [_APART, *(line for n, couple in enumerate(couples) for line in _rules(n, couple))]
    )
    statements = book.statements + book.choice
    different: dict[int, list[Symbol]] = {}
    for atom in brave(statements, f"{everywhere(book)} {program}", [("apart__", 3)], deadline.left()):
        different.setdefault(atom.arguments[0].number, []).append(atom)
    findings: list[Finding] = []
    if different:
        witnesses = Witnesses(book, goals=tuple(parse_text(program)))
        findings = [
            _finding(book, witnesses, couples[number], atoms, deadline)
            for number, atoms in different.items()
        ]
    findings += [_unpaired(book, clause, other) for clause, other in alone.items()]
    same = len(couples) - len(different)
    some = f"{same} pairs of twin clauses say" if same != 1 else "1 pair of twin clauses says"
    return Proof(findings, [f"{some} the same (LB301) {ALL}"] if same else [])


# ---- which clauses are twins ---------------------------------------------------------------------


def _paired(book: Rulebook) -> tuple[list[tuple[str, str]], dict[str, str]]:
    """Return the pairs of twins, and the clauses of twin numbers that have none, with the other number.

    Raises RulebookError for a number that names no clause with rules.
    """
    speaking = {norm.clause for norm in book.norms}
    pairs: list[tuple[str, str]] = []
    groups: list[tuple[str, str, set[str], set[str]]] = []
    for first, second in session(book).pairs("twin", 2):
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


# ---- findings ------------------------------------------------------------------------------------


def _finding(
    book: Rulebook, witnesses: Witnesses, couple: Twins, atoms: Sequence[Symbol], deadline: Deadline
) -> Finding:
    """Return how two twins differ, shown by a position in which one speaks and the other does not."""
    shown = min(atoms, key=_telling)
    place = witnesses.nearest(shown, deadline.left())
    _replay(book, couple, shown, place.state)
    lines = list(apart(book, (couple.first, couple.here), (couple.second, couple.there)))
    term = shown.arguments[2]
    subject = term.arguments[1 if term.name == "overrides" else 0]
    words = wording(book).say(subject)
    renamed = f"{couple.first}, in the words of {couple.second},"
    if shown.arguments[1].name == "here":
        lines.append(f"in the witness {renamed} speaks and {couple.second} does not: {words}")
    else:
        lines.append(f"in the witness {couple.second} speaks and {renamed} does not: {words}")
    return Finding(
        code="LB301",
        clauses=(couple.first, couple.second),
        subjects=(written(subject),),
        message="; ".join(lines),
        suggestion="give the one the words of the other, or say that they are meant to differ",
        witness=Witness(place.base, place.changes),
    )


def _telling(atom: Symbol) -> tuple[int, bool, str]:
    """Order differences: what a clause says of actions, numbers and facts before what events do."""
    _, side, term = atom.arguments
    return list(HEADS).index(term.name), side.name == "here", str(term)


def _unpaired(book: Rulebook, number: str, other: str) -> Finding:
    clause = book.clause(number)
    title = clause.title if clause else ""
    return Finding(
        code="LB301",
        clauses=(number,),
        subjects=(),
        message=f"{title}: it has no counterpart in {other}",
        suggestion=f"say in {other} whether the same holds there",
    )


# ---- replay --------------------------------------------------------------------------------------


def _replay(book: Rulebook, couple: Twins, shown: Symbol, state: State) -> None:
    """Ask of the position, in the ordinary way, whether one clause says it and the other would not."""
    _, side, term = shown.arguments
    world = session_for(book, state.facts, effects=term.name in EFFECTS).everything(state.facts)
    there = any(
        atom.arguments[0].string == couple.second and atom.arguments[1:] == term.arguments
        for atom in world.get(term.name, ())
    )
    words = wording(book)
    questions = [
        Question(one.pattern(), term, one.body) for one in couple.here if one.head == term.name
    ]
    answers = explain(questions, world, words)
    here = any(found is not None and all(c.met for c in found) for found in answers)
    if (here, there) != (side.name == "here", side.name == "there") or world.get("impossible"):
        raise RulebookError(
            f"the witness of {couple.first} and {couple.second} does not show again that they differ: "
            f"{', '.join(state.facts)}",
            hint="this is a bug of the program, please report it",
        )
