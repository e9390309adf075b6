"""Draw docs/images/speed-*.svg from the tables that the pages hold.

    python -m bench.plots            # after --update has written the tables; needs the extra `report`
    python -m bench.plots --picture  # draw the README's picture instead: the head of a report, in Debian's chromium

Each plot names the digest of its figures, so that a test finds a stale plot without drawing it.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import re
import runpy
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
IMAGES = ROOT / "docs" / "images"
CALLS = ("parse", "urlsplit", "parse-many", "quote", "unquote", "parse-qsl", "urlencode", "urljoin", "validate")
Rows = list[dict[str, Any]]


def table(page: str, *first: str) -> list[dict[str, str]]:
    """Return the rows of a page's first table whose first columns have these headings."""
    lines = ROOT.joinpath(page).read_text(encoding="utf-8").splitlines()
    wanted = r"\| +" + r" +\| +".join(map(re.escape, first)) + r" +\|"
    start = next(i for i, line in enumerate(lines) if re.match(wanted, line))
    cells = [[cell.strip() for cell in line.strip().split("|")[1:-1]] for line in lines[start:]]
    end = next(i for i, row in enumerate(cells) if not row)
    return [dict(zip(cells[0], row, strict=True)) for row in cells[2:end]]


def number(text: str) -> float:
    return float(text.replace(",", "").rstrip("×"))


def calls() -> Rows:
    """Return nanoseconds per call of fasturl, of urllib and of the fastest other library."""
    rows: Rows = []
    for row in table("docs/speed.md", "operation"):
        if row["operation"] in CALLS:
            own = number(row["fasturl ns"])
            rows.append({"call": row["operation"], "who": "fasturl", "ns": own})
            rows.append({"call": row["operation"], "who": "urllib", "ns": number(row["urllib ns"])})
            if row["best peer"]:
                ns = own * number(row["× best peer"])
                rows.append({"call": row["operation"], "who": "the best peer", "ns": ns})
    return rows


def jobs() -> Rows:
    """Return the lines of a log per second that become Parquet on one core, in thousands."""
    rows = [row for row in table("bench/README.md", "who") if row["cores"] == "1"]
    return [{"who": row["who"], "thousand": number(row["lines/s"]) / 1000} for row in rows]


def plot_of_calls(rows: Rows) -> Any:
    """Draw a dot per row and a rule from the least to the greatest dot of each call."""
    import altair as alt

    from fasturl.cli.report import charts

    calls = list(dict.fromkeys(row["call"] for row in rows))
    ticks = alt.Axis(values=[10, 30, 100, 300, 1000, 3000, 10000])
    title = "nanoseconds per call, logarithmic"
    base = alt.Chart(alt.Data(values=rows)).encode(
        y=alt.Y("call:N", sort=calls, title=None, axis=alt.Axis(minExtent=90)),
        x=alt.X("ns:Q", scale=alt.Scale(type="log", base=10), title=title, axis=ticks),
    )
    span = base.mark_rule(stroke=charts.GRID, strokeWidth=3).encode(x=alt.X("min(ns):Q"), x2=alt.X2("max(ns):Q"))
    palette = alt.Scale(domain=["fasturl", "the best peer", "urllib"], range=[charts.TEAL, charts.AMBER, charts.GREY])
    dots = base.mark_circle(size=110, opacity=1).encode(color=alt.Color("who:N", scale=palette))
    return (span + dots).properties(width=280, height=26 * len(calls))


def plot_of_jobs(rows: Rows) -> Any:
    import altair as alt

    from fasturl.cli.report import charts

    colour = alt.condition("datum.who == 'fasturl parse'", alt.value(charts.TEAL), alt.value(charts.GREY))
    base = alt.Chart(alt.Data(values=rows)).encode(
        y=alt.Y("who:N", sort=None, title=None, axis=alt.Axis(labelLimit=220, minExtent=185)),
        x=alt.X("thousand:Q", title="thousand lines per second", axis=alt.Axis(tickCount=5)),
    )
    numbers = base.mark_text(align="left", dx=5, fill=charts.INK).encode(text=alt.Text("thousand:Q", format=",.0f"))
    return (base.mark_bar().encode(color=colour) + numbers).properties(width=480, height=34 * len(rows))


PLOTS: dict[str, tuple[Callable[[], Rows], Callable[[Rows], Any], str]] = {
    "calls": (calls, plot_of_calls, "Nanoseconds per call of fasturl, the best peer and urllib"),
    "jobs": (jobs, plot_of_jobs, "Thousand lines of an access log that become Parquet per second, on one core"),
}


def image(name: str) -> Path:
    return IMAGES / f"speed-{name}.svg"


def digest(rows: Rows) -> str:
    return hashlib.sha256(json.dumps(rows, sort_keys=True).encode()).hexdigest()[:16]


def stale() -> list[str]:
    """Return the plots that differ from their tables."""
    texts = {name: image(name).read_text(encoding="utf-8") if image(name).is_file() else "" for name in PLOTS}
    return [image(name).name for name, (read, _, _) in PLOTS.items() if f"figures {digest(read())}" not in texts[name]]


# The size of the README's picture in pixels: the report's totals, and what failed.
WIDTH, HEIGHT = 1000, 650
# The numbers that blink has for its preferred colour schemes.
THEMES = {"dark": 0, "light": 1}


def draw_picture() -> None:
    """Draw the head of a report of a day with an outage, light and dark."""
    browser = shutil.which("chromium") or sys.exit("chromium is not installed: apt-get install chromium")
    with tempfile.TemporaryDirectory() as folder:
        log, page = Path(folder, "access.log"), Path(folder, "report.html")
        outage = runpy.run_path(str(ROOT / "tests" / "outage.py"))
        log.write_text("".join(outage["lines"](100_000)), encoding="utf-8")
        command = [sys.executable, "-m", "fasturl", "report", "-q", "--log-format", outage["FORMAT"], "-o", str(page)]
        subprocess.run([*command, str(log)], check=True)
        for theme, number in THEMES.items():
            command = [browser, "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars"]
            command += [f"--blink-settings=preferredColorScheme={number}", f"--user-data-dir={folder}/{theme}"]
            command += [f"--window-size={WIDTH},{HEIGHT}", f"--screenshot={IMAGES / f'report-{theme}.png'}"]
            subprocess.run([*command, page.as_uri()], check=True, capture_output=True, timeout=120)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.plots", description=__doc__.partition("\n")[0])
    parser.add_argument("--picture", action="store_true", help="draw docs/images/report-*.png and no plot")
    if parser.parse_args().picture:
        return draw_picture()
    from fasturl.cli.report import charts

    for name, (read, plot, title) in PLOTS.items():
        rows = read()
        svg = charts.drawn(plot(rows), title)
        style = f"<!-- figures {digest(rows)} --><style>{charts.dark_style()}</style>"
        image(name).write_text(svg.replace("<title>", style + "<title>", 1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
