"""Suggested errata as plain data for JSON, as the published schema describes them."""

from collections.abc import Sequence
from pathlib import Path

from lexbelli.answers import Json, headed
from lexbelli.suggestions import Suggestion


def suggestions_answer(
    finding: str, suggestions: Sequence[Suggestion], written: tuple[int, Path] | None = None
) -> Json:
    """Return suggestions in their order, with the number of the one that went to a file."""
    return headed(
        "suggestions",
        {
            "finding": finding,
            "suggestions": [_one(number, one) for number, one in enumerate(suggestions, 1)],
            "written": {"choice": written[0], "file": str(written[1])} if written else None,
        },
    )


def _one(number: int, one: Suggestion) -> Json:
    changes = None
    if one.in_play is not None:
        changes = [
            {"kind": change.kind, "subject": change.subject, "relation": change.relation}
            for change in one.in_play
        ]
    return {
        "choice": number,
        "way": one.way,
        "clause": one.clause,
        "other": one.other,
        "told": one.told,
        "conditions": list(one.conditions),
        "rules": list(one.rules),
        "removes": list(one.removes),
        "brings": list(one.brings),
        "in_play": changes,
        "overlay": one.overlay,
    }
