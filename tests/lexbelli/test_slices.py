"""Slices answer as the whole program does: against a brute force that shares nothing with them."""

import random
from collections.abc import Iterator, Sequence
from itertools import product

from lexbelli.ground import Program, Rule
from lexbelli.slices import Slicer

ATOMS = 7


def random_program(rng: random.Random) -> list[Rule]:
    """Draw choices, rules upon rules, now and then a circle, and constraints."""
    chosen = rng.randint(2, 5)
    rules = []
    place = 1
    while place <= chosen:
        head = tuple(range(place, min(chosen, place + rng.randint(0, 1)) + 1))
        rules.append(Rule(head, (), choice=rng.random() < 0.85))
        place += len(head)
    for atom in range(chosen + 1, ATOMS + 1):
        for _ in range(rng.randint(1, 2)):
            highest = ATOMS if rng.random() < 0.1 else atom - 1
            rules.append(random_body(rng, (atom,), highest))
    rules += [random_body(rng, (), ATOMS) for _ in range(rng.randint(0, 2))]
    return rules


def random_body(rng: random.Random, head: tuple[int, ...], highest: int) -> Rule:
    atoms = rng.sample(range(1, highest + 1), rng.randint(1, min(3, highest)))
    body = tuple(atom * rng.choice((1, 1, -1)) for atom in atoms)
    if rng.random() < 0.25:
        weights = tuple(rng.randint(1, 2) for _ in body)
        return Rule(head, body, least=rng.randint(1, sum(weights)), weights=weights)
    return Rule(head, body)


def stable_models(rules: Sequence[Rule], atoms: Sequence[int]) -> Iterator[frozenset[int]]:
    """Return the stable models by trying every set of atoms."""
    for values in product((False, True), repeat=len(atoms)):
        model = frozenset(atom for atom, value in zip(atoms, values, strict=True) if value)
        if all(kept(rule, model, model) for rule in rules) and not any(
            all(kept(rule, smaller, model) for rule in rules) for smaller in subsets(model)
        ):
            yield model


def subsets(model: frozenset[int]) -> Iterator[frozenset[int]]:
    members = sorted(model)
    for values in product((False, True), repeat=len(members)):
        if not all(values):
            yield frozenset(atom for atom, value in zip(members, values, strict=True) if value)


def kept(rule: Rule, true: frozenset[int], model: frozenset[int]) -> bool:
    """Say whether a set of atoms keeps a rule of the reduct by a model."""
    met = [literal in true if literal > 0 else -literal not in model for literal in rule.body]
    weights = rule.weights or (1,) * len(met)
    least = rule.least if rule.weights else len(met)
    if sum(weight for weight, holds in zip(weights, met, strict=True) if holds) < least:
        return True
    if rule.choice:  # what is chosen follows from having been chosen
        return all(atom in true for atom in rule.head if atom in model)
    return any(atom in true for atom in rule.head)


def possible(rules: Sequence[Rule]) -> set[int]:
    atoms = sorted({abs(atom) for rule in rules for atom in (*rule.head, *rule.body)})
    return {atom for model in stable_models(rules, atoms) for atom in model}


def test_a_slice_answers_as_the_whole_program() -> None:
    rng = random.Random(77)
    smaller = 0
    for _ in range(1000):
        rules = random_program(rng)
        whole = possible(rules)
        if not whole and not any(True for _ in stable_models(rules, range(1, ATOMS + 1))):
            continue
        goals = rng.sample(range(1, ATOMS + 1), 4)
        slicer = Slicer(Program(rules, ()))
        for limit in (1, 3, 6):
            slices = list(slicer.slices(goals, limit))
            assert sorted(goal for piece in slices for goal in piece.goals) == sorted(goals)
            for piece in slices:
                assert whole & {*piece.goals} == possible(piece.rules) & {*piece.goals}, rules
                smaller += len(piece.rules) < len(rules)
    assert smaller > 100


def test_choices_that_are_made_are_left_out() -> None:
    """Against the same program with the choices written as rules."""
    rng = random.Random(7)
    for _ in range(200):
        rules = random_program(rng)
        free = sorted({atom for rule in rules if rule.choice for atom in rule.head})
        made = rng.sample(free, min(2, len(free)))
        true, false = set(made[:1]), set(made[1:])
        settled = [
            *(Rule((), (-atom,)) for atom in true),
            *(Rule((), (atom,)) for atom in false),
        ]
        whole = [*rules, *settled]
        if not any(True for _ in stable_models(whole, range(1, ATOMS + 1))):
            continue
        goals = [atom for atom in range(1, ATOMS + 1) if atom not in made]
        slicer = Slicer(Program(rules, ()), true=true, false=false)
        for piece in slicer.slices(goals, 1):
            assert possible(whole) & {*piece.goals} == possible(piece.rules) & {*piece.goals}, rules


def test_a_family_is_taken_whole_and_others_are_left() -> None:
    """1 and 2 exclude each other, and so do 3 and 4; 5 follows from 1, 6 from 3."""
    rules = [Rule((atom,), (), choice=True) for atom in (1, 2, 3, 4)]
    rules += [Rule((), (1, 2)), Rule((), (3, 4)), Rule((5,), (1,)), Rule((6,), (3,))]
    slicer = Slicer(Program(rules, ()))
    one, other = slicer.slices([5, 6], limit=3)
    assert (one.atoms, other.atoms) == ({1, 2, 5}, {3, 4, 6})
    (together,) = slicer.slices([5, 6], limit=6)
    assert together.atoms == {1, 2, 3, 4, 5, 6}
    assert slicer.cone([5]).atoms == {1, 5}


def test_what_depends_on_its_own_absence_restricts_what_is_below() -> None:
    """There is no stable model in which 1 holds, for 2 would follow from its own absence."""
    rules = [Rule((1,), (), choice=True), Rule((2,), (1, -2)), Rule((3,), (1,))]
    (piece,) = Slicer(Program(rules, ())).slices([3])
    assert 3 not in possible(piece.rules)
