"""`fasturl quote` and `fasturl unquote`: escape lines of text, and undo it."""

from __future__ import annotations

import os
from collections.abc import Callable

import click

from fasturl import quote_from_bytes, unquote_to_bytes
from fasturl.cli import options
from fasturl.cli.failure import TROUBLE
from fasturl.cli.inputs import CommandInputs, plural
from fasturl.cli.outputs.sink import Standard, refuse_inputs
from fasturl.cli.terminal import complain, unquote_line
from fasturl.logs.formatted_inputs import InputOptions
from fasturl.logs.inputs.lines import LongLine

_text_options = options.as_one(
    "source",
    InputOptions,
    click.argument("texts", nargs=-1, metavar="[TEXT]..."),
    options.of_input(
        "-f --file paths FILE",
        "Read lines from FILE; - is standard input.",
        multiple=True,
        type=click.Path(allow_dash=True),
    ),
    options.max_line_option,
    options.memory_limit_option,
    options.null_lines_option,
)


def _convert(texts: tuple[str, ...], source: InputOptions, change: Callable[[list[bytes]], list[bytes]]) -> int:
    """Change and write each text and each line of the files, or of standard input if neither is given.

    Lines that are too long are left out and reported.
    """
    end = source.separator
    out = Standard()
    reading: CommandInputs | None = None
    if source.paths or not texts:
        reading = CommandInputs(source)
        refuse_inputs(reading.sources)
    if texts:
        out.write(b"".join([text + end for text in change([os.fsencode(text) for text in texts])]))
    if reading is None:
        return 0
    too_long = 0
    for lines in reading.lines():
        if isinstance(lines, LongLine):
            too_long += lines.count
        else:
            out.write(b"".join([text + end for text in change(lines.stripped)]))
    if too_long:
        complain(f"{plural(too_long, 'line')} left out: longer than --max-line allows")
    return TROUBLE if reading.torn or too_long else 0


@options.command("fasturl quote 'a b/ü'", "fasturl quote --safe '' --plus -f notes.txt", name="quote")
@options.of_output(
    "--safe CHARS", "Leave these ASCII characters too. Letters, digits and _.-~ always stay.", default="/"
)
@options.of_output("--plus", "Write a space as +, as in the query of a form.", is_flag=True)
@_text_options
def command(texts: tuple[str, ...], source: InputOptions, safe: str, plus: bool) -> int:
    """Escape each TEXT for a URL, or each line of the files or of standard input, byte by byte."""
    if plus:
        safe += " "

    def change(lines: list[bytes]) -> list[bytes]:
        quoted = [quote_from_bytes(line, safe).encode("ascii") for line in lines]
        return [line.replace(b" ", b"+") for line in quoted] if plus else quoted

    return _convert(texts, source, change)


@options.command("fasturl unquote 'a%20b'", "fasturl unquote --safe -f urls.txt", name="unquote")
@options.of_output("--safe", "Leave escapes of control bytes as they are. Always on at a terminal.", is_flag=True)
@options.of_output("--plus", "Read + as a space, as in the query of a form.", is_flag=True)
@_text_options
def unquote(texts: tuple[str, ...], source: InputOptions, safe: bool, plus: bool) -> int:
    """Undo the escapes in each TEXT, or in each line of the files or of standard input.

    Text that is not an escape stays. An escaped line end becomes a line end, unless --safe is given.
    """
    safe = safe or os.isatty(1)

    def change(lines: list[bytes]) -> list[bytes]:
        if plus:
            lines = [line.replace(b"+", b" ") for line in lines]
        return [unquote_line(line) if safe else unquote_to_bytes(line) for line in lines]

    return _convert(texts, source, change)
