"""Does the library read logs to the rows that a slow reader gives, whatever holds them, and say what it could not?"""

import gzip
import io
import pickle
import random
from array import array
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
import slowlog

import fasturl
from fasturl import logs
from fasturl.arrow.columns_in import joined_lines
from fasturl.logs import units
from fasturl.logs.errors import MissingSetting, SettingError
from fasturl.logs.formatted_inputs import FormattedInputs, InputOptions
from fasturl.logs.inputs.source_specs import Bytes

TEXTS = ("client", "user", "method", "protocol", "agent", "vhost", "forwarded")
COMBINED = b'192.0.2.%d - - [17/May/2015:10:05:%02d +0200] "GET /a/%d?q=%d HTTP/1.1" 200 %d "%s" "agent/1"'
ODD = [b"", None, b"\n", b"a", b"a\n\n", b"\na", b"a\nb", b"\xe9\n", b"a" * 70 + b"\r\n", None, b"\0"]


def combined(count: int, referer: bytes = b"http://r.example/x?y") -> list[bytes]:
    return [COMBINED % (n % 256, n % 60, n, n, n, referer) for n in range(count)]


def block(lines: list[bytes]) -> bytes:
    return b"".join(line + b"\n" for line in lines)


def slow_request(name: str, line: bytes) -> dict[str, Any] | None:
    """The row of a request, by the slow reader and `fasturl.parse`; None for a reject."""
    rows = slowlog.rows(name, line)
    if rows is None:
        return None
    row = rows[0]
    referer = rows[1]["url"] if len(rows) > 1 else None
    target = None if row["url"] is None else fasturl.parse(row["url"], form="request-target")
    from_where = None if referer is None else fasturl.parse(referer)
    return {
        **{key: slowlog.text(row[key]) for key in (*TEXTS, "url")},
        "time": slowlog.moment((row["time"] or b"").decode("latin-1")),
        **{key: row[key] for key in ("status", "size")},
        "path": None if target is None else slowlog.text(target.path),
        "query": None if target is None else slowlog.text(target.query if target.span("query") else None),
        "valid_rfc1738": None if target is None else target.valid_rfc1738,
        "referer": slowlog.text(referer),
        "referer_path": None if from_where is None else slowlog.text(from_where.path),
        "referer_valid_rfc1738": None if from_where is None else from_where.valid_rfc1738,
    }


FIELDS = list(slow_request("COMMON", combined(1)[0].partition(b' "http')[0]) or {})
# Pieces of lines: words, quotes and escapes, so that lines are records, nearly records and not at all.
PIECES = [b" ", b'"', b"\\", b"-", b"[", b"]", b"\\x41", b'\\"', b"\xe9", b"\xc3\xa9", b"%41", b"http://h/", b"?",
          b"x" * 30]  # fmt: skip
TIMES = [
    *(b"17/May/2015:10:05:03 +0000", b"7/dec/2015:23:59:59.5 -0130", b"17/May/2015:10:05:03", b"yesterday", b"-"),
    *(b"31/Feb/2015:10:05:03 +0000", b"29/Feb/2016:10:05:03 +0000", b"17/May/2015:25:05:03 +0000",
      b"0/May/2015:10:05:03"),
    *(b"17/May/2015:10:05:03 +9999", b"31/Dec/2016:23:59:60 +0000", b"31/Dec/9999:23:59:60 +0000",
      b"1/Jan/0000:00:00:00"),
    *(b"17/May/2015:29:00:00 +0000", b"17/May/2015:10:60:00 +0000", b"17/May/2015:10:05:60 +0000"),
    *(b"28/Feb/2015:05:29:60.5 +0530",),
    *(b"01/Jan/0001:%02d:00:00 +0200" % hour for hour in (1, 2, 3)),
    *(b"31/Dec/9999:%02d:59:60.5 -0100" % hour for hour in (21, 22, 23)),
]  # fmt: skip
CLIENTS = [b"h", b"192.0.2.1, 192.0.2.2", b"192.0.2.1,::1,", b",h", b"2001:db8::1, unknown, 192.0.2.2", b"h,", b"\0\0h",
           b"\0"]  # fmt: skip


def random_line(rng: random.Random, name: str) -> bytes:
    vhost, with_referer = slowlog.FORMATS[name]
    request = b"GET /%s HTTP/1.1" % rng.choice(PIECES).replace(b'"', b"q")
    line = b'%s - u [%s] "%s" %s %s' % (
        *(rng.choice(CLIENTS), rng.choice(TIMES), rng.choice([request, request, request, b"-", b"- - -", b"- -"])),
        *(rng.choice([b"200", b"404", b"-"]), rng.choice([b"-", b"7", b"18446744073709551616"])),
    )
    if vhost:
        line = b"v.example " + line
    if with_referer == 1 or rng.random() < 0.5:
        referer = rng.choice([b"-", b"", b"http://r/\xe9", b"//r/a#b"])
        line += b' "%s" "agent %s"' % (referer, rng.choice([b"1", b'\\"']))
    for _ in range(rng.choice([0, 0, 0, 1, 2])):
        at = rng.randrange(len(line))
        line = line[:at] + rng.choice(PIECES) + line[at + rng.randrange(3) :]
    return line


@pytest.mark.parametrize("name", slowlog.FORMATS)
def test_rows_are_those_of_the_slow_reader(name: str, tries: int) -> None:
    rng = random.Random(name)
    lines = [random_line(rng, name) for _ in range(min(tries, 4000))]
    want = [slow_request(name, line) for line in lines]
    assert sum(row is not None for row in want) > len(lines) // 4
    records = [(number, row) for number, row in enumerate(want, 1) if row is not None]
    found = logs.read([block(lines)], name, ["line", *FIELDS], threads=2, allow_rejects=True).read_all().to_pylist()
    assert found == [{"line": number, **row} for number, row in records]
    nothing = dict.fromkeys(FIELDS)
    parsed = logs.parse_lines(lines, name, FIELDS).to_pylist()
    assert parsed == [{**(nothing if row is None else row), "rejected": row is None} for row in want]


def test_rows_by_url_are_those_of_the_slow_reader() -> None:
    lines = [*combined(300), b"torn", *combined(5, b"-")]
    found = logs.read([block(lines)], rows="url", fields=["line", "field", "url", "size"]).read_all().to_pylist()
    want = [(at, row) for at, line in enumerate(lines, 1) for row in slowlog.rows("COMBINED", line) or []]
    fields = {True: "referer", False: "target"}
    assert found == [
        {"line": at, "field": fields[bool(row["referer"])], "url": row["url"].decode(), "size": row["size"]}
        for at, row in want
        if row["url"] is not None
    ]


def test_sums_count_a_request_once() -> None:
    table = logs.read([block(combined(100))], fields=["path", "size", "referer_host"]).read_all()
    assert table["size"].to_pylist() == list(range(100))
    assert set(table["referer_host"].to_pylist()) == {"r.example"}
    assert table["path"][3].as_py() == "/a/3"


# --- sources ----------------------------------------------------------------------------------------------------------
class Slowly(io.RawIOBase):
    """A file that gives a few bytes at a time."""

    def __init__(self, data: bytes) -> None:
        self._rest = data

    def readable(self) -> bool:
        return True

    def read(self, size: int = -1) -> bytes:
        piece, self._rest = self._rest[:37], self._rest[37:]
        return piece


def pieces(data: bytes) -> Iterator[bytes]:
    for at in range(0, len(data), 41):
        yield data[at : at + 41]


LOG = block(combined(500))


@pytest.mark.parametrize("data", [LOG, gzip.compress(LOG)], ids=["plain", "gzip"])
def test_sources_of_every_kind(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "a.log"
    path.write_bytes(data)
    want = logs.read([LOG], "COMBINED", ["line", "url"]).read_all()
    assert want.num_rows == 500
    with path.open("rb") as file:
        for source in (path, str(path), file, Slowly(data), pieces(data), [data], data, io.BytesIO(data)):
            assert logs.read(source, fields=["line", "url"]).read_all() == want


def test_several_files_by_a_pattern_or_a_list(tmp_path: Path) -> None:
    for name in ("b.log", "a.log"):
        tmp_path.joinpath(name).write_bytes(block(combined(2)))
    for source in (str(tmp_path / "*.log"), [tmp_path / "a.log", str(tmp_path / "b.log")]):
        rows = logs.read(source, fields=["file", "line"]).read_all().to_pylist()
        found = [(Path(row["file"]).name, row["line"]) for row in rows]
        assert found == [*(("a.log", 1), ("a.log", 2), ("b.log", 1), ("b.log", 2))]


def test_memory_does_not_grow_with_the_log() -> None:
    """At most a few units are held: those that threads work on, however much follows."""
    taken = 0

    def endless() -> Iterator[bytes]:
        nonlocal taken
        while True:
            taken += 1
            yield LOG

    reader = logs.read(endless(), fields=["path"], threads=2)
    for _ in range(5):
        reader.read_next_batch()
    assert taken * 500 < 16 * (1 << 14)


def test_no_lines_are_a_table_of_no_rows() -> None:
    assert logs.read([], fields=["path", "time"]).read_all().num_rows == 0 == logs.read([b"\n\n"]).read_all().num_rows


# --- what cannot be read ----------------------------------------------------------------------------------------------
def test_a_torn_input_gives_what_stands_before_the_end() -> None:
    data = gzip.compress(LOG, 0)[:-600]
    reader = logs.read([data], fields=["line"])
    rows = 0
    with pytest.raises(logs.TruncatedInput, match="is truncated"):
        for batch in reader:
            rows += batch.num_rows
    assert 480 < rows < 500


def test_an_input_that_cannot_be_opened_is_an_error_at_once(tmp_path: Path) -> None:
    for source in (tmp_path / "none.log", str(tmp_path / "*.log"), tmp_path):
        with pytest.raises(OSError):
            logs.read(source)


def test_no_password_in_an_error() -> None:
    with pytest.raises(FileNotFoundError) as caught:
        logs.read("http://me:secret@h/log")
    assert "secret" not in f"{caught.value!r}{caught.value.__cause__!r}"


def test_an_error_shows_the_name_of_a_field_as_text() -> None:
    lines = [b"#Fields: date c-ip cs-uri-stem x\x1b\xc6\n", b"2015-05-17 192.0.2.1 /a\n"]
    with pytest.raises(logs.LogError) as caught:
        logs.read(lines).read_all()
    assert "does not fit at column 24: x\\x1b\\xc6 (of 4 fields; the line has 3 values)" in str(caught.value)


@pytest.mark.parametrize(("call", "error"), [
    (lambda: logs.read([LOG], "NGINKS"), ValueError),
    (lambda: logs.read([LOG], fields=["nothing"]), ValueError),
    (lambda: logs.read([LOG], fields=["path", "path"]), ValueError),
    (lambda: logs.read([LOG], fields=[]), ValueError),
    (lambda: logs.read([LOG], fields="path"), TypeError),
    (lambda: logs.read([LOG], rows="line"), ValueError),  # type: ignore[arg-type]
    (lambda: logs.read([LOG], rows="url", fields=["referer"]), ValueError),
    (lambda: logs.read([LOG], threads=0), ValueError),
    (lambda: logs.read(io.StringIO("a")).read_all(), TypeError),  # type: ignore[arg-type]
    (lambda: logs.read(7), TypeError),  # type: ignore[arg-type]
    (lambda: logs.read([LOG], 7), TypeError),  # type: ignore[arg-type]
    (lambda: logs.parse_lines([LOG], "auto"), ValueError),
    (lambda: logs.parse_lines([1], "COMMON"), TypeError),
])  # fmt: skip
def test_wrong_arguments(call: Callable[[], Any], error: type[Exception]) -> None:
    with pytest.raises(error):
        call()


# --- lines of an engine -----------------------------------------------------------------------------------------------
LINES = [combined(1)[0], None, b"torn", b"", combined(2)[1] + b"\r\n", b"\n".join(combined(2))]


@pytest.mark.parametrize(
    "kind", ["string", "large_string", "string_view", "binary", "large_binary", "binary_view", "dictionary", "sequence"]
)
def test_a_null_and_a_reject_are_rows_of_nulls(kind: str) -> None:
    column: Any = LINES
    if kind != "sequence":
        column = pa.array(LINES, pa.binary()).cast(pa.string())
        column = column.dictionary_encode() if kind == "dictionary" else column.cast(pa.type_for_alias(kind))
    found = logs.parse_lines(column, "COMBINED", ["path", "size", "referer_host"]).to_pylist()
    nothing, host = (None, None, None, True), "r.example"
    want = [("/a/0", 0, host, False), *[nothing] * 3, ("/a/1", 1, host, False), nothing]
    assert found == [dict(zip(("path", "size", "referer_host", "rejected"), row, strict=True)) for row in want]


def test_chunks_slices_and_no_lines() -> None:
    chunks = pa.chunked_array([LINES[:2], [], LINES[2:]], pa.binary())
    assert logs.parse_lines(chunks, "COMBINED", ["path"]).num_rows == 6
    assert logs.parse_lines(pa.array(LINES).slice(4, 1), "COMBINED", ["path"]).to_pylist()[0]["path"] == "/a/1"
    assert logs.parse_lines([], "COMBINED").schema == logs.parse_lines(LINES, "COMBINED").schema


def joined(column: pa.Array) -> bytes:
    """Return the lines of a column as Python joins them."""
    lines = [(line or b"").rstrip(b"\n") for line in column.to_pylist()]
    return b"".join([(b"" if b"\n" in line else line) + b"\n" for line in lines])


@pytest.mark.parametrize("width", [0, 1, 3, 11, 200])
def test_lines_are_joined_one_for_each_row(width: int) -> None:
    texts = pa.array((ODD * width)[: 11 * width - 2 * (width > 1)], pa.binary())
    kinds = [texts, texts.cast(pa.large_binary()), texts.cast(pa.binary_view()), texts.dictionary_encode()]
    kinds.append(pa.RunEndEncodedArray.from_arrays(pa.array(range(1, len(texts) + 1), pa.int32()), texts))
    for column in kinds:
        for part in (column, column.slice(width), column.slice(1, 0)):
            assert joined_lines([part]) == joined(part), column.type
        assert joined_lines([column, column.slice(len(texts)), column]) == joined(texts) * 2
    assert joined_lines([pa.nulls(width)]) == b"\n" * width


def test_lines_outside_of_their_buffers_are_refused() -> None:
    data = [None, pa.py_buffer(array("i", [0, 99, 1])), pa.py_buffer(b"a")]
    with pytest.raises(ValueError, match="row 0 has offsets outside"):
        joined_lines([pa.Array.from_buffers(pa.binary(), 2, data)])
    number = pa.Array.from_buffers(pa.int8(), 1, [None, pa.py_buffer(b"\7")])
    column = pa.DictionaryArray.from_arrays(number, pa.array(["a"]), safe=False)
    with pytest.raises(ValueError, match="row 0 has an index outside"):
        joined_lines([column])


def test_lines_of_over_two_gibibytes_are_refused_before_they_are_joined() -> None:
    numbers = pa.array(bytes(2048), pa.int8())
    column = pa.DictionaryArray.from_arrays(numbers, pa.array([b"a" * (1 << 20)], pa.binary()))
    with pytest.raises(ValueError, match=r"2\*\*31 bytes"):
        logs.parse_lines(column, "COMBINED", ["path"])


def test_lines_of_squid() -> None:
    line = b"1431857103.25 120 192.0.2.1 TCP_MISS/200 99 GET http://h/a - DIRECT/h text/html"
    found = logs.parse_lines([b"torn", line], "SQUID", ["url", "time", "referer"]).to_pylist()
    time = datetime(2015, 5, 17, 10, 5, 3, 250000, UTC)
    assert found[0]["rejected"] and found[1] == {"url": "http://h/a", "time": time, "referer": None, "rejected": False}


def test_a_request_without_a_target_is_a_row() -> None:
    log = b"#Fields: cs-uri cs(Referer) sc-status\n- http://r/ 200\n/a - 404\n"
    found = logs.read([log], fields=["path", "referer", "referer_path", "status", "referer_findings"]).read_all()
    assert found.to_pylist() == [
        {"path": None, "referer": "http://r/", "referer_path": "/", "status": 200, "referer_findings": []},
        {"path": "/a", "referer": None, "referer_path": None, "status": 404, "referer_findings": None},
    ]


# --- times ------------------------------------------------------------------------------------------------------------
def test_times_are_of_their_zone() -> None:
    line = combined(1)[0]
    when = datetime(2015, 5, 17, 10, 5, tzinfo=timezone(timedelta(hours=2)))
    column = logs.read([line], fields=["time"]).read_all()["time"]
    assert column.type == pa.timestamp("us", "UTC") and column[0].as_py() == when
    odd = [line, line.replace(b" +0200", b""), line.replace(b"17/May", b"31/Feb"), line.replace(b"17/May", b"17/Foo")]
    found = logs.parse_lines(odd, "COMBINED", ["time"])["time"].to_pylist()
    assert found == [when, when.replace(tzinfo=UTC), None, None]


def test_no_url_is_parsed_that_no_field_asks_for(monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(*_: object, **__: object) -> None:
        raise AssertionError("a URL was parsed")

    monkeypatch.setattr(units, "parse", refused)
    monkeypatch.setattr(units, "parse_mixed", refused)
    line, fields = combined(1)[0], ["line", "url", "client", "status", "referer"]
    assert logs.read([line], "COMBINED", fields).read_all().num_rows == 1
    assert logs.read([line], "COMBINED", fields[:4], rows="url").read_all().num_rows == 2
    assert logs.parse_lines([line], "COMBINED", ["agent"]).num_rows == 1
    with pytest.raises(AssertionError, match="parsed"):
        logs.read([line], "COMBINED", ["path"]).read_all()


def test_errors_of_settings_name_no_option_of_the_command_line_and_can_be_pickled() -> None:
    line = b'h - - [17/May/2015:10:05:03 +0200] "GET / HTTP/1.1" 200 12'
    inputs = InputOptions(log_format="COMMON", keep=("a",))
    with pytest.raises(SettingError, match=r"^keep: the format COMMON has no further fields") as told:
        next(FormattedInputs(inputs, sources=[Bytes("x", iter([line]))]).batches())
    with pytest.raises(
        MissingSetting, match=r"^x has JSON lines in no known format: map the fields: target=FIELD\n"
    ) as asked:
        next(FormattedInputs(InputOptions(), sources=[Bytes("x", iter([b"{}"]))]).batches())
    for error in (told.value, asked.value):
        again = pickle.loads(pickle.dumps(error))
        assert (type(again), str(again), vars(again)) == (type(error), str(error), vars(error))
