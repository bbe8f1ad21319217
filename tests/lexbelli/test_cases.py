"""Verdict cases: all of the project's own pass, and a wrong case is told what is wrong."""

from pathlib import Path

import pytest

from lexbelli import InputError, LexBelliError, Rulebook, load_rulebook, read_cases, run_cases

CASES = Path(__file__).resolve().parent.parent / "cases"
ONE = '[[case]]\nid = "one"\ntitle = "One"\nbase = "spring_1940"\n'


@pytest.mark.parametrize("path", sorted(CASES.glob("*.toml")), ids=lambda p: p.stem)
def test_every_case_passes_under_the_edition_it_names(book: Rulebook, path: Path) -> None:
    outcomes = run_cases(book, read_cases([path]))
    failed = [
        (o.case.id, o.expected, o.got, o.clauses, o.reason) for o in outcomes if o.outcome == "failed"
    ]
    assert failed == []
    assert [o.reason for o in outcomes if o.outcome == "skipped"] == []


def test_the_handed_cases_are_all_there(book: Rulebook) -> None:
    outcomes = run_cases(book, read_cases([CASES / "handed.toml"]))
    assert len(outcomes) == 324
    assert sum(o.outcome == "passed" for o in outcomes) == 324
    assert sum(o.case.edition == "earlier" for o in outcomes) == 14


def test_another_edition_runs_its_own_cases_only() -> None:
    outcomes = run_cases(load_rulebook(edition="earlier"), read_cases([CASES / "handed.toml"]))
    assert sum(o.outcome == "passed" for o in outcomes) == 14
    assert {o.reason for o in outcomes if o.outcome == "skipped"} == {"edition current is not loaded"}


def test_ids_are_unique_over_all_files() -> None:
    assert len(read_cases([CASES])) == len({case.id for case in read_cases([CASES])})


def outcome(book: Rulebook, folder: Path, text: str) -> tuple[str, str]:
    path = folder / "cases.toml"
    path.write_text(ONE + text, "utf-8")
    (found,) = run_cases(book, read_cases([path]))
    return found.outcome, found.reason


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('action = "end_phase"\nverdict = "legal"\nclauses = ["outside.play"]\n', ("passed", "")),
        ('action = "end_phase"\nverdict = "forbidden"\n', ("failed", "another answer")),
        (
            'action = "end_phase"\nverdict = "legal"\nclauses = ["66.11"]\n',
            ("failed", "not decided by 66.11"),
        ),
        (
            'action = "declare_war(russia,turkey)"\nverdict = "legal"\ncost = 11\n',
            ("failed", "the cost is 10, not 11"),
        ),
        ('quantity = "brp_value(poland)"\nvalue = 20\n', ("passed", "")),
        ('quantity = "brp_value(poland)"\n', ("failed", "another answer")),
        ('fact = "rgt(30)"\nholds = true\n', ("passed", "")),
        (
            'edition = "earlyer"\nfact = "rgt(30)"\nholds = true\n',
            ("skipped", "there is no edition earlyer"),
        ),
        (
            'edition = "earlier"\nset = ["produced(aaf,5)"]\nquantity = "must_hold(aaf)"\nvalue = 2\n',
            ("passed", ""),
        ),
        (
            'fact = "rgt(30)"\nholds = true\nclauses = ["99.9"]\n',
            ("skipped", "there is no clause 99.9"),
        ),
        (
            'action = "sing(russia)"\nverdict = "legal"\nclauses = ["99.9"]\n',
            ("skipped", "there is no clause 99.9"),
        ),
        ('play = ["end_phase"]\nfact = "phase(russia,declaration)"\nholds = true\n', ("passed", "")),
    ],
)
def test_what_comes_of_a_case(
    book: Rulebook, tmp_path: Path, text: str, expected: tuple[str, str]
) -> None:
    assert outcome(book, tmp_path, text) == expected


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("", "asks about exactly one of"),
        ('action = "end_phase"\nfact = "surprise"\nholds = true\n', "asks about exactly one of"),
        ('action = "end_phase"\n', "does not say which verdict is expected"),
        ('action = "end_phase"\nverdict = "illegal"\n', "verdict cannot be 'illegal'"),
        ('action = "end_phase"\nholds = true\n', "holds does not go with action"),
        ('fact = "surprise"\nholds = "yes"\n', "holds cannot be 'yes'"),
        ('duty = "garrison(aaf)"\nstatus = "owed"\n', "status cannot be 'owed'"),
        ('quantity = "ukraine_modifier"\nvalue = 1.5\n', "value cannot be 1.5"),
        ('action = "end_phase"\nverdict = "legal"\nclauses = "66.11"\n', "clauses must be a list"),
        ('action = "end_phase"\nverdict = "legal"\nunsett = []\n', "a case has no key 'unsett'"),
        ('action = "end_phase("\nverdict = "legal"\n', "is not a term"),
        ('set = ["rgt(99)"]\naction = "end_phase"\nverdict = "legal"\n', "from 0 to 75"),
        ('set = ["rgt(3)", "rgt(4)"]\naction = "end_phase"\nverdict = "legal"\n', "two values for rgt"),
        (
            'set = ["invasion_turn(first_axis)"]\naction = "end_phase"\nverdict = "legal"\n',
            "impossible",
        ),
        ('play = ["back_down(russia,turkey)"]\nfact = "surprise"\nholds = true\n', "is unavailable"),
    ],
)
def test_a_wrong_case_is_told_what_is_wrong(
    book: Rulebook, tmp_path: Path, text: str, what: str
) -> None:
    with pytest.raises(LexBelliError) as caught:
        outcome(book, tmp_path, text)
    assert what in str(caught.value)
    assert "cases.toml" in str(caught.value)


@pytest.mark.parametrize(
    ("content", "what"),
    [
        ("case = 3\n", "and nothing else"),
        ("[[case]]\nid = 3\n", "asks about exactly one of"),
        ("[other]\n[[case]]\n", "and nothing else"),
        ("[[case]\n", "not TOML"),
        ("\n", "the file is empty"),
        ("[[case]]\nid = 3\nfact = 'surprise'\nholds = true\n", "a case needs id, a text"),
    ],
)
def test_a_wrong_file(tmp_path: Path, content: str, what: str) -> None:
    path = tmp_path / "cases.toml"
    path.write_text(content, "utf-8")
    with pytest.raises(InputError, match=what):
        read_cases([path])


def test_an_id_used_twice(tmp_path: Path) -> None:
    path = tmp_path / "cases.toml"
    path.write_text(2 * (ONE + 'fact = "surprise"\nholds = false\n'), "utf-8")
    with pytest.raises(InputError, match=r"case 'one' is there twice; the first is in .*:1"):
        read_cases([path])
