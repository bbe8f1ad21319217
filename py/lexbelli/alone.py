"""One state, grounded by itself: where little is asked of it, and as a check on all states together."""

from collections.abc import Collection, Sequence

from clingo.ast import AST

from lexbelli.solver import LOCK, READ, Answer, World, ground_program
from lexbelli.terms import split_arguments

# what the choice of a state says in fewer rules: here it leads to the fact
VALUED = "valued(Group) :- state(Fact), group(Fact,Group)."


def judge_alone(statements: Sequence[AST], extra: str) -> Answer:
    """Judge one state by grounding it alone, with nothing assumed; slow, and a check on `Session`.

    `statements` leave out the choice of states, `extra` holds the facts of the one state.
    """
    atoms: dict[str, list[tuple[str, ...]]] = {}
    for name, symbols in world_alone(statements, extra, READ.keys()).items():
        for symbol in symbols:
            if READ[name] == len(symbol.arguments):
                atoms.setdefault(name, []).append(split_arguments(str(symbol)))
    return Answer(atoms)


def world_alone(statements: Sequence[AST], extra: str, names: Collection[str]) -> World:
    """Return the true atoms of these names in one state, grounded alone as `judge_alone` does.

    Where little is asked of one state, it is quicker than a `Session` for all of them.
    """
    control = ground_program(statements, f"{extra} {VALUED}")
    world: World = {}
    with LOCK, control.solve(yield_=True) as handle:
        model = handle.model()
        for symbol in model.symbols(atoms=True) if model else ():
            if symbol.name in names:
                world.setdefault(symbol.name, []).append(symbol)
    return world
