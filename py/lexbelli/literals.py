"""The literals of rule bodies: their variables, how they group, which of them users read."""

import re
from collections.abc import Container, Iterable, Mapping, Sequence

from clingo import Symbol
from clingo.ast import AST, ASTType, BinaryOperator, Sign, Transformer, UnaryOperator, Variable

from lexbelli.parsing import parse_text
from lexbelli.phrases import Wording

_NAME = re.compile(r"_*[a-z][A-Za-z0-9_']*")
# strings are told apart, so that no upper case in one passes for a variable
_STRING_OR_VARIABLE = re.compile(r"\"(?:[^\"\\]|\\.)*\"|(?<![A-Za-z0-9_'])(_*[A-Z][A-Za-z0-9_']*)")
_WORKING = re.compile(r"\.\.|[-+*/\\|&^~?;]")
_NUMBER = re.compile(r"\(*(-?[0-9]+)\)*")

# literals that share variables the head does not bind
Group = tuple[AST, ...]


class Names(Transformer):
    """Collects variable names, and gives each anonymous variable a name of its own.

    With `lifting`, a pool or an interval gets a variable as well, and what it is in `lifted`: written
    twice in a rule it would stand for two values. So does what is computed, unless its variable can be
    told from what comes out.
    """

    def __init__(self, *, lifting: bool = False, prefix: str = "_Lifted") -> None:
        self._prefix = prefix
        self.names: list[str] = []
        self.lifted: dict[str, str] = {}
        self.lifting = lifting

    def visit_Variable(self, node: AST) -> AST:  # noqa: N802 - the name clingo's visitor asks for
        name = node.name
        if name == "_":
            name = f"_Any{len(self.names)}"
            node = Variable(node.location, name)
        self.names.append(name)
        return node

    def visit_Pool(self, node: AST) -> AST:  # noqa: N802
        return self._lift(node)

    def visit_Interval(self, node: AST) -> AST:  # noqa: N802
        return self._lift(node)

    def visit_BinaryOperation(self, node: AST) -> AST:  # noqa: N802
        return self._lift(node)

    def visit_UnaryOperation(self, node: AST) -> AST:  # noqa: N802
        return self._lift(node)

    def _lift(self, node: AST) -> AST:
        lifting, self.lifting = self.lifting, False  # what is inside is told with it
        named: AST = node.update(**self.visit_children(node))
        self.lifting = lifting
        if not lifting or _NUMBER.fullmatch(str(node)) or _is_linear(node):
            return named
        name = f"{self._prefix}{len(self.lifted)}"
        self.lifted[name] = str(named)
        return Variable(node.location, name)


def _is_linear(term: AST) -> bool:
    """Say whether clingo tells the one variable of a term from what it comes to."""
    if term.ast_type is ASTType.Variable:
        return True
    if term.ast_type is ASTType.UnaryOperation:
        return term.operator_type == UnaryOperator.Minus and _is_linear(term.argument)
    if term.ast_type is not ASTType.BinaryOperation:
        return False
    for one, other in ((term.left, term.right), (term.right, term.left)):
        number = _NUMBER.fullmatch(str(other))
        if number and _is_linear(one):
            adding = term.operator_type in (BinaryOperator.Plus, BinaryOperator.Minus)
            multiplying = term.operator_type == BinaryOperator.Multiplication
            return adding or (multiplying and int(number.group(1)) != 0)
    return False


def variables(node: AST | str) -> list[str]:
    """Return the names of the variables of a term or literal, anonymous ones left out."""
    return [name for name in _STRING_OR_VARIABLE.findall(str(node)) if name]


def with_values(literal: AST, values: Mapping[str, Symbol]) -> str:
    """Write a literal with the values of the variables that have one."""

    def told(match: re.Match[str]) -> str:
        return str(values[match[1]]) if match[1] in values else match[0]

    return _STRING_OR_VARIABLE.sub(told, str(literal))


def named_literals(body: Iterable[AST]) -> tuple[list[str], list[str]]:
    """Write out a body with every variable named, and the atoms that must hold in it."""
    written: list[str] = []
    holding: list[str] = []
    names = Names()
    for literal in body:
        if is_plain(literal) and literal.sign != Sign.NoSign:
            written.append(str(literal))  # a name would have to be bound, what is left out need not be
            continue
        names.lifting = is_plain(literal)
        named = names.visit(literal)
        written.append(str(named))
        if names.lifting:
            holding.append(str(atom_of(named)))
    return written + [f"{name} = {term}" for name, term in names.lifted.items()], holding


def lifted_atoms(literals: Iterable[AST], bound: Iterable[str]) -> tuple[list[str], list[str]]:
    """Write the atoms of literals with a variable for every part that may have several values.

    What these are comes with them as far as their variables are `bound`, or stand in one of the atoms.
    """
    names = Names(lifting=True)
    atoms = [str(names.visit(atom_of(literal))) for literal in literals]
    known = {*bound, *(name for atom in atoms for name in variables(atom))}
    told = [f"{name} = {term}" for name, term in names.lifted.items() if known >= {*variables(term)}]
    return atoms, told


def plain_head(pattern: AST) -> tuple[AST, list[AST]]:
    """Return a head from which all variables can be told, and what its other parts are."""
    if not _WORKING.search(_STRING_OR_VARIABLE.sub("X", str(pattern))):
        return pattern, []
    names = Names(lifting=True, prefix="_Head")
    plain: AST = names.visit(pattern)
    written = (parse_text(f":- {name} = {term}.")[-1] for name, term in names.lifted.items())
    return plain, [rule.body[0] for rule in written]


def split_body(body: Sequence[AST], known: Container[str]) -> list[Group]:
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


def predicates(literal: AST) -> list[str]:
    """Return every name in a literal: those of its atoms are among them."""
    return _NAME.findall(str(literal))


def atom_of(literal: AST) -> AST:
    """Return the term of a plain or negated literal."""
    term: AST = literal.atom.symbol
    return term


def is_plain(literal: AST) -> bool:
    """Say whether a literal is one atom, negated or not."""
    return (
        literal.ast_type is ASTType.Literal
        and literal.atom.ast_type is ASTType.SymbolicAtom
        and literal.atom.symbol.ast_type is ASTType.Function
    )


def has_words(literal: AST, words: Wording) -> bool:
    """Say whether a literal is one that users read about, not only the rules."""
    text = str(literal)
    if text not in words.worded:
        words.worded[text] = is_plain(literal) and words.knows(
            atom_of(literal).name, len(atom_of(literal).arguments)
        )
    return words.worded[text]


def is_structural(literal: AST, words: Wording) -> bool:
    """Say whether a literal has no phrase and only binds variables."""
    return not has_words(literal, words) and is_plain(literal) and literal.sign == Sign.NoSign
