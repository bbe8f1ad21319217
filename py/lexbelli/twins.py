"""Parallel clauses: what one of them says and the other, in its own words, leaves out.

The rulebook declares which clauses are twins, `twin(Clause,Clause')`, and which words correspond,
`counterpart(Word,Word')`. The first clause is renamed into the words of the second, and both are asked
about all positions: where they never say different things, they say the same, however they are worded.
"""

from clingo import Symbol

from lexbelli.conditions import Question, explain
from lexbelli.errors import RulebookError
from lexbelli.findings import ALL, Finding, Proof, Wanted, Witness, every, found
from lexbelli.literals import predicates
from lexbelli.model import State
from lexbelli.norms import EFFECTS, HEADS
from lexbelli.phrases import wording
from lexbelli.programs import whole
from lexbelli.rulebook import Rulebook
from lexbelli.sayings import apart
from lexbelli.search import Deadline
from lexbelli.states import world_for
from lexbelli.terms import written
from lexbelli.twin_clauses import Twins, couples_of, paired
from lexbelli.whole import Place
from lexbelli.witnesses import nearest


def twins(book: Rulebook, deadline: Deadline, wanted: Wanted = every) -> Proof:
    """Return where clauses that are declared twins differ, and how many pairs say the same.

    Raises RulebookError for a declaration that names no clause or no word.
    """
    pairs, alone = paired(book)
    if not pairs and not alone:
        return Proof()
    couples = couples_of(book)
    shown = _shown(book, deadline)
    places = nearest(book, twins_to_show(book, deadline, wanted), deadline)
    findings = [
        _finding(book, couples[number], atom, places[atom])
        if atom in places
        else found("LB301", (couples[number].first, couples[number].second))
        for number, atom in shown.items()
    ]
    findings += [_unpaired(book, clause, other) for clause, other in alone.items()]
    same = len(couples) - len(shown)
    some = f"{same} pairs of twin clauses say" if same != 1 else "1 pair of twin clauses says"
    return Proof(findings, [f"{some} the same (LB301) {ALL}"] if same else [])


def twins_to_show(book: Rulebook, deadline: Deadline, wanted: Wanted) -> list[Symbol]:
    """Return what `twins` will show a position of."""
    couples = couples_of(book)
    ids = {n: found("LB301", (couple.first, couple.second)).id for n, couple in enumerate(couples)}
    return [atom for number, atom in _shown(book, deadline).items() if wanted(ids[number])]


def _shown(book: Rulebook, deadline: Deadline) -> dict[int, Symbol]:
    """Return for each pair of twins that differ, by its number, what tells most of it."""
    different: dict[int, list[Symbol]] = {}
    for atom in whole(book).some(whole(book).goals("apart__"), deadline):
        different.setdefault(atom.arguments[0].number, []).append(atom)
    return {number: min(atoms, key=_telling) for number, atoms in different.items()}


# ---- findings ------------------------------------------------------------------------------------


def _finding(book: Rulebook, couple: Twins, shown: Symbol, place: Place) -> Finding:
    """Return how two twins differ, shown by a position in which one speaks and the other does not."""
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
    questions = [
        Question(one.pattern(), term, one.body) for one in couple.here if one.head == term.name
    ]
    names = {name for one in questions for literal in one.body for name in predicates(literal)}
    read = names | {term.name, "impossible"}
    world = world_for(book, state.facts, read, effects=term.name in EFFECTS)
    there = any(
        atom.arguments[0].string == couple.second and atom.arguments[1:] == term.arguments
        for atom in world.get(term.name, ())
    )
    answers = explain(questions, world, wording(book))
    here = any(found is not None and all(c.met for c in found) for found in answers)
    if (here, there) != (side.name == "here", side.name == "there") or world.get("impossible"):
        raise RulebookError(
            f"the witness of {couple.first} and {couple.second} does not show again that they differ: "
            f"{', '.join(state.facts)}",
            hint="this is a bug of the program, please report it",
        )
