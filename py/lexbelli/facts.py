"""The facts that follow from a state: derived ones, and those that clauses conclude or deny."""

from lexbelli.errors import UnknownNameError
from lexbelli.model import Conclusion, State
from lexbelli.phrases import wording
from lexbelli.rulebook import Rulebook
from lexbelli.solver import Answer
from lexbelli.states import grounding_for, session_for
from lexbelli.suggest import did_you_mean
from lexbelli.terms import clause_key, parse_fact


def conclusion(book: Rulebook, state: State, fact: str) -> Conclusion:
    """Return whether a derived fact, a conclusion or a fact of the state holds.

    Raises InputError or UnknownNameError when there is no such fact.
    """
    text = known_fact(book, state, fact)
    grounded = session_for(book, state.facts)
    if text in grounded.facts or text not in grounded.names("derivable"):
        # a fact of the state may follow from others as well
        holds = text in state.facts or grounded.is_true(state.facts, parse_fact(text))
        return Conclusion(text, wording(book).say(text, holds=holds), holds, ())
    rows = grounded.rows_about(text, concluded=1, denied=1, disputed=0, holds=0)
    return _conclusion(book, grounded.read(state.facts, rows), text)


def known_fact(book: Rulebook, state: State, fact: str) -> str:
    """Return a fact, set or derived, as the rulebook spells it.

    Raises InputError or UnknownNameError when there is no such fact.
    """
    text = str(parse_fact(fact))
    grounded = grounding_for(book, (*state.facts, text))
    text = grounded.mapping("same").get(text, text)
    known = grounded.names("derivable") | set(grounded.facts)
    if text not in known:
        raise UnknownNameError(f"there is no fact {text}", hint=did_you_mean(text, known))
    return text


def conclusions(book: Rulebook, state: State) -> list[Conclusion]:
    """Return every fact that holds by meaning, and every one that clauses conclude or deny, sorted."""
    answer = session_for(book, state.facts).judge(state.facts)
    spoken = {fact for name in ("concluded", "denied") for _, fact in answer.of(name)}
    spoken |= answer.names("holds") | answer.names("disputed")
    return [_conclusion(book, answer, fact) for fact in sorted(spoken)]


def _conclusion(book: Rulebook, answer: Answer, fact: str) -> Conclusion:
    concluding = answer.by_last("concluded").get(fact, set())
    denying = answer.by_last("denied").get(fact, set())
    holds: bool | str = (fact,) in answer.of("holds")
    clauses = concluding if holds else denying
    if fact in answer.names("disputed"):
        holds, clauses = "contested", concluding | denying
    words = wording(book).say(fact, holds=holds is not False)
    return Conclusion(fact, words, holds, tuple(sorted(clauses, key=clause_key)))
