"""Why an action is legal, forbidden, not permitted, contested or unavailable."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from clingo import String, Symbol

from lexbelli.conditions import Question, explain
from lexbelli.drift import printed_text
from lexbelli.model import Condition, Entry, Explanation, State
from lexbelli.moves import action_owners, known_action, read_moves
from lexbelli.norms import Norm, alternatives
from lexbelli.phrases import wording
from lexbelli.printed import PrintedClause
from lexbelli.rulebook import Rulebook
from lexbelli.solver import Session, World, written
from lexbelli.states import session_for
from lexbelli.terms import clause_key, parse_term
from lexbelli.trace import rules_by_name, supporting_facts

_SPEAKING = ("permits", "opens", "meets", "forbids")


def why(book: Rulebook, state: State, action: str) -> Explanation:
    """Return every clause that speaks, would speak or is overridden about an action in a state.

    Raises InputError or UnknownNameError when there is no such action.
    """
    action = known_action(book, action, state)
    grounded = session_for(book, state.facts)
    world = grounded.everything(state.facts)
    answer = grounded.judge(state.facts)
    move = next(m for m in read_moves(answer, action_owners(grounded)) if m.action == action)
    term = parse_term(action)
    entries = [*_spoken(book, world, term), *_obliging(book, world, term)]
    above = _above(world, term)
    heads = {(clause, head) for clause, head, about in answer.of("overridden") if about == action}
    defeated = [
        replace(entry, by=above.get(entry.clause, ()))
        for entry in entries
        if entry.met and (entry.clause, entry.head) in heads
    ]
    standing = [e for e in entries if (e.clause, e.head) not in heads or not e.met]
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
        unavailable=_blocking(book, world, term) if move.verdict == "unavailable" else (),
        duties_left=_duties_left(grounded, world, term),
    )


def quote(found: Explanation, printed: Sequence[PrintedClause]) -> Explanation:
    """Return the explanation with the printed words of each clause, where the text has them."""
    if not printed:
        return found

    def quoted(entries: Iterable[Entry]) -> tuple[Entry, ...]:
        return tuple(replace(e, text=printed_text(printed, e.clause)) for e in entries)

    return replace(
        found,
        forbidden_by=quoted(found.forbidden_by),
        permitted_by=quoted(found.permitted_by),
        would_permit=quoted(found.would_permit),
        would_forbid=quoted(found.would_forbid),
        overridden=quoted(found.overridden),
    )


def _sorted(entries: Iterable[Entry]) -> tuple[Entry, ...]:
    """Sort by clause; one met entry for each clause and head is enough."""
    kept: dict[object, Entry] = {}
    for entry in entries:
        key = (entry.clause, entry.head) if entry.met else (entry.clause, entry.head, entry)
        kept.setdefault(key, entry)
    return tuple(sorted(kept.values(), key=lambda e: (clause_key(e.clause), e.head)))


def _spoken(book: Rulebook, world: World, action: Symbol) -> list[Entry]:
    asked = [
        (norm, Question(terms[0], action, norm.body(), norm.head != "forbids"))
        for norm in _about(book, _SPEAKING, action)
        for terms in norm.terms()
    ]
    return [entry for _, entry in _entries(book, world, asked)]


def _obliging(book: Rulebook, world: World, action: Symbol) -> list[Entry]:
    """Return the duties that the action would meet, each with the conditions of the duty too."""
    asked = [
        (norm, Question(terms[1], action, norm.body()))
        for norm in _about(book, ("discharges",), action)
        for terms in norm.terms()
    ]
    entries = []
    for norm, entry in _entries(book, world, asked):
        conditions = entry.conditions
        for duty in _duties_of(world, norm.clause, action)[:1]:
            for imposing in duty_entries(book, world, duty, norm.clause):
                conditions += imposing.conditions
        entries.append(replace(entry, head="obliges", conditions=tuple(dict.fromkeys(conditions))))
    return entries


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
        (norm, Question(terms[0], duty, norm.body()))
        for norm in _about(book, ("obliges",), duty)
        for terms in norm.terms()
        if clause in (None, norm.clause)
    ]
    return [entry for _, entry in _entries(book, world, asked)]


def _about(book: Rulebook, heads: Iterable[str], term: Symbol) -> list[Norm]:
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
    targets = {fact: parse_term(fact) for c in conditions for fact in c.facts}
    behind = supporting_facts(book, world, targets.values())
    return {
        condition: replace(
            condition,
            facts=tuple(sorted({f for fact in condition.facts for f in behind[targets[fact]]})),
        )
        for condition in conditions
    }


def _above(world: World, action: Symbol) -> dict[str, tuple[str, ...]]:
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
        for rule in rules_by_name(book)["blocked"]
        for pattern in alternatives(rule.head.atom.symbol.arguments[0])
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
