"""The instructions of each call, compared with a file, so that a rise above two percent is detected before it lands.

    python -m bench.instructions              # count, and compare with bench/instructions.json
    python -m bench.instructions --update     # count, and write that file

A row is the least of three passes, because an allocation now and then takes some percent more. Then the counts of one
build repeat to some thousandths, on a busy machine too. They depend on the compiler, the Python,
Cython, pyarrow and the kind of processor, which the file names. If one of them differs, nothing is compared.
"""

import argparse
import io
import json
import platform
import subprocess
import sys
from collections.abc import Callable, Iterator
from functools import partial
from importlib.metadata import version
from pathlib import Path
from typing import Any

from bench import callgrind, corpora, inputs, madeup, table
from bench.measure import compile_loop, fresh
from bench.operations import OPERATIONS
from bench.peers import load

KEPT = Path(__file__).with_name("instructions.json")
MOST = 0.02
CORPORA = {"web": 128, "query": 64, "escapes": 64, "nonascii": 64, "long": 12}
"""The made-up corpora, and the number of texts of each."""
ROWS, LINES, PASSES = 1024, 2000, 3
SINGLE = (
    *("parse", "parse-read", "bytes", "urlsplit", "quote", "quote-url", "unquote", "unquote-nothing"),
    *("parse-qsl", "urlencode", "urljoin"),
)

Work = tuple[str, Callable[[], Any], int]
"""The name of a row, a pass of its work, and the number of calls, rows or lines of a pass."""


def cold_pass(loop: Callable[[list[str]], Any], texts: list[str], clear: Callable[[], Any]) -> None:
    """Call for each text, after the results that urlsplit keeps are dropped."""
    clear()
    loop(texts)


def single_calls(corpus: str, urls: list[str]) -> Iterator[Work]:
    clear = load("fasturl:urlsplit.cache_clear")
    for name in SINGLE:
        operation = OPERATIONS[name]
        row = next(row for row in operation.rows if row.peer == "fasturl")
        items = operation.inputs(urls)
        if items:
            loop, cold = compile_loop(operation, row), fresh(items)
            work = partial(cold_pass, loop, cold, clear) if name == "urlsplit" else partial(loop, cold)
            yield f"{name}, {corpus}", work, len(items)


def columns(corpus: str, urls: list[str]) -> Iterator[Work]:
    import pyarrow as pa

    import fasturl.arrow as arrow

    distinct = inputs.unique(urls)
    texts = pa.array(distinct * (ROWS // CORPORA["web"] if corpus == "web" else 2))
    ways: dict[str, Callable[[], Any]] = {
        "all fields, views": lambda: arrow.parse(texts, strings="view"),
        "all fields, strings": lambda: arrow.parse(texts),
        "host": lambda: arrow.parse(texts, fields=["host"]),
        "valid_rfc1738": lambda: arrow.parse(texts, fields=["valid_rfc1738"]),
        "valid_rfc1738 and valid_rfc3986": lambda: arrow.parse(texts, fields=["valid_rfc1738", "valid_rfc3986"]),
        "quote": lambda: arrow.quote(texts),
        "unquote": lambda: arrow.unquote(texts),
        "normalize": lambda: arrow.normalize(texts),
        "redact": lambda: arrow.redact(texts, ["id"]),
        "query_value": lambda: arrow.query_value(texts, "id"),
    }
    for name, work in ways.items():
        yield f"column {name}, {corpus}", work, len(texts)


def log_lines() -> Iterator[Work]:
    from fasturl.logs import read

    log = b"".join(corpora.log_lines(LINES, damaged=False))

    def batches(fields: list[str] | None) -> list[Any]:
        return [*read(io.BytesIO(log), "combined", fields, threads=1)]

    for what, fields in (("lines alone", ["line", "status", "time"]), ("lines and all parts", None)):
        yield f"log, {what}", partial(batches, fields), LINES


def with_kernel(kernel: str, works: Iterator[Work]) -> Iterator[Work]:
    """Yield the same work with another kernel, which stays in use until the next row."""
    from fasturl import _fastparse

    widest = _fastparse._kernels()[-1]
    for name, work, number in works:
        _fastparse._use_kernel(kernel)
        yield f"{name}, {kernel}", work, number
        _fastparse._use_kernel(widest)


def all_work() -> Iterator[Work]:
    from fasturl import _fastparse

    for corpus, number in CORPORA.items():
        urls = madeup.generate(corpus, number)
        yield from single_calls(corpus, urls)
        yield from columns(corpus, urls)
    yield from log_lines()
    urls = madeup.generate("web", CORPORA["web"])
    for kernel in _fastparse._kernels()[:-1]:
        yield from with_kernel(kernel, single_calls("web", urls))
        yield from with_kernel(kernel, columns("web", urls))


def child() -> None:
    """Do each work with marks around each pass. A first pass lets the interpreter specialise its bytecode."""
    for name, work, number in all_work():
        print(name, number, sep="\t")
        work()
        callgrind.mark()
        for _ in range(PASSES):
            work()
            callgrind.mark()


def place() -> dict[str, str]:
    """Return what the counts depend on besides the program."""
    compiler = subprocess.run(["cc", "--version"], capture_output=True, text=True, check=True).stdout.splitlines()[0]
    return {
        "python": platform.python_version(),
        "compiler": compiler,
        "Cython": version("Cython"),
        "pyarrow": version("pyarrow"),
        "machine": platform.machine(),
    }


def count() -> dict[str, float]:
    """Return the instructions per call, row or line of each work."""
    printed, totals = callgrind.count(["-m", "bench.instructions", "--child"])
    rows = [line.split("\t") for line in printed.splitlines()]
    # Between the last mark of a row and the first of the next one lies what is not counted.
    passes = [totals[first : first + PASSES] for first in range(0, len(totals), PASSES + 1)]
    return {name: round(min(of_row) / int(number), 1) for (name, number), of_row in zip(rows, passes, strict=True)}


def compare(kept: dict[str, float], counted: dict[str, float]) -> list[str]:
    """Return a line for each row that takes too many instructions, and for each that is on one side only."""
    wrong = [f"{name}: {'not kept' if name in counted else 'not counted'}" for name in kept.keys() ^ counted.keys()]
    for name in kept.keys() & counted.keys():
        before, now = kept[name], counted[name]
        if now > before * (1 + MOST):
            wrong.append(f"{name}: {now:,.1f} instructions, {before:,.1f} are kept ({now / before - 1:+.1%})")
    return sorted(wrong)


def main() -> int:
    parser = table.arguments_of("bench.instructions", __doc__, update=False)
    parser.add_argument("--update", action="store_true", help=f"write {KEPT.name}")
    parser.add_argument("--child", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.child:
        child()
        return 0
    if not callgrind.is_there():
        print(f"{parser.prog}: valgrind is not installed", file=sys.stderr)
        return 2
    table.release_or_exit(parser)
    here, counted = place(), count()
    kept: dict[str, Any] = json.loads(KEPT.read_text()) if KEPT.exists() else {"place": {}, "instructions": {}}
    before = kept["instructions"]
    rows = [
        (name, f"{value:,.1f}", f"{value / before[name] - 1:+.1%}" if name in before else "–")
        for name, value in counted.items()
    ]
    table.show(table.grid(("instructions of a call, row or line", "now", "against the file"), rows))
    if options.update:
        KEPT.write_text(json.dumps({"place": here, "instructions": counted}, indent=1) + "\n")
        return 0
    there = kept["place"]
    other = [f"{name}: {now}, not {there.get(name)}" for name, now in here.items() if now != there.get(name)]
    if other:
        print(f"not compared, because {KEPT.name} is of another machine: {'; '.join(other)}")
        return 0
    wrong = compare(before, counted)
    print("\n".join(wrong))
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
