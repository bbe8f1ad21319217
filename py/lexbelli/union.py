"""Two rulebooks as one ground program, in which every rule that only one of them has can be switched.

A tag stands for what one clause has in one of the two: `only__(0,Clause)` for its rules that the old
rulebook alone has, `only__(1,Clause)` for those of the new one. Rules that stand under no heading, such
as declarations, go by the empty clause.
"""

from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence

from clingo import Number, String, Symbol
from clingo.ast import AST, ASTType, Function, Literal, Sign, SymbolicAtom, SymbolicTerm

from lexbelli.ground import GroundProgram
from lexbelli.repairs import amounts
from lexbelli.rulebook import Rulebook, session, switches
from lexbelli.shapes import head_name
from lexbelli.solver import take_apart
from lexbelli.states import load_state
from lexbelli.terms import quoted

OLD, NEW = 0, 1
# what a state may hold is said by both rulebooks together: it must not depend on a switch
_SHARED = frozenset(
    {"fact", "group", "needed", "wide", "bounds", "scale", "same", "reads", "reads_none"}
)


def union_program(old: Rulebook, new: Rulebook) -> GroundProgram:
    """Return the rules of both rulebooks over one state, which is to be near one of the scenarios.

    Every fact takes all its values, every clause of either is in force, and nothing is impossible.
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
    chosen = " ".join(f"{{only__({version},{quoted(clause)})}}." for version, clause in tags)
    return take_apart(list(statements.values()), f"{chosen} {_given(books)}")


def tag_atoms(program: GroundProgram) -> Mapping[tuple[int, str], int]:
    """Return the atoms of the tags, by version and clause."""
    return {
        (atom.arguments[0].number, atom.arguments[1].string): number
        for atom, number in program.names.items()
        if atom.name == "only__"
    }


def _statements(book: Rulebook) -> Sequence[AST]:
    return book.statements + book.effects + book.compare + book.choice + book.repair


def _given(books: Iterable[Rulebook]) -> str:
    """Return the facts under which both rulebooks are compared."""
    lines: dict[str, None] = {}
    for book in books:
        wide = frozenset(session(book).names("wide"))
        lines |= dict.fromkeys((switches(book, wide), amounts(session(book, wide))))
        for name in book.scenarios():
            lines |= dict.fromkeys(f"base({quoted(name)},{f})." for f in load_state(book, name).facts)
    names = dict.fromkeys(name for book in books for name in book.scenarios()) or {"": None}
    lines[f"1 {{ near({';'.join(map(quoted, names))}) }} 1."] = None
    lines["current(Fact) :- near(Base), base(Base,Fact). :- impossible(_). #defined base/2."] = None
    return "\n".join(lines)


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
    atom = Function(place, "only__", [SymbolicTerm(place, term) for term in terms], 0)
    return rule.update(body=[*rule.body, Literal(place, Sign.NoSign, SymbolicAtom(atom))])
