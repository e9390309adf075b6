"""Fail each allocation of the extensions once: ``failing.py SHIM``. SHIM is built from failing_malloc.c and loaded
before the C library. Print for each call how many allocations failed."""

import ctypes
import gc
import io
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import fasturl
from fasturl import schemes

URL = "http://u:p@h.example:8080/a;b?c=%41&d=e+f#g"
LONG = "HTTP://A-VERY-LONG-HOST.EXAMPLE/%7e" + "a b/%" * 300 + "?key=%41%e2%82&c"
LINE = b'h - - [17/May/2015:10:05:03 +0000] "GET /a?b=%41 HTTP/1.1" 200 2326 "http://r/" "caf\\xe9"\n'
ROWS = [URL, LONG, None, "own:x", "/a b", "X" * 40 + "://h"] * 4

CALLS: dict[str, Callable[[], Any]] = {
    "problems": lambda: fasturl.problems("http://h:x/ %\u20ac\n[" * 9),
    "strict": lambda: refused(lambda: fasturl.parse(" [" + URL, strict=True)),
    "extract": lambda: [tuple(one) for one in fasturl.find_urls("a <URL:http://h/ b\u20ac#c> b <x://y\n#z>")],
    "normalize": lambda: [fasturl.normalize(text) for text in (LONG, LONG.encode(), URL + "\u20ac")],
    "equivalent": lambda: [fasturl.equivalent(text, text + "#") for text in (LONG, URL + "\u20ac")],
}


def refused(call: Callable[[], Any]) -> str:
    try:
        call()
    except fasturl.InvalidURL as error:
        return str(error)
    return "not refused"


def columns() -> Iterator[tuple[str, Callable[[], Any]]]:
    import pyarrow as pa

    from fasturl import arrow

    for kind in (pa.string(), pa.large_binary(), pa.string_view()):
        rows = pa.array(ROWS, pa.string()).cast(kind)
        for strings in ("view", "string"):
            yield (
                f"parse {kind} {strings}",
                lambda rows=rows, strings=strings: arrow.parse(rows, arrow.FIELDS, strings=strings),
            )
    rows = pa.array(ROWS)
    for name in ("quote", "unquote", "unquote_safe", "normalize", "query_pairs", "problems", "path_template",
                 "dedup_key", "dedup_hash", "canonicalize", "surt", "origin", "file_name", "url_prefixes", "path_depth",
                 "query_names"):  # fmt: skip
        yield name, lambda name=name: getattr(arrow, name)(rows)
    yield "blocks", lambda: arrow.blocks(rows, ["c.d", "h.example", "example"])
    yield "equivalent", lambda: arrow.equivalent(rows, pa.array([*ROWS[1:], URL]))
    yield "redact", lambda: arrow.redact(rows, ["c", "key"])
    yield "query_value", lambda: arrow.query_value(rows, "c")
    yield "query_values", lambda: arrow.query_values(rows, ["c", "key"])
    yield "drop_params", lambda: arrow.drop_params(rows, ["c*"])
    yield "join", lambda: arrow.urljoin("http://h/a/b", rows)
    yield "drop_parts", lambda: arrow.drop_parts(rows, "login", "query")


def text_of_rows() -> Iterator[tuple[str, Callable[[], Any]]]:
    from fasturl import _columns

    nothing = (b'{"t":', "nothing", 0, 0, 0, (), ())
    yield "row text", lambda: _columns.Columns([nothing]).lines(end=2000)


def log_lines() -> Iterator[tuple[str, Callable[[], Any]]]:
    from fasturl import logs

    for rows in ("url", "request"):
        yield (
            f"logs {rows}",
            lambda rows=rows: logs.read(io.BytesIO(LINE * 40), "combined", rows=rows, threads=1).read_all(),
        )


def shown(answer: Any) -> Any:
    if hasattr(answer, "to_pylist"):
        return answer.to_pylist()
    return bytes(memoryview(answer)) if type(answer).__name__ == "Text" else answer


def load(path: str) -> Any:
    shim = ctypes.CDLL(path)
    shim.fail_asked.restype = shim.fail_held.restype = ctypes.c_long
    shim.fail_watch.argtypes = [ctypes.c_size_t] * 2
    shim.fail_after.argtypes = [ctypes.c_long, ctypes.c_int]
    for line in Path("/proc/self/maps").read_text().splitlines():
        if "/fasturl/_" in line and " r-xp " in line:
            shim.fail_watch(*(int(end, 16) for end in line.split()[0].split("-")))
    return shim


def empty_pool(shim: Any, kept: list[Any]) -> None:
    """Take the buffers that the pool holds, of each size that these calls request."""
    from fasturl._columns import PooledBuffer

    for size in (1 << bits for bits in range(12, 20)):
        shim.fail_after(-1, 0)
        while not shim.fail_asked():
            kept.append(PooledBuffer(size))


def sweep(shim: Any, call: Callable[[], Any], goes_on: bool, keeps: bool) -> int:
    """Fail the k-th allocation for k from 0 on, until the call makes fewer. Return that number.

    The call must give its answer or MemoryError, and hold no more memory.

    keeps : hold every answer, so that the pool is empty and every buffer is allocated
    """
    kept = [call() for _ in range(4)]
    want = shown(kept[0])
    if not keeps:
        kept.clear()
    for k in range(10_000):
        if keeps:
            kept.append(call())  # the pool of text cannot be emptied
            empty_pool(shim, kept)
        before = shim.fail_held()
        shim.fail_after(k, goes_on)
        try:
            found = call()
        except MemoryError:
            found = None
        asked = shim.fail_asked()
        shim.fail_after(-1, 0)
        if asked <= k:
            return k
        assert found is None or shown(found) == want, k
        found = None
        # The pool may keep a buffer of this call for the next one: at most what the call requests, and only once.
        assert keeps or shim.fail_held() - before <= asked, (k, before, shim.fail_held())
    raise AssertionError("it never ends")


def main() -> None:
    import pyarrow  # noqa: F401 - before addresses are looked up

    schemes.register("own", productions="own = *xchar")
    calls = dict(CALLS)
    for source in (columns, text_of_rows, log_lines):
        calls.update(source())
    for call in calls.values():
        call()
    shim = load(sys.argv[1])
    gc.disable()
    for name, call in calls.items():
        failures = sum(sweep(shim, call, goes_on, keeps) for goes_on in (False, True) for keeps in (False, True))
        held = []
        for _ in range(2):  # the memory still held after another sweep
            sweep(shim, call, goes_on=False, keeps=False)
            held.append(shim.fail_held())
        assert held[1] - held[0] <= 0, (name, held)
        print(f"{name}: {failures} failed", flush=True)


if __name__ == "__main__":
    main()
