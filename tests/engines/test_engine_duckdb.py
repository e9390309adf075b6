"""Do DuckDB's SQL functions, and ``parse`` of a relation, say what ``fasturl.parse`` says of each URL?"""

from collections.abc import Iterator
from typing import Any

import cases
import pytest

import fasturl

duckdb = pytest.importorskip("duckdb", reason="the extra fasturl[duckdb] is not installed")
pa = pytest.importorskip("pyarrow")

from fasturl.arrow import DEFAULT_FIELDS, FIELDS  # noqa: E402 - what is not installed is skipped before
from fasturl.engines.duckdb import parse, register  # noqa: E402

TYPES = {"port": "USMALLINT", "findings": "UINTEGER", "valid": "BOOLEAN", "error_offset": "INTEGER"}


@pytest.fixture(scope="module")
def connection() -> Iterator[Any]:
    with duckdb.connect() as made:
        register(made)
        register(made, prefix="octets_", binary=True)
        text = pa.table({"id": range(len(cases.TEXT)), "u": pa.array(cases.TEXT, pa.string())})
        octets = pa.table({"id": range(len(cases.OCTETS)), "u": pa.array(cases.OCTETS, pa.binary())})
        made.register("text", text)
        made.register("octets", octets)
        made.execute("CREATE TABLE urls AS FROM text")
        yield made


def column(connection: Any, sql: str) -> list[Any]:
    return [row[0] for row in connection.sql(sql).fetchall()]


@pytest.mark.parametrize("source", ["text", "urls"])
@pytest.mark.parametrize("form", cases.FORMS)
def test_parse_in_sql(connection: Any, source: str, form: str) -> None:
    rows = [row and {name: row[name] for name in DEFAULT_FIELDS} for row in cases.TEXT_ROWS[form]]
    assert column(connection, f"SELECT url_parse(u, '{form}') FROM {source} ORDER BY id") == rows
    if form == "url":
        assert column(connection, f"SELECT url_parse(u) FROM {source} ORDER BY id") == rows


@pytest.mark.parametrize("form", cases.FORMS)
def test_parse_of_octets_in_sql(connection: Any, form: str) -> None:
    rows = [row and {name: row[name] for name in DEFAULT_FIELDS} for row in cases.OCTET_ROWS[form]]
    assert column(connection, f"SELECT octets_parse(u, '{form}') FROM octets ORDER BY id") == rows


@pytest.mark.parametrize("form", cases.FORMS)
def test_each_field_in_sql(connection: Any, form: str) -> None:
    text, octets = cases.columns(cases.TEXT_ROWS[form]), cases.columns(cases.OCTET_ROWS[form])
    for name in FIELDS:
        assert column(connection, f"SELECT url_{name}(u, '{form}') FROM urls ORDER BY id") == text[name], name
        assert column(connection, f"SELECT octets_{name}(u, '{form}') FROM octets ORDER BY id") == octets[name], name
        kind = str(connection.sql(f"SELECT url_{name}(u) FROM urls").types[0])
        assert kind == TYPES.get(name, "VARCHAR")


@pytest.mark.parametrize("form", cases.FORMS)
def test_parse_of_a_relation(connection: Any, form: str) -> None:
    found = parse(connection.table("urls"), "u", FIELDS, form=form, connection=connection)
    assert found.columns == ["id", "u", *FIELDS]
    wanted = cases.flat(cases.TEXT_ROWS[form])
    rows = found.order("id").fetchall()
    assert rows == [(i, u, *row.values()) for i, (u, row) in enumerate(zip(cases.TEXT, wanted, strict=True))]
    octets = parse(connection.sql("SELECT u FROM octets ORDER BY id"), "u", FIELDS, form=form, connection=connection)
    assert [row[1:] for row in octets.fetchall()] == [tuple(row.values()) for row in cases.flat(cases.OCTET_ROWS[form])]


def test_parse_of_a_relation_twice_with_a_prefix(connection: Any) -> None:
    urls = connection.sql("SELECT 'http://h:80/' AS u, 'x' AS host")
    with pytest.raises(ValueError, match="columns of these names already, give a prefix: host"):
        parse(urls, "u", ["host"], connection=connection)
    found = parse(urls, "u", ["host", "port"], prefix="url_", connection=connection)
    again = parse(found, "u", ["host", "port"], prefix="again_", connection=connection)
    assert again.columns == ["u", "host", "url_host", "url_port", "again_host", "again_port"]
    assert again.fetchall() == [("http://h:80/", "x", "h", 80, "h", 80)]


def test_parse_of_a_relation_of_the_default_connection() -> None:
    assert parse(duckdb.sql("SELECT 'http://h:80/' AS u"), "u", ["port"]).fetchall() == [("http://h:80/", 80)]


def test_a_struct_is_computed_once(connection: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    from fasturl.engines import _sql

    called = []
    by_values = _sql.SqlFunction._by_values
    monkeypatch.setattr(_sql.SqlFunction, "_by_values", lambda *a: called.append(len(a[1])) or by_values(*a))
    found = parse(connection.table("urls"), "u", ["host", "path", "query"], connection=connection)
    expected = [row for row in cases.TEXT_ROWS["url"] if row and row["host"] is not None]
    assert len(found.filter("host IS NOT NULL").fetchall()) == len(expected)
    assert sum(called) == len(cases.TEXT)


def test_scalars_and_null(connection: Any) -> None:
    row = connection.sql(
        "SELECT url_host('http://h:80/a'), url_port('http://h:80/a'), url_host(NULL), url_parse(NULL), url_host('')"
        ", url_host('http://h', NULL), url_query('http://h?'), url_parse('http://h:80/').port"
    ).fetchall()
    assert row == [("h", 80, None, None, None, None, "", 80)]


def test_no_rows(connection: Any) -> None:
    assert connection.sql("SELECT url_host(u), url_parse(u) FROM urls WHERE false").fetchall() == []
    empty = connection.sql("SELECT u FROM urls WHERE false")
    assert parse(empty, "u", ["host"], connection=connection).fetchall() == []


def test_many_vectors_of_which_some_are_null(connection: Any) -> None:
    counted = connection.sql(
        "SELECT h, count(*) FROM (SELECT url_host(CASE WHEN i >= 8192 AND i < 12288 OR i % 7 = 0 THEN NULL "
        "ELSE format('http://host{}.example.com:80/{}', i % 3, i) END) AS h FROM range(300000) t(i)) GROUP BY h"
    )
    wanted: dict[str | None, int] = {}
    for i in range(300_000):
        host = None if 8192 <= i < 12288 or i % 7 == 0 else f"host{i % 3}.example.com"
        wanted[host] = wanted.get(host, 0) + 1
    assert dict(counted.fetchall()) == wanted


def test_in_where_and_group_by(connection: Any) -> None:
    sql = "SELECT url_scheme(u) AS s, count(*) FROM urls WHERE url_valid(u) GROUP BY s ORDER BY s NULLS FIRST"
    wanted: dict[object, int] = {}
    for row in cases.TEXT_ROWS["url"]:
        if row and row["valid"]:
            wanted[row["scheme"]] = wanted.get(row["scheme"], 0) + 1
    assert dict(connection.sql(sql).fetchall()) == wanted


def test_arguments_that_differ_from_row_to_row(connection: Any) -> None:
    sql = (
        "SELECT u, f, url_path(u, f) FROM (VALUES ('//a/b', 'url'), ('//a/b', 'request-target'), (NULL, 'url'), "
        "('//a/b', NULL), ('//c/d', 'url'), ('//e', 'request-target')) t(u, f)"
    )
    for u, f, path in connection.sql(sql).fetchall():
        assert path == (None if u is None or f is None else fasturl.parse(u, form=f).path)
    parsed = column(connection, sql.replace("url_path(u, f)", "url_parse(u, f).path").replace("u, f, ", "", 1))
    assert parsed == ["/b", "//a/b", None, None, "/d", "//e"]


def test_wrong_arguments(connection: Any) -> None:
    with pytest.raises(duckdb.Error, match="registered for text, not for octets"):
        connection.sql("SELECT url_host(u) FROM octets").fetchall()
    with pytest.raises(duckdb.Error, match="form must be"):
        connection.sql("SELECT url_host(u, 'log') FROM urls").fetchall()
    with pytest.raises(duckdb.Error, match="0 arguments after the URL, not 1 to 2"):
        connection.sql("SELECT url_query_value(u) FROM urls").fetchall()
    with pytest.raises(duckdb.Error, match="strings or binary, not of int32"):
        connection.sql("SELECT url_host(i) FROM range(3) t(i)".replace("host(i)", "host(i::INT)")).fetchall()
    with pytest.raises(ValueError, match="no column 'nope'"):
        parse(connection.table("urls"), "nope", connection=connection)
    with pytest.raises(ValueError, match="unknown field 'hots'"):
        parse(connection.table("urls"), "u", ["hots"], connection=connection)
    with pytest.raises(duckdb.NotImplementedException, match="already created"):
        register(connection)


@pytest.mark.parametrize("binary", [False, True])
@pytest.mark.parametrize("name, arguments, keywords", cases.FUNCTIONS)
def test_functions(connection: Any, name: str, arguments: Any, keywords: Any, binary: bool) -> None:
    source, prefix = ("octets", "octets_") if binary else ("urls", "url_")
    given = [a for value in arguments for a in (value if isinstance(value, list) else [value])]
    call = ", ".join(["u", *(f"'{value}'" for value in given)])
    found = column(connection, f"SELECT {prefix}{name}({call}) FROM {source} ORDER BY id")
    assert found == cases.function_results(name, arguments, keywords, binary=binary)


def test_a_value_for_each_row_of_its_own_name(connection: Any) -> None:
    rows = connection.sql(
        "SELECT n, url_query_value('http://h/?a=1&b=%32', n, 'none'), url_query_value('http://h/?a=1&b=%32', n, NULL) "
        "FROM (VALUES ('a'), ('b'), ('c'), (NULL), ('a')) t(n)"
    ).fetchall()
    assert rows == [("a", "1", "1"), ("b", "2", "2"), ("c", "none", None), (None, None, None), ("a", "1", "1")]
