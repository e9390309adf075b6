"""No line of an input ends a run with an exception: broken lines go through the reader and the commands. The commands
run in this process, because most runs end within milliseconds."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pyarrow.parquet as pq
import pytest
from logsamples import PROVEN, REFUSED, SAMPLES
from nasty import NASTY

from fasturl import logs
from fasturl.cli.app import call
from fasturl.logs.formats.catalog import LOG_NAMES

LOG = b'192.0.2.1 - - [%s] "GET /a HTTP/1.1" 200 7 "-" "agent"\n'
KEYED = b'{"verb":"GET","urlPath":"/a","http_code":%s,"n":%s}\n'
DIGITS = b"9" * 5000
# Inputs that once ended a run with an exception.
FAULTS = [
    DIGITS + b"\n",
    b'{"url":"http://h/","n":' + DIGITS + b"}\n",
    b"".join(KEYED % (status, b"1") for status in [b"200"] * 19 + [b'"%s"' % DIGITS]),
    LOG % b"01/Jan/0001:00:00:00 +1400",
    LOG % b"31/Dec/9999:23:59:59 -2359",
    LOG % b"31/Dec/9999:23:59:59 +0000",
    LOG % b"01/Jan/0001:00:00:00 +0000",
    b'{"remote_addr":"192.0.2.1","request":"GET /a HTTP/1.1","status":200,"time":"0001-01-01T00:00+01:00"}\n',
]
_TEXTS = [text if isinstance(text, bytes) else text.encode("utf-8", "surrogateescape") for text, *_ in NASTY]
BASES = [
    *(line.encode() + b"\n" for _, _, line, _ in SAMPLES),
    *("\n".join([*lines, ""]).encode() for _, lines, _ in PROVEN),
    *("\n".join([*lines, ""]).encode() for _, lines in REFUSED),
    *(text + b"\n" for text in _TEXTS if len(text) < 1000),
    b"id,url,path\n7,http://h/a?b=1,mine\n",
    *(json.dumps({"url": text.decode("latin-1"), "o": {"a": [1, None]}}).encode() + b"\n" for text in _TEXTS[:30]),
]
# What readers of numbers, times, texts, tables and compressions may trip over.
TOKENS = [
    *(DIGITS, b"9" * 4301, b"9" * 20, b"-0", b"1e999", b"NaN", b"Infinity", b"0" * 400, b"1" * 17 + b".5", b"-1",
      b"1.5"),
    *(b"0000", b"0001", b"9999", b"10000", b"+1400", b"-2359", b"+9999", b"0001-01-01T00:00:00+14:00", b"0000-01-01"),
    *(b"31/Dec/9999:23:59:60 -0100", b"01/Jan/0001:00:00:00 +1400", b"9999-12-31 23:59-12", b"99999999999", b"Z"),
    *(b"\\ud83d", b"\\ude00", b"\\udc80", b"\\u0000", b"\\x00", b"\\", b'\\"', b"\xed\xa0\xbd", b"\xff\xfe",
      b"\xef\xbb\xbf"),
    *(b"\xe9", b"\xf0\x9f\x98\x80", b"\xe2\x80\xa8", b"\x1b[31m", b"[" * 1200, b'{"a":' * 1200, b'"', b'""', b",",
      b"|"),
    *(b"\t", b" ", b"\r", b"\n", b"\r\n", b"\0", b"-", b"", b"=", b":", b"{", b"}", b"null", b"true", b"[]", b"{}",
      b"%zz"),
    *(b":99999999999999999999", b":65536", b"http://h:" + DIGITS + b"/", b"http://[", b"//u:p@h?token=a", b"a." * 200),
    *(b"#Fields: date time cs-uri cs-uri\n", b"#Fields:", b"#Fields: " + b"x " * 3000 + b"\n", b"path\t" * 2000),
    *(b'"path","path","status"\n', b"web_1  | ", b"May 17 10:05:03 h a[1]: ", b'{"log":"', b"GET ", b" HTTP/1.1",
      b"200"),
    *(b"\x1f\x8b\x08\0", b"BZh9", b"\xfd7zXZ\0", b"\x28\xb5\x2f\xfd", b"PK\x03\x04", b"PAR1", b"ARROW1\0\0"),
]  # fmt: skip
WORD = re.compile(rb"[\w./:+-]+")


def mutated(rng: Random) -> bytes:
    text = bytearray(rng.choice(BASES))
    for _ in range(rng.choice([1, 1, 2, 3, 5])):
        at, token = rng.randrange(len(text) + 1), rng.choice(TOKENS)
        words = [*WORD.finditer(text)]
        match rng.randrange(7):
            case 0:
                text[at : at + 1] = rng.randbytes(1)
            case 1:
                del text[at : at + rng.choice([1, 5, 30])]
            case 2:
                text[at:at] = text[at : at + 50] * rng.choice([1, 40])
            case 3:
                text[at:] = rng.choice(BASES)[at:]
            case 4 if words:
                text[slice(*rng.choice(words).span())] = token
            case 5:
                text[:0] = token
            case _:
                text[at:at] = token
    return bytes(text)


ONE = ["--threads", "1"]
REWRITES = ["--to", "log", "--redact", "secrets", "--anonymize-client", "/24", "--drop", "b"]
COMMANDS = [
    ["parse", *ONE],                                          ["parse", *ONE, "--rows", "url", "--to", "csv-safe"],
    ["parse", *ONE, "--keep", "*", "--rejects", "rejects"],   ["parse", *ONE, "-o", "out.parquet"],
    ["parse", *ONE, *REWRITES],                               ["parse", *ONE, "--field", "url", "--keep", "*"],
    ["parse", *ONE, "--column", "2", "--keep", "*", "--no-headers"],
    ["parse", *ONE, "--map", "target=url", "--map", "time=time"],
    ["parse", *ONE, "-g", "{default:port} {host} {path} {query:b} {user} {time} {findings}"],
    ["check", "--json", "--hazards"],                         ["check", "--standard", "rfc3986", "--format", "github"],
    ["detect"],                                               ["extract", "--json"],
    ["unquote", "-f"],
]  # fmt: skip
SLOW = [
    ["stats", *ONE, "--json"],
    ["sql", "SELECT *, time + INTERVAL 1 DAY, age(time) FROM requests", *ONE],
    ["parse", *ONE, "--where", "status >= 0 OR time > '2015-01-01'"],
]


def check(data: bytes, commands: list[list[str]], name: str, *, by_url: bool) -> None:
    """Read the input in the format that is detected and in another one, and run the commands."""
    for fmt in ("auto", name):
        try:
            found = logs.detect([data], fmt)
            assert str(found) and str(found.mismatch)
            with logs.read([data], fmt, rows="url" if by_url else "request", threads=1) as reader:
                for batch in reader:
                    batch.to_pylist()
        except logs.LogError:
            pass
    logs.parse_lines(data.split(b"\n"), name).to_pylist()
    Path("input").write_bytes(data)
    for arguments in commands:
        has_format = arguments[0] not in ("extract", "unquote") and not {"--field", "--column", "--map"} & {*arguments}
        for more in ([], ["--log-format", name])[: 1 + has_format]:
            assert call([*arguments, *more, "input"]) in (0, 1, 2), arguments
    if Path("out.parquet").exists():
        pq.read_table("out.parquet").to_pylist()
    line = data.split(b"\n")[0][:2000].replace(b"\0", b"").decode("utf-8", "surrogateescape")
    assert call(["explain", "--", line]) in (0, 1, 2)


@pytest.fixture(autouse=True)
def _in_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Iterator[None]:
    monkeypatch.chdir(tmp_path)
    yield
    assert not re.search('Traceback [^^]*File ".*fasturl', capfd.readouterr().err)


@pytest.mark.parametrize("data", FAULTS, ids=range(len(FAULTS)))
def test_lines_that_ended_a_run_end_none(data: bytes) -> None:
    pytest.importorskip("duckdb", reason="counts and queries need duckdb")
    check(data, [*COMMANDS, *SLOW], "COMBINED", by_url=True)


@pytest.mark.parametrize("part", range(10))
def test_no_mutated_line_ends_a_run_with_an_exception(tries: int, part: int) -> None:
    pytest.importorskip("duckdb", reason="counts and queries need duckdb")
    rng = Random(part)
    for _ in range(tries // 20):
        data = mutated(rng)
        commands = rng.sample(SLOW if rng.random() < 0.05 else COMMANDS, 1)
        try:
            check(data, commands, rng.choice(LOG_NAMES), by_url=rng.random() < 0.5)
        except Exception as error:
            raise AssertionError(data[:1000]) from error
