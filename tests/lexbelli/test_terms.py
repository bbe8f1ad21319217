"""Terms as users write them."""

import pytest

from lexbelli import InputError
from lexbelli.terms import clause_key, names_clause, parse_fact, parse_term


@pytest.mark.parametrize(
    "text",
    [
        "rgt(36)",
        "declare_war(russia,rumania)",
        "surprise",
        "ends(border_war(rumania))",
        "f(-3)",
        "f(a,b,c)",
    ],
)
def test_a_term_is_read_and_written_the_same(text: str) -> None:
    assert str(parse_term(text)) == text


@pytest.mark.parametrize(
    ("text", "fact"),
    [("rgt=36", "rgt(36)"), ("turn=fall,1940", "turn(fall,1940)"), (" rgt ( 36 ) . ", "rgt(36)")],
)
def test_a_fact_may_be_written_as_an_assignment(text: str, fact: str) -> None:
    assert str(parse_fact(text)) == fact


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("", "something is missing"),
        ("rgt(", "something is missing"),
        ("rgt(36", "a closing parenthesis"),
        ("rgt(36))", "should end here"),
        ("Rgt(36)", "looks like a variable"),
        ("rgt(Level)", "looks like a variable"),
        ("rgt(1..3)", "a closing parenthesis"),
        ("rgt(a;b)", "a closing parenthesis"),
        ("rgt(1+1)", "a closing parenthesis"),
        ('rgt("36")', "not '\"'"),
        ("rgt(2147483648)", "out of range"),
        ("rgt(99999999999999999999)", "out of range"),
        ("f(" * 40 + "a" + ")" * 40, "nested too deeply"),
        ("rgt(36) rgt(37)", "should end here"),
        ("#script", "not '#'"),
        ("a" * 3000, "too long"),
        ("f(\0)", "not '\\x00'"),
    ],
)
def test_anything_else_is_an_error_that_says_what_is_wrong(text: str, what: str) -> None:
    with pytest.raises(InputError) as caught:
        parse_fact(text)
    assert what in str(caught.value)


def test_clauses_sort_as_numbers() -> None:
    clauses = [
        "69.21",
        "69.3",
        "65.22",
        "65.211",
        "65.21",
        "63.51D",
        "63.51C.s1",
        "63.5",
        "outside.war",
    ]
    assert sorted(clauses, key=clause_key) == [
        "63.5", "63.51C.s1", "63.51D", "65.21", "65.211", "65.22", "69.3", "69.21", "outside.war",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("wanted", "clause", "named"),
    [
        ("63.51", "63.51A", True),
        ("63.51", "63.51C.s1", True),
        ("63.51C", "63.51C.s1", True),
        ("63.51", "63.5", False),
        ("65.21", "65.211", False),
        ("65.21", "65.21.s1a", True),
        ("66.12", "66.12.a", True),
        ("", "66.12", False),
    ],
)
def test_a_printed_number_names_its_norms(wanted: str, clause: str, named: bool) -> None:
    assert names_clause(wanted, clause) is named
