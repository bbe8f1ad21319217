"""What a clause says, rule by rule, and in which words two parallel clauses say different things."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from clingo import Function, Symbol
from clingo.ast import AST, ASTType
from clingo.ast import Function as AstFunction

from lexbelli.literals import Group, split_body
from lexbelli.phrases import wording
from lexbelli.renaming import Renaming, pattern_of, pattern_of_condition
from lexbelli.rulebook import Rulebook
from lexbelli.speaking import asked_for

_VERBS = {
    "permits": "permits", "opens": "grants within a limit", "meets": "names a requirement of",
    "forbids": "forbids", "obliges": "imposes", "discharges": "names a way to",
    "sets": "fixes", "concludes": "concludes", "denies": "denies", "initiates": "starts something by",
    "terminates": "ends something by", "overrides": "stands above another on",
}  # fmt: skip

_Number = Callable[[AST, AST, AST], AST]


@dataclass(frozen=True, slots=True)
class Saying:
    """One rule of a clause for one reading of its head.

    `terms` and `body` may be renamed; `own` and `asked` are as the clause has them. `about` is what is
    said and `conditions` what is asked for, written so that equal ones read alike.
    """

    head: str
    terms: tuple[AST, ...]
    body: tuple[AST, ...]
    own: tuple[AST, ...]
    asked: tuple[Group, ...]
    about: str
    value: str
    conditions: tuple[str, ...]

    def term(self) -> str:
        """Write what is said as one term: its head and the arguments after the clause."""
        return f"{self.head}({','.join(map(str, self.terms))})"

    def pattern(self) -> AST:
        """Return what is said as one term."""
        return AstFunction(self.terms[0].location, self.head, list(self.terms), 0)


def sayings(
    book: Rulebook, clause: str, renaming: Renaming | None = None, number: _Number | None = None
) -> tuple[Saying, ...]:
    """Return what a clause says, in other words where a renaming is given."""
    found = []
    for norm in book.norms:
        if norm.clause != clause:
            continue
        for own in norm.terms:
            terms, body = own, norm.body
            if renaming is not None:
                terms = tuple(renaming.visit(term) for term in own)
                if norm.head == "sets" and number is not None:
                    terms = (terms[0], number(own[0], terms[0], terms[1]))
                body = tuple(renaming.visit(literal) for literal in body)
            found.append(_saying(norm.head, own, terms, norm.body, body))
    return tuple(found)


def _saying(
    head: str,
    own: tuple[AST, ...],
    terms: tuple[AST, ...],
    asked: tuple[AST, ...],
    body: tuple[AST, ...],
) -> Saying:
    numbers = head == "sets"
    _, names = pattern_of(own)
    about, renamed = pattern_of(terms[:1] if numbers else terms)
    groups = split_body(asked, names)
    place = {id(literal): index for index, literal in enumerate(asked)}
    conditions = tuple(
        pattern_of_condition([body[place[id(literal)]] for literal in group], renamed)
        for group in groups
    )
    return Saying(
        head, terms, body, own, tuple(groups), about, str(terms[1]) if numbers else "", conditions
    )


# ---- differences in words ------------------------------------------------------------------------


def apart(
    book: Rulebook, first: tuple[str, Sequence[Saying]], second: tuple[str, Sequence[Saying]]
) -> Iterator[str]:
    """Tell what one clause says and the other leaves out, each difference once."""
    told: dict[str, None] = {}
    left, right = list(first[1]), list(second[1])
    for one in list(left):  # what both say in the same words is no difference
        same = next((other for other in right if _key(one) == _key(other)), None)
        if same is not None:
            left.remove(one)
            right.remove(same)
    for one in list(left):
        others = [other for other in right if (other.head, other.about) == (one.head, one.about)]
        if others:
            nearest = max(others, key=lambda other: len({*one.conditions} & {*other.conditions}))
            left.remove(one)
            right.remove(nearest)
            told |= dict.fromkeys(_compared(book, (first[0], one), (second[0], nearest)))
    for clause, other, rest in ((first[0], second[0], left), (second[0], first[0], right)):
        for one in rest:
            told[
                f"{clause} {_VERBS[one.head]}: {_said(book, one)}; {other} says nothing of the kind"
            ] = None
    yield from told


def _key(one: Saying) -> tuple[object, ...]:
    return one.head, one.about, one.value, sorted(one.conditions)


def _compared(book: Rulebook, first: tuple[str, Saying], second: tuple[str, Saying]) -> Iterator[str]:
    """Tell which conditions, and which number, tell two sayings apart."""
    (one_id, one), (other_id, other) = first, second
    if one.value != other.value:
        yield f"{one_id} fixes {one.own[1]}, {other_id} fixes {other.own[1]}"
    only_one, only_other = _asks(book, one, other), _asks(book, other, one)
    if only_one and only_other:
        yield f"{one_id} asks that {only_one}; {other_id} asks that {only_other}"
    elif only_one or only_other:
        asking, silent = (one_id, other_id) if only_one else (other_id, one_id)
        yield f"{asking} asks that {only_one or only_other}; {silent} does not"


def _asks(book: Rulebook, one: Saying, other: Saying) -> str:
    """Say the conditions that only one of two sayings has."""
    words = wording(book)
    return " and ".join(
        asked_for(group, words)
        for group, condition in zip(one.asked, one.conditions, strict=True)
        if condition not in other.conditions
    )


def _said(book: Rulebook, one: Saying) -> str:
    """Say what a clause speaks about."""
    place = 1 if one.head == "overrides" else 0
    return wording(book).say(_symbol(one.own[place]))


def _symbol(term: AST) -> Symbol:
    """Return a term with words for what is not bound."""
    if term.ast_type is ASTType.SymbolicTerm:
        symbol: Symbol = term.symbol
        return symbol
    if term.ast_type is ASTType.Variable:
        return Function("any" if term.name == "_" else f"any_{term.name.lower()}".rstrip("'"))
    if term.ast_type is ASTType.Function and term.name:
        return Function(term.name, [_symbol(argument) for argument in term.arguments])
    return Function(str(term))
