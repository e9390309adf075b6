"""`--invalid-bytes`: every reader loads the default form, and the lossless form can be read back."""

import io
import json
import random
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from clihelpers import Run

from fasturl import _columns
from fasturl.logs.shown import escape_bytes

RAW = b'http://h/caf\xe9?\xed\xa0\x80=\xf0\x9f\x98\n/caf\xc3\xa9,"\xff"\n'
TEXTS = ["http://h/caf%E9?%ED%A0%80=%F0%9F%98", '/caf\xe9,"%FF"']


@pytest.fixture
def written(fasturl: Run, tmp_path: Path) -> Path:
    out = tmp_path / "out.jsonl"
    assert fasturl("parse", "-q", "-F", "url", "-o", out, stdin=RAW).status == 0
    return out


LOADS: dict[str, Callable[[Any, Path], Any]] = {
    "duckdb": lambda duckdb, path: [
        row[0] for row in duckdb.sql(f"SELECT url FROM read_json('{path}', format='newline_delimited')").fetchall()
    ],
    "polars": lambda polars, path: polars.read_ndjson(path)["url"],
    "pandas": lambda pandas, path: pandas.read_json(path, lines=True)["url"],
    "pyarrow.json": lambda json, path: json.read_json(path)["url"].to_pylist(),
}


@pytest.mark.parametrize("name", LOADS)
def test_every_reader_loads_the_json_lines(written: Path, name: str) -> None:
    assert list(LOADS[name](pytest.importorskip(name), written)) == TEXTS


def test_all_outputs_write_the_same_text(fasturl: Run, tmp_path: Path, written: Path) -> None:
    assert [json.loads(line)["url"] for line in written.read_bytes().splitlines()] == TEXTS
    csv = fasturl("parse", "-q", "-F", "url", "--to", "csv", stdin=RAW).out
    assert csv.decode() == f'url\n"{TEXTS[0]}"\n' + '"/caf\xe9,""%FF"""\n'
    assert fasturl("parse", "-q", "-g", "{url}", stdin=RAW).out.decode() == "".join(f"{text}\n" for text in TEXTS)
    # A template decodes to the same text.
    assert fasturl("parse", "-q", "-g", "{path}", stdin=b"http://h/caf%e9%c3%a9\n").out.decode() == "/caf%E9\xe9\n"
    fasturl("parse", "-q", "-F", "url", "-o", tmp_path / "out.parquet", stdin=RAW)
    assert pq.read_table(tmp_path / "out.parquet")["url"].to_pylist() == TEXTS
    arrow = fasturl("parse", "-q", "-F", "url", "--to", "arrow", stdin=RAW).out
    assert pa.ipc.open_stream(io.BytesIO(arrow)).read_all()["url"].to_pylist() == TEXTS


def test_the_lossless_form_is_read_back(fasturl: Run, tmp_path: Path) -> None:
    """Run the expression in docs/cli.md."""
    page = (Path(__file__).parents[2] / "docs" / "cli.md").read_text(encoding="utf-8")
    data = page.split("`json.loads(line)")[1].split("`")[0]
    code = (
        "import json, sys\n"
        "for line in open('urls.jsonl'):\n"
        f"    sys.stdout.buffer.write(json.loads(line){data} + b'\\n')\n"
    )
    lossless = fasturl("parse", "-q", "-F", "url", "--invalid-bytes", "surrogate", stdin=RAW)
    (tmp_path / "urls.jsonl").write_bytes(lossless.out)
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, check=True)
    assert done.stdout == RAW
    again = fasturl("parse", "-q", "-F", "url", "--invalid-bytes", "surrogate", "--field", "url", stdin=lossless.out)
    assert again.out == lossless.out
    for kind in (["-F", "url", "--to", "csv"], ["-g", "{:url}"]):
        ran = fasturl("parse", "-q", "--invalid-bytes", "surrogate", *kind, stdin=RAW)
        assert b"caf\xe9?\xed\xa0\x80=\xf0\x9f\x98" in ran.out
    refused = fasturl("parse", "--invalid-bytes", "surrogate", "--to", "parquet", "-o", tmp_path / "x", stdin=RAW)
    assert refused.status == 2 and "can only contain UTF-8" in refused.err


def test_escaped_texts_match_python(tries: int) -> None:
    choose = random.Random(3)
    pieces = [b"a", b'"', b",", b"\n", b"\xc3\xa9", b"\xe9", b"\xf0\x9f\x98\x80", b"\xf0\x9f", b"\xed\xa0\x80"]
    pieces.append(b"12345678")
    for _ in range(tries):
        text = b"".join(choose.choices(pieces, k=choose.randrange(9)))
        wanted = escape_bytes(text)
        assert json.loads(_columns.value(text, escapes=True)) == wanted.decode()
        assert _columns.value(text, csv=True, escapes=True).strip(b'"').replace(b'""', b'"') == wanted.strip(b'"')


FOREIGN = {
    "UTF-16 text": [b"\xff\xfeh\0t\0", b"\xfe\xff\0h\0t"],    "lz4 data": [b"\x04\x22\x4d\x18\x64\x40"],
    "a 7z archive": [b"7z\xbc\xaf\x27\x1c\0\x04"],            "a zip archive": [b"PK\x03\x04\x14\0"],
    "a Parquet file": [b"PAR1\x15\x04"],
    "a tar archive": [b"name".ljust(257, b"\0") + b"ustar\0" + bytes(300)],
}  # fmt: skip


@pytest.mark.parametrize("kind", FOREIGN)
@pytest.mark.parametrize("command", ["parse", "check", "stats"])
def test_a_foreign_input_is_named_in_one_line(fasturl: Run, kind: str, command: str) -> None:
    for data in FOREIGN[kind]:
        ran = fasturl(command, stdin=data)
        assert (ran.status, ran.out, ran.err.count("\n")) == (2, b"", 1) and f"is {kind}, " in ran.err


def test_what_may_be_text_is_read(fasturl: Run) -> None:
    lines = b"\xff\xfe\n\xff\nPK\n7z\n\xfe\xffab\n"
    ran = fasturl("parse", "-q", "--log-format", "URLS", "-g", "{url}", "--invalid-bytes", "surrogate", stdin=lines)
    assert ran.out == lines


def test_the_only_column_of_text_is_taken(fasturl: Run, tmp_path: Path) -> None:
    one = pa.table({"n": [1, 2], "u": ["http://a/", "http://b/"]})
    two = pa.table({"u": ["http://a/"], "n": [1], "agent\x1b": ["x"]})
    none = pa.table({"n": [1], "m": [2.5]})
    for name, table in (("one", one), ("two", two), ("none", none)):
        pq.write_table(table, tmp_path / f"{name}.parquet")
        with pa.ipc.new_file(tmp_path / f"{name}.arrow", table.schema) as writer:
            writer.write_table(table)
    for kind in ("parquet", "arrow"):
        ran = fasturl("parse", "-q", "-F", "field,url", tmp_path / f"one.{kind}")
        assert ran.rows == [{"field": "u", "url": "http://a/"}, {"field": "u", "url": "http://b/"}]
        many = fasturl("parse", tmp_path / f"two.{kind}")
        assert many.status == 2 and many.err.count("\n") == 1
        assert r"2 columns of text: name the column of the URLs with --column; there are: u, agent\x1b" in many.err
        ran = fasturl("check", tmp_path / f"none.{kind}")
        assert ran.status == 2 and "no column of text" in ran.err and "there are: n, m" in ran.err


def test_extract_writes_bytes_as_parse_does(fasturl: Run) -> None:
    text = b"see <http://h/\xe9#\xe9> and <http://h/\xc3\xa9>"
    assert fasturl("extract", stdin=text).lines == [b"http://h/%E9#%E9", b"http://h/\xc3\xa9"]
    assert fasturl("extract", "--invalid-bytes", "surrogate", stdin=text).lines == [
        b"http://h/\xe9#\xe9", b"http://h/\xc3\xa9",
    ]  # fmt: skip
    first, second = fasturl("extract", "--json", stdin=text).rows
    assert (first["url"], first["fragment"], second["url"]) == ("http://h/%E9", "%E9", "http://h/\xe9")
    assert fasturl("extract", "--json", "--invalid-bytes", "surrogate", stdin=text).rows[0]["url"] == "http://h/\udce9"
