"""Is memory held as long as it is needed, given back after, and never more than a stream's batch?"""

import gc
import subprocess
import sys
from pathlib import Path

import pyarrow as pa
import pytest
from peak import measured

import fasturl
from fasturl import arrow

PLACE = str(Path(fasturl.__file__).resolve().parent.parent)
LONG = "http://www.example.com/a%20path/that/is/longer?than=a%20view"
WORK = [arrow.quote, arrow.unquote, arrow.normalize, arrow.redact, lambda c: arrow.query_value(c, "than"), arrow.parse]

RESIDENT = """
import os, sys
sys.path.insert(0, {place!r})
import pyarrow as pa
from fasturl import arrow

def resident():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
"""


def run(script: str) -> list[int]:
    """The numbers that a script prints, in a process of its own."""
    code = RESIDENT.format(place=PLACE) + script
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=measured())
    assert done.returncode == 0, done.stderr
    return [int(line) for line in done.stdout.split()]


linux = pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")


@linux
@pytest.mark.parametrize("threads", [1, 4])
def test_a_stream_takes_constant_memory(threads: int) -> None:
    """The rounds between the two readings take and give two gigabytes; which arenas the allocator spreads
    them over differs from run to run by some tens of megabytes."""
    after_few, after_many = run(
        f"""
def stream(batches):
    for i in range(batches):
        yield pa.array([f"http://HOST{{i}}.example.com/path/{{k}}/with-something?to=read" for k in range(1 << 16)])

for rounds in (20, 80):
    for batch in arrow.parse_batches(stream(rounds), arrow.FIELDS, threads={threads}):
        pass
    print(resident())
"""
    )
    assert after_many - after_few < 96 << 20


@linux
@pytest.mark.parametrize(
    "call", ["quote(c)", "unquote(c)", "normalize(c)", "redact(c, ['to'])", "query_value(c, 'to')", "parse(c)"]
)
def test_nothing_leaks(call: str) -> None:
    """The answers of a hundred rounds would be three gigabytes."""
    after_few, after_many = run(
        f"""
c = pa.array(["http://HOST.example.com/a%20path/%FF/with something?to=%41-very-long-value-of-some"] * 200000)
bad = [c.slice(0, 7), [], ["x", None], c.dictionary_encode()]
for rounds in (5, 60):
    for _ in range(rounds):
        arrow.{call}
        for c_ in bad:
            arrow.{call.replace("(c", "(c_")}
        for wrong in ([1], "x", pa.array([2])):
            try:
                arrow.{call.replace("(c", "(wrong")}
            except TypeError:
                pass
    print(resident())
"""
    )
    assert after_many - after_few < 24 << 20


@pytest.mark.parametrize("work", range(len(WORK)))
@pytest.mark.parametrize("kind", [pa.string(), pa.large_string(), pa.string_view()], ids=str)
def test_a_result_keeps_what_it_names(work: int, kind: pa.DataType) -> None:
    texts = [f"{LONG}&n={i}" for i in range(3000)]
    want = WORK[work](texts).to_pylist()
    column = pa.array(list(texts), kind)
    found = WORK[work](column)
    del column
    gc.collect()
    others = [pa.array([f"{i:070}" for i in range(3000)], kind) for _ in range(20)]
    assert found.to_pylist() == want
    part = found.slice(2990)
    del found, others
    gc.collect()
    WORK[work](["%41" * 40] * 3000)
    assert part.to_pylist() == want[2990:]


def test_a_sequence_need_not_live_on() -> None:
    found = arrow.parse([f"{LONG}&n={i}" for i in range(1000)], ["query"])
    gc.collect()
    assert found["query"].to_pylist() == [f"than=a%20view&n={i}" for i in range(1000)]


def test_texts_in_different_windows_of_one_column() -> None:
    """Octets of over 2 GiB, in sparse memory of which few pages are ever touched."""
    import mmap

    edge, text = 1 << 31, LONG.encode()
    memory = mmap.mmap(-1, edge + 4096)
    starts = [5, (1 << 30) - 10, (1 << 30) + 200, edge - 30, edge + 100]
    offsets: list[int] = []
    for start in starts:
        memory[start : start + len(text)] = text
        offsets += [start, start + len(text)]
    # Every second row is what lies between two texts: null, so that its length is never looked at.
    validity = pa.array([True, False] * len(starts)).buffers()[1]
    places = pa.array(offsets, pa.int64()).buffers()[1]
    n = len(offsets) - 1
    column = pa.Array.from_buffers(pa.large_string(), n, [validity, places, pa.py_buffer(memory)])
    want: list[str | None] = [LONG, None] * len(starts)
    for work in WORK:
        assert work(column).to_pylist() == work(want[:n]).to_pylist()
