"""Answers about the rulebook, its cases and play as plain data for JSON."""

from collections.abc import Sequence

from lexbelli.answers import Json, headed
from lexbelli.cases import Outcome
from lexbelli.coverage import ClauseCoverage
from lexbelli.drift import Comparison
from lexbelli.model import Clause, ClauseChange, Overlay
from lexbelli.names import Name
from lexbelli.overlays import origin
from lexbelli.play import Game


def clauses_answer(  # noqa: PLR0913, PLR0917 - the parts of one answer
    clauses: Sequence[Clause],
    rules: Sequence[str],
    texts: Sequence[str | None],
    pinned: Sequence[Sequence[str]],
    overlays: Sequence[Overlay] = (),
    gone: Sequence[tuple[Overlay, ClauseChange]] = (),
) -> Json:
    """Return clauses with their rules as written, their printed text and the cases that pin them.

    `overlays` are what some come from, `gone` what those withdraw.
    """
    return headed(
        "clauses",
        {
            "clauses": [
                {
                    "clause": clause.id,
                    "title": clause.title,
                    "gist": clause.gist,
                    "kind": clause.kind,
                    "heads": list(clause.heads),
                    "see": list(clause.see),
                    "yields_to": clause.yields_to,
                    "not_formalised": clause.reason or None,
                    "rules": rule,
                    "text": text,
                    "cases": list(cases),
                    "overlay": _change(origin(overlays, clause.id)),
                }
                for clause, rule, text, cases in zip(clauses, rules, texts, pinned, strict=True)
            ],
            "withdrawn": [
                {"clause": pair[1].clause, "title": pair[1].title, "overlay": _change(pair)}
                for pair in gone
            ],
        },
    )


def _change(source: tuple[Overlay, ClauseChange] | None) -> Json | None:
    """Return which overlay changes a clause, and how."""
    if source is None:
        return None
    overlay, change = source
    return {"name": overlay.name, "change": change.way, "reason": change.reason or None}


def coverage_answer(found: Sequence[ClauseCoverage]) -> Json:
    """Return what is formalised and which conditions cases pin."""
    totals = coverage_totals(found)
    return headed(
        "coverage",
        {
            "totals": totals,
            "clauses": [
                {
                    "clause": row.clause.id,
                    "kind": row.clause.kind,
                    "title": row.clause.title,
                    "heads": list(row.clause.heads),
                    "conditions": row.conditions,
                    "cases_for": list(row.cases_for),
                    "cases_against": list(row.cases_against),
                    "not_formalised": row.clause.reason or None,
                    "gaps": [
                        {
                            "norm": gap.norm,
                            "what": gap.what,
                            "side": gap.side,
                            "provably_cannot": gap.provable,
                        }
                        for gap in row.gaps
                    ],
                }
                for row in found
            ],
        },
    )


def coverage_totals(found: Sequence[ClauseCoverage]) -> dict[str, int]:
    """Return the totals of a coverage report."""
    gaps = [gap for row in found for gap in row.gaps]
    return {
        "clauses": len(found),
        "with_rules": sum(1 for row in found if row.clause.rules),
        "with_reason": sum(1 for row in found if row.clause.reason),
        "conditions": sum(row.conditions for row in found),
        "open": sum(1 for gap in gaps if gap.provable is not True),
        "provably_cannot": sum(1 for gap in gaps if gap.provable is True),
    }


def comparison_answer(found: Comparison) -> Json:
    """Return how a printed text and the headings compare."""
    return headed(
        "text",
        {
            "clauses": [piece.number for piece in found.clauses],
            "chapters": list(found.chapters),
            "only_in_text": list(found.only_in_text),
            "only_in_rulebook": list(found.only_in_rulebook),
            "unread": list(found.unread),
            "dangling": [{"clause": c, "reference": r} for c, r in found.dangling],
            "outside": [{"clause": c, "reference": r} for c, r in found.outside],
        },
    )


def play_answer(game: Game, explanation: Json | None = None) -> Json:
    """Return what was played, the state it led to, and why an action was refused."""
    return headed(
        "play",
        {
            "steps": [
                {
                    "step": step.step,
                    "verdict": step.verdict,
                    "effects": [
                        {effect.way: effect.fact, "clauses": list(effect.clauses)}
                        for effect in step.effects
                    ],
                    "clashes": list(step.clashes),
                    "disputed": [{"fact": f, "clauses": list(c)} for f, c in step.disputed],
                    "duties_left": list(step.duties_left),
                }
                for step in game.steps
            ],
            "refused": game.refused,
            "verdict": game.verdict,
            "explanation": explanation,
            "state": list(game.state.facts),
        },
    )


def cases_answer(outcomes: Sequence[Outcome]) -> Json:
    """Return what came of cases."""
    counted = {
        kind: sum(1 for outcome in outcomes if outcome.outcome == kind)
        for kind in ("passed", "failed", "skipped")
    }
    return headed(
        "cases",
        {
            **counted,
            "cases": [
                {
                    "id": outcome.case.id,
                    "title": outcome.case.title,
                    "outcome": outcome.outcome,
                    "expected": outcome.expected,
                    "got": outcome.got,
                    "clauses": list(outcome.clauses),
                    "reason": outcome.reason,
                }
                for outcome in outcomes
            ],
        },
    )


def names_answer(found: Sequence[Name]) -> Json:
    """Return what there is to speak of."""
    rows = [{"kind": name.kind, "term": name.term, "reads": name.reads} for name in found]
    return headed("names", {"names": rows})
