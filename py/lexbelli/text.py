"""Answers as text: tables and trees, with colours and the terminal's width, or plain."""

import io
from collections.abc import Callable, Sequence

from rich.console import Console
from rich.markup import escape
from rich.measure import Measurement
from rich.table import Table
from rich.tree import Tree

from lexbelli.answers import listed_moves
from lexbelli.model import (
    VERDICTS,
    Conclusion,
    Condition,
    Duty,
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
    positions: Sequence[Position],
    every: bool,
    headline: Callable[[State], str],
    say: Say,
    because: Callable[[Move], str] | None = None,
) -> Draw:
    """Return the moves of each position as a table, with a line of reason for each where asked."""

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
            # the reason names the clauses
            columns = ("verdict", "action", "cost", "in words")
            table = new_table(*columns) if because else new_table(*columns[:3], "clauses", columns[3])
            table.columns[1].no_wrap = True
            for move in sorted(listed, key=lambda m: (VERDICTS.index(m.verdict), m.action)):
                cells = [styled(move.verdict), escape(move.action), _cost(move.cost)]
                if because is None:
                    cells.append(escape(_clauses(move.clauses, move.overridden)))
                table.add_row(*cells, escape(say(move.action)) + _because(move, because))
            print_table(console, table)

    return draw


def _because(move: Move, because: Callable[[Move], str] | None) -> str:
    told = because(move) if because is not None else ""
    return f"\n[dim]{escape(told)}[/]" if told else ""


def _cost(cost: int | str | None) -> str:
    return "" if cost is None else str(cost)


def _condition(condition: Condition) -> str:
    mark = "[green]✓[/]" if condition.met else "[red]✗[/]"
    return f"{mark} {escape(condition.phrase)}"


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
