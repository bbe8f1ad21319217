"""Findings about how a rulebook is put together, and about the text that it was made from."""

import json
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import jsonschema
import pytest

import lexbelli
from lexbelli import InputError, RulebookError, load_rulebook
from lexbelli.check import Report, check
from lexbelli.findings import Finding
from lexbelli.options import compare_printed
from lexbelli.rulebook import session

Run = Callable[..., "subprocess.CompletedProcess[str]"]
LIBRARY = Path(__file__).parent.parent / "library_rulebook"
SOUND = {"LB101:1.1+1.2", "LB101:1.1+1.4", "LB101:1.3+1.4"}
CHAPTER = "1_lending.lp"

# the printed rules of the library, in which one thing has two names and one name two things
PRINTED = """\
1. LENDING
1.1 READERS MAY BORROW: Any reader may take a volume home from the reading room.
1.2 CLOSED ON SUNDAY: No book leaves the lending desk on a Sunday.
1.3 EXCEPT TO STAFF: Staff may take books whatever the day. A volume counts as a book.
1.4 THREE BOOKS AT MOST: Nobody has more than three books out at the lending
desk.
1.5 FINES: Who has a book overdue pays a fine at the read-
ing room desk. The fine is due at once.
1.6 WHAT BORROWING DOES: One item more is out.
"""
TERMS = """
term(book,"book|books").  term(book,"volume|volumes").  term(book,"tome").
term(desk,"lending desk").  term(room,"reading room").  term(counter,"reading room desk").
term(penalty,"fine").  term(quality,"fine").  term(nothing,"desk").
"""


@pytest.fixture
def library(tmp_path: Path) -> Path:
    """A copy of the lending rules that a test may damage."""
    folder = tmp_path / "library"
    shutil.copytree(LIBRARY, folder)
    return folder


def edit(library: Path, old: str, new: str) -> int:
    """Replace a text of the lending rules that stands there once, and return the line it begins on."""
    path = library / "rules" / CHAPTER
    text = path.read_text("utf-8")
    assert text.count(old) == 1
    path.write_text(text.replace(old, new), "utf-8")
    return text[: text.index(old)].count("\n") + 1


def add(library: Path, rules: str) -> int:
    """Add to the lending rules, and return the line it begins on."""
    path = library / "rules" / CHAPTER
    text = path.read_text("utf-8")
    path.write_text(f"{text}{rules}\n", "utf-8")
    return text.count("\n") + 1


def found_in(library: Path, printed: Path | None = None) -> Report:
    book = load_rulebook(library, tolerant=True)
    return check(book, text=None if printed is None else compare_printed(str(printed), book.clauses))


def new(library: Path, printed: Path | None = None) -> dict[str, Finding]:
    """Return what a check finds that it does not find in the lending rules as they are."""
    return {f.id: f for f in found_in(library, printed).findings if f.id not in SOUND}


def ids(library: Path) -> set[str]:
    return {finding.id for finding in found_in(library).findings}


def strict(library: Path) -> RulebookError:
    """Return what every other command is told of the rulebook."""
    with pytest.raises(RulebookError) as caught:
        session(load_rulebook(library))
    return caught.value


# ---- the structure -------------------------------------------------------------------------------


def test_a_sound_rulebook_has_no_problems(library: Path) -> None:
    assert load_rulebook(library, tolerant=True).problems == ()
    assert ids(library) == SOUND


CIRCLE = """\
%## 2.1  A
overrides("2.1","2.2",Action) :- action(Action).
%## 2.2  B
overrides("2.2","2.3",Action) :- action(Action).
%## 2.3  C
overrides("2.3","2.1",Action) :- action(Action).
"""


def test_a_circle_of_priorities_is_found_once(library: Path) -> None:
    line = add(library, CIRCLE)
    assert "priorities run in a circle" in strict(library).message
    found = new(library)
    circle = found["LB106:2.1+2.2+2.3"]
    # what stands above nothing that speaks is redundant as well
    assert set(found) == {circle.id, "LB203:2.1", "LB203:2.2", "LB203:2.3"}
    assert len(circle.subjects) == 4
    assert "2.1 above 2.2 above 2.3 above 2.1" in circle.message
    assert circle.place is not None
    assert (Path(circle.place.file).name, circle.place.line) == (CHAPTER, line + 1)


def test_every_circle_is_found(library: Path) -> None:
    """Two that share a clause, one inside a larger one, and a clause above itself."""
    above = [
        ("2.1", "2.2"),
        ("2.2", "2.1"),
        ("2.2", "2.3"),
        ("2.3", "2.2"),
        ("2.3", "2.1"),
        ("2.4", "2.4"),
    ]
    for clause in ("2.1", "2.2", "2.3", "2.4"):
        rules = [f'overrides("{a}","{b}",borrow(ann)).' for a, b in above if a == clause]
        add(library, f"%## {clause}  A clause\n" + "\n".join(rules))
    circles = {"LB106:2.1+2.2", "LB106:2.2+2.3", "LB106:2.1+2.2+2.3", "LB106:2.4"}
    assert {one for one in new(library) if one.startswith("LB106")} == circles


def test_a_clause_that_has_lost_its_rules_is_found(library: Path) -> None:
    line = edit(library, 'forbids("1.2",borrow(Person)) :- person(Person), day(sunday).\n', "")
    error = strict(library)
    book = load_rulebook(library, tolerant=True)
    new_ones = {f.id: f for f in check(book).findings if f.id not in SOUND}
    # 1.3 stood above 1.2 and grants no more than 1.1 now
    assert set(new_ones) == {"LB403:1.2", "LB203:1.3+1.1"}
    finding = new_ones["LB403:1.2"]
    assert finding.place == error.place
    assert finding.place is not None
    assert finding.place.line == line - 3
    assert (finding.message, finding.suggestion) == (error.message, error.hint)
    # the other questions are still answered, without the clause that says nothing now
    assert ids(library) == SOUND - {"LB101:1.1+1.2"} | {"LB403:1.2", "LB203:1.3+1.1"}


def test_all_bare_headings_are_found(library: Path) -> None:
    add(
        library,
        "%## 2.1  Bare\n%## 2.2  Said\n% not formalised: not ours\n%## 2.3  Bare as well\n% > Yes.",
    )
    assert set(new(library)) == {"LB403:2.1", "LB403:2.3"}


def test_a_rule_under_anothers_heading_counts_for_its_own_clause(library: Path) -> None:
    rule = 'forbids("1.2",borrow(Person)) :- person(Person), day(sunday).\n'
    edit(library, rule, "")
    line = edit(library, "% kind: exception\n", f"% kind: exception\n{rule}") + 1
    strict(library)
    found = new(library)
    assert set(found) == {"LB404:1.2+1.3"}  # not that 1.2 has no rule as well
    place = found["LB404:1.2+1.3"].place
    assert place is not None
    assert (place.line, place.column) == (line, 1)
    assert ids(library) >= SOUND


def test_a_rule_of_a_clause_without_heading_is_left_out(library: Path) -> None:
    line = edit(library, 'meets("1.4",borrow(Person))  ', 'meets("1.44",borrow(Person))  ')
    found = new(library)
    assert set(found) == {"LB404:1.44+1.4"}
    finding = found["LB404:1.44+1.4"]
    assert "it is left out of the check" in finding.message
    assert "did you mean 1.4" in finding.suggestion
    assert finding.place is not None
    assert finding.place.line == line


def test_a_lost_heading_makes_all_its_rules_orphans(library: Path) -> None:
    edit(library, "%## 1.5  Fines\n", "")
    found = new(library)
    assert set(found) == {"LB404:1.5+1.4"}
    assert len(found["LB404:1.5+1.4"].subjects) == 3
    edit(library, "%## 1.1  Readers may borrow\n", "")
    assert {"LB404:1.1", "LB404:1.5+1.4"} <= set(new(library))


def test_a_priority_over_a_clause_whose_heading_is_lost_stands(library: Path) -> None:
    edit(library, "%## 1.2  Closed on Sunday\n", "")
    # without 1.2, which it stands above, 1.3 grants no more than 1.1
    assert set(new(library)) == {"LB404:1.2+1.1", "LB203:1.3+1.1"}


@pytest.mark.parametrize(
    ("rules", "what"),
    [
        ('%## 2.1  A\nforbids("2.1",borow(ann)).', "there is no action borow(ann)"),
        ('%## 2.1  A\nforbids("2.1",borrow(ann)) :- overdeu(ann).', "overdeu"),
        ("%## 1.1  Again\n% not formalised: twice", "second heading"),
        ('%## 2.1  A\nforbids("2.1",borrow(ann)', "syntax error"),
    ],
)
def test_other_defects_are_errors_of_a_check_as_well(
    cli: Run, library: Path, rules: str, what: str
) -> None:
    add(library, rules)
    result = cli("check", "--rulebook", str(library))
    assert result.returncode == 2
    assert what in result.stderr


def test_only_a_check_is_tolerant(cli: Run, library: Path) -> None:
    edit(library, '% kind: exception\npermits("1.3"', '% kind: exception\npermits("1.33"')
    add(library, CIRCLE)
    result = cli("moves", "--rulebook", str(library))
    assert result.returncode == 2
    assert "stands under the heading of 1.3" in result.stderr
    result = cli("check", "--rulebook", str(library), "--format", "json")
    assert result.returncode == 1
    answer = json.loads(result.stdout)
    jsonschema.validate(answer, lexbelli.schema("check"))
    places = {one["id"]: one["place"] for one in answer["findings"]}
    assert places["LB404:1.33+1.3"]["file"].endswith(CHAPTER)
    assert places["LB106:2.1+2.2+2.3"]["column"] == 1
    assert places["LB101:1.1+1.2"] is None
    shown = cli("check", "--rulebook", str(library), "--code", "LB404").stdout
    assert f"{CHAPTER}:{places['LB404:1.33+1.3']['line']}:1" in shown


# ---- headings ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("heading", "message", "hint"),
    [
        ("% knid: value", "'knid' is no key of a heading", "did you mean kind?"),
        (
            "% kind: value    see: 1.1\n% yield to: 1.2",
            "'yield to' is no key",
            "did you mean yields to?",
        ),
        ("% not formalized: no", "'not formalized' is no key", "did you mean not formalised?"),
        ("% kind: valeu", "clause 2.1: there is no kind 'valeu'", "did you mean value?"),
        ("% kind: value\n% kind: effect", "clause 2.1 has a second 'kind'", ""),
    ],
)
def test_a_heading_that_says_what_nobody_reads_is_refused(
    library: Path, heading: str, message: str, hint: str
) -> None:
    line = add(library, f'%## 2.1  A\n{heading}\nsets("2.1",cost(pay(ann)),2).')
    error = strict(library)
    assert message in error.message
    assert error.hint == hint
    assert error.place is not None
    assert error.place.line == line + heading.count("\n") + 1


def test_a_remark_under_a_heading_is_no_key(library: Path) -> None:
    add(library, '%## 2.1  A\n% unless: an exception in words\nsets("2.1",cost(pay(ann)),2).')
    session(load_rulebook(library))


# ---- conditions ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("condition", "message", "hint"),
    [
        ("day(sundae)", "sundae in day(sundae)", "did you mean sunday"),
        ("not day(mondy)", "mondy in day(mondy)", "did you mean monday"),
        ("books(anne,_)", "anne in books(anne,_)", "did you mean ann?"),
        ("overdue(anne), money(bob,Coins), Coins > 3", "anne in overdue(anne)", "ann"),
    ],
)
def test_a_condition_with_a_name_of_nothing_is_refused(
    library: Path, condition: str, message: str, hint: str
) -> None:
    line = add(library, f'%## 2.1  A\nforbids("2.1",pay(ann)) :- {condition}.')
    error = strict(library)
    assert error.message == f"{message}: no fact has this name"
    assert hint in error.hint
    assert error.place is not None
    assert error.place.line == line + 1


def test_a_turn_with_a_slip_of_the_pen_is_refused(rulebook_copy: Path) -> None:
    path = rulebook_copy / "rules" / "70_extra.lp"
    path.write_text('%## 70.1  A\nforbids("70.1",end_phase) :- turn(witner,_).\n', "utf-8")
    with pytest.raises(RulebookError, match=r"witner in turn\(witner,_\)") as caught:
        session(load_rulebook(rulebook_copy))
    assert caught.value.hint == "did you mean winter?"


@pytest.mark.parametrize("condition", ["books(ann,77)", "day(ann)", "person(ann), not staff(bob)"])
def test_a_condition_that_cannot_be_met_is_no_error(library: Path, condition: str) -> None:
    """A check tells of the clause, which never speaks."""
    add(library, f'%## 2.1  A\nforbids("2.1",pay(ann)) :- {condition}.')
    session(load_rulebook(library))


# ---- the printed text ----------------------------------------------------------------------------


@pytest.fixture
def printed(tmp_path: Path, library: Path) -> Path:
    """A text of the lending rules, which declare their terms."""
    desk = library / "desk.lp"
    desk.write_text(f"{desk.read_text('utf-8')}{TERMS}", "utf-8")
    path = tmp_path / "printed.txt"
    path.write_text(PRINTED, "utf-8")
    return path


def test_two_terms_for_a_thing_and_two_things_for_a_term_are_found(
    library: Path, printed: Path
) -> None:
    found = new(library, printed)
    assert set(found) == {"LB406:book", "LB406:fine:penalty+quality"}
    book = found["LB406:book"]
    assert '"book" 5 times, in 1.2 1.3 1.4 1.5' in book.message
    assert '"volume" twice, in 1.1 1.3' in book.message
    assert "tome" not in book.message
    assert book.clauses == ("1.1", "1.2", "1.3", "1.4", "1.5")
    fine = found["LB406:fine:penalty+quality"]
    assert "penalty, or quality; twice, in 1.5" in fine.message


def test_a_longer_wording_hides_a_shorter_one(library: Path, printed: Path) -> None:
    """Every desk of the text is a lending desk or that of the reading room, torn at a line's end."""
    desk = library / "desk.lp"
    desk.write_text(f'{desk.read_text("utf-8")}term(desk,"desk").', "utf-8")
    assert "LB406:desk" not in new(library, printed)
    printed.write_text(f"{PRINTED}The DESK\nis of oak, and no desktop.\n", "utf-8")
    found = new(library, printed)
    assert '"lending desk" twice, in 1.2 1.4; "desk" once, in 1.6' in found["LB406:desk"].message
    assert "LB406:desk:desk+nothing" in found


@pytest.mark.parametrize(
    ("save", "name"),
    [
        (lambda text: text.replace("\n", "\r\n").encode(), "Windows line ends"),
        (lambda text: b"\xef\xbb\xbf" + text.encode(), "a byte order mark"),
        (lambda text: " ".join(text.replace("read-\n", "read").split()).encode(), "one line"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_text_may_be_saved_in_many_ways(
    library: Path, printed: Path, save: Callable[[str], bytes], name: str
) -> None:
    printed.write_bytes(save(PRINTED))
    report = found_in(library, printed)
    texts = {f.id for f in report.findings} - SOUND
    assert texts == {"LB406:book", "LB406:fine:penalty+quality"}, name
    assert "the text and the headings have the same clauses (LB405): 6, in 1" in report.proved


def test_clauses_that_only_one_of_them_has_are_found(library: Path, printed: Path) -> None:
    text = PRINTED.replace("1.4 THREE", "1.7 THREE").replace("1.6 WHAT", "See 9.9 and 1.88. WHAT")
    printed.write_text(text + "4.1 NOT OURS: This is another chapter.\n", "utf-8")
    found = {one: f for one, f in new(library, printed).items() if not one.startswith("LB406")}
    assert set(found) == {"LB405:1.4", "LB405:1.6", "LB405:1.7", "LB401:1.5", "LB402:1.5"}
    assert "The nearest number is 1.7." in found["LB405:1.4"].suggestion
    assert "THREE BOOKS AT MOST, and no heading here" in found["LB405:1.7"].message
    assert found["LB401:1.5"].subjects == ("1.88",)


def test_the_text_of_other_rules_is_told(library: Path, printed: Path) -> None:
    printed.write_text(PRINTED.replace("1.", "8."), "utf-8")
    found = {one for one in new(library, printed) if not one.startswith("LB406")}
    assert found == {"LB405:chapters"}


@pytest.mark.parametrize(
    ("content", "what"),
    [
        (b"Nothing here has a number.\n", "there is no numbered clause in this text"),
        (b"1.1 A\0\1\2", "this is a binary file"),
        (b"\xef\xbb\xbf\n", "the file is empty"),
        (b"1.1 \xff\xfa: bad\n", "the file is not UTF-8 text"),
        (b"\xff\xfe1\0", "byte order mark"),
    ],
)
def test_a_text_that_cannot_be_read_is_named(
    cli: Run, library: Path, tmp_path: Path, content: bytes, what: str
) -> None:
    file = tmp_path / "mine.txt"
    file.write_bytes(content)
    result = cli("check", "--rulebook", str(library), "--text", str(file))
    assert result.returncode == 2
    assert what in result.stderr
    assert "mine.txt" in result.stderr


@pytest.mark.parametrize("name", ["nowhere.txt", "."])
def test_a_text_that_is_not_there(cli: Run, library: Path, name: str) -> None:
    result = cli("check", "--rulebook", str(library), "--text", name)
    assert result.returncode == 2
    assert name in result.stderr


def test_the_codes_of_the_text_need_a_text(cli: Run, library: Path, printed: Path) -> None:
    result = cli("check", "--rulebook", str(library), "--code", "LB405", "--code", "LB101")
    assert result.returncode == 2
    assert "LB405: say with --text FILE" in result.stderr
    command = ("check", "--rulebook", str(library), "--text", str(printed), "--code", "LB406")
    result = cli(*command)
    assert result.returncode == 0  # notes
    assert "two terms for one thing, book" in result.stdout


@pytest.mark.parametrize("term", ['term(book,"").', 'term(book,"book|").', 'term(book,"-").'])
def test_a_wording_without_words_is_refused(library: Path, printed: Path, term: str) -> None:
    desk = library / "desk.lp"
    desk.write_text(f"{desk.read_text('utf-8')}{term}", "utf-8")
    with pytest.raises(RulebookError, match="there is no word in a form of"):
        found_in(library, printed)


def test_a_comparison_needs_clauses(library: Path, tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("one\n", "utf-8")
    with pytest.raises(InputError, match="no numbered clause"):
        compare_printed(str(tmp_path / "a.txt"), load_rulebook(library).clauses)
