"""The formats of `fasturl check`: text, JSON lines, annotations for GitHub, and SARIF."""

from __future__ import annotations

import os
from json import dumps as _json
from typing import Protocol
from urllib.parse import quote

from fasturl import Finding
from fasturl._version import __version__
from fasturl.cli.outputs.located import Place
from fasturl.logs.columns import FINDING_NAMES, HAZARDS, REFERER, TARGET
from fasturl.logs.shown import escape_octets, visible

REJECTED = "REJECTED"
# Length up to which each fault in JSON repeats its URL. A longer URL is written with its first fault only, else the
# output would grow with the square of the URL's length.
_MAX_REPEATED = 2048
# Length up to which a fault is written with its end column, whose cost is linear in the length.
_MAX_WITH_END = 256


class Row(Protocol):
    """One URL. `fault` returns the line of one of its faults."""

    def fault(self, start: int, end: int, bit: int, message: str) -> str: ...


class Form:
    """A format of faults. `begin` and `end` return the text around them.

    If `is_list`, each fault begins with a comma, which the caller removes from the first one.
    """

    has_places = True
    is_list = False

    def begin(self) -> str:
        return ""

    def end(self) -> str:
        return ""

    def row(self, file: str, number: int, field: str, url: bytes, place: Place | None) -> Row:
        raise NotImplementedError

    def rejected(self, file: str, number: int, message: str) -> str:
        raise NotImplementedError


def _which(field: str) -> str:
    return f"{field}: " if field in (TARGET, REFERER) else ""


class _Placed:
    """A row whose faults have a file, a line and columns."""

    def __init__(self, form: PlacedForm, file: str, number: int, field: str, place: Place | None) -> None:
        self._form = form
        self._file = file
        self._number = number
        self._which = _which(field)
        self._place = place

    def fault(self, start: int, end: int, bit: int, message: str) -> str:
        column = end_column = None
        if self._place is not None and self._place.is_known:
            column = self._place.column(start)
            if self._form.has_ends and start < end <= start + _MAX_WITH_END:
                end_column = column + max(self._place.columns_on(end), 1)
        name = FINDING_NAMES[bit]
        return self._form.told(self._file, self._number, column, end_column, name, f"{self._which}{message}")


class PlacedForm(Form):
    has_ends = True

    def row(self, file: str, number: int, field: str, url: bytes, place: Place | None) -> Row:
        return _Placed(self, file, number, field, place)

    def rejected(self, file: str, number: int, message: str) -> str:
        return self.told(file, number, None, None, REJECTED, message)

    def told(self, file: str, number: int, column: int | None, end: int | None, name: str, message: str) -> str:
        raise NotImplementedError


class Text(PlacedForm):
    has_ends = False

    def row(self, file: str, number: int, field: str, url: bytes, place: Place | None) -> Row:
        return super().row(visible(file), number, field, url, place)

    def rejected(self, file: str, number: int, message: str) -> str:
        return super().rejected(visible(file), number, message)

    def told(self, file: str, number: int, column: int | None, end: int | None, name: str, message: str) -> str:
        return f"{file}:{number}:{column or 1}: {name}: {message}\n"


class GitHub(PlacedForm):
    """Workflow commands (https://docs.github.com/actions). Hazards are warnings."""

    def told(self, file: str, number: int, column: int | None, end: int | None, name: str, message: str) -> str:
        places = {"file": file, "line": number, "col": column, "endColumn": end, "title": name}
        told = ",".join(f"{key}={_property(str(value))}" for key, value in places.items() if value is not None)
        return f"::{_level(name)} {told}::{_data(message)}\n"


def _data(text: str) -> str:
    return visible(text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A"))


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")


def _level(name: str) -> str:
    return "warning" if name in HAZARDS else "error"


class Sarif(PlacedForm):
    """SARIF 2.1.0: one run, with one rule per finding and one for rejected lines."""

    is_list = True
    _NAMES = (*filter(None, FINDING_NAMES), REJECTED)

    def begin(self) -> str:
        driver = {"name": "fasturl", "version": __version__, "rules": [_rule(name) for name in self._NAMES]}
        start = _json({"tool": {"driver": driver}, "columnKind": "unicodeCodePoints"})[:-1]
        schema = "https://json.schemastore.org/sarif-2.1.0.json"
        return f'{{"$schema": "{schema}", "version": "2.1.0", "runs": [{start}, "results": [\n'

    def end(self) -> str:
        return "]}]}\n"

    def told(self, file: str, number: int, column: int | None, end: int | None, name: str, message: str) -> str:
        region = {"startLine": number, "startColumn": column, "endColumn": end}
        where = {
            "artifactLocation": {"uri": _uri(file)},
            "region": {key: value for key, value in region.items() if value is not None},
        }
        result = {
            "ruleId": name,
            "ruleIndex": self._NAMES.index(name),
            "level": _level(name),
            "message": {"text": visible(message)},
            "locations": [{"physicalLocation": where}],
        }
        return f",{_json(result)}\n"


def _rule(name: str) -> dict[str, object]:
    rule: dict[str, object] = {"id": name, "defaultConfiguration": {"level": _level(name)}}
    if name == REJECTED:
        return {**rule, "shortDescription": {"text": "The line is not in the format of its log, or too long."}}
    finding = Finding[name]
    where = "docs/validity.md"
    return {
        **rule,
        "shortDescription": {"text": finding.reason},
        "help": {
            "text": f"{finding.advice} See {where}.",
            "markdown": f"{finding.advice} See [{where}]({where}).",
        },
    }


def _uri(file: str) -> str:
    """Return the RFC 3986 reference for a file name."""
    octets = os.fsencode(file)
    return ("file://" if octets.startswith(b"/") else "") + quote(octets, safe="/~")


class _JsonRow:
    def __init__(self, file: str, number: int, field: str, told: str) -> None:
        self._before = _json({"file": file, "line": number, "field": field})[:-1]
        self._after = f', "url": {_json(told)}}}\n'
        self._repeats = len(told) <= _MAX_REPEATED

    def fault(self, start: int, end: int, bit: int, message: str) -> str:
        fault = f'"finding": "{FINDING_NAMES[bit]}", "message": {_json(message)}'
        line = f'{self._before}, "offset": {start}, "end": {end}, {fault}{self._after}'
        if not self._repeats:
            self._after = "}\n"
        return line


class Json(Form):
    """One object per fault, with offsets in the URL. If `escapes`, bytes that are not UTF-8 are written as `%E9`."""

    has_places = False

    def __init__(self, *, escapes: bool) -> None:
        self._escapes = escapes

    def row(self, file: str, number: int, field: str, url: bytes, place: Place | None) -> Row:
        told = escape_octets(url) if self._escapes else url
        return _JsonRow(file, number, field, told.decode("utf-8", "surrogateescape"))

    def rejected(self, file: str, number: int, message: str) -> str:
        told = {"file": file, "line": number, "field": "", "finding": REJECTED, "message": message}
        return f"{_json(told)}\n"
