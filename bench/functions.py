"""Each function of columns beside a peer's for the same job, on one core: nanoseconds per row, and equal answers.

    python -m bench.functions [--urls FILE] [--rows 1000 2000000] [--repeat 5] [--only NAME ...] [--update FILE]
    python -m bench.functions --sql [--urls FILE] [--rows 480000] [--repeat 7] [--update FILE]

Both have the column in memory in their own form before the clock starts, make their full result as copied texts, and
drop it. ClickHouse reads a Memory table and writes in the format Null. Python's peers have a list of str. Views are a
column of their own. Time is the CPU time of all threads; figures are medians over the rounds. The floor is a memcpy of
the whole column.

With --sql, these are the functions of DuckDB's extension, which counts the results of a table in memory, beside
ClickHouse's. Figures are the least of the rounds, because others may use the machine. `scan` reads the lengths alone,
so what a function costs is its row less that one.
"""

from __future__ import annotations

import ctypes
import importlib
from collections.abc import Callable, Sequence
from statistics import median
from typing import Any
from urllib.parse import urlsplit

import pyarrow as pa

from bench import table
from bench.columns import BATCH, Call, ClickHouse, Make, Row, arguments_of, at_offset, load, machine, measure, ours

THREE, TOGETHER = "path, query and hostname", ["path", "query", "hostname"]
_targets: dict[str, ctypes.Array[ctypes.c_char]] = {}


def floor(column: pa.Array, threads: int) -> None:
    """Copy a column's bytes and offsets to memory that is kept."""
    target = _targets.get("held")
    if target is None or len(target) < column.nbytes + 4 * len(column):
        size = 2 * column.nbytes + 8 * max(len(column), BATCH)
        target = _targets["held"] = (ctypes.c_char * size)()
    first, last = at_offset(column, 0), at_offset(column, len(column))
    offsets, data = column.buffers()[1:3]
    ctypes.memmove(target, data.address + first, last - first)
    ctypes.memmove(target, offsets.address + 4 * column.offset, 4 * len(column))


def _apart(column: pa.Array, **how: Any) -> None:
    from fasturl import arrow

    for name in TOGETHER:
        arrow.parse(column, [name], **how)


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


One = Callable[[str], Any]
Answers = Callable[[pa.Array], list[Any]]


def _suffix_loop(entries: set[str]) -> One:
    def find(url: str) -> str | None:
        try:
            host = urlsplit(url).hostname or ""
        except ValueError:
            return None
        while host and host not in entries:
            host = host.partition(".")[2]
        return host or None

    return find


def _registrable(entries: set[str]) -> One:
    extract = importlib.import_module("tldextract").TLDExtract(suffix_list_urls=())

    def find(url: str) -> str | None:
        domain = extract(url).top_domain_under_public_suffix
        return domain if domain in entries else None

    return find


def _peers(hosts: Sequence[str]) -> dict[str, list[tuple[str, Callable[[], One]]]]:
    """Return the Python peers of the functions that ClickHouse lacks: a label, and what imports the function."""

    def of(module: str, name: str) -> Callable[[], One]:
        return lambda: getattr(importlib.import_module(module), name)

    return {
        "canonicalize": [("w3lib `canonicalize_url`", of("w3lib.url", "canonicalize_url"))],
        "surt": [("`surt.surt`", of("surt", "surt"))],
        BLOCKS: [
            ("a loop over suffixes in a set", lambda: _suffix_loop(set(hosts))),
            ("tldextract, domains in a set", lambda: _registrable(set(hosts))),
        ],
    }


BLOCKS = "blocks, 100,000 hosts"
PEER_ROWS = 20_000  # for peers that take some 10 µs per row


def _hosts(texts: Sequence[str]) -> list[str]:
    """Return 100,000 hosts, among them some of the texts."""
    from fasturl import arrow

    found = arrow.parse(texts[::50], ["hostname"])["hostname"].drop_null().unique().to_pylist()
    named = [host for host in found if all(part and part.isalnum() and part.isascii() for part in host.split("."))]
    return [*named, *(f"{i:x}.h{i % 97}.com" for i in range(100_000 - len(named)))]


def _functions(hosts: Sequence[str]) -> list[tuple[str, Callable[..., Any], str]]:
    """Return the name of each function, our call, and ClickHouse's expression or "-"."""
    from fasturl import HostList, arrow

    def of(function: Callable[..., Any], *given: Any, **fixed: Any) -> Callable[..., Any]:
        return lambda column, **how: function(column, *given, **fixed, **how)

    def field(name: str) -> Callable[..., Any]:
        return of(arrow.parse, [name])

    three = ["utm_source", "utm_medium", "utm_campaign"]
    return [
        ("scheme", field("scheme"), "protocol(u)"),
        ("hostname", field("hostname"), "domain(u)"),
        ("port", field("port"), "port(u)"),
        ("path", field("path"), "path(u)"),
        ("query", field("query"), "queryString(u)"),
        ("fragment", field("fragment"), "fragment(u)"),
        ("netloc", field("netloc"), "netloc(u)"),
        (THREE, of(arrow.parse, TOGETHER), "path(u), queryString(u), domain(u)"),
        ("the same by three calls", _apart, "-"),
        ("path_and_query", of(arrow.path_and_query), "pathFull(u)"),
        ("query_and_fragment", of(arrow.query_and_fragment), "queryStringAndFragment(u)"),
        ("drop www", of(arrow.drop_parts, "www"), "cutWWW(u)"),
        ("drop query", of(arrow.drop_parts, "query"), "cutQueryString(u)"),
        ("drop fragment", of(arrow.drop_parts, "fragment"), "cutFragment(u)"),
        ("drop query, fragment", of(arrow.drop_parts, "query", "fragment"), "cutQueryStringAndFragment(u)"),
        ("public_suffix", of(arrow.public_suffix), "topLevelDomain(u)"),
        ("registrable_domain", of(arrow.registrable_domain), "cutToFirstSignificantSubdomain(u)"),
        ("subdomain", of(arrow.subdomain), "firstSignificantSubdomain(u)"),
        ("query_value", of(arrow.query_value, "utm_source"), "extractURLParameter(u, 'utm_source')"),
        ("query_names", of(arrow.query_names, decode=False), "extractURLParameterNames(u)"),
        ("query_pairs", of(arrow.query_pairs, decode=False), "extractURLParameters(u)"),
        ("drop_params, one", of(arrow.drop_params, "utm_source"), "cutURLParameter(u, 'utm_source')"),
        ("drop_params, three", of(arrow.drop_params, three), f"cutURLParameter(u, {three})"),
        ("path_prefixes", of(arrow.path_prefixes), "URLPathHierarchy(u)"),
        ("url_prefixes", of(arrow.url_prefixes), "URLHierarchy(u)"),
        ("quote", of(arrow.quote, ""), "encodeURLComponent(u)"),
        ("unquote", of(arrow.unquote), "decodeURLComponent(u)"),
        ("quote_plus", of(arrow.quote_plus), "encodeURLFormComponent(u)"),
        ("unquote_plus", of(arrow.unquote_plus), "decodeURLFormComponent(u)"),
        ("path_depth", of(arrow.path_depth), "-"),
        ("file_name", of(arrow.file_name), "-"),
        ("file_extension", of(arrow.file_extension), "-"),
        ("first_segment", of(arrow.first_segment), "-"),
        ("origin", of(arrow.origin), "-"),
        ("path_template", of(arrow.path_template), "-"),
        ("query_values, three", of(arrow.query_values, three), "-"),
        ("dedup_key", of(arrow.dedup_key), "-"),
        ("dedup_hash", of(arrow.dedup_hash), "-"),
        ("canonicalize", of(arrow.canonicalize), "-"),
        ("surt", of(arrow.surt), "-"),
        (BLOCKS, of(arrow.blocks, HostList(hosts)), "-"),
        ("unquote_safe", of(arrow.unquote_safe), "-"),
        ("normalize", of(arrow.normalize), "-"),
        ("redact, one key", of(arrow.redact, "id"), "-"),
        ("urljoin", lambda column, **how: arrow.urljoin("http://example.com/a/b", column, **how), "-"),
        ("problems", of(arrow.problems), "-"),
        ("decompose, https", lambda column, threads, **how: arrow.decompose(column, "https"), "-"),
        ("equivalent to itself", lambda column, **how: arrow.equivalent(column, column, **how), "-"),
        (FLOOR, floor, "-"),
    ]


# These have no views, and no argument ``strings``.
FLOOR = "floor: the column copied"
COPIED = {"path_depth", "dedup_hash", "problems", "decompose, https", "equivalent to itself", FLOOR}
COPIED |= {"query_names", "query_pairs", "path_prefixes", "url_prefixes", "query_values, three"}


def _plain(value: Any) -> Any:
    """Return an answer without what differs by engine: nulls are empty, a pair is a text, bytes are decoded."""
    if isinstance(value, dict):
        return value["name"] if value["value"] is None else f"{value['name']}={value['value']}"
    if isinstance(value, list):
        return [_plain(one) for one in value] or ""
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else value or ""


def _our_answers(call: Callable[..., Any]) -> Answers:
    def ask(column: pa.Array) -> list[Any]:
        found = call(column, threads=1)
        return list(map(_plain, (found.column(0) if isinstance(found, pa.RecordBatch) else found).to_pylist()))

    return ask


def _their_answers(click: ClickHouse, expression: str) -> Answers:
    def ask(column: pa.Array) -> list[Any]:
        click.load(column)
        found = click.session.query(f"select {expression} as x from t settings max_threads=1", "ArrowTable")
        values = found.column("x")
        if pa.types.is_list(values.type):
            values = values.cast(pa.list_(pa.binary()))
        elif not pa.types.is_integer(values.type):
            values = values.cast(pa.binary())
        return list(map(_plain, values.to_pylist()))

    return ask


def _mapped(one: One) -> Make:
    def make(column: pa.Array, threads: int) -> Call:
        texts = column.to_pylist()
        return lambda: [one(text) for text in texts]

    return make


def _mapped_answers(one: One) -> Answers:
    def ask(column: pa.Array) -> list[Any]:
        found = []
        for text in column.to_pylist():
            try:
                found.append(one(text) or "")
            except ValueError:
                found.append("")
        return found

    return ask


def agreement(rows: list[Row], texts: Sequence[str]) -> dict[int, str]:
    """Return for each row with answers the share that equals the answers of the operation's first row."""
    column = pa.array(texts, pa.string())
    first: dict[str, list[Any]] = {}
    found = {}
    for row in rows:
        if row.answer and not row.skipped:
            answers = row.answer(column)
            wanted = first.setdefault(row.operation, answers)
            found[id(row)] = table.share(sum(a == b for a, b in zip(wanted, answers, strict=True)) / len(answers))
    return found


def rows_of(only: Sequence[str], texts: Sequence[str]) -> list[tuple[str, list[Row]]]:
    """Return for each function our rows with copies and with views, and the peers' rows."""
    try:
        click: ClickHouse | None = ClickHouse()
    except ImportError as error:
        table.show([f"ClickHouse: skipped, {error}"])
        click = None
    hosts = _hosts(texts)
    peers = _peers(hosts)
    found = []
    for name, call, words in _functions(hosts):
        if only and name not in only:
            continue
        ways = {"copies": {}} if name in COPIED else {way: {"strings": how} for way, how in STRINGS.items()}
        rows = [
            Row(name, way, ours(lambda c, threads, call=call, how=how: call(c, threads=threads, **how)))
            for way, how in ways.items()
        ]
        if click is not None and words != "-":
            theirs = Row(name, f"`{words}`", click.call(words))
            if name != THREE:
                rows[0].answer, theirs.answer = _our_answers(call), _their_answers(click, words)
            rows.append(theirs)
        for label, load_one in peers.get(name, ()):
            try:
                one = load_one()
            except ImportError as error:
                table.show([f"{label}: skipped, {error}"])
                continue
            rows[0].answer = _our_answers(call)
            rows.append(Row(name, label, _mapped(one), _mapped_answers(one), PEER_ROWS))
        found.append((name, rows))
    return found


# The functions of DuckDB's extension by their names above, and the scan that each call contains.
SQL = {
    "scan": "strlen(u)",
    "scheme": "url_scheme(u)",
    "hostname": "url_host(u)",
    "port": "url_port(u)",
    "path": "url_path(u)",
    "query": "url_query(u)",
    "path_and_query": "url_path_and_query(u)",
    "drop query": "url_drop_parts(u, 'query')",
    "drop query, fragment": "url_drop_parts(u, 'query', 'fragment')",
    "drop_params, one": "url_drop_params(u, 'utm_source')",
    "query_value": "url_query_value(u, 'utm_source')",
    "quote": "url_quote(u)",
    "unquote": "url_unquote(u)",
    "public_suffix": "url_public_suffix(u)",
    "registrable_domain": "url_registrable_domain(u)",
    "subdomain": "url_subdomain(u)",
    "blocks, three hosts": "url_blocks(u, 'example.com', 'doubleclick.net', 'ads.example.org')",
    "allows, three hosts": "url_allows(u, 'example.com', 'wikipedia.org', 'ads.example.org')",
}


def sql_lines(texts: Sequence[str], count: int, rounds: int) -> list[str]:
    """Measure DuckDB's functions and ClickHouse's on one thread; return the table."""
    duck, click = DuckDB(), ClickHouse()
    expressions = {"scan": "length(u)", **{name: words for name, _, words in _functions(())}}
    pairs = []
    for name, call in SQL.items():
        words = expressions.get(name, "")
        theirs = Row(name, words, click.call(words), skipped="" if words else "ClickHouse has none")
        pairs.append((Row(name, "fasturl", duck.call(call)), theirs))
    measure([row for pair in pairs for row in pair], texts, count, 1, rounds)
    scans = [min(row.ns) for row in pairs[0]]
    lines = []
    for mine, theirs in pairs:
        ns = min(mine.ns)
        cells = [mine.operation, f"{ns:.1f}"]
        if theirs.ns:
            its = min(theirs.ns)
            less = "–" if mine.operation == "scan" else table.times((its - scans[1]) / (ns - scans[0]))
            lines.append([*cells, f"`{theirs.label}`", f"{its:.1f}", table.times(its / ns), less])
        else:
            lines.append([*cells, "–", "–", "–", "–"])
    return table.grid(["function", "DuckDB", "ClickHouse", "its ns", "fasturl is", "less the scans"], lines)


STRINGS = {"copies": "string", "views": "view"}
Times = dict[str, dict[str, float]]
"""Nanoseconds per row by function and way."""


def lines_of(times: dict[int, Times], agrees: dict[tuple[str, str], str]) -> list[str]:
    """Return the table: all ways with the most rows, and copies with fewer. agrees : by function and way"""
    *fewer, most = sorted(times)
    lines = []
    for name, ways in times[most].items():
        cells = [times[rows][name].get("copies") for rows in fewer] + [ways.get("copies"), ways.get("views")]
        shown = ["–" if cell is None else f"{cell:.1f}" for cell in cells]
        theirs = [label for label in ways if label not in STRINGS]
        if not theirs or "copies" not in ways:
            lines.append([name, *shown, "–", "–", "–", "–"])
        for label in theirs:
            ratio = table.times(ways[label] / ways["copies"])
            lines.append([name, *shown, label, f"{ways[label]:.1f}", ratio, agrees.get((name, label), "–")])
    head = ["function", *(f"copies, {rows:,} rows" for rows in fewer), "copies", "views", "peer", "its ns"]
    return table.grid([*head, "fasturl is", "agrees"], lines)


def main() -> None:
    parser = arguments_of("bench.functions", __doc__, [1_000, 2_000_000])
    parser.add_argument("--only", nargs="+", metavar="NAME", default=[], help="some of the functions")
    parser.add_argument("--sql", action="store_true", help="the functions of DuckDB's extension")
    options = parser.parse_args()
    table.release_or_exit(parser)
    texts = load(options.urls)
    table.show([machine(texts, options.repeat)])
    if options.sql:
        return table.show(sql_lines(texts, max(options.rows), options.repeat), "sql", options.update)
    found = rows_of(options.only, texts)
    all_rows = [row for _, rows in found for row in rows]
    shares = agreement(all_rows, texts)
    agrees = {(row.operation, row.label): shares[id(row)] for row in all_rows if id(row) in shares}
    times = {}
    for count in options.rows:
        measure(all_rows, texts, count, 1, options.repeat)
        times[count] = {name: {row.label: median(row.ns) for row in rows if row.ns} for name, rows in found}
    lines = lines_of(times, agrees)
    table.show(["", f"ns per row of CPU time, {max(options.rows):,} rows where no other number stands", "", *lines])
    for _, rows in found:
        table.show([f"{row.operation}, {row.label}: skipped, {row.skipped}" for row in rows if row.skipped])
    if options.update:
        table.paste(options.update, "functions", lines)


if __name__ == "__main__":
    main()
