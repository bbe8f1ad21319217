"""Answers as text: tables and trees, with colours and the terminal's width, or plain."""

import io
from collections.abc import Callable, Iterable, Sequence

from rich.console import Console
from rich.markup import escape
from rich.measure import Measurement
from rich.table import Table
from rich.tree import Tree

from lexbelli.answers import listed_moves
from lexbelli.model import (
    VERDICTS,
    Change,
    Conclusion,
    Condition,
    Duty,
    Entry,
    Explanation,
    Move,
    Position,
    State,
    Value,
)

PLAIN_WIDTH = 110
_GAP = 2  # between the columns of a table
_LEAST_WIDTH = 20  # on anything narrower the terminal breaks the lines itself

_STYLE = {
    "legal": "green", "contested": "bold yellow", "forbidden": "red", "not_permitted": "dim",
    "unavailable": "dim", "met": "green", "unmet": "yellow", "impossible": "bold red",
    "passed": "green", "failed": "bold red", "skipped": "dim",
}  # fmt: skip
_MEANING = {
    "legal": "a clause grants it and none forbids it",
    "contested": "one clause grants it outright and another forbids it; none stands above the other",
    "forbidden": "a clause forbids it",
    "not_permitted": "no clause of this rulebook grants it, and none forbids it",
    "unavailable": "it makes no sense in this position",
}
Say = Callable[[str], str]
Draw = Callable[[Console], None]


def render(draw: Draw, *, plain: bool) -> str:
    """Return what `draw` prints: plain and of a fixed width, or for the terminal one is in."""
    stream = io.StringIO()
    console = Console(
        file=stream,
        force_terminal=not plain,
        no_color=True if plain else None,  # None leaves it to NO_COLOR
        width=PLAIN_WIDTH if plain else None,
        highlight=False,
        emoji=False,
    )
    console.width = max(console.width, _LEAST_WIDTH)
    draw(console)
    return "\n".join(line.rstrip(" ") for line in stream.getvalue().split("\n"))


def in_turn(draws: Sequence[Draw]) -> Draw:
    """Return a drawing of several, with an empty line between them."""

    def draw(console: Console) -> None:
        for number, one in enumerate(draws):
            if number:
                console.print()
            one(console)

    return draw


def styled(word: str) -> str:
    style = _STYLE.get(word)
    shown = word.replace("_", " ")
    return f"[{style}]{shown}[/]" if style else shown


def new_table(*columns: str) -> Table:
    table = Table(
        box=None, pad_edge=False, show_edge=False, header_style="bold", padding=(0, _GAP, 0, 0)
    )
    for column in columns:
        table.add_column(column, overflow="fold", no_wrap=False)
    return table


def print_table(console: Console, table: Table) -> None:
    """Print a table, or one cell a line where it does not fit: nothing is left out either way."""
    if _width(console, table) <= console.width:
        console.print(table)
        return
    for row in zip(*(column.cells for column in table.columns), strict=True):
        for column, cell in zip(table.columns, row, strict=True):
            if cell:
                console.print(f"[bold]{column.header}:[/] {cell}")
        console.print()


def _width(console: Console, table: Table) -> int:
    """Return the width a table needs to break no word, and no cell of a column that may not wrap."""
    unlimited = console.options.update(max_width=10**6)
    width = 0
    for column in table.columns:
        cells = [Measurement.get(console, unlimited, cell) for cell in (column.header, *column.cells)]
        width += max(cell.maximum if column.no_wrap else cell.minimum for cell in cells)
    return width + _GAP * (len(table.columns) - 1)


def _clauses(clauses: Sequence[str], overridden: Sequence[str] = ()) -> str:
    text = " ".join(clauses)
    return f"{text} (over {' '.join(overridden)})" if overridden else text


# ---- what may I do -------------------------------------------------------------------------------


def moves_text(
    positions: Sequence[Position], every: bool, headline: Callable[[State], str], say: Say
) -> Draw:
    """Return the moves of each position as a table."""

    def draw(console: Console) -> None:
        for number, position in enumerate(positions):
            if number:
                console.print()
            console.print(f"[bold]{escape(position.state.name)}[/]: {escape(headline(position.state))}")
            console.print()
            listed = listed_moves(position, every)
            if not listed:
                console.print("Nothing is legal or contested here.")
                continue
            table = new_table("verdict", "action", "cost", "clauses", "in words")
            table.columns[1].no_wrap = True
            for move in sorted(listed, key=lambda m: (VERDICTS.index(m.verdict), m.action)):
                table.add_row(
                    styled(move.verdict),
                    escape(move.action),
                    _cost(move.cost),
                    escape(_clauses(move.clauses, move.overridden)),
                    escape(say(move.action)),
                )
            print_table(console, table)

    return draw


def _cost(cost: int | str | None) -> str:
    return "" if cost is None else str(cost)


def why_text(
    found: Explanation, headline: str, say_change: Callable[[Change], str], unknown: str = ""
) -> Draw:
    """Return an explanation as a tree."""

    def draw(console: Console) -> None:
        move = found.move
        console.print(f"[bold]{escape(found.action)}[/]  {escape(found.reads)}")
        console.print(f"[dim]{escape(found.state.name)}: {escape(headline)}[/]")
        cost = f"  cost {move.cost}" if move.cost is not None else ""
        console.print(f"\n{styled(move.verdict)}: {_MEANING[move.verdict]}{cost}\n")
        _branch(console, "it is not available because", found.unavailable)
        _entries(console, "forbidden by", found.forbidden_by)
        granting = [entry for entry in found.permitted_by if entry.head != "meets"]
        _entries(console, "granted by", granting)
        met = [entry for entry in found.permitted_by if entry.head == "meets"]
        _entries(console, "requirements met", met)
        _entries(console, "overridden", found.overridden)
        _entries(console, "would grant it, but", found.would_permit)
        _entries(console, "would forbid it, but", found.would_forbid)
        if found.duties_left:
            console.print(f"duties left unmet: {escape(', '.join(found.duties_left))}")
        if found.move.verdict == "legal":
            if unknown:
                console.print(f"what would make it legal no longer: {escape(unknown)}")
            _changes(
                console,
                "it would be legal no longer if (smallest changes)",
                found.reversals,
                say_change,
            )
            return
        if unknown:
            asked = "what else would make it legal" if found.repairs else "what would make it legal"
            console.print(f"{asked}: {escape(unknown)}")
        elif not found.repairs:
            console.print("nothing that anybody could change makes it legal")
        _changes(console, "it would be legal if (smallest changes)", found.repairs, say_change)

    return draw


def _changes(
    console: Console, title: str, found: Sequence[Sequence[Change]], say: Callable[[Change], str]
) -> None:
    if not found:
        return
    tree = Tree(title, guide_style="dim")
    for changes in found:
        lines = [f'{escape(say(c))}   [dim]--{c.way} "{escape(c.fact)}"[/]' for c in changes]
        node = tree.add(lines[0]) if len(lines) == 1 else tree.add("all of these hold")
        for line in lines if len(lines) > 1 else ():
            node.add(line)
    console.print(tree)


def _entries(console: Console, title: str, entries: Sequence[Entry]) -> None:
    if not entries:
        return
    tree = Tree(title, guide_style="dim")
    for entry in entries:
        by = f"  (set aside by {' '.join(entry.by)})" if entry.by else ""
        verb = "" if entry.head in ("forbids", "permits", "meets") else f" [dim]{entry.head}[/]"
        node = tree.add(f"[bold]{escape(entry.clause)}[/]{verb}  {escape(entry.title)}{escape(by)}")
        for condition in entry.conditions:
            node.add(_condition(condition))
        if entry.text:
            node.add(escape(entry.gist))
            node.add(f"[italic]printed: {escape(entry.text)}[/]")
    console.print(tree)
    console.print()


def _branch(console: Console, title: str, conditions: Iterable[Condition]) -> None:
    shown = list(conditions)
    if shown:
        tree = Tree(title, guide_style="dim")
        for condition in shown:
            tree.add(escape(condition.phrase))
        console.print(tree)
        console.print()


def _condition(condition: Condition) -> str:
    mark = "[green]✓[/]" if condition.met else "[red]✗[/]"
    limit = ", must be " in condition.phrase or ", not " in condition.phrase
    asked = (
        f"  [dim](asked for: {escape(condition.needed)})[/]" if condition.needed and not limit else ""
    )
    return f"{mark} {escape(condition.phrase)}{asked}"


# ---- the position itself -------------------------------------------------------------------------


def state_text(state: State, phrases: Sequence[str], follows: Sequence[Conclusion]) -> Draw:
    """Return a state in words."""

    def draw(console: Console) -> None:
        console.print(f"[bold]{escape(state.name)}[/] is a possible position.\n")
        table = new_table("fact", "in words")
        table.columns[0].no_wrap = True
        for fact, phrase in zip(state.facts, phrases, strict=True):
            table.add_row(escape(fact), escape(phrase))
        print_table(console, table)
        by_meaning = [found.fact for found in follows if not found.clauses and found.holds is True]
        if by_meaning:
            console.print(f"\nIt follows by meaning: {escape(', '.join(by_meaning))}")
        shown = [found for found in follows if found.clauses]
        if shown:
            console.print("\nClauses conclude:\n")
            table = new_table("holds", "fact", "clauses", "in words")
            table.columns[1].no_wrap = True
            for found in shown:
                holds = (
                    "contested" if isinstance(found.holds, str) else ("yes" if found.holds else "no")
                )
                table.add_row(
                    styled(holds),
                    escape(found.fact),
                    escape(_clauses(found.clauses)),
                    escape(found.reads),
                )
            print_table(console, table)

    return draw


def duties_text(state: State, headline: str, duties: Sequence[Duty]) -> Draw:
    """Return the duties of a state."""

    def draw(console: Console) -> None:
        console.print(f"[bold]{escape(state.name)}[/]: {escape(headline)}\n")
        if not duties:
            console.print("No clause imposes a duty here.")
        for duty in duties:
            tree = Tree(f"{styled(duty.status)}  [bold]{escape(duty.duty)}[/]  {escape(duty.reads)}")
            for entry in duty.entries:
                node = tree.add(f"[bold]{escape(entry.clause)}[/]  {escape(entry.title)}")
                for condition in entry.conditions:
                    node.add(_condition(condition))
            for way in duty.ways:
                tree.add(f"by {escape(way.action)}: {styled(way.verdict)}{_way_cost(way)}")
            console.print(tree)

    return draw


def _way_cost(move: Move) -> str:
    return f", cost {move.cost}" if move.cost is not None else ""


def values_text(state: State, headline: str, values: Sequence[Value]) -> Draw:
    """Return the numbers that clauses fix."""

    def draw(console: Console) -> None:
        console.print(f"[bold]{escape(state.name)}[/]: {escape(headline)}\n")
        table = new_table("quantity", "value", "clauses", "in words")
        table.columns[0].no_wrap = True
        for value in values:
            table.add_row(
                escape(value.quantity),
                str(value.value),
                escape(_clauses(value.clauses)),
                escape(value.reads),
            )
        print_table(console, table)

    return draw
