"""What `errata --suggest` does: propose errata for a finding, and write the one that is chosen."""

import sys

import click

from lexbelli.answers_suggest import suggestions_answer
from lexbelli.errors import LimitError
from lexbelli.options import Given, Output, write_file
from lexbelli.search import Deadline
from lexbelli.suggestions import in_play, suggest
from lexbelli.text_suggest import suggestions_text
from lexbelli.together import processors

SECONDS = 60.0


def suggest_command(
    given: Given,
    finding: str,
    choice: int | None = None,
    *,
    seconds: float = SECONDS,
    compared: bool = True,
) -> None:
    """Propose errata for the finding of this id, and write one of them to the output file.

    `choice` is its number, the first by default; the proposals themselves go to standard output.
    `seconds` limit the search; `compared` asks what each changes in play. Ends with 1 when there is no
    suggestion. Raises UnknownNameError for a finding that is not there, LimitError when the search is
    not over in time, InputError for a file that may not be written, and click.UsageError for a choice
    that there is not.
    """
    if given.output.format not in ("text", "json"):
        raise click.UsageError(f"--suggest answers as text or json, not as {given.output.format}")
    output = given.output.file
    if output is not None and output.suffix != ".lp":
        raise click.UsageError(f"an erratum is an .lp file: {output}")
    if choice is not None and output is None:
        raise click.UsageError("--choice says which suggestion -o FILE is to write")
    try:
        measure, apart = in_play if compared else None, processors() > 1
        found = suggest(given.book, finding, Deadline(seconds), measure, apart=apart)
    except LimitError:
        raise LimitError(f"which errata resolve {finding}: unknown within {seconds:g} s") from None
    number = 1 if choice is None else choice
    written = None
    if found and output is not None:
        if not 1 <= number <= len(found):
            counted = "is one suggestion" if len(found) == 1 else f"are {len(found)} suggestions"
            raise click.UsageError(f"--choice {number}: there {counted} for {finding}")
        write_file(output, found[number - 1].overlay, given.output.overwrite)
        written = number, output
    uncompared = f"unknown within {seconds:g} s" if compared else "not compared"
    Output(given.output.format).write(
        lambda: suggestions_answer(finding, found, written),
        suggestions_text(finding, found, given.say, uncompared=uncompared, written=written),
    )
    if not found:
        sys.exit(1)
