"""What a change does as text: folded for people, or every subject with both explanations."""

from collections import Counter
from collections.abc import Iterator, Sequence

from rich.console import Console
from rich.markup import escape
from rich.padding import Padding

from lexbelli.codes import CODES
from lexbelli.comparison import KINDS, Difference, Shown
from lexbelli.consistency import Consistency
from lexbelli.errata import Errata, changed_clauses, counted, proved, unchanged_clauses
from lexbelli.errata_words import (
    Block,
    Words,
    answer_words,
    blocks,
    headline,
    more,
    order_words,
    overlay_words,
    reason_words,
    told_why,
)
from lexbelli.findings import Finding
from lexbelli.sides import Side
from lexbelli.telling import Node, Telling
from lexbelli.text import Draw

_COLOUR = {"stricter": "red", "looser": "green", "both": "yellow", "changed": "yellow"}
_MARKS = {"met": "[green]✓[/] ", "unmet": "[red]✗[/] "}
_HINT = "-v shows every subject with both explanations, --kind KIND or --subject NAME some of them"


def errata_text(found: Errata, *, verbose: bool = False) -> Draw:
    """Return what a change does; with `verbose` every subject and what is proved of each."""

    def draw(console: Console) -> None:
        _draw_sides(console, found)
        words = Words(found.old.book, found.new.book)
        if found.comparison is not None:
            for block in blocks(found.comparison.differences):
                for line in _block(found, block, words, verbose):
                    _draw_line(console, line)
                console.print()
            _draw_clauses(console, found, verbose)
            _draw_proved(console, found, verbose)
        if found.consistency is not None:
            _draw_findings(console, found.consistency, verbose)
        for question in found.unknown:
            console.print(f"[bold yellow]unknown[/] {escape(question)}")
        console.print(f"[bold]{found.verdict}[/]")
        if verbose:
            console.print(f"in {found.seconds:.1f} s")
        elif found.relation == "different":
            console.print(_HINT)

    return draw


def _draw_sides(console: Console, found: Errata) -> None:
    for label, side in (("old", found.old), ("new", found.new)):
        console.print(f"[bold]{label}[/] {escape(side.name)}")
        for overlay in side.book.overlays:
            console.print(f"  {escape(overlay_words(overlay))}")
    console.print()


def _draw_line(console: Console, line: str) -> None:
    """Draw a line that is set in; what does not fit on it is set in as far."""
    text = line.lstrip(" ")
    console.print(Padding(text, (0, 0, 0, len(line) - len(text))))


# ---- differences ---------------------------------------------------------------------------------


def _block(found: Errata, block: Block, words: Words, verbose: bool) -> Iterator[str]:
    clauses = f", by {escape(' '.join(block.clauses))}" if block.clauses else ""
    yield f"[{_COLOUR[block.relation]}]{block.relation}[/]  [bold]{escape(headline(block))}[/]{clauses}"
    for one in block.differences if verbose else (block.first,):
        rest = "" if verbose else more(block)
        yield f"  {escape(words.subject(one) + rest)}"
        yield from _difference(found, one, words, verbose)


def _difference(found: Errata, one: Difference, words: Words, verbose: bool) -> Iterator[str]:
    for shown in one.shown:
        way = f"{shown.way}: " if len(one.shown) > 1 else ""
        yield f"    {way}{escape(words.position(shown))}"
        for range_ in words.ranges(shown):
            yield f"    as long as {escape(range_)}"
        for label, side, standing in (
            ("old", found.old, shown.old),
            ("new", found.new, shown.new),
        ):
            yield f"    {label}: {escape(answer_words(one.kind, standing))}"
            if verbose:
                yield from _explained(side, one, shown)


def _explained(side: Side, one: Difference, shown: Shown) -> Iterator[str]:
    told = told_why(side.book, one.kind, shown, one.subject)
    if told is not None:
        yield from _sections(told)


def _sections(told: Telling) -> Iterator[str]:
    for section in told.sections:
        yield f"      [dim]{escape(section.title)}[/]"
        yield from _nodes(section.nodes, 8)


def _nodes(nodes: Sequence[Node], depth: int) -> Iterator[str]:
    for node in nodes:
        label = f"[bold]{escape(node.label)}[/] " if node.label else ""
        yield f"{' ' * depth}{_MARKS.get(node.mark, '')}{label}{escape(node.text)}"
        yield from _nodes(node.children, depth + 2)


# ---- clauses, proofs, findings -------------------------------------------------------------------


def _draw_clauses(console: Console, found: Errata, verbose: bool) -> None:
    for one in changed_clauses(found):
        if one.clarifies:
            console.print(
                f"[green]clarification[/]  [bold]{escape(one.clause)}[/] {escape(one.title)}: "
                f"{one.way}, and no answer changes"
            )
        elif verbose:
            reason = reason_words(one.told)
            console.print(
                f"{one.way}  [bold]{escape(one.clause)}[/] {escape(one.title)}"
                f"{': ' if reason else ''}{escape(reason)}"
            )


def _draw_proved(console: Console, found: Errata, verbose: bool) -> None:
    if found.comparison is None:
        return
    for line in proved(found)[: None if verbose else -len(found.comparison.clarifications) or None]:
        console.print(f"[green]proved[/] {escape(line)}")
    same = unchanged_clauses(found)
    if same:
        console.print(f"{counted(len(same), 'clause')} the same in both, word for word")
    if verbose:
        for kind in KINDS:
            names = Counter(s.partition("(")[0] for s in found.comparison.equivalent.get(kind, ()))
            listed = ", ".join(f"{name} ({n})" if n > 1 else name for name, n in names.items())
            if listed:
                console.print(f"  {kind}: {escape(listed)}")
        console.print(f"  clause: {escape(' '.join(same))}")


def _draw_findings(console: Console, found: Consistency, verbose: bool) -> None:
    for mark, colour, findings in (
        ("brought", "red", found.brought),
        ("removed", "green", found.removed),
    ):
        for finding in findings:
            console.print(f"[{colour}]{mark}[/]  {_finding(finding)}")
    kept = f"{counted(len(found.kept), 'finding')} left as before" if found.kept else ""
    if not (found.brought or found.removed):
        kept = f"no finding comes or goes{'; ' if kept else ''}{kept}"
    console.print(kept, end="\n" if kept else "")
    for finding in found.kept if verbose else ():
        console.print(f"  {_finding(finding)}")
    for line in order_words(found):
        console.print(escape(line))


def _finding(finding: Finding) -> str:
    name = CODES[finding.code].name
    return (
        f"{finding.code} {name}  [bold]{escape(' / '.join(finding.clauses))}[/]  "
        f"{escape(finding.message)}{' (accepted)' if finding.accepted else ''}"
    )
