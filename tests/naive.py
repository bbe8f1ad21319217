"""A second reading of a rulebook that shares nothing with the program: one position at a time, naively.

It reads the `.lp` files of the rulebook as they stand and grounds them once. What the core works out is
worked out here again, in plain Python from the raw heads, by the words of the design: which statements
stand, the verdicts, values, conclusions and duties, what events change, and what clashes. The few of
these that rules read themselves (`follows`, `holds`, `value`, `valued`) are given to clingo from outside,
round after round, until they are what Python makes of the heads. Positions are drawn by `drawing.py`.
"""

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

import clingo
from clingo import Symbol
from clingo.ast import AST, ASTType, ProgramBuilder, parse_files

DECLARATIONS = Path(__file__).resolve().parent.parent / "asp" / "core" / "heads.lp"

GRANTS = ("permits", "opens", "meets")
HEADS = {
    "permits": 2, "opens": 2, "meets": 2, "forbids": 2, "obliges": 2, "discharges": 3, "sets": 3,
    "concludes": 2, "denies": 2, "initiates": 3, "terminates": 3, "overrides": 3,
}  # fmt: skip
OTHERS = {
    "action": 1, "blocked": 1, "unaffordable": 1, "fulfilled": 1, "short": 1, "drawn": 1, "excludes": 2,
    "happening": 1, "stage": 3, "impossible": 1,
}  # fmt: skip

# what rules read and the core works out: given from outside, for Python to settle
GIVEN = """
#external state(Fact)  : fact(Fact).
#external valued(Group): group(_,Group).
#external follows(Fact): derivable(Fact).
#external follows(Fact): concludes(_,Fact).
#external holds(Fact)  : derivable(Fact).
#external holds(Fact)  : concludes(_,Fact).
#external holds(Fact)  : drawn(Fact).
#external value(Quantity,Value): sets(_,Quantity,Value).
"""
ROUNDS = 30

Pair = tuple[Symbol, Symbol]
Statement = tuple[Symbol, ...]  # a clause, and what it says
World = Mapping[str, set[Statement]]
Clash = tuple[str, frozenset[str]]  # a code, and the clauses


@dataclass(frozen=True)
class Reading:
    """What the clauses come to in one position."""

    facts: tuple[str, ...]
    speaking: frozenset[str]
    deciding: frozenset[str]  # those of which at least one statement stands
    verdicts: Mapping[str, str]
    values: Mapping[str, int | str]
    statuses: Mapping[str, str]
    conclusions: Mapping[str, bool | str]
    changes: frozenset[tuple[str, str, str]]  # an event, "starts" or "ends", a fact
    clashes: Mapping[Clash, str]  # with what they are about

    def answers(self) -> tuple[object, ...]:
        """Return all that a player may ask, whichever clauses it is due to."""
        return self.verdicts, self.values, self.statuses, self.conclusions, self.changes


class NaiveBook:
    """A rulebook as plain clingo grounds it, every clause in force but the one left out."""

    def __init__(self, folder: Path, *, full: bool = False, without: str = "") -> None:
        """Ground the files of the folder; `full` asks for every value of the facts that have many."""
        self.program = declarations() + ("full(Name) :- wide(Name)." if full else "")
        self.files = [str(path) for path in (*sorted(folder.glob("*.lp")), *sorted(folder.glob("rules/*.lp")))]
        self.without = without
        self.control = self.grounded(GIVEN + shown(), "--models=2")
        # taken apart once: what a model is read by
        read = [atom for name in (*HEADS, *OTHERS) for atom in self.atoms(name)]
        self._parts = {atom: (atom.name, tuple(atom.arguments)) for atom in read}
        self.facts = {atom.arguments[0] for atom in self.atoms("state")}
        self.groups: dict[Symbol, set[Symbol]] = defaultdict(set)
        for atom in self.atoms("group"):
            self.groups[atom.arguments[0]].add(atom.arguments[1])
        self.needed = {atom.arguments[0] for atom in self.atoms("needed")}
        self.scenarios = {path.stem: scenario(path) for path in sorted(folder.glob("scenarios/*.lp"))}
        # a duty that no action ever meets
        self.without_means = {atom.arguments[1] for atom in self.atoms("obliges")}
        self.without_means -= {atom.arguments[1] for atom in self.atoms("discharges")}

    def grounded(self, extra: str, *options: str) -> clingo.Control:
        """Return the program with something added, grounded."""
        control = clingo.Control(list(options))
        with ProgramBuilder(control) as builder:
            parse_files(self.files, lambda rule: None if self._left_out(rule) else builder.add(rule))
        control.add("base", [], self.program + extra)
        control.ground()
        return control

    def _left_out(self, rule: AST) -> bool:
        """Say whether a rule is one of the clause to be left out."""
        if not self.without or rule.ast_type is not ASTType.Rule:
            return False
        head = str(rule.head)
        return any(head.startswith(f'{name}("{self.without}",') for name in HEADS)

    def atoms(self, name: str) -> list[Symbol]:
        """Return the atoms of a name that may hold."""
        every = self.control.symbolic_atoms
        arities = (arity for known, arity, _ in every.signatures if known == name)
        return [atom.symbol for arity in arities for atom in every.by_signature(name, arity)]

    def clauses(self) -> set[str]:
        """Return the clauses that have rules."""
        return {atom.arguments[0].string for name in HEADS for atom in self.atoms(name)}

    def read(self, facts: Iterable[Symbol]) -> Reading | None:
        """Return what the clauses come to in the position of exactly these facts, if it can be."""
        held = set(facts)
        assert held <= self.facts, held - self.facts
        named = {clingo.Function("state", [fact]) for fact in held}
        named |= {clingo.Function("valued", [g]) for fact in held for g in self.groups.get(fact, ())}
        made: set[Symbol] = set()
        for _ in range(ROUNDS):
            world = self._solve(named | made)
            again = worked_out(world)
            if again == made:
                return None if world["impossible"] else reading(world, tuple(sorted(map(str, held))), self.without_means)
            made = again
        raise AssertionError(f"the rules do not settle in {sorted(map(str, held))}")

    def read_again(self, position: Reading) -> Reading | None:
        """Return what the clauses here come to in a position of another reading."""
        return self.read(map(clingo.parse_term, position.facts))

    def _solve(self, true: set[Symbol]) -> World:
        """Return what follows when exactly these of the given atoms hold."""
        for symbol in true:
            self.control.assign_external(symbol, True)
        world: dict[str, set[Statement]] = defaultdict(set)
        with self.control.solve(yield_=True) as handle:
            models = [list(model.symbols(shown=True)) for model in handle]
        for symbol in true:
            self.control.assign_external(symbol, False)
        assert len(models) == 1, f"{len(models)} models"
        for symbol in models[0]:
            name, said = self._parts[symbol]
            world[name].add(said)
        return world


def declarations() -> str:
    """Return the lines that declare what a rulebook may use, and nothing else of that file."""
    return "".join(re.findall(r"^#defined.*\n", DECLARATIONS.read_text("utf-8"), re.MULTILINE))


def shown() -> str:
    """Return the directives that show what Python reads, and nothing else."""
    return "".join(f"#show {name}/{arity}." for name, arity in {**HEADS, **OTHERS}.items())


def scenario(path: Path) -> frozenset[Symbol]:
    """Return the facts of a starting position."""
    control = clingo.Control()
    control.load(str(path))
    control.ground()
    return frozenset(atom.symbol for atom in control.symbolic_atoms)


# ---- which statements stand ----------------------------------------------------------------------


class Priorities:
    """Who stands above whom, on what."""

    def __init__(self, world: World) -> None:
        """Take the overrides of a position."""
        self._above: dict[Pair, set[Symbol]] = defaultdict(set)
        for higher, clause, subject in world["overrides"]:
            self._above[clause, subject].add(higher)

    def stands(self, clause: Symbol, subject: Symbol, agrees: Callable[[Symbol], bool]) -> bool:
        """Say whether a statement stands: no clause above on this subject says otherwise, or only lifts."""
        return all(agrees(higher) for higher in self._above.get((clause, subject), ()))

    def undefeated(self, said: Iterable[Statement]) -> set[Statement]:
        """Return the statements that stand, where only the very same one of a higher clause agrees."""
        known = set(said)
        return {
            one
            for one in known
            if self.stands(one[0], one[1], lambda higher, rest=one[1:]: (higher, *rest) in known)  # type: ignore[misc]
        }

    def changes(self, said: Iterable[Statement]) -> set[Statement]:
        """Return the effects that stand: those are about the fact, the last of clause, event and fact."""
        known = set(said)
        return {
            one
            for one in known
            if self.stands(one[0], one[2], lambda higher, rest=one[1:]: (higher, *rest) in known)  # type: ignore[misc]
        }


def worked_out(world: World) -> set[Symbol]:
    """Return what clauses come to that rules read again: what follows, what holds, and the values."""
    order = Priorities(world)
    concluded = {fact for _, fact in order.undefeated(world["concludes"])}
    denied = {fact for _, fact in order.undefeated(world["denies"])}
    drawn = {fact for (fact,) in world["drawn"]}
    made = {clingo.Function("follows", [fact]) for fact in concluded - denied}
    made |= {clingo.Function("holds", [fact]) for fact in (concluded | drawn) - denied}
    for quantity, numbers in fixed(order.undefeated(world["sets"])).items():
        if len(numbers) == 1:
            made.add(clingo.Function("value", [quantity, *numbers]))
    return made


def fixed(said: Iterable[Statement]) -> dict[Symbol, set[Symbol]]:
    """Return the values of each quantity."""
    numbers: dict[Symbol, set[Symbol]] = defaultdict(set)
    for _, quantity, number in said:
        numbers[quantity].add(number)
    return numbers


# ---- what they come to ---------------------------------------------------------------------------


def reading(world: World, facts: tuple[str, ...], without_means: set[Symbol]) -> Reading:
    """Return what the clauses come to, from their raw heads and what is read beside them."""
    order = Priorities(world)
    imposed = order.undefeated(world["obliges"])
    ways = {(clause, duty, way) for clause, duty, way in world["discharges"] if (clause, duty) in imposed}
    granting = {name: set(world[name]) for name in GRANTS}
    granting["obliges"] = {(clause, way) for clause, _, way in ways}
    grants, bans = set().union(*granting.values()), world["forbids"]
    standing = {
        name: {(c, a) for c, a in said if order.stands(c, a, lambda higher, a=a: (higher, a) in grants)}  # type: ignore[misc]
        for name, said in granting.items()
    }
    banned = {(c, a) for c, a in bans if order.stands(c, a, lambda higher, a=a: (higher, a) in bans)}  # type: ignore[misc]
    sets = order.undefeated(world["sets"])
    concluded, denied = order.undefeated(world["concludes"]), order.undefeated(world["denies"])
    starts, ends = order.changes(world["initiates"]), order.changes(world["terminates"])

    verdicts = judge(world, standing, {action for _, action in banned})
    statuses = assess(world, imposed, ways, verdicts)
    legal = {action for action, verdict in verdicts.items() if verdict == "legal"}
    events = legal | {event for (event,) in world["happening"]}
    clashes: dict[Clash, str] = {}

    def clash(code: str, about: Symbol, *clauses: Symbol) -> None:
        clashes.setdefault((code, frozenset(c.string for c in clauses)), str(about))

    for clause, action in standing["permits"] | standing["obliges"]:
        if verdicts[action] != "unavailable":
            for other in (c for c, a in banned if a == action):
                clash("LB101", action, clause, other)
    for clause, duty in imposed:
        if (duty,) in world["fulfilled"]:
            continue
        possible = {way for _, met, way in ways if met == duty and verdicts[way] != "unavailable"}
        if possible and possible <= {action for _, action in banned}:
            clash("LB102", duty, clause)
        if duty in without_means:
            clash("LB302", duty, clause)
    for clause, quantity, number in sets:
        for other, same, unlike in sets:
            if same == quantity and unlike != number:
                clash("LB103", quantity, clause, other)
    drawn = {fact for (fact,) in world["drawn"]}
    for clause, fact in denied:
        for other in (c for c, f in concluded if f == fact):
            clash("LB104", fact, clause, other)
        if fact in drawn:
            clash("LB104", fact, clause)
    followed = {(c, f) for c, f in concluded if f not in {fact for _, fact in denied}}
    for one, two in world["excludes"]:
        for clause in (c for c, f in followed if f == one):
            for other in (c for c, f in followed if f == two):
                clash("LB104", one, clause, other)
    for clause, event, fact in starts:
        for other in (c for c, e, f in ends if (e, f) == (event, fact)):
            if event in events:
                clash("LB105", event, clause, other)

    deciding = imposed | banned | sets | concluded | denied | starts | ends | world["overrides"]
    deciding = deciding.union(*standing.values())
    changes = {(str(e), "starts", str(f)) for _, e, f in starts if e in events}
    changes |= {(str(e), "ends", str(f)) for _, e, f in ends if e in events}
    return Reading(
        facts=facts,
        speaking=frozenset(said[0].string for name in HEADS for said in world[name]),
        deciding=frozenset(said[0].string for said in deciding),
        verdicts={str(action): verdict for action, verdict in verdicts.items()},
        values={
            str(quantity): min(numbers).number if len(numbers) == 1 else "contested"
            for quantity, numbers in fixed(sets).items()
        },
        statuses={str(duty): status for duty, status in statuses.items()},
        conclusions=conclude({f for _, f in concluded}, {f for _, f in denied}, drawn),
        changes=frozenset(changes),
        clashes=clashes,
    )


def judge(
    world: World, standing: Mapping[str, set[Pair]], banned: set[Symbol]
) -> dict[Symbol, str]:
    """Return the verdict on every action."""
    outright = {action for name in ("permits", "obliges") for _, action in standing[name]}
    opened = {action for _, action in standing["opens"]}
    verdicts = {}
    for (action,) in world["action"]:
        if (action,) in world["blocked"]:
            verdicts[action] = "unavailable"
        elif action in banned:
            verdicts[action] = "contested" if action in outright else "forbidden"
        else:
            verdicts[action] = "legal" if action in outright | opened else "not_permitted"
    return verdicts


def assess(
    world: World, imposed: set[Statement], ways: set[Statement], verdicts: Mapping[Symbol, str]
) -> dict[Symbol, str]:
    """Return the status of every duty; one for which no action is named is not thereby impossible."""
    statuses = {}
    for _, duty in imposed:
        named = {way for _, met, way in ways if met == duty}
        left = {
            way
            for way in named
            if verdicts[way] not in ("forbidden", "unavailable") and (way,) not in world["unaffordable"]
        }
        if (duty,) in world["fulfilled"]:
            statuses[duty] = "met"
        elif (named and not left) or (duty,) in world["short"]:
            statuses[duty] = "impossible"
        else:
            statuses[duty] = "unmet"
    return statuses


def conclude(
    concluded: set[Symbol], denied: set[Symbol], drawn: set[Symbol]
) -> dict[str, bool | str]:
    """Return whether each fact holds that clauses conclude or deny, or that the meaning of facts draws."""
    return {
        str(fact): fact not in denied or ("contested" if fact in concluded | drawn else False)
        for fact in concluded | denied | drawn
    }
