"""`fasturl parse --keep`: columns and fields of the input are written, whatever the first lines hold."""

import csv
import datetime as dt
import io
import itertools
import json
from decimal import Decimal
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from clihelpers import Run, rows_of_file

from fasturl.logs.formats.jsonlines import KeptFields, load

LONG = 'a name of more than thirty-two bytes, "quoted", caf\xe9'
ROWS = 70_000  # several units and record batches
NAMES = ("id", "input_path", "half", "when", "day", "cost", "list", "thing", "flag", "bytes", "nothing", LONG)
CSV = b'id,url,path,"a ""b""",\n1,http://h/,"",x,1\n2,http://g/caf\xe9\n3,,,,\n4,"http://f/","p,q",caf\xe9,5\n'


def table() -> Any:
    urls = [f"http://h{n}.example/a?b={n}" if n % 5 else None for n in range(ROWS)]
    return pa.table({
        "id": pa.array(range(ROWS), pa.uint32()),               "url": urls,
        "path": pa.array([f"own {n % 3}" for n in range(ROWS)]).dictionary_encode(),
        "half": pa.array([n / 2 if n % 7 else None for n in range(ROWS)]),
        "when": pa.array([1_700_000_000_000 + n for n in range(ROWS)], pa.timestamp("ms", "UTC")),
        "day": pa.array([dt.date(2024, 2, 29)] * ROWS),
        "cost": pa.array([Decimal("12345678901234567890.10")] * ROWS, pa.decimal128(38, 2)),
        "list": pa.array([[n] * (n % 3) for n in range(ROWS)], pa.list_(pa.int64())),
        "thing": pa.array([{"a": n, "b": None} for n in range(ROWS)], pa.struct(
            [("a", pa.int64()), ("b", pa.string())]
        )),
        "flag": pa.array([n % 2 == 0 for n in range(ROWS)]),    "bytes": pa.array([b"a\xff"] * ROWS, pa.binary()),
        "nothing": pa.nulls(ROWS),
        LONG: pa.array(["a text, longer than twelve bytes"] * ROWS, pa.large_string()),
    })  # fmt: skip


@pytest.fixture(scope="module")
def inputs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("inputs")
    made = table()
    pq.write_table(made, folder / "in.parquet", row_group_size=20_000)
    with pa.OSFile(str(folder / "in.arrow"), "wb") as file, pa.ipc.new_file(file, made.schema) as writer:
        writer.write_table(made, max_chunksize=30_000)
    return {path.suffix[1:]: path for path in folder.iterdir()}


@pytest.mark.long
@pytest.mark.parametrize("kind", ["parquet", "arrow"])
def test_tables_keep_their_types(fasturl: Run, inputs: dict[str, Path], tmp_path: Path, kind: str) -> None:
    out = tmp_path / f"out.{kind}"
    ran = fasturl("parse", "-c", "url", "--keep", "*", "-F", "line,host", inputs[kind], "-o", out)
    assert ran.status == 0, ran.err
    found = pq.read_table(out) if kind == "parquet" else pa.ipc.open_file(out).read_all()
    assert found.schema.names == ["line", "host", *NAMES]
    made = table()
    whole = made.filter(made["url"].is_valid())
    for name in NAMES:
        source = whole[name.removeprefix("input_")]
        is_text = pa.types.is_dictionary(source.type) or pa.types.is_large_string(source.type)
        want = pa.string() if is_text else source.type
        assert found[name].type.equals(want) or pa.types.is_nested(want), name
        assert found[name].to_pylist() == source.to_pylist(), name
    assert found["host"].to_pylist() == [f"h{n}.example" for n in range(ROWS) if n % 5]


@pytest.mark.long
def test_values_as_json_and_csv(fasturl: Run, inputs: dict[str, Path]) -> None:
    kept = ("-c", "url", "--keep", "*", "-F", "host", "-q", inputs["parquet"])
    lines = fasturl("parse", *kept).lines
    assert len(lines) == ROWS * 4 // 5
    found = json.loads(lines[10], parse_float=str)
    want = {
        "host": "h13.example", "id": 13, "input_path": "own 1", "half": "6.5", "when": "2023-11-14T22:13:20.013Z",
        "day": "2024-02-29", "cost": "12345678901234567890.10", "list": [13], "thing": {"a": 13, "b": None},
        "flag": False, "bytes": "a%FF", "nothing": None, LONG: "a text, longer than twelve bytes",
    }  # fmt: skip
    assert found == want
    head, *rows = csv.reader(io.StringIO(fasturl("parse", *kept, "--to", "csv").out.decode()))
    assert head == ["host", *NAMES]
    texts = [json.dumps(value, separators=(",", ":")) if isinstance(value, (dict, list, bool)) else str(value or "")
             for value in want.values()]  # fmt: skip
    assert rows[10] == texts


def test_skipped_rows_skip_their_kept_columns(fasturl: Run, tmp_path: Path) -> None:
    path, out = tmp_path / "in.parquet", tmp_path / "out.parquet"
    urls = ["http://h/%zz" if n % 3 else f"http://h/{n}" for n in range(100)]
    pq.write_table(pa.table({"url": urls, "n": range(100)}), path)
    assert fasturl("parse", "-q", "--keep", "n", "--on-error", "skip", path, "-o", out).status == 0
    assert pq.read_table(out)["n"].to_pylist() == [*range(0, 100, 3)]
    rows = fasturl("parse", "-q", "--keep", "n", "--on-error", "skip", "-F", "path", path).rows
    assert rows == [{"path": f"/{n}", "n": n} for n in range(0, 100, 3)]
    pytest.importorskip("duckdb", reason="expressions need duckdb")
    rows = fasturl("parse", "-q", "--keep", "n", "--where", "path = '/42'", "-F", "path", path).rows
    assert rows == [{"path": "/42", "n": 42}]


def test_times_that_no_text_has_are_null(fasturl: Run, tmp_path: Path) -> None:
    """RFC 3339 has the years to 9999, and Python's types have fewer values than Arrow's."""
    big, numbers = pa.array([1 << 62, 0, None]), pa.array([1 << 30, 0, None], pa.int32())
    times = big.view(pa.timestamp("us", "UTC"))
    columns = {
        "url": pa.array(["http://h/"] * 3),                     "seconds": big.view(pa.timestamp("s")),
        "zoned": times,                                         "day": numbers.view(pa.date32()),
        "took": big.view(pa.duration("s")),
        "items": pa.ListArray.from_arrays(pa.array([0, 1, 2, 3], pa.int32()), times),
        "thing": pa.StructArray.from_arrays([big.view(pa.duration("s"))], ["a"]),
        "span": pa.array([pa.MonthDayNano([1, 2, 3_000_000_000]), pa.MonthDayNano([0, 0, 0]), None]),
    }  # fmt: skip
    path, out = tmp_path / "in.arrow", tmp_path / "out.arrow"
    with pa.ipc.new_file(path, pa.table(columns).schema) as writer:
        writer.write_table(pa.table(columns))
    first, second, third = fasturl("parse", "-q", "-c", "url", "--keep", "*", "-F", "line", path).rows
    assert first == {"line": 1} | dict.fromkeys([*columns][1:]) | {"span": "1 months 2 days 00:00:03"}
    epoch = "1970-01-01T00:00:00"
    assert second == {
        "line": 2, "seconds": epoch, "zoned": f"{epoch}.000000Z", "day": "1970-01-01", "took": "00:00:00",
        "items": [f"{epoch}+00:00"], "thing": {"a": "00:00:00"}, "span": "00:00:00",
    }  # fmt: skip
    assert third == {"line": 3} | dict.fromkeys([*columns][1:]) | {"items": [None], "thing": {"a": None}}
    assert (
        fasturl("parse", "-q", "-c", "url", "--keep", "*", "-F", "line", "--to", "csv", path).lines[1][:8]
        == b"1,,,,,,,"
    )
    assert fasturl("parse", "-q", "-c", "url", "--keep", "*", path, "-o", out).status == 0
    assert pa.ipc.open_file(out).read_all()["seconds"].cast(pa.int64()).to_pylist() == big.to_pylist()
    for _ in range(80):
        times = pa.StructArray.from_arrays([times], ["a"])
    pq.write_table(pa.table({"url": columns["url"], "deep": times}), tmp_path / "deep.parquet")
    ran = fasturl("parse", "-q", "-c", "url", "--keep", "deep", tmp_path / "deep.parquet", "-o", out)
    assert ran.status == 2 and "does not fit into arrow" in ran.err and ran.err.count("\n") == 1, ran.err
    for name in ("span", "seconds"):
        ran = fasturl("parse", "-q", "-c", "url", "--keep", name, path, "-o", tmp_path / "out.parquet")
        assert ran.status == 2 and "does not fit into parquet" in ran.err and ran.err.count("\n") == 1, ran.err


def test_keep_writes_columns_of_csv(fasturl: Run) -> None:
    rows = fasturl("parse", "-q", "-c", "url", "--keep", "*", "-F", "line,host", stdin=CSV).rows
    assert rows == [
        {"line": 2, "host": "h", "id": "1", "input_path": "", 'a "b"': "x", "input_": "1"},
        {"line": 3, "host": "g", "id": "2", "input_path": None, 'a "b"': None, "input_": None},
        {"line": 5, "host": "f", "id": "4", "input_path": "p,q", 'a "b"': "caf%E9", "input_": "5"},
    ]
    ran = fasturl("parse", "-q", "-c", "url", "--keep", 'a "b"', "--keep", "1", "-F", "host", "--to", "csv", stdin=CSV)
    assert ran.lines == [b'host,"a ""b""",id', b"h,x,1", b"g,,2", b'f,"caf%E9",4']
    rows = fasturl("parse", "-q", "-n", "-c", "2", "--keep", "3", "-F", "line", stdin=b"a,b,c\n").rows
    assert rows == [{"line": 1, "3": "c"}]
    # A header alone is an empty table.
    found = fasturl("parse", "-q", "-c", "url", "--keep", "id", "-F", "host", "--to", "csv", stdin=b"id,url\n").lines
    assert found == [b"host,id"]


def test_keep_writes_fields_of_json(fasturl: Run, tmp_path: Path) -> None:
    text = (
        b'\n{"u":"http://h/","id":7,"o":{"a":[1.50,"\\udce9"]},"url":"own","s":"x"}\n{"u":"http://g/","id":null,"late":1}\n'
        b'{"u":null,"id":1}\nno json\n{"u":"http://f/","s":"\\ud800","o":true}\n'
    )
    options = ("-q", "--field", "u", "-F", "line,host")
    rows = fasturl("parse", *options, "--keep", "*", stdin=text).rows
    assert rows[0] == {
        "line": 2, "host": "h", "id": "7", "o": '{"a":[1.5,"%E9"]}', "input_url": "own", "s": "x", "late": None,
    }  # fmt: skip
    assert [row["o"] for row in rows] == ['{"a":[1.5,"%E9"]}', None, "true"] and rows[1]["late"] == "1"
    rows = fasturl("parse", *options, "--keep", "o.a", "--invalid-bytes", "surrogate", stdin=text).rows
    assert rows[0]["o.a"] == '[1.5,"\udce9"]' and rows[1]["o.a"] is None
    out = tmp_path / "out.parquet"
    assert fasturl("parse", *options, "--keep", "id", "-o", out, stdin=text).status == 0
    assert pq.read_table(out)["id"].to_pylist() == ["7", None, None]


@pytest.mark.parametrize(
    ("arguments", "text", "said"),
    [
        (["-c", "9" * 5000], CSV, "unknown column '9999"),
        (["-c", "url", "--keep", "nope"], CSV, "unknown column 'nope'; there are: id, url, path"),
        (
            ["--field", "u", "--keep", "nope"],
            b'{"u":"/a","id":1}\n',
            "unknown column 'nope'; there are: u, id",
        ),
        (["--keep", "nope"], b"http://h/\n", "--keep: the format URLS has no further fields"),
        (["--keep", "id", "-g", "{host}"], b"http://h/\n", "--keep"),
    ],
    ids=["digits", "csv", "json", "urls", "template"],
)
def test_keep_refuses_an_unknown_column(fasturl: Run, arguments: list[str], text: bytes, said: str) -> None:
    ran = fasturl("parse", *arguments, stdin=text)
    assert ran.status == 2 and said in ran.err and ran.out == b"" and ran.err.count("\n") == 1
    if arguments[-1] == "nope":
        # The input has no other columns.
        assert fasturl("parse", "-q", *arguments[:-1], "*", stdin=text).status == 0


def test_keep_refuses_a_parquet_file_without_the_column(fasturl: Run, inputs: dict[str, Path]) -> None:
    ran = fasturl("parse", "-c", "url", "--keep", "nope", inputs["parquet"])
    assert ran.status == 2 and "unknown column 'nope'; there are: id, url, path, half" in ran.err


def test_inputs_with_other_kept_columns_are_refused(fasturl: Run, tmp_path: Path) -> None:
    for name, text in (("a.csv", b"url,x\nhttp://h/,1\n"), ("b.csv", b"url,y\nhttp://g/,2\n")):
        (tmp_path / name).write_bytes(text)
    options = ("parse", "-q", "-c", "url", "--keep", "*", "-F", "host", "a.csv", "b.csv")
    assert fasturl(*options, cwd=tmp_path).rows == [{"host": "h", "x": "1"}, {"host": "g", "y": "2"}]
    for kind in ("csv", "parquet"):
        ran = fasturl(*options, "-o", f"o.{kind}", cwd=tmp_path)
        assert ran.status == 2 and "b.csv has other columns than the input before it" in ran.err


def test_secrets_are_hidden_in_kept_columns(fasturl: Run) -> None:
    text = b'url,other\nhttp://h/?token=S3CR3T,"see //me:S3CR3T@h/?a=1&token=S3CR3T, and x"\n'
    ran = fasturl("parse", "-q", "-c", "url", "--keep", "*", "--redact", "token", "-F", "url", stdin=text)
    assert ran.row == {"url": "http://h/?token=***", "other": "see //me:***@h/?a=1&token=*** and x"}


W3C_LOG = (
    b"#Fields: date time cs-method cs-uri-stem cs-uri-query c-ip sc-status sc-substatus time-taken Path\n"
    b"2024-02-29 10:00:00 GET /a - 192.0.2.1 200 0 15 x\n"
    b"#Fields: date time cs-method cs-uri-stem c-ip time-taken sc-status\n2024-02-29 10:00:01 GET /b 192.0.2.1 - 404\n"
)


def test_keep_writes_log_fields_without_a_column(fasturl: Run) -> None:
    rows = fasturl("parse", "-q", "--keep", "*", "-F", "url,status,duration", stdin=W3C_LOG).rows
    assert rows == [
        {"url": "/a", "status": 200, "duration": 0.015, "sc-substatus": "0", "input_path": "x"},
        {"url": "/b", "status": 404, "duration": None, "sc-substatus": None, "input_path": None},
    ]
    caddy = b'{"ts":1,"request":{"uri":"/a","tls":{"version":772}},"status":200,"duration":0.5}\n\ntorn\n'
    keep = ("--keep", "duration", "--keep", "request.tls.version", "-F", "path")
    assert fasturl("parse", "-q", *keep, "--log-format", "CADDY", stdin=caddy).row == {
        "path": "/a", "input_duration": "0.5", "request.tls.version": "772",
    }  # fmt: skip
    ran = fasturl("parse", "-q", *keep, "--map", "target=request.uri", "--rows", "url", stdin=caddy)
    assert ran.row["input_duration"] == "0.5"
    ran = fasturl("parse", "-q", "--keep", "nope", "--log-format", "W3C", stdin=W3C_LOG)
    assert ran.status == 2 and "there are: date, time, cs-method" in ran.err


@pytest.mark.parametrize("kind", ["jsonl", "csv", "parquet"])
def test_names_that_are_not_utf8_are_escaped(fasturl: Run, tmp_path: Path, kind: str) -> None:
    out = tmp_path / f"out.{kind}"
    for text, arguments in (
        (b"caf\xe9,url\nx,http://h/\n", ("-c", "url")),
        (b'{"url":"http://h/","caf\\udce9":"x","\\ud800":null}\n', ("--field", "url")),
    ):
        ran = fasturl("parse", *arguments, "--keep", "*", "-F", "host", "-o", out, stdin=text)
        assert ran.status == 0, ran.err
        held = pq.read_table(out).schema.names if kind == "parquet" else out.read_text()
        assert "caf%E9" in held and ("%ED%A0%80" in held) == ("--field" in arguments)


def test_keep_writes_fields_of_a_custom_log(fasturl: Run) -> None:
    nginx = '$remote_addr "$request" $status $upstream_response_time "$http_user_agent" "$http_x_a" ${pipe}'
    nginx += ' "$http_referer"'
    line = '192.0.2.1 "GET /%d HTTP/1.1" 200 %s "an agent" "say \\"x\\" \\xE9" %s "http://r/?token=a"\n'
    text = (line % (1, "0.1, 0.2", "p") + "torn\n" + line % (2, "-", ".")).encode()
    rows = fasturl("parse", "-q", "--keep", "*", "-F", "path,agent", "--format", nginx, stdin=text).rows
    same = {"agent": "an agent", "http_x_a": 'say "x" %E9'}
    assert rows == [
        {"path": "/1", **same, "upstream_response_time": "0.1, 0.2", "pipe": "p"},
        {"path": "/2", **same, "upstream_response_time": None, "pipe": "."},
    ]
    urls = fasturl("parse", "-q", "--keep", "pipe", "--rows", "url", "-F", "url", "--format", nginx, stdin=text).rows
    referer = "http://r/?token=a"
    assert urls == [{"url": url, "pipe": pipe} for n, pipe in ((1, "p"), (2, ".")) for url in (f"/{n}", referer)]
    ran = fasturl("parse", "--keep", "nope", "--format", nginx, stdin=text)
    assert ran.status == 2 and "there are: upstream_response_time, http_x_a, pipe" in ran.err
    apache = ("parse", "-q", "-F", "path", "--format", '%h "%r" %D')
    assert fasturl(*apache, "--keep", "%D", stdin=b'h "GET /a HTTP/1.1" 15\n').row == {"path": "/a", "%D": "15"}
    # The fields of a line inside an object are those of the line.
    wrapped = b'no\n{"log":"h \\"GET /a HTTP/1.1\\" 15\\n","stream":"x"}\n'
    assert fasturl(*apache, "--map", "line=log", "--keep", "*", stdin=wrapped).row == {"path": "/a", "%D": "15"}


OBJECT = b'{"u":"http://h/a","x":1,"y":"b"}\n'
FIRST = {
    "none": b"", "long": b"z" * (1 << 20) + b"\n", "many": (b"z" * 300 + b"\n") * 900, "empty": b"\n",
    "empties": b"\n" * 200_000, "NULs": bytes(300_000) + b"\n", "too long": b"z" * (3 << 20) + b"\n",
    "an array": b"[" + b"1," * 200_000 + b"1]\n", "a scalar": b"1" * 200_000 + b"\n",
    "a string": b'"' + b"s" * 200_000 + b'"\n', "deep": b"[" * 300_000 + b"\n",
    "deep objects": b'{"x":' * 100_000 + b"\n", "torn": b'{"u":"' + b"a" * 200_000 + b"\n",
    "no UTF-8": b"\xff\xe9" * 100_000 + b"\n", "null": (b"null" + b" " * 300 + b"\n") * 900,
    "returns": (b"a" * 300 + b"\r") * 900 + b"\n",
}  # fmt: skip
LINES = {"many": 900, "null": 900, "empties": 200_000, "none": 0}
ARGUMENTS = {"field": ["--field", "u"], "map": ["--map", "target=u"]}


def counted(err: str) -> tuple[int, int, int, int]:
    """Return lines, URLs, rejects and empty lines from the line of counts."""
    words = err.splitlines()[0].replace(",", "").replace(":", "").replace(";", "").split()
    return int(words[0]), int(words[2]), int(words[8]), int(words[11])


@pytest.mark.long
@pytest.mark.parametrize("kind", ["jsonl", "csv", "parquet", "arrow"])
@pytest.mark.parametrize("how", ARGUMENTS)
def test_any_first_line_is_a_reject(fasturl: Run, tmp_path: Path, kind: str, how: str) -> None:
    for name, first in FIRST.items():
        source, out, rejects = tmp_path / "log", tmp_path / f"out.{kind}", tmp_path / "rejects"
        source.write_bytes(first + OBJECT * 3)
        options = ("--keep", "*", "--max-line", "2M", "-F", "line,host", "-o", out, "--rejects", rejects)
        ran = fasturl("parse", *ARGUMENTS[how], *options, source)
        assert ran.status == 0, (name, ran.err)
        lines, urls, bad, empty = counted(ran.err)
        assert urls == 3 and lines == urls + bad + empty, (name, ran.err)
        rows = rows_of_file(out)
        want = {"host": "h", "x": "1", "y": "b", **({"u": "http://h/a"} if how == "map" else {})}
        assert [{key: str(value) for key, value in row.items() if key != "line"} for row in rows] == [want] * 3, name
        assert lines >= LINES.get(name, 1) + 3
        assert rejects.read_bytes().count(b"\n") >= bad


@pytest.mark.long
@pytest.mark.parametrize("kind", ["csv", "parquet"])
def test_an_input_without_records_names_no_columns(fasturl: Run, tmp_path: Path, kind: str) -> None:
    files = {"nothing": b"", "good": OBJECT, "empty": b"\n", "empties": b"\r\n\n\n"}
    files["null"] = b'{"u":null,"x":1,"y":"b"}\n'
    for name, data in files.items():
        (tmp_path / name).write_bytes(data)
    out = tmp_path / f"out.{kind}"
    for order in itertools.permutations(files, 3):
        ran = fasturl("parse", "-q", "--field", "u", "--keep", "*", "-F", "host", *order, "-o", out, cwd=tmp_path)
        assert ran.status == 0, (order, ran.err)
        rows = rows_of_file(out)
        assert rows == ([{"host": "h", "x": "1", "y": "b"}] if "good" in order else []), order


def test_an_input_without_records_is_an_empty_table(fasturl: Run) -> None:
    ran = fasturl("parse", "-q", "--map", "target=u", "--keep", "*", "--to", "csv", stdin=b"\n")
    want = fasturl("parse", "-q", "--map", "target=u", "--to", "csv", stdin=b"\n")
    assert ran.status == 0 and ran.out == want.out and b",status," in ran.out


@pytest.mark.parametrize(
    "first", [b"", b"\n", b"\n" * 200_000, b"\r\n" * 100_000, b"z" * (3 << 20) + b"\n", b"\xef\xbb\xbf"], ids=repr
)
def test_keep_reads_a_late_csv_header(fasturl: Run, first: bytes) -> None:
    data = first + b"u,x\nhttp://h/,1\n"
    if len(first) == 3 << 20 | 1:
        data = first + data[len(first) :]
    ran = fasturl(*("parse", "-c", "u", "--keep", "*", "-F", "host", "--to", "csv", "--max-line", "2M"), stdin=data)
    assert (ran.status, ran.out) == (0, b"host,x\nh,1\n"), ran.err


def test_keep_reads_late_w3c_fields(fasturl: Run) -> None:
    data = b"z" * 300_000 + b"\n#Fields: cs-uri sc-status x-own\nhttp://h/ 200 a\n"
    ran = fasturl("parse", "--log-format", "W3C", "--keep", "*", "-F", "host", "--to", "csv", stdin=data)
    assert (ran.status, ran.out) == (0, b"host,x-own\nh,a\n"), ran.err


def test_objects_too_deep_to_write_are_rejects(fasturl: Run) -> None:
    """json reads deeper values than it can write."""
    depths = [*range(1, 1200, 7), 3000, 9990, 20_000, 50_000]
    data = b"".join(b'{"u":"http://h/%d","x":%s1%s}\n' % (n, b"[" * n, b"]" * n) for n in depths)
    for how in ARGUMENTS.values():
        ran = fasturl("parse", *how, "--allow-rejects", "--keep", "*", "-F", "url", stdin=data)
        assert ran.status == 0, ran.err
        lines, urls, bad, empty = counted(ran.err)
        assert (lines, empty) == (len(depths), 0) and urls + bad == lines and urls > 20 and bad > 0


def test_a_value_that_json_reads_and_cannot_write_is_null() -> None:
    fields = KeptFields(("x",), None)
    entries = [load(b'{"x":%s%s}' % (b"[" * depth, b"]" * depth)) for depth in range(1, 1200)]
    assert fields.of(entries)

    def deeper(frames: int) -> list[tuple[bytes | None, ...]]:
        return deeper(frames - 1) if frames else [fields.values(entry) for entry in entries]

    written = [value for (value,) in deeper(40)]
    there = [value for value in written if value]
    assert there[0] == b"[]" and there == written[: len(there)]


@pytest.mark.parametrize("how", [["--field", "u"], ["--column", "u"]])
def test_very_many_columns_are_kept_in_one_pass(fasturl: Run, how: list[str]) -> None:
    count = 30_000
    names = [f"n{number}" for number in range(count)]
    if how[0] == "--field":
        data = json.dumps({"u": "http://h/", **dict.fromkeys(names, 1)}).encode()
    else:
        data = (",".join(["u", *names]) + "\n" + ",".join(["http://h/", *["1"] * count])).encode()
    ran = fasturl("parse", "-q", *how, "--keep", "*", "-F", "host", stdin=data)
    assert len(ran.row) == count + 1
