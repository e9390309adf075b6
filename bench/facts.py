"""The file of facts: each figure on a page, with its machine, its versions and the commit that was measured.

    python -m bench.facts             print the figures of pages and docstrings that no fact has, and exit with 1
    python -m bench.facts --update    write the tables of the facts into their pages

bench/facts.jsonl has one fact per line. A fact with ``lines`` is a table, whose place on its page has the same name. A
fact with ``figures`` has the figures in the text of a page or a module. A benchmark with --update writes its table into
the file and into the page. Add other figures by hand.
"""

import argparse
import ast
import json
import re
import runpy
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from platform import python_version
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
FILE = ROOT / "bench/facts.jsonl"
TABLE = re.compile(r"(<!-- ([\w-]+): begin[^\n]*-->\n)(.*?)(<!-- \2: end -->)", re.DOTALL)
FIGURE = re.compile(
    r"(?<![\w.,])\d[\d,]*(?:\.\d+)?(?: to \d[\d,]*(?:\.\d+)?)? ?(?:ns|µs|ms|[KMG]B/s|M/s|×|times)(?!\w)"
)
# Tables that no benchmark measured: answers of other programs, and archives to install.
NO_MEASUREMENTS = ("archives", "ClickHouse", "Spark", "DuckDB")
Fact = dict[str, Any]


def facts() -> list[Fact]:
    return [json.loads(line) for line in FILE.read_text(encoding="utf-8").splitlines()]


def record(page: Path, name: str, lines: Sequence[str], command: str, machine: str) -> None:
    """Write a measured table into the file of facts, in the place of the table's former fact."""
    of_page = page.resolve().relative_to(ROOT).as_posix()
    describe = ["git", "-C", str(ROOT), "describe", "--always", "--dirty"]
    fact: Fact = {"page": of_page, "table": name, "command": command, "machine": machine}
    version = runpy.run_path(str(ROOT / "src/fasturl/_version.py"))["__version__"]
    fact["versions"] = f"Python {python_version()}, fasturl {version}"
    fact["commit"] = subprocess.run(describe, capture_output=True, text=True, check=True).stdout.strip()
    fact["lines"] = "\n".join(lines).strip().splitlines()
    known = [one for one in facts() if (one["page"], one.get("table")) != (of_page, name)]
    known.append(fact)
    known.sort(key=lambda one: (one["page"], one.get("table", "")))
    FILE.write_text("".join(json.dumps(one, ensure_ascii=False) + "\n" for one in known), encoding="utf-8")


def paste(page: Path, name: str, lines: Sequence[str]) -> None:
    """Replace the text between the page's markers "<!-- NAME: begin ... -->" and "<!-- NAME: end -->"."""
    body = "\n".join(lines).strip()
    found = 0

    def change(match: re.Match[str]) -> str:
        nonlocal found
        if match[2] != name:
            return match[0]
        found += 1
        return f"{match[1]}\n{body}\n\n{match[4]}"

    text = TABLE.sub(change, page.read_text(encoding="utf-8"))
    if found != 1:
        raise ValueError(f"{page}: needs the markers '<!-- {name}: begin -->' and '<!-- {name}: end -->' once")
    page.write_text(text, encoding="utf-8")


def texts() -> Iterator[tuple[str, str]]:
    """Yield the name and the prose of README, CHANGELOG, each page and each module, without the measured tables."""
    pages = [ROOT / "README.md", ROOT / "CHANGELOG.md", ROOT / "bench/README.md", *sorted(ROOT.glob("docs/**/*.md"))]
    for page in pages:
        if page.parent.name != "api":  # docstrings again
            yield page.relative_to(ROOT).as_posix(), TABLE.sub("", page.read_text(encoding="utf-8"))
    for path in sorted(path for path in ROOT.glob("src/**/*.p*") if path.suffix in (".py", ".pyx", ".pxi")):
        source = path.read_text(encoding="utf-8")
        if path.suffix == ".py":
            kinds = ast.Module | ast.ClassDef | ast.FunctionDef
            strings = [ast.get_docstring(node) or "" for node in ast.walk(ast.parse(source)) if isinstance(node, kinds)]
        else:
            strings = re.findall(r'"""(.*?)"""', source, re.DOTALL)
        yield path.relative_to(ROOT).as_posix(), "\n".join(strings)


def faults() -> list[str]:
    """Return what the pages say and no fact has, and the facts that no page says."""
    listed: dict[str, set[str]] = {}
    tables: dict[tuple[str, str], list[str]] = {}
    for fact in facts():
        if "table" in fact:
            tables[fact["page"], fact["table"]] = fact["lines"]
        listed.setdefault(fact["page"], set()).update(fact.get("figures", ()))
    found = []
    for page, text in texts():
        said = {re.sub(r"\s+", " ", figure) for figure in FIGURE.findall(text)}
        known = listed.pop(page, set())
        found += [f"{page}: no fact has {figure!r}" for figure in said - known]
        found += [f"{page}: a fact has {figure!r}, and the text does not" for figure in known - said]
    for path in (ROOT / "bench/README.md", *ROOT.glob("docs/**/*.md")):
        page = path.relative_to(ROOT).as_posix()
        for _, name, lines, _ in TABLE.findall(path.read_text(encoding="utf-8")):
            if name not in NO_MEASUREMENTS and lines.strip().splitlines() != tables.pop((page, name), None):
                found.append(f"{page}: the table {name!r} differs from its fact")
    found += [f"{page}: there is no place for the table {name!r}" for page, name in tables]
    return sorted([*found, *(f"{page}: it has a fact and does not exist" for page in listed)])


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.facts", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--update", action="store_true", help="write the tables of the facts into their pages")
    if parser.parse_args().update:
        for fact in facts():
            if "table" in fact:
                paste(ROOT / fact["page"], fact["table"], fact["lines"])
    found = faults()
    print(*found, sep="\n", end="\n" if found else "", file=sys.stderr)
    return bool(found)


if __name__ == "__main__":
    raise SystemExit(main())
