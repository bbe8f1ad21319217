"""A rulebook: its clauses with their headings, its norms, its words, and its groundings.

A rulebook is a folder of `.lp` files. The files beside `rules/` declare the game, those in `rules/`
hold the clauses, each under a heading comment:

    %## 7.21  Title
    % > what it says, in our own words, on as many lines as it takes
    % kind: permission    see: 5.51E 7.22    yields to: 6.22 (in the words that say so)
    % not formalised: why, for a heading without rules
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import zip_longest
from pathlib import Path

from clingo import String
from clingo.ast import AST, ASTType, Literal, Sign, SymbolicAtom, SymbolicTerm
from clingo.ast import Function as AstFunction

from lexbelli.errors import InputError, Place, RulebookError
from lexbelli.locate import core_files, shipped_rulebook
from lexbelli.model import Clause
from lexbelli.norms import EFFECTS, HEADS, Norm, place_of
from lexbelli.solver import Answer, Session, judge_alone, parse_rules, quoted
from lexbelli.strays import refuse_circles, refuse_strays
from lexbelli.suggest import did_you_mean

_CORE_PARTS = {"effect.lp": "effects", "choice.lp": "choice", "repair.lp": "repair"}

_HEADING = re.compile(r"%##\s+(\S+)\s+(\S.*)")
_GIST = re.compile(r"%\s*>\s?(.*)")
_KEY = re.compile(r"\b(kind|see|yields to|not formalised):\s*")
_SPEAKER = re.compile(r'\w+\("([^"\\]*)"[,)]')
_CLAUSE_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")


@dataclass(frozen=True, eq=False)
class Rulebook:
    """A loaded rulebook. Load it once with `load_rulebook`, ask it often."""

    root: Path
    edition: str
    clauses: tuple[Clause, ...]
    norms: tuple[Norm, ...] = field(repr=False)
    statements: tuple[AST, ...] = field(repr=False)  # all but what events change
    effects: tuple[AST, ...] = field(repr=False)  # what events change
    choice: tuple[AST, ...] = field(repr=False)  # the choice of a state
    repair: tuple[AST, ...] = field(repr=False)  # the search for the smallest change

    def clause(self, number: str) -> Clause | None:
        """Return the clause of exactly this id, or None."""
        return next((clause for clause in self.clauses if clause.id == number), None)

    def scenarios(self) -> dict[str, Path]:
        """Return the scenarios of the rulebook by name."""
        return {path.stem: path for path in sorted((self.root / "scenarios").glob("*.lp"))}


def load_rulebook(folder: Path | str | None = None, edition: str = "current") -> Rulebook:
    """Return the rulebook in `folder`, or the one that comes with the package.

    Raises InputError when there is none, RulebookError with file, line and column for a syntax
    error, a rule without heading or under another's, a heading with neither rules nor a reason, a
    clause id used twice, an embedded script, or an include from outside the folder.
    """
    root = Path(folder) if folder is not None else shipped_rulebook()
    files = sorted(root.glob("*.lp"))
    chapters = sorted((root / "rules").glob("*.lp"))
    if not root.is_dir():
        raise InputError("there is no such rulebook folder", place=Place(str(root)))
    if not files and not chapters:
        raise InputError(
            "this folder holds no rulebook", place=Place(str(root)), hint="it has no .lp file"
        )
    if edition != "current":
        raise InputError(f"the rulebook has no edition {edition!r}", hint="it has: current")
    parts: dict[str, list[AST]] = {"statements": [], "effects": [], "choice": [], "repair": []}
    for path in core_files():
        parts[_CORE_PARTS.get(path.name, "statements")] += _rules(parse_rules(path, path.parent))
    for path in files:
        parts["statements"] += _rules(parse_rules(path, root))
    clauses: list[Clause] = []
    norms: list[Norm] = []
    for path in chapters:
        _read_chapter(str(path), parse_rules(path, root), clauses, norms, parts)
    _refuse_doubles(clauses)
    return Rulebook(
        root, edition, tuple(clauses), tuple(norms), *(tuple(part) for part in parts.values())
    )


def _rules(statements: Iterable[AST]) -> Iterator[AST]:
    """Leave out the comments, and refuse what would run."""
    for statement in statements:
        kind = statement.ast_type
        if kind is ASTType.Script:
            place = place_of(statement)
            raise RulebookError("embedded scripts are refused: files are data", place=place)
        if kind is not ASTType.Comment:
            yield statement


# ---- headings ------------------------------------------------------------------------------------


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


def _read_chapter(
    file: str,
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
                heading = _heading(comment, place_of(statement))
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
        elif kind is ASTType.Script:
            raise RulebookError(
                "embedded scripts are refused: files are data", place=place_of(statement)
            )
        parts[part].append(statement)
    if heading is not None:
        clauses.append(heading.clause())


def _heading(comment: str, place: Place) -> _Heading:
    match = _HEADING.fullmatch(comment)
    if not match:
        raise RulebookError("a heading is '%## number  title'", place=place)
    if not _CLAUSE_ID.fullmatch(match.group(1)):
        raise RulebookError(f"{match.group(1)!r} is no clause id", place=place)
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


def _refuse_doubles(clauses: Iterable[Clause]) -> None:
    seen: dict[str, Clause] = {}
    for clause in clauses:
        if clause.id in seen:
            raise RulebookError(
                f"clause {clause.id} has a second heading; the first is at {seen[clause.id].place}",
                place=clause.place,
            )
        seen[clause.id] = clause


# ---- grounding -----------------------------------------------------------------------------------


def session(book: Rulebook, full: frozenset[str] = frozenset(), effects: bool = False) -> Session:
    """Return a grounding of the rulebook, made once and kept.

    `full` names the facts whose every value is needed; `effects` adds what actions change.
    Raises RulebookError for undeclared predicates, unsafe rules and circles of priorities.
    """
    return _session(book, full, effects)


@lru_cache(maxsize=16)
def _session(book: Rulebook, full: frozenset[str], effects: bool) -> Session:
    chosen = book.statements + book.choice + (book.effects if effects else ())
    grounded = Session(chosen, switches(book, full))
    refuse_strays(book.norms, {clause.id for clause in book.clauses}, grounded)
    refuse_circles(grounded.pairs("overrides", 3))
    return grounded


def judge_fresh(book: Rulebook, facts: Iterable[str], full: frozenset[str] = frozenset()) -> Answer:
    """Judge one state on a grounding of its own, as a check on the shared one."""
    state = "".join(f"state({fact})." for fact in facts)
    return judge_alone(book.statements, switches(book, full) + state)


def switches(book: Rulebook, full: frozenset[str]) -> str:
    """Return the facts that switch every clause on and name the facts grounded at every value."""
    in_force = "".join(f"in_force({quoted(clause.id)})." for clause in book.clauses)
    return in_force + "".join(f"full({name})." for name in sorted(full))
