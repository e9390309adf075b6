"""The tables of the benchmarks as Markdown, their places on pages, and the options that all benchmarks share."""

import argparse
import os
import platform
import re
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

from bench import facts
from bench.measure import Measured, Timed
from bench.peers import PEERS, load


def grid(head: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    """Return a Markdown table with aligned columns: numbers to the right, other text to the left."""
    cells = [list(head), *(list(row) for row in rows)]
    columns = list(zip(*cells, strict=True))
    widths = [max(map(len, column)) for column in columns]
    number = re.compile(r"[\d.,]+[×%]?|–")
    right = [bool(set(column[1:]) - {"–"}) and all(map(number.fullmatch, column[1:])) for column in columns]

    def line(row: Sequence[str]) -> str:
        cells = zip(row, widths, right, strict=True)
        return f"| {' | '.join(cell.rjust(w) if to_right else cell.ljust(w) for cell, w, to_right in cells)} |"

    rule = [f"{'-' * (w - 1)}:" if to_right else "-" * w for w, to_right in zip(widths, right, strict=True)]
    return [line(cells[0]), f"| {' | '.join(rule)} |", *map(line, cells[1:])]


def times(value: float) -> str:
    return f"{value:.0f}×" if value >= 99.5 else f"{value:.1f}×" if value >= 9.95 else f"{value:.2f}×"


def share(value: float) -> str:
    """Return a percentage. Only the full share rounds to 100."""
    if value in (0.0, 1.0):
        return f"{value:.0%}"
    return f"{min(max(value * 100, 0.01), 99.99):.2f}%"


def nanoseconds(value: float) -> str:
    return f"{value:.0f}" if value >= 100 else f"{value:.1f}"


def cpuinfo(field: str) -> str:
    """Return a field of /proc/cpuinfo; an empty text on other systems."""
    try:
        found = re.search(rf"^{field}\s*: (.*)$", Path("/proc/cpuinfo").read_text(), re.MULTILINE)
    except OSError:
        return ""
    return found[1].strip() if found else ""


def cpu() -> str:
    return cpuinfo("model name") or platform.processor() or platform.machine()


def simd() -> str:
    """Return the widest vector set of the CPU, because the kernel may depend on it."""
    flags = cpuinfo("flags").split()
    names = (("avx512_vbmi2", "AVX-512 VBMI2"), ("avx512bw", "AVX-512"), ("avx2", "AVX2"), ("asimd", "NEON"))
    return next((name for flag, name in names if flag in flags), "")


def header(label: str, count: int, unique: float, repeat: int) -> list[str]:
    versions = []
    for peer in PEERS.values():
        if peer.name != "urllib":
            try:
                versions.append(f"{peer.name} {peer.version()}{' (release)' if peer.name == 'fasturl' else ''}")
            except ImportError:
                versions.append(f"{peer.name} missing")
    vector = simd()
    return [
        f"Data: {count:,} {label}, {share(unique)} unique; duplicates are dropped before measuring.",
        f"CPU: {cpu()}{', ' + vector if vector else ''}; one thread. {platform.system()}.",
        f"Python {platform.python_version()} ({platform.python_compiler()}).",
        f"Versions: {', '.join(versions)}.",
        f"Median of {repeat} rounds, rows in turns within a round; the thread's CPU time; cyclic GC off.",
        "Cold: before each pass all texts are copied anew (no cached hash, no cached UTF-8), and the caches",
        "of urllib and yarl are emptied.",
    ]


def summary(results: Sequence[Measured]) -> list[str]:
    """Return one row per operation: fasturl beside urllib and beside the fastest other peer."""
    rows = []
    for result in results:
        ours, urllib = result.first("fasturl"), result.first("urllib")
        if ours is None or urllib is None:
            continue
        best, goals = result.quickest_peer(), []
        for peer, goal in result.operation.goals:
            against = result.first(peer)
            if against is not None:
                goals.append((f"{goal:g}× {peer}", ours.times_as_fast_as(against) >= goal))
        if per_second := result.operation.per_second:
            goals.append((f"{per_second / 1e6:g} M/s", 1e9 / ours.ns >= per_second))
        cells = [result.operation.name, f"`{ours.row.call}`", nanoseconds(urllib.ns), nanoseconds(ours.ns)]
        cells += [f"{1e3 / ours.ns:.1f}", times(ours.times_as_fast_as(urllib))]
        cells += [times(ours.times_as_fast_as(best)), best.row.peer] if best else ["–", ""]
        shown = "; ".join(f"{goal}: {'met' if met else 'not met'}" for goal, met in goals)
        rows.append([*cells, share(ours.agreement), shown])
    head = ["operation", "fasturl's call", "urllib ns", "fasturl ns", "M/s", "× urllib", "× best peer", "best peer"]
    return grid([*head, "agrees", "goal"], rows) if rows else []


def detail(result: Measured) -> list[str]:
    """Return the section of one operation: a row per call, and what was left out."""
    operation = result.operation
    ours, urllib = result.first("fasturl"), result.first("urllib")

    def against(timed: Timed, other: Timed | None, inverse: bool = False) -> str:
        if other is None or other is timed:
            return "–"
        return times(other.times_as_fast_as(timed) if inverse else timed.times_as_fast_as(other))

    lines = ["", f"### {operation.name}: {operation.title}", ""]
    if not result.rows:
        return [*lines, "Not measured: this corpus has no input for it.", *(f"- {line}" for line in result.skipped)]
    what = f"{result.count:,} inputs, {share(result.unique_share)} unique, mean length {result.mean_size:.0f}"
    if result.left_out:
        what += f"; left out for all rows: {result.left_out:,} that some row refuses"
    rows, notes = [], list(result.skipped)
    for timed in result.rows:
        agrees = "–" if timed.row.peer == "urllib" else share(timed.agreement)
        cells = [timed.row.peer, f"`{timed.row.label}`", timed.row.kind, nanoseconds(timed.ns), f"{timed.spread:.0%}"]
        rows.append([*cells, against(timed, urllib), against(timed, ours, inverse=True), agrees])
        if timed.row.peer == "fasturl" and timed.agreement < 1:
            shown = repr(timed.differs_on)
            shown = shown if len(shown) <= 100 else shown[:100] + "…"
            notes.append(f"`{timed.row.call}` differs from urllib first on `{shown}`")
    head = ["who", "timed", "class", f"ns/{operation.unit}", "±", "× urllib", "fasturl is", "agrees with urllib"]
    return [*lines, f"{what}.", "", *grid(head, rows), *([""] if notes else []), *(f"- {note}" for note in notes)]


# --- pages and options -----------------------------------------------------------------------------------------------


def machine() -> str:
    return f"{cpu()}, {simd()}, {os.cpu_count()} cores, {platform.system()}"


def paste(page: Path, name: str, lines: Sequence[str]) -> None:
    """Write a measured table into the file of facts and into its place on the page."""
    command = " ".join(["python -m", f"bench.{Path(sys.argv[0]).stem}".removesuffix(".__main__"), *sys.argv[1:]])
    facts.record(page, name, lines, command, machine())
    facts.paste(page, name, lines)


def show(lines: Sequence[str], name: str = "", page: Path | None = None) -> None:
    """Print the lines, and put them in the place of that name if a page is given."""
    for line in lines:
        print(line, flush=True)
    if page:
        paste(page, name, lines)


def arguments_of(module: str, doc: str | None, update: bool = True) -> argparse.ArgumentParser:
    """Return a parser for `python -m MODULE`, with --update FILE unless the benchmark has no place on a page."""
    parser = argparse.ArgumentParser(prog=f"python -m {module}", description=(doc or "").partition("\n")[0])
    if update:
        parser.add_argument("--update", metavar="FILE", type=Path, help="write the table between a page's markers")
    return parser


def release_or_exit(parser: argparse.ArgumentParser) -> None:
    """Exit with a message unless fasturl is a release build: the times of another would mean nothing."""
    try:
        build = load("fasturl._fastparse:_BUILD")
    except (ImportError, AttributeError) as error:
        parser.exit(2, f"{parser.prog}: fasturl is not installed, or does not name its build: {error}\n")
    if build != "release":
        parser.exit(2, f"{parser.prog}: fasturl is a {build} build; its times would mean nothing\n")
