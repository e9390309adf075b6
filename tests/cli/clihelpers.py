"""Helpers: the expected columns of a URL, the rows of an output, compressions, and runs whose process is watched."""

import bz2
import csv
import gzip
import json
import lzma
import os
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from support import measured

import fasturl as library

try:
    import pty
except ImportError:
    pty = None  # type: ignore[assignment]

COMMAND = [sys.executable, "-m", "fasturl"]
posix = pytest.mark.skipif(
    os.name != "posix" or not shutil.which("sh"), reason="signals, links, special files and a shell of POSIX"
)

PARTS = ("scheme", "netloc", "username", "password", "host", "port", "path", "query", "fragment")
COLUMNS = ["file", "line", "field", "url", *PARTS, "valid_rfc1738", "findings", "error_offset"]
# The command, with a progress bar from the start.
AT_ONCE = (
    sys.executable, "-c", "from fasturl.cli import __main__, terminal; terminal._PROGRESS_AFTER = 0; __main__.run()",
)  # fmt: skip


@dataclass
class Ran:
    status: int
    out: bytes
    err: str

    @property
    def rows(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self.out.splitlines()]

    @property
    def row(self) -> dict[str, Any]:
        """Return the only row."""
        (row,) = self.rows
        return row

    @property
    def lines(self) -> list[bytes]:
        return self.out.splitlines()


# Types of the fixtures fasturl, make_clf and start.
Run, Make, Start = Callable[..., Ran], Callable[..., bytes], Callable[..., "subprocess.Popen[bytes]"]


def parts_by_the_library(text: bytes, form: str = "url") -> dict[str, Any]:
    """Return the expected columns of a URL, except the first three, with texts as bytes."""
    url = library.parse(text, form=form)

    def part(name: str) -> bytes | None:
        span = url.span(name)
        return None if span is None else text[slice(*span)]

    try:
        port = url.port
    except ValueError:
        port = None
    return {
        "url": text,
        "scheme": url.scheme or None,
        **{name: part(name) for name in PARTS if name not in ("scheme", "port")},
        "port": port,
        "valid_rfc1738": url.valid_rfc1738,
        "findings": [f.name for f in library.Finding if f.value.bit_count() == 1 and f in url.findings],
        "error_offset": url.error_offset,
    }


def as_bytes(row: dict[str, Any]) -> dict[str, Any]:
    """Return a JSON row with its strings as bytes."""
    return {
        key: value.encode("utf-8", "surrogateescape") if isinstance(value, str) else value for key, value in row.items()
    }


def rows_of_file(path: Path) -> list[dict[str, Any]]:
    """Return the rows of an output, whose suffix names its format."""
    if path.suffix == ".jsonl":
        return [json.loads(line) for line in path.read_bytes().splitlines()]
    if path.suffix == ".csv":
        return [*csv.DictReader(path.read_text().splitlines())]
    return list((pq.read_table(path) if path.suffix == ".parquet" else pa.ipc.open_file(path).read_all()).to_pylist())


def zstd(data: bytes) -> bytes:
    packed: bytes = pytest.importorskip("zstandard").ZstdCompressor().compress(data)
    return packed


def unpack_zstd(data: bytes) -> bytes:
    text: bytes = pytest.importorskip("zstandard").ZstdDecompressor().decompressobj().decompress(data)
    return text


# By suffix: the name of the compression, and what packs and unpacks.
COMPRESSIONS: dict[str, tuple[str, Callable[[bytes], bytes], Callable[[bytes], bytes]]] = {
    "gz": ("gzip", gzip.compress, gzip.decompress),
    "bz2": ("bzip2", bz2.compress, bz2.decompress),
    "xz": ("xz", lambda data: lzma.compress(data, preset=0), lzma.decompress),
    "zst": ("zstd", zstd, unpack_zstd),
}


def need_altair() -> None:
    """Skip the test if reports cannot be made."""
    pytest.importorskip("altair", reason="reports need altair")


def wait_for(found: Callable[[], Any]) -> Any:
    """Return the first result that is true. It must come within a minute."""
    deadline = time.monotonic() + 60
    while not (value := found()):
        assert time.monotonic() < deadline
        time.sleep(0.01)
    return value


PEAK = f"""
import sys
sys.path.insert(0, {str(Path(__file__).resolve().parents[1])!r})
from support import peak
from fasturl.cli.app import call
status = call(sys.argv[1:])
print(peak(), file=sys.stderr)
sys.exit(status)
"""


def peak_memory(arguments: list[str], feed: Callable[[Any], Any]) -> tuple[int, bytes, int]:
    """Run the command with the input that `feed` writes. Return its peak memory in KiB, its output and its status."""
    pipes: Any = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
    with subprocess.Popen([sys.executable, "-c", PEAK, *arguments], env=measured(), **pipes) as process:

        def write() -> None:
            with process.stdin:
                feed(process.stdin)

        writer = threading.Thread(target=write)
        writer.start()
        out, errors = process.stdout.read(), process.stderr.read()
        writer.join()
    return int(errors.split()[-1]), out, process.returncode


def take_over(terminal: int) -> None:
    """Make it the controlling terminal, /dev/tty."""
    import fcntl
    import termios

    fcntl.ioctl(terminal, termios.TIOCSCTTY, 0)


def on_a_terminal(
    arguments: list[str], stdin: bytes, *, program: Sequence[str] = COMMAND, to_pipe: Any = None, **env: str
) -> tuple[bytes, int]:
    """Run the command on a terminal. Return the text on the terminal and the exit status.

    to_pipe : replaces the terminal as standard output
    """
    if pty is None:
        pytest.skip("no terminals to open here")
    leader, follower = os.openpty()
    arguments = [argument.replace("{name}", os.ttyname(follower)) for argument in arguments]
    environment = {**os.environ, "TERM": "xterm", "COLUMNS": "120", **env}
    process = subprocess.Popen(
        [*program, *arguments],
        stdin=subprocess.PIPE, stdout=to_pipe or follower, stderr=follower, env=environment,
        start_new_session=True, preexec_fn=lambda: take_over(follower),
    )  # fmt: skip
    os.close(follower)
    assert process.stdin is not None
    process.stdin.write(stdin)
    process.stdin.close()
    shown = []
    while True:
        try:
            block = os.read(leader, 65536)
        except OSError:  # on Linux: the other side has closed
            break
        if not block:
            break
        shown.append(block)
    os.close(leader)
    return b"".join(shown), process.wait(60)
