"""The conditions of norms as atoms of their own, so that one grounding tells which are met.

For norm N about a subject S (an action, duty, quantity, fact or event) `about__(N,S)` says that it can
be about S at all, `cond__(N,K,S)` that its condition K is met, and `spoken__(N,S)` that it speaks.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from clingo.ast import AST, ASTType

from lexbelli.literals import has_words, is_structural, split_body, variables
from lexbelli.norms import EFFECTS, Norm
from lexbelli.phrases import Wording, wording
from lexbelli.rulebook import Rulebook, session, switches
from lexbelli.solver import Session

# which term of a head is its subject, and the predicate that lists such subjects
_SUBJECTS: Mapping[str, tuple[int, str]] = {
    "permits": (0, "action"), "opens": (0, "action"), "meets": (0, "action"), "forbids": (0, "action"),
    "discharges": (1, "action"), "obliges": (0, "duty"), "sets": (0, "quantity__"),
    "initiates": (0, "happening__"), "terminates": (0, "happening__"),
    "concludes": (0, "derivable"), "denies": (0, "derivable"), "overrides": (1, "subject__"),
}  # fmt: skip
# what lists the subjects of several kinds; only those of some pattern are listed
_KINDS: Mapping[str, tuple[str, ...]] = {
    "quantity__": ("quantity",), "subject__": ("action", "duty", "quantity", "derivable", "fact"),
}  # fmt: skip
# the atoms, with their number of arguments
REIFIED = {"about__": 2, "cond__": 3, "spoken__": 2}

_HAPPENING = "happening__(S) :- verdict(S,legal). happening__(S) :- happening(S)."


@dataclass(frozen=True, slots=True)
class Reified:
    """One norm with its conditions written out, in the order of their numbers."""

    number: int
    norm: Norm
    conditions: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Reification:
    """The norms of a rulebook and a grounding that tells what each asks for."""

    norms: tuple[Reified, ...]
    session: Session


def reify(book: Rulebook) -> Reification:
    """Return the norms of a rulebook, with a grounding of their conditions at every value of a fact."""
    norms, program = reified_program(book)
    statements = book.statements + book.choice
    extra = f"{switches(book, frozenset(session(book).names('wide')))}{program} :- impossible(_)."
    return Reification(norms, Session(statements, extra, read={}))


@lru_cache(maxsize=2)
def reified_program(book: Rulebook, *, effects: bool = True) -> tuple[tuple[Reified, ...], str]:
    """Return the norms with their conditions, and the program that reifies them.

    Without `effects` those that say what events change keep their number and have no conditions.
    """
    words = wording(book)
    program = [_HAPPENING] if effects else []
    of_action = session(book).names("quantity_of")
    norms = []
    for number, norm in enumerate(book.norms):
        conditions: tuple[str, ...] = ()
        for terms in norm.terms if effects or norm.head not in EFFECTS else ():
            place, listed = _SUBJECTS[norm.head]
            program += _listing(listed, terms[place], of_action)
            rules, conditions = _rules(number, norm, terms, words)
            program += rules
        norms.append(Reified(number, norm, conditions))
    return tuple(norms), "\n".join(program)


def _listing(listed: str, pattern: AST, of_action: Collection[str]) -> Iterator[str]:
    """Write the rules that list the subjects of a pattern, where they may be of several kinds."""
    kinds = _KINDS.get(listed, ())
    for kind in kinds:
        yield f"{listed}({pattern}) :- {kind}({pattern})."
    if "quantity" in kinds:
        if pattern.ast_type is not ASTType.Function:
            yield from (f"{listed}({name}(A)) :- action(A)." for name in sorted(of_action))
        elif pattern.name in of_action and len(pattern.arguments) == 1:
            yield f"{listed}({pattern}) :- action({pattern.arguments[0]})."


def _rules(
    number: int, norm: Norm, terms: Sequence[AST], words: Wording
) -> tuple[list[str], tuple[str, ...]]:
    """Write the rules for one way to read a norm's head, and return its conditions in words."""
    place, listed = _SUBJECTS[norm.head]
    pattern = terms[place]
    body = norm.body
    structural = [literal for literal in body if is_structural(literal, words)]
    domain = [f"{listed}({pattern})"]
    given = [*domain, *map(str, structural)]
    named, binding = set(variables(pattern)), {n for lit in structural for n in variables(lit)}
    split = split_body(body, named | binding)
    groups = [group for group in split if any(has_words(literal, words) for literal in group)]
    # what is left has neither words nor other literals: a comparison of head terms
    fixed = [str(literal) for group in split if group not in groups for literal in group]
    about = ", ".join(dict.fromkeys([*given, *fixed]))
    rules = [f"about__({number},{pattern}) :- {about}."]
    for index, group in enumerate(groups):
        condition = list(map(str, group))
        free = {name for literal in group for name in variables(literal)}
        if free and free.isdisjoint(named | binding):  # the same whatever the subject: written once
            rules.append(f"met__({number},{index}) :- {', '.join(condition)}.")
            condition = [f"met__({number},{index})"]
        whole = ", ".join(dict.fromkeys([*given, *condition]))
        rules.append(f"cond__({number},{index},{pattern}) :- {whole}.")
    spoken = [f"about__({number},{pattern})"]
    spoken += [f"cond__({number},{index},{pattern})" for index in range(len(groups))]
    if not binding <= named:  # conditions met one by one might be met by different things
        spoken = list(dict.fromkeys([*domain, *map(str, body)]))
    rules.append(f"spoken__({number},{pattern}) :- {', '.join(spoken)}.")
    return rules, tuple(", ".join(map(str, group)) for group in groups)


def _voice(norm: Norm) -> tuple[str, ...]:
    """Return what norms have in common that say the same wherever both are about one subject."""
    terms = [str(term) for term in list(norm.rule.head.atom.symbol.arguments)[1:]]
    beside = [term for place, term in enumerate(terms) if place != _SUBJECTS[norm.head][0]]
    if any(map(variables, beside)):
        beside.append(str(norm.rule))  # the same letter may stand for another value
    return (norm.clause, norm.head, *beside)


def _binding(one: Reified) -> list[int]:
    """Return the conditions that say which value a clause gives: without them it could say nothing."""
    place = _SUBJECTS[one.norm.head][0]
    given = {
        name
        for terms in one.norm.terms
        for number, term in enumerate(terms)
        if number != place
        for name in variables(term)
    }
    subject = {name for terms in one.norm.terms for name in variables(terms[place])}
    return [k for k, text in enumerate(one.conditions) if {*variables(text)} & (given - subject)]


# ---- conditions that stand alone -----------------------------------------------------------------

# alone__(N,K): norm N lacks its condition K and no other, and the clause is silent about the subject
_ALONE = (
    "alone__(N,K) :- lacking__(N,K,S), not said__(N,S). said__(N,S) :- spoken__(N,S). "
    "#defined lacking__/3. #defined about__/2. #defined cond__/3. #defined spoken__/2."
)


def lone_program(book: Rulebook) -> str:
    """Return the rules from which it follows where a condition makes a difference.

    What events change is left out: such rules repeat, on purpose, when the event can happen.
    """
    norms, program = reified_program(book, effects=False)
    voices = [_voice(one.norm) for one in norms]
    alike: dict[tuple[object, ...], list[int]] = {}
    for one, voice in zip(norms, voices, strict=True):
        alike.setdefault(voice, []).append(one.number)
    lines = [program, _ALONE]
    for one, voice in zip(norms, voices, strict=True):
        if not one.conditions:
            continue
        n = one.number
        lines += [f"alone__({n},{k})." for k in _binding(one)]
        for k in range(len(one.conditions)):
            others = "".join(f", cond__({n},{o},S)" for o in range(len(one.conditions)) if o != k)
            lines.append(f"lacking__({n},{k},S) :- about__({n},S), not cond__({n},{k},S){others}.")
        lines += [f"said__({n},S) :- spoken__({o},S)." for o in alike[voice] if o != n]
    return "\n".join(lines)
