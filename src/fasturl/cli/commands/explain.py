"""`fasturl explain`: one URL taken apart for a reader."""

from __future__ import annotations

import dataclasses
import os
import shutil
from collections.abc import Iterator
from itertools import islice
from textwrap import wrap
from typing import TYPE_CHECKING, Any, Literal
from unicodedata import east_asian_width

import click

from fasturl import Finding, normalize, parse, query_pairs, redact, unquote_to_bytes
from fasturl._problems import Findings
from fasturl.cli.failure import BAD_URLS
from fasturl.cli.options import examples
from fasturl.cli.outputs.sink import Standard
from fasturl.cli.picture import Picture
from fasturl.cli.terminal import octets_visible
from fasturl.logs.rows import FINDING_NAMES, HAZARDS, PARTS
from fasturl.logs.shown import visible

if TYPE_CHECKING:
    from fasturl import URL

Form = Literal["url", "request-target"]

_FAULTS_AT_MOST = 100
_PARAMETERS_AT_MOST = 100
_COLUMNS = 80
_NARROWEST = 40
# What is shown of a value that is no place in the URL.
_VALUE_AT_MOST = 4000
_INDENT = 20
_DECODED = ("username", "password", "host", "path", "fragment")


@click.command(
    context_settings={"ignore_unknown_options": False},
    epilog=examples(
        "fasturl explain 'http://example.com:8080/a%20b?x=1'",
        "fasturl explain --form request-target '/a?b=%20'",
    ),
)
@click.argument("url")
@click.option(
    "--form",
    type=click.Choice(["url", "request-target"]),
    default="url",
    show_default=True,
    help="How it is read.",
)
@click.option("--show-password", "passwords", is_flag=True, help="Show passwords, which are *** else.")
def command(url: str, form: Form, passwords: bool) -> int:
    """Take one URL apart for a reader: parts with their places and decoded, its normal form, faults, and what its
    scheme makes of it, with what a client sends for it.

    Status 1 when it is not valid. Passwords are not shown, unless asked for.
    """
    out = Standard()
    text = os.fsencode(url)
    width = shutil.get_terminal_size((_COLUMNS, 24)).columns if out.is_terminal else _COLUMNS
    lines = explained(text, form, max(width, _NARROWEST), passwords=passwords)
    out.write("".join(f"{line.rstrip()}\n" for line in lines).encode("utf-8", "surrogateescape"))
    return 0 if parse(text, form=form).valid else BAD_URLS


def explained(text: bytes, form: Form, width: int, *, passwords: bool = False) -> list[str]:
    """The lines that a reader is shown, none of more than `width` columns."""
    url = parse(text, form=form)
    # In what is made of the URL, too, no password can stand.
    told = url if passwords else parse(redact(text), form=form)
    page = _Page(width)
    picture = Picture(text, passwords=passwords)
    page.lines += picture.rows(width) or ["(empty)"]
    page.lines += ["", f"valid     {'yes' if url.valid else 'no'}"]
    _add_parts(page, url, told, picture)
    if form == "url":
        normal = normalize(told.text)
        page.add_value("normal", "as it is written" if normal == told.text else normal)
    _add_faults(page, text, form, picture)
    _add_meaning(page, told)
    return page.lines


class _Page:
    def __init__(self, width: int) -> None:
        self.width = width
        self.lines: list[str] = []

    def add(self, before: str, rows: list[str]) -> None:
        """A name and its value, whose further rows stand under the first."""
        for row in rows or ["(empty)"]:
            self.lines.append(f"{before:<{_INDENT}}{row}")
            before = ""

    def add_value(self, before: str, value: bytes | str) -> None:
        told = visible(value)
        more = ["..."] if len(told) > _VALUE_AT_MOST else []
        told = told[:_VALUE_AT_MOST]
        self.add(before, [*_rows(told, self.width - _INDENT), *more])


def _rows(text: str, width: int) -> Iterator[str]:
    """The text in rows of a terminal's columns, of which some characters take two."""
    start = columns = 0
    for at, character in enumerate(text):
        wide = 2 if east_asian_width(character) in "WF" else 1
        if columns + wide > width:
            yield text[start:at]
            start, columns = at, 0
        columns += wide
    if start < len(text):
        yield text[start:]


def _add_parts(page: _Page, url: URL[bytes], told: URL[bytes], picture: Picture) -> None:
    for name in PARTS:
        span = url.span(name)
        if span is None:
            continue
        start, end = span
        page.add(f"{name:<9} {f'{start}-{end}':<9} ", picture.rows(page.width - _INDENT, start, end))
        if name == "query":
            _add_parameters(page, told)
        elif name in _DECODED:
            part = getattr(told, name) or b""
            decoded = unquote_to_bytes(part)
            if decoded != part:
                page.add_value(f"{'':<10}decoded", decoded)


def _add_parameters(page: _Page, url: URL[bytes]) -> None:
    pairs = query_pairs(b"?" + (url.query or b"")) or []
    for name, value in islice(pairs, _PARAMETERS_AT_MOST):
        page.add_value(f"{'':<10}decoded", name + b" = " + value)
    if len(pairs) > _PARAMETERS_AT_MOST:
        page.lines.append(f"{'':<{_INDENT}}and {len(pairs) - _PARAMETERS_AT_MOST:,} more")


def _add_faults(page: _Page, text: bytes, form: Form, picture: Picture) -> None:
    found = Findings(text, form, int(Finding.VIOLATIONS | Finding.HAZARDS)).some(_FAULTS_AT_MOST + 1)
    for start, end, bit, message in found[:_FAULTS_AT_MOST]:
        name = FINDING_NAMES[bit]
        kind = "hazard" if name in HAZARDS else "violation"
        sentence = f"{kind} {name} at {start}: {visible(message)}"
        page.lines += ["", *wrap(sentence, page.width, subsequent_indent="  ", break_on_hyphens=False)]
        page.lines += [f"  {line}" for line in picture.carets(page.width - 2, start, end)]
    if len(found) > _FAULTS_AT_MOST:
        page.lines += ["", "and more: fasturl check shows all of them"]


def _add_meaning(page: _Page, url: URL[bytes]) -> None:
    """What the URL's scheme makes of it, and what a client sends, when it makes something of it."""
    try:
        meaning: Any = url.decompose()
    except ValueError:  # InvalidURL: the faults above have said why
        return
    page.lines += ["", f"as {type(meaning).__name__}"]
    for field in dataclasses.fields(meaning):
        value = getattr(meaning, field.name)
        if value is not None:
            page.add_value(f"  {field.name}", value if isinstance(value, str) else repr(value))
    try:
        if hasattr(meaning, "commands"):
            for at, words in enumerate(meaning.commands(octets=True)):
                sent = "".join(octets_visible(b" ".join(words)))
                page.add_value("" if at else "  sends", sent)
        elif hasattr(meaning, "request"):
            page.add_value("  sends", "".join(octets_visible(meaning.request())))
    except ValueError as error:  # UnsafeURL
        page.add_value("  sends", f"nothing: {error}")
