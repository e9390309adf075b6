"""The whole job: an access log to a Parquet file with all parts of every target and referer.

``python -m bench.jobs LOG`` times ``fasturl parse`` beside ClickHouse (through chdb) and DuckDB. Each reads the same
file and writes the same columns with the same compression, in its own process on the same processors. ``--update
bench/README.md`` writes the tables into that page. ``--lines N`` takes N lines of the made-up log instead.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from bench import table

ROOT = Path(__file__).resolve().parents[1]
URL_PARTS = ["scheme", "netloc", "username", "password", "host", "port", "path", "query", "fragment"]
COLUMNS = ["line", "field", "url", *URL_PARTS, *"client user time method protocol status size agent".split()]
# For RE2, which both engines use. One match of the line returns all its parts.
LINE = (
    r'^([^ ]+) [^ ]+ (.+?) \[([^\]]+)\] "([A-Z]+) ([^ "\\]+) (HTTP/[0-9.]+)" ([0-9]{3}|-) ([0-9]+|-) '
    r'"([^"]*)" "([^"]*)"'
)
# One match of a URL: RFC 3986, appendix B, with the parts of the authority.
URL = (
    r"^(?:([A-Za-z][A-Za-z0-9+.-]*):)?(?://((?:([^/?#@:]*)(?::([^/?#@]*))?@)?([^/?#:]*)(?::([0-9]*))?))?([^?#]*)"
    r"(?:\?([^#]*))?(?:#(.*))?$"
)


def chdb_query(source: str, own_functions: bool) -> str:
    """Return ClickHouse's query: extractGroups for the line, and its URL functions or extractGroups for the URL."""
    line, url = (pattern.replace("\\", "\\\\").replace("'", "\\'") for pattern in (LINE, URL))
    if own_functions:
        groups = ""
        parts = (
            "protocol(url) AS scheme, netloc(url) AS netloc, "
            "extract(netloc(url), '^([^:@]*)[:@]') AS username, extract(netloc(url), '^[^:@]*:([^@]*)@') AS password, "
            "domain(url) AS host, port(url) AS port, path(url) AS path, queryString(url) AS query, "
            "fragment(url) AS fragment"
        )
    else:
        groups = f", extractGroups(url, '{url}') AS u"
        parts = ", ".join(f"u[{at}] AS {name}" for at, name in enumerate(URL_PARTS, 1))
        parts = parts.replace("u[6] AS port", "toUInt16OrNull(u[6]) AS port")
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
    import chdb  # type: ignore[import-not-found, unused-ignore]

    settings = f"SETTINGS max_threads={threads}, output_format_parquet_compression_method='snappy'"
    chdb.query(f"{chdb_query(source, own_functions)} INTO OUTFILE '{out}' FORMAT Parquet {settings}")


def run_duckdb(source: str, out: str, threads: int) -> None:
    import duckdb

    line_names = "client user time method target protocol status size referer agent".split()
    line, url, url_names = LINE.replace("'", "''"), URL.replace("'", "''"), URL_PARTS
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

    options = ["-q", "--rows", "url", "--threads", str(threads), "--log-format", "COMBINED"]
    fields = ",".join([*COLUMNS, "valid_rfc1738", "findings", "error_offset"])
    if status := call(["parse", *options, source, "-o", out, "-F", fields]):
        raise SystemExit(status)


WAYS = {
    "fasturl parse": run_fasturl,
    "ClickHouse, URL functions": lambda source, out, threads: run_chdb(source, out, threads, True),
    "ClickHouse, extractGroups": lambda source, out, threads: run_chdb(source, out, threads, False),
    "DuckDB, regexp_extract": run_duckdb,
}


def child(way: str, source: str, out: str, threads: int) -> None:
    """Do one job in this process and print its cost."""
    start = time.perf_counter()
    WAYS[way](source, out, threads)
    wall = time.perf_counter() - start
    used = resource.getrusage(resource.RUSAGE_SELF)
    print(json.dumps({"wall": wall, "cpu": used.ru_utime + used.ru_stime, "peak": used.ru_maxrss * 1024}))


def measure(way: str, source: str, threads: int, rounds: int) -> dict[str, Any]:
    """Return the run with the shortest wall time. The process is bound to as many processors as it has threads."""
    import pyarrow.parquet as pq

    cores = sorted(os.sched_getaffinity(0))[:threads]
    best: dict[str, Any] = {}
    for _ in range(rounds):
        with tempfile.TemporaryDirectory(dir=os.path.dirname(source)) as folder:
            out = os.path.join(folder, "out.parquet")
            command = [sys.executable, "-m", "bench.jobs", "--child", way, source, "--out", out, "--threads"]
            done = subprocess.run(
                [*command, str(threads)],
                cwd=ROOT,
                capture_output=True,
                text=True,
                preexec_fn=lambda: os.sched_setaffinity(0, cores),
            )
            if done.returncode:
                raise SystemExit(f"{way}: {done.stderr[-2000:]}")
            result = json.loads(done.stdout.splitlines()[-1])
            result |= {"rows": pq.read_metadata(out).num_rows, "bytes": os.path.getsize(out)}
        if not best or result["wall"] < best["wall"]:
            best = result | {"peak": max(result["peak"], best.get("peak", 0))}
    return best


def repeat(source: str, times: int, folder: str) -> str:
    """Write a file that repeats the source `times` times."""
    path = Path(folder, f"access-{times}.log")
    data = Path(source).read_bytes()
    with path.open("wb") as out:
        for _ in range(times):
            out.write(data)
    return str(path)


def make_log(lines: int, folder: str) -> str:
    from bench.corpora import log_lines

    path = Path(folder, "made-up.log")
    with path.open("wb") as out:
        out.writelines(log_lines(lines))
    return str(path)


def lines_of(results: dict[tuple[str, int], dict[str, Any]], lines: int) -> list[str]:
    rows = []
    for (way, threads), result in results.items():
        ours = results["fasturl parse", threads]
        cells = [way, str(threads), f"{result['wall']:.2f}", f"{result['cpu']:.2f}", f"{lines / result['wall']:,.0f}"]
        cells += [f"{result[name] / ours[name]:.1f}×" for name in ("wall", "cpu")]
        rows.append([*cells, f"{result['peak'] / 1e6:,.0f}", f"{result['rows']:,}", f"{result['bytes'] / 1e6:.1f}"])
    head = ["who", "cores", "wall s", "CPU s", "lines/s", "by wall", "by CPU", "peak MB", "rows", "file MB"]
    return table.grid(head, rows)


def run(options: argparse.Namespace, folder: str) -> list[str]:
    source = repeat(options.log, options.times, folder) if options.log else make_log(options.lines, folder)
    with open(source, "rb") as file:
        lines = sum(1 for _ in file)
    what = f"{lines:,} lines, {os.path.getsize(source) / 1e6:,.0f} MB"
    what += f" ({Path(options.log).name}, {options.times} times)" if options.log else ""
    results = {
        (way, threads): measure(way, source, threads, options.rounds)
        for threads in options.cores
        for way in options.only
    }
    return [
        f"The log has {what}. Parquet uses Snappy. Each row is the best of {options.rounds} run(s), in a process "
        'that may use only this number of cores. "By wall" and "by CPU" say how many times as long as fasturl the '
        "program takes on the same number of cores. If other work runs on the machine, the wall time is longer.",
        "",
        *lines_of(results, lines),
    ]


def main() -> None:
    parser = table.arguments_of("bench.jobs", __doc__)
    parser.add_argument("log", nargs="?", help="a log in combined format; default: a made-up log")
    parser.add_argument("--times", type=int, default=200, help="how often the log is repeated; default: %(default)s")
    parser.add_argument("--lines", type=int, default=200_000, help="of the made-up log; default: %(default)s")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--cores", type=int, nargs="+", default=[1, 2])
    parser.add_argument("--only", nargs="+", choices=list(WAYS), default=list(WAYS))
    parser.add_argument("--folder", help="for the log and the results of this run")
    for hidden in ("--child", "--out", "--threads"):
        parser.add_argument(hidden, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.child:
        child(options.child, options.log, options.out, int(options.threads))
        return
    with tempfile.TemporaryDirectory(dir=options.folder) as folder:
        out = run(options, folder)
    table.show(out, "jobs", options.update)


if __name__ == "__main__":
    main()
