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

from lexbelli.accounts import Account, account, kind_of
from lexbelli.answers import schema
from lexbelli.cases import Case, Outcome, read_cases, run_cases
from lexbelli.clauses import find_clauses
from lexbelli.contrast import Contrast, contrast_actions, contrast_states
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
    ClauseChange,
    Conclusion,
    Condition,
    Duty,
    Entry,
    Explanation,
    Move,
    Overlay,
    Position,
    State,
    Value,
)
from lexbelli.moves import judged_move, moves
from lexbelli.names import Name, find_names
from lexbelli.play import Effect, Game, Step, play
from lexbelli.repairs import CutError, repairs, reversals
from lexbelli.rulebook import Rulebook, load_rulebook
from lexbelli.states import load_state
from lexbelli.values import value_of, values
from lexbelli.why import why

__all__ = [
    "Account",
    "Case",
    "Change",
    "Clause",
    "ClauseChange",
    "Conclusion",
    "Condition",
    "Contrast",
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
    "Name",
    "Outcome",
    "Overlay",
    "Place",
    "Position",
    "Rulebook",
    "RulebookError",
    "State",
    "StateError",
    "Step",
    "UnknownNameError",
    "Value",
    "account",
    "conclusion",
    "conclusions",
    "contrast_actions",
    "contrast_states",
    "duties",
    "duty_status",
    "find_clauses",
    "find_names",
    "judged_move",
    "kind_of",
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
