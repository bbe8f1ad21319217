"""What is formalised, and which conditions the cases pin on either side.

A condition is pinned when one case about the clause's subject meets it and another does not; a norm
speaks in a case when all its conditions are met there. What no case shows is put to the solver: what no
admissible state can show either is named as such.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from lexbelli.cases import Case, case_game, case_start, case_subject, is_absent, naming, why_skipped
from lexbelli.errors import LexBelliError
from lexbelli.model import Clause
from lexbelli.norms import Norm
from lexbelli.reify import REIFIED, Reification, Reified, reify
from lexbelli.rulebook import Rulebook

SECONDS = 20.0


@dataclass(frozen=True, slots=True)
class Gap:
    """Something about a norm that no case shows.

    `what` is "speaks", or a condition with "met" or "unmet" as its `side`. `provable` says that no
    admissible state can show it; None that the search ran out of time.
    """

    norm: str
    head: str
    what: str
    side: str
    provable: bool | None
    subject: str = ""  # an action, duty, quantity, fact or event on which a state can show it
    atoms: tuple[str, ...] = ()  # the reified atoms that hold there
    denied: tuple[str, ...] = ()  # those that do not


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


class _Subjects:
    """The reified atoms by the subject they are about, with their literals."""

    def __init__(self, reified: Reification) -> None:
        self.session = reified.session
        self.about: dict[str, dict[int, int]] = {}
        self.conditions: dict[tuple[int, str], dict[int, int]] = {}
        self.literal: dict[str, int] = {}
        for name, arity in REIFIED.items():
            for row, literal in self.session.atoms(name, arity):
                self.literal[f"{name}({','.join(row)})"] = literal
                if name == "about__":
                    self.about.setdefault(row[1], {})[int(row[0])] = literal
                elif name == "cond__":
                    self.conditions.setdefault((int(row[0]), row[2]), {})[int(row[1])] = literal


def coverage(
    book: Rulebook,
    cases: Sequence[Case],
    clauses: Sequence[Clause] | None = None,
    seconds: float = SECONDS,
) -> list[ClauseCoverage]:
    """Return the coverage of clauses by the cases, in the order given; of all when none are named.

    Without any case there are no gaps to tell. `seconds` limits each proof that something cannot be
    shown. Raises what running the cases raises.
    """
    wanted = book.clauses if clauses is None else clauses
    if not cases:
        return [ClauseCoverage(clause, 0, (), (), ()) for clause in wanted]
    told = list(_told(book, cases))
    reified = reify(book)
    subjects = _Subjects(reified)
    tallies = [_Tally(r.norm, r.conditions) for r in reified.norms]
    for story in told:
        for facts, asked in story.asked:
            _take_state(story.case, facts, asked, subjects, tallies)
    return [_clause_coverage(clause, reified, subjects, tallies, seconds) for clause in wanted]


def _clause_coverage(
    clause: Clause,
    reified: Reification,
    subjects: _Subjects,
    tallies: Sequence[_Tally],
    seconds: float,
) -> ClauseCoverage:
    own = [(r, t) for r, t in zip(reified.norms, tallies, strict=True) if r.norm.clause == clause.id]
    speaks = {case for _, tally in own for case in tally.speaks}
    silent = {case for _, tally in own for case in tally.silent} - speaks
    return ClauseCoverage(
        clause=clause,
        conditions=sum(len(tally.conditions) for _, tally in own),
        cases_for=tuple(sorted(speaks)),
        cases_against=tuple(sorted(silent)),
        gaps=tuple(gap for norm, tally in own for gap in _gaps(subjects, norm, tally, seconds)),
    )


@dataclass(frozen=True, slots=True)
class _Story:
    """The states of a case, each with the subjects asked about: its events, then its question."""

    case: str
    asked: tuple[tuple[tuple[str, ...], tuple[str, ...]], ...]


def _told(book: Rulebook, cases: Iterable[Case]) -> Iterator[_Story]:
    """Return what cases show, those left out that would be skipped."""
    for case in cases:
        if why_skipped(book, case):
            continue
        try:
            yield _tell(book, case)
        except LexBelliError as error:
            if not is_absent(error):
                raise


def _tell(book: Rulebook, case: Case) -> _Story:
    """Return what a case shows, after its play where it has one."""
    asked: list[tuple[tuple[str, ...], tuple[str, ...]]] = []
    with naming(case):
        state = case_start(book, case)
        if case.play:
            game = case_game(book, case, state)
            asked += [(facts, (event,)) for step in game.steps for event, facts in step.events]
            state = game.state
        subject = case_subject(book, case, state)
    subjects = (subject, f"cost({subject})") if case.asks_cost else (subject,)
    return _Story(case.id, (*asked, (state.facts, subjects)))


# ---- statements about states ---------------------------------------------------------------------


def _take_state(
    case: str,
    facts: tuple[str, ...],
    asked: Iterable[str],
    subjects: _Subjects,
    tallies: Sequence[_Tally],
) -> None:
    """Take what one state shows of the norms about the subjects asked for."""
    norms = {number: subject for subject in asked for number in subjects.about.get(subject, ())}
    literals = {
        literal
        for number, subject in norms.items()
        for literal in subjects.conditions.get((number, subject), {}).values()
    }
    with subjects.session.model(facts) as model:
        true = {literal for literal in literals if model.is_true(literal)}
    for number, subject in norms.items():
        found = subjects.conditions.get((number, subject), {})
        tallies[number].take(case, [k for k, literal in found.items() if literal in true])


def _gaps(subjects: _Subjects, norm: Reified, tally: _Tally, seconds: float) -> list[Gap]:
    """Return what no case shows of a norm, and whether any state could."""
    return [_gap(subjects, norm, index, side, seconds) for index, side in tally.missing()]


def _gap(subjects: _Subjects, norm: Reified, index: int | None, side: str, seconds: float) -> Gap:
    """Look for a subject and a state that show what no case does."""
    what = "speaks" if index is None else norm.conditions[index]
    gap = Gap(norm.norm.shape, norm.norm.head, what, side, True)
    for subject, held, denied in _ways(subjects, norm.number, index, side):
        literals = [subjects.literal[atom] for atom in held]
        literals += [-subjects.literal[atom] for atom in denied]
        answer = subjects.session.possible(literals, seconds)
        if answer:
            return replace(gap, provable=False, subject=subject, atoms=held, denied=denied)
        if answer is None:
            gap = replace(gap, provable=None)
    return gap


def _ways(
    subjects: _Subjects, number: int, index: int | None, side: str
) -> Iterator[tuple[str, tuple[str, ...], tuple[str, ...]]]:
    """Return, by subject, the atoms that must and must not hold to show one side."""
    for subject in sorted(subjects.about):
        if number not in subjects.about[subject]:
            continue
        about = f"about__({number},{subject})"
        shown = (
            f"spoken__({number},{subject})" if index is None else f"cond__({number},{index},{subject})"
        )
        if side != "unmet":
            if shown in subjects.literal:
                yield subject, (about, shown), ()
        elif shown in subjects.literal:
            yield subject, (about,), (shown,)
        else:
            yield subject, (about,), ()
