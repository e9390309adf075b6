"""pandas: the accessors ``series.url`` and ``index.url``, for str or bytes in any dtype.

When you import this module, pandas gets the accessors. Results keep the Series' index. Text has pandas' string type, so
you can use ``.str``. Other results have Arrow types (``pandas.ArrowDtype``). Null is ``<NA>``.

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
from fasturl._docstrings import documented
from fasturl.arrow.columns_in import from_values
from fasturl.engines._operations import Column, Fields, Operation, ThreadedShortcuts, bound_chunks, parse_spec

__all__ = ["IndexUrl", "SeriesUrl"]


def arrow_column(series: Any) -> pa.ChunkedArray:
    """Return a Series as an Arrow column of text or bytes. If all values are null, it becomes text."""
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
    """Return a function's second column. A Series gets the first Series' index.

    Raise ValueError if the indexes differ and have a label twice.
    """
    if not isinstance(other, pd.Series) or other.index.equals(like.index):
        return other
    if not other.index.is_unique or not like.index.is_unique:
        raise ValueError("the indexes of the Series differ, and have a label twice: align the Series first")
    return other.reindex(like.index)


class _Url(ThreadedShortcuts[Any]):
    def __init__(self, values: Any) -> None:
        self._values = values

    @documented(parse_spec, arrow.parse)
    def parse(self, fields: Fields = arrow.DEFAULT_FIELDS, *, form: str = "url", threads: int | None = None) -> Any:
        """Return each URL's parts as a DataFrame with the same index and a column for each field.

        Returns
        -------
        pandas.DataFrame
            Absent parts are ``<NA>``.

        Raises
        ------
        TypeError or ValueError
            If the values are neither text nor bytes, or if a field is unknown.
        """
        found = parse_spec(fields, form).read(arrow_column(self._values), threads=threads)
        index = getattr(self._values, "index", self._values)
        columns = {name: pd.Series(pandas_array(found[name]), index=index, copy=False) for name in found.column_names}
        return pd.DataFrame(columns, index=index, copy=False)


@pd.api.extensions.register_series_accessor("url")
class SeriesUrl(_Url):
    """The accessor ``series.url``, with a method for each field and function.

    When you pass a second Series to a method, for example to ``urljoin``, it is aligned by the index.

    Parameters
    ----------
    values : pandas.Series
        URLs as str or bytes.

    Examples
    --------
    >>> pd.Series([b"http://h/a b\\xff", b"ftp://h"]).url.valid_rfc1738().tolist()
    [False, True]
    """

    def _apply(self, operation: Operation, *others: Any, threads: int | None = None) -> Any:
        others = tuple(align(other, self._values) for other in others)
        found = operation(arrow_column(self._values), *map(arrow_column, others), threads=threads)
        return pd.Series(pandas_array(found), index=self._values.index, name=self._values.name, copy=False)


@pd.api.extensions.register_index_accessor("url")
class IndexUrl(_Url):
    """The accessor ``index.url``, with a method for each field and function. A method returns an Index.

    Parameters
    ----------
    values : pandas.Index
        URLs as str or bytes.

    Examples
    --------
    >>> pd.Index(["http://h/a", "ftp://g"]).url.host().tolist()
    ['h', 'g']
    """

    def _apply(self, operation: Operation, *others: Any, threads: int | None = None) -> Any:
        found = operation(arrow_column(self._values), *map(arrow_column, others), threads=threads)
        return pd.Index(pandas_array(found), name=self._values.name)
