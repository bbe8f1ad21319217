"""Explanations: every clause that speaks, with its conditions in words."""

import random
import shutil
from collections import Counter
from pathlib import Path

import pytest
from tests.support import random_state

from lexbelli import Entry, Explanation, Rulebook, load_rulebook, load_state, moves, why
from lexbelli.reify import reify
from lexbelli.states import session_for
from lexbelli.terms import parse_term
from lexbelli.why import spoken_entries

INTEREST = ["rgt(30)", "economic_interest(germany,rumania)", "phase(russia,declaration)"]


def explained(book: Rulebook, base: str, changes: list[str], action: str) -> Explanation:
    return why(book, load_state(book, base, set=changes), action)


def by_clause(entries: tuple[Entry, ...]) -> dict[str, Entry]:
    return {entry.clause: entry for entry in entries}


def unmet(entry: Entry) -> list[str]:
    return [condition.phrase for condition in entry.conditions if not condition.met]


def test_a_declaration_on_a_country_with_a_german_interest(book: Rulebook) -> None:
    found = explained(book, "spring_1940", INTEREST, "declare_war(russia,rumania)")
    assert found.move.verdict == "forbidden"
    forbidding = by_clause(found.forbidden_by)
    assert set(forbidding) == {"63.51E.s1a", "69.21.s1"}
    phrases = [c.phrase for c in forbidding["69.21.s1"].conditions]
    assert phrases == [
        "Germany has an economic interest in Rumania",
        "RGT is 30 (below 35)",
        "Russia has not declared war on Germany",
    ]
    lacking = {clause: unmet(entry) for clause, entry in by_clause(found.would_permit).items()}
    assert lacking == {
        "63.51D": ["Germany has an economic interest in Rumania"],
        "63.51E.s1a": ["RGT is 30, must be at least 35"],
    }


def test_the_facts_behind_a_condition_are_facts_of_the_state(book: Rulebook) -> None:
    found = explained(
        book, "spring_1940", ["associated(turkey,germany)", "rgt(45)"], "declare_war(russia,turkey)"
    )
    controls = by_clause(found.forbidden_by)["63.51E.s1b"].conditions[-1]
    assert controls.phrase == "Germany controls Turkey"
    assert controls.facts == ("associated(turkey,germany)",)


def test_what_is_set_aside_names_the_clause_above_it(book: Rulebook) -> None:
    found = explained(
        book, "campaign_1939", ["phase(russia,declaration)"], "declare_war(russia,baltic_states)"
    )
    assert [(e.clause, e.head, e.by) for e in found.overridden] == [
        ("63.51D", "forbids", ("65.22.s2",))
    ]
    assert [e.clause for e in found.permitted_by] == ["65.22.s2"]


def test_an_obligation_permits_the_ways_to_meet_it(book: Rulebook) -> None:
    changes = [
        *INTEREST, "rgt(40)", "declared_war(russia,rumania)", "at_war(russia,rumania)",
        "supported(germany,rumania)",
    ]  # fmt: skip
    found = explained(book, "spring_1940", changes[1:], "back_down(russia,rumania)")
    (entry,) = found.permitted_by
    assert (entry.clause, entry.head) == ("69.21.s2b", "obliges")
    assert [c.phrase for c in entry.conditions] == [
        "Germany has announced its support for Rumania",
        "RGT is 40 (at least 35)",
    ]


def test_an_unavailable_action_says_what_stands_in_its_way(book: Rulebook) -> None:
    found = explained(book, "spring_1940", ["phase(axis,combat)"], "rebuild(finland,aaf)")
    assert [c.phrase for c in found.unavailable] == ["units of Finland in the box: 0 air factor"]
    found = explained(book, "spring_1940", [], "rebuild(finland,aaf)")
    assert "it is not the player turn of Finland" in [c.phrase for c in found.unavailable]


def test_a_clause_about_other_things_is_not_listed(book: Rulebook) -> None:
    found = explained(book, "spring_1940", [], "declare_war(russia,germany)")
    listed = (*found.forbidden_by, *found.would_permit, *found.would_forbid, *found.permitted_by)
    assert {entry.clause for entry in listed} == {"63.51H", "69.21.s2b"}


def test_a_value_that_is_not_there_is_said_so(book: Rulebook) -> None:
    found = explained(book, "spring_1940", ["phase(russia,movement)"], "enter(russia,bessarabia)")
    (condition,) = by_clause(found.would_permit)["66.12B.c"].conditions
    assert condition.phrase.startswith("no result answers a Russian demand on Rumania")


def test_ending_a_phase_lists_the_duties_left(book: Rulebook) -> None:
    found = explained(book, "spring_1940", ["phase(russia,end)"], "end_phase")
    assert found.move.verdict == "legal"
    assert found.duties_left == (
        "garrison(aaf)", "garrison(armor_3_5)", "garrison(infantry_2_3)", "garrison(infantry_3_3)",
    )  # fmt: skip


def test_every_entry_agrees_with_the_verdict(book: Rulebook) -> None:
    """What the explanation says a clause does is what the judged state says it does."""
    rng = random.Random(69)
    for _ in range(12):
        state = random_state(book, rng, 20)
        (position,) = moves(book, [state], every=True)
        spoken = [m for m in position.moves if m.clauses or m.overridden]
        for move in rng.sample(spoken, min(3, len(spoken))):
            found = why(book, state, move.action)
            assert found.move == move
            assert all(entry.met for entry in (*found.forbidden_by, *found.permitted_by))
            speaking = {e.clause for e in (*found.forbidden_by, *found.permitted_by)}
            assert set(move.clauses) <= speaking
            assert set(move.overridden) == {e.clause for e in found.overridden}


def test_each_mark_agrees_with_the_condition_evaluated_by_itself(book: Rulebook) -> None:
    """Against the conditions as atoms of their own, in one grounding of all of them."""
    reified = reify(book)
    conditions: dict[tuple[int, str], dict[int, int]] = {}
    for (number, index, action), literal in reified.session.atoms("cond__", 3):
        conditions.setdefault((int(number), action), {})[int(index)] = literal
    about = {(int(n), action): literal for (n, action), literal in reified.session.atoms("about__", 2)}
    heads = ("permits", "opens", "meets", "forbids")
    rng = random.Random(11)
    for _ in range(4):
        state = random_state(book, rng)
        world = session_for(book, state.facts).everything(state.facts)
        actions = sorted(
            {action for number, action in about if reified.norms[number].norm.head in heads}
        )
        for action in rng.sample(actions, 25):
            with reified.session.model(state.facts) as model:
                expected = Counter(
                    (one.norm.clause, one.norm.head, tuple(
                        model.is_true(conditions.get((one.number, action), {}).get(index, -1))
                        if index in conditions.get((one.number, action), {}) else False
                        for index in range(len(one.conditions))
                    ))
                    for one in reified.norms
                    if one.norm.head in heads and (one.number, action) in about
                    and model.is_true(about[one.number, action])
                )  # fmt: skip
            entries = spoken_entries(book, world, heads, parse_term(action))
            got = Counter((e.clause, e.head, tuple(c.met for c in e.conditions)) for e in entries)
            assert got == expected, (state.facts, action)


def test_what_is_negated_for_anybody_is_traced(book: Rulebook) -> None:
    changes = [
        "phase(axis,start)",
        "controls(russia,a46)",
        "controls(russia,b45)",
        "controls(russia,c44)",
    ]
    state = load_state(book, "spring_1940", set=changes)
    found = why(book, state, "set_up(finland,finnish_border_hexes)")
    assert found.move.verdict == "not_permitted"


COMPUTED = """
reads("light(Person)", "{Person} has few books for the coins", "{Person} has many books for the coins").
light(Person) :-
    money(Person,Coins), rank(Person,Rank), at_most(Person,(Coins+Rank)/2), table((Coins+1)/2,Coins).
reads("at_most(Person,N)", "{Person} has at most {N} books", "{Person} has more than {N} books").
at_most(Person,N..9) :- books(Person,N).
rank(ann,1). rank(bob,2). table((N+1)/2,N) :- N = 0..9.
reads("next(Person)", "{Person} comes next", "{Person} does not come next").
next(Person) :- succ(N-1,N), rank(Person,N+(1;1)), books(Person,-N*-1), books(Person,|N|), few(N..2*N).
few(1;2;1+N) :- succ(N,2).
succ(0..5,1..6).
"""


@pytest.mark.parametrize(
    ("changes", "light", "next_"),
    # ann has rank 1: the coins and one more, halved; next she never can be. bob is, with one book
    [
        (("ann", 3, 2), True, None),
        (("ann", 2, 2), False, None),
        (("bob", 0, 1), True, True),
        (("bob", 0, 2), False, False),
    ],
)
def test_what_is_computed_in_conditions_and_heads_is_taken_apart(
    tmp_path: Path, changes: tuple[str, int, int], light: bool, next_: bool | None
) -> None:
    folder = tmp_path / "library"
    shutil.copytree(Path(__file__).parent.parent / "library_rulebook", folder)
    with (folder / "desk.lp").open("a") as desk:
        desk.write(COMPUTED)
    with (folder / "rules" / "1_lending.lp").open("a") as rules:
        for clause, condition in (("9.1", "light(P)"), ("9.2", "next(P)")):
            rules.write(f"\n%## {clause}  A test\n% > One.\n% kind: permission\n")
            rules.write(f'permits("{clause}",borrow(P)) :- person(P), {condition}.\n')
    book = load_rulebook(folder)
    person, coins, books = changes
    state = load_state(book, set=[f"money({person},{coins})", f"books({person},{books})"])
    told = why(book, state, f"borrow({person})")
    granting = {entry.clause for entry in told.permitted_by}
    assert ("9.1" in granting, "9.2" in granting) == (light, bool(next_))
    entries = {entry.clause: entry for entry in (*told.permitted_by, *told.would_permit)}
    assert ("9.2" in entries) == (next_ is not None)
    for clause, met in (("9.1", light), ("9.2", next_)) if "9.2" in entries else (("9.1", light),):
        assert all(c.met == met for c in entries[clause].conditions)
        assert entries[clause].conditions[0].because
        assert "_Head" not in str(entries[clause])
