"""What is formalised, and which conditions the cases pin on either side.

A condition is pinned when one case about the clause's subject meets it and another does not; a norm
speaks in a case when all its conditions are met there. What no case shows is put to the solver: what no
admissible state can show either is named as such.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from clingo.ast import AST

from lexbelli.cases import Case, case_game, case_start
from lexbelli.conditions import Question, explain, has_words
from lexbelli.model import Clause, State
from lexbelli.phrases import wording
from lexbelli.reify import Reification, Reified, reify
from lexbelli.rulebook import EFFECTS, Norm, Rulebook
from lexbelli.states import session_for
from lexbelli.terms import parse_fact, parse_term

SECONDS = 20.0


@dataclass(frozen=True, slots=True)
class Gap:
    """Something about a norm that no case shows.

    `what` is "speaks", or a condition with "met" or "unmet" as its `side`. `provable` says that no
    admissible state can show it; None that the search ran out of time.
    """

    norm: str
    place: str
    what: str
    side: str
    provable: bool | None


@dataclass(frozen=True, slots=True)
class ClauseCoverage:
    """One clause: what it consists of, and the cases about it that it speaks to, or not."""

    clause: Clause
    conditions: int
    cases_for: tuple[str, ...]
    cases_against: tuple[str, ...]
    gaps: tuple[Gap, ...]


@dataclass(slots=True)
class _Tally:
    """What the cases have shown of one norm so far."""

    norm: Norm
    conditions: Sequence[str]
    met: set[int] = field(default_factory=set)
    unmet: set[int] = field(default_factory=set)
    speaks: set[str] = field(default_factory=set)
    silent: set[str] = field(default_factory=set)

    def take(self, case: str, met: Iterable[int]) -> None:
        """Take the conditions that a case about the norm's subject meets."""
        shown = set(met)
        self.met |= shown
        self.unmet |= set(range(len(self.conditions))) - shown
        (self.speaks if len(shown) == len(self.conditions) else self.silent).add(case)

    def missing(self) -> list[tuple[int | None, str]]:
        """Return what is not shown: (condition, side), or (None, "speaks")."""
        every = range(len(self.conditions))
        found: list[tuple[int | None, str]] = [] if self.speaks else [(None, "speaks")]
        found += [(k, "met") for k in every if k not in self.met]
        return found + [(k, "unmet") for k in every if k not in self.unmet]


def coverage(book: Rulebook, cases: Sequence[Case], seconds: float = SECONDS) -> list[ClauseCoverage]:
    """Return the coverage of every clause by the cases, in the order of the rulebook.

    Raises what running the cases raises. `seconds` limits each proof that something cannot be shown.
    """
    own = [case for case in cases if case.edition == book.edition]
    facts = {fact for case in own for fact in case_start(book, case).facts}
    reified = reify(book, facts)
    tallies = [_Tally(r.norm, r.conditions) for r in reified.norms]
    effects = [_Tally(n, _written(book, n)) for n in book.norms if n.head in EFFECTS]
    subjects = _Subjects(reified)
    for case in own:
        _take_case(book, case, subjects, tallies, effects)
    gaps = [_gaps(reified, r, t, seconds) for r, t in zip(reified.norms, tallies, strict=True)]
    gaps += [_effect_gaps(tally) for tally in effects]
    return _by_clause(book, [*tallies, *effects], gaps)


def _by_clause(
    book: Rulebook, tallies: Sequence[_Tally], gaps: Sequence[Sequence[Gap]]
) -> list[ClauseCoverage]:
    found = []
    for clause in book.clauses:
        own = [(t, g) for t, g in zip(tallies, gaps, strict=True) if t.norm.clause == clause.id]
        speaks = {case for tally, _ in own for case in tally.speaks}
        silent = {case for tally, _ in own for case in tally.silent} - speaks
        found.append(
            ClauseCoverage(
                clause=clause,
                conditions=sum(len(tally.conditions) for tally, _ in own),
                cases_for=tuple(sorted(speaks)),
                cases_against=tuple(sorted(silent)),
                gaps=tuple(gap for _, missing in own for gap in missing),
            )
        )
    return found


# ---- statements about states ---------------------------------------------------------------------


class _Subjects:
    """The reified atoms by the subject they are about."""

    def __init__(self, reified: Reification) -> None:
        self.session = reified.session
        self.about: dict[str, dict[int, int]] = {}
        self.conditions: dict[tuple[int, str], dict[int, int]] = {}
        self.spoken: dict[tuple[int, str], int] = {}
        for (number, subject), literal in self.session.literals("about__", 2):
            self.about.setdefault(subject, {})[int(number)] = literal
        for (number, index, subject), literal in self.session.literals("cond__", 3):
            self.conditions.setdefault((int(number), subject), {})[int(index)] = literal
        for (number, subject), literal in self.session.literals("spoken__", 2):
            self.spoken[int(number), subject] = literal


def _take_case(
    book: Rulebook,
    case: Case,
    subjects: _Subjects,
    tallies: Sequence[_Tally],
    effects: Sequence[_Tally],
) -> None:
    state = case_start(book, case)
    if case.play:
        game = case_game(book, case, state)
        for step in game.steps:
            for event, facts in step.events:
                _take_event(book, case.id, event, facts, effects)
        state = game.state
    asked = [_subject(book, state, case)]
    if case.asks_cost:
        asked.append(f"cost({asked[0]})")
    norms = {n: s for s in asked for n in subjects.about.get(s, ())}
    literals = {
        literal
        for number, subject in norms.items()
        for literal in subjects.conditions.get((number, subject), {}).values()
    }
    true = subjects.session.true_among(state.facts, literals)
    for number, subject in norms.items():
        found = subjects.conditions.get((number, subject), {})
        tallies[number].take(case.id, [k for k, literal in found.items() if literal in true])


def _subject(book: Rulebook, state: State, case: Case) -> str:
    if case.question != "fact":
        return str(parse_term(case.subject))
    text = str(parse_fact(case.subject))
    return session_for(book, state.facts).mapping("same").get(text, text)


def _gaps(reified: Reification, norm: Reified, tally: _Tally, seconds: float) -> list[Gap]:
    """Return what no case shows of a norm, and whether any state could."""
    return [
        Gap(
            norm=tally.norm.shape,
            place=tally.norm.head,
            what="speaks" if index is None else norm.conditions[index],
            side=side,
            provable=_cannot(reified, norm.number, index, side, seconds),
        )
        for index, side in tally.missing()
    ]


def _cannot(
    reified: Reification, number: int, index: int | None, side: str, seconds: float
) -> bool | None:
    """Say whether no admissible state shows one side of a condition, or the norm speaking."""
    subjects = _Subjects(reified)
    unknown = False
    for (which, subject), literal in subjects.spoken.items():
        if which == number and side == "speaks":
            answer = reified.session.possible([literal], seconds)
            if answer:
                return False
            unknown = unknown or answer is None
    for subject, norms in subjects.about.items():
        if number not in norms or index is None:
            continue
        condition = subjects.conditions.get((number, subject), {}).get(index)
        if side == "met":
            wanted = None if condition is None else [norms[number], condition]
        else:
            wanted = [norms[number]] if condition is None else [norms[number], -condition]
        if wanted is not None:
            answer = reified.session.possible(wanted, seconds)
            if answer:
                return False
            unknown = unknown or answer is None
    return None if unknown else True


# ---- what events change --------------------------------------------------------------------------


def _written(book: Rulebook, norm: Norm) -> tuple[str, ...]:
    """Return the conditions of an effect that have words."""
    words = wording(book)
    return tuple(str(literal) for literal in norm.body() if has_words(literal, words))


def _take_event(
    book: Rulebook, case: str, event: str, facts: tuple[str, ...], effects: Sequence[_Tally]
) -> None:
    """Take what one event of a case shows of the norms about events."""
    term = parse_term(event)
    asked: list[tuple[_Tally, AST]] = [
        (tally, terms[0])
        for tally in effects
        if term.name in tally.norm.shape
        for terms in tally.norm.terms()
    ]
    world = session_for(book, facts, effects=True).everything(facts)
    questions = [Question(pattern, term, tally.norm.body()) for tally, pattern in asked]
    for (tally, _), found in zip(asked, explain(questions, world, wording(book)), strict=True):
        if found is not None:
            tally.conditions = tuple(condition.needed or condition.phrase for condition in found)
            tally.take(case, [k for k, condition in enumerate(found) if condition.met])


def _effect_gaps(tally: _Tally) -> list[Gap]:
    """Return what no play shows of an effect; its conditions are the clause's own."""
    if tally.speaks:
        return []
    return [Gap(tally.norm.shape, tally.norm.head, "speaks", "speaks", False)]
