"""The command line. Errors go to standard error and end with exit code 2, never a traceback."""

import sys

import click

from lexbelli import commands_position, commands_rulebook
from lexbelli.errors import LexBelliError


@click.group(context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(package_name="lexbelli")
def command_line() -> None:
    """Answer questions about a rulebook: what is legal, why, and what follows.

    A STATE is a scenario of the rulebook or a file: .lp (facts), .toml or .json (base, set, unset).
    A fact is written name(36) or name=36.
    """


for _command in (
    commands_position.moves,
    commands_position.why,
    commands_position.state,
    commands_position.duties,
    commands_position.values,
    commands_position.play,
    commands_rulebook.clauses,
    commands_rulebook.cases,
    commands_rulebook.schema,
):
    command_line.add_command(_command)


def main() -> None:
    """Run the command line; every error ends with a message and its exit code."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="replace")
    try:
        command_line()
    except LexBelliError as error:
        click.echo(f"lexbelli: {error}", err=True)
        sys.exit(error.exit_code)
    except RecursionError:
        click.echo("lexbelli: the input is nested too deeply", err=True)
        sys.exit(2)


if __name__ == "__main__":
    main()
