"""What all tests share: real input, how often random tests try, and hypothesis' profile.

``FASTURL_DATA`` names a folder with ``urls.txt`` (one URL a line) and ``access.log`` (combined format);
without it, ``../shared/data`` beside the repository is looked at. Where neither is there, tests of real
input are skipped. ``tries.py`` says how often random tests try.
"""

import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from tries import EXAMPLES, TRIES

from fasturl import _fastparse

ROOT = Path(__file__).resolve().parent.parent
DATA = Path(os.environ.get("FASTURL_DATA", ROOT.parent / "shared" / "data"))

# No deadline: on a machine that others use too, a slow example says nothing about the code.
# Derandomized where CI is set: a failure there must be the commit's own.
settings.register_profile(
    "fasturl",
    deadline=None,
    derandomize=bool(os.environ.get("CI")),
    max_examples=EXAMPLES,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("fasturl")


# A shell's background job ignores Ctrl-C and hands that on: the programs that tests interrupt must not.
if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


# The kernel that a run names is the only one of it; without a name, every one that runs here has its turn.
NAMED_KERNEL = os.environ.get("FASTURL_KERNEL")
KERNELS = [NAMED_KERNEL] if NAMED_KERNEL else _fastparse._kernels()


@pytest.fixture(scope="module", params=KERNELS)
def kernel(request: pytest.FixtureRequest) -> Iterator[str]:
    """The name of the kernel that every extension reads with, in turn each that runs here."""
    _fastparse._use_kernel(request.param)
    yield request.param
    _fastparse._use_kernel(KERNELS[-1])


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
    """Real URLs, in the order of their file, without its byte order mark."""
    text = data_file("urls.txt").read_bytes().decode("utf-8-sig", "surrogateescape")
    urls = [line.removesuffix("\r") for line in text.split("\n")]
    return [url for url in urls if url]
