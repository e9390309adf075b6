"""`fasturl explain`: one URL taken apart for a reader."""

from __future__ import annotations

import dataclasses
import os
from typing import TYPE_CHECKING, Literal

import click

from fasturl import parse, problems
from fasturl._fastparse import _passwords
from fasturl.cli.failure import BAD_URLS
from fasturl.cli.options import examples
from fasturl.cli.outputs.sink import Standard
from fasturl.cli.terminal import octets_visible
from fasturl.logs.rows import PARTS
from fasturl.logs.shown import visible

if TYPE_CHECKING:
    from fasturl import URL

_HIDDEN = "***"
# A URL of many megabytes is shown by its beginning; its faults are counted all the same.
_SHOWN_AT_MOST = 4000
_FAULTS_AT_MOST = 100


class _Picture:
    """How each octet of a URL is shown: itself or an escape; and the password not at all."""

    def __init__(self, url: URL[bytes]) -> None:
        self.length = len(url.text)
        shown = octets_visible(url.text[:_SHOWN_AT_MOST])
        for start, end in _passwords(url.text):
            for at in range(start, min(end, len(shown))):
                shown[at] = _HIDDEN if at == start else ""
        self._columns = [0]
        for piece in shown:
            self._columns.append(self._columns[-1] + len(piece))
        self._shown = shown

    def text(self, start: int, end: int) -> str:
        more = "..." if end > len(self._shown) else ""
        return "".join(self._shown[start:end]) + more

    def carets(self, start: int, end: int) -> str | None:
        """The line to put under the text; None for a place that is not shown."""
        if start > len(self._shown):
            return None
        left = self._columns[start]
        right = self._columns[min(end, len(self._shown))]
        return " " * left + "^" * max(1, right - left)


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
def command(url: str, form: Literal["url", "request-target"]) -> int:
    """Take one URL apart for a reader: parts with their places, faults, and what its scheme makes of it.

    Status 1 when it is not valid. The password is not shown.
    """
    parsed = parse(os.fsencode(url), form=form)
    picture = _Picture(parsed)
    lines = [picture.text(0, picture.length), "", f"valid     {'yes' if parsed.valid else 'no'}"]
    for name in PARTS:
        span = parsed.span(name)
        if span is None:
            continue
        start, end = span
        lines.append(f"{name:<9} {f'{start}-{end}':<9} {picture.text(start, end) or '(empty)'}")
    lines += _faults(parsed, picture)
    # Of the text without its password, which so can stand in no field.
    lines += _meaning(parse(parsed.redacted(), form=form))
    Standard().write("".join(f"{line.rstrip()}\n" for line in lines).encode("utf-8", "surrogateescape"))
    return 0 if parsed.valid else BAD_URLS


def _faults(url: URL[bytes], picture: _Picture) -> list[str]:
    lines = []
    found = problems(url)
    for problem in found[:_FAULTS_AT_MOST]:
        kind = "violation" if problem.finding & problem.finding.VIOLATIONS else "hazard"
        lines += ["", f"{kind} {problem.finding.name} at {problem.start}: {visible(problem.message)}"]
        carets = picture.carets(problem.start, problem.end)
        if carets is not None:
            lines += [f"  {picture.text(0, picture.length)}", f"  {carets}"]
    if len(found) > _FAULTS_AT_MOST:
        lines += ["", f"and {len(found) - _FAULTS_AT_MOST} more"]
    return lines


def _meaning(url: URL[bytes]) -> list[str]:
    """What the URL's scheme makes of it, when it makes something of it."""
    try:
        meaning = url.decompose()
    except ValueError:  # InvalidURL: the faults above have said why
        return []
    lines = ["", f"as {type(meaning).__name__}"]
    for field in dataclasses.fields(meaning):
        value = getattr(meaning, field.name)
        if value is None:
            continue
        told = visible(value) if isinstance(value, str) else visible(repr(value))
        lines.append(f"  {field.name:<9} {told if told else '(empty)'}")
    return lines
