"""JSON lines. The URL is a field in each line's object."""

from __future__ import annotations

from typing import Any

from fasturl.logs.formats.records import ALL, LineFormat, PassthroughColumn, Records, Stop, keep_columns
from fasturl.logs.inputs.lines import Lines
from fasturl.logs.shown import as_bytes, visible

ABSENT = object()

# The functions import json: few logs are JSON, and the import takes longer than to detect the format of another one.


def load(line: bytes) -> Any:
    """Return the value of the line, or ABSENT if it is not JSON."""
    import json

    try:
        return json.loads(line)
    except (ValueError, RecursionError):
        pass
    try:
        return json.loads(line.decode("utf-8", "surrogateescape"))
    except (ValueError, RecursionError):
        return ABSENT


def get_field(value: Any, name: str, path: list[str]) -> Any:
    """Return the value of the field with this name, which may hold dots, or with this path, or else ABSENT."""
    if isinstance(value, dict) and name in value:
        return value[name]
    for key in path:
        if not isinstance(value, dict) or key not in value:
            return ABSENT
        value = value[key]
    return value


class KeptFields:
    """The fields of objects that are copied to the output.

    Name a field, or join names with dots. `*` is every field in the first batch of objects.
    """

    def __init__(self, wanted: tuple[str, ...], own: str | None) -> None:
        self._wanted = wanted
        self._own = own
        self._kept: tuple[PassthroughColumn, ...] | None = None
        self._paths: list[tuple[str, list[str]]] = []

    def of(self, entries: list[Any]) -> tuple[PassthroughColumn, ...] | None:
        """Return the columns, or None before the first batch with an object, which determines them.

        Raises LogError for a field that no object of that batch has.
        """
        if self._kept is None:
            objects = [entry for entry in entries if isinstance(entry, dict)]
            if not objects and ALL in self._wanted:
                return None
            there = dict.fromkeys(name for entry in objects for name in entry)
            named = [name for name in self._wanted if name != ALL]
            for name in named:
                if not objects or any(get_field(entry, name, name.split(".")) is not ABSENT for entry in objects):
                    there.setdefault(name)
            wanted = (*named, ALL) if ALL in self._wanted else tuple(named)
            self._kept = keep_columns(wanted, [*there], self._own)
            self._paths = [(kept.source, kept.source.split(".")) for kept in self._kept]
        return self._kept

    def values(self, entry: Any) -> tuple[bytes | None, ...]:
        """Return strings as they are, and other values as JSON."""
        return tuple([_to_bytes(get_field(entry, name, path)) for name, path in self._paths])


def _to_bytes(value: Any) -> bytes | None:
    if value is None or value is ABSENT:
        return None
    if isinstance(value, str):
        return as_bytes(value)
    import json

    try:
        return as_bytes(json.dumps(value, ensure_ascii=False, separators=(",", ":")))
    except RecursionError:  # writing may take more of the stack than reading took
        return None


def json_stop(line: bytes, field: str) -> Stop:
    """Return where the line stops to be JSON, or its end if it lacks the field."""
    import json

    try:
        value = json.loads(line.decode("latin-1"))  # one character per byte
    except json.JSONDecodeError as error:
        # A line that begins with a text in quotes is not a part of an object.
        return Stop(error.pos if line.lstrip().startswith(b"{") else 0, "JSON")
    except (ValueError, RecursionError):  # a number of too many digits, or too many brackets
        return Stop(0, "JSON")
    return Stop(max(len(line) - 1, 0), f"field {visible(field)}") if isinstance(value, dict) else Stop(0, "object")


class JsonLines(LineFormat):
    """JSON objects with a URL field, by name, or by names with dots between them for nested objects.

    A line that is not a JSON object with a string in that field is a reject. A null counts as an empty line.
    """

    name = "JSONL"

    def __init__(self, field: str, form: str = "url") -> None:
        super().__init__(field, form)
        self._path = field.split(".")
        self._fields: KeptFields | None = None

    @property
    def records(self) -> str:
        return f"is a JSON object with a string in its field {visible(self.field)}"

    def stop(self, line: bytes) -> Stop:
        return json_stop(line, self.field)

    def keep(self, wanted: tuple[str, ...]) -> None:
        self._fields = KeptFields(wanted, self.field)
        self.kept = None

    def read(self, lines: Lines) -> Records:
        records = Records()
        stripped = lines.stripped
        entries = [load(line) if line else None for line in stripped]
        if self._fields is not None:
            self.kept = self._fields.of(entries)
        for at, entry in enumerate(entries):
            value = get_field(entry, self.field, self._path) if stripped[at] else None
            if value is None:
                records.empty += 1
            elif isinstance(value, str):
                kept = self._fields.values(entry) if self._fields is not None else ()
                records.add(lines.first + at, as_bytes(value), kept)
            else:
                records.rejects.append((lines.first + at, lines.raw[at]))
        records.lines = lines.count
        return records
