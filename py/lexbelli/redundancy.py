"""Clauses on which nothing depends: without them every answer in every position stays the same."""

from collections.abc import Collection

from clingo import Symbol

from lexbelli.codes import CODES
from lexbelli.findings import ALL, Finding, Proof
from lexbelli.norms import HEADS
from lexbelli.rulebook import Rulebook, everywhere, session
from lexbelli.search import Deadline, brave
from lexbelli.solver import take_apart
from lexbelli.terms import clause_key, quoted
from lexbelli.versions import Versions


def redundancies(book: Rulebook, deadline: Deadline) -> Proof:
    """Return the clauses that could be struck without any answer changing, and what makes them so.

    Compared is what the rulebook comes to, not who says so: verdicts, duties, values, conclusions and
    what events change.
    """
    clauses = {norm.clause for norm in book.norms}
    statements = book.statements + book.effects + book.choice + book.sole
    atoms = brave(statements, everywhere(book, full=False), [("sole", 1)], deadline.left())
    plain = {atom.arguments[0].string for atom in atoms}
    comparison = _Without(book)
    silent = [
        clause
        for clause in sorted(clauses - plain, key=clause_key)
        if not comparison.matters(clause, deadline)
    ]
    idle = {clause: comparison.others(clause, silent, deadline) for clause in silent}
    findings = []
    for clause, others in idle.items():
        if len(others) == 1 and idle.get(others[0]) == (clause,):
            if clause_key(clause) < clause_key(others[0]):
                findings.append(_finding(book, (clause, *others), "say the same"))
        else:
            findings.append(_finding(book, (clause, *others), ""))
    proved = [f"{len(clauses) - len(idle)} clauses make a difference in some position"]
    if not findings:
        proved.append(f"no clause is {CODES['LB203'].name} (LB203) {ALL}")
    return Proof(findings, proved)


def _finding(book: Rulebook, clauses: tuple[str, ...], what: str) -> Finding:
    clause = book.clause(clauses[0])
    title = clause.title if clause else ""
    others, verb = " and ".join(clauses[1:]), "decides" if len(clauses) == 2 else "decide"
    if what == "say the same":
        message = f"{title}: {clauses[0]} and {clauses[1]} say the same"
    elif others:
        message = f"{title}: wherever {clauses[0]} would decide, {others} {verb} as much"
    else:
        message = f"{title}: what {clauses[0]} sets aside does not speak there"
    return Finding("LB203", clauses, (), message, CODES["LB203"].remedy)


class _Without:
    """Comparisons of a rulebook with itself without one of its clauses."""

    def __init__(self, book: Rulebook) -> None:
        """Ground the rulebook once, with every clause free to be in force or not."""
        lines = [f"{{in_force({quoted(clause.id)})}}." for clause in book.clauses]
        lines += [f"full({name})." for name in sorted(session(book).names("wide"))]
        statements = book.statements + book.effects + book.compare + book.choice
        program = take_apart(statements, " ".join([*lines, ":- impossible(_)."]))
        self._versions = Versions(program)
        self._force = {
            atom.arguments[0].string: n for atom, n in program.names.items() if atom.name == "in_force"
        }
        self._differs: dict[str, list[int]] = {}
        self._answers = [n for atom, n in program.names.items() if atom.name == "comes_to"]
        self._subjects: dict[str, set[Symbol]] = {}
        for atom in [*program.names, *program.facts]:
            if HEADS.get(atom.name) == len(atom.arguments):
                clause = atom.arguments[0].string
                self._subjects.setdefault(clause, set()).update(atom.arguments[1:])

    def matters(self, clause: str, deadline: Deadline) -> bool:
        """Say whether some answer of some position would be another one without a clause."""
        switch = self._force[clause]
        without = self._versions.second([switch])
        differs = self._versions.differs(without, self._answers)
        if differs is None:
            return False
        self._differs[clause] = [differs, -without[switch]]
        return self._versions.shows([*self._differs[clause], *self._force.values()], deadline.left())

    def others(self, clause: str, silent: Collection[str], deadline: Deadline) -> tuple[str, ...]:
        """Return clauses that say all that a clause says and of which none can be spared.

        Those that are redundant themselves are spared first.
        """
        own = self._subjects.get(clause, set())
        related = {name for name in self._force if own & self._subjects.get(name, set())} - {clause}
        kept = set(related)
        order = sorted(related, key=clause_key, reverse=True)
        for name in sorted(order, key=lambda name: name not in silent):
            off = related - kept | {name}
            switched = [-atom if name in off else atom for name, atom in self._force.items()]
            assumed = [*self._differs[clause], *switched] if clause in self._differs else []
            if not assumed or not self._versions.shows(assumed, deadline.left()):
                kept.remove(name)
        return tuple(sorted(kept, key=clause_key))
