"""Spark's executors give the answers of ``fasturl.parse``, even if one of their Pythons is killed.
``FASTURL_SPARK_MASTER`` names a cluster. The default is one with two executors on this machine."""

import datetime
import decimal
import functools
import gzip
import os
import shutil
import signal
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import cases
import logcases
import pyarrow as pa
import pytest

import fasturl
from fasturl import logs

pytest.importorskip("pyspark", reason="the extra fasturl[spark] is not installed")
if not (os.environ.get("JAVA_HOME") or shutil.which("java")):
    pytest.skip("Spark needs a Java runtime, and there is none", allow_module_level=True)

pytestmark = [
    pytest.mark.cluster,
    # PySpark warns of its own imports.
    pytest.mark.filterwarnings("ignore:PySpark does not yet fully support pandas:FutureWarning"),
    pytest.mark.filterwarnings("ignore:distutils Version classes are deprecated:DeprecationWarning"),
    # PySpark 3.5 leaves a collect's socket to the garbage collector.
    pytest.mark.filterwarnings("ignore:unclosed <socket:ResourceWarning"),
]
from pyspark.errors import PySparkException  # noqa: E402
from pyspark.sql import functions  # noqa: E402

import fasturl.engines.spark as engine  # noqa: E402
from fasturl.arrow import DEFAULT_FIELDS, FIELDS  # noqa: E402
from fasturl.engines._shapes import shape  # noqa: E402
from fasturl.engines.spark import parse, register  # noqa: E402
from fasturl.logs.columns import COLUMNS  # noqa: E402
from fasturl.logs.spark import _rows as logs_rows  # noqa: E402
from fasturl.logs.spark import read as read_logs  # noqa: E402

# Java's second compiler costs these short runs more CPU time than it saves them.
JAVA = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"
MASTER = os.environ.get("FASTURL_SPARK_MASTER", "local-cluster[2,1,1024]")
HERE = Path(__file__).parent
HAS_ARROW_UDFS = hasattr(functions, "arrow_udf")
in_sql = pytest.mark.skipif(not HAS_ARROW_UDFS, reason="Arrow UDFs came with PySpark 4.1")

# Columns of text and of bytes, by the form that the functions read.
PREFIXES = {"url": ("url_", "bytes_"), "request-target": ("target_", "bytes_target_")}
FIELDS_OF_LINES = logcases.FIELDS[1:]  # without `file`, whose name is Spark's


@pytest.fixture(scope="module")
def spark(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    from pyspark.sql import SparkSession

    with pytest.MonkeyPatch.context() as patch:
        # The executors' Pythons must find this package, this module with the functions sent to them, and its imports.
        found = [Path(fasturl.__file__).resolve().parents[1], HERE, HERE.parent]
        paths = [*map(str, found), os.environ.get("PYTHONPATH", "")]
        patch.setenv("PYTHONPATH", os.pathsep.join(filter(None, paths)))
        patch.setenv("PYSPARK_PYTHON", sys.executable)
        patch.setenv("SPARK_LOCAL_IP", "127.0.0.1")
        home = tmp_path_factory.mktemp("spark")
        patch.setenv("SPARK_WORKER_DIR", str(home / "work"))
        builder = SparkSession.builder.master(MASTER).appName("fasturl")
        for name, value in {
            "spark.ui.enabled": "false", "spark.driver.host": "127.0.0.1", "spark.driver.bindAddress": "127.0.0.1",
            "spark.driver.memory": "512m", "spark.executor.memory": "512m", "spark.log.level": "OFF",
            "spark.ui.showConsoleProgress": "false", "spark.local.dir": str(home / "local"),
            "spark.sql.warehouse.dir": str(home / "warehouse"), "spark.sql.shuffle.partitions": "4",
            "spark.driver.extraJavaOptions": JAVA, "spark.executor.extraJavaOptions": JAVA,
            # Without sockets of TCP, each task of PySpark 4.1 and newer takes 12 ms instead of 56.
            "spark.python.daemon.module": "sparkpythons", "spark.python.unix.domain.socket.enabled": "true",
        }.items():  # fmt: skip
            builder = builder.config(name, value)
        session = builder.getOrCreate()
        session.sparkContext.setLogLevel("OFF")
        if HAS_ARROW_UDFS:
            for form, prefix in PREFIXES.items():
                register(session, prefix=prefix[0], form=form)
                register(session, prefix=prefix[1], binary=True, form=form)
        for name, kind, urls in (("text", "string", cases.TEXT), ("bytes", "binary", cases.BYTES)):
            rows = [
                (i, None if url is None else bytearray(url) if kind == "binary" else url) for i, url in enumerate(urls)
            ]
            session.createDataFrame(rows, f"id int, u {kind}").repartition(3).createOrReplaceTempView(name)
        yield session
        session.stop()


def plain(value: Any) -> Any:
    return bytes(value) if isinstance(value, bytearray) else value


def rows(df: Any) -> list[dict[str, Any]]:
    """Return the rows in order of their id, without the id and the URL."""
    found = [row.asDict() for row in df.orderBy("id").collect()]
    return [{name: plain(value) for name, value in row.items() if name not in ("id", "u")} for row in found]


def struct(row: Any) -> dict[str, Any] | None:
    return row and {name: plain(value) for name, value in row.asDict().items()}


@pytest.mark.parametrize("table", ["text", "bytes"])
@pytest.mark.parametrize("form", cases.FORMS)
def test_all_fields_agree_with_parse(spark: Any, form: str, table: str) -> None:
    wanted = (cases.TEXT_ROWS if table == "text" else cases.BYTE_ROWS)[form]
    found = parse(spark.table(table), "u", FIELDS, form=form)
    assert found.columns == ["id", "u", *FIELDS]
    kinds = dict(found.dtypes)
    assert (
        kinds["host"] == kinds["u"]
        and kinds["port"] == kinds["finding_bits"] == "int"
        and kinds["valid_rfc1738"] == "boolean"
    )
    assert rows(found) == cases.flat(wanted)


@in_sql
@pytest.mark.parametrize("table", ["text", "bytes"])
@pytest.mark.parametrize("form", cases.FORMS)
def test_parse_in_sql_agrees(spark: Any, form: str, table: str) -> None:
    wanted = cases.TEXT_ROWS if table == "text" else cases.BYTE_ROWS
    prefix = PREFIXES[form][table == "bytes"]
    each = ", ".join(f"{prefix}{name}(u) AS {name}" for name in FIELDS)
    assert rows(spark.sql(f"SELECT id, {each} FROM {table}")) == cases.flat(wanted[form])
    parsed = rows(spark.sql(f"SELECT id, {prefix}parse(u) AS row FROM {table}"))
    found = [struct(row["row"]) for row in parsed]
    assert found == [row and {name: row[name] for name in DEFAULT_FIELDS} for row in wanted[form]]


def values(value: Any) -> Any:
    """Convert rows to dicts and bytearrays to bytes, like the table of cases."""
    if hasattr(value, "asDict"):
        value = value.asDict()
    if isinstance(value, dict):
        return {plain(key): values(one) for key, one in value.items()}
    return [values(one) for one in value] if isinstance(value, list) else plain(value)


def as_spark_has_it(call: cases.Call, wanted: list[Any]) -> list[Any]:
    if call.name != "dedup_hash":
        return wanted
    return [None if value is None else value - (value >> 63 << 64) for value in wanted]  # as a signed number


@in_sql
@pytest.mark.parametrize("binary", [False, True])
def test_every_function_in_sql_agrees(spark: Any, binary: bool) -> None:
    table, prefix = ("bytes", "bytes_") if binary else ("text", "url_")
    calls = ", ".join(f"{call.sql(prefix)} AS f{number}" for number, call in enumerate(cases.SQL_CALLS))
    found = rows(spark.sql(f"SELECT id, {calls} FROM {table}"))
    for number, call in enumerate(cases.SQL_CALLS):
        wanted = as_spark_has_it(call, cases.in_sql(call, binary))
        assert [values(row[f"f{number}"]) for row in found] == wanted, call


@pytest.mark.parametrize("binary", [False, True])
@pytest.mark.parametrize("way", ["udf", "mapInArrow"])
def test_every_function_is_a_field(spark: Any, way: str, binary: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    if way == "udf" and not HAS_ARROW_UDFS:
        pytest.skip("Arrow UDFs came with PySpark 4.1")
    if way == "mapInArrow":
        monkeypatch.delattr("pyspark.sql.functions.arrow_udf", raising=False)
    fields = {f"f{number}": call.field for number, call in enumerate(cases.CALLS)}
    found = rows(parse(spark.table("bytes" if binary else "text").repartition(100), "u", fields))
    for number, call in enumerate(cases.CALLS):
        wanted = as_spark_has_it(call, cases.results(call, binary))
        assert [values(row[f"f{number}"]) for row in found] == wanted, call


@in_sql
def test_every_function_agrees_on_slices_of_arrow_tables(spark: Any) -> None:
    """Spark converts them to its own rows. It has no views and no dictionaries, and drops the rows after an empty
    chunk."""
    given = cases.table_of(False, "sliced offsets32")
    given = pa.concat_tables([given.slice(0, 7), given.slice(7)])
    fields = {f"f{number}": call.field for number, call in enumerate(cases.CALLS)}
    found = rows(parse(spark.createDataFrame(given).coalesce(1), "u", fields))
    for number, call in enumerate(cases.CALLS):
        wanted = as_spark_has_it(call, cases.results(call, False))
        assert [values(row[f"f{number}"]) for row in found] == wanted, call


@in_sql
def test_a_function_of_a_column_agrees(spark: Any) -> None:
    df = spark.createDataFrame([("/2/77?x=1",)], "u string")
    found = df.select(
        engine.function("path_template", keep=["2"])("u"),
        engine.function("query_values", ["x", "y"])("u"),
        engine.function("parse", ["path", "query"])("u"),
        engine.function("query_value")("u", functions.lit("x")),
    ).collect()[0]
    wanted = ["/2/{n}", {"x": "1", "y": None}, {"path": "/2/77", "query": "x=1"}, "1"]
    assert [values(value) for value in found] == wanted


@in_sql
@pytest.mark.parametrize("name", cases.OF_COLUMNS)
def test_functions_of_two_columns_agree(spark: Any, name: str) -> None:
    pairs = spark.createDataFrame([(i, *pair) for i, pair in enumerate(cases.PAIRS)], "id int, a string, b string")
    call = engine.function(name)(*shape(name).in_order("a", ["b"]))
    found = pairs.select("id", call.alias("it"), functions.expr(f"{cases.sql_of_pairs(name)} AS sql"))
    wanted = [{"it": answer, "sql": answer} for answer in cases.of_pairs(name)]
    assert rows(found) == wanted


@in_sql
def test_only_the_url_goes_to_python_after_the_filters(spark: Any) -> None:
    df = spark.range(10).selectExpr("id", "concat('http://h/', id) AS u", "id AS other")
    found = parse(df, "U", ["host"]).where("other = 3")
    plan = found._jdf.queryExecution().executedPlan().toString() if hasattr(found, "_jdf") else ""
    assert plan.index("Filter", plan.index("ArrowEvalPython")) and found.columns == ["id", "u", "other", "host"]
    assert [tuple(row) for row in found.collect()] == [(3, "http://h/3", 3, "h")]


@pytest.mark.parametrize("table", ["text", "bytes"])
def test_the_other_columns_are_kept(spark: Any, table: str) -> None:
    wanted = cases.flat(cases.TEXT_ROWS["url"] if table == "text" else cases.BYTE_ROWS["url"])
    given = spark.table(table).selectExpr("id", "id AS host", "u AS `a.b`")
    found = parse(given, "A.b", FIELDS, keep=["ID"])
    assert found.columns == ["id", *FIELDS] and rows(found) == wanted
    assert parse(given, "a.b", ["path"], prefix="u_", keep=["a.b", "host"]).columns == ["a.b", "host", "u_path"]
    alone = parse(given.select("`a.b`"), "a.b", ["path"])
    plan = alone._jdf.queryExecution().executedPlan().toString() if hasattr(alone, "_jdf") else "MapInArrow"
    assert "MapInArrow" in plan and alone.columns == ["a.b", "path"]
    assert parse(given, "a.b", ["path"], keep=[]).columns == ["path"]
    with pytest.raises(ValueError, match="no column 'v'"):
        parse(given, "a.b", ["path"], keep=["v"])
    with pytest.raises(ValueError, match="give a prefix: host"):
        parse(given, "a.b", ["host"], keep=["host"])


def test_names_of_columns_follow_sparks_rules(spark: Any) -> None:
    df = spark.createDataFrame([("http://h/",)], "`a.b ``c` string")
    assert parse(df, "A.b `C", ["host"]).collect()[0]["host"] == "h"
    spark.conf.set("spark.sql.caseSensitive", "true")
    try:
        with pytest.raises(ValueError, match=r"no column 'A\.b `C'"):
            parse(df, "A.b `C", ["host"])
    finally:
        spark.conf.unset("spark.sql.caseSensitive")


def test_a_stream_is_parsed(spark: Any, tmp_path: Path) -> None:
    spark.table("text").coalesce(1).write.parquet(str(tmp_path / "in"))
    stream = spark.readStream.schema("id int, u string").parquet(str(tmp_path / "in"))
    query = parse(stream, "u", ["host", "path_template"]).writeStream.format("memory").queryName("parsed")
    query = query.trigger(availableNow=True).option("checkpointLocation", str(tmp_path / "checkpoint"))
    query.start().awaitTermination()
    found = rows(spark.table("parsed"))
    assert [row["host"] for row in found] == cases.columns(cases.TEXT_ROWS["url"])["host"]


@in_sql
def test_scalars_nulls_and_arguments_per_row_are_parsed(spark: Any) -> None:
    sql = (
        "SELECT url_host('http://h:80/') AS h, url_port('http://h:80/') AS p, url_host(NULL) AS n, "
        "url_drop_params(u, n) AS less FROM VALUES (1, '/?a&b', 'a'), (2, '/?a&b', 'b'), (3, NULL, 'a'), "
        "(4, '/?a', NULL) t(id, u, n) ORDER BY id"
    )
    found = [tuple(row) for row in spark.sql(sql).collect()]
    assert found == [("h", 80, None, less) for less in ("/?b", "/?a", None, None)]


@in_sql
def test_the_number_of_columns_is_checked_when_the_plan_is_built(spark: Any) -> None:
    for function, columns, words in (
        (engine.function("host"), ("u", "u"), "host: 2 arguments, not 1"),
        (engine.function("host"), (), "host: 0 arguments, not 1"),
        (engine.function("query_value"), ("u",), "query_value: 1 arguments, not 2 to 3"),
        (engine.function("query_value", "a"), ("u", "u"), "query_value: 2 arguments, not 1"),
        (engine.function("drop_params"), ("u",), "drop_params: 1 arguments, not 2 to any number"),
    ):
        with pytest.raises(TypeError, match=words):
            function(*columns)
    spark.udf.register("own_host", engine.function("host"))
    assert spark.sql("SELECT own_host('http://h/')").collect()[0][0] == "h"


@in_sql
def test_rows_from_python_are_parsed(spark: Any) -> None:
    df = spark.createDataFrame([("http://h:80/",)], "u string")
    assert df.select(functions.call_function("url_port", "u")).collect()[0][0] == 80


def test_many_partitions_agree_though_most_are_empty(spark: Any) -> None:
    urls = spark.range(0, 1200, 1, 120).selectExpr("id", "concat('http://host', id, '.example.com:', id % 90000) AS u")
    kept = urls.where("id % 100 < 3")
    assert kept.rdd.getNumPartitions() == 120
    found = parse(kept, "u", ["host", "port"])
    ids = [i for i in range(1200) if i % 100 < 3]
    assert rows(found) == [{"host": f"host{i}.example.com", "port": i} for i in ids]


def test_no_rows_give_no_rows(spark: Any) -> None:
    empty = spark.createDataFrame([], "id int, u string")
    assert parse(empty, "u").collect() == []
    if HAS_ARROW_UDFS:
        assert empty.selectExpr("url_host(u)").collect() == []


def test_other_columns_are_unchanged(spark: Any) -> None:
    kinds = (
        "id int, u string, a array<int>, m map<string,int>, s struct<x:double>, d decimal(9,2), t timestamp, day date"
    )
    moment = datetime.datetime(2024, 2, 29, 12, 30, 1, 5)
    row = (1, "http://h/", [1, None], {"k": 2}, (0.5,), decimal.Decimal("1.25"), moment, moment.date())
    nulls = (2, *[None] * 7)
    df = spark.createDataFrame([row, nulls], kinds)
    found = parse(df, "u", ["host"]).orderBy("id")
    assert found.drop("host").schema == df.schema
    assert found.drop("host").collect() == df.orderBy("id").collect()
    assert [r["host"] for r in found.collect()] == ["h", None]


def test_text_with_large_offsets_is_parsed(spark: Any) -> None:
    spark.conf.set("spark.sql.execution.arrow.useLargeVarTypes", "true")
    try:
        assert rows(parse(spark.table("text"), "u", FIELDS)) == cases.flat(cases.TEXT_ROWS["url"])
        if HAS_ARROW_UDFS:
            found = rows(spark.sql("SELECT id, url_path(u) AS p FROM text"))
            assert [row["p"] for row in found] == cases.columns(cases.TEXT_ROWS["url"])["path"]
    finally:
        spark.conf.unset("spark.sql.execution.arrow.useLargeVarTypes")


def die_once(marker: Path) -> None:
    """Kill this process, unless another one has come here before."""
    try:
        marker.touch(exist_ok=False)
    except FileExistsError:
        return
    os.kill(os.getpid(), signal.SIGKILL)


class DyingReader:
    """A task's reader whose process is killed once, after some of its batches. PySpark without Arrow UDFs reads this
    way."""

    def __init__(self, marker: Path, *arguments: Any) -> None:
        self.marker, self.arguments = marker, arguments

    def __call__(self, batches: Any) -> Any:
        for number, batch in enumerate(engine.Reader(*self.arguments)(batches)):
            if number == 2:
                die_once(self.marker)
            yield batch


def test_a_killed_worker_costs_no_row(spark: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    marker = tmp_path / "died"
    monkeypatch.setattr(engine, "Reader", functools.partial(DyingReader, marker))
    monkeypatch.delattr("pyspark.sql.functions.arrow_udf", raising=False)
    spark.conf.set("spark.sql.execution.arrow.maxRecordsPerBatch", 100)
    try:
        urls = spark.range(0, 2000, 1, 4).selectExpr("id", "concat('http://host', id, '/') AS u")
        found = rows(parse(urls, "u", ["host"]))
    finally:
        spark.conf.unset("spark.sql.execution.arrow.maxRecordsPerBatch")
    assert marker.exists()
    assert [row["host"] for row in found] == [f"host{i}" for i in range(2000)]


class DyingFunction:
    """A function whose process is killed once, after some of its batches."""

    def __init__(self, function: Any, marker: Path) -> None:
        self.function, self.marker, self.batches = function, marker, 0
        self.kind, self.check_count = function.kind, function.check_count

    def __call__(self, *columns: Any) -> Any:
        self.batches += 1
        if self.batches == 3:
            die_once(self.marker)
        return self.function(*columns)


@in_sql
@pytest.mark.parametrize("kind", ["parse", "function"])
def test_a_killed_worker_costs_no_row_of_a_udf(
    spark: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    marker = tmp_path / "died"
    make = engine.SqlFunction
    monkeypatch.setattr(engine, "SqlFunction", lambda *arguments: DyingFunction(make(*arguments), marker))
    spark.conf.set("spark.sql.execution.arrow.maxRecordsPerBatch", 100)
    try:
        urls = spark.range(0, 2000, 1, 4).selectExpr("id", "concat('http://host', id, '/?n=', id) AS u")
        if kind == "parse":
            found = rows(parse(urls, "u", {"n": ("query_value", "n")}))
        else:
            found = rows(urls.select("id", engine.function("query_value", "n")("u").alias("n")))
    finally:
        spark.conf.unset("spark.sql.execution.arrow.maxRecordsPerBatch")
    assert marker.exists()
    assert [row["n"] for row in found] == [str(i) for i in range(2000)]


@in_sql
def test_a_killed_worker_costs_no_row_in_sql(spark: Any, tmp_path: Path) -> None:
    marker = tmp_path / "died"

    def dying(urls: pa.Array) -> pa.Array:
        die_once(marker)
        return urls

    spark.udf.register("dying", functions.arrow_udf(dying, "string"))
    sql = "SELECT id, url_host(dying(concat('http://host', id, '/'))) AS host FROM range(0, 1000, 1, 4)"
    found = rows(spark.sql(sql))
    assert marker.exists()
    assert [row["host"] for row in found] == [f"host{i}" for i in range(1000)]


def test_wrong_columns_and_names_raise(spark: Any) -> None:
    df = spark.table("text")
    with pytest.raises(ValueError, match="no column 'v'"):
        parse(df, "v")
    with pytest.raises(ValueError, match="unknown field 'hots'"):
        parse(df, "u", ["hots"])
    with pytest.raises(ValueError, match="form must be"):
        parse(df, "u", form="log")
    with pytest.raises(ValueError, match="give a prefix: host"):
        parse(df.withColumnRenamed("id", "HOST"), "u", ["host"])
    assert parse(df, "u", ["host"], prefix="url_").columns == ["id", "u", "url_host"]


def test_an_expression_is_a_column(spark: Any) -> None:
    df = spark.createDataFrame([(1, "http://A/")], "id int, url string")
    for column, host in ((functions.col("url"), "A"), (functions.lower("url"), "a")):
        assert parse(df, column, ["host"]).collect() == [(1, "http://A/", host)]
        assert parse(df, column, ["host"], keep=["id"]).collect() == [(1, host)]
        assert parse(df.select("url"), column, ["host"]).collect() == [("http://A/", host)]
    with pytest.raises(TypeError, match="column 'id' is INT, not STRING or BINARY"):
        parse(df, functions.col("id"))


@in_sql
def test_a_function_of_a_wrong_column_fails_in_the_plan(spark: Any) -> None:
    df = spark.createDataFrame([(1, b"x")], "id int, data binary")
    for column in ("id", functions.col("data")):
        with pytest.raises(PySparkException, match="DATATYPE_MISMATCH"):
            _ = df.select(engine.function("host")(column)).schema


@in_sql
def test_bytes_for_a_function_of_text_raise(spark: Any) -> None:
    with pytest.raises(PySparkException, match="registered for text, not for bytes"):
        spark.sql("SELECT url_host(u) FROM bytes").collect()


def test_functions_need_arrow_udfs(spark: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr("pyspark.sql.functions.arrow_udf", raising=False)
    with pytest.raises(RuntimeError, match="needs PySpark 4"):
        register(spark)


def rows_of_lines(paths: list[str]) -> list[str]:
    """Return the rows of the files by `parse_lines`, with the texts of rejects."""
    found = []
    for path in paths:
        data = Path(path).read_bytes()
        lines = (gzip.decompress(data) if path.endswith("gz") else data).removesuffix(b"\n").split(b"\n")
        parsed = logs.parse_lines(lines, "COMBINED", FIELDS_OF_LINES).to_pylist()
        for line, row in zip(lines, parsed, strict=True):
            text = line.decode("utf-8", "surrogateescape").replace("\udcff", "%FF").replace("\udce9", "%E9")
            found.append({**row, "text": text if row["rejected"] else None})
    return logcases.comparable(found)


def test_logs_are_read_line_by_line(spark: Any, tmp_path: Path) -> None:
    paths = logcases.written(tmp_path)
    spark.conf.set("spark.sql.files.maxPartitionBytes", "4000")
    try:
        found = read_logs(spark, [Path(path) for path in paths], "COMBINED", FIELDS_OF_LINES)
        assert found.rdd.getNumPartitions() > 8
        rows = [row.asDict() for row in found.collect()]
    finally:
        spark.conf.unset("spark.sql.files.maxPartitionBytes")
    assert dict(found.dtypes)["size"] == "bigint" and dict(found.dtypes)["time"] == "timestamp"
    assert logcases.comparable(rows) == rows_of_lines(paths)


def test_a_real_log_is_read_as_on_one_machine(spark: Any, tmp_path: Path) -> None:
    for [path] in [*logcases.inputs(tmp_path)][1:]:
        found = (
            read_logs(spark, path, logs.detect(path), FIELDS_OF_LINES).where("NOT rejected").drop("rejected", "text")
        )
        wanted = logs.read(path, "COMBINED", FIELDS_OF_LINES, threads=1).read_all().to_pylist()
        assert logcases.comparable([row.asDict() for row in found.collect()]) == logcases.comparable(wanted)


def test_keys_of_paths_and_names_of_files_are_columns(spark: Any, tmp_path: Path) -> None:
    (tmp_path / "dt=2026-01-01").mkdir()
    logcases.written(tmp_path / "dt=2026-01-01")
    found = read_logs(spark, tmp_path, "COMBINED", ["path", "file"]).where("NOT rejected")
    assert found.columns == ["path", "file", "rejected", "text", "dt"]
    names = [(Path(row.file).name, str(row.dt), row["count"]) for row in found.groupBy("file", "dt").count().collect()]
    # Spark reads 103 lines, of which two end in lone carriage returns, as 101 and one reject.
    assert sorted(names) == [("a.log", "2026-01-01", logcases.COUNT - 3), ("b.log.gz", "2026-01-01", 49)]


def test_all_columns_of_a_format_have_a_type(spark: Any, tmp_path: Path) -> None:
    (tmp_path / "log").write_bytes(b"1.5 7 ::1 T/200 9 GET http://h/ - D/- -\n")
    [row] = read_logs(spark, tmp_path / "log", "SQUID").collect()
    assert (row.duration, row.status, row.size, row.host, row.rejected) == (0.007, 200, 9, "h", False)
    assert not {"file", "line"} & {*row.asDict()}
    every = [name for name in COLUMNS if name not in ("file", "line")]
    [row] = read_logs(spark, tmp_path / "log", "SQUID", every).collect()
    assert row.agent_bot is None and row.valid_rfc3986 is True


class DyingRows:
    """A task whose process is killed once, after its rows."""

    def __init__(self, marker: Path) -> None:
        self.marker = marker

    def __call__(self, *arguments: Any) -> Any:
        yield from logs_rows(*arguments)
        die_once(self.marker)


def test_a_killed_worker_costs_no_line(spark: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    paths = logcases.written(tmp_path)
    monkeypatch.setattr("fasturl.logs.spark._rows", DyingRows(tmp_path / "died"))
    found = read_logs(spark, paths, "COMBINED", FIELDS_OF_LINES)
    assert logcases.comparable([row.asDict() for row in found.collect()]) == rows_of_lines(paths)
    assert (tmp_path / "died").exists()


def test_a_format_with_a_header_needs_it(spark: Any, tmp_path: Path) -> None:
    path = tmp_path / "log"
    path.write_bytes(b"#Fields: cs-uri-stem sc-status\r\n" + b"".join(b"/%d 200\r\n" % n for n in range(25_000)))
    found = read_logs(spark, path, "w3c", ["path"], header="#Fields: cs-uri-stem sc-status")
    assert found.where("rejected").collect() == [(None, True, "#Fields: cs-uri-stem sc-status\r")]
    assert found.where("NOT rejected").distinct().count() == 25_000
    other = read_logs(spark, path, "w3c", ["path"], header="#Fields: sc-status cs-uri-stem")
    with pytest.raises(PySparkException, match="names other fields than the header"):
        other.collect()


def test_wrong_arguments_for_logs_raise_on_the_driver(spark: Any, tmp_path: Path) -> None:
    for words, format, fields, header in (
        ("format must be named", "auto", None, None),           ("unknown format", "NONE", None, None),
        ("unknown field 'hots'", "COMBINED", ["hots"], None),
        ("there is no 'line'", "COMBINED", ["path", "line"], None),
        ("header must be the line", "W3C", None, None),
        ("header must be the line", "CLOUDFRONT", None, "/a 200"),
        ("header must be left out", "COMBINED", None, "#Fields: cs-uri"),
    ):  # fmt: skip
        with pytest.raises(ValueError, match=words):
            read_logs(spark, tmp_path, format, fields, header=header)
    with pytest.raises(PySparkException, match=r"PATH_NOT_FOUND|does not exist"):
        read_logs(spark, tmp_path / "none", "COMBINED")
