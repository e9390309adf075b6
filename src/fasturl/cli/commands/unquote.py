"""`fasturl unquote`: lines of text with their escapes undone."""

from __future__ import annotations

import click

from fasturl import unquote_to_bytes
from fasturl.cli.decode import unquote_line
from fasturl.cli.options import examples, files_option, max_line_option, texts_argument
from fasturl.cli.terminal import is_terminal
from fasturl.cli.text import convert


@click.command(epilog=examples("fasturl unquote 'a%20b'", "fasturl unquote --safe -f urls.txt"))
@texts_argument
@files_option
@click.option("--safe", is_flag=True, help="Leave escapes of control octets as they are; always so on a terminal.")
@click.option("--plus", is_flag=True, help="A + is a space, as in a form's query.")
@max_line_option
@click.option("-0", "--null", is_flag=True, help="Lines end in NUL instead of line feed.")
def command(texts: tuple[str, ...], files: tuple[str, ...], safe: bool, plus: bool, null: bool, max_line: int) -> int:
    """Undo the escapes in each TEXT, or in each line of the files or of standard input.

    What is no escape stays. An escaped line end becomes a line end, unless --safe is given.
    """
    safe = safe or is_terminal(1)

    def change(lines: list[bytes]) -> list[bytes]:
        if plus:
            lines = [line.replace(b"+", b" ") for line in lines]
        if safe:
            return [unquote_line(line) for line in lines]
        return [unquote_to_bytes(line) for line in lines]

    return convert(texts, files, null, max_line, change)
