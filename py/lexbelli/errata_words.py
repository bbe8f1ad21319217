"""What the reports of an erratum say in words, whatever their format."""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from clingo import Symbol, SymbolType

from lexbelli.accounts import account
from lexbelli.check_words import position_words
from lexbelli.comparison import Difference, Shown
from lexbelli.consistency import Consistency
from lexbelli.errata import counted
from lexbelli.errors import UnknownNameError
from lexbelli.findings import Range
from lexbelli.model import Change, ClauseChange, Overlay
from lexbelli.phrases import wording
from lexbelli.repairs import in_words, last_number, with_number
from lexbelli.rulebook import Rulebook
from lexbelli.standing import Standing, known_part
from lexbelli.telling import Style, Telling, tell, tell_account
from lexbelli.terms import parse_term, split_arguments
from lexbelli.why import why

_ACCOUNTS = {"duty": "duty", "quantity": "quantity", "conclusion": "fact"}
# answers that are no words of their own
_ANSWERS = {
    ("action", "not_permitted"): "not permitted",
    ("duty", "none"): "no duty",
    ("duty", "unsaid"): "no duty",
    ("quantity", "unsaid"): "no value",
    ("conclusion", "unsaid"): "no clause says so",
    ("conclusion", "true"): "it holds",
    ("conclusion", "false"): "it does not hold",
    ("effect", "unsaid"): "no effect",
    ("effect", "starts"): "it begins to hold",
    ("effect", "ends"): "it ends",
}
MEANINGS = {
    "stricter": "legal before, not any more",
    "looser": "legal now, not before",
    "both": "legal now in some positions and no more in others",
    "changed": "what is legal is the same, the answer is not",
}


@dataclass(frozen=True, slots=True)
class Block:
    """Subjects of one shape that differ in one way through the same clauses; `first` stands for all."""

    kind: str
    shape: str
    relation: str
    clauses: tuple[str, ...]
    differences: tuple[Difference, ...]

    @property
    def first(self) -> Difference:
        """The one to show."""
        return self.differences[0]


# ---- folding -------------------------------------------------------------------------------------


def blocks(differences: Iterable[Difference]) -> list[Block]:
    """Return differences with those that are alike folded into one block, in the order given."""
    folded: dict[tuple[str, str, str, tuple[str, ...]], list[Difference]] = {}
    for one in differences:
        key = one.kind, shape(parse_term(one.subject)), one.relation, named(one.clauses)
        folded.setdefault(key, []).append(one)
    return [Block(*key, tuple(ones)) for key, ones in folded.items()]


def shape(term: Symbol) -> str:
    """Return what terms of one kind share: cost(pay) of cost(pay(ann)), pay of pay(ann)."""
    inner = [shape(one) for one in term.arguments if one.type is SymbolType.Function and one.arguments]
    return f"{term.name}({','.join(inner)})" if inner else term.name


def named(clauses: Iterable[str]) -> tuple[str, ...]:
    """Return the causes that are clauses: what an overlay declares above its first heading is none."""
    return tuple(clause for clause in clauses if clause)


# ---- words of two rulebooks ----------------------------------------------------------------------


class Words:
    """The words of two sides: the new one's, and the old one's for what the new one does not know."""

    def __init__(self, old: Rulebook, new: Rulebook) -> None:
        """Take both rulebooks."""
        self._books = (old, new)

    def _book(self, term: str) -> Rulebook:
        symbol = parse_term(term)
        old, new = self._books
        name = symbol.name, len(symbol.arguments)
        unknown = not wording(new).has_phrase(*name) and wording(old).has_phrase(*name)
        return old if unknown else new

    def say(self, term: str) -> str:
        """Return a fact, action, duty or quantity in words."""
        return wording(self._book(term)).say(term)

    def change(self, change: Change) -> str:
        """Return a change of a position in words."""
        return in_words(self._book(change.fact), change)

    def subject(self, difference: Difference) -> str:
        """Return what two sides differ about."""
        if difference.kind != "effect":
            return self.say(difference.subject)
        event, fact = split_arguments(difference.subject)
        return f"{self.say(event)}: {self.say(fact)}"

    def position(self, shown: Shown) -> str:
        """Return the position that shows a difference."""
        return position_words(shown.witness, self.change)

    def ranges(self, shown: Shown) -> list[str]:
        """Return the numbers between which a difference stays, all else as in its position."""
        return [self.range(one) for one in shown.ranges]

    def range(self, found: Range) -> str:
        """Return the numbers between which a difference stays, for one fact."""
        plain = f"{found.fact.partition('(')[0]} is {found.low} to {found.high}"
        number = last_number(found.fact)
        told = re.compile(rf"(?<![\w-]){number}(?!\w)")
        words = self.say(found.fact)
        if len(told.findall(words)) != 1:
            return plain if found.low < found.high else self.say(with_number(found.fact, found.low))
        between = str(found.low) if found.low == found.high else f"{found.low} to {found.high}"
        return told.sub(between, words)


def answer_words(kind: str, standing: Standing) -> str:
    """Return an answer with the clauses that give it."""
    if standing.answer == "unknown":
        return "there is no such thing"
    told = _ANSWERS.get((kind, standing.answer), standing.answer)
    if standing.cost is not None:
        told += f", cost {standing.cost}"
    return f"{told} ({' '.join(standing.clauses)})" if standing.clauses else told


def headline(block: Block) -> str:
    """Return what a block is about: the shape of its subjects, and how many there are."""
    number = len(block.differences)
    return f"{block.shape} ({counted(number, block.kind)})" if number > 1 else block.first.subject


def more(block: Block) -> str:
    """Return how many subjects a block has beside the one that stands for all; nothing for none."""
    number = len(block.differences) - 1
    return f", and {counted(number, block.kind)} more" if number else ""


# ---- why each side answers as it does ------------------------------------------------------------


def told_why(book: Rulebook, kind: str, shown: Shown, subject: str) -> Telling | None:
    """Return in short why a side answers as it does.

    None stands for what a side does not know, and for an effect: its clauses are all there is to tell.
    """
    if kind == "effect":
        return None
    state = known_part(book, shown.state)
    words = wording(book)
    style = Style("", words.say, lambda change: in_words(book, change), whole=False)
    try:
        if kind in _ACCOUNTS:
            return tell_account(account(book, state, _ACCOUNTS[kind], subject), style)
        return tell(why(book, state, subject, whole=False), style)
    except UnknownNameError:
        return None


# ---- what the sides are --------------------------------------------------------------------------


def overlay_words(overlay: Overlay) -> str:
    """Return an overlay by its name, title and date."""
    return f"{overlay.name}: {overlay.title}, {overlay.date}"


def reason_words(told: tuple[Overlay, ClauseChange] | None) -> str:
    """Return the reason that an overlay gives for what it does to a clause, and which overlay does."""
    if told is None:
        return ""
    overlay, change = told
    return f"{change.reason or overlay.reason} ({overlay.name})"


# ---- findings ------------------------------------------------------------------------------------


def order_words(found: Consistency) -> list[str]:
    """Return in sentences what each of several errata does, where order matters, and which interact."""
    lines = []
    for step in found.steps:
        told = [f"brings {' '.join(step.brought)}"] if step.brought else []
        told += [f"removes {' '.join(step.removed)}"] if step.removed else []
        lines.append(f"{step.name} {' and '.join(told) or 'brings and removes no finding'}")
    for turn in found.turns:
        by, other = (name or "none of them" for name in (turn.by, turn.reversed_by))
        lines.append(
            f"order matters: {turn.id} comes or goes with {by}, in the reverse order with {other}"
        )
    for pair in found.interactions:
        names = " and ".join(pair.errata)
        if pair.needs:
            lines.append(f"{names} belong together: one of them does not stand without the other")
            continue
        told = [f"only together they leave {' '.join(pair.there)}"] if pair.there else []
        told += [f"only together they are without {' '.join(pair.gone)}"] if pair.gone else []
        lines.append(f"{names} interact: {'; '.join(told)}")
    return lines
