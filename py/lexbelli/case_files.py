"""Reading verdict cases: what the text says of a position, worked out by hand, as TOML tables."""

import os.path
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lexbelli.errors import InputError, Place
from lexbelli.source import HIGHEST_INTEGER, read_text
from lexbelli.suggest import did_you_mean
from lexbelli.tables import parse_toml, shown

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
_HEADER = re.compile(r"""[ \t]*\[\[[ \t]*(?:case|"case"|'case')[ \t]*\]\][ \t]*(?:#.*)?\r?""")


@dataclass(frozen=True, slots=True)
class Case:
    """One case as written."""

    id: str
    title: str
    place: Place
    base: str | None
    set: tuple[str, ...]
    unset: tuple[str, ...]
    play: tuple[str, ...]  # steps played before the question is asked
    question: str  # a key of QUESTIONS
    subject: str
    expected: object
    clauses: tuple[str, ...]
    cost: int | str | None = None
    asks_cost: bool = False
    edition: str = "current"


def read_cases(paths: Iterable[Path | str]) -> list[Case]:
    """Return the cases of TOML files; a folder stands for the `.toml` files in it.

    A file is read once, however often it is named. Raises InputError naming file and case for
    anything that is not a case, and for an id used twice.
    """
    if isinstance(paths, str):
        raise TypeError(f"read_cases takes a list of files, not the text {paths!r}")
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
    found: dict[str, Path] = {}
    for path in paths:
        inside = sorted(path.glob("*.toml")) if os.path.isdir(path) else [path]
        if not inside:
            raise InputError("there is no .toml file in this folder", place=Place(str(path)))
        for file in inside:
            found.setdefault(os.path.realpath(file), file)
    return list(found.values())


def _read_file(path: Path) -> list[Case]:
    text = read_text(path)
    table = parse_toml(text, str(path))
    rows = table.get("case")
    if not isinstance(rows, list) or not rows or set(table) != {"case"}:
        raise InputError("a case file holds [[case]] tables and nothing else", place=Place(str(path)))
    lines = [n for n, line in enumerate(text.split("\n"), 1) if _HEADER.fullmatch(line)]
    if len(lines) != len(rows):  # a text that looks like a header, or a table written otherwise
        lines = [0] * len(rows)
    return [_read_row(row, Place(str(path), line)) for row, line in zip(rows, lines, strict=True)]


def _read_row(row: object, place: Place) -> Case:
    if not isinstance(row, dict):
        raise InputError("a case is a table", place=place)
    try:
        return _read_case(row, place)
    except InputError as error:
        name = row.get("id")
        if isinstance(name, str) and name.strip():
            error.message = f"case {name}: {error.message}"
        raise


def _read_case(row: Mapping[str, Any], place: Place) -> Case:
    for key in row:
        if key not in _KEYS:
            hint = did_you_mean(key, _KEYS)
            raise InputError(f"a case has no key {shown(key)}", place=place, hint=hint)
    question = _question(row, place)
    if "note" in row:
        _text(row, "note", place)
    return Case(
        id=_text(row, "id", place),
        title=_text(row, "title", place),
        place=place,
        base=_text(row, "base", place) if "base" in row else None,
        set=_texts(row, "set", place),
        unset=_texts(row, "unset", place),
        play=_texts(row, "play", place),
        question=question,
        subject=_text(row, question, place),
        expected=_expected(row, QUESTIONS[question], place),
        clauses=_texts(row, "clauses", place),
        cost=_number(row, "cost", place),
        asks_cost="cost" in row,
        edition=_text(row, "edition", place) if "edition" in row else "current",
    )


def _question(row: Mapping[str, Any], place: Place) -> str:
    """Return what the case asks, refusing the answers to other questions."""
    asked = [key for key in QUESTIONS if key in row]
    if len(asked) != 1:
        listed = ", ".join(QUESTIONS)
        raise InputError(f"a case asks about exactly one of {listed}", place=place)
    (question,) = asked
    answer = QUESTIONS[question]
    stray = [key for key in QUESTIONS.values() if key in row and key != answer]
    if "cost" in row and question != "action":
        stray.append("cost")
    if stray:
        raise InputError(f"{stray[0]} does not go with {question}", place=place)
    if question != "quantity" and answer not in row:
        raise InputError(f"the case does not say which {answer} is expected", place=place)
    return question


def _expected(row: Mapping[str, Any], answer: str, place: Place) -> object:
    allowed = _EXPECTED.get(answer)
    if allowed is None:
        return _number(row, answer, place)
    value = row[answer]
    if not any(type(value) is type(one) and value == one for one in allowed):  # 1 is not true
        *most, last = (shown(one).strip("'") for one in allowed)
        hint = did_you_mean(str(value), (*most, last)) if isinstance(value, str) else ""
        hint = hint or f"it is {', '.join(most)} or {last}"
        raise InputError(f"{answer} cannot be {shown(value)}", place=place, hint=hint)
    return value


def _number(row: Mapping[str, Any], key: str, place: Place) -> int | str | None:
    """Return a number, "contested", or None for a key that is not there."""
    value = row.get(key)
    if value is None or value == "contested":
        return value
    if not isinstance(value, int) or isinstance(value, bool):
        hint = 'it is a whole number or "contested"'
        raise InputError(f"{key} cannot be {shown(value)}", place=place, hint=hint)
    if abs(value) > HIGHEST_INTEGER:
        hint = f"the largest is {HIGHEST_INTEGER}"
        raise InputError(f"{key} cannot be {shown(value)}", place=place, hint=hint)
    return value


def _text(row: Mapping[str, Any], key: str, place: Place) -> str:
    value = row.get(key)
    if not isinstance(value, str) or not value.strip():
        found = f", not {shown(value)}" if key in row else ""
        raise InputError(f"a case needs {key}, a text{found}", place=place)
    return value


def _texts(row: Mapping[str, Any], key: str, place: Place) -> tuple[str, ...]:
    value = row.get(key, [])
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        raise InputError(f"{key} must be a list of texts", place=place)
    if not all(item.strip() for item in value):
        raise InputError(f"{key} holds an empty text", place=place)
    return tuple(value)
