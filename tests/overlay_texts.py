"""Errata to the lending rules, for tests that lay them over a copy."""

from pathlib import Path

LIBRARY = Path(__file__).parent / "library_rulebook"
HEAD = "%# title: A correction\n%# date: 2003-05-01\n%# for: current\n%# reason: to test it\n\n"
TWO_BOOKS = """%## 1.4  Two books at most
% redefined: two books instead of three
% > Nobody has more than two books out.
% kind: prohibition
forbids("1.4",borrow(Person)) :- books(Person,Number), Number >= 2.
meets("1.4",borrow(Person))   :- books(Person,Number), Number <  2.
"""
NO_SUNDAY = "%## 1.2  Closed on Sunday\n% withdrawn: the desk is open on Sunday\n"
FREE_STAFF = """%## 1.21  Staff pay nothing
% > Staff pay no fine.
% kind: exception
sets("1.21",cost(pay(Person)),0)            :- staff(Person).
overrides("1.21","1.5",cost(pay(Person)))   :- staff(Person).
"""


def erratum(folder: Path, text: str, name: str = "correction.lp", head: str = HEAD) -> Path:
    """Write an erratum beside a rulebook."""
    path = folder.parent / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(head + text, "utf-8")
    return path
