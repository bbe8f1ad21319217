"""Answers to "why" as documents and pictures: Markdown, a page of HTML, a graph of the reasons.

The libraries behind pages and graphs are loaded when one is asked for: most answers do without.
"""

import re
import textwrap
from collections.abc import Callable, Iterator, Mapping, Sequence
from importlib import import_module
from typing import Any

from lexbelli.errors import InputError
from lexbelli.telling import Node, Telling

_MARKS = {"met": "✓ ", "unmet": "✗ ", "because": "because "}
_SPECIAL = re.compile(r"([\\`*_{}\[\]<>#|~&]|^[-+](?= )|^\d+(?=[.)] ))")
# what Mermaid would read as markup of its own
_ENTITY = re.compile(r"[#&\"<]")
_WIDTH = 32
_SHAPES = {"verdict": "doubleoctagon", "section": "plaintext", "clause": "box", "change": "note"}
_COLOURS = {"met": "#1a7f37", "unmet": "#b42318", "clause": "#4a4a4f", "change": "#9a6700"}


def markdown(told: Telling) -> str:
    """Return an answer as Markdown."""
    lines = [f"# {escaped(told.title)}", ""]
    if told.term:
        lines += [f"`{told.term}`", ""]
    lines += [f"{escaped(told.position)}", ""]
    lines += [f"**{told.verdict.replace('_', ' ')}**: {escaped(told.meaning)}", ""]
    for section in told.sections:
        lines += [f"## {escaped(section.title)}", "", *_items(section.nodes, 0), ""]
    for note in told.notes:
        lines += [escaped(note), ""]
    return "\n".join(lines)


def _items(nodes: Sequence[Node], depth: int) -> Iterator[str]:
    for node in nodes:
        label = f"**{escaped(node.label)}** " if node.label else ""
        text = f"*{escaped(node.text)}*" if node.mark == "printed" else escaped(node.text)
        term = f" `{node.term}`" if node.term else ""
        yield f"{'  ' * depth}- {_MARKS.get(node.mark, '')}{label}{text}{term}"
        yield from _items(node.children, depth + 1)


def escaped(text: str) -> str:
    """Return a text on one line in which Markdown sees no marks of its own."""
    return _SPECIAL.sub(r"\\\1", text.replace("\n", " "))


def html(told: Telling) -> str:
    """Return an answer as a page of HTML that needs nothing else."""
    return page("telling.html", told=told)


def page(template: str, **told: Any) -> str:
    """Return a page made of one of our templates; what it is told is escaped."""
    jinja2 = import_module("jinja2")
    environment = jinja2.Environment(
        loader=jinja2.PackageLoader("lexbelli"), autoescape=True, undefined=jinja2.StrictUndefined
    )
    made: str = environment.get_template(template).render(**told)
    return f"{made}\n"


# ---- the graph of the reasons --------------------------------------------------------------------


def dot(told: Telling) -> str:
    """Return the graph of the reasons for Graphviz: what is said twice is drawn once."""
    source: str = _graph(told).source
    return source


def svg(told: Telling) -> str:
    """Return the graph of the reasons as a picture.

    Raises InputError when Graphviz, which lays it out, is not installed.
    """
    try:
        drawn: str = _graph(told).pipe(format="svg", encoding="utf-8")
    except import_module("graphviz").ExecutableNotFound:
        raise InputError(
            "a picture needs the program dot, which is not there",
            hint="install Graphviz, or ask for --format dot",
        ) from None
    return drawn


def _graph(told: Telling) -> Any:
    graphviz = import_module("graphviz")
    graph = graphviz.Digraph(
        graph_attr={"rankdir": "LR"}, node_attr={"fontname": "Helvetica", "shape": "ellipse"}
    )
    for number, (text, kind, _) in enumerate(_nodes(told)):
        graph.node(
            f"n{number}",
            "\\n".join(graphviz.escape(line) for line in textwrap.wrap(text, _WIDTH)),
            shape=_SHAPES.get(kind, "ellipse"),
            color=_COLOURS.get(kind, "#6b6b70"),
        )
    for start, end in _edges(told):
        graph.edge(f"n{start}", f"n{end}")
    return graph


def mermaid(told: Telling) -> str:
    """Return the graph of the reasons for Mermaid."""
    lines = ["flowchart LR"]
    for number, (text, kind, _) in enumerate(_nodes(told)):
        opening, closing = ('(["', '"])') if kind in ("met", "unmet", "because") else ('["', '"]')
        shown = _ENTITY.sub(lambda match: f"#{ord(match.group())};", " ".join(text.split()))
        lines.append(f"    n{number}{opening}{shown}{closing}")
    lines += [f"    n{start} --> n{end}" for start, end in _edges(told)]
    return "\n".join(lines) + "\n"


# what a node of the graph says, of which kind it is, and, for what must not be shared, where it stands
Drawn = tuple[str, str, str]
_SHARED = frozenset({"met", "unmet", "because"})


def _nodes(told: Telling) -> list[Drawn]:
    """Return every node of the graph once, the verdict first; conditions are shared, not clauses."""
    found = [_verdict(told)]
    for place, section in enumerate(told.sections):
        found.append((section.title, "section", str(place)))
        found += [end for _, end in _lines(found[-1], section.nodes, str(place))]
    return list(dict.fromkeys(found))


def _edges(told: Telling) -> list[tuple[int, int]]:
    """Return every edge of the graph once, between the numbers of its nodes."""
    number = {drawn: place for place, drawn in enumerate(_nodes(told))}
    found: list[tuple[Drawn, Drawn]] = []
    for place, section in enumerate(told.sections):
        title = (section.title, "section", str(place))
        found.append((_verdict(told), title))
        found += _lines(title, section.nodes, str(place))
    return list(dict.fromkeys((number[start], number[end]) for start, end in found))


def _lines(above: Drawn, nodes: Sequence[Node], path: str) -> Iterator[tuple[Drawn, Drawn]]:
    for place, node in enumerate(nodes):
        if node.mark != "printed":
            drawn = _drawn(node, f"{path}.{place}")
            yield above, drawn
            yield from _lines(drawn, node.children, f"{path}.{place}")


def _verdict(told: Telling) -> Drawn:
    return f"{told.title}: {told.verdict.replace('_', ' ')}", "verdict", ""


def _drawn(node: Node, path: str) -> Drawn:
    mark = {"met": "✓ ", "unmet": "✗ "}.get(node.mark, "")
    label = f"{node.label} " if node.label else ""
    return f"{mark}{label}{node.text}", node.mark, "" if node.mark in _SHARED else path


EXPORTS: Mapping[str, Callable[[Telling], str]] = {
    "markdown": markdown, "html": html, "dot": dot, "svg": svg, "mermaid": mermaid,
}  # fmt: skip
