"""Lex Belli: a verifier for rulebooks.

Load a rulebook, build states, and ask:

    >>> import lexbelli
    >>> book = lexbelli.load_rulebook()
    >>> state = lexbelli.load_state(book)  # its first scenario; set=[...] changes facts
    >>> (position,) = lexbelli.moves(book, [state])
    >>> legal = [move for move in position.moves if move.verdict == "legal"]
    >>> lexbelli.why(book, state, legal[0].action).move == legal[0]
    True
"""

from lexbelli.answers import schema
from lexbelli.cases import Case, Outcome, read_cases, run_cases
from lexbelli.clauses import find_clauses
from lexbelli.duties import duties, duty_status
from lexbelli.errors import (
    InputError,
    LexBelliError,
    LimitError,
    Place,
    RulebookError,
    StateError,
    UnknownNameError,
)
from lexbelli.facts import conclusion, conclusions
from lexbelli.model import (
    Change,
    Clause,
    Conclusion,
    Condition,
    Duty,
    Entry,
    Explanation,
    Move,
    Position,
    State,
    Value,
)
from lexbelli.moves import judged_move, moves
from lexbelli.play import Effect, Game, Step, play
from lexbelli.repairs import CutError, repairs, reversals
from lexbelli.rulebook import Rulebook, load_rulebook
from lexbelli.states import load_state
from lexbelli.values import value_of, values
from lexbelli.why import why

__all__ = [
    "Case",
    "Change",
    "Clause",
    "Conclusion",
    "Condition",
    "CutError",
    "Duty",
    "Effect",
    "Entry",
    "Explanation",
    "Game",
    "InputError",
    "LexBelliError",
    "LimitError",
    "Move",
    "Outcome",
    "Place",
    "Position",
    "Rulebook",
    "RulebookError",
    "State",
    "StateError",
    "Step",
    "UnknownNameError",
    "Value",
    "conclusion",
    "conclusions",
    "duties",
    "duty_status",
    "find_clauses",
    "judged_move",
    "load_rulebook",
    "load_state",
    "moves",
    "play",
    "read_cases",
    "repairs",
    "reversals",
    "run_cases",
    "schema",
    "value_of",
    "values",
    "why",
]
