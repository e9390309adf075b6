"""pandas: accessors ``series.url`` and ``index.url``, for str or bytes of any dtype. Importing this module adds them.

Results have the index of the Series. Text has pandas' own string type, so that all of ``.str`` works. Other results
have Arrow's types (``pandas.ArrowDtype``). Null is ``<NA>``.

>>> import pandas as pd
>>> import fasturl.engines.pandas
>>> urls = pd.Series(["http://h:80/a?b", None], index=[7, 9])
>>> urls.url.parse(["host", "port"]).loc[7].tolist()
['h', 80]
>>> urls.url.path().str.split("/").str[1].tolist()
['a', <NA>]
"""

from __future__ import annotations

from typing import Any

import pandas as pd
import pyarrow as pa

from fasturl import arrow
from fasturl.arrow.columns_in import from_values
from fasturl.engines._operations import Column, Fields, Operation, ThreadedShortcuts, bound_chunks, parse_spec

__all__ = ["IndexUrl", "SeriesUrl"]


def arrow_column(series: Any) -> pa.ChunkedArray:
    """Return a Series as an Arrow column of text or bytes. A Series of nulls becomes text."""
    column = from_values(series)
    kind = column.type.value_type if pa.types.is_dictionary(column.type) else column.type
    if column.null_count == len(column) and pa.types.is_floating(kind):
        column = pa.nulls(len(column), pa.string())
    return bound_chunks(column)


def pandas_array(column: Column) -> Any:
    """Return a column as a pandas array. Text gets the string type that supports ``.str``."""
    if column.type == pa.string():
        return pd.arrays.ArrowStringArray(column)
    return pd.arrays.ArrowExtensionArray(column)


def align(other: Any, like: Any) -> Any:
    """Return the second column of a function: a Series with the index of the first one, anything else as it is.

    ValueError if the indexes differ and one has a label twice.
    """
    if not isinstance(other, pd.Series) or other.index.equals(like.index):
        return other
    if not other.index.is_unique or not like.index.is_unique:
        raise ValueError("the indexes of the Series differ, and have a label twice: align the Series first")
    return other.reindex(like.index)


def pandas_series(column: Column, like: Any, name: Any) -> Any:
    return pd.Series(pandas_array(column), index=like.index, name=name, copy=False)


def pandas_frame(table: pa.Table, index: Any) -> Any:
    columns = {name: pd.Series(pandas_array(table[name]), index=index, copy=False) for name in table.column_names}
    return pd.DataFrame(columns, index=index, copy=False)


class _Url(ThreadedShortcuts[Any]):
    def __init__(self, values: Any) -> None:
        self._values = values

    def parse(self, fields: Fields = arrow.DEFAULT_FIELDS, *, form: str = "url", threads: int | None = None) -> Any:
        """Return a DataFrame with the same index and one column per field, as ``fasturl.arrow.parse`` does."""
        found = parse_spec(fields, form).read(arrow_column(self._values), threads=threads)
        return pandas_frame(found, getattr(self._values, "index", self._values))


@pd.api.extensions.register_series_accessor("url")
class SeriesUrl(_Url):
    """``series.url``: URLs of a Series of str or bytes. A second Series is aligned by its index.

    >>> pd.Series([b"http://h/a b\\xff", b"ftp://h"]).url.valid_rfc1738().tolist()
    [False, True]
    """

    def _apply(self, operation: Operation, *others: Any, threads: int | None = None) -> Any:
        others = tuple(align(other, self._values) for other in others)
        found = operation(arrow_column(self._values), *map(arrow_column, others), threads=threads)
        return pandas_series(found, self._values, self._values.name)


@pd.api.extensions.register_index_accessor("url")
class IndexUrl(_Url):
    """``index.url``: URLs of an Index of str or bytes. A function gives an Index.

    >>> pd.Index(["http://h/a", "ftp://g"]).url.host().tolist()
    ['h', 'g']
    """

    def _apply(self, operation: Operation, *others: Any, threads: int | None = None) -> Any:
        found = operation(arrow_column(self._values), *map(arrow_column, others), threads=threads)
        return pd.Index(pandas_array(found), name=self._values.name)
