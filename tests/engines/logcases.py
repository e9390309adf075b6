"""Logs that every engine must read like `fasturl.logs.read` on one machine."""

import gzip
import os
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from fasturl import logs

LINE = (
    b'192.0.2.%d - - [17/May/2015:10:05:%02d +0200] "GET /a/%d?q=\xe9 HTTP/1.1" 200 %d "http://r.example:80/x" "agent"'
)
FIELDS = ["file", "path", "status", "size", "time", "valid_rfc1738", "findings", "referer_host", "referer_port"]
COUNT = 400


def written(folder: Path) -> list[str]:
    """Write two logs with rejects, one compressed; the first has carriage returns and an unterminated last line."""
    lines = [LINE % (n % 256, n % 60, n, n * 10**15) for n in range(COUNT)]
    lines[0] = lines[1]
    for number in range(7, COUNT, 50):
        lines.insert(number, b"torn \xff line %d" % number)
    plain, packed = folder / "a.log", folder / "b.log.gz"
    ends = (b"\r\n".join(lines[:100]), b"\r".join(lines[100:103]) + b"\n", b"\n".join(lines[103:]))
    plain.write_bytes(b"\n".join(ends))
    packed.write_bytes(gzip.compress(b"\n".join(lines[:50]) + b"\n"))
    return [str(plain), str(packed)]


def inputs(folder: Path) -> Iterator[list[str]]:
    """Return these logs, and a real one if available."""
    yield written(folder)
    real = Path(os.environ.get("FASTURL_DATA", Path(__file__).resolve().parents[3] / "shared" / "data")) / "access.log"
    if real.is_file():
        yield [str(real)]


def comparable(rows: list[dict[str, Any]]) -> list[str]:
    """Return the rows in sorted order, with times as numbers, because engines use time zones of their own."""
    for row in rows:
        if isinstance(row.get("time"), datetime):
            moment = row["time"]
            row["time"] = (moment if moment.tzinfo else moment.astimezone()).astimezone(UTC).timestamp()
        if row.get("findings") is not None:
            row["findings"] = list(row["findings"])
    return sorted(repr(sorted(row.items())) for row in rows)


def wanted(paths: list[str]) -> list[str]:
    found = comparable(logs.read(paths, "COMBINED", FIELDS, threads=1).read_all().to_pylist())
    assert len(found) >= COUNT + 49
    return found


# The rejects of both logs.
REJECTS = sorted([f"torn %FF line {number}" for number in range(7, COUNT, 50)] + ["torn %FF line 7"])


def check_rejects(rows: list[dict[str, Any]]) -> None:
    """Check a read of the field `path` that keeps the rejects."""
    assert len(rows) == COUNT + 49 + len(REJECTS)
    rejects = [row for row in rows if row["rejected"]]
    assert sorted(row["text"].rstrip("\r") for row in rejects) == REJECTS
    assert all(row["path"] is None for row in rejects)
    assert all(row["text"] is None and row["path"] for row in rows if not row["rejected"])
