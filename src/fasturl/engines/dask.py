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
from dask.dataframe.extensions import register_series_accessor

from fasturl import arrow
from fasturl.engines._operations import Operation, Shortcuts, added, is_binary, schema
from fasturl.engines.pandas import arrow_column, arrow_series

__all__ = ["SeriesUrl", "parse"]


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


def _parsed(frame: Any, column: str, names: tuple[str, ...], form: str, prefix: str, binary: bool) -> Any:
    texts = _column(frame[column], binary)
    found = arrow.parse(texts, names, form=form, threads=1, strings="string")
    new = {prefix + name: arrow_series(found[name], frame, prefix + name) for name in names}
    return pd.concat([frame, pd.DataFrame(new, index=frame.index)], axis=1)


def parse(
    frame: Any,
    column: str,
    fields: Sequence[str] = arrow.DEFAULT_FIELDS,
    *,
    form: str = "url",
    prefix: str = "",
) -> Any:
    """The Dask DataFrame with a column for each field after its own: as ``fasturl.arrow.parse``, by map_partitions.

    column : its column of URLs, of str, or of octets by its dtype
    prefix : what the names of the new columns begin with; ValueError where the DataFrame has such a name
    """
    names = tuple(schema(fields, form).names)
    added([str(name) for name in frame.columns], column, names, prefix)
    arguments = (column, names, form, prefix, _is_binary(frame._meta[column]))
    return frame.map_partitions(_parsed, *arguments, meta=_parsed(frame._meta, *arguments))


def _applied(series: Any, operation: Operation, binary: bool) -> Any:
    return arrow_series(operation(_column(series, binary), copied=True, threads=1), series, series.name)


@register_series_accessor("url")
class SeriesUrl(Shortcuts[Any]):
    """``series.url``: URLs of a Dask Series."""

    def __init__(self, series: Any) -> None:
        self._series = series

    def _apply(self, operation: Operation) -> Any:
        arguments = (operation, _is_binary(self._series._meta))
        return self._series.map_partitions(_applied, *arguments, meta=_applied(self._series._meta, *arguments))
