"""Memory is held while a result needs it, released afterwards, and bounded by a stream's batch."""

import gc
import sys

import pyarrow as pa
import pytest
from support import measured, run_python
from tries import ALL

from fasturl import arrow

LONG = "http://www.example.com/a%20path/that/is/longer?than=a%20view"
WORK = [arrow.quote, arrow.unquote, arrow.normalize, arrow.redact, lambda c: arrow.query_value(c, "than"), arrow.parse]

RESIDENT = """
import os
import pyarrow as pa
from fasturl import arrow

def resident():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
"""
linux = pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")


def run(script: str) -> list[int]:
    """Run a script in its own process; return the numbers it prints."""
    return [int(line) for line in run_python("-c", RESIDENT + script, env=measured()).split()]


@pytest.mark.long
@linux
@pytest.mark.parametrize("threads", [1, 4])
def test_a_stream_takes_constant_memory(threads: int) -> None:
    """Between the readings, batches take and release two gigabytes with --all, 300 MB without. The allocator's arenas
    account for a difference of some tens of megabytes between runs."""
    after_few, after_many = run(
        f"""
def stream(batches):
    for i in range(batches):
        yield pa.array([f"http://HOST{{i}}.example.com/path/{{k}}/with-something?to=read" for k in range(1 << 16)])

for rounds in ({"20, 80" if ALL else "10, 20"}):
    for batch in arrow.parse_batches(stream(rounds), arrow.FIELDS, threads={threads}):
        pass
    print(resident())
"""
    )
    assert after_many - after_few < 96 << 20


@pytest.mark.long
@linux
@pytest.mark.parametrize(
    "call", ["quote(c)", "unquote(c)", "normalize(c)", "redact(c, ['to'])", "query_value(c, 'to')", "parse(c)"]
)
def test_repeated_calls_leak_no_memory(call: str) -> None:
    """The results of the rounds between the readings would take 1.6 GB with --all, 150 MB without."""
    after_few, after_many = run(
        f"""
url = "http://HOST.example.com/a%20path/%FF/with something?to=%41-very-long-value-of-some"
c = pa.array([url] * {200_000 if ALL else 100_000})
bad = [c.slice(0, 7), [], ["x", None], c.dictionary_encode()]
for rounds in (5, {60 if ALL else 15}):
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


@pytest.mark.long
@pytest.mark.parametrize("work", range(len(WORK)))
@pytest.mark.parametrize("kind", [pa.string(), pa.large_string(), pa.string_view()], ids=str)
def test_a_result_keeps_the_input_buffers_it_names(work: int, kind: pa.DataType) -> None:
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


def test_a_result_outlives_its_input_sequence() -> None:
    found = arrow.parse([f"{LONG}&n={i}" for i in range(1000)], ["query"])
    gc.collect()
    assert found["query"].to_pylist() == [f"than=a%20view&n={i}" for i in range(1000)]


def test_texts_two_gigabytes_apart_are_read() -> None:
    """The memory is sparse: few of its pages are ever touched."""
    import mmap

    edge, text = 1 << 31, LONG.encode()
    memory = mmap.mmap(-1, edge + 4096)
    starts = [5, (1 << 30) - 10, (1 << 30) + 200, edge - 30, edge + 100]
    offsets: list[int] = []
    for start in starts:
        memory[start : start + len(text)] = text
        offsets += [start, start + len(text)]
    # Every second row spans the gap between two texts. It is null, so its length is never read.
    validity = pa.array([True, False] * len(starts)).buffers()[1]
    places = pa.array(offsets, pa.int64()).buffers()[1]
    n = len(offsets) - 1
    column = pa.Array.from_buffers(pa.large_string(), n, [validity, places, pa.py_buffer(memory)])
    want: list[str | None] = [LONG, None] * len(starts)
    for work in WORK:
        assert work(column).to_pylist() == work(want[:n]).to_pylist()
