"""Loading a rulebook, and what a damaged one is told."""

from pathlib import Path

import pytest

from lexbelli import InputError, LexBelliError, Rulebook, RulebookError, load_rulebook
from lexbelli.rulebook import session


def add_chapter(folder: Path, text: str) -> Path:
    """Add a chapter to a rulebook."""
    path = folder / "rules" / "70_extra.lp"
    path.write_text(text, "utf-8")
    return path


def wrong(folder: Path) -> LexBelliError:
    """Return the error of loading and grounding a rulebook."""
    with pytest.raises(LexBelliError) as caught:
        session(load_rulebook(folder))
    assert caught.value.exit_code == 2
    return caught.value


def test_clauses_are_read_from_their_headings(book: Rulebook) -> None:
    clause = book.clause("69.21.s1")
    assert clause is not None
    assert clause.title == "A German interest protects below RGT 35"
    assert clause.gist.startswith("Below tension 35 Russia may not declare war")
    assert clause.kind == "prohibition"
    assert clause.see == ("63.51E",)
    assert clause.yields_to == "65.22.s2 (regardless of the RGT level)"
    assert clause.heads == ("forbids", "meets")
    assert Path(clause.place.file).name == "69_german_economic_interests.lp"


def test_every_norm_carries_its_guard(book: Rulebook) -> None:
    for norm in book.norms:
        assert str(norm.rule).endswith(f'in_force("{norm.clause}").')


def test_a_new_chapter_needs_no_python(rulebook_copy: Path) -> None:
    add_chapter(
        rulebook_copy,
        '%## 70.1  A new clause\n% > It.\n% kind: value\nsets("70.1",brp_value(finland),7).\n',
    )
    book = load_rulebook(rulebook_copy)
    assert book.clause("70.1") is not None
    session(book)


@pytest.mark.parametrize(
    ("text", "line", "column", "what"),
    [
        ('forbids("70.1",end_phase).\n', 1, 1, "this rule of clause 70.1 has no heading"),
        ('%## 70.2  Other\nforbids("70.1",end_phase).\n', 2, 1, "stands under the heading of 70.2"),
        ("%## 70.1  Empty\n% > Nothing.\n", 1, 1, "neither a rule nor a reason"),
        ("%## 70.1  A\nok.\n%## 70.1  B\nok2.\n", 3, 1, "clause 70.1 has a second heading"),
        ("%## 70.1\n", 1, 1, "a heading is"),
        ("%## 70/1  Odd\nok.\n", 1, 1, "is no clause id"),
        ("%## 70.1  A\nforbids(Clause,end_phase) :- phase(Clause,_).\n", 2, 1, "in quotation marks"),
        (
            '%## 70.1  A\nforbids("70.1";"70.2",end_phase).\n',
            2,
            1,
            "a clause says one thing in a rule",
        ),
        (
            '%## 70.1  A\nforbids("70.1",end_phase) :- rtg(30).\n',
            2,
            30,
            "does not occur in any rule head",
        ),
        ('%## 70.1  A\nforbids("70.1",end_phase) :- rgt(30\n', 3, 1, "syntax error"),
        ('%## 70.1  A\nforbids("70.1",end_phase(X)) :- not rgt(X).\n', 2, 1, "unsafe"),
        ("%## 70.1  A\n#script (python)\nprint(1)\n#end.\n", 2, 1, "embedded scripts are refused"),
        ("%## 70.1  A\n  #script (lua)\n#end.\n", 2, 3, "embedded scripts are refused"),
        ('%## 70.1  A\n#include "/etc/passwd".\n', 2, 1, "only files inside"),
        ('%## 70.1  A\n#include "../../../secret.lp".\n', 2, 1, "only files inside"),
        ("%## 70.1  A\n#include <incmode>.\n", 2, 1, "only files inside"),
        ('%## 70.1  A\nsets("70.1",brp_value(finland),2147483648).\n', 2, 32, "out of range"),
    ],
)
def test_a_damaged_chapter_is_told_where_and_why(
    rulebook_copy: Path, text: str, line: int, column: int, what: str
) -> None:
    path = add_chapter(rulebook_copy, text)
    error = wrong(rulebook_copy)
    assert any(part in error.message for part in what.split("|")), error
    assert error.place is not None
    assert (Path(error.place.file).name, error.place.line) == (path.name, line)
    if "syntax" not in what:
        assert error.place.column == column


def test_a_commented_directive_is_no_directive(rulebook_copy: Path) -> None:
    add_chapter(
        rulebook_copy,
        '%## 70.1  A\n% #script is refused, says this comment\n%* #include "x" *%\n'
        'sets("70.1",brp_value(finland),7).\n',
    )
    session(load_rulebook(rulebook_copy))


def test_an_included_file_of_the_rulebook_is_read(rulebook_copy: Path) -> None:
    inner = rulebook_copy / "rules" / "parts"
    inner.mkdir()
    (inner / "more.lp").write_text("extra_fact(1).\n", "utf-8")
    add_chapter(
        rulebook_copy, '%## 70.1  A\n#include "parts/more.lp".\nsets("70.1",brp_value(finland),7).\n'
    )
    session(load_rulebook(rulebook_copy))


def test_a_circle_of_priorities_is_refused(rulebook_copy: Path) -> None:
    add_chapter(
        rulebook_copy,
        '%## 70.1  A\noverrides("70.1","70.2",end_phase).\n'
        '%## 70.2  B\noverrides("70.2","70.1",end_phase).\n',
    )
    error = wrong(rulebook_copy)
    assert "priorities run in a circle on end_phase: 70.1 above 70.2 above 70.1" in error.message


@pytest.mark.parametrize(
    ("content", "what"),
    [
        (b"", "the file is empty"),
        (b"\xef\xbb\xbf%## 70.1  A\nok.\n", "byte order mark"),
        (b"%## 70.1  A\nok.\0\n", "binary"),
        (b"%## 70.1  \xff\xfa\nok.\n", "not UTF-8"),
    ],
)
def test_an_unreadable_chapter(rulebook_copy: Path, content: bytes, what: str) -> None:
    (rulebook_copy / "rules" / "70_extra.lp").write_bytes(content)
    assert what in wrong(rulebook_copy).message


def test_no_rulebook(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such rulebook folder"):
        load_rulebook(tmp_path / "nowhere")
    with pytest.raises(InputError, match="holds no rulebook"):
        load_rulebook(tmp_path)


def test_an_edition_that_is_not_there() -> None:
    with pytest.raises(InputError, match="no edition 'earlyer'"):
        load_rulebook(edition="earlyer")


def test_a_rule_may_stand_in_the_declarations(rulebook_copy: Path) -> None:
    state = rulebook_copy / "state.lp"
    state.write_text(state.read_text("utf-8") + "\n#script (python)\n#end.\n", "utf-8")
    with pytest.raises(RulebookError, match="scripts are refused"):
        load_rulebook(rulebook_copy)
