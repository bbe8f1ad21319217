"""How a rulebook answers about one subject in one state: an action, duty, quantity, fact or effect."""

from dataclasses import dataclass

from lexbelli.duties import duty_status
from lexbelli.errors import UnknownNameError
from lexbelli.facts import conclusion
from lexbelli.model import State
from lexbelli.moves import judged_move
from lexbelli.rulebook import Rulebook, session
from lexbelli.states import session_for
from lexbelli.terms import clause_key, split_arguments
from lexbelli.values import value_of


@dataclass(frozen=True, slots=True)
class Standing:
    """An answer in a word or number, the clauses that give it, and for an action what it costs."""

    answer: str
    clauses: tuple[str, ...]
    cost: int | str | None = None


def standing(book: Rulebook, kind: str, state: State, subject: str) -> Standing:
    """Return how a rulebook answers about a subject; "unsaid" where no clause says anything.

    An effect is told whether or not its event can happen.

    `kind` is "action", "duty", "quantity", "conclusion" or "effect"; the subject of an effect is
    change(Event,Fact). What the rulebook does not know at all is "unknown".
    """
    try:
        return _ANSWERS[kind](book, known_part(book, state), subject)
    except UnknownNameError:
        return Standing("unknown", ())


def _action(book: Rulebook, state: State, subject: str) -> Standing:
    move = judged_move(book, state, subject)
    return Standing(move.verdict, move.clauses, move.cost)


def _duty(book: Rulebook, state: State, subject: str) -> Standing:
    duty = duty_status(book, state, subject)
    return Standing(duty.status or "unsaid", duty.clauses)


def _quantity(book: Rulebook, state: State, subject: str) -> Standing:
    value = value_of(book, state, subject)
    return Standing("unsaid" if value.value is None else str(value.value), value.clauses)


def _conclusion(book: Rulebook, state: State, subject: str) -> Standing:
    fact = conclusion(book, state, subject)
    answer = "unsaid" if fact.holds is False and not fact.clauses else str(fact.holds).lower()
    return Standing(answer, fact.clauses)


def _effect(book: Rulebook, state: State, subject: str) -> Standing:
    event, fact = split_arguments(subject)
    answer = session_for(book, state.facts, effects=True).judge(state.facts)
    ways = {
        word: {clause for clause, e, f in answer.of(name) if (e, f) == (event, fact)}
        for name, word in (("starts", "starts"), ("stops", "ends"))
    }
    said = [word for word, clauses in ways.items() if clauses]
    clauses = {clause for word in said for clause in ways[word]}
    return Standing(" and ".join(said) or "unsaid", tuple(sorted(clauses, key=clause_key)))


_ANSWERS = {
    "action": _action, "duty": _duty, "quantity": _quantity, "conclusion": _conclusion,
    "effect": _effect,
}  # fmt: skip


def known_part(book: Rulebook, state: State) -> State:
    """Return a position without the facts that a rulebook has no name for: only the other side has."""
    names = {fact.partition("(")[0] for fact in session(book).facts}
    return State(state.name, tuple(f for f in state.facts if f.partition("(")[0] in names))
