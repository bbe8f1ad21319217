"""Random positions for the naive reading: near scenarios, anywhere, and where rare clauses speak."""

import random
from collections.abc import Iterable, Iterator

import clingo
from clingo import Symbol

from tests.naive import HEADS, NaiveBook, Reading

# what the reading works out is left open here, within reason: it only decides which positions come up
OPEN = """
{ state(Fact) } :- fact(Fact).
valued(Group) :- state(Fact), group(Fact,Group).
:- group(_,Group), 2 { state(Fact) : group(Fact,Group) }.
:- needed(Group), not valued(Group).
:- impossible(_).
{ follows(Fact) } :- concludes(_,Fact).
:- concludes(_,Fact), not denies(_,Fact), not overrides(_,_,Fact), not follows(Fact).
{ holds(Fact) } :- drawn(Fact).
holds(Fact) :- follows(Fact).
:- drawn(Fact), not denies(_,Fact), not holds(Fact).
{ value(Quantity,Value) } :- sets(_,Quantity,Value).
#heuristic state(Fact): fact(Fact). [1@1,false]
#show state/1.
"""
# heads that speak against each other, each with the place of what it speaks of
OPPOSED = (
    ("permits", 1, "forbids", 1), ("discharges", 2, "forbids", 1), ("concludes", 1, "denies", 1),
    ("sets", 1, "sets", 1), ("initiates", 2, "terminates", 2),
)  # fmt: skip


class Drawing:
    """Draws admissible positions of a rulebook; the same seed draws the same ones."""

    def __init__(self, book: NaiveBook, seed: int, rare: Iterable[Symbol] = ()) -> None:
        """Take the rulebook; of the facts `rare` one is in every position drawn."""
        self._book = book
        self._random = random.Random(seed)
        self._rare = by_name(rare)
        self._facts = by_name(book.facts - set(rare))
        self._members = {
            group: [fact for fact in sorted(book.facts) if group in book.groups.get(fact, ())]
            for group in sorted(book.needed)
        }
        self._aim = book.grounded(OPEN, "--models=1", "--heuristic=Domain", f"--seed={seed}")
        self._heard: set[str] = set()
        self._said: dict[str, list[Symbol]] = {}
        for atom in self._aim.symbolic_atoms:
            if HEADS.get(atom.symbol.name) == len(atom.symbol.arguments):
                self._said.setdefault(atom.symbol.name, []).append(atom.symbol)
        self._said = {name: sorted(said) for name, said in self._said.items()}
        self._torn = self._opposed()
        self._of: dict[str, list[Symbol]] = {}
        for said in self._said.values():
            for each in said:
                self._of.setdefault(each.arguments[0].string, []).append(each)

    def positions(self, number: int) -> Iterator[Reading]:
        """Return this many admissible positions, read, of every kind in turn.

        A few more, aimed at the clauses that have decided nothing in any of them, come after.
        """
        kinds = (self.near, self.wild, self.aimed, self.aimed, self.torn)
        drawn = 0
        for _ in range(20 * number):
            if drawn >= number and (self._rare or drawn >= 2 * number or not self._unheard()):
                return
            facts = self.aimed() if drawn >= number else kinds[drawn % len(kinds)]()
            if self._rare:
                facts = self._with(facts, self._any(self._rare))
            found = self._book.read(facts)
            if found is not None:
                drawn += 1
                self._heard |= found.deciding
                yield found

    def near(self) -> set[Symbol]:
        """Return a scenario with some facts changed."""
        starts = sorted(self._book.scenarios) or [""]
        facts = set(self._book.scenarios.get(self._random.choice(starts), ())) & self._book.facts
        return self._stirred(self._filled(facts), 10)

    def wild(self) -> set[Symbol]:
        """Return facts from anywhere, few or many."""
        return self._stirred(self._filled(set()), self._random.choice((5, 25, 80)))

    def aimed(self) -> set[Symbol]:
        """Return a position in which a clause, one not heard yet while there are, may speak."""
        clause = self._random.choice(self._unheard() or sorted(self._of))
        return self._where([self._random.choice(self._of[clause])])

    def torn(self) -> set[Symbol]:
        """Return a position in which two clauses, drawn first, may speak against each other."""
        if not self._torn:
            return self.wild()
        return self._where(self._random.choice(self._torn[self._random.choice(sorted(self._torn))]))

    def _opposed(self) -> dict[tuple[str, ...], list[list[Symbol]]]:
        """Return for any two clauses what they may say against each other."""
        found: dict[tuple[str, ...], list[list[Symbol]]] = {}
        for one, place, two, other in OPPOSED:
            against: dict[Symbol, list[Symbol]] = {}
            for said in self._said.get(two, ()):
                against.setdefault(said.arguments[other], []).append(said)
            for said in self._said.get(one, ()):
                for reply in against.get(said.arguments[place], ()):
                    same_event = one != "initiates" or said.arguments[1] == reply.arguments[1]
                    if same_event and said != reply:
                        clauses = (one, said.arguments[0].string, reply.arguments[0].string)
                        found.setdefault(clauses, []).append([said, reply])
        return found

    def _unheard(self) -> list[str]:
        """Return the clauses that have decided nothing yet in the positions drawn."""
        return sorted(self._of.keys() - self._heard)

    def _where(self, atoms: list[Symbol]) -> set[Symbol]:
        """Return a position in which the atoms hold, if there is one, near facts drawn at random."""
        wished = sorted(self._stirred(self._filled(set()), 6))
        for count in (len(wished), len(wished) // 2, 0):
            held = [(atom, True) for atom in atoms]
            # an action that cannot be taken would tell nothing
            subjects = {subject for atom in atoms for subject in atom.arguments[1:]}
            held += [(clingo.Function("blocked", [subject]), False) for subject in sorted(subjects)]
            held += [(clingo.Function("state", [fact]), True) for fact in wished[:count]]
            with self._aim.solve(held, yield_=True) as handle:
                model = handle.model()
                if model is not None:
                    facts = {atom.arguments[0] for atom in model.symbols(shown=True)}
                    return self._stirred(facts, self._random.choice((0, 0, 3, 12)))
        return self.wild()

    def _filled(self, facts: set[Symbol]) -> set[Symbol]:
        """Return facts with one more for every group that needs one."""
        for members in self._members.values():
            if not facts.intersection(members):
                facts = facts | {self._random.choice(members)}
        return facts

    def _stirred(self, facts: set[Symbol], most: int) -> set[Symbol]:
        """Return facts after up to `most` changes: one set, or one taken away that need not be."""
        for _ in range(self._random.randint(0, most)):
            fact = self._any(self._facts)
            if self._random.random() < 0.2:
                fact = self._random.choice(sorted(facts))
                if not self._book.groups.get(fact, set()) & self._book.needed:
                    facts = facts - {fact}
            else:
                facts = self._with(facts, fact)
        return facts

    def _any(self, facts: list[list[Symbol]]) -> Symbol:
        """Return a fact, every name being as likely as any other."""
        return self._random.choice(self._random.choice(facts))

    def _with(self, facts: set[Symbol], fact: Symbol) -> set[Symbol]:
        """Return facts with one set, which replaces the others of its groups."""
        groups = self._book.groups.get(fact, set())
        return {other for other in facts if not self._book.groups.get(other, set()) & groups} | {fact}


def by_name(facts: Iterable[Symbol]) -> list[list[Symbol]]:
    """Return the facts of each name together."""
    found: dict[str, list[Symbol]] = {}
    for fact in sorted(facts):
        found.setdefault(fact.name, []).append(fact)
    return list(found.values())
