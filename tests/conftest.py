"""Fixtures and options that all tests share. ``FASTURL_DATA`` names a folder with ``urls.txt`` (one URL per line) and
``access.log`` (combined format). Without it, ``../shared/data`` beside the repository is tried. Tests of real input are
skipped where the folder is missing. ``tries.py`` sets how much random tests try."""

import gc
import os
import signal
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis.strategies import none
from tries import ALL, EXAMPLES, LONG, TRIES

from fasturl import _fastparse

ROOT = Path(__file__).resolve().parent.parent
DATA = Path(os.environ.get("FASTURL_DATA", ROOT.parent / "shared" / "data"))

# No deadline: on a shared machine a slow example says nothing about the code.
# Derandomized in CI: a failure there must come from the commit.
settings.register_profile(
    "fasturl", deadline=None, derandomize=bool(os.environ.get("CI")), max_examples=EXAMPLES,
    suppress_health_check=[HealthCheck.too_slow],
)  # fmt: skip
settings.load_profile("fasturl")

# All tests of these folders need the extra fasturl[arrow].
collect_ignore = [] if find_spec("pyarrow") else ["columns", "engines", "logs"]


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--all", action="store_true", help="run every kernel and every case, as CI does (tests/tries.py)")


# A shell's background job ignores Ctrl-C, and its children inherit that. The programs that tests interrupt must not.
if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


# ``FASTURL_KERNEL`` limits a run to one kernel. Without it, --all runs every kernel of this machine; other runs, the
# scalar and the widest one.
NAMED_KERNEL = os.environ.get("FASTURL_KERNEL")
RUNNABLE = _fastparse._kernels()
KERNELS = [NAMED_KERNEL] if NAMED_KERNEL else RUNNABLE if ALL else list(dict.fromkeys((RUNNABLE[0], RUNNABLE[-1])))


@pytest.fixture(scope="module", params=KERNELS)
def kernel(request: pytest.FixtureRequest) -> Iterator[str]:
    """Run the test once per kernel in KERNELS; return the kernel's name."""
    _fastparse._use_kernel(request.param)
    yield request.param
    _fastparse._use_kernel(KERNELS[-1])


@pytest.fixture(params=[True, False], ids=["before a guard", "after a guard"])
def at_end(request: pytest.FixtureRequest) -> bool:
    """Return True for a text before a page that faults, False for one behind it (guardpages.py)."""
    return bool(request.param)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Deselect the long tests, unless the run asks for them (tries.py), or names a kernel and the test uses it."""
    if LONG:
        return
    long = [
        item
        for item in items
        if item.get_closest_marker("long") and not (NAMED_KERNEL and "kernel" in getattr(item, "fixturenames", ()))
    ]
    left_out = set(long)
    items[:] = [item for item in items if item not in left_out]
    config.hook.pytest_deselected(items=long)


def data_file(name: str) -> Path:
    path = DATA / name
    if not path.is_file():
        pytest.skip(f"no real input: {path} is not there (FASTURL_DATA names its folder)")
    return path


@pytest.fixture(scope="session")
def tries() -> int:
    return TRIES


@pytest.fixture(scope="session")
def access_log() -> Path:
    """A real access log in combined format."""
    return data_file("access.log")


@pytest.fixture(scope="session")
def real_urls() -> list[str]:
    """Real URLs in file order, without the byte order mark."""
    text = data_file("urls.txt").read_bytes().decode("utf-8-sig", "surrogateescape")
    urls = [line.removesuffix("\r") for line in text.split("\n")]
    return [url for url in urls if url]


def pytest_collection_finish() -> None:
    """Leave what the collection made, 14,000 tests among it, out of every later collection of garbage."""
    given(none())(lambda _: None)()  # Hypothesis 6.100 warns if it finds its random numbers frozen.
    gc.collect()
    gc.freeze()


@pytest.fixture(scope="module", autouse=True)
def _freeze_reports() -> None:
    """Leave the reports of earlier modules out of it too: they were a million objects in the end."""
    gc.freeze()
