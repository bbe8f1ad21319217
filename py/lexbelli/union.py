"""Two rulebooks as one ground program, in which every rule that only one of them has can be switched.

A tag stands for what one clause has in one of the two: `only__(0,Clause)` for its rules that the old
rulebook alone has, `only__(1,Clause)` for those of the new one. Rules that stand under no heading, such
as declarations, go by the empty clause.
"""

from bisect import bisect_right
from collections.abc import Collection, Iterable, Sequence

from clingo import Function, Number, String, Symbol
from clingo.ast import AST, ASTType

from lexbelli.factoring import factored, plain_literal
from lexbelli.ground import Rule
from lexbelli.literals import predicates
from lexbelli.programs import ANSWERS, STATES, every_value, made
from lexbelli.rulebook import Rulebook, switches
from lexbelli.second import Second, second_version
from lexbelli.shapes import head_name
from lexbelli.solver import ground_rules
from lexbelli.terms import quoted
from lexbelli.whole import Whole

OLD, NEW = 0, 1
GOALS = ("stricter__", "looser__", "altered__")
_ACTION, _LEGAL = Function("action"), Function("legal")
# what a state may hold is said by both rulebooks together: it must not depend on a switch
_SHARED = frozenset({
    "fact", "group", "needed", "wide", "bounds", "scale", "same", "reads", "reads_none", "name",
})  # fmt: skip


def union(old: Rulebook, new: Rulebook) -> Whole:
    """Return both rulebooks as one program, with every clause in force.

    The switches are the tags: as they are, it is the old rulebook.
    """
    books = (old, new)
    written = [{str(rule): rule for rule in _statements(book)} for book in books]
    shared = _below_states(list((written[OLD] | written[NEW]).values()))
    statements: dict[str, AST] = {}
    tags: dict[tuple[int, str], None] = {}
    for version, book in enumerate(books):
        headings = _Headings(book)
        for text, statement in written[version].items():
            if (
                (text in written[OLD] and text in written[NEW])
                or statement.ast_type is not ASTType.Rule
                or head_name(statement) in shared
            ):
                statements.setdefault(text, statement)
                continue
            clause = headings.over(statement)
            tags[version, clause] = None
            for number, part in enumerate(_tagged(statement, version, clause, len(statements))):
                statements[f"{version} {number} {text}"] = part
    lines = [f"{{only__({version},{quoted(clause)})}}." for version, clause in tags]
    lines += dict.fromkeys(switches(book, frozenset()) for book in books)
    names = {**STATES, **ANSWERS, "only__": 2}
    program, atoms = ground_rules(
        list(statements.values()), " ".join(lines) + every_value(books), names
    )
    on = {tag: tag.arguments[0].number == OLD for tag in atoms["only__"]}
    return made(program, atoms, books, on, atoms["only__"])


def _below_states(statements: Iterable[AST]) -> set[str]:
    """Return the names on which it depends what a state may hold, with those that say it."""
    rules: dict[str, list[AST]] = {}
    for rule in statements:
        if rule.ast_type is ASTType.Rule:
            rules.setdefault(head_name(rule), []).append(rule)
    reached, waiting = set(_SHARED), list(_SHARED)
    while waiting:
        bodies = [rule.body for rule in rules.get(waiting.pop(), ())]
        new = {n for body in bodies for literal in body for n in predicates(literal)} - reached
        reached |= new
        waiting += new
    return reached


def copy_of(tag: Symbol) -> Symbol:
    """Return the switch of the second version that stands for a tag there."""
    return Function("also__", tag.arguments)


def second_of(first: Whole, tags: Collection[Symbol] | None = None) -> Whole:
    """Add a second version to a union, the new rulebook, and what to ask of both versions.

    With `tags`, only these may differ in it. Its switches are their copies, `also__(Version,Clause)`.
    The goals are, of a kind and a subject, `stricter__` and `looser__` for what is legal in one version
    only, and `altered__` for every other difference; `answers__` are those of the second version.
    """
    chosen = {tag: n for tag, n in first.numbers.items() if tags is None or tag in tags}
    second = second_version(first.program, chosen.values(), 1 + first.program.highest)
    number = 1 + first.program.highest + len(second.numbers)
    rules: list[Rule] = list(second.rules)
    goals: dict[str, dict[Symbol, int]] = {name: {} for name in (*GOALS, "answers__")}
    touched = _touched(first, second)
    for (kind, subject), answers in touched.items():
        told: dict[str, list[tuple[int, ...]]] = {}
        legal = first.atoms["comes_to"].get(Function("comes_to", [_ACTION, subject, _LEGAL]))
        if kind == _ACTION.name and legal is not None and legal in second.numbers:
            copy = second.numbers[legal]
            told["stricter__"], told["looser__"] = [(legal, -copy)], [(copy, -legal)]
            other = second.differing(0, [one for one in answers.values() if one != legal])
            told["altered__"] = [(*rule.body, -legal, -copy) for rule in other]
        else:
            where = first.where(kind, subject)
            told["altered__"] = [rule.body for rule in second.differing(0, answers.values(), where)]
        if kind == _ACTION.name and legal is not None:  # what it costs, where it is legal in both
            price = touched.get(("quantity", Function("cost", [subject])), {}).values()
            both = dict.fromkeys((legal, second.numbers.get(legal, legal)))
            told["altered__"] += [(*rule.body, *both) for rule in second.differing(0, price)]
        for answer, literal in answers.items():
            now = Function("answers__", [Function(kind), subject, answer])
            goals["answers__"][now] = second.numbers[literal]
        for name, bodies in told.items():
            if bodies:
                goals[name][Function(name, [Function(kind), subject])] = number
                rules += [Rule((number,), body) for body in bodies]
                number += 1
    copies = {copy_of(tag): second.numbers[literal] for tag, literal in chosen.items()}
    on = {copy: copy.arguments[0].number == NEW for copy in copies}
    return first.extended(rules, goals, on, copies)


def _touched(first: Whole, second: Second) -> dict[tuple[str, Symbol], dict[Symbol, int]]:
    """Return the answers that may differ in a second version, by kind and subject.

    An action whose cost may differ is among the subjects.
    """
    found: dict[tuple[str, Symbol], dict[Symbol, int]] = {}
    for atom, literal in first.atoms["comes_to"].items():
        if literal in second.numbers:
            kind, subject, answer = atom.arguments
            found.setdefault((kind.name, subject), {})[answer] = literal
            if kind.name == "quantity" and subject.match("cost", 1):
                found.setdefault((_ACTION.name, subject.arguments[0]), {})
    return found


def _statements(book: Rulebook) -> Sequence[AST]:
    return book.statements + book.effects + book.compare + book.choice


class _Headings:
    """Under which heading a rule stands."""

    def __init__(self, book: Rulebook) -> None:
        self._places: dict[str, list[tuple[int, str]]] = {}
        for clause in book.clauses:
            line = clause.place.line or 0
            self._places.setdefault(str(clause.place.file), []).append((line, clause.id))
        for places in self._places.values():
            places.sort()

    def over(self, rule: AST) -> str:
        begin = rule.location.begin
        places = self._places.get(begin.filename, [])
        at = bisect_right(places, (begin.line, "~"))
        return places[at - 1][1] if at else ""


def _tagged(rule: AST, version: int, clause: str, first: int) -> list[AST]:
    """Write the tag of a rule behind its body, with what is factored out of it counted from `first`."""
    *factors, plain = factored(rule, first)
    tag = plain_literal(rule.location, "only__", Number(version), String(clause))
    return [*factors, plain.update(body=[*plain.body, tag])]
