"""Two editions compared, by lexbelli and by a tool that looks for counterexamples to equivalence.

Run it as `python tests/benchmarks/comparing.py`. The tool, anthem-cx, wants an environment of its own:
the environment variable ANTHEM_CX names its program, or it stands on PATH; where it is not there, it is
left out.

Both compare the whole rulebook, and an excerpt, made here from the loaded editions: all that clauses
say about two kinds of action, one that the change is about and one that it is not, with what those
conditions rest on. Left out are conclusions, through which other clauses come in, whose turn it is, and
the facts on which nothing here rests. anthem-cx reads a rulebook as two programs, whose input is a
position and whose output are the answers, with an assumption that says which positions there are. It
stops at the first difference, so of the excerpt it is asked once for each kind of action.
"""

import json
import os
import re
import shutil
import sys
import tempfile
from collections.abc import Collection, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from clingo.ast import AST, ASTType
from explaining import Told, ask
from rich.console import Console
from rich.table import Table

from lexbelli import Rulebook, load_rulebook, load_state
from lexbelli.alone import VALUED
from lexbelli.literals import atom_of, is_plain
from lexbelli.locate import core_files
from lexbelli.norms import HEADS as NORMS
from lexbelli.norms import Norm
from lexbelli.rulebook import session, switches
from lexbelli.shapes import head_name

OLD, NEW = "earlier", "current"
KINDS = ("deploy_freely", "subvert")
HEADS = {"permits", "opens", "meets", "forbids", "overrides"}
LEFT_OUT = {"follows", "in_play"}  # conclusions; what bounds the garrison
OF_POSITIONS = {"fact", "group", "needed", "same", "impossible"}  # kept for the facts that matter
OF_ACTIONS = {"actor", "blocked"}  # kept for these kinds of action
ALWAYS = {"action", "actor", "blocked", "bounds", "wide", "default_scenario"}
WORDS = {"reads", "reads_none"}
LONGEST, LINES, A_FEW, WIDTH = 120, 14, 3, 130
COLUMNS = (
    "seconds", "is there a difference?", "facts in a witness", "answers told", "clauses responsible",
    "range where it holds", "alike in all positions",
)  # fmt: skip

# What anthem-cx compares: answers, of effects where their event can happen.
GUIDE = "input: state/1. output: told/3."
TOLD = """
told(Kind,Subject,Answer) :- comes_to(Kind,Subject,Answer), Kind != effect.
told(effect,change(Event,Fact),Answer) :- comes_to(effect,change(Event,Fact),Answer), can_happen(Event).
"""
TOLD_OF = "told(action,Action,Answer) :- comes_to(action,Action,Answer), Action = {kind}(_,_)."
# The positions: `__dom` is its name for the terms that inputs are made of. With no other terms in it
# (--no-program-constants, --max=0) it looks through every position there is.
POSITIONS = """
__dom(Fact) :- fact(Fact).
:- group(_,Group), #count { Fact : state(Fact), group(Fact,Group) } > 1.
:- needed(Group),  #count { Fact : state(Fact), group(Fact,Group) } < 1.
:- impossible(_).
"""
# That a position has one model it sees by itself where no circle of rules goes through a negation. Of
# the whole rulebook it is told so: as it is, it would guess and check, and not be done in minutes.
ONE_MODEL = "--uniqueness-check=skip"
OVERLAY = f"%# title: {OLD}\n%# date: undated\n%# for: {NEW}\n%# reason: an excerpt\n"


def write_programs(folder: Path, books: Sequence[Rulebook], told: str = TOLD) -> Path:
    """Write two rulebooks for anthem-cx, with what is told of them and which positions there are."""
    folder.mkdir()
    for name, book in zip((OLD, NEW), books, strict=True):
        on = [switches(book, frozenset()), "full(Name) :- wide(Name).", VALUED]
        rules = [str(s) for s in book.statements if s.ast_type is ASTType.Rule and not is_word(s)]
        compared = [str(s) for s in (*book.effects, *book.compare) if s.ast_type is ASTType.Rule]
        (folder / f"{name}.lp").write_text("\n".join([*rules, *compared, *on, told]))
        if name == NEW:
            (folder / "positions.lp").write_text("\n".join([*rules, *on, POSITIONS]))
    (folder / "guide.ug").write_text(GUIDE)
    return folder


def write_excerpt(folder: Path, old: Rulebook, new: Rulebook) -> Path:
    """Write a rulebook of two editions with what clauses say about the kinds of action."""
    for name in ("rules", "editions", "scenarios"):
        (folder / name).mkdir(parents=True)
    lines, facts = beside_clauses(old, new)
    (folder / "excerpt.lp").write_text("\n".join(lines))
    before, after = spoken(old), spoken(new)
    chapter = "\n".join(heading(new, clause, rules) for clause, rules in after.items())
    (folder / "rules" / "excerpt.lp").write_text(chapter)
    overlay = [OVERLAY]
    for clause in sorted(c for c in {*before, *after} if before.get(c) != after.get(c)):
        if clause not in before:
            overlay.append(heading(new, clause, ["% withdrawn: it is not in this edition"]))
        else:
            way = ["% redefined: it differs"] if clause in after else []
            overlay.append(heading(old, clause, [*way, *before[clause]]))
    (folder / "editions" / f"{OLD}.lp").write_text("\n".join(overlay))
    for name in new.scenarios():
        held = [f"{f}.\n" for f in load_state(new, name).facts if subject(f, 0) in facts]
        (folder / "scenarios" / f"{name}.lp").write_text("".join(held))
    return folder


def beside_clauses(*books: Rulebook) -> tuple[list[str], set[str]]:
    """Return what the conditions of the clauses rest on: rules with words, and the names of facts."""
    plain = [plain_rules(book) for book in books]
    both = {text: rule for rules in plain for text, rule in rules.items()}
    below: dict[str, set[str]] = {}
    for rule in both.values():
        if head_name(rule) not in OF_POSITIONS:
            below.setdefault(head_name(rule), set()).update(called(rule.body))
    needed = reach(ALWAYS.union(*(called(n.body) for book in books for n in norms(book))), below)
    known = {subject(fact, 0) for book in books for fact in session(book).facts}
    facts = known & needed
    kept = set()  # what the positions are
    for text, rule in both.items():
        rests = reach(called(rule.body), below)
        if head_name(rule) == "impossible":
            matters = rests & known <= facts
        else:
            matters = head_name(rule) in OF_POSITIONS and subject(text) in facts
        if matters:
            kept.add(text)
            needed |= rests
    lines = [t for t, r in both.items() if t in kept or head_name(r) in needed - OF_POSITIONS]
    for name in {head_name(both[text]) for text in lines}:  # rules of both editions stand together
        told = [{t for t, r in rules.items() if head_name(r) == name} for rules in plain]
        assert told[0] == told[1] or not all(told), f"{name} differs between the editions"
    words = dict.fromkeys(str(s) for book in books for s in book.statements if is_word(s))
    about = needed.union(KINDS)
    lines += [w for w in words if not about.isdisjoint(re.findall(r'\("(?:\w+\()?(\w+)', w))]
    return lines, facts


def plain_rules(book: Rulebook) -> dict[str, AST]:
    """Return the rules of a rulebook's own that are neither norms nor words, but what is left out."""
    core = {str(path) for path in core_files()}
    own = (s for s in book.statements if s.location.begin.filename not in core and not is_word(s))
    rules = ((str(s), s) for s in own if s.ast_type is ASTType.Rule and not called(s.body) & LEFT_OUT)
    kept = {text: rule for text, rule in rules if head_name(rule) not in NORMS}
    return {t: r for t, r in kept.items() if head_name(r) not in OF_ACTIONS or subject(t) in KINDS}


def reach(names: Collection[str], below: Mapping[str, set[str]]) -> set[str]:
    """Return what these names rest on, with themselves."""
    reached: set[str] = set()
    waiting = set(names)
    while waiting:
        reached |= waiting
        waiting = {lower for name in waiting for lower in below.get(name, ())} - reached
    return reached


def norms(book: Rulebook) -> list[Norm]:
    """Return the rules of clauses about the kinds of action."""
    return [n for n in book.norms if n.head in HEADS and any(map(n.may_be_about, KINDS))]


def spoken(book: Rulebook) -> dict[str, list[str]]:
    """Return the rules of clauses about the kinds of action, without what else they are about."""
    said: dict[str, list[str]] = {}
    for norm in norms(book):
        body = "; ".join(map(str, norm.body)) or "#true"
        for terms in norm.terms:
            if str(terms[-1]).startswith(KINDS):
                told = ",".join([f'"{norm.clause}"', *map(str, terms)])
                said.setdefault(norm.clause, []).append(f"{norm.head}({told}) :- {body}.")
    return said


def heading(book: Rulebook, number: str, lines: Iterable[str]) -> str:
    """Write a clause with its heading."""
    clause = book.clause(number)
    assert clause is not None
    return "\n".join([f"%## {number}  {clause.title}", *lines, ""])


def is_word(statement: AST) -> bool:
    """Say whether this is a rule that says how something reads."""
    return statement.ast_type is ASTType.Rule and head_name(statement) in WORDS


def called(body: Iterable[AST]) -> set[str]:
    """Return the names of the atoms in a body."""
    return {atom_of(literal).name for literal in body if is_plain(literal)}


def subject(text: str, place: int = 1) -> str:
    """Return a name in an atom or rule: by default the one behind its own."""
    names: list[str] = re.findall(r"[a-z]\w*", text)
    return names[place]


def ask_lexbelli(book: Rulebook) -> tuple[Told, list[str]]:
    """Ask lexbelli about a rulebook of two editions, and again as data, to read off what it told."""
    command = [sys.executable, "-m", "lexbelli", "errata", OLD, NEW, "--no-findings"]
    command += ["--rulebook", str(book.root)]
    told, data = (ask([*command, *more], longest=LONGEST) for more in ((), ("--format", "json")))
    if not data.raw.startswith("{"):
        return told, [data.raw]
    answer: dict[str, Any] = json.loads(data.raw)
    differing = [one for one in answer["subjects"] if one["relation"] != "equivalent"]
    witnesses = [witness for one in differing for witness in one["witnesses"]]
    sizes, changes = [], []
    for state in (witness["state"] for witness in witnesses):
        facts = load_state(book, state["base"], set=state["set"], unset=state["unset"]).facts
        sizes.append(len(facts))
        changes.append(len(state["set"]) + len(state["unset"]))
    ranges = (one for witness in witnesses for one in witness["ranges"])
    return told, [
        f"{answer['relation']}: {len(differing)} of {len(answer['subjects'])} subjects differ",
        f"{span(sizes)}: a scenario, {span(changes)} changed",
        some(f"{answer_of(witness, 'old')}, now {answer_of(witness, 'new')}" for witness in witnesses),
        some(clause for witness in witnesses for clause in witness["causes"]),
        some(f"{one['fact']}: {one['from']} to {one['to']}" for one in ranges),
        some((line.partition(" are ")[0] for line in answer["proved"]), len(answer["proved"])),
    ]


def ask_anthem_cx(command: list[str], folder: Path, book: Rulebook) -> tuple[Told, list[str]]:
    """Ask anthem-cx about two programs, and return what it told in words."""
    files = ["--assumptions=positions.lp", f"{OLD}.lp", f"{NEW}.lp", "guide.ug"]
    told = ask([*command, "--log=error", "--no-program-constants", "--max=0", *files], folder, LONGEST)
    first = told.raw.partition("\n")[0]
    facts = re.findall(r"Input for the counterexample:\n +(.*)", told.raw)
    behavior = re.findall(r"External behavior of (left|right):\n *(.*)", told.raw)
    sides = {"left": OLD, "right": NEW}
    return told, [
        first,
        some(str(line.count("state(")) for line in facts),
        some(f"all {atoms.count('told(')} of {sides[side]} alone" for side, atoms in behavior),
        some(clause.id for clause in book.clauses if f'"{clause.id}"' in told.raw),
        some(re.findall(r"\d+(?:\.\.| to )\d+", told.raw)),
        first if first.startswith("No counterexample") else "none",
    ]


def answer_of(witness: Mapping[str, Any], side: str) -> str:
    """Return the answer of one edition, or that it has none."""
    return "no answer" if witness[side] is None else str(witness[side])


def span(numbers: Collection[int]) -> str:
    """Write the least and the greatest of some numbers."""
    ends = sorted({min(numbers, default=0), max(numbers, default=0)})
    return " to ".join(map(str, ends))


def some(items: Iterable[str], shown: int = A_FEW) -> str:
    """Write a few different items of a list, and how many more there are."""
    different = list(dict.fromkeys(items))
    more = [f"and {len(different) - shown} more"] if len(different) > shown else []
    return "\n".join([*different[:shown], *more]) or "none"


def main() -> None:
    """Ask and print."""
    books = [load_rulebook(edition=edition) for edition in (OLD, NEW)]
    print(f"the editions {OLD} and {NEW}; the excerpt is about {' and '.join(KINDS)}\n")
    program = shutil.which(os.environ.get("ANTHEM_CX", "anthem-cx"))
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name).resolve()
        excerpt = write_excerpt(folder / "excerpt", *books)
        short = [load_rulebook(excerpt, edition) for edition in (OLD, NEW)]
        answers = {"lexbelli, whole": ask_lexbelli(books[1])}
        answers["lexbelli, excerpt"] = ask_lexbelli(short[1])
        if program is None:
            print("anthem-cx: not installed, left out\n")
        else:
            command = [str(Path(program).absolute())]
            whole = write_programs(folder / "whole", books)
            answers["anthem-cx, whole"] = ask_anthem_cx([*command, ONE_MODEL], whole, books[0])
            for kind in KINDS:
                part = write_programs(folder / kind, short, TOLD_OF.format(kind=kind))
                answers[f"anthem-cx, {kind}"] = ask_anthem_cx(command, part, books[0])
    table = Table(show_lines=True)
    for title in ("", *answers):
        table.add_column(title, overflow="fold")
    for place, title in enumerate(COLUMNS):
        columns = ([f"{told.seconds:.1f}", *words] for told, words in answers.values())
        table.add_row(title, *(words[place] if place < len(words) else "" for words in columns))
    Console(width=WIDTH, highlight=False, markup=False).print(table)
    for name, (told, _) in answers.items():
        if name.startswith("anthem-cx"):
            lines = [line for line in told.raw.splitlines() if line.strip()][:LINES]
            print(f"\n{name}:\n")
            print("\n".join(f"    {line[:WIDTH]}{'...' * (len(line) > WIDTH)}" for line in lines))


if __name__ == "__main__":
    main()
