"""Spark: ``parse``, which adds columns to a DataFrame, and SQL functions. Arrow batches carry the rows.

Spark has no unsigned numbers, so ``port`` and ``finding_bits`` are INT, and ``dedup_hash`` is a BIGINT with the same
bits. You must install ``fasturl`` where the executors run.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import wraps
from typing import TYPE_CHECKING, Any

import pyarrow as pa
from pyspark.errors import PySparkException
from pyspark.sql import functions, types

from fasturl import arrow
from fasturl._quoted import quoted
from fasturl.engines._operations import Column, Fields, ParseSpec, column_of, new_names, parse_spec
from fasturl.engines._sql import SqlFunction, all_functions, sql_name

if TYPE_CHECKING:
    from pyspark.sql import Column as SparkColumn
    from pyspark.sql import DataFrame, SparkSession

__all__ = ["function", "parse", "register", "schema"]

_TYPES = {
    pa.string(): types.StringType(),
    pa.binary(): types.BinaryType(),
    pa.bool_(): types.BooleanType(),
    pa.int16(): types.ShortType(),
    pa.int32(): types.IntegerType(),
    pa.int64(): types.LongType(),
    pa.float64(): types.DoubleType(),
    pa.timestamp("us", "UTC"): types.TimestampType(),
}
_SIGNED = {pa.uint16(): pa.int32(), pa.uint32(): pa.int32(), pa.uint64(): pa.int64()}


def _signed_type(kind: pa.DataType) -> pa.DataType:
    """Return Spark's signed type for an Arrow type. A port (16 bits) and findings (25 bits) fit in 31 bits."""
    if pa.types.is_struct(kind):
        return pa.struct([(part.name, _signed_type(part.type)) for part in kind])
    return pa.list_(_signed_type(kind.value_type)) if pa.types.is_list(kind) else _SIGNED.get(kind, kind)


def cast_to_signed(column: Column) -> Column:
    """Return the column in Spark's type, with the same bits."""
    target = _signed_type(column.type)
    return column if column.type == target else column.cast(target, safe=False)


def spark_type(kind: pa.DataType) -> types.DataType:
    """Return Spark's type for an Arrow type."""
    if pa.types.is_struct(kind):
        return types.StructType([types.StructField(part.name, spark_type(part.type)) for part in kind])
    if pa.types.is_map(kind):
        return types.MapType(spark_type(kind.key_type), spark_type(kind.item_type))
    if pa.types.is_list(kind):
        return types.ArrayType(spark_type(kind.value_type))
    return _TYPES[_signed_type(kind)]


def schema(fields: Fields = arrow.DEFAULT_FIELDS, *, binary: bool = False, prefix: str = "") -> types.StructType:
    """Return the columns that ``parse`` adds, without a session.

    Parameters
    ----------
    fields : sequence of str, or dict, optional
        Names for fields and functions. A dict maps new column names to a field, a function, or a function with
        arguments, for example ``{"host": "host", "item": ("query_value", "item")}``.
    binary : bool, default False
        True for a BINARY column, which gives text parts as BINARY.
    prefix : str, default ""
        The text before each column name.

    Returns
    -------
    pyspark.sql.types.StructType
        A field for each new column.

    Raises
    ------
    ValueError
        If a field is unknown.

    Examples
    --------
    >>> schema(["host", "port"]).simpleString()
    'struct<host:string,port:int>'
    """
    found = parse_spec(fields).schema(binary=binary)
    return types.StructType([types.StructField(prefix + part.name, spark_type(part.type)) for part in found])


@dataclass(frozen=True, slots=True)
class Reader:
    """Task body for mapInArrow: pass the first `kept` columns through, then append the columns of the spec."""

    column: int
    kept: int
    spec: ParseSpec
    names: tuple[str, ...]

    def __call__(self, batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            found = self.spec.read(batch.column(self.column), threads=1)
            new = [cast_to_signed(values) for values in found.columns]
            yield pa.RecordBatch.from_arrays([*batch.columns[: self.kept], *new], names=self.names)


def parse(
    df: DataFrame,
    column: str | SparkColumn,
    fields: Fields = arrow.DEFAULT_FIELDS,
    *,
    form: str = "url",
    prefix: str = "",
    keep: Sequence[str] | None = None,
) -> DataFrame:
    """Add a column for each field to a DataFrame, lazily.

    Parameters
    ----------
    df : pyspark.sql.DataFrame
        A DataFrame with a column that holds URLs.
    column : str or pyspark.sql.Column
        The STRING or BINARY column. You can name a STRUCT's field, for example ``"request.url"``, or pass an
        expression. A BINARY column gives text parts as BINARY.
    fields : sequence of str, or dict, optional
        Names for fields and functions. A dict maps new column names to a field, a function, or a function with
        arguments, for example ``{"host": "host", "item": ("query_value", "item")}``.
    form : {"url", "request-target"}, default "url"
        Pass "request-target" when the texts are targets from an access log.
    prefix : str, default ""
        The text before each new column name.
    keep : sequence of str, optional
        The other columns that later steps use, for example ``[]``. Only these columns and the URL are sent to Python,
        by mapInArrow. This is faster when you keep few columns. Filter first, because Spark does not move a later
        filter before the parse.

    Returns
    -------
    pyspark.sql.DataFrame
        The DataFrame with the new columns.

    Raises
    ------
    TypeError
        If the column is neither STRING nor BINARY.
    ValueError
        If a field is unknown, or if the DataFrame already has a new column's name.

    Notes
    -----
    Without ``keep``, PySpark 4.1 and newer send only the URL to Python, by an Arrow UDF. Spark moves filters on other
    columns before the parse. When you filter by a new column, the rows that pass are parsed twice. Before PySpark 4.1,
    or when the DataFrame has only the URL, mapInArrow sends all columns to Python.
    """
    spec = parse_spec(fields, form)
    case = str(df.sparkSession.conf.get("spark.sql.caseSensitive")).lower() == "true"
    url, binary = _url_of(df, column, case)
    if keep is None and hasattr(functions, "arrow_udf") and len(df.columns) > 1:
        names = new_names(df.columns, spec.names, prefix)
        return _beside(df, url, SqlFunction("parse", binary, "string", form, (fields,)), names)
    kept = df.columns if keep is None else [column_of(df.columns, name, case=case) for name in keep]
    return _map_in_arrow(df, url, kept, spec, schema(fields, binary=binary, prefix=prefix))


def _url_of(df: DataFrame, column: str | SparkColumn, case: bool) -> tuple[str | SparkColumn, bool]:
    """Return the URL column, or a struct's field, as Spark names it, and whether it is BINARY."""
    url: str | SparkColumn
    try:
        if not isinstance(column, str):
            url, [field] = column, df.select(column).schema
            return url, _is_binary(field.name, field.dataType)
        name = column_of(df.columns, column, case=case)
        url, kind = _quote(name), df.schema[name].dataType
    except ValueError as error:
        if "." not in column:
            raise
        url = column
        try:
            kind = df.select(column).schema[0].dataType
        except PySparkException:
            raise error from None
    return url, _is_binary(column, kind)


def _is_binary(column: str, kind: types.DataType) -> bool:
    if not isinstance(kind, (types.StringType, types.BinaryType, types.NullType)):
        raise TypeError(f"column {quoted(column)} is {kind.simpleString().upper()}, not STRING or BINARY")
    return isinstance(kind, types.BinaryType)


def _map_in_arrow(
    df: DataFrame, url: str | SparkColumn, kept: Sequence[str], spec: ParseSpec, new: types.StructType
) -> DataFrame:
    """Parse with mapInArrow, which gets the kept columns and the URL."""
    new_names(kept, new.names, "")
    sent: list[str | SparkColumn] = [*map(_quote, kept)]
    place = sent.index(url) if isinstance(url, str) and url in sent else len(sent)
    if place == len(sent):
        sent.append(url)
    # PySpark 3.5 does not find columns here whose names have a dot or a backtick.
    chosen = df if len(sent) == len(kept) and [*kept] == df.columns else df.select(*sent)
    plain = chosen.toDF(*(f"c{number}" for number in range(len(sent))))
    reader = Reader(place, len(kept), spec, (*kept, *new.names))
    fields = [df.schema[name] for name in kept]
    return plain.mapInArrow(reader, types.StructType([*fields, *new.fields]))


def _beside(df: DataFrame, url: str | SparkColumn, function: SqlFunction, names: list[str]) -> DataFrame:
    """Parse with a UDF that returns a struct. The other columns stay in the JVM."""
    struct = "fasturl_parsed"
    own = [functions.col(_quote(name)) for name in df.columns]
    parsed = df.select("*", _udf(function)(_column(url)).alias(struct))
    parts = [functions.col(f"{struct}.{_quote(part.name)}") for part in function.kind]
    return parsed.select(*own, *(part.alias(name) for part, name in zip(parts, names, strict=True)))


def _column(given: Any) -> SparkColumn:
    return functions.col(given) if isinstance(given, str) else given


def _checked(given: Any) -> SparkColumn:
    """Return a STRING column, so that Spark raises AnalysisException for another type.

    An Arrow UDF has no argument types, so a wrong type would fail in a worker. get_json_object takes only a STRING.
    Spark drops a branch that is never taken as soon as it has checked the types.
    """
    column = _column(given)
    return functions.when(functions.lit(False), functions.get_json_object(column, "$")).otherwise(column)


def _quote(name: str) -> str:
    return "`" + name.replace("`", "``") + "`"


def _udf(function: SqlFunction) -> Any:
    try:
        from pyspark.sql.functions import arrow_udf
    except ImportError:
        raise RuntimeError("this needs PySpark 4.1 or newer, which has Arrow UDFs; parse does not") from None

    def call(*columns: pa.Array) -> pa.Array:
        return cast_to_signed(function(*columns))

    return arrow_udf(call, spark_type(function.kind))


def function(name: str, *arguments: Any, binary: bool = False, form: str = "url", **options: Any) -> Any:
    """Return a function for columns, which you can use in select, withColumn and ``spark.udf.register``.

    ``df.select(function("query_value", "item")("url"))`` is an example.

    Parameters
    ----------
    name : str
        A field, a function in ``fasturl.arrow``, or "parse".
    *arguments : Any
        The function's arguments, for example the fields for "parse". When you omit required arguments here, you must
        pass them as columns in each call, as in SQL.
    binary : bool, default False
        True for a BINARY column, which gives text parts as BINARY.
    form : {"url", "request-target"}, default "url"
        Pass "request-target" when the texts are targets from an access log.
    **options : Any
        The function's settings, for example ``exact=True``.

    Returns
    -------
    callable
        A function from columns to a pyspark.sql.Column.

    Raises
    ------
    TypeError or ValueError
        If the function refuses an argument. Some errors come only when Spark builds the plan.
    RuntimeError
        If PySpark is older than 4.1, because you need Arrow UDFs.
    """
    settled = arguments if arguments or options or name == "parse" else None
    sql_function = SqlFunction(name, binary, "string", form, settled, tuple(sorted(options.items())))
    udf = _udf(sql_function)  # raises for invalid arguments

    @wraps(udf, assigned=())  # Spark's attributes, by which it can be registered
    def call(*columns: Any) -> Any:
        sql_function.check_count(len(columns))
        return udf(*(columns if binary else map(_checked, columns))).alias(name)

    return call


def register(spark: SparkSession, *, prefix: str = "url_", binary: bool = False, form: str = "url") -> None:
    """Add the functions to a session's SQL, as Arrow UDFs.

    ``url_parse(u)`` returns the default fields as a STRUCT. ``url_host(u)`` returns a single field. You can also call
    each function in ``fasturl.arrow``, for example ``url_query_value(u, name [, default])``. ``url_query_values(u,
    name, ...)`` returns a MAP. A NULL URL gives NULL. From Python, call ``functions.call_function("url_host", "u")``,
    or use ``function`` when you need settings.

    Parameters
    ----------
    spark : pyspark.sql.SparkSession
        The session that gets the functions.
    prefix : str, default "url_"
        The text before each name. Choose another prefix when you need a second set of functions, because existing
        functions with these names are replaced.
    binary : bool, default False
        True for BINARY columns, which give text parts as BINARY. Functions for STRING refuse BINARY.
    form : {"url", "request-target"}, default "url"
        Pass "request-target" when the texts are targets from an access log.

    Raises
    ------
    RuntimeError
        If PySpark is older than 4.1, because you need Arrow UDFs.
    """
    for name, sql_function in all_functions(binary, "string", form):
        spark.udf.register(sql_name(prefix, name), _udf(sql_function))
