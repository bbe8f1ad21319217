"""The command that compares two editions, or a rulebook with and without errata."""

import sys
from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any

import click
from click.core import ParameterSource

from lexbelli.answers_errata import errata_answer
from lexbelli.commands_suggest import suggest_command
from lexbelli.comparison import KINDS
from lexbelli.errata import SECONDS, Errata, about, errata
from lexbelli.errors import LimitError
from lexbelli.options import Given, Output, Seconds, answer_options, once, output_file
from lexbelli.progress import Progress
from lexbelli.sides import two_sides
from lexbelli.text_errata import errata_text
from lexbelli.together import processors

# the formats beside text and JSON, each a function of the same name in a module of its own
WRITERS = ("markdown", "html")


@click.command("errata")
@click.argument("named", nargs=-1, metavar="[OLD] [NEW]")
@click.option("--kind", "kinds", multiple=True, type=click.Choice(KINDS), help="only this kind")
@click.option(
    "--subject", "subjects", multiple=True, metavar="NAME", help="only this subject, or all of a name"
)
@once("--suggest", metavar="FINDING", help="propose errata that resolve this finding of check")
@once("--choice", type=int, metavar="N", help="which of them -o FILE is to write, the first by default")
@click.option("--no-findings", is_flag=True, help="leave out which findings of check come and go")
@click.option("-v", "--verbose", is_flag=True, help="every subject, with both explanations")
@once("--time-limit", type=Seconds(), default=SECONDS, metavar="S", help="seconds for all proofs")
@answer_options("text", "json", *WRITERS)
def errata_command(
    named: tuple[str, ...], suggest: str | None, choice: int | None, verbose: bool, **options: Any
) -> None:
    """Tell what changes between OLD and NEW, and prove that the rest does not.

    Each is an edition, or the file or folder of an erratum. An erratum is laid over the edition that
    the other side names, or over --edition; current by default. An erratum alone is compared with the
    edition it is laid over; an edition alone, as the old one, with the current one or --edition. Each
    --erratum is laid over NEW as well.

    With --suggest, propose errata that would resolve a finding of the rulebook, and with -o write one.

    Ends with 0 when both are proved equivalent, 1 when something differs (among what --kind and
    --subject name), 3 when the time limit cut the proof.
    """
    if suggest is not None:
        if named or options["kinds"] or options["subjects"]:
            raise click.UsageError("--suggest is about one finding: it takes no sides and no filter")
        limit, compared = options["time_limit"], not options["no_findings"]
        suggest_command(Given(options), suggest, choice, seconds=limit, compared=compared)
        return
    if choice is not None:
        raise click.UsageError("--choice goes with --suggest")
    if len(named) > 2:
        raise click.UsageError(f"two sides can be compared, not {len(named)}")
    if not named and not options["errata"]:
        raise click.UsageError("name an edition or an erratum to compare, or errata with --erratum")
    file = output_file(options["output"], options["overwrite"])
    output = Output(options["format_"], file, options["overwrite"])
    source = click.get_current_context().get_parameter_source("edition")
    edition = options["edition"] if source is ParameterSource.COMMANDLINE else None
    old, new = two_sides(options["rulebook"], named, edition, options["errata"])
    with Progress(to_file=file is not None) as progress:
        limit, findings, apart = options["time_limit"], not options["no_findings"], processors() > 1
        whole = errata(old, new, limit, progress, findings=findings, apart=apart)
    found = about(whole, options["kinds"], options["subjects"])
    if output.format in WRITERS:
        output.write_text(_writer(output.format)(found))
    else:
        output.write(lambda: errata_answer(found), errata_text(found, verbose=verbose))
    if found.unknown:
        sys.exit(LimitError.exit_code)
    if found.relation == "different":
        sys.exit(1)


def _writer(format_: str) -> Callable[[Errata], str]:
    module: Mapping[str, Any] = vars(import_module(f"lexbelli.{format_}_errata"))
    writer: Callable[[Errata], str] = module[format_]
    return writer
