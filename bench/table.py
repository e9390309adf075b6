"""The table of ratios, as Markdown that reads as plain text too."""

import platform
import re
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

from bench import scaling
from bench.measure import Measured, Timed
from bench.peers import PEERS

BEGIN = "<!-- table: begin (written by python -m bench --update) -->"
END = "<!-- table: end -->"


def grid(head: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    """A Markdown table with its columns aligned; the first column and those of text to the left."""
    cells = [list(head), *(list(row) for row in rows)]
    widths = [max(len(row[i]) for row in cells) for i in range(len(head))]
    numbers = re.compile(r"[\d.,]+[×%]?|–")
    numeric = [
        all(numbers.fullmatch(row[i]) for row in cells[1:]) and any(row[i] != "–" for row in cells[1:])
        for i in range(len(head))
    ]

    def line(row: Sequence[str]) -> str:
        padded = (
            cell.rjust(width) if right else cell.ljust(width)
            for cell, width, right in zip(row, widths, numeric, strict=True)
        )
        return f"| {' | '.join(padded)} |"

    rule = (f"{'-' * (w - 1)}:" if right else "-" * w for w, right in zip(widths, numeric, strict=True))
    return [line(cells[0]), f"| {' | '.join(rule)} |", *map(line, cells[1:])]


def times(value: float) -> str:
    return f"{value:.0f}×" if value >= 99.5 else f"{value:.1f}×" if value >= 9.95 else f"{value:.2f}×"


def share(value: float) -> str:
    """A percentage that shows 100 only for all."""
    if value in (0.0, 1.0):
        return f"{value:.0%}"
    return f"{min(max(value * 100, 0.01), 99.99):.2f}%"


def nanoseconds(value: float) -> str:
    return f"{value:.0f}" if value >= 100 else f"{value:.1f}"


def cpu() -> str:
    try:
        for line in Path("/proc/cpuinfo").read_text().splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    except OSError:
        pass
    return platform.processor() or platform.machine()


def simd() -> str:
    """The widest vector set that the CPU has, since the kernel may choose by it."""
    try:
        flags = Path("/proc/cpuinfo").read_text().partition("flags")[2].partition("\n")[0].split()
    except OSError:
        return ""
    names = (("avx512_vbmi2", "AVX-512 VBMI2"), ("avx512bw", "AVX-512"), ("avx2", "AVX2"), ("asimd", "NEON"))
    return next((name for flag, name in names if flag in flags), "")


def header(label: str, count: int, unique: float, repeat: int, build: str) -> list[str]:
    versions = []
    for peer in PEERS.values():
        if peer.name in ("urllib", "floor"):
            continue
        try:
            built = f" ({build})" if peer.name == "fasturl" else ""
            versions.append(f"{peer.name} {peer.version()}{built}")
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
    """One line an operation: fasturl against urllib and against the quickest other peer."""
    rows = []
    for result in results:
        ours, urllib = result.first("fasturl"), result.first("urllib")
        if ours is None or urllib is None or result.operation.name == "floor":
            continue
        best = result.quickest_peer()
        goals = []
        for peer, goal in result.operation.goals:
            against = result.first(peer)
            if against is not None:
                met = ours.times_as_fast_as(against) >= goal
                goals.append(f"{goal:g}× {peer}: {'met' if met else 'not met'}")
        if result.operation.a_second:
            met = 1e9 / ours.ns >= result.operation.a_second
            goals.append(f"{result.operation.a_second / 1e6:g} M/s: {'met' if met else 'not met'}")
        rows.append(
            (
                result.operation.name,
                f"`{ours.row.call}`",
                nanoseconds(urllib.ns),
                nanoseconds(ours.ns),
                f"{1e3 / ours.ns:.1f}",
                times(ours.times_as_fast_as(urllib)),
                times(ours.times_as_fast_as(best)) if best else "–",
                best.row.peer if best else "",
                share(ours.agreement),
                "; ".join(goals),
            )
        )
    head = (
        "operation",
        "fasturl's call",
        "urllib ns",
        "fasturl ns",
        "M/s",
        "× urllib",
        "× best peer",
        "best peer",
    )
    return grid((*head, "agrees", "goal"), rows) if rows else []


SHORT = ("parse", "urlsplit", "parse-many", "quote", "unquote", "parse-qsl", "urljoin", "errors-100")
_SHORT_COLUMNS = ("operation", "fasturl's call", "urllib ns", "fasturl ns", "× urllib", "× best peer", "best peer")


def short(ratios: Iterable[str]) -> list[str]:
    """Some rows and columns of the table that `summary` made, for a page that people read first."""
    cells = [[cell.strip() for cell in line.strip("|").split(" | ")] for line in ratios if line.startswith("| ")]
    if not cells:
        return []
    head, *rows = cells
    places = [head.index(name) for name in _SHORT_COLUMNS]
    found = {row[0]: [row[place] for place in places] for row in rows}
    return grid(_SHORT_COLUMNS, [found[name] for name in SHORT if name in found])


def detail(result: Measured) -> list[str]:
    operation = result.operation
    ours, urllib = result.first("fasturl"), result.first("urllib")

    def against(timed: Timed, other: Timed | None, inverse: bool = False) -> str:
        if other is None or other is timed:
            return "–"
        return times(other.times_as_fast_as(timed) if inverse else timed.times_as_fast_as(other))

    what = f"{result.count:,} inputs, {share(result.unique_share)} unique, mean length {result.mean_size:.0f}"
    if result.left_out:
        what += f"; left out for all rows: {result.left_out:,} that some row refuses"
    lines = ["", f"### {operation.name}: {operation.title}", ""]
    if not result.rows:
        return [
            *lines,
            "Not measured: this corpus has no input for it.",
            *(f"- {line}" for line in result.skipped),
        ]
    lines += [what + ".", ""]
    lines += grid(
        (
            "who",
            "timed",
            "class",
            f"ns/{operation.unit}",
            "±",
            "× urllib",
            "fasturl is",
            "agrees with urllib",
        ),
        (
            (
                timed.row.peer,
                f"`{timed.row.label}`",
                timed.row.kind,
                nanoseconds(timed.ns),
                f"{timed.spread:.0%}",
                against(timed, urllib),
                against(timed, ours, inverse=True),
                "–" if timed.row.peer in ("urllib", "floor") else share(timed.agreement),
            )
            for timed in result.rows
        ),
    )
    notes = list(result.skipped)
    for timed in result.rows:
        if timed.row.peer == "fasturl" and timed.agreement < 1:
            shown = repr(timed.differs_on)
            shown = shown if len(shown) <= 100 else shown[:100] + "…"
            notes.append(f"`{timed.row.call}` differs from urllib first on `{shown}`")
    if notes:
        lines += ["", *(f"- {note}" for note in notes)]
    return lines


def scaling_table(cases: Sequence[scaling.Scaled], skipped: Sequence[str]) -> list[str]:
    lengths = [f"{n:,}" for n in scaling.LENGTHS]
    lines = ["", "### scaling: nanoseconds an octet by length of the input in octets", ""]
    rows = []
    for case in cases:
        for library, values in case.ns.items():
            rows.append(
                (
                    library,
                    f"`{'urlsplit' if library == 'urllib' and case.function == 'parse' else case.function}`",
                    f"`{case.shape}`",
                    *(f"{value:.3f}" for value in values),
                    times(case.growth(library)),
                )
            )
    lines += [
        "Growth compares the last column with 16,384: a function linear in its input stays near 1×, a",
        "quadratic one would show 64×. Results too large for the CPU's caches, and memory new from the",
        "system, cost too.",
    ]
    if rows:
        lines += ["", *grid(("who", "function", "shape", *lengths, "growth"), rows)]
    if skipped:
        lines += ["", *(f"- {line}" for line in dict.fromkeys(skipped))]
    return lines


def paste(path: Path, text: str, begin: str = BEGIN, end: str = END) -> None:
    """Replace what stands between the markers of a file."""
    old = path.read_text(encoding="utf-8")
    before, found, rest = old.partition(begin)
    _, found_end, after = rest.partition(end)
    if not found or not found_end:
        raise ValueError(f"{path}: the markers of the table are not there")
    path.write_text(f"{before}{begin}\n\n{text.strip()}\n\n{end}{after}", encoding="utf-8")


def show(lines: Iterable[str]) -> None:
    for line in lines:
        print(line)
    sys.stdout.flush()
