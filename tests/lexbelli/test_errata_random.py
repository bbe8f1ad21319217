"""Random pairs of overlays: what is said of them agrees with judging many positions one by one."""

import random
import shutil
from pathlib import Path

import pytest
from tests.overlay_texts import LIBRARY, erratum

from lexbelli import Rulebook, State, load_rulebook
from lexbelli.comparison import Comparison, Shown, compare
from lexbelli.moves import action_owners, read_moves
from lexbelli.search import Deadline
from lexbelli.states import session_for
from lexbelli.terms import split_arguments

PAIRS = 25
STATES = 200
PEOPLE = ("ann", "bob")

# a fact that clauses conclude and deny, and on which a permission rests
TRUST = """
%## 1.7  Staff are trusted
concludes("1.7",trusted(Person)) :- staff(Person), not overdue(Person).

%## 1.8  Readers with many books are not
denies("1.8",trusted(Person)) :- books(Person,Number), Number > 6.

%## 1.9  Who is trusted may borrow on Sunday
permits("1.9",borrow(Person)) :- holds(trusted(Person)).
overrides("1.9","1.2",borrow(Person)) :- holds(trusted(Person)).
"""
DECLARED = """
reads("trusted(Person)", "{Person} is trusted", "{Person} is not trusted").
derivable(trusted(Person)) :- person(Person).
"""
CONDITIONS = (
    "", ", staff(Person)", ", not staff(Person)", ", overdue(Person)", ", not overdue(Person)",
    ", day(sunday)", ", not day(sunday)", ", money(Person,Coins), Coins > 2", ", books(Person,0)",
    ", books(Person,Count), Count < 5",
)  # fmt: skip


def redefinition(clause: str, rng: random.Random) -> str:
    """Return the rules of a clause with thresholds shifted and conditions dropped or added."""
    extra = rng.choice(CONDITIONS)
    number = rng.randint(0, 9)
    rules = {
        "1.1": f'permits("1.1",borrow(Person)) :- person(Person){extra}.',
        "1.2": f'forbids("1.2",borrow(Person)) :- person(Person), day(sunday){extra}.',
        "1.3": f'permits("1.3",borrow(Person)) :- staff(Person){extra}.\n'
        + rng.choice(['overrides("1.3","1.2",borrow(Person)) :- staff(Person).', ""]),
        "1.4": f'forbids("1.4",borrow(Person)) :- books(Person,Number), Number >= {number}.\n'
        f'meets("1.4",borrow(Person)) :- books(Person,Number), Number < {number}.',
        "1.5": f'obliges("1.5",settle(Person)) :- overdue(Person){extra}.\n'
        'discharges("1.5",settle(Person),pay(Person)) :- overdue(Person).\n'
        f'sets("1.5",cost(pay(Person)),{rng.randint(0, 6)}) :- person(Person){rng.choice(CONDITIONS)}.',
        "1.6": 'initiates("1.6",borrow(Person),books(Person,Number+1)) :- '
        f"books(Person,Number), Number < {number}.\n"
        f'terminates("1.6",pay(Person),overdue(Person)) :- overdue(Person){extra}.',
        "1.7": f'concludes("1.7",trusted(Person)) :- staff(Person){extra}.',
        "1.8": f'denies("1.8",trusted(Person)) :- books(Person,Number), Number > {number}{extra}.',
        "1.9": f'permits("1.9",borrow(Person)) :- holds(trusted(Person)){extra}.',
    }
    return f"%## {clause}  Again\n% redefined: at random\n{rules[clause]}\n"


def random_overlay(rng: random.Random) -> dict[str, str]:
    """Return what an overlay says of some clauses."""
    return {
        clause: redefinition(clause, rng)
        if rng.random() < 0.75
        else f"%## {clause}  Gone\n% withdrawn: at random\n"
        for clause in sorted(rng.sample([f"1.{n}" for n in range(1, 10)], rng.randint(1, 3)))
    }


def random_state(rng: random.Random) -> State:
    facts = [f"day({rng.choice(['monday', 'sunday'])})"]
    for person in PEOPLE:
        facts += [f"{name}({person})" for name in ("overdue", "staff") if rng.random() < 0.5]
        facts += [f"books({person},{rng.randint(0, 9)})"] if rng.random() < 0.8 else []
        facts += [f"money({person},{rng.randint(0, 5)})"] if rng.random() < 0.7 else []
    return State("random", tuple(sorted(facts)))


def naive(book: Rulebook, state: State) -> dict[tuple[str, str], str]:
    """Return every answer on one position by judging it; what is not said is left out."""
    grounded = session_for(book, state.facts, effects=True)
    judged = grounded.judge(state.facts)
    found = {("action", m.action): m.verdict for m in read_moves(judged, action_owners(grounded))}
    found |= {("duty", duty): status for duty, status in judged.of("status")}
    for fact in judged.names("holds"):
        found["conclusion", fact] = "true"
    for _, fact in judged.of("denied"):
        found["conclusion", fact] = "contested" if (fact,) in judged.of("disputed") else "false"
    fixed: dict[str, set[str]] = {}
    for _, quantity, value in judged.of("fixes"):
        fixed.setdefault(quantity, set()).add(value)
    found |= {("quantity", q): v.pop() if len(v) == 1 else "contested" for q, v in fixed.items()}
    for kind, action in list(found):
        if kind == "action" and found[kind, action] == "legal":  # with what it costs
            found[kind, action] = f"legal {found.get(('quantity', f'cost({action})'))}"
    for name, word in (("starts", "starts"), ("stops", "ends")):
        for _, action, fact in judged.of(name):
            key = "effect", f"change({action},{fact})"
            found[key] = f"{found[key]} and {word}" if found.get(key, word) != word else word
    return found


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("random") / "library"
    shutil.copytree(LIBRARY, folder)
    for file, text in ((folder / "rules" / "1_lending.lp", TRUST), (folder / "desk.lp", DECLARED)):
        file.write_text(file.read_text("utf-8") + text, "utf-8")
    return folder


def laid(library: Path, overlay: dict[str, str]) -> Rulebook:
    """Return the rulebook with an overlay laid over it; an empty one changes nothing."""
    text = "".join(overlay[clause] for clause in sorted(overlay))
    return load_rulebook(library, errata=[erratum(library, text)] if text else [])


@pytest.mark.parametrize("seed", range(PAIRS))
def test_what_is_said_of_a_random_pair_agrees_with_judging_positions(library: Path, seed: int) -> None:
    rng = random.Random(seed)
    old, new = random_overlay(rng), random_overlay(rng)
    books = laid(library, old), laid(library, new)
    found = compare(*books, Deadline(60))
    equivalent_is_equivalent(found, books, rng)
    between: dict[frozenset[str], Rulebook] = {}
    for one in found.differences:
        assert one.shown
        ways = {shown.way for shown in one.shown}
        legality = ways - {"changed"} or ways
        assert one.relation == ("both" if len(legality) == 2 else legality.pop())
        for shown in one.shown:
            key = one.kind, one.subject
            answers = [naive(book, shown.state).get(key) for book in books]
            shows_what_it_says(shown, answers)

            def answer(made: frozenset[str], key=key, shown=shown) -> str | None:
                """Return the answer with the changes of some clauses alone."""
                if made not in between:
                    kept = {c: text for c, text in old.items() if c not in made}
                    between[made] = laid(library, kept | {c: new[c] for c in made if c in new})
                return naive(between[made], shown.state).get(key)

            every = frozenset(found.changed)
            needed = {clause for clause in every if answer(every - {clause}) != answers[1]}
            if needed:
                assert {*shown.causes} == needed, (one.subject, shown)
            else:  # each of several would do alone
                assert answer(frozenset(shown.causes)) != answers[0], (one.subject, shown)


def equivalent_is_equivalent(
    found: Comparison, books: tuple[Rulebook, Rulebook], rng: random.Random
) -> None:
    """Look for a difference in random positions where there should be none."""
    told = {(one.kind, one.subject): one.relation for one in found.differences}
    alike = {(kind, subject) for kind, ones in found.equivalent.items() for subject in ones}
    assert not alike & told.keys()
    for _ in range(STATES):
        state = random_state(rng)
        old, new = (naive(book, state) for book in books)
        for key in old.keys() | new.keys():
            before, after = old.get(key), new.get(key)
            if before == after or not (happens(key, old) and happens(key, new)):
                continue
            assert key in told, (state.facts, key, before, after)
            for way in ("stricter", "looser"):
                if key[0] == "action" and tells(way, before, after):
                    assert told[key] in (way, "both"), (state.facts, key, before, after)


def happens(key: tuple[str, str], answers: dict[tuple[str, str], str]) -> bool:
    """Say whether a difference counts: what an event changes does where the event can happen."""
    return key[0] != "effect" or answers["action", split_arguments(key[1])[0]].startswith("legal")


def shows_what_it_says(shown: Shown, answers: list[str | None]) -> None:
    """Check the answers of both sides in a witness."""
    said = [None if one.answer in ("unsaid", "none") else one.answer for one in (shown.old, shown.new)]
    costs = (shown.old.cost, shown.new.cost)
    assert [f"{a} {c}" if a == "legal" else a for a, c in zip(said, costs, strict=True)] == answers
    assert tells(shown.way, *answers)


def tells(way: str, old: str | None, new: str | None) -> bool:
    """Say whether two answers differ in this way."""
    legal = (old or "").startswith("legal"), (new or "").startswith("legal")
    return {"stricter": legal == (True, False), "looser": legal == (False, True)}.get(way, old != new)
