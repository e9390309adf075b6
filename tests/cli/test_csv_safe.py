"""`--to csv-safe`: no text is a spreadsheet's formula, no number changes, and the change can be undone."""

import csv
import io
from pathlib import Path

import pyarrow as pa
import pytest
from clihelpers import Run

from fasturl import _columns

STARTS = ("=", "+", "-", "@", "\t", "\r", "\n", "\0", "'", "\uff1d", "\uff0b", "\uff0d", "\uff20")
TEXTS = [start + rest for start in STARTS for rest in ("", "1", "1+1", 'cmd|" /C calc"!A0', ",x", "\u20ac", "'=", "=1")]
PLAIN = ["", "a", "a=1", " =1", '"=1"', "1", "1-1", "/=", "\uff0ex", "\u20ac", "(=1)", "%3D1", "\x01=1"]


def undone(cell: str) -> str:
    """Undo the change as docs/cli.md describes."""
    return cell[1:] if cell.startswith("'") else cell


def cells(line: bytes) -> list[str]:
    (row,) = csv.reader(io.StringIO(line.decode("utf-8", "surrogateescape"), newline=""))
    return row


@pytest.mark.parametrize("text", TEXTS + PLAIN)
def test_safe_texts_can_be_undone(text: str) -> None:
    data = text.encode()
    plain = _columns.value(data, csv=True)
    safe = _columns.value(data, csv=True, csv_safe=True)
    assert (safe == plain) == (text in PLAIN)
    (cell,) = cells(safe)
    assert undone(cell) == text and not cell.startswith(STARTS[:8] + STARTS[9:])
    assert _columns.value(data, csv_safe=True) == _columns.value(data)  # not for JSON


@pytest.mark.parametrize("length", [1, 2, 3, 7, 8, 12, 13, 15, 16, 17, 31, 33, 64, 1000])
def test_texts_of_every_length_are_safe_in_columns(length: int) -> None:
    texts = [start + "a" * (length - 1) for start in STARTS] + ["a" * length, "=" + "\xff" * length]
    column = pa.array([text.encode("latin-1", "ignore") or b"=" for text in texts] + [None], pa.binary_view())
    buffers = column.buffers()
    data = tuple(buffer.address for buffer in buffers[2:])
    spec = (b"", "texts", buffers[0].address, 0, buffers[1].address, data, ())
    for escapes in (False, True):
        lines = bytes(_columns.Columns([spec]).lines(end=len(column), csv=True, escapes=escapes, csv_safe=True))
        want = [b"" if text is None else _columns.value(text, csv=True, escapes=escapes, csv_safe=True)
                for text in column.to_pylist()]  # fmt: skip
        assert lines == b"".join(one + b"\n" for one in want)


def rows(data: bytes) -> list[list[str]]:
    return list(csv.reader(io.StringIO(data.decode("utf-8", "surrogateescape"), newline="")))


URLS = "".join(f"{text}\n" for text in ("=1+1", "+a://h/", "-1", "@SUM(A1)", "'=1", "http://h/?-", "http://=1:pw@h/"))


def test_parse_writes_safe_cells_and_loses_none(fasturl: Run) -> None:
    arguments = ("parse", "-q", "--log-format", "URLS", "-F",
                 "url,scheme,username,path,query,valid_rfc1738,line,findings")  # fmt: skip
    plain = rows(fasturl(*arguments, "--to", "csv", stdin=URLS.encode()).out)
    safe = rows(fasturl(*arguments, "--to", "csv-safe", stdin=URLS.encode()).out)
    assert [[undone(cell) for cell in row] for row in safe] == plain and safe != plain
    assert not [cell for row in safe for cell in row if cell.startswith(STARTS[:4])]
    assert [row[0] for row in plain[1:6]] == URLS.split("\n")[:5]
    assert ["'=1+1", "'+a://h/", "'-1", "'@SUM(A1)", "''=1"] == [row[0] for row in safe[1:6]]


def test_kept_columns_and_their_names_are_safe(fasturl: Run, tmp_path: Path) -> None:
    from decimal import Decimal

    import pyarrow.parquet as pq

    table = {
        "url": ["http://h/", "http://h/b"],  "=name": ["=1", None],               "whole": [-5, 5],
        "real": [-5.5, float("nan")],        "exact": [Decimal("-5.25"), Decimal("5.00")],
        "truth": [True, False],              "many": [["=1"], ["-2"]],
    }  # fmt: skip
    pq.write_table(pa.table(table), tmp_path / "urls.parquet")
    path = tmp_path / "urls.parquet"
    arguments = ("parse", "-q", "--column", "url", "--keep", "*", "-F", "path", path)
    plain = rows(fasturl(*arguments, "--to", "csv").out)
    ran = fasturl(*arguments, "--to", "csv-safe")
    assert ran.status == 0, ran.err
    safe = rows(ran.out)
    assert safe[0] == ["path", "'=name", "whole", "real", "exact", "truth", "many"]
    assert safe[1] == ["/", "'=1", "-5", "-5.5", "-5.25", "true", '["=1"]']
    assert [[undone(cell) for cell in row] for row in safe] == plain


def test_log_fields_are_safe(fasturl: Run) -> None:
    line = b'192.0.2.1 - =user [17/May/2015:10:05:03 +0000] "+GET /a HTTP/1.1" 200 7 "=http://r/" "@agent"\n'
    arguments = ("parse", "-q", "--log-format", "COMBINED", "-F", "method,user,referer,agent,size")
    for count in (1, 3000):
        ran = fasturl(*arguments, "--to", "csv-safe", stdin=line * count)
        assert ran.status == 0, ran.err
        assert set(ran.lines[1:]) == {b'"\'+GET","\'=user","\'=http://r/","\'@agent",7'}


def test_sql_writes_safe_cells(fasturl: Run, tmp_path: Path) -> None:
    pytest.importorskip("duckdb", reason="queries need duckdb")
    query = (
        "SELECT '=1' AS \"=a\", -5 AS b, -5.5 AS c, -5.5::DOUBLE AS d, NULL AS e, ['=1', 'x'] AS f, '''x' AS g, "
        "'-1'::BLOB AS h, -170141183460469231731687303715884105727 AS i, false AS j, '-infinity'::DATE::VARCHAR AS k"
    )
    out = tmp_path / "o.csv"
    ran = fasturl("sql", "-q", query, "-", "-o", out, "--to", "csv-safe", stdin=b"http://h/\n")
    assert ran.status == 0, ran.err
    assert rows(out.read_bytes()) == [
        ["'=a", *"bcdefghijk"],
        ["'=1", "-5", "-5.5", "-5.5", "", "'=1|x", "''x", "'-1", str(-(2**127) + 1), "false", "'-infinity"],
    ]


@pytest.mark.parametrize("arguments", [
    ("parse", "-F", "url"),                                   ("parse", "-F", "url", "--to", "jsonl"),
    ("parse", "-F", "url", "--to", "parquet"),                ("parse", "-F", "url", "-o", "o.jsonl"),
    ("sql", "SELECT '=1' AS url"),                            ("sql", "SELECT '=1' AS url", "-o", "o.arrow"),
])  # fmt: skip
def test_the_option_decides_and_not_another_name_of_the_output(
    fasturl: Run, tmp_path: Path, arguments: tuple[str, ...]
) -> None:
    if arguments[0] == "sql":
        pytest.importorskip("duckdb", reason="queries need duckdb")
    ran = fasturl(*arguments, "--to", "csv-safe", "--log-format", "URLS", cwd=tmp_path, stdin=b"=1\n")
    data = b"".join(path.read_bytes() for path in tmp_path.iterdir()) if "-o" in arguments else ran.out
    assert ran.status == 0 and rows(data) == [["url"], ["'=1"]]


def test_a_template_is_not_csv(fasturl: Run, tmp_path: Path) -> None:
    ran = fasturl("parse", "-g", "{host},{path}", "--to", "csv-safe", cwd=tmp_path, stdin=b"http://h/\n")
    assert ran.status == 2 and ran.out == b"" and ran.err.startswith("fasturl: --get writes its own lines")
    assert list(tmp_path.iterdir()) == []
