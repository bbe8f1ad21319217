"""What a change of a rulebook does: differences, their causes and ranges, findings that come and go."""

import json
import re
import shutil
import subprocess
from collections.abc import Callable, Sequence
from html.parser import HTMLParser
from pathlib import Path

import jsonschema
import pytest
from tests.overlay_texts import FREE_STAFF, HEAD, LIBRARY, NO_SUNDAY, TWO_BOOKS, erratum

from lexbelli import load_rulebook, load_state, schema
from lexbelli.answers_errata import errata_answer
from lexbelli.comparison import Difference, compare
from lexbelli.consistency import Asked, Consistency
from lexbelli.errata import Errata, about, changed_clauses, errata
from lexbelli.errata_words import blocks
from lexbelli.errors import InputError, UnknownNameError
from lexbelli.findings import Range, every
from lexbelli.html_errata import html
from lexbelli.markdown_errata import markdown
from lexbelli.search import Deadline
from lexbelli.sides import Side, two_sides
from lexbelli.standing import standing
from lexbelli.text import render
from lexbelli.text_errata import errata_text

Run = Callable[..., "subprocess.CompletedProcess[str]"]


def consistency(old: Side, new: Side) -> Consistency:
    """What a change does to the findings, asked in one process."""
    asked = Asked(old, new, Deadline(60), None)
    return asked.consistency(asked.known(old), asked.findings(new, every))


def heading(clause: str, way: str = "redefined", title: str = "Changed") -> str:
    return f"%## {clause}  {title}\n% {way}: to see what it does\n"


def limit(number: int) -> str:
    return (
        heading("1.4")
        + f'forbids("1.4",borrow(Person)) :- books(Person,Number), Number >= {number}.\n'
        + f'meets("1.4",borrow(Person))   :- books(Person,Number), Number <  {number}.\n'
    )


# 1.4 in the same sense and other words
REWORDED = (
    heading("1.4", title="No more than three books")
    + 'forbids("1.4",borrow(Reader)) :- Count > 2, books(Reader,Count).\n'
    + 'meets("1.4",borrow(Reader))   :- books(Reader,Count), Count <= 1.\n'
    + 'meets("1.4",borrow(Reader))   :- books(Reader,2), not many(Reader).\n'
    + "many(Reader) :- books(Reader,Count), Count > 2.\n"
    + 'reads("many(Reader)", "{Reader} has many books out", "{Reader} has few books out").\n'
)
SILENT_STAFF = '%## 1.7  Readers with staff cards\nforbids("1.7",pay(Person)) :- staff(Person).\n'
ILL = (
    'reads("ill(Person)", "{Person} is ill", "{Person} is well").\n'
    "fact(ill(Person)) :- person(Person).\nill(Person) :- state(ill(Person)).\n"
    '%## 1.7  The ill borrow nothing\nforbids("1.7",borrow(Person)) :- ill(Person).\n'
)
GRANT = '%## 2.1  Fines are paid\npermits("2.1",pay(Person)) :- overdue(Person).\n'
BAN = '%## 2.2  No coins from staff\nforbids("2.2",pay(Person)) :- staff(Person), overdue(Person).\n'


@pytest.fixture
def library(tmp_path: Path) -> Path:
    """A copy of the lending rules that a test may add to."""
    folder = tmp_path / "library"
    shutil.copytree(LIBRARY, folder)
    return folder


def asked(library: Path, text: str, *, findings: bool = False) -> Errata:
    """Return what one erratum does to the lending rules."""
    return errata(*two_sides(library, [str(erratum(library, text))], None), findings=findings)


def differences(found: Errata) -> dict[str, Difference]:
    assert found.comparison is not None
    return {one.subject: one for one in found.comparison.differences}


# ---- how subjects compare ------------------------------------------------------------------------


def test_a_lower_limit_is_stricter_where_it_lies_between_the_two(library: Path) -> None:
    (shown,) = differences(asked(library, TWO_BOOKS))["borrow(ann)"].shown
    assert (shown.way, shown.causes) == ("stricter", ("1.4",))
    assert [change.fact for change in shown.witness.changes] == ["books(ann,2)"]
    assert (shown.old.answer, shown.new.answer) == ("legal", "contested")
    assert shown.ranges == (Range("books(ann,2)", 2, 2),)


def test_a_withdrawn_prohibition_is_looser(library: Path) -> None:
    found = asked(library, NO_SUNDAY)
    one = differences(found)["borrow(bob)"]
    assert (one.relation, one.clauses) == ("looser", ("1.2",))
    (changed,) = changed_clauses(found)
    assert (changed.clause, changed.way, changed.new) == ("1.2", "withdrawn", None)
    assert changed.relations == ("looser",)


def test_what_is_stricter_here_and_looser_there_is_both(library: Path) -> None:
    one = differences(asked(library, NO_SUNDAY + TWO_BOOKS))["borrow(ann)"]
    assert (one.relation, one.clauses) == ("both", ("1.2", "1.4"))
    assert [(shown.way, shown.causes) for shown in one.shown] == [
        ("stricter", ("1.4",)),
        ("looser", ("1.2",)),
    ]


def test_what_was_silent_and_is_forbidden_is_changed(library: Path) -> None:
    rules = library / "rules" / "1_lending.lp"
    # nobody needs to pay, so that no clause speaks of it
    rules.write_text(re.sub(r"obliges.*\n|discharges.*\n", "", rules.read_text("utf-8")), "utf-8")
    one = differences(asked(library, SILENT_STAFF))["pay(ann)"]
    assert (one.relation, one.clauses) == ("changed", ("1.7",))
    (shown,) = one.shown
    assert (shown.old.answer, shown.new.answer) == ("not_permitted", "forbidden")


def test_an_added_clause_changes_a_price_and_a_duty(library: Path) -> None:
    found = asked(library, FREE_STAFF)
    price = differences(found)["cost(pay(ann))"]
    assert (price.kind, price.relation, price.clauses) == ("quantity", "changed", ("1.21",))
    assert [(s.old.answer, s.new.answer) for s in price.shown] == [("2", "0")]
    assert differences(found)["settle(ann)"].kind == "duty"
    (changed,) = changed_clauses(found)
    assert (changed.way, changed.old) == ("added", None)


def test_numbers_are_compared_over_their_whole_range(library: Path) -> None:
    desk, rules = library / "desk.lp", library / "rules" / "1_lending.lp"
    text = desk.read_text("utf-8").replace("0..9", "0..40").replace("books,0,9", "books,0,40")
    desk.write_text(text, "utf-8")
    above = rules.read_text("utf-8").replace("Number >= 3", "Number > 22")
    rules.write_text(above.replace("Number <  3", "Number <= 22"), "utf-8")
    found = asked(library, limit(24))
    (shown,) = differences(found)["borrow(ann)"].shown
    assert shown.way == "looser"
    assert shown.ranges == (Range("books(ann,23)", 23, 23),)
    assert "as long as Ann has 23 books out" in render(errata_text(found), plain=True)


def test_a_range_is_told_from_end_to_end(library: Path) -> None:
    found = asked(library, limit(7))
    (shown,) = differences(found)["borrow(ann)"].shown
    assert [(one.low, one.high) for one in shown.ranges] == [(3, 6)]
    assert "as long as Ann has 3 to 6 books out" in render(errata_text(found), plain=True)


def test_a_reworded_clause_is_proved_to_be_a_clarification(library: Path) -> None:
    found = asked(library, REWORDED)
    assert found.comparison is not None
    assert found.relation == "equivalent"
    assert found.comparison.changed == found.comparison.clarifications == ("1.4",)


def test_a_clarification_is_told_beside_what_does_change(library: Path) -> None:
    found = asked(library, REWORDED + NO_SUNDAY)
    assert found.comparison is not None
    assert found.comparison.clarifications == ("1.4",)
    assert found.comparison.changed == ("1.2", "1.4")


def test_an_erratum_may_declare_a_fact_of_its_own(library: Path) -> None:
    found = asked(library, ILL)
    (shown,) = differences(found)["borrow(ann)"].shown
    assert [change.fact for change in shown.witness.changes] == ["ill(ann)"]
    assert (shown.way, shown.old.answer, shown.new.answer) == ("stricter", "legal", "contested")
    assert "stricter  borrow (2 actions), by 1.7\n" in render(errata_text(found), plain=True)
    assert "Ann is ill" in render(errata_text(found, verbose=True), plain=True)
    old, new = found.new, found.old  # and it is told in its words where it is withdrawn as well
    back = errata(old, new, findings=False)
    assert "Ann is ill" in render(errata_text(back), plain=True)
    assert differences(back)["borrow(ann)"].relation == "looser"


def test_the_sides_may_be_turned_round(library: Path) -> None:
    old, new = two_sides(library, [str(erratum(library, TWO_BOOKS))], None)
    there = compare(old.book, new.book, Deadline(60))
    back = compare(new.book, old.book, Deadline(60))
    turned = {"stricter": "looser", "looser": "stricter"}
    assert {d.subject: turned.get(d.relation, d.relation) for d in there.differences} == {
        d.subject: d.relation for d in back.differences
    }
    assert there.equivalent == back.equivalent


# ---- which sides ---------------------------------------------------------------------------------


def sides(library: Path, *named: str, edition: str | None = None, errata: Sequence[str] = ()) -> str:
    return " / ".join(side.name for side in two_sides(library, named, edition, errata))


def test_what_the_names_stand_for(library: Path) -> None:
    erratum(library, NO_SUNDAY, "library/editions/open.lp")
    first = str(erratum(library, TWO_BOOKS, "first.lp"))
    second = str(erratum(library, FREE_STAFF, "second.lp"))
    to_open = str(erratum(library, limit(5), "to_open.lp", HEAD.replace("current", "open")))
    assert sides(library, "open") == "open / current"
    assert sides(library, "current", "open") == "current / open"
    assert sides(library, first) == "current / current + first"
    assert sides(library, first, second) == "current + first / current + second"
    assert sides(library, first, errata=[second]) == "current / current + first + second"
    assert sides(library, errata=[second, first]) == "current / current + second + first"
    assert sides(library, "current", errata=[first]) == "current / current + first"
    assert sides(library, "open", to_open) == "open / open + to_open"
    assert sides(library, to_open, "open") == "open + to_open / open"
    assert sides(library, to_open, edition="open") == "open / open + to_open"
    assert sides(library, "current", to_open, edition="open") == "current / open + to_open"


def test_what_the_names_cannot_stand_for(library: Path) -> None:
    edition = erratum(library, NO_SUNDAY, "library/editions/open.lp")
    first = str(erratum(library, TWO_BOOKS, "first.lp"))
    for named in (["current"], ["open", "open"], [first, first], []):
        with pytest.raises(InputError, match="are the same"):
            two_sides(library, named, None)
    # an edition by its file is that edition
    with pytest.raises(InputError, match="are the same"):
        two_sides(library, ["open", str(edition)], "current")
    with pytest.raises(UnknownNameError, match=r"no edition or erratum 'opne'\n  did you mean open\?"):
        two_sides(library, ["opne"], None)
    with pytest.raises(UnknownNameError, match="the rulebook has: current, open"):
        two_sides(library, ["zzz"], None)
    with pytest.raises(InputError, match="has no effect"):
        two_sides(library, ["open", "current"], "open")
    with pytest.raises(InputError, match="no such rulebook folder"):
        two_sides(library / "nowhere", ["opne"], None)
    with pytest.raises(InputError, match="given twice"):
        two_sides(library, [first], None, [first])


# ---- findings ------------------------------------------------------------------------------------


def ids(findings: Sequence[object]) -> list[str]:
    return [str(getattr(one, "id", one)) for one in findings]


def test_findings_that_an_erratum_brings_removes_and_leaves(library: Path) -> None:
    told = asked(library, NO_SUNDAY + BAN, findings=True).consistency
    assert told is not None
    assert "LB101:1.1+1.2" in ids(told.removed)
    assert "LB101:1.5+2.2" in ids(told.brought)
    assert "LB101:1.1+1.4" in ids(told.kept)
    assert (told.steps, told.turns, told.interactions) == ((), (), ())


def test_errata_that_contradict_each_other_interact(library: Path) -> None:
    paths = [str(erratum(library, text, name)) for text, name in ((GRANT, "a.lp"), (BAN, "b.lp"))]
    told = consistency(*two_sides(library, (), None, paths))
    assert [step.name for step in told.steps] == ["a", "b"]
    assert told.steps[0].brought == ()
    assert "LB101:2.1+2.2" in told.steps[1].brought
    (pair,) = told.interactions
    assert (pair.errata, pair.there, pair.gone, pair.needs) == (
        ("a", "b"), ("LB101:2.1+2.2",), (), False,
    )  # fmt: skip
    # which of the two brings it depends on which comes last
    assert [(turn.id, turn.by, turn.reversed_by) for turn in told.turns] == [
        ("LB101:2.1+2.2", "b", "a")
    ]


def test_errata_that_have_nothing_to_do_with_each_other(library: Path) -> None:
    paths = [str(erratum(library, text, name)) for text, name in ((NO_SUNDAY, "a.lp"), (BAN, "b.lp"))]
    told = consistency(*two_sides(library, (), None, paths))
    assert told.steps[0].removed == ("LB101:1.1+1.2",)
    assert (told.turns, told.interactions) == ((), ())


def test_errata_of_which_one_needs_the_other(library: Path) -> None:
    uses = '%## 1.8  The ill pay nothing\nforbids("1.8",pay(Person)) :- ill(Person).\n'
    paths = [str(erratum(library, text, name)) for text, name in ((ILL, "a.lp"), (uses, "b.lp"))]
    told = consistency(*two_sides(library, (), None, paths))
    (pair,) = told.interactions
    assert pair.needs
    assert [step.name for step in told.steps] == ["a", "b"]


def test_steps_begin_with_the_change_of_edition(library: Path) -> None:
    erratum(library, NO_SUNDAY, "library/editions/open.lp")
    paths = [str(erratum(library, text, name)) for text, name in ((GRANT, "a.lp"), (BAN, "b.lp"))]
    told = consistency(*two_sides(library, ["open", "current"], None, paths))
    assert (told.steps[0].name, told.steps[0].brought) == (
        "open to current",
        ("LB101:1.1+1.2",),
    )


# ---- formats -------------------------------------------------------------------------------------


@pytest.fixture
def told(library: Path) -> Errata:
    """What an erratum of several kinds does."""
    gist = NO_SUNDAY.replace("desk", "<b>desk</b> & *counter*")
    return asked(library, TWO_BOOKS + gist + FREE_STAFF + BAN, findings=True)


def test_json_is_as_the_schema_says(told: Errata, library: Path) -> None:
    answer = errata_answer(told)
    jsonschema.validate(answer, schema("errata"))
    subjects = {one["subject"]: one for one in answer["subjects"]}
    borrow = subjects["borrow(ann)"]
    assert (borrow["relation"], borrow["clauses"]) == ("both", ["1.2", "1.4"])
    stricter = borrow["witnesses"][0]
    assert stricter["state"] == {"base": "monday", "set": ["books(ann,2)"], "unset": []}
    assert (stricter["old"], stricter["new"]) == ("legal", "contested")
    assert stricter["range"] == {"fact": "books(ann,2)", "from": 2, "to": 2}
    reasons = stricter["because"]["new"]["reasons"]
    assert [(one["heading"], one["clause"]) for one in reasons] == [
        ("forbidden by", "1.4"),
        ("granted by", "1.1"),
    ]
    price = subjects["cost(pay(ann))"]["witnesses"][0]
    assert (price["old"], price["new"]) == (2, 0)
    alike = subjects["change(pay(ann),overdue(ann))"]
    assert alike["relation"] in ("equivalent", "changed")
    assert answer["relation"] == "different"
    assert answer["new"]["overlays"][0]["title"] == "A correction"
    for nothing in (asked(library, REWORDED, findings=True), errata(told.old, told.new, 0)):
        jsonschema.validate(errata_answer(nothing), schema("errata"))


def test_text_folds_what_is_alike(told: Errata) -> None:
    text = render(errata_text(told), plain=True)
    assert "both  borrow (2 actions), by 1.2 1.4\n  Ann borrows a book, and 1 action more\n" in text
    assert "changed  cost(pay) (2 quantities), by 1.21" in text
    assert "    old: legal (1.1 1.4)\n    new: contested (1.1 1.4)\n" in text
    assert "removed  LB101 contradiction  1.1 / 1.2" in text
    assert "Bob" not in text.split("proved")[0]
    whole = render(errata_text(told, verbose=True), plain=True)
    assert "Bob borrows a book" in whole
    assert "Ann has 2 books out (at least 2)" in whole


def test_each_difference_is_in_one_block(told: Errata) -> None:
    assert told.comparison is not None
    folded = blocks(told.comparison.differences)
    assert sum(len(block.differences) for block in folded) == len(told.comparison.differences)
    assert len({block.shape for block in folded}) == len(folded)


def test_markdown_is_an_errata_sheet(told: Errata) -> None:
    sheet = markdown(told)
    assert "| 1.4 | Two books at most | redefined | both |" in sheet
    assert "- **old sense**: Nobody has more than three books out." in sheet
    assert "- **new sense**: Nobody has more than two books out." in sheet
    assert "- **reason**: two books instead of three (correction)" in sheet
    assert "  - example (stricter): monday: Ann has 2 books out\n    - old: legal (1.1 1.4)" in sheet
    assert "- **new sense**: nothing: the clause is withdrawn" in sheet
    assert "- **old sense**: nothing: the clause is new" in sheet
    assert r"\<b\>desk\</b\> \& \*counter\*" in sheet
    assert "- **removed** LB101 contradiction, 1.1 / 1.2" in sheet


def test_html_is_one_page_and_escapes_what_is_told(told: Errata) -> None:
    made = html(told)
    assert "&lt;b&gt;desk&lt;/b&gt; &amp; *counter*" in made
    assert not re.search(r"<script|<link|<img|https?://", made)
    opened: list[str] = []
    empty = {"meta"}

    class Reader(HTMLParser):
        def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
            if tag not in empty:
                opened.append(tag)

        def handle_endtag(self, tag: str) -> None:
            assert opened.pop() == tag

    Reader().feed(made)
    assert opened == []
    for id_ in ("1.2", "1.4", "1.21"):
        assert f'<section id="{id_}">' in made


def test_only_some_kinds_and_subjects(told: Errata) -> None:
    one = about(told, (), ("borrow(ann)",))
    assert set(differences(one)) == {"borrow(ann)"}
    assert set(differences(about(told, ("duty",), ()))) == {"settle(ann)", "settle(bob)"}
    nothing = about(told, ("conclusion",), ())
    assert (nothing.relation, nothing.verdict) == ("equivalent", "equivalent in what was asked about")
    with pytest.raises(UnknownNameError, match=r"did you mean borrow\?"):
        about(told, (), ("borow",))
    with pytest.raises(UnknownNameError, match=r"did you mean borrow\(ann\)"):
        about(told, (), ("borrow(anna)",))


# ---- the command ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "code", "last"),
    [(REWORDED, 0, "equivalent\n"), (TWO_BOOKS, 1, "some of them\n")],
    ids=["equivalent", "different"],
)
def test_exit_codes(library: Path, cli: Run, text: str, code: int, last: str) -> None:
    made = cli("errata", str(erratum(library, text)), "--rulebook", str(library))
    assert (made.returncode, made.stderr) == (code, "")
    assert made.stdout.endswith(last)


def test_what_the_time_limit_cuts_is_unknown(library: Path, cli: Run) -> None:
    given = ["errata", str(erratum(library, REWORDED)), "--rulebook", str(library), "--time-limit", "0"]
    made = cli(*given)
    assert made.returncode == 3
    assert "unknown what the two say otherwise: unknown within 0 s" in made.stdout
    assert "equivalent" not in made.stdout
    answer = json.loads(cli(*given, "--format", "json").stdout)
    assert (answer["relation"], answer["subjects"], answer["findings"]) == ("unknown", [], None)


@pytest.mark.parametrize("format_", ["text", "json", "markdown", "html"])
def test_every_format_is_written_to_a_file_and_the_same_each_time(
    library: Path, cli: Run, tmp_path: Path, format_: str
) -> None:
    path, target = erratum(library, TWO_BOOKS), tmp_path / "answer"
    given = ["errata", str(path), "--rulebook", str(library), "--format", format_]
    made = cli(*given)
    assert made.returncode == 1, made.stderr
    assert cli(*given, "-o", str(target)).returncode == 1
    assert target.read_text("utf-8") == made.stdout
    assert cli(*given, "-o", str(target)).returncode == 2  # nothing is overwritten unasked
    assert cli(*given, "-o", str(target), "--overwrite").returncode == 1


def test_findings_may_be_left_out(library: Path, cli: Run) -> None:
    given = ["errata", str(erratum(library, NO_SUNDAY)), "--rulebook", str(library)]
    assert "removed" in cli(*given).stdout
    left = cli(*given, "--no-findings")
    assert left.returncode == 1
    assert "finding" not in left.stdout


@pytest.mark.parametrize(
    ("text", "place", "what"),
    [
        ('%## 1.7  A\nforbids("1.7",borrow(ann)\n', "8:1", "syntax error"),
        ("%## 1.44  A\n% redefined: x\nok.\n", "6:1", "1.44 redefined, and there is none"),
        ('%## 1.7  A\nforbids("1.7",borrow(ann)) :- ovrdue(ann).\n', "7:31", "any rule head"),
        ("%## 1.7  A\n#script(python)\n#end.\n", "7:1", "script"),
    ],
    ids=["syntax", "unknown clause", "undeclared fact", "script"],
)
def test_mistakes_in_an_erratum_are_told_with_their_place(
    library: Path, cli: Run, text: str, place: str, what: str
) -> None:
    path = erratum(library, text)
    for given in (["errata", str(path)], ["errata", "--erratum", str(path)]):
        made = cli(*given, "--rulebook", str(library))
        assert (made.returncode, made.stdout) == (2, "")
        assert f"{path}:{place}: " in made.stderr
        assert what in made.stderr
        assert "Traceback" not in made.stderr


@pytest.mark.parametrize(
    ("arguments", "what"),
    [
        ([], "name an edition or an erratum"),
        (["a", "b", "c"], "two sides can be compared, not 3"),
        (["current"], "old and new are the same: current"),
        (["curent"], "did you mean current?"),
        (["nowhere.lp"], "nowhere.lp: there is no such file"),
        (["current", "--kind", "law"], "'law' is not one of"),
    ],
)
def test_what_makes_no_sense_is_refused(
    library: Path, cli: Run, arguments: list[str], what: str
) -> None:
    made = cli("errata", *arguments, "--rulebook", str(library))
    assert (made.returncode, made.stdout) == (2, "")
    assert what in made.stderr
    assert "Traceback" not in made.stderr


# ---- the shipped rulebook ------------------------------------------------------------------------

SECONDS = 600.0  # far more than it should take
# all that 63.51C and the first part of 63.51F speak of, in either edition
RULE_63 = (
    "deploy_freely(", "transfer_to_siberia(", "produce(", "hold_produced(", "must_hold(",
    "extra_movement(",
)  # fmt: skip


@pytest.fixture(scope="module")
def rule_63() -> Errata:
    """What changes from the earlier edition of rule 63 to the current one."""
    return errata(*two_sides(None, ["earlier", "current"], None), SECONDS, findings=False)


def test_only_the_redefined_clauses_of_rule_63_make_a_difference(rule_63: Errata) -> None:
    assert rule_63.comparison is not None
    for subject, one in differences(rule_63).items():
        if one.kind == "effect":  # of an action that differs itself
            assert subject.removeprefix("change(").startswith(RULE_63), subject
        else:
            assert subject.startswith(RULE_63), subject
        assert set(one.clauses) <= set(rule_63.comparison.changed)
    changed = set(rule_63.comparison.changed)
    assert all(clause.startswith(("63.51C.", "63.51F.")) for clause in changed)
    assert sum(map(len, rule_63.comparison.equivalent.values())) > 1000


def test_the_second_infantry_unit_is_free_now_below_rgt_40(rule_63: Errata) -> None:
    one = differences(rule_63)["deploy_freely(russia,infantry_3_3)"]
    assert one.relation == "looser"
    shown = one.shown[0]
    assert "produced(infantry_3_3,2)" in shown.state.facts
    assert (shown.old.answer, shown.new.answer) == ("forbidden", "legal")
    assert (shown.old.clauses, shown.new.clauses) == (("63.51C.s1a",), ("63.51C.s2",))
    (levels,) = (one for one in shown.ranges if one.fact.startswith("rgt("))
    assert (levels.low, levels.high) == (0, 39)


def test_a_transfer_of_an_initial_unit_at_rgt_45_is_forbidden_where_nothing_was_said(
    rule_63: Errata,
) -> None:
    subject = "transfer_to_siberia(russia,infantry_3_3)"
    # of a unit that production added it is legal now, so that the whole is looser
    one = differences(rule_63)[subject]
    assert one.relation == "looser"
    assert set(one.clauses) <= {"63.51C.s3", "63.51C.s4", "63.51C.s5"}
    state = load_state(rule_63.new.book, "spring_1940", set=["rgt(45)", "phase(russia,construction)"])
    said = [standing(side.book, "action", state, subject) for side in (rule_63.old, rule_63.new)]
    assert [(one.answer, one.clauses) for one in said] == [
        ("not_permitted", ()),
        ("forbidden", ("63.51C.s4",)),
    ]


def test_surprised_armor_next_to_the_line_costs_nothing_now(rule_63: Errata) -> None:
    one = differences(rule_63)["extra_movement(adjacent)"]
    assert (one.kind, one.relation) == ("quantity", "changed")
    (shown,) = one.shown
    assert (shown.old.answer, shown.new.answer) == ("1", "0")
    assert "extra_movement(not_adjacent)" not in differences(rule_63)


def test_a_reworded_clause_of_rule_63_is_proved_to_be_a_clarification(tmp_path: Path) -> None:
    text = (
        "%## 63.51A  Subversion from RGT 15\n% redefined: the same in other words\n"
        "% > Subversion starts at tension 15.\n"
    )
    rules = (load_rulebook().root / "rules" / "63_eastern_europe.lp").read_text("utf-8")
    norms = rules[rules.index("%## 63.51A") :].split("\n%## ")[0].split("\n")
    text += "\n".join(line for line in norms if not line.startswith("%"))
    path = tmp_path / "reworded.lp"
    path.write_text(HEAD + text.replace("Level >= 15", "not Level < 15"), "utf-8")
    found = errata(*two_sides(None, [str(path)], None), SECONDS, findings=False)
    assert found.comparison is not None
    assert found.relation == "equivalent"
    assert found.comparison.clarifications == ("63.51A",)
