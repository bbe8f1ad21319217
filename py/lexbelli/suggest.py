"""The nearest known names to one that is not known."""

from collections.abc import Iterable
from difflib import SequenceMatcher

LEAST = 0.55  # how alike two names must be
NEAR = 0.12  # how much less alike than the best one a further suggestion may be


def nearest(name: str, known: Iterable[str], count: int = 3) -> list[str]:
    """Return up to `count` known names that look most like `name`, best first."""
    scored = []
    for candidate in set(known):
        matcher = SequenceMatcher(None, name.lower(), candidate.lower())
        if matcher.real_quick_ratio() >= LEAST and matcher.quick_ratio() >= LEAST:
            ratio = matcher.ratio()
            if ratio >= LEAST:
                scored.append((-ratio, candidate))
    scored.sort()
    return [candidate for score, candidate in scored[:count] if score - scored[0][0] <= NEAR]


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """Return "did you mean a, b or c?" for the nearest known names, or nothing."""
    found = nearest(name, known)
    if not found:
        return ""
    listed = found[0] if len(found) == 1 else f"{', '.join(found[:-1])} or {found[-1]}"
    return f"did you mean {listed}?"
