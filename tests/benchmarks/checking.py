"""How long a check of a whole rulebook takes, as the book grows, and whether it finds what was planted.

Run it as `python tests/benchmarks/checking.py [CLAUSES ...]`, by default with 1000 and 4000. For each
number it writes a rulebook of that many clauses, checks it in a process of its own, compares the
findings with the defects that were planted, and prints seconds, peak memory and, between two sizes, the
exponent of the growth; the rulebook that comes with the package stands beside them.

Every clause looks at two to four facts, drawn from a pool that grows with the book. Clauses about one
thing never speak together, for one asks for a fact that the other asks to be absent, or for other
numbers; one in fifty is planted to clash with another all the same, one in a hundred can never speak,
and one in a hundred is always set aside.
"""

import json
import math
import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path

SEED = 1939
HIGHEST = 9
A_CHAPTER = 90  # clauses
A_MEGABYTE = 1024  # what the system counts in, on Linux

DECLARATIONS = """\
default_scenario(start).
fact(flag(1..{flags})).
flag(Number) :- state(flag(Number)).
reads("flag(Number)", "flag {{Number}} is up", "flag {{Number}} is down").
fact(level(1..{levels},0..{highest})).
group(level(Gauge,Value),level(Gauge)) :- fact(level(Gauge,Value)).
needed(level(1)).
bounds(level,0,{highest}).
level(Gauge,Value) :- state(level(Gauge,Value)).
level(Gauge,0)     :- fact(level(Gauge,0)), not valued(level(Gauge)).
reads("level(Gauge,Value)", "gauge {{Gauge}} shows {{Value}}",
      "gauge {{Gauge}} does not show {{Value}}").
reads("helper(Number)", "helper {{Number}} is there", "helper {{Number}} is not there").
reads("do(Number)", "do {{Number}}").
reads("price(Number)", "price {{Number}}").
reads("idea(Number)", "idea {{Number}} holds", "idea {{Number}} does not hold").
actor(do(1..{things}),everybody).
action(Action) :- actor(Action,_).
quantity(price(1..{things})).
derivable(idea(1..{things})).
"""


@dataclass
class Condition:
    """What a clause asks for: flags up or down, gauges within limits, and how that is written."""

    flags: dict[int, bool] = field(default_factory=dict)
    gauges: dict[int, tuple[int, int]] = field(default_factory=dict)
    written: list[str] = field(default_factory=list)

    def flag(self, number: int, up: bool) -> None:
        self.flags[number] = up
        self.written.append(f"flag({number})" if up else f"not flag({number})")

    def gauge(self, number: int, low: int, high: int) -> None:
        self.gauges[number] = (low, high)
        value = f"V{len(self.gauges)}"
        limits = f"{value} >= {low}" if high == HIGHEST else f"{value} <= {high}"
        self.written += [f"level({number},{value})", limits]

    def __str__(self) -> str:
        return ", ".join(self.written)


class Book:
    """A rulebook in the making, and the findings it is to have."""

    def __init__(self, clauses: int) -> None:
        """Write at least so many clauses; no more than two above that."""
        self.rng = random.Random(f"{SEED} {clauses}")
        self.flags, self.levels = max(20, clauses // 2), max(8, clauses // 8)
        self.rules: list[str] = []
        self.expected: set[str] = set()
        self.things = 0
        # flags that cannot both be up, and helpers that stand for one flag up and another down
        numbers = self.rng.sample(range(1, self.flags + 1), self.flags // 5 * 2)
        self.apart = dict(pairwise(numbers[: len(numbers) // 2]))
        self.apart = {one: two for n, (one, two) in enumerate(self.apart.items()) if n % 2 == 0}
        self.apart |= {two: one for one, two in self.apart.items()}
        rest = numbers[len(numbers) // 2 :]
        self.helpers = list(zip(rest[::2], rest[1::2], strict=False))
        kinds = (self.granted, self.excepted, self.priced, self.concluded, self.changed)
        while len(self.rules) < clauses:
            place = self.things % 100
            planted = place % 19 == 0  # of each kind one in a hundred families, of two clauses or three
            dead: dict[int, Callable[[], None]] = {4: self.out_of_range, 24: self.impossible}
            dead |= {44: self.masked, 64: self.masked}
            self.things += 1
            if place in dead:
                dead[place]()
            else:
                kinds[place % len(kinds)](planted)

    def clause(self, *rules: str) -> str:
        """Add a clause; its number stands for # in its rules."""
        number = f"{len(self.rules) // A_CHAPTER + 1}.{len(self.rules) % A_CHAPTER + 10}"
        body = "\n".join(rules).replace("#", f'"{number}"')
        self.rules.append(f"%## {number}  Clause {number}\n% > It says something.\n{body}\n")
        return number

    def condition(self, **given: bool) -> Condition:
        """Draw a condition that some position meets; `up` gives a flag to begin with, and how it is."""
        found = Condition()
        if given:
            found.flag(self.pivot, given["up"])
        for _ in range(self.rng.randint(1, 3)):
            kind = self.rng.random()
            if kind < 0.25:
                gauge = self.rng.randint(1, self.levels)
                if gauge not in found.gauges:
                    low = self.rng.randint(1, HIGHEST)
                    found.gauge(gauge, *((low, HIGHEST) if kind < 0.12 else (0, HIGHEST - low)))
            elif kind < 0.4:
                number = self.rng.randrange(len(self.helpers))
                up, down = self.helpers[number]
                if not {up, down} & found.flags.keys() and self.may_be_up(found, up):
                    found.flags |= {up: True, down: False}
                    found.written.append(f"helper({number})")
            else:
                flag = self.rng.randint(1, self.flags)
                if flag not in found.flags and self.may_be_up(found, flag):
                    found.flag(flag, self.rng.random() < 0.6)
        if not found.written:
            found.gauge(1, 1, HIGHEST)
        return found

    def may_be_up(self, condition: Condition, flag: int) -> bool:
        return not condition.flags.get(self.apart.get(flag, 0), False)

    def two(self, planted: bool) -> tuple[Condition, Condition]:
        """Return two conditions that are met together only where a defect is planted."""
        self.pivot = self.rng.randint(1, self.flags)
        one = self.condition(up=True)
        if not planted:
            return one, self.condition(up=False)
        other = Condition()
        taken = self.apart.keys() | one.flags.keys()
        flag = next(flag for flag in range(1, self.flags) if flag not in taken)
        other.flag(flag, up=False)
        return one, other

    def granted(self, planted: bool) -> None:
        one, other = self.two(planted)
        a = self.clause(f"permits(#,do({self.things})) :- {one}.")
        b = self.clause(f"forbids(#,do({self.things})) :- {other}.")
        self.expect("LB101", planted, a, b)

    def excepted(self, planted: bool) -> None:
        """A ban, an exception that is said to stand above it, and a limit that is kept or not."""
        one, other = self.two(planted=True)
        ban = self.clause(f"forbids(#,do({self.things})) :- {one}.")
        rules = [f"permits(#,do({self.things})) :- {other}."]
        if not planted:
            rules.append(f'overrides(#,"{ban}",do({self.things})) :- {other}.')
        self.expect("LB101", planted, self.clause(*rules), ban)

    def priced(self, planted: bool) -> None:
        one, other = self.two(planted)
        a = self.clause(f"sets(#,price({self.things}),1) :- {one}.")
        b = self.clause(f"sets(#,price({self.things}),2) :- {other}.")
        # the two are named in the order of their numbers as texts
        self.expect("LB103", planted, *sorted((a, b)))

    def concluded(self, planted: bool) -> None:
        one, other = self.two(planted)
        a = self.clause(f"concludes(#,idea({self.things})) :- {one}.")
        b = self.clause(f"denies(#,idea({self.things})) :- {other}.")
        self.expect("LB104", planted, a, b)

    def changed(self, planted: bool) -> None:
        """An action that puts a flag up, and takes down another or the same one."""
        condition = self.condition()
        asked = condition.flags.keys()
        up, down = self.rng.sample([n for n in range(1, self.flags + 1) if n not in asked], 2)
        self.clause(f"permits(#,do({self.things})) :- {condition}.")
        a = self.clause(f"initiates(#,do({self.things}),flag({up})) :- not flag({up}).")
        gone = up if planted else down
        b = self.clause(f"terminates(#,do({self.things}),flag({gone})) :- not flag({up}).")
        self.expect("LB105", planted, a, b)

    def out_of_range(self) -> None:
        gauge = self.rng.randint(1, self.levels)
        dead = self.clause(f"permits(#,do({self.things})) :- level({gauge},V), V > 6, V < 4.")
        self.expect("LB201", True, dead)

    def impossible(self) -> None:
        one = self.rng.choice(sorted(self.apart))
        dead = self.clause(f"permits(#,do({self.things})) :- flag({one}), flag({self.apart[one]}).")
        self.expect("LB201", True, dead)

    def masked(self) -> None:
        condition = self.condition()
        lower = self.clause(f"forbids(#,do({self.things})) :- {condition}.")
        last = 2 if condition.written[-1].startswith("V") else 1  # a gauge and its limit
        wider = ", ".join(condition.written[-last:])
        self.clause(
            f"permits(#,do({self.things})) :- {wider}.",
            f'overrides(#,"{lower}",do({self.things})) :- {wider}.',
        )
        self.expect("LB202", True, lower)

    def expect(self, code: str, planted: bool, *clauses: str) -> None:
        if planted:
            self.expected.add(f"{code}:{'+'.join(clauses)}")

    def write(self, folder: Path) -> None:
        """Write the rulebook into an empty folder."""
        (folder / "rules").mkdir()
        (folder / "scenarios").mkdir()
        for number, start in enumerate(range(0, len(self.rules), A_CHAPTER), 1):
            text = "\n".join(self.rules[start : start + A_CHAPTER])
            (folder / "rules" / f"{number:03}.lp").write_text(text, "utf-8")
        lines = [
            DECLARATIONS.format(
                flags=self.flags, levels=self.levels, highest=HIGHEST, things=self.things
            ),
            *(f"helper({n}) :- flag({u}), not flag({d})." for n, (u, d) in enumerate(self.helpers)),
            *(
                f'impossible("flags {one} and {two} are both up") :- flag({one}), flag({two}).'
                for one, two in self.apart.items()
                if one < two
            ),
        ]
        (folder / "book.lp").write_text("\n".join(lines) + "\n", "utf-8")
        facts = [f"flag({n})." for n in range(7, self.flags + 1, 7) if n not in self.apart]
        facts += [f"level({n},{n % (HIGHEST + 1)})." for n in range(1, self.levels + 1)]
        (folder / "scenarios" / "start.lp").write_text("\n".join(facts) + "\n", "utf-8")


@dataclass(frozen=True)
class Checked:
    """What one check came to."""

    seconds: float
    megabytes: float
    findings: frozenset[str]
    unknown: int
    errors: str


def check(*options: str) -> Checked:
    """Check a rulebook in a process of its own."""
    command = [sys.executable, "-m", "lexbelli", "check", "--format", "json", "--time-limit", "3600"]
    begin = time.perf_counter()
    with tempfile.TemporaryFile("w+") as answer, tempfile.TemporaryFile("w+") as complaint:
        process = subprocess.Popen([*command, *options], stdout=answer, stderr=complaint)
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        seconds = time.perf_counter() - begin
        answer.seek(0)
        complaint.seek(0)
        told, errors = answer.read(), complaint.read()
    found = json.loads(told) if told else {"findings": [], "unknown": []}
    ids = frozenset(finding["id"] for finding in found["findings"])
    return Checked(seconds, used.ru_maxrss / A_MEGABYTE, ids, len(found["unknown"]), errors)


def report(name: str, checked: Checked) -> None:
    """Print one line."""
    print(
        f"{name}: {checked.seconds:.1f} s, at most {checked.megabytes:.0f} MB, "
        f"{len(checked.findings)} findings"
        + f", {checked.unknown} questions unknown" * bool(checked.unknown)
        + f"\n{checked.errors}" * bool(checked.errors),
        flush=True,
    )


def differences(expected: set[str], found: frozenset[str]) -> Iterator[str]:
    """Return what was planted and not found, or found and not planted."""
    for what, ids in (("missed", expected - found), ("not planted", found - expected)):
        if ids:
            yield f"  {len(ids)} {what}: {', '.join(sorted(ids)[:8])}"


def main(sizes: list[int]) -> None:
    """Measure and print."""
    report("the rulebook of the package", check())
    measured: list[tuple[int, float]] = []
    for size in sizes:
        book = Book(size)
        with tempfile.TemporaryDirectory() as folder:
            book.write(Path(folder))
            checked = check("--rulebook", folder)
        report(f"{len(book.rules)} clauses, {len(book.expected)} planted defects", checked)
        wrong = list(differences(book.expected, checked.findings))
        print("\n".join(wrong) or "  exactly those that were planted", flush=True)
        measured.append((len(book.rules), checked.seconds))
    for (small, before), (large, after) in pairwise(measured):
        exponent = math.log(after / before) / math.log(large / small)
        print(f"from {small} to {large} clauses: {after / before:.1f} times as long, ", end="")
        print(f"exponent {exponent:.2f}")


if __name__ == "__main__":
    main([int(argument) for argument in sys.argv[1:]] or [1000, 4000])
