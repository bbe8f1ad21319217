"""Editions and errata laid over a rulebook: what they change and what they leave."""

import shutil
from pathlib import Path

import pytest
from tests.overlay_texts import FREE_STAFF, HEAD, LIBRARY, NO_SUNDAY, TWO_BOOKS, erratum

from lexbelli import (
    Overlay,
    Rulebook,
    duties,
    find_clauses,
    judged_move,
    load_rulebook,
    load_state,
    play,
    value_of,
    why,
)
from lexbelli.clauses import find_withdrawn, rules_as_written


@pytest.fixture
def library(tmp_path: Path) -> Path:
    """A copy of the lending rules that a test may add to."""
    folder = tmp_path / "library"
    shutil.copytree(LIBRARY, folder)
    return folder


def verdict(book: Rulebook, action: str, *facts: str) -> tuple[str, tuple[str, ...]]:
    move = judged_move(book, load_state(book, set=facts), action)
    return move.verdict, move.clauses


# ---- what an overlay does ------------------------------------------------------------------------


def test_a_clause_is_redefined(library: Path) -> None:
    path = erratum(library, TWO_BOOKS)
    book = load_rulebook(library, errata=[path])
    assert verdict(book, "borrow(ann)", "books(ann,2)") == ("contested", ("1.1", "1.4"))
    assert verdict(load_rulebook(library), "borrow(ann)", "books(ann,2)") == ("legal", ("1.1", "1.4"))
    clause = book.clause("1.4")
    assert clause is not None
    assert (clause.title, clause.place.file) == ("Two books at most", str(path))
    assert [c.id for c in book.clauses] == ["1.1", "1.2", "1.3", "1.4", "1.5", "1.6"]
    assert "% redefined" not in rules_as_written(clause)


def test_a_clause_is_withdrawn(library: Path) -> None:
    book = load_rulebook(library, errata=[erratum(library, NO_SUNDAY)])
    assert verdict(book, "borrow(ann)", "day(sunday)") == ("legal", ("1.1", "1.4"))
    assert book.clause("1.2") is None
    assert [(o.name, c.clause, c.reason) for o, c in find_withdrawn(book)] == [
        ("correction", "1.2", "the desk is open on Sunday")
    ]
    assert find_clauses(book, "1.2") == []


def test_a_clause_may_stand_above_one_that_is_withdrawn(library: Path) -> None:
    book = load_rulebook(library, errata=[erratum(library, NO_SUNDAY)])
    facts = ("day(sunday)", "staff(ann)")
    assert verdict(book, "borrow(ann)", *facts) == ("legal", ("1.1", "1.3", "1.4"))


def test_a_clause_is_added_in_the_order_of_its_number(library: Path) -> None:
    book = load_rulebook(library, errata=[erratum(library, FREE_STAFF)])
    assert [c.id for c in book.clauses] == ["1.1", "1.2", "1.3", "1.4", "1.5", "1.6", "1.21"]
    state = load_state(book, set=["staff(ann)"])
    assert value_of(book, state, "cost(pay(ann))").value == 0
    assert value_of(book, state, "cost(pay(bob))").value == 2


def test_an_added_clause_stands_where_the_overlay_has_it_among_its_siblings(library: Path) -> None:
    extra = '%## 1.{0}  More\nsets("1.{0}",cost(borrow(ann)),1).\n'
    text = TWO_BOOKS + extra.format(9) + extra.format(8)
    book = load_rulebook(library, errata=[erratum(library, text)])
    assert [c.id for c in book.clauses] == ["1.1", "1.2", "1.3", "1.4", "1.9", "1.8", "1.5", "1.6"]


def test_what_an_overlay_is(library: Path) -> None:
    head = HEAD.replace("to test it", "to test it\n%#         on two lines")
    path = erratum(library, TWO_BOOKS + NO_SUNDAY + FREE_STAFF, head=head)
    (overlay,) = load_rulebook(library, errata=[path]).overlays
    assert isinstance(overlay, Overlay)
    assert overlay.name == "correction"
    assert overlay.title == "A correction"
    assert overlay.date == "2003-05-01"
    assert overlay.made_for == "current"
    assert overlay.reason == "to test it on two lines"
    assert overlay.path == path
    assert overlay.redefines == ("1.4",)
    assert overlay.adds == ("1.21",)
    assert overlay.withdraws == ("1.2",)
    assert overlay.changes[0].reason == "two books instead of three"
    assert str(overlay.changes[0].place) == f"{path}:7:1"


def test_an_overlay_may_be_a_folder(library: Path) -> None:
    folder = erratum(library, TWO_BOOKS, "corrections/first.lp").parent
    (folder / "second.lp").write_text(NO_SUNDAY, "utf-8")
    (folder / "notes.txt").write_text("no program", "utf-8")
    book = load_rulebook(library, errata=[folder])
    assert book.overlays[0].name == "corrections"
    assert verdict(book, "borrow(ann)", "day(sunday)", "books(ann,1)")[0] == "legal"
    assert verdict(book, "borrow(ann)", "day(sunday)", "books(ann,2)")[0] == "contested"


def test_errata_are_laid_one_after_the_other(library: Path) -> None:
    first = erratum(library, TWO_BOOKS, "first.lp")
    second = erratum(library, NO_SUNDAY, "second.lp")
    for errata in ([first, second], [second, first]):
        book = load_rulebook(library, errata=errata)
        assert [overlay.name for overlay in book.overlays] == [path.stem for path in errata]
        assert verdict(book, "borrow(ann)", "day(sunday)", "books(ann,1)")[0] == "legal"
        assert verdict(book, "borrow(ann)", "day(sunday)", "books(ann,2)")[0] == "contested"


def test_an_edition_and_an_erratum_to_it(library: Path) -> None:
    erratum(library, TWO_BOOKS, "library/editions/strict.lp")
    one_book = TWO_BOOKS.replace("2.", "1.").replace("two books", "one book").replace("  2", "  1")
    later = erratum(library, one_book, head=HEAD.replace("for: current", "for: strict"))
    strict = load_rulebook(library, "strict")
    assert strict.edition == "strict"
    assert verdict(strict, "borrow(ann)", "books(ann,1)")[0] == "legal"
    stricter = load_rulebook(library, "strict", [later])
    assert [overlay.name for overlay in stricter.overlays] == ["strict", "correction"]
    assert verdict(stricter, "borrow(ann)", "books(ann,1)")[0] == "contested"


def test_a_reworded_clause_changes_nothing(library: Path) -> None:
    text = (library / "rules" / "1_lending.lp").read_text("utf-8")
    clause = text[text.index("%## 1.5") : text.index("%## 1.6")]
    reworded = clause.replace("\n", "\n% redefined: other words\n", 1).replace("Who has", "Whoever has")
    old, new = load_rulebook(library), load_rulebook(library, errata=[erratum(library, reworded)])
    assert sorted({*map(str, old.statements)}) == sorted({*map(str, new.statements)})


# ---- what a clause loses -------------------------------------------------------------------------

SHARED = """
%## 2.1  Careless readers
% > Careless readers may not borrow.
% kind: prohibition
forbids("2.1",borrow(Person)) :- careless(Person).
reads("careless(Person)", "{Person} is careless", "{Person} is careful").
careless(Person) :- overdue(Person).

%## 2.2  Rich readers are not careless
% > They are careless only when they have books.
% kind: exception
meets("2.2",borrow(Person)) :- staff(Person), not careless(Person).
careless(Person) :- books(Person,9).
"""


@pytest.fixture
def shared(library: Path) -> Path:
    (library / "rules" / "2_more.lp").write_text(SHARED.lstrip(), "utf-8")
    return library


def test_helpers_of_a_withdrawn_clause_stay(shared: Path) -> None:
    text = "%## 2.1  Careless readers\n% withdrawn: too harsh\n"
    book = load_rulebook(shared, errata=[erratum(shared, text)])
    assert verdict(book, "borrow(ann)", "overdue(ann)", "staff(ann)") == (
        "legal",
        ("1.1", "1.3", "1.4"),
    )
    assert verdict(book, "borrow(ann)", "staff(ann)")[1] == ("1.1", "1.3", "1.4", "2.2")


def test_helpers_of_a_redefined_clause_stay(shared: Path) -> None:
    text = (
        "%## 2.1  Careless readers\n% redefined: staff may\n"
        'forbids("2.1",borrow(Person)) :- careless(Person), not staff(Person).\n'
    )
    book = load_rulebook(shared, errata=[erratum(shared, text)])
    assert verdict(book, "borrow(ann)", "overdue(ann)")[0] == "contested"
    assert verdict(book, "borrow(ann)", "overdue(ann)", "staff(ann)")[0] == "legal"


def test_a_helper_that_the_overlay_derives_is_replaced_under_that_heading_only(shared: Path) -> None:
    text = (
        "%## 2.1  Careless readers\n% redefined: who has no coin\n"
        'forbids("2.1",borrow(Person)) :- careless(Person).\n'
        "careless(Person) :- money(Person,0).\n"
    )
    path = erratum(shared, text)
    book = load_rulebook(shared, errata=[path])
    assert verdict(book, "borrow(ann)", "overdue(ann)") == ("legal", ("1.1", "1.4"))
    assert verdict(book, "borrow(ann)", "money(ann,0)") == ("contested", ("1.1", "2.1"))
    assert "2.1" in verdict(book, "borrow(ann)", "books(ann,9)")[1]  # the rule under 2.2 stays
    told = why(book, load_state(book, set=["money(ann,0)"]), "borrow(ann)")
    said = [condition.phrase for entry in told.forbidden_by for condition in entry.conditions]
    assert "Ann is careless" in said  # and so do the words


def test_a_helper_is_replaced_by_an_erratum_to_an_edition_that_had_left_it(shared: Path) -> None:
    norm = 'forbids("2.1",borrow(Person)) :- careless(Person).\n'
    heading = "%## 2.1  Careless readers\n% redefined: again\n"
    erratum(shared, heading + norm, "library/editions/same.lp")
    text = heading + norm + "careless(Person) :- money(Person,0).\n"
    later = erratum(shared, text, head=HEAD.replace("current", "same"))
    book = load_rulebook(shared, "same", [later])
    assert verdict(book, "borrow(ann)", "overdue(ann)")[0] == "legal"
    assert verdict(book, "borrow(ann)", "money(ann,0)")[0] == "contested"


def test_an_overlay_may_declare_what_it_needs(library: Path) -> None:
    text = (
        'reads("ill(Person)", "{Person} is ill", "{Person} is well").\n'
        "fact(ill(Person)) :- person(Person).\nill(Person) :- state(ill(Person)).\n"
        "%## 1.5  Fines\n% redefined: the ill pay nothing\n"
        'obliges("1.5",settle(Person)) :- overdue(Person), not ill(Person).\n'
        'reads("renew(Person)", "{Person} renews a book").\n'
        "actor(renew(Person),Person) :- person(Person).\n"
        'discharges("1.5",settle(Person),renew(Person)) :- overdue(Person).\n'
    )
    book = load_rulebook(library, errata=[erratum(library, text)])
    state = load_state(book, set=["overdue(ann)", "ill(bob)", "overdue(bob)"])
    assert [(duty.duty, duty.status) for duty in duties(book, state)] == [("settle(ann)", "unmet")]
    assert verdict(book, "renew(ann)", "overdue(ann)")[0] == "legal"


def test_words_for_a_new_fact_leave_those_for_the_others(library: Path) -> None:
    rules = library / "rules" / "1_lending.lp"
    declared = (
        'reads("loud(Person)", "{Person} is loud", "{Person} is quiet").\n'
        "fact(loud(Person)) :- person(Person).\nloud(Person) :- state(loud(Person)).\n"
    )
    rules.write_text(rules.read_text("utf-8") + declared, "utf-8")  # under the heading of 1.6
    text = (
        "%## 1.6  What borrowing does\n% redefined: nothing but noise\n"
        + declared.replace("loud", "tired")
        + 'initiates("1.6",borrow(Person),tired(Person)) :- loud(Person).\n'
    )
    book = load_rulebook(library, errata=[erratum(library, text)])
    game = play(book, load_state(book, set=["loud(ann)"]), ["borrow(ann)"])
    assert "tired(ann)" in game.state.facts
    assert "books(ann,1)" not in game.state.facts
