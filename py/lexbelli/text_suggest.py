"""Suggested errata as text: what each says, what it resolves, and what it changes in play."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from rich.console import Console
from rich.markup import escape

from lexbelli.suggestions import InPlay, Suggestion
from lexbelli.text import Draw, Say

_NAMED = 4  # subjects that are named of each way in which answers change
_RELATIONS = ("looser", "stricter", "both", "changed")
_COLOUR = {"looser": "green", "stricter": "red", "both": "yellow", "changed": "yellow"}


def suggestions_text(
    finding: str,
    suggestions: Sequence[Suggestion],
    say: Say,
    *,
    uncompared: str,
    written: tuple[int, Path] | None = None,
) -> Draw:
    """Return numbered suggestions; `uncompared` says why one has no changes in play.

    `written` are the number of the one that went to a file, and that file.
    """

    def draw(console: Console) -> None:
        if not suggestions:
            console.print(
                f"No override and no condition between its two clauses resolves {escape(finding)}: "
                "what the text ought to say is for its editors to write."
            )
            return
        console.print(f"[bold]{escape(finding)}[/]  {_counted(suggestions)}")
        for number, one in enumerate(suggestions, 1):
            console.print()
            _draw_one(console, number, one, say, uncompared)
        console.print()
        if written is None:
            console.print("Which of them the text ought to say is for its editors to choose;")
            console.print(
                "-o FILE writes the first one as an erratum ready to edit, --choice N another."
            )
        else:
            number, file = written
            console.print(f"{number} is written to {escape(str(file))}, to be edited.", soft_wrap=True)

    return draw


def _counted(suggestions: Sequence[Suggestion]) -> str:
    number = len(suggestions)
    counted = "one erratum would resolve it" if number == 1 else f"{number} errata would resolve it"
    if suggestions[0].brings:
        counted += ", but every one brings another finding"
    return counted


def _draw_one(console: Console, number: int, one: Suggestion, say: Say, uncompared: str) -> None:
    console.print(f"{number}  [bold]{escape(one.clause)}[/]: {escape(one.told)}")
    for rule in one.rules:
        for line in rule.splitlines():
            console.print(f"     {escape(line)}", soft_wrap=True)
    console.print(f"   resolves {escape(', '.join(one.removes))}")
    if one.brings:
        console.print(f"   [bold yellow]brings[/] {escape(', '.join(one.brings))}")
    else:
        console.print("   brings no other finding")
    for line in _in_play(one.in_play, say, uncompared):
        console.print(f"   {line}")


def _in_play(changes: Sequence[InPlay] | None, say: Say, uncompared: str) -> Iterator[str]:
    if changes is None:
        yield f"in play: {escape(uncompared)}"
        return
    if not changes:
        yield "in play nothing changes"
    for relation in _RELATIONS:
        said = [_said(one, say) for one in changes if one.relation == relation]
        if said:
            more = f"; and {len(said) - _NAMED} more" if len(said) > _NAMED else ""
            told = escape("; ".join(said[:_NAMED]) + more)
            yield f"in play [{_COLOUR[relation]}]{relation}[/]: {told}"


def _said(one: InPlay, say: Say) -> str:
    return say(one.subject) if one.kind != "effect" else one.subject
