"""DuckDB's SQL functions, and ``parse`` of a relation, give the answers of ``fasturl.parse``."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import cases
import logcases
import pyarrow as pa
import pytest
from expected import joined

import fasturl
from fasturl import _functions

duckdb = pytest.importorskip("duckdb", reason="the extra fasturl[duckdb] is not installed")
from fasturl.arrow import DEFAULT_FIELDS, FIELDS  # noqa: E402
from fasturl.engines import _sql  # noqa: E402
from fasturl.engines._sql import SqlFunction  # noqa: E402
from fasturl.engines.duckdb import connect, create_function, is_native, parse, read, register  # noqa: E402
from fasturl.logs.duckdb import LogTable  # noqa: E402
from fasturl.logs.duckdb import read as read_logs  # noqa: E402

TYPES = {
    "port": "USMALLINT", "finding_bits": "UINTEGER", "findings": "VARCHAR[]", "valid_rfc1738": "BOOLEAN",
    "valid_rfc3986": "BOOLEAN", "error_offset": "INTEGER",
}  # fmt: skip

# Columns of text and of bytes, by the form that the functions read.
PREFIXES = {"url": ("url_", "bytes_"), "request-target": ("target_", "bytes_target_")}


@pytest.fixture(scope="module")
def connection() -> Iterator[Any]:
    with duckdb.connect() as made:
        for form, prefix in PREFIXES.items():
            register(made, prefix=prefix[0], form=form)
            register(made, prefix=prefix[1], binary=True, form=form)
        text = pa.table({"id": range(len(cases.TEXT)), "u": pa.array(cases.TEXT, pa.string())})
        data = pa.table({"id": range(len(cases.BYTES)), "u": pa.array(cases.BYTES, pa.binary())})
        made.register("text", text)
        made.register("bytes", data)
        made.execute("CREATE TABLE urls AS FROM text")
        yield made


def column(connection: Any, sql: str) -> list[Any]:
    return [row[0] for row in connection.sql(sql).fetchall()]


@pytest.mark.parametrize("source", ["text", "urls", "bytes"])
@pytest.mark.parametrize("form", cases.FORMS)
def test_parse_in_sql_agrees(connection: Any, source: str, form: str) -> None:
    wanted = cases.BYTE_ROWS if source == "bytes" else cases.TEXT_ROWS
    rows = [row and {name: row[name] for name in DEFAULT_FIELDS} for row in wanted[form]]
    prefix = PREFIXES[form][source == "bytes"]
    assert column(connection, f"SELECT {prefix}parse(u) FROM {source} ORDER BY id") == rows


@pytest.mark.parametrize("form", cases.FORMS)
def test_each_field_has_a_function_in_sql(connection: Any, form: str) -> None:
    text, data = cases.columns(cases.TEXT_ROWS[form]), cases.columns(cases.BYTE_ROWS[form])
    of_text, of_bytes = PREFIXES[form]
    for name in FIELDS:
        assert column(connection, f"SELECT {of_text}{name}(u) FROM urls ORDER BY id") == text[name], name
        assert column(connection, f"SELECT {of_bytes}{name}(u) FROM bytes ORDER BY id") == data[name], name
        kind = str(connection.sql(f"SELECT url_{name}(u) FROM urls").types[0])
        assert kind == TYPES.get(name, "VARCHAR")


@pytest.mark.parametrize("form", cases.FORMS)
def test_parse_of_a_relation_agrees(connection: Any, form: str) -> None:
    found = parse(connection.table("urls"), "u", FIELDS, form=form, connection=connection)
    assert found.columns == ["id", "u", *FIELDS]
    wanted = cases.flat(cases.TEXT_ROWS[form])
    rows = found.order("id").fetchall()
    assert rows == [(i, u, *row.values()) for i, (u, row) in enumerate(zip(cases.TEXT, wanted, strict=True))]
    data = parse(connection.sql("SELECT u FROM bytes ORDER BY id"), "u", FIELDS, form=form, connection=connection)
    assert [row[1:] for row in data.fetchall()] == [tuple(row.values()) for row in cases.flat(cases.BYTE_ROWS[form])]


def test_a_relation_can_be_parsed_twice_with_a_prefix(connection: Any) -> None:
    urls = connection.sql("SELECT 'http://h:80/' AS u, 'x' AS host")
    with pytest.raises(ValueError, match="columns of these names already, give a prefix: host"):
        parse(urls, "u", ["host"], connection=connection)
    found = parse(urls, "u", ["host", "port"], prefix="url_", connection=connection)
    again = parse(found, "u", ["host", "port"], prefix="again_", connection=connection)
    assert again.columns == ["u", "host", "url_host", "url_port", "again_host", "again_port"]
    assert again.fetchall() == [("http://h:80/", "x", "h", 80, "h", 80)]


def test_a_relation_of_the_default_connection_is_parsed() -> None:
    assert parse(duckdb.sql("SELECT 'http://h:80/' AS u"), "u", ["port"]).fetchall() == [("http://h:80/", 80)]


def test_a_struct_is_computed_once(connection: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    called = []
    by_values = _sql.SqlFunction._by_values
    monkeypatch.setattr(_sql.SqlFunction, "_by_values", lambda *a: called.append(len(a[1][0])) or by_values(*a))
    found = parse(connection.table("urls"), "u", ["host", "path", "query"], connection=connection)
    expected = [row for row in cases.TEXT_ROWS["url"] if row and row["host"] is not None]
    assert len(found.filter("host IS NOT NULL").fetchall()) == len(expected)
    assert sum(called) == len(cases.TEXT)


def test_scalars_and_null_are_parsed(connection: Any) -> None:
    row = connection.sql(
        "SELECT url_host('http://h:80/a'), url_port('http://h:80/a'), url_host(NULL), url_parse(NULL), url_host('')"
        ", url_query_value('?a', NULL), url_query('http://h?'), url_parse('http://h:80/').port"
    ).fetchall()
    assert row == [("h", 80, None, None, None, None, "", 80)]


def test_no_rows_give_no_rows(connection: Any) -> None:
    assert connection.sql("SELECT url_host(u), url_parse(u) FROM urls WHERE false").fetchall() == []
    empty = connection.sql("SELECT u FROM urls WHERE false")
    assert parse(empty, "u", ["host"], connection=connection).fetchall() == []


def test_many_vectors_agree_though_some_are_null(connection: Any) -> None:
    counted = connection.sql(
        "SELECT h, count(*) FROM (SELECT url_host(CASE WHEN i >= 8192 AND i < 12288 OR i % 7 = 0 THEN NULL "
        "ELSE format('http://host{}.example.com:80/{}', i % 3, i) END) AS h FROM range(300000) t(i)) GROUP BY h"
    )
    wanted: dict[str | None, int] = {}
    for i in range(300_000):
        host = None if 8192 <= i < 12288 or i % 7 == 0 else f"host{i % 3}.example.com"
        wanted[host] = wanted.get(host, 0) + 1
    assert dict(counted.fetchall()) == wanted


def test_functions_work_in_where_and_group_by(connection: Any) -> None:
    sql = "SELECT url_scheme(u) AS s, count(*) FROM urls WHERE url_valid_rfc1738(u) GROUP BY s ORDER BY s NULLS FIRST"
    wanted: dict[object, int] = {}
    for row in cases.TEXT_ROWS["url"]:
        if row and row["valid_rfc1738"]:
            wanted[row["scheme"]] = wanted.get(row["scheme"], 0) + 1
    assert dict(connection.sql(sql).fetchall()) == wanted


def test_arguments_may_differ_per_row(connection: Any) -> None:
    sql = (
        "SELECT u, n, url_drop_params(u, n), url_query_values(u, n, 'x') FROM (VALUES ('/?a=1&x=2', 'a'), "
        "('/?a=1', 'b'), (NULL, 'a'), ('/?a', NULL), ('/?b', 'b')) t(u, n)"
    )
    rows = connection.sql(sql).fetchall()
    assert [row[2] for row in rows] == ["/?x=2", "/?a=1", None, None, "/"]
    assert [row[3] for row in rows] == [{"a": "1", "x": "2"}, {"b": None, "x": None}, None, None, {"b": "", "x": None}]


def test_wrong_arguments_raise(connection: Any) -> None:
    for sql, message in (
        ("url_host(u) FROM bytes", r"registered for text, not for bytes|No function matches"),
        ("url_redact(u, 'x') FROM bytes", "registered for text, not for bytes"),
        ("url_query_value(u) FROM urls", "does not support"),
        ("url_drop_params(u) FROM urls", "1 arguments, not 2 to any number"),
    ):
        with pytest.raises(duckdb.Error, match=message):
            connection.sql(f"SELECT {sql}").fetchall()
    with pytest.raises(ValueError, match="form must be"):
        register(connection, prefix="no_", form="log")
    with pytest.raises(ValueError, match="no column 'nope'"):
        parse(connection.table("urls"), "nope", connection=connection)
    with pytest.raises(ValueError, match="unknown field 'hots'"):
        parse(connection.table("urls"), "u", ["hots"], connection=connection)
    with pytest.raises(TypeError):
        create_function(connection, "mine", "drop_params")


def test_registering_again_or_on_a_cursor_is_allowed() -> None:
    with duckdb.connect() as made:
        for _ in range(2):
            register(made)
        assert made.sql("SELECT url_host('//h'), url_path_depth('/a/b')").fetchall() == [("h", 2)]
        with made.cursor() as cursor:
            register(cursor)  # the cursor shares its connection's functions
            assert cursor.sql("SELECT url_host('//h')").fetchall() == [("h",)]
            with pytest.raises(ValueError, match="give another prefix"):
                register(cursor, form="request-target")
        register(made, form="request-target")
        assert made.sql("SELECT url_path('//a/b')").fetchall() == [("//a/b",)]


def test_functions_are_documented(connection: Any) -> None:
    sql = (
        "SELECT function_name, parameters, comment FROM duckdb_functions() "
        "WHERE database_name = 'temp' AND NOT internal"
    )
    rows = {(name, tuple(parameters)): comment for name, parameters, comment in connection.sql(sql).fetchall()}
    assert rows["url_host", ("url",)].startswith("Return each URL's host")
    assert rows["url_query_value", ("url", "name")] and rows["url_query_value", ("url", "name", "default")]
    assert all(rows.values())


def test_a_function_can_be_created_with_settings(connection: Any) -> None:
    create_function(connection, "parts", "parse", {"h": "host", "item": ("query_value", "x")})
    create_function(connection, "page", "path_template", keep=["2"], form="request-target")
    create_function(connection, "pair", "query_values", ["x", "y"])
    sql = "SELECT parts('//h/?x=1'), page('//2/77'), pair('/?y=1')"
    assert connection.sql(sql).fetchall() == [({"h": "h", "item": "1"}, "//2/{n}", {"x": None, "y": "1"})]
    create_function(connection, "page", "path_depth")  # replaces the other function
    assert connection.sql("SELECT page('/a/b')").fetchall() == [(2,)]


def test_host_lists_are_settings(connection: Any) -> None:
    create_function(connection, "blocked", "blocks", fasturl.HostList(["b.example"]))
    assert connection.sql("SELECT blocked('http://a.b.example/')").fetchall() == [("b.example",)]
    relation = connection.sql("SELECT 'http://a.b.example/' AS u")
    for entry in ("b.example", "a.b.example"):
        found = parse(relation, "u", {"entry": ("blocks", fasturl.HostList([entry]))}, connection=connection)
        assert found.project("entry").fetchall() == [(entry,)]


def test_a_raw_host_list_is_indexed_once_per_query(connection: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    given: list[Any] = []
    make = _functions._list_function
    monkeypatch.setattr(_functions, "_list_function", lambda name, *a, **k: (given.extend(a), make(name, *a, **k))[1])
    urls = connection.sql("SELECT 'http://a' || i || '.b.example/' AS u FROM range(9000) t(i)")
    create_function(connection, "blocked", "blocks", ["b.example"])
    assert urls.aggregate("count(blocked(u))").fetchall() == [(9000,)]
    assert len(given) > 4 and len(set(map(id, given))) == 1 and isinstance(given[0], fasturl.HostList)
    given.clear()
    found = parse(urls, "u", {"entry": ("blocks", ["b.example"])}, connection=connection)
    assert found.aggregate("count(entry)").fetchall() == [(9000,)]
    assert len(given) > 4 and len(set(map(id, given))) == 1 and isinstance(given[0], fasturl.HostList)


def test_a_relation_of_another_connection_is_parsed(connection: Any) -> None:
    with duckdb.connect() as other, pytest.raises(ValueError, match="belongs to another connection"):
        try:
            parse(connection.table("urls"), "u", connection=other)
        finally:
            sql = "SELECT count(*) FROM duckdb_functions() WHERE function_name LIKE 'fasturl%'"
            assert other.sql(sql).fetchall() == [(0,)]


def test_a_relation_without_a_known_connection_says_what_to_pass(connection: Any) -> None:
    relation = connection.sql("SELECT 'http://h:80/' AS u")
    if hasattr(relation, "_con"):
        assert parse(relation, "U", ["port"]).fetchall() == [("http://h:80/", 80)]
    else:
        with pytest.raises(ValueError, match="give that connection as connection="):
            parse(relation, "u", ["port"])


@pytest.mark.parametrize("form", cases.FORMS)
def test_a_stream_of_batches_is_parsed(connection: Any, form: str) -> None:
    batches = read(connection.sql("FROM urls ORDER BY id"), "u", FIELDS, form=form, prefix="x_", batch_rows=2048)
    table = batches.read_all()
    assert table.column_names == ["id", "u", *(f"x_{name}" for name in FIELDS)]
    wanted = cases.columns(cases.TEXT_ROWS[form])
    assert {name: table[f"x_{name}"].to_pylist() for name in FIELDS} == wanted
    assert read(connection.sql("FROM bytes WHERE false"), "u").read_all().num_rows == 0


def test_unused_fields_are_not_computed(connection: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    from fasturl.engines import _sql

    monkeypatch.delattr(_sql.SqlFunction, "_by_values")  # a call would need it
    rows = parse(connection.table("urls"), "u", ["host"], connection=connection).project("id").fetchall()
    assert len(rows) == len(cases.TEXT)


def test_findings_combine_with_the_flags_of_finding(connection: Any) -> None:
    sql = "SELECT url_finding_bits(u) & ? <> 0 FROM (VALUES ('http://h/%'), ('http://h/')) t(u)"
    assert connection.execute(sql, [fasturl.Finding.VIOLATIONS]).fetchall() == [(True,), (False,)]


@pytest.mark.parametrize("binary", [False, True])
@pytest.mark.parametrize("call", cases.SQL_CALLS, ids=str)
def test_every_function_agrees_with_one_url(connection: Any, call: cases.Call, binary: bool) -> None:
    source, prefix = ("bytes", "bytes_") if binary else ("urls", "url_")
    found = column(connection, f"SELECT {call.sql(prefix)} FROM {source} ORDER BY id")
    assert found == cases.in_sql(call, binary)


@pytest.mark.parametrize("binary", [False, True])
def test_every_function_is_a_field(connection: Any, binary: bool) -> None:
    fields = {str(number): call.field for number, call in enumerate(cases.CALLS)}
    relation = connection.table("bytes" if binary else "urls").order("id")
    found = parse(relation, "u", fields, connection=connection).fetchall()
    read_by_batches = read(relation, "u", fields).read_all()
    for number, call in enumerate(cases.CALLS):
        wanted = cases.results(call, binary)
        assert [row[2 + number] for row in found] == wanted, call
        assert read_by_batches[str(number)].to_pylist() == wanted, call


@pytest.mark.parametrize("layout", cases.LAYOUTS)
@pytest.mark.parametrize("binary", [False, True])
def test_every_function_agrees_in_every_layout(connection: Any, binary: bool, layout: str) -> None:
    name, prefix = f"{layout.replace(' ', '_')}_{binary}", "bytes_" if binary else "url_"
    connection.register(name, cases.table_of(binary, layout))
    kind = "BLOB" if binary else "VARCHAR"  # a dictionary is an ENUM there, if it is of text
    calls = ", ".join(call.sql(prefix, f"u::{kind}") for call in cases.SQL_CALLS)
    found = connection.sql(f"SELECT {calls} FROM {name} ORDER BY id").fetchall()
    fields = {str(number): call.field for number, call in enumerate(cases.CALLS)}
    by_batches = read(connection.sql(f"FROM {name} ORDER BY id"), "u", fields).read_all()
    for number, call in enumerate(cases.SQL_CALLS):
        assert [row[number] for row in found] == cases.in_sql(call, binary), call
    for number, call in enumerate(cases.CALLS):
        assert by_batches[str(number)].to_pylist() == cases.results(call, binary), call


def test_query_value_takes_a_name_per_row(connection: Any) -> None:
    rows = connection.sql(
        "SELECT n, url_query_value('http://h/?a=1&b=%32', n, 'none'), url_query_value('http://h/?a=1&b=%32', n, NULL) "
        "FROM (VALUES ('a'), ('b'), ('c'), (NULL), ('a')) t(n)"
    ).fetchall()
    assert rows == [("a", "1", "1"), ("b", "2", "2"), ("c", "none", None), (None, None, None), ("a", "1", "1")]


@pytest.mark.parametrize("name", cases.OF_COLUMNS)
def test_functions_of_two_columns_agree(connection: Any, name: str) -> None:
    connection.register("pairs", pa.table({"a": [a for a, _ in cases.PAIRS], "b": [b for _, b in cases.PAIRS]}))
    assert column(connection, f"SELECT {cases.sql_of_pairs(name)} FROM pairs") == cases.of_pairs(name)


def rows_of(relation: Any) -> list[dict[str, Any]]:
    return [dict(zip(relation.columns, row, strict=True)) for row in relation.fetchall()]


def test_logs_are_read_as_on_one_machine(connection: Any, tmp_path: Path) -> None:
    for paths in logcases.inputs(tmp_path):
        found = read_logs(paths, fields=logcases.FIELDS, connection=connection)
        for _ in range(2):  # a relation may run more than once
            assert logcases.comparable(rows_of(found)) == logcases.wanted(paths)
    paths = logcases.written(tmp_path)
    logcases.check_rejects(rows_of(read_logs(paths, fields=["path"], rejects="keep", connection=connection)))


def test_a_query_reads_only_its_columns_of_logs(connection: Any, tmp_path: Path, monkeypatch: Any) -> None:
    asked: list[Any] = []
    only = LogTable.only
    monkeypatch.setattr(LogTable, "only", lambda table, names: asked.append(set(names)) or only(table, names))
    log = read_logs(logcases.written(tmp_path), connection=connection)
    found = connection.sql("SELECT path FROM log WHERE size > 100000000000000000 ORDER BY line")
    assert [path for (path,) in found.fetchall()] == [f"/a/{n}" for n in range(101, logcases.COUNT)]
    assert asked and all(names <= {"path", "size", "line"} for names in asked)
    assert log.aggregate("count(*)").fetchall() == [(logcases.COUNT + 49,)]


@pytest.mark.parametrize("binary", [False, True])
def test_join_takes_a_base_per_row(connection: Any, binary: bool) -> None:
    table, prefix = ("bytes", "bytes_") if binary else ("urls", "url_")
    bases = "u || '/../x?y'::BLOB" if binary else "u || '/../x?y'"
    pairs = f"SELECT u, lag(u) OVER (ORDER BY id) AS v, id FROM {table}"
    sql = f"SELECT {prefix}urljoin({bases}, v) FROM ({pairs}) ORDER BY id"
    urls = [url.encode() if isinstance(url, str) else url for url in (cases.BYTES if binary else cases.TEXT)]
    wanted = []
    for base, reference in zip(urls, [None, *urls], strict=False):
        found = None if base is None else joined(reference, base + b"/../x?y")
        wanted.append(found if binary or found is None else found.decode())
    assert column(connection, sql) == wanted


def test_a_query_that_ends_early_stops_reading(connection: Any, tmp_path: Path, monkeypatch: Any) -> None:
    path = tmp_path / "long.log"
    line = b'192.0.2.1 - - [17/May/2015:10:05:03 +0000] "GET /cart?item=7 HTTP/1.1" 200 10\n'
    path.write_bytes(line * 400_000)
    count = 0
    whole = LogTable.read_files

    def counted(self: Any, *given: Any) -> Iterator[Any]:
        nonlocal count
        for batch in whole(self, *given):
            count += 1
            yield batch

    monkeypatch.setattr(LogTable, "read_files", counted)
    log = read_logs(str(path), "COMMON", ["path", "status"], threads=1, connection=connection)
    assert log.limit(10).fetchall() == [("/cart", 200)] * 10
    assert log.filter("status = 200").limit(3).fetchall() == [("/cart", 200)] * 3
    assert 0 < count <= 10
    assert log.aggregate("count(*)").fetchall() == [(400_000,)]


@pytest.mark.parametrize("name", [
    'a"b_', "a'b_", "a\nb_", "a\\b_", "a.b_", " ", "select ", '"; DROP TABLE kept; --', "x; DROP TABLE kept; --",
    "url_path(''); DROP TABLE kept; SELECT url_",
])  # fmt: skip
def test_a_name_is_never_executed_as_sql(name: str) -> None:
    with duckdb.connect() as made:
        made.execute("CREATE TABLE kept AS SELECT 'http://h/' AS u")
        register(made)
        register(made, prefix=name)
        with made.cursor() as other:
            register(other, prefix=name)  # the first call has registered it
        create_function(made, f"{name}f", "host")
        quoted = '"' + name.replace('"', '""') + '{}"'
        asked = f"SELECT {quoted.format('host')}(u), {quoted.format('f')}(u) FROM kept"
        assert made.execute(asked).fetchall() == [("h", "h")]
        made.execute(f"CREATE TABLE urls AS SELECT u AS {quoted.format('u')} FROM kept")
        fields = {f"{name}c": "host"}
        found = parse(made.table("urls"), f"{name}u", fields, prefix=name, connection=made)
        assert found.fetchall() == [("http://h/", "h")] and found.columns == [f"{name}u", f"{name}{name}c"]
        assert read(made.table("urls"), f"{name}u", fields, prefix=name).read_all().num_rows == 1
        assert made.execute("FROM kept").fetchall() == [("http://h/",)]


def test_a_function_made_without_arguments_takes_a_second_column() -> None:
    with duckdb.connect() as made:
        create_function(made, "same", "equivalent")
        found = made.sql("SELECT same(a, b) FROM (VALUES ('http://h', 'HTTP://H:80/'), ('http://h', 'x')) t(a, b)")
        assert found.fetchall() == [(True,), (False,)]


def test_the_type_of_a_map_says_nothing_of_its_order() -> None:
    for binary, text in ((False, pa.string()), (True, pa.binary())):
        kind = SqlFunction("query_values", binary, "string").kind
        assert (kind, kind.keys_sorted) == (pa.map_(text, text), False)


def test_a_connection_that_gets_no_functions_is_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    made = duckdb.connect()
    assert is_native(made) is False
    monkeypatch.setattr(duckdb, "connect", lambda *_: made)
    with pytest.raises(ValueError, match="form"):
        connect(form="nonsense")
    with pytest.raises(duckdb.ConnectionException, match="closed"):
        made.execute("SELECT 1")
