"""The group of commands, and the end of every run."""

from __future__ import annotations

import importlib
import os
import sys

import click

from fasturl._quoted import unknown
from fasturl.cli import versions
from fasturl.cli.failure import CLOSED_PIPE, TROUBLE, Failure, Interrupted, message_of, signals
from fasturl.cli.outputs.sink import ClosedPipe
from fasturl.cli.terminal import complain, say, stop_progress
from fasturl.logs.errors import LogError, reason

_COMMANDS = {
    "parse": "Turn URLs or an access log into a table of parts.",
    "stats": "Show what fails and what is slow in a log, and count.",
    "report": "Make a page with charts of a log.",
    "sql": "Query a log in SQL.",
    "routes": "Learn the routes of an application from its log.",
    "detect": "Show the format of a log, and what is read by it.",
    "check": "Show each fault of each URL, and its place.",
    "extract": "Find the URLs in text.",
    "explain": "Explain one URL part by part.",
    "quote": "Escape text for a URL.",
    "unquote": "Undo the escapes in text.",
    "help": "Explain a command, or formats, fields, findings, redaction.",
}


def _show_imports() -> None:
    """Import the modules of the commands. Never called: freezers such as PyInstaller look for import statements."""
    from fasturl.cli.commands import check, detect, explain, extract, help, parse, quote, report, routes, sql, stats  # noqa: F401


class _Commands(click.Group):
    """Commands that are imported on use, so that `--help` and one command do not load the others."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(_COMMANDS)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        if name not in _COMMANDS:
            return None
        module, attribute = ("quote", "unquote") if name == "unquote" else (name, "command")
        command = getattr(importlib.import_module(f"fasturl.cli.commands.{module}"), attribute)
        assert isinstance(command, click.Command)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        name = args[0]
        if name not in _COMMANDS and not name.startswith("-"):
            from fasturl.cli.commands.help import TOPICS

            ctx.fail(str(unknown("command", name, (*_COMMANDS, *(f"help {topic}" for topic in TOPICS)))))
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(list(_COMMANDS.items()))
        formatter.write_paragraph()
        with formatter.indentation():
            formatter.write_text("`fasturl COMMAND -h` shows what people use most, and `fasturl help COMMAND` all.")


def _print_versions(context: click.Context) -> None:
    click.echo(versions())
    context.exit()


@click.command(
    cls=_Commands,
    no_args_is_help=False,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 80, "show_default": True},
    epilog="Exit status: 0 success; 1 bad URLs, if a command or option asks for it; 2 wrong usage, or input or output "
    "that failed; 130 interrupted; 141 the reader of the output closed the pipe.",
)
@click.option(
    "-V",
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=lambda context, option, wanted: _print_versions(context) if wanted else None,
    help="Show the versions of fasturl, Python and pyarrow, and the kernel in use.",
)
@click.pass_context
def main(context: click.Context) -> int:
    """A faster urllib.parse for Python that explains bad URLs and reads access logs."""
    if context.invoked_subcommand is None:
        click.echo("Try these commands, with a log of yours for access.log:\n")
        for name in ("explain", "stats", "parse", "sql"):
            command = main.get_command(context, name)
            click.echo(f"  {command.examples[0]}\n    {_COMMANDS[name]}")  # type: ignore[union-attr]
        click.echo("\n`fasturl help` lists all commands.")
        return TROUBLE
    return 0


def _occupy_closed_streams() -> None:
    """Open /dev/null for each closed standard stream, so that no file opened later gets its number."""
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # gets the lowest free number: this one


def _close_standard_output() -> None:
    """Redirect stdout to /dev/null: Python flushes it at exit and would complain about a closed pipe."""
    try:
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, 1)
        os.close(null)
    except OSError:
        pass


def call(arguments: list[str]) -> int:
    """Run the command line and return its exit status. Raise nothing."""
    _occupy_closed_streams()
    try:
        with signals.handling():
            try:
                result = main.main(arguments, prog_name="fasturl", standalone_mode=False)
            finally:
                stop_progress()
            if sys.stdout is not None:
                sys.stdout.flush()
            return result if isinstance(result, int) else 0
    except Failure as failure:
        complain(failure.message)
        return failure.status
    except LogError as error:
        complain(message_of(error), error.excerpt)
        return TROUBLE
    except (ClosedPipe, BrokenPipeError):
        _close_standard_output()
        return CLOSED_PIPE
    except Interrupted as interrupted:
        return interrupted.status
    except (KeyboardInterrupt, click.Abort):
        return 130
    except click.exceptions.Exit as exit_:
        return exit_.exit_code
    except click.ClickException as error:
        complain(error.format_message())
        if isinstance(error, click.UsageError) and error.ctx:
            say(f"Try '{error.ctx.command_path} -h'.")
        return TROUBLE
    except OSError as error:
        where = f"{error.filename}: " if error.filename else ""
        complain(f"{where}{reason(error)}")
        _close_standard_output()
        return TROUBLE
    except MemoryError:
        complain("out of memory")
        return TROUBLE
