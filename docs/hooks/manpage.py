"""Write the manual page docs/fasturl.1 from click's help. When you change the help, run this script."""

from __future__ import annotations

import inspect
import re
import sys
from pathlib import Path

import click

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "fasturl.1"


def roff(text: str) -> str:
    """Escape a text for roff. When a text is between backquotes, it becomes bold."""
    text = re.sub(r"\s+", " ", text).strip().replace("\\", "\\e").replace("-", "\\-")
    text = re.sub(r"`([^`]*)`", r"\\fB\1\\fR", text)
    return "\\&" + text if text.startswith((".", "'")) else text


def paragraphs(text: str) -> str:
    parts = inspect.cleandoc(text).split("\n\n")
    return "\n.PP\n".join(roff(part) for part in parts if part.strip() and not part.startswith("\b"))


def options(command: click.Command, context: click.Context) -> list[str]:
    records = (one.get_help_record(context) for one in command.get_params(context) if isinstance(one, click.Option))
    return [f".TP\n\\fB{roff(record[0])}\\fR\n{roff(record[1])}" for record in records if record is not None]


def page() -> str:
    from fasturl import __version__
    from fasturl.cli.app import main
    from fasturl.cli.options import Command

    assert isinstance(main, click.Group)
    context = click.Context(main, info_name="fasturl", **main.context_settings)
    lines = [
        f'.TH FASTURL 1 "" "fasturl {__version__}" "User Commands"',
        ".SH NAME",
        "fasturl \\- " + roff(main.help or ""),
    ]
    lines += [".SH SYNOPSIS", "\\fBfasturl\\fR \\fICOMMAND\\fR [\\fIOPTIONS\\fR] [\\fIFILES\\fR]", ".SH OPTIONS"]
    lines += options(main, context)
    lines.append(".SH COMMANDS")
    for name in main.list_commands(context):
        command = main.get_command(context, name)
        assert isinstance(command, Command)
        inner = click.Context(command, info_name=name, parent=context)
        usage = roff(" ".join([inner.command_path, *command.collect_usage_pieces(inner)]))
        lines += [f".SS {usage}", paragraphs(command.help or ""), *options(command, inner)]
        lines += [".PP", "Examples:", ".PP", ".nf", *map(roff, command.examples), ".fi"]
    lines += [".SH EXIT STATUS", roff((main.epilog or "").removeprefix("Exit status: "))]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    sys.path.insert(0, str(ROOT / "src"))
    PAGE.write_text(page(), encoding="utf-8")
