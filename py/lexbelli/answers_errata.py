"""What a change does as plain data for JSON, as the published schema describes it."""

import re

from lexbelli.answers import Json, headed
from lexbelli.answers_check import finding_answer
from lexbelli.comparison import KINDS, Difference, Shown
from lexbelli.consistency import Consistency
from lexbelli.errata import ChangedClause, Errata, changed_clauses, proved, unchanged_clauses
from lexbelli.errata_words import named, told_why
from lexbelli.findings import Range, Witness
from lexbelli.model import Clause
from lexbelli.rulebook import Rulebook
from lexbelli.sides import Side
from lexbelli.standing import Standing
from lexbelli.telling import Telling

_NUMBER = re.compile(r"-?\d+")
_TRUTH = {"true": True, "false": False}


def errata_answer(found: Errata) -> Json:
    """Return what differs, with its witnesses, what is proved, and which findings come and go."""
    comparison = found.comparison
    subjects: list[Json] = []
    if comparison is not None:
        books = found.old.book, found.new.book
        subjects += [_difference(one, *books) for one in comparison.differences]
        subjects += [
            {"subject": s, "kind": kind, "relation": "equivalent", "clauses": [], "witnesses": []}
            for kind in KINDS
            for s in comparison.equivalent.get(kind, ())
        ]
    return headed(
        "errata",
        {
            "relation": found.relation,
            "old": _side(found.old),
            "new": _side(found.new),
            "subjects": subjects,
            "clarifications": list(comparison.clarifications) if comparison else [],
            "changed": [_changed(one) for one in changed_clauses(found)],
            "unchanged": unchanged_clauses(found) if comparison else [],
            "proved": proved(found),
            "unknown": list(found.unknown),
            "findings": _findings(found.consistency) if found.consistency else None,
        },
    )


def _side(side: Side) -> Json:
    return {
        "name": side.name,
        "edition": side.edition,
        "overlays": [
            {
                "name": overlay.name,
                "title": overlay.title,
                "date": overlay.date,
                "for": overlay.made_for,
                "reason": overlay.reason,
            }
            for overlay in side.book.overlays
        ],
    }


# ---- subjects ------------------------------------------------------------------------------------


def _difference(found: Difference, old: Rulebook, new: Rulebook) -> Json:
    return {
        "subject": found.subject,
        "kind": found.kind,
        "relation": found.relation,
        "clauses": list(named(found.clauses)),
        "witnesses": [_shown(found, shown, old, new) for shown in found.shown],
    }


def _shown(found: Difference, shown: Shown, old: Rulebook, new: Rulebook) -> Json:
    ranges = [_range(one) for one in shown.ranges]
    return {
        "state": _state(shown.witness),
        "way": shown.way,
        "old": _answer(found.kind, shown.old),
        "new": _answer(found.kind, shown.new),
        "old_cost": shown.old.cost,
        "new_cost": shown.new.cost,
        "old_clauses": list(shown.old.clauses),
        "new_clauses": list(shown.new.clauses),
        "causes": list(named(shown.causes)),
        "range": ranges[0] if ranges else None,
        "ranges": ranges,
        "because": {
            "old": _because(told_why(old, found.kind, shown, found.subject)),
            "new": _because(told_why(new, found.kind, shown, found.subject)),
        },
    }


def _state(witness: Witness) -> Json:
    return {
        "base": witness.base,
        "set": [change.fact for change in witness.changes if change.way == "set"],
        "unset": [change.fact for change in witness.changes if change.way == "unset"],
    }


def _answer(kind: str, standing: Standing) -> str | int | bool | None:
    """Return an answer as the other commands give it: null where no clause says anything."""
    answer = standing.answer
    if answer == "unsaid":
        return None
    if kind == "quantity" and _NUMBER.fullmatch(answer):
        return int(answer)
    return _TRUTH.get(answer, answer) if kind == "conclusion" else answer


def _range(found: Range) -> Json:
    return {"fact": found.fact, "from": found.low, "to": found.high}


def _because(told: Telling | None) -> Json | None:
    if told is None:
        return None
    return {
        "meaning": told.meaning,
        "reasons": [
            {
                "heading": section.title,
                "clause": node.label or None,
                "words": node.text,
                "conditions": [child.text for child in node.children],
            }
            for section in told.sections
            for node in section.nodes
        ],
    }


# ---- clauses and findings ------------------------------------------------------------------------


def _changed(found: ChangedClause) -> Json:
    overlay, change = found.told or (None, None)
    return {
        "clause": found.clause,
        "way": found.way,
        "old": _clause(found.old),
        "new": _clause(found.new),
        "overlay": overlay.name if overlay else None,
        "reason": (change.reason or overlay.reason) if overlay and change else None,
        "relations": list(found.relations),
        "clarification": found.clarifies,
    }


def _clause(clause: Clause | None) -> Json | None:
    return {"title": clause.title, "gist": clause.gist} if clause else None


def _findings(found: Consistency) -> Json:
    return {
        "brought": [finding_answer(one) for one in found.brought],
        "removed": [finding_answer(one) for one in found.removed],
        "kept": [finding_answer(one) for one in found.kept],
        "steps": [
            {"name": step.name, "brought": list(step.brought), "removed": list(step.removed)}
            for step in found.steps
        ],
        "turns": [
            {"id": turn.id, "by": turn.by or None, "reversed_by": turn.reversed_by or None}
            for turn in found.turns
        ],
        "interactions": [
            {
                "errata": list(pair.errata),
                "there": list(pair.there),
                "gone": list(pair.gone),
                "needs": pair.needs,
            }
            for pair in found.interactions
        ],
    }
