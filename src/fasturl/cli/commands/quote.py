"""`fasturl quote`: lines of text, escaped for a URL."""

from __future__ import annotations

import click

from fasturl import quote_from_bytes
from fasturl.cli.options import examples, files_option, max_line_option, texts_argument
from fasturl.cli.text import convert


@click.command(epilog=examples("fasturl quote 'a b/ü'", "fasturl quote --safe '' --plus -f notes.txt"))
@texts_argument
@files_option
@click.option(
    "--safe",
    metavar="CHARS",
    default="/",
    show_default=True,
    help="ASCII characters that stay beside letters, digits and _.-~",
)
@click.option("--plus", is_flag=True, help="A space becomes +, as in a form's query.")
@max_line_option
@click.option("-0", "--null", is_flag=True, help="Lines end in NUL instead of line feed.")
def command(texts: tuple[str, ...], files: tuple[str, ...], safe: str, plus: bool, null: bool, max_line: int) -> int:
    """Escape each TEXT for a URL, or each line of the files or of standard input, octet by octet."""
    if plus:
        safe += " "

    def change(lines: list[bytes]) -> list[bytes]:
        quoted = [quote_from_bytes(line, safe).encode("ascii") for line in lines]
        return [line.replace(b" ", b"+") for line in quoted] if plus else quoted

    return convert(texts, files, null, max_line, change)
