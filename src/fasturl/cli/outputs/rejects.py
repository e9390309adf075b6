"""The `--rejects` file: the lines that are not in the format, as they are or as JSON lines with a reason."""

from __future__ import annotations

import codecs
import json
import os

from fasturl import _columns
from fasturl.cli.failure import LINE_TOO_LONG
from fasturl.cli.outputs.sink import Sink
from fasturl.logs.addresses import HIDDEN
from fasturl.logs.changes import Changes
from fasturl.logs.formats.messages import reason
from fasturl.logs.inputs.lines import LongLine
from fasturl.logs.inputs.source import Source
from fasturl.logs.units import Unit


class Rejects:
    """The file of rejects.

    escapes : True to write bytes that are not UTF-8 as %E9 in JSON; plain lines keep every byte
    changes : to the lines; a line that is too long is hidden as a whole, because such a line comes in pieces
    """

    def __init__(self, sink: Sink, separator: bytes, *, as_json: bool, escapes: bool, changes: Changes | None) -> None:
        self.sink = sink
        self._json = as_json
        self._separator = separator
        self._escapes = escapes
        self._changes = changes
        # Decodes a line that comes in pieces, which may end within a character. None outside of such a line.
        self._decoder: codecs.IncrementalDecoder | None = None

    def add_unit(self, unit: Unit) -> None:
        rejects = unit.rejects
        if not rejects:
            return
        if self._changes is not None:
            rejects = [(number, self._changes.reject(raw)) for number, raw in rejects]
        if self._json:
            name, stop = unit.fmt.name, unit.fmt.stop
            reasons = [reason(name, raw, stop(raw.removesuffix(b"\r"))) for _, raw in unit.rejects]
            lines = [
                self._start(unit.source, number, why) + self._quoted(raw) + b"}\n"
                for (number, raw), why in zip(rejects, reasons, strict=True)
            ]
        else:
            lines = [raw + self._separator for _, raw in rejects]
        self.sink.write(b"".join(lines))

    def add_piece(self, source: Source, line: LongLine) -> None:
        """Write the next bytes of a line that is too long to hold."""
        if self._changes is not None:
            line = LongLine(line.number, HIDDEN if line.ends else b"", line.ends)
        if not self._json:
            self.sink.write(line.data + self._separator if line.ends else line.data)
            return
        start = b""
        if self._decoder is None:
            self._decoder = codecs.getincrementaldecoder("utf-8")("surrogateescape")
            start = self._start(source, line.number, LINE_TOO_LONG) + b'"'
        data = self._decoder.decode(line.data, line.ends).encode("utf-8", "surrogateescape")
        self.sink.write(start + self._quoted(data)[1:-1] + (b'"}\n' if line.ends else b""))
        if line.ends:
            self._decoder = None

    def _start(self, source: Source, number: int, reason: str) -> bytes:
        name = self._quoted(os.fsencode(source.name))
        return b'{"file":%s,"line":%d,"reason":%s,"bytes":' % (name, number, json.dumps(reason).encode())

    def _quoted(self, data: bytes) -> bytes:
        return _columns.value(data, escapes=self._escapes)
