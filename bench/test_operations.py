"""Every operation of the table under pytest-benchmark, one test per row: ``python -m pytest bench``.

BENCH_URLS names a file with one URL per line, BENCH_CORPUS a made-up corpus, BENCH_COUNT the number of URLs.
"""

import os
from functools import cache
from typing import Any

import pytest

from bench import madeup
from bench.measure import Measured, fresh, prepare, require_release
from bench.operations import OPERATIONS, Operation, Row
from bench.peers import PEERS
from bench.views import SAME

pytest.importorskip("pytest_benchmark", reason="pip install 'fasturl[bench]'")
ROWS = [
    pytest.param(operation, row, id=f"{operation.name}-{row.peer}-{row.call}")
    for operation in OPERATIONS.values()
    for row in operation.rows
]


@cache
def prepared(name: str) -> Measured:
    require_release()
    count, file = int(os.environ.get("BENCH_COUNT", "5000")), os.environ.get("BENCH_URLS")
    corpus = os.environ.get("BENCH_CORPUS", "web")
    found = madeup.read_urls(file) if file else madeup.generate(corpus, count)
    return prepare(OPERATIONS[name], list(dict.fromkeys(found))[:count])


@pytest.mark.parametrize(("operation", "row"), ROWS)
def test_row(operation: Operation, row: Row, benchmark: Any) -> None:
    result, peer = prepared(operation.name), PEERS[row.peer]
    timed = next((timed for timed in result.rows if timed.row is row), None)
    if timed is None or not result.count:
        reasons = (line for line in result.skipped if f"{row.peer} `{row.call}`" in line)
        pytest.skip(next(reasons, "this corpus has no input for it"))

    def cold() -> tuple[tuple[Any], dict[str, Any]]:
        xs = fresh(timed.inputs)
        peer.clear()
        return (xs,), {}

    benchmark.group = operation.name
    facts = {"peer": peer.name, "version": peer.version(), "kind": row.kind, "timed": row.label}
    facts |= {"agrees": timed.agreement, "inputs": result.count, "left_out": result.left_out}
    facts |= {"characters": result.mean_size * result.count, "unique_share": result.unique_share}
    benchmark.extra_info.update(facts)
    benchmark.pedantic(timed.loop, setup=cold, rounds=5, warmup_rounds=1)
    if row.peer == "fasturl" and row.view is SAME:
        assert timed.agreement == 1, f"fast and wrong, first on {timed.differs_on!r}"
