"""What may be done in a state: the verdict on every action."""

import re
from collections.abc import Iterable, Mapping
from functools import lru_cache

from lexbelli.errors import Place, UnknownNameError
from lexbelli.model import Move, Position, State
from lexbelli.rulebook import Rulebook
from lexbelli.solver import Answer, Row, Session
from lexbelli.states import grounding_for, refuse_malformed, session_for
from lexbelli.suggest import did_you_mean
from lexbelli.terms import clause_key, parse_term

_NUMBER = re.compile(r"0|-?[1-9][0-9]{0,9}")
# the verdicts on what may be done
LISTED = ("legal", "contested")

# the heads whose clauses decide a verdict; nothing decides an action that is not available
_DECIDING = {
    "legal": ("permits", "obliges", "opens", "meets"),
    "forbidden": ("forbids",),
    "contested": ("permits", "obliges", "forbids"),
    "not_permitted": (),
    "unavailable": (),
}


def moves(
    book: Rulebook, states: Iterable[State], actors: Iterable[str] = (), *, every: bool = False
) -> list[Position]:
    """Return the legal and contested actions of each state, all on one grounding.

    `actors` limits them to those of these parties; `every` returns every action with its verdict.
    Raises UnknownNameError for a party that has no action, StateError for a state that cannot be asked
    about.
    """
    asked = _as_states(states)
    grounded = grounding_for(book, {fact for state in asked for fact in state.facts})
    for state in asked:
        refuse_malformed(grounded, state.facts, Place(state.name))
    wanted = known_actors(grounded, actors)
    owners = action_owners(grounded)
    positions = []
    for state in asked:
        found = (
            read_moves(grounded.judge(state.facts), owners)
            if every
            else _read_listed(grounded, state, owners)
        )
        kept = (move for move in found if not wanted or owners[move.action] & wanted)
        positions.append(Position(state, tuple(kept)))
    return positions


def _as_states(states: Iterable[State]) -> tuple[State, ...]:
    if isinstance(states, State | str) or not isinstance(states, Iterable):
        raise TypeError(f"moves takes a list of states, not {type(states).__name__}")
    asked = tuple(states)
    for state in asked:
        if not isinstance(state, State):
            raise TypeError(f"moves takes a list of states, not of {type(state).__name__}")
    return asked


@lru_cache(maxsize=8)
def _index(grounded: Session) -> tuple[list[Row], dict[str, list[Row]]]:
    """Return the verdicts worth listing and, by action, what else there is to read about it."""
    verdicts = [row for row in grounded.rows("verdict") if row[2][1] in LISTED]
    about: dict[str, list[Row]] = {}
    for row in grounded.rows("decides", "overridden"):
        about.setdefault(row[2][2], []).append(row)
    for row in grounded.rows("fixes"):
        about.setdefault(row[2][1].removeprefix("cost(")[:-1], []).append(row)
    return verdicts, about


def _read_listed(grounded: Session, state: State, owners: Mapping[str, frozenset[str]]) -> list[Move]:
    """Return the moves worth listing, reading no more of the model than they need."""
    verdicts, about = _index(grounded)
    atoms: dict[str, list[tuple[str, ...]]] = {}
    with grounded.model(state.facts) as model:
        listed = [row for literal, _, row in verdicts if model.is_true(literal)]
        for action, _ in listed:
            for literal, name, row in about.get(action, ()):
                if model.is_true(literal):
                    atoms.setdefault(name, []).append(row)
    answer = Answer(atoms | {"verdict": listed})
    return read_moves(answer, {action: owners[action] for action in sorted(r[0] for r in listed)})


def known_actors(grounded: Session, actors: Iterable[str]) -> frozenset[str]:
    """Return the parties named, as the rulebook spells them.

    Raises UnknownNameError for a party that has no action.
    """
    if isinstance(actors, str):
        raise TypeError(f"actors is a list of parties, not the text {actors!r}")
    known = {actor for _, actor in grounded.pairs("actor", 2)}
    named = tuple(actors)
    for actor in named:
        if actor not in known:
            listed = f"there are: {', '.join(sorted(known))}" if known else ""
            hint = did_you_mean(str(actor), known) or listed
            raise UnknownNameError(f"no action belongs to {actor!r}", hint=hint)
    return frozenset(named)


@lru_cache(maxsize=8)
def action_owners(grounded: Session) -> Mapping[str, frozenset[str]]:
    """Return every action with the parties whose it is."""
    owners: dict[str, set[str]] = {action: set() for (action,) in grounded.pairs("action", 1)}
    for action, actor in grounded.pairs("actor", 2):
        owners.setdefault(action, set()).add(actor)
    return {action: frozenset(parties) for action, parties in sorted(owners.items())}


def read_moves(answer: Answer, owners: Mapping[str, frozenset[str]]) -> list[Move]:
    """Return the verdict on every action from the atoms of a judged state, sorted by action."""
    verdicts = {row[0]: row[1] for row in answer.of("verdict")}
    available = answer.names("available")
    decides = _by_action(answer.of("decides"))
    overridden = _by_action(answer.of("overridden"))
    costs = _values(answer)
    found = []
    for action, parties in owners.items():
        verdict = verdicts.get(action, "not_permitted" if action in available else "unavailable")
        heads = _DECIDING[verdict]
        deciding = {clause for clause, head in decides.get(action, ()) if head in heads}
        defeated = {clause for clause, _ in overridden.get(action, ())}
        found.append(
            Move(
                action=action,
                actor=min(parties) if len(parties) == 1 else "any",
                verdict=verdict,
                cost=costs.get(f"cost({action})"),
                clauses=tuple(sorted(deciding, key=clause_key)),
                overridden=tuple(sorted(defeated, key=clause_key)),
            )
        )
    return found


def judged_move(book: Rulebook, state: State, action: str) -> Move:
    """Return the verdict on one action.

    Raises InputError or UnknownNameError when there is no such action.
    """
    action = known_action(book, action, state)
    grounded = session_for(book, state.facts)
    owners = action_owners(grounded)
    answer = grounded.read(state.facts, rows_about_action(grounded, action))
    (move,) = read_moves(answer, {action: owners[action]})
    return move


def rows_about_action(grounded: Session, action: str) -> list[Row]:
    """Return what the verdict on an action, its cost and its clauses are read from."""
    rows = grounded.rows_about(action, available=0, verdict=0, decides=2, overridden=2)
    return rows + grounded.rows_about(f"cost({action})", fixes=1)


def known_action(book: Rulebook, action: str, state: State) -> str:
    """Return an action as the rulebook spells it.

    Raises InputError when it is no term, UnknownNameError with the nearest actions otherwise.
    """
    text = str(parse_term(action.strip().removesuffix(".") if isinstance(action, str) else action))
    known = action_owners(session_for(book, state.facts))
    if text in known:
        return text
    name = text.partition("(")[0]
    alike = [a for a in known if a.partition("(")[0] == name]
    hint = did_you_mean(text, alike)
    if not hint and alike:
        hint = f"for example {alike[0]}"
    if not alike:
        hint = did_you_mean(name, {a.partition("(")[0] for a in known}) or did_you_mean(text, known)
    raise UnknownNameError(f"there is no action {text}", hint=hint)


def reason(book: Rulebook, move: Move) -> str:
    """Return in one line what decides a move: the clauses with their titles."""
    titles = {clause.id: clause.title for clause in book.clauses}
    if move.clauses:
        return "; ".join(f"{clause} {titles[clause]}" for clause in move.clauses)
    return "no clause grants it" if move.verdict == "not_permitted" else ""


def _by_action(rows: Iterable[tuple[str, ...]]) -> dict[str, list[tuple[str, str]]]:
    found: dict[str, list[tuple[str, str]]] = {}
    for clause, head, action in rows:
        found.setdefault(action, []).append((clause, head))
    return found


def _values(answer: Answer) -> dict[str, int | str]:
    """Return every quantity with the one value fixed for it, or "contested"."""
    values: dict[str, set[str]] = {}
    for _, quantity, value in answer.of("fixes"):
        values.setdefault(quantity, set()).add(value)
    return {quantity: one_value(found) for quantity, found in values.items()}


def one_value(found: Iterable[str]) -> int | str:
    """Return the only value, as a number where it is written as one, or "contested"."""
    distinct = set(found)
    if len(distinct) != 1:
        return "contested"
    (value,) = distinct
    return int(value) if _NUMBER.fullmatch(value) else value
