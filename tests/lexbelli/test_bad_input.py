"""Bad input of every kind: an error that names the thing and the place, never a silent answer."""

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

import lexbelli
from lexbelli import InputError, LexBelliError, Rulebook, RulebookError, State, StateError
from lexbelli.cases import Case
from lexbelli.coverage import coverage
from lexbelli.moves import one_value
from lexbelli.play import play
from lexbelli.terms import clause_key, parse_fact

LIBRARY = Path(__file__).resolve().parent.parent / "library_rulebook"
NINES = "9" * 5000
ONE = '[[case]]\nid = "one"\ntitle = "One"\n'
ASKS = 'action = "borrow(ann)"\nverdict = "legal"\n'


@pytest.fixture(scope="module")
def library() -> Rulebook:
    return lexbelli.load_rulebook(LIBRARY)


def written(folder: Path, name: str, content: str) -> Path:
    path = folder / name
    path.write_text(content, "utf-8")
    return path


# ---- state files ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "content", "what"),
    [
        ("a.json", '{"set": ["day(monday)"], "set": []}', "a.json: the key 'set' is there twice"),
        ("a.json", '{"set": [], "x": {"a": 1, "a": 2}}', "the key 'a' is there twice"),
        ("a.toml", "set = []\nset = []\n", "a.toml:2:"),
        ("a.json", f'{{"base":\n {NINES}}}', "a.json:2:2: a number of 5000 digits is out of range"),
        ("a.toml", f"set = [\n{NINES}]", "a.toml:2:1: a number of 5000 digits is out of range"),
        ("a.toml", f"base = 0x{'f' * 5000}", "not so large a number"),
        ("a.json", '{"base": NaN}', "NaN is no number"),
        ("a.json", '{"set": [-Infinity]}', "-Infinity is no number"),
        ("a.json", '{"base": null}', "base must be a scenario in quotation marks, not nothing"),
        ("a.json", '{"a":' * 100_000, "a.json: the file is nested too deeply"),
        ("a.toml", "set = " + "[" * 100_000, "a.toml: the file is nested too deeply"),
        ("a.toml", f"\n{'a.' * 100_000}a = 1", "a.toml:2:1: the key is nested too deeply"),
        ("a.toml", 'base = "mondy"', "did you mean monday?"),
        ("a.toml", 'set = ["day(²)"]', "is not a term"),
        ("a.lp", "day(monday). day(monday;sunday).", "a.lp:1:14: a state holds ground facts only"),
        ("a.lp", "books(ann,1..3).", "a.lp:1:1: a state holds ground facts only"),
        ("a.lp", "books(ann,1+2).", "a.lp:1:1: a state holds ground facts only"),
        ("a.lp", "books(ann,--3).", "a.lp:1:1: a state holds ground facts only"),
        ("a.lp", 'books(ann,"3").', "a.lp:1:1: a state holds ground facts only"),
        ("a.lp", "-day(monday).", "a.lp:1:1: a state holds ground facts only"),
        ("a.lp", "#external day(monday).", "a.lp:1:1: a state holds ground facts only"),
        ("a.lp", "#program based. day(monday).", "a.lp:1:1: a state holds ground facts only"),
        ("a.lp", '"x".', "a.lp:1:4: syntax error"),
    ],
)  # fmt: skip
def test_a_state_file(library: Rulebook, tmp_path: Path, name: str, content: str, what: str) -> None:
    with pytest.raises(LexBelliError) as caught:
        lexbelli.load_state(library, written(tmp_path, name, content))
    assert what in str(caught.value)
    assert name in str(caught.value)


def test_a_state_file_may_be_a_link(library: Rulebook, tmp_path: Path) -> None:
    (tmp_path / "inside").mkdir()
    (tmp_path / "link.lp").symlink_to(written(tmp_path / "inside", "a.lp", "day(sunday)."))
    assert lexbelli.load_state(library, tmp_path / "link.lp").facts == ("day(sunday)",)


@pytest.mark.parametrize("source", ["x" * 5000, "", "x\0"])
def test_a_name_that_can_be_no_file(library: Rulebook, source: str) -> None:
    with pytest.raises(LexBelliError, match="there is no scenario") as caught:
        lexbelli.load_state(library, source)
    assert caught.value.hint == "there are: monday"


@pytest.mark.parametrize("text", ["books(ann,٣)", "books=ann,٣", "²"])
def test_digits_are_plain(text: str) -> None:
    with pytest.raises(InputError, match="is not a term"):
        parse_fact(text)


def test_a_clause_id_of_any_length_sorts() -> None:
    long = f"1.{NINES}"
    assert sorted([long, "1.02", "1.1"], key=clause_key) == ["1.1", "1.02", long]


@pytest.mark.parametrize(
    ("found", "value"),
    [(["5"], 5), (["-5"], -5), (["0"], 0), (["--5"], "--5"), (["²"], "²"), (["٣"], "٣"),
     (["#inf"], "#inf"), ([NINES], NINES), (["05"], "05"), (["5", "6"], "contested")],
)  # fmt: skip
def test_a_value_is_a_number_only_when_it_is_written_as_one(found: list[str], value: object) -> None:
    assert one_value(found) == value


# ---- cases ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "what"),
    [
        (f"{ASKS}cost = true", "cost cannot be true\n  it is a whole number"),
        (f"{ASKS}cost = 1.5", "cost cannot be 1.5"),
        (f'{ASKS}cost = "x"', "cost cannot be 'x'"),
        (f"{ASKS}cost = 2147483648", "cost cannot be 2147483648\n  the largest is"),
        (f"{ASKS}cost = 0x{'f' * 5000}", "cost cannot be so large a number"),
        ('quantity = "cost(pay(ann))"\ncost = 2', "cost does not go with quantity"),
        ('quantity = "cost(pay(ann))"\nvalue = true', "value cannot be true"),
        ('quantity = "cost(pay(ann))"\nvalue = [2]', "value cannot be a list"),
        ('quantity = "cost(pay(ann))"\nvalue = 2024-01-01', "value cannot be 2024-01-01"),
        ('fact = "day(monday)"\nholds = 1', "holds cannot be 1\n  it is true, false or contested"),
        ('fact = "day(monday)"\nholds = 0.0', "holds cannot be 0.0"),
        ('action = "borrow(ann)"\nverdict = ["legal"]', "verdict cannot be a list"),
        ('action = "borrow(ann)"\nverdict = "legl"', "did you mean legal?"),
        ('action = 5\nverdict = "legal"', "a case needs action, a text, not 5"),
        (f'{ASKS}clauses = "1.1"', "clauses must be a list of texts"),
        (f'{ASKS}clauses = [""]', "clauses holds an empty text"),
        (f'{ASKS}set = "overdue(ann)"', "set must be a list of texts"),
        (f"{ASKS}play = [5]", "play must be a list of texts"),
        (f"{ASKS}note = 5", "a case needs note, a text, not 5"),
        (f"{ASKS}edition = 5", "a case needs edition, a text, not 5"),
        (f"{ASKS}base = 5", "a case needs base, a text, not 5"),
        (f"{ASKS}clausse = []", "did you mean clauses?"),
    ],
)
def test_a_key_of_a_case(tmp_path: Path, text: str, what: str) -> None:
    with pytest.raises(InputError) as caught:
        lexbelli.read_cases([written(tmp_path, "c.toml", f"\n{ONE}{text}\n")])
    assert what in str(caught.value)
    assert "c.toml:2: case one: " in str(caught.value)


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ('quantity = "f("\nvalue = 1', "'f(' is not a term"),
        (f'{ASKS}play = ["borrow(ann)", "pay(ann)"]', "step 2: pay(ann) is unavailable\n  only legal"),
        (f'{ASKS}play = ["set:books(ann,99)"]', "step 1: books(ann,99): the value must be a number"),
        (f'{ASKS}unset = ["day(monday)"]', "the state says nothing of day"),
    ],
)  # fmt: skip
def test_a_case_that_does_not_fit_the_rulebook(
    library: Rulebook, tmp_path: Path, text: str, what: str
) -> None:
    base = "" if "base" in text else 'base = "monday"\n'
    cases = lexbelli.read_cases([written(tmp_path, "c.toml", f"{ONE}{base}{text}\n")])
    asks: list[Callable[[Rulebook, list[Case]], object]] = [lexbelli.run_cases, coverage]
    for ask in asks:
        with pytest.raises(LexBelliError) as caught:
            ask(library, cases)
        assert "c.toml:1: case one: " in str(caught.value)
        assert what in str(caught.value)


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ('action = "borow(ann)"\nverdict = "legal"', "no action borow(ann); did you mean borrow"),
        ('action = "5"\nverdict = "legal"', "there is no action 5"),
        ('duty = "setle(ann)"\nstatus = "met"', "no duty setle(ann); did you mean settle"),
        ('quantity = "5"\nvalue = 1', "there is no quantity 5"),
        ('quantity = "cost(pay(an))"\nvalue = 1', "there is no quantity cost(pay(an)); did you mean"),
        ('fact = "dya(monday)"\nholds = true', "no fact dya(monday); did you mean day"),
        (f'{ASKS}set = ["overdeu(ann)"]', "there is no fact overdeu(ann); did you mean overdue?"),
        (f'{ASKS}base = "mondya"', "there is no scenario 'mondya'; did you mean monday?"),
        (f'{ASKS}play = ["borrow(ann)", "sing"]', "step 2: there is no action sing"),
    ],
)  # fmt: skip
def test_a_case_with_a_name_that_is_not_there_is_skipped_and_says_so(
    library: Rulebook, tmp_path: Path, text: str, what: str
) -> None:
    base = "" if "base" in text else 'base = "monday"\n'
    cases = lexbelli.read_cases([written(tmp_path, "c.toml", f"{ONE}{base}{text}\n")])
    (outcome,) = lexbelli.run_cases(library, cases)
    assert outcome.outcome == "skipped"
    assert what in outcome.reason
    assert coverage(library, cases)[0].cases_for == ()


def test_a_text_that_looks_like_a_header_takes_the_lines_away(tmp_path: Path) -> None:
    text = f"{ONE}{ASKS}note = '''\n[[case]]\n'''\n"
    (case,) = lexbelli.read_cases([written(tmp_path, "c.toml", text)])
    assert case.place.line == 0
    (case,) = lexbelli.read_cases(
        [written(tmp_path, "d.toml", f"{ONE}{ASKS}".replace("[[case]]", "[[ case ]] #"))]
    )
    assert case.place.line == 1


def test_a_file_named_twice_is_read_once(tmp_path: Path) -> None:
    path = written(tmp_path, "c.toml", f"{ONE}{ASKS}")
    around = tmp_path / "x" / ".." / "c.toml"
    (tmp_path / "x").mkdir()
    assert len(lexbelli.read_cases([path, tmp_path, around, tmp_path])) == 1


# ---- states made by hand and wrong types -----------------------------------------------------------

ASKED: list[Callable[[Rulebook, State], object]] = [
    lambda book, state: lexbelli.moves(book, [state]),
    lambda book, state: lexbelli.judged_move(book, state, "borrow(ann)"),
    lambda book, state: lexbelli.why(book, state, "borrow(ann)"),
    lambda book, state: lexbelli.repairs(book, state, "borrow(ann)"),
    lambda book, state: play(book, state, ["borrow(ann)"]),
    lambda book, state: lexbelli.conclusion(book, state, "day(monday)"),
    lambda book, state: lexbelli.value_of(book, state, "cost(pay(ann))"),
    lexbelli.duties, lexbelli.values, lexbelli.conclusions,
]  # fmt: skip


@pytest.mark.parametrize("ask", ASKED)
@pytest.mark.parametrize(
    ("facts", "what"),
    [
        (("day(monday)", "overdu(ann)"), "there is no fact overdu(ann)"),
        (("day(monday)", "overdue( ann )"), "a state spells overdue( ann ) as overdue(ann)"),
        (("day(monday)", "day(sunday)"), "two values for day: day(monday) and day(sunday)"),
        (("overdue(ann)",), "the state says nothing of day"),
        (("overdue(ann)", "day(monday)"), "the facts of a state are sorted"),
        (("day(monday)", "day(monday)"), "the facts of a state are sorted"),
    ],
)
def test_a_state_made_by_hand(
    library: Rulebook, ask: Callable[[Rulebook, State], object], facts: tuple[str, ...], what: str
) -> None:
    with pytest.raises(StateError) as caught:
        ask(library, State("mine", facts))
    assert what in str(caught.value)


def test_a_wrong_type_is_not_answered(library: Rulebook) -> None:
    state = lexbelli.load_state(library)
    wrong: list[Callable[[], object]] = [
        lambda: lexbelli.load_state(library, 5),  # type: ignore[arg-type]
        lambda: lexbelli.load_state(library, set="overdue(ann)"),
        lambda: lexbelli.moves(library, state),  # type: ignore[arg-type]
        lambda: lexbelli.moves(library, [state], "ann"),
        lambda: lexbelli.moves(library, ["monday"]),  # type: ignore[list-item]
        lambda: lexbelli.moves(library, [State("mine", (1,))]),  # type: ignore[arg-type]
        lambda: lexbelli.judged_move(library, state, 5),  # type: ignore[arg-type]
        lambda: lexbelli.value_of(library, state, 5),  # type: ignore[arg-type]
        lambda: lexbelli.conclusion(library, state, 5),  # type: ignore[arg-type]
        lambda: lexbelli.read_cases("cases"),
    ]
    for ask in wrong:
        with pytest.raises(TypeError):
            ask()


def test_states_and_parties_may_come_one_by_one(library: Rulebook) -> None:
    (position,) = lexbelli.moves(library, iter([lexbelli.load_state(library)]), iter(["ann"]))
    assert [move.action for move in position.moves] == ["borrow(ann)"]


# ---- rulebooks -------------------------------------------------------------------------------------


def damaged(folder: Path, file: str, rule: str) -> Rulebook:
    shutil.copytree(LIBRARY, folder / "book")
    with (folder / "book" / file).open("a", encoding="utf-8") as stream:
        stream.write(rule + "\n")
    return lexbelli.load_rulebook(folder / "book")


@pytest.mark.parametrize(
    ("rule", "what"),
    [
        ("default_scenario(sunday).", "there are two default scenarios: monday and sunday"),
        ("needed(colour).", "needed(colour): no fact belongs to this group"),
        ("fact(5).", "fact(5)"),
        ('fact(day("tuesday")). group(day("tuesday"),day).', "fact(day"),
        ("bounds(books,low,9).", "bounds(books,low,9): the limits must be numbers"),
        ("group(day(monday),week).", "day(monday) belongs to two groups"),
    ],
)
def test_a_rulebook_in_which_no_state_can_be_told(tmp_path: Path, rule: str, what: str) -> None:
    with pytest.raises(RulebookError) as caught:
        lexbelli.load_state(damaged(tmp_path, "desk.lp", rule))
    assert what in str(caught.value)


def test_a_default_scenario_that_is_not_there(tmp_path: Path) -> None:
    book = damaged(tmp_path, "desk.lp", "")
    (book.root / "scenarios" / "monday.lp").rename(book.root / "scenarios" / "mondays.lp")
    with pytest.raises(RulebookError, match=r"default_scenario\(monday\): there is no such scenario"):
        lexbelli.load_state(book)


def test_one_clause_that_fixes_two_values_contests_itself(tmp_path: Path) -> None:
    book = damaged(tmp_path, "rules/1_lending.lp", 'sets("1.6",cost(borrow(ann)),(3;4)).')
    state = lexbelli.load_state(book)
    found = lexbelli.value_of(book, state, "cost(borrow(ann))")
    assert (found.value, found.clauses) == ("contested", ("1.6",))
    assert [v.value for v in lexbelli.values(book, state) if v.quantity == found.quantity] == [
        "contested"
    ]
    assert lexbelli.judged_move(book, state, "borrow(ann)").cost == "contested"
