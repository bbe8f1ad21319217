"""Answers as plain data for JSON, as the published schemas describe them."""

import json
from collections.abc import Callable, Iterable, Sequence
from importlib import resources
from typing import Any

from lexbelli.accounts import Account
from lexbelli.contrast import Contrast
from lexbelli.errors import UnknownNameError
from lexbelli.model import (
    Change,
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
from lexbelli.moves import LISTED
from lexbelli.suggest import did_you_mean

Json = dict[str, Any]


def dump(answer: Json) -> str:
    """Write an answer; the same answer gives the same bytes."""
    return json.dumps(answer, indent=2, ensure_ascii=False) + "\n"


def schema(name: str) -> Json:
    """Return the JSON schema of an answer, such as "moves".

    Raises UnknownNameError when there is no such answer.
    """
    known = schema_names()
    if name not in known:
        hint = did_you_mean(name, known) or f"there are: {', '.join(known)}"
        raise UnknownNameError(f"there is no schema {name!r}", hint=hint)
    text = (resources.files("lexbelli") / "schemas" / f"{name}.json").read_text("utf-8")
    loaded: Json = json.loads(text)
    return loaded


def schema_names() -> list[str]:
    """Return the names of the answers that have a schema."""
    folder = resources.files("lexbelli") / "schemas"
    return sorted(
        item.name.removesuffix(".json") for item in folder.iterdir() if item.name.endswith(".json")
    )


def headed(name: str, body: Json) -> Json:
    return {"schema": f"lexbelli/{name}/1", **body}


# ---- what may I do -------------------------------------------------------------------------------


def moves_answer(
    positions: Sequence[Position], every: bool = False, because: Callable[[Move], str] | None = None
) -> Json:
    """Return one position, or several under `positions`; all available actions with `every`.

    `because` gives each move a reason.
    """
    bodies = [_position(position, every, because) for position in positions]
    return headed("moves", bodies[0] if len(bodies) == 1 else {"positions": bodies})


def listed_moves(position: Position, every: bool = False) -> list[Move]:
    """Return the moves to list: legal and contested ones, or every available one."""
    return [
        move
        for move in position.moves
        if move.verdict in LISTED or (every and move.verdict != "unavailable")
    ]


def _position(position: Position, every: bool, because: Callable[[Move], str] | None) -> Json:
    return {
        "name": position.state.name,
        "state": list(position.state.facts),
        "moves": [
            _move(move) | ({} if because is None else {"reason": because(move)})
            for move in listed_moves(position, every)
        ],
    }


def _move(move: Move) -> Json:
    return {
        "action": move.action,
        "actor": move.actor,
        "verdict": move.verdict,
        "cost": move.cost,
        "clauses": list(move.clauses),
        "overridden": list(move.overridden),
    }


def account_answer(found: Account) -> Json:
    """Return why a duty, a quantity or a fact is as it is."""
    return headed(
        "account",
        {
            "name": found.state.name,
            "state": list(found.state.facts),
            "kind": found.kind,
            "subject": found.subject,
            "reads": found.reads,
            "answer": found.answer,
            "said_by": _entries(found.said_by),
            "denied_by": _entries(found.denied_by),
            "would_say": _entries(found.would_say),
            "would_deny": _entries(found.would_deny),
            "overridden": _entries(found.overridden),
            "because": [_condition(condition) for condition in found.because],
            "ways": [_move(move) for move, _ in found.ways],
        },
    )


def contrast_answer(found: Contrast) -> Json:
    """Return what tells two answers apart."""
    return headed(
        "contrast",
        {
            "first": _explanation(found.first),
            "second": _explanation(found.second),
            "apart": [
                {
                    "clause": difference.entry.clause,
                    "head": difference.entry.head,
                    "title": difference.entry.title,
                    "about": difference.about,
                    "first": [_condition(condition) for condition in difference.first],
                    "second": [_condition(condition) for condition in difference.second],
                }
                for difference in found.apart
            ],
            "changes": [_change(change) for change in found.changes],
        },
    )


def why_answer(found: Explanation, repairs_unknown: bool = False) -> Json:
    """Return an explanation."""
    return headed("why", _explanation(found, repairs_unknown))


def _explanation(found: Explanation, repairs_unknown: bool = False) -> Json:
    return {
        "name": found.state.name,
        "state": list(found.state.facts),
        "action": found.action,
        "reads": found.reads,
        "verdict": found.move.verdict,
        "cost": found.move.cost,
        "cost_clauses": list(found.cost_clauses),
        "forbidden_by": _entries(found.forbidden_by),
        "permitted_by": _entries(found.permitted_by),
        "would_permit": _entries(found.would_permit),
        "would_forbid": _entries(found.would_forbid),
        "overridden": _entries(found.overridden),
        "unavailable": [_condition(condition) for condition in found.unavailable],
        "repairs": [[_change(change) for change in repair] for repair in found.repairs],
        "repairs_unknown": repairs_unknown,
        "reversals": [[_change(change) for change in changes] for changes in found.reversals],
        "duties_left": list(found.duties_left),
    }


def _entries(entries: Iterable[Entry]) -> list[Json]:
    return [
        {
            "clause": entry.clause,
            "head": entry.head,
            "title": entry.title,
            "gist": entry.gist,
            "text": entry.text,
            "by": list(entry.by),
            "words": entry.words,
            "value": entry.value,
            "conditions": [_condition(condition) for condition in entry.conditions],
        }
        for entry in entries
    ]


def _condition(condition: Condition) -> Json:
    return {
        "met": condition.met,
        "facts": list(condition.facts),
        "phrase": condition.phrase,
        "needed": condition.needed,
        "clause": condition.clause,
        "because": [_condition(inner) for inner in condition.because],
    }


def _change(change: Change) -> Json:
    if change.low is None:
        return {change.way: change.fact}
    return {change.way: change.fact, "low": change.low, "high": change.high, "now": change.now}


# ---- the position itself -------------------------------------------------------------------------


def state_answer(state: State, phrases: Sequence[str], follows: Sequence[Conclusion]) -> Json:
    """Return a state in words, with what clauses conclude from it."""
    return headed(
        "state",
        {
            "name": state.name,
            "state": list(state.facts),
            "phrases": list(phrases),
            "follows": [
                {
                    "fact": found.fact,
                    "phrase": found.reads,
                    "holds": found.holds,
                    "clauses": list(found.clauses),
                }
                for found in follows
            ],
        },
    )


def duties_answer(state: State, duties: Sequence[Duty]) -> Json:
    """Return the duties of a state."""
    return headed(
        "duties",
        {
            "name": state.name,
            "state": list(state.facts),
            "duties": [
                {
                    "duty": duty.duty,
                    "phrase": duty.reads,
                    "status": duty.status,
                    "clauses": list(duty.clauses),
                    "ways": [_move(move) for move in duty.ways],
                    "imposed_by": _entries(duty.entries),
                }
                for duty in duties
            ],
        },
    )


def values_answer(state: State, values: Sequence[Value]) -> Json:
    """Return the numbers that clauses fix in a state."""
    return headed(
        "values",
        {
            "name": state.name,
            "state": list(state.facts),
            "values": [
                {
                    "quantity": value.quantity,
                    "phrase": value.reads,
                    "value": value.value,
                    "clauses": list(value.clauses),
                }
                for value in values
            ],
        },
    )
