"""`--to log`: the lines of the input again, with changed URLs and clients. Every other byte stays."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeAlias

import pyarrow as pa

from fasturl._patterns import not_beside
from fasturl.cli.failure import Failure
from fasturl.cli.outputs.located import NO_EDGE, Place
from fasturl.cli.outputs.output import Output
from fasturl.cli.outputs.sink import TABLE_AS_LOG, Sink
from fasturl.logs.changes import AFTER, CLIENT, USER, Changes
from fasturl.logs.columns import REFERER, TARGET
from fasturl.logs.units import Unit

_BYTES = pa.binary()
_FIELDS = {"url": TARGET, REFERER: REFERER}  # the field of a line by the name of its column
# The columns of a unit whose texts are in its lines.
_READ = ("line", "url", REFERER, CLIENT, USER)
_Texts: TypeAlias = list[tuple[bytes | None, bytes | None]]  # before and after the changes, per row


def _texts(unit: Unit, name: str) -> _Texts:
    """Return the texts of a column before and after the changes, per row."""
    if name + AFTER not in unit.texts:
        return [(None, None)] * unit.urls
    columns = unit.texts[name], unit.texts[name + AFTER]
    before = columns[0].cast(_BYTES).to_pylist()
    return list(zip(before, before if columns[0] is columns[1] else columns[1].cast(_BYTES).to_pylist(), strict=True))


class LogOutput(Output):
    """Writes lines. A line whose URL must change but is not found in it is left out, and counted as withheld."""

    keeps_lines = True

    def __init__(self, sink: Sink, changes: Changes | None) -> None:
        super().__init__(sink)
        self._changes = changes
        self.withheld = 0

    def columns_for(self, details: tuple[str, ...], name: str) -> tuple[str, ...]:
        hides_users = self._changes is not None and self._changes.hides_users
        return tuple(name for name in _READ if name in ("line", "url", *details) and (hides_users or name != USER))

    def prepare(self, unit: Unit, only_valid: bool) -> tuple[bytes, int]:
        rows = unit.valid.to_pylist() if only_valid and unit.invalid else None
        return self._lines(unit, [row for row in range(unit.urls) if rows is None or rows[row] is not False], None)

    def _lines(self, unit: Unit, rows: list[int], end: int | None) -> tuple[bytes, int]:
        """Return the lines up to line `end` of these rows and of no record, and the number of withheld lines."""
        if unit.numbers is None or not unit.has_lines:
            raise Failure(TABLE_AS_LOG)
        numbers = unit.numbers.to_pylist()
        changed = {name: _texts(unit, name) for name in (*_FIELDS, USER)} if self._changes is not None else {}
        clients = self._clients(unit)
        chosen: dict[int, list[int]] = {}
        for row in rows:
            chosen.setdefault(numbers[row], []).append(row)
        others = {number for number, _ in unit.rejects}.union(unit.read.to_pylist())
        special = {numbers[row] for row in self._special_rows(changed, clients)}
        written: list[bytes] = []
        withheld = 0
        for lines in unit.text:
            # Most batches hold no secret, which one pass shows. No address holds a separator, so one pass finds all.
            is_plain = self._changes is None or self._changes.hide_in_text(lines.data) == lines.data
            after = lines.raw
            if is_plain and self._changes is not None:
                after = self._changes.anonymize_line(lines.data).split(lines.separator)
            for number, line in enumerate(lines.raw, lines.first):
                if end is not None and number > end:
                    break
                if number not in chosen and number in others:
                    continue
                if self._changes is None or (is_plain and number not in special):
                    edited: bytes | None = after[number - lines.first]
                elif number in chosen:
                    edited = self._edit_line(self._changes, line, chosen[number], changed, clients)
                    withheld += edited is None
                else:
                    edited = self._changes.line(line)
                if edited is not None:
                    written += (edited, lines.separator)
        return b"".join(written), withheld

    def _clients(self, unit: Unit) -> list[bytes | None]:
        if self._changes is None or self._changes.anonymizer is None or CLIENT not in unit.texts:
            return []
        return list(unit.texts[CLIENT].cast(_BYTES).to_pylist())

    def _special_rows(self, changed: dict[str, _Texts], clients: list[bytes | None]) -> Iterator[int]:
        """Yield the rows with a changed URL, and those whose client has a name."""
        for texts in changed.values():
            yield from (row for row, (before, after) in enumerate(texts) if before != after)
        if clients and self._changes is not None and self._changes.anonymizer is not None:
            is_name = self._changes.anonymizer.is_name
            names = {client for client in {*clients} if client is not None and is_name(client)}
            yield from (row for row, client in enumerate(clients) if client in names)

    def _edit_line(
        self, changes: Changes, line: bytes, rows: list[int], changed: dict[str, _Texts], clients: list[bytes | None]
    ) -> bytes | None:
        """Return a line with its changes, or None if a changed URL is not found in it."""
        client = clients[rows[0]] if clients else None
        is_same = all(texts[row][0] == texts[row][1] for texts in changed.values() for row in rows)
        if is_same and changes.hide_in_text(line) == line:
            return changes.anonymize_line(line, client)
        edits: list[tuple[int, int, bytes]] = []
        others: list[tuple[bytes, bytes]] = []
        for name, texts in changed.items():
            for before, after in dict.fromkeys(texts[row] for row in rows):
                if before is None or after is None:
                    continue
                edit = Place(line, before, _FIELDS.get(name, "")).edit(after)
                if edit is not None and name == USER and line[edit[0] : edit[1]] == before:
                    pass  # it may stand in several fields
                elif edit is not None and not any(edit[0] < end and start < edit[1] for start, end, _ in edits):
                    edits.append(edit)
                elif before != after and edit is None:
                    return None
                if before != after:
                    others.append((before, after))
        pieces: list[bytes] = []
        done = 0
        for start, end, new in sorted(edits):
            pieces += (self._hidden(line[done:start], others), new)
            done = end
        pieces.append(self._hidden(line[done:], others))
        return changes.anonymize_line(b"".join(pieces), client)

    def _hidden(self, text: bytes, others: list[tuple[bytes, bytes]]) -> bytes:
        """Return the text between two URLs of a line, in which another field may repeat one of them."""
        assert self._changes is not None
        for before, after in others:
            if before in text:
                text = not_beside(NO_EDGE, before).sub(after.replace(b"\\", rb"\\"), text)
        return self._changes.hide_in_text(text)

    def write(self, prepared: tuple[bytes, int], size: int) -> None:
        text, withheld = prepared
        self.withheld += withheld
        if text:
            self.sink.write(text)

    def write_first(self, unit: Unit, rows: int) -> None:
        numbers = unit.numbers.to_pylist()
        self.write(self._lines(unit, list(range(rows)), numbers[rows - 1] if rows else 0), 0)
