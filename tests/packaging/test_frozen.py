"""Tools that freeze programs find every module of fasturl, and a frozen program runs. They look for import statements
in the bytecode of Python modules: imports by extensions, and by names that are computed, are invisible to them.
modulefinder of the standard library looks as they do."""

import ast
import modulefinder
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import fasturl
from fasturl import engines

ROOT = Path(__file__).resolve().parents[2]
SOURCES = ROOT / "src"
EXTENSIONS = sorted(SOURCES.rglob("_*.pyx"))
PARTS = sorted(SOURCES.rglob("*.pxi"))
# A program imports engines by name, and uses the rest of the package by attributes and the command line.
ENGINES = [f"fasturl.engines.{name}" for name in engines.ENGINES]


def found_from(program: str, folder: Path) -> set[str]:
    """Return every module that the bytecode of a program imports, also through others of this package."""
    script = folder / "program.py"
    script.write_text(program)
    finder = modulefinder.ModuleFinder(path=[str(SOURCES)])  # without the standard library, whose names are noted
    finder.run_script(str(script))
    return {*finder.modules, *finder.badmodules}


def imports_of_compiled_code() -> set[str]:
    """Return the modules that Cython code and the runtime's header import anywhere."""
    names = set()
    for path in (*EXTENSIONS, *PARTS):
        for line in path.read_text(encoding="utf-8").splitlines():
            if not re.match(r"\s*(?:import|from \S+ import) ", line):
                continue
            (statement,) = ast.parse(line.strip()).body
            if isinstance(statement, ast.Import):
                names |= {alias.name for alias in statement.names}
            elif isinstance(statement, ast.ImportFrom):
                base = statement.module or ""
                names |= {base} if base != "fasturl" else {f"fasturl.{alias.name}" for alias in statement.names}
    header = SOURCES.joinpath("python", "pyruntime.h").read_text(encoding="utf-8")
    owner = re.search(r'FU_RUNTIME_OWNER "([\w.]+)"', header)
    assert owner is not None
    return names | {owner[1]}


def modules_of_the_package() -> set[str]:
    files = [path.relative_to(SOURCES).with_suffix("") for path in SOURCES.joinpath("fasturl").rglob("*.py")]
    return {".".join(file.parts).removesuffix(".__init__")
            for file in files} | {f"fasturl.{path.stem}" for path in EXTENSIONS}  # fmt: skip


def test_what_compiled_code_imports_is_seen_from_an_import_of_the_package(tmp_path: Path) -> None:
    imported = imports_of_compiled_code()
    assert {"fasturl._terms", "fasturl._fastparse", "fasturl.schemes", "unicodedata", "urllib.parse"} <= imported
    seen = found_from("import fasturl", tmp_path)
    start = subprocess.run([sys.executable, "-Ic", "import sys; print(*sys.modules)"], capture_output=True, text=True)
    seen |= set(start.stdout.split())  # a frozen program has these too
    own = {name for name in imported if name.partition(".")[0] == "fasturl"}
    assert own - seen == set()
    assert {name.partition(".")[0] for name in imported - own} - {name.partition(".")[0] for name in seen} == set()


def test_every_module_is_seen_from_what_a_program_imports(tmp_path: Path) -> None:
    everything = modules_of_the_package()
    assert len(everything) > 100
    program = f"import fasturl, fasturl.__main__, fasturl.install, fasturl.logs, {', '.join(ENGINES)}"
    program += ", fasturl.logs.duckdb, fasturl.logs.polars, fasturl.logs.spark"
    assert everything - found_from(program, tmp_path) == {"fasturl._application"}  # a list for a test


PROGRAM = r"""
import sys

import fasturl

if len(sys.argv) > 1:
    from fasturl.__main__ import run

    run()
url = fasturl.parse("http://u:p@h:80/a?b")
assert (url.host, url.port, url._replace(path="/c").path) == ("h", 80, "/c")
try:
    fasturl.parse("http://h/a b", strict=True)
except fasturl.InvalidURL as error:
    assert error.section, error
assert fasturl.decompose("ftp://h/a/b;type=i").cwd == ("a",)
assert [problem.finding.name for problem in fasturl.problems("http://h/%zz")] == ["BAD_ESCAPE"]
assert fasturl.registrable_domain("http://a.b.example.co.uk/") == "example.co.uk"
assert fasturl.urlsplit("http://\u212a.example/").hostname == "k.example"
assert fasturl.normalize("HTTP://h/%41") == "http://h/A"
from urllib.parse import quote

fasturl.install()
assert quote("a b") == "a%20b" and len(fasturl._installing.reached()) == 15
assert fasturl.arrow.parse(["http://h/a"], fields=["host"]).column(0).to_pylist() == ["h"]
from fasturl import logs

line = b'192.0.2.1 - - [17/May/2015:10:05:03 +0000] "GET /a?x=1 HTTP/1.1" 200 12\n'
assert logs.read([line], fields=["path"]).read_all().column("path").to_pylist() == ["/a"]
print("frozen", getattr(sys, "frozen", False))
"""
LINE = '192.0.2.1 - - [17/May/2015:10:05:03 +0000] "GET /a?x=1 HTTP/1.1" 200 12\n'
COMMANDS: dict[tuple[str, ...], str] = {
    ("parse", "--to", "jsonl", "--fields", "path,status"): '{"path":"/a","status":200}\n',
    ("stats", "-q", "--table", "status_path"): "status_path\n1\t200 /a\n",
    ("sql", "-q", "SELECT path, count(*) AS n FROM requests GROUP BY path"): '{"path":"/a","n":1}\n',
    ("quote", "a b"): "a%20b\n",
    ("--version",): "fasturl ",
}
# Packages that the program does not need. Each makes the build slower.
LEFT_OUT = ["numpy", "pandas", "polars", "dask", "altair", "vl_convert", "ray", "pyspark", "pytest", "hypothesis"]
# Both forms, a folder and one file, share one analysis, which takes most of the time.
SPEC = f"""
from PyInstaller.utils.hooks import collect_data_files

found = Analysis(
    ["program.py"],
    pathex=[{str(Path(fasturl.__file__).resolve().parent.parent)!r}],
    datas=collect_data_files("publicsuffixlist"),
    excludes={LEFT_OUT},
)
modules = PYZ(found.pure)
EXE(modules, found.scripts, found.binaries, found.datas, name="onefile", console=True)
COLLECT(
    EXE(modules, found.scripts, exclude_binaries=True, name="program", console=True),
    found.binaries, found.datas, name="onedir",
)
"""


@pytest.fixture(scope="module")
def frozen(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder with both forms of the program."""
    for name in ("PyInstaller", "pyarrow", "duckdb", "click", "publicsuffixlist"):
        pytest.importorskip(name, reason=f"no {name}: .ci/run installs what freezes programs")
    folder = tmp_path_factory.mktemp("frozen")
    (folder / "program.py").write_text(PROGRAM, encoding="utf-8")
    (folder / "program.spec").write_text(SPEC, encoding="utf-8")
    command = [sys.executable, "-m", "PyInstaller", "--log-level", "WARN", "program.spec"]
    environment = {**os.environ, "PYINSTALLER_CONFIG_DIR": str(folder / "cache")}
    built = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)
    assert built.returncode == 0, built.stderr
    return folder / "dist"


@pytest.mark.parametrize("program", ["onedir/program", "onefile"])
def test_a_frozen_program_runs(frozen: Path, program: str, tmp_path: Path) -> None:
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}

    def run(*arguments: str) -> str:
        command = [str(frozen / program), *arguments]
        done = subprocess.run(command, cwd=tmp_path, env=environment, input=LINE, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        return done.stdout

    assert run() == "frozen True\n"
    for arguments, wanted in COMMANDS.items():
        assert run(*arguments).startswith(wanted), arguments
