"""Does the package import alone, without a warning, and stay light?"""

import importlib.machinery
import json
import subprocess
import sys
from pathlib import Path

import pytest

import fasturl

PLACE = str(Path(fasturl.__file__).resolve().parent.parent)

# What may come with `import fasturl` beyond `import urllib.parse`, on any supported Python.
LIGHT = {
    "__future__",
    "_cython",
    "_opcode",
    "_opcode_metadata",
    "_thread",
    "_threading_local",
    "_weakref",
    "_weakrefset",
    "collections",
    "cython_runtime",
    "enum",
    "fasturl",
    "functools",
    "itertools",
    "keyword",
    "operator",
    "re",
    "reprlib",
    "threading",
    "types",
    "warnings",
}
HEAVY = {
    "click",
    "ctypes",
    "dataclasses",
    "inspect",
    "json",
    "logging",
    "numpy",
    "pyarrow",
    "rich",
    "socket",
    "unittest",
    "zstandard",
}
IMPORTED = """
import json, sys
sys.path.insert(0, {place!r})
import urllib.parse
before = set(sys.modules)
import {name}
print(json.dumps(sorted(set(sys.modules) - before)))
"""


def run_alone(code: str, given: str = "") -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-I", "-W", "error", "-X", "faulthandler", "-c", code]
    return subprocess.run(command, capture_output=True, text=True, input=given)


def imported_by(name: str) -> set[str]:
    done = run_alone(IMPORTED.format(place=PLACE, name=name))
    assert (done.returncode, done.stderr) == (0, "")
    return set(json.loads(done.stdout))


def test_imports_and_parses_in_a_process_of_its_own() -> None:
    code = f"""
import sys
sys.path.insert(0, {PLACE!r})
import fasturl as parse
url = parse.parse("http://example.com:8080/a?b#c")
assert (url.scheme, url.netloc, url.port, url.path) == ("http", "example.com:8080", 8080, "/a"), url
assert parse.parse(b"\\xff").findings & parse.Finding.NON_ASCII
print(parse.__version__)
"""
    done = run_alone(code)
    assert (done.returncode, done.stderr, done.stdout) == (0, "", fasturl.__version__ + "\n")


def test_the_parse_is_the_compiled_one() -> None:
    import fasturl._fastparse as extension

    assert extension.__file__.endswith(tuple(importlib.machinery.EXTENSION_SUFFIXES))
    assert extension._BUILD in ("release", "debug", "asan")
    assert "scalar" in extension._kernels()


def test_import_stays_light() -> None:
    came = imported_by("fasturl")
    assert "fasturl._fastparse" in came
    tops = {name.partition(".")[0] for name in came}
    tops = {"_cython" if top.startswith("_cython_") else top for top in tops}
    assert tops <= LIGHT, f"import fasturl now brings {sorted(tops - LIGHT)}"
    own = {name for name in came if name.partition(".")[0] == "fasturl"}
    assert not {name for name in own if name.split(".")[1:2] in (["cli"], ["engines"], ["logs"], ["arrow"])}


def test_the_count_of_imports_sees_a_heavy_module() -> None:
    """The measure itself: a module known to bring what `import fasturl` may not is seen to bring it."""
    assert not LIGHT & HEAVY
    came = imported_by("logging")
    assert "logging" in came and {name.partition(".")[0] for name in came} - LIGHT


def test_an_unknown_kernel_is_an_import_error() -> None:
    code = f"""
import os, sys
sys.path.insert(0, {PLACE!r})
os.environ["FASTURL_KERNEL"] = "none-such"
try:
    import fasturl
except ImportError as error:
    print(error)
"""
    done = run_alone(code)
    assert done.stdout == "FASTURL_KERNEL='none-such' is no kernel that runs here\n"


def test_json_lines_import_no_more_of_arrow_than_its_columns() -> None:
    """pyarrow.compute and pandas take longer to import than a small log to read."""
    pytest.importorskip("pyarrow")
    line = '127.0.0.1 - - [17/May/2015:10:05:03 +0000] "GET /a HTTP/1.1" 200 7 "-" "a"\n'
    code = f"""
import runpy, sys
sys.path.insert(0, {PLACE!r})
sys.argv = ["fasturl", "parse", "--to", "jsonl"]
try:
    runpy.run_module("fasturl", run_name="__main__")
except SystemExit as stop:
    assert not stop.code, stop.code
print(*sorted({{"pandas", "pyarrow.compute", "pyarrow.parquet", "fasturl.schemes"}} & set(sys.modules)))
"""
    done = run_alone(code, line)
    assert done.returncode == 0 and done.stdout.splitlines()[1:] == [""], (done.stdout, done.stderr)
