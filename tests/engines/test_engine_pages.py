"""The example on each engine's page runs and prints the output on the page."""

import importlib.util
import os
import re
import secrets
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

import fasturl
from fasturl.engines import ENGINES

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "docs" / "engines"
# The modules of an engine whose package has another name, or that needs more than one.
MODULES = {"spark": ["pyspark"]}
# Engines that need no module of fasturl.
OTHERS = {"daft-and-datafusion": ["daft", "datafusion"], "dask": ["dask", "dask.dataframe"], "ray": ["ray", "ray.data"]}
CLUSTERS = {"spark", "ray"}
PAGES = [pytest.param(name, marks=pytest.mark.cluster) if name in CLUSTERS else name for name in (*ENGINES, *OTHERS)]


def blocks(page: str, language: str) -> str:
    found = re.findall(rf"^```{language}\n(.*?)^```$", page, re.DOTALL | re.MULTILINE)
    assert found
    return "\n".join(found) if language == "python" else "".join(found)


def without_connect(page: str) -> str:
    """Remove the example of Spark Connect, which needs packages that PySpark does not install."""
    found, count = re.subn(r"^\*\*Spark Connect\*\*.*?^(?=\*\*)", "", page, flags=re.DOTALL | re.MULTILINE)
    assert count == 1
    return found


def run(code: str, home: Path) -> subprocess.CompletedProcess[str]:
    token = home / "token"
    token.write_text(secrets.token_hex(32))
    paths = [str(Path(fasturl.__file__).resolve().parents[1]), os.environ.get("PYTHONPATH", "")]
    environment = {
        **os.environ, "PYTHONPATH": os.pathsep.join(filter(None, paths)),
        # Clusters run on this machine only and write to this folder.
        "PYSPARK_PYTHON": sys.executable, "SPARK_LOCAL_IP": "127.0.0.1", "SPARK_LOCAL_DIRS": str(home),
        "JDK_JAVA_OPTIONS": "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC",  # as in test_engine_spark.py
        "RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER": "0",  # so that Ray listens on the loopback only
        "RAY_USAGE_STATS_ENABLED": "0", "RAY_AUTH_TOKEN_PATH": str(token), "RAY_TMPDIR": str(home), "COLUMNS": "200",
    }  # fmt: skip
    script = home / "example.py"
    script.write_text(code, encoding="utf-8")
    return subprocess.run(
        [sys.executable, str(script)], cwd=home, env=environment, capture_output=True, text=True, timeout=500
    )


def test_every_engine_has_a_page() -> None:
    assert {page.stem for page in FOLDER.glob("[a-z]*.md")} == {*ENGINES, *OTHERS}


@pytest.mark.long
@pytest.mark.parametrize("name", PAGES)
def test_the_example_prints_what_the_page_says(name: str) -> None:
    for module in ("pyarrow", *{**MODULES, **OTHERS}.get(name, [name])):
        pytest.importorskip(module, reason=f"the packages of the page {name} are not installed")
    if name == "spark" and not (os.environ.get("JAVA_HOME") or shutil.which("java")):
        pytest.skip("Spark needs a Java runtime, and there is none")
    page = (FOLDER / f"{name}.md").read_text(encoding="utf-8")
    if name == "spark" and importlib.util.find_spec("grpc") is None:
        page = without_connect(page)
    home = Path(tempfile.mkdtemp(prefix="page-"))  # short: paths of Ray's sockets have at most 107 bytes
    try:
        done = run(blocks(page, "python"), home)
    finally:
        shutil.rmtree(home, ignore_errors=True)
    if "this needs PySpark 4.1 or newer" in done.stderr:
        pytest.skip("the page shows SQL functions too, which need PySpark 4.1")
    assert done.returncode == 0, done.stderr
    # Older releases of Ray print a hint about a progress bar.
    printed = [line for line in done.stdout.splitlines(keepends=True) if not line.startswith("[dataset]: ")]
    assert "".join(printed) == blocks(page, "text")
