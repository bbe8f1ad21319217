"""What a grounded rulebook must not contain: terms that nothing declares, circles of priorities."""

from collections.abc import Collection, Iterable, Iterator, Sequence

from lexbelli.errors import RulebookError
from lexbelli.norms import Norm, place_of
from lexbelli.solver import Session
from lexbelli.suggest import did_you_mean


def refuse_strays(norms: Sequence[Norm], clauses: Collection[str], grounded: Session) -> None:
    """Refuse a norm about a term that is not declared.

    Raises RulebookError with its place and the nearest action, duty, quantity, fact, event or clause.
    """
    for kind, head, clause, term, known in _spoken(clauses, grounded):
        if term not in known:
            norm = next((n for n in norms if (n.clause, n.head) == (clause, head)), None)
            raise RulebookError(
                f"{head} of clause {clause}: there is no {kind} {term}",
                place=place_of(norm.rule) if norm else None,
                hint=did_you_mean(term, known),
            )


def _spoken(
    clauses: Collection[str], grounded: Session
) -> Iterator[tuple[str, str, str, str, Collection[str]]]:
    """Return what norms speak of: kind, head, clause, term, and the terms there are of that kind."""
    actions, duties = grounded.names("action"), grounded.names("duty")
    of_action = grounded.names("quantity_of")
    quantities = grounded.names("quantity") | {f"{n}({a})" for n in of_action for a in actions}
    derivable = grounded.names("derivable")
    for head in ("permits", "opens", "meets", "forbids"):
        for clause, action in grounded.pairs(head, 2):
            yield "action", head, clause, action, actions
    for clause, duty in grounded.pairs("obliges", 2):
        yield "duty", "obliges", clause, duty, duties
    for clause, duty, action in grounded.pairs("discharges", 3):
        yield "duty", "discharges", clause, duty, duties
        yield "action", "discharges", clause, action, actions
    for clause, quantity, _ in grounded.pairs("sets", 3):
        yield "quantity", "sets", clause, quantity, quantities
    for head in ("concludes", "denies"):
        for clause, fact in grounded.pairs(head, 2):
            yield "derived fact", head, clause, fact, derivable
    subjects = actions | duties | quantities | derivable
    for clause, other, subject in grounded.pairs("overrides", 3):
        yield "clause", "overrides", clause, other, clauses
        yield "subject", "overrides", clause, subject, subjects
    yield from _effects(grounded, actions)


def _effects(
    grounded: Session, actions: Collection[str]
) -> Iterator[tuple[str, str, str, str, Collection[str]]]:
    """Return what norms about events speak of, where the grounding has them."""
    events = {*actions, *grounded.names("happening"), *(r[2] for r in grounded.pairs("stage", 3))}
    facts = set(grounded.facts) | set(grounded.mapping("same"))
    wide = grounded.names("wide")
    for head in ("initiates", "terminates"):
        for clause, event, fact in grounded.pairs(head, 3):
            yield "event", head, clause, event, events
            if fact.partition("(")[0] not in wide:
                yield "fact", head, clause, fact, facts


def refuse_circles(overrides: Iterable[tuple[str, ...]]) -> None:
    """Refuse clauses that stand above each other in a circle on one subject."""
    above: dict[tuple[str, str], set[str]] = {}
    for higher, lower, subject in overrides:
        above.setdefault((higher, subject), set()).add(lower)
    for start, subject in sorted(above):
        trail: list[tuple[str, tuple[str, ...]]] = [(start, (start,))]
        reached: set[str] = set()
        while trail:
            clause, path = trail.pop()
            for lower in sorted(above.get((clause, subject), ())):
                if lower == start:
                    circle = " above ".join((*path, start))
                    raise RulebookError(f"priorities run in a circle on {subject}: {circle}")
                if lower not in reached:
                    reached.add(lower)
                    trail.append((lower, (*path, lower)))
