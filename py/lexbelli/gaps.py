"""Cases that the clauses which divide something between them leave out.

The rulebook says what its clauses divide: `divides(Name,Clause)` names the clauses, `case(Name,Case)`
says in which positions there is which case, and `concerns(Name,Case,Subject)`, where it is given, what
a clause must speak about. A case is left out where none of the clauses speaks.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from clingo import Function, Symbol, SymbolType

from lexbelli.declarations import declared
from lexbelli.errors import RulebookError
from lexbelli.findings import ALL, Finding, Proof, Range, Wanted, Witness, every, found
from lexbelli.model import State
from lexbelli.norms import EFFECTS
from lexbelli.phrases import wording
from lexbelli.programs import whole
from lexbelli.repairs import last_number, with_number
from lexbelli.rulebook import Rulebook, session
from lexbelli.search import Deadline
from lexbelli.solver import World
from lexbelli.states import session_for, world_for
from lexbelli.suggest import did_you_mean
from lexbelli.terms import clause_key, written
from lexbelli.whole import Place
from lexbelli.witnesses import nearest

# the heads through which a clause speaks, each with the places of what it speaks about; `discharges`
# is not among them: a way to meet a duty says nothing of its own
_SPEAKING: Mapping[str, tuple[int, ...]] = {
    "permits": (1,), "opens": (1,), "meets": (1,), "forbids": (1,), "obliges": (1,), "sets": (1,),
    "concludes": (1,), "denies": (1,), "initiates": (1, 2), "terminates": (1, 2), "overrides": (2,),
}  # fmt: skip


# what a position is asked for
_READ = frozenset({*_SPEAKING, "concerns", "case", "impossible"})


@dataclass(frozen=True, slots=True)
class Partition:
    """What is divided, by name, and the clauses that divide it."""

    name: Symbol
    clauses: tuple[str, ...]


def gaps(book: Rulebook, deadline: Deadline, wanted: Wanted = every) -> Proof:
    """Return, for each partition of the rulebook, the cases to which none of its clauses speaks.

    Raises RulebookError for a partition that names no clause or has no case.
    """
    partitions = _partitions(book)
    if not partitions:
        return Proof()
    runs = _runs(book, deadline)
    places = nearest(book, gaps_to_show(book, deadline, wanted), deadline)
    findings = [
        _finding(book, one, runs[one.name], places[_shown(one, runs)])
        if _shown(one, runs) in places
        else found("LB301", one.clauses)
        for one in partitions
        if one.name in runs
    ]
    full = len(partitions) - len(findings)
    some = f"{full} partitions of clauses leave" if full != 1 else "1 partition of clauses leaves"
    return Proof(findings, [f"{some} no case out (LB301) {ALL}"] if full else [])


def gaps_to_show(book: Rulebook, deadline: Deadline, wanted: Wanted) -> list[Symbol]:
    """Return what `gaps` will show a position of. Raises RulebookError as it does."""
    runs = _runs(book, deadline)
    open_ = [one for one in _partitions(book) if one.name in runs]
    return [_shown(one, runs) for one in open_ if wanted(found("LB301", one.clauses).id)]


def _runs(book: Rulebook, deadline: Deadline) -> dict[Symbol, list[tuple[Symbol, ...]]]:
    """Return for each partition that leaves cases out, by its name, these in rows."""
    missing: dict[Symbol, list[Symbol]] = {}
    for atom in whole(book).some(whole(book).goals("gap"), deadline):
        missing.setdefault(atom.arguments[0], []).append(atom.arguments[1])
    return {name: folded(cases) for name, cases in missing.items()}


def _shown(partition: Partition, runs: Mapping[Symbol, Sequence[Sequence[Symbol]]]) -> Symbol:
    return Function("gap", [partition.name, runs[partition.name][0][0]])


@lru_cache(maxsize=2)
def _partitions(book: Rulebook) -> list[Partition]:
    """Return the partitions. Raises RulebookError for one that cannot be asked about."""
    grounded = session(book)
    ids = {clause.id for clause in book.clauses}
    gone = {clause for overlay in book.overlays for clause in overlay.withdraws} - ids
    speaking = {norm.clause for norm in book.norms}
    listed: dict[Symbol, list[str]] = {}
    withdrawn: set[Symbol] = set()
    for atom in grounded.symbols("divides", 2):
        name, clause = atom.arguments[0], written(atom.arguments[1])
        _refuse_unnamed(book, atom)
        if clause in gone:  # the others are left to divide it, if there are any
            withdrawn.add(name)
            continue
        if clause not in speaking:
            what, hint = (
                ("has no rule", "") if clause in ids else ("is no clause", did_you_mean(clause, ids))
            )
            message = f"divides({name},{clause}): {clause} {what}"
            raise RulebookError(message, place=declared(book, clause), hint=hint)
        listed.setdefault(name, []).append(clause)
    for atom in grounded.symbols("case", 2):
        _refuse_unnamed(book, atom)
        _refuse_unnamed(book, atom, 1)
    _refuse_stray_concerns(book)
    cases = {atom.arguments[0] for atom in grounded.symbols("case", 2)}
    for name in sorted(listed.keys() ^ (cases - (withdrawn - listed.keys()))):
        what, known = ("case", cases) if name in listed else ("clause that divides it", set(listed))
        hint = did_you_mean(str(name), map(str, known))
        raise RulebookError(f"{name} has no {what}", place=declared(book, str(name)), hint=hint)
    return [
        Partition(name, tuple(sorted(clauses, key=clause_key)))
        for name, clauses in sorted(listed.items())
    ]


def _refuse_stray_concerns(book: Rulebook) -> None:
    """Refuse a case that concerns what no clause can speak about."""
    grounded = session(book)
    actions = grounded.names("action")
    known = actions | grounded.names("duty") | grounded.names("quantity") | set(grounded.facts)
    known |= grounded.names("derivable") | grounded.names("happening")
    known |= {f"{name}({action})" for name in grounded.names("quantity_of") for action in actions}
    for atom in grounded.symbols("concerns", 3):
        subject = written(atom.arguments[2])
        if subject not in known:
            raise RulebookError(
                f"{atom.arguments[0]} concerns {subject}, which is nothing a clause speaks about",
                place=declared(book, subject.partition("(")[0]),
                hint=did_you_mean(subject, known),
            )


def _refuse_unnamed(book: Rulebook, atom: Symbol, which: int = 0) -> None:
    """Refuse a partition or a case that is no name, with or without others behind it."""
    term = atom.arguments[which]
    if term.type is not SymbolType.Function or not term.name:
        raise RulebookError(
            f"{atom}: {term} is no name, with or without names and numbers behind it",
            place=declared(book, f"{atom.name}({written(term)}" if which == 0 else written(term)),
        )


def _finding(
    book: Rulebook, partition: Partition, runs: Sequence[Sequence[Symbol]], place: Place
) -> Finding:
    """Return what one partition leaves out, shown by a position of its first case."""
    first = runs[0][0]
    if not left_out(book, partition, first, place.state):
        raise RulebookError(
            f"the witness of the gap {first} in {partition.name} does not show it again: "
            f"{', '.join(place.state.facts)}",
            hint="this is a bug of the program, please report it",
        )
    words = ", or ".join(_said(book, run) for run in runs)
    one = len(partition.clauses) == 1
    silent = f"{partition.clauses[0]} is silent" if one else "none of these clauses speaks"
    return Finding(
        code="LB301",
        clauses=partition.clauses,
        subjects=tuple(written(case) for run in runs for case in run),
        message=f"{wording(book).say(partition.name)}: {silent} in some position where {words}",
        suggestion="say what holds there, in one of these clauses or in one of its own",
        witness=Witness(place.base, place.changes),
        ranges=_ranges(book, partition, runs[0], place.state),
    )


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
    first, last = (rf"(?<![\w-]){last_number(str(case))}(?!\w)" for case in (run[0], run[-1]))
    if len(re.findall(first, low)) == 1 and re.sub(first, "", low) == re.sub(last, "", high):
        return re.sub(first, f"{last_number(str(run[0]))} to {last_number(str(run[-1]))}", low)
    return f"{low}, and so on until {high}"


def _ranges(
    book: Rulebook, partition: Partition, run: Sequence[Symbol], state: State
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
        if not left_out(book, partition, case, near):
            break
        high += 1
    return (Range(fact, low, high),)


# ---- one position --------------------------------------------------------------------------------


def speaking(book: Rulebook, state: State) -> dict[str, set[str]]:
    """Return the clauses that speak in a position, each with the subjects it speaks about."""
    world = session_for(book, state.facts, effects=True).everything(state.facts)
    spoken: dict[str, set[str]] = {}
    for clause, subject in _spoken(world):
        spoken.setdefault(clause, set()).add(written(subject))
    return spoken


def _spoken(world: World) -> Iterator[tuple[str, Symbol]]:
    for head, places in _SPEAKING.items():
        for atom in world.get(head, ()):
            for place in places:
                yield atom.arguments[0].string, atom.arguments[place]


def left_out(book: Rulebook, partition: Partition, case: Symbol, state: State) -> bool:
    """Ask of a position, in the ordinary way, whether the case is there and no clause speaks to it."""
    clauses = frozenset(partition.clauses)
    changing = any(norm.head in EFFECTS for norm in book.norms if norm.clause in clauses)
    world = world_for(book, state.facts, _READ, effects=changing)
    asked = {
        atom.arguments[2]
        for atom in world.get("concerns", ())
        if atom.arguments[:2] == [partition.name, case]
    }
    spoken = any(
        clause in clauses and (not asked or subject in asked) for clause, subject in _spoken(world)
    )
    there = any(atom.arguments == [partition.name, case] for atom in world.get("case", ()))
    return there and not spoken and not world.get("impossible")
