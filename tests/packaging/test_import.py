"""The package imports alone, without a warning, and stays light."""

import importlib.machinery
import importlib.util
import json
import subprocess
import sys
from pathlib import Path

import pytest

import fasturl

PLACE = str(Path(fasturl.__file__).resolve().parent.parent)

# The modules that `import fasturl` may import besides those of `import urllib.parse`, on any supported Python.
LIGHT = {"__future__", "_cython", "_opcode", "_opcode_metadata", "_thread", "_threading_local", "_weakref",
         "_weakrefset", "collections", "cython_runtime", "enum", "fasturl", "functools", "itertools", "keyword",
         "operator", "re", "reprlib", "threading", "types", "warnings"}  # fmt: skip
HEAVY = {"click", "ctypes", "dataclasses", "inspect", "json", "logging", "numpy", "pyarrow", "rich", "socket",
         "unittest", "zstandard"}  # fmt: skip
IMPORTED = """
import json, sys
sys.path.insert(0, {place!r})
import urllib.parse
before = set(sys.modules)
import {name}
print(json.dumps(sorted(set(sys.modules) - before)))
"""

RUN = """
import sys
sys.path.insert(0, {place!r})
sys.argv = ["fasturl", *{options!r}]
from fasturl.cli.__main__ import run
try:
    run()
except SystemExit as stop:
    assert not stop.code, stop.code
print(*sorted({{"numpy", "pandas", "pyarrow.compute"}} & set(sys.modules)))
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
    """The measurement detects a module that imports what `import fasturl` must not import."""
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
    assert done.stdout == "FASTURL_KERNEL='none-such' is not a kernel that runs here\n"


def test_json_lines_import_no_more_of_arrow_than_its_columns() -> None:
    """Importing pyarrow.compute and pandas takes longer than reading a small log. pyarrow.util imports socket."""
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
print(*sorted({{"_socket", "pandas", "pyarrow.compute", "pyarrow.parquet", "fasturl.schemes"}} & set(sys.modules)))
import linecache, socket, tokenize
print(len(linecache.getlines(tokenize.__file__)) > 100, socket.AF_INET == 2)
"""
    done = run_alone(code, line)
    assert done.returncode == 0 and done.stdout.splitlines()[1:] == ["", "True True"], (done.stdout, done.stderr)


@pytest.mark.parametrize("options", [
    ["parse", "--redact", "a"],                               ["parse", "--anonymize-client", "/24"],
    ["parse", "--to", "log", "--drop", "b"],                  ["parse", "-F", "agent_name"],
    ["parse", "--time-from", "2015-01-01"],                   ["detect"],
], ids=" ".join)  # fmt: skip
def test_a_run_that_computes_imports_no_numpy(options: list[str]) -> None:
    """The imports of NumPy, which the extra cli installs, and of pandas take longer than a small run."""
    for needed in ("numpy", "pyarrow", "duckdb", "crawleruseragents"):
        pytest.importorskip(needed)
    line = '127.0.0.1 - - [17/May/2015:10:05:03 +0000] "GET /?a=b HTTP/1.1" 200 7 "-" "curl/8"\n'
    done = run_alone(RUN.format(place=PLACE, options=options), line)
    assert done.returncode == 0 and done.stdout.splitlines()[-1] == "pyarrow.compute", (done.stdout, done.stderr)


@pytest.mark.parametrize(("target", "imported"), [("/a", ""), ("/a%zz", "pyarrow.compute")])
def test_parquet_imports_what_computes_on_use(tmp_path: Path, target: str, imported: str) -> None:
    """The import of pyarrow.compute takes a tenth of a small run. A cast, as of the offsets of errors, needs it."""
    for needed in ("click", "numpy", "pyarrow"):
        pytest.importorskip(needed)
    line = f'127.0.0.1 - - [17/May/2015:10:05:03 +0000] "GET {target} HTTP/1.1" 200 7 "-" "curl/8"\n'
    options = ["parse", "-q", "-o", str(tmp_path / "made.parquet")]
    done = run_alone(RUN.format(place=PLACE, options=options), line)
    assert done.returncode == 0 and done.stdout.strip() == imported, (done.stdout, done.stderr)


FLAGS = ["-O", "-OO", "-bb", "-P", "-X dev", "-X utf8=0", "-X tracemalloc", "-bb -W error -X dev -OO"]
WORK = f"""
import sys
sys.path.insert(0, {PLACE!r})
import fasturl
def check(holds):  # -O leaves out what asserts would do
    if not holds:
        raise SystemExit("failed")
url = fasturl.parse("http://u:p@h:80/a?b")
check((url.host, url.port, url._replace(path="/c").path) == ("h", 80, "/c"))
try:
    fasturl.parse("http://h/a b", strict=True)
except fasturl.InvalidURL as error:
    check(error.section)
check(fasturl.decompose("ftp://h/a/b;type=i").commands()[-1] == ("RETR", "b"))
check([problem.finding.name for problem in fasturl.problems("http://h/%zz")] == ["BAD_ESCAPE"])
fasturl.install()
from urllib.parse import parse_qs, quote, urlencode
check((quote("a b"), parse_qs(b"a=1")[b"a"], urlencode([("a", b"b")])) == ("a%20b", [b"1"], "a=b"))
fasturl.uninstall()
if {{arrow}}:
    from fasturl import arrow, logs
    check(arrow.path_depth(["http://h/a/b"]).to_pylist() == [2])
    line = b'192.0.2.1 - - [17/May/2015:10:05:03 +0000] "GET /a HTTP/1.1" 200 12\\n'
    check(logs.read([line], fields=["path"]).read_all().column(0).to_pylist() == ["/a"])
if {{click}}:
    sys.argv = ["fasturl", "parse", "-h"]
    import fasturl.__main__
    fasturl.__main__.run()
"""


@pytest.mark.long
@pytest.mark.parametrize("flags", FLAGS)
def test_the_interpreters_flags_change_nothing(flags: str) -> None:
    """-OO removes docstrings, -bb forbids comparing bytes with str, -X dev reports what is not closed."""
    has = {
        name: importlib.util.find_spec(package) is not None
        for name, package in (("arrow", "pyarrow"), ("click", "click"))
    }
    command = [sys.executable, *flags.split(), "-c", WORK.format(**has)]
    done = subprocess.run(command, capture_output=True, text=True, encoding="utf-8")
    assert (done.returncode, done.stderr) == (0, ""), done.stderr
    assert not has["click"] or done.stdout.startswith("Usage: fasturl parse")
