"""Does every line of a log belong to exactly one split of its file, wherever the edges are?"""

import gzip
import pickle
import pickletools
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from fasturl import logs
from fasturl.logs.errors import LogError, TruncatedInput
from fasturl.logs.logtable import LogTable, Piece, Split, log_table, split_at, split_rows, split_table, splits_of

COMBINED = b'h - - [17/May/2015:10:05:03 +0200] "GET /%d?q HTTP/1.1" 200 12 "http://r/" "x"'
NGINX = '$remote_addr [$time_iso8601] "$request" $status'
LINES = [COMBINED % n for n in range(4)]
IIS = (
    b"#Software: x\r\n#Fields: cs-uri-stem sc-status\r\n/a 200\r\n/b 404\r\ntorn\r\n#Date: 1\r\n"
    b"# fields : sc-status cs-uri-stem\n301 /c\r\n/d 302\r500 /e\n"
    b"#Fields: cs-uri-stem sc-status\r/f 1\n/g 2\r\r\n\r\n/h 3"
)
# By a name: a file, and the format that it has.
FILES: dict[str, tuple[bytes, Any]] = {
    "combined": (b"\n".join([*LINES[:2], b"torn", b"", *LINES[2:]]) + b"\n", "COMBINED"),
    "ends of all kinds": (b"\r\n".join(LINES[:2]) + b"\r" + LINES[2] + b"\r\r\n\n" + LINES[3], "COMBINED"),
    "marked": (b"\xef\xbb\xbf" + LINES[0] + b"\n\xef\xbb\xbf" + LINES[1] + b"\n" + b"PK\x03\x04\n", "COMBINED"),
    "W3C": (b"\xef\xbb\xbf" + IIS, "W3C"),
    "CLOUDFRONT": (b"#Version: 1.0\n#Fields: c-ip\tcs-uri-stem\n::1\t/a\n::2\t/b", "CLOUDFRONT"),
    "TABLE": (b"\xef\xbb\xbfmethod,url,status\r\nGET,/a,200\rGET,/b#c,404\ntorn\nmethod,url,status\nGET,/d,1", "TABLE"),
    "inferred": (b"1431857103 GET /a 200\n1431857104 GET /b 404\n\nstarted\n", "auto"),
    "URLS": (b"http://h/a\r\n/b\r/c\n\n\r\n//d", "URLS"),
    "SQUID": (b"1.5 7 ::1 T/200 9 GET http://h/ - D/- -\n" * 3 + b"x\n", "SQUID"),
    "CADDY": (b'{"request":{"uri":"/a"}}\n{"request":{}}\n{"request":{"uri":"/b"}}', "CADDY"),
    "mapped": (b'{"u":"/a"}\r\n{"u":1}\n{"u":"/b"}\n', {"target": "u"}),
    "wrapped": (b'{"m":"::1 /a 200\\n"}\n{}\n{"m":"no"}\n', logs.json_format({"line": "m"}, line="%h %U %>s")),
    "custom": (b'h [2015-05-17T10:05:03Z] "GET /a HTTP/1.1" 200\nx\n', NGINX),
}
FIELDS = ["client", "url", "path", "status", "time"]


def rows_of(batches: Iterator[Any], table: LogTable) -> list[dict[str, Any]]:
    return pa.Table.from_batches(batches, schema=table.schema).to_pylist()


def made(tmp_path: Path, octets: bytes, format: Any, fields: Any = FIELDS) -> tuple[LogTable, list[Any], Any]:
    """The table with its rejects, the file as a source, and all rows as they are read from the whole file."""
    path = tmp_path / "log"
    path.write_bytes(octets)
    table, sources = log_table(path, format, fields, rejects="keep")
    return table, sources, rows_of(table.read_split(Split(str(path))), table)


@pytest.mark.parametrize("name", FILES)
def test_every_octet_a_split(tmp_path: Path, name: str) -> None:
    """Each place is the start of one, and the end."""
    octets, format = FILES[name]
    table, sources, whole = made(tmp_path, octets, format)
    splits = splits_of(sources, table.log or "", 1)
    assert [split.start for split in splits] == list(range(len(octets)))
    found = [row for split in splits for row in rows_of(table.read_split(split), table)]
    assert found == whole and len(found) > 1
    assert [row for row in found if not row["rejected"]] == [
        {**row, "rejected": False, "text": None}
        for row in logs.read(sources[0].path, format, FIELDS, threads=1).read_all().to_pylist()
    ]


@pytest.mark.parametrize("name", ["ends of all kinds", "W3C"])
def test_every_position_between_two_splits(tmp_path: Path, name: str) -> None:
    octets, format = FILES[name]
    table, sources, whole = made(tmp_path, octets, format, ["url"])
    state = {split.start: split.state for split in splits_of(sources, table.log or "", 1)}
    path = sources[0].path
    for place in range(1, len(octets)):
        halves = [Split(path, 0, place), Split(path, place, len(octets), state[place])]
        assert [row for half in halves for row in rows_of(table.read_split(half), table)] == whole, place


@pytest.mark.parametrize("block", [1, 3, 1 << 16])
def test_octets_of_splits_of_all_sizes(tmp_path: Path, block: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("fasturl.logs.inputs.source.BLOCK", block)
    octets = b"a\n\nlong line\r\nb\rc\n" + b"x" * 9 + b"\n\n"
    path = tmp_path / "log"
    path.write_bytes(octets)
    begins = [at for at in range(len(octets)) if at == 0 or octets[at - 1 : at] == b"\n"]
    for start in range(len(octets)):
        for end in range(start + 1, len(octets) + 1):
            mine = [at for at in begins if start <= at < end]
            last = octets.find(b"\n", mine[-1]) + 1 if mine else 0
            piece = Piece(Split(str(path), start, end), end, 100)
            piece.check()
            assert b"".join(piece.blocks()) == (octets[mine[0] : last] if mine else b""), (start, end)


def test_a_line_that_is_too_long_is_one_reject(tmp_path: Path) -> None:
    """The split in which it begins rejects it, and reads no more of it than the limit."""
    octets = LINES[0] + b"\n" + b"y" * 3000 + b"\n" + LINES[1] + b"\n"
    path = tmp_path / "log"
    path.write_bytes(octets)
    table = LogTable("COMBINED", ("path",), True, True, ("path", "rejected", "text"), 200)
    splits = splits_of(log_table(path, "COMBINED")[1], "COMBINED", 50)
    assert len(splits) > 60
    found = [row for split in splits for row in rows_of(table.read_split(split), table)]
    reject = {"path": None, "rejected": True, "text": None}
    assert found == [
        {"path": "/0", "rejected": False, "text": None},
        reject,
        {"path": "/1", "rejected": False, "text": None},
    ]
    piece = Piece(Split(str(path), 0, 100), 100, 200)
    piece.check()
    assert len(b"".join(piece.blocks())) <= len(octets)


def test_rejects_stand_where_they_are(tmp_path: Path) -> None:
    octets = b"torn \xe9\r\n" + LINES[0] + b"\n\n" + b"torn\n"
    table, _, rows = made(tmp_path, octets, "COMBINED", ["file", "line", "path", "findings"])
    file = str(tmp_path / "log")
    null = {"path": None, "findings": None}
    assert rows == [
        {"file": file, "line": 1, **null, "rejected": True, "text": "torn %E9\r"},
        {"file": file, "line": 2, "path": "/0", "findings": [], "rejected": False, "text": None},
        {"file": file, "line": 4, **null, "rejected": True, "text": "torn"},
    ]
    assert table.only(["text"]).columns == ("text",)
    assert [row["text"] for row in rows_of(table.only(["text"]).read_split(Split(file)), table.only(["text"]))] == [
        row["text"] for row in rows
    ]
    pieces = [row for at in (0, 9) for row in rows_of(table.read_split(Split(file, at, at + len(octets) - 9)), table)]
    assert {row["line"] for row in pieces} == {None} and {row["file"] for row in pieces} == {file}


def test_compressed_files_are_whole_and_others_in_pieces(tmp_path: Path) -> None:
    octets = b"".join(line + b"\n" for line in LINES)
    (tmp_path / "0").write_bytes(b"")  # tells no format
    (tmp_path / "a.log").write_bytes(octets)
    (tmp_path / "b.gz").write_bytes(gzip.compress(octets * 2))
    (tmp_path / "c").write_bytes(gzip.compress(octets))
    table, splits = split_table(str(tmp_path / "*"), fields=["file", "line", "path"], split_bytes=100)
    assert table.log == "COMBINED"
    assert [Path(split.path).name for split in splits] == ["0", *["a.log"] * 4, "b.gz", "c"]
    assert [split.end is None for split in splits] == [True] + [False] * 4 + [True] * 2
    found = [row for split in splits for row in rows_of(table.read_split(split), table)]
    assert [row["path"] for row in found] == ["/0", "/1", "/2", "/3"] * 4
    assert [row["line"] for row in found] == [None] * 4 + [*range(1, 9), *range(1, 5)]
    whole, each = split_table(str(tmp_path / "*"), split_bytes=None)
    assert len(each) == 4 and whole.columns[:2] == ("file", "line")


@pytest.mark.parametrize("name", FILES)
def test_what_a_task_needs_can_be_sent(tmp_path: Path, name: str) -> None:
    octets, format = FILES[name]
    table, sources, whole = made(tmp_path, octets, format)
    again = pickle.loads(pickle.dumps(table))
    assert rows_of(again.read_split(Split(sources[0].path)), again) == whole


def test_a_file_that_is_shorter_than_when_the_job_began(tmp_path: Path) -> None:
    table, sources, _ = made(tmp_path, b"\n".join(LINES), "COMBINED")
    splits = splits_of(sources, "COMBINED", 100)
    (tmp_path / "log").write_bytes(LINES[0])
    with pytest.raises(LogError, match="shorter"):
        list(table.read_split(splits[-1]))


def test_a_wrong_format_and_junk_in_the_middle(tmp_path: Path) -> None:
    """The first thousand lines of a file tell, and all lines of a split, unless `rejects` is given."""
    junk = b"torn\n" * 1500
    kept, sources, _ = made(tmp_path, LINES[0] + b"\n" + junk, "COMBINED", ["path"])
    path = sources[0].path
    [checked, skipping] = [log_table(path, "COMBINED", ["path"], rejects=rejects)[0] for rejects in (None, "skip")]
    later = Split(path, 50, len(LINES[0]) + 1 + len(junk))
    assert len(rows_of(kept.read_split(later), kept)) == 1500 and rows_of(skipping.read_split(later), skipping) == []
    with pytest.raises(LogError, match=r"log, bytes 50 to 7,5\d\d: none of its first 1,500 lines is in"):
        list(checked.read_split(later))
    both = Split(path, 0, later.end)
    assert rows_of(checked.read_split(both), checked) == [{"path": "/0"}]
    (tmp_path / "log").write_bytes(junk)
    with pytest.raises(LogError, match="none of its first 1,000 lines"):
        list(checked.read_split(Split(path, 0, len(junk))))
    assert len(rows_of(kept.read_split(Split(path, 0, len(junk))), kept)) == 1500


def test_an_empty_log_has_the_columns_of_its_named_format(tmp_path: Path) -> None:
    (tmp_path / "log").write_bytes(b"")
    for format, last in (("COMBINED", "referer"), ("URLS", "error_offset"), ("auto", "error_offset")):
        schema = logs.read(tmp_path / "log", format).schema
        assert schema.names[-1] == last
        table, [split] = split_table(tmp_path / "log", format)
        assert table.schema == schema and list(table.read_split(split)) == []


def test_a_torn_file_fails_its_task_after_what_can_be_read(tmp_path: Path) -> None:
    path = tmp_path / "log.gz"
    path.write_bytes(gzip.compress(b"\n".join(LINES) + b"\n" + bytes(range(256)) * 99)[:-40])
    table, [split] = split_table(path, fields=["path"])
    batches = []
    with pytest.raises(TruncatedInput):
        for batch in table.read_split(split):
            batches += batch.to_pylist()
    assert {"path": "/3"} in batches


def test_wrong_arguments(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "log").write_bytes(LINES[0])
    for arguments, error, words in (
        (([b"octets"],), TypeError, "paths must be"),
        ((tmp_path / "none",), FileNotFoundError, "none"),
        ((tmp_path / "empty",), FileNotFoundError, "no file matches"),
        ((tmp_path / "log", "auto", ["hots"]), ValueError, "unknown field 'hots'"),
        ((tmp_path / "log", "NONE"), ValueError, "unknown format"),
        ((tmp_path / "log", "auto", None, "line"), ValueError, "rows must be"),
        ((tmp_path / "log", "auto", None, "url", "drop"), ValueError, "rejects must be"),
        ((tmp_path / "log", "auto", None, "url", "keep", 0), ValueError, "split_bytes must be"),
    ):
        with pytest.raises(error, match=words):
            split_table(*arguments)  # type: ignore[arg-type]
    pa.parquet = pytest.importorskip("pyarrow.parquet")
    pa.parquet.write_table(pa.table({"url": ["http://h/"]}), tmp_path / "p")
    with pytest.raises(LogError, match="is a table and no log"):
        split_table(tmp_path / "p")


def test_the_rows_of_many_splits_unpickle_as_few_objects(tmp_path: Path) -> None:
    """Spark sends them with each task."""
    few = [Split("a", 0, 9), Split("a", 9, 20, b"#Fields: x"), Split("b/\xe9.gz")]
    assert [split_at(split_rows(few), number) for number in range(3)] == few
    assert len(split_rows([])) == 0
    counts = set()
    for count in (10, 20_000):
        rows = pickle.loads(pickle.dumps(split_rows([Split(f"log{n}", n, n + 1) for n in range(count)])))
        assert split_at(rows, count - 1) == Split(f"log{count - 1}", count - 1, count)
        counts.add(sum(code.name != "FRAME" for code, _, _ in pickletools.genops(pickle.dumps(rows))))
    assert len(counts) == 1
