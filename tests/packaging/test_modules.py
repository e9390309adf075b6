"""Check that each module imports only what docs/architecture.md allows."""

import ast
import re
import runpy
from collections.abc import Iterator
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
KERNEL = ROOT / "src" / "kernel"
CORE = ROOT / "src" / "fasturl"
OUTER = ("cli", "engines", "logs", "arrow")
# Standard C without locale, errno, input and output; and the intrinsics of processors.
C_HEADERS = {"assert.h", "stddef.h", "stdint.h", "string.h", "limits.h", "stdbool.h"}
# Only columns allocate memory.
HEAP = {"columns/columns.h", "columns/gather_body.h", "columns/pool.h"}
HEAP_HEADERS = {"stdlib.h", "malloc.h", "sys/mman.h"}
C_HEADERS |= {"immintrin.h", "emmintrin.h", "arm_neon.h", "intrin.h", "cpuid.h"}
THIRD_PARTIES = {"click", "rich", "zstandard", "pyarrow", "numpy", "polars", "pandas", "duckdb", "pyspark"}


def python_files(*folders: str) -> list[Path]:
    return [path for folder in folders for path in sorted(ROOT.joinpath(folder).rglob("*.py"))]


def imports(path: Path) -> Iterator[str]:
    """Return the dotted names that a Python file imports anywhere, except for type checkers."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    for node in ast.walk(tree):
        if isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING":
            node.body = []
    package = ".".join(path.relative_to(ROOT / "src").parent.parts) if path.is_relative_to(CORE) else ""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ""
            if node.level:
                parts = package.split(".")[: len(package.split(".")) - node.level + 1]
                base = ".".join([*parts, *filter(None, [base])])
            yield base
            yield from (f"{base}.{alias.name}" for alias in node.names)


def tops(path: Path) -> set[str]:
    return {name.partition(".")[0] for name in imports(path)}


def identify(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def kernel_files() -> list[Path]:
    return sorted([*KERNEL.rglob("*.h"), *KERNEL.rglob("*.c")])


def test_the_kernel_includes_its_own_headers_and_standard_c() -> None:
    headers = kernel_files()
    assert headers
    for header in headers:
        text = header.read_text(encoding="utf-8")
        included = re.findall(r'^\s*#\s*include\s+([<"])([^>"]+)[>"]', text, re.MULTILINE)
        for mark, name in included:
            if mark == "<":
                allowed = C_HEADERS | HEAP_HEADERS if header.relative_to(KERNEL).as_posix() in HEAP else C_HEADERS
                assert name in allowed, f"{header.name} includes <{name}>"
            else:
                assert KERNEL.joinpath(name).is_file(), f"{header.name} includes {name!r}"


def test_the_kernel_keeps_off_the_heap_and_the_locale() -> None:
    heap = "malloc|calloc|realloc|free|alloca"
    rest = "printf|setlocale|isalpha|isdigit|isxdigit|tolower|strtol"
    for header in kernel_files():
        called = rest if header.relative_to(KERNEL).as_posix() in HEAP else f"{heap}|{rest}"
        found = re.search(rf"\b({called})\(", header.read_text(encoding="utf-8"))
        assert found is None, f"{header.name} calls {found and found[1]}"


def test_headers_are_guarded_or_included_more_than_once_on_purpose() -> None:
    headers = [header.relative_to(KERNEL).as_posix() for header in KERNEL.rglob("*.h")]
    texts = {file.relative_to(KERNEL).as_posix(): file.read_text(encoding="utf-8") for file in kernel_files()}
    for name in headers:
        if "#ifndef FASTURL_" not in texts[name]:
            assert any(f'#include "{name}"' in other for other in texts.values()), f"nothing includes {name}"


@pytest.mark.parametrize("path", python_files("src/fasturl"), ids=identify)
def test_the_core_imports_nothing_further_out(path: Path) -> None:
    layer = path.relative_to(CORE).parts[0].removesuffix(".py")
    names = set(imports(path))
    if layer not in OUTER and layer != "__main__":
        further = {name for name in names for outer in OUTER if f"{name}.".startswith(f"fasturl.{outer}.")}
        assert not further
        assert not tops(path) & THIRD_PARTIES
    further_out = {"engines": ("cli", "logs"), "logs": ("cli",), "arrow": ("cli", "engines", "logs")}.get(layer, ())
    assert not {name for name in names for outer in further_out if f"{name}.".startswith(f"fasturl.{outer}.")}


@pytest.mark.parametrize(
    "path", sorted([*ROOT.joinpath("src").rglob("*.pyx"), *ROOT.joinpath("src").rglob("*.pxi")]), ids=identify
)
def test_extensions_import_nothing_further_out(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    named = re.findall(r"^\s*(?:from|import|cimport)\s+([\w.]+)", text, re.MULTILINE)
    assert named or path.suffix == ".pxi"
    for name in named:
        assert not any(f"{name}.".startswith(f"fasturl.{outer}.") for outer in OUTER), name
        assert name.partition(".")[0] not in THIRD_PARTIES, name


def test_the_inputs_of_logs_know_no_format() -> None:
    """Lines become records become columns: the modules of a step import none of a later step."""
    later = ("fasturl.logs.formats", "fasturl.logs.units", "fasturl.logs.reader", "fasturl.logs.jobs")
    for folder, names in (("inputs", later), ("formats", later[1:])):
        for path in python_files(f"src/fasturl/logs/{folder}"):
            assert not {name for name in imports(path) if name.startswith(names)}, identify(path)


APPLICATION = ("logs", "cli", "_accesslog")
PUBLIC = ("fasturl", *(f"fasturl.{name}" for name in ("arrow", "domains", "engines.duckdb", "errors", "schemes")))


def private_names(path: Path) -> Iterator[tuple[str, str]]:
    """Return the modules and names of the library that a file of the application takes, but for the public ones."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        assert not isinstance(node, ast.Import) or not any(a.name.startswith("fasturl") for a in node.names), path
        module = node.module or "" if isinstance(node, ast.ImportFrom) else ""
        for name in [alias.name for alias in node.names] if module.startswith("fasturl") else ():  # type: ignore[attr-defined]
            is_own = f"{module}.{name}".split(".")[1] in APPLICATION
            is_public = module in PUBLIC and (name[0] != "_" or name == "__version__") and name != "compute"
            if not is_own and not is_public:
                yield module, name


def test_the_application_takes_public_names_and_those_of_the_list() -> None:
    taken: dict[str, set[str]] = {}
    for path in python_files("src/fasturl/logs", "src/fasturl/cli"):
        for module, name in private_names(path):
            taken.setdefault(module, set()).add(name)
    assert taken == runpy.run_path(str(CORE / "_application.py"))["PRIVATE"]


def test_the_library_never_imports_the_application() -> None:
    for path in python_files("src/fasturl"):
        inside = path.relative_to(CORE)
        if inside.parts[0].removesuffix(".py") not in (*APPLICATION, "__main__"):
            found = {name for name in imports(path) if any(f"{name}.".startswith(f"fasturl.{a}.") for a in APPLICATION)}
            assert not found, identify(path)


def import_circle(source: Path) -> list[str]:
    """Return modules of which each imports the one before, also inside functions and for type checkers, or nothing.
    `from package import name` imports the module of that name, compiled or not, or else the package."""
    python = {path: path.relative_to(source).with_suffix("").parts for path in source.joinpath("fasturl").rglob("*.py")}
    names = {path: ".".join(parts).removesuffix(".__init__") for path, parts in python.items()}
    modules = {*names.values(), *(f"fasturl.{path.stem}" for path in source.rglob("*.pyx"))}
    graph: dict[str, set[str]] = {}
    for path, module in names.items():
        needs = graph[module] = set()
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                needs |= {alias.name for alias in node.names}
            elif isinstance(node, ast.ImportFrom):
                assert node.module and not node.level, path
                inner = [f"{node.module}.{alias.name}" for alias in node.names]
                needs |= {each if each in modules else node.module for each in inner}
        graph[module] = (needs & modules) - {module}
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        return list(error.args[1])
    return []


def test_no_modules_import_each_other() -> None:
    assert import_circle(ROOT / "src") == []


@pytest.mark.parametrize("planted", [
    "import fasturl.a.y", "def f():\n    from fasturl.a import y", "if TYPE_CHECKING:\n    from fasturl.a.y import Z",
])  # fmt: skip
def test_circles_are_seen(planted: str, tmp_path: Path) -> None:
    folder = tmp_path / "fasturl" / "a"
    folder.mkdir(parents=True)
    tmp_path.joinpath("_c.pyx").write_text("")
    folder.with_name("__init__.py").write_text("from fasturl import _c\nfrom fasturl.a import x\n")
    folder.joinpath("y.py").write_text("from fasturl import _c\nfrom fasturl.a.z import w\n")
    folder.joinpath("z.py").write_text("from fasturl.a import x\n")
    folder.joinpath("x.py").write_text("from fasturl import _c\n")
    assert import_circle(tmp_path) == []
    folder.joinpath("x.py").write_text(planted)
    assert {*import_circle(tmp_path)} == {"fasturl.a.x", "fasturl.a.y", "fasturl.a.z"}


def test_tools_stand_apart_from_what_they_make() -> None:
    files = python_files("tools")
    assert files
    # Users' productions and those of grammar/ are compiled by the same code. Stubs follow from what the package makes.
    assert {path.name for path in files if "fasturl" in tops(path)} == {"gen_productions.py", "gen_stubs.py"}


def test_references_share_no_code_with_the_program() -> None:
    for path in python_files("tests"):
        if path.name.startswith("reference_"):
            assert "fasturl" not in tops(path), identify(path)


def test_the_program_knows_neither_its_tests_nor_its_tools() -> None:
    for path in python_files("src/fasturl"):
        assert not tops(path) & {"tests", "bench", "tools", "pytest", "hypothesis"}, identify(path)


def test_imports_are_seen(tmp_path: Path) -> None:
    """The check detects a forbidden import."""
    path = tmp_path / "some.py"
    path.write_text("def f():\n    from fasturl.cli import app\n    import click.core\n")
    assert set(imports(path)) == {"fasturl.cli", "fasturl.cli.app", "click.core"}
    assert tops(path) == {"fasturl", "click"}
