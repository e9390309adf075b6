"""Which rows of a unit stay, and what becomes of those whose URLs are invalid: between reading and writing."""

from __future__ import annotations

from datetime import datetime

import pyarrow as pa

from fasturl.arrow import compute as pc
from fasturl.cli.failure import Failure
from fasturl.logs.batches import TIME, as_times
from fasturl.logs.formats.records import REFERER, LineFormat
from fasturl.logs.inputs.source import Source
from fasturl.logs.rows import PARTS, REFERER_COLUMNS
from fasturl.logs.shown import visible
from fasturl.logs.units import Unit, kept


class Step:
    """What is done with each unit before it is written; `names` are the columns that it looks at."""

    names: tuple[str, ...] = ()

    def check(self, source: Source, fmt: LineFormat) -> None:
        """Failure for an input that it makes no sense of."""

    def columns_for(self, columns: tuple[str, ...]) -> tuple[str, ...]:
        """What it looks at beside these columns, which go out."""
        return self.names

    def apply(self, unit: Unit) -> Unit:
        """The unit with what is left of it; from any thread."""
        raise NotImplementedError


class _OfLogs(Step):
    """What only a log can say; `option` is what asked."""

    option = ""

    def check(self, source: Source, fmt: LineFormat) -> None:
        if not fmt.details:
            raise Failure(f"{self.option}: {visible(source.name)} is read as URLs, not as a log")


def _rows_where(unit: Unit, mask: pa.Array) -> Unit:
    if mask.true_count == unit.urls:
        return unit
    return kept(unit, pc.indices_nonzero(mask).cast(pa.int64()))


class Only(_OfLogs):
    """Of rows by URL those of one field."""

    names = ("field",)
    option = "--only"

    def __init__(self, field: str) -> None:
        self._field = field.encode()

    def apply(self, unit: Unit) -> Unit:
        fields = unit.columns["field"]
        words = fields.dictionary.to_pylist()
        place = words.index(self._field) if self._field in words else -1
        return _rows_where(unit, pc.equal(fields.indices, pa.scalar(place, fields.indices.type)))


class Between(_OfLogs):
    """Rows whose time is no earlier than `start` and earlier than `end`; what has no time is in no span."""

    names = ("time",)
    option = "--time-from and --time-to"

    def __init__(self, start: datetime | None, end: datetime | None) -> None:
        if start is not None and end is not None and start >= end:
            raise Failure("--time-from is not before --time-to: no time is between them")
        self._start = None if start is None else pa.scalar(start, TIME)
        self._end = None if end is None else pa.scalar(end, TIME)

    def apply(self, unit: Unit) -> Unit:
        times = as_times(unit.columns["time"])
        inside = times.is_valid()
        if self._start is not None:
            inside = pc.and_(inside, pc.fill_null(pc.greater_equal(times, self._start), False))
        if self._end is not None:
            inside = pc.and_(inside, pc.fill_null(pc.less(times, self._end), False))
        return _rows_where(unit, inside)


_REFERER_PARTS = tuple(f"{REFERER}_{name}" for name in PARTS)
_REFERER_VALID = f"{REFERER}_valid"


class Nulls(Step):
    """`--on-error null`: an invalid URL has no parts."""

    def columns_for(self, columns: tuple[str, ...]) -> tuple[str, ...]:
        return () if {*columns}.isdisjoint(REFERER_COLUMNS) else (_REFERER_VALID,)

    def apply(self, unit: Unit) -> Unit:
        if unit.invalid:
            _without_parts(unit, PARTS, unit.valid)
        if _REFERER_VALID in unit.columns:
            _without_parts(unit, _REFERER_PARTS, unit.columns[_REFERER_VALID])
        return unit


def _without_parts(unit: Unit, names: tuple[str, ...], valid: pa.Array) -> None:
    for name in names:
        if name in unit.columns:
            unit.columns[name] = _null_unless(unit.columns[name], valid)


def _null_unless(column: pa.Array, valid: pa.Array) -> pa.Array:
    """The same values, where the other column is true: only the bitmap is made, as Arrow computes with no views."""
    bits = pc.and_(column.is_valid(), pc.fill_null(valid, False))
    # No column of a unit is a slice of another one.
    return pa.Array.from_buffers(column.type, len(column), [bits.buffers()[1], *column.buffers()[1:]])
