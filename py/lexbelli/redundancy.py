"""Clauses on which nothing depends: without them every answer in every position stays the same."""

from collections.abc import Collection, Sequence

from clingo import Function, String, Symbol

from lexbelli.codes import CODES
from lexbelli.findings import ALL, Finding, Proof
from lexbelli.ground import Rule
from lexbelli.norms import HEADS
from lexbelli.programs import varied
from lexbelli.rulebook import Rulebook
from lexbelli.search import Deadline, Probe, smallest
from lexbelli.second import second_version
from lexbelli.terms import clause_key
from lexbelli.whole import Whole


def redundancies(book: Rulebook, deadline: Deadline) -> Proof:
    """Return the clauses that could be struck without any answer changing, and what makes them so.

    Compared is what the rulebook comes to, not who says so: verdicts, duties, values, conclusions and
    what events change.
    """
    clauses = {norm.clause for norm in book.norms}
    plain = {
        goal.arguments[0].string for goal in varied(book).some(varied(book).goals("sole"), deadline)
    }
    compared = _without(varied(book), sorted(clauses - plain, key=clause_key))
    plain |= {goal.arguments[0].string for goal in compared.some(compared.goals("matters__"), deadline)}
    silent = sorted(clauses - plain, key=clause_key)
    subjects = _subjects(book)
    goals = [goal for goal in compared.goals("matters__") if goal.arguments[0].string in silent]
    probes = {goal.arguments[0].string: p for goal, p in compared.probes(goals, "in_force").items()}
    others: dict[str, tuple[str, ...]] = {}
    for clause in silent:
        deadline.left()
        probe = probes.get(clause)
        related = {
            one for one in subjects if one != clause and subjects.get(clause, set()) & subjects[one]
        }
        # those that are redundant themselves are spared first
        order = sorted(sorted(related, key=clause_key, reverse=True), key=lambda one: one not in silent)
        others[clause] = _others(compared, clause, probe, order) if probe is not None else ()
    findings = []
    for clause, same in others.items():
        mutual = len(same) == 1 and others.get(same[0]) == (clause,)
        if not mutual:
            findings.append(_finding(book, (clause, *same), mutual=False))
        elif clause_key(clause) < clause_key(same[0]):
            findings.append(_finding(book, (clause, *same), mutual=True))
    proved = [f"{len(plain)} clauses make a difference in some position"]
    if not findings:
        proved.append(f"no clause is {CODES['LB203'].name} (LB203) {ALL}")
    return Proof(findings, proved)


def _without(program: Whole, clauses: Sequence[str]) -> Whole:
    """Return the program with a second version for each clause, in which it is not in force."""
    force = {atom.arguments[0].string: number for atom, number in program.atoms["in_force"].items()}
    answers = {number: atom for atom, number in program.atoms["comes_to"].items()}
    unasked = {number for name in ("sole", "alone__") for number in program.atoms[name].values()}
    rules: list[Rule] = []
    goals: dict[Symbol, int] = {}
    switches: dict[Symbol, int] = {}
    first = 1 + program.program.highest
    for clause in clauses:
        second = second_version(program.program, [force[clause]], first, unasked)
        first += len(second.numbers) + 1
        touched: dict[tuple[str, Symbol], list[int]] = {}
        for number in sorted(second.numbers.keys() & answers.keys()):
            kind, subject, _ = answers[number].arguments
            touched.setdefault((kind.name, subject), []).append(number)
        differing = [
            rule
            for key, numbers in touched.items()
            for rule in second.differing(first - 1, numbers, program.where(*key))
        ]
        if differing:
            rules += [*second.rules, *differing]
            goals[Function("matters__", [String(clause)])] = first - 1
            switches[Function("without__", [String(clause)])] = second.numbers[force[clause]]
    return program.extended(rules, {"matters__": goals}, dict.fromkeys(switches, False), switches)


def _subjects(book: Rulebook) -> dict[str, set[Symbol]]:
    """Return what each clause speaks about: actions, duties, quantities, facts and events."""
    found: dict[str, set[Symbol]] = {}
    for head in HEADS:
        for atom in varied(book).atoms[head]:
            clause, *said = atom.arguments
            found.setdefault(clause.string, set()).update(said)
    return found


def _others(program: Whole, clause: str, probe: Probe, related: Sequence[str]) -> tuple[str, ...]:
    """Return clauses that say all that a clause says, and of which none can be spared.

    They are sought among those `related`, which are spared in this order.
    """
    goal = Function("matters__", [String(clause)])
    force = {atom.arguments[0].string: atom for atom in program.atoms["in_force"]}

    def matters(kept: Collection[str]) -> bool:
        off = set(related) - set(kept)
        return probe.holds([atom for one, atom in force.items() if one not in off], goal)

    kept = smallest(related, lambda some: not matters(some))
    return tuple(sorted(kept, key=clause_key))


def _finding(book: Rulebook, clauses: tuple[str, ...], *, mutual: bool) -> Finding:
    clause = book.clause(clauses[0])
    title = clause.title if clause else ""
    others, verb = " and ".join(clauses[1:]), "decides" if len(clauses) == 2 else "decide"
    if mutual:
        message = f"{title}: {clauses[0]} and {clauses[1]} say the same"
    elif others:
        message = f"{title}: wherever {clauses[0]} would decide, {others} {verb} as much"
    elif {norm.head for norm in book.norms if norm.clause == clauses[0]} == {"overrides"}:
        message = f"{title}: what {clauses[0]} sets aside does not speak there"
    else:
        message = f"{title}: no answer depends on {clauses[0]}"
    return Finding("LB203", clauses, (), message, CODES["LB203"].remedy)
