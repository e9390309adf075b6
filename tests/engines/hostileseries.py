"""Pass hostile columns to an engine's functions, in its own process: ``hostileseries.py ENGINE``. Print the name of
each column before it is read, so that a crash names its column. Print a line that starts with "wrong" for each wrong
answer. The tasks of Spark are called without a cluster."""

import sys
from collections.abc import Callable
from typing import Any

import pyarrow as pa
from hostilecolumns import HOLDS_ITSELF, bytes_of, right, wrong

import fasturl

FIELDS = ["host", "port", "path", "finding_bits"]
SECRET = "http://me:hidden-pw@h/"
Answer = Callable[[Any], "list[Any]"]


def path(text: Any) -> Any:
    data = bytes_of(text)
    return None if data is None else fasturl.parse(bytes(data)).path


def pandas() -> None:
    import pandas as pd

    from fasturl.engines import pandas as _pandas  # noqa: F401

    texts = ["http://h/a", None, "", "x:b"]
    nothing = [None, pd.NA, float("nan"), pd.NaT]
    check("mixed nulls", lambda: pd.Series(["http://h/a", *nothing], dtype=object), series, ["http://h/a", *[None] * 4])
    check("str and bytes", lambda: pd.Series(["http://h/a", b"x:b"], dtype=object), series, ["http://h/a", "x:b"])
    for dtype in ("category", "string", object, *map(pd.ArrowDtype, (pa.string_view(), pa.large_string()))):
        check(f"{dtype}", lambda dtype=dtype: pd.Series(texts, dtype=dtype), series, texts)
        check(f"nulls of {dtype}", lambda dtype=dtype: pd.Series([None] * 3, dtype=dtype), series, [None] * 3)
        check(f"no {dtype}", lambda dtype=dtype: pd.Series([], dtype=dtype), series, [])
    for item in (5, 1.5, [SECRET], HOLDS_ITSELF, {"a": SECRET}, {SECRET}, object(), SECRET + "\ud800", (SECRET,), 1j):
        refuse(f"{type(item)}", lambda item=item: pd.Series([SECRET, item], dtype=object), series)
        refuse(f"{type(item)} alone", lambda item=item: pd.Series([item], dtype=object), series)
    refuse("numbers", lambda: pd.Series([1, 2]), series)
    refuse("times", lambda: pd.Series(pd.to_datetime(["2020-01-01"])), series)
    refuse("intervals", lambda: pd.Series(pd.interval_range(0, 2)), series)
    refuse("tuples", lambda: pd.Series(pd.Categorical([("a",), ("b",)])), series)


def series(column: Any) -> list[Any]:
    column.url.parse(FIELDS)
    column.url.path_prefixes()
    return pa.array(column.url.path(), from_pandas=True).to_pylist()


def polars() -> None:
    import polars as pl

    from fasturl.engines import polars as _polars  # noqa: F401

    def read(column: Any) -> list[Any]:
        frame = column.alias("u").to_frame().lazy()
        found = column.url.path().to_list()
        for engine in ("in-memory", "streaming"):
            assert frame.select(pl.col("u").url.path()).collect(engine=engine)["u"].to_list() == found
        column.url.parse(FIELDS)
        return found

    texts = ["http://h/a", None, "", "x:b" + "c" * 20]
    for dtype in (pl.String, pl.Binary):
        given = [bytes_of(text) for text in texts] if dtype == pl.Binary else texts
        check(f"{dtype}", lambda dtype=dtype, given=given: pl.Series(given, dtype=dtype), read, texts)
        check(f"{dtype}, cut", lambda dtype=dtype, given=given: pl.Series(given, dtype=dtype)[1:3], read, texts[1:3])
        check(f"no {dtype}", lambda dtype=dtype: pl.Series([], dtype=dtype), read, [])
    check("nulls", lambda: pl.Series([None] * 3), read, [None] * 3)
    check("chunks", lambda: pl.concat([pl.Series([text], dtype=pl.String) for text in texts]), read, texts)
    for dtype in (pl.Categorical, pl.Object, pl.Enum(["http://h/a"])):
        refuse(f"{dtype}", lambda dtype=dtype: pl.Series(["http://h/a"], dtype=dtype), read)
    for item in (1, 1.5, [SECRET], {"a": SECRET}, True):
        refuse(f"{type(item)}", lambda item=item: pl.Series([item]), read)
    refuse("an object", lambda: pl.Series([HOLDS_ITSELF], dtype=pl.Object), read)


def spark() -> None:
    from fasturl.engines._operations import parse_spec
    from fasturl.engines.spark import Reader

    def read(column: Any) -> list[Any]:
        reader = Reader(0, 1, parse_spec(["path"]), ("u", "path"))
        batches = pa.table({"u": column}).to_batches()
        return [value for batch in reader(iter(batches)) for value in batch.column(1).to_pylist()]

    def is_array(make: Callable[[], Any]) -> bool:  # a task gets nothing else
        try:
            return isinstance(make(), (pa.Array, pa.ChunkedArray))
        except ValueError:  # Arrow itself refuses to make it
            return False

    for name, (make, texts) in right().items():
        if is_array(make) and "struct" not in name:
            check(name, make, read, texts or [])
    for name, make in wrong().items():
        if is_array(make):
            refuse(name, make, read)


def check(name: str, make: Callable[[], Any], read: Answer, texts: list[Any]) -> None:
    print(ascii(name), flush=True)
    wanted = [path(text) for text in texts]
    try:
        found = [bytes_of(value) for value in read(make())]
    except Exception as error:
        found = [error]
    if found != wanted:
        print("wrong", ascii(name), ascii(found)[:300], ascii(wanted)[:300], flush=True)


def refuse(name: str, make: Callable[[], Any], read: Answer) -> None:
    print(ascii(name), flush=True)
    try:
        found = read(make())
    except (TypeError, ValueError) as error:
        if "hidden-pw" in repr(error) + repr(getattr(error, "object", "")):
            print("wrong", ascii(name), "shows a text", flush=True)
    except Exception as error:
        print("wrong", ascii(name), ascii(error), flush=True)
    else:
        print("wrong", ascii(name), ascii(found)[:300], flush=True)


ENGINES = {function.__name__: function for function in (pandas, polars, spark)}

if __name__ == "__main__":
    ENGINES[sys.argv[1]]()
