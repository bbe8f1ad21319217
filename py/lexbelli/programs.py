"""The ground programs that proofs about a whole rulebook are asked of, each made once and kept.

There are two, as most questions are about what the clauses say, and few about what the rulebook would
come to without one of them: each is grounded with no more than its questions ask for.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache

from clingo import Symbol
from clingo.ast import AST

from lexbelli.factoring import with_factors
from lexbelli.ground import Program
from lexbelli.model import State
from lexbelli.norms import EFFECTS, HEADS
from lexbelli.reify import lone_program
from lexbelli.rulebook import Rulebook, session
from lexbelli.solver import ground_rules
from lexbelli.states import load_state
from lexbelli.steps import steps_program
from lexbelli.strays import refuse_stray_effects
from lexbelli.terms import quoted, split_arguments
from lexbelli.twin_clauses import twins_program
from lexbelli.whole import Named, Whole

# what every program is asked about, with the number of arguments
STATES: Mapping[str, int] = {"state": 1, "unvalued": 1, "impossible": 1, "group": 2}
# what a rulebook comes to
ANSWERS: Mapping[str, int] = {"comes_to": 3, "can_happen": 1}
# what names an event, as its last argument
EVENTS: Mapping[str, int] = {"action": 1, "happening": 1, "stage": 3}
_SAID: Mapping[str, int] = {
    "clash": 4, "opposed": 2, "effective": 1, "speaks": 1, "gap": 2, "apart__": 3, "free__": 2,
    "barred__": 5,
}  # fmt: skip
_WITHOUT: Mapping[str, int] = {"sole": 1, "alone__": 2, **ANSWERS, **HEADS, **EVENTS}
# what every check asks, so that it is found out at once
_ALWAYS = ("clash", "effective", "gap", "apart__", "barred__", "free__", "sole", "alone__")
_ON_REQUEST = "LB107"


@lru_cache(maxsize=2)
def whole(book: Rulebook) -> Whole:
    """Return what the clauses of a rulebook say: where they clash, speak, or leave something out."""
    core = (*book.effects, *book.check, *book.tensions, *book.gaps)
    return _grounded(book, core, [steps_program(book), twins_program(book)], _SAID)


@lru_cache(maxsize=2)
def varied(book: Rulebook) -> Whole:
    """Return what a rulebook comes to, with what would be without a clause or a condition."""
    program = _grounded(
        book, (*book.effects, *book.compare, *book.sole), [lone_program(book)], _WITHOUT
    )
    said = ((head, atom) for head in sorted(EFFECTS) for atom in program.atoms[head])
    effects = ((head, *split_arguments(str(atom))) for head, atom in said)
    # at all values there are more of them than there are usually
    events = {str(atom.arguments[-1]) for name in EVENTS for atom in program.atoms[name]}
    refuse_stray_effects(book.norms, session(book), effects, events)
    return program


def _grounded(
    book: Rulebook, core: Sequence[AST], lines: Sequence[str], names: Mapping[str, int]
) -> Whole:
    norms = (norm.rule for norm in book.norms)
    statements = with_factors((*book.statements, *book.choice, *core), norms)
    force = "".join(f"{{in_force({quoted(clause.id)})}}." for clause in book.clauses)
    extra = "\n".join([force, every_value([book]), *lines])
    program, atoms = ground_rules(statements, extra, {**STATES, "in_force": 1, **names})
    switches = atoms["in_force"]
    always = [goal for name in _ALWAYS if name in names for goal in sorted(atoms[name])]
    usual = [goal for goal in always if goal.name != "clash" or goal.arguments[0].string != _ON_REQUEST]
    # what can have a say need not be asked whether it speaks
    deciding = {goal.arguments[0] for goal in atoms.get("effective", ())}
    usual += [goal for goal in sorted(atoms.get("speaks", ())) if goal.arguments[0] not in deciding]
    made_ = made(program, atoms, [book], dict.fromkeys(switches, True), switches)
    return replace(made_, always=usual)


def every_value(books: Iterable[Rulebook]) -> str:
    """Return the facts that ground every fact of these rulebooks at all its values."""
    wide = {name for book in books for name in session(book).names("wide")}
    return "".join(f"full({name})." for name in sorted(wide))


def made(
    program: Program,
    atoms: Named,
    books: Sequence[Rulebook],
    switches: Mapping[Symbol, bool],
    numbers: Mapping[Symbol, int],
) -> Whole:
    """Return a ground program with the scenarios of some rulebooks."""
    bases: dict[str, State] = {}
    narrow: set[str] = set()
    scale: dict[str, str] = {}
    for book in books:
        grounded = session(book)
        bases |= {name: load_state(book, name) for name in book.scenarios()}
        narrow.update(grounded.facts)
        scale |= grounded.mapping("scale")
    narrow.update(fact for base in bases.values() for fact in base.facts)
    return Whole(program, atoms, bases, narrow, scale, switches, numbers)
