"""Drafts of errata for two clauses that clash: one put above the other, or one given a condition."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice, product

from clingo import Symbol
from clingo.ast import AST, Sign

from lexbelli.findings import Finding
from lexbelli.literals import atom_of, has_words, is_plain, split_body, variables
from lexbelli.matching import Alignment, align, extended, match, narrowed, substituted, without_pools
from lexbelli.norms import HEADS as HEAD_ARITIES
from lexbelli.norms import Norm
from lexbelli.parsing import parse_text
from lexbelli.phrases import wording
from lexbelli.rulebook import Rulebook, session
from lexbelli.terms import parse_term, quoted, split_arguments

OVERRIDE, CONDITION = "override", "condition"
# through which heads the two clauses of a finding clash
HEADS = {
    "LB101": (("permits", "discharges"), ("forbids",)),
    "LB103": (("sets",), ("sets",)),
    "LB104": (("concludes",), ("denies",)),
    "LB105": (("initiates",), ("terminates",)),
}
_UNLIKE = re.compile(r"([a-z]\w*) != ([a-z]\w*)")
_BOTH = (("concludes",), ("concludes",))
_PLACE = {"discharges": 2, "initiates": 2, "terminates": 2}  # which argument a clash is about, else 1
_WIDTH = 100
_MOST = 12  # conditions that are tried on one clause
_RULES = 3  # rules that one may be written as; more are no small change


@dataclass(frozen=True, slots=True)
class Edit:
    """Rules to write in place of one of a clause's own, or at its end when there is no `norm`."""

    norm: Norm | None
    rules: tuple[str, ...]
    comment: str


@dataclass(frozen=True, slots=True)
class Draft:
    """A change of one clause that may keep it from clashing with another.

    `conditions` are those that are added, for a draft that adds some.
    """

    way: str
    clause: str
    other: str
    edits: tuple[Edit, ...]
    conditions: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Voice:
    """One rule through which a clause speaks of subjects of the finding, without pools."""

    norm: Norm
    term: AST
    body: tuple[AST, ...]
    subjects: tuple[Symbol, ...]


@dataclass(frozen=True, slots=True)
class _Side:
    """One of the two clauses: how it speaks, and which part of a subject it is about."""

    clause: str
    heads: tuple[str, ...]
    place: int


def drafts(book: Rulebook, finding: Finding) -> Iterator[Draft]:
    """Return the drafts for a finding with two clauses, overrides first."""
    both = finding.subjects[0].startswith("both(")
    heads = _BOTH if both else HEADS[finding.code]
    one, other = (_Side(finding.clauses[n], heads[n], n if both else 0) for n in (0, 1))
    pairs = [_pair(subject) for subject in finding.subjects]
    sides = ((one, other), (other, one))
    for higher, lower in sides:
        yield from _override(book, higher, lower, pairs)
    if not both:  # what two facts have in common is not in their clauses
        for speaker, silencing in sides:
            yield from _conditions(book, speaker, silencing, [pair[0] for pair in pairs])


def _pair(subject: str) -> tuple[Symbol, Symbol]:
    """Return what the first clause and what the second one is about."""
    if subject.startswith("both("):
        one, other = map(parse_term, split_arguments(subject))
        return one, other
    if subject.startswith("change("):
        subject = split_arguments(subject)[1]
    return parse_term(subject), parse_term(subject)


def _voices(book: Rulebook, side: _Side, subjects: Sequence[Symbol]) -> Iterator[_Voice]:
    """Return the rules through which a clause speaks of some of these subjects."""
    for norm in book.norms:
        if norm.clause != side.clause or norm.head not in side.heads:
            continue
        for term in without_pools(_term(norm)):
            matched = tuple(dict.fromkeys(s for s in subjects if match(term, s) is not None))
            if matched:
                yield _Voice(norm, term, tuple(_body(book, norm)), matched)


def _term(norm: Norm) -> AST:
    term: AST = norm.rule.head.atom.symbol.arguments[_PLACE.get(norm.head, 1)]
    return term


def _body(book: Rulebook, norm: Norm) -> Iterator[AST]:
    """Return the conditions of a rule; a way to meet a duty counts only where the duty is imposed."""
    yield from norm.body
    if norm.head != "discharges":
        return
    duty = norm.rule.head.atom.symbol.arguments[1]
    told = {str(literal) for literal in norm.body}
    for imposing in book.norms:
        if (imposing.clause, imposing.head) != (norm.clause, "obliges"):
            continue
        for term in without_pools(imposing.rule.head.atom.symbol.arguments[1]):
            found = align(term, duty)
            if found is not None and not found.apart:
                texts = [substituted(str(literal), found.known) for literal in imposing.body]
                for text in texts:
                    if text not in told:
                        yield _literal(text)
                return


def _literal(text: str) -> AST:
    statement = parse_text(f"x :- {text}.")[-1]
    literal: AST = statement.body[0]
    return literal


# ---- one clause above the other ------------------------------------------------------------------


def _override(
    book: Rulebook, higher: _Side, lower: _Side, pairs: Sequence[tuple[Symbol, Symbol]]
) -> Iterator[Draft]:
    """Put one clause above the other wherever it speaks of the subjects."""
    rules: dict[str, None] = {}
    head = f"overrides({quoted(higher.clause)},{quoted(lower.clause)}"
    for voice in _voices(book, higher, [pair[higher.place] for pair in pairs]):
        term, values = narrowed(voice.term, voice.subjects)
        body = _narrowed_body(book, voice, values)
        if higher.place == lower.place:
            rules[_rule(f"{head},{term})", body)] = None
            continue
        for pair in pairs:
            if pair[higher.place] in voice.subjects:
                rules[_rule(f"{head},{pair[lower.place]})", body)] = None
    if rules:
        comment = f"% added: {higher.clause} stands above {lower.clause}; say here in which words"
        edit = Edit(None, tuple(rules), comment)
        yield Draft(OVERRIDE, higher.clause, lower.clause, (edit,))


def _narrowed_body(book: Rulebook, voice: _Voice, values: dict[str, str]) -> list[str]:
    """Return the conditions of a rule for some subjects, without those that no state changes."""
    grounded, words = session(book), wording(book)
    body = []
    for literal in voice.body:
        text = substituted(str(literal), values)
        unlike = _UNLIKE.fullmatch(text)
        if unlike is not None and unlike.group(1) != unlike.group(2):
            continue
        if is_plain(literal) and literal.sign == Sign.NoSign and not has_words(literal, words):
            atom = atom_of(literal)
            if text in map(str, grounded.symbols(atom.name, len(atom.arguments))):
                continue
        body.append(text)
    return body


def _rule(head: str, body: Sequence[str]) -> str:
    if not body:
        return f"{head}."
    line = f"{head} :- {', '.join(body)}."
    if len(line) <= _WIDTH:
        return line
    lines = [f"{head} :-", f"    {body[0]}"]
    for literal in body[1:]:
        longer = f"{lines[-1]}, {literal}"
        if len(longer) < _WIDTH:
            lines[-1] = longer
        else:
            lines[-1] += ","
            lines.append(f"    {literal}")
    return "\n".join(lines) + "."


# ---- one clause with a condition more ------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Meeting:
    """A rule of the clause that is to be limited against a rule of the other: how they agree."""

    index: int
    own: _Voice
    number: int  # of the other's rule
    alignment: Alignment


def _conditions(
    book: Rulebook, speaker: _Side, silencing: _Side, subjects: Sequence[Symbol]
) -> Iterator[Draft]:
    """Let one clause speak only where a condition of the other does not hold."""
    own, others = (list(_voices(book, side, subjects)) for side in (speaker, silencing))
    meetings = list(_meetings(own, others))
    met = sorted({meeting.number for meeting in meetings})
    negations: list[list[dict[int, str]]] = []
    for number in met:
        here = [meeting for meeting in meetings if meeting.number == number]
        negations.append(list(_negations(book, others[number], here)))
    for chosen in islice(product(*negations), _MOST):
        texts = {text for negated in chosen for text in negated.values()}
        edits = tuple(_limited(book, meetings, dict(zip(met, chosen, strict=True))))
        if edits and all(len(edit.rules) <= _RULES for edit in edits):
            yield Draft(CONDITION, speaker.clause, silencing.clause, edits, tuple(sorted(texts)))


def _meetings(own: Iterable[_Voice], others: Sequence[_Voice]) -> Iterator[_Meeting]:
    index = 0
    for voice, (number, other) in product(own, enumerate(others)):
        alignment = align(other.term, voice.term)
        if alignment is not None and {*voice.subjects} & {*other.subjects}:
            extended(alignment, _positive(other.body), list(_positive(voice.body)))
            yield _Meeting(index, voice, number, alignment)
            index += 1


def _positive(body: Iterable[AST]) -> Iterator[AST]:
    return (literal for literal in body if is_plain(literal) and literal.sign == Sign.NoSign)


def _negations(book: Rulebook, other: _Voice, meetings: Sequence[_Meeting]) -> Iterator[dict[int, str]]:
    """Return each condition of a rule that has a plain negation: how it reads where it is added.

    The keys are the indices of the meetings. What no state changes is no condition.
    """
    words = wording(book)
    for literal in other.body:
        if not has_words(literal, words) or literal.sign == Sign.DoubleNegation:
            continue
        texts = {meeting.index: _negated(literal, other, meeting) for meeting in meetings}
        if all(texts.values()):
            yield texts


def _negated(literal: AST, other: _Voice, meeting: _Meeting) -> str:
    """Write the negation of a condition in the words of another rule, or nothing."""
    known = meeting.alignment.known
    if not any(group == (literal,) for group in split_body(other.body, known)):
        return ""
    free = [name for name in variables(literal) if name not in known]
    if len({*free}) < len(free) or (free and literal.sign != Sign.NoSign):
        return ""
    atom = substituted(str(atom_of(literal)), known | dict.fromkeys(free, "_"))
    text = f"not {atom}" if literal.sign == Sign.NoSign else atom
    return "" if text in {str(one) for one in meeting.own.body} else text


def _limited(
    book: Rulebook, meetings: Sequence[_Meeting], chosen: dict[int, dict[int, str]]
) -> Iterator[Edit]:
    """Return the rules of a clause with their conditions, each rule once."""
    for norm in dict.fromkeys(meeting.own.norm for meeting in meetings):
        limited: dict[str, list[_Meeting]] = {}
        for meeting in meetings:
            if meeting.own.norm == norm:
                limited.setdefault(str(meeting.own.term), []).append(meeting)
        free = [str(term) for term in without_pools(_term(norm)) if str(term) not in limited]
        bodies: dict[tuple[tuple[str, ...], ...], list[str]] = {((),): free} if free else {}
        for term, here in limited.items():
            bodies.setdefault(_ways(book, here, chosen), []).append(term)
        rules = [_with(norm, terms, way) for ways, terms in bodies.items() for way in ways]
        added = dict.fromkeys(chosen[m.number][m.index] for here in limited.values() for m in here)
        yield Edit(norm, tuple(rules), f"% changed: with the condition {' and '.join(added)}")


def _ways(
    book: Rulebook, meetings: Sequence[_Meeting], chosen: dict[int, dict[int, str]]
) -> tuple[tuple[str, ...], ...]:
    """Return what a rule asks for in addition: one of these sets of literals."""
    added = [chosen[meeting.number][meeting.index] for meeting in meetings]
    if len({*added}) == 1 and _speaks_of_nothing_else(book, meetings[0].own):
        return ((added[0],),)
    options: list[list[str]] = []
    for meeting, text in zip(meetings, added, strict=True):
        apart = [f"{name} != {value}" for name, value in meeting.alignment.apart.items()]
        options.append([*apart, text])
    return tuple(dict.fromkeys(tuple(dict.fromkeys(way)) for way in product(*options)))


def _speaks_of_nothing_else(book: Rulebook, voice: _Voice) -> bool:
    """Say whether a clause speaks by this head, in any state, of the finding's subjects only."""
    place = _PLACE.get(voice.norm.head, 1)
    atoms = session(book).symbols(voice.norm.head, HEAD_ARITIES[voice.norm.head])
    spoken = {a.arguments[place] for a in atoms if a.arguments[0].string == voice.norm.clause}
    return {symbol for symbol in spoken if match(voice.term, symbol) is not None} <= {*voice.subjects}


def _with(norm: Norm, terms: Sequence[str], added: Sequence[str]) -> str:
    """Write a rule for some of the terms in its head, with conditions added."""
    arguments = [str(argument) for argument in norm.rule.head.atom.symbol.arguments]
    arguments[_PLACE.get(norm.head, 1)] = terms[0] if len(terms) == 1 else f"({';'.join(terms)})"
    body = [str(literal) for literal in norm.body]
    return _rule(f"{norm.head}({','.join(arguments)})", [*body, *added])
