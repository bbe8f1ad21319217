"""Answers about the rulebook, its cases and play as text."""

from collections.abc import Sequence

from rich.console import Console
from rich.markup import escape

from lexbelli.answers_rulebook import coverage_totals
from lexbelli.cases import Outcome
from lexbelli.check_words import counted
from lexbelli.coverage import ClauseCoverage
from lexbelli.drift import Comparison
from lexbelli.model import Clause, ClauseChange, Overlay
from lexbelli.names import Name
from lexbelli.overlays import origin
from lexbelli.play import Game, Step
from lexbelli.text import Draw, Say, new_table, print_table, styled

Origin = tuple[Overlay, ClauseChange]


def catalogue_text(
    clauses: Sequence[Clause], overlays: Sequence[Overlay] = (), gone: Sequence[Origin] = ()
) -> Draw:
    """Return a list of clauses, with the overlays they come from and those that these withdraw."""

    def draw(console: Console) -> None:
        table = new_table("clause", "kind", "title", *(["from"] if overlays else []))
        for clause in clauses:
            row = [clause.id, clause.kind, clause.title]
            found = origin(overlays, clause.id)
            if overlays:
                row.append(f"{found[1].way} by {found[0].name}" if found else "")
            table.add_row(*map(escape, row))
        print_table(console, table)
        if gone:
            console.print()
            withdrawn_text(gone)(console)

    return draw


def withdrawn_text(gone: Sequence[Origin]) -> Draw:
    """Return the clauses that overlays withdraw, with the reasons."""

    def draw(console: Console) -> None:
        for overlay, change in gone:
            console.print(f"[bold]{escape(change.clause)}  {escape(change.title)}[/]")
            console.print(f"[dim]withdrawn by {escape(overlay.name)}:[/] {escape(change.reason)}")

    return draw


def clause_text(
    clause: Clause, rules: str, printed: str | None, cases: Sequence[str], source: Origin | None = None
) -> Draw:
    """Return one clause whole: heading, gist, references, rules, printed words, cases and origin."""

    def draw(console: Console) -> None:
        console.print(f"[bold]{escape(clause.id)}  {escape(clause.title)}[/]")
        console.print(escape(clause.gist))
        details = [
            ("kind", clause.kind),
            ("see", " ".join(clause.see)),
            ("yields to", clause.yields_to),
            ("not formalised", clause.reason),
            ("printed", printed or ""),
            ("cases", " ".join(cases)),
        ]
        if source is not None:
            overlay, change = source
            details.insert(0, (f"{change.way} by {overlay.name}", change.reason or overlay.title))
        for key, value in details:
            if value:
                console.print(f"[dim]{key}:[/] {escape(value)}")
        if rules:
            console.print()
            console.print(escape(rules), soft_wrap=True)

    return draw


def cases_text(outcomes: Sequence[Outcome], every: bool) -> Draw:
    """Return what came of cases: the failed ones, the reasons for skipping, and the totals."""

    def draw(console: Console) -> None:
        for outcome in outcomes:
            if outcome.outcome == "failed":
                console.print(
                    f"{styled('failed')} {escape(outcome.case.id)}  {escape(outcome.case.title)}"
                )
                console.print(f"  expected {_shown(outcome.expected)} {_listed(outcome.case.clauses)}")
                console.print(f"  got      {_shown(outcome.got)} {_listed(outcome.clauses)}")
                console.print(f"  {escape(outcome.reason)}, {escape(str(outcome.case.place))}")
            elif every:
                reason = f"  ({escape(outcome.reason)})" if outcome.reason else ""
                console.print(f"{styled(outcome.outcome)} {escape(outcome.case.id)}{reason}")
        skipped: dict[str, list[str]] = {}
        for outcome in outcomes:
            if outcome.outcome == "skipped":
                skipped.setdefault(outcome.reason, []).append(str(outcome.case.place))
        for reason, places in sorted(skipped.items()):
            first = places[0] if len(places) == 1 else f"first {places[0]}"
            console.print(f"{styled('skipped')} {len(places)}: {escape(reason)}, {escape(first)}")
        counts = {
            kind: sum(o.outcome == kind for o in outcomes) for kind in ("passed", "failed", "skipped")
        }
        console.print(", ".join(f"{count} {kind}" for kind, count in counts.items()))

    return draw


def _shown(value: object) -> str:
    if value is None:
        return "no value"
    return escape(str(value).lower() if isinstance(value, bool) else str(value))


def _listed(clauses: Sequence[str]) -> str:
    return f"by {escape(' '.join(clauses))}" if clauses else "by no clause"


def coverage_text(found: Sequence[ClauseCoverage]) -> Draw:
    """Return the coverage of every clause, what is open, and the totals."""

    def draw(console: Console) -> None:
        table = new_table("clause", "kind", "heads", "conditions", "for", "against", "note")
        for row in found:
            open_gaps = [gap for gap in row.gaps if gap.provable is not True]
            note = row.clause.reason or (f"{len(open_gaps)} open" if open_gaps else "")
            table.add_row(
                escape(row.clause.id),
                escape(row.clause.kind),
                " ".join(row.clause.heads),
                str(row.conditions) if row.clause.heads else "",
                str(len(row.cases_for)) if row.clause.heads else "",
                str(len(row.cases_against)) if row.clause.heads else "",
                escape(note),
            )
        print_table(console, table)
        for title, wanted in (("open", False), ("provably cannot be shown by any case", True)):
            gaps = [
                (row.clause.id, gap)
                for row in found
                for gap in row.gaps
                if (gap.provable is True) is wanted
            ]
            if gaps:
                console.print(f"\n{title}:")
                for clause, gap in gaps:
                    what = gap.side if gap.side == gap.what else f"{gap.what}: {gap.side}"
                    console.print(
                        f"  {escape(clause)}  {escape(gap.norm)}  {escape(what)}", soft_wrap=True
                    )
        totals = coverage_totals(found)
        console.print(
            f"\n{totals['clauses']} clauses: {totals['with_rules']} with rules, "
            f"{totals['with_reason']} not formalised, with the reason; "
            f"{totals['conditions']} conditions, {totals['open']} sides without a case, "
            f"{totals['provably_cannot']} that no case can show"
        )

    return draw


def comparison_text(found: Comparison) -> Draw:
    """Return how a printed text and the headings compare."""

    def draw(console: Console) -> None:
        total = counted(len(found.clauses), "numbered clause", "numbered clauses")
        console.print(f"{total} in the text")
        rows = [
            ("chapters compared, by their numbers", found.chapters),
            ("only in the text", found.only_in_text),
            ("only in the rulebook", found.only_in_rulebook),
            ("in the text, but not in a form that could be read", found.unread),
            ("references to clauses that exist nowhere", [f"{r} (in {c})" for c, r in found.dangling]),
            ("references to other chapters", [f"{r} (in {c})" for c, r in found.outside]),
        ]
        for title, shown in rows:
            console.print(f"{title}: {escape(', '.join(shown)) or 'none'}")

    return draw


def play_text(game: Game, say: Say) -> Draw:
    """Return each step with what it changed and the clauses that did it."""

    def draw(console: Console) -> None:
        for step in game.steps:
            _step(console, step, say)
        if game.refused is not None:
            console.print(f"{styled(game.verdict or '')}: {escape(game.refused)} is refused")

    return draw


def _step(console: Console, step: Step, say: Say) -> None:
    verdict = "" if step.verdict in ("legal", "outcome") else f"  {styled(step.verdict)}"
    console.print(f"[bold]{escape(step.step)}[/]{verdict}")
    for effect in step.effects:
        sign = "+" if effect.way == "set" else "-"
        by = f"  [dim]{escape(' '.join(effect.clauses))}[/]" if effect.clauses else ""
        console.print(f"  {sign} {escape(effect.fact)}{by}")
    for fact in step.clashes:
        console.print(f"  contested, left as it was: {escape(fact)}")
    for fact, clauses in step.disputed:
        console.print(f"  disputed: {escape(say(fact))} ({escape(' '.join(clauses))})")
    if step.duties_left:
        console.print(f"  duties left unmet: {escape(', '.join(step.duties_left))}")


def names_text(found: Sequence[Name]) -> Draw:
    """Return what there is to speak of, as a table."""

    def draw(console: Console) -> None:
        table = new_table("kind", "written", "in words")
        table.columns[1].no_wrap = True
        for name in found:
            table.add_row(name.kind, escape(name.term), escape(name.reads))
        print_table(console, table)

    return draw
