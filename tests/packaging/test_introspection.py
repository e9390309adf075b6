"""help(), inspect, mocks and dir() work for every package, also without the optional packages."""

import json
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

import fasturl
from fasturl import logs
from fasturl._extras import pip_install

# A folder with this package only, because an installed one has optional packages beside it.
_FOLDER = tempfile.TemporaryDirectory()
PLACE = _FOLDER.name
Path(PLACE, "fasturl").symlink_to(Path(fasturl.__file__).resolve().parent, target_is_directory=True)
OPTIONAL = ("pyarrow", "numpy", "pandas", "polars", "duckdb", "publicsuffixlist", "click", "rich", "zstandard")

# Three ways in which an optional package is missing. -S leaves out site-packages.
NOT_INSTALLED = f"import sys; sys.path.insert(0, {PLACE!r})"
REFUSED = f"""
import sys
sys.path.insert(0, {PLACE!r})
class Refuse:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {OPTIONAL}:
            raise ModuleNotFoundError(f"No module named {{name!r}}", name=name)
sys.meta_path.insert(0, Refuse())
"""
SHUT_OUT = f"import sys; sys.path.insert(0, {PLACE!r}); sys.modules.update(dict.fromkeys({OPTIONAL}))"
WITHOUT = {"not installed": (NOT_INSTALLED, ["-S"]), "refused": (REFUSED, []), "shut out": (SHUT_OUT, [])}

PACKAGES = ["fasturl", "fasturl.logs", "fasturl.schemes", "fasturl.engines", "fasturl.domains", "fasturl.cli"]
NEEDS_ARROW = ["LogReader", "Routes", "detect", "parse_lines", "read"]


def run_without(how: str, code: str) -> str:
    """Return the output of the code in its own process without optional packages."""
    preamble, flags = WITHOUT[how]
    command = [sys.executable, "-I", *flags, "-W", "error", "-c", preamble + "\n" + code]
    done = subprocess.run(command, capture_output=True, text=True, encoding="utf-8")
    assert (done.returncode, done.stderr) == (0, ""), done.stderr
    return done.stdout


@pytest.mark.parametrize("package", PACKAGES)
@pytest.mark.parametrize("how", WITHOUT)
def test_every_name_that_dir_lists_can_be_read(how: str, package: str) -> None:
    code = f"""
import importlib, inspect, pydoc
from unittest import mock
module = importlib.import_module({package!r})
for name in dir(module):
    getattr(module, name)
assert {{name for name, _ in inspect.getmembers(module)}} >= set(dir(module))
mock.create_autospec(module)
print(pydoc.plain(pydoc.render_doc(module)))
"""
    assert f"NAME\n    {package} - " in run_without(how, code)


@pytest.mark.long
@pytest.mark.parametrize("how", WITHOUT)
def test_every_module_reads_or_misses_an_optional_package(how: str) -> None:
    code = f"""
import importlib, inspect, pkgutil, pydoc
import fasturl
names = [found.name for found in pkgutil.walk_packages(fasturl.__path__, "fasturl.", onerror=lambda name: None)]
read = 0
for name in names:
    try:
        module = importlib.import_module(name)
    except ModuleNotFoundError as error:
        assert error.name in {OPTIONAL}, (name, error)
        continue
    inspect.getmembers(module)
    pydoc.render_doc(module)
    read += 1
assert len(names) > 100 and read > len(names) // 2, (len(names), read)
"""
    run_without(how, code)


@pytest.mark.parametrize("how", WITHOUT)
def test_a_name_without_its_extra_is_absent_and_says_what_to_install(how: str) -> None:
    code = """
import fasturl, fasturl.logs
of_logs = ("LogReader", "detect", "parse_lines", "read")
for module, name in ((fasturl, "arrow"), *((fasturl.logs, name) for name in of_logs)):
    assert name not in dir(module), name
    assert not hasattr(module, name), name
    assert getattr(module, name, None) is None
    try:
        getattr(module, name)
    except AttributeError as error:
        said = f"{module.__name__}.{name} needs pyarrow: " + fasturl._extras.pip_install("arrow")
        assert said in str(error), error
        assert isinstance(error.__cause__, ModuleNotFoundError) and error.__cause__.name == "pyarrow"
assert "engines" in dir(fasturl) and "schemes" in dir(fasturl)
"""
    run_without(how, code)


IMPORTS = {
    "import fasturl.arrow": "fasturl.arrow",
    "import fasturl.arrow.parsing": "fasturl.arrow",
    "from fasturl import arrow": "fasturl.arrow",
    "from fasturl import parse, arrow": "fasturl.arrow",
    "from fasturl.logs import read": "fasturl.logs.read",
    "from fasturl.logs import *": "fasturl.logs.LogReader",
}


@pytest.mark.parametrize("statement", IMPORTS)
@pytest.mark.parametrize("how", WITHOUT)
def test_an_import_without_its_extra_says_what_to_install(how: str, statement: str) -> None:
    code = f"""
try:
    {"exec(" + repr(statement) + ")"}
except ModuleNotFoundError as error:
    print(error.name, error)
"""
    wanted = f"pyarrow {IMPORTS[statement]} needs pyarrow: {pip_install('arrow')}\n"
    assert run_without(how, code) == wanted


def test_a_pyarrow_that_fails_to_load_is_told_as_it_is(tmp_path: Path) -> None:
    """If an import fails although the package exists, the message must not say to install it."""
    folder = tmp_path / "pyarrow"
    folder.mkdir()
    (folder / "__init__.py").write_text("import module_that_pyarrow_needs")
    code = f"""
import sys
sys.path.insert(0, {str(tmp_path)!r})
import fasturl
try:
    fasturl.arrow
except AttributeError as error:
    assert type(error.__cause__) is ModuleNotFoundError
    print(error)
try:
    import fasturl.arrow
except ModuleNotFoundError as error:
    print(error)
"""
    wanted = "No module named 'module_that_pyarrow_needs'"
    said = f"module 'fasturl' has no attribute 'arrow': {wanted}\n{wanted}\n"
    assert run_without("not installed", code) == said


def test_dir_shows_what_a_user_can_use() -> None:
    hidden = {"TYPE_CHECKING", "namedtuple", "names_of_urllib"}
    assert not hidden & set(dir(fasturl))
    assert {*fasturl.__all__, "schemes", "engines", "domains"} <= set(dir(fasturl))
    assert {"unwrap", "uses_netloc", "clear_cache"} <= set(dir(fasturl))
    assert {"TYPE_CHECKING", "Any"}.isdisjoint(dir(logs))
    assert set(dir(logs)) >= set(logs.__all__) - set(NEEDS_ARROW)


def test_dir_lists_what_pyarrow_brings() -> None:
    pytest.importorskip("pyarrow")
    code = f"""
import sys
sys.path.insert(0, {PLACE!r})
import fasturl, fasturl.logs, json
print(json.dumps([dir(fasturl), dir(fasturl.logs)]))
assert "pyarrow" not in sys.modules
"""
    package, of_logs = json.loads(subprocess.check_output([sys.executable, "-c", code], text=True))
    assert "arrow" in package and set(NEEDS_ARROW) <= set(of_logs)
