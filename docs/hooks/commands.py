"""Make the reference of the command line from click's descriptions, so that each option is described once."""

from __future__ import annotations

import html
import inspect
import re

import click


def plain(text: str) -> str:
    """Escape all markup of a text."""
    return re.sub(r"([\\`*_{}\[\]#|])", r"\\\1", html.escape(re.sub(r"\s+", " ", text).strip(), quote=False))


def described_option(option: click.Option, context: click.Context) -> str:
    record = option.get_help_record(context)
    assert record is not None
    names, told = record
    return f"- **`{names}`**<br>{plain(told)}"


def described(name: str, command: click.Command, parent: click.Context) -> str:
    context = click.Context(command, info_name=name, parent=parent)
    pieces = command.collect_usage_pieces(context)
    told = "\n\n".join(map(plain, inspect.cleandoc(command.help or "").split("\n\n")))
    lines = [f"## {name}", "", told, "", "```text", " ".join([context.command_path, *pieces]), "```"]
    examples = re.findall(r"^ *\$ (.+)$", command.epilog or "", re.MULTILINE)
    if examples:
        lines += ["", "Examples:", "", "```console", *(f"$ {example}" for example in examples), "```"]
    options = [one for one in command.get_params(context) if isinstance(one, click.Option) and not one.hidden]
    lines += ["", *(described_option(option, context) for option in options)]
    return "\n".join(lines) + "\n"


def page() -> str:
    from fasturl.cli.app import main

    context = click.Context(main, info_name="fasturl")
    assert isinstance(main, click.Group)
    commands = [(name, main.get_command(context, name)) for name in main.list_commands(context)]
    return "\n".join(described(name, command, context) for name, command in commands if command is not None)
