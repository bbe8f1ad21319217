"""Errata that would resolve a finding: the smallest ones, each tried before it is proposed.

A suggestion puts one of two clauses that clash above the other, or gives one of them a condition under
which it no longer meets the other. Which of them the text ought to say is for its editors.
"""

import re
import tempfile
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from clingo import Symbol

from lexbelli.comparison import compare
from lexbelli.draft_text import overlay_text, told
from lexbelli.drafts import CONDITION, HEADS, OVERRIDE, drafts
from lexbelli.errors import LimitError, RulebookError, UnknownNameError
from lexbelli.findings import Finding
from lexbelli.model import Overlay
from lexbelli.overlays import CURRENT
from lexbelli.parsing import parse_text
from lexbelli.redundancy import redundancies
from lexbelli.rulebook import Rulebook, everywhere, load_rulebook, session
from lexbelli.search import Deadline, brave
from lexbelli.silences import silences
from lexbelli.strays import circles
from lexbelli.suggest import did_you_mean
from lexbelli.terms import clause_key, split_arguments, written
from lexbelli.together import shared


@dataclass(frozen=True, slots=True)
class InPlay:
    """A subject on which a suggestion changes the answer: "stricter", "looser", "both" or "changed"."""

    kind: str
    subject: str
    relation: str


@dataclass(frozen=True, slots=True)
class Suggestion:
    """An erratum that would resolve a finding.

    `way` is "override" or "condition", `clause` the one that is redefined, `other` the one that it
    clashes with. `told` is what is changed in words, `conditions` are those that are added, `rules`
    the rules that are new or changed, and `overlay` is the text of a file. `removes` and `brings` are
    ids of findings. `in_play` is what changes in play, None where that is not known.
    """

    way: str
    clause: str
    other: str
    told: str
    conditions: tuple[str, ...]
    rules: tuple[str, ...]
    overlay: str
    removes: tuple[str, ...]
    brings: tuple[str, ...]
    in_play: tuple[InPlay, ...] | None = None


_CLASH = [("clash", 4)]

# what two rulebooks are compared by
Measure = Callable[[Rulebook, Rulebook, Deadline], tuple[InPlay, ...]]


def in_play(old: Rulebook, new: Rulebook, deadline: Deadline) -> tuple[InPlay, ...]:
    """Return the subjects on which two rulebooks differ; effects of a legal action go with the action.

    Raises LimitError when the comparison is not over in time.
    """
    found = compare(old, new, deadline).differences
    actions = {one.subject for one in found if one.kind == "action"}
    return tuple(
        InPlay(one.kind, one.subject, one.relation)
        for one in found
        if one.kind != "effect" or split_arguments(one.subject)[0] not in actions
    )


def suggest(
    book: Rulebook,
    finding: str,
    deadline: Deadline,
    measure: Measure | None = in_play,
    *,
    apart: bool = False,
) -> list[Suggestion]:
    """Return errata that resolve a finding, given by its id, the smallest first.

    Each is laid over the rulebook and asked for contradictions again. Those that bring one are left
    out, unless all do; what makes a clause redundant comes last. `measure` tells what changes in play;
    None leaves that to the caller, and a comparison that takes too long leaves it open. When `apart`, a
    fork of this process is asked about half of them; see `together`. Raises UnknownNameError for a
    finding that is not there, or of a kind for which nothing can be suggested, RulebookError when an
    erratum in force has both its clauses, and LimitError when not even the findings are known in time.
    """
    before = _Findings(book, deadline)
    resolved = _find(finding, before)
    touched = {change.clause: overlay for overlay in _errata(book) for change in overlay.changes}
    if all(clause in touched for clause in resolved.clauses):
        names = dict.fromkeys(touched[clause].name for clause in resolved.clauses)
        raise RulebookError(
            f"{' and '.join(names)} has {' and '.join(resolved.clauses)} already",
            hint="two errata may not touch one clause: change that one",
        )
    tried: list[tuple[Suggestion, Rulebook]] = []
    with tempfile.TemporaryDirectory() as folder:
        for number, draft in enumerate(drafts(book, resolved)):
            if draft.clause in touched:
                continue
            rules = tuple(rule for edit in draft.edits for rule in edit.rules)
            suggestion = Suggestion(
                draft.way, draft.clause, draft.other, told(draft), draft.conditions, rules,
                overlay_text(book, resolved, draft), (), (),
            )  # fmt: skip
            path = Path(folder) / f"suggestion_{number}.lp"
            path.write_text(suggestion.overlay, "utf-8")
            new = load_rulebook(
                book.root,
                book.edition,
                [*(overlay.path for overlay in _errata(book)), path],
                tolerant=True,
            )
            if _circles(new) - _circles(book):
                continue
            after = _Findings(new, deadline, before, rules)
            removes, brings = before.ids - after.ids, after.ids - before.ids
            if finding in removes and not (draft.way == CONDITION and after.idle):
                tried.append(
                    (replace(suggestion, removes=_sorted(removes), brings=_sorted(brings)), new)
                )
        clean = [one for one in tried if not one[0].brings] or tried
        clean = _with_redundant(clean, book, deadline, apart=apart)
        found = [_measured(one, book, new, measure, deadline) for one, new in clean]
    return sorted(found, key=_order)


def _with_redundant(
    tried: Sequence[tuple[Suggestion, Rulebook]], book: Rulebook, deadline: Deadline, *, apart: bool
) -> list[tuple[Suggestion, Rulebook]]:
    """Tell which clauses are redundant with each that were not: the choice is the editor's."""

    def redundant(books: Sequence[Rulebook]) -> list[set[str]]:
        return [{one.id for one in redundancies(each, deadline).findings} for each in books]

    try:
        before, *after = shared(redundant, [book, *(new for _, new in tried)], apart=apart)
    except LimitError:  # what is proposed is proposed all the same
        return list(tried)
    return [
        (replace(one, brings=(*one.brings, *_sorted(_unsaid(ids - before, one.brings)))), new)
        for (one, new), ids in zip(tried, after, strict=True)
    ]


def _unsaid(redundant: Iterable[str], brings: Collection[str]) -> list[str]:
    """Leave out what need not be said of clauses that never have a say any more."""
    silent = {i.partition(":")[2] for i in brings if i.startswith(("LB201:", "LB202:"))}
    return [i for i in redundant if i.partition(":")[2].partition("+")[0] not in silent]


def _measured(
    suggestion: Suggestion, book: Rulebook, new: Rulebook, measure: Measure | None, deadline: Deadline
) -> Suggestion:
    if measure is None:
        return suggestion
    try:
        return replace(suggestion, in_play=measure(book, new, deadline))
    except LimitError:
        return suggestion


def _order(one: Suggestion) -> tuple[int, int, int, bool]:
    """Fewest findings first, then the smallest change in play, then what needs no new condition."""
    changes = len(one.in_play) if one.in_play is not None else 0
    return len(one.brings), -len(one.removes), changes, one.way != OVERRIDE


def _errata(book: Rulebook) -> Sequence[Overlay]:
    """Return the errata in force, without the overlay of the edition."""
    return book.overlays[book.edition != CURRENT :]


def _circles(book: Rulebook) -> set[str]:
    return {circle.message for circle in circles(book.norms, session(book))}


# ---- findings -----------------------------------------------------------------------------------


class _Findings:
    """The ids of the contradictions of a rulebook, and of the clauses that a change has silenced.

    `idle` says that one of the changed rules applies in no position.
    """

    def __init__(
        self,
        book: Rulebook,
        deadline: Deadline,
        than: "_Findings | None" = None,
        rules: Sequence[str] = (),
    ) -> None:
        """Ask a rulebook, which may have been changed from another by some rules."""
        self.found: dict[str, Finding] = {}
        self.effective: set[str] = set()
        applying: set[int] = set()
        applies = "".join(_applies(number, rule) for number, rule in enumerate(rules))
        asked = [*_CLASH, ("effective", 1), *([("applies__", 1)] if rules else [])]
        for part, extra, names in ((book.check, applies, asked), (book.effects, "", _CLASH)):
            statements = book.statements + book.choice + part
            for atom in brave(statements, everywhere(book) + extra, names, deadline.left()):
                if atom.name == "effective":
                    self.effective.add(atom.arguments[0].string)
                elif atom.name == "applies__":
                    applying.add(atom.arguments[0].number)
                else:
                    self._take(
                        atom.arguments[0].string, atom.arguments[1:3], written(atom.arguments[3])
                    )
        self.idle = len(applying) < len(rules)
        self.ids = {*self.found}
        if than is not None and not than.effective <= self.effective:
            lost = than.effective - self.effective
            silent = silences(book, deadline).findings
            self.ids |= {one.id for one in silent if one.clauses[0] in lost}

    def _take(self, code: str, clauses: Iterable[Symbol], subject: str) -> None:
        pair = tuple(dict.fromkeys(clause.string for clause in clauses))
        finding = Finding(code, pair, (subject,), "", "")
        known = self.found.get(finding.id)
        if known is not None:
            finding = replace(finding, subjects=(*known.subjects, subject))
        self.found[finding.id] = finding


def _applies(number: int, rule: str) -> str:
    """Write when a rule applies."""
    body = parse_text(rule)[-1].body
    return f"applies__({number}) :- {', '.join(map(str, body))}. " if body else f"applies__({number}). "


def _find(wanted: str, findings: _Findings) -> Finding:
    """Return the finding of an id."""
    code = wanted.partition(":")[0]
    listing = "lexbelli check -v --code LB101 lists findings with their ids"
    if wanted not in findings.found:
        if re.fullmatch(r"LB\d+", code) and code not in HEADS:
            raise UnknownNameError(
                f"nothing can be suggested for {wanted}",
                hint=f"errata are suggested for {', '.join(HEADS)}",
            )
        known = [one for one in findings.found if one.partition(":")[0] in HEADS]
        nearest = did_you_mean(wanted, known)
        hint = f"{nearest}\n  {listing}" if nearest else listing
        raise UnknownNameError(f"the rulebook has no finding {wanted!r}", hint=hint)
    found = findings.found[wanted]
    if code not in HEADS:
        raise UnknownNameError(
            f"nothing can be suggested for {wanted}",
            hint=f"errata are suggested for {', '.join(HEADS)}",
        )
    if len(found.clauses) < 2:
        raise UnknownNameError(
            f"nothing can be suggested for {wanted}: one clause alone brings it about",
            hint=f"lexbelli explain-code {code} tells how to resolve it",
        )
    return found


def _sorted(ids: Collection[str]) -> tuple[str, ...]:
    return tuple(
        sorted(ids, key=lambda one: (one.partition(":")[0], clause_key(one.partition(":")[2])))
    )
