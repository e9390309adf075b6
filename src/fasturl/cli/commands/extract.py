"""`fasturl extract`: the URLs in any text, by the rules of RFC 1738's appendix."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

import click

from fasturl.cli.failure import TROUBLE
from fasturl.cli.options import examples, max_line_option, octets_option
from fasturl.cli.outputs.places import refuse_inputs
from fasturl.cli.outputs.sink import Standard
from fasturl.cli.reading import InputOptions, Reading
from fasturl.cli.signals import signals
from fasturl.cli.terminal import complain
from fasturl.logs.errors import TornInput
from fasturl.logs.inputs.source import Source
from fasturl.logs.shown import escape_octets

if TYPE_CHECKING:
    from fasturl import Extracted

_PIECE = 4 << 20
_OVERLAP = 1 << 16


def _place_to_cut(text: bytes) -> int:
    """The last place where no URL is cut: after white space, but not within a wrapper or after a marker."""
    cut = max(text.rfind(b"\n"), text.rfind(b" ")) + 1
    near = max(0, cut - _OVERLAP)
    # A wrapper that has not been closed goes to the next piece, unless it is too long to be one.
    opened = text.rfind(b"<", near, cut)
    if opened >= 0 and text.find(b">", opened, cut) < 0:
        cut = opened
    before = text[near:cut].rstrip()
    return near + len(before) - 4 if before[-4:].lower() == b"url:" else cut


def _pieces(blocks: Iterator[bytes], most: int) -> Iterator[tuple[int, bytes]]:
    """The text in large pieces with their offsets, cut where no URL is cut.

    A wrapped URL longer than 64 KiB is the exception, and text without white space, which is cut when more than `most`
    octets of it are held.
    """
    offset = 0
    held: list[bytes] = []
    size = 0
    trouble: TornInput | None = None
    while True:
        try:
            block = next(blocks, None)
        except TornInput as error:
            trouble, block = error, None
        if block is None:
            break
        held.append(block)
        size += len(block)
        is_too_much = size > max(most, _PIECE)
        if not is_too_much and (size < _PIECE or not any(octet in block for octet in (b"\n", b" "))):
            continue
        text = b"".join(held)
        cut = _place_to_cut(text) or (len(text) if is_too_much else 0)
        if not cut:
            held = [text]
            continue
        yield offset, text[:cut]
        offset += cut
        held = [text[cut:]]
        size = len(text) - cut
    yield offset, b"".join(held)
    if trouble is not None:
        raise trouble


@click.command(epilog=examples("fasturl extract notes.txt", "fasturl extract --json --unique notes.txt"))
@click.argument("files", nargs=-1, type=click.Path(allow_dash=True))
@click.option("--json", "as_json", is_flag=True, help="A JSON object a URL, with its place in the file.")
@click.option("-u", "--unique", is_flag=True, help="Each URL once. Keeps all of them in memory.")
@click.option("--marked", is_flag=True, help="Only those that the text marks, as <...> or URL:...")
@max_line_option
@click.option("-0", "--null", is_flag=True, help="End each URL with NUL instead of line feed.")
@octets_option
def command(
    files: tuple[str, ...], as_json: bool, unique: bool, marked: bool, null: bool, max_line: int, octets: str
) -> int:
    """Find the URLs in text: those in <URL:...> or <...>, over line ends too, and those that stand by
    themselves.
    """
    from fasturl import extract

    reading = Reading(InputOptions(paths=files, progress=False))
    refuse_inputs(reading.sources)
    out = Standard()
    end = b"\0" if null else b"\n"
    seen: set[bytes] = set()
    written = escape_octets if octets == "escape" else _as_it_is

    def write(source: Source) -> None:
        for offset, text in _pieces(source.blocks(), max_line):
            lines = []
            for found in extract(text, bare=not marked):
                url = found.url
                if unique:
                    if url in seen:
                        continue
                    seen.add(url)
                if as_json:
                    lines.append(_as_json(source.name, offset, found, written))
                else:
                    fragment = b"" if found.fragment is None else b"#" + found.fragment
                    lines.append(written(url + fragment) + end)
            if lines:
                out.write(b"".join(lines))
            signals.check()

    for source in reading.sources:
        try:
            write(source)
        except TornInput as error:
            reading.torn = True
            complain(str(error))
    return TROUBLE if reading.torn else 0


def _as_it_is(octets: bytes) -> bytes:
    return octets


def _as_json(name: str, offset: int, found: Extracted[bytes], written: Callable[[bytes], bytes]) -> bytes:
    def text(octets: bytes | None) -> str | None:
        return None if octets is None else written(octets).decode("utf-8", "surrogateescape")

    return (
        json.dumps(
            {
                "file": name,
                "start": offset + found.start,
                "end": offset + found.end,
                "url": text(found.url),
                "fragment": text(found.fragment),
            }
        ).encode()
        + b"\n"
    )
