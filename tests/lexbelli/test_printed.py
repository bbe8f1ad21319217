"""Reading a printed text, however it was scanned. The text here is our own."""

import random
import re

import pytest

from lexbelli import InputError, Rulebook
from lexbelli.drift import compare, printed_number, printed_text
from lexbelli.printed import PrintedClause, split_text
from lexbelli.terms import clause_key

CLEAN = """\
7. HARBOURS
7.1 ENTRY
7.2 FEES
7.1 ENTRY:
7.11 WHO MAY ENTER: Any ship may enter (EXCEPTION: 7.22) while the lamp is lit.
7.12 SIGNALS: Ships announce themselves by:
A. FLAGS: A blue flag by day; and
B. LAMPS: Two white lamps by night (12.33C).
7.121 If the lamp is out, a horn will do.
7.2 FEES:
7.21 SHIPS WORTH 20 FRKs: A ship pays 20, as 7.99 says, or less.
7.22 Wrecks may not enter. They wait outside until the master of the harbour has them towed away.
"""
NUMBERS = ["7.11", "7.12", "7.12A", "7.12B", "7.121", "7.21", "7.22"]


def numbers(text: str) -> list[str]:
    return [clause.number for clause in split_text(text, "mine.txt")]


def test_a_clean_text() -> None:
    clauses = {clause.number: clause for clause in split_text(CLEAN, "mine.txt")}
    assert list(clauses) == NUMBERS
    assert clauses["7.11"] == PrintedClause(
        "7.11", "WHO MAY ENTER", "Any ship may enter (EXCEPTION: 7.22) while the lamp is lit."
    )
    assert clauses["7.12B"].title == "LAMPS"
    assert clauses["7.121"].text == "If the lamp is out, a horn will do."
    assert clauses["7.21"].title == "SHIPS WORTH 20 FRKs"


def test_one_long_paragraph() -> None:
    assert numbers(" ".join(CLEAN.split())) == NUMBERS


@pytest.mark.parametrize("width", [20, 33, 57])
def test_lines_broken_in_the_middle(width: int) -> None:
    flat = " ".join(CLEAN.split())
    lines, rest = [], flat
    while rest:
        cut = rest.rfind(" ", 0, width) if len(rest) > width else len(rest)
        lines.append(rest[: cut if cut > 0 else width])
        rest = rest[len(lines[-1]) :].lstrip()
    assert numbers("\n".join(lines)) == NUMBERS


def test_running_headers_and_page_numbers() -> None:
    lines = CLEAN.splitlines()
    paged: list[str] = []
    for number, line in enumerate(lines, 1):
        paged.append(line)
        if number % 3 == 0:
            paged += [str(number), f"The Harbour Rules {number}", "\f"]
    clauses = split_text("\n".join(paged), "mine.txt")
    assert [clause.number for clause in clauses] == NUMBERS
    assert not any("Harbour Rules" in clause.text for clause in clauses)


def test_lines_that_recur_with_their_sentences_are_no_headers() -> None:
    twice = CLEAN + "7.23 LAMPS: Any ship may enter\nwhile the lamp is lit.\n"
    twice = twice.replace(
        "Any ship may enter (EXCEPTION: 7.22)", "Any ship\nmay enter (EXCEPTION: 7.22)"
    )
    twice += "7.24 HORNS: A ship\nmay enter (EXCEPTION: 7.22) while the lamp is lit.\n"
    texts = {clause.number: clause.text for clause in split_text(twice, "mine.txt")}
    assert texts["7.24"] == "A ship may enter (EXCEPTION: 7.22) while the lamp is lit."


@pytest.mark.parametrize(
    "style",
    [
        "7.12.",
        "7.12)",
        "(7.12)",
        "[7.12]",
        "* 7.12",
        "\u2022 7.12",
        "Rule 7.12",
        "\u00a7 7.12",
        "7 . 12",
    ],
)
def test_numbers_written_in_other_ways(style: str) -> None:
    assert numbers(CLEAN.replace("\n7.12 SIGNALS", f"\n{style} SIGNALS")) == NUMBERS


@pytest.mark.parametrize("style", ["A) ", "(A) ", "a. ", "a) ", "7.12A ", "A: "])
def test_letters_written_in_other_ways(style: str) -> None:
    other = style.replace("A", "B").replace("a", "b")
    text = CLEAN.replace("\nA. ", f"\n{style}").replace("\nB. ", f"\n{other}")
    assert numbers(text) == NUMBERS


@pytest.mark.parametrize(
    "reference",
    ["see rule\n7.21. A horn", "see 7.21; a horn", "see\n7.21 and 7.22 as well", "see (\n7.21)."],
)
def test_a_reference_at_the_start_of_a_line_begins_nothing(reference: str) -> None:
    text = CLEAN.replace("a horn will do.", f"{reference} will do.")
    assert numbers(text) == NUMBERS


def test_a_stray_number_is_no_chapter(book: Rulebook) -> None:
    text = CLEAN + "7.23 POWER: Ships with\n50. USAT units pay 64.11 times.\n"
    found = compare(text, split_text(text, "mine.txt"), book.clauses)
    assert found.chapters == ("7",)
    assert found.only_in_rulebook == ()


def test_clauses_out_of_order() -> None:
    head, *clauses = re.split(r"(?m)^(?=7\.\d\d )", CLEAN)
    random.Random(7).shuffle(clauses)
    assert numbers(head + "".join(clauses)) == NUMBERS


def test_a_piece_that_was_torn_off_finds_its_clause() -> None:
    torn = CLEAN.replace(
        "They wait outside until the master of the harbour has them towed away.",
        "They wait outside until",
    ).replace(
        "while the lamp is lit.",
        "while the lamp is lit. the master of the harbour has them towed away.",
    )
    texts = {clause.number: clause.text for clause in split_text(torn, "mine.txt")}
    assert texts["7.22"].endswith("until the master of the harbour has them towed away.")
    assert texts["7.11"].endswith("while the lamp is lit.")


def whole_chapter(book: Rulebook, chapter: str) -> list[str]:
    """Write a line of our own for each printed number of a chapter."""
    ours = {printed_number(clause.id) for clause in book.clauses}
    mine = sorted((n for n in ours if n.startswith(f"{chapter}.")), key=clause_key)
    return [f"{number} SOMETHING: Words of our own." for number in mine]


def test_what_the_text_and_the_headings_lack(book: Rulebook) -> None:
    lines = [line for line in whole_chapter(book, "63") if not line.startswith("63.41")]
    text = CLEAN + "63. EASTERN EUROPE\n" + "\n".join(lines)
    text += "\n63.99 NEW: It refers to 63.11 and to 63.98, and to 64.11.\n"
    found = compare(text, split_text(text, "mine.txt"), book.clauses)
    assert found.chapters == ("7", "63")
    assert "63.99" in found.only_in_text
    assert "63.41" in found.only_in_rulebook
    assert "64.11" not in found.only_in_rulebook  # a chapter that the text does not have at all
    assert ("7.21", "7.99") in found.dangling
    assert ("63.99", "63.98") in found.dangling
    assert ("63.99", "63.11") not in found.dangling
    assert ("63.99", "64.11") in found.outside
    assert ("7.12B", "12.33C") in found.outside


def test_a_lost_clause_that_stands_in_another_form_is_unread_not_missing(book: Rulebook) -> None:
    text = "63. EASTERN EUROPE\n" + "\n".join(whole_chapter(book, "63"))
    text = text.replace("63.41 SOMETHING", "* 63 .41 SOMETHING")
    found = compare(text, split_text(text, "mine.txt"), book.clauses)
    assert "63.41" not in found.only_in_rulebook


def test_the_printed_words_of_one_of_our_norms() -> None:
    printed = split_text(CLEAN, "mine.txt")
    assert printed_text(printed, "7.12B.s2") == "Two white lamps by night (12.33C)."
    assert printed_text(printed, "7.22.s1") is not None
    assert printed_text(printed, "8.1") is None


@pytest.mark.parametrize("text", ["Nothing numbered here.", "12 34 56", "see (7.22) and 7.23, too"])
def test_a_text_without_clauses(text: str) -> None:
    with pytest.raises(InputError, match="no numbered clause"):
        split_text(text, "mine.txt")
