"""Plots of what was measured, from the tables that the pages hold: docs/images/speed-*.svg.

    python -m bench.plots            # after --update and --ratios have written the tables; needs the extra `report`
    python -m bench.plots --check    # are the plots those of the tables?

Each plot names the digest of its figures, so that one that was forgotten is found without drawing it.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
IMAGES = ROOT / "docs" / "images"
CALLS = ("parse", "urlsplit", "parse-many", "quote", "unquote", "parse-qsl", "urlencode", "urljoin", "validate")
Rows = list[dict[str, Any]]


def table(page: str, *first: str) -> list[dict[str, str]]:
    """The rows of the first table of a page whose first columns have these headings."""
    lines = ROOT.joinpath(page).read_text(encoding="utf-8").splitlines()
    wanted = r"\| +" + r" +\| +".join(map(re.escape, first)) + r" +\|"
    start = next(i for i, line in enumerate(lines) if re.match(wanted, line))
    cells = [[cell.strip() for cell in line.strip().split("|")[1:-1]] for line in lines[start:]]
    end = next(i for i, row in enumerate(cells) if not row)
    return [dict(zip(cells[0], row, strict=True)) for row in cells[2:end]]


def number(text: str) -> float:
    return float(text.replace(",", "").rstrip("×"))


def calls() -> Rows:
    """Nanoseconds a call: fasturl's, urllib's, and those of the fastest other library."""
    rows: Rows = []
    for row in table("docs/speed.md", "operation"):
        if row["operation"] in CALLS:
            own = number(row["fasturl ns"])
            rows.append({"call": row["operation"], "who": "fasturl", "ns": own})
            rows.append({"call": row["operation"], "who": "urllib", "ns": number(row["urllib ns"])})
            if row["best peer"]:
                peer = {"call": row["operation"], "who": "the best peer", "ns": own * number(row["× best peer"])}
                rows.append(peer)
    return rows


def jobs() -> Rows:
    """Thousand lines of a log a second, on one core, that become Parquet."""
    rows = [row for row in table("docs/scale.md", "who") if row["cores"] == "1"]
    return [{"who": row["who"], "thousand": number(row["lines/s"]) / 1000} for row in rows]


def lengths() -> Rows:
    """Nanoseconds an octet by the length of a URL with an escape each 10 octets, for all fields of a column."""
    who = {
        "fasturl, all fields with findings": "fasturl, copies",
        "fasturl, the same as views": "fasturl, views",
        "ClickHouse, six URL functions": "ClickHouse",
        "floor: octets read and written": "octets read and written",
    }
    return [
        {"who": who[row["by"]], "octets": int(number(name)), "ns": number(cell)}
        for row in table("bench/README.md", "operation", "by", "16")
        if row["operation"] == "parse" and row["by"] in who
        for name, cell in list(row.items())[2:]
    ]


def kernels() -> Rows:
    """Nanoseconds a call or row by kernel, on web addresses."""
    rows: Rows = []
    for row in table("bench/README.md", "operation", "avx512, ns"):
        widest = number(row["avx512, ns"])
        for name in ("avx512", "avx2", "sse2", "scalar"):
            ns = widest if name == "avx512" else widest * number(row[name])
            rows.append({"call": row["operation"], "kernel": name, "ns": round(ns, 1)})
    return rows


def plot_of_calls(rows: Rows) -> Any:
    import altair as alt

    from fasturl.cli.report import drawing

    colours = alt.Scale(
        domain=["fasturl", "the best peer", "urllib"], range=[drawing.TEAL, drawing.AMBER, drawing.GREY]
    )
    base = alt.Chart(alt.Data(values=rows)).encode(
        y=alt.Y("call:N", sort=list(CALLS), title=None, axis=alt.Axis(minExtent=90)),
        x=alt.X(
            "ns:Q",
            scale=alt.Scale(type="log"),
            title="nanoseconds a call, logarithmic",
            axis=alt.Axis(values=[10, 30, 100, 300, 1000, 3000, 10000]),
        ),
    )
    span = base.mark_rule(stroke=drawing.GRID, strokeWidth=3).encode(x=alt.X("min(ns):Q"), x2=alt.X2("max(ns):Q"))
    dots = base.mark_circle(size=110, opacity=1).encode(color=alt.Color("who:N", scale=colours))
    return (span + dots).properties(width=560, height=26 * len(CALLS))


def plot_of_jobs(rows: Rows) -> Any:
    import altair as alt

    from fasturl.cli.report import drawing

    colour = alt.condition("datum.who == 'fasturl parse'", alt.value(drawing.TEAL), alt.value(drawing.GREY))
    base = alt.Chart(alt.Data(values=rows)).encode(
        y=alt.Y("who:N", sort=None, title=None, axis=alt.Axis(labelLimit=220, minExtent=185)),
        x=alt.X("thousand:Q", title="thousand lines a second", axis=alt.Axis(tickCount=5)),
    )
    numbers = base.mark_text(align="left", dx=5, fill=drawing.INK).encode(text=alt.Text("thousand:Q", format=",.0f"))
    return (base.mark_bar().encode(color=colour) + numbers).properties(width=480, height=34 * len(rows))


def plot_of_lengths(rows: Rows) -> Any:
    import altair as alt

    from fasturl.cli.report import drawing

    names = ["fasturl, views", "fasturl, copies", "ClickHouse", "octets read and written"]
    colours = alt.Scale(domain=names, range=[drawing.TEAL, drawing.INK, drawing.AMBER, drawing.GREY])
    base = alt.Chart(alt.Data(values=rows)).encode(
        x=alt.X(
            "octets:Q",
            scale=alt.Scale(type="log", base=4),
            title="octets of a URL, logarithmic",
            axis=alt.Axis(values=[16, 64, 256, 1024, 16384]),
        ),
        y=alt.Y(
            "ns:Q",
            scale=alt.Scale(type="log"),
            title="nanoseconds an octet, logarithmic",
            axis=alt.Axis(values=[0.03, 0.1, 0.3, 1, 3, 10]),
        ),
        color=alt.Color("who:N", scale=colours),
    )
    return (base.mark_line() + base.mark_circle(size=70, opacity=1)).properties(width=520, height=300)


def plot_of_kernels(rows: Rows) -> Any:
    import altair as alt

    from fasturl.cli.report import drawing

    names = ["avx512", "avx2", "sse2", "scalar"]
    colours = alt.Scale(domain=names, range=[drawing.TEAL, drawing.INK, drawing.AMBER, drawing.GREY])
    calls = list(dict.fromkeys(row["call"] for row in rows))
    base = alt.Chart(alt.Data(values=rows)).encode(
        y=alt.Y("call:N", sort=calls, title=None, axis=alt.Axis(labelLimit=220, minExtent=170)),
        x=alt.X(
            "ns:Q",
            scale=alt.Scale(type="log"),
            title="nanoseconds a call, row or line, logarithmic",
            axis=alt.Axis(values=[10, 30, 100, 300, 1000]),
        ),
    )
    span = base.mark_rule(stroke=drawing.GRID, strokeWidth=3).encode(x=alt.X("min(ns):Q"), x2=alt.X2("max(ns):Q"))
    dots = base.mark_circle(size=90, opacity=1).encode(color=alt.Color("kernel:N", scale=colours))
    return (span + dots).properties(width=480, height=24 * len(calls))


PLOTS: dict[str, tuple[Callable[[], Rows], Callable[[Rows], Any], str]] = {
    "speed-calls.svg": (calls, plot_of_calls, "Nanoseconds a call of fasturl, the best peer and urllib"),
    "speed-jobs.svg": (
        jobs,
        plot_of_jobs,
        "Thousand lines of an access log that become Parquet in a second, on one core",
    ),
    "speed-lengths.svg": (lengths, plot_of_lengths, "Nanoseconds an octet for all fields of a column, by length"),
    "speed-kernels.svg": (kernels, plot_of_kernels, "Nanoseconds a call by kernel: scalar, SSE2, AVX2, AVX-512"),
}


def digest(rows: Rows) -> str:
    return hashlib.sha256(json.dumps(rows, sort_keys=True).encode()).hexdigest()[:16]


def stale() -> list[str]:
    """The plots that are not those of the tables."""
    return [
        name
        for name, (read, _, _) in PLOTS.items()
        if not (IMAGES / name).is_file()
        or f"figures {digest(read())}" not in (IMAGES / name).read_text(encoding="utf-8")
    ]


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.plots", description=__doc__.partition("\n")[0])
    parser.add_argument("--check", action="store_true", help="draw nothing; status 1 when a plot is not its table's")
    if parser.parse_args().check:
        if stale():
            sys.exit(f"not drawn from the tables as they are: {', '.join(stale())}")
        return
    from fasturl.cli.report import drawing

    for name, (read, plot, told) in PLOTS.items():
        rows = read()
        svg = drawing.drawn(plot(rows), told)
        style = f"<!-- figures {digest(rows)} --><style>{drawing.dark_style()}</style>"
        (IMAGES / name).write_text(svg.replace("<title>", style + "<title>", 1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
