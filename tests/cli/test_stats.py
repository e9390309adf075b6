"""`fasturl stats`, and the summary behind it, against a slow count."""

import json
import math
import random
import re
import sys
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from clihelpers import Make, Run, on_a_terminal

from fasturl import Finding, file_extension, first_segment, logs, parse, path_template, query_names, registrable_domain
from fasturl.cli.inputs import CommandInputs
from fasturl.cli.summary import summary, sums
from fasturl.cli.summary.summary import Moment, Summary, summarize
from fasturl.cli.summary.tables import TABLES
from fasturl.cli.summary.units import _round
from fasturl.logs import routes
from fasturl.logs.formats.catalog import named_format
from fasturl.logs.formatted_inputs import InputOptions

pytest.importorskip("duckdb", reason="stats counts by DuckDB")


ROUTE = {"server_errors": 0, "not_found": 0, "p50": None, "p95": None, "p99": None, "seconds": None}
URLS = b"http://a.example/x\nhttp://A.example/x\nftp://b.example/\nhttp://a.example/y z\nnonsense\n"


def test_json_has_all_tables(fasturl: Run, make_clf: Make) -> None:
    ran = fasturl("stats", "--json", "-t", "all", stdin=URLS)
    assert ran.status == 0 and ran.err == "-: URLS, 5 of 5 lines\n"
    assert json.loads(ran.out) == {
        "lines": 5, "urls": 5, "valid": 3, "invalid": 2, "rejected": 0, "empty": 0, "by": "count",
        "findings": {"NO_SCHEME": 1, "UNSAFE": 1, "AMBIGUOUS_AUTHORITY": 1},
        "scheme": {"http": 3, "ftp": 1},
        "host": {"a.example": 3, "b.example": 1},
        "path": {"/x": 2, "/": 1, "/y z": 1, "nonsense": 1},
        "path_template": {"/x": 2, "/": 1, "/y z": 1},
        "first_segment": {"x": 2, "": 1, "y z": 1},
        "page": {"/x": 2, "/": 1, "/y z": 1, "nonsense": 1}, "domain": {"a.example": 3, "b.example": 1},
        "route": {"/x": ROUTE | {"count": 2}, **{path: ROUTE | {"count": 1} for path in ("/", "/y z", "nonsense")}},
        **{key: {} for key in (
            "extension", "query_key", "method", "status", "hour", "hour_of_day", "visitor", "client", "agent",
            "agent_name", "agent_purpose", "server_error", "not_found", "static", "duration", "probe", "status_path",
            "attack", "referer_findings", "referer_host", "referer_scheme", "referer_domain",
        )},
    }  # fmt: skip


def test_requests_and_referers_are_counted_apart(fasturl: Run, make_clf: Make) -> None:
    log = make_clf(b"GET /a HTTP/1.1", b"http://r/b%zz", size=b"7") + b"\n"
    log += make_clf(b"POST /c/9?k=1 HTTP/1.1", status=b"404", size=b"100") + b"\nno line of a log\n"
    told = json.loads(fasturl("stats", "--json", "-t", "all", stdin=log).out)
    assert told["path"] == {"/a": 1, "/c/9": 1} and told["host"] == {}
    assert told["path_template"] == {"/a": 1, "/c/{n}": 1}
    assert told["referer_host"] == {"r": 1} and told["findings"] == {} and told["referer_findings"] == {"BAD_ESCAPE": 1}
    assert told["status"] == {"200": 1, "404": 1} and told["hour_of_day"] == {"10": 2} and told["query_key"] == {"k": 1}
    assert (told["urls"], told["valid"], told["rejected"], told["size"]) == (2, 2, 1, 107)
    assert (told["referers"], told["valid_referers"], told["invalid_referers"]) == (1, 0, 1)
    told = json.loads(fasturl("stats", "--json", "-t", "all", "--by", "size", "--top", "1", stdin=log).out)
    assert told["by"] == "size" and told["path"] == {"/c/9": 100} and told["method"] == {"POST": 100}


def test_status_path_counts_paths_by_status(fasturl: Run, make_clf: Make) -> None:
    lines = [
        make_clf(b"GET /a HTTP/1.1", b"http://r/a"),            make_clf(b"GET /a?x HTTP/1.1", status=b"404"),
        make_clf(b"GET /caf\xe9 HTTP/1.1", status=b"404"),      make_clf(b"GET /a HTTP/1.1", status=b"-"),
        make_clf(b"HEAD /a HTTP/1.1", b"http://r/b"),
    ]  # fmt: skip
    log = b"".join(line + b"\n" for line in lines)
    ran = fasturl("stats", "-t", "status_path", "-t", "status", stdin=log)
    assert ran.out == b"status_path\n2\t200 /a\n1\t404 /a\n1\t404 /caf%E9\n\nstatus\n2\t200\n2\t404\n"
    ran = fasturl("stats", "-t", "status_path", "--invalid-bytes", "surrogate", stdin=log)
    assert b"\n1\t404 /caf\\xe9\n" in ran.out
    told = json.loads(fasturl("stats", "--json", "-t", "status_path", "--top", "1", stdin=log).out)
    assert told == {"by": "count", "status_path": {"200 /a": 2}}
    told = json.loads(fasturl("stats", "--json", "-t", "finding", "-t", "total", stdin=log).out)
    assert told["findings"] == {"NON_ASCII": 1} and told["lines"] == 5 and "path" not in told
    # No row has a status, and empty tables are not shown.
    assert fasturl("stats", "-t", "status_path", stdin=URLS).out == b""


@pytest.mark.parametrize("data", ["escape", "surrogate"])
def test_bytes_option_applies_to_keys(fasturl: Run, data: str) -> None:
    ran = fasturl(
        "stats", "--json", "-t", "path", "--invalid-bytes", data,
        stdin=b"http://h/\xe9\nhttp://h/%E9\nhttp://h/\xc3\xa9\n",
    )  # fmt: skip
    want = {"/%E9": 2, "/\xe9": 1} if data == "escape" else {"/\udce9": 1, "/%E9": 1, "/\xe9": 1}
    assert json.loads(ran.out)["path"] == want


def test_pipes_get_lines_with_tabs(fasturl: Run) -> None:
    more = b"http://h/\x1b[31m\nhttp://c.example/\n"
    text = fasturl("stats", "-t", "path", "-t", "host", stdin=URLS + more).out.decode()
    assert "\x1b" not in text and "1\t/\\x1b[31m\n" in text
    assert "host\n3\ta.example\n1\tb.example\n" in text


def test_long_keys_are_complete_in_json_and_truncated_in_text(fasturl: Run) -> None:
    urls = b"http://h/%s\nhttp://h/%sx\n" % (b"x" * 9999, b"x" * 600)
    told = json.loads(fasturl("stats", "--json", "-t", "path", stdin=urls).out)
    assert told["path"] == {"/" + "x" * 9999: 1, "/" + "x" * 601: 1}
    assert fasturl("stats", "-t", "path", stdin=urls).out == b"path\n" + b"1\t/%s...\n" % (b"x" * 511) * 2


def test_a_terminal_gets_bars() -> None:
    pytest.importorskip("rich")
    shown, status = on_a_terminal(["stats", "-t", "host"], URLS, NO_COLOR="1", COLUMNS="80")
    assert status == 0 and b"\x1b[3" not in shown
    lines = re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", shown.decode()).split("\r\n")
    first, second = (next(line for line in lines if host in line) for host in ("a.example", "b.example"))
    assert first.count("\u2588") == 12 and second.count("\u2588") == 4
    assert all(len(line) <= 80 for line in lines)


def test_a_terminal_without_rich_gets_plain_text(fasturl: Run) -> None:
    without = "import sys; sys.modules['rich'] = None; from fasturl.cli.__main__ import run; run()"
    shown, status = on_a_terminal(["stats", "-q"], URLS, program=(sys.executable, "-c", without))
    assert status == 0 and shown.replace(b"\r\n", b"\n") == fasturl("stats", "-q", stdin=URLS).out != b""


def test_counts_spill_to_disk_or_fail_with_advice(fasturl: Run, tmp_path: Path) -> None:
    urls = tmp_path / "urls"
    urls.write_bytes(b"".join(b"http://h/%d\n" % (n // 2) for n in range(50_000)))
    ran = fasturl("stats", "-t", "path", "--top", "1", "--memory", "32M", urls, TMPDIR=str(tmp_path))
    assert ran.out == b"path\n2\t/0\n" and [path.name for path in tmp_path.iterdir()] == ["urls"]
    ran = fasturl("stats", "--memory", "1", urls)
    assert ran.status == 2 and ran.out == b"" and ran.err.startswith("fasturl: ") and ran.err.count("\n") == 1


NAMES = [finding for finding in Finding if finding.value.bit_count() == 1]
TARGETS = ["/", "/a", "/users/7", "/users/8/x.JPG", "/users/8/x.jpg?b=1&a=2&a=3", "*", "h:443",
           "http://U:p@H.example/z?q", "/caf\xe9", "/a%zz?x y", "//a//b;v=1", "/a?", "/%250d", "/?a%20b=1&a+b=2",
           "/2024-01-05/17.html", "/2024-01-06/18.html", "/style.css?v=2"]  # fmt: skip
REFERERS = ["-", "http://www.A.example.co.uk/x", "http://me:secret@a.example.co.uk/", "//", "gopher://127.0.0.1/", "x",
            "https://a.example.co.uk:81/"]  # fmt: skip
STATUSES = [200, 204, 301, 404, 503, 999, None]


def made_log(rng: random.Random, lines: int) -> tuple[bytes, list[dict[str, Any]]]:
    """Return a combined log, and the values of each request."""
    rows, text = [], []
    moment = datetime(1969, 12, 31, 20, tzinfo=timezone(timedelta(hours=2)))
    for _ in range(lines):
        moment += timedelta(minutes=rng.randrange(50))
        row = {
            "target": rng.choice(TARGETS), "referer": rng.choice(REFERERS), "status": rng.choice(STATUSES),
            "size": rng.choice([None, 0, 1, 500, (1 << 32) - 1, 1 << 40]), "time": moment,
            "method": rng.choice(["GET", "PUT"]), "client": f"192.0.2.{rng.randrange(5)}",
            "agent": rng.choice(["-", "x y", "\xfcber"]),
        }  # fmt: skip
        rows.append(row)
        text.append(
            '{client} - - [{at}] "{method} {target} HTTP/1.1" {status} {size} "{referer}" "{agent}"\n'.format(
                **{name: "-" if value is None else value for name, value in row.items()},
                at=moment.strftime("%d/%b/%Y:%H:%M:%S %z"),
            )
        )
    return "".join(text).encode("latin-1"), rows


def keys_of(row: dict[str, Any]) -> Iterator[tuple[str, bytes]]:
    """Return the keys of a request per table."""
    text = row["target"].encode("latin-1")
    target = parse(text, form="request-target")
    for name, column in (("status", "status"), ("method", "method"), ("client", "client"), ("visitor", "client")):
        if row[column] is not None:
            yield name, str(row[column]).encode()
    if row["agent"] != "-":
        yield "agent", row["agent"].encode("latin-1")
    yield "hour_of_day", f"{row['time'].astimezone(UTC).hour:02}".encode()
    yield from (("finding", finding.name.encode()) for finding in NAMES if finding & target.findings)
    if target.scheme:
        yield "scheme", target.scheme
    if target.host:
        yield "host", target.host.lower()
        yield "domain", registrable_domain(target.host.lower(), form="host") or target.host.lower()
    path = target.path
    if path is not None:
        yield "path", path
        if row["status"] is not None:
            yield "status_path", b"%d %b" % (row["status"], path)
        extension = file_extension(text, form="request-target") if path.startswith(b"/") else None
        is_static = extension is not None and extension.decode("latin-1").lower() in sums._STATIC.split()
        yield ("static" if is_static else "page"), path
    parts = {"path_template": path_template, "first_segment": first_segment, "extension": file_extension}
    for name, function in parts.items():
        found = function(text, form="request-target") if path is not None and path.startswith(b"/") else None
        if found is not None:
            yield name, found.lower() if name == "extension" else found
    yield from (("query_key", name) for name in dict.fromkeys(query_names(text, form="request-target") or ()))
    if row["referer"] != "-":
        referer = parse(row["referer"].encode("latin-1"))
        yield from (("referer_finding", finding.name.encode()) for finding in NAMES if finding & referer.findings)
        if referer.scheme:
            yield "referer_scheme", referer.scheme
        if referer.host:
            host = referer.host.lower()
            yield "referer_host", host
            yield "referer_domain", registrable_domain(host, form="host") or host


# The tables that have no figures.
PLAIN = tuple(name for name, table in TABLES.items() if not table.figures)


def slow_count(rows: list[dict[str, Any]]) -> dict[str, dict[bytes, tuple[int, int]]]:
    counted: dict[str, dict[bytes, tuple[int, int]]] = {name: {} for name in TABLES}
    for row in rows:
        for name, key in keys_of(row):
            count, size = counted[name].get(key, (0, 0))
            counted[name][key] = count + 1, size + (row["size"] or 0)
    return counted


@contextmanager
def summary_of(
    path: Path, tables: tuple[str, ...] = tuple(TABLES), threads: int = 1, log_format: Any = None, **more: Any
) -> Iterator[Summary]:
    reading = CommandInputs(InputOptions(paths=(str(path),), threads=threads, log_format=log_format))
    with summarize(reading, tables, command="stats", **more) as made:
        yield made


def numbers(made: Summary, name: str) -> dict[bytes, tuple[int, int]]:
    rows = made.top(name, None)
    assert len({row.key for row in rows}) == len(rows)
    return {row.key: (row.count, row.size) for row in rows}


@pytest.mark.parametrize("in_pieces", [False, True], ids=["at once", "in pieces"])
def test_every_table_matches_a_slow_count(in_pieces: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text, rows = made_log(random.Random(3), 900)
    log = tmp_path / "made.log"
    log.write_bytes(text)
    if in_pieces:
        monkeypatch.setattr(summary, "HELD_BYTES", 1)
        monkeypatch.setattr(sums, "_MIN_ROWS", 5)
        monkeypatch.setattr(sums, "_BATCHES_AT_ONCE", 1)
        monkeypatch.setattr(Summary, "unit_lines", 7)
        monkeypatch.setattr("fasturl.logs.inputs.lines.BLOCK", 1 << 12, raising=False)
    want = slow_count(rows)
    assert want["static"]
    with summary_of(log, threads=2, escapes=False) as made:
        for name in PLAIN:
            assert numbers(made, name) == want[name], name
        totals = made.totals()
        assert totals["lines"] == totals["urls"] == 900 and totals["rejected"] == 0
        assert totals["size"] == sum(row["size"] or 0 for row in rows)
        assert totals["referers"] == sum(row["referer"] != "-" for row in rows)
        moments: dict[tuple[datetime, int | None], list[int]] = defaultdict(lambda: [0, 0])
        for row in rows:
            start = row["time"].astimezone(UTC).replace(minute=0, second=0)
            status = row["status"] and row["status"] // 100
            moment = moments[start, status if status and status < 6 else None]
            moment[0] += 1
            moment[1] += row["size"] or 0
        told = made.over_time("hour")
        assert {(each.start, each.status_class): [each.count, each.size] for each in told} == moments
        assert [each.start for each in told] == sorted(each.start for each in told if each.start)
        days = {each.start for each in made.over_time("day") if each.start}
        assert days == {start.replace(hour=0) for start, _ in moments}
        found = made.findings_over_time("day")
        assert sum(each.count for each in found) == sum(count for count, _ in want["finding"].values())
        assert {each.start for each in found} <= days
        referers = made.findings_over_time("hour", referers=True)
        assert sum(each.count for each in referers) == sum(count for count, _ in want["referer_finding"].values())


def test_the_largest_keys_come_first_by_count_or_size(tmp_path: Path) -> None:
    text, rows = made_log(random.Random(4), 300)
    log = tmp_path / "made.log"
    log.write_bytes(text)
    want = slow_count(rows)["path"]
    with summary_of(log, ("path",), escapes=False) as made:
        for by, place in (("count", 0), ("size", 1)):
            keys = sorted(want, key=lambda key: (-want[key][place], key))
            assert [row.key for row in made.top("path", 3, by=by)] == keys[:3]  # type: ignore[arg-type]
        assert made.top("host", 3) == []  # not in `tables`


def test_sums_over_64_bits_are_exact(tmp_path: Path) -> None:
    most = (1 << 64) - 1
    line = '192.0.2.1 - - [17/May/2015:10:05:03 +0000] "GET /{} HTTP/1.1" 200 {}\n'
    log = tmp_path / "forged.log"
    log.write_text(line.format("a", most) * 3 + line.format("b", 1) + line.format("a", 7))
    with summary_of(log, ("path", "status", "path_template")) as made:
        assert numbers(made, "path") == {b"/a": (4, 3 * most + 7), b"/b": (1, 1)}
        assert numbers(made, "path_template") == numbers(made, "path")
        assert numbers(made, "status") == {b"200": (5, 3 * most + 8)}
        assert made.totals()["size"] == 3 * most + 8


def test_url_lists_have_no_tables_of_logs(tmp_path: Path) -> None:
    urls = tmp_path / "urls.txt"
    urls.write_bytes(b"http://A.example/x.PNG?k\nhttp://a.example:81/caf\xe9\n\nmailto:a@b\nnews:*\n")
    with summary_of(urls) as made:
        assert numbers(made, "host") == {b"a.example": (2, 0)}
        assert numbers(made, "path") == {b"/x.PNG": (1, 0), b"/caf%E9": (1, 0), b"a@b": (1, 0), b"*": (1, 0)}
        assert numbers(made, "extension") == {b"png": (1, 0)} and numbers(made, "query_key") == {b"k": (1, 0)}
        for name in ("status", "hour", "probe", "duration", "visitor", "agent", "method", "referer_host"):
            assert not made.top(name, 1)
        assert made.over_time() == [Moment(None, None, 4, 0)]
        assert "size" not in made.totals() and not made.has_log and made.totals()["empty"] == 1


@pytest.mark.parametrize("content", [b"", b"\n", b"/"])
def test_tiny_inputs_have_counts(content: bytes, tmp_path: Path) -> None:
    urls = tmp_path / "urls.txt"
    urls.write_bytes(content)
    with summary_of(urls, examples=1) as made:
        assert made.totals()["urls"] == (content == b"/")
        assert sum(row.count for row in made.top("path", None)) == (content == b"/")
        assert made.examples("UNSAFE") == []


def test_examples_are_distinct_and_without_passwords(tmp_path: Path) -> None:
    log = tmp_path / "odd.log"
    line = '192.0.2.1 - - [17/May/2015:10:05:03 +0000] "GET {} HTTP/1.1" 200 1 "{}" "-"\n'
    odd = ["/ok", "/a%zz", "/a%zz", "/b%zz%250d", "/c%zz"]
    log.write_text("".join(line.format(target, "ftp://me:secret@h/" + target) for target in odd * 50))
    with summary_of(log, ("path",), threads=2, examples=2) as made:
        assert [(each.line, each.url) for each in made.examples("BAD_ESCAPE")] == [(2, b"/a%zz"), (4, b"/b%zz%250d")]
        assert [each.line for each in made.examples("DOUBLE_ENCODED")] == [4]
        passwords = made.examples("PASSWORD", referers=True)
        assert [each.url for each in passwords] == [b"ftp://me:***@h//ok", b"ftp://me:***@h//a%zz"]
        assert passwords[0].file == str(log)


def test_without_the_suffix_list_the_host_replaces_the_domain(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(*arguments: Any, **more: Any) -> Any:
        raise ModuleNotFoundError

    monkeypatch.setattr(sums, "registrable_domain", missing)
    urls = tmp_path / "urls.txt"
    urls.write_bytes(b"http://www.example.co.uk/\n")
    with summary_of(urls, ("domain",)) as made:
        assert numbers(made, "domain") == {b"www.example.co.uk": (1, 0)}


def test_more_keys_than_memory_are_counted_exactly(tmp_path: Path) -> None:
    urls = tmp_path / "urls.txt"
    long = "x" * 1000
    urls.write_text("".join(f"http://h/{min(n, 40_000)}{long}\n" for n in range(40_010)))
    with summary_of(urls, ("path", "path_template"), memory=48 << 20) as made:
        assert [row.count for row in made.top("path", 3)] == [10, 1, 1]
        assert made.top("path", 2)[1].key == b"/0" + long.encode()


def test_errors_clients_and_static_files_are_counted(fasturl: Run, make_clf: Make) -> None:
    rows = [(b"/a", b"200"), (b"/a", b"503"), (b"/b.PNG", b"404"), (b"/c/1", b"404"), (b"/c/2", b"500")]
    rows.append((b"/d.css", b"-"))
    log = b"".join(
        make_clf(b"GET %s HTTP/1.1" % path, status=status, client=b"192.0.2.%d" % (n % 4)) + b"\n"
        for n, (path, status) in enumerate(rows)
    )
    told = json.loads(fasturl("stats", "--json", "-t", "total", stdin=log).out)
    assert (told["client_errors"], told["server_errors"], told["error_share"], told["visitors"]) == (2, 2, 0.6667, 4)
    assert "visitor" not in told
    names = ("server_error", "not_found", "page", "static", "route")
    told = json.loads(fasturl("stats", "--json", *(word for name in names for word in ("-t", name)), stdin=log).out)
    assert {key: row["count"] for key, row in told["server_error"].items()} == {"/a": 1, "/c/{n}": 1}
    assert {key: row["count"] for key, row in told["not_found"].items()} == {"/b.PNG": 1, "/c/{n}": 1}
    assert told["page"] == {"/a": 2, "/c/1": 1, "/c/2": 1} and told["static"] == {"/b.PNG": 1, "/d.css": 1}
    assert {key: row["count"] for key, row in told["route"].items()} == {"/a": 2, "/c/{n}": 2, "/b.PNG": 1, "/d.css": 1}


def test_hours_are_those_of_a_zone(fasturl: Run) -> None:
    line = b'192.0.2.1 - - [%s:05:03 +0000] "GET / HTTP/1.1" 200 1\n'
    log = b"".join(line % time for time in (b"28/Mar/2015:22", b"29/Mar/2015:00", b"29/Mar/2015:01", b"17/May/1955:22"))
    for zone, want in {
        "UTC": {"00": 1, "01": 1, "22": 2},
        "Europe/Berlin": {"01": 1, "03": 1, "23": 2},  # summer time begins at 01:00 UTC
        "Asia/Kolkata": {"03": 2, "05": 1, "06": 1},
    }.items():
        told = json.loads(fasturl("stats", "--json", "-t", "hour_of_day", "--timezone", zone, stdin=log).out)
        assert told["hour_of_day"] == want
    ran = fasturl("stats", "--timezone", "Nowhere/x", stdin=log)
    assert ran.status == 2 and "unknown time zone" in ran.err


def test_percentiles_of_durations(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    kept = _round(pa.array([0.0, 0.0004567, 0.123456, 1.0, 12.345, 98765.4])).to_pylist()
    assert [f"{each:.6g}" for each in kept] == ["0", "0.000457", "0.123", "1", "12.3", "98800"]
    log = tmp_path / "timed.log"
    line = '192.0.2.1 - - [17/May/2015:10:05:03 +0000] "GET {} HTTP/1.1" 200 1 {}\n'
    paths = [("/a", n / 100) for n in range(1, 101)] + [("/b", 9.0)] * 2
    log.write_text("".join(line.format(path, seconds) for path, seconds in paths))
    monkeypatch.setattr(Summary, "unit_lines", 7)
    timed = named_format('$remote_addr - - [$time_local] "$request" $status $body_bytes_sent $request_time')
    with summary_of(log, ("duration",), log_format=timed) as made:
        a, b = made.top("duration", None)
        assert (a.key, a.count, *a.figures.values()) == (b"/a", 100, 0.5, 0.95, 0.99, 50.5)
        assert (b.key, b.count, *b.figures.values()) == (b"/b", 2, 9.0, 9.0, 9.0, 18.0)
        assert len(made.top("duration", 1)) == 1 and made.top("duration", 1, sort="p50")[0].key == b"/b"
        assert made.by_route.durations() == {"p50": 0.51, "p95": 0.97, "p99": 9.0, "seconds": 68.5}


def test_percentiles_of_a_real_log_are_those_of_its_sorted_durations(fasturl: Run, access_log: Path, tmp_path: Path):
    """The requests are real. The durations, as `$request_time` writes them, are made up, most of them short."""
    rng = random.Random(27)
    written = [f"{min(rng.lognormvariate(-3, 2), 900):.3f}" for _ in range(5000)]
    lines = access_log.read_bytes().splitlines()[: len(written)]
    timed = tmp_path / "timed.log"
    timed.write_bytes(b"".join(line + b" " + time.encode() + b"\n" for line, time in zip(lines, written, strict=False)))
    nginx = '$remote_addr - $remote_user [$time_local] "$request" $status $body_bytes_sent "$http_referer" '
    nginx += '"$http_user_agent" $request_time'
    read = logs.read(timed, nginx, fields=["path", "duration", "status"]).read_all()
    templates = routes.templates(read["path"].combine_chunks())
    kinds = logs.Routes.learn(read["path"], read["status"]).match(templates).to_pylist()
    by_kind: dict[str, list[float]] = {}
    columns = (templates, read["path"], read["duration"])
    for kind, template, path, seconds in zip(kinds, *(column.to_pylist() for column in columns), strict=True):
        if seconds is not None and (kind := kind or (template or b"").decode() or path) is not None:
            by_kind.setdefault(kind, []).append(float(f"{seconds:.3g}"))
    ran = fasturl("stats", "-q", "--json", "-t", "duration", "--top", "20", "--log-format", nginx, timed)
    found = json.loads(ran.out)["duration"]
    assert len(found) == 20 and sum(row["count"] for row in found.values()) > 500
    for kind, row in found.items():
        times = sorted(by_kind[kind])
        want = [times[max(math.ceil(share * len(times)) - 1, 0)] for share in (0.5, 0.95, 0.99)]
        assert row["count"] == len(times)
        assert [row["p50"], row["p95"], row["p99"]] == pytest.approx(want, rel=0.006), kind


def test_what_is_not_read_is_named_with_a_format_that_reads_it(fasturl: Run) -> None:
    line = b'192.0.2.1 - - [17/May/2015:10:05:03 +0200] "GET /a HTTP/1.1" 200 12 "-" "x" 0.599 0.064\n'
    ran = fasturl("stats", "-t", "duration", stdin=line * 5)
    assert ran.status == 0 and "the table duration is empty: no row has a value for it" in ran.err
    said = next(each for each in ran.err.splitlines() if each.startswith("not read: "))
    assert said.startswith("not read: 0.599 0.064 at the end of each line. If the first is $request_time, use ")
    assert said in fasturl("detect", stdin=line * 5).out.decode().splitlines()
    named = fasturl("parse", "-F", "duration", "--log-format", said.partition("'")[2][:-1], stdin=line * 5)
    assert [row["duration"] for row in named.rows] == [0.599] * 5
    for whole in (line.replace(b" 0.599 0.064", b""), line.replace(b" 0.599 0.064", b" - x")):
        assert "If the first" not in fasturl("stats", stdin=whole * 5).err
