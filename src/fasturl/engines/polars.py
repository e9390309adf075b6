"""Polars: ``pl.col("u").url``, on expressions and Series. Importing this module adds the namespace.

Nothing is copied on the way: Polars keeps text as Arrow's string views, which the results are too, over the octets of
the column itself. All work row by row, so lazily and in streaming.

>>> import polars as pl
>>> import fasturl.engines.polars
>>> frame = pl.LazyFrame({"u": ["http://h:80/a?b", None]})
>>> frame.select(pl.col("u").url.parse(["host", "port"]).struct.unnest()).collect().rows()
[('h', 80), (None, None)]
>>> pl.Series(["http://H/a?q=1"]).url.hostname().to_list()
['h']
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import polars as pl
import pyarrow as pa

from fasturl import arrow
from fasturl.engines._operations import Operation, Shortcuts, struct

__all__ = ["ExprUrl", "SeriesUrl"]

_DTYPES = {pa.uint16(): pl.UInt16(), pa.uint32(): pl.UInt32(), pa.bool_(): pl.Boolean(), pa.int32(): pl.Int32()}
_ROWS_FOR_THREADS = 1 << 18  # a morsel of Polars' streaming is smaller, and has its own thread already


def _dtype(kind: pa.DataType | None, text: Any, struct_of: Callable[[dict[str, Any]], Any]) -> Any:
    if kind is None or kind == pa.string():
        return text
    if pa.types.is_struct(kind):
        return struct_of({part.name: _dtype(part.type, text, struct_of) for part in kind})
    return _DTYPES[kind]


def _applied(series: pl.Series, operation: Operation) -> pl.Series:
    if series.dtype == pl.Null:
        return pl.Series(series.name, [None] * len(series), _dtype(operation.kind, pl.Null(), pl.Struct))
    if series.dtype not in (pl.String, pl.Binary):
        raise TypeError(f"expected a column of String or Binary, not of {series.dtype}: cast it to String")
    threads = 1 if len(series) < _ROWS_FOR_THREADS else None
    return pl.Series(series.name, operation(pa.chunked_array(series), threads=threads))


class SeriesUrl(Shortcuts[pl.Series]):
    """``series.url``: URLs of a Series of String or Binary.

    >>> pl.Series(["http://u:p@h/", None]).url.password().to_list()
    ['p', None]
    """

    def __init__(self, series: pl.Series) -> None:
        self._series = series

    def _apply(self, operation: Operation) -> pl.Series:
        return _applied(self._series, operation)

    def parse(self, fields: Sequence[str] = arrow.DEFAULT_FIELDS, *, form: str = "url") -> pl.Series:
        """A Struct of the fields for each row, null where the URL is; as ``fasturl.arrow.parse``."""
        return self._apply(struct(tuple(fields), form, copied=False))


class ExprUrl(Shortcuts[pl.Expr]):
    """``expr.url``: URLs of a column of String or Binary, of which text comes out as it went in.

    >>> pl.select(pl.lit("http://h/%41").url.path()).item()
    '/%41'
    """

    def __init__(self, expr: pl.Expr) -> None:
        self._expr = expr

    def _apply(self, operation: Operation) -> pl.Expr:
        def apply(series: pl.Series) -> pl.Series:
            return _applied(series, operation)

        dtype = _dtype(operation.kind, pl.self_dtype(), pl.struct_with_fields)
        return self._expr.map_batches(apply, return_dtype=dtype, is_elementwise=True)

    def parse(self, fields: Sequence[str] = arrow.DEFAULT_FIELDS, *, form: str = "url") -> pl.Expr:
        """A Struct of the fields for each row, null where the URL is; as ``fasturl.arrow.parse``."""
        return self._apply(struct(tuple(fields), form, copied=False))


pl.api.register_series_namespace("url")(SeriesUrl)
pl.api.register_expr_namespace("url")(ExprUrl)
