"""Logs as a Spark DataFrame. You must install ``fasturl`` where the executors run."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING

import pyarrow as pa
from pyspark.sql import functions, types

from fasturl.arrow import compute as pc
from fasturl.engines.spark import cast_to_signed, spark_type
from fasturl.logs.batches import as_text
from fasturl.logs.columns import COLUMNS
from fasturl.logs.errors import LogError
from fasturl.logs.formats.catalog import make_format
from fasturl.logs.logtable import REJECTED
from fasturl.logs.reader import AnyFormat, log_format_of, parse_lines
from fasturl.logs.shown import Quote

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

    from fasturl.logs.formats.records import LogFormat

__all__ = ["read"]


def read(
    spark: SparkSession,
    path: str | os.PathLike[str] | Sequence[str | os.PathLike[str]],
    format: AnyFormat,
    fields: Sequence[str] | None = None,
    *,
    header: str | None = None,
) -> DataFrame:
    """Return a lazy DataFrame with a row for each line, which ``spark.read.text`` reads.

    Only a line feed ends a line. After the fields come ``rejected`` (BOOLEAN), which is also true for an empty line and
    a header, and ``text`` (STRING), which holds a rejected line.

    Parameters
    ----------
    spark : pyspark.sql.SparkSession
        The session that reads the files.
    path : path or list of paths
        For ``spark.read.text``. Spark finds, decompresses and splits the files, and adds the keys in the paths.
    format : str, Format, LogFormat or mapping
        A name in ``LOG_NAMES``, "URLS" for a URL per line, a server's format such as ``$remote_addr "$request"``, a
        result from ``detect``, ``line_format`` or ``json_format``, or a mapping for ``json_format``. You cannot pass
        "auto", so call ``fasturl.logs.detect`` first.
    fields : sequence of str, optional
        The columns, in order, without ``line``. ``file`` is Spark's file name, which is left out by default.
    header : str, optional
        The line that names the fields, for example ``#Fields: …`` in W3C. You must give it if the format has such a
        line.

    Returns
    -------
    pyspark.sql.DataFrame
        The fields, ``rejected`` and ``text``.

    Raises
    ------
    ValueError
        If an argument has a wrong value. When a line names other fields than the header, the task raises LogError.
    """
    found, log = parse_lines([], format, fields).schema, log_format_of(format)
    if fields is None:
        found = found.remove(found.names.index("line")).remove(found.names.index("file"))
    elif "line" in fields:
        raise ValueError("fields: there is no 'line', because Spark does not number the lines of a file")
    assert log is not None  # parse_lines refuses it
    fmt, first = make_format(log), (header or "").encode("utf-8", "surrogateescape")
    if not fmt.keeps_state == bool(first) == fmt.changes_state(first):
        what = "the line that names the fields" if fmt.keeps_state else "left out, because no line names fields"
        raise ValueError(f"header must be {what} in the format {fmt.name}")
    paths = [path] if isinstance(path, (str, os.PathLike)) else path
    lines = spark.read.text([os.fspath(each) for each in paths], lineSep="\n")
    keys = [key for key in lines.schema[1:] if key.name.lower() not in (*COLUMNS, *REJECTED.names)]
    sent = [functions.col("value").cast("binary"), *(f"`{key.name}`" for key in keys)]
    if "file" in found.names:
        sent.append(functions.input_file_name().alias("file"))
    made = [types.StructField(part.name, spark_type(part.type)) for part in [*found, REJECTED.field("text")]]
    kinds = types.StructType([*made, *keys])
    return lines.select(*sent).mapInArrow(partial(_rows, log, found.names[:-1], first, kinds.names), kinds)


def _rows(
    log: str | LogFormat, fields: list[str], header: bytes, names: list[str], batches: Iterator[pa.RecordBatch]
) -> Iterator[pa.RecordBatch]:
    """Yield the columns of these names for batches of lines, in a task. Each batch is read below the header."""
    first = [header] if header else []
    for batch in batches:
        lines = batch.column(0)
        found = parse_lines(pa.chunked_array([pa.array(first, lines.type), lines]), log, fields).slice(len(first))
        rejects = lines.filter(found["rejected"])
        for line in rejects.to_pylist() if first else ():
            if line.split() != header.split() and make_format(log).changes_state(line):
                words = "a line names other fields than the header: read this file in a query of its own"
                raise LogError(words, quote=Quote(line, 0))
        columns = dict(zip(found.schema.names, map(cast_to_signed, found.columns), strict=True))
        columns["text"] = pc.replace_with_mask(pa.nulls(len(lines), pa.string()), found["rejected"], as_text(rejects))
        columns |= dict(zip(batch.schema.names[1:], batch.columns[1:], strict=True))
        yield pa.RecordBatch.from_arrays([columns[name] for name in names], names)
