"""Spark: the columns of a parse beside those of a DataFrame, and SQL functions; Arrow batches carry the rows.

Spark has no unsigned numbers: ``port`` and ``findings`` are INT. ``fasturl`` must be installed where the executors run.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pyarrow as pa
from pyspark.sql import types

from fasturl import arrow
from fasturl.engines._operations import Column, added
from fasturl.engines._operations import schema as arrow_schema
from fasturl.engines._sql import NAMES, SqlFunction

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

__all__ = ["parse", "register", "schema"]

_TYPES = {
    pa.string(): types.StringType(),
    pa.binary(): types.BinaryType(),
    pa.bool_(): types.BooleanType(),
    pa.int32(): types.IntegerType(),
}


def _signed(kind: pa.DataType) -> pa.DataType:
    """The type that Spark takes for one of arrow's: 16 bits of a port and 21 of findings fit 31."""
    if pa.types.is_struct(kind):
        return pa.struct([(part.name, _signed(part.type)) for part in kind])
    return pa.int32() if kind in (pa.uint16(), pa.uint32()) else kind


def _type(kind: pa.DataType) -> types.DataType:
    if pa.types.is_struct(kind):
        return types.StructType([types.StructField(part.name, _type(part.type)) for part in kind])
    return _TYPES[_signed(kind)]


def schema(fields: Sequence[str] = arrow.DEFAULT_FIELDS, *, binary: bool = False, prefix: str = "") -> types.StructType:
    """The columns that :func:`parse` adds; ValueError for an unknown field. It needs no session.

    >>> schema(["host", "port"]).simpleString()
    'struct<host:string,port:int>'
    """
    found = arrow_schema(fields, "url", binary=binary)
    return types.StructType([types.StructField(prefix + part.name, _type(part.type)) for part in found])


@dataclass(frozen=True, slots=True)
class Reader:
    """What a task does with its batches, for mapInArrow: each column as it came, and then those of the fields."""

    column: int
    fields: tuple[str, ...]
    form: str
    prefix: str

    def __call__(self, batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            texts = batch.column(self.column)
            found = arrow.parse(texts, self.fields, form=self.form, threads=1, strings="string")
            new = [values.cast(_signed(values.type)) for values in found.columns]
            names = [*batch.schema.names, *(self.prefix + name for name in found.schema.names)]
            yield pa.RecordBatch.from_arrays([*batch.columns, *new], names=names)


def parse(
    df: DataFrame,
    column: str,
    fields: Sequence[str] = arrow.DEFAULT_FIELDS,
    *,
    form: str = "url",
    prefix: str = "",
) -> DataFrame:
    """The DataFrame with a column for each field after its own: as ``fasturl.arrow.parse``, by mapInArrow, lazily.

    column : its column of URLs, STRING or BINARY (whose text parts are BINARY then)
    prefix : what the names of the new columns begin with; ValueError where the DataFrame has such a name
    Every column of df goes through the Python workers: drop those that are not needed first, or call the SQL function
    of :func:`register`, which takes the URLs alone.
    """
    names = arrow_schema(fields, form).names
    added(df.columns, column, names, prefix)
    binary = isinstance(df.schema[column].dataType, types.BinaryType)
    new = schema(names, binary=binary, prefix=prefix)
    reader = Reader(df.columns.index(column), tuple(names), form, prefix)
    return df.mapInArrow(reader, types.StructType([*df.schema.fields, *new.fields]))


def _task(function: SqlFunction) -> Callable[..., pa.Array]:
    target = _signed(function.kind)

    def call(*columns: pa.Array) -> pa.Array:
        found: Column = function(*columns)
        return found if found.type == target else found.cast(target)

    return call


def register(spark: SparkSession, *, prefix: str = "url_", binary: bool = False) -> None:
    """Add the functions to a session's SQL, as Arrow UDFs: PySpark 4.1 or newer, RuntimeError before.

    ``url_parse(u)`` gives a STRUCT of all fields but hostname, ``url_host(u)`` and the like one of them (both take a
    form after the URL, as in ``url_host(u, 'request-target')``), ``url_quote(u)`` or ``url_quote(u, safe)``,
    ``url_unquote(u)``, ``url_query_value(u, name)`` or ``(u, name, default)``, ``url_normalize(u)``, ``url_redact(u)``
    or ``url_redact(u, key, ...)``. Of NULL they are NULL. From Python: ``functions.call_function("url_host", "u")``.

    prefix : what their names begin with, for a second set beside the first; one that is there already is replaced
    binary : for columns of BINARY, with text parts as BINARY; functions for STRING refuse it
    """
    try:
        from pyspark.sql.functions import arrow_udf
    except ImportError:
        raise RuntimeError("register needs PySpark 4.1 or newer, which has Arrow UDFs; parse does not") from None
    for name in NAMES:
        function = SqlFunction(name, binary, copied=True)
        spark.udf.register(prefix + name, arrow_udf(_task(function), _type(function.kind)))
