import os
import random
from pathlib import Path

import pytest
from tries import TRIES


@pytest.fixture(scope="session")
def urls() -> list[str]:
    """Some of the real URLs, if there are any."""
    folder = Path(os.environ.get("FASTURL_DATA", Path(__file__).resolve().parents[3] / "shared" / "data"))
    if not (folder / "urls.txt").exists():
        pytest.skip(f"no urls.txt in {folder}: set FASTURL_DATA to a folder that has it")
    lines = (folder / "urls.txt").read_text(encoding="utf-8", errors="surrogateescape").splitlines()
    return lines if TRIES > 20_000 else lines[::40]


@pytest.fixture
def random_source() -> random.Random:
    return random.Random(1738)
