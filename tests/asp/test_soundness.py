"""What must hold of the encoding in every state."""

import random

import pytest
from tests.support import random_state

from lexbelli import Rulebook
from lexbelli.phrases import wording
from lexbelli.rulebook import session
from lexbelli.states import session_for


def test_a_state_has_exactly_one_model(book: Rulebook) -> None:
    rng = random.Random(63)
    for _ in range(60):
        state = random_state(book, rng)
        session_for(book, state.facts).judge(state.facts)  # refuses a state with several


@pytest.mark.parametrize(
    ("heads", "listed"),
    [
        (("permits", "opens", "meets", "forbids"), "action"),
        (("obliges",), "duty"),
        (("concludes", "denies"), "derivable"),
    ],
)
def test_norms_speak_only_of_declared_terms(
    book: Rulebook, heads: tuple[str, ...], listed: str
) -> None:
    grounded = session(book)
    known = grounded.names(listed)
    spoken = {term for head in heads for _, term in grounded.pairs(head, 2)}
    assert spoken - known == set()


def test_effects_speak_only_of_state_facts(book: Rulebook) -> None:
    grounded = session(book, effects=True)
    wide = grounded.names("wide")
    known = set(grounded.facts) | set(grounded.mapping("same"))
    changed = {row[2] for head in ("initiates", "terminates") for row in grounded.pairs(head, 3)}
    stray = {fact for fact in changed - known if fact.partition("(")[0] not in wide}
    assert stray == set()


def test_quantities_are_declared(book: Rulebook) -> None:
    grounded = session(book)
    of_action = grounded.names("quantity_of")
    known = grounded.names("quantity") | {
        f"{name}({action})" for name in of_action for action in grounded.names("action")
    }
    assert {row[1] for row in grounded.pairs("sets", 3)} - known == set()


def test_every_fact_action_duty_and_conclusion_has_words(book: Rulebook) -> None:
    words = wording(book)
    grounded = session(book)
    terms = set(grounded.facts)
    for listed in ("action", "duty", "derivable", "quantity"):
        terms |= grounded.names(listed)
    bare = {term.partition("(")[0] for term in terms if words.say(term) == term}
    assert bare == set()


def test_outside_norms_are_the_three_that_were_agreed(book: Rulebook) -> None:
    outside = {c.id for c in book.clauses if c.id.startswith("outside.")}
    assert outside == {"outside.war", "outside.play", "outside.cost"}
