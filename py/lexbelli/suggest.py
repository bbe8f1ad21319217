"""The nearest known names to one that is not known."""

from collections.abc import Iterable
from difflib import SequenceMatcher


def nearest(name: str, known: Iterable[str], count: int = 3) -> list[str]:
    """Return up to `count` known names that look most like `name`, best first."""
    scored = []
    for candidate in set(known):
        matcher = SequenceMatcher(None, name.lower(), candidate.lower())
        if matcher.real_quick_ratio() >= 0.55 and matcher.quick_ratio() >= 0.55:
            ratio = matcher.ratio()
            if ratio >= 0.55:
                scored.append((-ratio, candidate))
    return [candidate for _, candidate in sorted(scored)[:count]]


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """Return "did you mean a, b or c?" for the nearest known names, or nothing."""
    found = nearest(name, known)
    if not found:
        return ""
    listed = found[0] if len(found) == 1 else f"{', '.join(found[:-1])} or {found[-1]}"
    return f"did you mean {listed}?"
