"""Make a corpus or a sample access log: a file of lines, or standard output.

    python -m bench.corpora web --lines 1000 -o urls.txt
    python -m bench.corpora log --lines 100000 -o access.log

The log is in the combined format, for the README's first run and for the benchmarks. Addresses and hosts are from the
ranges reserved for documentation. About one request in seven is for a new page, as in real logs. About one line in four
hundred is truncated or is not a log line.
"""

import argparse
import gzip
import os
import sys
from collections.abc import Iterable, Iterator
from datetime import datetime, timedelta
from random import Random

from bench.madeup import CORPORA, SEED, WORDS, lines, target, to_bytes, web

MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
START = datetime(2024, 2, 29, 22, 0, 0)
AGENTS = (
    "Mozilla/5.0 (X11; Linux x86_64; rv:115.0) Gecko/20100101 Firefox/115.0",
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/122.0 Safari/537.36",
    "Mozilla/5.0 (iPhone; CPU iPhone OS 17_3 like Mac OS X) AppleWebKit/605.1.15 Mobile/15E148 Safari/604.1",
    "ExampleBot/2.1 (+http://bot.example/info.html)",
    "curl/8.5.0",
    "-",
)
STATUSES = (200, 200, 200, 200, 200, 200, 206, 301, 302, 304, 304, 403, 404, 404, 500)
POOL = 400


def _address(rng: Random) -> str:
    if rng.randrange(10) == 0:
        return f"2001:db8::{rng.randrange(16**4):x}"
    return f"{rng.choice(('192.0.2', '198.51.100', '203.0.113'))}.{1 + rng.randrange(254)}"


def escape_item(data: bytes) -> str:
    """Return a log item as Apache writes it: quote and backslash after a backslash, other bytes as ``\\xhh``."""
    out = []
    for byte in data:
        if byte in b'"\\':
            out.append("\\" + chr(byte))
        elif 0x20 <= byte < 0x7F:
            out.append(chr(byte))
        else:
            out.append(f"\\x{byte:02x}")
    return "".join(out)


def _popular(rng: Random, pool: list[str]) -> str:
    """Choose an early member of the pool most of the time, because few pages get most of the requests."""
    return pool[rng.randrange(1 + rng.randrange(1 + rng.randrange(len(pool))))]


def _request(rng: Random, pool: list[str]) -> tuple[str, int]:
    kind = rng.randrange(500)
    if kind == 0:
        return "-", 408
    if kind == 1:
        return escape_item(bytes((22, 3, 1, rng.randrange(256), 1, 0))), 400
    if kind < 6:
        return f"CONNECT {rng.choice(WORDS)}.example:{rng.choice((443, 8443))} HTTP/1.1", 405
    if kind < 8:
        return "OPTIONS * HTTP/1.0", 200
    page = target(rng) if kind < 75 else _popular(rng, pool)
    method = rng.choice(("GET", "GET", "GET", "GET", "GET", "GET", "HEAD", "POST"))
    return f"{method} {escape_item(to_bytes(page))} HTTP/{rng.choice(('1.1', '1.1', '1.1', '2.0', '1.0'))}", 0


def log_line(rng: Random, moment: datetime, pages: list[str], referers: list[str]) -> str:
    """Return one line without its line feed."""
    request, status = _request(rng, pages)
    stamp = f"{moment.day:02d}/{MONTHS[moment.month - 1]}/{moment.year}:{moment:%H:%M:%S} +0000"
    user = rng.choice(WORDS) if rng.randrange(50) == 0 else "-"
    status = status or rng.choice(STATUSES)
    size = "-" if status == 304 else str(rng.randrange(200_000))
    kind = rng.randrange(10)
    referer = "-" if kind < 4 else web(rng) if kind == 4 else _popular(rng, referers)
    agent = rng.choice(AGENTS)
    return f'{_address(rng)} - {user} [{stamp}] "{request}" {status} {size} "{referer}" "{agent}"'


def log_lines(count: int, *, damaged: bool = True) -> Iterator[bytes]:
    """Yield ``count`` lines with their line feeds, in constant memory."""
    rng = Random(SEED)
    pages = [target(rng) for _ in range(POOL)]
    referers = [web(rng) for _ in range(POOL)]
    moment = START
    for _ in range(count):
        moment += timedelta(seconds=rng.randrange(3))
        line = log_line(rng, moment, pages, referers)
        fate = rng.randrange(800)
        if damaged and fate == 0:
            line = line[: 10 + rng.randrange(50)]
        elif damaged and fate == 1:
            line = "logrotate: access.log turned over"
        yield line.encode("ascii") + b"\n"


def write(chunks: Iterable[bytes], name: str) -> None:
    """Write to a file, gzipped if its name ends in .gz, or to standard output if it is ``-``."""
    if name == "-":
        sys.stdout.buffer.writelines(chunks)
        sys.stdout.buffer.flush()
        return
    with open(name, "wb") as file:
        if name.endswith(".gz"):
            with gzip.GzipFile("", "wb", 6, file, mtime=0) as zipped:
                zipped.writelines(chunks)
        else:
            file.writelines(chunks)


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.corpora", description=__doc__.split("\n")[0])
    parser.add_argument("name", choices=["log", *CORPORA], help="what to make")
    parser.add_argument("-n", "--lines", type=int, default=10_000, help="how many lines (default 10000)")
    parser.add_argument("-o", "--output", default="-", help="file, .gz for gzip; default standard output")
    options = parser.parse_args()
    if options.lines < 0:
        parser.error("--lines: a number from 0 up")
    chunks = log_lines(options.lines) if options.name == "log" else lines(options.name, options.lines)
    try:
        write(chunks, options.output)
    except BrokenPipeError:
        # The reader has gone. Without this the interpreter prints another error at its end.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except OSError as error:
        print(f"{parser.prog}: {error.filename or options.output}: {error.strerror}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
