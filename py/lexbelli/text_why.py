"""Answers to "why" as a tree of text."""

from rich.console import Console
from rich.markup import escape
from rich.tree import Tree

from lexbelli.telling import Node, Telling
from lexbelli.text import Draw, styled

_MARKS = {"met": "[green]✓[/] ", "unmet": "[red]✗[/] ", "because": "[dim]because[/] "}


def telling_text(told: Telling) -> Draw:
    """Return an answer as headings and trees."""

    def draw(console: Console) -> None:
        console.print(f"[bold]{escape(told.title)}[/]{_term(told.term)}")
        console.print(f"[dim]{escape(told.position)}[/]")
        console.print(f"\n{styled(told.verdict)}: {escape(told.meaning)}")
        for section in told.sections:
            tree = Tree(escape(section.title), guide_style="dim")
            for node in section.nodes:
                _grow(tree, node)
            console.print()
            console.print(tree)
            if section.more:
                console.print("[dim]    and more, with -v or --max-repairs[/]")
        for note in told.notes:
            console.print(f"\n{escape(note)}")

    return draw


def _grow(tree: Tree, node: Node) -> None:
    label = f"[bold]{escape(node.label)}[/]  " if node.label else ""
    text = f"[italic]printed: {escape(node.text)}[/]" if node.mark == "printed" else escape(node.text)
    branch = tree.add(f"{_MARKS.get(node.mark, '')}{label}{text}{_term(node.term)}")
    for child in node.children:
        _grow(branch, child)


def _term(term: str) -> str:
    return f"  [dim]{escape(term)}[/]" if term else ""
