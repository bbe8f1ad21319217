"""Why an action is legal, forbidden, not permitted, contested or unavailable."""

import re
from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import replace

from clingo import String, Symbol

from lexbelli.conditions import Question, explain
from lexbelli.drift import printed_text
from lexbelli.model import Condition, Entry, Explanation, State
from lexbelli.moves import action_owners, known_action, read_moves
from lexbelli.norms import Norm, alternatives
from lexbelli.opening import opened
from lexbelli.phrases import wording
from lexbelli.printed import PrintedClause
from lexbelli.rulebook import Rulebook
from lexbelli.solver import Answer, Session, World
from lexbelli.states import session_for
from lexbelli.terms import clause_key, parse_term, written
from lexbelli.trace import rules_by_name, supporting_facts

# a clause and, in parentheses, the sense of the words by which another yields to it
_YIELDS = re.compile(r"(\S+)\s*\(([^)]*)\)")
_SPEAKING = ("permits", "opens", "meets", "forbids")


def why(book: Rulebook, state: State, action: str, *, whole: bool = True) -> Explanation:
    """Return every clause that speaks, would speak or is overridden about an action in a state.

    With `whole`, each condition has the reasons behind it, down to the facts of the state. Raises
    InputError or UnknownNameError when there is no such action.
    """
    action = known_action(book, action, state)
    grounded = session_for(book, state.facts)
    world = grounded.everything(state.facts)
    answer = grounded.judge(state.facts)
    (move,) = read_moves(answer, {action: action_owners(grounded)[action]})
    term = parse_term(action)
    higher = above(world, term)
    heads = {(clause, head) for clause, head, about in answer.of("overridden") if about == action}
    blocking = _blocking(book, world, term) if move.verdict == "unavailable" else ()
    spoken = [*spoken_entries(book, world, _SPEAKING, term), *_obliging(book, world, term)]
    entries = deepened(book, world, spoken, grounded, whole=whole)
    defeated = [
        replace(entry, by=higher.get(entry.clause, ()), words=_words(book, entry, higher))
        for entry in entries
        if entry.met and not entry.by and (entry.clause, entry.head) in heads
    ]
    defeated += [entry for entry in entries if entry.by]
    standing = [e for e in entries if not e.by and ((e.clause, e.head) not in heads or not e.met)]
    return Explanation(
        state=state,
        action=action,
        reads=wording(book).say(term),
        move=move,
        forbidden_by=_sorted(e for e in standing if e.met and e.head == "forbids"),
        permitted_by=_sorted(e for e in standing if e.met and e.head != "forbids"),
        would_permit=_sorted(e for e in standing if not e.met and e.head not in ("forbids", "meets")),
        would_forbid=_sorted(e for e in standing if not e.met and e.head == "forbids"),
        overridden=_sorted(defeated),
        unavailable=tuple(opened(book, world, blocking)[condition] for condition in blocking),
        duties_left=_duties_left(grounded, world, term),
        cost_clauses=_pricing(answer, action),
    )


def _pricing(answer: Answer, action: str) -> tuple[str, ...]:
    """Return the clauses that fix the cost of an action."""
    clauses = {clause for clause, quantity, _ in answer.of("fixes") if quantity == f"cost({action})"}
    return tuple(sorted(clauses, key=clause_key))


def _words(book: Rulebook, entry: Entry, higher: Mapping[str, tuple[str, ...]]) -> str:
    """Return the sense of the words by which a clause yields to those above it."""
    clause = book.clause(entry.clause)
    named = dict(_YIELDS.findall(clause.yields_to)) if clause else {}
    return "; ".join(named[other] for other in higher.get(entry.clause, ()) if other in named)


def deepened(
    book: Rulebook, world: World, entries: Sequence[Entry], grounded: Session, *, whole: bool = True
) -> list[Entry]:
    """Return entries, with the reasons behind their conditions when `whole`.

    A clause that lacks what no state can give it, such as a party that is of no side, is not about the
    matter and is left out.
    """
    kept = [
        e
        for e in entries
        if not any(not c.met and c.atoms and all(map(grounded.is_fixed, c.atoms)) for c in e.conditions)
    ]
    if not whole:
        return kept
    reasons = opened(book, world, [c for e in kept for c in e.conditions])
    return [replace(e, conditions=tuple(reasons[c] for c in e.conditions)) for e in kept]


def quote(found: Explanation, printed: Sequence[PrintedClause]) -> Explanation:
    """Return the explanation with the printed words of each clause, where the text has them."""
    return replace(
        found,
        forbidden_by=quoted(found.forbidden_by, printed),
        permitted_by=quoted(found.permitted_by, printed),
        would_permit=quoted(found.would_permit, printed),
        would_forbid=quoted(found.would_forbid, printed),
        overridden=quoted(found.overridden, printed),
    )


def quoted(entries: Iterable[Entry], printed: Sequence[PrintedClause]) -> tuple[Entry, ...]:
    """Return entries with the printed words of their clauses, where there are any."""
    if not printed:
        return tuple(entries)
    return tuple(replace(entry, text=printed_text(printed, entry.clause)) for entry in entries)


def _sorted(entries: Iterable[Entry]) -> tuple[Entry, ...]:
    """Sort by clause; one met entry for each clause and head is enough."""
    kept: dict[object, Entry] = {}
    for entry in entries:
        key = (entry.clause, entry.head) if entry.met else (entry.clause, entry.head, entry)
        kept.setdefault(key, entry)
    return tuple(sorted(kept.values(), key=lambda e: (clause_key(e.clause), e.head)))


def spoken_entries(book: Rulebook, world: World, heads: Iterable[str], term: Symbol) -> list[Entry]:
    """Return what clauses say or would say about a term through some heads."""
    asked = [
        (norm, Question(terms[0], term, norm.body, norm.head != "forbids"))
        for norm in _about(book, frozenset(heads), term)
        for terms in norm.terms
    ]
    return [entry for _, entry in _entries(book, world, asked)]


def _obliging(book: Rulebook, world: World, action: Symbol) -> list[Entry]:
    """Return the duties that the action would meet, each with the conditions of the duty too.

    There is an entry for each duty and each rule that would impose it; one that is lifted names the
    clauses that lift it.
    """
    imposing = {norm.clause for norm in book.norms if norm.head == "obliges"}
    asked = [
        (norm, Question(terms[1], action, norm.body))
        for norm in _about(book, ("discharges",), action)
        for terms in norm.terms
        if norm.clause in imposing
    ]
    entries: list[Entry] = []
    for norm, found in _entries(book, world, asked):
        entry = replace(found, head="obliges")
        if not entry.met:
            entries.append(entry)
            continue
        for duty in _duties_of(world, norm.clause, action):
            lifting = above(world, duty).get(norm.clause, ()) if _is_lifted(world, norm, duty) else ()
            for other in duty_entries(book, world, duty, norm.clause):
                both = tuple(dict.fromkeys(entry.conditions + other.conditions))
                entries.append(replace(entry, conditions=both, by=lifting if other.met else ()))
    return entries


def _is_lifted(world: World, norm: Norm, duty: Symbol) -> bool:
    """Say whether a higher clause lifts what a clause imposes."""
    told = [String(norm.clause), duty]
    return any(atom.arguments == told for atom in world.get("lifted", ()))


def _duties_of(world: World, clause: str, action: Symbol) -> list[Symbol]:
    """Return the duties that the clause lets the action discharge in this state."""
    return sorted(
        atom.arguments[1]
        for atom in world.get("discharges", ())
        if atom.arguments[0] == String(clause) and atom.arguments[2] == action
    )


def duty_entries(book: Rulebook, world: World, duty: Symbol, clause: str | None = None) -> list[Entry]:
    """Return what imposes a duty, with its conditions; of one clause when one is named."""
    asked = [
        (norm, Question(terms[0], duty, norm.body))
        for norm in _about(book, ("obliges",), duty)
        for terms in norm.terms
        if clause in (None, norm.clause)
    ]
    return [entry for _, entry in _entries(book, world, asked)]


def _about(book: Rulebook, heads: Container[str], term: Symbol) -> list[Norm]:
    """Return the norms of these heads that could be about the term."""
    return [norm for norm in book.norms if norm.head in heads and norm.may_be_about(term.name)]


def _entries(
    book: Rulebook, world: World, asked: Sequence[tuple[Norm, Question]]
) -> list[tuple[Norm, Entry]]:
    """Return an entry for each norm that is about the term asked for."""
    answered = explain([question for _, question in asked], world, wording(book))
    traced = _traced(book, world, [c for found in answered if found for c in found])
    entries = []
    for (norm, _), conditions in zip(asked, answered, strict=True):
        clause = book.clause(norm.clause)
        if conditions is None or clause is None:
            continue
        said = tuple(traced[c] for c in conditions)
        entries.append((norm, Entry(norm.clause, norm.head, clause.title, clause.gist, said)))
    return entries


def _traced(
    book: Rulebook, world: World, conditions: Sequence[Condition]
) -> dict[Condition, Condition]:
    """Replace derived atoms by the facts of the state they rest on."""
    targets = {written(atom): atom for c in conditions for atom, holds in c.atoms if holds}
    behind = supporting_facts(book, world, targets.values())
    return {
        condition: replace(
            condition,
            facts=tuple(sorted({f for fact in condition.facts for f in behind[targets[fact]]})),
        )
        for condition in conditions
    }


def above(world: World, action: Symbol) -> dict[str, tuple[str, ...]]:
    """Return the clauses that stand above each overridden clause on this action."""
    higher: dict[str, set[str]] = {}
    for atom in world.get("overrides", ()):
        if atom.arguments[2] == action:
            higher.setdefault(atom.arguments[1].string, set()).add(atom.arguments[0].string)
    return {low: tuple(sorted(high, key=clause_key)) for low, high in higher.items()}


def _blocking(book: Rulebook, world: World, action: Symbol) -> tuple[Condition, ...]:
    """Return what makes the action unavailable, in words."""
    questions = [
        Question(pattern, action, tuple(rule.body))
        for rule in rules_by_name(book).get("blocked", ())
        for head in alternatives(rule.head.atom.symbol)
        for pattern in alternatives(head.arguments[0])
    ]
    blocking = [
        condition
        for conditions in explain(questions, world, wording(book))
        if conditions is not None and all(c.met for c in conditions)
        for condition in conditions
    ]
    traced = _traced(book, world, blocking)
    return tuple(dict.fromkeys(traced[condition] for condition in blocking))


def _duties_left(grounded: Session, world: World, action: Symbol) -> tuple[str, ...]:
    """Return the duties left unmet, for an action that ends the time for them."""
    if (written(action),) not in grounded.pairs("closes", 1):
        return ()
    return tuple(
        sorted(
            written(atom.arguments[0])
            for atom in world.get("status", ())
            if written(atom.arguments[1]) != "met"
        )
    )
