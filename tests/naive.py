"""A second reading of a rulebook that shares nothing with the program: one position at a time, naively.

It reads the `.lp` files of the rulebook as they stand and grounds them once. What the core works
out is worked out here again, in plain Python from the raw heads: which statements stand, the
verdicts, values, conclusions and duties, what events change, and what clashes. The few of these
that rules read themselves (`follows`, `holds`, `value`, `valued`) are given to clingo from outside,
round after round, until they are what Python makes of the heads. Positions are drawn by
`drawing.py`.
"""

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from itertools import product
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
    world: World = field(repr=False, compare=False)  # all that clauses say

    def said_by(self, clause: str) -> set[tuple[str, Statement]]:
        """Return all that a clause says, whether it stands or not."""
        return {(name, said) for name in HEADS for said in self.world[name] if said[0].string == clause}

    def answers(self) -> tuple[object, ...]:
        """Return all that a player may ask, whichever clauses it is due to."""
        return self.verdicts, self.values, self.statuses, self.conclusions, self.changes


class NaiveBook:
    """A rulebook as plain clingo grounds it, every clause in force but the one left out."""

    def __init__(
        self,
        folder: Path,
        *,
        full: bool = False,
        without: str = "",
        dropped: Mapping[str, Collection[str]] | None = None,
    ) -> None:
        """Ground the files of the folder; `full` asks for every value of the facts that have many.

        `dropped` are the conditions, by the heads of rules, without which these are read.
        """
        self.program = declarations() + ("full(Name) :- wide(Name)." if full else "")
        self.files = [
            str(path) for path in (*sorted(folder.glob("*.lp")), *sorted(folder.glob("rules/*.lp")))
        ]
        self.without = without
        self.dropped = dropped or {}
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
            parse_files(
                self.files,
                lambda rule: None if self._left_out(rule) else builder.add(self._lightened(rule)),
            )
        control.add("base", [], self.program + extra)
        control.ground()
        return control

    def _left_out(self, rule: AST) -> bool:
        """Say whether a rule is one of the clause to be left out."""
        if not self.without or rule.ast_type is not ASTType.Rule:
            return False
        head = str(rule.head)
        return any(head.startswith(f'{name}("{self.without}",') for name in HEADS)

    def _lightened(self, rule: AST) -> AST:
        """Return a rule without the conditions that are to be dropped."""
        if not self.dropped or rule.ast_type is not ASTType.Rule:
            return rule
        dropped = self.dropped.get(str(rule.head), ())
        return rule.update(body=[literal for literal in rule.body if str(literal) not in dropped])

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
                return (
                    None
                    if world["impossible"]
                    else reading(world, tuple(sorted(map(written, held))), self.without_means)
                )
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


@cache
def written(term: Symbol) -> str:
    """Return a term as it is written."""
    return str(term)


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

    def undefeated(
        self, said: set[Statement], agreeing: set[Statement] | None = None, place: int = 1
    ) -> set[Statement]:
        """Return the statements that stand: every clause above on their subject says the same.

        `agreeing` is what counts as the same, if not the statement itself; `place` is where the subject
        stands in a statement.
        """
        same = said if agreeing is None else agreeing
        return {
            one
            for one in said
            if all((higher, *one[1:]) in same for higher in self._above.get((one[0], one[place]), ()))
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


def fixed(said: set[Statement]) -> dict[Symbol, set[Symbol]]:
    """Return the values of each quantity."""
    numbers: dict[Symbol, set[Symbol]] = defaultdict(set)
    for _, quantity, number in said:
        numbers[quantity].add(number)
    return numbers


# ---- what they come to ---------------------------------------------------------------------------


@dataclass(frozen=True)
class Standing:
    """The statements that stand."""

    grants: Mapping[str, set[Statement]]  # by head, a clause and an action
    bans: set[Statement]
    imposed: set[Statement]
    ways: set[Statement]  # to meet the duties imposed
    sets: set[Statement]
    concluded: set[Statement]
    denied: set[Statement]
    starts: set[Statement]
    ends: set[Statement]


def standing(world: World) -> Standing:
    """Return the statements that no clause above defeats.

    A clause above opposes a grant if it does not grant the action itself, in whichever way, and a ban
    if it does not ban it. All else is opposed by what is not the very same.
    """
    order = Priorities(world)
    imposed = order.undefeated(world["obliges"])
    ways = {one for one in world["discharges"] if one[:2] in imposed}
    granting = {name: world[name] for name in GRANTS}
    granting["obliges"] = {(clause, way) for clause, _, way in ways}
    every = set().union(*granting.values())
    return Standing(
        grants={name: order.undefeated(said, every) for name, said in granting.items()},
        bans=order.undefeated(world["forbids"]),
        imposed=imposed,
        ways=ways,
        sets=order.undefeated(world["sets"]),
        concluded=order.undefeated(world["concludes"]),
        denied=order.undefeated(world["denies"]),
        starts=order.undefeated(world["initiates"], place=2),
        ends=order.undefeated(world["terminates"], place=2),
    )


def reading(world: World, facts: tuple[str, ...], without_means: set[Symbol]) -> Reading:
    """Return what the clauses come to, from their raw heads and what is read beside them."""
    left = standing(world)
    verdicts = judge(world, left)
    events = {action for action, verdict in verdicts.items() if verdict == "legal"}
    events |= {event for (event,) in world["happening"]}
    deciding = (
        left.bans | left.imposed | left.sets | left.concluded | left.denied | left.starts | left.ends
    )
    deciding = deciding.union(world["overrides"], *left.grants.values())
    changes = {
        (written(event), "starts", written(fact)) for _, event, fact in left.starts if event in events
    }
    changes |= {
        (written(event), "ends", written(fact)) for _, event, fact in left.ends if event in events
    }
    clashes = {
        (code, frozenset(clause.string for clause in clauses)): written(about)
        for code, about, clauses in (
            *clashing_norms(left, verdicts),
            *hopeless_duties(world, left, verdicts, without_means),
            *clashing_facts(world, left),
            *(clash for clash in clashing_effects(left) if clash[1] in events),
        )
    }
    return Reading(
        facts=facts,
        speaking=frozenset(said[0].string for name in HEADS for said in world[name]),
        deciding=frozenset(said[0].string for said in deciding),
        verdicts={written(action): verdict for action, verdict in verdicts.items()},
        values={
            written(quantity): min(numbers).number if len(numbers) == 1 else "contested"
            for quantity, numbers in fixed(left.sets).items()
        },
        statuses={written(duty): status for duty, status in assess(world, left, verdicts).items()},
        conclusions=conclude(world, left),
        changes=frozenset(changes),
        clashes=clashes,
        world=world,
    )


def judge(world: World, left: Standing) -> dict[Symbol, str]:
    """Return the verdict on every action."""
    banned = {action for _, action in left.bans}
    outright = {action for name in ("permits", "obliges") for _, action in left.grants[name]}
    opened = {action for _, action in left.grants["opens"]}
    verdicts = {}
    for (action,) in world["action"]:
        if (action,) in world["blocked"]:
            verdicts[action] = "unavailable"
        elif action in banned:
            verdicts[action] = "contested" if action in outright else "forbidden"
        else:
            verdicts[action] = "legal" if action in outright | opened else "not_permitted"
    return verdicts


def assess(world: World, left: Standing, verdicts: Mapping[Symbol, str]) -> dict[Symbol, str]:
    """Return the status of every duty; one for which no action is named is not thereby impossible."""
    statuses = {}
    for _, duty in left.imposed:
        named = {way for _, met, way in left.ways if met == duty}
        possible = {
            way
            for way in named
            if verdicts[way] not in ("forbidden", "unavailable") and (way,) not in world["unaffordable"]
        }
        if (duty,) in world["fulfilled"]:
            statuses[duty] = "met"
        elif (named and not possible) or (duty,) in world["short"]:
            statuses[duty] = "impossible"
        else:
            statuses[duty] = "unmet"
    return statuses


def conclude(world: World, left: Standing) -> dict[str, bool | str]:
    """Return whether each fact holds of those that clauses speak of, or that hold by meaning."""
    denied = {fact for _, fact in left.denied}
    told = {fact for _, fact in left.concluded} | {fact for (fact,) in world["drawn"]}
    return {
        written(fact): fact not in denied or ("contested" if fact in told else False)
        for fact in told | denied
    }


# ---- what clashes: a code, what it is about, the clauses -------------------------------------------

Found = Iterator[tuple[str, Symbol, set[Symbol]]]


def clashing_norms(left: Standing, verdicts: Mapping[Symbol, str]) -> Found:
    """Return outright grants against bans, on actions that can be taken."""
    bans = speakers(left.bans)
    for clause, action in left.grants["permits"] | left.grants["obliges"]:
        if verdicts[action] != "unavailable":
            for other in bans[action,]:
                yield "LB101", action, {clause, other}


def hopeless_duties(
    world: World, left: Standing, verdicts: Mapping[Symbol, str], without_means: set[Symbol]
) -> Found:
    """Return duties all of whose ways are forbidden, and those that no action meets in any position."""
    banned = {action for _, action in left.bans}
    for clause, duty in left.imposed:
        if (duty,) in world["fulfilled"]:
            continue
        ways = {way for _, met, way in left.ways if met == duty and verdicts[way] != "unavailable"}
        if ways and ways <= banned:
            yield "LB102", duty, {clause}
        if duty in without_means:
            yield "LB302", duty, {clause}


def clashing_facts(world: World, left: Standing) -> Found:
    """Return two values of a quantity, facts drawn and denied, and facts that exclude each other."""
    for clause, quantity, number in left.sets:
        for other, same, unlike in left.sets:
            if same == quantity and unlike != number:
                yield "LB103", quantity, {clause, other}
    denied = {fact for _, fact in left.denied}
    concluding = speakers(left.concluded)
    for clause, fact in left.denied:
        if (fact,) in world["drawn"]:
            yield "LB104", fact, {clause}
        for other in concluding[fact,]:
            yield "LB104", fact, {clause, other}
    for one, two in world["excludes"]:
        if not {one, two} & denied:
            for clause, other in product(concluding[one,], concluding[two,]):
                yield "LB104", one, {clause, other}


def clashing_effects(left: Standing) -> Found:
    """Return the facts that one and the same event starts and ends."""
    ends = speakers(left.ends)
    for clause, event, fact in left.starts:
        for other in ends[event, fact]:
            yield "LB105", event, {clause, other}


def speakers(said: set[Statement]) -> dict[Statement, set[Symbol]]:
    """Return who makes each statement."""
    found: dict[Statement, set[Symbol]] = defaultdict(set)
    for clause, *rest in said:
        found[tuple(rest)].add(clause)
    return found
