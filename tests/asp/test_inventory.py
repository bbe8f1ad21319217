"""Every norm of the printed rules 63-69 has its heading, and what has no rules says why."""

from pathlib import Path

from lexbelli import Rulebook, load_rulebook
from lexbelli.terms import clause_key

# kinds that must be formalised, but for a few
SPEAKING = {"permission", "prohibition", "obligation", "precondition", "cost", "value", "effect"}
INVENTORY = dict(
    line.split("\t")
    for line in Path(__file__).with_name("inventory.tsv").read_text("utf-8").splitlines()
)

# id, kind, and the clauses of the current edition that say the same; none for a norm of its own
EARLIER = [
    (number, kind, same.split())
    for number, kind, same in (
        line.split("\t")
        for line in Path(__file__).with_name("inventory_earlier.tsv").read_text("utf-8").splitlines()
    )
]
# in the same words, but the impairments that it extends to partners of Russia are other ones
CHANGED_BY_REFERENCE = {"63.51F.5"}


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


def test_the_earlier_edition_has_its_own_norms_and_shares_the_others(book: Rulebook) -> None:
    earlier = load_rulebook(edition="earlier")
    (overlay,) = earlier.overlays
    own = {number: kind for number, kind, same in EARLIER if not same}
    changed = {c.id: c.kind for c in earlier.clauses if c.id in {*overlay.redefines, *overlay.adds}}
    assert {n: k for n, k in changed.items() if n not in CHANGED_BY_REFERENCE} == own
    assert changed.keys() - own.keys() == CHANGED_BY_REFERENCE
    shared = {number for _, _, same in EARLIER for number in same}
    assert shared <= {clause.id for clause in book.clauses}
    assert [n for n in shared if earlier.clause(n) != book.clause(n)] == []


def test_the_earlier_edition_leaves_every_other_clause_as_it_is(book: Rulebook) -> None:
    earlier = load_rulebook(edition="earlier")
    touched = {change.clause for change in earlier.overlays[0].changes}
    assert [c for c in earlier.clauses if c.id not in touched] == [
        c for c in book.clauses if c.id not in touched
    ]
    assert all(number.startswith(("63.51C", "63.51F")) for number in touched)
    assert earlier.overlays[0].withdraws == (
        "63.51C.s1", "63.51C.s4", "63.51C.s5", "63.51F.1a", "63.51F.1b",
    )  # fmt: skip
    numbers = [clause_key(c.id)[:2] for c in earlier.clauses if not c.id.startswith("outside.")]
    assert numbers == sorted(numbers)
