"""Reading an overlay: its files, the head that says what it is, and what it says of each clause."""

import os
import re
from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path

from clingo.ast import AST, ASTType

from lexbelli.errors import InputError, Place, RulebookError
from lexbelli.headings import read_heading
from lexbelli.model import ClauseChange, Overlay
from lexbelli.norms import place_of
from lexbelli.parsing import parse_rules
from lexbelli.shapes import plain_rules
from lexbelli.suggest import did_you_mean

KEYS = ("title", "date", "for", "reason")
_HEAD_LINE = re.compile(r"%#(?!#)(\s*)(.*)")
_KEYED = re.compile(r"(\w+):\s*(.*)")
_CHANGE = re.compile(r"%\s*(redefined|withdrawn):\s*(.*)")
_HEADING_ID = re.compile(r"%##\s+(\S+)\s+\S.*")
_DATE = re.compile(r"(\d{4})(-\d\d)?(-\d\d)?")


@dataclass(slots=True)
class Block:
    """A heading with all that stands under it; what stands above the first heading has no id.

    `inherited` are the helper rules of a clause that this one stands in the place of.
    """

    id: str
    statements: list[AST]
    inherited: list[AST] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Sheet:
    """An overlay as read: what it is, where it says what it is made for, and its rules.

    The blocks stand in the order of the overlay's changes; `shared` stands above all headings.
    """

    overlay: Overlay
    made_for: Place
    shared: tuple[Block, ...]
    blocks: tuple[Block, ...]
    names: frozenset[str]  # of what its rules derive or declare


def split_blocks(statements: Iterable[AST]) -> list[Block]:
    """Return what stands above the first heading, and each heading with what stands under it."""
    blocks = [Block("", [])]
    for statement in statements:
        if statement.ast_type is ASTType.Comment and statement.value.startswith("%##"):
            match = _HEADING_ID.match(statement.value)
            blocks.append(Block(match.group(1) if match else "", []))
        blocks[-1].statements.append(statement)
    return blocks


def read_sheet(path: Path, core: Collection[str]) -> Sheet:
    """Return the overlay in a file or folder. `core` are the names of what the core derives.

    Raises InputError for what cannot be read, and RulebookError with file, line and column for what
    a chapter may not hold either, and for a head or a heading that is not as it should be.
    """
    files = _files(path)
    root = path if os.path.isdir(path) else path.parent
    names: set[str] = set()
    shared: list[Block] = []
    blocks: list[Block] = []
    for file in files:
        statements = parse_rules(file, root)
        names |= plain_rules(statements, core, chapter=True)
        above, *headed = split_blocks(statements)
        shared.append(above)
        blocks += headed
    head = _read_head(path, shared, blocks)
    changes = [_change(block) for block in blocks]
    if not changes:
        hint = "its clauses stand under headings, '%## number  title'"
        raise RulebookError("this changes no clause", place=Place(str(path)), hint=hint)
    _refuse_doubles(changes)
    overlay = Overlay(
        name=path.name if os.path.isdir(path) else path.stem,
        title=head["title"][0],
        date=_read_date(*head["date"]),
        made_for=head["for"][0],
        reason=head["reason"][0],
        path=path,
        changes=tuple(changes),
    )
    return Sheet(overlay, head["for"][1], tuple(shared), tuple(blocks), frozenset(names))


def _files(path: Path) -> list[Path]:
    """Return the program files of an overlay."""
    place = Place(str(path))
    if not os.path.isdir(path):
        if path.suffix != ".lp" and os.path.exists(path):
            hint = "an edition or an erratum is an .lp file, or a folder of them"
            raise InputError("this is no .lp file", place=place, hint=hint)
        return [path]
    try:
        entries = sorted(path.iterdir())
    except OSError as error:
        raise InputError(f"the folder cannot be read: {error.strerror}", place=place) from None
    if (path / "rules").is_dir():
        hint = "--rulebook asks about it; what changes in one is written as an erratum or an edition"
        raise InputError("this folder is a rulebook, no erratum", place=place, hint=hint)
    for entry in entries:
        if entry.suffix != ".lp" and entry.suffix.lower() == ".lp":
            raise InputError("a program file ends in .lp", place=Place(str(entry)))
        deeper = next(iter(sorted(entry.rglob("*.lp"))), None) if entry.is_dir() else None
        if deeper is not None:
            hint = "an erratum is one folder of .lp files"
            raise InputError("this file lies too deep", place=Place(str(deeper)), hint=hint)
    found = [entry for entry in entries if entry.suffix == ".lp"]
    if not found:
        raise InputError("this folder has no .lp file", place=place)
    inside = os.path.realpath(path)
    for entry in found:
        if not Path(os.path.realpath(entry)).is_relative_to(inside):
            raise InputError("this is a link to a file outside the folder", place=Place(str(entry)))
    return found


# ---- the head ------------------------------------------------------------------------------------


def _read_head(
    path: Path, shared: Iterable[Block], blocks: Iterable[Block]
) -> dict[str, tuple[str, Place]]:
    """Return what the head says under each key, and where."""
    head: dict[str, tuple[str, Place]] = {}
    last = ""
    for comment, place in _head_lines(shared):
        match = _HEAD_LINE.match(comment)
        assert match is not None
        set_in, text = len(match.group(1)), match.group(2).strip()
        keyed = _KEYED.match(text)
        if set_in > 1 and last:
            head[last] = (f"{head[last][0]} {text}".strip(), head[last][1])
        elif keyed is not None:
            last, value = keyed.groups()
            if last not in KEYS:
                hint = did_you_mean(last, KEYS) or f"it says: {', '.join(KEYS)}"
                raise RulebookError(f"the head of an overlay says no {last!r}", place=place, hint=hint)
            if last in head:
                message = f"the head says {last} twice; the first is at {head[last][1]}"
                raise RulebookError(message, place=place)
            head[last] = (value.strip(), place)
        elif text:
            hint = "a line that goes on with the one before is set in by two spaces"
            raise RulebookError("a line of the head is '%# key: text'", place=place, hint=hint)
    for _, place in _head_lines(blocks):
        raise RulebookError("the head of an overlay stands above its first clause", place=place)
    for key in KEYS:
        text, place = head.get(key, ("", Place(str(path))))
        if not text:
            hint = f"write a line '%# {key}: ...' above its first clause"
            raise RulebookError(f"the overlay does not say its {key}", place=place, hint=hint)
    return head


def _head_lines(blocks: Iterable[Block]) -> list[tuple[str, Place]]:
    return [
        (statement.value.rstrip(), place_of(statement))
        for block in blocks
        for statement in block.statements
        if statement.ast_type is ASTType.Comment and _HEAD_LINE.match(statement.value)
    ]


def _read_date(text: str, place: Place) -> str:
    """Return a date that can be one."""
    match = _DATE.fullmatch(text)
    try:
        if match is not None:
            year, month, day = match.groups()
            date.fromisoformat(f"{year}{month or '-01'}{day or '-01'}")
            return text
    except ValueError:
        pass
    if text == "undated":
        return text
    hint = "a date is 2003-05-01, 2003-05, 2003, or undated"
    raise RulebookError(f"{text!r} is no date", place=place, hint=hint)


# ---- its clauses ---------------------------------------------------------------------------------


def _change(block: Block) -> ClauseChange:
    """Return what an overlay does to the clause of one heading."""
    comment, *below = block.statements
    heading = read_heading(comment.value.rstrip(), place_of(comment))
    said: dict[str, str] = {}
    for statement in below:
        if statement.ast_type is not ASTType.Comment:
            continue
        match = _CHANGE.fullmatch(statement.value.rstrip())
        if match is None:
            continue
        way, reason = match.groups()
        if said:
            message = f"clause {heading.id} is {next(iter(said))} already, and cannot be {way} as well"
            raise RulebookError(message, place=place_of(statement))
        if not reason:
            hint = f"write '% {way}: why'"
            raise RulebookError("this gives no reason", place=place_of(statement), hint=hint)
        said[way] = reason
    rules = [statement for statement in below if statement.ast_type is ASTType.Rule]
    if "withdrawn" in said and rules:
        raise RulebookError(
            f"clause {heading.id} is withdrawn, so it has no rules",
            place=place_of(rules[0]),
            hint="a clause that keeps some of its rules is redefined",
        )
    way, reason = next(iter(said.items()), ("added", ""))
    return ClauseChange(heading.id, way, heading.title, reason, heading.place)


def _refuse_doubles(changes: Iterable[ClauseChange]) -> None:
    seen: dict[str, ClauseChange] = {}
    for change in changes:
        if change.clause in seen:
            raise RulebookError(
                f"clause {change.clause} has a second heading; the first is at "
                f"{seen[change.clause].place}",
                place=change.place,
            )
        seen[change.clause] = change
