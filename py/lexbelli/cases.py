"""Verdict cases: what the text says of a position, worked out by hand, against what the rules say.

A case is skipped, and says why, when its edition, a clause it lists or a name it uses is not there.
"""

import tomllib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from lexbelli.duties import duty_status
from lexbelli.errors import InputError, LexBelliError, Place, StateError, UnknownNameError
from lexbelli.facts import conclusion
from lexbelli.model import State
from lexbelli.moves import judged_move
from lexbelli.play import Game, play
from lexbelli.rulebook import Rulebook
from lexbelli.source import read_text
from lexbelli.state_files import changes, from_changes
from lexbelli.states import refuse_impossible, resolve
from lexbelli.suggest import did_you_mean
from lexbelli.terms import clause_key, names_clause
from lexbelli.values import value_of

# what a case asks, and the key that holds the expected answer
QUESTIONS = {"action": "verdict", "quantity": "value", "duty": "status", "fact": "holds"}
_KEYS = {
    "id", "title", "base", "set", "unset", "play", "clauses", "cost", "edition", "note",
    *QUESTIONS, *QUESTIONS.values(),
}  # fmt: skip
_EXPECTED: Mapping[str, tuple[object, ...]] = {
    "verdict": ("legal", "contested", "forbidden", "not_permitted", "unavailable"),
    "status": ("met", "unmet", "impossible", "none"),
    "holds": (True, False, "contested"),
}


@dataclass(frozen=True, slots=True)
class Case:
    """One case as written."""

    id: str
    title: str
    place: Place
    base: object
    set: tuple[str, ...]
    unset: tuple[str, ...]
    play: tuple[str, ...]  # steps played before the question is asked
    question: str  # a key of QUESTIONS
    subject: str
    expected: object
    clauses: tuple[str, ...]
    cost: object = None
    asks_cost: bool = False
    edition: str = "current"


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of a case: `passed`, `failed` or `skipped`, and what was expected and found."""

    case: Case
    outcome: str
    expected: object
    got: object
    clauses: tuple[str, ...] = ()
    reason: str = ""
    decided: tuple[str, ...] = field(default=())


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer to a case's question: the value, the clauses behind it and a cost."""

    value: object
    clauses: tuple[str, ...]
    cost: object = None


# ---- reading -------------------------------------------------------------------------------------


def read_cases(paths: Iterable[Path | str]) -> list[Case]:
    """Return the cases of TOML files; a folder stands for the `.toml` files in it.

    Raises InputError naming file and case for anything that is not a case, and for an id used twice.
    """
    cases: list[Case] = []
    seen: dict[str, Place] = {}
    for path in _files(map(Path, paths)):
        for case in _read_file(path):
            if case.id in seen:
                raise InputError(
                    f"case {case.id!r} is there twice; the first is in {seen[case.id]}",
                    place=case.place,
                )
            seen[case.id] = case.place
            cases.append(case)
    return cases


def _files(paths: Iterable[Path]) -> list[Path]:
    found: list[Path] = []
    for path in paths:
        inside = sorted(path.glob("*.toml")) if path.is_dir() else [path]
        if not inside:
            raise InputError("there is no .toml file in this folder", place=Place(str(path)))
        found += inside
    return list(dict.fromkeys(found))


def _read_file(path: Path) -> list[Case]:
    place = Place(str(path))
    text = read_text(path)
    try:
        table = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise InputError(f"this is not TOML: {error}", place=place) from None
    except RecursionError:
        raise InputError("the file is nested too deeply", place=place) from None
    rows = table.get("case")
    if not isinstance(rows, list) or not rows or set(table) != {"case"}:
        raise InputError("a case file holds [[case]] tables and nothing else", place=place)
    lines = [n for n, line in enumerate(text.splitlines(), 1) if line.strip() == "[[case]]"]
    if len(lines) != len(rows):
        lines = [0] * len(rows)
    return [_read_case(row, Place(str(path), line)) for row, line in zip(rows, lines, strict=True)]


def _read_case(row: object, place: Place) -> Case:
    if not isinstance(row, dict):
        raise InputError("a case is a table", place=place)
    for key in row:
        if key not in _KEYS:
            hint = did_you_mean(key, _KEYS)
            raise InputError(f"a case has no key {key!r}", place=place, hint=hint)
    asked = [key for key in QUESTIONS if key in row]
    if len(asked) != 1:
        listed = ", ".join(QUESTIONS)
        raise InputError(f"a case asks about exactly one of {listed}", place=place)
    question = asked[0]
    answer = QUESTIONS[question]
    stray = [key for key in QUESTIONS.values() if key in row and key != answer]
    if stray:
        raise InputError(f"{stray[0]} does not go with {question}", place=place)
    if question != "quantity" and answer not in row:
        raise InputError(f"the case does not say which {answer} is expected", place=place)
    expected = row.get(answer)
    allowed = _EXPECTED.get(answer)
    if allowed is not None and expected not in allowed:
        hint = did_you_mean(str(expected), map(str, allowed))
        raise InputError(f"{answer} cannot be {expected!r}", place=place, hint=hint)
    if question == "quantity" and not isinstance(expected, int | str | None):
        raise InputError(f"value cannot be {expected!r}", place=place)
    return Case(
        id=_text(row, "id", place),
        title=_text(row, "title", place),
        place=place,
        base=row.get("base"),
        set=_texts(row, "set", place),
        unset=_texts(row, "unset", place),
        play=_texts(row, "play", place),
        question=question,
        subject=_text(row, question, place),
        expected=expected,
        clauses=_texts(row, "clauses", place),
        cost=row.get("cost"),
        asks_cost="cost" in row,
        edition=_text(row, "edition", place) if "edition" in row else "current",
    )


def _text(row: Mapping[str, Any], key: str, place: Place) -> str:
    value = row.get(key)
    if not isinstance(value, str) or not value:
        raise InputError(f"a case needs {key}, a text", place=place)
    return value


def _texts(row: Mapping[str, Any], key: str, place: Place) -> tuple[str, ...]:
    value = row.get(key, [])
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        raise InputError(f"{key} must be a list of texts", place=place)
    return tuple(value)


# ---- running -------------------------------------------------------------------------------------


def run_cases(book: Rulebook, cases: Sequence[Case]) -> list[Outcome]:
    """Return what came of each case, in order.

    Raises StateError naming the case when its position is impossible or contradicts itself.
    """
    return [_run(book, case) for case in cases]


def _run(book: Rulebook, case: Case) -> Outcome:
    if case.edition != book.edition:
        return _skipped(case, f"edition {case.edition} is not loaded")
    for wanted in case.clauses:
        if not any(names_clause(wanted, clause.id) for clause in book.clauses):
            return _skipped(case, f"there is no clause {wanted}")
    try:
        answer = _ask(book, case, case_state(book, case))
    except UnknownNameError as error:
        return _skipped(case, error.message)
    except StateError as error:
        if error.unknown:
            return _skipped(case, error.message)
        error.place = case.place
        error.message = f"case {case.id}: {error.message}"
        raise
    except LexBelliError as error:
        error.place = error.place or case.place
        raise
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
        raise StateError(f"the step {game.refused} is {game.verdict}", place=case.place)
    return game


def _skipped(case: Case, reason: str) -> Outcome:
    return Outcome(case, "skipped", case.expected, None, (), reason)


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
