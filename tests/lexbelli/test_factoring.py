"""What is grounded apart comes to the same."""

import random
from collections.abc import Iterable

import clingo
import pytest
from clingo.ast import AST, ProgramBuilder

from lexbelli.factoring import factored, with_factors
from lexbelli.parsing import parse_text

VARIABLES = "XYZUVW"
FACTS = "p(1..3,2..4). q(2..3). q(7). r(3,1). r(4,4). s(a,1). s(b,5)."


def drawn_rule(number: int, rng: random.Random) -> str:
    """Return a safe rule of up to six conditions, some of which share no variable with the rest."""
    head = rng.sample(VARIABLES, rng.randint(0, 2))
    body = [f"q({name})" for name in head]
    for _ in range(rng.randint(1, 4)):
        one, other = rng.sample(VARIABLES, 2)
        body.append(rng.choice([f"p({one},{other})", f"q({one})", f"r({one},{other})", "s(a,_)"]))
    bound = [name for name in VARIABLES if any(name in literal for literal in body)]
    for _ in range(rng.randint(0, 3)):
        if len(bound) > 1:
            one, other = rng.sample(bound, 2)
            body.append(rng.choice([f"{one} < {other}", f"{one} != 3", f"not p({one},{other})"]))
    rng.shuffle(body)
    return f"h({number},{','.join(['t', *head])}) :- {', '.join(body)}."


def answers(statements: Iterable[AST]) -> list[str]:
    """Return what the rules drawn derive."""
    control = clingo.Control(["--warn=none"])
    with ProgramBuilder(control) as builder:
        for statement in statements:
            builder.add(statement)
    control.ground()
    with control.solve(yield_=True) as handle:
        (model,) = handle
        return sorted(str(symbol) for symbol in model.symbols(atoms=True) if symbol.name == "h")


@pytest.mark.parametrize("seed", range(12))
def test_rules_with_conditions_grounded_apart_derive_the_same(seed: int) -> None:
    rng = random.Random(seed)
    statements = parse_text(FACTS + "".join(drawn_rule(n, rng) for n in range(60)))
    rules = [statement for statement in statements if ":-" in str(statement)]
    apart = list(with_factors(statements, rules))
    assert len(apart) > len(statements)
    assert answers(apart) == answers(statements)


def test_a_condition_is_grounded_apart_when_it_shares_no_variable() -> None:
    (rule,) = parse_text("h(X) :- p(X,Y), Y > 2, q(U), U < 3, not r(U,U), s(a,V), t.")[1:]
    *factors, plain = map(str, factored(rule, 7))
    assert factors == ["factor__(7) :- q(U); U < 3; not r(U,U).", "factor__(8) :- s(a,V)."]
    assert plain == "h(X) :- p(X,Y); Y > 2; t; factor__(7); factor__(8)."
