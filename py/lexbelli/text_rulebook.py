"""Answers about the rulebook, its cases and play as text."""

from collections.abc import Sequence

from rich.console import Console
from rich.markup import escape

from lexbelli.answers_rulebook import coverage_totals
from lexbelli.cases import Outcome
from lexbelli.coverage import ClauseCoverage
from lexbelli.drift import Comparison
from lexbelli.model import Clause
from lexbelli.play import Game, Step
from lexbelli.text import Say, new_table, render, styled


def catalogue_text(clauses: Sequence[Clause]) -> str:
    """Return a list of clauses."""

    def draw(console: Console) -> None:
        table = new_table("clause", "kind", "title")
        for clause in clauses:
            table.add_row(escape(clause.id), clause.kind, escape(clause.title))
        console.print(table)

    return render(draw)


def clause_text(clause: Clause, rules: str, printed: str | None, cases: Sequence[str]) -> str:
    """Return one clause whole: heading, gist, references, rules, printed words and cases."""

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
        for key, value in details:
            if value:
                console.print(f"[dim]{key}:[/] {escape(value)}")
        if rules:
            console.print()
            console.print(escape(rules), soft_wrap=True)

    return render(draw)


def cases_text(outcomes: Sequence[Outcome], every: bool) -> str:
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
        skipped: dict[str, int] = {}
        for outcome in outcomes:
            if outcome.outcome == "skipped":
                skipped[outcome.reason] = skipped.get(outcome.reason, 0) + 1
        for reason, count in sorted(skipped.items()):
            console.print(f"{styled('skipped')} {count}: {escape(reason)}")
        counts = {
            kind: sum(o.outcome == kind for o in outcomes) for kind in ("passed", "failed", "skipped")
        }
        console.print(", ".join(f"{count} {kind}" for kind, count in counts.items()))

    return render(draw)


def _shown(value: object) -> str:
    if value is None:
        return "no value"
    return escape(str(value).lower() if isinstance(value, bool) else str(value))


def _listed(clauses: Sequence[str]) -> str:
    return f"by {' '.join(clauses)}" if clauses else "by no clause"


def coverage_text(found: Sequence[ClauseCoverage]) -> str:
    """Return the coverage of every clause, what is open, and the totals."""

    def draw(console: Console) -> None:
        table = new_table("clause", "kind", "heads", "conditions", "for", "against", "note")
        for row in found:
            open_gaps = [gap for gap in row.gaps if gap.provable is not True]
            note = row.clause.reason or (f"{len(open_gaps)} open" if open_gaps else "")
            table.add_row(
                escape(row.clause.id),
                row.clause.kind,
                " ".join(row.clause.heads),
                str(row.conditions) if row.clause.heads else "",
                str(len(row.cases_for)) if row.clause.heads else "",
                str(len(row.cases_against)) if row.clause.heads else "",
                escape(note),
            )
        console.print(table)
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

    return render(draw)


def comparison_text(found: Comparison) -> str:
    """Return how a printed text and the headings compare."""

    def draw(console: Console) -> None:
        console.print(f"{len(found.clauses)} numbered clauses in the text")
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

    return render(draw)


def play_text(game: Game, say: Say) -> str:
    """Return each step with what it changed and the clauses that did it."""

    def draw(console: Console) -> None:
        for step in game.steps:
            _step(console, step, say)
        if game.refused is not None:
            console.print(f"{styled(game.verdict or '')}: {escape(game.refused)} is refused")

    return render(draw)


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
