"""Formats and files of `fasturl parse` outputs, and its templates."""

import csv
import gzip
import io
import json
import os
import random
import re
import stat
from datetime import datetime
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as parquet
import pytest
from clihelpers import Make, Run, rows_of_file

from fasturl import _columns, logs
from fasturl.cli.failure import Failure
from fasturl.cli.outputs.template import Template

BYTES = b'http://a/\nhttp://u:p@h:81/caf\xe9?q#f\n/x,"y"\nhttp://h/caf\xc3\xa9%zz\n'
URLS = b"http://h/a\nhttps://h:8443/\nftp://h:x/\nxyz://h/\n/path?k=\nnews:a\n"


def test_a_file_appears_complete(fasturl: Run, tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"
    ran = fasturl("parse", "-o", out, stdin=BYTES)
    assert ran.status == 0 and ran.out == b""
    assert out.read_bytes() == fasturl("parse", "-o", "-", stdin=BYTES).out
    assert os.listdir(tmp_path) == ["out.jsonl"]


@pytest.mark.skipif(os.name != "posix", reason="permissions and links of POSIX")
def test_a_file_keeps_its_permissions_and_its_link(fasturl: Run, tmp_path: Path) -> None:
    out, link = tmp_path / "out.csv", tmp_path / "link.csv"
    fasturl("parse", "-o", out, stdin=BYTES)
    umask = os.umask(0)
    os.umask(umask)
    assert stat.S_IMODE(out.stat().st_mode) == 0o666 & ~umask
    out.chmod(0o640)
    link.symlink_to(out)
    fasturl("parse", "-F", "host", "-o", link, stdin=BYTES)
    assert link.is_symlink() and out.read_bytes().startswith(b"host\n")
    assert stat.S_IMODE(out.stat().st_mode) == 0o640


def test_the_suffix_names_the_format(fasturl: Run, tmp_path: Path) -> None:
    csv, other = tmp_path / "out.CSV", tmp_path / "out"
    fasturl("parse", "-F", "host", "-o", csv, stdin=BYTES)
    fasturl("parse", "-F", "host", "-o", other, stdin=BYTES)
    assert csv.read_bytes() == b"host\na\nh\n\nh\n"
    assert other.read_bytes().startswith(b'{"host":')


def test_no_input_is_an_empty_table(fasturl: Run) -> None:
    assert fasturl("parse", stdin=b"").out == b""
    assert fasturl("parse", "--to", "csv", "-F", "host,port", stdin=b"").out == b"host,port\n"
    header = fasturl("parse", "--to", "csv", stdin=b"\n\n").out
    assert header.startswith(b"file,line,field,url,") and header.count(b"\n") == 1


@pytest.mark.skipif(not os.path.exists("/dev/null"), reason="no /dev/null here")
def test_devices_are_written_to_and_not_replaced(fasturl: Run) -> None:
    assert fasturl("parse", "-o", "/dev/null", stdin=BYTES).status == 0
    assert stat.S_ISCHR(os.stat("/dev/null").st_mode)


@pytest.mark.parametrize("kind", ["parquet", "arrow"])
def test_columnar_files_hold_the_rows(fasturl: Run, make_clf: Make, tmp_path: Path, kind: str) -> None:
    out = tmp_path / f"out.{kind}"
    log = make_clf(b"GET /a HTTP/1.1", b"http://r:81/?") + b"\n" + make_clf(b"caf\xe9", size=b"-") + b"\n"
    for stdin in (BYTES, log, b""):
        ran = fasturl("parse", "-o", out, stdin=stdin)
        assert ran.status == 0, ran.err
        expected = fasturl("parse", stdin=stdin).rows
        for row in expected:
            if "time" in row:
                row["time"] = datetime.fromisoformat(row["time"])
        assert rows_of_file(out) == expected
    assert os.listdir(tmp_path) == [out.name]
    assert fasturl("parse", "-o", tmp_path / "no" / "out", "--to", kind, stdin=BYTES).status == 2


def test_failed_columnar_files_are_removed(fasturl: Run, tmp_path: Path) -> None:
    """A part of a Parquet file cannot be read."""
    ran = fasturl("parse", "-o", tmp_path / "out.parquet", "--on-error", "fail", stdin=BYTES)
    assert ran.status == 1 and os.listdir(tmp_path) == []


def test_columnar_files_hold_many_rows(fasturl: Run, tmp_path: Path) -> None:
    out = tmp_path / "out.parquet"
    count = 150000
    fasturl("parse", "-q", "-F", "line,url", "-o", out, stdin=b"".join(b"/%d\n" % n for n in range(count)))
    table = parquet.read_table(out)
    assert table["url"].to_pylist() == [f"/{n}" for n in range(count)]
    assert parquet.ParquetFile(out).num_row_groups == 2


@pytest.mark.parametrize(("template", "line"), [
    ("{host} {port}", b"h 81"),                               ("{scheme}://{user}:{password}@{host}", b"http://u:p@h"),
    ("{url}", b"http://u:p@h:81/a%20b%0d?k=v+w%21&%6b2=&k=2#f"),
    ("{path}|{:path}", b"/a b%0d|/a%20b%0d"),                 ("{query}", b"k=v+w!&k2=&k=2"),
    ("{query:k}|{:query:k}|{query:k2}|{query:none}", b"v w!|v+w%21||"),
    ("{fragment}{status}", b"f"),                             (r"a\tb\\{{x}}", b"a\tb\\{x}"),
    ("{findings}", b"FRAGMENT|LOGIN|PASSWORD|NONDEFAULT_PORT|RESERVED_PORT|ENCODED_CONTROL"),
    ("{valid_rfc1738} {error_offset} {line}", b"false 7 1"),  ("", b""),
    ("caf\udce9", b"caf%E9"),
    (r"{method} {status}\t{client} {path}", b"GET 200\t192.0.2.7 /A"),
])  # fmt: skip
def test_templates_write_their_fields(fasturl: Run, make_clf: Make, template: str, line: bytes) -> None:
    url = b"http://u:p@h:81/a%20b%0d?k=v+w%21&%6b2=&k=2#f\n"
    data = make_clf(b"GET /%41 HTTP/1.1") if "{method}" in template else url
    ran = fasturl("parse", "-q", "--get", os.fsencode(template), stdin=data)
    assert (ran.status, ran.out, ran.err) == (0, line + b"\n", "")


# Sequences at the limits of UTF-8, truncated and joined, and lengths at which the copy loop changes.
PIECES = [bytes((byte,)) for byte in range(256)]
PIECES += [
    chr(code).encode("utf-8", "surrogatepass")
    for code in (0x7F, 0x80, 0x7FF, 0x800, 0xD7FF, 0xD800, 0xDFFF, 0xE000, 0xFFFF, 0x10000, 0x10FFFF)
]
PIECES += [b"\xc0\x80", b"\xc1\xbf", b"\xe0\x9f\xbf", b"\xf0\x8f\xbf\xbf", b"\xf4\x90\x80\x80"]
PIECES += [b"plain text ", b"a" * 7, b"b" * 8, b"c" * 15, b"d" * 16, b"e" * 17, b"f" * 33]


def texts(count: int) -> list[bytes]:
    choose = random.Random(7)
    return [b"".join(choose.choices(PIECES, k=choose.randrange(12))) for _ in range(count)]


def test_json_strings_match_the_standard_library(tries: int) -> None:
    for text in texts(tries):
        # Unlike the standard library, DEL is escaped.
        expected = json.dumps(text.decode("utf-8", "surrogateescape")).replace("\x7f", "\\u007f")
        assert _columns.value(text) == expected.encode()


def test_csv_values_are_read_back_by_the_standard_library(tries: int) -> None:
    values = texts(tries // 4)
    lines = b"".join(b"x," + _columns.value(text, csv=True) + b",\n" for text in values)
    read = csv.reader(io.StringIO(lines.decode("latin-1"), newline=""))
    assert [row[1].encode("latin-1") for row in read] == values
    assert _columns.value(b"", csv=True) == b'""' and _columns.value(b"a", csv=True) == b"a"


# Columns of each kind, with and without nulls.
COLUMNS: dict[str, Any] = {
    "texts": pa.array([b"", None, b"twelve bytes", b"thirteen byte", b'a"\xff'] * 2, pa.binary_view()),
    "bits": pa.array([True, False, None, True, False] * 2),
    "int16": pa.array([0, -(1 << 15), (1 << 15) - 1, None, 10] * 2, pa.int16()),
    "int32": pa.array([0, -(1 << 31), (1 << 31) - 1, None, 99] * 2, pa.int32()),
    "int64": pa.array([-(1 << 63), (1 << 63) - 1, None, 100, 0] * 2, pa.int64()),
    "uint16": pa.array([0, 65535, None, 9, 1] * 2, pa.uint16()),
    "uint64": pa.array([0, (1 << 64) - 1, None, 1, 12345] * 2, pa.uint64()),
    "words": pa.array([0, 1, None, 2, 1] * 2, pa.int8()),     "sets": pa.array([0, 1, 5, 2, 7] * 2, pa.uint32()),
    "nothing": pa.nulls(10),
}  # fmt: skip
WORDS = [b"first", b'se"cond', b""]


def value_of(kind: str, value: Any) -> Any:
    if kind == "words" and value is not None:
        return WORDS[value].decode()
    if kind == "sets":
        return [WORDS[place].decode() for place in range(3) if value >> place & 1]
    return value.decode("utf-8", "surrogateescape") if isinstance(value, bytes) else value


@pytest.mark.parametrize("start", [0, 1, 3])
@pytest.mark.parametrize("kept", [None, [True, False, True] * 4])
def test_columns_of_each_kind_are_written_as_json(start: int, kept: list[bool] | None) -> None:
    columns = {kind: column.slice(start) for kind, column in COLUMNS.items()}
    specs = []
    for kind, column in columns.items():
        buffers = column.buffers()
        addresses = [0 if buffer is None else buffer.address for buffer in (*buffers, None, None)]
        words = tuple(_columns.value(word) for word in WORDS) if kind in ("words", "sets") else ()
        before = b"%s%s:" % (b"," if specs else b"{", json.dumps(kind).encode())
        specs.append((before, kind, addresses[0], column.offset, addresses[1], tuple(addresses[2:]), words))
    bitmap = pa.array(kept).buffers()[1] if kept is not None else None
    lines = _columns.Columns(specs).lines(end=10 - start, keep=0 if bitmap is None else bitmap.address)
    expected = [{kind: value_of(kind, column[row].as_py()) for kind, column in columns.items()}
                for row in range(10 - start) if kept is None or kept[row]]  # fmt: skip
    assert [json.loads(line) for line in bytes(memoryview(lines)).splitlines()] == expected
    assert len(lines) == len(memoryview(lines))


@pytest.mark.parametrize("short", [7900, 8200])
def test_short_rows_after_long_ones_are_complete(short: int) -> None:
    """The length of the first rows is a bad estimate of the length of all rows."""
    texts = ["a" * 4096] * 64 + ["b"] * short
    column = pa.array(texts, pa.string_view())
    buffers = [0 if buffer is None else buffer.address for buffer in column.buffers()]
    specs = [(b'{"t":', "texts", buffers[0], 0, buffers[1], tuple(buffers[2:]), ())]
    lines = bytes(memoryview(_columns.Columns(specs).lines(end=len(texts), keep=0))).splitlines()
    assert [json.loads(line)["t"] for line in lines] == texts


def test_columns_of_the_wrong_kind_are_refused() -> None:
    with pytest.raises(KeyError):
        _columns.Columns([(b"", "none such", 0, 0, 0, (), ())])
    with pytest.raises(ValueError, match="too long"):
        _columns.Columns([(b"x" * 33, "nothing", 0, 0, 0, (), ())])
    with pytest.raises(TypeError):
        _columns.Columns([(b"", "words", 0, 0, 0, (), ("text",))])
    assert bytes(memoryview(_columns.Columns([]).lines(end=0))) == b""


@pytest.mark.parametrize(("template", "data", "options", "want"), [
    ("{default:port}", URLS, [], ["80", "8443", "", "", "", ""]),
    ("{:default:port}-{port}", URLS, [], ["80-", "8443-8443", "-", "-", "-", "-"]),
    ("{must:path}", URLS, [], ["/a", "/", "/", "/", "/path", "a"]),
    ("{{must:path}}", URLS, [], ["{must:path}"] * 6),
    # An empty value satisfies `must`, which does not apply to skipped rows.
    ("{must:query:k}{must:query}", b"http://h/?k=\n", [], ["k="]),
    ("{must:host}", b"/\nhttp://h/\n", ["--on-error", "skip"], ["h"]),
])  # fmt: skip
def test_prefixes_of_templates(fasturl: Run, template: str, data: bytes, options: list[str], want: list[str]) -> None:
    ran = fasturl("parse", "-q", *options, "-g", template, stdin=data)
    assert ran.status == 0 and ran.out.decode().split("\n")[:-1] == want


@pytest.mark.parametrize(
    ("template", "line", "what"),
    [("{must:host}", 5, "host"), ("{must:default:port}", 3, "port"), ("{:must:query:k}", 1, "query:k")],
)
def test_an_absent_required_field_ends_the_run(fasturl: Run, template: str, line: int, what: str) -> None:
    ran = fasturl("parse", "-q", "-g", template, stdin=URLS)
    assert ran.status == 1 and len(ran.lines) == line - 1
    assert ran.err == f"fasturl: -:{line}: no {what}, which the template must have\n"


def test_any_text_is_a_template_or_an_error_with_an_offset() -> None:
    rng = random.Random(7)
    pieces = ["{", "}", "{{", "}}", "\\", "\\t", ":", "must:", "default:", "host", "port", "query:", "a", " ", "\ud800"]
    made = 0
    for _ in range(5000):
        text = "".join(rng.choices(pieces, k=rng.randrange(9)))
        try:
            Template(text)
            made += 1
        except Failure as failure:
            assert re.search(r"offset \d+|unknown column |only \{default:port\}", failure.message), text
    assert made > 500


@pytest.mark.parametrize(
    ("template", "what"),
    [
        ("{a" * 40_000, "a format has 65,536 characters at most"),
        ("ab{host", "offset 2: unmatched brace"),
        ("{" + "must:" * 10_000 + "nothing}", "unknown column 'nothing'"),
    ],
)
def test_wrong_templates_are_refused(fasturl: Run, template: str, what: str) -> None:
    ran = fasturl("parse", "-g", template, stdin=URLS)
    assert ran.status == 2 and ran.err.startswith("fasturl: --get: ") and what in ran.err
    assert ran.err.count("\n") == 1 and len(ran.err) < 1500


def test_an_input_that_breaks_off_leaves_a_part(fasturl: Run, tmp_path: Path) -> None:
    log, part = tmp_path / "log.gz", tmp_path / "out.parquet.part"
    lines = [b'h - - [17/May/2015:10:05:03 +0200] "GET /%d HTTP/1.1" 200 12\n' % n for n in range(20_000)]
    log.write_bytes(gzip.compress(b"".join(lines))[:-4000])
    part.write_bytes(b"mine")
    arguments = ("parse", log, "-F", "line,path", "-o", tmp_path / "out.parquet")
    ran = fasturl(*arguments)
    assert ran.status == 2 and "the gzip data is truncated" in ran.err and "out.parquet.part.2" in ran.err
    assert part.read_bytes() == b"mine" and not (tmp_path / "out.parquet").exists()
    count = parquet.read_table(tmp_path / "out.parquet.part.2").num_rows
    assert 10_000 < count < 20_000
    ran = fasturl(*arguments, "--allow-truncated")
    assert ran.status == 0 and "the gzip data is truncated" in ran.err
    assert parquet.read_table(tmp_path / "out.parquet").num_rows == count


def test_a_file_that_becomes_shorter_while_it_is_read_breaks_off(tmp_path: Path) -> None:
    line = b'h - - [17/May/2015:10:05:03 +0200] "GET / HTTP/1.1" 200 12\n'
    for rest in (b"", line * 100):
        log = tmp_path / "log"
        log.write_bytes(line * 500_000)
        reader = logs.read(log, fields=["line"], threads=1)
        first = next(iter(reader))
        with log.open("r+b") as file:  # as copytruncate does
            file.truncate(0)
            file.write(rest)
        with pytest.raises(logs.TruncatedInput, match="became shorter"):
            list(reader)
        assert len(first) > 1000
    log.write_bytes(line * 10_000 + line[:30])  # the end of a log that grows
    assert logs.read(log, fields=["line"]).read_all().num_rows == 10_000
