"""The statements a rulebook may hold: plain rules, each with one atom that it derives.

One state has one model, so nothing may be left to choice.
"""

import re
from collections.abc import Collection, Iterable

from clingo.ast import AST, ASTType

from lexbelli.errors import RulebookError
from lexbelli.norms import HEADS, place_of
from lexbelli.suggest import did_you_mean

_SILENT = frozenset({ASTType.Comment, ASTType.Defined, ASTType.ShowSignature})
_FLAT = frozenset({ASTType.SymbolicAtom, ASTType.Comparison, ASTType.BooleanConstant})
# what an atom's text has only when it is part of something larger, or stands in quotation marks
_SUSPICIOUS = re.compile(r"[{}#<>=&]|[;:] ")
_ATOM = re.compile(r"(_*[a-z][A-Za-z0-9_']*)(?:\(.*\))?", re.DOTALL)
# what may make more of an atom than names, variables and numbers
_WORKING = re.compile(r"[;+*/\\^|&~?\"-]")
_ARITHMETIC = re.compile(r"[+*/\\^|&~?]|-[^0-9]")
_STRING = re.compile(r'"(?:[^"\\]|\\.)*"', re.DOTALL)
_CHOSEN = re.compile(r"(_*[a-z][A-Za-z0-9_']*)\(")
_NAME = re.compile(r"(?:not )*-?(_*[a-z][A-Za-z0-9_']*)")
# what the questions add to a grounding, beside what the core derives
_ASKED = frozenset({"state", "in_force", "full", "wanted", "unwanted", "current", "amount", "order"})


def plain_rules(statements: Iterable[AST], core: Collection[str], *, chapter: bool) -> set[str]:
    """Return the names of what rules derive, which must be plain and leave the core to itself.

    What is declared without a rule counts as well. `core` are the names of what the core derives.
    Norms are for chapters. Raises RulebookError with file, line and column.
    """
    names: set[str] = set()
    for statement in statements:
        kind = statement.ast_type
        if kind is ASTType.Defined:
            names.add(statement.name)
        if kind in _SILENT or (kind is ASTType.Program and statement.name == "base"):
            continue
        name = head_name(statement) if kind is ASTType.Rule else ""
        names.add(name)
        message, hint = (
            _wrong_rule(statement, name, core, chapter=chapter)
            if kind is ASTType.Rule
            else _wrong_statement(statement)
        )
        if message:
            raise RulebookError(message, place=place_of(statement), hint=hint)
    return names


def _wrong_statement(statement: AST) -> tuple[str, str]:
    if statement.ast_type is ASTType.Script:
        return "embedded scripts are refused: files are data", ""
    shown = str(statement).split("\n", 1)[0][:60]
    return f"a rulebook holds rules, not {shown!r}", ""


def _wrong_rule(rule: AST, name: str, core: Collection[str], *, chapter: bool) -> tuple[str, str]:
    """Return what is wrong with a rule and what would be right, or two empty texts."""
    if not name:
        if str(rule.head) == "#false":
            return "a rulebook rules out no state like this", 'write impossible("why") :- ... instead'
        return "a rule derives one atom: no choice, no alternatives, no negation in its head", ""
    if name in HEADS:
        return _wrong_norm(rule, name, chapter=chapter)
    if name in core or name in _ASKED:
        return f"{name} belongs to the core, a rulebook does not derive it", ""
    if name.endswith("__"):
        return f"{name}: names that end in __ are kept for the program", ""
    return _wrong_body(rule) if name == "blocked" else ("", "")


def _wrong_norm(rule: AST, name: str, *, chapter: bool) -> tuple[str, str]:
    symbol = rule.head.atom.symbol
    if symbol.ast_type is ASTType.Pool:
        return "a clause says one thing in a rule", "write a rule for each"
    if ".." in _STRING.sub("", str(symbol)):
        return "a clause says one thing in a rule, not a range", "name its ends in a condition"
    arity = len(symbol.arguments)
    if arity != HEADS[name]:
        return f"{name} takes {HEADS[name]} arguments, not {arity}", ""
    if not chapter:
        return f"{name} is how a clause speaks", "clauses stand under their headings, in rules/"
    return _wrong_body(rule)


def _wrong_body(rule: AST) -> tuple[str, str]:
    """Return what explanations could not take apart in the conditions of a rule."""
    for literal in rule.body:
        if not _is_flat(literal):
            return (
                f"the condition {str(literal)!r} is not a plain one",
                "derive an atom from it in a rule of its own, and say how that reads",
            )
    return "", ""


def _is_flat(literal: AST) -> bool:
    """Say whether a literal is an atom without arithmetic, or a comparison, negated or not."""
    text = str(literal)
    if _NAME.match(text) and not _WORKING.search(text) and not _SUSPICIOUS.search(text):
        return True
    if literal.ast_type is not ASTType.Literal or literal.atom.ast_type not in _FLAT:
        return False
    if literal.atom.ast_type is ASTType.SymbolicAtom:
        symbol = literal.atom.symbol
        return symbol.ast_type is ASTType.Function and not _ARITHMETIC.search(_STRING.sub("", text))
    return True


def head_name(rule: AST) -> str:
    """Return the name of the one atom a rule derives, or an empty text when it does something else."""
    head = rule.head
    shape = str(head)
    match = _ATOM.fullmatch(shape)
    if match is None:
        return ""
    # looking at the text first: asking for every part of a statement takes most of the loading
    if _SUSPICIOUS.search(shape) and (
        head.ast_type is not ASTType.Literal or head.atom.ast_type is not ASTType.SymbolicAtom
    ):
        return ""
    return match.group(1)


def core_names(statement: AST) -> Iterable[str]:
    """Return the names of what a statement of the core derives or leaves to choice."""
    if statement.ast_type is not ASTType.Rule:
        return ()
    name = head_name(statement)
    if name:
        return (name,)
    elements = str(statement.head).split(";")
    return {chosen for e in elements for chosen in _CHOSEN.findall(e.partition(":")[0])}


def known_names(statements: Iterable[AST]) -> set[str]:
    """Return the names of what the statements derive or declare."""
    names = {head_name(s) for s in statements if s.ast_type is ASTType.Rule}
    return names | {s.name for s in statements if s.ast_type is ASTType.Defined}


def refuse_unknown(rules: Iterable[AST], known: Collection[str]) -> None:
    """Refuse rules with a condition on an atom that is not known. Raises RulebookError."""
    for rule in rules:
        for literal in rule.body:
            match = _NAME.match(str(literal))
            if match is None or match.group(1) in known:
                continue
            if literal.atom.ast_type is ASTType.SymbolicAtom:
                name = match.group(1)
                raise RulebookError(
                    f"{name} does not occur in any rule head",
                    place=place_of(rule),
                    hint=did_you_mean(name, known),
                )
