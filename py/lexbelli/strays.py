"""What a grounded rulebook must not contain: terms that nothing declares, circles of priorities."""

import re
from collections import deque
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from graphlib import CycleError, TopologicalSorter

from clingo import Symbol, SymbolType, parse_term

from lexbelli.errors import Place, RulebookError
from lexbelli.norms import Norm, place_of
from lexbelli.problems import Problem, refuse
from lexbelli.solver import Session
from lexbelli.suggest import did_you_mean
from lexbelli.terms import DEEPEST, clause_key

# what a norm speaks of: kind, head, clause, term, and the terms there are of that kind
Spoken = tuple[str, str, str, str, Collection[str]]
# what a norm says of an event: head, clause, event and fact
Effect = tuple[str, ...]

# the usual term, told by its text, which is quicker than taking it apart
_PLAIN = re.compile(r"\w+\(_*[a-z][A-Za-z0-9_']*(?:\((?:_*[a-z][A-Za-z0-9_']*\(?|[0-9]+|[,)])*)?\)")


def refuse_strays(norms: Sequence[Norm], clauses: Collection[str], grounded: Session) -> None:
    """Refuse a norm about a term that is not declared, and what cannot be a term or a number.

    Raises RulebookError with its place and the nearest action, duty, quantity, fact, event or clause.
    """
    _refuse_odd_terms(norms, grounded)
    _refuse(norms, _spoken(clauses, grounded))


def refuse_stray_effects(
    norms: Sequence[Norm], grounded: Session, effects: Iterable[Effect], events: Collection[str] = ()
) -> None:
    """Refuse a norm that starts or ends what is no fact, or by what is no event.

    `events` are some that the grounding does not know. Raises RulebookError as `refuse_strays` does.
    """
    _refuse(norms, _spoken_effects(grounded, effects, events))


def _refuse(norms: Sequence[Norm], spoken: Iterable[Spoken]) -> None:
    for kind, head, clause, term, known in spoken:
        if term not in known:
            raise RulebookError(
                f"{head} of clause {clause}: there is no {kind} {term}",
                place=_place(norms, clause, head, term.partition("(")[0]),
                hint=did_you_mean(term, known),
            )


def _refuse_odd_terms(norms: Iterable[Norm], grounded: Session) -> None:
    """Refuse names that are none, and numbers that are none."""
    for name in ("fact", "action", "duty", "quantity", "derivable"):
        for text, _ in grounded.texts(name, 1):
            if _PLAIN.fullmatch(text) and text.count("(") <= DEEPEST:
                continue
            (term,) = parse_term(text).arguments
            if term.type is not SymbolType.Function or not _writable(term):
                raise RulebookError(
                    f"{text}: this is no name, with or without names and numbers behind it"
                )
    actions = grounded.names("action")
    for action, party in grounded.pairs("actor", 2):
        if action not in actions:
            raise RulebookError(
                f"actor({action},{party}): there is no such action", hint=did_you_mean(action, actions)
            )
    for atom in grounded.symbols("stage", 3):
        if atom.arguments[1].type is not SymbolType.Number:
            raise RulebookError(f"{atom}: the stages of an action are numbered")
    for atom in grounded.symbols("sets", 3):
        speaker, quantity, value = atom.arguments
        if value.type is not SymbolType.Number:
            raise RulebookError(
                f"clause {speaker.string} sets {quantity} to {value}, which is no number",
                place=_place(norms, speaker.string, "sets"),
            )


def _writable(symbol: Symbol, depth: int = 0) -> bool:
    """Say whether users can write a term: names and numbers, not nested too deeply."""
    if symbol.type is SymbolType.Number:
        return True
    return (
        symbol.type is SymbolType.Function
        and bool(symbol.name)
        and not symbol.negative
        and depth <= DEEPEST
        and all(_writable(argument, depth + 1) for argument in symbol.arguments)
    )


def _place(norms: Iterable[Norm], clause: str, head: str, name: str = "") -> Place | None:
    """Return where a clause speaks through a head: of a term of this name, where one rule does."""
    own = [norm for norm in norms if (norm.clause, norm.head) == (clause, head)]
    named = [norm for norm in own if name in norm.shape]
    return next((place_of(norm.rule) for norm in named or own), None)


def _spoken(clauses: Collection[str], grounded: Session) -> Iterator[Spoken]:
    """Return what norms speak of in any position."""
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
    # a fact of the state is what an effect starts or ends
    subjects = actions | duties | quantities | derivable | {*grounded.facts}
    wide = grounded.names("wide")
    for clause, other, subject in grounded.pairs("overrides", 3):
        yield "clause", "overrides", clause, other, clauses
        if subject.partition("(")[0] not in wide:
            yield "subject", "overrides", clause, subject, subjects


def _spoken_effects(
    grounded: Session, effects: Iterable[Effect], others: Collection[str]
) -> Iterator[Spoken]:
    """Return what norms about events speak of."""
    stages = {row[2] for row in grounded.pairs("stage", 3)}
    events = grounded.names("action") | grounded.names("happening") | stages | {*others}
    facts = set(grounded.facts) | set(grounded.mapping("same"))
    wide = grounded.names("wide")
    for head, clause, event, fact in effects:
        yield "event", head, clause, event, events
        if fact.partition("(")[0] not in wide:
            yield "fact", head, clause, fact, facts


def refuse_circles(norms: Sequence[Norm], grounded: Session) -> None:
    """Refuse clauses that stand above each other in a circle on one subject. Raises RulebookError."""
    for problem in circles(norms, grounded):
        refuse(problem)


def circles(norms: Sequence[Norm], grounded: Session) -> Iterator[Problem]:
    """Return the circles of priorities, for each subject: a shortest one through every priority."""
    above: dict[str, dict[str, set[str]]] = {}
    for higher, lower, subject in grounded.pairs("overrides", 3):
        above.setdefault(subject, {}).setdefault(higher, set()).add(lower)
    for subject, lower_of in sorted(above.items()):
        if not _has_circle(lower_of):
            continue
        found = {circle for start in lower_of for circle in _circles_from(start, lower_of)}
        for circle in sorted(found, key=lambda circle: [clause_key(clause) for clause in circle]):
            shown = " above ".join((*circle, circle[0]))
            yield Problem(
                "LB106",
                circle,
                _place(norms, circle[0], "overrides", subject.partition("(")[0]),
                f"priorities run in a circle on {subject}: {shown}",
                subject=subject,
            )


def _has_circle(lower_of: Mapping[str, Collection[str]]) -> bool:
    try:
        TopologicalSorter(lower_of).prepare()
    except CycleError:
        return True
    return False


def _circles_from(start: str, lower_of: Mapping[str, Collection[str]]) -> Iterator[tuple[str, ...]]:
    """Return a shortest circle through each priority of a clause, from its lowest clause on."""
    for first in lower_of[start]:
        paths: deque[tuple[str, ...]] = deque([(first,)])
        reached = {first}
        while paths and paths[0][-1] != start:
            path = paths.popleft()
            for lower in sorted(lower_of.get(path[-1], ()), key=clause_key):
                if lower not in reached:
                    reached.add(lower)
                    paths.append((*path, lower))
        if paths:
            circle = paths[0]
            low = circle.index(min(circle, key=clause_key))
            yield circle[low:] + circle[:low]
