"""The functions of DuckDB's extension beside ClickHouse's for the same job, on one thread: nanoseconds per row.

    python -m bench.sql [--urls FILE] [--rows 480000] [--repeat 7] [--update FILE]

Both have the column in a table in memory. DuckDB counts the results, ClickHouse writes them in the format Null. Time
is CPU time, and the least of the rounds, because others may use the machine. `scan` reads the lengths alone, so what a
function costs is its row less that one.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence

import pyarrow as pa

from bench import table
from bench.columns import Call, ClickHouse, Make, Row, load, machine, measure

FUNCTIONS = [
    ("scan", "strlen(u)", "length(u)"),
    ("scheme", "url_scheme(u)", "protocol(u)"),
    ("host", "url_host(u)", "domain(u)"),
    ("port", "url_port(u)", "port(u)"),
    ("path", "url_path(u)", "path(u)"),
    ("query", "url_query(u)", "queryString(u)"),
    ("path_and_query", "url_path_and_query(u)", "pathFull(u)"),
    ("drop query", "url_drop_parts(u, 'query')", "cutQueryString(u)"),
    ("drop query, fragment", "url_drop_parts(u, 'query', 'fragment')", "cutQueryStringAndFragment(u)"),
    ("drop_params, one", "url_drop_params(u, 'utm_source')", "cutURLParameter(u, 'utm_source')"),
    ("query_value", "url_query_value(u, 'utm_source')", "extractURLParameter(u, 'utm_source')"),
    ("quote", "url_quote(u)", "encodeURLComponent(u)"),
    ("unquote", "url_unquote(u)", "decodeURLComponent(u)"),
    ("public_suffix", "url_public_suffix(u)", "topLevelDomain(u)"),
    ("registrable_domain", "url_registrable_domain(u)", "cutToFirstSignificantSubdomain(u)"),
    ("subdomain", "url_subdomain(u)", "firstSignificantSubdomain(u)"),
    ("blocks, three hosts", "url_blocks(u, 'example.com', 'doubleclick.net', 'ads.example.org')", ""),
    ("allows, three hosts", "url_allows(u, 'example.com', 'wikipedia.org', 'ads.example.org')", ""),
]


class DuckDB:
    """One connection with fasturl's extension; the column is a table in memory."""

    def __init__(self) -> None:
        from fasturl.engines.duckdb import connect

        self.connection = connect(config={"threads": 1})
        self.column: pa.Array | None = None

    def call(self, expression: str) -> Make:
        how = "sum" if expression.startswith("strlen") else "count"

        def make(column: pa.Array, threads: int) -> Call:
            if self.column is not column:
                given = pa.table({"u": column})  # noqa: F841 - DuckDB finds it by its name
                self.connection.execute("CREATE OR REPLACE TABLE t AS SELECT u FROM given")
                self.column = column
            return lambda: self.connection.execute(f"SELECT {how}({expression}) FROM t").fetchall()

        return make


def main(arguments: Sequence[str] | None = None) -> int:
    parser = table.arguments_of("bench.sql", __doc__)
    parser.add_argument("--urls", metavar="FILE", help="a file with one URL per line (.gz too); default: made up")
    parser.add_argument("--rows", type=int, default=480_000)
    parser.add_argument("--repeat", type=int, default=7, help="rounds; default: %(default)s")
    options = parser.parse_args(arguments)
    table.release_or_exit(parser)
    texts = load(options.urls)
    duck, click = DuckDB(), ClickHouse()
    pairs = [
        (Row(name, "fasturl", duck.call(ours)), Row(name, theirs, click.call(theirs), skipped="" if theirs else "none"))
        for name, ours, theirs in FUNCTIONS
    ]
    measure([row for pair in pairs for row in pair], texts, options.rows, 1, options.repeat)
    scans = [min(row.ns) for row in pairs[0]]
    lines = []
    for ours, theirs in pairs:
        ns, its = min(ours.ns), min(theirs.ns) if theirs.ns else None
        cells = [ours.operation, f"{ns:.1f}", f"`{theirs.label}`" if its else "–", f"{its:.1f}" if its else "–"]
        cells.append(table.times(its / ns) if its else "–")
        less = its and ours.operation != "scan"
        lines.append([*cells, table.times((its - scans[1]) / (ns - scans[0])) if its and less else "–"])
    head = ["function", "DuckDB", "ClickHouse", "its ns", "fasturl is", "less the scans"]
    shown = table.grid(head, lines)
    table.show([machine(texts, options.repeat), "", *shown])
    if options.update:
        table.paste(options.update, "sql", shown)
    return 0


if __name__ == "__main__":
    sys.exit(main())
