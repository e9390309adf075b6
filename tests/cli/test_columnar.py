"""All outputs hold the values of the library, for any input and any number of threads."""

import csv
import io
import json
import os
import random
import re
import struct
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import slowlog
from clihelpers import COLUMNS, Make, Run, parts_by_the_library, peak_memory, rows_of_file

from fasturl.cli.outputs.tablefiles import Footer, split_part

PIECES = [b"http://", b"/", b"?", b"#", b"%", b"%41", b"%0a", b"@", b":80", b":99999", b"[::1]", b"\xe9", b"\xc3\xa9",
          b"\xff\xfe"]  # fmt: skip
PIECES += [b"\\x16", b'\\"', b" ", b'"', b"\t", b"\x00", b"a" * 30, b"host.example", b"HTTP/1.1", b"ftp:", b"mailto:",
           b"-", b"\\"]  # fmt: skip
Record = tuple[int, str, bytes, str, dict[str, Any]]  # line, field, URL, form, details
TEXTS = ["http://a/", "http://bb/", "http://a-longer.example/path"]


def hostile(rng: random.Random, most: int = 8) -> bytes:
    return b"".join(rng.choices(PIECES, k=rng.randrange(most)))


def log_lines(count: int, seed: int, *, vhost: bool = False, combined: bool = True) -> list[bytes]:
    rng = random.Random(seed)
    lines = []
    for n in range(count):
        kind = rng.randrange(12)
        target = b"/plain/%d?n=%d" % (n % 700, n) if kind < 8 else hostile(rng)
        user = rng.choice([b"-", b"-", b"ann", b"two words", b"\xe9\\xe9"])
        times = [b"17/May/2015:10:05:%02d +0000" % (n % 60), b"7/may/2015:10:05:03", b"31/Foo/2015:10:05:03 +0000"]
        when = rng.choice(times)
        status = rng.choice([b"200", b"404", b"-"])
        size = rng.choice([b"0", b"-", b"123456789012345678", b"99999999999999999999"])
        line = b'192.0.2.%d - %s [%s] "GET %s HTTP/1.1" %s %s' % (n % 250, user, when, target, status, size)
        if vhost:
            line = b"www.example:443 " + line
        if combined:
            referer = rng.choice([b"-", b"", b"http://r.example/?q=%d" % n, hostile(rng)])
            line += b' "%s" "%s"' % (referer, rng.choice([b"-", b"A\xe9", b"B/1.0 (x)"]))
        if kind == 9:
            line = line[: rng.randrange(len(line))]
        lines.append(line.replace(b"\n", b""))
    return lines


def as_text(value: Any) -> Any:
    """Replace each byte that is not UTF-8 by its escape, as tables do."""
    if isinstance(value, str):
        return re.sub("[\udc80-\udcff]", lambda found: f"%{ord(found[0]) - 0xDC00:02X}", value)
    return value


def records_of_log(name: str, data: bytes) -> Iterator[Record]:
    for number, line in enumerate(data.split(b"\n"), 1):
        for row in slowlog.rows(name, line.removesuffix(b"\r")) or []:
            url, referer = row.pop("url"), row.pop("referer")
            if url is None:
                continue
            details = {name: row[name] for name in slowlog.DETAILS}
            yield number, *(("referer", url, "url") if referer else ("target", url, "request-target")), details


def records_of_urls(data: bytes, *, form: str = "url", field: str = "url", first: int = 1) -> Iterator[Record]:
    for number, url in enumerate(data.split(b"\n"), first):
        if url:
            yield number, field, url, form, {}


def records_of_w3c() -> Iterator[Record]:
    more = ("duration", "request_length", "forwarded", "request_id", "cache_status")
    details = {**dict.fromkeys((*slowlog.DETAILS, *more)), "status": 200}
    for number in range(2, 6001, 2):
        yield number, "target", b"/caf\xe9", "request-target", details
        yield number, "referer", b"http://r/?%41", "url", details


def rows_by_the_library(source: Path, records: Iterable[Record]) -> list[dict[str, Any]]:
    """Return the expected JSON lines of records that the test has read by itself."""
    found = []
    for number, field, url, form, details in records:
        row = {"file": str(source), "line": number, "field": field}
        for name, value in {**parts_by_the_library(url, form), **details}.items():
            row[name] = value.decode("utf-8", "surrogateescape") if isinstance(value, bytes) else value
        found.append({name: row[name] for name in (*COLUMNS, *details)})
    return found


def as_csv(value: Any) -> str:
    if isinstance(value, list):
        return "|".join(value)
    if value is None or isinstance(value, bool):
        return {None: "", True: "true", False: "false"}[value]
    return str(value)


URLS = b"\n".join(hostile(random.Random(9)).replace(b"\n", b"") for _ in range(9000))
COMBINED = b"\n".join(log_lines(9000, 11))
VCOMMON = b"\r\n".join(log_lines(900, 12, vhost=True, combined=False))
INPUTS: dict[str, tuple[bytes, list[str], Iterable[Record]]] = {
    "COMBINED": (COMBINED, ["--log-format", "COMBINED", "--rows=url"], records_of_log("COMBINED", COMBINED)),
    "VCOMMON": (VCOMMON, ["--rows=url"], records_of_log("VCOMMON", VCOMMON)),
    "URLS": (URLS, ["--log-format", "URLS"], records_of_urls(URLS)),
    "targets": (URLS, ["--form", "request-target"], records_of_urls(URLS, form="request-target")),
    "CSV": (b"u\n" + b"\n".join(b'"%s"' % url.replace(b'"', b'""') for url in URLS.split(b"\n")),
            ["--column", "u"],
            records_of_urls(URLS, field="u", first=2)),
    "W3C": (b"#Fields: cs-uri-stem cs(Referer) sc-status\n" + b"/caf\xe9 http://r/?%41 200\n- - 404\n" * 3000,
            ["--rows=url"], records_of_w3c()),
}  # fmt: skip


@pytest.mark.long
@pytest.mark.parametrize("name", INPUTS)
def test_text_matches_the_library(fasturl: Run, tmp_path: Path, name: str) -> None:
    data, options, records = INPUTS[name]
    source = tmp_path / "input"
    source.write_bytes(data)
    expected = rows_by_the_library(source, records)
    assert len(expected) > 700
    for threads in ("1", "3"):
        ran = fasturl("parse", "--invalid-bytes=surrogate", source, "--threads", threads, *options)
        assert ran.status == 0 and ran.rows == expected
    ran = fasturl("parse", "--invalid-bytes=surrogate", source, "--to", "csv", *options)
    table = ran.out.decode("utf-8", "surrogateescape")
    header, *rows = csv.reader(io.StringIO(table, newline=""))
    assert header == list(expected[0])
    assert rows == [[as_csv(value) for value in row.values()] for row in expected]


def check(fasturl: Run, tmp_path: Path, data: bytes, *options: str, kind: str = "parquet") -> None:
    """Check that JSON lines and a table have the same rows, counts, rejects and status."""
    source, out = tmp_path / "input", tmp_path / f"out.{kind}"
    source.write_bytes(data)
    by_rows = fasturl("parse", source, "--rejects", tmp_path / "rejects1", *options)
    expected = [{name: as_text(value) for name, value in row.items()} for row in by_rows.rows]
    for row in expected:
        if (row.get("size") or 0) >= 1 << 64:  # no column of numbers can hold it
            row["size"] = None
        if "time" in row:
            row["time"] = slowlog.moment(row["time"])
    for threads in ("1", "3"):
        written = ("--rejects", tmp_path / "rejects2", "-o", out, "--threads", threads)
        by_columns = fasturl("parse", source, *written, *options)
        assert (by_columns.status, by_columns.err) == (by_rows.status, by_rows.err)
        assert rows_of_file(out) == expected
        assert (tmp_path / "rejects1").read_bytes() == (tmp_path / "rejects2").read_bytes()


@pytest.mark.parametrize("kind", ["parquet", "arrow"])
@pytest.mark.parametrize("name", ["COMBINED", "VCOMBINED", "COMMON", "VCOMMON"])
def test_tables_of_logs_match_text(fasturl: Run, tmp_path: Path, name: str, kind: str) -> None:
    lines = log_lines(3000, 1, vhost=name.startswith("V"), combined="COMBINED" in name)
    check(fasturl, tmp_path, b"\n".join(lines), "--log-format", name, kind=kind)


@pytest.mark.long
def test_tables_match_text_over_several_units_and_groups(fasturl: Run, tmp_path: Path) -> None:
    data = b"\xef\xbb\xbf" + b"\r\n".join(log_lines(3000, 2) * 60) + b"\r\n"
    check(fasturl, tmp_path, data, "-F", "line,url,host,findings,status,size")
    assert pq.ParquetFile(tmp_path / "out.parquet").num_row_groups > 1


@pytest.mark.parametrize(
    "options",
    [(), ("--form", "request-target"), ("--on-error", "skip"), ("-F", "valid_rfc1738"), ("-F", "agent,findings,file")],
)
def test_tables_of_url_lists_match_text(fasturl: Run, tmp_path: Path, options: tuple[str, ...]) -> None:
    rng = random.Random(3)
    data = b"\n".join(hostile(rng).replace(b"\n", b"") for _ in range(3000))
    check(fasturl, tmp_path, data, *(("--log-format", "URLS") if "--form" not in options else ()), *options)


def test_tables_match_text_for_formats_with_state(fasturl: Run, tmp_path: Path) -> None:
    rng = random.Random(4)
    urls = [hostile(rng).replace(b"\n", b"") for _ in range(3000)]
    table = b"id,url\n" + b"\n".join(b'%d,"%s"' % (n, url.replace(b'"', b'""')) for n, url in enumerate(urls))
    check(fasturl, tmp_path, table, "--column", "url")
    objects = [json.dumps({"u": url.decode("utf-8", "surrogateescape")}).encode() for url in urls]
    check(fasturl, tmp_path, b"\n".join([*objects, b"torn {", b'{"u":null}']), "--field", "u")
    w3c = [b"#Fields: date time cs-uri-stem cs-uri-query sc-status", b"2015-01-01 10:00:00 /caf\xe9 a=b 200"]
    check(fasturl, tmp_path, b"\n".join([*w3c, b"torn", b""] * 50))
    request = '{"ts": 1.5, "request": {"uri": "/a", "method": "GET"}, "status": %d}\n'
    (tmp_path / "caddy").write_text("".join(request % status for status in (200, 70000, 1 << 62)))
    options = ("-q", "--allow-rejects", "-o", tmp_path / "out.parquet")
    assert fasturl("parse", *options, tmp_path / "caddy").status == 0
    assert pq.read_table(tmp_path / "out.parquet")["status"].to_pylist() == [200]


@pytest.mark.parametrize("first_bad", [0, 1, 7])
@pytest.mark.parametrize("options", [("--on-error", "fail"), ("--verify",)])
def test_text_and_tables_end_at_the_same_place(
    fasturl: Run, make_clf: Make, tmp_path: Path, options: tuple[str, ...], first_bad: int
) -> None:
    source = tmp_path / "input"
    source.write_bytes(b"\n".join([make_clf()] * first_bad + log_lines(500, 5)))
    ran = [fasturl("parse", source, "--rejects", tmp_path / f"rejects{n}", *options, "-o", tmp_path / out)
           for n, out in enumerate(("a.jsonl", "a.parquet"))]  # fmt: skip
    assert ran[0].status == ran[1].status == 1
    said = [re.sub("cut short at [^ ]+", "", one.err.replace("a.jsonl", "")).splitlines()[-2:] for one in ran]
    assert said[0] == said[1]
    kept = [(tmp_path / f"rejects{n}{'' if options == ('--verify',) else '.part'}") for n in (0, 1)]
    first, second = (path.read_bytes() if path.exists() else None for path in kept)
    assert first == second
    assert (tmp_path / "a.parquet").exists() == (options == ("--verify",))


@pytest.mark.parametrize("suffix", ["parquet", "arrow"])
@pytest.mark.parametrize(
    "kind", [pa.binary(), pa.large_binary(), pa.binary_view(), pa.dictionary(pa.int32(), pa.binary())]
)
def test_a_column_of_a_table_is_read(fasturl: Run, tmp_path: Path, suffix: str, kind: pa.DataType) -> None:
    rng = random.Random(6)
    urls = [None if n % 50 == 0 else hostile(rng) for n in range(2000)]
    array = pa.array(urls, pa.binary())
    array = array.dictionary_encode() if pa.types.is_dictionary(kind) else array.cast(kind)
    table = pa.table({"n": range(len(urls)), "u": array})
    source = tmp_path / f"in.{suffix}"
    if suffix == "parquet":
        try:
            pq.write_table(table, source, row_group_size=300)
        except pa.ArrowNotImplementedError as error:
            pytest.skip(f"this pyarrow writes no such column: {error}")
    else:
        with pa.ipc.new_file(str(source), table.schema) as writer:
            writer.write_table(table, max_chunksize=300)
    by_rows = fasturl("parse", "--invalid-bytes=surrogate", source, "--column", "u")
    assert [row["line"] for row in by_rows.rows] == [n for n, url in enumerate(urls, 1) if url is not None]
    found = [row["url"].encode("utf-8", "surrogateescape") for row in by_rows.rows]
    assert found == [url for url in urls if url is not None]
    out = tmp_path / "out.parquet"
    by_columns = fasturl("parse", source, "--column", "2", "-o", out)
    assert by_columns.err == by_rows.err and "40 empty" in by_rows.err
    expected = [{name: as_text(value) for name, value in row.items()} for row in by_rows.rows]
    for row in expected:
        row["field"] = "2"
    assert rows_of_file(out) == expected
    assert fasturl("check", "-q", "--first", source, "--column", "u").status == 1


def ipc_file(array: pa.Array) -> bytes:
    out = pa.BufferOutputStream()
    with pa.ipc.new_file(out, pa.schema([("u", array.type)])) as writer:
        writer.write_batch(pa.record_batch([array], names=["u"]))
    return bytes(out.getvalue().to_pybytes())


@pytest.mark.parametrize("command", ["parse", "stats", "check"])
@pytest.mark.parametrize("wrong", [1 << 30, 3000, -5, 0x7FFFFFFF])
@pytest.mark.parametrize(("kind", "of_what"), [
    (pa.string(), "offset"),                                  (pa.binary(), "offset"),
    (pa.large_string(), "offset"),                            (pa.string_view(), "view"),
    (pa.binary_view(), "view"),                               (pa.dictionary(pa.int32(), pa.string()), "index"),
    (pa.dictionary(pa.int32(), pa.string()), "offset"),
])  # fmt: skip
def test_a_damaged_arrow_file_is_an_error(
    fasturl: Run, tmp_path: Path, kind: pa.DataType, of_what: str, wrong: int, command: str
) -> None:
    """Patch an offset, an offset of a view or an index: any wrong value is an error."""
    array = pa.array(TEXTS, pa.string())
    array = array.dictionary_encode() if pa.types.is_dictionary(kind) else array.cast(kind)
    data = ipc_file(array)
    if of_what == "index":
        good, bad = struct.pack("=3i", 0, 1, 2), struct.pack("=3i", 0, wrong, 2)
    elif of_what == "view":
        good, bad = struct.pack("=i4sii", 28, b"http", 0, 19), struct.pack("=i4sii", 28, b"http", 0, wrong)
    else:
        width = "=3q" if kind == pa.large_string() else "=3i"
        good, bad = struct.pack(width, 0, 9, 19), struct.pack(width, 0, wrong, 19)
    assert data.count(good) == 1
    source = tmp_path / "e.arrow"
    source.write_bytes(data.replace(good, bad))
    ran = fasturl(command, "-q", "-c", "u", source)
    assert ran.status == 2 and ran.err.startswith(f"fasturl: cannot read {source}: ") and ran.err.count("\n") == 1
    assert b"http" not in ran.out
    source.write_bytes(data)
    assert fasturl("parse", "-q", "-c", "u", "-g", "{:url}", source).out.decode().split() == TEXTS


def test_bytes_that_are_not_utf8_are_read(fasturl: Run, tmp_path: Path) -> None:
    buffers = [None, pa.py_buffer(struct.pack("=2i", 0, 10)), pa.py_buffer(b"http://h/\xe9")]
    bad = pa.Array.from_buffers(pa.string(), 1, buffers)
    (tmp_path / "in.arrow").write_bytes(ipc_file(bad))
    ran = fasturl("parse", "-q", "-c", "u", "-F", "url", tmp_path / "in.arrow")
    assert ran.rows == [{"url": "http://h/%E9"}]


def test_unsuitable_tables_are_refused(fasturl: Run, tmp_path: Path) -> None:
    source = tmp_path / "in.parquet"
    pq.write_table(pa.table({"n": [1], "u": ["http://h/"]}), source)
    digits = "9" * 5000
    for column, said in (
        ("no", "unknown column 'no'"),
        ("n", "has the type int64, not text"),
        (digits, "unknown column '9"),
    ):
        ran = fasturl("parse", source, "--column", column)
        assert ran.status == 2 and said in ran.err and ran.err.count("\n") == 1
    data = source.read_bytes()
    source.write_bytes(data[: len(data) // 2])
    ran = fasturl("parse", "-q", source, "--column", "u", "-o", tmp_path / "out.jsonl")
    assert ran.status == 2 and "cannot read" in ran.err and ran.err.count("\n") == 1


def test_other_readers_open_the_parquet_file(fasturl: Run, tmp_path: Path) -> None:
    duckdb = pytest.importorskip("duckdb")
    out = tmp_path / "out.parquet"
    (tmp_path / "in").write_bytes(b"\n".join(log_lines(3000, 7) * 60))
    assert fasturl("parse", "-q", tmp_path / "in", "-o", out).status == 0
    assert pq.ParquetFile(out).num_row_groups > 1
    names = "line, url, findings, status, valid_rfc1738, port"
    theirs = duckdb.sql(f"select {names} from read_parquet('{out}')").fetchall()
    ours = pq.read_table(out, columns=names.split(", "))
    assert theirs == [tuple(row.values()) for row in ours.to_pylist()]


def test_a_footer_survives_reading_and_writing() -> None:
    table = pa.table({"a": ["x", None, "y" * 100], "b": [[1.5], [], None], "c": [True, None, False]})
    sink = pa.BufferOutputStream()
    pq.write_table(table, sink, write_page_index=True, row_group_size=2)
    body, data = split_part(sink.getvalue())
    footer = Footer()
    footer.add(data, 4)
    again = b"PAR1" + bytes(body) + footer.to_bytes()
    assert pq.read_table(pa.BufferReader(again)).equals(table)
    assert pq.read_metadata(pa.BufferReader(again)).row_group(1).column(0).statistics.null_count == 0
    footer.add(data, 4 + len(body))
    twice = b"PAR1" + bytes(body) * 2 + footer.to_bytes()
    assert pq.read_table(pa.BufferReader(twice)).equals(pa.concat_tables([table, table]))
    for broken in (b"", b"PAR1PAR1", b"x" * 40):
        with pytest.raises(ValueError):
            split_part(broken)


@pytest.mark.long
def test_memory_does_not_grow_with_the_file(tmp_path: Path) -> None:
    lines = b"\n".join(log_lines(50000, 8)) + b"\n"
    peaks = []
    for times in (4, 16):
        (tmp_path / "in").write_bytes(lines * times)
        arguments = ["parse", "-q", str(tmp_path / "in"), "-o", str(tmp_path / "out.parquet"), "--threads", "2"]
        peak, _, status = peak_memory(arguments, lambda stdin: None)
        assert status == 0
        peaks.append(peak)
        os.remove(tmp_path / "out.parquet")
    assert peaks[1] < peaks[0] * 1.25, peaks
