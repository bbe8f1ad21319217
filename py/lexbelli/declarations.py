"""Where a rulebook declares what a check compares or divides."""

from lexbelli.errors import Place
from lexbelli.norms import place_of
from lexbelli.rulebook import Rulebook


def declared(book: Rulebook, text: str) -> Place | None:
    """Return where the rulebook declares something for a check that names `text`."""
    words = ("divides(", "case(", "concerns(", "twin(", "counterpart(")
    for statement in book.statements:
        shape = str(getattr(statement, "head", ""))
        if shape.startswith(words) and text in shape:
            return place_of(statement)
    return None
