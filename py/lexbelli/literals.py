"""The literals of rule bodies: their variables, how they group, which of them users read."""

import re
from collections.abc import Container, Iterable, Sequence

from clingo.ast import AST, ASTType, Sign, Transformer, Variable

from lexbelli.phrases import Wording

_NAME = re.compile(r"_*[a-z][A-Za-z0-9_']*")
# strings are told apart, so that no upper case in one passes for a variable
_STRING_OR_VARIABLE = re.compile(r"\"(?:[^\"\\]|\\.)*\"|(?<![A-Za-z0-9_'])(_*[A-Z][A-Za-z0-9_']*)")

# literals that share variables the head does not bind
Group = tuple[AST, ...]


class Names(Transformer):
    """Collects variable names, and gives each anonymous variable a name of its own.

    With `lifting`, a pool or an interval gets a variable as well, and what it is in `lifted`: written
    twice in a rule it would stand for two values.
    """

    def __init__(self, *, lifting: bool = False) -> None:
        self.names: list[str] = []
        self.lifted: list[str] = []
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

    def _lift(self, node: AST) -> AST:
        named: AST = node.update(**self.visit_children(node))
        if not self.lifting:
            return named
        name = f"_Lifted{len(self.lifted)}"
        self.lifted.append(f"{name} = {named}")
        return Variable(node.location, name)


def variables(node: AST | str) -> list[str]:
    """Return the names of the variables of a term or literal, anonymous ones left out."""
    return [name for name in _STRING_OR_VARIABLE.findall(str(node)) if name]


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
    return written + names.lifted, holding


def lifted_atom(literal: AST) -> tuple[str, list[str]]:
    """Write the atom of a literal with a variable for every part that may have several values."""
    names = Names(lifting=True)
    return str(names.visit(atom_of(literal))), names.lifted


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
