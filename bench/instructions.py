"""The instructions that a call takes, kept in a file: a rise above two in a hundred is seen before it lands.

    python -m bench.instructions              # count, and compare with bench/instructions.json
    python -m bench.instructions --update     # count, and write that file

The counts of one build repeat to some thousandths, on a busy machine, too. They depend on the compiler, the Python,
Cython, pyarrow and the processor's kind, so the file says of which they are; where one of them differs, nothing is
compared, and a line says so. Seconds are not compared by anybody.
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

from bench import accesslog, callgrind, inputs, madeup
from bench.measure import NotRelease, compile_loop, fresh, require_release
from bench.operations import OPERATIONS
from bench.table import grid

KEPT = Path(__file__).with_name("instructions.json")
MOST = 0.02
CORPORA = {"web": 128, "query": 64, "escapes": 64, "nonascii": 64, "long": 12}
"""The made-up corpora, and how many texts of each are read."""
ROWS, LINES = 1024, 2000
SINGLE = (
    *("parse", "parse-read", "octets", "urlsplit", "quote", "quote-url", "unquote", "unquote-nothing"),
    *("parse-qsl", "urlencode", "urljoin"),
)

Work = tuple[str, Callable[[], Any], int]
"""The name of a row, a pass of its work, and how many calls, rows or lines a pass has."""


def single_calls(corpus: str, urls: list[str]) -> Iterator[Work]:
    for name in SINGLE:
        operation = OPERATIONS[name]
        row = next(row for row in operation.rows if row.peer == "fasturl")
        items = operation.inputs(urls)
        if items:
            loop, cold = compile_loop(operation, row), fresh(items)
            yield f"{name}, {corpus}", partial(loop, cold), len(items)


def columns(corpus: str, urls: list[str]) -> Iterator[Work]:
    import pyarrow as pa

    import fasturl.arrow as arrow

    distinct = inputs.unique(urls)
    texts = pa.array(distinct * (ROWS // CORPORA["web"] if corpus == "web" else 2))
    ways: dict[str, Callable[[], Any]] = {
        "all fields, views": lambda: arrow.parse(texts, strings="view"),
        "all fields, strings": lambda: arrow.parse(texts),
        "host": lambda: arrow.parse(texts, fields=["host"]),
        "valid": lambda: arrow.parse(texts, fields=["valid"]),
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

    log = b"".join(accesslog.log_lines(LINES, damaged=False))

    def batches(fields: list[str] | None) -> list[Any]:
        return [*read(io.BytesIO(log), "combined", fields, threads=1)]

    for what, fields in (("lines alone", ["line", "status", "time"]), ("lines and all parts", None)):
        yield f"log, {what}", partial(batches, fields), LINES


def with_kernel(kernel: str, works: Iterator[Work]) -> Iterator[Work]:
    """The same work, by another kernel, which stays in use until the next row is asked for."""
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
    """All work, each row between two marks; warm, as the interpreter specialises its bytecode in the first pass."""
    for name, work, number in all_work():
        print(name, number, sep="\t")
        work()
        callgrind.mark()
        work()
        callgrind.mark()


def place() -> dict[str, str]:
    """What the counts depend on beside the program."""
    compiler = subprocess.run(["cc", "--version"], capture_output=True, text=True, check=True).stdout.splitlines()[0]
    return {
        "python": platform.python_version(),
        "compiler": compiler,
        "Cython": version("Cython"),
        "pyarrow": version("pyarrow"),
        "machine": platform.machine(),
    }


def count() -> dict[str, float]:
    """Instructions a call, row or line of each piece of work."""
    printed, totals = callgrind.count(["-m", "bench.instructions", "--child"])
    rows = [line.split("\t") for line in printed.splitlines()]
    return {name: round(total / int(number), 1) for (name, number), total in zip(rows, totals[::2], strict=True)}


def compare(kept: dict[str, float], counted: dict[str, float]) -> list[str]:
    """A line for each row that takes more than it may, and for each that is on one side only."""
    wrong = [f"{name}: {'not kept' if name in counted else 'not counted'}" for name in kept.keys() ^ counted.keys()]
    for name in kept.keys() & counted.keys():
        before, now = kept[name], counted[name]
        if now > before * (1 + MOST):
            wrong.append(f"{name}: {now:,.1f} instructions, {before:,.1f} are kept ({now / before - 1:+.1%})")
    return sorted(wrong)


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.instructions", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--update", action="store_true", help=f"write {KEPT.name}")
    parser.add_argument("--child", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.child:
        child()
        return 0
    if not callgrind.is_there():
        print("python -m bench.instructions: valgrind is not installed, and it does the counting", file=sys.stderr)
        return 2
    try:
        require_release()
    except NotRelease as error:
        print(f"python -m bench.instructions: {error}", file=sys.stderr)
        return 2
    here, counted = place(), count()
    kept: dict[str, Any] = json.loads(KEPT.read_text()) if KEPT.exists() else {"place": {}, "instructions": {}}
    rows = [
        (
            name,
            f"{value:,.1f}",
            f"{value / kept['instructions'][name] - 1:+.1%}" if name in kept["instructions"] else "–",
        )
        for name, value in counted.items()
    ]
    print("\n".join(grid(("instructions of a call, row or line", "now", "against the file"), rows)))
    if options.update:
        KEPT.write_text(json.dumps({"place": here, "instructions": counted}, indent=1) + "\n")
        return 0
    if here != kept["place"]:
        other = [
            f"{name}: {here[name]}, not {kept['place'].get(name)}"
            for name in here
            if here[name] != kept["place"].get(name)
        ]
        print(f"not compared, as {KEPT.name} is of another place: {'; '.join(other)}")
        return 0
    wrong = compare(kept["instructions"], counted)
    print("\n".join(wrong))
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
