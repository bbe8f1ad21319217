"""Reasons behind reasons: what a derived fact rests on, and why one that does not hold does not.

A fact that holds is opened into the conditions of one rule that derives it; one that does not, into
what each rule that could derive it lacks. Facts of the state itself end the search.
"""

from collections.abc import Iterable, Mapping
from dataclasses import replace

from clingo import Symbol
from clingo.ast import AST

from lexbelli.conditions import Question, explain
from lexbelli.model import Condition
from lexbelli.norms import HEADS, alternatives
from lexbelli.phrases import wording
from lexbelli.rulebook import Rulebook
from lexbelli.solver import World
from lexbelli.terms import written
from lexbelli.trace import rules_by_name

DEEPEST = 6
Atom = tuple[Symbol, bool]  # with whether it holds
Reasons = dict[Atom, tuple[Condition, ...]]


def opened(book: Rulebook, world: World, conditions: Iterable[Condition]) -> dict[Condition, Condition]:
    """Return each condition with the reasons behind its facts, and behind those, down to the state.

    `world` holds all true atoms of the state.
    """
    asked = list(dict.fromkeys(conditions))
    state = {atom.arguments[0] for atom in world.get("state", ())}
    reasons: Reasons = {}
    pending = _atoms(asked, state, reasons)
    for _ in range(DEEPEST):
        if not pending:
            break
        found = _one_level(book, world, pending)
        reasons.update(found)
        pending = _atoms([c for said in found.values() for c in said], state, reasons)
    own = {
        atom: tuple(replace(reason, facts=_facts(reason, state)) for reason in said)
        for atom, said in reasons.items()
    }
    return {condition: _built(condition, own, frozenset()) for condition in asked}


def _facts(condition: Condition, state: set[Symbol]) -> tuple[str, ...]:
    """Return the facts of the state that a condition speaks of itself."""
    return tuple(written(atom) for atom, holds in condition.atoms if holds and atom in state)


def _atoms(conditions: Iterable[Condition], state: set[Symbol], known: Reasons) -> list[Atom]:
    """Return the atoms of conditions that are neither facts of the state nor opened already."""
    atoms = dict.fromkeys(atom for condition in conditions for atom in condition.atoms)
    return [atom for atom in atoms if atom not in known and not (atom[1] and atom[0] in state)]


def _one_level(book: Rulebook, world: World, pending: Iterable[Atom]) -> Reasons:
    """Return the conditions that atoms rest on, or that the rules for them lack."""
    rules = rules_by_name(book)
    asked = [
        (atom, rule, Question(pattern, atom[0], body))
        for atom in pending
        for rule in rules.get(atom[0].name, ())
        if (body := _body(rule, holds=atom[1])) is not None
        for pattern in alternatives(rule.head.atom.symbol)
    ]
    answers = explain([question for *_, question in asked], world, wording(book))
    found: Reasons = {}
    for ((symbol, holds), rule, _), conditions in zip(asked, answers, strict=True):
        if not conditions:
            continue
        clause = _clause(rule)
        met = all(condition.met for condition in conditions)
        if holds and met:
            found.setdefault((symbol, True), tuple(replace(c, clause=clause) for c in conditions))
        elif not holds and not met:
            unmet = tuple(replace(c, clause=clause) for c in conditions if not c.met)
            found[symbol, False] = (*found.get((symbol, False), ()), *unmet)
    return {atom: tuple(dict.fromkeys(said)) for atom, said in found.items()}


def _body(rule: AST, *, holds: bool) -> tuple[AST, ...] | None:
    """Return what a rule asks for beside facts of the state.

    None for a rule that draws on the state directly and did not apply: that goes without saying.
    """
    body = tuple(literal for literal in rule.body if not str(literal).startswith("state("))
    return None if len(body) < len(rule.body) and not holds else body


def _clause(rule: AST) -> str:
    """Return the clause that speaks through a rule, or nothing for a rule that only helps."""
    shape = str(rule.head)
    name, _, rest = shape.partition('("')
    return rest.partition('"')[0] if name in HEADS else ""


def _built(
    condition: Condition, reasons: Mapping[Atom, tuple[Condition, ...]], above: frozenset[Atom]
) -> Condition:
    """Return a condition with its reasons; what stands above it is not opened again."""
    because: list[Condition] = []
    for atom in condition.atoms:
        if atom in above or len(above) >= DEEPEST:
            continue
        for reason in reasons.get(atom, ()):
            inner = _built(reason, reasons, above | {atom})
            # what has no words is not shown itself, only what stands behind it
            because += inner.because if inner.wordless else [inner]
    kept = [inner for inner in dict.fromkeys(because) if inner.phrase != condition.phrase]
    return replace(condition, because=tuple(kept))
