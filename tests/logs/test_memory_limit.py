"""Is memory bounded whatever an input declares, and does the error name the size and the way out?"""

import bz2
import gzip
import lzma
import pickle
import struct
import subprocess
import sys
import zlib
from collections.abc import Callable
from pathlib import Path

import pytest
from support import measured

zstandard = pytest.importorskip("zstandard", reason="the samples are made by zstandard")

from fasturl import logs  # noqa: E402
from fasturl.logs.inputs.decompress import MEMORY_LIMIT  # noqa: E402

TEXT = b"http://h/a\n" * 10
linux = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the peak is reset for a child on Linux only")

PROGRAM = """
import sys
from support import peak
from fasturl import logs
import pyarrow.parquet
before = peak()
rows = 0
try:
    for batch in logs.read(sys.argv[1], fields=["line"], threads=1, memory_limit=int(sys.argv[2])):
        rows += len(batch)
except logs.LogError as error:
    print(type(error).__name__, error, file=sys.stderr)
print(rows, peak() - before)
"""


def read_apart(path: Path, limit: int = MEMORY_LIMIT) -> tuple[int, int, str]:
    """Read a file in a process of its own: the rows, how much memory that took in MiB, and the error."""
    command = [sys.executable, "-c", PROGRAM, str(path), str(limit)]
    done = subprocess.run(command, capture_output=True, env=measured(), timeout=120, text=True)
    assert done.returncode == 0, done.stderr
    rows, took = map(int, done.stdout.split())
    return rows, took >> 10, done.stderr


def xz(dictionary: int, text: bytes = TEXT) -> bytes:
    """An xz stream whose block header declares a dictionary of this many bytes; the data needs none of it."""
    filters = [{"id": lzma.FILTER_LZMA2, "preset": 0, "dict_size": 1 << 16}]
    raw = bytearray(lzma.compress(text, check=lzma.CHECK_CRC32, filters=filters))
    bits = next(bits for bits in range(41) if (2 | bits & 1) << bits // 2 + 11 >= dictionary)
    assert raw[14:16] == b"\x21\x01"
    raw[16] = bits
    length = (raw[12] + 1) * 4
    raw[12 + length - 4 : 12 + length] = struct.pack("<I", zlib.crc32(raw[12 : 12 + length - 4]))
    return bytes(raw)


def zst(window: int, text: bytes = TEXT) -> bytes:
    """A frame that declares a window of this many bytes (a power of two)."""
    header = struct.pack("<IBB", 0xFD2FB528, 0, (window.bit_length() - 11) << 3)
    return header + (len(text) << 3 | 1).to_bytes(3, "little") + text


def test_what_the_samples_declare_is_read() -> None:
    for raw in (xz(1 << 16), xz(100 << 20), zst(1 << 20), zst(MEMORY_LIMIT)):
        assert logs.read([raw], fields=["url"]).read_all().num_rows == 10


HUGE: dict[str, tuple[bytes, str, int]] = {
    "xz": (xz(3 << 29), "the dictionary that the xz data declares of 1.5 GiB", 3 << 29),
    "xz behind another": (lzma.compress(TEXT) + xz(1 << 30), "the xz data declares of 1 GiB", 1 << 30),
    "xz of 384 MiB": (xz(3 << 27), "declares of 384 MiB", 3 << 27),
    "zst": (zst(1 << 31), "the window that the zstd data declares of 2 GiB", 1 << 31),
    "zst long": (zst(1 << 28), "the window that the zstd data declares of 256 MiB", 1 << 28),
    "zst behind another": (zst(1 << 20) + zst(1 << 30), "the window that the zstd data declares of 1 GiB", 1 << 30),
}


@pytest.mark.parametrize("name", HUGE)
def test_what_is_above_the_limit_is_refused(name: str, tmp_path: Path) -> None:
    raw, what, size = HUGE[name]
    path = tmp_path / "access.log"
    path.write_bytes(raw)
    found = logs.read(path, fields=["url"])
    rows = 0
    with pytest.raises(logs.MemoryLimitError) as told:
        for batch in found:
            rows += len(batch)
    assert rows == (10 if "another" in name else 0)
    message = str(told.value)
    assert what in message and "access.log: " in message and "above the memory limit of 128 MiB" in message
    assert message.endswith("; raise memory_limit to read it")
    assert isinstance(told.value, logs.LogError) and not isinstance(told.value, logs.TruncatedInput)
    again = pickle.loads(pickle.dumps(told.value))
    assert (type(again), str(again), again.settings) == (logs.MemoryLimitError, message, ("memory_limit",))
    read = logs.read(path, fields=["url"], memory_limit=size).read_all()
    assert read.num_rows == (20 if "another" in name else 10)
    assert logs.detect(path, memory_limit=size).lines == read.num_rows
    with pytest.raises(ValueError, match="memory_limit must be 1 or more"):
        logs.read(path, memory_limit=0)


@linux
@pytest.mark.parametrize("name", ["xz", "zst"])
def test_nothing_is_made_for_what_is_refused(name: str, tmp_path: Path) -> None:
    path = tmp_path / f"access.log.{name}"
    # As much data as makes a decoder take what is declared.
    path.write_bytes(xz(3 << 29, b"http://h/a\n" * (40 << 16)) if name == "xz" else HUGE[name][0])
    rows, took, error = read_apart(path)
    assert rows == 0 and error.startswith("MemoryLimitError ") and took < 40, (took, error)


def bombs() -> dict[str, Callable[[], bytes]]:
    line = b"http://h/" + b"a" * 90 + b"\n"
    return {
        "gz": lambda: gzip.compress(line * (1 << 20), 9),
        "bz2": lambda: bz2.compress(line * (1 << 18), 9),
        "zst": lambda: zstandard.ZstdCompressor(level=19).compress(line * (1 << 20)),
        "xz": lambda: lzma.compress(line * (1 << 18), preset=0),
    }


@pytest.mark.long
@linux
@pytest.mark.parametrize("name", bombs())
def test_what_unpacks_to_a_hundred_megabytes_is_not_held(name: str, tmp_path: Path) -> None:
    path = tmp_path / f"access.log.{name}"
    path.write_bytes(bombs()[name]())
    rows, took, error = read_apart(path)
    assert rows >= 1 << 18 and error == "" and took < 150, took
