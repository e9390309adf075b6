"""`fasturl report` shows the numbers of the summary, and no log adds markup, a script or a password to it."""

import gzip
import json
import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from html.parser import HTMLParser
from itertools import pairwise
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import outage
import pytest

pytest.importorskip("duckdb", reason="numbers are made by DuckDB")
pytest.importorskip("altair", reason="charts are made by altair")
pytest.importorskip("vl_convert", reason="charts are drawn by vl-convert")
pytest.importorskip("publicsuffixlist", reason="referrers are told by registrable domain")

from fasturl import Finding
from fasturl._extras import pip_install
from fasturl.cli import app
from fasturl.cli.inputs import CommandInputs
from fasturl.cli.options import log_format_of
from fasturl.cli.report import charts
from fasturl.cli.report.markup import POLICY, safe
from fasturl.cli.report.page import TABLES, Report
from fasturl.cli.summary.summary import FoundThen, Moment, summarize
from fasturl.cli.summary.tables import tables_of
from fasturl.logs.formatted_inputs import InputOptions

VOID = {"meta", "link"}
IN_CHARTS = {"svg", "title", "desc", "g", "path", "line", "text", "rect", "tspan"}
TAGS = {"html", "head", "title", "style", "body", "header", "h1", "h2", "h3", "p", "b", "i", "a", "div", "section"}
TAGS |= {"main", "nav", "ul", "li", "caption", "thead", "tbody"}
TAGS |= {"span", "data", "table", "tr", "th", "td", "code", "footer", *VOID, *IN_CHARTS}
PAYLOADS = [b"<script>alert(1)</script>", b'"><img src=x onerror=alert(1)>', b"' onmouseover='alert(1)",
            b"</style></title></svg><script>alert(1)</script>", b"<!--", b"-->", b"]]>", b"&lt;script&gt;",
            b"javascript:alert(1)", b"\xe2\x80\xaegpj.exe"]  # fmt: skip
START = datetime(2015, 5, 17, 10, tzinfo=UTC)
FORMAT = outage.FORMAT.replace(" - - ", " - $remote_user ")


class Page(HTMLParser):
    """A parsed report: its elements, its tables by name, its text."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.html = html
        self.open: list[str] = []
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.tables: dict[str, list[list[str]]] = {}
        self.totals: list[int] = []
        self.text = ""
        self.comments: list[str] = []
        self._rows: list[list[str]] = []
        self.feed(html)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        held = dict(attributes)
        self.tags.append((tag, held))
        if tag not in VOID:
            self.open.append(tag)
        if tag == "table":
            self._rows = self.tables.setdefault(held["id"], [])
        elif tag == "tr":
            self._rows.append([])
        elif tag == "td" or (tag == "th" and "tbody" in self.open):
            self._rows[-1].append("")
        elif tag == "data" and "td" in self.open:
            self._rows[-1][-1] = held["value"]
        elif tag == "data" and "b" in self.open and "p" not in self.open:
            self.totals.append(int(held["value"]))

    def handle_startendtag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attributes)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data
        if "tbody" in self.open and {"td", "th"} & {*self.open} and "data" not in self.open:
            self._rows[-1][-1] += data

    def handle_comment(self, data: str) -> None:
        self.comments.append(data)


def report(*paths: Path, top: int = 10, docs: str | None = None, zone: ZoneInfo | None = None, **options: Any) -> str:
    reading = CommandInputs(InputOptions(paths=tuple(map(str, paths)), threads=1, **options))
    standards: Any = ("rfc1738", "rfc3986")
    with summarize(reading, TABLES, command="report", examples=3, zone=zone, standards=standards) as summary:
        formats = [f"{Path(each.name).name}: {reading.format_of(each)}" for each in reading.sources]
        return Report(summary, [str(path) for path in paths], top=top, docs=docs, formats=formats, zone=zone).html()


def page_of(folder: Path, data: bytes, **options: Any) -> Page:
    """Return the report of a log with these lines."""
    log = folder / "access.log"
    log.write_bytes(data)
    return Page(report(log, **options))


def line(target: bytes = b"/", hour: int = 10, status: bytes = b"200", size: bytes = b"7", **fields: bytes) -> bytes:
    held = {"client": b"192.0.2.1", "user": b"-", "method": b"GET", "referer": b"-", "agent": b"curl", **fields}
    held = {name: value.replace(b"\\", b"\\\\").replace(b'"', b'\\"') for name, value in held.items()}
    target = target.replace(b"\\", b"\\\\").replace(b'"', b'\\"')
    return (
        b"%s - %s [17/May/2015:%02d:05:03 +0000]" % (held["client"], held["user"], hour)
        + b' "%s %s HTTP/1.1" %s %s' % (held["method"], target, status, size)
        + b' "%s" "%s"\n' % (held["referer"], held["agent"])
    )


def hostile_lines() -> Iterator[bytes]:
    """Yield lines with every byte, and with markup, in each field."""
    for value in [*(bytes([byte]) for byte in range(256)), *PAYLOADS]:
        for field in ("client", "user", "method", "agent"):
            yield line(**{field: b"x" + value})
        yield line(b"/a" + value + b"/b." + value + b"?" + value + b"=" + value)
        yield line(referer=b"http://" + value + b".example/" + value)
        yield line(referer=value)
        yield line(value)


def test_the_report_shows_the_numbers_of_the_summary(tmp_path: Path) -> None:
    log = tmp_path / "access.log"
    log.write_bytes(
        line(b"/users/7?a=1", referer=b"http://www.site.co.uk/x")
        + line(b"/users/8/photo.jpg?a=2&b=3", hour=11, status=b"404", size=b"90", client=b"192.0.2.2")
        + line(b"/users/8/photo.jpg", hour=30)  # not a valid hour
        + line(b"/%0d", referer=b"http://u:hidden@other.site.co.uk/")
        + line(b"/users/9") * 2
        + line(b"/cart", status=b"503", client=b"192.0.2.2")
        + b"torn line\n"
    )
    page = Page(report(log))
    with summarize(CommandInputs(InputOptions(paths=(str(log),))), TABLES, command="t") as summary:
        totals = summary.totals()
        tables = [table.name for section in ("pages", "who", "answers", "rest") for table in tables_of(section)]
        for name in [name for name in tables if name in TABLES]:
            rows = [[row.key.decode(), str(row.count), str(row.size)] for row in summary.top(name, 10)]
            equal = len(rows) > 1 and len({count for _, count, _ in rows}) == 1
            assert page.tables.get(name, [[]])[1:] == ([] if equal else rows), name
    errors = totals["server_errors"], totals["client_errors"]
    assert page.totals == [totals["urls"], totals["visitors"], *errors, totals["size"], totals["rejected"]]
    assert page.totals == [7, 2, 1, 1, 132, 1]
    assert page.tables["route"][1:][0] == ["/users/{n}", "3", "21"]
    assert [row[0] for row in page.tables["static"][1:]] == ["/users/8/photo.jpg"]
    assert [row[0] for row in page.tables["page"][1:]] == ["/users/9", "/%0d", "/cart", "/users/7"]
    assert page.tables["server_error"][1:] == [["/cart", "1", "1", "100\xa0%", "10:05", "10:05"]]
    assert page.tables["not_found"][1:] == [["/users/{n}/photo.jpg", "1", "2", "50\xa0%", "11:05", "11:05"]]
    assert page.tables["referer_domain"][1:] == [["site.co.uk", "2", "14"]]
    assert "Not in the charts: 1 request without a time." in page.text
    assert "An escaped control character. A hazard, RFC 1738 section 6: 1 request." in page.text
    assert "/%0d access.log:4" in page.text


def test_the_report_shows_the_numbers_of_stats(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    log = tmp_path / "access.log"
    log.write_bytes(b"".join(line(b"/%d/a?b=%%0%d" % (n % 3, n % 5), size=b"%d" % n) for n in range(20)) + b"torn\n")
    page = Page(report(log))
    assert app.call(["stats", "-q", "--json", *(f"-t{name}" for name in (*TABLES, "total")), str(log)]) == 0
    told = json.loads(capfd.readouterr().out)
    errors = told["server_errors"], told["client_errors"]
    assert page.totals == [told["urls"], told["visitors"], *errors, told["size"], told["rejected"]]
    for name in {*page.tables} & {*TABLES} - {"referer_finding"}:
        counts = {key: value if isinstance(value, int) else value["count"] for key, value in told[name].items()}
        assert {key: int(count) for key, count, _ in page.tables[name][1:]} == counts, name
    assert set(page.tables) >= {"page", "route", "query_key", "visitor", "agent", "status", "method"}
    requests = {re.search(r"(\d+) requests?\.", held)[1] for held in re.findall(r"section 6: [^<]*", page.text)}
    assert requests == {str(told["findings"]["ENCODED_CONTROL"])}


def test_top_sets_the_number_of_rows(tmp_path: Path) -> None:
    data = b"".join(line(b"/%d" % number) * (20 - number) for number in range(12))
    rows = page_of(tmp_path, data, top=3).tables["page"]
    assert [row[:2] for row in rows[1:]] == [["/0", "20"], ["/1", "19"], ["/2", "18"]]


def test_no_byte_of_a_log_becomes_markup(tmp_path: Path) -> None:
    log = tmp_path / 'a<b>"&.log'
    log.write_bytes(b"".join(hostile_lines()))
    html = report(log, top=10_000, log_format="COMBINED", docs="https://docs.example/")
    page = Page(html)
    assert page.comments == []
    assert {tag for tag, _ in page.tags} <= TAGS
    for tag, attributes in page.tags:
        assert not any(name.startswith("on") or name in ("src", "srcset", "xlink:href") for name in attributes), tag
        assert re.fullmatch(
            r"(#(finding-)?|https://docs\.example/findings/#)[a-z_0-9]+|data:,|", attributes.get("href", "")
        )
        assert re.fullmatch(r"(background-size:[\d.]+% 100%)?", attributes.get("style") or "") or tag in IN_CHARTS
    assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e\ud800-\udfff]", html)
    # The markup is in the page as text.
    paths = {row[0] for name in ("page", "static") for row in page.tables.get(name, [])[1:]}
    agents = {row[0] for row in page.tables["agent"][1:]}
    for payload in PAYLOADS[:-1]:
        assert any(payload.decode().partition("?")[0] in path for path in paths), payload
        assert f"x{payload.decode()}" in agents
    for byte in set(range(0x20, 0x7F)) - {0x22, 0x5C}:
        assert f"x{chr(byte)}" in agents
    assert r"x\u202egpj.exe" in agents and "x%FF" in agents
    assert 'Report of a<b>"&.log' in page.text


def test_the_page_runs_and_fetches_nothing(tmp_path: Path) -> None:
    page = page_of(tmp_path, line(b"/a b"))
    policies = [held for tag, held in page.tags if held.get("http-equiv") == "Content-Security-Policy"]
    assert [held["content"] for held in policies] == [POLICY]
    assert POLICY.startswith("default-src 'none'; style-src 'unsafe-inline'; img-src data:;")
    # Only elements that load nothing come before the policy.
    assert [tag for tag, _ in page.tags[:4]] == ["html", "head", "meta", "meta"]
    assert not re.search(r"url\(|@import|<script|javascript:", page.html)
    assert set(re.findall(r"https?://[^\"' <]*", page.html)) == {"http://www.w3.org/2000/svg"}
    assert page.html.count("@media screen and (prefers-color-scheme:dark)") == 2


def test_no_password_and_no_secret_is_shown(tmp_path: Path) -> None:
    urls = (b"http://u:hunter2@h/", rb"/\u:hunter2@h/", b"//u:hunter2@h/", b"URL:http://u:hunter2@h/",
            b"/a b?api_key=hunter2")  # fmt: skip
    html = page_of(tmp_path, b"".join(line(url, referer=url, agent=url) for url in urls), log_format="COMBINED").html
    assert "***" in html
    assert "hunter2" not in html


@pytest.mark.parametrize(
    "time", ["31/Dec/9999:23:05:03 +0000", "31/Dec/9999:23:05:03 -1200", "01/Jan/0001:00:05:03 +1200"]
)
def test_extreme_times_make_a_page(tmp_path: Path, time: str) -> None:
    log = tmp_path / "access.log"
    for data in (line(b"/%zz").replace(b"17/May/2015:10:05:03 +0000", time.encode()), line()):
        with log.open("ab") as file:
            file.write(data)
        assert Page(report(log, log_format="COMBINED")).totals[0] == log.read_bytes().count(b"\n")


@pytest.mark.parametrize(("data", "options", "told"), [
    (b"", {"log_format": "COMBINED"}, "There is no request and no URL in what was read."),
    (b"http://h.example/a\nhttp://h.example/a\nhttp://h.example/%zz\n", {}, "Pages"),
    (b"/a 200\n/b 404\n", {"form": "request-target"}, "Findings"),
])  # fmt: skip
def test_inputs_without_requests_or_times_make_a_page(
    tmp_path: Path, data: bytes, options: dict[str, Any], told: str
) -> None:
    page = page_of(tmp_path, data, **options)
    assert told in page.text
    assert "Over time" not in page.text and not any(tag == "svg" for tag, _ in page.tags)
    assert "visitor" not in page.tables


def test_each_finding_links_to_its_page(tmp_path: Path) -> None:
    page = page_of(tmp_path, line(b"/%252e%252e/") + line(b"/a b"), docs="/docs/")
    hrefs = [held["href"] for tag, held in page.tags if tag == "a"]
    assert [href for href in hrefs if "-" in href or "/" in href or "_" in href] == [
        "#finding-double_encoded", "/docs/findings/#double_encoded", "#finding-traversal", "/docs/findings/#traversal",
        "#finding-unsafe", "/docs/findings/#unsafe",
    ]  # fmt: skip


def steps_to(last: datetime, step: str = "hour") -> charts.Steps:
    steps = charts.steps_of(step, [None, last, START])
    assert steps is not None
    return steps


@pytest.mark.parametrize(("minutes", "step", "words"), [
    (0, "minute", "minute"), (118, "minute", "minute"), (125, "5min", "5 minutes"), (590, "5min", "5 minutes"),
    (24 * 60, "15min", "15 minutes"), (4 * 24 * 60, "hour", "hour"), (119 * 24 * 60, "day", "day"),
    (125 * 24 * 60, "month", "month"), (400 * 24 * 60, "month", "month"), (4000 * 24 * 60, "year", "year"),
])  # fmt: skip
def test_a_chart_has_at_most_120_bars(tmp_path: Path, minutes: int, step: str, words: str) -> None:
    times = [START, START + timedelta(minutes=minutes)]
    log = tmp_path / "access.log"
    entry = '192.0.2.1 - - [%s] "GET / HTTP/1.1" 500 7\n'
    log.write_text("".join(entry % time.strftime("%d/%b/%Y:%H:%M:%S +0000") for time in times))
    with summarize(CommandInputs(InputOptions(paths=(str(log),))), ("status",), command="t") as summary:
        found = summary.step(charts.MAX_BARS)
        moments = summary.over_time(found)
    steps = charts.steps_of(found, [moment.start for moment in moments])
    assert steps is not None and (steps.name, steps.words) == (step, words)
    bars, start = 0, steps.first
    while start <= steps.last:
        bars, start = bars + 1, steps.after(start)
    assert bars <= 120 and steps.first <= times[0] and start > times[1]
    assert charts.steps_of("hour", [None]) is None


def test_bars_are_stacked(monkeypatch: pytest.MonkeyPatch) -> None:
    steps = steps_to(START)
    moments = [Moment(START, 2, 5, 50), Moment(START, 5, 2, 20), Moment(START, None, 1, 1), Moment(None, 2, 9, 9)]
    rows = charts._bar_rows(moments, steps, "count")
    assert [(row["class"], row["low"], row["high"]) for row in rows] == [("2xx", 0, 5), ("5xx", 5, 7), ("other", 7, 8)]


def test_charts_follow_light_and_dark(tmp_path: Path) -> None:
    steps = steps_to(START)
    made = charts.findings_over_time([FoundThen(START, "UNSAFE", 2), FoundThen(START, "PASSWORD", 1)], steps, "told")
    assert set(made) == {"wide", "narrow"}
    for svg in made.values():
        used = set(re.findall(r'(?:fill|stroke)="(#[0-9a-f]+)"', svg))
        assert used and used <= set(charts.DARK)
        assert "PASSWORD" in svg and "UNSAFE" in svg


def call(capfd: pytest.CaptureFixture[str], *arguments: object) -> tuple[int, str]:
    status = app.call(["report", *map(str, arguments)])
    return status, capfd.readouterr().err


def test_the_command_writes_the_file(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    log, page = tmp_path / "access.log", tmp_path / "report.html"
    log.write_bytes(line())
    assert call(capfd, log, "-o", page)[0] == 0
    assert page.read_text(encoding="utf-8") == report(log)
    status, told = call(capfd, log, "-o", log)
    assert status == 2 and "is also an input" in told
    assert call(capfd, log, "-o", page, "--docs", "javascript:x")[0] == 2
    assert call(capfd, tmp_path / "none.log", "-o", page)[0] == 2


def test_the_report_names_a_torn_input(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    log, page = tmp_path / "access.log.gz", tmp_path / "report.html"
    log.write_bytes(gzip.compress(line() * 1000 + line(b"/%d" % id(log)))[:-20])
    assert call(capfd, log, "-o", page)[0] == 2
    part = page.with_name(page.name + ".part")
    assert "An input broke off" in Page(part.read_text(encoding="utf-8")).text and not page.exists()


def test_long_keys_are_truncated() -> None:
    for text in (b"a" * 400, "\N{GRINNING FACE}".encode() * 400, b"\x00" * 400, "é" * 301):
        assert safe(text).endswith("…") and len(safe(text)) == 301
    assert safe(b"<" * 300) == "&lt;" * 300


def test_missing_modules_are_named(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    log = tmp_path / "access.log"
    log.write_bytes(line())
    monkeypatch.setitem(__import__("sys").modules, "altair", None)
    status, told = call(capfd, log)
    assert status == 2 and told == f"fasturl: fasturl report needs altair: {pip_install('report')}\n"


def test_every_finding_has_a_section(tmp_path: Path) -> None:
    """Use one log with all findings."""
    log = tmp_path / "urls.txt"
    log.write_bytes("\n".join(finding.example for finding in Finding).encode())
    page = Page(report(log, log_format="URLS"))
    boxes = {held["id"] for tag, held in page.tags if tag == "div" and (held.get("id") or "").startswith("finding-")}
    assert boxes == {f"finding-{str(finding.name).lower()}" for finding in Finding}


def test_the_page_has_landmarks_captions_and_descriptions(tmp_path: Path) -> None:
    page = page_of(
        tmp_path,
        b"".join(line(b"/%d" % n, hour=n % 3, status=b"500" if n == 4 else b"200", size=b"900") for n in range(9))
        + line(referer=b"http://r/%zz"),
    )
    tags = [tag for tag, _ in page.tags]
    assert tags.count("main") == tags.count("nav") == tags.count("header") == tags.count("footer") == 1
    assert tags.count("table") == tags.count("caption") == tags.count("thead") == tags.count("tbody")
    assert all(held.get("scope") in ("col", "row") for tag, held in page.tags if tag == "th")
    ids = [held["id"] for _, held in page.tags if held.get("id")]
    links = [held["href"] for tag, held in page.tags if tag == "a"]
    assert len(ids) == len({*ids}) and {link[1:] for link in links} <= {*ids}
    headings = [tag for tag in tags if tag in ("h1", "h2", "h3")]
    assert headings[0] == "h1" and "h1" not in headings[1:]
    assert tags.count("desc") == tags.count("svg") == 6
    told = "Total 10 requests. Peak: 3 in the 15 minutes from 17 May 2015, 00:00. "
    assert told + "Worst 15 minutes: 17 May 2015, 01:00, with 1 answer of 5xx." in page.text
    # What failed comes first, static files and bytes last.
    sections = [held["id"] for tag, held in page.tags if tag == "section"]
    assert sections == ["failed", "time", "pages", "who", "answers", "probes", "findings", "referrers", "rest"]
    assert page.tables["referer_finding"][1][:2] == ["BAD_ESCAPE", "1"] and "finding-bad_escape" not in ids


def test_the_end_names_format_zone_and_rejects(tmp_path: Path) -> None:
    data = line(b"/a") + b"".join(b"torn %d http://u:pw@h/\n" % n for n in range(5)) + line(hour=23) * 5
    page = page_of(tmp_path, data, zone=ZoneInfo("Asia/Kathmandu"), log_format="COMBINED")
    assert "access.log: COMBINED." in page.text and "Times are those of Asia/Kathmandu." in page.text
    assert "From 17 May 2015, 15:50:03 to 18 May 2015, 04:50:03, Asia/Kathmandu." in page.text
    rejects = page.text.partition("First rejected lines")[2]
    assert [f"torn {n} http://u:***@h/ access.log:{n + 2}" in rejects for n in range(4)] == [True] * 3 + [False]
    assert [row[0] for row in page.tables["hour_of_day"][1:]] == ["04", "15"]


def test_attacks_are_found_in_any_field(tmp_path: Path) -> None:
    attacks = (
        line(b"/?x=${jndi:ldap://evil/a}"), line(b"/%24%7BJNDI%3aldap"), line(b"/%2524%257bjndi%253A"),
        line(agent=b"${jNdi:dns://x}"), line(referer=b"http://r/${jndi:rmi}"), line(user=b"${jndi:x}"),
    )  # fmt: skip
    others = line(b"/jndi:x") + line(b"/${jndi}") + line(agent=b"jndi:")
    page = page_of(tmp_path, b"".join(attacks) + others, log_format="COMBINED")
    assert "attacks" in [held.get("id") for _, held in page.tags]
    assert "6 requests." in page.text.partition("CVE-2021-44228")[2]
    assert "${jndi:ldap://evil/a}" in page.text
    assert "JNDI" not in page_of(tmp_path, line()).html


def test_attacks_in_values_that_are_hidden_are_found(tmp_path: Path) -> None:
    hidden = line(b"/?token=${jndi:ldap://evil/S3CR3T}") + line(referer=b"http://u:${jndi:S3CR3T}@h/")
    page = page_of(tmp_path, hidden + line(b"/?token=S3CR3T"), log_format="COMBINED")
    assert "2 requests." in page.text.partition("CVE-2021-44228")[2] and "/?token=***" in page.text
    assert "S3CR3T" not in page.text


def test_a_chart_draws_bytes_beyond_64_bits() -> None:
    svg = charts.over_time([Moment(START, 2, 1, 1 << 70)], steps_to(START), "size", "told")["wide"]
    assert f"Total {1 << 70:,} bytes." in svg


def test_labels_of_years_have_room() -> None:
    steps = steps_to(START + timedelta(days=3000), "day")
    svg = charts.over_time([Moment(START, 2, 1, 1), Moment(steps.last, 2, 1, 1)], steps, "count", "told")["wide"]
    labels = re.findall(r'translate\(([\d.]+),[\d.]+\)"[^>]*>([A-Z][a-z]{2} \d{4})<', svg)
    places = sorted(float(x) for x, _ in labels)
    assert 2 <= len(labels) <= 8 and min(b - a for a, b in pairwise(places)) > 80


def test_malformed_urls_come_first(tmp_path: Path) -> None:
    """Hazards follow, then violations of RFC 1738. With ``--standard rfc3986``, the latter are absent."""
    urls = tmp_path / "urls.txt"
    urls.write_bytes(b"http://h/[\nhttp://h/~u\nhttp://h:81/\n")
    page = report(urls, log_format="URLS")
    places = [page.index(f'id="{name}"') for name in ("malformed", "finding-nondefault_port", "finding-unsafe")]
    assert places == sorted(places)
    assert "<span>malformed (RFC 3986) (33\xa0%)</span>" in page and "invalid by RFC 1738 (67\xa0%)" in page
    reading = CommandInputs(InputOptions(paths=(str(urls),), threads=1, log_format="URLS"))
    with summarize(reading, TABLES, command="report", standards=("rfc3986",)) as summary:
        told = {row.key: row.count for row in summary.top("finding", None)}
        assert told == {b"malformed (RFC 3986)": 1, b"NONDEFAULT_PORT": 1, b"RESERVED_PORT": 1}
        assert (summary.totals()["valid"], summary.totals()["invalid"]) == (2, 1)


@pytest.mark.parametrize("span", [timedelta(0), timedelta(hours=2), timedelta(hours=30), timedelta(days=5)])
def test_each_date_is_a_label_once(span: timedelta) -> None:
    first = datetime(2026, 10, 26, tzinfo=UTC)
    steps = charts.steps_of("day" if span.days > 4 else "hour", [first, first + span])
    assert steps is not None
    for svg in charts.over_time([Moment(first, 2, 1, 1), Moment(steps.last, 2, 1, 1)], steps, "count", "told").values():
        dates = re.findall(r">(\d+ Oct)<", svg)
        assert dates and len(dates) == len(set(dates)), dates
        if span < timedelta(days=1):
            assert re.search(r">00:\d0<|>0[1-3]:00<", svg)


def sections_of(html: str) -> dict[str, str]:
    return dict(re.findall(r'<section id="([a-z-]+)">(.*?)</section>', html, re.DOTALL))


def test_an_outage_is_named_first(tmp_path: Path) -> None:
    page = page_of(tmp_path, "".join(outage.lines(6000)).encode(), log_format=log_format_of(FORMAT, ()))
    sections = sections_of(page.html)
    order = ["failed", "latency", "time", "pages", "who", "answers", "probes", "findings", "rest"]
    assert [name for name in sections if name != "ai"] == order
    # The first section has the worst time, then the worst route, then 5xx over time, and no 404 of the scanner.
    failed = sections["failed"]
    worst = failed.index("Worst 15 minutes: 5 January 2026, 14:")
    route, chart = failed.index(outage.ORDERS), failed.index("Answers of status 5xx per 15 minutes, UTC")
    assert worst < route < chart and not any(path in failed for path in outage.PROBES)
    key, failures, requests, share, first, last = page.tables["server_error"][1]
    assert key == outage.ORDERS and int(requests) > int(failures) > 0 and share.endswith("%")
    assert "14:03" <= first <= last <= "14:22"
    assert "Worst 15 minutes: 5 January 2026, 03" not in page.html
    # The slow routes are in the next section, with a strip from p50 to p99.
    assert set(outage.SLOW) <= {row[0] for row in page.tables["duration"][1:]}
    assert sections["latency"].count('<svg class="strip"') == len(page.tables["duration"]) - 1
    # Probes have their client, and the findings do not deny them.
    probes = {row[0]: row[3] for row in page.tables["probe"][1:]}
    assert probes == dict.fromkeys(outage.PROBES, "203.0.113.66")
    assert "None" not in page.text
    assert len(page.tables["hour_of_day"][1:]) > 20


def test_without_failures_the_page_says_so(tmp_path: Path) -> None:
    failed = sections_of(page_of(tmp_path, line() + line(b"/.env", status=b"404")).html)["failed"]
    assert failed == "<h2>What failed</h2><p>No answer has a status of 5xx.</p>"


def test_a_table_of_equal_rows_is_left_out(tmp_path: Path) -> None:
    data = b"".join(line(b"/%d.css?q=1" % n, hour=n) * (1 + (n == 3)) for n in range(6))
    assert {"static", "hour_of_day"} <= {*page_of(tmp_path, data).tables}
    data = b"".join(line(b"/%d.css" % n, hour=n) * 100 for n in range(6)) + line(b"/0.css", hour=0)
    tables = page_of(tmp_path, data).tables  # the hours differ by one request only
    assert "static" in tables and "hour_of_day" not in tables
    data = b"".join(line(b"/%d.css" % n, hour=n) for n in range(6))
    assert not {"static", "hour_of_day", "page"} & {*page_of(tmp_path, data).tables}


def test_robots_for_ai_and_paths_that_only_robots_ask_for(tmp_path: Path) -> None:
    pytest.importorskip("crawleruseragents")
    robots = b"GPTBot/1.2", b"Mozilla/5.0 (compatible; Googlebot/2.1)", b"python-requests/2.31"
    asked = [line(b"/docs/%d" % n, agent=robots[0]) for n in range(3)]
    asked += [line(b"/hidden", agent=agent, client=b"192.0.2.%d" % n) for n, agent in enumerate(robots[1:])]
    asked += [line(b"/docs/9", agent=b"Firefox"), line(b"/once", agent=robots[1])]
    page = page_of(tmp_path, b"".join(asked))
    told = re.sub("<[^>]*>", "", sections_of(page.html)["ai"])
    assert "3 requests (43\xa0% of all) come from robots for AI" in told and "3 to train models" in told
    assert page.tables["ai_route"][1:] == [["/docs/{n}", "3", "21"]]
    assert page.tables["robots_only"][1:] == [["/hidden", "2", "2", "192.0.2.0"], ["/once", "1", "1", "192.0.2.1"]]
    # Pages that a crawler reads once, and people do not read, are no probes.
    tail = b"".join(line(b"/page%d" % n + b"x" * n, agent=robots[1]) for n in range(30)) + line()
    assert "robots_only" not in page_of(tmp_path, tail).tables
    assert "ai" not in sections_of(page_of(tmp_path, line(agent=robots[1]) + line()).html)


def compared(folder: Path, capfd: pytest.CaptureFixture[str], *arguments: object) -> str:
    page = folder / "compared.html"
    status, told = call(capfd, "-q", "-o", page, "--compare", *arguments)
    assert status == 0, told
    return page.read_text(encoding="utf-8")


def test_compare_shows_what_got_worse_first(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    old, new = tmp_path / "old.log", tmp_path / "<b>new.log"
    old.write_text("".join(outage.lines(12_000, seed=3, broken=False)))
    new.write_text("".join(outage.lines(12_000)))
    options = "--log-format", FORMAT
    html = compared(tmp_path, capfd, old, new, *options)
    page = Page(html)
    assert "<b>new.log compared with old.log" in page.text
    everything, first, *others = page.tables["compared"][1:]
    assert everything[0] == "all routes" and first[0] == outage.ORDERS
    worse = [int(row[-1]) for row in (first, *others)]
    assert worse == sorted(worse, reverse=True) and worse[0] > 0
    cells = re.search(re.escape(outage.ORDERS) + "</th>(.*?)</tr>", html)
    assert cells and re.search(r'bad">0\xa0%\xa0\N{RIGHTWARDS ARROW} \d', cells[1])
    assert {tag for tag, _ in page.tags} <= TAGS and "How this was counted" in page.text
    # Two windows of a log: the first has no failure.
    html = compared(tmp_path, capfd, "13:00..14:00", "14:00..15:00", new, *options)
    assert "14:00..15:00 compared with 13:00..14:00" in html
    assert Page(html).tables["compared"][2][0] == outage.ORDERS
    assert "From 5 January 2026, 13:0" in html and "From 5 January 2026, 14:0" in html
    # Two files are one log without it.
    assert Page(report(old, new, log_format=log_format_of(FORMAT, ()))).totals[0] == 12_000 + 12_480


def test_compare_needs_two_files_or_two_windows(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    log, page = tmp_path / "access.log", tmp_path / "page.html"
    log.write_bytes(line())
    for arguments in ((log, log, log), ("13:00..14:00", log, log), ("1..2", "1..2", log)):
        assert call(capfd, "-o", page, "--compare", *arguments)[0] == 2
    status, told = call(capfd, "-o", log, "--compare", log, log)
    assert status == 2 and "is also an input" in told and not page.exists()


def test_addresses_are_anonymized(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    log, page = tmp_path / "access.log", tmp_path / "page.html"
    entry = '10.0.0.%d - - [17/May/2015:10:05:03 +0000] "GET %s HTTP/1.1" 404 7 "-" "curl" "203.0.113.%d, 10.0.0.1"\n'
    paths = "/.env", "/%zz203.0.113.77"
    log.write_text("".join(entry % (n, paths[n % 2], 9 + n // 2) for n in range(5)))
    options = "--log-format", "NGINXMAIN", "-o", page
    assert call(capfd, log, *options)[0] == 0
    assert "203.0.113.9" in Page(page.read_text(encoding="utf-8")).text
    assert call(capfd, log, *options, "--anonymize-client", "/24")[0] == 0
    html = page.read_text(encoding="utf-8")
    told = Page(html)
    assert [row[:2] for row in told.tables["visitor"][1:]] == [["203.0.113.0", "5"]]
    assert told.tables["probe"][1][3] == "203.0.113.0"
    assert set(re.findall(r"203\.0\.113\.\d+", html)) == {"203.0.113.0"}
