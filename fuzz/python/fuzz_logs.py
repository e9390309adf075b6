"""The log reader gives the same rows for any bytes in the whole and in pieces, in any format, compressed or not, and
raises only LogError."""

from __future__ import annotations

import gzip
from typing import Any

from common import Input, fuzz

from fasturl import logs
from fasturl.logs.errors import LogError

FORMATS = ["COMMON", "COMBINED", "VCOMMON", "VCOMBINED", "auto", "URLS", '%h %l %u %t "%m %U%q %H" %>s %b',
           '$remote_addr - $remote_user [$time_local] "$request" $status $body_bytes_sent "$http_referer"',
           "$time_iso8601\t$request_method\t$request_uri\t$status"]  # fmt: skip


def cut(data: bytes, given: Input) -> list[bytes]:
    places = sorted(given.chance.randrange(len(data) + 1) for _ in range(given.chance.randrange(5)))
    return [data[start:end] for start, end in zip([0, *places], [*places, len(data)], strict=True)]


def rows(pieces: list[bytes], name: str, kind: Any) -> Any:
    try:
        return logs.read(pieces, format=name, rows=kind, threads=1).read_all().to_pylist()
    except LogError as error:
        return type(error), str(error)


def test_one(given: Input) -> None:
    data = given.data * (1 + given.two % 2)
    if given.one & 4:
        data = gzip.compress(data, 1, mtime=0)
        if given.one & 8:  # truncated
            data = data[: len(data) - given.two % 12]
    name = FORMATS[given.two % len(FORMATS)]
    kind = "request" if given.one & 1 and name != "URLS" else "url"
    whole = rows([data], name, kind)
    assert rows(cut(data, given), name, kind) == whole, (name, kind)
    if isinstance(whole, list):
        assert len(whole) <= 2 * (given.data.count(b"\n") + 1) * 2


if __name__ == "__main__":
    fuzz(test_one)
