"""Every norm of the printed rules 63-69 has its heading, and what has no rules says why."""

from pathlib import Path

from lexbelli import Rulebook
from lexbelli.terms import clause_key

# kinds that must be formalised, but for a few
SPEAKING = {"permission", "prohibition", "obligation", "precondition", "cost", "value", "effect"}
INVENTORY = dict(
    line.split("\t")
    for line in Path(__file__).with_name("inventory.tsv").read_text("utf-8").splitlines()
)


def test_every_clause_of_the_inventory_is_accounted_for(book: Rulebook) -> None:
    ours = {c.id: c.kind for c in book.clauses if not c.id.startswith("outside.")}
    assert len(INVENTORY) == 249
    assert ours == INVENTORY


def test_at_most_a_dozen_speaking_clauses_are_not_formalised(book: Rulebook) -> None:
    silent = [c.id for c in book.clauses if c.reason and c.kind in SPEAKING]
    assert silent == ["63.51", "63.51F.2s2"]


def test_a_clause_has_rules_or_a_reason_but_not_both(book: Rulebook) -> None:
    assert [c.id for c in book.clauses if bool(c.rules) == bool(c.reason)] == []


def test_every_clause_has_a_gist(book: Rulebook) -> None:
    assert [c.id for c in book.clauses if not c.gist] == []


def test_chapters_stand_in_the_order_of_their_numbers(book: Rulebook) -> None:
    numbers = [clause_key(c.id)[:2] for c in book.clauses if not c.id.startswith("outside.")]
    assert numbers == sorted(numbers)


def test_a_clause_stands_in_the_file_of_its_chapter(book: Rulebook) -> None:
    for clause in book.clauses:
        assert Path(clause.place.file).name.startswith(clause.id.split(".")[0])


def test_references_lead_to_a_clause_or_out_of_the_rulebook(book: Rulebook) -> None:
    known = {c.id for c in book.clauses}
    for clause in book.clauses:
        for reference in clause.see:
            inside = 63 <= int(reference.split(".")[0]) <= 69
            assert not inside or any(k.startswith(reference) for k in known), (clause.id, reference)
