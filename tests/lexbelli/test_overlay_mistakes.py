"""Editions and errata with mistakes: each is told where it is wrong, and what would be right."""

import os
import shutil
from pathlib import Path

import pytest
from tests.overlay_texts import HEAD, LIBRARY, NO_SUNDAY, TWO_BOOKS, erratum

from lexbelli import LexBelliError, load_rulebook
from lexbelli.rulebook import session


@pytest.fixture
def library(tmp_path: Path) -> Path:
    """A copy of the lending rules that a test may add to."""
    folder = tmp_path / "library"
    shutil.copytree(LIBRARY, folder)
    return folder


def wrong(folder: Path, *errata: Path, edition: str = "current") -> LexBelliError:
    """Return the error of loading and grounding a rulebook with errata."""
    with pytest.raises(LexBelliError) as caught:
        session(load_rulebook(folder, edition, errata))
    assert caught.value.exit_code == 2
    return caught.value


@pytest.mark.parametrize(
    ("text", "line", "column", "what", "hint"),
    [
        ("", 0, 0, "this changes no clause", "its clauses stand under headings"),
        ("%## 1.44  Odd\n% redefined: x\nok.\n", 6, 1, "1.44 redefined, and there is none", "1.4"),
        ("%## 1.7  Odd\n% withdrawn: x\n", 6, 1, "1.7 withdrawn, and there is none", "did you mean 1."),
        (
            '%## 1.4  Again\nforbids("1.4",borrow(ann)).\n',
            6, 1, "adds clause 1.4, which is there already, at", "% redefined: what is different",
        ),
        ("%## 1.4  A\n% withdrawn: x\nok.\n", 8, 1, "withdrawn, so it has no rules", "is redefined"),
        ("%## 1.4  A\n% redefined:\nok.\n", 7, 1, "this gives no reason", "% redefined: why"),
        ("%## 1.4  A\n% redefined: a\n% withdrawn: b\n", 8, 1, "is redefined already", ""),
        ("%## 1.4  A\n% redefined: x\n", 6, 1, "neither a rule nor a reason", "write its rules"),
        (NO_SUNDAY + NO_SUNDAY, 8, 1, "clause 1.2 has a second heading; the first is at", ""),
        ("%## 1.4\n% withdrawn: x\n", 6, 1, "a heading is", ""),
        ("%## 1/4  A\n% withdrawn: x\n", 6, 1, "is no clause id", ""),
        (NO_SUNDAY + "%# title: late\n", 8, 1, "stands above its first clause", ""),
        ('forbids("1.4",borrow(ann)).\n' + NO_SUNDAY, 6, 1, "has no heading", ""),
        (
            '%## 1.7  A\nforbids("1.4",borrow(ann)).\n',
            7, 1, "stands under the heading of 1.7", "",
        ),
        ('%## 1.7  A\nforbids("1.7",borow(ann)).\n', 7, 1, "no action borow(ann)", "borrow"),
        ('%## 1.7  A\nforbids("1.7",borrow(ann)) :- ovrdue(ann).\n', 7, 31, "any rule head", ""),
        (
            '%## 1.7  A\ninitiates("1.7",borrow(ann),ill(ann)) :- ovrdue(ann).\n',
            7, 1, "any rule head", "did you mean overdue?",
        ),
        ('%## 1.7  A\nforbids("1.7",borrow(Who)) :- not staff(Who).\n', 7, 1, "unsafe", ""),
        ('%## 1.7  A\nforbids("1.7",borrow(ann)\n', 8, 1, "syntax error", ""),
        ("%## 1.7  A\n#script (python)\n#end.\n", 7, 1, "scripts are refused", ""),
        ('%## 1.7  A\n  #include "/etc/passwd".\n', 7, 3, "only files inside", ""),
        ('%## 1.7  A\n#include "library/desk.lp/../../../secret.lp".\n', 7, 1, "only files inside", ""),
        ("%## 1.7  A\n{ free(ann) }.\n", 7, 1, "no choice", ""),
        ("%## 1.7  A\n:- day(sunday).\n", 7, 1, "rules out no state", "impossible"),
        ("%## 1.7  A\nlegal(1).\nverdict(a,b).\n", 8, 1, "belongs to the core", ""),
        ('%## 1.7  A\nforbid("1.7",borrow(ann)).\n', 7, 1, "none of the heads", "forbids"),
        (
            '%## 1.7  A\noverrides("1.7","1.77",borrow(ann)).\n',
            7, 1, "there is no clause 1.77", "did you mean",
        ),
    ],
)  # fmt: skip
def test_a_wrong_erratum_is_told_where_and_why(  # noqa: PLR0917 - the columns of the table
    library: Path, text: str, line: int, column: int, what: str, hint: str
) -> None:
    path = erratum(library, text)
    error = wrong(library, path)
    assert what in error.message, error
    assert hint in error.hint
    assert error.place is not None
    assert (error.place.file, error.place.line) == (str(path), line), error
    if "syntax" not in what:
        assert error.place.column == column


@pytest.mark.parametrize(
    ("head", "line", "what", "hint"),
    [
        (HEAD.replace("title", "titel"), 1, "says no 'titel'", "did you mean title?"),
        (HEAD.replace("%# date: 2003-05-01\n", ""), 0, "does not say its date", "%# date: ..."),
        (HEAD.replace(" to test it", ""), 4, "does not say its reason", "%# reason: ..."),
        (HEAD.replace("2003-05-01", "2003-13-01"), 2, "'2003-13-01' is no date", "2003-05"),
        (HEAD.replace("2003-05-01", "May 2003"), 2, "'May 2003' is no date", "undated"),
        (HEAD.replace("current", "curent"), 3, "no edition 'curent'", "did you mean current?"),
        (HEAD.replace("current", "old"), 3, "made for edition old, and not for current", ""),
        (HEAD + "%# title: Once more\n", 6, "says title twice; the first is at", ""),
        ("%# A correction\n" + HEAD, 1, "a line of the head is", "two spaces"),
        ("", 0, "does not say its title", "%# title: ..."),
    ],
)
def test_a_wrong_head(library: Path, head: str, line: int, what: str, hint: str) -> None:
    erratum(library, TWO_BOOKS, "library/editions/old.lp")
    path = erratum(library, NO_SUNDAY, head=head)
    error = wrong(library, path)
    assert what in error.message, error
    assert hint in error.hint
    assert error.place is not None
    assert (error.place.file, error.place.line) == (str(path), line), error


@pytest.mark.parametrize("date", ["2003", "2003-05", "2003-05-31", "undated"])
def test_dates(library: Path, date: str) -> None:
    path = erratum(library, NO_SUNDAY, head=HEAD.replace("2003-05-01", date))
    assert load_rulebook(library, errata=[path]).overlays[0].date == date


def test_two_errata_that_touch_one_clause(library: Path) -> None:
    first = erratum(library, NO_SUNDAY + TWO_BOOKS, "first.lp")
    second = erratum(library, "%## 1.4  Three books\n% withdrawn: too strict\n", "second.lp")
    error = wrong(library, first, second)
    assert error.message == f"two errata touch clause 1.4; the other is at {first}:8:1"
    assert str(error.place) == f"{second}:6:1"


def test_one_erratum_twice(library: Path) -> None:
    path = erratum(library, NO_SUNDAY)
    os.symlink(path, path.with_name("other.lp"))
    assert "given twice" in wrong(library, path, path.with_name("other.lp")).message


def test_an_erratum_to_what_the_edition_has_withdrawn(library: Path) -> None:
    erratum(library, NO_SUNDAY, "library/editions/open.lp")
    text = NO_SUNDAY.replace("withdrawn", "redefined") + 'forbids("1.2",borrow(ann)).\n'
    path = erratum(library, text, head=HEAD.replace("current", "open"))
    assert "1.2 redefined, and there is none" in wrong(library, path, edition="open").message


@pytest.mark.parametrize(
    ("content", "what"),
    [
        (b"", "the file is empty"),
        (b"\xef\xbb\xbf" + HEAD.encode(), "byte order mark"),
        (HEAD.encode() + b"\0", "binary"),
        (HEAD.encode() + b"\xff", "not UTF-8"),
        (b"% nothing but a comment\n", "does not say its title"),
    ],
)
def test_an_erratum_that_cannot_be_read(library: Path, content: bytes, what: str) -> None:
    path = library.parent / "correction.lp"
    path.write_bytes(content)
    assert what in wrong(library, path).message


def test_what_is_no_erratum(library: Path, tmp_path: Path) -> None:
    assert "there is no such file" in wrong(library, tmp_path / "none.lp").message
    assert "cannot be read" in wrong(library, Path("a\0b.lp")).message
    text = erratum(library, NO_SUNDAY, "correction.txt")
    assert "this is no .lp file" in wrong(library, text).message
    (tmp_path / "empty").mkdir()
    assert "this folder has no .lp file" in wrong(library, tmp_path / "empty").message
    shouting = erratum(library, NO_SUNDAY, "folder/CORRECTION.LP")
    assert "ends in .lp" in wrong(library, shouting.parent).message
    os.mkfifo(tmp_path / "pipe.lp")
    assert "no regular file" in wrong(library, tmp_path / "pipe.lp").message
    linked = tmp_path / "linked"
    linked.mkdir()
    os.symlink(erratum(library, NO_SUNDAY), linked / "correction.lp")
    assert "outside the folder" in wrong(library, linked).message
    with pytest.raises(TypeError, match="a list of files"):
        load_rulebook(library, errata="correction.lp")


def test_wrong_editions(library: Path) -> None:
    erratum(library, TWO_BOOKS, "library/editions/old.lp")
    error = wrong(library, edition="odl")
    assert (error.message, error.hint) == ("the rulebook has no edition 'odl'", "did you mean old?")
    assert wrong(library, edition="../old").message == "the rulebook has no edition '../old'"
    assert wrong(library, edition="zzz").hint == "it has: current, old"
    erratum(library, TWO_BOOKS, "library/editions/odd.lp", HEAD.replace("current", "old"))
    assert "made for edition old, and not for current" in wrong(library, edition="odd").message
    os.symlink("/etc/hostname", library / "editions" / "away.lp")
    assert "outside the rulebook" in wrong(library, edition="away").message
    (library / "editions" / "old").mkdir()
    assert "edition old is there already" in wrong(library, edition="old").message
    shutil.rmtree(library / "editions" / "old")
    erratum(library, TWO_BOOKS, "library/editions/current.lp")
    assert "current is there already: the rulebook itself" in wrong(library).message


def test_a_head_in_two_files_of_a_folder(library: Path) -> None:
    first = erratum(library, TWO_BOOKS, "folder/first.lp")
    second = erratum(library, NO_SUNDAY, "folder/second.lp")
    error = wrong(library, first.parent)
    assert error.message == f"the head says title twice; the first is at {first}:1:1"
    assert str(error.place) == f"{second}:1:1"
