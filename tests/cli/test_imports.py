"""What a run of the command imports: nothing of pyarrow's optional companions, which cost more than it does."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("pyarrow", reason="the commands need pyarrow")
pytest.importorskip("numpy", reason="what is not installed is not imported")

RUN = """
import json, sys
from fasturl.cli.app import call
status = call(sys.argv[1:])
found = [name for name in ("numpy", "pandas", "cloudpickle") if name in sys.modules]
import numpy, pyarrow.compute
print(json.dumps([status, found, numpy.arange(3).tolist()]), file=sys.stderr)
"""


@pytest.mark.parametrize(
    "words",
    [
        ("parse", "log", "--to", "jsonl", "-q"),
        ("parse", "log", "--output", "made.parquet", "-q"),
        ("parse", "log", "--output", "made.arrow", "-q"),
        ("check", "log", "-q"),
        ("stats", "log", "-q"),
        ("sql", "select count(*) from urls", "log", "-q"),
    ],
    ids=lambda words: " ".join(words),
)
def test_a_run_imports_none_of_them_and_a_later_import_finds_them(
    words: tuple[str, ...], tmp_path: Path, fasturl_environment: dict[str, str]
) -> None:
    if words[0] in ("sql", "stats"):
        pytest.importorskip("duckdb", reason="the command needs duckdb")
    (tmp_path / "log").write_bytes(b"http://h.example/a?b=c\nhttp://h.example:x/\n")
    done = subprocess.run(
        [sys.executable, "-c", RUN, *words], cwd=tmp_path, env=fasturl_environment, capture_output=True, timeout=60
    )
    status, found, numbers = json.loads(done.stderr.splitlines()[-1])
    assert status == (1 if words[0] == "check" else 0), done.stderr
    assert found == [] and numbers == [0, 1, 2]
