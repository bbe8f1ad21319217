"""Words of one clause in place of those of its twin, so that the two can be compared."""

import re
from collections.abc import Iterable, Mapping, Sequence

from clingo import Function, String, Symbol, SymbolType
from clingo.ast import AST, SymbolicTerm, Transformer, Variable

from lexbelli.errors import InputError, RulebookError
from lexbelli.rulebook import Rulebook, session
from lexbelli.terms import parse_term

_WORD = re.compile(r"_*[a-z][A-Za-z0-9_']*")


class Renaming(Transformer):
    """Puts one word for another in terms and conditions: constants, names of facts, clauses."""

    def __init__(self, words: Mapping[str, str], clauses: Mapping[str, str]) -> None:
        """Take what to put for each word, and for each clause that a priority names."""
        self._words = words
        self._clauses = clauses

    def visit_SymbolicTerm(self, node: AST) -> AST:  # noqa: N802 - the name clingo's visitor asks for
        return SymbolicTerm(node.location, self._symbol(node.symbol))

    def visit_Function(self, node: AST) -> AST:  # noqa: N802
        named: AST = node.update(**self.visit_children(node))
        return named.update(name=self._words.get(node.name, node.name))

    def _symbol(self, symbol: Symbol) -> Symbol:
        if symbol.type is SymbolType.String:
            return String(self._clauses.get(symbol.string, symbol.string))
        if symbol.type is not SymbolType.Function:
            return symbol
        inner = [self._symbol(argument) for argument in symbol.arguments]
        return Function(self._words.get(symbol.name, symbol.name), inner, symbol.positive)


class _Numbered(Transformer):
    """Gives variables names by the order in which they come, so that only their pattern counts."""

    def __init__(self, names: dict[str, str], prefix: str) -> None:
        self._names = names
        self._prefix = prefix

    def visit_Variable(self, node: AST) -> AST:  # noqa: N802
        if node.name == "_":
            return node
        name = self._names.setdefault(node.name, f"{self._prefix}{len(self._names)}")
        return Variable(node.location, name)


class Counterparts:
    """The words and numbers that correspond in twin clauses, as the rulebook declares them."""

    def __init__(self, book: Rulebook) -> None:
        """Read them. Raises RulebookError for what is neither a word nor a quantity and its number."""
        self._words: dict[str, list[str]] = {}
        self._numbers: dict[tuple[Symbol, Symbol], list[tuple[Symbol, Symbol]]] = {}
        for atom in session(book).symbols("counterpart", 2):
            first, second = atom.arguments
            if all(_is_word(term) for term in (first, second)):
                for one, other in ((first, second), (second, first)):
                    self._words.setdefault(one.name, []).append(other.name)
            elif all(_is_number(term) for term in (first, second)):
                for one, other in ((first, second), (second, first)):
                    key = (one.arguments[0], one.arguments[1])
                    self._numbers.setdefault(key, []).append((other.arguments[0], other.arguments[1]))
            else:
                raise RulebookError(
                    f"{atom}: two words correspond, or two pairs of a quantity and its number",
                    hint="such as counterpart(one,other) or counterpart((cost(one),5),(cost(other),3))",
                )

    def renaming(self, towards: Iterable[AST], clauses: Mapping[str, str]) -> Renaming:
        """Return the renaming into the words of some rules; of several words, one that they use."""
        used = {word for rule in towards for word in _WORD.findall(str(rule))}
        chosen = {
            word: next((other for other in others if other in used), others[0])
            for word, others in self._words.items()
        }
        return Renaming(chosen, clauses)

    def number(self, quantity: AST, renamed: AST, value: AST) -> AST:
        """Return the number that corresponds to a quantity's, for the quantity it is renamed into."""
        try:
            key = (parse_term(str(quantity)), parse_term(str(value)))
            wanted = parse_term(str(renamed))
        except InputError:
            return value  # variables or arithmetic: there is no one number
        for other, number in self._numbers.get(key, ()):
            if other == wanted:
                return SymbolicTerm(value.location, number)
        return value


def _is_word(term: Symbol) -> bool:
    return term.type is SymbolType.Function and bool(term.name) and not term.arguments


def _is_number(term: Symbol) -> bool:
    return (
        term.type is SymbolType.Function
        and not term.name
        and len(term.arguments) == 2
        and term.arguments[1].type is SymbolType.Number
    )


def pattern_of(terms: Sequence[AST]) -> tuple[str, dict[str, str]]:
    """Write the terms of a head with numbered variables, and return which are which."""
    names: dict[str, str] = {}
    numbered = _Numbered(names, "Head")
    return ",".join(str(numbered.visit(term)) for term in terms), names


def pattern_of_condition(group: Sequence[AST], head: Mapping[str, str]) -> str:
    """Write the literals of one condition with numbered variables, in an order of their own."""
    blind = sorted(group, key=lambda literal: (_blind(literal, head), str(literal)))
    names = dict(head)
    numbered = _Numbered(names, "Body")
    return ", ".join(sorted(str(numbered.visit(literal)) for literal in blind))


def _blind(literal: AST, head: Mapping[str, str]) -> str:
    """Write a literal with the variables of the head alone."""

    class Blind(Transformer):
        def visit_Variable(self, node: AST) -> AST:  # noqa: N802
            return Variable(node.location, head.get(node.name, "_"))

    return str(Blind().visit(literal))
