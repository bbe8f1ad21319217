"""Chapters: clauses under their headings, and the norms that their rules state.

A heading is a comment above the rules of its clause:

    %## 7.21  Title
    % > what it says, in our own words, on as many lines as it takes
    % kind: permission    see: 5.51E 7.22    yields to: 6.22 (in the words that say so)
    % not formalised: why, for a heading without rules
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from itertools import zip_longest

from clingo import String
from clingo.ast import AST, ASTType, Literal, Sign, SymbolicAtom, SymbolicTerm
from clingo.ast import Function as AstFunction

from lexbelli.errors import Place, RulebookError
from lexbelli.model import Clause
from lexbelli.norms import EFFECTS, HEADS, Norm, place_of
from lexbelli.problems import Problem, refuse
from lexbelli.suggest import did_you_mean

_HEADING = re.compile(r"%##\s+(\S+)\s+(\S.*)")
_GIST = re.compile(r"%\s*>\s?(.*)")
_KEY = re.compile(r"\b(kind|see|yields to|not formalised):\s*")
_LABEL = re.compile(r"%\s*([A-Za-z][A-Za-z ]{1,20}):")
_SPEAKER = re.compile(r'\w+\("([^"\\]*)"[,)]')
_CLAUSE_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,59}")

KEYS = ("kind", "see", "yields to", "not formalised")
KINDS = (
    "cost", "cross-reference", "definition", "effect", "exception", "obligation", "permission",
    "precondition", "procedure", "prohibition", "value",
)  # fmt: skip
_ALIKE = 0.75  # a label that is so much like a key is meant to be one; any other is a comment


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
    astray: bool = False  # whether rules of another clause stand here
    _doubled: tuple[str, Place] | None = None
    _guard: AST | None = None

    def take(self, comment: str, place: Place) -> None:
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
            _refuse_near_key(comment, place)
            return
        for match, following in zip_longest(found, found[1:]):
            key, end = match.group(1), following.start() if following else len(comment)
            value = comment[match.end() : end].strip()
            if key == "kind" and value not in KINDS:
                hint = did_you_mean(value, KINDS) or f"there are: {', '.join(KINDS)}"
                message = f"clause {self.id}: there is no kind {value!r}"
                raise RulebookError(message, place=place, hint=hint)
            if key in self.keys:
                self._doubled = self._doubled or (key, place)
            else:
                self.keys[key] = value

    def guard(self, rule: AST) -> AST:
        """Return the literal that switches this clause's rules on."""
        if self._guard is None:
            self._guard = _guard(rule, self.id)
        return self._guard

    def clause(self, chapters: "Chapters") -> Clause:
        if self._doubled and not self.astray:  # otherwise it is another heading that is missing
            key, place = self._doubled
            raise RulebookError(f"clause {self.id} has a second {key!r}", place=place)
        reason = self.keys.get("not formalised", "")
        if not self.rules and not reason:
            message = f"clause {self.id} has neither a rule nor a reason for having none"
            hint = "write its rules below, or a line '% not formalised: why'"
            chapters.tell(Problem("LB403", (self.id,), self.place, message, hint))
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


def _refuse_near_key(comment: str, place: Place) -> None:
    """Refuse a comment whose label is nearly a key: what it says would be missed."""
    label = _LABEL.match(comment)
    near = get_close_matches(label.group(1).strip().lower(), KEYS, 1, _ALIKE) if label else []
    if label and near:
        raise RulebookError(
            f"{label.group(1)!r} is no key of a heading", place=place, hint=f"did you mean {near[0]}?"
        )


def _guard(rule: AST, clause: str) -> AST:
    """Return the literal that switches a rule of a clause on."""
    place = rule.location
    atom = SymbolicAtom(AstFunction(place, "in_force", [SymbolicTerm(place, String(clause))], 0))
    return Literal(place, Sign.NoSign, atom)


@dataclass(slots=True)
class Chapters:
    """What the chapters hold, while they are being read.

    `parts` are the rules, by what they are for. A tolerant reading keeps problems; any other raises
    the first of them as RulebookError.
    """

    parts: dict[str, list[AST]]
    tolerant: bool = False
    clauses: list[Clause] = field(default_factory=list)
    norms: list[Norm] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    _astray: list[Norm] = field(default_factory=list)

    def tell(self, problem: Problem) -> None:
        if not self.tolerant:
            refuse(problem)
        self.problems.append(problem)

    def read(self, statements: Iterable[AST]) -> None:
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
                        self.clauses.append(heading.clause(self))
                    heading = read_heading(comment, place_of(statement))
                elif heading is not None:
                    heading.take(comment, place_of(statement))
            elif kind is ASTType.Rule:
                self._take_rule(statement, heading)
            else:
                self.parts["statements"].append(statement)
        if heading is not None:
            self.clauses.append(heading.clause(self))

    def _take_rule(self, rule: AST, heading: _Heading | None) -> None:
        shape = str(rule.head)
        name = shape.partition("(")[0]
        spoken = _SPEAKER.match(shape)
        if name in HEADS:
            problem = _astray(rule, name, spoken.group(1) if spoken else None, heading)
            norm = Norm(spoken.group(1) if spoken else "", name, shape, rule)
            if problem is not None:
                self.tell(problem)
                self._astray.append(norm)
                if heading is not None:
                    heading.astray = True
                return
            if heading is not None:
                heading.heads.append(name)
                self._keep(norm, heading.guard(rule))
        else:
            if spoken and heading and spoken.group(1) == heading.id:
                hint = did_you_mean(name, HEADS) or f"the heads are: {', '.join(sorted(HEADS))}"
                message = f"{name} is none of the heads through which a clause speaks"
                raise RulebookError(message, place=place_of(rule), hint=hint)
            self.parts["statements"].append(rule)
        if heading is not None:
            heading.rules += 1

    def _keep(self, norm: Norm, guard: AST) -> None:
        # what was read from a file stays as it is: another edition may be made of it
        norm = replace(norm, rule=norm.rule.update(body=[*norm.rule.body, guard]))
        self.norms.append(norm)
        self.parts["effects" if norm.head in EFFECTS else "statements"].append(norm.rule)

    def settle(self) -> None:
        """Give the rules that stand under another's heading to their own clause, where there is one.

        The others are left out. A clause that has no rules because they have gone astray has one
        problem, not two.
        """
        known = {clause.id for clause in self.clauses}
        for norm in self._astray:
            if norm.clause in known:
                self._keep(norm, _guard(norm.rule, norm.clause))
        astray = {clause for one in self.problems if one.code == "LB404" for clause in one.clauses}
        self.problems = [
            one for one in self.problems if one.code != "LB403" or one.clauses[0] not in astray
        ]


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


def _astray(rule: AST, name: str, clause: str | None, heading: _Heading | None) -> Problem | None:
    """Return what is wrong when a rule does not stand under the heading of its clause.

    Raises RulebookError for a rule that names no clause.
    """
    if clause is None:
        raise RulebookError(
            f"the first argument of {name} must be the clause's id in quotation marks",
            place=place_of(rule),
        )
    if heading is None:
        return Problem(
            "LB404", (clause,), place_of(rule), f"this rule of clause {clause} has no heading"
        )
    if clause != heading.id:
        message = f"this rule of clause {clause} stands under the heading of {heading.id}"
        hint = f"put it under its own heading, '%## {clause}  title'"
        return Problem("LB404", (clause, heading.id), place_of(rule), message, hint)
    return None


def refuse_doubles(clauses: Iterable[Clause]) -> None:
    seen: dict[str, Clause] = {}
    for clause in clauses:
        if clause.id in seen:
            raise RulebookError(
                f"clause {clause.id} has a second heading; the first is at {seen[clause.id].place}",
                place=clause.place,
            )
        seen[clause.id] = clause
