"""Overlays: another edition of a rulebook, or an erratum to one, as clauses laid over its own.

An overlay is an `.lp` file, or a folder of them, written as a chapter is, below a head of its own:

    %# title: What it is called
    %# date: 2003-05-01
    %# for: current
    %# reason: what it replaces and why, on as many lines as it takes,
    %#         each further one set in by two spaces or more

    %## 7.21  Title
    % redefined: what is different now
    % > the gist, and then the rules: they stand in the place of the clause's own

    %## 7.22  Title
    % withdrawn: why it is gone

    %## 7.23  Title
    % > a clause with neither line is added

A date may be a year or a month as well, or `undated`. `for` names the edition it is made for; the
editions in a rulebook's folder `editions/`, each named by its file, are made for `current`, which is
the rulebook itself.

What a clause loses. A clause that is redefined or withdrawn loses its norms: the rules whose head
names it. The other rules under its heading, its helpers, stay, because rules under other headings may
read them, unless the overlay derives the same predicate under the same heading: then its rules take the
place of those that stood there, and what other headings derive of that predicate stays. The words that
the core knows (`fact`, `reads`, `fulfilled` and so on) are told apart by what they are about as well,
so that the words for a new fact leave those for the others alone.
"""

import os
import re
from collections.abc import Collection, Iterable, Sequence
from pathlib import Path

from clingo.ast import AST, ASTType

from lexbelli.errors import InputError, Place, RulebookError
from lexbelli.model import Clause, ClauseChange, Overlay
from lexbelli.norms import HEADS, place_of
from lexbelli.overlay_files import Block, Sheet, read_sheet, split_blocks
from lexbelli.shapes import head_name
from lexbelli.suggest import did_you_mean
from lexbelli.terms import clause_key

CURRENT = "current"
_SPEAKER = re.compile(r'\w+\("([^"\\]*)"')
_ABOUT = re.compile(r'\w+\(+("(?:[^"\\]|\\.)*"|\w+)')


# ---- which overlays ------------------------------------------------------------------------------


def editions(root: Path) -> dict[str, Path | None]:
    """Return the editions of the rulebook in `root` by name; `current` is the rulebook itself.

    Raises InputError for two editions of one name, and for a folder that cannot be read.
    """
    found: dict[str, Path | None] = {CURRENT: None}
    folder = root / "editions"
    if not os.path.isdir(folder):
        return found
    try:
        entries = sorted(folder.iterdir())
    except OSError as error:
        place = Place(str(folder))
        raise InputError(f"the folder cannot be read: {error.strerror}", place=place) from None
    for path in entries:
        if path.suffix.lower() == ".lp" or (os.path.isdir(path) and not path.name.startswith(".")):
            name = path.name if os.path.isdir(path) else path.stem
            if name in found:
                other = found[name] or "the rulebook itself"
                raise InputError(f"edition {name} is there already: {other}", place=Place(str(path)))
            found[name] = path
    return found


def read_overlays(
    root: Path, edition: str, errata: Sequence[Path | str], core: Collection[str]
) -> list[Sheet]:
    """Return the overlay of an edition, unless it is the current one, and those of errata, in order.

    `core` are the names of what the core derives. Raises InputError for an edition that is not there
    and for what cannot be read, and RulebookError for an overlay with mistakes, an erratum made for
    another edition, and two errata that touch one clause.
    """
    if isinstance(errata, str):
        raise TypeError(f"errata is a list of files, not the text {errata!r}")
    known = editions(root)
    if edition not in known:
        hint = did_you_mean(edition, known) or f"it has: {', '.join(known)}"
        raise InputError(f"the rulebook has no edition {edition!r}", hint=hint)
    sheets: list[Sheet] = []
    path = known[edition]
    if path is not None:
        if not Path(os.path.realpath(path)).is_relative_to(os.path.realpath(root)):
            raise InputError("this is a link to a file outside the rulebook", place=Place(str(path)))
        sheets.append(read_sheet(path, core))
        _refuse_other_edition(sheets[0], CURRENT, known)
    laid: list[Sheet] = []
    for erratum in map(Path, errata):
        sheet = read_sheet(erratum, core)
        if any(os.path.samefile(other.overlay.path, erratum) for other in laid):
            raise InputError("this erratum is given twice", place=Place(str(erratum)))
        _refuse_other_edition(sheet, edition, known)
        laid.append(sheet)
    _refuse_second_touch(laid)
    return sheets + laid


def _refuse_other_edition(sheet: Sheet, edition: str, known: Collection[str]) -> None:
    made_for = sheet.overlay.made_for
    if made_for == edition:
        return
    if made_for not in known:
        hint = did_you_mean(made_for, known) or f"the rulebook has: {', '.join(known)}"
        raise RulebookError(f"there is no edition {made_for!r}", place=sheet.made_for, hint=hint)
    raise RulebookError(
        f"this is made for edition {made_for}, and not for {edition}, over which it is to be laid",
        place=sheet.made_for,
    )


def _refuse_second_touch(errata: Iterable[Sheet]) -> None:
    seen: dict[str, ClauseChange] = {}
    for sheet in errata:
        for change in sheet.overlay.changes:
            if change.clause in seen:
                first = seen[change.clause]
                raise RulebookError(
                    f"two errata touch clause {change.clause}; the other is at {first.place}",
                    place=change.place,
                )
            seen[change.clause] = change


# ---- laying them over the chapters ---------------------------------------------------------------


def lay_over(
    chapters: Sequence[Sequence[AST]], sheets: Sequence[Sheet], core: Collection[str]
) -> list[Sequence[AST]]:
    """Return the statements of the chapters with overlays laid over them, in order.

    What comes out is to be read piece by piece, as chapters are. `core` are the names that the core
    knows. Raises RulebookError for a clause that is redefined or withdrawn but not there, and for one
    that is added though it is there.
    """
    if not sheets:
        return list(chapters)
    blocks = [block for chapter in chapters for block in split_blocks(chapter)]
    for sheet in sheets:
        blocks += sheet.shared
        previous = ""
        for change, block in zip(sheet.overlay.changes, sheet.blocks, strict=True):
            if change.way == "added":
                _add(blocks, change, block, previous, sheet.overlay)
            else:
                _replace(blocks, change, block, core, sheet.overlay)
            previous = change.clause
    return [part for block in blocks for part in (block.inherited, block.statements) if part]


def _add(
    blocks: list[Block], change: ClauseChange, own: Block, previous: str, overlay: Overlay
) -> None:
    """Add a clause to the blocks of a rulebook; `previous` stands before it in the overlay."""
    there = _position(blocks, change.clause)
    if there is not None:
        raise RulebookError(
            f"{overlay.name} adds clause {change.clause}, which is there already, at "
            f"{place_of(blocks[there].statements[0])}",
            place=change.place,
            hint="to redefine it, write a line '% redefined: what is different' below its heading",
        )
    before = _position(blocks, previous) if _stem(previous) == _stem(change.clause) else None
    if before is None:  # no sibling to follow: it follows the last clause with no higher number
        key = clause_key(change.clause)
        lower = [n for n, block in enumerate(blocks) if block.id and clause_key(block.id) <= key]
        before = lower[-1] if lower else len(blocks) - 1
    blocks.insert(before + 1, own)


def _replace(
    blocks: list[Block], change: ClauseChange, own: Block, core: Collection[str], overlay: Overlay
) -> None:
    """Redefine or withdraw a clause among the blocks of a rulebook."""
    position = _position(blocks, change.clause)
    if position is None:
        raise RulebookError(
            f"{overlay.name} has clause {change.clause} {change.way}, and there is none",
            place=change.place,
            hint=did_you_mean(change.clause, [block.id for block in blocks if block.id]),
        )
    old = blocks[position]
    kept = _helpers(old, own, core)
    blocks[position] = (
        Block("", [], kept) if change.way == "withdrawn" else Block(own.id, own.statements, kept)
    )


def _position(blocks: Iterable[Block], clause: str) -> int | None:
    return next((n for n, block in enumerate(blocks) if clause and block.id == clause), None)


def _stem(clause: str) -> str:
    """Return what a clause's number has in common with its siblings: 7.21A of 7.21A.s1."""
    return clause.rpartition(".")[0]


def _helpers(old: Block, own: Block, core: Collection[str]) -> list[AST]:
    """Return what stays of a block whose clause is redefined or withdrawn: see the top of the file."""
    replaced = {_derives(s, core) for s in own.statements if s.ast_type is ASTType.Rule}
    return [
        statement
        for statement in (*old.inherited, *old.statements)
        if statement.ast_type is not ASTType.Comment
        and not _is_norm_of(statement, old.id)
        and not (statement.ast_type is ASTType.Rule and _derives(statement, core) in replaced)
    ]


def _is_norm_of(statement: AST, clause: str) -> bool:
    if statement.ast_type is not ASTType.Rule:
        return False
    shape = str(statement.head)
    spoken = _SPEAKER.match(shape)
    return shape.partition("(")[0] in HEADS and spoken is not None and spoken.group(1) == clause


def _derives(rule: AST, core: Collection[str]) -> tuple[str, str]:
    """Return the predicate that a rule derives and, for a word of the core, what it is about."""
    name = head_name(rule)
    about = _ABOUT.match(str(rule.head)) if name in core else None
    return name, about.group(1) if about else ""


# ---- looking back --------------------------------------------------------------------------------


def origin(overlays: Sequence[Overlay], clause: str) -> tuple[Overlay, ClauseChange] | None:
    """Return the overlay that a clause in force comes from, and what it says of it, or None."""
    for overlay in reversed(overlays):
        for change in overlay.changes:
            if change.clause == clause and change.way != "withdrawn":
                return overlay, change
    return None


def withdrawn(
    overlays: Sequence[Overlay], clauses: Iterable[Clause]
) -> list[tuple[Overlay, ClauseChange]]:
    """Return what overlays withdraw and no later one adds again, sorted by number."""
    there = {clause.id for clause in clauses}
    gone = {
        change.clause: (overlay, change)
        for overlay in overlays
        for change in overlay.changes
        if change.way == "withdrawn" and change.clause not in there
    }
    return [gone[clause] for clause in sorted(gone, key=clause_key)]
