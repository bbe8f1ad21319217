"""The two rulebooks that an erratum is asked about: which is the old one, which the new one."""

import os
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path

from lexbelli.errors import InputError, UnknownNameError
from lexbelli.locate import shipped_rulebook
from lexbelli.overlays import CURRENT, editions
from lexbelli.rulebook import Rulebook, load_rulebook, session
from lexbelli.suggest import did_you_mean


@dataclass(frozen=True, slots=True)
class Side:
    """One of two rulebooks to compare: an edition, and the errata laid over it in order."""

    book: Rulebook
    errata: tuple[Path, ...]

    @property
    def edition(self) -> str:
        """The edition that the errata are laid over."""
        return self.book.edition

    @property
    def erratum_names(self) -> tuple[str, ...]:
        """What the errata are called, by their files or folders."""
        laid = self.book.overlays[len(self.book.overlays) - len(self.errata) :]
        return tuple(overlay.name for overlay in laid)

    @property
    def name(self) -> str:
        """What to call it: the edition and its errata."""
        return " + ".join((self.edition, *self.erratum_names))


def two_sides(
    folder: Path | str | None, named: Sequence[str], edition: str | None, errata: Sequence[str] = ()
) -> tuple[Side, Side]:
    """Return the old and the new side of a comparison, loaded and grounded.

    `named` are two sides, old and new, or one of them, or none; each is the name of an edition, or the
    path of an erratum. An erratum is laid over `edition`; where that is None, over the edition that the
    other side names, and else over the current one. An erratum alone is compared with the edition it is
    laid over, an edition alone with `edition` or the current one. `errata` are laid over the new side
    as well.

    Raises InputError and RulebookError as `load_rulebook` does, UnknownNameError for a name that is
    neither, and InputError where both sides are the same.
    """
    root = Path(folder) if folder is not None else shipped_rulebook()
    known = editions(root)
    paths = [_erratum(name, known, root) for name in named]
    plain = [name for name, path in zip(named, paths, strict=True) if path is None]
    base = edition or (plain[0] if len(plain) == 1 == len(named) - 1 else CURRENT)
    if edition is not None and len(plain) == 2:
        raise InputError(f"--edition {edition} has no effect: both sides name their edition")
    sides = [
        (name, ()) if path is None else (base, (path,)) for name, path in zip(named, paths, strict=True)
    ]
    if not sides:
        sides = [(base, ()), (base, ())]
    elif len(sides) == 1:
        sides = [*sides, (base, ())] if plain else [(base, ()), *sides]
    (old_edition, old_errata), (new_edition, new_errata) = sides
    old = load_side(root, old_edition, old_errata)
    new = load_side(root, new_edition, (*new_errata, *map(Path, errata)))
    if _files(old) == _files(new):
        raise InputError(
            f"old and new are the same: {new.name}",
            hint="name two editions, an erratum, or errata with --erratum",
        )
    return old, new


def load_side(root: Path, edition: str, errata: Sequence[Path]) -> Side:
    """Return an edition with errata laid over it, loaded and grounded, so that mistakes are told."""
    book = load_rulebook(root, edition, errata)
    session(book)
    return Side(book, tuple(errata))


def _erratum(name: str, known: Collection[str], root: Path) -> Path | None:
    """Return the path of an erratum, or None for the name of an edition."""
    if name in known:
        return None
    path = Path(name)
    if name and (os.path.lexists(path) or path.suffix == ".lp" or os.sep in name):
        return path
    load_rulebook(root)  # a folder that holds no rulebook is the first thing to tell
    hint = did_you_mean(name, known)
    if not hint:
        hint = f"the rulebook has: {', '.join(known)}; an erratum is an .lp file or a folder of them"
    raise UnknownNameError(f"there is no edition or erratum {name!r}", hint=hint)


def _files(side: Side) -> list[str]:
    return [os.path.realpath(overlay.path) for overlay in side.book.overlays]
