"""One condition of a clause in words: how things stand, what would be needed, the facts behind it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from clingo import Function, Symbol, SymbolType
from clingo.ast import AST, ASTType, ComparisonOperator, Sign

from lexbelli.literals import Group, atom_of, has_words, is_plain, variables, with_values
from lexbelli.model import Condition
from lexbelli.phrases import Wording
from lexbelli.terms import written

_LIMITS = {
    ComparisonOperator.GreaterEqual: "at least",
    ComparisonOperator.GreaterThan: "above",
    ComparisonOperator.LessEqual: "at most",
    ComparisonOperator.LessThan: "below",
    ComparisonOperator.Equal: "equal to",
    ComparisonOperator.NotEqual: "other than",
}


_TURNED = {
    ComparisonOperator.GreaterEqual: ComparisonOperator.LessEqual,
    ComparisonOperator.GreaterThan: ComparisonOperator.LessThan,
    ComparisonOperator.LessEqual: ComparisonOperator.GreaterEqual,
    ComparisonOperator.LessThan: ComparisonOperator.GreaterThan,
    ComparisonOperator.Equal: ComparisonOperator.Equal,
    ComparisonOperator.NotEqual: ComparisonOperator.NotEqual,
}
_NEGATED = {
    ComparisonOperator.GreaterEqual: ComparisonOperator.LessThan,
    ComparisonOperator.GreaterThan: ComparisonOperator.LessEqual,
    ComparisonOperator.LessEqual: ComparisonOperator.GreaterThan,
    ComparisonOperator.LessThan: ComparisonOperator.GreaterEqual,
    ComparisonOperator.Equal: ComparisonOperator.NotEqual,
    ComparisonOperator.NotEqual: ComparisonOperator.Equal,
}


@dataclass(frozen=True, slots=True)
class Evidence:
    """What a state shows of one condition.

    `joint` are the atoms of one way to meet it, `seen` for each literal the atoms that hold of it.
    """

    met: bool
    binds: Mapping[str, Symbol]
    joint: Sequence[Symbol]
    seen: Sequence[Sequence[Symbol]]


class Speaker:
    """Puts one condition into words."""

    def __init__(self, group: Group, evidence: Evidence, words: Wording, *, wanted: bool) -> None:
        """Take a condition and what shows of it; `wanted` when one would like it to be met."""
        self.met = evidence.met
        self._unmet = "must be" if wanted else "not"
        self._group = group
        self._words = words
        self._binds = evidence.binds
        self._joint = evidence.joint
        self._seen = evidence.seen

    def has_words(self) -> bool:
        return any(has_words(literal, self._words) for literal in self._group)

    def condition(self) -> Condition:
        phrases: list[str] = []
        needed: list[str] = []
        facts: list[str] = []
        atoms: list[tuple[Symbol, bool]] = []
        joint = iter(self._joint)
        for literal, seen in zip(self._group, self._seen, strict=True):
            if not is_plain(literal):
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
            absent = self._value(atom_of(literal))
            atoms += [(atom, True) for atom in shown]
            atoms += [(absent, False)] if not shown and absent is not None else []
        told, asked = " and ".join(phrases), "" if self.met else " and ".join(needed)
        if not self.met and self._apart():
            asked = " and ".join(self.together())
            told = f"not of one and the same: {asked}"
        elif not self.met and not asked:
            asked = " and ".join(self.together())
        return Condition(
            met=self.met,
            phrase=told,
            needed=asked,
            facts=tuple(dict.fromkeys(facts)),
            atoms=tuple(dict.fromkeys(atoms)),
            wordless=not any(self._has_phrase(literal) for literal in self._group),
        )

    def _apart(self) -> bool:
        """Say whether each part holds of something, only not all of one and the same."""
        parts = [
            (literal, seen)
            for literal, seen in zip(self._group, self._seen, strict=True)
            if is_plain(literal) and has_words(literal, self._words)
        ]
        return len(parts) > 1 and all(
            bool(seen) == (literal.sign != Sign.Negation) for literal, seen in parts
        )

    def together(self) -> list[str]:
        """Say every literal in general, with its limits, to be met by the same things."""
        told = []
        for literal in self._group:
            if is_plain(literal) and has_words(literal, self._words):
                limits = self._limits(literal)
                general = self._general(literal, holds=literal.sign != Sign.Negation)
                told.append(f"{general} ({limits})" if limits else general)
        return told

    def _has_phrase(self, literal: AST) -> bool:
        if not is_plain(literal):
            return False
        atom = atom_of(literal)
        return self._words.has_phrase(atom.name, len(atom.arguments))

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
        atom = atom_of(literal)
        given = {
            place: value
            for place, argument in enumerate(atom.arguments)
            if (value := self._value(argument)) is not None
        }
        open_parts = [a for place, a in enumerate(atom.arguments) if place not in given]
        if open_parts and all(part.ast_type is ASTType.Variable for part in open_parts):
            shape = _shape(atom, given)
            none = self._words.say_none(shape, given)
            if none is not None:
                return none
        return self._general(literal, holds=False)

    def _general(self, literal: AST, *, holds: bool) -> str:
        """Say a literal whose variables may be unbound."""
        return self._words.say(self._term(atom_of(literal)), holds=holds)

    def _term(self, term: AST, called: str = "") -> Symbol:
        """Return a term with words for what is not bound; `called` names an anonymous variable."""
        value = self._value(term)
        if value is not None:
            return value
        if term.ast_type is ASTType.Function:
            names = self._words.argument_names(term.name, len(term.arguments))
            parts = [
                self._term(argument, names[place] if names else "")
                for place, argument in enumerate(term.arguments)
            ]
            return Function(term.name, parts)
        if term.ast_type is ASTType.Variable:
            name = (called or "other") if term.name == "_" else term.name
            return Function(f"any_{name.lower()}".rstrip("'"))
        if term.ast_type is ASTType.Pool:
            return Function(" or ".join(str(argument) for argument in term.arguments))
        if term.ast_type is ASTType.Interval:
            return Function(f"{term.left} to {term.right}")
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
        for other in self._group:
            if other.atom.ast_type is not ASTType.Comparison or not names & set(variables(other)):
                continue
            parts.append(self._limit(other, names) or self._raw(other))
        return " and ".join(parts)

    def _limit(self, comparison: AST, names: set[str]) -> str:
        """Return one comparison of a variable with a known value in words, or nothing."""
        guards = list(comparison.atom.guards)
        if len(guards) != 1:
            return ""
        left, operator, right = comparison.atom.term, guards[0].comparison, guards[0].term
        if right.ast_type is ASTType.Variable and right.name in names:
            left, right, operator = right, left, _TURNED[operator]
        bound = self._value(right)
        if left.ast_type is not ASTType.Variable or left.name not in names or bound is None:
            return ""
        if comparison.sign == Sign.Negation:
            operator = _NEGATED[operator]
        return f"{_LIMITS[operator]} {self._words.say_constant(bound)}"

    def _raw(self, comparison: AST) -> str:
        """Return a comparison that has no words as the rulebook writes it, with the values known."""
        return f"such that {with_values(comparison, self._binds)}"


def asked_for(group: Group, words: Wording) -> str:
    """Say what a condition asks for in general, with its limits: "the level is at least 35"."""
    told = Speaker(group, Evidence(False, {}, (), [()] * len(group)), words, wanted=True)
    return " and ".join(told.together()) or " and ".join(map(str, group))


def _shape(atom: AST, given: dict[int, Symbol]) -> Symbol:
    holes = [given.get(place, Function("hole")) for place in range(len(atom.arguments))]
    return Function(atom.name, holes)


def _subject(words: Wording, literal: AST, shown: Sequence[Symbol]) -> str:
    """Return what a limit speaks of, the phrase up to its number."""
    if not shown:
        return ""
    phrase = words.say(shown[0])
    number = next((a for a in reversed(shown[0].arguments) if a.type is SymbolType.Number), None)
    head, _, _ = phrase.partition(f" {number}") if number is not None else (phrase, "", "")
    return head
