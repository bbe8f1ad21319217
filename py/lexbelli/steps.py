"""Steps that a clause asks for and another bars: required, and not to be taken.

A clause asks for a step when it forbids something as long as a fact is missing that an action would
bring about. The step is barred for good when the action is forbidden whenever it is asked for, or when
a clause forbids it because of how things stand, which no passing of time and no number changes.
"""

from collections.abc import Iterator

from clingo.ast import AST, Sign

from lexbelli.literals import atom_of, is_plain, is_structural, predicates, variables
from lexbelli.locate import core_files
from lexbelli.norms import Norm
from lexbelli.phrases import Wording, wording
from lexbelli.rulebook import Rulebook, session
from lexbelli.terms import quoted
from lexbelli.trace import rules_by_name

# lacks__(N,C,S,F): norm N of clause C forbids S for want of F; lasting__(C,A): C forbids A for good
# asked__(N,S,A): action A would put that right; free__(N,S): some such action is not forbidden
# barred__(K,N,C,B,step(S,A)): clause B forbids it, K says whether as things stand or at present only
_PROGRAM = """
asked__(N,S,A) :- lacks__(N,C,S,F), decides(C,forbids,S), available(S), initiates(I,A,F), available(A).
free__(N,S)    :- asked__(N,S,A), not banned(A).
barred__(present,N,C,B,step(S,A)) :-
    asked__(N,S,A), lacks__(N,C,S,_), decides(B,forbids,A), verdict(A,forbidden).
barred__(lasting,N,C,B,step(S,A)) :- barred__(present,N,C,B,step(S,A)), lasting__(B,A).
#defined lacks__/4. #defined lasting__/2.
"""


def steps_program(book: Rulebook) -> str:
    """Return the rules from which it follows where a step is asked for and where it is barred."""
    words = wording(book)
    settable = {fact.partition("(")[0] for fact in session(book).facts}
    passing, below = _passing(book), _Below(book)
    lines = [_PROGRAM]
    for number, norm in enumerate(book.norms):
        if norm.head == "forbids":
            clause, body = quoted(norm.clause), ", ".join(map(str, norm.body))
            for (pattern,) in norm.terms:
                given = f"action({pattern}){body and ', '}{body}"
                for missing in _missing(pattern, norm, words, settable):
                    lines.append(f"lacks__({number},{clause},{pattern},{missing}) :- {given}.")
                if not passing & below.names(norm):
                    lines.append(f"lasting__({clause},{pattern}) :- {given}.")
    return "\n".join(lines)


def _missing(pattern: AST, norm: Norm, words: Wording, settable: set[str]) -> Iterator[AST]:
    """Return the facts for want of which a norm speaks, as far as its action says which they are."""
    body = norm.body
    known = set(variables(pattern))
    known |= {name for lit in body if is_structural(lit, words) for name in variables(lit)}
    for literal in body:
        if is_plain(literal) and literal.sign == Sign.Negation:
            atom = atom_of(literal)
            bound = set(variables(literal)) <= known and "_" not in map(str, atom.arguments)
            if atom.name in settable and bound:
                yield atom


def _passing(book: Rulebook) -> set[str]:
    """Return the names of what changes by itself: numbers, and what every position has one value of."""
    grounded = session(book)
    names = {row[0] for row in grounded.pairs("bounds", 3)}
    names |= {fact.partition("(")[0] for fact in grounded.names("settled")}
    needed = grounded.needed
    return names | {f.partition("(")[0] for f, group in grounded.group_of.items() if group in needed}


class _Below:
    """What the names of a rulebook rest on, as far as its own rules lead."""

    def __init__(self, book: Rulebook) -> None:
        self._rules, self._core = rules_by_name(book), str(core_files()[0].parent)
        self._known: dict[str, set[str]] = {}

    def names(self, norm: Norm) -> set[str]:
        """Return the names that a norm rests on."""
        reached: set[str] = set()
        waiting = [name for literal in norm.body for name in predicates(literal)]
        while waiting:
            name = waiting.pop()
            if name not in reached:
                reached.add(name)
                waiting += self._next(name)
        return reached

    def _next(self, name: str) -> set[str]:
        if name not in self._known:
            rules = self._rules.get(name, ())
            own = (r for r in rules if not r.location.begin.filename.startswith(self._core))
            self._known[name] = {n for rule in own for lit in rule.body for n in predicates(lit)}
        return self._known[name]
