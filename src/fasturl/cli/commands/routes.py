"""`fasturl routes`: learn the routes of an application from its log."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from contextlib import ExitStack
from typing import Any

import pyarrow as pa

from fasturl import SECRET_KEYS
from fasturl.cli import options, pipeline
from fasturl.cli.database import duckdb_module, open_database, runner
from fasturl.cli.inputs import CommandInputs, Counts
from fasturl.cli.outputs.output import Output
from fasturl.cli.outputs.sink import Sink, open_output, refuse_inputs
from fasturl.cli.terminal import say
from fasturl.logs.formatted_inputs import InputOptions
from fasturl.logs.shown import escape_bytes, visible
from fasturl.logs.units import Unit

_COLUMNS = {"path": pa.binary(), "method": pa.binary(), "status": pa.int16(), "duration": pa.float64()}
_KEYS = "key, method, status, duration"


@options.command("fasturl routes access.log", "fasturl routes --to nginx-map access.log -o routes.conf")
@options.input_options
@options.selection_options
@options.routes_options
@options.output_option("the routes")
@options.of_output(
    "--to kind",
    "Write text, json, nginx-map or otel. text is a table with tabs, nginx-map a map for nginx, and otel the settings "
    "for an OpenTelemetry Collector that set http.route and url.template.",
    type=["text", "json", "nginx-map", "otel"],
    default="text",
)
@options.memory_option("the counts")
def command(
    source: InputOptions, quiet: bool, selection: options.Selection, output: str | None, kind: str, memory: int
) -> int:
    """Learn the routes of an application from its log, such as /users/{n}/orders.

    For each route, you see the requests, the share of all requests, methods, statuses, the 95th percentile of the
    durations in seconds, and an example. When a path only gets status 404, it creates no route. If you pass --routes,
    requests are counted by the routes in that file. FILES are read as `fasturl parse` reads them.
    """
    duckdb = duckdb_module("routes")
    with options.needing_pyarrow("routes", "pyarrow.compute"):
        reading = CommandInputs(source, progress=not quiet)
    reading.ends_streams = True
    refuse_inputs(reading.sources, (output,))
    with ExitStack() as stack:
        steps = selection.steps(stack, "routes", reading)
        connection = stack.enter_context(open_database(duckdb, source.threads, memory))
        out = _RouteCounts(runner(connection, duckdb, reading), source)
        changes = selection.changes(always=SECRET_KEYS)
        pipeline.run(reading, out.counts, out, by_request=True, steps=steps, changes=changes, shown=0)
        rows = out.rows()
    sink = open_output(output)
    sink.write(_WRITERS[kind](rows).encode("utf-8", "surrogateescape"))
    sink.commit()
    if not quiet and out.routes is not None and out.routes.pruned:
        say("the log has more paths than fasturl keeps, so rare routes may be missing")
    return reading.end(out.counts, "the routes cover", quiet=quiet)


class _RouteCounts(Output):
    """Counts requests by path template, or by known route, and then by route."""

    unit_lines = 1 << 16

    def __init__(self, run: Callable[..., Any], source: InputOptions) -> None:
        super().__init__(Sink())
        self.counts = Counts()
        self.routes = source.routes
        self._is_known = source.routes is not None
        self._run = run
        run("CREATE TABLE seen (key BLOB, method BLOB, status SMALLINT, duration DOUBLE, n HUGEINT, example BLOB)")

    def columns_for(self, details: tuple[str, ...], name: str) -> tuple[str, ...]:
        return tuple(_COLUMNS) if details else ("path",)

    def prepare(self, unit: Unit, only_valid: bool) -> pa.Table:
        from fasturl.logs.routes import templates

        columns = [
            unit.columns[name].cast(kind) if name in unit.columns else pa.nulls(unit.urls, kind)
            for name, kind in _COLUMNS.items()
        ]
        keys = self.routes.match(columns[0]) if self.routes is not None else templates(columns[0])
        return pa.table([keys.cast(pa.binary()), *columns], names=["key", *_COLUMNS])

    def write(self, prepared: pa.Table, data: int) -> None:
        if len(prepared):
            self._run(f"INSERT INTO seen SELECT {_KEYS}, count(*), min(path) FROM unit GROUP BY ALL", unit=prepared)

    def rows(self) -> list[dict[str, Any]]:
        """Return the routes with their numbers, the most frequent first."""
        from fasturl.logs.routes import learn_counts

        if self.routes is None:
            found = "FROM seen WHERE key IS NOT NULL AND status IS DISTINCT FROM 404 GROUP BY key ORDER BY key"
            self.routes = learn_counts(self._run(f"SELECT key, sum(n)::BIGINT {found}", as_table=True))
        keys = self._run("SELECT DISTINCT key FROM seen WHERE key IS NOT NULL", as_table=True)["key"]
        routes = keys.cast(pa.string()) if self._is_known else self.routes.match(keys).cast(pa.string())
        self._run("CREATE TABLE named AS FROM pairs", pairs=pa.table([keys, routes], names=["key", "route"]))
        joined = "(SELECT * FROM seen JOIN named USING (key) WHERE route IS NOT NULL)"
        ((total,),) = self._run("SELECT coalesce(sum(n), 0)::BIGINT FROM seen")
        slow = dict(
            self._run(
                "SELECT route, min(duration) FILTER (upto * 100 >= n * 95) FROM (SELECT route, duration, sum(n) OVER "
                "(PARTITION BY route ORDER BY duration) AS upto, sum(n) OVER (PARTITION BY route) AS n "
                f"FROM {joined} WHERE duration IS NOT NULL) GROUP BY route"
            )
        )
        counts: dict[str, dict[str, dict[str, int]]] = {"method": {}, "status": {}}
        for name, by_route in counts.items():
            for route, value, count in self._run(
                f"SELECT route, {name}, sum(n)::BIGINT AS n FROM {joined} WHERE {name} IS NOT NULL GROUP BY ALL "
                f"ORDER BY n DESC, {name}"
            ):
                text = escape_bytes(value).decode() if isinstance(value, bytes) else str(value)
                by_route.setdefault(route, {})[text] = count
        found = self._run(
            f"SELECT route, sum(n)::BIGINT AS n, arg_min(example, (-n, example)) FROM {joined} GROUP BY route "
            "ORDER BY n DESC, route"
        )
        return [
            {"route": route, "requests": count, "share": round(count / total, 4),
             "methods": counts["method"].get(route, {}), "statuses": counts["status"].get(route, {}),
             "p95": slow.get(route), "example": escape_bytes(example).decode()}
            for route, count, example in found
        ]  # fmt: skip


def _as_text(rows: list[dict[str, Any]]) -> str:
    lines = ["route\trequests\tshare\tmethods\tstatuses\tp95\texample"]
    for row in rows:
        methods = " ".join(row["methods"]) or "-"
        statuses = " ".join(f"{status}:{count}" for status, count in row["statuses"].items()) or "-"
        slow = "-" if row["p95"] is None else f"{row['p95']:.3g}"
        figures = f"{row['requests']}\t{row['share']:.2%}\t{visible(methods)}\t{statuses}\t{slow}"
        lines.append(f"{visible(row['route'])}\t{figures}\t{visible(row['example'])}")
    return "\n".join(lines) + "\n"


def _as_json(rows: list[dict[str, Any]]) -> str:
    return json.dumps(rows, indent=1, ensure_ascii=False) + "\n"


def _pattern(route: str, segment: str, rest: str, escape: str) -> str:
    """Return the regular expression of a route; `escape` is a format for the code of a character."""
    pieces = re.split(r"\{([^{}]*)\}", route)
    # A literal byte that could mean something to the expression or to the file is written as its code.
    pieces[::2] = [re.sub(r"[^\w/~%-]", lambda found: escape.format(ord(found[0])), piece, flags=re.ASCII)
                   for piece in pieces[::2]]  # fmt: skip
    pieces[1::2] = [rest if name == "path" else segment for name in pieces[1::2]]
    return "".join(pieces)


def _in_order(rows: list[dict[str, Any]]) -> list[str]:
    """Return the routes in the order in which they are tried: the one with the most literal segments first."""
    from fasturl.logs.routes import rank

    return sorted((row["route"] for row in rows), key=lambda route: rank(route.encode()))


def _as_nginx_map(rows: list[dict[str, Any]]) -> str:
    lines = ["map $request_uri $route {", '    default "";']
    for route in _in_order(rows):
        pattern = _pattern(route, "[^/?]+", "[^?]+", "\\x{:02X}")
        # In the value, nginx has no escape for a dollar.
        value = re.sub(r'[$"\\]', lambda found: f"%{ord(found[0]):02X}", route)
        lines.append(f'    "~^{pattern}(?:\\?|$)" "{value}";')
    return "\n".join([*lines, "}"]) + "\n"


def _as_otel(rows: list[dict[str, Any]]) -> str:
    lines = [
        "processors:",
        "  transform/routes:",
        "    trace_statements:",
        "      - context: span",
        "        statements:",
    ]
    for route in _in_order(rows):
        pattern = _pattern(route, "[^/]+", ".+", "[\\\\x{{{:02X}}}]")
        value = json.dumps(route, ensure_ascii=False)
        for name, kind in (("http.route", "SERVER"), ("url.template", "CLIENT")):
            statement = (
                f'set(attributes["{name}"], {value}) where kind == SPAN_KIND_{kind} and attributes["{name}"] == nil '
                f'and attributes["url.path"] != nil and IsMatch(attributes["url.path"], "^{pattern}$")'
            ).replace("'", "''")
            lines.append(f"          - '{statement}'")
    return "\n".join(lines) + "\n"


_WRITERS = {"text": _as_text, "json": _as_json, "nginx-map": _as_nginx_map, "otel": _as_otel}
