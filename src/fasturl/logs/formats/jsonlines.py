"""JSON lines: the URL is the value of one field of each line's object."""

from __future__ import annotations

import json
from typing import Any

from fasturl.logs.formats.logtext import log_time
from fasturl.logs.formats.records import DETAILS, TARGET, LineFormat, Records
from fasturl.logs.inputs.lines import Lines
from fasturl.logs.shown import visible

_ABSENT = object()


def octets(text: str) -> bytes:
    r"""A JSON string as octets: UTF-8, where `\udc80` to `\udcff` stand for the octets 80 to FF as they do in
    our output.

    >>> octets("caf\udce9")
    b'caf\xe9'
    """
    try:
        return text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:  # another lone surrogate: JSON can say it, UTF-8 cannot
        return text.encode("utf-8", "surrogatepass")


def _load(line: bytes) -> Any:
    """The line's value; _ABSENT when it is no JSON."""
    try:
        return json.loads(line)
    except (ValueError, RecursionError):
        pass
    try:
        return json.loads(line.decode("utf-8", "surrogateescape"))
    except (ValueError, RecursionError):
        return _ABSENT


def _get(value: Any, path: list[str]) -> Any:
    for key in path:
        if not isinstance(value, dict) or key not in value:
            return _ABSENT
        value = value[key]
    return value


def is_object(line: bytes) -> bool:
    return isinstance(_load(line), dict)


class JsonLines(LineFormat):
    """`--field NAME`: a name, or names divided by dots that lead into nested objects.

    A line that is no JSON object with a string there is rejected; null is an absent URL, and counts as an
    empty line.
    """

    name = "JSONL"

    def __init__(self, field: str, form: str = "url") -> None:
        self._field = field
        self._path = field.split(".")
        if form == "request-target":
            self.targets = frozenset({field})

    @property
    def records(self) -> str:
        return f"is a JSON object with a string in its field {visible(self._field)}"

    def _value(self, line: bytes) -> Any:
        loaded = _load(line)
        if isinstance(loaded, dict) and self._field in loaded:  # a name that holds dots itself
            return loaded[self._field]
        return _get(loaded, self._path)

    def read(self, lines: Lines) -> Records:
        records = Records()
        for at, line in enumerate(lines.stripped):
            value = self._value(line) if line else None
            if value is None:
                records.empty += 1
            elif isinstance(value, str):
                records.add(lines.first + at, self._field, octets(value))
            else:
                records.rejects.append((lines.first + at, lines.raw[at]))
        records.lines = lines.count
        return records


def _text(value: Any) -> bytes | None:
    """A string that says something, as octets."""
    return octets(value) if isinstance(value, str) and value and value != "-" else None


def _integer(value: Any) -> int | None:
    return value if type(value) is int and 0 <= value < 1 << 63 else None


def _first(value: Any) -> Any:
    """Caddy gives headers as lists."""
    return value[0] if isinstance(value, list) and value else None


class Caddy(LineFormat):
    """Caddy's access log: one JSON object a request."""

    name = "CADDY"
    details = DETAILS
    targets = frozenset({TARGET})

    def matches(self, line: bytes) -> bool:
        return line.startswith(b"{") and isinstance(_get(_load(line), ["request", "uri"]), str)

    def read(self, lines: Lines) -> Records:
        records = Records()
        for at, line in enumerate(lines.stripped):
            if not line:
                records.empty += 1
                continue
            entry = _load(line)
            uri = _get(entry, ["request", "uri"])
            if not isinstance(uri, str):
                records.rejects.append((lines.first + at, lines.raw[at]))
                continue
            request = entry["request"]
            headers = request.get("headers")
            headers = {k.lower(): v for k, v in headers.items()} if isinstance(headers, dict) else {}
            time = entry.get("ts")
            written = log_time(repr(time).encode() if type(time) in (int, float) else _text(time))
            detail = (
                _text(request.get("client_ip")) or _text(request.get("remote_ip")),
                _text(entry.get("user_id")),
                written,
                _text(request.get("method")),
                _text(request.get("proto")),
                _integer(entry.get("status")),
                _integer(entry.get("size")),
                _text(_first(headers.get("user-agent"))),
                _text(request.get("host")),
            )
            records.add(lines.first + at, TARGET, octets(uri), detail, _text(_first(headers.get("referer"))))
        records.lines = lines.count
        return records
