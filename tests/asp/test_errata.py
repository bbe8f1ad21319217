"""The example errata: each resolves what it is for, brings nothing, and changes what it means to."""

import random
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest
from tests.support import changed_state, random_state

from lexbelli import (
    Change,
    Rulebook,
    State,
    StateError,
    conclusions,
    duties,
    judged_move,
    load_rulebook,
    load_state,
    moves,
    values,
)
from lexbelli.check import check
from lexbelli.facts import conclusion
from lexbelli.locate import shipped_rulebook

ERRATA = shipped_rulebook() / "errata"
CODES = ("LB101", "LB102", "LB103", "LB104", "LB105", "LB201", "LB202")
ROUNDS = 60  # random positions, each judged as it is and with the facts of a witness laid over it

Answers = dict[tuple[str, str], str]


@dataclass(frozen=True, slots=True)
class Example:
    """One erratum: the findings it resolves, and what it changes, with positions that show it."""

    name: str
    resolves: frozenset[str]
    changes: frozenset[tuple[str, str]]  # kind and subject
    ways: frozenset[tuple[str, str]]  # answers before and after
    witness: tuple[str, ...]  # facts to set in summer 1941, or spring 1940 without a war
    base: str = "summer_1941"


EXAMPLES = (
    # 69.21: support may be answered with war from tension 35, where 63.51H waits for 50
    Example(
        "answer_to_support",
        frozenset({"LB101:69.21.s2b+63.51H"}),
        frozenset({("action", "declare_war(russia,germany)")}),
        frozenset({("contested", "legal")}),
        (
            "rgt(35)",
            "economic_interest(germany,bulgaria)",
            "declared_war(russia,bulgaria)",
            "supported(germany,bulgaria)",
        ),
        "spring_1940",
    ),
    # 67.51: the border war decides, without any declaration of war as 67.42 asks for
    Example(
        "finnish_association",
        frozenset({"LB104:67.51+67.42"}),
        frozenset({("conclusion", "associates(finland,germany)")}),
        frozenset({("contested", "true")}),
        ("border_war_occurred(finland)",),
    ),
    # 66.32 and 67.32: Axis control is enough; 63.43 forbids it of conquered areas by itself
    Example(
        "axis_control_of_border_areas",
        frozenset(
            {
                "LB101:66.32.s5c+63.43.s2a",
                "LB101:67.32.s5c+63.43.s2b",
                # nor is a declaration asked for any more that 63.51E forbids
                "LB102:63.43.s2a+63.51E.s1b",
                "LB102:63.43.s2b+63.51E.s1b",
            }
        ),
        frozenset(
            {("action", "enter(russia,bessarabia)"), ("action", "enter(russia,finnish_border_hexes)")}
        ),
        frozenset({("contested", "legal"), ("forbidden", "legal")}),
        ("hex_control(germany,rumania)", "hex_control(germany,finland)"),
    ),
    # 65.21: a declaration of war on the Baltic States, whoever holds them
    Example(
        "baltic_declaration",
        frozenset({"LB101:63.41+63.42", "LB101:63.41+65.21.s1a", "LB101:63.41+65.211"}),
        frozenset(
            {("action", "enter(germany,baltic_states)"), ("action", "enter(russia,baltic_states)")}
        ),
        frozenset({("contested", "forbidden")}),
        ("controls(axis,parnu)",),
    ),
)
each = pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.name)


@cache
def corrected(name: str) -> Rulebook:
    return load_rulebook(errata=[ERRATA / f"{name}.lp"])


def ids(book: Rulebook) -> set[str]:
    return {finding.id for finding in check(book, codes=CODES).findings}


@pytest.fixture(scope="module")
def before(book: Rulebook) -> set[str]:
    return ids(book)


def answers(book: Rulebook, states: Iterable[State]) -> list[Answers]:
    """Return what a rulebook says about everything in some states."""
    found = []
    for position in moves(book, list(states), every=True):
        state = position.state
        told: Answers = {("action", move.action): move.verdict for move in position.moves}
        told |= {("duty", duty.duty): duty.status for duty in duties(book, state)}
        told |= {("value", value.quantity): str(value.value) for value in values(book, state)}
        told |= {
            ("conclusion", fact.fact): str(fact.holds).lower() for fact in conclusions(book, state)
        }
        found.append(told)
    return found


def differences(old: Answers, new: Answers) -> dict[tuple[str, str], tuple[str, str]]:
    return {
        key: (old.get(key, "unsaid"), new.get(key, "unsaid"))
        for key in old.keys() | new.keys()
        if old.get(key) != new.get(key)
    }


def positions(book: Rulebook, example: Example) -> Iterator[State]:
    """Return random positions, as they are and with what the example is about."""
    rng = random.Random(example.name)
    witness = load_state(book, example.base, set=example.witness)
    start = load_state(book, example.base)
    laid = [Change("set", fact) for fact in witness.facts if fact not in start.facts]
    for _ in range(ROUNDS):
        state = random_state(book, rng)
        yield state
        try:
            yield changed_state(book, state, laid)
        except StateError:
            yield changed_state(book, witness, [])


def test_every_erratum_is_an_example() -> None:
    assert {path.stem for path in ERRATA.iterdir()} == {example.name for example in EXAMPLES}


@each
def test_it_gives_its_reason(example: Example) -> None:
    (overlay,) = corrected(example.name).overlays
    assert overlay.made_for == "current"
    assert len(overlay.reason) > 100
    assert len(overlay.redefines) == len(overlay.changes) == 1


@each
def test_it_resolves_what_it_is_for_and_brings_nothing(example: Example, before: set[str]) -> None:
    after = ids(corrected(example.name))
    assert before - after == example.resolves
    assert after - before == set()


@each
def test_only_what_is_meant_changes(book: Rulebook, example: Example) -> None:
    states = list(positions(book, example))
    changed: dict[tuple[str, str], set[tuple[str, str]]] = {}
    pairs = zip(answers(book, states), answers(corrected(example.name), states), strict=True)
    for old, new in pairs:
        for subject, way in differences(old, new).items():
            changed.setdefault(subject, set()).add(way)
    assert changed, "no position shows what the erratum changes"
    assert changed.keys() <= example.changes
    assert set().union(*changed.values()) <= example.ways


# ---- one position each, worked out from the text -------------------------------------------------


def verdicts(name: str, book: Rulebook, action: str, *facts: str, base: str) -> tuple[str, str]:
    state = load_state(book, base, set=facts)
    old, new = (judged_move(b, state, action) for b in (book, corrected(name)))
    return old.verdict, new.verdict


@pytest.mark.parametrize(
    ("level", "before_and_after"),
    [
        (34, ("forbidden", "forbidden")),  # no duty: Germany supports from 35 on
        (35, ("contested", "legal")),
        (49, ("contested", "legal")),
        (50, ("legal", "legal")),
    ],
)
def test_support_is_answered_from_35_on(
    book: Rulebook, level: int, before_and_after: tuple[str, str]
) -> None:
    interest = "economic_interest(germany,bulgaria)"
    facts = (f"rgt({level})", interest, "declared_war(russia,bulgaria)", "supported(germany,bulgaria)")
    action = "declare_war(russia,germany)"
    assert verdicts("answer_to_support", book, action, *facts, base="spring_1940") == before_and_after


def test_without_support_the_limit_of_50_stands(book: Rulebook) -> None:
    found = verdicts(
        "answer_to_support", book, "declare_war(russia,germany)", "rgt(49)", base="spring_1940"
    )
    assert found == ("forbidden", "forbidden")


@pytest.mark.parametrize(
    ("facts", "old", "new"),
    [
        (("border_war_occurred(finland)",), "contested", True),
        (("border_war_occurred(finland)", "declared_war(russia,finland)"), True, True),
        ((), False, False),
    ],
)
def test_a_border_war_brings_finland_in(
    book: Rulebook, facts: tuple[str, ...], old: bool | str, new: bool | str
) -> None:
    state = load_state(book, "summer_1941", set=facts)
    erratum = corrected("finnish_association")
    found = [conclusion(b, state, "associates(finland,germany)").holds for b in (book, erratum)]
    assert found == [old, new]


@pytest.mark.parametrize(
    ("minor", "area"), [("rumania", "bessarabia"), ("finland", "finnish_border_hexes")]
)
def test_hex_control_makes_a_declaration_needless(book: Rulebook, minor: str, area: str) -> None:
    name, base = "axis_control_of_border_areas", "summer_1941"
    action, control = f"enter(russia,{area})", f"hex_control(germany,{minor})"
    assert verdicts(name, book, action, control, base=base) == ("contested", "legal")
    assert verdicts(name, book, action, base=base) == ("forbidden", "forbidden")
    partner = f"associated({minor},germany)"
    assert verdicts(name, book, action, partner, base=base) == ("legal", "legal")


RUSSIA_MOVES = ("phase(russia,movement)", "controls(axis,parnu)")
GERMANY_MOVES = ("phase(axis,movement)", "invasion_turn(first_axis)", "controls(russia,parnu)")


@pytest.mark.parametrize(("power", "facts"), [("russia", RUSSIA_MOVES), ("germany", GERMANY_MOVES)])
def test_the_baltic_states_take_a_declaration(
    book: Rulebook, power: str, facts: tuple[str, ...]
) -> None:
    name, base = "baltic_declaration", "summer_1941"
    action, declared = f"enter({power},baltic_states)", f"declared_war({power},baltic_states)"
    assert verdicts(name, book, action, *facts, base=base) == ("contested", "forbidden")
    assert verdicts(name, book, action, *facts, declared, base=base) == ("legal", "legal")


def test_errata_that_touch_different_clauses_go_together(before: set[str]) -> None:
    book = load_rulebook(errata=[ERRATA / f"{example.name}.lp" for example in EXAMPLES])
    after = ids(book)
    assert after - before == set()
    assert before - after == frozenset().union(*(example.resolves for example in EXAMPLES))


def test_errata_are_not_loaded_by_themselves(book: Rulebook) -> None:
    files = {Path(clause.place.file).parent.name for clause in book.clauses}
    assert files == {"rules"}
