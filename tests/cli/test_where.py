"""Does `parse --where` write the rows for which the expression is true, in every kind of output, and count these?"""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("duckdb", reason="expressions need duckdb")
pytest.importorskip("pyarrow", reason="parse needs pyarrow")

LINE = b'192.0.2.%d - - [17/May/2015:10:05:03 +0200] "GET /%s/a-long-enough-path?q=%%zz HTTP/1.1" %d %d "%s" "agent"'
LINES = [LINE % (n % 3, b"abc\xe9"[n % 4 : n % 4 + 1], 500 if n % 2 else 200, n, b"http://r/") for n in range(6000)]
LOG = b"".join(line + b"\n" for line in LINES)


@pytest.fixture
def log(tmp_path: Path) -> Path:
    path = tmp_path / "access.log"
    path.write_bytes(LOG)
    return path


def test_rows_are_those_of_the_whole_table(fasturl: Callable[..., Any], log: Path, tmp_path: Path) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    names = "line,path,size,valid,findings,referer_host"
    whole = [json.loads(line) for line in fasturl("parse", "-q", "-F", names, log).out.splitlines()]
    want = [row for row, n in zip(whole, range(6000), strict=True) if n % 2 and n > 10]
    where = ("--where", "status >= 500 AND size > 10 -- not all", "-F", names)
    ran = fasturl("parse", *where, log)
    assert ran.status == 0, ran.err
    assert [json.loads(line) for line in ran.out.splitlines()] == want
    assert f"6,000 lines, {len(want):,} URLs: 0 valid, {len(want):,} invalid" in ran.err
    assert f"BAD_ESCAPE  {len(want):,}" in ran.err.replace("  BAD_ESCAPE ", "BAD_ESCAPE ")
    for name in ("o.parquet", "o.arrow", "o.csv"):
        assert fasturl("parse", "-q", *where, log, "-o", tmp_path / name).status == 0
    assert pq.read_table(tmp_path / "o.parquet")["size"].to_pylist() == [row["size"] for row in want]
    with pa.OSFile(str(tmp_path / "o.arrow")) as file:
        assert pa.ipc.open_file(file).read_all()["line"].to_pylist() == [row["line"] for row in want]
    assert len((tmp_path / "o.csv").read_bytes().splitlines()) == 1 + len(want)


def test_an_expression_that_is_true_of_none_and_one_of_all(fasturl: Callable[..., Any], log: Path) -> None:
    ran = fasturl("parse", "--where", "false", log)
    assert ran.status == 0 and ran.out == b"" and "6,000 lines, 0 URLs" in ran.err
    assert len(fasturl("parse", "-q", "--where", "host IS NULL", "-F", "line", log).out.splitlines()) == 6000


def test_rows_by_url_and_by_template(fasturl: Callable[..., Any], log: Path) -> None:
    ran = fasturl("parse", "-q", "--rows", "url", "--where", "field = 'referer' AND line = 3", "-F", "line,url", log)
    assert ran.out == b'{"line":3,"url":"http://r/"}\n'
    assert fasturl("parse", "-q", "--where", "line < 3", "-g", "{status}", log).out == b"200\n500\n"


@pytest.mark.parametrize("expression", ["nothing = 1", "status >", "(", "path::int > 0"])
def test_an_expression_that_fails_is_one_line(fasturl: Callable[..., Any], log: Path, expression: str) -> None:
    ran = fasturl("parse", "-q", "--where", expression, log)
    assert ran.status == 2 and ran.out == b"" and ran.err.startswith("fasturl: ") and ran.err.count("\n") == 1
