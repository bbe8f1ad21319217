"""Root causes: which clause most of the contradictions of one kind share, and what to read first."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from lexbelli.codes import SEVERITIES
from lexbelli.drift import printed_number
from lexbelli.findings import Finding
from lexbelli.terms import clause_key

# clauses that disagree: one of the two is the root of several findings
SHARED = ("LB101", "LB103", "LB104", "LB105")


@dataclass(frozen=True, slots=True)
class Group:
    """The findings of one code that have one printed clause as their root."""

    code: str
    root: str
    findings: tuple[Finding, ...]

    @property
    def others(self) -> tuple[str, ...]:
        """The printed clauses that the root clashes with; also itself, when parts of it clash."""
        numbers = {number for finding in self.findings for number in _others(finding, self.root)}
        return tuple(sorted(numbers, key=clause_key))

    @property
    def subjects(self) -> frozenset[str]:
        """The actions, duties, quantities and facts that the findings are about."""
        return frozenset(subject for finding in self.findings for subject in finding.subjects)


def rooted(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """Return findings with their roots, in the order in which to read them.

    Errors come before warnings and notes. Among the errors a conclusion clash on which other findings
    depend comes first, then the root that most findings share.
    """
    given = sorted(findings, key=_plain_order)
    by_code: dict[str, list[Finding]] = {}
    for finding in given:
        by_code.setdefault(finding.code, []).append(finding)
    found = []
    for code, ones in by_code.items():
        found += _shared_roots(ones) if code in SHARED else [_own_root(one) for one in ones]
    groups = groups_of(found)
    depended = _depended_on(found)
    groups.sort(key=lambda group: _order(group, depended))
    return tuple(finding for group in groups for finding in group.findings)


def groups_of(findings: Iterable[Finding]) -> list[Group]:
    """Return findings in groups of one code and root; groups and findings stay in the order given."""
    grouped: dict[tuple[str, str], list[Finding]] = {}
    for finding in findings:
        grouped.setdefault((finding.code, finding.root), []).append(finding)
    return [Group(code, root, tuple(ones)) for (code, root), ones in grouped.items()]


def printed(clause: str) -> str:
    """Return the printed number of a clause; the id itself where it has none."""
    return printed_number(clause) or clause


def _numbers(finding: Finding) -> tuple[str, ...]:
    return tuple(dict.fromkeys(printed(clause) for clause in finding.clauses))


def _others(finding: Finding, root: str) -> tuple[str, ...]:
    if len(finding.clauses) == 1:
        return ()
    numbers = _numbers(finding)
    return tuple(number for number in numbers if number != root) or numbers


def _own_root(finding: Finding) -> Finding:
    return replace(finding, root=_numbers(finding)[0] if finding.clauses else "")


def _shared_roots(findings: Sequence[Finding]) -> list[Finding]:
    """Take the printed clause of most findings, then that of most of the rest, until none is left."""
    left, found = list(findings), []
    while left:
        counts = Counter(number for finding in left for number in _numbers(finding))
        root = min(counts, key=lambda number: (-counts[number], clause_key(number)))
        found += [replace(one, root=root) for one in left if root in _numbers(one)]
        left = [one for one in left if root not in _numbers(one)]
    return found


def _depended_on(findings: Iterable[Finding]) -> frozenset[tuple[str, str]]:
    """Return the codes and roots of conclusion clashes whose clauses bring other clashes about."""
    behind = {
        clause
        for finding in findings
        if finding.code in SHARED and finding.code != "LB104"
        for clause in finding.core
        if clause not in finding.clauses
    }
    return frozenset(
        (one.code, one.root) for one in findings if one.code == "LB104" and behind & {*one.clauses}
    )


def _order(group: Group, depended: frozenset[tuple[str, str]]) -> tuple[object, ...]:
    severity = SEVERITIES.index(group.findings[0].severity)
    if severity > 0:
        return severity, group.code, clause_key(group.root)
    first = (group.code, group.root) not in depended
    return severity, first, -len(group.findings), group.code, clause_key(group.root)


def _plain_order(finding: Finding) -> tuple[object, ...]:
    return finding.code, [clause_key(clause) for clause in finding.clauses], finding.id
