"""Chapters: clauses under their headings, and the norms that their rules state.

A heading is a comment above the rules of its clause:

    %## 7.21  Title
    % > what it says, in our own words, on as many lines as it takes
    % kind: permission    see: 5.51E 7.22    yields to: 6.22 (in the words that say so)
    % not formalised: why, for a heading without rules
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import zip_longest

from clingo import String
from clingo.ast import AST, ASTType, Literal, Sign, SymbolicAtom, SymbolicTerm
from clingo.ast import Function as AstFunction

from lexbelli.errors import Place, RulebookError
from lexbelli.model import Clause
from lexbelli.norms import EFFECTS, HEADS, Norm, place_of
from lexbelli.suggest import did_you_mean

_HEADING = re.compile(r"%##\s+(\S+)\s+(\S.*)")
_GIST = re.compile(r"%\s*>\s?(.*)")
_KEY = re.compile(r"\b(kind|see|yields to|not formalised):\s*")
_SPEAKER = re.compile(r'\w+\("([^"\\]*)"[,)]')
_CLAUSE_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,59}")


@dataclass(slots=True)
class _Heading:
    """A heading while its lines and rules are being collected."""

    id: str
    title: str
    place: Place
    gist: list[str] = field(default_factory=list)
    keys: dict[str, str] = field(default_factory=dict)
    rules: int = 0
    heads: list[str] = field(default_factory=list)
    _guard: AST | None = None

    def take(self, comment: str) -> None:
        """Take one comment line that belongs to the heading."""
        gist = _GIST.fullmatch(comment)
        if gist:
            self.gist.append(gist.group(1).strip())
            return
        found = list(_KEY.finditer(comment))
        reason = next((match for match in found if match.group(1) == "not formalised"), None)
        if reason is not None:  # the reason takes the rest of the line, whatever words are in it
            found = found[: found.index(reason) + 1]
        if not found or comment[1 : found[0].start()].strip():
            return
        for match, following in zip_longest(found, found[1:]):
            end = following.start() if following else len(comment)
            self.keys[match.group(1)] = comment[match.end() : end].strip()

    def guard(self, rule: AST) -> AST:
        """Return the literal that switches this clause's rules on."""
        if self._guard is None:
            place = rule.location
            term = SymbolicTerm(place, String(self.id))
            atom = SymbolicAtom(AstFunction(place, "in_force", [term], 0))
            self._guard = Literal(place, Sign.NoSign, atom)
        return self._guard

    def clause(self) -> Clause:
        reason = self.keys.get("not formalised", "")
        if not self.rules and not reason:
            raise RulebookError(
                f"clause {self.id} has neither a rule nor a reason for having none",
                place=self.place,
                hint="write its rules below, or a line '% not formalised: why'",
            )
        return Clause(
            id=self.id,
            title=self.title,
            gist=" ".join(self.gist),
            kind=self.keys.get("kind", ""),
            see=tuple(self.keys.get("see", "").split()),
            yields_to=self.keys.get("yields to", ""),
            reason=reason,
            place=self.place,
            rules=self.rules,
            heads=tuple(sorted(set(self.heads))),
        )


def read_chapter(
    statements: Iterable[AST],
    clauses: list[Clause],
    norms: list[Norm],
    parts: dict[str, list[AST]],
) -> None:
    """Collect the clauses, norms and rules of one file, and put the guard on every norm.

    Comments and rules come in the order of the file, so a rule belongs to the last heading.
    """
    heading: _Heading | None = None
    for statement in statements:
        kind = statement.ast_type
        if kind is ASTType.Comment:
            comment = statement.value.rstrip()
            if comment.startswith("%##"):
                if heading is not None:
                    clauses.append(heading.clause())
                heading = read_heading(comment, place_of(statement))
            elif heading is not None:
                heading.take(comment)
            continue
        part = "statements"
        if kind is ASTType.Rule:
            shape = str(statement.head)
            name = shape.partition("(")[0]
            spoken = _SPEAKER.match(shape)
            if name not in HEADS and spoken and heading and spoken.group(1) == heading.id:
                hint = did_you_mean(name, HEADS) or f"the heads are: {', '.join(sorted(HEADS))}"
                message = f"{name} is none of the heads through which a clause speaks"
                raise RulebookError(message, place=place_of(statement), hint=hint)
            if name in HEADS:
                norms.append(_norm(statement, name, shape, heading))
                part = "effects" if name in EFFECTS else part
            if heading is not None:
                heading.rules += 1
                if name in HEADS:
                    heading.heads.append(name)
        parts[part].append(statement)
    if heading is not None:
        clauses.append(heading.clause())


def read_heading(comment: str, place: Place) -> _Heading:
    """Return the heading that a comment writes. Raises RulebookError when it is none."""
    match = _HEADING.fullmatch(comment)
    if not match:
        raise RulebookError("a heading is '%## number  title'", place=place)
    if not _CLAUSE_ID.fullmatch(match.group(1)):
        raise RulebookError(
            f"{match.group(1)[:70]!r} is no clause id",
            place=place,
            hint="an id is at most 60 letters, digits, dots and dashes",
        )
    return _Heading(match.group(1), match.group(2), place)


def _norm(statement: AST, name: str, shape: str, heading: _Heading | None) -> Norm:
    """Return the norm that a rule states, after adding its guard `in_force(Clause)`."""
    match = _SPEAKER.match(shape)
    if match is None:
        raise RulebookError(
            f"the first argument of {name} must be the clause's id in quotation marks",
            place=place_of(statement),
        )
    clause = match.group(1)
    if heading is None:
        raise RulebookError(f"this rule of clause {clause} has no heading", place=place_of(statement))
    if clause != heading.id:
        raise RulebookError(
            f"this rule of clause {clause} stands under the heading of {heading.id}",
            place=place_of(statement),
            hint=f"put it under its own heading, '%## {clause}  title'",
        )
    statement.body.append(heading.guard(statement))
    return Norm(clause, name, shape, statement)


def refuse_doubles(clauses: Iterable[Clause]) -> None:
    seen: dict[str, Clause] = {}
    for clause in clauses:
        if clause.id in seen:
            raise RulebookError(
                f"clause {clause.id} has a second heading; the first is at {seen[clause.id].place}",
                place=clause.place,
            )
        seen[clause.id] = clause
