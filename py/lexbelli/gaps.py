"""Cases that the clauses which divide something between them leave out.

The rulebook says what its clauses divide: `divides(Name,Clause)` names the clauses, `case(Name,Case)`
says in which positions which case is there, and `concerns(Name,Case,Subject)`, where it is given, what a
clause must speak about. A case is left out where none of the clauses speaks.
"""

from collections.abc import Iterator, Mapping, Sequence

from clingo import Function, Symbol
from clingo.ast import AST

from lexbelli.errors import Place, RulebookError
from lexbelli.findings import ALL, Finding, Proof, Range, Witness
from lexbelli.model import State
from lexbelli.norms import EFFECTS, place_of
from lexbelli.phrases import wording
from lexbelli.repairs import last_number, with_number
from lexbelli.rulebook import Rulebook, everywhere, session
from lexbelli.search import Deadline, brave
from lexbelli.solver import World
from lexbelli.states import session_for
from lexbelli.suggest import did_you_mean
from lexbelli.terms import clause_key, parse_term, written
from lexbelli.witnesses import Witnesses

# the heads through which a clause speaks, each with the places of what it speaks about; `discharges`
# is not among them: a way to meet a duty says nothing of its own
_SPEAKING: Mapping[str, tuple[int, ...]] = {
    "permits": (1,), "opens": (1,), "meets": (1,), "forbids": (1,), "obliges": (1,), "sets": (1,),
    "concludes": (1,), "denies": (1,), "initiates": (1, 2), "terminates": (1, 2), "overrides": (2,),
}  # fmt: skip


def gaps(book: Rulebook, deadline: Deadline) -> Proof:
    """Return, for each partition of the rulebook, the cases to which none of its clauses speaks.

    Raises RulebookError for a partition that names no clause or has no case.
    """
    partitions = _partitions(book)
    if not partitions:
        return Proof()
    found: dict[str, list[Symbol]] = {}
    cases: dict[str, int] = {}
    program = _program(book, partitions)
    statements = book.statements + book.choice + program
    for atom in brave(statements, everywhere(book), [("gap", 2), ("case", 2)], deadline.left()):
        name = written(atom.arguments[0])
        if atom.name == "gap":
            found.setdefault(name, []).append(atom.arguments[1])
        else:
            cases[name] = cases.get(name, 0) + 1
    witnesses = Witnesses(book, goals=program)
    findings = [
        _finding(book, witnesses, name, partitions[name], missing, deadline)
        for name, missing in found.items()
    ]
    spoken = [name for name in partitions if name not in found]
    proved = []
    if spoken:
        count = sum(cases.get(name, 0) for name in spoken)
        proved.append(f"{len(spoken)} partitions, of {count} cases, leave none out (LB301) {ALL}")
    return Proof(findings, proved)


def _partitions(book: Rulebook) -> dict[str, tuple[str, ...]]:
    """Return the clauses of each partition. Raises RulebookError for one that cannot be asked about."""
    grounded = session(book)
    ids = {clause.id for clause in book.clauses}
    speaking = {norm.clause for norm in book.norms}
    listed: dict[str, list[str]] = {}
    for name, clause in grounded.pairs("divides", 2):
        if clause not in speaking:
            what = "has no rule" if clause in ids else "is no clause"
            hint = "" if clause in ids else did_you_mean(clause, ids)
            raise RulebookError(
                f"divides({name},{clause}): {clause} {what}", place=declared(book, clause), hint=hint
            )
        listed.setdefault(name, []).append(clause)
    cases = {name for name, _ in grounded.pairs("case", 2)}
    for name in sorted(listed.keys() ^ cases):
        what, known = ("case", cases) if name in listed else ("clause that divides it", set(listed))
        raise RulebookError(
            f"{name} has no {what}", place=declared(book, name), hint=did_you_mean(name, known)
        )
    return {name: tuple(sorted(clauses, key=clause_key)) for name, clauses in listed.items()}


def declared(book: Rulebook, text: str) -> Place | None:
    """Return where the rulebook declares something about a name or a clause for a check."""
    words = ("divides(", "case(", "concerns(", "twin(", "counterpart(")
    for statement in book.statements:
        shape = str(getattr(statement, "head", ""))
        if shape.startswith(words) and text in shape:
            return place_of(statement)
    return None


def _program(book: Rulebook, partitions: Mapping[str, Sequence[str]]) -> tuple[AST, ...]:
    """Return the program that derives gaps: of effects only what the clauses of partitions say."""
    dividing = {clause for clauses in partitions.values() for clause in clauses}
    effects = (n.rule for n in book.norms if n.head in EFFECTS and n.clause in dividing)
    return (*book.gaps, *effects)


def _finding(
    book: Rulebook,
    witnesses: Witnesses,
    name: str,
    clauses: tuple[str, ...],
    missing: Sequence[Symbol],
    deadline: Deadline,
) -> Finding:
    """Return what one partition leaves out, shown by a position of its first case."""
    runs = folded(missing)
    first = runs[0][0]
    place = witnesses.nearest(_goal(name, first), deadline.left())
    _replay(book, name, clauses, first, place.state)
    words = ", or ".join(_said(book, run) for run in runs)
    silent = f"{clauses[0]} is silent" if len(clauses) == 1 else "none of these clauses speaks"
    return Finding(
        code="LB301",
        clauses=clauses,
        subjects=tuple(written(case) for run in runs for case in run),
        message=f"{wording(book).say(name)}: {silent} in some position where {words}",
        suggestion="say what holds there, in one of these clauses or in one of its own",
        witness=Witness(place.base, place.changes),
        ranges=_ranges(book, name, clauses, runs[0], place.state),
    )


def _goal(name: str, case: Symbol) -> Symbol:
    return Function("gap", [parse_term(name), case])


# ---- neighboring cases ---------------------------------------------------------------------------


def folded(cases: Sequence[Symbol]) -> list[tuple[Symbol, ...]]:
    """Return cases in rows: those whose numbers follow each other, from the lowest to the highest."""
    rows: dict[str, list[tuple[int, Symbol]]] = {}
    for case in sorted(cases):
        number = last_number(str(case))
        stem = str(case) if number is None else with_number(str(case), 0)
        rows.setdefault(stem, []).append((number or 0, case))
    runs: list[list[Symbol]] = []
    for row in rows.values():
        before: int | None = None
        for number, case in row:
            if before is not None and number == before + 1:
                runs[-1].append(case)
            else:
                runs.append([case])
            before = number
    return [tuple(run) for run in runs]


def _said(book: Rulebook, run: Sequence[Symbol]) -> str:
    """Say cases whose numbers follow each other: "the result is 3 to 5"."""
    words = wording(book)
    low, high = words.say(run[0]), words.say(run[-1])
    if len(run) == 1:
        return low
    first, last = last_number(str(run[0])), last_number(str(run[-1]))
    if low.replace(str(first), str(last)) == high and low.endswith(str(first)):
        return f"{low} to {last}"
    return f"{low}, and so on until {high}"


def _ranges(
    book: Rulebook, name: str, clauses: tuple[str, ...], run: Sequence[Symbol], state: State
) -> tuple[Range, ...]:
    """Return the numbers of the case for which the gap stays, all else as in the position."""
    fact = written(run[0])
    low = last_number(fact)
    if low is None or fact not in state.facts:
        return ()
    others = set(state.facts) - {fact}
    high = low
    for case in run[1:]:
        near = State(state.name, tuple(sorted(others | {written(case)})))
        if not _is_left_out(book, name, clauses, case, near):
            break
        high += 1
    return (Range(fact, low, high),)


# ---- replay --------------------------------------------------------------------------------------


def speaking(book: Rulebook, state: State) -> dict[str, set[str]]:
    """Return the clauses that speak in a position, each with the subjects it speaks about."""
    world = session_for(book, state.facts, effects=True).everything(state.facts)
    spoken: dict[str, set[str]] = {}
    for clause, subject in _spoken(world):
        spoken.setdefault(clause, set()).add(subject)
    return spoken


def _spoken(world: World) -> Iterator[tuple[str, str]]:
    for head, places in _SPEAKING.items():
        for atom in world.get(head, ()):
            for place in places:
                yield atom.arguments[0].string, written(atom.arguments[place])


def _is_left_out(
    book: Rulebook, name: str, clauses: Sequence[str], case: Symbol, state: State
) -> bool:
    """Ask of a position, in the ordinary way, whether the case is there and no clause speaks to it."""
    changing = any(norm.head in EFFECTS for norm in book.norms if norm.clause in clauses)
    world = session_for(book, state.facts, effects=changing).everything(state.facts)
    there = [a for a in world.get("case", ()) if written(a.arguments[0]) == name]
    asked = {
        written(atom.arguments[2])
        for atom in world.get("concerns", ())
        if written(atom.arguments[0]) == name and atom.arguments[1] == case
    }
    spoken = any(
        clause in clauses and (not asked or subject in asked) for clause, subject in _spoken(world)
    )
    return not world.get("impossible") and not spoken and any(a.arguments[1] == case for a in there)


def _replay(
    book: Rulebook, name: str, clauses: Sequence[str], case: Symbol, state: State
) -> None:
    if not _is_left_out(book, name, clauses, case, state):
        raise RulebookError(
            f"the witness of the gap {case} in {name} does not show it again: {', '.join(state.facts)}",
            hint="this is a bug of the program, please report it",
        )
