"""The examples in docstrings, in docs and in the README run."""

import ast
import doctest
import importlib
import pkgutil
import re
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import fasturl
from fasturl import schemes

ROOT = Path(__file__).resolve().parents[2]
OPTIONAL = {"click", "duckdb", "numpy", "pandas", "polars", "pyarrow", "pyspark", "rich", "zstandard"}
# Functions of domains read this package's list.
DIVIDES = re.compile(r"^>>> .*\b(registrable_domain|public_suffix|subdomain)\(", re.MULTILINE)
# tests/cli runs the modules of the command line. The modules below logs are private.
INNER = r"__main__|_version|cli(\..*)?|logs\.(?!reader|detection).*"
NO_EXAMPLES = re.compile(rf"fasturl$|fasturl\.({INNER})$|fasturl\.(\w+\.)*_[a-z]\w*$")
MODULES = ["fasturl", *(found.name for found in pkgutil.walk_packages(fasturl.__path__, "fasturl."))]
EXTENSIONS = sorted(f"fasturl.{source.stem}" for source in ROOT.joinpath("src").rglob("_*.pyx"))
# The examples of docs/api are those of docstrings, which run with the names of their module.
PAGES = [page for page in (ROOT / "README.md", *sorted(ROOT.joinpath("docs").rglob("*.md")))
         if page.parent.name != "api"]  # fmt: skip
FLAGS = doctest.NORMALIZE_WHITESPACE


def loaded(name: str) -> ModuleType:
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        if error.name is not None and error.name.partition(".")[0] in OPTIONAL:
            pytest.skip(f"{name} needs {error.name}")
        raise


@pytest.mark.parametrize("name", [name for name in MODULES if not name.endswith(("__main__", ".install"))])
def test_examples_of_a_module(name: str) -> None:
    module = loaded(name)
    if name == "fasturl._functions":
        pytest.importorskip("publicsuffixlist")
    result = doctest.testmod(module, optionflags=FLAGS)
    assert result.failed == 0
    if name in EXTENSIONS:
        exported = {id(getattr(fasturl, public)) for public in fasturl.__all__}
        if any(id(value) in exported for value in vars(module).values() if callable(value)):
            assert result.attempted > 0, f"{name} has no example"
    elif not NO_EXAMPLES.match(name) and any(is_defined_in(module, value) for value in vars(module).values()):
        assert result.attempted > 0, f"{name} has no example"


def is_defined_in(module: ModuleType, value: object) -> bool:
    own = getattr(value, "__module__", None) == module.__name__
    return own and callable(value) and not getattr(value, "__name__", "_").startswith("_")


def test_every_extension_is_among_the_modules() -> None:
    assert EXTENSIONS and set(EXTENSIONS) <= set(MODULES)
    assert doctest.testmod(loaded("fasturl._fastparse"), optionflags=FLAGS).attempted > 5


def examples(page: Path) -> list[str]:
    """Return the fenced blocks of a page that are interpreter sessions."""
    blocks = re.findall(r"^```\w*\n(.*?)^```$", page.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE)
    return [block for block in blocks if block.lstrip().startswith(">>> ")]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_examples_of_a_page(page: Path) -> None:
    text = "\n".join(examples(page))
    needed = {name for name in OPTIONAL if re.search(rf"^>>> (import|from) {name}\b", text, re.MULTILINE)}
    if re.search(r"^>>> from fasturl import .*\b(arrow|logs)\b", text, re.MULTILINE):
        needed.add("pyarrow")
    if DIVIDES.search(text):
        needed.add("publicsuffixlist")
    for name in sorted(needed):
        pytest.importorskip(name)
    test = doctest.DocTestParser().get_doctest(text, {}, page.name, str(page), 0)
    runner = doctest.DocTestRunner(optionflags=FLAGS)
    runner.run(test)
    assert runner.summarize(verbose=False).failed == 0


# What the code in tables takes for granted. A cell that imports something gets nothing else.
SAMPLES: dict[str, Any] = {
    **{name: getattr(fasturl, name) for name in fasturl.__all__},
    **dict.fromkeys(("u", "column"), "https://h.example/a/b?x=1"),
    "url": fasturl.parse("https://user:pw@h.example/a?x=1"), "fasturl": fasturl, "decompose": schemes.decompose,
    "names": ["x"], "name": "x", "value": "2", "old": ["1"],
}  # fmt: skip
NOT_CALLED = {"install", "uninstall", "URL"}  # they change the process; yarl and SQLAlchemy have another URL


def table_code(text: str) -> list[list[str]]:
    """Return the Python in each cell of a page's tables, except for tables that a script writes."""
    text = re.sub(r"<!-- [\w-]+: begin.*?<!-- [\w-]+: end -->|^```.*?^```$", "", text, flags=re.DOTALL | re.MULTILINE)
    rows = re.findall(r"^ *\|(.+)\|$", text, re.MULTILINE)
    cells = [cell for row in rows for cell in re.split(r"(?<!\\)\|", row)]
    return [[code.replace("\\|", "|") for code in re.findall(r"`([^`]+)`", cell)] for cell in cells]


def is_of_fasturl(code: str) -> bool:
    """Whether a text is Python that imports fasturl, or that calls a name of fasturl."""
    try:
        nodes = list(ast.walk(ast.parse(code)))
    except SyntaxError:
        return False
    called = {node.func.id for node in nodes if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)}
    used = {node.value.id for node in nodes if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name)}
    imports = any(isinstance(node, ast.Import | ast.ImportFrom) and "fasturl" in ast.unparse(node) for node in nodes)
    elided = any(isinstance(node, ast.Constant) and node.value is ... for node in nodes)
    ours = called & SAMPLES.keys() - NOT_CALLED
    return imports or (called <= ours and not elided and ("fasturl" in used or bool(called)))


def run_cell(codes: list[str]) -> int:
    """Run the code of one cell as one program, and return how many pieces it had."""
    pieces = [code for code in codes if is_of_fasturl(code)]
    names = {} if any("import " in code for code in pieces) else dict(SAMPLES)
    for code in pieces:
        exec(code, names)
    return len(pieces)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_code_in_the_tables_of_a_page_runs(page: Path) -> None:
    for codes in table_code(page.read_text(encoding="utf-8")):
        try:
            run_cell(codes)
        except Exception as error:
            raise AssertionError(f"{page.name}: {codes}: {error!r}") from error


def test_wrong_code_in_a_table_fails() -> None:
    [_, wrong] = table_code("| a service | `import fasturl as parse`<br>`fasturl.is_fetchable(url)` |\n")
    with pytest.raises(NameError, match="fasturl"):
        run_cell(wrong)
    assert run_cell(["import fasturl", "fasturl.is_fetchable('http://h/')"]) == 2
    assert run_cell(["drop_parts(u, 'query')", "furl(u)", "url_host(u)", "install()"]) == 1


def test_the_readme_has_examples() -> None:
    assert len(examples(PAGES[0])) >= 3


def test_a_wrong_example_fails(capsys: pytest.CaptureFixture[str]) -> None:
    test = doctest.DocTestParser().get_doctest(">>> 1 + 1\n3\n", {}, "wrong", None, 0)
    runner = doctest.DocTestRunner(optionflags=FLAGS)
    runner.run(test)
    assert runner.summarize(verbose=False).failed == 1
    assert "Got:\n    2" in capsys.readouterr().out
