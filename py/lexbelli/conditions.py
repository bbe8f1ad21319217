"""What a norm asks for, condition by condition, and which of it a state meets.

A body splits into conditions: groups of literals connected by variables that the head does not bind.
With the head's term given, the groups are independent, so the unmet ones are precisely why the clause
does not speak. Each group is put to clingo as a rule of its own over the atoms of the state.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from clingo import Symbol
from clingo.ast import AST, Sign

from lexbelli.literals import (
    Group,
    has_words,
    is_plain,
    lifted_atoms,
    named_literals,
    plain_head,
    predicates,
    split_body,
    variables,
)
from lexbelli.model import Condition
from lexbelli.phrases import Wording
from lexbelli.solver import World, probe
from lexbelli.speaking import Evidence, Speaker

_PROBED = frozenset({"unifies__", "bind__", "met__", "joint__", "seen__"})


@dataclass(frozen=True, slots=True)
class Question:
    """One rule to take apart: its body, and the term of its head that is already known.

    `wanted` says that its conditions are such as one would like to meet.
    """

    pattern: AST
    term: Symbol
    body: Sequence[AST]
    wanted: bool = True


def explain(
    questions: Sequence[Question], world: World, words: Wording
) -> list[tuple[Condition, ...] | None]:
    """Return the conditions of each question in a state, given as all its true atoms.

    None stands for a rule that is not about the term at all: its head does not fit, or a condition
    that no state can change, and that has no phrase, is not met.
    """
    if not questions:
        return []
    questions = [_plain(question) for question in questions]
    literals = [literal for question in questions for literal in question.body]
    wanted = {name for literal in literals for name in predicates(literal)}
    facts = [atom for name in sorted(wanted) for atom in world.get(name, ())]
    fitting = [line for n, q in enumerate(questions) for line in _fitting(n, q, words)]
    fits = _Found(probe(facts, "\n".join(fitting), _PROBED))
    known = [fits.known(number) for number in range(len(questions))]
    groups = [split_body(q.body, k) for q, k in zip(questions, known, strict=True)]
    program = [line for n in range(len(questions)) for line in _program(n, groups[n], known[n])]
    found = _Found(probe(facts, "\n".join(program), _PROBED))
    answers: list[tuple[Condition, ...] | None] = []
    for number, question in enumerate(questions):
        evidence = [
            found.evidence((number, place), group, known[number])
            for place, group in enumerate(groups[number])
        ]
        fitted = number in fits.unifies
        answers.append(_conditions(question, groups[number], evidence, words) if fitted else None)
    return answers


def _plain(question: Question) -> Question:
    """Return the same question about a head from which all variables can be told."""
    pattern, parts = plain_head(question.pattern)
    return replace(question, pattern=pattern, body=(*question.body, *parts)) if parts else question


def _fitting(number: int, question: Question, words: Wording) -> Iterator[str]:
    """Write the rules that fit a head to its term.

    Literals without a phrase, such as which country an area belongs to, only bind variables.
    """
    fits = f"{question.pattern}={question.term}"
    for name in dict.fromkeys(variables(question.pattern)):
        yield f'bind__({number},"{name}",{name}) :- {fits}.'
    binding = [
        literal
        for literal in question.body
        if is_plain(literal) and literal.sign == Sign.NoSign and not has_words(literal, words)
    ]
    atoms, lifted = lifted_atoms(binding, variables(question.pattern))
    body = ", ".join([fits, *atoms, *lifted])
    yield f"unifies__({number}) :- {body}."
    own = {name for literal in binding for name in variables(literal)}
    for name in dict.fromkeys(name for text in (*atoms, *lifted) for name in variables(text)):
        if name in own:
            yield f'bind__({number},"{name}",{name}) :- {body}.'


def _program(number: int, groups: Sequence[Group], known: Mapping[str, Symbol]) -> Iterator[str]:
    """Write the rules that tell which conditions hold, and which atoms make them so."""
    given = [f"{name}={value}" for name, value in known.items()]
    for place, group in enumerate(groups):
        body = ", ".join([*given, *(str(literal) for literal in group)])
        yield f"met__({number},{place}) :- {body}."
        named, holding = named_literals(group)
        negated = any(is_plain(lit) and lit.sign != Sign.NoSign for lit in group)
        if holding and not negated:
            joint = ", ".join([*given, *named])
            yield f"joint__({number},{place},({','.join(holding)},)) :- {joint}."
        for index, literal in enumerate(group):
            if is_plain(literal):
                (atom,), lifted = lifted_atoms([literal], known)
                body = ", ".join([*given, atom, *lifted])
                yield f"seen__({number},{place},{index},{atom}) :- {body}."


class _Found:
    """What a probe answered, by question."""

    def __init__(self, symbols: Iterable[Symbol]) -> None:
        self.unifies: set[int] = set()
        self._values: dict[int, dict[str, list[Symbol]]] = {}
        self._met: set[tuple[int, int]] = set()
        self._joint: dict[tuple[int, int], list[Symbol]] = {}
        self._seen: dict[tuple[int, int, int], list[Symbol]] = {}
        for symbol in symbols:
            self._take(symbol.name, symbol.arguments[0].number, symbol.arguments[1:])

    def _take(self, name: str, number: int, rest: Sequence[Symbol]) -> None:
        if name == "unifies__":
            self.unifies.add(number)
        elif name == "bind__":
            values = self._values.setdefault(number, {})
            values.setdefault(rest[0].string, []).append(rest[1])
        elif name == "met__":
            self._met.add((number, rest[0].number))
        elif name == "joint__":
            self._joint.setdefault((number, rest[0].number), list(rest[1].arguments))
        else:
            key = (number, rest[0].number, rest[1].number)
            self._seen.setdefault(key, []).append(rest[2])

    def known(self, number: int) -> dict[str, Symbol]:
        """Return the variables of a question that can have one value only."""
        values = self._values.get(number, {})
        return {name: found[0] for name, found in values.items() if len(found) == 1}

    def evidence(self, at: tuple[int, int], group: Group, binds: Mapping[str, Symbol]) -> Evidence:
        """Return what was found of one condition of one question."""
        seen = [self._seen.get((*at, index), []) for index in range(len(group))]
        return Evidence(at in self._met, binds, self._joint.get(at, []), seen)


def _conditions(
    question: Question, groups: Sequence[Group], evidence: Sequence[Evidence], words: Wording
) -> tuple[Condition, ...] | None:
    """Return the conditions in words, or None when one without words is not met."""
    conditions = []
    for group, shown in zip(groups, evidence, strict=True):
        speaker = Speaker(group, shown, words, wanted=question.wanted)
        if speaker.has_words():
            conditions.append(speaker.condition())
        elif not speaker.met:
            return None
    return tuple(conditions)
