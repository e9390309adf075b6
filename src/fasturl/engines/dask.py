"""Dask: the accessor ``series.url``, and ``parse``, which adds columns to a DataFrame lazily.

Importing this module adds the accessor, also to the Series of pandas. A column of bytes needs the dtype
``pandas.ArrowDtype(pyarrow.binary())``, because Dask must know the type of the result before it reads a value.

>>> import dask, dask.dataframe, pandas
>>> from fasturl.engines.dask import parse
>>> frame = dask.dataframe.from_pandas(pandas.DataFrame({"u": ["http://h:80/", None]}), npartitions=2)
>>> with dask.config.set(scheduler="sync"):
...     parse(frame, "u", ["host", "port"]).compute()[["host", "port"]].values.tolist()
...     frame.u.url.host().compute().tolist()
[['h', 80], [<NA>, <NA>]]
['h', <NA>]
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import Any, NamedTuple

import pandas as pd
import pyarrow as pa
from dask.dataframe import Series
from dask.dataframe.dask_expr import new_collection
from dask.dataframe.dask_expr._expr import (
    Assign,
    Blockwise,
    Elemwise,
    Expr,
    Filter,
    Projection,
    determine_column_projection,
    is_filter_pushdown_available,
)
from dask.dataframe.dask_expr.io.io import FromMapProjectable
from dask.dataframe.extensions import register_series_accessor

from fasturl import arrow
from fasturl.engines._operations import (
    Fields,
    Operation,
    ParseSpec,
    Shortcuts,
    column_of,
    is_binary,
    new_names,
    parse_spec,
)
from fasturl.engines.pandas import align, arrow_column, pandas_frame, pandas_series
from fasturl.logs.logtable import SPLIT_OCTETS, LogTable, Paths, Rejects, Split, split_table
from fasturl.logs.reader import AnyFormat, Rows
from fasturl.logs.units import RowFilter

__all__ = ["SeriesUrl", "parse", "read_logs"]


def _column(series: Any, binary: bool) -> pa.ChunkedArray:
    """Return the Arrow column of a partition. TypeError if it has bytes and the spec expected text, or the reverse."""
    column = arrow_column(series)
    if pa.types.is_null(column.type):
        return column.cast(pa.binary() if binary else pa.string())
    if is_binary(column.type) != binary:
        raise TypeError("bytes in a column of objects: give it the dtype pandas.ArrowDtype(pyarrow.binary())")
    return column


def _is_binary(meta: Any) -> bool:
    return isinstance(meta.dtype, pd.ArrowDtype) and is_binary(meta.dtype.pyarrow_dtype)


def _parse_partition(frame: Any, column: str | None, spec: ParseSpec, prefix: str, binary: bool) -> Any:
    series = frame if column is None else frame[column]
    found = pandas_frame(spec.read(_column(series, binary), threads=1), series.index)
    return found if column is None else frame.assign(**{prefix + name: found[name] for name in spec.names})


class ParsedFrame(Blockwise):  # type: ignore[misc]  # Dask's classes have no types
    """A Series as the columns of a parse, or a DataFrame with these after its own, as one Dask expression.

    Only the columns that later steps use are computed.
    column : the column of URLs; None for a Series
    """

    _parameters = ["frame", "column", "spec", "prefix", "binary"]  # noqa: RUF012 - as Dask's classes have it
    operation = staticmethod(_parse_partition)

    def _simplify_up(self, parent: Any, dependents: Any) -> Any:
        if not isinstance(parent, Projection):
            return None
        found = determine_column_projection(self, parent, dependents)
        wanted = {found} if isinstance(found, str) else set(found)
        spec, frame = self.spec.only(name for name in self.spec.names if self.prefix + name in wanted), self.frame
        if self.column is not None:
            if not spec.names:
                return type(parent)(frame, *parent.operands[1:])
            kept = [name for name in frame.columns if name in wanted or name == self.column]
            while isinstance(frame, Assign) and not set(frame.keys) & set(kept):
                frame = frame.frame  # Dask does not drop an Assign if all columns of its frame are kept.
            if len(kept) < len(frame.columns):
                frame = frame[kept]
        if not wanted or (spec.names == self.spec.names and frame is self.frame):
            return None
        return type(parent)(ParsedFrame(frame, self.column, spec, self.prefix, self.binary), *parent.operands[1:])


def parse(
    frame: Any,
    column: str,
    fields: Fields = arrow.DEFAULT_FIELDS,
    *,
    form: str = "url",
    prefix: str = "",
) -> Any:
    """Add one column per field to a Dask DataFrame, lazily, as ``fasturl.arrow.parse`` does.

    column : the column of URLs, of str, or of bytes with a binary dtype
    fields : names of fields and functions, or a dict from new column names to a field, a function, or a function with
        its arguments, as in ``{"host": "host", "item": ("query_value", "item")}``
    prefix : the prefix of the new column names. ValueError if the DataFrame has such a name.
    Only the columns that are used later are read and computed.
    """
    spec = parse_spec(fields, form)
    names = [str(name) for name in frame.columns]
    column_of(names, column)
    new_names(names, spec.names, prefix)
    return new_collection(ParsedFrame(frame, column, spec, prefix, _is_binary(frame[column]._meta)))


class Step(NamedTuple):
    """An operation of a condition on the rows of a frame. Its arguments are steps and constants."""

    operation: Any  # None for the frame itself
    arguments: tuple[Any, ...] = ()
    options: tuple[tuple[str, Any], ...] = ()

    def of(self, frame: Any) -> Any:
        if self.operation is None:
            return frame
        given = [one.of(frame) if isinstance(one, Step) else one for one in self.arguments]
        return self.operation(*given, **dict(self.options))


def _condition(expr: Any, frame: Any, columns: set[str]) -> Any:
    """Return an expression as steps, and add the columns that it looks at. ValueError if it is not one row by row."""
    if not isinstance(expr, Expr):
        return expr
    if isinstance(expr, Projection) and expr.frame._name == frame._name and isinstance(expr.operand("columns"), str):
        columns.add(expr.operand("columns"))
        return Step(expr.operation, (Step(None), expr.operand("columns")))
    if not isinstance(expr, Elemwise) or expr.operation is None:
        raise ValueError("the condition has another input")
    return Step(
        expr.operation, tuple(_condition(one, frame, columns) for one in expr._args), tuple(expr._kwargs.items())
    )


class Logs(FromMapProjectable):  # type: ignore[misc]
    """The splits of logs as partitions. A filter on their columns becomes a part of the reader."""

    def _with_condition(self, parent: Any, dependents: Any) -> Any:
        """Return the splits with the condition of a filter of them; None if the reader cannot take it."""
        [table] = self.operand("args")
        if self.operand("kwargs") or table.rejects or parent.frame._name != self._name:
            return None
        columns: set[str] = set()
        with suppress(ValueError):
            where = _condition(parent.predicate, self, columns)
            if columns and is_filter_pushdown_available(self, parent, dependents):
                return self.substitute_parameters({"kwargs": {"where": (tuple(sorted(columns)), where)}})
        return None

    def _filter_passthrough_available(self, parent: Any, dependents: Any) -> bool:
        return self._with_condition(parent, dependents) is not None

    def _simplify_up(self, parent: Any, dependents: Any) -> Any:
        found = self._with_condition(parent, dependents) if isinstance(parent, Filter) else None
        return super()._simplify_up(parent, dependents) if found is None else found


def _read_split(
    split: Split, table: LogTable, columns: list[str] | None = None, where: tuple[tuple[str, ...], Step] | None = None
) -> Any:
    """Read a partition.

    columns : the columns that later steps use; where : the columns of a condition on its rows, and the condition
    """
    asked = table if columns is None else table.only(columns)
    kept: list[pa.Array] = []  # the numbers of the rows, which are their index
    count = 0

    def rows(batch: pa.RecordBatch) -> pa.Array:
        nonlocal count
        assert where is not None
        [numbers] = where[1].of(_frame(pa.Table.from_batches([batch]))).fillna(False).to_numpy(bool).nonzero()
        kept.append(pa.array(numbers + count, pa.int64()))
        count += len(batch)
        return pa.array(numbers)

    batches = asked.read_split(split, None if where is None else RowFilter(where[0], rows))
    frame = _frame(pa.Table.from_batches(batches, schema=asked.schema))
    return frame if where is None else frame.set_axis(pd.Index(pa.chunked_array(kept, pa.int64()).to_numpy()))


def _frame(table: pa.Table) -> Any:
    """Return a DataFrame whose times have pandas' own type, because Dask cannot divide an index of Arrow's."""
    frame = pandas_frame(table, pd.RangeIndex(len(table)))
    times = [field.name for field in table.schema if pa.types.is_timestamp(field.type)]
    return frame.astype(dict.fromkeys(times, pd.DatetimeTZDtype("us", "UTC")))


def read_logs(
    path: Paths,
    format: AnyFormat = "auto",
    fields: Sequence[str] | None = None,
    rows: Rows = "request",
    *,
    rejects: Rejects = None,
    split_octets: int | None = SPLIT_OCTETS,
) -> Any:
    """Return a lazy Dask DataFrame of logs, read as by ``fasturl.logs.read``. It has one partition per split.

    path : a path, a pattern of paths, a directory or a list of these, local or remote (``s3://b/logs/``), as
        this process and every worker see them
    format, fields, rows : as for ``fasturl.logs.read``; ``auto`` looks at the first file, once, in this process
    rejects : "keep" adds a row of nulls for each rejected line, and two columns: ``rejected``, and ``text`` with the
        text of that line. "skip" leaves these lines out. None does too, but raises LogError
        for a file or split that has rejects and no record
    split_octets : the size of a split in bytes. A partition holds one split in memory. A compressed file is one
        partition, and with None every file is. ``line`` is null if a file has several splits.
    Only the columns that later steps use are computed. The columns of a filter are computed first, and the others only
    for the rows that remain. The index of each partition starts at 0. ``time`` has the dtype
    ``datetime64[us, UTC]``, so it can become the index.
    Raises LogError for a file that this process cannot open; a task that cannot read one fails the run.
    """
    table, splits = split_table(path, format, fields, rows, rejects, split_octets)
    meta = _frame(table.schema.empty_table())
    return new_collection(Logs(_read_split, [splits], None, [table], {}, False, meta, False, None, "read-logs"))


def _apply(series: Any, operation: Operation, binary: bool, *others: Any) -> Any:
    given = [_column(align(other, series), binary) for other in (series, *others)]
    return pandas_series(operation(*given, threads=1), series, series.name)


def _align_partitions(*given: Any) -> list[Any]:
    """Return the Series with equal partitions: rows of one index label are in partitions of one number.

    ValueError if their partitions differ and the labels in each are unknown.
    """
    if len({one.divisions for one in given}) == 1:
        return list(given)
    if not all(one.known_divisions for one in given):
        raise ValueError("the Series have other partitions, with unknown divisions: set an index, or repartition one")
    edges = sorted({edge for one in given for edge in one.divisions})
    return [one.repartition(divisions=edges, force=True) for one in given]


@register_series_accessor("url")
class SeriesUrl(Shortcuts[Any]):
    """``series.url``: URLs of a Dask Series."""

    _expressions = (Series,)

    def __init__(self, series: Any) -> None:
        self._series = series

    def _apply(self, operation: Operation, *given: Any) -> Any:
        binary = _is_binary(self._series._meta)
        meta = _apply(self._series._meta, operation, binary, *(other._meta for other in given))
        series, *others = _align_partitions(self._series, *given)
        return series.map_partitions(_apply, operation, binary, *others, meta=meta)

    def parse(self, fields: Fields = arrow.DEFAULT_FIELDS, *, form: str = "url") -> Any:
        """Return a Dask DataFrame with one column per field. Only the columns that later steps use are computed."""
        spec = parse_spec(fields, form)
        return new_collection(ParsedFrame(self._series, None, spec, "", _is_binary(self._series._meta)))
