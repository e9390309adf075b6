"""Dask: ``series.url``, and the columns of a parse beside those of a DataFrame, partition by partition, lazily.

Importing this module adds the accessor, to the Series of pandas too. Octets are read from a column whose dtype says so,
``pandas.ArrowDtype(pyarrow.binary())``: of a column of objects Dask must know what comes out before it looks inside.

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
from typing import Any

import pandas as pd
import pyarrow as pa
from dask.dataframe import from_map
from dask.dataframe.dask_expr import new_collection
from dask.dataframe.dask_expr._expr import Blockwise, Projection, determine_column_projection
from dask.dataframe.extensions import register_series_accessor

from fasturl import arrow
from fasturl.engines._operations import Fields, Operation, Plan, Shortcuts, added, column_of, is_binary, plan
from fasturl.engines.pandas import arrow_column, pandas_frame, pandas_series
from fasturl.logs.logtable import LogTable, Paths, Rejects, split_table
from fasturl.logs.reader import AnyFormat, Rows
from fasturl.logs.splits import SPLIT_OCTETS, Split

__all__ = ["SeriesUrl", "parse", "read_logs"]


def _column(series: Any, binary: bool) -> pa.ChunkedArray:
    """The column of a partition, of the kind that the plan took it for."""
    column = arrow_column(series)
    if pa.types.is_null(column.type):
        return column.cast(pa.binary() if binary else pa.string())
    if is_binary(column.type) != binary:
        raise TypeError("octets in a column of objects: give it the dtype pandas.ArrowDtype(pyarrow.binary())")
    return column


def _is_binary(meta: Any) -> bool:
    return isinstance(meta.dtype, pd.ArrowDtype) and is_binary(meta.dtype.pyarrow_dtype)


def _parsed(series: Any, made: Plan, binary: bool) -> Any:
    return pandas_frame(made.read(_column(series, binary), threads=1), series.index)


class Parsed(Blockwise):  # type: ignore[misc]  # Dask's classes have no types
    """The columns of a parse, in Dask's plan: of them those are computed that a later step asks for."""

    _parameters = ["frame", "made", "binary"]  # noqa: RUF012 - as Dask's classes have it
    operation = staticmethod(_parsed)

    def _simplify_up(self, parent: Any, dependents: Any) -> Any:
        if not isinstance(parent, Projection):
            return None
        found = determine_column_projection(self, parent, dependents)
        wanted = {found} if isinstance(found, str) else set(found)
        if not wanted or wanted.issuperset(self.made.names):
            return None
        return type(parent)(Parsed(self.frame, self.made.only(wanted), self.binary), *parent.operands[1:])


def parse(
    frame: Any,
    column: str,
    fields: Fields = arrow.DEFAULT_FIELDS,
    *,
    form: str = "url",
    prefix: str = "",
) -> Any:
    """The Dask DataFrame with a column for each field after its own: as ``fasturl.arrow.parse``, by partitions.

    column : its column of URLs, of str, or of octets by its dtype
    fields : names of fields and of functions; or a dict of the new columns' names and for each a field, or a function
        with its arguments, as in ``{"host": "host", "item": ("query_value", "item")}``
    prefix : what the names of the new columns begin with; ValueError where the DataFrame has such a name
    Only the columns that are used later are read and computed.
    """
    made = plan(fields, form)
    names = [str(name) for name in frame.columns]
    column_of(names, column)
    new = added(names, made.names, prefix)
    found = frame[column].url.parse(fields, form=form)
    return frame.assign(**{as_name: found[name] for as_name, name in zip(new, made.names, strict=True)})


def _read_split(split: Split, table: LogTable, columns: list[str] | None = None) -> Any:
    """A partition; Dask asks for the columns that are used."""
    asked = table if columns is None else table.only(columns)
    found = pa.Table.from_batches(asked.read_split(split), schema=asked.schema)
    return pandas_frame(found, pd.RangeIndex(len(found)))


def read_logs(
    path: Paths,
    format: AnyFormat = "auto",
    fields: Sequence[str] | None = None,
    rows: Rows = "request",
    *,
    rejects: Rejects = "skip",
    split_octets: int | None = SPLIT_OCTETS,
) -> Any:
    """A Dask DataFrame of logs, as ``fasturl.logs.read`` reads them, lazily: a partition a split.

    path : a path, a pattern of paths or a list of these, as this process and every worker see them
    format, fields, rows : as for ``fasturl.logs.read``; ``auto`` looks at the first file, once, in this process
    rejects : "keep" for a row of nulls for each line that is no record, and two more columns, ``rejected`` and
        ``text``, what such a line holds
    split_octets : how large a piece of a file a partition holds, in memory and as a table; a compressed file, and with
        None every file, is one partition. ``line`` is null where a file is in pieces.
    Of the columns those are computed that are used later. Each partition counts its index from 0.
    Raises LogError for a file that this process cannot open; a task that cannot read one fails the run.
    """
    table, splits = split_table(path, format, fields, rows, rejects, split_octets)
    empty = table.schema.empty_table()
    meta = pandas_frame(empty, pd.RangeIndex(0))
    return from_map(_read_split, splits, args=(table,), meta=meta, label="read-logs")


def _applied(series: Any, operation: Operation, binary: bool, *others: Any) -> Any:
    given = [_column(other, binary) for other in (series, *others)]
    return pandas_series(operation(*given, threads=1), series, series.name)


@register_series_accessor("url")
class SeriesUrl(Shortcuts[Any]):
    """``series.url``: URLs of a Dask Series."""

    def __init__(self, series: Any) -> None:
        self._series = series

    def _apply(self, operation: Operation, *others: Any) -> Any:
        binary = _is_binary(self._series._meta)
        meta = _applied(self._series._meta, operation, binary, *(other._meta for other in others))
        return self._series.map_partitions(_applied, operation, binary, *others, meta=meta)

    def parse(self, fields: Fields = arrow.DEFAULT_FIELDS, *, form: str = "url") -> Any:
        """A Dask DataFrame with a column for each field, of which those are computed that are used later."""
        return new_collection(Parsed(self._series, plan(fields, form), _is_binary(self._series._meta)))
