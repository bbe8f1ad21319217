"""Skeletons of the cases that are missing: a position for each side that no case shows.

What the answer should be is left to whoever reads the text; the program does not say.
"""

from collections.abc import Sequence

from lexbelli.coverage import SECONDS, ClauseCoverage, Gap
from lexbelli.model import Change
from lexbelli.norms import EFFECTS
from lexbelli.reify import reified_program
from lexbelli.repairs import current_state, state_changes
from lexbelli.rulebook import Rulebook, session
from lexbelli.search import Search
from lexbelli.states import full_names, load_state
from lexbelli.terms import written

# for each question the key of its answer and what it can be
_ANSWERS = {
    "action": ("verdict", "legal, contested, forbidden, not_permitted or unavailable"),
    "duty": ("status", "met, unmet, impossible or none"),
    "quantity": ("value", "a number, or no such line where no clause fixes it"),
    "fact": ("holds", "true, false or contested"),
}


def missing_cases(book: Rulebook, covered: Sequence[ClauseCoverage], seconds: float = SECONDS) -> str:
    """Return case tables, as TOML, for every gap of a coverage that some position can show.

    Raises LimitError when a search for a position is not over after `seconds` seconds.
    """
    gaps = [(row.clause.id, gap) for row in covered for gap in row.gaps if gap.subject]
    if not gaps:
        return "# No side of a condition is without a case.\n"
    begin = load_state(book)
    _, program = reified_program(book)
    statements = book.statements + book.choice + book.repair
    now = current_state(book, begin, full_names(book, begin.facts))
    search = Search(statements, f"{now} {program}")
    states = frozenset({"state"})
    actions = session(book).names("action")
    tables = [
        "# Cases still to be worked out from the text: give each a title and the expected answer.\n"
    ]
    for number, (clause, gap) in enumerate(gaps, 1):
        # an action that nobody can take at the moment makes a poor case
        open_now = (*gap.atoms, f"available({gap.subject})") if gap.subject in actions else gap.atoms
        best = search.best(states, seconds, open_now, gap.denied)
        if best is None:
            best = search.best(states, seconds, gap.atoms, gap.denied)
        if best is not None:
            after = {written(atom.arguments[0]) for atom in best[1]["state"]}
            changes = state_changes(book, begin, after)
            tables.append(_table(book, number, clause, gap, begin.name, changes))
    return "\n".join(tables)


def _table(  # noqa: PLR0913, PLR0917 - the parts of one table
    book: Rulebook, number: int, clause: str, gap: Gap, base: str, changes: Sequence[Change]
) -> str:
    side = gap.what if gap.what == gap.side else f"{gap.what}: {gap.side}"
    lines = [
        f"# {clause}  {gap.norm}",
        f"# {side}",
        "[[case]]",
        f'id = "missing-{number}"',
        'title = ""',
        f'base = "{base}"',
    ]
    for way in ("set", "unset"):
        facts = ", ".join(f'"{change.fact}"' for change in changes if change.way == way)
        if facts:
            lines.append(f"{way} = [{facts}]")
    if gap.head in EFFECTS:
        lines += [f'play = ["{gap.subject}"]', 'fact = ""', "# holds = true or false"]
    else:
        question = _question(book, gap.subject)
        answer, choices = _ANSWERS[question]
        lines += [f'{question} = "{gap.subject}"', f"# {answer} = {choices}"]
    return "\n".join([*lines, "clauses = []"]) + "\n"


def _question(book: Rulebook, subject: str) -> str:
    """Return what kind of question a case asks about a subject."""
    grounded = session(book)
    for question, listed in (("action", "action"), ("duty", "duty"), ("fact", "derivable")):
        if subject in grounded.names(listed):
            return question
    return "quantity"
