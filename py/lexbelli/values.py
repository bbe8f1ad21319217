"""The numbers that clauses fix in a state."""

from clingo import SymbolType

from lexbelli.errors import UnknownNameError
from lexbelli.model import State, Value
from lexbelli.moves import one_value
from lexbelli.phrases import wording
from lexbelli.rulebook import Rulebook
from lexbelli.solver import Answer
from lexbelli.states import session_for
from lexbelli.suggest import did_you_mean
from lexbelli.terms import clause_key, parse_term


def values(book: Rulebook, state: State) -> list[Value]:
    """Return every quantity that some clause fixes in the state, sorted by quantity."""
    answer = session_for(book, state.facts).judge(state.facts)
    quantities = sorted({quantity for _, quantity, _ in answer.of("fixes")})
    return [_value(book, answer, quantity) for quantity in quantities]


def value_of(book: Rulebook, state: State, quantity: str) -> Value:
    """Return one quantity: None where no clause fixes it, "contested" where they differ.

    Raises InputError or UnknownNameError when there is no such quantity.
    """
    text = known_quantity(book, state, quantity)
    grounded = session_for(book, state.facts)
    return _value(book, grounded.read(state.facts, grounded.rows_about(text, fixes=1)), text)


def known_quantity(book: Rulebook, state: State, quantity: str) -> str:
    """Return a quantity as the rulebook spells it.

    Raises InputError or UnknownNameError when there is no such quantity.
    """
    term = parse_term(quantity)
    text = str(term)
    grounded = session_for(book, state.facts)
    known = grounded.names("quantity")
    if text in known:
        return text
    actions = grounded.names("action")
    of_action = grounded.names("quantity_of")
    arguments = term.arguments if term.type is SymbolType.Function else []
    if len(arguments) == 1 and term.name in of_action and str(arguments[0]) in actions:
        return text
    every = known | {f"{name}({action})" for name in of_action for action in actions}
    raise UnknownNameError(f"there is no quantity {text}", hint=did_you_mean(text, every))


def _value(book: Rulebook, answer: Answer, quantity: str) -> Value:
    fixed = [(clause, value) for clause, about, value in answer.of("fixes") if about == quantity]
    return Value(
        quantity=quantity,
        reads=wording(book).say(quantity),
        value=one_value(value for _, value in fixed) if fixed else None,
        clauses=tuple(sorted({clause for clause, _ in fixed}, key=clause_key)),
    )
