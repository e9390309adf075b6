"""Polars: the namespace ``pl.col("u").url``, on expressions and Series.

When you import this module, Polars gets the namespace. Polars stores text as string views, so a text result points into
the input column. Lists are copied. You can use all methods in lazy and streaming queries, because they work row by row.

>>> import polars as pl
>>> import fasturl.engines.polars
>>> frame = pl.LazyFrame({"u": ["http://h:80/a?b", None]})
>>> frame.select(pl.col("u").url.parse(["host", "port"]).struct.unnest()).collect().rows()
[('h', 80), (None, None)]
>>> pl.Series(["http://H/a?q=1"]).url.path_template().to_list()
['/a']
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from functools import partial
from typing import Any

import polars as pl
import pyarrow as pa

from fasturl import arrow
from fasturl._docstrings import documented
from fasturl.engines._operations import Fields, Operation, ParseSpec, Result, Shortcuts, parse_spec

__all__ = ["ExprUrl", "SeriesUrl"]


def _dtype(kinds: Sequence[pa.DataType], same: Any, *, lazy: bool) -> Any:
    """Return Polars' type for the Arrow types for text and for bytes. If they differ, use the column's type."""
    data = kinds[1]
    if pa.types.is_struct(data):
        fields = zip(*kinds, strict=True)
        parts = {one[0].name: _dtype([field.type for field in one], same, lazy=lazy) for one in fields}
        return pl.struct_with_fields(parts) if lazy else pl.Struct(parts)
    if pa.types.is_list(data):
        inner = _dtype([kind.value_type for kind in kinds], same, lazy=lazy)
        return inner.wrap_in_list() if isinstance(inner, pl.DataTypeExpr) else pl.List(inner)
    if data == pa.binary():
        return same
    return pl.Series(pa.array([], data)).dtype


def _apply(*columns: pl.Series, work: Operation | ParseSpec) -> pl.Series:
    series = columns[0]
    if series.dtype == pl.Null:
        return pl.Series(series.name, [None] * len(series), _dtype(_kinds(work), pl.Null(), lazy=False))
    for column in columns:
        if column.dtype not in (pl.String, pl.Binary, pl.Null):
            raise TypeError(f"expected a column of String or Binary, not of {column.dtype}: cast it to String")
    given = [pa.chunked_array(column) for column in columns]
    if isinstance(work, ParseSpec):
        return pl.Series(series.name, work.structs(given[0], strings="view", threads=1))
    return pl.Series(series.name, work(*given, strings="view", threads=1))


def _kinds(work: Operation | ParseSpec) -> Sequence[pa.DataType]:
    if isinstance(work, Operation):
        return work.kinds
    return [pa.struct(list(work.schema(binary=binary))) for binary in (False, True)]


def _as_long(columns: Sequence[pl.Series]) -> list[pl.Series]:
    """Return columns with equal lengths. A literal has a single row, which is repeated."""
    rows = max(map(len, columns)) if all(map(len, columns)) else 0
    return [column if len(column) == rows else column.new_from_index(0, rows) for column in columns]


class _Url(Shortcuts[Result]):
    @abstractmethod
    def _apply(self, operation: Operation | ParseSpec, *others: Any) -> Result: ...

    @documented(parse_spec, arrow.parse)
    def parse(self, fields: Fields = arrow.DEFAULT_FIELDS, *, form: str = "url") -> Result:
        """Return each URL's parts as a Struct, or null if the URL is null.

        Returns
        -------
        polars.Series or polars.Expr
            A Struct with a field for each name, for example for ``.struct.unnest()``.

        Raises
        ------
        TypeError or ValueError
            If a field is unknown. A column that is neither String nor Binary fails when it is read.
        """
        return self._apply(parse_spec(fields, form))


class SeriesUrl(_Url[pl.Series]):
    """The namespace ``series.url``, with a method for each field and function.

    Parameters
    ----------
    series : polars.Series
        URLs as String or Binary.

    Examples
    --------
    >>> pl.Series(["http://u:p@h/", None]).url.password().to_list()
    ['p', None]
    """

    def __init__(self, series: pl.Series) -> None:
        self._series = series

    def _apply(self, operation: Operation | ParseSpec, *others: Any) -> pl.Series:
        return _apply(self._series, *others, work=operation)


class ExprUrl(_Url[pl.Expr]):
    """The namespace ``expr.url``, with a method for each field and function. Text results have the column's type.

    Parameters
    ----------
    expr : polars.Expr
        URLs as String or Binary.

    Examples
    --------
    >>> pl.select(pl.lit("http://h/%41").url.path()).item()
    '/%41'
    """

    _expressions = (pl.Expr,)

    def __init__(self, expr: pl.Expr) -> None:
        self._expr = expr

    def _apply(self, operation: Operation | ParseSpec, *others: Any) -> pl.Expr:
        dtype = _dtype(_kinds(operation), pl.self_dtype(), lazy=True)
        if not others:
            apply = partial(_apply, work=operation)
            return self._expr.map_batches(apply, return_dtype=dtype, is_elementwise=True)
        return pl.map_batches(
            [self._expr, *others],
            lambda columns: _apply(*_as_long(columns), work=operation),
            return_dtype=dtype,
            is_elementwise=True,
        )


pl.api.register_series_namespace("url")(SeriesUrl)
pl.api.register_expr_namespace("url")(ExprUrl)
