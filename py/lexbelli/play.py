"""Playing: apply actions and outcomes to a state, and say which clause changed what.

A step is an action, or `set:FACT` and `unset:FACT` for what dice or other rules decide. An action
happens as one event, or as the stages the rulebook gives it; each event starts and ends facts.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from lexbelli.errors import InputError, LexBelliError, RulebookError, StateError
from lexbelli.model import State
from lexbelli.moves import judged_move, known_action
from lexbelli.rulebook import Rulebook
from lexbelli.state_files import Draft, Given, changes
from lexbelli.states import refuse_impossible, resolve, session_for
from lexbelli.terms import clause_key, parse_fact

OUTCOMES = ("set", "unset")


@dataclass(frozen=True, slots=True)
class Effect:
    """One fact that a step started (`set`) or ended (`unset`), and the clauses that say so."""

    way: str
    fact: str
    clauses: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Step:
    """What one step did: the verdict on it, its effects, what it left open, and the state after.

    An outcome has the verdict "outcome". `clashes` are facts that clauses both start and end here:
    they are left as they were. `disputed` are facts that one clause concludes and another denies
    afterwards. `duties_left` are duties that were unmet when the step ended the time for them.
    """

    step: str
    verdict: str
    effects: tuple[Effect, ...]
    state: State
    events: tuple[tuple[str, tuple[str, ...]], ...] = ()  # each with the facts before it
    clashes: tuple[str, ...] = ()
    disputed: tuple[tuple[str, tuple[str, ...]], ...] = ()
    duties_left: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Game:
    """The steps that were played, and the action that was refused, if one was."""

    steps: tuple[Step, ...]
    state: State
    refused: str | None = None
    verdict: str | None = None


def play(book: Rulebook, state: State, steps: Iterable[str], force: bool = False) -> Game:
    """Apply steps in order, up to the first action that is not legal unless `force` is given.

    Raises InputError, UnknownNameError or StateError for a step that is no action and no fact, and
    for an outcome that makes the state impossible; TypeError for one text instead of several.
    """
    if isinstance(steps, str):
        raise TypeError(f"steps are a list of texts, not the text {steps!r}")
    played: list[Step] = []
    for number, text in enumerate(steps, 1):
        try:
            way, _, fact = text.partition(":")
            if way.strip() in OUTCOMES and fact:
                step = _outcome(book, state, way.strip(), fact)
            else:
                action = known_action(book, text, state)
                verdict = judged_move(book, state, action).verdict
                if verdict != "legal" and not force:
                    return Game(tuple(played), state, action, verdict)
                step = _act(book, state, action, verdict)
        except RulebookError:
            raise  # not the fault of the step
        except LexBelliError as error:
            error.message = f"step {number}: {error.message}"
            if ":" in text and not error.hint:
                error.hint = "a step is an action, set:FACT or unset:FACT"
            raise
        played.append(step)
        state = step.state
    return Game(tuple(played), state)


def _outcome(book: Rulebook, state: State, way: str, fact: str) -> Step:
    """Set or unset a fact that the rules do not decide."""
    given = [fact.strip()]
    change = changes(given, ()) if way == "set" else changes((), given)
    drafted = Draft(state.name, _as_given(state.facts), (change,))
    after = resolve(book, drafted)
    refuse_impossible(book, after)
    effects = _difference(state.facts, after.facts, {}, session_for(book, after.facts).group_of)
    return Step(f"{way}:{fact.strip()}", "outcome", effects, after, disputed=_disputed(book, after))


def _act(book: Rulebook, state: State, action: str, verdict: str) -> Step:
    """Let an action happen, event by event."""
    grounded = session_for(book, state.facts, effects=True)
    answer = grounded.read(state.facts, grounded.rows_about(action, stage=0))
    stages = sorted((int(n), event) for _, n, event in answer.of("stage"))
    left: tuple[str, ...] = ()
    effects: list[Effect] = []
    clashes: list[str] = []
    events: list[tuple[str, tuple[str, ...]]] = []
    for event in [event for _, event in stages] or [action]:
        events.append((event, state.facts))
        state, happened, clash = _happen(book, state, event)
        effects += happened
        clashes += clash
        if len(events) == 1:  # what the first event still met is no longer owed
            left = _duties_left(book, state, action)
    try:
        refuse_impossible(book, state)
    except StateError as error:
        involved = f"{error.hint},"
        started = [f"{e.fact} ({' '.join(e.clauses)})" for e in effects if f" {e.fact}," in involved]
        if started:  # which clauses lead where no position can be
            error.hint += f"\n  brought about here: {', '.join(started)}"
        raise
    return Step(
        step=action,
        verdict=verdict,
        effects=tuple(effects),
        state=state,
        events=tuple(events),
        clashes=tuple(clashes),
        disputed=_disputed(book, state),
        duties_left=left,
    )


def _happen(book: Rulebook, state: State, event: str) -> tuple[State, tuple[Effect, ...], list[str]]:
    """Return the state after an event, its effects, and the facts that clauses clash over."""
    grounded = session_for(book, state.facts, effects=True)
    answer = grounded.read(state.facts, grounded.rows_about(event, starts=1, stops=1))
    same = grounded.mapping("same")
    starts, stops = _said(answer.of("starts"), same), _said(answer.of("stops"), same)
    clash = set(starts) & set(stops)
    by_group: dict[str, set[str]] = {}
    for fact in starts:
        by_group.setdefault(grounded.group_of.get(fact, fact), set()).add(fact)
    for facts in by_group.values():
        if len(facts) > 1:
            clash |= facts
    begun = {fact: clauses for fact, clauses in starts.items() if fact not in clash}
    ended = {fact: clauses for fact, clauses in stops.items() if fact not in clash}
    kept = [fact for fact in state.facts if fact not in ended]
    draft = Draft(state.name, _as_given(kept), (changes(sorted(begun), ()),))
    after = resolve(book, draft)
    effects = _difference(
        state.facts, after.facts, {**ended, **begun}, session_for(book, after.facts).group_of
    )
    return after, effects, sorted(clash)


def _said(rows: Iterable[tuple[str, ...]], same: Mapping[str, str]) -> dict[str, tuple[str, ...]]:
    """Return the facts that clauses start or end, with these clauses."""
    said: dict[str, set[str]] = {}
    for clause, _, fact in rows:
        said.setdefault(same.get(fact, fact), set()).add(clause)
    return {fact: tuple(sorted(clauses, key=clause_key)) for fact, clauses in said.items()}


def _as_given(facts: Iterable[str]) -> tuple[Given, ...]:
    return tuple(Given(parse_fact(fact)) for fact in facts)


def _difference(
    before: Sequence[str],
    after: Sequence[str],
    said: Mapping[str, tuple[str, ...]],
    group_of: Mapping[str, str],
) -> tuple[Effect, ...]:
    """Return what changed, with the clauses; a value that was replaced is not listed by itself."""
    begun = [Effect("set", fact, said.get(fact, ())) for fact in sorted({*after} - {*before})]
    taken = {group_of[effect.fact] for effect in begun if effect.fact in group_of}
    ended = [
        Effect("unset", fact, said.get(fact, ()))
        for fact in sorted({*before} - {*after})
        if group_of.get(fact) not in taken
    ]
    return (*begun, *ended)


def _disputed(book: Rulebook, state: State) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Return the facts that one clause concludes and another denies, with these clauses."""
    grounded = session_for(book, state.facts)
    answer = grounded.read(state.facts, grounded.rows("concluded", "denied"))
    concluding, denying = answer.by_last("concluded"), answer.by_last("denied")
    return tuple(
        (fact, tuple(sorted(concluding[fact] | denying[fact], key=clause_key)))
        for fact in sorted(set(concluding) & set(denying))
    )


def _duties_left(book: Rulebook, state: State, action: str) -> tuple[str, ...]:
    """Return the duties that are not met, for an action that ends the time for them."""
    grounded = session_for(book, state.facts)
    if (action,) not in grounded.pairs("closes", 1):
        return ()
    answer = grounded.read(state.facts, grounded.rows("status"))
    return tuple(sorted(duty for duty, status in answer.of("status") if status != "met"))


# ---- writing a state -----------------------------------------------------------------------------


def state_file(state: State, suffix: str) -> str:
    """Return a state as the text of a state file: `.lp`, `.toml` or `.json`.

    Raises InputError for another suffix.
    """
    if suffix == ".lp":
        return "".join(f"{fact}.\n" for fact in state.facts)
    if suffix == ".json":
        return json.dumps({"set": list(state.facts)}, indent=2) + "\n"
    if suffix == ".toml":
        return "set = [\n" + "".join(f'    "{fact}",\n' for fact in state.facts) + "]\n"
    raise InputError(f"a state file ends in .lp, .toml or .json, not {suffix or 'nothing'}")
