"""`fasturl explain`: show one URL part by part."""

from __future__ import annotations

import dataclasses
import os
import re
import shutil
from collections.abc import Iterator
from itertools import islice
from textwrap import wrap
from typing import TYPE_CHECKING, Any, Literal
from unicodedata import east_asian_width

import click

from fasturl import SECRET_KEYS, Finding, normalize, parse, query_pairs, quote, readings, redact, unquote_to_bytes
from fasturl._fastparse import Findings, _place, schemes
from fasturl._findings import FINDING_NAMES, TERMS
from fasturl._rfc3986 import SECTIONS
from fasturl._urllib import _hidden_places
from fasturl.cli import options
from fasturl.cli.failure import BAD_URLS
from fasturl.cli.outputs.sink import Standard
from fasturl.cli.terminal import octets_visible
from fasturl.logs import columns
from fasturl.logs.columns import HAZARDS, PARTS
from fasturl.logs.shown import visible

if TYPE_CHECKING:
    from fasturl import URL

Form = Literal["url", "request-target"]
_Fault = tuple[int, int, int, str]  # start, end, bit number, message
_YES = {True: "yes", False: "no"}

_MAX_FAULTS = 100
_MAX_PARAMETERS = 100
_COLUMNS = 80
_MIN_COLUMNS = 40
_MAX_VALUE = 4000  # characters shown of a value that is not a slice of the URL
_HIDDEN = "***"
_MAX_SHOWN = 4000  # bytes shown of the URL
_MAX_ROWS = 3  # shown of a fault
_INDENT = 20
# Texts that are not URLs: the form's name, and the URL to write for it. The groups of a pattern fill the URL's fields.
_FORMS = (
    (re.compile(rb"([A-Za-z]:)[\\/](.*)", re.DOTALL), "a Windows path", "file:///{}/{}"),
    (re.compile(rb"\\\\([^\\/]+)[\\/](.*)", re.DOTALL), "a Windows share", "file://{}/{}"),
    (
        re.compile(rb"([^@:/?#\\\s]+@[^@:/?#\\\s]+):/?(?![0-9]+$)([^/].*)", re.DOTALL),
        "an address for scp or git",
        "ssh://{}/{}",
    ),
)
_DECODED = ("username", "password", "host", "path", "fragment")


@click.command(
    epilog=options.examples(
        "fasturl explain 'http://example.com:8080/a%20b?x=1'",
        "fasturl explain --form request-target '/a?b=%20'",
    ),
)
@click.argument("url")
@click.option(
    "--form",
    type=click.Choice(["url", "request-target"]),
    default="url",
    help="How to read URL.",
)
@options.standard_option
@click.option("--show-password", "passwords", is_flag=True, help="Show passwords and other secrets instead of ***.")
def command(url: str, form: Form, standard: columns.Standard, passwords: bool) -> int:
    """Explain one URL: its parts with their places and decoded, its normal form, its faults, its meaning in its
    scheme, and what a client sends for it.

    By RFC 1738, each violation also says what RFC 3986 says of it. Status 1 if the URL is not valid by the standard.
    Secrets are hidden by default.
    """
    out = Standard()
    text = os.fsencode(url)
    width = shutil.get_terminal_size((_COLUMNS, 24)).columns if out.is_terminal else _COLUMNS
    lines = explanation(text, form, max(width, _MIN_COLUMNS), passwords=passwords, standard=standard)
    out.write("".join(f"{line.rstrip()}\n" for line in lines).encode("utf-8", "surrogateescape"))
    parsed = parse(text, form=form)
    return 0 if (parsed.valid_rfc1738 if standard == "rfc1738" else parsed.valid_rfc3986) else BAD_URLS


def explanation(
    text: bytes, form: Form, width: int, *, passwords: bool = False, standard: columns.Standard = "rfc1738"
) -> list[str]:
    """Return the lines of the explanation, each at most `width` columns wide."""
    url = parse(text, form=form)
    # Derived values come from the redacted text, so they hold no secret either.
    told = url if passwords else parse(redact(text, SECRET_KEYS), form=form)
    page = _Page(width)
    picture = _Picture(text, passwords=passwords)
    page.lines += picture.rows(width) or ["(empty)"]
    valid = {"RFC 1738": url.valid_rfc1738, "RFC 3986": url.valid_rfc3986}
    page.lines += ["", f"valid     {', '.join(f'{_YES[yes]} ({name})' for name, yes in valid.items())}"]
    if form == "url" and (likeness := _likeness(told)):
        name, written = likeness
        page.add_value("looks like", name)
        page.add_value("write", written)
    _add_parts(page, url, told, picture)
    if form == "url":
        normal = normalize(told.text, standard=standard)
        page.add_value("normal", "as it is written" if normal == told.text else normal)
        _add_readings(page, told.text)
    _add_faults(page, text, form, picture, standard)
    _add_meaning(page, told)
    return page.lines


def _likeness(url: URL[bytes]) -> tuple[str, str] | None:
    """Return the form of a text that people write like a URL, and the URL to write; None for another text."""
    if url.findings & Finding.HOST_AS_SCHEME:
        return "a host and a port", f"http://{visible(url.text)}"
    for pattern, name, written in _FORMS:
        if found := pattern.fullmatch(url.text):
            parts = [quote(part.replace(b"\\", b"/"), safe="/:@*") for part in found.groups()]
            return name, written.format(*parts)
    return None


class _Picture:
    """A URL as rows of a terminal's width, with carets under its faults.

    Each byte is shown as itself or as an escape sequence. Secrets are shown as `***` unless `passwords`.
    """

    def __init__(self, text: bytes, *, passwords: bool = False) -> None:
        self._length = len(text)
        self._shown = octets_visible(text[:_MAX_SHOWN])
        for start, end in () if passwords else _hidden_places(text, SECRET_KEYS):
            for at in range(start, min(end, len(self._shown))):
                self._shown[at] = _HIDDEN if at == start else ""

    def rows(self, width: int, start: int = 0, end: int | None = None) -> list[str]:
        """Return the text between two offsets in rows of at most `width` columns."""
        end = self._length if end is None else end
        rows = [self._row(*span) for span in self._spans(width, start, min(end, len(self._shown)))]
        if end > len(self._shown):
            rows.append("...")
        return rows

    def carets(self, width: int, start: int, end: int) -> list[str]:
        """Return the rows that overlap a range, each followed by its carets; none for a range that is not shown."""
        if start > len(self._shown):
            return []
        end = min(max(end, start), len(self._shown))
        lines: list[str] = []
        for first, last in self._spans(width, 0, len(self._shown)) or [(0, 0)]:
            is_last = last == len(self._shown)
            if last < start or (last == start and not is_last) or (first >= end and first > start):
                continue
            if len(lines) == 2 * _MAX_ROWS:
                return [*lines, "..."]
            left = len(self._row(first, max(first, start)))
            marked = len(self._row(max(first, start), min(last, end)))
            more = "..." if is_last and last < self._length else ""
            lines += [self._row(first, last) + more, " " * left + "^" * max(1, marked)]
        return lines

    def _row(self, start: int, end: int) -> str:
        return "".join(self._shown[start:end])

    def _spans(self, width: int, start: int, end: int) -> list[tuple[int, int]]:
        """Return the offsets of the rows. An escape sequence is never split."""
        spans = []
        columns = 0
        for at in range(start, end):
            if columns + len(self._shown[at]) > width:
                spans.append((start, at))
                start, columns = at, 0
            columns += len(self._shown[at])
        if start < end:
            spans.append((start, end))
        return spans


class _Page:
    def __init__(self, width: int) -> None:
        self.width = width
        self.lines: list[str] = []

    def add(self, before: str, rows: list[str]) -> None:
        """Add a name and its value. Further rows of the value are indented below the first."""
        for row in rows or ["(empty)"]:
            self.lines.append(f"{before:<{_INDENT}}{row}")
            before = ""

    def add_value(self, before: str, value: bytes | str) -> None:
        told = visible(value)
        more = ["..."] if len(told) > _MAX_VALUE else []
        told = told[:_MAX_VALUE]
        self.add(before, [*_rows(told, self.width - _INDENT), *more])


def _rows(text: str, width: int) -> Iterator[str]:
    """Split the text into rows of at most `width` columns. Wide characters take two columns."""
    start = columns = 0
    for at, character in enumerate(text):
        wide = 2 if east_asian_width(character) in "WF" else 1
        if columns + wide > width:
            yield text[start:at]
            start, columns = at, 0
        columns += wide
    if start < len(text):
        yield text[start:]


def _add_parts(page: _Page, url: URL[bytes], told: URL[bytes], picture: _Picture) -> None:
    for name in PARTS:
        span = url.span(name)
        if span is None:
            continue
        start, end = span
        page.add(f"{name:<9} {f'{start}-{end}':<9} ", picture.rows(page.width - _INDENT, start, end))
        if name == "query":
            _add_reading_of_query(page, told)
        elif name in _DECODED:
            part = getattr(told, name) or b""
            decoded = unquote_to_bytes(part)
            if decoded != part:
                page.add_value(f"{'':<10}decoded", decoded)


def _add_reading_of_query(page: _Page, url: URL[bytes]) -> None:
    """Add the pairs that a form reader sees, unless the scheme gives the text after "?" another meaning."""
    shape = schemes().get(url.scheme.decode("ascii"), ("generic",))[0]
    if shape not in ("http", "generic", "custom"):
        if shape != "wais":
            page.add_value(f"{'':<10}note", f"urllib cuts here; in {url.scheme.decode('ascii')}, '?' is data")
        return
    pairs = query_pairs(b"?" + (url.query or b"")) or []
    for name, value in islice(pairs, _MAX_PARAMETERS):
        page.add_value(f"{'':<10}as a form", name + b" = " + value)
    if len(pairs) > _MAX_PARAMETERS:
        page.lines.append(f"{'':<{_INDENT}}and {len(pairs) - _MAX_PARAMETERS:,} more")


def _add_readings(page: _Page, text: bytes) -> None:
    """Add how RFC 1738, urllib and WHATWG read the scheme, the login's name, the host and the port, if they differ."""
    found = readings(text)
    known = [one for one in found.values() if one.scheme is not None]
    if len({(one.scheme, one.username or "", one.host or "", one.port) for one in known}) < 2:
        return
    page.lines += ["", "read as"]
    for name, one in found.items():
        if one.refusal is not None:
            page.add_value(name, f"refused: {one.refusal}")
            continue
        user = f", user {one.username}" if one.username else ""
        host = f"host {one.host}" if one.host else "no host"
        port = "" if one.port is None else f", port {one.port}"
        page.add_value(name, f"{one.scheme or 'no scheme'}{user}, {host}{port}")


def _add_faults(page: _Page, text: bytes, form: Form, picture: _Picture, standard: columns.Standard) -> None:
    found, notes = _faults(text, form, standard)
    for start, end, bit, message in found[:_MAX_FAULTS]:
        name = FINDING_NAMES[bit]
        kind = "hazard" if name in HAZARDS else "violation"
        sentence = f"{kind} {name}: {visible(message)}"
        page.lines += ["", *wrap(sentence, page.width, subsequent_indent="  ", break_on_hyphens=False)]
        page.lines += [f"  {line}" for line in picture.carets(page.width - 2, start, end)]
        if (start, bit) in notes:
            page.lines += wrap(notes[start, bit], page.width, initial_indent="  ", subsequent_indent="  ")
    if len(found) > _MAX_FAULTS:
        page.lines += ["", "and more: fasturl check shows all of them"]


def _faults(text: bytes, form: Form, standard: columns.Standard) -> tuple[list[_Fault], dict[tuple[int, int], str]]:
    """Return the first faults of a text, and by start and bit what both standards say of a violation of RFC 1738."""
    most = _MAX_FAULTS + 1
    by_3986: list[_Fault] = Findings(text, form, int(Finding.VIOLATIONS), standard="rfc3986").take(most)
    if standard == "rfc3986":
        return sorted([*by_3986, *Findings(text, form, int(Finding.HAZARDS)).take(most)])[:most], {}
    url = parse(text, form=form)
    found: list[_Fault] = Findings(text, form, int(Finding.VIOLATIONS | Finding.HAZARDS)).take(most)
    known = by_3986[-1][0] if len(by_3986) == most else len(text)
    notes: dict[tuple[int, int], str] = {}
    for start, end, bit, message in found:
        citation = _section_of(message)
        if not 1 << bit & Finding.VIOLATIONS or start > known or not citation.startswith("RFC 1738 "):
            continue
        # Violations of both standards at one place. RFC 3986 may refuse a later byte, and allows logins.
        reach = max(end, start + 1) if 1 << bit & (Finding.BAD_HOST | Finding.BAD_PORT) else start + 1
        same = [_section_of(fault[3]) for fault in by_3986 if start <= fault[0] < reach]
        if same and 1 << bit != Finding.LOGIN:
            notes[start, bit] = f"outside {citation} and {same[0]}"
        else:
            section = SECTIONS[TERMS[_place(url, 1 << bit, 0, start, True)[0]]]
            notes[start, bit] = f"outside {citation}; RFC 3986 allows it here ({section})"
    return found, notes


def _section_of(message: str) -> str:
    """Return the citation at the end of a message in short: RFC 1738 (2.2)."""
    document, _, section = message[message.rindex("(") + 1 : -1].partition(" section ")
    return f"{document} ({section})"


def _add_meaning(page: _Page, url: URL[bytes]) -> None:
    """Add the meaning of the URL in its scheme, and what a client sends, unless the URL has none."""
    try:
        meaning: Any = url.decompose()
    except ValueError:  # InvalidURL: the faults above say why
        return
    page.lines += ["", f"as {type(meaning).__name__}"]
    for field in dataclasses.fields(meaning):
        value = getattr(meaning, field.name)
        if value is not None:
            page.add_value(f"  {field.name}", value if isinstance(value, str) else repr(value))
    try:
        requests = [meaning.request()] if hasattr(meaning, "request") else []
        if hasattr(meaning, "commands"):
            requests = [b" ".join(words) for words in meaning.commands(as_bytes=True)]
        for at, sent in enumerate(requests):
            if sent is not None:
                octets = sent.encode("utf-8", "surrogateescape") if isinstance(sent, str) else sent
                page.add_value("" if at else "  sends", "".join(octets_visible(octets)))
    except ValueError as error:  # UnsafeURL
        page.add_value("  sends", f"nothing: {error}")
