"""What a rulebook may not hold: each is refused where it stands, none passes in silence."""

import os
import shutil
from collections.abc import Sequence
from pathlib import Path

import pytest

from lexbelli import (
    Explanation,
    LexBelliError,
    Rulebook,
    RulebookError,
    conclusion,
    load_rulebook,
    load_state,
    moves,
    play,
    repairs,
    value_of,
    values,
    why,
)
from lexbelli.check import check
from lexbelli.phrases import wording

LIBRARY = Path(__file__).parent.parent / "library_rulebook"
HEADING = "%## 2.1  A new clause\n"


@pytest.fixture
def library(tmp_path: Path) -> Path:
    """A copy of the lending rules that a test may damage."""
    folder = tmp_path / "library"
    shutil.copytree(LIBRARY, folder)
    return folder


def add(file: Path, text: str) -> int:
    """Append to a file and return the number of the first new line."""
    before = file.read_text("utf-8")
    file.write_text(f"{before}{text}\n", "utf-8")
    return before.count("\n") + 1


def ask_everything(folder: Path, steps: Sequence[str]) -> None:
    book = load_rulebook(folder)
    moves(book, [load_state(book)])
    wording(book)
    play(book, load_state(book), steps)


def wrong(folder: Path, *steps: str) -> LexBelliError:
    """Return the error of judging a position, or of playing steps."""
    with pytest.raises(LexBelliError) as caught:
        ask_everything(folder, steps)
    assert caught.value.exit_code == 2
    return caught.value


def explained(folder: Path, text: str, *facts: str) -> Explanation:
    add(folder / "rules" / "1_lending.lp", HEADING + text)
    book = load_rulebook(folder)
    return why(book, load_state(book, set=facts), "borrow(ann)")


def conditions(found: Explanation, clause: str) -> list[tuple[bool, str, tuple[str, ...]]]:
    entries = (*found.forbidden_by, *found.permitted_by, *found.would_permit, *found.would_forbid)
    return [(c.met, c.phrase, c.facts) for e in entries if e.clause == clause for c in e.conditions]


# ---- declarations --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("{ maybe }.", "derives one atom"),
        ("one; other.", "derives one atom"),
        ("one : person(ann).", "derives one atom"),
        ("-one.", "derives one atom"),
        ("X = 1 :- X = 1.", "derives one atom"),
        ("&sum { 1 }.", "derives one atom"),
        (":- day(sunday).", "rules out no state"),
        (":~ day(sunday). [1]", "holds rules, not ':~"),
        ("#program other.", "holds rules, not '#program other.'"),
        ("#external one.", "holds rules"),
        ("#const most = 3.", "holds rules, not '#const most = 3.'"),
        ("key(staff(ann),x).", "key belongs to the core"),
        ("unvalued(day).", "unvalued belongs to the core"),
        ("seen__(1).", "names that end in __ are kept for the program"),
        ("#theory one { }.", "holds rules"),
        ("#edge (a,b).", "holds rules"),
        ("#project one/1.", "holds rules"),
        ("#heuristic day(sunday). [1,true]", "holds rules"),
        ('forbids("1.1",borrow(ann)).', "forbids is how a clause speaks"),
        ("forbids(1).", "forbids takes 2 arguments, not 1"),
        ("verdict(borrow(ann),legal).", "verdict belongs to the core"),
        ("available(anything).", "available belongs to the core"),
        ("state(day(sunday)).", "state belongs to the core"),
        ("in_force(none).", "in_force belongs to the core"),
        ("p(é).", "'é' may stand only in quotation marks and comments"),
        ("p(99999999999).", "99999999999 is out of range"),
        ("p(0xFFFFFFFFF).", "0xFFFFFFFFF is out of range"),
        ("p(1).%* %* *% p(0xFFFFFFFF). *% p(0b111111111111111111111111111111111).", "out of range"),
        ("p :- missing(1).", "does not occur in any rule head"),
        ("p(X) :- not person(X).", "unsafe: no positive condition binds X"),
        ("p(" + "f(" * 3000 + "1" + ")" * 3000 + ").", "nested too deeply"),
        ("p(1" + "+1" * 30000 + ").", "nested too deeply"),
        (
            "blocked(borrow(P)) :- person(P), #count { N : books(P,N) } > 0.",
            "is not a plain one",
        ),
        ("#script (python)\n#end.", "embedded scripts are refused"),
    ],
    ids=lambda value: str(value)[:30],
)
def test_a_declaration_is_refused_where_it_stands(library: Path, text: str, what: str) -> None:
    line = add(library / "desk.lp", text)
    error = wrong(library)
    assert what in error.message
    assert error.place is not None
    assert (Path(error.place.file).name, error.place.line) == ("desk.lp", line)


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("one :- not other.  other :- not one.", "the rules do not decide"),
        ("one :- not one.", "the rules contradict themselves"),
        ("action(5).", "action(5): this is no name"),
        ('fact("x").', 'fact("x"): this is no name'),
        ('duty("x").', 'duty("x"): this is no name'),
        ("stage(borrow(ann),first,pay(ann)).", "the stages of an action are numbered"),
        ("quantity(7).", "quantity(7): this is no name"),
        ('actor(sing("a b"),ann).', 'action(sing("a b")): this is no name'),
        ("action(sing((ann,bob))).", "action(sing((ann,bob))): this is no name"),
        ("same(day(monday),day(sunday)).", "this is a fact of its own"),
        ('reads("5","x").', "reads: '5' is not the pattern"),
        ('reads("Foo(","x","y").', "reads: 'Foo(' is not the pattern"),
        ("needed(colour).", "no fact belongs to this group"),
        ("bounds(books,a,b).", "the limits must be numbers"),
        ("group(day(monday),other).", "day(monday) belongs to two groups"),
        ("default_scenario(tuesday).", "default"),
    ],
)
def test_a_declaration_without_sense_is_refused(library: Path, text: str, what: str) -> None:
    add(library / "desk.lp", text)
    assert what in wrong(library).message


@pytest.mark.parametrize(
    "text",
    ["#show day/1.", "#defined later/1.", "pair(1;2).", '% "é" \nreads("x","é").'],
)
def test_what_does_no_harm_is_allowed(library: Path, text: str) -> None:
    add(library / "desk.lp", text)
    book = load_rulebook(library)
    assert len(moves(book, [load_state(book)])[0].moves) == 2


# ---- norms ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "what", "hint"),
    [
        ('forbids("2.1",borrow(ann),day).', "forbids takes 2 arguments, not 3", ""),
        ('permits("2.1",3).', "there is no action 3", ""),
        ('forbids("2.1",borow(ann)).', "there is no action borow(ann)", "borrow(ann)"),
        ('obliges("2.1",setle(ann)).', "there is no duty setle(ann)", "settle(ann)"),
        ('discharges("2.1",settle(ann),pai(ann)).', "there is no action pai(ann)", "pay(ann)"),
        ('sets("2.1",cots(pay(ann)),2).', "there is no quantity cots(pay(ann))", "cost(pay(ann))"),
        ('sets("2.1",cost(pay(ann)),"two").', "which is no number", ""),
        ('sets("2.1",cost(pay(ann)),"5").', "which is no number", ""),
        ('sets("2.1",cost(pay(ann)),#inf).', "which is no number", ""),
        ('overrides("2.1","1.9",borrow(ann)).', "there is no clause 1.9", "1."),
        ('overrides("2.1","1.1",borrowing).', "there is no subject borrowing", ""),
        ('forbid("2.1",borrow(ann)).', "forbid is none of the heads", "forbids"),
        ('forbids("2.1",borrow(ann);"7.7",borrow(bob)).', "a clause says one thing in a rule", ""),
        ('{ forbids("2.1",borrow(ann)) }.', "derives one atom", ""),
        ('initiates("2.1",borrow(ann),books(ann,1..2)).', "not a range", ""),
        ('forbids("2.1",borrow(P)) :- books(P,N), books(P,N+1).', "is not a plain one", ""),
        ('forbids("2.1",borrow(P)) :- person(P), day(monday;sunday).', "is not a plain one", ""),
        (
            'forbids("2.1",borrow(P)) :- person(P), #count { N : books(P,N) } > 0.',
            "is not a plain one",
            "a rule of its own",
        ),
        ('forbids("2.1",borrow(P)) :- person(P), books(P,3) : day(monday).', "is not a plain one", ""),
        ('forbids("2.1",borrow(P)) :- books(_,3).', "unsafe: no positive condition binds P", ""),
        (
            'initiates("2.1",borrow(P),overdue(P)) :- person(P), odd(P).',
            "odd does not occur in any rule head",
            "",
        ),
        ('initiates("2.1",borrow(P),overdue(P)) :- books(_,3).', "unsafe", ""),
    ],
)
def test_a_norm_is_refused_where_it_stands(library: Path, text: str, what: str, hint: str) -> None:
    line = add(library / "rules" / "1_lending.lp", HEADING + text) + 1
    error = wrong(library)
    assert what in error.message
    assert hint in error.hint
    assert error.place is not None
    assert (Path(error.place.file).name, error.place.line) == ("1_lending.lp", line)


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ('initiates("2.1",borrow(P),ovredue(P)) :- person(P).', "there is no fact ovredue(ann)"),
        ('terminates("2.1",borow(P),overdue(P)) :- person(P).', "there is no event borow(ann)"),
    ],
)
def test_an_effect_that_is_wrong_is_told_of_the_clause(library: Path, text: str, what: str) -> None:
    add(library / "rules" / "1_lending.lp", HEADING + text)
    message = wrong(library, "borrow(ann)").message
    assert what in message
    assert "step 1" not in message
    with pytest.raises(RulebookError, match=r"of clause 2\.1: there is no") as caught:
        check(load_rulebook(library))
    assert what in caught.value.message


COINS = """
wide(coin). bounds(coin,0,9). number(coin,(0;1)). number(coin,0..9) :- full(coin).
fact(coin(P,N)) :- person(P), number(coin,N). group(coin(P,N),coin(P)) :- fact(coin(P,N)).
coin(P,N) :- state(coin(P,N)).
reads("coin(P,N)", "{P} has coin {N}", "{P} has no coin {N}").
reads("give(P,N)", "{P} gives coin {N}").
actor(give(P,N),P) :- person(P), number(coin,N).
happening(drop(P,N)) :- coin(P,N).
"""
GIVING = """permits("2.1",give(P,N)) :- coin(P,N).
terminates("2.1",(give(P,N);drop(P,N)),coin(P,N)) :- coin(P,N).
"""


def test_an_event_may_have_a_number_that_is_grounded_on_demand(library: Path) -> None:
    add(library / "desk.lp", COINS)
    add(library / "rules" / "1_lending.lp", HEADING + GIVING)
    book = load_rulebook(library)
    assert not check(book).unknown
    (step,) = play(book, load_state(book, set=["coin(ann,5)"]), ["give(ann,5)"]).steps
    assert [effect.fact for effect in step.effects] == ["coin(ann,5)"]


def test_a_circle_of_priorities_has_a_place(library: Path) -> None:
    line = add(
        library / "rules" / "1_lending.lp",
        f'{HEADING}overrides("2.1","2.2",borrow(ann)).\n'
        '%## 2.2  B\noverrides("2.2","2.1",borrow(ann)).',
    )
    place = wrong(library).place
    assert place is not None
    assert place.line == line + 1


def test_a_clause_that_sets_two_values_is_contested_everywhere(library: Path) -> None:
    add(library / "rules" / "1_lending.lp", f'{HEADING}sets("2.1",cost(borrow(ann)),(2;3)).')
    book = load_rulebook(library)
    state = load_state(book)
    assert value_of(book, state, "cost(borrow(ann))").value == "contested"
    assert [v.value for v in values(book, state) if v.quantity == "cost(borrow(ann))"] == ["contested"]
    assert moves(book, [state])[0].moves[0].cost == "contested"


# ---- explanations --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "facts", "shown"),
    [
        ('forbids("2.1",Action) :- action(Action).', (), []),
        (
            'forbids("2.1",Action) :- action(Action), day(monday).',
            (),
            [(True, "it is monday", ("day(monday)",))],
        ),
        (
            'forbids("2.1",borrow(P)) :- person(P), day((monday;sunday)).',
            (),
            [(True, "it is monday", ("day(monday)",))],
        ),
        (
            'forbids("2.1",borrow(P)) :- books(P,0..3).',
            ("books(ann,2)",),
            [(True, "Ann has 2 books out", ("books(ann,2)",))],
        ),
        (
            'forbids("2.1",borrow(P)) :- books(P,0..3).',
            ("books(ann,5)",),
            [(False, "Ann does not have 0 to 3 books out", ())],
        ),
        (
            "busy(P) :- person(P), day(monday;sunday), books(_,3..5), overdue(_).\n"
            'reads("busy(P)","{P} is busy","{P} is not busy").\n'
            'forbids("2.1",borrow(P)) :- busy(P).',
            ("books(ann,3)", "overdue(bob)"),
            [(True, "Ann is busy", ("books(ann,3)", "overdue(bob)"))],
        ),
        (
            "busy(P) :- person(P), #count { N : books(P,N), N > 1 } > 0.\n"
            'reads("busy(P)","{P} is busy","{P} is not busy").\n'
            'forbids("2.1",borrow(P)) :- busy(P).',
            ("books(ann,3)",),
            [(True, "Ann is busy", ())],
        ),
        (
            "busy(P) :- person(P), books(P,N) : day(monday), N = 3.\n"
            'reads("busy(P)","{P} is busy","{P} is not busy").\n'
            'forbids("2.1",borrow(P)) :- busy(P).',
            ("books(ann,3)",),
            [(True, "Ann is busy", ())],
        ),
        (
            'forbids("2.1",(A;B)) :- action(A), action(B), day(monday).',
            (),
            [(True, "it is monday", ("day(monday)",))],
        ),
        (
            'forbids("2.1",borrow(Anyone)) :- staff(Anyone).',
            ("staff(bob)",),
            [(False, "Ann is not staff", ())],
        ),
        (
            'forbids("2.1",borrow(P)) :- books(P,N), not N < 2.',
            ("books(ann,2)",),
            [(True, "Ann has 2 books out (at least 2)", ("books(ann,2)",))],
        ),
        (
            'forbids("2.1",borrow(P)) :- books(P,N), 2 <= N.',
            ("books(ann,1)",),
            [(False, "Ann has 1 books out, not at least 2", ("books(ann,1)",))],
        ),
        (
            'forbids("2.1",borrow(P)) :- person(P), day(D), D != monday.',
            (),
            [(False, "it is monday, not other than monday", ("day(monday)",))],
        ),
        (
            'forbids("2.1",borrow(P)) :- person(P), books(Q,N), N > 2, staff(Q).',
            ("books(bob,4)", "staff(ann)"),
            [
                (
                    False,
                    "not of one and the same: any q has any n books out (above 2) and any q is staff",
                    ("books(bob,4)", "staff(ann)"),
                )
            ],
        ),
        (
            'label(P,"late one") :- overdue(P).\nforbids("2.1",borrow(P)) :- label(P,"late one").',
            ("overdue(ann)",),
            [(True, 'label(ann,"late one")', ("overdue(ann)",))],
        ),
        (
            'seen(P) :- staff(P).\nreads("seen(P)","{P} was seen","{P} was not seen").\n'
            'forbids("2.1",borrow(P)) :- seen(P).',
            ("staff(ann)",),
            [(True, "Ann was seen", ("staff(ann)",))],
        ),
    ],
)
def test_what_decides_is_explained_however_it_is_written(
    library: Path,
    text: str,
    facts: tuple[str, ...],
    shown: list[tuple[bool, str, tuple[str, ...]]],
) -> None:
    found = explained(library, text, *facts)
    assert conditions(found, "2.1") == shown
    if all(met for met, _, _ in shown):
        assert "2.1" in found.move.clauses
        assert "2.1" in [entry.clause for entry in found.forbidden_by]


DUTIES = (
    'obliges("2.1",settle(P)) :- staff(P).\nobliges("2.1",settle(P)) :- books(P,5).\n'
    'discharges("2.1",settle(P),borrow(P)) :- person(P).'
)


def test_each_rule_that_imposes_a_duty_is_a_reason_of_its_own(library: Path) -> None:
    found = explained(library, DUTIES, "staff(ann)")
    assert "2.1" in found.move.clauses
    assert [e.clause for e in found.permitted_by if e.head == "obliges"] == ["2.1"]
    assert [e.clause for e in found.would_permit if e.head == "obliges"] == ["2.1"]


def test_a_way_to_meet_a_duty_that_nothing_imposes_grants_nothing(library: Path) -> None:
    found = explained(library, 'discharges("2.1",settle(P),borrow(P)) :- person(P).')
    assert "2.1" not in found.move.clauses
    assert "2.1" not in [e.clause for e in (*found.permitted_by, *found.would_permit)]


def test_a_lifted_duty_grants_nothing(library: Path) -> None:
    add(library / "rules" / "1_lending.lp", f'{HEADING}overrides("2.1","1.5",settle(P)) :- staff(P).')
    book = load_rulebook(library)
    found = why(book, load_state(book, set=["staff(ann)", "overdue(ann)"]), "pay(ann)")
    assert found.move.verdict == "not_permitted"
    assert found.permitted_by == ()
    assert [(e.clause, e.by) for e in found.overridden] == [("1.5", ("2.1",))]


def test_a_fact_that_holds_by_meaning_and_is_denied_is_contested(library: Path) -> None:
    add(
        library / "desk.lp",
        "derivable(happy(P)) :- person(P).\ndrawn(happy(P)) :- staff(P).\n"
        'reads("happy(P)","{P} is happy","{P} is sad").',
    )
    add(library / "rules" / "1_lending.lp", f'{HEADING}denies("2.1",happy(P)) :- overdue(P).')
    book = load_rulebook(library)
    found = conclusion(book, load_state(book, set=["staff(ann)", "overdue(ann)"]), "happy(ann)")
    assert (found.holds, found.clauses) == ("contested", ("2.1",))


def test_a_value_between_those_that_are_grounded_is_found(library: Path) -> None:
    add(
        library / "desk.lp",
        "wide(points).  bounds(points,0,9).\nfact(points(P,N)) :- person(P), N = 0..9, full(points).\n"
        "fact(points(P,0)) :- person(P).\ngroup(points(P,N),points(P)) :- fact(points(P,N)).\n"
        "points(P,N) :- state(points(P,N)).\n"
        'reads("points(P,N)","{P} has {N} points","{P} does not have {N} points").\n'
        "actor(sing(P),P) :- person(P).",
    )
    add(library / "rules" / "1_lending.lp", f'{HEADING}opens("2.1",sing(P)) :- points(P,N), N >= 5.')
    book = load_rulebook(library)
    ((change,),) = repairs(book, load_state(book), "sing(ann)")
    assert (change.fact, change.low, change.high) == ("points(ann,5)", 5, 9)


# ---- files ---------------------------------------------------------------------------------------


def _rename(folder: Path) -> None:
    (folder / "rules").rename(folder / "clauses")


def _upper_case(folder: Path) -> None:
    (folder / "desk.lp").rename(folder / "desk.LP")


def _bury(folder: Path) -> None:
    (folder / "rules" / "deeper").mkdir()
    shutil.copy(folder / "rules" / "1_lending.lp", folder / "rules" / "deeper")


def _old_line_ends(folder: Path) -> None:
    chapter = folder / "rules" / "1_lending.lp"
    chapter.write_bytes(chapter.read_bytes().replace(b"\n", b"\r"))


def _no_chapter(folder: Path) -> None:
    (folder / "rules" / "1_lending.lp").unlink()


def _no_clause(folder: Path) -> None:
    (folder / "rules" / "1_lending.lp").write_text("% nothing\n", "utf-8")


def _pipe(folder: Path) -> None:
    os.mkfifo(folder / "rules" / "2.lp")


def _link(folder: Path) -> None:
    (folder.parent / "outside.lp").write_text("outside.\n", "utf-8")
    (folder / "rules" / "2.lp").symlink_to(folder.parent / "outside.lp")


def _foreign_scenario(folder: Path) -> None:
    (folder.parent / "outside.lp").write_text("day(sunday).\n", "utf-8")
    (folder / "scenarios" / "sunday.lp").symlink_to(folder.parent / "outside.lp")


def _chain(folder: Path) -> None:
    (folder / "parts").mkdir()
    (folder / "parts" / "a.lp").write_text('#include "b.lp".\n', "utf-8")
    (folder / "parts" / "b.lp").write_text("#script (python)\n#end.\n", "utf-8")
    add(folder / "desk.lp", '#include "parts/a.lp".')


@pytest.mark.parametrize(
    ("damage", "what"),
    [
        (_rename, "holds no rulebook"),
        (_upper_case, "a program file ends in .lp"),
        (_bury, "no chapter includes this file"),
        (_old_line_ends, "carriage return"),
        (_no_chapter, "is empty"),
        (_no_clause, "hold no clause"),
        (_pipe, "no regular file"),
        (_link, "a link to a file outside"),
        (_foreign_scenario, "a link to a file outside"),
        (_chain, "embedded scripts are refused"),
    ],
)
def test_files_that_would_be_missed_or_misread(library: Path, damage: object, what: str) -> None:
    assert callable(damage)
    damage(library)
    error = wrong(library)
    assert what in error.message
    assert error.place is not None


def test_an_include_does_not_read_the_working_directory(
    library: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "part.lp").write_text("from_here.\n", "utf-8")
    (library / "part.lp").write_text("from_there.\n", "utf-8")
    add(library / "desk.lp", '#include "part.lp".')
    monkeypatch.chdir(tmp_path)
    assert "the working directory has another file" in wrong(library).message


def test_line_ends_of_windows_are_fine(library: Path) -> None:
    chapter = library / "rules" / "1_lending.lp"
    chapter.write_bytes(chapter.read_bytes().replace(b"\n", b"\r\n"))
    book: Rulebook = load_rulebook(library)
    assert [clause.id for clause in book.clauses][:2] == ["1.1", "1.2"]
