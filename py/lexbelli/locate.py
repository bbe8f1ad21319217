"""Where the rulebooks are: beside the package in a checkout, inside it in a wheel."""

from pathlib import Path

from lexbelli.errors import InputError, Place

_PACKAGE = Path(__file__).resolve().parent


def asp_root() -> Path:
    """Return the folder that holds `core` and the rulebooks.

    Raises InputError when the package was installed without it.
    """
    for candidate in (_PACKAGE / "asp", _PACKAGE.parent.parent / "asp"):
        if (candidate / "core").is_dir():
            return candidate
    raise InputError("the rulebooks are not installed", place=Place(str(_PACKAGE / "asp")))


def core_files() -> list[Path]:
    """Return the files of the core, which know no game."""
    return sorted((asp_root() / "core").glob("*.lp"))


def shipped_rulebook() -> Path:
    """Return the folder of the rulebook that comes with the package: the only one beside the core."""
    folders = sorted(p for p in asp_root().iterdir() if p.is_dir() and p.name != "core")
    if not folders:
        raise InputError("no rulebook is installed", place=Place(str(asp_root())))
    return folders[0]
