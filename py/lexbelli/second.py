"""A second version of a ground program over one and the same state.

Only what depends on a difference is written a second time; what both versions share stays one. So a
proof that nothing differs need not find out again that the same rules come to the same, which takes a
solver beyond all patience where a whole rulebook is written twice.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from lexbelli.ground import Program, Rule


@dataclass(frozen=True, slots=True)
class Second:
    """Rules beside those of the program, and the numbers that atoms have in them."""

    rules: tuple[Rule, ...]
    numbers: Mapping[int, int]

    def differing(self, goal: int, atoms: Iterable[int], where: Sequence[int] = ()) -> Iterator[Rule]:
        """Write when one of some atoms is not the same in both versions, which the `goal` then says.

        Said only `where` all of some others hold in both.
        """
        both = tuple(dict.fromkeys((*where, *(self.numbers.get(atom, atom) for atom in where))))
        for atom in atoms:
            if atom in self.numbers:
                yield Rule((goal,), (atom, -self.numbers[atom], *both))
                yield Rule((goal,), (self.numbers[atom], -atom, *both))


def second_version(
    program: Program, tags: Iterable[int], first: int, unasked: Collection[int] = ()
) -> Second:
    """Return a version in which some chosen atoms, such as the switches of clauses, are chosen anew.

    Its atoms are counted from `first`. Constraints hold in both versions. Atoms `unasked` are left out:
    nothing that is asked of the version may depend on them.
    """
    tags = set(tags)
    above = sorted(_above(program, tags, unasked))
    numbers = {atom: first + place for place, atom in enumerate(above)}
    rules = [Rule((numbers[tag],), (), choice=True) for tag in sorted(tags)]
    for atom in numbers:
        rules += [_again(rule, numbers) for rule in program.reading.get(atom, ()) if not rule.head]
        if atom not in tags:
            rules += [_again(rule, numbers) for rule in program.leading.get(atom, ())]
    return Second(tuple(dict.fromkeys(rules)), numbers)


def _above(program: Program, atoms: Iterable[int], unasked: Collection[int]) -> set[int]:
    """Return the atoms that depend on some, with these, but for those `unasked`."""
    reached = set(atoms)
    waiting = list(reached)
    while waiting:
        for rule in program.reading.get(waiting.pop(), ()):
            new = [atom for atom in rule.head if atom not in reached and atom not in unasked]
            reached.update(new)
            waiting += new
    return reached


def _again(rule: Rule, numbers: Mapping[int, int]) -> Rule:
    head = tuple(numbers.get(atom, atom) for atom in rule.head)
    body = tuple(
        numbers.get(literal, literal) if literal > 0 else -numbers.get(-literal, -literal)
        for literal in rule.body
    )
    return rule._replace(head=head, body=body)
