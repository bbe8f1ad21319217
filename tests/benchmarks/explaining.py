"""One question, put side by side to lexbelli and to two other explainers of answer set programs.

Run it as `python tests/benchmarks/explaining.py`. The others, xclingo and asplain, want environments
of their own, since they pin other versions of clingo: the environment variables XCLINGO and ASPLAIN
name their programs, or they stand on PATH; one that is not there is left out. asplain draws with
Graphviz, whose `dot` must be on PATH.

They read an excerpt of the rulebook, made here from the loaded one: all that clauses say about
declarations of war, and what those conditions and the verdict rest on. Duties, clauses that conclude
facts, and whose turn it is are left out. lexbelli itself reads the whole rulebook.
"""

import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path

from clingo.ast import ASTType
from rich.console import Console
from rich.table import Table

from lexbelli import Rulebook, State, load_rulebook, load_state, why
from lexbelli.alone import VALUED
from lexbelli.rulebook import session

ACTION, SCENARIO = "declare_war(russia,rumania)", "spring_1940"
SET = ("economic_interest(germany,rumania)", "phase(russia,declaration)")
HEADS = {"permits", "opens", "meets", "forbids", "overrides"}
LEFT_OUT = {"imposes", "follows"}  # duties and conclusions, through which other clauses come in
LONGEST, LINES, WIDTH = 60, 40, 116

ASKED = {
    "lexbelli": """of the whole rulebook: why has the action its verdict, and what would make it legal
(why --verbose)? Its time includes reading every chapter.""",
    "xclingo": """of the excerpt, clauses and conditions labeled with lexbelli's words: why does the
verdict hold, by every explanation (-n 1 0)? It cannot be asked about a verdict that does not hold.""",
    "asplain": """of the excerpt, labeled alike: what are the smallest changes after which the verdict
is "legal" (--query, --nexplanations=0)? It may change what names Rumania, whether Russia has declared
war on Germany, and RGT: at the cost of one change, and in steps of 5, as it draws every rule for every
level. The changes are read off its text, clauses and conditions off the labels in the graphs it saves,
pruned to what a change alters (--prune=CHANGES). Its time includes drawing them.""",
}
# what asplain is to keep small, and what must hold whatever it changes
COST = """
changed(Fact) :- edge((Rule,state(Fact)),_), #count { World : program(Rule,World) } = 1.
level(rgt(Level)) :- changed(rgt(Level)).
cost(rgt,1,2)  :- level(_).
cost(Fact,1,2) :- changed(Fact), not level(Fact).
"""
ONE_LEVEL = ":- rgt(Level), rgt(Higher), Level < Higher. has_level :- rgt(Level). :- not has_level."


@dataclass
class Told:
    """What one program answered, and what its answer names."""

    seconds: float
    raw: str
    clauses: list[str] = field(default_factory=list)
    conditions: list[str] = field(default_factory=list)
    repairs: list[str] = field(default_factory=list)


class Excerpt:
    """What clauses say about declarations of war and what that rests on, as plain rules."""

    def __init__(self, book: Rulebook, state: State) -> None:
        """Follow the conditions of the clauses, and of the verdict, down to the facts of the state."""
        unnamed = count(1)
        norms = [n for n in book.norms if n.head in HEADS and n.may_be_about("declare_war")]
        needed = {"verdict"}.union(*(called(str(node)) for norm in norms for node in norm.body))
        plain = [str(s) for s in book.statements if s.ast_type is ASTType.Rule]
        plain.append(VALUED)
        asked = f"available({ACTION})."  # by itself, whoever's turn it is
        rest = [r for r in plain if not called(r) & LEFT_OUT and r.partition("(")[0] not in HEADS]
        rules = [asked]
        while more := {r for r in rest if r.partition("(")[0] in needed - {"available"}} - {*rules}:
            rules += sorted(more)
            needed.update(*map(called, more))
        # xclingo cannot take anonymous variables
        self.rules = [re.sub(r"\b_\b", lambda _: f"Any{next(unnamed)}", rule) for rule in rules]
        titles = {clause.id: clause.title for clause in book.clauses}
        self.clauses = []  # each rule of theirs with its label
        for norm in norms:
            rule = f"{norm.rule.head} :- {'; '.join(map(str, norm.body)) or '#true'}."
            self.clauses.append((f"{norm.clause} {norm.head}: {titles[norm.clause]}", rule))
        said = re.findall(r'^reads\("((\w+)[^"]*)","([^"]+)"', "\n".join(plain), re.MULTILINE)
        said = [(atom, text) for atom, name, text in said if name in needed]
        self.words = [(a, re.sub(r"{\w+}", "{}", t), re.findall(r"{(\w+)}", t)) for a, t in said]
        known = [fact for fact in sorted(session(book).facts) if called(fact) <= needed]
        self.facts = [fact for fact in known if fact in state.facts]
        changes = re.compile(r"rgt\(\d?[05]\)|.*rumania|declared_war\(russia,germany\)")
        self.changes = [fact for fact in known if changes.match(fact)]

    def for_xclingo(self) -> str:
        """Return the excerpt with a label on every clause and condition, and the verdict to explain."""
        lines = [*self.rules, *(f"state({fact})." for fact in self.facts)]
        for label, rule in self.clauses:
            lines += [f'%!trace_rule {{"{label}"}}.', rule]
        for atom, text, places in self.words:
            label = ",".join([atom, '"' + text.replace("{}", "%") + '"', *places])
            lines.append(f"%!trace {{{label}}} :- {atom}.")
        verdict = f"verdict({ACTION},Verdict)"
        return "\n".join([*lines, f"%!show_trace {{{verdict}}} :- {verdict}.", ""])

    def for_asplain(self) -> str:
        """Return the excerpt with labels, and with the facts that may come and go."""
        lines = [*self.rules, ONE_LEVEL]
        for label, rule in self.clauses:
            lines += [f'% @label("{label}")', rule]
        for atom, text, places in self.words:
            lines.append(f'% @label("{text}",({",".join(places)},)) :: {atom}')
        for fact in self.facts:
            lines += ["% @removable"] * (fact in self.changes) + [f"state({fact})."]
        lines.append("#program asplain.")
        for fact in self.changes:
            lines += [] if fact in self.facts else ["% @addable", f"state({fact})."]
        return "\n".join([*lines, ""])


def called(text: str) -> set[str]:
    """Return the names that stand before a parenthesis."""
    return set(re.findall(r"[a-z]\w*(?=\()", text))


def ask(command: list[str], folder: Path | None = None, longest: int = LONGEST) -> Told:
    """Run a program and time it; after `longest` seconds it ends, with all that it has started."""
    start = time.perf_counter()
    pipe = subprocess.PIPE
    process = subprocess.Popen(
        command, cwd=folder, stdout=pipe, stderr=pipe, text=True, start_new_session=True
    )
    try:
        answer, complaint = process.communicate(timeout=longest)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
        answer, complaint = f"no answer within {longest} s", ""
    seconds = time.perf_counter() - start
    if "Traceback" in complaint or not answer:  # what went wrong stands at the end
        answer += "\n" + "\n".join(complaint.splitlines()[-5:])
    return Told(seconds, re.sub(r"\x1b\[\d+m", "", answer))


def ask_lexbelli(book: Rulebook, state: State) -> Told:
    """Ask lexbelli for its text; what it names is read off the same answer in Python."""
    command = [sys.executable, "-m", "lexbelli", "why", ACTION, SCENARIO, "--verbose"]
    told = ask([*command, *(f"--set={fact}" for fact in SET)])
    answer = why(book, state, ACTION)
    parts = (answer.forbidden_by, answer.would_permit, answer.would_forbid)
    for says, entries in zip(("forbids", "would permit", "would forbid"), parts, strict=True):
        for entry in entries:
            told.clauses.append(f"{entry.clause} {says}")
            told.conditions += [condition.phrase for condition in entry.conditions]
    told.repairs += re.findall(r"^.── (.+)", told.raw.partition("legal if\n")[2], re.MULTILINE)
    return told


def ask_xclingo(program: str, folder: Path, excerpt: Excerpt) -> Told:
    """Ask xclingo; its trees quote the labels, and it has no repairs."""
    (folder / "excerpt.lp").write_text(excerpt.for_xclingo())
    told = ask([program, "-n", "1", "0", "excerpt.lp"], folder)
    for label in re.findall(r'__"(.+)"', told.raw):
        kind = told.clauses if label in dict(excerpt.clauses) else told.conditions
        kind.append(label.partition(":")[0])
    return told


def ask_asplain(program: str, folder: Path, excerpt: Excerpt) -> Told:
    """Ask asplain; its graphs hold the labels, its text the changes."""
    (folder / "excerpt.lp").write_text(excerpt.for_asplain())
    (folder / "cost.lp").write_text(COST)
    options = ["--nexplanations=0", "--prune=CHANGES", "--cost-encoding=cost.lp", "--quiet=2"]
    told = ask([program, "excerpt.lp", "1", f"--query=verdict({ACTION},legal)", *options], folder)
    for graph in folder.glob("out/contrastive_pg_*.lp"):
        text = graph.read_text()
        labels = re.findall(r'^tag\((.+),label\("(.+)",\((.*)\)\)\)\.$', text, re.MULTILINE)
        for node, label, values in labels:
            if not values:
                told.clauses.append(label.partition(":")[0])
            elif f"\nmodel({node},ref)." in text:  # it holds before the change
                told.conditions.append(label.format(*values.split(",")))
    for change in told.raw.split("\nQuery ")[1:]:
        facts = re.findall(r"^ *(Removed|Added): (.+)", change, re.MULTILINE)
        words = ", ".join(f"{way.lower()} {rules}" for way, rules in facts)
        told.repairs.append(words.replace("state(", "").replace(").", ""))
    for names in (told.clauses, told.conditions, told.repairs):
        names.sort()
    return told


def main() -> None:
    """Ask and print."""
    print(f"{ACTION} in {SCENARIO}, with {' and '.join(SET)}: why not?\n")
    book = load_rulebook()
    state = load_state(book, SCENARIO, set=SET)
    told = {"lexbelli": ask_lexbelli(book, state)}
    excerpt = Excerpt(book, state)
    for name, question in (("xclingo", ask_xclingo), ("asplain", ask_asplain)):
        program = shutil.which(os.environ.get(name.upper(), name))
        if program is None:
            print(f"{name}: not installed, left out\n")
            continue
        with tempfile.TemporaryDirectory() as folder:
            told[name] = question(str(Path(program).absolute()), Path(folder), excerpt)
    table = Table(show_lines=True)
    for title in ("program", "seconds", "clauses named", "conditions named", "repairs"):
        table.add_column(title, overflow="fold")
    for name, answer in told.items():
        lists = (dict.fromkeys(cell) for cell in (answer.clauses, answer.conditions, answer.repairs))
        cells = ("\n".join(f"- {item}" for item in cell) or "none" for cell in lists)
        table.add_row(name, f"{answer.seconds:.1f}", *cells)
    Console(width=WIDTH, highlight=False, markup=False).print(table)
    for name, answer in told.items():
        lines = [line for line in answer.raw.splitlines() if line.strip()]
        print(f"\n{name} was asked, {ASKED[name]}\n")
        print("\n".join(f"    {line[:WIDTH]}{'...' * (len(line) > WIDTH)}" for line in lines[:LINES]))
        print(f"    ({len(lines) - LINES} more lines)\n" * (len(lines) > LINES), end="")


if __name__ == "__main__":
    main()
