"""The facts that follow from a state: derived ones, and those that clauses conclude or deny."""

from lexbelli.errors import UnknownNameError
from lexbelli.model import Finding, State
from lexbelli.phrases import wording
from lexbelli.rulebook import Rulebook
from lexbelli.solver import Answer
from lexbelli.states import session_for
from lexbelli.suggest import did_you_mean
from lexbelli.terms import clause_key, parse_fact


def finding(book: Rulebook, state: State, fact: str) -> Finding:
    """Return whether a derived fact, a conclusion or a fact of the state holds.

    Raises InputError or UnknownNameError when there is no such fact.
    """
    text = str(parse_fact(fact))
    grounded = session_for(book, state.facts)
    text = dict(grounded.pairs("same", 2)).get(text, text)
    if text in grounded.facts:
        return Finding(text, wording(book).say(text), text in state.facts, ())
    known = {name for (name,) in grounded.pairs("derivable", 1)}
    if text not in known:
        hint = did_you_mean(text, known | set(grounded.facts))
        raise UnknownNameError(f"there is no fact {text}", hint=hint)
    return _finding(book, grounded.judge(state.facts), text)


def conclusions(book: Rulebook, state: State) -> list[Finding]:
    """Return every fact that clauses conclude or deny in the state, sorted."""
    answer = session_for(book, state.facts).judge(state.facts)
    spoken = {fact for name in ("concluded", "denied") for _, fact in answer.of(name)}
    return [_finding(book, answer, fact) for fact in sorted(spoken)]


def _finding(book: Rulebook, answer: Answer, fact: str) -> Finding:
    concluding = {clause for clause, about in answer.of("concluded") if about == fact}
    denying = {clause for clause, about in answer.of("denied") if about == fact}
    holds: bool | str = (fact,) in answer.of("holds")
    clauses = concluding if holds else denying
    if concluding and denying:
        holds, clauses = "contested", concluding | denying
    words = wording(book).say(fact, holds=holds is not False)
    return Finding(fact, words, holds, tuple(sorted(clauses, key=clause_key)))
