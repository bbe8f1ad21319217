"""A change as one page of HTML that needs nothing else: no script, no other file."""

from lexbelli.codes import CODES
from lexbelli.errata import Errata, counted, proved, unchanged_clauses
from lexbelli.errata_sheet import rows
from lexbelli.errata_words import order_words, overlay_words
from lexbelli.exports import page


def html(found: Errata) -> str:
    """Return what a change does as a page; a clause is reached by its link."""
    told = found.consistency
    return page(
        "errata.html",
        old=found.old.name,
        new=found.new.name,
        relation=found.verdict,
        overlays=[
            (overlay_words(overlay), overlay.reason)
            for side in (found.old, found.new)
            for overlay in side.book.overlays
        ],
        rows=rows(found),
        proved=proved(found),
        same=unchanged_clauses(found) if found.comparison else [],
        alike=found.comparison.equivalent if found.comparison else {},
        unknown=found.unknown,
        findings=None if told is None else (("brought", told.brought), ("removed", told.removed)),
        kept=() if told is None else told.kept,
        orders=[] if told is None else order_words(told),
        codes=CODES,
        counted=counted,
    )
