"""`fasturl stats` by route and time: an outage, comparison, lines per interval, and inputs that lack something."""

import json
import random
import re
import signal
import subprocess
from collections import defaultdict
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import Any

import outage
import pytest
from clihelpers import Run, Start, on_a_terminal, peak_memory, posix

from fasturl import logs
from fasturl.cli.inputs import CommandInputs
from fasturl.cli.summary import summary, sums
from fasturl.cli.summary.summary import Summary, summarize
from fasturl.logs.formats.catalog import named_format
from fasturl.logs.formatted_inputs import InputOptions
from fasturl.logs.routes import templates

pytest.importorskip("duckdb", reason="larger tables are counted in DuckDB")

FORMAT = ("--log-format", outage.FORMAT)
PIPES: Any = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
REQUESTS = 40_000
PLAIN = '192.0.2.{} - - [17/May/2015:{} +0000] "GET {} HTTP/1.1" {} 10\n'


@pytest.fixture(scope="module")
def day(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("day") / "day.log"
    path.write_text("".join(outage.lines(REQUESTS)))
    return path


def table(out: bytes) -> list[dict[str, str]]:
    head, *lines = (line.split("\t") for line in out.decode().splitlines())
    return [dict(zip(head, line, strict=True)) for line in lines]


def test_the_first_lines_name_the_outage(fasturl: Run, day: Path) -> None:
    lines = fasturl("stats", "-q", *FORMAT, day).out.decode().splitlines()
    assert len(lines) <= 25
    first = next(line for line in lines[:5] if outage.ORDERS in line)
    assert re.fullmatch(r" *\d+ +\d\.\d\d% +[\d.]+  2026-01-05 14:0[34]  2026-01-05 14:2[12]  \S+", first)
    assert lines[0].startswith("2026-01-05 00:") and f"{REQUESTS + REQUESTS // 25:,} requests" in lines[0]
    assert re.match(r"5xx \d+ \(0\.\d\d%\), 4xx 1,600 \(3\.85%\); p50 [\d.]+ s, p95 [\d.]+ s, p99 [\d.]+ s", lines[1])
    slow = lines[lines.index("") + 2 :][:5]
    assert outage.SLOW[0] in " ".join(slow) and outage.ORDERS in " ".join(slow)
    minutes = table(fasturl("stats", "-q", "-t", "minute", *FORMAT, day).out)
    peak = max(minutes, key=lambda row: int(row["count"]))
    told = f"peak at {peak['minute']}: {peak['count']} requests in a minute, {peak['server_errors']} with 5xx"
    assert told in lines
    assert lines[-1] == f"0 of {REQUESTS + REQUESTS // 25:,} lines rejected"
    told = json.loads(fasturl("stats", "-q", "--json", *FORMAT, day).out)
    assert next(iter(told["server_error"])) == outage.ORDERS and told["durations"]["p95"] > 0.1
    assert told["peak"]["count"] > 30 and told["robots"] is not None and "path" not in told
    assert told["server_error"][outage.ORDERS]["first"].startswith("2026-01-05T14:0")


def test_a_terminal_gets_a_chart_with_errors_in_a_row(day: Path) -> None:
    shown, status = on_a_terminal(["stats", "-q", "-t", "15min", *FORMAT, str(day)], b"", COLUMNS="100")
    lines = shown.decode().split("\r\n")
    assert status == 0 and [line[:13].strip() for line in lines[:3]] == ["requests", "server errors", "client errors"]
    width = len(lines[3]) - 15
    errors, refused = (line[15 : 15 + width] for line in lines[1:3])
    assert (
        errors.count("█") == 1 and 0.55 < errors.index("█") / width < 0.65 and 0.1 < refused.index("█") / width < 0.17
    )
    assert lines[3].split() == ["2026-01-05", "00:00", "2026-01-05", lines[3].split()[-1]]
    shown, status = on_a_terminal(["stats", "-q", "-t", "hour", *FORMAT, str(day)], b"", PYTHONIOENCODING="ascii")
    assert status == 0 and shown.isascii() and b"2026-01-05 14:00" in shown


def slow_rows(path: Path, key: str) -> dict[str, dict[str, Any]]:
    """Return the figures of each route, counted one request at a time."""
    read = logs.read(path, outage.FORMAT, fields=["path", "status", "time", "duration", "size"]).read_all()
    kinds = templates(read["path"].combine_chunks())
    names = logs.Routes.learn(read["path"], read["status"]).match(kinds).to_pylist()
    routes: dict[str, dict[str, Any]] = defaultdict(lambda: defaultdict(list))
    for name, kind, row in zip(names, kinds.to_pylist(), read.to_pylist(), strict=True):
        routes[row["path"] if key == "path" else name or kind.decode()]["rows"].append(row)
    for route in routes.values():
        rows = route.pop("rows")
        times = sorted(float(f"{row['duration']:.3g}") for row in rows)
        failed = [row for row in rows if row["status"] >= 500]
        route |= {"requests": len(rows), "count": len(failed), "share": round(len(failed) / len(rows), 4)}
        # fasturl rounds 3.175 up.
        route |= {f"p{n}": pytest.approx(times[-(-len(times) * n // 100) - 1], rel=0.006) for n in (50, 95, 99)}
        route["seconds"] = pytest.approx(sum(row["duration"] for row in rows), abs=0.001)
        for name, end in (("first", min), ("last", max)):
            route[name] = f"{end(row['time'] for row in failed):%Y-%m-%dT%H:%M}" if failed else None
    return routes


@pytest.mark.parametrize("key", ["route", "path"])
@pytest.mark.parametrize("where", ["in memory", "in DuckDB"])
def test_figures_match_a_slow_count(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, key: Any, where: str) -> None:
    log = tmp_path / "log"
    text = [*outage.lines(2000, seed=3)]
    random.Random(1).shuffle(text)  # times are out of order
    log.write_text("".join(text))
    monkeypatch.setattr(Summary, "unit_lines", 100)
    if where == "in DuckDB":
        monkeypatch.setattr(summary, "HELD_BYTES", 1)
        monkeypatch.setattr(sums, "_MIN_ROWS", 5)
    want = slow_rows(log, key)
    reading = CommandInputs(InputOptions(paths=(str(log),), log_format=named_format(outage.FORMAT)))
    with summarize(reading, ("server_error", "route", "duration", "probe"), command="stats", key=key) as made:
        found = made.top("server_error", None)
        assert {row.key.decode() for row in found} == {name for name, row in want.items() if row["count"]}
        assert [row.count for row in found] == sorted((row.count for row in found), reverse=True)
        for row in found:
            figures = {**row.figures, **{name: f"{row.figures[name]:%Y-%m-%dT%H:%M}" for name in ("first", "last")}}
            assert {"count": row.count, **figures} == want[row.key.decode()]
        read = {row.key.decode(): row.count for row in made.top("route", None)}
        assert read == {name: row["requests"] for name, row in want.items()}
        by_p95 = [row.figures["p95"] for row in made.top("duration", 9, sort="p95")]
        largest = sorted((row["p95"].expected for row in want.values()), reverse=True)[:9]
        assert by_p95 == pytest.approx(largest, rel=0.006)
        probes = made.top("probe", None)
        assert {row.key.decode() for row in probes} == {*outage.PROBES}
        assert all(row.figures["clients"] == 1 and row.figures["client"] == b"203.0.113.66" for row in probes)
        assert sum(row.count for row in probes) == 80 and probes[0].figures["first"].hour == 3


def test_known_routes_and_paths_are_counted_instead(fasturl: Run, tmp_path: Path) -> None:
    routes = tmp_path / "routes"
    routes.write_text("/users/{id}\n")
    log = "".join(PLAIN.format(n, f"10:0{n}:00", f"/users/name{n}", 500) for n in range(4)).encode()
    log += PLAIN.format(1, "10:00:00", "/other/7", 500).encode()
    count = ("stats", "-q", "-t", "server_error")
    found = table(fasturl(*count, "--routes", routes, stdin=log).out)
    found = [(row["server_error"], row["count"], row["last"]) for row in found]
    assert found == [("/users/{id}", "4", "2015-05-17 10:03"), ("/other/{n}", "1", "2015-05-17 10:00")]
    found = table(fasturl(*count, "--key", "path", stdin=log).out)
    assert [row["server_error"] for row in found] == ["/other/7", *(f"/users/name{n}" for n in range(4))]


def test_tables_are_sorted_by_other_columns(fasturl: Run, day: Path) -> None:
    slow = table(fasturl("stats", "-q", "-t", "duration", "--sort", "p95", *FORMAT, day).out)
    assert [row["duration"] for row in slow[:2]] == [*outage.SLOW]
    usual = table(fasturl("stats", "-q", "-t", "duration", *FORMAT, day).out)
    seconds = [float(row["seconds"]) for row in usual]
    assert seconds == sorted(seconds, reverse=True) and usual != slow
    times = table(fasturl("stats", "-q", "-t", "minute", "--sort", "server_errors", "--top", "3", *FORMAT, day).out)
    assert len(times) == 3 and all("14:03" <= row["minute"][-5:] <= "14:22" for row in times)
    ran = fasturl("stats", "-t", "path", "--sort", "p95", *FORMAT, day)
    assert ran.status == 2 and "the table path has no such column; it has count, size" in ran.err


def test_times_have_errors_and_refusals(fasturl: Run, day: Path) -> None:
    hours = table(fasturl("stats", "-q", "-t", "hour", *FORMAT, day).out)
    worst = max(hours, key=lambda row: int(row["server_errors"]))
    refused = max(hours, key=lambda row: int(row["client_errors"]))
    assert worst["hour"] == "2026-01-05 14:00" and refused["hour"] == "2026-01-05 03:00"
    fives = table(fasturl("stats", "-q", "-t", "5min", *FORMAT, day).out)
    assert sum(int(row["count"]) for row in fives) == sum(int(row["count"]) for row in hours) == REQUESTS * 26 // 25
    assert all(int(row["5min"][-2:]) % 5 == 0 for row in fives)


@pytest.mark.parametrize("command", ["stats", "parse", "sql", "report"])
def test_times_count_from_the_last_request(fasturl: Run, tmp_path: Path, command: str) -> None:
    log = tmp_path / "log"
    log.write_text("".join(PLAIN.format(1, f"{hour:02}:30:00", f"/{hour}", 200) for hour in (12, 10, 11, 11)))
    hidden = ("-o", tmp_path / "page.html") if command == "report" else ()
    words = ("SELECT path FROM requests",) if command == "sql" else ()
    for option, want in ((("--time-from", "-90m"), "11 12"), (("--time-from", "-0s"), "12"),
                         (("--time-from", "11:00", "--time-to", "12:30"), "11"), (("--time-to", "-1h"), "10"),
                         (("--time-from", "13:00", *(("--timezone", "Europe/Berlin") * (command == "stats"))), "11 12"
                          if command == "stats" else "")):  # fmt: skip
        if command == "report":
            pytest.importorskip("altair")
            if option[0] == "--time-to" or "13:00" in option:
                continue  # a page takes seconds
        ran = fasturl(command, *(("-t", "path") * (command == "stats")), *words, *option, *hidden, log)
        out = (tmp_path / "page.html").read_bytes() if hidden else ran.out
        assert ran.status == 0, ran.err
        assert {n for n in ("10", "11", "12") if re.search(rb"/%s\b" % n.encode(), out)} == {*want.split()}, option
    ran = fasturl(command, *words, "--time-from", "-1h", *hidden, stdin=log.read_bytes())
    assert ran.status == 2 and "counts from the last request, which a pipe has not sent yet: name a file" in ran.err
    log.write_text("203.0.113.66 says mine=hidden-too to http://u:hidden-pw@h/?token=hidden-token now\n" * 3)
    hiding = ("--redact", "mine", *(("--anonymize-client", "/24") * (command != "sql")))
    ran = fasturl(command, *words, *hiding, "--time-from", "-1h", *hidden, log)
    assert ran.status == 2 and "hidden" not in ran.err.replace("***", "")
    assert "203.0.113.66" not in ran.err or command == "sql"
    log.write_text("http://h/a\n")
    ran = fasturl(command, *words, "--time-from", "-1h", *hidden, log)
    assert ran.status == 2 and "no request has a time" in ran.err


def test_windows_and_files_are_compared(fasturl: Run, day: Path, tmp_path: Path) -> None:
    ran = fasturl("stats", "--compare", "13:00..14:00", "14:00..15:00", *FORMAT, day)
    assert ran.err == f"{day}: CUSTOM, {REQUESTS * 26 // 25:,} of {REQUESTS * 26 // 25:,} lines\n"
    first, second = table(ran.out)[:2]
    assert first["route"] == outage.ORDERS and first["old share"] == "0.00%" and float(first["new share"][:-1]) > 20
    assert float(first["worse"]) > 3 * float(second["worse"]) and float(first["new p95"]) > 1 > float(first["old p95"])
    quiet = tmp_path / "quiet.log"
    quiet.write_text("".join(outage.lines(REQUESTS, broken=False)))
    told = json.loads(fasturl("stats", "--json", "--compare", quiet, day, *FORMAT).out)["compare"]
    assert next(iter(told)) == outage.ORDERS and told[outage.ORDERS]["new"]["share"] > 0.01
    assert told[outage.ORDERS]["old"]["requests"] == told[outage.ORDERS]["new"]["requests"]
    better = json.loads(fasturl("stats", "--json", "--compare", day, quiet, *FORMAT).out)["compare"]
    assert better[outage.ORDERS]["worse"] == 0
    routes = tmp_path / "routes"
    routes.write_text("/api/v1/orders/{id}\n")
    known = fasturl("stats", "--json", "--compare", quiet, day, "--routes", routes, *FORMAT)
    assert next(iter(json.loads(known.out)["compare"])) == "/api/v1/orders/{id}"
    for bad in (("13:00..14:00", "14:00..15:00"), (quiet, day, day), (day, "none")):
        ran = fasturl("stats", "--compare", *bad, *FORMAT, stdin=day.read_bytes()[:1000])
        assert ran.status == 2 and ran.out == b"" and ran.err.count("\n") == 1, ran.err


@posix
def test_every_prints_a_line_per_interval(start: Start) -> None:
    process = start("stats", "-q", "--every", "1s", *FORMAT, **PIPES)
    assert process.stdin is not None and process.stdout is not None
    text = [*outage.lines(4000)]
    # The last request has no target, as that of a client that sends nothing.
    process.stdin.write("".join([*text[:2999], re.sub(r'"[^"]*"', '"-"', text[0], count=1)]).encode())
    process.stdin.flush()
    lines = [process.stdout.readline().decode()]
    while "3,000 requests" not in lines[-1]:
        lines.append(process.stdout.readline().decode())
        assert len(lines) < 30
    assert re.fullmatch(r"\d\d:\d\d:\d\d  3,000 requests  5xx [1-9]\d*  4xx 0  p95 0\.\d+ s  /\S+ \d+\n", lines[-1])
    assert re.fullmatch(r"\d\d:\d\d:\d\d  0 requests  5xx 0  4xx 0\n", process.stdout.readline().decode())
    process.stdin.write("".join(text[3000:3001]).encode())
    process.stdin.close()
    rest = process.stdout.read().decode()
    assert "  1 request  " in rest and process.wait(30) == 0


@posix
@pytest.mark.parametrize("end", ["signal", "closed pipe"])
def test_every_ends(start: Start, end: str) -> None:
    process = start("stats", "--every", "1s", **PIPES)
    assert process.stdin is not None and process.stdout is not None
    process.stdin.write(PLAIN.format(1, "10:00:00", "/a", 500).encode() * 3)
    process.stdin.flush()
    process.stdout.readline()
    if end == "signal":
        process.send_signal(signal.SIGINT)
    else:
        process.stdout.close()
    assert process.wait(30) == (130 if end == "signal" else 141)


def test_parts_without_data_say_so(fasturl: Run, tmp_path: Path) -> None:
    def shown(log: bytes, *options: Any) -> str:
        ran = fasturl("stats", "-q", *options, stdin=log)
        assert ran.status == 0, ran.err
        return ran.out.decode()

    line = PLAIN.format(1, "10:00:00", "/a", 500).encode()
    once = shown(line)
    assert "1 requests" not in once and "2015-05-17 10:00:00 to 2015-05-17 10:00:00 UTC: 1 request" in once
    assert "; no durations" in once and "seconds" not in once and "peak at 2015-05-17 10:00: 1 request" in once
    timeless = shown(b'192.0.2.1 "GET /a HTTP/1.1" 503\n' * 3, "--log-format", '%h "%r" %s')
    assert timeless.startswith("no times: 3 requests") and "peak" not in timeless and "first" not in timeless
    without = shown(b'192.0.2.1 "GET /a HTTP/1.1"\n' * 3, "--log-format", '%h "%r"')
    assert "no statuses; no durations" in without and "route" not in without
    assert shown(b"") == shown(b"\n").replace("1 lines", "0 lines").replace("of 1 line", "of 0 lines")
    assert shown(b"http://h/a\n").startswith("1 URL: 1 valid, 0 invalid\n")
    line = line.replace(b"/a", b"/a\0b")
    rejected = shown(line, "--allow-rejects", "--log-format", "COMMON")
    assert "/a\\x00b" in shown(line) or "1 of 1 line rejected" in rejected


def test_addresses_are_anonymized_in_every_table(fasturl: Run) -> None:
    form = ("--log-format", '%h [%d:%t %^] "%r" %s "%~h{,}"', "--anonymize-client", "/24")
    nginx = '$remote_addr [$time_local] "$request" $status "$http_x_forwarded_for"'
    form = ("--log-format", nginx, "--anonymize-client", "/24")
    log = b'203.0.113.66 [17/May/2015:10:05:03 +0000] "GET /.env HTTP/1.1" 404 "198.51.100.77, 203.0.113.66"\n' * 3
    ran = fasturl("stats", "-t", "all", "--json", *form, stdin=log)
    told = json.loads(ran.out)
    assert [*told["client"]] == ["203.0.113.0"] and [*told["visitor"]] == ["203.0.113.0"]
    assert told["probe"]["/.env"]["client"] == "203.0.113.0" and told["probe"]["/.env"]["clients"] == 1
    assert b".66" not in ran.out and b".77" not in ran.out


def processor_time() -> float:
    """Return the seconds of CPU of the children that ended."""
    used = pytest.importorskip("resource").getrusage(pytest.importorskip("resource").RUSAGE_CHILDREN)
    return float(used.ru_utime + used.ru_stime)


@pytest.mark.long
def test_a_million_paths_need_bounded_memory_and_linear_time(tmp_path: Path) -> None:
    def feed(count: int) -> Callable[[Any], Any]:
        line = '192.0.2.1 - - [17/May/2015:10:05:03 +0000] "GET /{}/{:x}z HTTP/1.1" 500 1\n'
        text = "".join(line.format(n % 1000, n * 7919) for n in range(count)).encode()
        return lambda pipe: pipe.write(text)

    taken = []
    for count in (250_000, 1_000_000):
        began = processor_time()
        counting = ["stats", "-q", "--memory", "64M", "--threads", "1", "-t", "server_error"]
        memory, out, status = peak_memory(counting, feed(count))
        taken.append((memory, processor_time() - began))
        (row,) = table(out)
        assert status == 0 and row["count"] == row["requests"] == str(count)
    assert taken[1][0] < 1.5 * taken[0][0]
    assert taken[1][1] < 8 * taken[0][1]


def test_times_at_the_ends_of_the_years_have_rows(fasturl: Run) -> None:
    line = '192.0.2.1 - - [{}:59:59 +0000] "GET /a HTTP/1.1" 500 1\n'
    days = ["01/Jan/0001:00", "31/Dec/1969:23", "31/Dec/9999:23"]
    log = "".join(map(line.format, reversed(days))).encode()
    for step, want in (("day", ["0001-01-01", "1969-12-31", "9999-12-31"]),
                       ("hour", ["0001-01-01 00:00", "1969-12-31 23:00", "9999-12-31 23:00"])):  # fmt: skip
        assert [row[step] for row in table(fasturl("stats", "-q", "-t", step, stdin=log).out)] == want
    shown, status = on_a_terminal(["stats"], log)
    assert status == 0 and b"0001-01-01 00:59:59 to 9999-12-31 23:59:59 UTC" in shown and b"\xe2\x96\x88" in shown


def test_first_and_last_have_the_zone(fasturl: Run) -> None:
    log = "".join(PLAIN.format(1, f"23:5{n}:00", "/a", 500) for n in range(3)).encode()
    (row,) = table(fasturl("stats", "-q", "-t", "server_error", "--timezone", "Asia/Kathmandu", stdin=log).out)
    assert (row["first"], row["last"]) == ("2015-05-18 05:35", "2015-05-18 05:37")
    assert datetime.fromisoformat(row["first"])
