import os
import random
from collections.abc import Iterator
from pathlib import Path

import pytest
from tries import TRIES

from fasturl import _escapes, _forms, _query, _quoting


@pytest.fixture(scope="module", params=_quoting._kernels())
def kernel(request: pytest.FixtureRequest) -> Iterator[str]:
    """Every kernel that runs here, in turn, in the three extensions."""
    for module in (_escapes, _forms, _query, _quoting):
        module._use_kernel(request.param)
    yield request.param
    for module in (_escapes, _forms, _query, _quoting):
        module._use_kernel()


@pytest.fixture(scope="session")
def urls() -> list[str]:
    """Some of the real URLs, where they are at hand."""
    folder = Path(os.environ.get("FASTURL_DATA", Path(__file__).resolve().parents[3] / "shared" / "data"))
    if not (folder / "urls.txt").exists():
        pytest.skip(f"no urls.txt in {folder}: set FASTURL_DATA to a folder that has it")
    lines = (folder / "urls.txt").read_text(encoding="utf-8", errors="surrogateescape").splitlines()
    return lines if TRIES > 20_000 else lines[::40]


@pytest.fixture
def random_source() -> random.Random:
    return random.Random(1738)
