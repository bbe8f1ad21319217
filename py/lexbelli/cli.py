"""The command line. Errors go to standard error and end with exit code 2, never a traceback."""

import gc
import os
import signal
import sys
import threading
from collections.abc import Mapping
from contextlib import suppress
from importlib import import_module

import click

from lexbelli.errors import LexBelliError
from lexbelli.options import abandon
from lexbelli.suggest import did_you_mean

INTERRUPTED = 130  # what a shell reports of a command that Ctrl-C has ended
_LONGEST_NAME = 200


# in which module each command is, and under which name
_COMMANDS: Mapping[str, tuple[str, str]] = {
    "moves": ("position", "moves"), "why": ("why", "why"), "state": ("position", "state"),
    "duties": ("position", "duties"), "values": ("position", "values"), "play": ("position", "play"),
    "clauses": ("rulebook", "clauses"), "cases": ("rulebook", "cases"),
    "check": ("check", "check_command"), "errata": ("errata", "errata_command"),
    "explain-code": ("check", "explain_code"), "names": ("rulebook", "names"),
    "schema": ("rulebook", "schema"),
}  # fmt: skip


class _Commands(click.Group):
    """The commands, of which only the one that runs is imported."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted(_COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in _COMMANDS:
            if ctx.resilient_parsing:  # a shell completes what is being typed
                return None
            hint = did_you_mean(cmd_name, _COMMANDS)
            ctx.fail(f"No such command {cmd_name!r}.{hint and f' {hint[0].upper()}{hint[1:]}'}")
        module, name = _COMMANDS[cmd_name]
        command: click.Command = getattr(import_module(f"lexbelli.commands_{module}"), name)
        return command


@click.group(
    cls=_Commands, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100}
)
@click.version_option(package_name="lexbelli")
def command_line() -> None:
    """Answer questions about a rulebook: what is legal, why, and what follows.

    A STATE is a scenario of the rulebook or a file: .lp (facts), .toml or .json (base, set, unset).
    A fact is written name(36) or name=36.
    """


def main() -> None:
    """Run the command line, and end the process; every error ends with a message and its exit code."""
    gc.set_threshold(100_000, 50, 100)  # a command ends before it leaves much in circles
    _open_streams()
    _watch_interrupts()
    code = _run()
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError):
            stream.flush()
    os._exit(code)  # to take all apart that was grounded takes longer than many an answer


def _run() -> int:
    """Run the command and return its exit code."""
    try:
        code = command_line.main(standalone_mode=False)
        sys.stdout.flush()
        return code if isinstance(code, int) else 0
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else int(end.code is not None)
    except LexBelliError as error:
        _complain(str(error))
        return error.exit_code
    except click.ClickException as error:
        with suppress(OSError):
            error.show()
        return error.exit_code
    except RecursionError:
        _complain("the input is nested too deeply")
    except MemoryError:
        _complain("there is not enough memory")
    except OSError as error:
        _complain(f"{_place(error)}: {error.strerror or error}")
    return 2


def _open_streams() -> None:
    """Let the streams show what they can, and make writing to one that is closed an error."""
    if sys.stdout is None:
        # takes the descriptor as well, which the next file to be opened would get otherwise
        sys.stdout = os.fdopen(os.open(os.devnull, os.O_RDONLY), "w")
    if sys.stderr is None:  # click would complain on standard output
        sys.stderr = os.fdopen(os.open(os.devnull, os.O_WRONLY), "w")
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="replace")


def _watch_interrupts() -> None:
    """End at once on Ctrl-C, even inside the solver, where no handler of Python's would be reached."""
    if signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
        return
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        threading.Thread(target=_end_on_interrupt, daemon=True).start()
    except RuntimeError:  # the system allows no further thread
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})


def _end_on_interrupt() -> None:
    signal.sigwait({signal.SIGINT})
    with suppress(OSError):
        os.write(2, b"\nlexbelli: interrupted\n")
    os._exit(INTERRUPTED)


def _complain(message: str) -> None:
    with suppress(OSError):
        click.echo(f"lexbelli: {message}", err=True)


def _place(error: OSError) -> str:
    """Return the file an error is about; what is read has a name, so no name is what is written."""
    if error.filename is None:
        abandon(sys.stdout)
        return "standard output"
    name = os.fsdecode(error.filename) if not isinstance(error.filename, int) else str(error.filename)
    return name if len(name) <= _LONGEST_NAME else f"{name[:_LONGEST_NAME]}..."


if __name__ == "__main__":
    main()
