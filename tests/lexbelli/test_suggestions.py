"""Suggested errata: each resolves what it is for, brings nothing, and leaves the rest of its clause."""

import json
import shutil
from pathlib import Path

import click
import jsonschema
import pytest
from tests.overlay_texts import LIBRARY, TWO_BOOKS, erratum

import lexbelli
from lexbelli import (
    InputError,
    LimitError,
    Rulebook,
    RulebookError,
    UnknownNameError,
    conclusion,
    judged_move,
    load_rulebook,
    load_state,
    value_of,
)
from lexbelli.check import check
from lexbelli.commands_suggest import suggest_command
from lexbelli.options import Given
from lexbelli.search import Deadline
from lexbelli.suggestions import Suggestion, suggest

CODES = ("LB101", "LB102", "LB103", "LB104", "LB105", "LB201", "LB202")


@pytest.fixture
def library(tmp_path: Path) -> Path:
    """A copy of the lending rules that a test may add to."""
    folder = tmp_path / "library"
    shutil.copytree(LIBRARY, folder)
    return folder


def more(library: Path, text: str, declared: str = "") -> Rulebook:
    """Load the lending rules with a second chapter."""
    (library / "rules" / "2_more.lp").write_text(text.lstrip(), "utf-8")
    (library / "more.lp").write_text(f"% more of the desk\n{declared}", "utf-8")
    return load_rulebook(library)


def suggested(book: Rulebook, finding: str) -> list[Suggestion]:
    return suggest(book, finding, Deadline(60))


def told(suggestions: list[Suggestion]) -> list[tuple[str, ...]]:
    return [(one.way, one.clause, one.other, *one.conditions) for one in suggestions]


def ids(book: Rulebook) -> set[str]:
    return {finding.id for finding in check(book, codes=CODES).findings}


def laid(book: Rulebook, suggestion: Suggestion, folder: Path) -> Rulebook:
    """Lay a suggestion over its rulebook."""
    path = folder / "suggestion.lp"
    path.write_text(suggestion.overlay, "utf-8")
    errata = [overlay.path for overlay in book.overlays[book.edition != "current" :]]
    return load_rulebook(book.root, book.edition, [*errata, path])


def redundancies_of(book: Rulebook) -> set[str]:
    return {finding.id for finding in check(book, codes=["LB203"]).findings if finding.code == "LB203"}


# ---- what is suggested ---------------------------------------------------------------------------


def test_a_clause_that_would_never_count_again_is_not_suggested(library: Path) -> None:
    # 1.1 above 1.2 would let everybody borrow on Sunday, and leave 1.2 nothing to say
    found = suggested(load_rulebook(library), "LB101:1.1+1.2")
    assert told(found) == [
        ("override", "1.2", "1.1"),
        ("condition", "1.1", "1.2", "not day(sunday)"),
    ]
    assert found[0].rules == ('overrides("1.2","1.1",borrow(Person)) :- person(Person), day(sunday).',)
    assert found[1].rules == ('permits("1.1",borrow(Person)) :- person(Person), not day(sunday).',)


def test_both_directions_are_suggested_and_say_what_they_change(library: Path) -> None:
    found = suggested(load_rulebook(library), "LB101:1.1+1.4")
    # the limit would go for good below 1.1: nothing depends on it, which is said, and comes last
    assert told(found) == [("override", "1.4", "1.1"), ("override", "1.1", "1.4")]
    stricter, looser = found
    assert (stricter.brings, looser.brings) == ((), ("LB203:1.4+1.1",))
    assert looser.removes == ("LB101:1.1+1.4", "LB101:1.3+1.4")
    assert looser.in_play is not None
    assert [(one.subject, one.relation) for one in looser.in_play] == [
        ("borrow(ann)", "looser"),
        ("borrow(bob)", "looser"),
    ]
    # contested before and forbidden after: another answer, and legal neither time
    assert stricter.in_play is not None
    assert {one.relation for one in stricter.in_play} == {"changed"}


def test_the_smallest_change_in_play_comes_first(library: Path) -> None:
    found = suggested(load_rulebook(library), "LB101:1.3+1.4")
    # with 1.3 silenced 1.1 still contests the limit, so that no answer changes
    assert told(found) == [
        ("override", "1.4", "1.3"),
        ("override", "1.3", "1.4"),
        ("condition", "1.4", "1.3", "not staff(Person)"),
    ]
    assert found[0].in_play == ()


@pytest.mark.parametrize("finding", ["LB101:1.1+1.2", "LB101:1.1+1.4", "LB101:1.3+1.4"])
def test_every_suggestion_keeps_its_promise(library: Path, tmp_path: Path, finding: str) -> None:
    book = load_rulebook(library)
    before = ids(book)
    for one in suggested(book, finding):
        after = ids(laid(book, one, tmp_path))
        assert finding not in after
        assert before - after == {*one.removes}
        assert after - before == set()
        redundant = {
            code: redundancies_of(each) for code, each in ((0, book), (1, laid(book, one, tmp_path)))
        }
        assert {*one.brings} == redundant[1] - redundant[0]


def test_the_clause_is_kept_as_it_was_written(library: Path) -> None:
    book = load_rulebook(library)
    override, condition = suggested(book, "LB101:1.3+1.4")[::2]
    clause = (library / "rules" / "1_lending.lp").read_text("utf-8")
    clause = clause[clause.index("%## 1.4") : clause.index("%## 1.5")].rstrip()
    heading, *rest = clause.splitlines()
    assert override.overlay.split("\n\n", 1)[1].splitlines() == [
        heading,
        "% redefined: it stands above 1.3",
        *rest,
        "% added: 1.4 stands above 1.3; say here in which words",
        *override.rules,
    ]
    changed = rest.index('forbids("1.4",borrow(Person)) :- books(Person,Number), Number >= 3.')
    assert condition.overlay.split("\n\n", 1)[1].splitlines() == [
        heading,
        "% redefined: it gives way to 1.3, with the condition not staff(Person)",
        *rest[:changed],
        "% changed: with the condition not staff(Person)",
        'forbids("1.4",borrow(Person)) :- books(Person,Number), Number >= 3, not staff(Person).',
        *rest[changed + 1 :],
    ]


def test_a_priority_that_would_close_a_circle_is_not_suggested(library: Path) -> None:
    book = more(
        library,
        """
%## 2.1  Those with a book overdue
% > Who has a book overdue may not borrow, which among staff goes before 1.1.
forbids("2.1",borrow(Person)) :- overdue(Person).
overrides("2.1","1.1",borrow(Person)) :- overdue(Person), staff(Person).
""",
    )
    found = suggested(book, "LB101:1.1+2.1")
    assert ("override", "1.1", "2.1") not in told(found)
    assert ("override", "2.1", "1.1") in told(found)


def test_where_every_suggestion_brings_a_finding_it_is_said(library: Path) -> None:
    book = more(
        library,
        """
%## 2.1  Anybody may renew
% > Anybody may renew.
permits("2.1",renew(Person)) :- person(Person).

%## 2.2  Nobody may renew
% > Nobody may renew.
forbids("2.2",renew(Person)) :- person(Person).
""",
        """
reads("renew(Person)", "{Person} renews a book").
actor(renew(Person),Person) :- person(Person).
""",
    )
    found = suggested(book, "LB101:2.1+2.2")
    assert told(found) == [("override", "2.1", "2.2"), ("override", "2.2", "2.1")]
    assert [one.brings for one in found] == [("LB202:2.2",), ("LB202:2.1",)]


def test_only_the_subjects_in_question_get_the_condition(library: Path) -> None:
    book = more(
        library,
        """
%## 2.1  Ann does not borrow before she has paid
% > Ann may not borrow while a book is overdue.
forbids("2.1",borrow(ann)) :- overdue(ann).
""",
    )
    found = suggested(book, "LB101:1.1+2.1")
    condition = next(one for one in found if (one.way, one.clause) == ("condition", "1.1"))
    assert condition.rules == (
        'permits("1.1",borrow(Person)) :- person(Person), Person != ann.',
        'permits("1.1",borrow(Person)) :- person(Person), not overdue(ann).',
    )


def test_a_rule_about_several_actions_is_limited_for_one(library: Path) -> None:
    book = more(
        library,
        """
%## 2.1  Nothing for the poor
% > Without a coin nobody borrows or pays.
forbids("2.1",(borrow(Person);pay(Person))) :- money(Person,0).
""",
    )
    found = suggested(book, "LB101:1.3+2.1")
    condition = next(one for one in found if (one.way, one.clause) == ("condition", "2.1"))
    assert condition.rules == (
        'forbids("2.1",pay(Person)) :- money(Person,0).',
        'forbids("2.1",borrow(Person)) :- money(Person,0), not staff(Person).',
    )


def test_what_no_state_changes_is_left_out_of_a_priority(library: Path) -> None:
    book = more(
        library,
        """
%## 2.1  Only Bob may be careless
% > Anybody but Bob may not borrow while a book is overdue.
forbids("2.1",borrow(Person)) :- person(Person), overdue(Person), Person != bob.
""",
    )
    rules = {(one.way, one.clause): one.rules for one in suggested(book, "LB101:1.3+2.1")}
    assert rules["override", "2.1"] == ('overrides("2.1","1.3",borrow(ann)) :- overdue(ann).',)
    assert rules["override", "1.3"] == ('overrides("1.3","2.1",borrow(ann)) :- staff(ann).',)


def test_a_condition_on_what_both_clauses_look_up(library: Path) -> None:
    book = more(
        library,
        """
%## 2.1  No books of a closed shelf
% > Nobody borrows from a shelf that is closed.
forbids("2.1",borrow(Person)) :- reads_from(Person,Shelf), closed(Shelf).

%## 2.2  Staff borrow from their shelf
% > Staff may borrow from the shelf they read.
permits("2.2",borrow(Person)) :- staff(Person), reads_from(Person,Shelf).
""",
        """
reads_from(ann,novels). reads_from(bob,poems).
reads("closed(Shelf)", "the shelf of {Shelf} is closed", "the shelf of {Shelf} is open").
fact(closed((novels;poems))).
closed(Shelf) :- state(closed(Shelf)).
""",
    )
    found = suggested(book, "LB101:2.2+2.1")
    condition = next(one for one in found if (one.way, one.clause) == ("condition", "2.2"))
    assert condition.rules == (
        'permits("2.2",borrow(Person)) :- staff(Person), reads_from(Person,Shelf), not closed(Shelf).',
    )


# ---- other kinds of findings ---------------------------------------------------------------------


def test_a_duty_against_a_ban(library: Path, tmp_path: Path) -> None:
    book = more(
        library,
        """
%## 2.1  Nobody pays on Sunday
% > The till is shut on Sunday.
forbids("2.1",pay(Person)) :- person(Person), day(sunday).
""",
    )
    found = suggested(book, "LB101:1.5+2.1")
    assert ("override", "1.5", "2.1") in told(found)
    first = next(one for one in found if one.clause == "1.5" and one.way == "override")
    assert first.rules == ('overrides("1.5","2.1",pay(Person)) :- overdue(Person).',)
    new = laid(book, first, tmp_path)
    state = load_state(new, set=["day(sunday)", "overdue(ann)"])
    assert judged_move(new, state, "pay(ann)").verdict == "legal"


def test_two_numbers(library: Path, tmp_path: Path) -> None:
    book = more(
        library,
        """
%## 2.1  Staff pay one coin
% > Staff pay one coin.
sets("2.1",cost(pay(Person)),1) :- staff(Person).
""",
    )
    found = suggested(book, "LB103:1.5+2.1")
    assert told(found)[0] == ("override", "2.1", "1.5")
    new = laid(book, found[0], tmp_path)
    state = load_state(new, set=["staff(ann)"])
    assert value_of(new, state, "cost(pay(ann))").value == 1
    assert value_of(new, state, "cost(pay(bob))").value == 2


CONCLUSIONS = """
reads("trusted(Person)", "{Person} is trusted", "{Person} is not trusted").
reads("watched(Person)", "{Person} is watched", "{Person} is not watched").
derivable((trusted(Person);watched(Person))) :- person(Person).
excludes(trusted(Person),watched(Person)) :- person(Person).
"""
TRUST = """
%## 2.1  Staff are trusted
% > Staff are trusted.
concludes("2.1",trusted(Person)) :- staff(Person).

%## 2.2  The careless are watched
% > Whoever has a book overdue is watched.
concludes("2.2",watched(Person)) :- overdue(Person).

%## 2.3  Nobody is trusted on Sunday
% > On Sunday nobody is trusted.
denies("2.3",trusted(Person)) :- person(Person), day(sunday).
"""


def test_a_conclusion_and_its_denial(library: Path, tmp_path: Path) -> None:
    book = more(library, TRUST, CONCLUSIONS)
    found = suggested(book, "LB104:2.1+2.3")
    assert {one[:3] for one in told(found)} == {
        (way, *pair) for way in ("override", "condition") for pair in (("2.1", "2.3"), ("2.3", "2.1"))
    }
    first = next(one for one in found if one.clause == "2.1" and one.way == "override")
    new = laid(book, first, tmp_path)
    state = load_state(new, set=["staff(ann)", "day(sunday)"])
    assert conclusion(new, state, "trusted(ann)").holds is True


def test_two_facts_that_exclude_each_other(library: Path, tmp_path: Path) -> None:
    book = more(library, TRUST, CONCLUSIONS)
    found = suggested(book, "LB104:2.1+2.2")
    assert {one[:3] for one in told(found)} == {("override", "2.1", "2.2"), ("override", "2.2", "2.1")}
    for one in found:
        assert "LB104:2.1+2.2" not in ids(laid(book, one, tmp_path))


def test_an_event_that_starts_and_ends_a_fact(library: Path, tmp_path: Path) -> None:
    book = more(
        library,
        """
%## 2.1  Paying late leaves a mark
% > Whoever is staff stays in the book of debts when they pay.
initiates("2.1",pay(Person),overdue(Person)) :- staff(Person).
""",
    )
    found = suggested(book, "LB105:2.1+1.6")
    assert {one[:3] for one in told(found)} == {
        (way, *pair) for way in ("override", "condition") for pair in (("2.1", "1.6"), ("1.6", "2.1"))
    }
    for one in found:
        assert "LB105:2.1+1.6" not in ids(laid(book, one, tmp_path))


# ---- what cannot be suggested --------------------------------------------------------------------


@pytest.mark.parametrize(
    ("finding", "message", "hint"),
    [
        ("LB101:1.1+1.3", "has no finding 'LB101:1.1+1.3'", "did you mean LB101:1.1+1.2"),
        ("nonsense", "has no finding 'nonsense'", "check -v"),
        ("LB201:1.1", "nothing can be suggested for LB201:1.1", "LB101, LB103, LB104, LB105"),
    ],
)
def test_a_finding_that_is_not_there(library: Path, finding: str, message: str, hint: str) -> None:
    with pytest.raises(UnknownNameError) as caught:
        suggested(load_rulebook(library), finding)
    assert message in caught.value.message
    assert hint in caught.value.hint


def test_a_finding_that_an_erratum_has_resolved(library: Path, tmp_path: Path) -> None:
    book = load_rulebook(library)
    resolved = laid(book, suggested(book, "LB101:1.1+1.2")[0], tmp_path)
    with pytest.raises(UnknownNameError, match="has no finding"):
        suggested(resolved, "LB101:1.1+1.2")


def test_a_clause_that_argues_with_itself(library: Path) -> None:
    text = '\n%## 2.1  Two prices\n% > One coin, or three.\nsets("2.1",cost(borrow(ann)),(1;3)).\n'
    with pytest.raises(UnknownNameError, match="one clause alone"):
        suggested(more(library, text), "LB103:2.1")


def test_a_clause_that_an_erratum_has_is_left_to_it(library: Path, tmp_path: Path) -> None:
    book = load_rulebook(library, errata=[erratum(library, TWO_BOOKS)])
    found = suggested(book, "LB101:1.1+1.4")
    assert {one.clause for one in found} == {"1.1"}
    assert "LB101:1.1+1.4" not in ids(laid(book, found[0], tmp_path))


def test_two_clauses_that_errata_have_are_left_to_them(library: Path) -> None:
    both = TWO_BOOKS + (
        "\n%## 1.1  Readers may borrow\n% redefined: in other words\n"
        'permits("1.1",borrow(Person)) :- person(Person).\n'
    )
    book = load_rulebook(library, errata=[erratum(library, both)])
    with pytest.raises(RulebookError, match=r"correction has 1\.1 and 1\.4 already"):
        suggested(book, "LB101:1.1+1.4")


def test_an_erratum_is_made_for_the_edition_in_force(library: Path, tmp_path: Path) -> None:
    erratum(library, TWO_BOOKS, "library/editions/strict.lp")
    book = load_rulebook(library, "strict")
    found = suggested(book, "LB101:1.1+1.4")
    lower = next(one for one in found if one.clause == "1.4")
    assert "%# for: strict\n" in lower.overlay
    assert lower.overlay.count("% redefined:") == 1
    assert "Number >= 2" in lower.overlay
    assert "LB101:1.1+1.4" not in ids(laid(book, lower, tmp_path))


def test_a_search_without_time_is_cut(library: Path) -> None:
    with pytest.raises(LimitError):
        suggest(load_rulebook(library), "LB101:1.1+1.2", Deadline(0))


def test_what_changes_in_play_may_be_left_to_the_caller(library: Path) -> None:
    found = suggest(load_rulebook(library), "LB101:1.1+1.2", Deadline(60), None)
    assert [one.in_play for one in found] == [None, None]


# ---- the command ---------------------------------------------------------------------------------


def given(library: Path, **options: object) -> Given:
    defaults: dict[str, object] = {
        "rulebook": str(library), "edition": "current", "errata": (), "format_": "text",
        "output": None, "overwrite": False,
    }  # fmt: skip
    return Given(defaults | options)


def test_proposals_are_numbered(library: Path, capsys: pytest.CaptureFixture[str]) -> None:
    suggest_command(given(library), "LB101:1.1+1.4")
    assert capsys.readouterr().out == (
        """\
LB101:1.1+1.4  2 errata would resolve it

1  1.4: it stands above 1.1
     overrides("1.4","1.1",borrow(Person)) :- books(Person,Number), Number >= 3.
   resolves LB101:1.1+1.4
   brings no other finding
   in play changed: Ann borrows a book; Bob borrows a book

2  1.1: it stands above 1.4
     overrides("1.1","1.4",borrow(Person)) :- person(Person).
   resolves LB101:1.1+1.4, LB101:1.3+1.4
   brings LB203:1.4+1.1
   in play looser: Ann borrows a book; Bob borrows a book

Which of them the text ought to say is for its editors to choose;
-o FILE writes the first one as an erratum ready to edit, --choice N another.
"""
    )


def test_the_chosen_one_is_written(
    library: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "limit.lp"
    suggest_command(given(library, output=str(file)), "LB101:1.1+1.4", 2)
    assert "2 is written to" in capsys.readouterr().out
    new = load_rulebook(library, errata=[file])
    assert new.overlays[0].redefines == ("1.1",)
    assert judged_move(new, load_state(new, set=["books(ann,3)"]), "borrow(ann)").verdict == "legal"


def test_an_existing_file_is_not_replaced(library: Path, tmp_path: Path) -> None:
    file = tmp_path / "limit.lp"
    file.write_text("mine", "utf-8")
    with pytest.raises(InputError, match="exists already"):
        suggest_command(given(library, output=str(file)), "LB101:1.1+1.4")
    assert file.read_text("utf-8") == "mine"
    suggest_command(given(library, output=str(file), overwrite=True), "LB101:1.1+1.4")
    assert load_rulebook(library, errata=[file]).overlays[0].redefines == ("1.4",)


def test_json_is_as_the_schema_says(
    library: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "limit.lp"
    suggest_command(given(library, format_="json", output=str(file)), "LB101:1.1+1.4")
    answer = json.loads(capsys.readouterr().out)
    jsonschema.validate(answer, lexbelli.schema("suggestions"))
    assert [one["clause"] for one in answer["suggestions"]] == ["1.4", "1.1"]
    assert answer["written"] == {"choice": 1, "file": str(file)}
    suggest_command(given(library, format_="json"), "LB101:1.1+1.4", compared=False)
    answer = json.loads(capsys.readouterr().out)
    jsonschema.validate(answer, lexbelli.schema("suggestions"))
    assert [one["in_play"] for one in answer["suggestions"]] == [None, None]


def test_a_choice_that_there_is_not(library: Path, tmp_path: Path) -> None:
    file = tmp_path / "limit.lp"
    with pytest.raises(click.UsageError, match="there are 2 suggestions"):
        suggest_command(given(library, output=str(file)), "LB101:1.1+1.4", 3)
    assert not file.exists()
    with pytest.raises(click.UsageError, match="-o FILE"):
        suggest_command(given(library), "LB101:1.1+1.4", 2)


# ---- the rulebook that comes with the package ----------------------------------------------------


def test_a_duty_to_answer_against_a_limit_of_tension(book: Rulebook, tmp_path: Path) -> None:
    found = suggest(book, "LB101:69.21.s2b+63.51H", Deadline(60), None)
    assert told(found) == [
        ("override", "69.21.s2b", "63.51H"),
        ("override", "63.51H", "69.21.s2b"),
        ("condition", "63.51H", "69.21.s2b", "not supported(germany,_)"),
    ]
    for one, verdict in zip(found, ("legal", "forbidden", "legal"), strict=True):
        new = laid(book, one, tmp_path)
        state = load_state(
            new,
            "spring_1940",
            set=[
                "rgt(35)",
                "economic_interest(germany,bulgaria)",
                "declared_war(russia,bulgaria)",
                "supported(germany,bulgaria)",
            ],
        )
        assert judged_move(new, state, "declare_war(russia,germany)").verdict == verdict
