"""pandas: ``series.url``, on Series of text or octets of any dtype. Importing this module adds the accessor.

Results have the index of the Series, and Arrow's types (``pandas.ArrowDtype``), where null is ``<NA>``.

>>> import pandas as pd
>>> import fasturl.engines.pandas
>>> urls = pd.Series(["http://h:80/a?b", None], index=[7, 9])
>>> urls.url.parse(["host", "port"]).to_dict("index")
{7: {'host': 'h', 'port': 80}, 9: {'host': None, 'port': None}}
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pandas as pd
import pyarrow as pa

from fasturl import arrow
from fasturl.engines._operations import Column, Operation, Shortcuts, bounded, schema

__all__ = ["SeriesUrl"]


def arrow_column(series: Any) -> pa.ChunkedArray:
    """The Series as text or octets; one that holds nothing but nulls, whatever its dtype, as text."""
    column = pa.array(series, from_pandas=True)
    if column.null_count == len(column) and pa.types.is_floating(column.type):
        column = pa.nulls(len(column), pa.string())
    return bounded(column)


def arrow_series(column: Column, like: Any, name: Any) -> Any:
    return pd.Series(pd.arrays.ArrowExtensionArray(column), index=like.index, name=name, copy=False)


@pd.api.extensions.register_series_accessor("url")
class SeriesUrl(Shortcuts[Any]):
    """``series.url``: URLs of a Series of str or bytes.

    >>> pd.Series([b"http://h/a b\\xff", b"ftp://h"]).url.valid().tolist()
    [False, True]
    """

    def __init__(self, series: Any) -> None:
        self._series = series

    def _apply(self, operation: Operation) -> Any:
        return arrow_series(operation(arrow_column(self._series), copied=True), self._series, self._series.name)

    def parse(self, fields: Sequence[str] = arrow.DEFAULT_FIELDS, *, form: str = "url") -> Any:
        """A DataFrame with a column for each field; as ``fasturl.arrow.parse``."""
        schema(fields, form)
        found = arrow.parse(arrow_column(self._series), fields, form=form, strings="string")
        columns = {name: arrow_series(found[name], self._series, name) for name in found.column_names}
        return pd.DataFrame(columns, index=self._series.index, copy=False)
