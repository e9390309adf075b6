"""DuckDB's extension gives the answers of the Python functions, refuses what they refuse, and loads without Python."""

import random
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import cases
import pyarrow as pa
import pytest
from tries import ALL

import fasturl

duckdb = pytest.importorskip("duckdb", reason="the extra fasturl[duckdb] is not installed")
from fasturl.engines._sql import all_functions, sql_name  # noqa: E402
from fasturl.engines.duckdb import connect, create_function, extension_path, is_native, register  # noqa: E402

if extension_path() is None:
    pytest.skip("this build has no extension for DuckDB", allow_module_level=True)

PREFIXES = {
    (False, "url"): "url_", (False, "request-target"): "target_", (True, "url"): "bytes_",
    (True, "request-target"): "bytes_target_",
}  # fmt: skip
# These run in Python: join delegates to urllib, and decompose has one struct per scheme. Lists are built there alone.
IN_PYTHON = {"findings", "urljoin", "query_names", "query_pairs", "path_prefixes", "url_prefixes", "problems"}
ALPHABET = [*"ahtp/:@?#&=%+;.[]~0\\*|<> \t\x00", "http://", "%41", "%C3%A9", "%ff", "ftp:", "www.", "\xe9", "\ufffd",
            "\U0001f600"]  # fmt: skip
NAMES = ["a", "h", "\xe9", "\ufffd", "%41", "", "a*", "token", "t" * 20, "A"]
HOSTS = ["h", "H.Example b", "# none", "", "0.0.0.0 h\n*.www.", "\xe9", "a" * 30 + ".example", None]


def hostile(count: int, binary: bool) -> list[Any]:
    rng = random.Random(binary)
    table = [url for url in (cases.BYTES if binary else cases.TEXT) if url is not None]
    rows: list[Any] = []
    while len(rows) < count:
        kind = rng.random()
        text: Any = None
        if kind < 0.3:
            text = rng.choice(table)
        elif kind < 0.9:
            text = "".join(rng.choices(ALPHABET, k=rng.choice([0, 1, 3, 8, 11, 12, 13, 30, 64, 200])))
            if rng.random() < 0.5:
                text = "http://h.example/" + rng.choice(["?", ""]) + text
            if binary:
                text = text.encode() + rng.choice([b"", b"\xff", b"\xc3"])
        rows.append(text)
    return rows


def hostile_table(count: int, binary: bool) -> Any:
    """Rows with a second URL, names and hosts, which differ per row, may be NULL, and repeat."""
    rng = random.Random(7)
    kind = pa.binary() if binary else pa.string()
    urls = hostile(count, binary)
    names = [rng.choice([*NAMES, None]) for _ in range(count // 3)]
    names = [name for name in names for _ in range(3)] + [None] * (count - 3 * (count // 3))
    parts = [rng.choice(["query", "login", "www", None]) for _ in range(count)]
    other = rng.sample(urls, count)
    other = [url if rng.random() < 0.5 else one for url, one in zip(urls, other, strict=True)]
    hosts = [rng.choice(HOSTS) for _ in range(count)]
    columns = [range(count), pa.array(urls, kind), pa.array(other, kind), names, parts, hosts]
    return pa.table(dict(zip(["id", "u", "v", "n", "part", "host"], columns, strict=True)))


@pytest.fixture(scope="module")
def pair() -> Iterator[tuple[Any, Any]]:
    """One connection with the extension and one with the Python functions, with the same tables."""
    with connect() as native, duckdb.connect() as plain:
        assert is_native(native)
        for made in (native, plain):
            for (binary, form), prefix in PREFIXES.items():
                register(made, prefix=prefix, binary=binary, form=form)
            for name, binary in (("text", False), ("bytes", True)):
                made.register(f"given_{name}", hostile_table(10_000, binary))
                made.execute(f"CREATE TABLE {name} AS FROM given_{name}")
        assert not is_native(plain)
        yield native, plain


def calls(binary: bool, form: str) -> list[str]:
    """Every function, with constants and with columns as arguments."""
    prefix = PREFIXES[binary, form]
    found = []
    for name, function in all_functions(binary, "string" if binary else "view", form):
        called = sql_name(prefix, name)
        if name == "drop_parts":
            found += [
                f"{called}(u)", f"{called}(u, 'query')", f"{called}(u, 'www', 'login', 'fragment')",
                f"{called}(u, part)",
            ]  # fmt: skip
            continue
        columns = function.parameters[:1] if name != "equivalent" else ("url", "other")
        if name == "urljoin":
            found.append(f"{called}('http://b.example/x/y?q', u)" if not binary else f"{called}('http://b/'::BLOB, u)")
            continue
        if name in ("blocks", "allows"):  # most texts are not hosts, which raises
            found += [f"{called}(u, 'h')", f"{called}(u, 'h.example', NULL, 'b')", f"{called}(u, 'b', host)"]
            found.append(f"{called}(u, (SELECT string_agg(h, ' ') FROM (VALUES ('h.example'), ('www.h')) t(h)))")
            continue
        given = ", ".join(["u", "v"][: len(columns)])
        by_row = "replace(n, '*', '')" if name.startswith("query_value") else "n"  # a pattern is no name of a value
        extra = (function.most or function.least + 2) - len(columns)
        for count in range(function.least - len(columns), extra + 1):
            for kind in ("'a'", "'t' || 'oken'", "'%41'", "NULL", "'\ufffd'", by_row):
                texts = [kind, "'a long default or name'", "'x'"][:count]
                found.append(f"{called}({', '.join([given, *texts])})")
                if not count:
                    break
        found.append(f"{called}({given.replace('u', 'NULL')}{f', {by_row}' * (function.least - len(columns))})")
    return found


@pytest.mark.long
@pytest.mark.parametrize("form", cases.FORMS)
@pytest.mark.parametrize("binary", [False, True])
def test_the_extension_answers_as_python_does(pair: tuple[Any, Any], binary: bool, form: str) -> None:
    native, plain = pair
    table = "bytes" if binary else "text"
    for call in calls(binary, form):
        by_row = any(column in call for column in (", n", ", replace(n", "part)", "host)"))  # the slow way in Python
        most = 1000 if by_row else 10_000 if ALL else 2500  # a vector has 2048
        sql = f"SELECT {call} FROM {table} WHERE id < {most} ORDER BY id"
        wanted, found = plain.sql(sql), native.sql(sql)
        assert found.types == wanted.types, call
        assert found.fetchall() == wanted.fetchall(), call


@pytest.mark.long
def test_two_threads_answer_as_one_does(pair: tuple[Any, Any]) -> None:
    native, _ = pair
    native.execute("CREATE TABLE many AS SELECT u, n, host FROM text, range(40)")  # several row groups, one task each
    calls = [
        "parse(u)", "host(u)", "normalize(u)", "dedup_hash(u)", "query_values(u, 'a', 'token')", "path_depth(u)",
        "drop_params(u, 'a')", "canonicalize(u)", "surt(u)", "blocks(u, 'h.example', 'h')", "allows(u, host)",
    ]  # fmt: skip
    sql = "SELECT " + ", ".join(f"sum(hash(url_{call}))" for call in calls) + " FROM many"
    found = []
    for threads in (1, 2):
        native.execute(f"SET threads = {threads}")
        found.append(native.sql(sql).fetchall())
    assert found[0] == found[1]


@pytest.mark.parametrize("kernel", fasturl._fastparse._kernels())
def test_the_extension_runs_the_kernel_in_use(pair: tuple[Any, Any], kernel: str) -> None:
    native, plain = pair
    before = fasturl._fastparse._kernels()[-1]
    calls = "url_parse(u), url_normalize(u), url_query_values(u, 'a'), url_path_depth(u), url_equivalent(u, v)"
    sql = f"SELECT {calls} FROM text WHERE id < 3000 ORDER BY id"
    wanted = plain.sql(sql).fetchall()
    fasturl._fastparse._use_kernel(kernel)
    try:
        assert native.sql(sql).fetchall() == wanted
    finally:
        fasturl._fastparse._use_kernel(before)


def test_every_function_is_in_the_extension_or_says_why() -> None:
    with duckdb.connect(config={"allow_unsigned_extensions": "true"}) as made:
        made.execute(f"LOAD '{extension_path()}'")
        sql = "SELECT DISTINCT function_name FROM duckdb_functions() WHERE database_name = 'system'"
        there = {name for (name,) in made.execute(sql).fetchall()}
    for prefix, binary, form in (("url_", False, "url"), ("target_blob_", True, "request-target")):
        for name, function in all_functions(binary, "string", form):
            native = sql_name(prefix if function.has_form else "url_" + "blob_" * binary, name) in there
            assert native == (name not in IN_PYTHON and not name.startswith("decompose")), name


def test_filters_groups_and_sorts_keep_the_results(pair: tuple[Any, Any]) -> None:
    native, plain = pair
    sql = (
        "WITH t AS (SELECT url_host(u) AS h, url_path(u) AS p, url_query_names(u) AS q FROM text "
        "WHERE url_query(u) <> '') "
        "SELECT h, count(*), max(p), list(q ORDER BY p, q)[:3] FROM t GROUP BY h ORDER BY h NULLS FIRST"
    )
    assert native.sql(sql).fetchall() == plain.sql(sql).fetchall()


@pytest.mark.long
def test_long_texts_and_results_are_whole(pair: tuple[Any, Any]) -> None:
    native, _ = pair
    sql = (
        "SELECT length(url_query(u)), url_query(u) = x, url_quote(x) = x "
        "FROM (SELECT repeat('x', 70_000_000) x, 'http://h/?' || x u), range(3)"
    )
    assert native.sql(sql).fetchall() == [(70_000_000, True, True)] * 3
    url = "'http://h' || repeat('/long_segment', n)"
    sql = f"SELECT len(url_path_prefixes({url})) FROM (VALUES (10), (1000), (100_000)) t(n)"
    assert native.sql(sql).fetchall() == [(10,), (32,), (32,)]
    sql = "SELECT len(url_problems(repeat('<', 300_000))), len(url_query_names('?' || repeat('a&', 300_000)))"
    assert native.sql(sql).fetchall() == [(300_002, 300_000)]


@pytest.mark.parametrize("call, match", [
    ("url_host('a'::BLOB)", "No function matches"),           ("url_redact('a'::BLOB, 'x')", "No function matches"),
    ("url_query_value('a')", "does not support"),             ("url_drop_params('a')", "No function matches"),
    ("bytes_query_value('a'::BLOB, 5)", "not a VARCHAR"),
    ("url_drop_parts('a', 'nope')", "not a part to leave out"),
    ("url_query_values('/?a', 'a', 'a')", "given twice"),     ("url_query_values('/?a', 'a', 'b*')", "pattern"),
    ("url_query_value('/?a', 'a*')", "pattern"),              ("url_query_value(u, 'a*', n) FROM text", "pattern"),
    ("url_blocks('//h/')", "No function matches"),            ("url_blocks('//h/', 'h', 'a/b')", "not a host"),
    ("bytes_allows('//h/'::BLOB, 7)", "not a VARCHAR"),
])  # fmt: skip
def test_wrong_arguments_raise(pair: tuple[Any, Any], call: str, match: str) -> None:
    with pytest.raises(duckdb.Error, match=match):
        pair[0].sql(f"SELECT {call}").fetchall()


def test_without_leave_the_functions_are_python() -> None:
    with connect(config={"allow_unsigned_extensions": "false"}) as made:
        assert not is_native(made)
        assert made.sql("SELECT url_host('//h/')").fetchall() == [("h",)]
    with connect(config={"enable_external_access": "false"}) as made:
        assert made.sql("SELECT url_host('//h/')").fetchall() == [("h",)]


def test_settings_are_of_one_connection() -> None:
    with connect(form="request-target") as made, made.cursor() as other:
        found = made.sql("SELECT url_path('//a/b'), url_drop_params('//a/b?x&y', 'x')").fetchall()
        assert found == [("//a/b", "//a/b?y")]
        register(other)
        assert other.sql("SELECT url_path('//a/b')").fetchall() == [("/b",)]
        create_function(made, "page", "path_template", keep=["2"])
        assert made.sql("SELECT page('//h/2/77')").fetchall() == [("/2/{n}",)]
        register(made)
        assert made.sql("SELECT url_path('//a/b')").fetchall() == [("/b",)]


def test_a_program_without_fasturl_loads_the_extension(tmp_path: Path) -> None:
    code = (
        "import duckdb, sys\n"
        "made = duckdb.connect(config={'allow_unsigned_extensions': 'true'})\n"
        f'made.execute("LOAD {str(extension_path())!r}")\n'
        "found = made.sql(\"SELECT url_host('http://h:80/'), target_path('//a'), url_surt('a.b')\").fetchall()\n"
        "for refused in ('url_surt(\\'\\xe9.b\\')', 'url_canonicalize(\\'a.b\\')', 'url_subdomain(\\'//a.b\\')'):\n"
        "    try:\n"
        "        made.sql(f'SELECT {refused}').fetchall()\n"
        "    except duckdb.Error as error:\n"
        "        assert 'fasturl.engines.duckdb' in str(error), error\n"
        "    else:\n"
        "        raise AssertionError(refused)\n"
        "print(found, 'fasturl' in sys.modules)\n"
    )
    done = subprocess.run([sys.executable, "-I", "-c", code], capture_output=True, text=True, cwd=tmp_path)
    assert done.stdout == "[('h', '//a', 'b,a)/')] False\n", done.stderr


def test_without_the_list_each_function_of_domains_says_what_to_install() -> None:
    code = (
        "import duckdb, sys\n"
        "sys.modules['publicsuffixlist'] = None\n"
        "from fasturl.engines.duckdb import connect, is_native\n"
        "for allowed in ('true', 'false'):\n"
        "    made = connect(config={'allow_unsigned_extensions': allowed})\n"
        "    print(is_native(made), made.sql('SELECT url_host(\\'//h/\\')').fetchall())\n"
        "    try:\n"
        "        made.sql('SELECT url_registrable_domain(\\'//a.b\\')').fetchall()\n"
        "    except duckdb.Error as error:\n"
        "        print('publicsuffixlist' in str(error), '[domains]' in str(error))\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.stdout == "True [('h',)]\nTrue True\nFalse [('h',)]\nTrue True\n", done.stderr
