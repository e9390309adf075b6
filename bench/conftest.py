"""Options and fixtures of the suites here, which run only when asked: ``python -m pytest bench``."""

from collections.abc import Callable
from typing import Any

import pytest

from bench import madeup
from bench.measure import NotRelease, Timed, fresh, require_release
from bench.operations import Operation, Row
from bench.peers import PEERS
from bench.suites import prepared


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("fasturl", "what the benchmarks run on")
    group.addoption("--bench-urls", metavar="FILE", help="a file of URLs, one a line")
    group.addoption("--bench-corpus", default="web", choices=sorted(madeup.CORPORA), help="default: web")
    group.addoption("--bench-count", type=int, default=5_000, help="how many URLs; default 5000")


def pytest_collection(session: pytest.Session) -> None:
    if not session.config.pluginmanager.hasplugin("benchmark"):
        raise pytest.UsageError("bench/ needs pytest-benchmark: pip install 'fasturl[bench]'")


@pytest.fixture(scope="session", autouse=True)
def release() -> str:
    """The build of fasturl; times of another than a release build are refused."""
    try:
        return require_release()
    except NotRelease as error:
        pytest.exit(str(error), returncode=2)


@pytest.fixture(scope="session")
def urls(request: pytest.FixtureRequest) -> tuple[str, ...]:
    config = request.config
    count = config.getoption("--bench-count")
    name = config.getoption("--bench-urls")
    found = madeup.read_urls(name) if name else madeup.generate(config.getoption("--bench-corpus"), count)
    return tuple(dict.fromkeys(found))[:count]


@pytest.fixture
def measure(benchmark: Any, urls: tuple[str, ...], release: str) -> Callable[[Operation, Row], Timed]:
    """Time one row and record what it was: peer, version, class, agreement, inputs, share of unique ones."""

    def run(operation: Operation, row: Row) -> Timed:
        result = prepared(operation.name, urls)
        timed = next((timed for timed in result.rows if timed.row is row), None)
        if timed is None:
            reason = next((line for line in result.skipped if f"{row.peer} `{row.call}`" in line), "not here")
            pytest.skip(reason)
        if not result.count:
            pytest.skip("this corpus has no input for it")
        peer = PEERS[row.peer]

        def cold() -> tuple[tuple[Any], dict[str, Any]]:
            xs = fresh(timed.inputs)
            peer.clear()
            return (xs,), {}

        benchmark.group = operation.name
        benchmark.extra_info.update(
            peer=peer.name,
            version=peer.version(),
            kind=row.kind,
            timed=row.label,
            agrees=timed.agreement,
            inputs=result.count,
            left_out=result.left_out,
            characters=result.mean_size * result.count,
            unique_share=result.unique_share,
            caches="emptied before each round, texts copied anew",
            build=release,
        )
        benchmark.pedantic(timed.loop, setup=cold, rounds=5, warmup_rounds=1)
        return timed

    return run
