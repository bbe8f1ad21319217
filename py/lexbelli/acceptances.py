"""What a rulebook accepts: the findings it leaves as they are, and what in that is out of date.

`accepts(Id,Reason)` holds in every edition, `accepts(Id,Reason,Edition)` in every other than that one.
"""

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

from clingo import SymbolType

from lexbelli.codes import CODES
from lexbelli.errors import RulebookError
from lexbelli.findings import Finding
from lexbelli.rulebook import Rulebook, session
from lexbelli.suggest import nearest

_ID = re.compile(r"(LB[0-9]{3}):([^+\s]+(?:\+[^+\s]+)*)")


@dataclass(frozen=True, slots=True)
class Settled:
    """Findings with the reasons for leaving them, and the acceptances that no longer count.

    `expired` are those that ended with the edition in force, whose findings are open again; `stale`
    those that match no finding; `nearest` gives, for a stale one that never could, the id it may mean.
    """

    findings: tuple[Finding, ...]
    expired: tuple[str, ...]
    stale: tuple[str, ...]
    nearest: Mapping[str, str]


def settle(book: Rulebook, findings: Sequence[Finding], unasked: Collection[str]) -> Settled:
    """Match what a rulebook accepts with what was found.

    `unasked` are the codes that were not looked for, or not to the end: what is accepted of them may
    still be there.
    """
    grounded = session(book)
    accepted: dict[str, str] = {}
    ended: set[str] = set()
    for name, arity in (("accepts", 2), ("accepts", 3)):
        for atom in grounded.symbols(name, arity):
            told = [t.string if t.type is SymbolType.String else "" for t in atom.arguments[:2]]
            if not all(text.strip() for text in told):
                raise RulebookError(
                    f"{atom}: an acceptance is a finding's id and a reason, both in quotation marks",
                    hint='accepts("LB101:1.1+1.2","why it stays"), or with an edition as third',
                )
    for id_, reason, edition in sorted(grounded.pairs("accepts", 3)):
        if edition == book.edition:
            ended.add(id_)
        else:
            accepted[id_] = reason
    accepted |= grounded.mapping("accepts")
    ids = [finding.id for finding in findings]
    unmatched = [
        one
        for one in sorted((accepted.keys() | ended) - set(ids))
        if one.partition(":")[0] not in unasked
    ]
    malformed = [one for one in unmatched if not _is_id(book, one, ids)]
    meant = {one: _meant(one, ids) for one in malformed}
    return Settled(
        tuple(replace(one, accepted=accepted.get(one.id, "")) for one in findings),
        tuple(sorted((ended - accepted.keys()) & set(ids))),
        tuple(unmatched),
        {one: found for one, found in meant.items() if found},
    )


def _is_id(book: Rulebook, text: str, found: Sequence[str]) -> bool:
    """Say whether a text could be the id of a finding: a code, and clauses in the order of its ids."""
    match = _ID.fullmatch(text)
    if match is None or match.group(1) not in CODES or _turned(text, found):
        return False
    return all(book.clause(clause) is not None for clause in match.group(2).split("+"))


def _meant(text: str, found: Sequence[str]) -> str:
    """Return the id of a finding that a text comes nearest to, or nothing."""
    near = _turned(text, found) or nearest(text, found, 1)
    return near[0] if near else ""


def _turned(text: str, found: Sequence[str]) -> list[str]:
    """Return the ids that name the same clauses in another order."""
    parts = sorted(re.split("[:+]", text))
    return [one for one in found if sorted(re.split("[:+]", one)) == parts]
