"""Verdict cases: what the text says of a position, against what the rules say.

A case is judged under the edition it names. It is skipped, and says why, when that edition, a clause it
lists or a name it uses is not there.
"""

from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from lexbelli.case_files import Case, read_cases
from lexbelli.duties import duty_status
from lexbelli.errors import LexBelliError, StateError, UnknownNameError
from lexbelli.facts import conclusion, known_fact
from lexbelli.model import State
from lexbelli.moves import judged_move, known_action
from lexbelli.overlays import CURRENT, editions
from lexbelli.play import Game, play
from lexbelli.rulebook import Rulebook, load_rulebook, session
from lexbelli.state_files import changes, from_changes
from lexbelli.states import refuse_impossible, resolve
from lexbelli.terms import clause_key, names_clause
from lexbelli.values import known_quantity, value_of

__all__ = ["Case", "Outcome", "read_cases", "run_cases"]


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of a case: `passed`, `failed` or `skipped`, and what was expected and found."""

    case: Case
    outcome: str
    expected: object
    got: object
    clauses: tuple[str, ...] = ()
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer to a case's question: the value, the clauses behind it and a cost."""

    value: object
    clauses: tuple[str, ...]
    cost: object = None


def run_cases(book: Rulebook, cases: Sequence[Case]) -> list[Outcome]:
    """Return what came of each case, in order.

    A current rulebook is loaded in the other editions that cases name as well, without its errata; any
    other edition skips the cases that are not its own. Raises what loading an edition raises, and
    InputError or StateError naming the case and its place when it does not fit the rulebook: a
    fact that cannot be, a step that is not legal, an impossible position.
    """
    books = _editions(book, {case.edition for case in cases})
    for each in books.values():
        session(each)  # what is wrong with the rulebook is no case's mistake
    return [_run(books.get(case.edition, book), case) for case in cases]


def _editions(book: Rulebook, wanted: Collection[str]) -> dict[str, Rulebook]:
    """Return the rulebook in each of the editions to judge cases under."""
    books = {book.edition: book}
    if book.edition == CURRENT:
        for edition in sorted({*wanted} & {*editions(book.root)} - {CURRENT}):
            books[edition] = load_rulebook(book.root, edition)
    return books


def why_skipped(book: Rulebook, case: Case) -> str:
    """Return why a case cannot be asked of this rulebook, or nothing."""
    if case.edition != book.edition:
        if case.edition in editions(book.root):
            return f"edition {case.edition} is not loaded"
        return f"there is no edition {case.edition}"
    for wanted in case.clauses:
        if not any(names_clause(wanted, clause.id) for clause in book.clauses):
            return f"there is no clause {wanted}"
    return ""


def is_absent(error: LexBelliError) -> bool:
    """Say whether an error is about a name that the rulebook does not have."""
    return isinstance(error, UnknownNameError) or (isinstance(error, StateError) and error.unknown)


@contextmanager
def naming(case: Case) -> Iterator[None]:
    """Say in every error which case it is about, and where that is."""
    try:
        yield
    except LexBelliError as error:
        error.message = f"case {case.id}: {error.message}"
        if error.place is None or error.place.file == case.id:  # the position bears the case's name
            error.place = case.place
        raise


def _run(book: Rulebook, case: Case) -> Outcome:
    skipped = why_skipped(book, case)
    if skipped:
        return Outcome(case, "skipped", case.expected, None, (), skipped)
    try:
        with naming(case):
            answer = _ask(book, case, case_state(book, case))
    except LexBelliError as error:
        if not is_absent(error):
            raise
        reason = error.message.removeprefix(f"case {case.id}: ")
        reason += f"; {error.hint}" if error.hint else ""
        return Outcome(case, "skipped", case.expected, None, (), reason)
    missing = tuple(
        wanted
        for wanted in case.clauses
        if not any(names_clause(wanted, clause) for clause in answer.clauses)
    )
    reason = ""
    if not _same(answer.value, case.expected):
        reason = "another answer"
    elif missing:
        reason = f"not decided by {', '.join(sorted(missing, key=clause_key))}"
    elif case.asks_cost and not _same(answer.cost, case.cost):
        reason = f"the cost is {answer.cost}, not {case.cost}"
    outcome = "failed" if reason else "passed"
    return Outcome(case, outcome, case.expected, answer.value, answer.clauses, reason)


def case_state(book: Rulebook, case: Case) -> State:
    """Return the checked position that a case asks about, after its play."""
    state = case_start(book, case)
    refuse_impossible(book, state)
    return case_game(book, case, state).state if case.play else state


def case_start(book: Rulebook, case: Case) -> State:
    """Return the position that a case begins with; it may still be impossible."""
    changed = changes(case.set, case.unset, case.place)
    return resolve(book, from_changes(book, case.id, case.base, changed, case.place))


def case_game(book: Rulebook, case: Case, state: State) -> Game:
    """Return the play that leads to a case's question. Raises StateError when a step is refused."""
    game = play(book, state, case.play)
    if game.refused is not None:
        raise StateError(
            f"step {len(game.steps) + 1}: {game.refused} is {game.verdict}",
            place=case.place,
            hint="only legal actions are played; set:FACT and unset:FACT write what else happens",
        )
    return game


def case_subject(book: Rulebook, case: Case, state: State) -> str:
    """Return what a case asks about, as the rulebook spells it.

    Raises InputError or UnknownNameError when there is no such thing.
    """
    known: dict[str, Callable[[], str]] = {
        "action": lambda: known_action(book, case.subject, state),
        "quantity": lambda: known_quantity(book, state, case.subject),
        "duty": lambda: duty_status(book, state, case.subject).duty,
        "fact": lambda: known_fact(book, state, case.subject),
    }
    return known[case.question]()


def _same(found: object, expected: object) -> bool:
    """Compare without taking true for 1."""
    return found == expected and isinstance(found, bool) == isinstance(expected, bool)


def _ask(book: Rulebook, case: Case, state: State) -> Answer:
    ask: dict[str, Callable[[], Answer]] = {
        "action": lambda: _ask_action(book, state, case.subject),
        "quantity": lambda: _ask_quantity(book, state, case.subject),
        "duty": lambda: _ask_duty(book, state, case.subject),
        "fact": lambda: _ask_fact(book, state, case.subject),
    }
    return ask[case.question]()


def _ask_action(book: Rulebook, state: State, subject: str) -> Answer:
    move = judged_move(book, state, subject)
    return Answer(move.verdict, move.clauses, move.cost)


def _ask_quantity(book: Rulebook, state: State, subject: str) -> Answer:
    value = value_of(book, state, subject)
    return Answer(value.value, value.clauses)


def _ask_duty(book: Rulebook, state: State, subject: str) -> Answer:
    duty = duty_status(book, state, subject)
    return Answer(duty.status, duty.clauses)


def _ask_fact(book: Rulebook, state: State, subject: str) -> Answer:
    found = conclusion(book, state, subject)
    return Answer(found.holds, found.clauses)
