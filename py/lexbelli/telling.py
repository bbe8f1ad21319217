"""Answers to "why" as headings and trees of sentences, for whatever shows them.

Short, an answer is the verdict, what decides it, what is lacking and the nearest change; whole, it is
every clause that speaks or would speak, each condition down to the facts of the state.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

from lexbelli.accounts import Account
from lexbelli.contrast import Contrast, Difference
from lexbelli.model import Change, Condition, Entry, Explanation, Move

MEANING = {
    "legal": "a clause grants it and none forbids it",
    "contested": "one clause grants it outright, another forbids it, and no words rank them",
    "forbidden": "a clause forbids it",
    "not_permitted": "no clause of this rulebook grants it, and none forbids it",
    "unavailable": "it makes no sense in this position",
}
_SILENT = "no clause of this rulebook ever grants it: whether other rules do is theirs to say"
_FEW = 6  # entries that a short answer shows under one heading


@dataclass(frozen=True, slots=True)
class Node:
    """One sentence, with what stands behind it.

    `mark` is "met" or "unmet" for a condition, "because" for a reason, "clause", "change", "printed" or
    nothing; `term` is how the rulebook writes what the sentence says.
    """

    text: str
    mark: str = ""
    children: tuple["Node", ...] = ()
    term: str = ""
    label: str = ""  # the number of a clause


@dataclass(frozen=True, slots=True)
class Section:
    """A heading and what stands under it; `more` says that a short answer leaves something out."""

    title: str
    nodes: tuple[Node, ...]
    more: bool = False


@dataclass(frozen=True, slots=True)
class Telling:
    """A whole answer."""

    title: str
    term: str
    position: str
    verdict: str
    meaning: str
    sections: tuple[Section, ...]
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Style:
    """How to tell: whole or short, with terms or words alone, and how a position and its parts read."""

    headline: str
    say: Callable[[str], str]
    say_change: Callable[[Change], str]
    whole: bool = True
    terms: bool = False
    unknown: str = ""  # why the changes are not known
    changes: int = 1  # how many of them to tell


def tell(found: Explanation, style: Style) -> Telling:
    """Return the answer about an action."""
    verdict = found.move.verdict
    granting = [e for e in found.permitted_by if e.head != "meets"]
    outright = [e for e in granting if e.head != "opens"]
    sections: list[Section] = [
        *_section(
            "it is not available because",
            [replace(_reason(c, style), mark="") for c in found.unavailable],
        ),
        *(
            _entries("forbidden by", found.forbidden_by, style)
            if _shows(verdict, "forbids", style)
            else ()
        ),
    ]
    if _shows(verdict, "grants", style):
        limited = [e for e in granting if e.head == "opens"] if found.forbidden_by else []
        sections += _entries("granted by", outright if found.forbidden_by else granting, style)
        sections += _entries("granted by, within a limit", limited, style)
    sections += _entries("set aside", found.overridden, style, conditions=style.whole)
    if style.whole:
        met = [e for e in found.permitted_by if e.head == "meets"]
        sections += _entries("requirements met", met, style)
    if style.whole or verdict in ("forbidden", "not_permitted"):
        sections += _entries("would grant it, but", found.would_permit, style, lacking=not style.whole)
    if style.whole:
        sections += _entries("would forbid it, but", found.would_forbid, style)
    sections += _changes(found, style)
    return Telling(
        title=found.reads,
        term=found.action if style.terms else "",
        position=style.headline,
        verdict=verdict,
        meaning=_meaning(found) + _cost(found.move, found.cost_clauses),
        sections=tuple(sections),
        notes=tuple(_notes(found, style)),
    )


def tell_account(found: Account, style: Style) -> Telling:
    """Return the answer about a duty, a quantity or a fact."""
    titles = {
        "duty": ("imposed by", "lifted", "would impose it, but"),
        "quantity": ("fixed by", "set aside", "would fix it, but"),
        "fact": ("concluded by", "set aside", "would conclude it, but"),
    }[found.kind]
    ways = [Node(f"{reads}: {move.verdict}{_cost(move, ())}", "way") for move, reads in found.ways]
    sections = [
        *_entries(titles[0], found.said_by, style),
        *_entries("denied by", found.denied_by, style),
        *_entries(titles[1], found.overridden, style),
        *_section("it follows because" if found.answer is True else "because", [
            replace(_reason(c, style), mark="") for c in found.because
        ]),
        *_section("by one of", ways),
    ]  # fmt: skip
    if style.whole or not found.said_by:
        sections += _entries(titles[2], found.would_say, style, lacking=not style.whole)
        sections += _entries("would deny it, but", found.would_deny, style, lacking=not style.whole)
    return Telling(
        title=found.reads,
        term=found.subject if style.terms else "",
        position=style.headline,
        verdict=found.verdict,
        meaning=found.meaning,
        sections=tuple(sections),
    )


def tell_contrast(found: Contrast, style: Style) -> Telling:
    """Return what tells two answers apart."""
    first, second = found.first, found.second
    names = (
        (f"in {first.state.name}", f"in {second.state.name}")
        if first.action == second.action
        else (first.reads, second.reads)
    )
    sections = [
        *_section("told apart by", [_difference(d, names, style) for d in found.apart]),
        *_section(
            f"with the answer of {second.state.name} in {first.state.name} if",
            [Node(style.say_change(change), "change") for change in found.changes],
        ),
    ]
    for told, name in ((first, names[0]), (second, names[1])):
        reasons = [replace(_reason(c, style), mark="") for c in told.unavailable]
        sections += _section(f"{name}: it is not available because", reasons)
        sections += _entries(f"{name}: forbidden by", told.forbidden_by, style)
        granting = [entry for entry in told.permitted_by if entry.head != "meets"]
        sections += _entries(f"{name}: granted by", granting, style)
    title = first.reads if first.action == second.action else f"{names[0]}, and {names[1]}"
    verdicts = [found.move.verdict.replace("_", " ") for found in (first, second)]
    return Telling(
        title=title,
        term=f"{first.action} {second.action}" if style.terms else "",
        position=style.headline,
        verdict=" and ".join(verdicts),
        meaning="; ".join(f"{n}: {v}" for n, v in zip(names, verdicts, strict=True)),
        sections=tuple(sections),
        notes=() if found.apart or found.changes else ("no clause tells the two apart",),
    )


def _difference(found: Difference, names: tuple[str, str], style: Style) -> Node:
    entry = found.entry
    if found.about != "both":
        about = names[0] if found.about == "first" else names[1]
        conditions = tuple(_condition(c, style) for c in entry.conditions)
        only = f"it speaks only {about}" if about.startswith("in ") else f"it is only about: {about}"
        return Node(f"{entry.title} ({only})", "clause", conditions, label=entry.clause)
    children = [
        Node(name, "", tuple(_condition(c, style) for c in conditions))
        for name, conditions in zip(names, (found.first, found.second), strict=True)
        if conditions
    ]
    return Node(entry.title, "clause", tuple(children), label=entry.clause)


def _meaning(found: Explanation) -> str:
    """Say what a verdict means; an action that no clause ever grants is for other rules to grant."""
    granting = found.permitted_by or found.would_permit or found.overridden
    silent = found.move.verdict == "not_permitted" and not granting
    return _SILENT if silent else MEANING[found.move.verdict]


def _shows(verdict: str, side: str, style: Style) -> bool:
    """Say whether an answer tells the clauses of one side: a short one tells those that decide."""
    deciding = {"forbidden": ("forbids",), "legal": ("grants",), "contested": ("forbids", "grants")}
    return style.whole or side in deciding.get(verdict, ())


def _cost(move: Move, clauses: Sequence[str]) -> str:
    if move.cost is None:
        return ""
    return f"; cost {move.cost}" + (f" ({' '.join(clauses)})" if clauses else "")


def _notes(found: Explanation, style: Style) -> Iterable[str]:
    if found.duties_left:
        yield f"duties left unmet: {'; '.join(map(style.say, found.duties_left))}"
    legal = found.move.verdict == "legal"
    if style.unknown:
        which = "legal no longer" if legal else "legal"
        else_ = " else" if found.repairs or found.reversals else ""
        yield f"what{else_} would make it {which}: {style.unknown}"
    elif not legal and not found.repairs:
        yield (
            "no change of the position makes it legal by this rulebook; what nobody can change, such "
            "as the date, was left as it is"
        )


def _section(title: str, nodes: Sequence[Node], *, more: bool = False) -> list[Section]:
    return [Section(title, tuple(nodes), more)] if nodes else []


def _entries(
    title: str,
    entries: Sequence[Entry],
    style: Style,
    *,
    lacking: bool = False,
    conditions: bool = True,
) -> list[Section]:
    """Return clauses with their conditions; only those that are not met when `lacking`."""
    shown = entries if style.whole else entries[:_FEW]
    nodes = [_entry(e, style, lacking=lacking, conditions=conditions) for e in shown]
    return _section(title, nodes, more=len(shown) < len(entries))


def _entry(entry: Entry, style: Style, *, lacking: bool, conditions: bool) -> Node:
    by = f" (by {' '.join(entry.by)}{': ' + entry.words if entry.words else ''})" if entry.by else ""
    value = f": {entry.value}" if entry.value else ""
    children = [
        _condition(c, style) for c in entry.conditions if conditions and not (lacking and c.met)
    ]
    if entry.text:
        children += [Node(entry.gist, "gist"), Node(entry.text, "printed")]
    return Node(f"{entry.title}{value}{by}", "clause", tuple(children), label=entry.clause)


def _condition(condition: Condition, style: Style) -> Node:
    limit = ", must be " in condition.phrase or ", not " in condition.phrase
    asked = f" (asked for: {condition.needed})" if condition.needed and not limit else ""
    return Node(
        f"{condition.phrase}{asked}",
        "met" if condition.met else "unmet",
        tuple(_reason(inner, style) for inner in condition.because) if style.whole else (),
        term=", ".join(condition.facts) if style.terms else "",
    )


def _reason(condition: Condition, style: Style) -> Node:
    clause = f" ({condition.clause})" if condition.clause else ""
    return Node(
        f"{condition.phrase}{clause}",
        "because",
        tuple(_reason(inner, style) for inner in condition.because) if style.whole else (),
        term=", ".join(condition.facts) if style.terms else "",
    )


def _changes(found: Explanation, style: Style) -> list[Section]:
    """Return the smallest changes, the first alone in a short answer."""
    legal = found.move.verdict == "legal"
    changes = found.reversals if legal else found.repairs
    title = "it would be legal no longer if" if legal else "it would be legal if"
    shown = changes[: style.changes]
    return _section(title, [_change(c, style) for c in shown], more=len(shown) < len(changes))


def _change(changes: Sequence[Change], style: Style) -> Node:
    lines = [
        Node(style.say_change(c), "change", term=f'--{c.way} "{c.fact}"' if style.terms else "")
        for c in changes
    ]
    return lines[0] if len(lines) == 1 else Node("all of these hold", "change", tuple(lines))
