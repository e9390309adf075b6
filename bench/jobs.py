"""The whole job: an access log to a Parquet file with all parts of every target and referer.

``python -m bench.jobs LOG`` times ``fasturl parse`` beside ClickHouse (through chdb) and DuckDB, each reading the same
file and writing the same columns with the same compression, in a process of its own on the same processors;
``--update`` puts the tables into docs/scale.md. ``--lines N`` takes N lines of the made-up log instead.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "scale.md"
COLUMNS = (
    *(
        "line",
        "field",
        "url",
        "scheme",
        "netloc",
        "username",
        "password",
        "host",
        "port",
        "path",
        "query",
        "fragment",
    ),
    *("client", "user", "time", "method", "protocol", "status", "size", "agent"),
)
# RE2, which both engines use: one match of the line gives all its parts.
LINE = (
    r'^([^ ]+) [^ ]+ (.+?) \[([^\]]+)\] "([A-Z]+) ([^ "\\]+) (HTTP/[0-9.]+)" ([0-9]{3}|-) ([0-9]+|-) '
    r'"([^"]*)" "([^"]*)"'
)
# A URL by one match too (RFC 3986, appendix B, and the parts of its authority).
URL = r"^(?:([A-Za-z][A-Za-z0-9+.-]*):)?(?://((?:([^/?#@:]*)(?::([^/?#@]*))?@)?([^/?#:]*)(?::([0-9]*))?))?([^?#]*)(?:\?([^#]*))?(?:#(.*))?$"


def chdb_query(source: str, own_functions: bool) -> str:
    """ClickHouse's way: extractGroups for the line, and for the URL its URL functions, or extractGroups too."""
    line = LINE.replace("\\", "\\\\").replace("'", "\\'")
    url = URL.replace("\\", "\\\\").replace("'", "\\'")
    if own_functions:
        parts = (
            "protocol(url) AS scheme, netloc(url) AS netloc, "
            "extract(netloc(url), '^([^:@]*)[:@]') AS username, extract(netloc(url), '^[^:@]*:([^@]*)@') AS password, "
            "domain(url) AS host, port(url) AS port, path(url) AS path, queryString(url) AS query, "
            "fragment(url) AS fragment"
        )
        groups = ""
    else:
        groups = f", extractGroups(url, '{url}') AS u"
        names = ("scheme", "netloc", "username", "password", "host", "port", "path", "query", "fragment")
        parts = ", ".join(
            f"toUInt16OrNull(u[{at}]) AS port" if name == "port" else f"u[{at}] AS {name}"
            for at, name in enumerate(names, 1)
        )
    return f"""
        SELECT number AS line, field, url, {parts}, client, user, time, method, protocol, status, size, agent
        FROM (
            SELECT number, pair.1 AS field, pair.2 AS url, client, user, time, method, protocol, status, size,
                   agent{groups}
            FROM (
                SELECT number, g[1] AS client, g[2] AS user,
                       parseDateTimeOrNull(g[3], '%d/%b/%Y:%H:%i:%S +0000') AS time,
                       g[4] AS method, g[6] AS protocol, toInt16OrNull(g[7]) AS status, toUInt64OrNull(g[8]) AS size,
                       g[10] AS agent,
                       if(g[9] IN ('', '-'), [('target', g[5])], [('target', g[5]), ('referer', g[9])]) AS pairs
                FROM (
                    SELECT extractGroups(line, '{line}') AS g, rowNumberInAllBlocks() AS number
                    FROM file('{source}', LineAsString)
                )
                WHERE length(g) > 0
            )
            ARRAY JOIN pairs AS pair
        )
    """


def run_chdb(source: str, out: str, threads: int, own_functions: bool) -> None:
    import chdb

    settings = f"SETTINGS max_threads={threads}, output_format_parquet_compression_method='snappy'"
    chdb.query(f"{chdb_query(source, own_functions)} INTO OUTFILE '{out}' FORMAT Parquet {settings}")


def run_duckdb(source: str, out: str, threads: int) -> None:
    import duckdb

    line_names = [
        "client",
        "user",
        "time",
        "method",
        "target",
        "protocol",
        "status",
        "size",
        "referer",
        "agent",
    ]
    url_names = ["scheme", "netloc", "username", "password", "host", "port", "path", "query", "fragment"]
    line = LINE.replace("'", "''")
    url = URL.replace("'", "''")
    con = duckdb.connect(config={"threads": threads})
    con.execute("SET preserve_insertion_order = true")
    con.execute(f"""
        COPY (
            SELECT line, field, url, u.scheme, u.netloc, u.username, u.password, u.host,
                   try_cast(u.port AS USMALLINT) AS port,
                   u.path, u.query, u.fragment, g.client, g.user, try_strptime(g.time, '%d/%b/%Y:%H:%M:%S %z') AS time,
                   g.method, g.protocol, try_cast(g.status AS SMALLINT) AS status, try_cast(g.size AS UBIGINT) AS size,
                   g.agent
            FROM (
                SELECT line, g, pair.field AS field, pair.url AS url,
                       regexp_extract(pair.url, '{url}', {url_names}) AS u
                FROM (
                    SELECT line, g, unnest(CASE WHEN g.referer IN ('', '-')
                        THEN [{{'field': 'target', 'url': g.target}}]
                        ELSE [{{'field': 'target', 'url': g.target}},
                              {{'field': 'referer', 'url': g.referer}}] END) AS pair
                    FROM (
                        SELECT row_number() OVER () AS line, regexp_extract(text, '{line}', {line_names}) AS g
                        FROM read_csv('{source}', columns={{'text': 'VARCHAR'}}, delim=chr(1), quote='', escape='',
                                      header=false, auto_detect=false)
                    )
                    WHERE g.client <> ''
                )
            )
        ) TO '{out}' (FORMAT parquet, COMPRESSION snappy)
    """)


def run_fasturl(source: str, out: str, threads: int) -> None:
    from fasturl.cli.app import call

    status = call(
        [
            *("parse", "-q", "--rows", "url", source, "-o", out),
            *("--threads", str(threads), "--log-format", "COMBINED", *_fields()),
        ]
    )
    if status:
        raise SystemExit(status)


def _fields() -> list[str]:
    return ["-F", ",".join((*COLUMNS, "valid", "findings", "error_offset"))]


WAYS = {
    "fasturl parse": run_fasturl,
    "ClickHouse, URL functions": lambda source, out, threads: run_chdb(source, out, threads, True),
    "ClickHouse, extractGroups": lambda source, out, threads: run_chdb(source, out, threads, False),
    "DuckDB, regexp_extract": run_duckdb,
}


def child(way: str, source: str, out: str, threads: int) -> None:
    """Do one job in this process and say what it took."""
    import resource
    import time

    start = time.perf_counter()
    WAYS[way](source, out, threads)
    wall = time.perf_counter() - start
    used = resource.getrusage(resource.RUSAGE_SELF)
    print(json.dumps({"wall": wall, "cpu": used.ru_utime + used.ru_stime, "peak": used.ru_maxrss * 1024}))


def measure(way: str, source: str, threads: int, rounds: int) -> dict[str, Any]:
    """The run of the shortest wall time; the process is bound to as many processors as it has threads."""
    import pyarrow.parquet as pq

    cores = sorted(os.sched_getaffinity(0))[:threads]
    best: dict[str, Any] = {}
    for _ in range(rounds):
        with tempfile.TemporaryDirectory(dir=os.path.dirname(source)) as folder:
            out = os.path.join(folder, "out.parquet")
            done = subprocess.run(
                [
                    sys.executable,
                    "-m",
                    "bench.jobs",
                    "--child",
                    way,
                    source,
                    "--out",
                    out,
                    "--threads",
                    str(threads),
                ],
                cwd=ROOT,
                capture_output=True,
                text=True,
                preexec_fn=lambda: os.sched_setaffinity(0, cores),
            )
            if done.returncode:
                raise SystemExit(f"{way}: {done.stderr[-2000:]}")
            said = json.loads(done.stdout.splitlines()[-1])
            said["rows"] = pq.read_metadata(out).num_rows
            said["octets"] = os.path.getsize(out)
        if not best or said["wall"] < best["wall"]:
            best = said | {"peak": max(said["peak"], best.get("peak", 0))}
    return best


def repeat(source: str, times: int, folder: str) -> str:
    """The file so many times over."""
    path = os.path.join(folder, f"access-{times}.log")
    with open(source, "rb") as file, open(path, "wb") as out:
        octets = file.read()
        for _ in range(times):
            out.write(octets)
    return path


def make_log(lines: int, folder: str) -> str:
    from bench.accesslog import log_lines

    path = os.path.join(folder, "made-up.log")
    with open(path, "wb") as out:
        out.writelines(log_lines(lines))
    return path


def table(results: dict[tuple[str, int], dict[str, Any]], lines: int) -> list[str]:
    out = [
        "| who | cores | wall s | CPU s | lines/s | by wall | by CPU | peak MB | rows | file MB |",
        "|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|",
    ]
    for (way, threads), said in results.items():
        ours = results["fasturl parse", threads]
        wall, cpu = (f"{said[name] / ours[name]:.1f}×" for name in ("wall", "cpu"))
        out.append(
            f"| {way} | {threads} | {said['wall']:.2f} | {said['cpu']:.2f} | {lines / said['wall']:,.0f} "
            f"| {wall} | {cpu} "
            f"| {said['peak'] / 1e6:,.0f} | {said['rows']:,} | {said['octets'] / 1e6:.1f} |"
        )
    return out


def put_block(page: Path, name: str, lines: list[str]) -> None:
    """Replace what stands between the marks of this name."""
    begin, end = f"<!-- {name}: begin", f"<!-- {name}: end -->"
    text = page.read_text()
    start = text.index("\n", text.index(begin)) + 1
    page.write_text(text[:start] + "\n" + "\n".join(lines) + "\n\n" + text[text.index(end) :])


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.jobs", description=__doc__)
    parser.add_argument("log", nargs="?", help="a log in combined format; else the made-up one")
    parser.add_argument("--times", type=int, default=200, help="how often the log is repeated")
    parser.add_argument("--lines", type=int, default=200_000, help="of the made-up log")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--cores", type=int, nargs="+", default=[1, 2])
    parser.add_argument("--only", nargs="+", choices=list(WAYS), default=list(WAYS))
    parser.add_argument(
        "--growth",
        type=int,
        nargs="*",
        default=[1, 4],
        help="peak memory by multiples of a quarter of the log",
    )
    parser.add_argument("--folder", help="where the log and the results are put for the time")
    parser.add_argument(
        "--update", action="store_true", help=f"write the tables into {PAGE.relative_to(ROOT)}"
    )
    parser.add_argument("--child", help=argparse.SUPPRESS)
    parser.add_argument("--out", help=argparse.SUPPRESS)
    parser.add_argument("--threads", type=int, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.child:
        child(options.child, options.log, options.out, options.threads)
        return
    with tempfile.TemporaryDirectory(dir=options.folder) as folder:
        if options.log:
            source = repeat(options.log, options.times, folder)
        else:
            source = make_log(options.lines, folder)
        with open(source, "rb") as file:
            lines = sum(1 for _ in file)
        size = os.path.getsize(source)
        results = {}
        for threads in options.cores:
            for way in options.only:
                results[way, threads] = measure(way, source, threads, options.rounds)
        what = f"{lines:,} lines, {size / 1e6:,.0f} MB" + (
            f" ({Path(options.log).name}, {options.times} times)" if options.log else ""
        )
        out = [
            f"{what}; Snappy; the best of {options.rounds} run(s), each in a process bound to so many "
            "processors. By wall and by CPU: how many times as long as fasturl on as many processors. "
            "A machine that others use too shows it in the wall time.",
            "",
        ]
        out += table(results, lines)
        if options.growth and options.log:
            out += ["", f"Peak memory in MB by size of the log, on {max(options.cores)} cores:", ""]
            sizes = [max(1, options.times * n // 4) for n in options.growth]
            out += [
                "| who | "
                + " | ".join(f"{os.path.getsize(options.log) * n / 1e6:,.0f} MB" for n in sizes)
                + " |"
            ]
            out += ["|---|" + "---:|" * len(sizes)]
            for way in options.only:
                peaks = [
                    measure(way, repeat(options.log, n, folder), max(options.cores), 1)["peak"] for n in sizes
                ]
                out.append(f"| {way} | " + " | ".join(f"{peak / 1e6:,.0f}" for peak in peaks) + " |")
    print("\n".join(out))
    if options.update:
        put_block(PAGE, "jobs", out)


if __name__ == "__main__":
    main()
