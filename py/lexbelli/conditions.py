"""What a norm asks for, condition by condition, and which of it a state meets.

A body splits into conditions: groups of literals connected by variables that the head does not bind.
With the head's term given, the groups are independent, so the unmet ones are precisely why the clause
does not speak. Each group is put to clingo as a rule of its own over the atoms of the state.
"""

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from clingo import Function, Symbol, SymbolType
from clingo.ast import AST, ASTType, ComparisonOperator, Sign, Transformer, Variable

from lexbelli.model import Condition
from lexbelli.phrases import Wording
from lexbelli.solver import World, probe, written

_AT_LEAST = {
    ComparisonOperator.GreaterEqual: "at least",
    ComparisonOperator.GreaterThan: "above",
    ComparisonOperator.LessEqual: "at most",
    ComparisonOperator.LessThan: "below",
    ComparisonOperator.Equal: "equal to",
    ComparisonOperator.NotEqual: "other than",
}
_PROBED = frozenset({"unifies", "bind", "met", "joint", "seen"})


@dataclass(frozen=True, slots=True)
class Question:
    """One rule to take apart: its body, and the term of its head that is already known.

    `wanted` says that its conditions are such as one would like to meet.
    """

    pattern: AST
    term: Symbol
    body: Sequence[AST]
    wanted: bool = True


@dataclass(frozen=True, slots=True)
class _Group:
    """Literals that share variables the head does not bind."""

    literals: tuple[AST, ...]


class _Names(Transformer):
    """Collects variable names, and gives each anonymous variable a name of its own."""

    def __init__(self) -> None:
        self.names: list[str] = []

    def visit_Variable(self, node: AST) -> AST:  # noqa: N802 - the name clingo's visitor asks for
        name = node.name
        if name == "_":
            name = f"Any{len(self.names)}"
            node = Variable(node.location, name)
        self.names.append(name)
        return node


def variables(node: AST) -> list[str]:
    """Return the names of the variables of a term or literal, anonymous ones left out."""
    collector = _Names()
    collector.visit(node)
    return [name for name in collector.names if not name.startswith("Any")]


def named_literals(body: Iterable[AST]) -> tuple[list[str], list[str]]:
    """Write out a body with every variable named, and the atoms that must hold in it."""
    named = [_Names().visit(literal) for literal in body]
    holding = [str(_atom(lit)) for lit in named if _is_plain(lit) and lit.sign == Sign.NoSign]
    return [str(literal) for literal in named], holding


def explain(
    questions: Sequence[Question], world: World, words: Wording
) -> list[tuple[Condition, ...] | None]:
    """Return the conditions of each question in a state, given as all its true atoms.

    None stands for a rule that is not about the term at all: its head does not fit, or a condition
    that no state can change, and that has no phrase, is not met.
    """
    if not questions:
        return []
    literals = [literal for question in questions for literal in question.body]
    wanted = {name for literal in literals for name in _predicates(literal)}
    facts = [atom for name in sorted(wanted) for atom in world.get(name, ())]
    fitting = [line for n, q in enumerate(questions) for line in _fitting(n, q, words)]
    fits = _Found(probe(facts, "\n".join(fitting), _PROBED))
    groups = [
        [_Group(literals) for literals in split_body(question.body, fits.known(n))]
        for n, question in enumerate(questions)
    ]
    program = [
        line
        for number, question in enumerate(questions)
        for line in _program(number, question, groups[number], fits.known(number))
    ]
    found = _Found(probe(facts, "\n".join(program), _PROBED))
    found.binds = {number: fits.known(number) for number in range(len(questions))}
    found.unifies = fits.unifies
    return [
        _conditions(number, groups[number], question.wanted, found, words)
        for number, question in enumerate(questions)
    ]


def split_body(body: Sequence[AST], known: Container[str]) -> list[tuple[AST, ...]]:
    """Group the literals of a body by the variables whose values are not known, in their order."""
    groups: list[tuple[set[str], list[AST]]] = []
    for literal in body:
        free = {name for name in variables(literal) if name not in known}
        joined = [group for group in groups if group[0] & free]
        merged: tuple[set[str], list[AST]] = (set(free), [])
        for group in joined:
            merged[0].update(group[0])
            merged[1].extend(group[1])
            groups.remove(group)
        merged[1].append(literal)
        groups.append(merged)
    order = {id(literal): place for place, literal in enumerate(body)}
    split = [tuple(sorted(group[1], key=lambda lit: order[id(lit)])) for group in groups]
    return sorted(split, key=lambda group: order[id(group[0])])


def _predicates(literal: AST) -> Iterator[str]:
    if literal.ast_type is ASTType.Literal and literal.atom.ast_type is ASTType.SymbolicAtom:
        yield _atom(literal).name


def _atom(literal: AST) -> AST:
    """Return the term of a plain or negated literal."""
    term: AST = literal.atom.symbol
    return term


def _is_plain(literal: AST) -> bool:
    return literal.atom.ast_type is ASTType.SymbolicAtom


def has_words(literal: AST, words: Wording) -> bool:
    """Say whether a literal is one that users read about, not only the rules."""
    return _is_plain(literal) and words.knows(_atom(literal).name, len(_atom(literal).arguments))


def is_structural(literal: AST, words: Wording) -> bool:
    """Say whether a literal has no phrase and only binds variables."""
    return _is_plain(literal) and literal.sign == Sign.NoSign and not has_words(literal, words)


def _fitting(number: int, question: Question, words: Wording) -> Iterator[str]:
    """Write the rules that fit a head to its term.

    Literals without a phrase, such as which country an area belongs to, only bind variables.
    """
    fits = f"{question.pattern}={question.term}"
    yield f"unifies({number}) :- {fits}."
    for name in dict.fromkeys(variables(question.pattern)):
        yield f'bind({number},"{name}",{name}) :- {fits}.'
    binding = [
        literal
        for literal in question.body
        if _is_plain(literal) and literal.sign == Sign.NoSign and not has_words(literal, words)
    ]
    body = ", ".join([fits, *(str(literal) for literal in binding)])
    for name in dict.fromkeys(name for literal in binding for name in variables(literal)):
        yield f'bind({number},"{name}",{name}) :- {body}.'


def _program(
    number: int, question: Question, groups: Sequence[_Group], known: Mapping[str, Symbol]
) -> Iterator[str]:
    """Write the rules that tell which conditions hold, and which atoms make them so."""
    given = [f"{name}={value}" for name, value in known.items()]
    for place, group in enumerate(groups):
        body = ", ".join([*given, *(str(literal) for literal in group.literals)])
        yield f"met({number},{place}) :- {body}."
        named, holding = named_literals(group.literals)
        negated = any(_is_plain(lit) and lit.sign != Sign.NoSign for lit in group.literals)
        if holding and not negated:
            joint = ", ".join([*given, *named])
            yield f"joint({number},{place},({','.join(holding)},)) :- {joint}."
        for index, literal in enumerate(group.literals):
            if _is_plain(literal):
                atom = str(_atom(_Names().visit(literal)))
                yield f"seen({number},{place},{index},{atom}) :- {', '.join([*given, atom])}."


class _Found:
    """What the probe answered, by question."""

    def __init__(self, symbols: Iterable[Symbol]) -> None:
        self.unifies: set[int] = set()
        self.binds: dict[int, dict[str, Symbol]] = {}
        self._values: dict[int, dict[str, list[Symbol]]] = {}
        self.met: set[tuple[int, int]] = set()
        self.joint: dict[tuple[int, int], list[Symbol]] = {}
        self.seen: dict[tuple[int, int, int], list[Symbol]] = {}
        for symbol in symbols:
            arguments = symbol.arguments
            number = arguments[0].number
            if symbol.name == "unifies":
                self.unifies.add(number)
            elif symbol.name == "bind":
                values = self._values.setdefault(number, {})
                values.setdefault(arguments[1].string, []).append(arguments[2])
            elif symbol.name == "met":
                self.met.add((number, arguments[1].number))
            elif symbol.name == "joint":
                self.joint.setdefault((number, arguments[1].number), list(arguments[2].arguments))
            else:
                key = (number, arguments[1].number, arguments[2].number)
                self.seen.setdefault(key, []).append(arguments[3])

    def known(self, number: int) -> dict[str, Symbol]:
        """Return the variables of a question that can have one value only."""
        values = self._values.get(number, {})
        return {name: found[0] for name, found in values.items() if len(found) == 1}


def _conditions(
    number: int, groups: Sequence[_Group], wanted: bool, found: _Found, words: Wording
) -> tuple[Condition, ...] | None:
    if number not in found.unifies:
        return None
    conditions = []
    for place, group in enumerate(groups):
        speaker = _Speaker((number, place), group, found, words, wanted=wanted)
        if speaker.has_words():
            conditions.append(speaker.condition())
        elif not speaker.met:
            return None
    return tuple(conditions)


class _Speaker:
    """Puts one condition into words."""

    def __init__(
        self, at: tuple[int, int], group: _Group, found: _Found, words: Wording, *, wanted: bool
    ) -> None:
        number, place = at
        self._unmet = "must be" if wanted else "not"
        self.met = (number, place) in found.met
        self._group = group
        self._words = words
        self._binds = found.binds.get(number, {})
        self._joint = found.joint.get((number, place), [])
        self._seen = [
            found.seen.get((number, place, index), []) for index in range(len(group.literals))
        ]

    def has_words(self) -> bool:
        return any(has_words(literal, self._words) for literal in self._group.literals)

    def condition(self) -> Condition:
        phrases: list[str] = []
        needed: list[str] = []
        facts: list[str] = []
        joint = iter(self._joint)
        for literal, seen in zip(self._group.literals, self._seen, strict=True):
            if not _is_plain(literal):
                continue
            positive = literal.sign == Sign.NoSign
            here = next(joint, None) if positive else None
            if not has_words(literal, self._words):
                continue
            shown = [here] if here is not None and self.met else seen[:3]
            said, wanted = self._literal(literal, shown, positive)
            phrases.append(said)
            if wanted:
                needed.append(wanted)
            facts += [written(atom) for atom in shown]
        return Condition(
            met=self.met,
            phrase=" and ".join(phrases),
            needed="" if self.met else " and ".join(needed),
            facts=tuple(dict.fromkeys(facts)),
        )

    def _literal(self, literal: AST, shown: Sequence[Symbol], positive: bool) -> tuple[str, str]:
        """Return how things stand with one literal, and what would be needed."""
        limits = self._limits(literal)
        if shown:
            said = " and ".join(self._words.say(atom) for atom in shown)
        else:
            said = self._absent(literal)
        if limits:
            said += f" ({limits})" if self.met else f", {self._unmet} {limits}"
        wanted = ""
        if not self.met:
            if limits:
                wanted = f"{_subject(self._words, literal, shown)} {limits}".strip()
            elif positive and not shown:
                wanted = self._general(literal, holds=True)
            elif not positive and shown:
                wanted = " and ".join(self._words.say(atom, holds=False) for atom in shown)
        return said, wanted

    def _absent(self, literal: AST) -> str:
        atom = _atom(literal)
        given = {
            place: value
            for place, argument in enumerate(atom.arguments)
            if (value := self._value(argument)) is not None
        }
        if len(given) < len(atom.arguments):
            shape = _shape(atom, given)
            none = self._words.say_none(shape, given)
            if none is not None:
                return none
        return self._general(literal, holds=False)

    def _general(self, literal: AST, *, holds: bool) -> str:
        """Say a literal whose variables may be unbound."""
        return self._words.say(self._term(_atom(literal)), holds=holds)

    def _term(self, term: AST) -> Symbol:
        value = self._value(term)
        if value is not None:
            return value
        if term.ast_type is ASTType.Function:
            return Function(term.name, [self._term(argument) for argument in term.arguments])
        if term.ast_type is ASTType.Variable:
            name = "other" if term.name == "_" else term.name.lower().rstrip("'")
            return Function(f"any_{name}")
        if term.ast_type is ASTType.Pool:
            return Function("_or_".join(str(argument) for argument in term.arguments))
        return Function("something")

    def _value(self, term: AST) -> Symbol | None:
        """Return a term whose variables are all bound, or None."""
        if term.ast_type is ASTType.SymbolicTerm:
            symbol: Symbol = term.symbol
            return symbol
        if term.ast_type is ASTType.Variable:
            return self._binds.get(term.name)
        if term.ast_type is ASTType.Function and not term.external:
            values = [self._value(argument) for argument in term.arguments]
            if all(value is not None for value in values):
                return Function(term.name, [value for value in values if value is not None])
        return None

    def _limits(self, literal: AST) -> str:
        """Return the comparisons on the variables of a literal: "at least 35", "below 25"."""
        names = set(variables(literal)) - set(self._binds)
        parts = []
        for other in self._group.literals:
            if other.atom.ast_type is not ASTType.Comparison:
                continue
            term, guards = other.atom.term, list(other.atom.guards)
            if term.ast_type is not ASTType.Variable or term.name not in names or len(guards) != 1:
                continue
            bound = self._value(guards[0].term)
            if bound is not None and bound.type is SymbolType.Number:
                parts.append(f"{_AT_LEAST[guards[0].comparison]} {bound}")
        return " and ".join(parts)


def _shape(atom: AST, given: dict[int, Symbol]) -> Symbol:
    holes = [given.get(place, Function("hole")) for place in range(len(atom.arguments))]
    return Function(atom.name, holes)


def _subject(words: Wording, literal: AST, shown: Sequence[Symbol]) -> str:
    """Return what a limit speaks of, such as "RGT": the phrase up to its number."""
    if not shown:
        return ""
    phrase = words.say(shown[0])
    number = next((a for a in reversed(shown[0].arguments) if a.type is SymbolType.Number), None)
    head, _, _ = phrase.partition(f" {number}") if number is not None else (phrase, "", "")
    return head
