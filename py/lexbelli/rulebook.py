"""A rulebook: its clauses with their headings, its norms, its words, and its groundings.

A rulebook is a folder of `.lp` files. The files beside `rules/` declare the game, those in `rules/`
hold the clauses, each under a heading comment:

    %## 7.21  Title
    % > what it says, in our own words, on as many lines as it takes
    % kind: permission    see: 5.51E 7.22    yields to: 6.22 (in the words that say so)
    % not formalised: why, for a heading without rules

Its other editions stand in `editions/`; they and errata are laid over the chapters: see `overlays`.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path

from clingo.ast import AST, ASTType

from lexbelli.alone import judge_alone
from lexbelli.constants import refuse_unknown_constants
from lexbelli.errors import InputError, Place, RulebookError
from lexbelli.headings import Chapters, refuse_doubles
from lexbelli.locate import core_files, shipped_rulebook
from lexbelli.model import Clause, Overlay
from lexbelli.norms import EFFECTS, Norm
from lexbelli.overlays import CURRENT, lay_over, read_overlays
from lexbelli.parsing import parse_rules
from lexbelli.problems import Problem
from lexbelli.shapes import core_names, known_names, plain_rules, refuse_unknown
from lexbelli.solver import Answer, Session, refuse_unsafe
from lexbelli.source import read_text
from lexbelli.strays import refuse_circles, refuse_stray_effects, refuse_strays
from lexbelli.terms import quoted

_CORE_PARTS = {
    "effect.lp": "effects", "choice.lp": "choice", "repair.lp": "repair", "check.lp": "check",
    "compare.lp": "compare", "sole.lp": "sole", "gap.lp": "gaps", "tension.lp": "tensions",
}  # fmt: skip


@dataclass(frozen=True, eq=False)
class Rulebook:
    """A loaded rulebook. Load it once with `load_rulebook`, ask it often."""

    root: Path
    edition: str
    clauses: tuple[Clause, ...]
    norms: tuple[Norm, ...] = field(repr=False)
    overlays: tuple[Overlay, ...]  # that of the edition, then those of errata
    statements: tuple[AST, ...] = field(repr=False)  # all but what events change
    effects: tuple[AST, ...] = field(repr=False)  # what events change
    choice: tuple[AST, ...] = field(repr=False)  # the choice of a state
    repair: tuple[AST, ...] = field(repr=False)  # the search for the smallest change
    check: tuple[AST, ...] = field(repr=False)  # what findings are read from
    compare: tuple[AST, ...] = field(repr=False)  # what two rulebooks are compared by
    sole: tuple[AST, ...] = field(repr=False)  # which clauses plainly make a difference
    gaps: tuple[AST, ...] = field(repr=False)  # the cases that clauses leave out
    tensions: tuple[AST, ...] = field(repr=False)  # limits that are kept while a ban stands
    tolerant: bool = False
    problems: tuple[Problem, ...] = ()  # what a strict load would have raised

    def clause(self, number: str) -> Clause | None:
        """Return the clause of exactly this id, or None."""
        return next((clause for clause in self.clauses if clause.id == number), None)

    def scenarios(self) -> dict[str, Path]:
        """Return the scenarios of the rulebook by name."""
        return {path.stem: path for path in sorted((self.root / "scenarios").glob("*.lp"))}


def load_rulebook(
    folder: Path | str | None = None,
    edition: str = CURRENT,
    errata: Sequence[Path | str] = (),
    *,
    tolerant: bool = False,
) -> Rulebook:
    """Return the rulebook in `folder`, or the one that comes with the package.

    `edition` names one of its editions, `errata` are files or folders to lay over it, in order. A
    `tolerant` load keeps as its `problems` what a check can tell as findings: rules that do not stand
    under the heading of their clause, and headings with neither rules nor a reason. Of such rules those
    of a clause that has a heading elsewhere count for it, the others are left out. Circles of
    priorities are let pass as well.

    Raises InputError when there is none, RulebookError with file, line and column for a syntax
    error, a rule without heading or under another's, a heading with neither rules nor a reason, a
    clause id used twice, an embedded script, an include from outside the folder, or an edition or
    erratum that does not fit.
    """
    root = Path(folder) if folder is not None else shipped_rulebook()
    folder = root / "rules"
    declared, chapters = _program_files(root), _program_files(folder, root)
    parts: dict[str, list[AST]] = {name: [] for name in ("statements", *_CORE_PARTS.values())}
    for path, statements in _core():
        parts[_CORE_PARTS.get(path.name, "statements")] += _rules(statements)
    core = [statement for part in parts.values() for statement in part]
    derived = frozenset(name for statement in core for name in core_names(statement))
    known = known_names(core)
    read: list[AST] = []
    for path in declared:
        statements, names = _read(path, root, derived, chapter=False)
        known |= names
        parts["statements"] += _rules(statements)
    reading = Chapters(parts, tolerant)
    if (root / "scenarios").exists():
        _program_files(root / "scenarios", root)
    written: list[Sequence[AST]] = []
    for path in chapters:
        statements, names = _read(path, root, derived, chapter=True)
        known |= names
        written.append(statements)
        read += statements
    sheets = read_overlays(root, edition, errata, derived)
    known = known.union(*(sheet.names for sheet in sheets))
    for statements in lay_over(written, sheets, known_names(core)):
        reading.read(statements)
    _refuse_unread(folder, read)
    refuse_doubles(reading.clauses)
    reading.settle()
    if not reading.clauses:
        raise RulebookError("the chapters hold no clause", place=Place(str(folder)))
    # effects are grounded only when something is played; what is wrong with them is told at once
    effects = [norm for norm in reading.norms if norm.head in EFFECTS]
    refuse_unknown((norm.rule for norm in effects), known)
    refuse_unsafe(parts["effects"])
    return Rulebook(
        root,
        edition,
        tuple(reading.clauses),
        tuple(reading.norms),
        tuple(sheet.overlay for sheet in sheets),
        **{name: tuple(part) for name, part in parts.items()},
        tolerant=tolerant,
        problems=tuple(reading.problems),
    )


@lru_cache(maxsize=1)
def _core() -> list[tuple[Path, Sequence[AST]]]:
    """Return what the core is made of."""
    return [(path, parse_rules(path, path.parent)) for path in core_files()]


def _read(
    path: Path, root: Path, derived: frozenset[str], *, chapter: bool
) -> tuple[Sequence[AST], frozenset[str]]:
    """Return the statements of a file and the names that its rules derive.

    A file that still says the same is not taken apart again for another edition.
    """
    text = read_text(path) if path.is_file() else ""
    alone = text and "#include" not in text
    return (_parsed if alone else _parsed.__wrapped__)(path, root, text, derived, chapter)


@lru_cache(maxsize=128)
def _parsed(
    path: Path, root: Path, _text: str, derived: frozenset[str], chapter: bool
) -> tuple[Sequence[AST], frozenset[str]]:
    statements = tuple(parse_rules(path, root))
    return statements, frozenset(plain_rules(statements, derived, chapter=chapter))


def _program_files(folder: Path, root: Path | None = None) -> list[Path]:
    """Return the `.lp` files of a folder, which must have some.

    `root` is the rulebook's folder where it is another. Raises InputError for a folder that cannot be
    read, and for what would be passed over in silence.
    """
    place = Place(str(folder))
    try:
        entries = sorted(folder.iterdir())
    except OSError as error:
        if isinstance(error, FileNotFoundError | NotADirectoryError):
            if root is None:
                raise InputError("there is no such rulebook folder", place=place) from None
            hint = f"its clauses would stand in {folder}"
            raise InputError(
                "this folder holds no rulebook", place=Place(str(root)), hint=hint
            ) from None
        raise InputError(f"the folder cannot be read: {error.strerror}", place=place) from None
    for path in entries:
        if path.suffix != ".lp" and path.suffix.lower() == ".lp":
            raise InputError("a program file ends in .lp", place=Place(str(path)))
    found = [path for path in entries if path.suffix == ".lp"]
    if not found and root is not None:
        raise InputError("this folder of the rulebook is empty", place=place, hint="it has no .lp file")
    inside = (root or folder).resolve()
    for path in found:
        if not path.resolve().is_relative_to(inside):
            raise InputError("this is a link to a file outside the rulebook", place=Place(str(path)))
    return found


def _refuse_unread(folder: Path, read: Iterable[AST]) -> None:
    """Refuse files in folders of `rules/` that no chapter includes: their clauses would be missed."""
    deeper = [path for path in sorted(folder.glob("*/**/*.lp")) if path.is_file()]
    files = {Path(s.location.begin.filename).resolve() for s in read} if deeper else set()
    for path in deeper:
        if path.resolve() not in files:
            raise InputError("no chapter includes this file", place=Place(str(path)))


def _rules(statements: Iterable[AST]) -> Iterator[AST]:
    """Leave out the comments."""
    return (statement for statement in statements if statement.ast_type is not ASTType.Comment)


# ---- grounding -----------------------------------------------------------------------------------


def session(book: Rulebook, full: frozenset[str] = frozenset(), effects: bool = False) -> Session:
    """Return a grounding of the rulebook, made once and kept.

    `full` names the facts whose every value is needed; `effects` adds what actions change.
    Raises RulebookError for undeclared predicates, unsafe rules and, unless the rulebook was loaded
    tolerantly, circles of priorities.
    """
    return _session(book, full, effects)


@lru_cache(maxsize=16)
def _session(book: Rulebook, full: frozenset[str], effects: bool) -> Session:
    chosen = book.statements + book.choice + (book.effects if effects else ())
    grounded = Session(chosen, switches(book, full))
    known = {clause.id for clause in book.clauses}
    known |= {clause for problem in book.problems for clause in problem.clauses}
    # a clause may still stand above one that an overlay withdraws
    known |= {clause for overlay in book.overlays for clause in overlay.withdraws}
    if effects:  # the rest is the same without them, and has been looked at
        session(book, full)
        said = ((head, *row) for head in sorted(EFFECTS) for row in grounded.pairs(head, 3))
        refuse_stray_effects(book.norms, grounded, said)
        return grounded
    refuse_strays(book.norms, known, grounded)
    if not full:  # any other grounding knows the same names
        refuse_unknown_constants(book.norms, grounded)
    if not book.tolerant:
        refuse_circles(book.norms, grounded)
    return grounded


def judge_fresh(book: Rulebook, facts: Iterable[str], full: frozenset[str] = frozenset()) -> Answer:
    """Judge one state on a grounding of its own, as a check on the shared one."""
    return judge_alone(book.statements, one_state(book, facts, full))


def one_state(book: Rulebook, facts: Iterable[str], full: frozenset[str]) -> str:
    """Return the program that makes a rulebook, without the choice of states, be about one of them."""
    return switches(book, full) + "".join(f"state({fact})." for fact in facts)


def switches(book: Rulebook, full: frozenset[str]) -> str:
    """Return the facts that switch every clause on and name the facts grounded at every value."""
    in_force = "".join(f"in_force({quoted(clause.id)})." for clause in book.clauses)
    return in_force + "".join(f"full({name})." for name in sorted(full))


def everywhere(book: Rulebook, *, full: bool = True) -> str:
    """Return the facts for a proof: every clause, every value when `full`, and nothing impossible."""
    wide = frozenset(session(book).names("wide")) if full else frozenset()
    return f"{switches(book, wide)} :- impossible(_)."
