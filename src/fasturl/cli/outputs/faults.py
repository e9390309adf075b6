"""The faults of URLs, a line each: only for rows that have findings are their places looked for."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Literal

from fasturl import Finding, Problem, _rowtext, problems
from fasturl.cli.failure import LINE_TOO_LONG
from fasturl.cli.outputs.output import Output
from fasturl.cli.outputs.sink import Sink
from fasturl.logs.formats.records import REFERER, TARGET
from fasturl.logs.inputs.source import Source
from fasturl.logs.shown import visible
from fasturl.logs.units import Unit

Form = Literal["url", "request-target"]
# A line of the input by its number, and what is said of it.
_Said = tuple[int, bytes]


class FaultOutput(Output):
    """`wanted` are the findings to show; `first` is whether only the first of each URL is."""

    def __init__(self, sink: Sink, *, wanted: Finding, first: bool, as_json: bool) -> None:
        super().__init__(sink)
        self._wanted = int(wanted)  # a plain number: an enumeration's own operators are slow
        self._first = first
        self._as_json = as_json

    def columns_for(self, details: tuple[str, ...], name: str) -> tuple[str, ...]:
        return ("field", "url")

    def prepare(self, unit: Unit, only_valid: bool) -> bytes:
        said = [item for row in self._rows(unit) for item in self._faults(unit, row)]
        message = f"the line is not in the format {unit.fmt.name}"
        said += [(number, self._rejected(unit.source, number, message)) for number, _ in unit.rejects]
        said.sort(key=lambda item: item[0])
        return b"".join([line for _, line in said])

    def write(self, prepared: bytes, octets: int) -> None:
        if prepared:
            self.sink.write(prepared)

    def write_long(self, source: Source, number: int) -> None:
        self.sink.write(self._rejected(source, number, LINE_TOO_LONG))

    def _rows(self, unit: Unit) -> list[int]:
        """The rows with a finding that is wanted."""
        if not any(1 << bit & self._wanted for _, bit, _ in unit.findings):
            return []
        address = unit.diagnostics["findings"].buffers()[1].address
        return _rowtext.rows_with_findings(address, unit.urls, self._wanted)

    def _faults(self, unit: Unit, row: int) -> Iterator[_Said]:
        url: bytes = unit.columns["url"][row].as_py()
        field = unit.columns["field"][row].as_py().decode("utf-8", "surrogateescape")
        number: int = unit.numbers[row].as_py()
        for problem in self._problems(url, "request-target" if field in unit.fmt.targets else "url"):
            name = problem.finding.name or ""
            if self._as_json:
                told = {
                    "offset": problem.start,
                    "end": problem.end,
                    "finding": name,
                    "message": problem.message,
                    "url": url.decode("utf-8", "surrogateescape"),
                }
                yield number, _json(unit.source, number, field, told)
            else:
                which = f"{field}: " if field in (TARGET, REFERER) else ""
                yield number, _line(unit.source, number, problem.start, name, f"{which}{visible(problem.message)}")

    def _problems(self, url: bytes, form: Form) -> Iterator[Problem]:
        for problem in problems(url, form=form):
            if int(problem.finding) & self._wanted:
                yield problem
                if self._first:
                    return

    def _rejected(self, source: Source, number: int, message: str) -> bytes:
        if self._as_json:
            return _json(source, number, "", {"finding": "REJECTED", "message": message})
        return _line(source, number, 0, "REJECTED", message)


def _json(source: Source, number: int, field: str, told: dict[str, object]) -> bytes:
    return json.dumps({"file": source.name, "line": number, "field": field, **told}).encode() + b"\n"


def _line(source: Source, number: int, offset: int, name: str, message: str) -> bytes:
    return f"{visible(source.name)}:{number}:{offset}: {name}: {message}\n".encode("utf-8", "surrogateescape")
