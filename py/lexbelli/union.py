"""Two rulebooks as one ground program, in which every rule that only one of them has can be switched.

A tag stands for what one clause has in one of the two: `only__(0,Clause)` for its rules that the old
rulebook alone has, `only__(1,Clause)` for those of the new one. Rules that stand under no heading, such
as declarations, go by the empty clause.
"""

from bisect import bisect_right
from collections.abc import Sequence

from clingo import Function, Number, String, Symbol
from clingo.ast import AST, ASTType, Literal, Sign, SymbolicAtom, SymbolicTerm
from clingo.ast import Function as AstFunction

from lexbelli.rulebook import Rulebook, switches
from lexbelli.second import second_version
from lexbelli.shapes import head_name
from lexbelli.slices import Rule
from lexbelli.solver import ground_rules
from lexbelli.terms import quoted
from lexbelli.whole import NAMES, Whole, every_value, made

OLD, NEW = 0, 1
# what a state may hold is said by both rulebooks together: it must not depend on a switch
_SHARED = frozenset({
    "fact", "group", "needed", "wide", "bounds", "scale", "same", "reads", "reads_none", "name",
})  # fmt: skip


def union(old: Rulebook, new: Rulebook) -> Whole:
    """Return both rulebooks as one program, asked about the old as it is and a second version of it.

    Every clause is in force. The switches are the tags, on for the old rulebook, and their copies for
    the second version, `also__(Version,Clause)`, on for the new one. The goals are
    differs__(Kind,Subject) and, of actions, stricter__(Subject) and looser__(Subject).
    """
    books = (old, new)
    alike = {str(rule) for rule in _statements(old)} & {str(rule) for rule in _statements(new)}
    statements: dict[str, AST] = {}
    tags: dict[tuple[int, str], None] = {}
    for version, book in enumerate(books):
        headings = _Headings(book)
        for statement in _statements(book):
            text = str(statement)
            if (
                text in alike
                or statement.ast_type is not ASTType.Rule
                or head_name(statement) in _SHARED
            ):
                statements.setdefault(text, statement)
                continue
            clause = headings.over(statement)
            tags[version, clause] = None
            statements[f"{version} {text}"] = _tagged(statement, version, clause)
    lines = [f"{{only__({version},{quoted(clause)})}}." for version, clause in tags]
    lines += dict.fromkeys(switches(book, frozenset()) for book in books)
    names = {**NAMES, "only__": 2}
    program, atoms = ground_rules(
        list(statements.values()), " ".join(lines) + every_value(books), names
    )
    on = {tag: tag.arguments[0].number == OLD for tag in atoms["only__"]}
    return _second(made(program, atoms, books, on, atoms["only__"]))


def copy_of(tag: Symbol) -> Symbol:
    """Return the switch of the second version that stands for a tag there."""
    return Function("also__", tag.arguments)


def _second(first: Whole) -> Whole:
    """Add the second version, in which the new rulebook stands for the old, and what to ask of both."""
    second = second_version(first.program, first.numbers.values(), 1 + first.program.highest)
    number = 1 + first.program.highest + len(second.numbers)
    rules: list[Rule] = list(second.rules)
    goals: dict[str, dict[Symbol, int]] = {"differs__": {}, "stricter__": {}, "looser__": {}}
    answers: dict[tuple[Symbol, Symbol], list[int]] = {}
    for atom, literal in first.atoms["comes_to"].items():
        kind, subject, answer = atom.arguments
        answers.setdefault((kind, subject), []).append(literal)
        if (kind.name, str(answer)) == ("action", "legal") and literal in second.numbers:
            copy = second.numbers[literal]
            for way, body in (("stricter__", (literal, -copy)), ("looser__", (copy, -literal))):
                goals[way][Function(way, [subject])] = number
                rules.append(Rule((number,), body))
                number += 1
    for (kind, subject), literals in answers.items():
        differing = list(second.differing(number, literals))
        if differing:
            goals["differs__"][Function("differs__", [kind, subject])] = number
            rules += differing
            number += 1
    copies = {copy_of(tag): second.numbers[literal] for tag, literal in first.numbers.items()}
    on = {copy: copy.arguments[0].number == NEW for copy in copies}
    return first.extended(rules, goals, on, copies)


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


def _tagged(rule: AST, version: int, clause: str) -> AST:
    """Write the tag of a rule behind its body."""
    place = rule.location
    terms: list[Symbol] = [Number(version), String(clause)]
    atom = AstFunction(place, "only__", [SymbolicTerm(place, term) for term in terms], 0)
    return rule.update(body=[*rule.body, Literal(place, Sign.NoSign, SymbolicAtom(atom))])
