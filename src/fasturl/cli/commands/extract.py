"""`fasturl extract`: find the URLs in any text, by the rules of RFC 1738's appendix."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator

from fasturl.cli import options
from fasturl.cli.failure import TROUBLE, signals
from fasturl.cli.inputs import CommandInputs
from fasturl.cli.outputs.sink import Standard, refuse_inputs
from fasturl.logs.errors import ENDS_INPUT, EndOfInput
from fasturl.logs.formatted_inputs import InputOptions
from fasturl.logs.inputs.source import Source
from fasturl.logs.shown import escape_bytes

_PIECE = 4 << 20
_OVERLAP = 1 << 16


def _place_to_cut(text: bytes) -> int:
    """Return the last offset that cuts no URL: after white space, but not within a wrapper or after a marker."""
    cut = max(text.rfind(b"\n"), text.rfind(b" ")) + 1
    near = max(0, cut - _OVERLAP)
    # An open wrapper goes to the next piece, unless it is too long to be a wrapper.
    opened = text.rfind(b"<", near, cut)
    if opened >= 0 and text.find(b">", opened, cut) < 0:
        cut = opened
    before = text[near:cut].rstrip()
    return near + len(before) - 4 if before[-4:].lower() == b"url:" else cut


def _pieces(blocks: Iterator[bytes], limit: int) -> Iterator[tuple[int, bytes]]:
    """Yield the text in large pieces with their offsets, cut where no URL is cut.

    There are two exceptions: a wrapped URL longer than 64 KiB, and text without white space, of which at most `limit`
    bytes are held.
    """
    offset = 0
    held: list[bytes] = []
    size = 0
    trouble: EndOfInput | None = None
    try:
        for block in blocks:
            held.append(block)
            size += len(block)
            is_too_much = size > max(limit, _PIECE)
            if not is_too_much and (size < _PIECE or not any(byte in block for byte in (b"\n", b" "))):
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
    except ENDS_INPUT as error:
        trouble = error
    yield offset, b"".join(held)
    if trouble is not None:
        raise trouble


@options.command("fasturl extract notes.txt", "fasturl extract --json --unique notes.txt")
@options.files_argument
@options.of_output("--json as_json", "Write one JSON object per URL, with its place in the file.", is_flag=True)
@options.of_output("-u --unique", "Write each URL once. Keeps all of them in memory.", is_flag=True)
@options.of_output("--marked", "Find only URLs that the text marks: <...> or URL:...", is_flag=True)
@options.hiding_options
@options.max_line_option
@options.memory_limit_option
@options.of_output("-0 --null", "End each URL with NUL instead of line feed.", is_flag=True)
@options.invalid_bytes_option
def command(
    paths: tuple[str, ...],
    as_json: bool,
    unique: bool,
    marked: bool,
    hiding: options.Hiding,
    null: bool,
    max_line: int,
    memory_limit: int,
    invalid_bytes: str,
) -> int:
    """Find the URLs in text: in <URL:...> or <...>, also across line ends, and without a mark."""
    from fasturl import find_urls

    redaction = hiding.redaction()
    reading = CommandInputs(InputOptions(paths, memory_limit=memory_limit))
    refuse_inputs(reading.sources)
    out = Standard()
    end = b"\0" if null else b"\n"
    seen: set[bytes] = set()
    written = escape_bytes if invalid_bytes == "escape" else bytes

    def write(source: Source) -> None:
        for offset, text in _pieces(source.blocks(), max_line):
            lines = []
            for found in find_urls(text, bare=not marked):
                url, fragment = found.url, found.fragment
                if redaction is not None:
                    url, hash_, rest = redaction.url(url + b"#" + (fragment or b"")).partition(b"#")
                    fragment = rest if fragment is not None and hash_ else None
                if unique:
                    if url in seen:
                        continue
                    seen.add(url)
                if as_json:
                    place = offset + found.start, offset + found.end
                    lines.append(_as_json(source.name, *place, url, fragment, written))
                else:
                    lines.append(written(url if fragment is None else url + b"#" + fragment) + end)
            if lines:
                out.write(b"".join(lines))
            signals.check()

    for source in reading.sources:
        try:
            write(source)
        except ENDS_INPUT as error:
            reading.break_off(error)
    return TROUBLE if reading.torn else 0


def _as_json(
    name: str, start: int, end: int, url: bytes, fragment: bytes | None, written: Callable[[bytes], bytes]
) -> bytes:
    def text(data: bytes | None) -> str | None:
        return None if data is None else written(data).decode("utf-8", "surrogateescape")

    found = {"file": name, "start": start, "end": end, "url": text(url), "fragment": text(fragment)}
    return json.dumps(found).encode() + b"\n"
