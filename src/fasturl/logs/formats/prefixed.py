"""Logs behind the prefix of a relay or a container: syslog, docker compose, CRI, zap, JSON of docker and journald."""

from __future__ import annotations

import re

from fasturl.logs.formats import jsonlines
from fasturl.logs.formats.logtext import octets
from fasturl.logs.formats.mismatch import Stop
from fasturl.logs.formats.records import FormatReader, LineFormat, Records, Result
from fasturl.logs.inputs.lines import Lines

_TIME = rb"[0-9]{4}-[0-9-]{5}T[0-9:.]{5,24}(?:Z|[+-][0-9:]{4,5})"
# Each prefix ends before the line of the server. RFC 3164 pads the day with a space.
_DAY = rb"[A-Z][a-z]{2} [ 0-9][0-9] [0-9:]{8}"
_RFC3164 = rb"(?:<[0-9]{1,3}>)?(?:%s|%s) (?:[^ \n]{1,255} )?[^ :\[\n]{1,64}(?:\[[\w.]+\])?: ?" % (_DAY, _TIME)
_RFC5424 = rb"<[0-9]{1,3}>1 (?:[^ \n]{1,255} ){5}(?:-|(?:\[[^\]\n]*+\])++) (?:\xef\xbb\xbf)?"
_PATTERNS = {
    # Fastly writes no tag before an object.
    "SYSLOG": rb"%s|%s|%s [^ \n]{1,255} {1,8}(?=\{)" % (_RFC5424, _RFC3164, _TIME),
    "CRI": rb"%s (?:stdout|stderr) [FP] " % _TIME,
    "ZAP": rb"[0-9/-]{10}[ T][0-9:.]{8,15}(?:Z|[+-][0-9]{4})?\t[A-Z]{4,5}\t[^\t\n]{1,99}\t[^\t\n]{1,99}\t(?=\{)",
    "COMPOSE": rb"[a-z0-9][a-z0-9_.-]{0,63} {1,64}\| ",
}
_STARTS = {name: re.compile(rb"^(?:%s)" % pattern, re.MULTILINE) for name, pattern in _PATTERNS.items()}
DOCKER = "DOCKER"
_KEYS = ("log", "MESSAGE", "message")  # of docker, journald, Upsun and others
_SENDER = re.compile(rb"\A[A-Za-z0-9_.-]{1,64} [A-Za-z][A-Za-z0-9_.-]{0,63}(?:\[[0-9]+\])?: ")  # `frontend.0 nginx: `
PREFIXES = (*_STARTS, DOCKER)


def without_prefix(prefix: str, line: bytes) -> bytes | None:
    """Return the line behind the prefix, or None if it has no such prefix.

    >>> without_prefix("SYSLOG", b"May  7 10:05:03 web1 nginx: x"), without_prefix("CRI", b"x")
    (b'x', None)
    """
    if prefix != DOCKER:
        start = _STARTS[prefix].match(line)
        return None if start is None else line[start.end() :]
    entry = jsonlines.load(line) if line.startswith(b"{") else None
    value = next((entry[key] for key in _KEYS if key in entry), None) if isinstance(entry, dict) else None
    return _SENDER.sub(b"", octets(value).rstrip(b"\r\n")) if isinstance(value, str) else None


class PrefixedLog(LineFormat):
    """Lines in the format `inner` behind a prefix, one of PREFIXES. Lines without the prefix are read as they are."""

    def __init__(self, prefix: str, inner: LineFormat) -> None:
        self.inner = inner
        self.name = f"{prefix}+{inner.name}"
        self.details = inner.details
        self.targets = inner.targets
        self.reads_blocks = inner.reads_blocks
        self._prefix = prefix

    def read_with(self, reader: FormatReader[Result]) -> Result:
        return reader.read_wrapped(self) if self.reads_blocks else reader.read_records(self)

    def keep(self, wanted: tuple[str, ...]) -> None:
        self.inner.keep(wanted)
        self.kept = self.inner.kept

    def look_ahead(self, lines: Lines) -> None:
        self.inner.look_ahead(self.unwrap(lines)[0])
        self.kept = self.inner.kept

    def _line(self, line: bytes) -> bytes:
        found = without_prefix(self._prefix, line)
        return line if found is None or b"\n" in found else found

    def matches(self, line: bytes) -> bool:
        return self.inner.matches(self._line(line))

    def stop(self, line: bytes) -> Stop:
        inner = self._line(line)
        stop = self.inner.stop(inner)
        return Stop(min(stop.at + len(line) - len(inner), len(line)), stop.field)

    def unwrap(self, lines: Lines) -> tuple[Lines, list[int]]:
        """Return the lines without their prefixes."""
        block = lines.octets[lines.start :]
        if self._prefix == DOCKER or lines.separator != b"\n":
            separator = lines.separator
            block = b"".join([self._line(line) + separator for line in lines.stripped])
        else:
            block = _STARTS[self._prefix].sub(b"", block)
        unwrapped = Lines(lines.first, block, lines.separator)
        unwrapped.start = 0
        return unwrapped, []

    def read(self, lines: Lines) -> Records:
        records = self.inner.read(self.unwrap(lines)[0])
        self.kept = self.inner.kept
        raw = lines.raw
        records.rejects = [(number, raw[number - lines.first]) for number, _ in records.rejects]
        return records
