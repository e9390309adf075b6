"""Logs whose lines the kernel reads in whole blocks (`fasturl._accesslog`)."""

from __future__ import annotations

from collections.abc import Callable
from copy import copy
from functools import cache, partial
from typing import Any, Self

from fasturl._accesslog import PREFIXES as _PREFIXES
from fasturl._accesslog import LineTemplate, ObjectTemplate, behind_prefix, is_record
from fasturl.logs.columns import DETAILS, EXTRAS, TARGET
from fasturl.logs.formats.records import LineFormat, Stop, keep_columns

# How a line is told to lack a field of a kind, if not by the first word of the kind.
_FIELDS = {
    "until": "field", "quoted": "string", "nothing": "start",
    "word any": "any", "list first": "first", "zone fraction": "fraction", "past fields": "fields",
}  # fmt: skip
# The prefixes that relays and containers write before lines.
PREFIXES = _PREFIXES[1:-1]
_KEYS = (b"log", b"MESSAGE", b"message", b"textPayload", b"line", b"_raw")  # of docker, journald, Google and others
_TIMES = (b"time", b"timestamp", b"@timestamp")
_HELD = [*(("target", key, 0) for key in _KEYS), *(("time", key, 0) for key in _TIMES)]
_HOLDERS = {"DOCKER": ObjectTemplate(_HELD, [], "json", 0, True)}


def without_prefix(prefix: str, line: bytes) -> bytes | None:
    """Return the line after the prefix, or None without such a prefix.

    >>> without_prefix("SYSLOG", b"May  7 10:05:03 web1 nginx: x"), without_prefix("CRI", b"x")
    (b'x', None)
    """
    return behind_prefix(line, prefix, _HOLDERS.get(prefix))


def read_behind_prefix(prefix: str, fmt: LineFormat) -> CommonLog:
    """Make a format read lines after a prefix in PREFIXES. Lines without it are read as they are."""
    assert isinstance(fmt, CommonLog)
    return fmt.behind(prefix, _HOLDERS.get(prefix))


def _settings(template: LineTemplate) -> list[Any]:
    """Return the steps of a template, and its other settings."""
    given: Any = template.__reduce__()[1]
    return list(given)


def stop_of(template: LineTemplate, line: bytes) -> Stop:
    """Return where the line stops to fit the template. Before a second record, that is the end of the first."""
    found = template.stop(line)
    steps = _settings(template)[0]
    if found is None or found[0] == len(steps):
        return Stop(len(line) if found is None else found[1], "end of the line")
    kind, field = steps[found[0]][:2]
    name = field or _FIELDS.get(kind) or kind.partition(" ")[0]
    return Stop(found[1], "time" if kind.startswith("time") else name)


@cache
def _common_template(vhost: bool, combined: bool) -> LineTemplate:
    """Return the template of a common log, to find where a line stops to fit. The kernel reads without it."""
    steps = [
        *([("word", "vhost", 32, b" ", b"")] if vhost else []),
        ("list", "client", 32, b" ", b""),
        ("word", "", 32, b" ", b""),
        ("user", "user", 32, b"", b""),
        ("time bracketed", "time", 93, b' "', b""),
        ("quoted", "request", 34, b'" ', b""),
        ("status", "", 32, b" ", b""),
        ("size", "", 32, b' "' if combined else b"", b""),
        *([("quoted", "referer", 34, b'" "', b""), ("quoted", "agent", 34, b'"', b"")] if combined else []),
    ]
    return LineTemplate(steps, True)


class CommonLog(LineFormat):
    """A common or combined log.

    vhost : whether a line starts with the virtual host
    combined : 1 if referer and agent follow in each line, else 0
    """

    details: tuple[str, ...] = DETAILS
    targets = frozenset({TARGET})
    reads_blocks = True
    # Reads the lines instead of `vhost` and `combined`.
    template: LineTemplate | None = None
    # Reads lines that are objects.
    objects: ObjectTemplate | None = None
    # One reader per column that is kept, with that column in place of the agent.
    kept_by: tuple[CommonLog, ...] = ()
    # The prefix before each line, of `_accesslog.PREFIXES`, and the template of an object that holds one.
    prefix = ""
    holder: ObjectTemplate | None = None
    # A description of a line, if the name does not say it.
    what = ""

    def __init__(self, name: str, *, vhost: bool = False, combined: int = 0) -> None:
        self.name = name
        self.vhost = vhost
        self.combined = combined

    def behind(self, prefix: str, holder: ObjectTemplate | None = None) -> Self:
        """Read lines after a prefix from now on. Lines without the prefix are read as they are, except for `JSON`."""
        self.name = f"{prefix}+{self.name}"
        self.format_string = self.format_string and f"{prefix}+{self.format_string}"
        self.prefix, self.holder = prefix, holder
        return self

    def line(self, line: bytes) -> bytes:
        """Return the line after the prefix."""
        behind = behind_prefix(line, self.prefix, self.holder) if self.prefix else None
        return behind if behind is not None else b"" if self.prefix == "JSON" else line

    @property
    def records(self) -> str:
        return self.what or super().records

    def with_template(self, template: LineTemplate) -> CommonLog:
        """Return a reader for the same lines with another template, which keeps no columns."""
        reader = copy(self)
        reader.template, reader.kept, reader.kept_by = template, (), ()
        return reader

    def kept_values(self, lines: list[bytes]) -> list[tuple[bytes | None, ...]]:
        """Return the kept columns' values in lines that are objects."""
        raise NotImplementedError

    def matches(self, line: bytes) -> bool:
        return self.fits(self.line(line))

    @property
    def detects(self) -> Callable[[bytes], bool]:
        return partial(is_record, vhost=self.vhost, combined=self.combined)

    def stop(self, line: bytes) -> Stop:
        behind = self.line(line)
        stop = self.place(behind) if behind else Stop(0, "line")
        return Stop(min(stop.at + len(line) - len(behind), len(line)), stop.field)

    def fits(self, line: bytes) -> bool:
        """Return True if a line, after the prefix, is a record or a header."""
        return self.detects(line)

    def place(self, line: bytes) -> Stop:
        """Return where a line stops to fit, after the prefix."""
        return stop_of(self.template or _common_template(self.vhost, self.combined == 1), line)


class ListLog(CommonLog):
    """A log with lines in several formats. The first format that fits reads the line."""

    def __init__(self, name: str, formats: list[CommonLog]) -> None:
        super().__init__(name)
        self.formats = formats
        there = {detail for fmt in formats for detail in fmt.details}
        self.details = (*DETAILS, *(name for name in EXTRAS if name in there))

    def behind(self, prefix: str, holder: ObjectTemplate | None = None) -> Self:
        for fmt in self.formats:
            fmt.behind(prefix, holder)
        self.name = f"{prefix}+{self.name}"
        return self

    @property
    def detects(self) -> Callable[[bytes], bool]:
        return lambda line: any(fmt.detects(line) for fmt in self.formats)

    def fits(self, line: bytes) -> bool:
        return any(fmt.matches(line) for fmt in self.formats)

    def place(self, line: bytes) -> Stop:
        return max((fmt.stop(line) for fmt in self.formats), key=lambda stop: stop.at)


class TemplateLog(CommonLog):
    """A log in a server's format, read by a template."""

    def __init__(self, name: str, template: LineTemplate) -> None:
        super().__init__(name)
        self.template: LineTemplate = template
        has = {word for kind, field, *_ in _settings(template)[0] for word in (kind, field)}
        self.details = (*DETAILS, *(name for name in EXTRAS if name in has))

    def fits(self, line: bytes) -> bool:
        return self.template.is_record(line)

    @property
    def detects(self) -> Callable[[bytes], bool]:
        return self.template.is_record


class CustomLog(TemplateLog):
    """A log in a custom format. `others` maps the fields without a column to their steps."""

    def __init__(self, template: LineTemplate, others: dict[str, int], dialect: str) -> None:
        super().__init__("CUSTOM", template)
        self.dialect = dialect
        self.what = f"fits the format that was given, read as {dialect}'s"
        self._others = others

    def keep(self, wanted: tuple[str, ...]) -> None:
        self.kept = keep_columns(wanted, [*self._others], None)
        self.kept_by = tuple(self._with_agent(self._others[column.source]) for column in self.kept)

    def _with_agent(self, place: int) -> CommonLog:
        """Return a reader with this step's field instead of the agent."""
        steps, *settings = _settings(self.template)
        steps = [(kind, "" if field == "agent" else field, *rest) for kind, field, *rest in steps]
        kind, _, *rest = steps[place]
        steps[place] = (kind, "agent", *rest)
        return self.with_template(LineTemplate(steps, *settings))
