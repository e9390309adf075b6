"""`fasturl explain`: show one URL part by part."""

from __future__ import annotations

import dataclasses
import os
import re
import shutil
from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from textwrap import wrap
from typing import TYPE_CHECKING, Any, Literal
from unicodedata import east_asian_width

import click

from fasturl import SECRET_KEYS, Finding, normalize, parse, query_pairs, quote, readings, redact, unquote_to_bytes
from fasturl._fastparse import Findings, schemes
from fasturl._findings import FINDING_NAMES
from fasturl._quoted import nearest
from fasturl._rfc3986 import SECTIONS
from fasturl._urllib import _hidden_places
from fasturl.cli import options
from fasturl.cli.failure import BAD_URLS
from fasturl.cli.outputs.sink import Standard
from fasturl.cli.terminal import bytes_visible
from fasturl.logs import columns
from fasturl.logs.columns import HAZARDS, PARTS, VALID_BY
from fasturl.logs.shown import visible

if TYPE_CHECKING:
    from fasturl import URL

_MAX_FAULTS = 100
_MAX_PARAMETERS = 100
_COLUMNS = 80
_MIN_COLUMNS = 40
_MAX_VALUE = 4000  # characters shown of a value that is not a slice of the URL
_HIDDEN = "***"
_MAX_SHOWN = 4000  # bytes shown of the URL
_MAX_ROWS = 3  # shown of a fault
_INDENT = 20
_LIKE_A_SCHEME = 0.74  # below, tel is like telnet
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


@options.command(
    "fasturl explain 'http://example.com:8080/a%20b?x=1'", "fasturl explain --form request-target '/a?b=%20'"
)
@click.argument("url")
@options.of_input("--form", "Read URL as a url, or as a request-target.", type=["url", "request-target"], default="url")
@options.standard_option
@options.of_redaction("--show-password passwords", "Show passwords and other secrets instead of ***.", is_flag=True)
def command(url: str, form: Literal["url", "request-target"], standard: columns.Standard, passwords: bool) -> int:
    """Explain one URL part by part.

    You see where each part is, the decoded part, the normal form, the faults, what the URL means in the scheme, and
    what a client sends. For a violation of RFC 1738, you also see what RFC 3986 says. Secrets are hidden by default.
    The status is 1 if the URL is not valid by the standard.
    """
    out = Standard()
    parsed = parse(os.fsencode(url), form=form)
    width = shutil.get_terminal_size((_COLUMNS, 24)).columns if out.is_terminal else _COLUMNS
    lines = explanation(parsed, max(width, _MIN_COLUMNS), passwords=passwords, standard=standard)
    out.write("".join(f"{line.rstrip()}\n" for line in lines).encode("utf-8", "surrogateescape"))
    return 0 if getattr(parsed, VALID_BY[standard]) else BAD_URLS


def explanation(
    url: URL[bytes], width: int, *, passwords: bool = False, standard: columns.Standard = "rfc1738"
) -> list[str]:
    """Return the lines of the explanation, each at most `width` columns wide."""
    # Derived values come from the redacted text, so they hold no secret either.
    told = url if passwords else parse(redact(url.text, SECRET_KEYS), form=url.form)
    page = _Page(url.text, width, passwords)
    page.lines += _rows(page.shown, width, page.is_cut)
    by_1738, by_3986 = ("yes" if valid else "no" for valid in (url.valid_rfc1738, url.valid_rfc3986))
    page.lines += ["", f"valid     {by_1738} (RFC 1738), {by_3986} (RFC 3986)"]
    if url.form == "url":
        for before, value in zip(("looks like", "write"), _likeness(told), strict=False):
            page.add_value(before, value)
        if near := _nearest_scheme(url.scheme.decode("ascii")):
            page.add_value("did you mean", f"{near}:")
    _add_parts(page, url, told)
    if url.form == "url":
        normal = normalize(told.text, standard=standard)
        page.add_value("normal", "as it is written" if normal == told.text else normal)
        _add_readings(page, told.text)
    _add_faults(page, url, standard)
    _add_meaning(page, told)
    return page.lines


def _likeness(url: URL[bytes]) -> tuple[str, ...]:
    """Return the form of a text that people write like a URL, and the URL to write; nothing for another text."""
    if url.findings & Finding.HOST_AS_SCHEME:
        return "a host and a port", f"http://{visible(url.text)}"
    for pattern, name, written in _FORMS:
        if found := pattern.fullmatch(url.text):
            parts = [quote(part.replace(b"\\", b"/"), safe="/:@*") for part in found.groups()]
            return name, written.format(*parts)
    return ()


def _nearest_scheme(scheme: str) -> str:
    """Return the registered scheme that an unknown one is like, or an empty str."""
    from fasturl import uses_netloc

    is_known = not scheme or scheme in schemes() or scheme in uses_netloc
    return "" if is_known else nearest(scheme, schemes(), _LIKE_A_SCHEME)


class _Page:
    """The lines of an explanation.

    shown : the bytes of the URL, each as itself or as an escape sequence; secrets are `***` unless `passwords`
    """

    def __init__(self, text: bytes, width: int, passwords: bool) -> None:
        self.width = width
        self.lines: list[str] = []
        self.is_cut = len(text) > _MAX_SHOWN
        self.shown = bytes_visible(text[:_MAX_SHOWN])
        for start, end in () if passwords else _hidden_places(text, SECRET_KEYS):
            for at in range(start, min(end, len(self.shown))):
                self.shown[at] = _HIDDEN if at == start else ""

    def add(self, before: str, pieces: Sequence[str], is_cut: bool) -> None:
        """Add a name and its value. Further rows of the value are indented below the first."""
        for row in _rows(pieces, self.width - _INDENT, is_cut):
            self.lines.append(f"{before:<{_INDENT}}{row}")
            before = ""

    def add_value(self, before: str, value: bytes | str) -> None:
        told = visible(value)
        self.add(before, told[:_MAX_VALUE], len(told) > _MAX_VALUE)

    def carets(self, spans: list[tuple[int, int]], start: int, end: int) -> Iterator[str]:
        """Yield the rows of the URL that overlap a range, each followed by its carets; none beyond what is shown."""
        length = len(self.shown)
        end = min(end, length)
        found = [
            (first, last)
            for first, last in spans or [(0, 0)]
            if (last > start or last == start == length) and (first < end or first <= start)
        ]
        for first, last in found[:_MAX_ROWS]:
            before, marked = (
                "".join(self.shown[each])
                for each in (slice(first, max(first, start)), slice(max(first, start), min(last, end)))
            )
            yield "".join(self.shown[first:last]) + ("..." if self.is_cut and last == length else "")
            yield " " * len(before) + "^" * max(1, len(marked))
        if len(found) > _MAX_ROWS:
            yield "..."


def _spans(pieces: Sequence[str], width: int) -> list[tuple[int, int]]:
    """Return the offsets of rows of at most `width` columns. Wide characters take two columns. No piece is split."""
    spans: list[tuple[int, int]] = []
    start = columns = 0
    for at, piece in enumerate(pieces):
        more = sum(2 if east_asian_width(character) in "WF" else 1 for character in piece)
        if columns + more > width:
            spans.append((start, at))
            start, columns = at, 0
        columns += more
    return [*spans, (start, len(pieces))] if pieces else spans


def _rows(pieces: Sequence[str], width: int, is_cut: bool) -> list[str]:
    rows = ["".join(pieces[start:end]) for start, end in _spans(pieces, width)]
    return rows + ["..."] * is_cut or ["(empty)"]


def _add_parts(page: _Page, url: URL[bytes], told: URL[bytes]) -> None:
    for name in PARTS:
        start, end = url.span(name) or (-1, -1)
        if start < 0:
            continue
        page.add(f"{name:<9} {f'{start}-{end}':<9} ", page.shown[start:end], end > len(page.shown))
        if name == "query":
            _add_reading_of_query(page, told)
        elif name in _DECODED:
            part = getattr(told, name) or b""
            if (decoded := unquote_to_bytes(part)) != part:
                page.add_value(f"{'':<10}decoded", decoded)


def _add_reading_of_query(page: _Page, url: URL[bytes]) -> None:
    """Add the pairs that a form reader sees, unless the scheme gives the text after "?" another meaning."""
    shape = schemes().get(url.scheme.decode("ascii"), ("generic",))[0]
    if shape not in ("http", "generic", "custom"):
        if shape != "wais":
            page.add_value(f"{'':<10}note", f"urllib cuts here; in {url.scheme.decode('ascii')}, '?' is data")
        return
    pairs = query_pairs(b"?" + (url.query or b""))
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
        user = f"user {one.username}" if one.username else ""
        host = f"host {one.host}" if one.host else "no host"
        parts = one.scheme or "no scheme", user, host, "" if one.port is None else f"port {one.port}"
        told = ", ".join(filter(None, parts)) if one.refusal is None else f"refused: {one.refusal}"
        told += "" if one.is_judged else " (a browser decides by tables of Unicode, which are not read here)"
        page.add_value(name, told)


def _add_faults(page: _Page, url: URL[bytes], standard: columns.Standard) -> None:
    found = _faults(url, standard)
    spans = _spans(page.shown, page.width - 2)
    for start, end, bit, message, note in found[:_MAX_FAULTS]:
        name = FINDING_NAMES[bit]
        sentence = f"{'hazard' if name in HAZARDS else 'violation'} {name}: {visible(message)}"
        page.lines += ["", *wrap(sentence, page.width, subsequent_indent="  ", break_on_hyphens=False)]
        page.lines += [f"  {line}" for line in page.carets(spans, start, end)]
        page.lines += wrap(note, page.width, initial_indent="  ", subsequent_indent="  ")
    if len(found) > _MAX_FAULTS:
        page.lines += ["", "and more: fasturl check shows all of them"]


def _faults(url: URL[bytes], standard: columns.Standard) -> list[tuple[int, int, int, str, str]]:
    """Return (start, end, bit number, message, note) of the first faults.

    note : what both standards say of a violation of RFC 1738
    """
    most = _MAX_FAULTS + 1
    by_3986 = Findings(url.text, url.form, int(Finding.VIOLATIONS), standard="rfc3986").take(most)
    if standard == "rfc3986":
        hazards = Findings(url.text, url.form, int(Finding.HAZARDS)).take(most)
        return [(*fault, "") for fault in sorted([*by_3986, *hazards])[:most]]
    section_at = _sections(url)
    known = by_3986[-1][0] if len(by_3986) == most else len(url.text)
    found = []
    for start, end, bit, message in Findings(url.text, url.form, int(Finding.VIOLATIONS | Finding.HAZARDS)).take(most):
        citation, note = _section_of(message), ""
        if 1 << bit & Finding.VIOLATIONS and start <= known and citation.startswith("RFC 1738 "):
            # Violations of both standards at one place. RFC 3986 may refuse a later byte, and allows logins.
            reach = max(end, start + 1) if 1 << bit & (Finding.BAD_HOST | Finding.BAD_PORT) else start + 1
            same = [_section_of(fault[3]) for fault in by_3986 if start <= fault[0] < reach]
            if same and 1 << bit != Finding.LOGIN:
                note = f"outside {citation} and {same[0]}"
            else:
                note = f"outside {citation}; RFC 3986 allows it here ({section_at(start)})"
        found.append((start, end, bit, message, note))
    return found


def _sections(url: URL[bytes]) -> Callable[[int], str]:
    """Return a function for the section of RFC 3986 about the part at an offset."""
    scheme, netloc, port = map(url.span, ("scheme", "netloc", "port"))
    starts = {0: "path"} | ({port[0]: "port"} if port else {})
    if scheme:
        starts |= {0: "scheme", scheme[1]: "path"}
    if netloc:
        host = max(netloc[0], url.text.rfind(b"@", *netloc) + 1)
        starts |= {netloc[0]: "userinfo", host: "host", netloc[1]: "path"}
    starts |= {span[0] - 1: name for name in ("query", "fragment") if (span := url.span(name))}
    offsets = sorted(starts)
    return lambda at: SECTIONS[starts[offsets[bisect_right(offsets, at) - 1]]]


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
                data = sent.encode("utf-8", "surrogateescape") if isinstance(sent, str) else sent
                page.add_value("" if at else "  sends", "".join(bytes_visible(data)))
    except ValueError as error:  # UnsafeURL
        page.add_value("  sends", f"nothing: {error}")
