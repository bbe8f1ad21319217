"""Which facts of a state stand behind an atom that the rules derive from it."""

from collections.abc import Iterable, Sequence
from functools import lru_cache

from clingo import Function, String, Symbol
from clingo.ast import AST, ASTType

from lexbelli.alone import VALUED
from lexbelli.literals import named_literals, predicates
from lexbelli.parsing import parse_text
from lexbelli.rulebook import Rulebook
from lexbelli.solver import World, probe
from lexbelli.terms import written

_DEEPEST = 10


@lru_cache(maxsize=8)
def rules_by_name(book: Rulebook) -> dict[str, list[AST]]:
    """Return the plain rules of the rulebook by the name of what they derive."""
    rules: dict[str, list[AST]] = {}
    for statement in (*book.statements, *parse_text(VALUED)):
        if statement.ast_type is ASTType.Rule:
            name = str(statement.head).partition("(")[0]
            rules.setdefault(name, []).append(statement)
    return rules


def supporting_facts(
    book: Rulebook, world: World, targets: Iterable[Symbol]
) -> dict[Symbol, tuple[str, ...]]:
    """Return, for each true atom, the facts of the state that one derivation of it rests on.

    `world` holds all true atoms of the state. What holds because something else does not is not
    followed further.
    """
    state = {atom.arguments[0] for atom in world.get("state", ())}
    wanted = list(dict.fromkeys(targets))
    behind: dict[Symbol, list[Symbol]] = {}
    pending = [atom for atom in wanted if atom not in state]
    for _ in range(_DEEPEST):
        if not pending:
            break
        step = _one_step(book, world, pending)
        behind.update(step)
        pending = list(
            dict.fromkeys(a for t in step.values() for a in t if a not in state and a not in behind)
        )
    return {atom: tuple(sorted(_leaves(atom, state, behind, set()))) for atom in wanted}


def _leaves(
    atom: Symbol, state: set[Symbol], behind: dict[Symbol, list[Symbol]], seen: set[Symbol]
) -> set[str]:
    if atom in state:
        return {written(atom)}
    if atom.name == "state":
        return {written(atom.arguments[0])}
    if atom in seen:
        return set()
    seen.add(atom)
    return {leaf for inner in behind.get(atom, ()) for leaf in _leaves(inner, state, behind, seen)}


def _one_step(book: Rulebook, world: World, pending: Sequence[Symbol]) -> dict[Symbol, list[Symbol]]:
    """Return, for each atom, the true atoms in the body of one rule that derives it."""
    rules = rules_by_name(book)
    program: list[str] = []
    names: set[str] = set()
    for number, atom in enumerate(pending):
        for rule in rules.get(atom.name, ()):
            named, holding = named_literals(rule.body)
            names.update(name for literal in rule.body for name in predicates(literal))
            body = ", ".join([f"{rule.head.atom.symbol}={atom}", *named])
            program.append(f"from__({number},({','.join(holding)}{',' if holding else ''})) :- {body}.")
    facts = (atom for name in names for atom in world.get(name, ()))
    step: dict[Symbol, list[Symbol]] = {}
    for found in probe(facts, "\n".join(program), frozenset({"from__"})):
        atom = pending[found.arguments[0].number]
        step.setdefault(atom, list(found.arguments[1].arguments))
    return step


def involved_facts(book: Rulebook, world: World, sentence: str) -> tuple[str, ...]:
    """Return the facts of an impossible state that the impossibility rests on."""
    target = Function("impossible", [String(sentence)])
    return supporting_facts(book, world, [target])[target]
