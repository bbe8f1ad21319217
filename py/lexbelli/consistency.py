"""What a change does to the findings of a rulebook: which it brings, which it removes, which it leaves.

Where several errata are laid over an edition, each is asked what it brings and removes in the order
given, laid in the reverse order, alone, and in pairs.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path

from lexbelli.check import check
from lexbelli.errors import InputError, LimitError, RulebookError
from lexbelli.findings import Finding, Wanted
from lexbelli.search import Deadline
from lexbelli.sides import Side, load_side
from lexbelli.together import shared

CODES = frozenset(
    {"LB101", "LB102", "LB103", "LB104", "LB105", "LB201", "LB202", "LB301", "LB302", "LB401"}
)
Ids = frozenset[str]


@dataclass(frozen=True, slots=True)
class Step:
    """What one of several changes brings and removes, by the ids of findings, in the order given."""

    name: str
    brought: tuple[str, ...]
    removed: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Turn:
    """A finding that comes or goes with another erratum when they are laid in the reverse order.

    `by` is the erratum in the order given, `reversed_by` that in the other, empty where it neither
    comes nor goes there.
    """

    id: str
    by: str
    reversed_by: str


@dataclass(frozen=True, slots=True)
class Interaction:
    """Two errata whose joint findings are not what each does alone.

    `there` are findings that are there with both, though not by what each does alone; `gone` are those
    that are not there with both, though they would be. `needs` says that one cannot be laid alone.
    """

    errata: tuple[str, str]
    there: tuple[str, ...] = ()
    gone: tuple[str, ...] = ()
    needs: bool = False


@dataclass(frozen=True, slots=True)
class Consistency:
    """The findings of the new side that the old one has not, those it has no more, and the others.

    With several errata, `steps` are what each brings and removes, `turns` where the order matters, and
    `interactions` the pairs that do together what neither does alone.
    """

    brought: tuple[Finding, ...]
    removed: tuple[Finding, ...]
    kept: tuple[Finding, ...]
    steps: tuple[Step, ...] = ()
    turns: tuple[Turn, ...] = ()
    interactions: tuple[Interaction, ...] = ()


class Asked:
    """The findings of an edition with some errata, each asked for once."""

    def __init__(
        self,
        old: Side,
        new: Side,
        deadline: Deadline,
        progress: Callable[[str], None] | None,
        *,
        apart: bool = False,
    ) -> None:
        """Take both sides, and whether half of many errata may be asked about by a fork."""
        self._old, self._new, self._apart = old, new, apart
        self._root, self._edition = new.book.root, new.edition
        self._deadline, self._progress = deadline, progress
        self._sides = {(side.edition, side.errata): side for side in (old, new)}
        self._known: dict[tuple[str, tuple[Path, ...]], Ids] = {}

    def consistency(self, known: Ids, after: Sequence[Finding]) -> Consistency:
        """Return what a change does, given the findings of the old side by id and those of the new.

        Raises LimitError when it is not over in time.
        """
        old, new = self._old, self._new
        self._known[old.edition, old.errata] = known
        self._known[new.edition, new.errata] = frozenset(one.id for one in after)
        removed = known - {one.id for one in after}
        found = Consistency(
            brought=tuple(one for one in after if one.id not in known),
            removed=tuple(self.findings(old, removed.__contains__)) if removed else (),
            kept=tuple(one for one in after if one.id in known),
        )
        if len(new.errata) < 2:
            return found
        self._look_up([(), *_prefixes(new.errata), *_prefixes(new.errata[::-1]), *_pairs(new.errata)])
        return Consistency(
            found.brought,
            found.removed,
            found.kept,
            tuple(_steps(self, old, new)),
            tuple(_turns(self, new)),
            tuple(_interactions(self, new)),
        )

    def _look_up(self, errata: Iterable[tuple[Path, ...]]) -> None:
        """Find out the findings of the new edition with these errata, half of them by a fork."""
        new = (one for one in dict.fromkeys(errata) if (self._edition, one) not in self._known)
        left = list(new) if self._apart else []  # otherwise they are asked when they are told of
        found = shared(lambda some: [self.ids(one) for one in some], left, apart=self._apart)
        for one, ids in zip(left, found, strict=True):
            if ids is not None:
                self._known[self._edition, one] = ids

    def findings(self, side: Side, wanted: Wanted) -> list[Finding]:
        """Return the findings of a side that are wanted.

        Raises LimitError when some were not looked for in time.
        """
        if self._progress is not None:
            self._progress(f"what check finds in {side.name}")
        report = check(side.book, self._deadline.left(), codes=CODES, wanted=wanted)
        if report.unknown:
            raise LimitError("the time is over")
        found = [one for one in report.findings if one.code in CODES]
        self._known[side.edition, side.errata] = frozenset(one.id for one in found)
        return [one for one in found if wanted(one.id)]

    def known(self, side: Side) -> Ids:
        """Return the findings of a side by their ids, as `findings` does."""
        key = side.edition, side.errata
        if key not in self._known:
            self.findings(side, lambda _: False)
        return self._known[key]

    def ids(self, errata: Sequence[Path]) -> Ids | None:
        """Return the findings of the new edition with these errata, or None where they do not stand."""
        key = self._edition, tuple(errata)
        if key in self._known:
            return self._known[key]
        if key not in self._sides:
            try:
                self._sides[key] = load_side(self._root, *key)
            except (InputError, RulebookError):
                return None  # one of them builds on another that is not there
        return self.known(self._sides[key])


def _prefixes(errata: tuple[Path, ...]) -> list[tuple[Path, ...]]:
    """Return the first of some errata, the first two, and so on."""
    return [errata[:place] for place in range(1, len(errata) + 1)]


def _pairs(errata: tuple[Path, ...]) -> list[tuple[Path, ...]]:
    """Return each erratum alone, and with each that comes after it."""
    return [(one,) for one in errata] + list(combinations(errata, 2))


def _steps(asked: Asked, old: Side, new: Side) -> list[Step]:
    """Return what each change brings and removes in the order given, another edition first."""
    before = asked.known(old)
    steps = []
    start = asked.ids(())
    if start is not None and (old.edition, old.errata) != (new.edition, ()):
        name = f"{old.name} to {new.edition}"
        steps.append(Step(name, *_between(before, start)))
    return steps + [Step(name, *_between(*ends)) for name, ends in _laid(asked, new.errata, new)]


def _laid(asked: Asked, order: Sequence[Path], new: Side) -> list[tuple[str, tuple[Ids, Ids]]]:
    """Return for each erratum in some order the findings before and after it.

    One that does not stand where it comes is told together with those up to the next that stands.
    """
    names = dict(zip(new.errata, new.erratum_names, strict=True))
    before = asked.ids(()) or frozenset()
    waiting: list[str] = []
    found = []
    for place, path in enumerate(order, 1):
        waiting.append(names[path])
        after = asked.ids(order[:place])
        if after is not None:
            found.append((" and ".join(waiting), (before, after)))
            before, waiting = after, []
    return found


def _turns(asked: Asked, new: Side) -> list[Turn]:
    """Return the findings that come or go with another erratum in the reverse order."""

    def causes(order: Sequence[Path]) -> dict[str, str]:
        return {
            id_: name
            for name, (before, after) in _laid(asked, order, new)
            for id_ in before.symmetric_difference(after)
        }

    first, second = causes(new.errata), causes(new.errata[::-1])
    return [
        Turn(id_, first.get(id_, ""), second.get(id_, ""))
        for id_ in sorted(first.keys() | second.keys())
        if first.get(id_) != second.get(id_)
    ]


def _interactions(asked: Asked, new: Side) -> list[Interaction]:
    """Return the pairs of errata whose joint findings are not what each does alone."""
    start = asked.ids(()) or frozenset()
    names = dict(zip(new.errata, new.erratum_names, strict=True))
    found = []
    for pair in combinations(new.errata, 2):
        told = names[pair[0]], names[pair[1]]
        alone = [asked.ids((path,)) for path in pair]
        both = asked.ids(pair)
        if both is None:
            continue  # they stand only with a third
        if alone[0] is None or alone[1] is None:
            found.append(Interaction(told, needs=True))
            continue
        changed = start.symmetric_difference(alone[0]) | start.symmetric_difference(alone[1])
        expected = start.symmetric_difference(changed)
        there, gone = _between(expected, both)
        if there or gone:
            found.append(Interaction(told, there, gone))
    return found


def _between(before: Ids, after: Ids) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return what is there only after, and what only before."""
    return tuple(sorted(after - before)), tuple(sorted(before - after))
