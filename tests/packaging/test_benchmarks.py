"""The benchmarks time the shown statement on seeded texts, compare answers, and count every public function."""

import hashlib
import re
import subprocess
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from bench import linear
from bench.linear_works import WORKS, Work

ROOT = Path(__file__).resolve().parents[2]
pytest.importorskip("fasturl._fastparse")

# The digests of the first 400 texts or log lines for the seed 1738. A change makes recorded benchmarks stale.
DIGESTS = {
    "web": "2bb99c7e5b05ef19",
    "valid": "a3afd999a5d3d96a",
    "query": "452f3d88c7cfd64e",
    "escapes": "5e197423edafa546",
    "nonascii": "abcb5c7f6db44326",
    "hostile": "f331f1e85e1849e9",
    "long": "9dba2f30436132e7",
    "schemes": "beeb3a21cde5d552",
    "malformed": "2dcff91c2c50aaf5",
    "target": "4927487cac3c8de3",
    "log": "e74e678878cb4693",
}
COMBINED = re.compile(r'\S+ \S+ \S+ \[[^\]]+\] "(?:\\.|[^"\\])*" \d{3} (?:\d+|-) "(?:\\.|[^"\\])*" "(?:\\.|[^"\\])*"')


@pytest.fixture(autouse=True)
def importable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(ROOT))


@pytest.fixture
def measure() -> ModuleType:
    from bench import measure

    return measure


def operation(*rows: Any, **more: Any) -> Any:
    from bench.operations import Operation

    return Operation("o", "", list, rows, **more)


def row(call: str, *uses: str, **more: Any) -> Any:
    from bench.operations import Row

    return Row(more.pop("peer", "urllib"), "split", call, uses, **more)


@pytest.mark.parametrize("name", DIGESTS)
def test_same_octets_on_every_python(name: str) -> None:
    from bench import madeup
    from bench.accesslog import log_lines

    assert set(DIGESTS) == {*madeup.CORPORA, "log"}
    made = log_lines(400) if name == "log" else madeup.lines(name, 400)
    assert hashlib.sha256(b"".join(made)).hexdigest()[:16] == DIGESTS[name]


def test_the_sample_log_has_the_combined_format_but_for_a_few_lines() -> None:
    command = [sys.executable, "-m", "bench.corpora", "log", "--lines", "3000"]
    for clean, least, most in (([], 1, 29), (["--clean"], 0, 0)):
        made = subprocess.run([*command, *clean], cwd=ROOT, capture_output=True, check=True, text=True).stdout
        lines = made.splitlines()
        assert len(lines) == 3000
        assert least <= sum(COMBINED.fullmatch(line) is None for line in lines) <= most


def test_what_is_timed_is_what_is_shown(measure: ModuleType) -> None:
    plain = row("urlsplit(x)", "urllib.parse:urlsplit", reads=("scheme", "port"))
    assert measure.source(operation(plain), plain).splitlines() == [
        "def loop(xs):",
        "    for x in xs:",
        "        r = urlsplit(x)",
        "        r.scheme",
        "        r.port",
    ]
    whole = row("map(len, xs)", "builtins:len", whole=True)
    assert measure.source(operation(whole), whole).splitlines()[1:] == ["    consume(map(len, xs))"]
    with pytest.raises(ValueError):
        measure.compile_loop(operation(plain), plain)(["http://a:99999/"])
    caught = operation(plain, caught=True)
    measure.compile_loop(caught, plain)(["http://a:99999/"])


def test_answers_are_compared_and_refusers_left_out(measure: ModuleType) -> None:
    items = [str(n) for n in range(98)] + ["x", "007"]
    rows = (
        row("str(x)", "builtins:str"),
        row("str(int(x))", "builtins:str", "builtins:int"),
        row("int(x, 2)", "builtins:int", peer="can_ada"),
        row("none(x)", "fasturl:no_such_name", peer="fasturl"),
    )
    measured = measure.prepare(operation(*rows), items)
    assert [timed.row for timed in measured.rows] == [rows[0], rows[1]]
    assert measured.rows[1].agreement == 0.98 and measured.rows[1].differs_on == "x"
    assert (measured.count, measured.left_out) == (99, 1)
    assert "refuses" in measured.skipped[0] and "no_such_name" in measured.skipped[1]
    measure.run(measured, repeat=3)
    assert all(len(timed.rounds) == 3 and timed.ns > 0 for timed in measured.rows)
    # converting to int and back is more work than str of a str
    assert measured.rows[0].times_as_fast_as(measured.rows[1]) > 1


def test_each_pass_has_new_texts_and_empty_caches(measure: ModuleType) -> None:
    import urllib.parse

    item = ("http://a/é", [b"octets", "\udcff surrogate"], 7)
    copy = measure.fresh(item)
    assert copy == item
    assert copy[0] is not item[0] and copy[1][0] is not item[1][0] and copy[1][1] is not item[1][1]
    if not hasattr(urllib.parse.urlsplit, "cache_info"):
        pytest.skip("this Python's urlsplit shows no cache")
    measured = measure.prepare(operation(row("urlsplit(x)", "urllib.parse:urlsplit")), ["http://a/", "http://b/"])
    for _ in range(3):
        measure.timed_pass(measured.rows[0])
        info = urllib.parse.urlsplit.cache_info()  # type: ignore[attr-defined]
        assert (info.hits, info.misses) == (0, 2)


def test_other_builds_are_refused(measure: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    import fasturl._fastparse

    monkeypatch.setattr(fasturl._fastparse, "_BUILD", "debug", raising=False)
    with pytest.raises(measure.NotRelease, match="debug build"):
        measure.require_release()


PLACES = {
    "bench/README.md": ("others", "kernels", "functions", "jobs", "memory", "scale", "threads"),
    "docs/speed.md": ("table",),
    "docs/scale.md": ("logscale",),
    "docs/install.md": ("drop-in", "programs", "dependents"),
    "docs/differing-answers.md": ("ClickHouse", "Spark", "DuckDB"),
}


@pytest.mark.parametrize("page", PLACES)
def test_every_table_has_one_place(page: str) -> None:
    text = (ROOT / page).read_text(encoding="utf-8")
    for name in PLACES[page]:
        assert text.count(f"<!-- {name}: begin") == text.count(f"<!-- {name}: end -->") == 1


def test_one_command_prints_the_ratios(tmp_path: Path) -> None:
    from fasturl._fastparse import _BUILD  # type: ignore[attr-defined, unused-ignore]

    urls = tmp_path / "urls"
    urls.write_text("".join(f"http://example.com/{n}?q={n}\n" for n in range(50)))
    command = [sys.executable, "-m", "bench", "--urls", str(urls), "--repeat", "2", "--only", "parse", "octets"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    if _BUILD != "release":
        assert done.returncode == 2 and "build" in done.stderr
        return
    assert done.returncode == 0, done.stderr
    assert "Data: 50 real URLs" in done.stdout
    ratios = done.stdout.partition("### Ratios")[2]
    assert "| parse " in ratios and "| octets " in ratios and "100%" in ratios
    assert str(tmp_path) not in done.stdout


def test_more_instructions_than_kept_are_told() -> None:
    from bench import instructions

    kept = {"parse": 1000.0, "quote": 100.0, "gone": 1.0}
    counted = {"parse": 1020.0, "quote": 102.1, "new": 1.0}
    assert instructions.compare(kept, counted) == [
        "gone: not counted",
        "new: not kept",
        "quote: 102.1 instructions, 100.0 are kept (+2.1%)",
    ]


def test_every_public_function_is_counted() -> None:
    assert linear.not_named() == set()


def names(work: Work) -> dict[str, Any]:
    """Return the names of the counted process."""
    known: dict[str, Any] = {}
    exec("from fasturl import *", known)
    exec(work.setup, known)
    return known


@pytest.mark.parametrize("name", WORKS)
def test_every_call_takes_every_text(name: str) -> None:
    """No call fails on short texts, except by a ValueError."""
    work = WORKS[name]
    if "arrow" in work.call or "pyarrow" in work.setup or "fasturl.logs" in work.setup:
        pytest.importorskip("pyarrow")
    if name in ("public_suffix", "registrable_domain", "subdomain"):
        pytest.importorskip("publicsuffixlist")
    call = eval(f"lambda t: ({work.call})", names(work))
    for before, unit, after in work.families:
        try:
            call(before + unit * 3 + after)
        except ValueError:  # a hostile text may be refused
            continue
        except Exception as error:
            pytest.fail(f"{error!r} for {before!r} {unit!r} {after!r}")


def test_a_quadratic_step_is_over_the_bound() -> None:
    sizes = [1 << 10, 1 << 16]
    assert linear.growth(sizes, [10_000 + 5 * n for n in sizes]) < linear.SLACK
    assert linear.growth(sizes, [100_000 + n * n // 64 for n in sizes]) > linear.SLACK
