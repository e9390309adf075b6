"""Is text in no known format refused, and is the format of everything else named?"""

import json
import re
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from clihelpers import Run, need_altair, rows_of_file

from fasturl import logs
from fasturl.logs.formats.detection import detect_lines
from fasturl.logs.shown import Quote

COMMON = '192.0.2.1 - - [17/May/2015:10:05:0%d +0000] "GET /a HTTP/1.1" 200 12'
COMBINED = COMMON + ' "http://r.example/" "agent"'
MAIN = '%s - - [17/May/2015:10:05:03 +0000] "GET /%d HTTP/1.1" 200 5 "-" "curl/8" "%s"'


def lines(*texts: str) -> bytes:
    return "".join(f"{text}\n" for text in texts).encode()


# --- text that is not a list of URLs ----------------------------------------------------------------------------------
FOREIGN = [
    b"2015-05-17 10:05:03,123 INFO  [main] c.e.Server - started\n" * 3,
    b"May 17 10:05:03 host sshd[1]: Accepted password for u\n", b"lorem\nipsum\n",
    b"\x80\x01\xfe\x00\x07\x08noise\n" * 40, bytes(range(256)) * 4, "http://h/\nhttp://i/\n".encode("utf-16-le"),
    "http://h/\nhttp://i/\n".encode("utf-16-be"), b"path,status\n/a,200\n/b,300\n", b"time\tclient\n/a\t1\n",
    b"level=info\nlevel=error\n", b"INFO:root:started\n", b"10:05:03\n10:05:04\n", b"a@example.com\nb@example.com\n",
    b"http://h/ 200\nhttp://h/ 300\n", b"x\n" * 3000,
]  # fmt: skip


@pytest.mark.parametrize("data", FOREIGN, ids=range(len(FOREIGN)))
@pytest.mark.parametrize("command", ["parse", "stats", "check"])
def test_text_in_no_format_is_refused(fasturl: Run, data: bytes, command: str) -> None:
    ran = fasturl(command, stdin=data)
    assert (ran.status, ran.out) == (2, b"")
    message, *excerpt = ran.err.splitlines()
    assert message.startswith("fasturl: standard input")
    assert "try --log-format" in message or "iconv -f UTF-16" in message
    assert not excerpt or (len(excerpt) == 2 and re.fullmatch(r" +\^", excerpt[1]))
    with pytest.raises(logs.LogError):
        logs.read([data])


def test_one_file_among_several_is_refused(fasturl: Run, tmp_path: Path) -> None:
    (tmp_path / "a.log").write_bytes(lines(COMBINED % 1))
    (tmp_path / "b.log").write_bytes(b"a b\n")
    ran = fasturl("parse", "a.log", "b.log", "-o", "out.jsonl", cwd=tmp_path)
    assert ran.status == 2 and "b.log: the format is unknown" in ran.err


def test_the_closest_format_is_shown_with_a_caret(fasturl: Run) -> None:
    ran = fasturl("parse", stdin=lines((COMMON % 1).replace("GET", "PURGED").replace(" 200 12", " many")))
    message, line, caret = ran.err.splitlines()
    assert "the closest format is COMBINED, which has its status at column 65; try --log-format NAME" in message
    assert line[caret.index("^")] == "m" and line[2:].startswith("192.0.2.1")


@pytest.mark.parametrize(("line", "advice"), [
    ("2024-05-17T10:05:03,192.0.2.1,GET,x1,200,/a/b?c", "or --column NUMBER --no-headers"),
    ("10:05:03 | zone | /a/b | curl/7 (X11) | 192.0.2.1 | ab", "or --column NUMBER --no-headers --delimiter CHAR"),
    ("when;what;who", "or --column NAME --delimiter CHAR"),
    ("HTTP/1.1 2xx secs ==> PURGED /a/b", "try --log-format NAME (`fasturl help formats`"),
])  # fmt: skip
def test_no_closest_format_is_named_where_none_reads_a_telling_part(fasturl: Run, line: str, advice: str) -> None:
    ran = fasturl("parse", stdin=lines(line, line.replace("c", "d")))
    message, shown, caret = ran.err.splitlines()
    assert ran.status == 2 and "no known format is close" in message and advice in message
    assert "closest format" not in message and (shown, caret) == (f"  {line}", "  ^")


def test_after_a_given_format_only_hints_that_apply(fasturl: Run) -> None:
    relayed = "May 17 10:05:03 lb haproxy[123]: 1431857103.123 192.0.2.1 200 GET /a/b"
    spelled = "log-format %Ts.%ms %ci %ST %HM %HU"
    ran = fasturl("parse", "--log-format", spelled, stdin=lines(relayed))
    assert "column 1: time; it fits after its prefix: write SYSLOG+ before the format\n" in ran.err
    assert fasturl("parse", "--log-format", f"SYSLOG+{spelled}", stdin=lines(relayed)).row["client"] == "192.0.2.1"
    ran = fasturl("parse", "--log-format", "%h %r", stdin=lines("a b c"))
    assert ran.status == 2 and "try" not in ran.err
    ran = fasturl("parse", "--log-format", "%s %T %U", stdin=lines("200   0.1 /a"))
    assert "two spaces in the format match any number of spaces" in ran.err
    ran = fasturl("parse", "--log-format", "%s %U", stdin=lines("200 /a b"))
    assert ran.status == 2 and "two spaces" not in ran.err
    rest = lines('h /a 200 [17 May "x {"a": 1}')
    assert "%{until}^ at the end matches the rest" in fasturl("parse", "--log-format", "%h %U %s %^", stdin=rest).err
    assert fasturl("parse", "--log-format", "%h %U %s %{until}^", stdin=rest).row["status"] == 200
    ran = fasturl("parse", "--log-format", "%d %t %h %U", stdin=lines("2015-05-17 10:05:03 h /a"))
    assert "spell another time as %{%Y-%m-%d %H:%M:%S}x, or give a goaccess.conf" in ran.err
    assert fasturl("parse", "--log-format", "%{%Y-%m-%d %H:%M:%S}x %h %U", stdin=lines("2015-05-17 10:05:03 h /a")).rows
    fields = "#Fields: date time cs-method cs-uri-stem sc-status"
    for row, told in (
        (
            "2015-05-17 10:05:03  GET /a 200",
            "sc-status (of 5 fields; the line has 6 values, some behind several blanks)",
        ),
        ("2015-05-17 10:05:03 GET /a", "column 27: sc-status (of 5 fields; the line has 4 values)"),
        ("2015-05-17 10:05:03 GET /a 200 12 3", "column 31: end of the line (of 5 fields; the line has 7 values); try"),
        ("2015-05-17 10:05:03 GET /a x", "column 28: sc-status"),
    ):
        assert told in fasturl("parse", stdin=lines(fields, row)).err
    ran = fasturl("parse", "--map", "target=no", stdin=lines('{"a": 1}'))
    assert "does not fit at column 8: field no; try other fields with --map" in ran.err


@pytest.mark.parametrize(("table", "column", "rows"), [
    (["1,/a,x", "2,/b,y"], "2", None),                        (["1,a.example/,x"], "2", None),
    (["1,a.example/,x", "2,none,y"], "2", None),              (["1,a.example/,x", "2,b.example/,y"], "2", 1),
    (["id,/a", "h/x,none"], "1", 1),                          (["id,url", "2,none"], "2", 1),
])  # fmt: skip
def test_a_first_line_of_data_is_no_header(fasturl: Run, table: list[str], column: str, rows: int | None) -> None:
    ran = fasturl("parse", "--column", column, stdin=lines(*table))
    assert (ran.status, len(ran.rows)) == ((0, rows) if rows else (2, ran.out.count(b"\n")))
    assert ("first line has data" in ran.err and "try --no-headers" in ran.err) is (rows is None)
    assert len(fasturl("parse", "-n", "--column", column, stdin=lines(*table)).rows) == len(table)


def test_the_fields_of_unknown_objects_are_listed(fasturl: Run) -> None:
    entry = {"page": "/a", "who": {"at": "192.0.2.1", "n": 2}, "list": [1], "ok": True, "no": None}
    ran = fasturl("parse", stdin=lines(json.dumps(entry)))
    assert "--map target=page, or" in ran.err and "; the other fields are who.at, who.n, ok\n" in ran.err
    many = fasturl("parse", stdin=lines(json.dumps({"page": "/a"} | {f"k{n}": n for n in range(30)})))
    assert "k18, k19, …\n" in many.err


def test_an_excerpt_shows_no_secret(fasturl: Run) -> None:
    ran = fasturl("parse", stdin=b"fetched http://me:hunter2@h/ now and then\n")
    assert ran.status == 2 and "hunter2" not in ran.err and "***" in ran.err


@pytest.mark.parametrize("command", [
    ["parse"], ["parse", "--anonymize-client", "/16"], ["stats"], ["report"], ["sql", "SELECT count(*) FROM requests"],
], ids=" ".join)  # fmt: skip
def test_an_excerpt_has_the_changes_that_the_user_asks_for(fasturl: Run, tmp_path: Path, command: list[str]) -> None:
    """They apply before the line is cut, because a part of an address or a secret does not look like one."""
    if command == ["report"]:
        need_altair()
    options = ["--redact", "mine", "--log-format", "COMBINED"]
    options += ["-o", str(tmp_path / "page.html")] if command == ["report"] else []
    for filler in (2, 16, 32, 34):
        secrets = "http://u:S3CR3T@h/?mine=S3CR3T&next=http%3A%2F%2Fu%3AS3CR3T%40h"
        line = f"192.0.2.199 {'x' * filler} torn {secrets} 192.0.2.199"
        ran = fasturl(*command, *options, stdin=lines(line))
        _, quoted, caret = ran.err.splitlines()
        assert ran.status == 2 and "S3CR" not in quoted and "3T" not in quoted
        assert "--anonymize-client" not in command or ("199" not in quoted and "192.0.2" not in quoted)
        assert quoted[caret.index("^") :].startswith("torn")


@pytest.mark.parametrize("at", range(0, 150, 7))
def test_no_part_of_a_secret_is_in_an_excerpt(at: int) -> None:
    secrets = b"http://u:S3CR3T@h/?token=S3CR3T&next=http%3A%2F%2Fu%3AS3CR3T%40h"
    for filler in range(120):
        for line in (b"x" * filler + b" " + secrets + b" end", secrets + b" " + b"x" * filler + b" end"):
            quoted, caret = Quote(line, min(at, len(line))).excerpt().splitlines()
            assert not any(part in quoted for part in ("S3", "3C", "CR", "3T")), (line, quoted)
            assert len(caret) <= len(quoted) + 1
            if at < filler and line.startswith(b"x"):
                assert quoted[caret.index("^")] == "x"


@pytest.mark.parametrize("urls", [
    ["http://h/", "https://h/a?b", "x y"], ["/a", "/b?c"], ["example.com", "www.example.com/a"], ["h:443", "h/a"],
    ["mailto:a@b.example", "news:x", "urn:isbn:1"], ["http://u:p@h/", "//h/a", "HTTP:\\\\h\\"], ["192.0.2.1:80/x"],
    ["http://[::1]/", "[::1]"], ["http://h/caf\u00e9", "/a b", "/c"],
])  # fmt: skip
def test_a_list_of_urls_is_one(fasturl: Run, urls: list[str]) -> None:
    ran = fasturl("parse", "-F", "url", stdin=lines(*urls))
    assert ran.status == 0 and [row["url"] for row in ran.rows] == urls
    assert ran.err.splitlines()[-1] == f"-: URLS, {len(urls)} of {len(urls)} line{'s' * (len(urls) > 1)}"
    # Any text is a list if the user says so.
    assert fasturl("parse", "--log-format", "urls", stdin=b"a b\nc d\n").status == 0


@pytest.mark.parametrize("count", [1, 2, 999, 1001])
def test_a_format_that_no_line_fits_is_an_error(fasturl: Run, count: int) -> None:
    data = lines(*[COMMON % 1] * count)
    for arguments in (["parse"], ["stats"], ["sql", "SELECT count(*) FROM requests"]):
        ran = fasturl(*arguments, "--log-format", "COMBINED", stdin=data)
        assert ran.status == 2 and "is in the format COMBINED: line 1 does not fit at column" in ran.err


# --- the name of the format -------------------------------------------------------------------------------------------
def test_the_format_is_named(fasturl: Run, tmp_path: Path) -> None:
    log = tmp_path / "access.log"
    log.write_bytes(lines(*[COMBINED % 1] * 4999, "torn"))
    for arguments in (["parse"], ["stats"], ["check"], ["sql", "SELECT count(*) FROM requests"]):
        ran = fasturl(*arguments, "access.log", cwd=tmp_path)
        assert ran.err.splitlines()[-1] == "access.log: COMBINED, 4,999 of 5,000 lines"
        assert fasturl(*arguments, "-q", "access.log", cwd=tmp_path).err == ""
    named = fasturl("parse", "--log-format", "common", "access.log", cwd=tmp_path)
    assert named.err.splitlines()[-1] == "access.log: COMMON, 4,999 of 5,000 lines"


def test_the_reader_names_its_format() -> None:
    reader = logs.read([lines(COMBINED % 1, "torn")])
    assert (str(reader.format), reader.read_all().num_rows) == ("COMBINED (1 of the first 2 lines)", 1)
    named = logs.read([lines(COMBINED % 1, "torn")], "COMBINED")
    assert named.format is not None and named.format.name == "COMBINED"
    named.read_all()
    assert named.format == logs.Format("COMBINED", 2, 1)
    first = detect_lines([(COMBINED % 1).encode(), b"192.0.2.1 - x"]).mismatch
    assert first is not None and (first.line, first.column, first.field) == (2, 13, "user")


# --- answers that were wrong ------------------------------------------------------------------------------------------
def test_a_log_that_changes_after_detection_loses_nothing() -> None:
    data = lines(*[COMMON % 1] * 1000, *[COMBINED % 1] * 3099)
    for vhost in (b"", b"v.example "):
        table = logs.read([data.replace(b"192", vhost + b"192")], fields=["referer", "agent"]).read_all()
        assert [table[name].null_count for name in ("referer", "agent")] == [1000, 1000]
        assert table.num_rows == 4099


def test_a_list_of_forwarded_addresses() -> None:
    data = lines("203.0.113.1, 10.0.0.1, 10.0.0.2" + (COMBINED % 1)[9:], "203.0.113.9" + (COMBINED % 1)[9:])
    assert logs.detect([data]).name == "COMBINED"
    found = logs.read([data], fields=["client", "forwarded", "vhost"]).read_all().to_pylist()
    assert found == [
        {"client": None, "forwarded": "203.0.113.1, 10.0.0.1, 10.0.0.2", "vhost": None},
        {"client": "203.0.113.9", "forwarded": None, "vhost": None},
    ]


NUMBERS = ("123.14123.140.180.242", "200", "a.7", "256.0.2.1", "192.0.2.01", "::ffff:192.0.2")
CLIENTS = ("-", "unix:", "a.7b", "7.a", "::7", "::ffff:192.0.2.1", "fe80::1%7", "host-7")


@pytest.mark.parametrize("client", [*NUMBERS, *CLIENTS])
def test_a_number_is_no_client_but_an_absent_client_or_a_host_name_keeps_the_row(client: str) -> None:
    read = logs.parse_lines([client + (COMBINED % 1)[9:]], "COMBINED", ["client"]).to_pylist()
    assert read == [{"client": None if client in (*NUMBERS, "-", "unix:") else client, "rejected": client in NUMBERS}]


@pytest.mark.parametrize(
    ("status", "read"), [(100, 100), (599, 599), (999, 999), *((each, None) for each in ("-", "-1", "0", "000"))]
)
@pytest.mark.parametrize("spelled", ["COMBINED", '%h %l %u %t \\"%r\\" %>s %b \\"%{Referer}i\\" \\"%{User-Agent}i\\"'])
def test_a_status(spelled: str, status: int | str, read: int | None) -> None:
    line = (COMBINED % 1).replace(" 200 ", f" {status} ")
    assert logs.parse_lines([line], spelled, ["status"]).to_pylist() == [{"status": read, "rejected": False}]


@pytest.mark.parametrize("status", ["1", "99", "600", "998", "-2", "1000"])
def test_another_number_is_no_status(status: str) -> None:
    line = (COMBINED % 1).replace(" 200 ", f" {status} ")
    entry = f'{{"request_method":"GET","uri":"/a","status":{status}}}'
    for text, name in ((line, "COMBINED"), (entry, "NGINXJSON")):
        read = logs.parse_lines([text], name, ["status"]).to_pylist()
        assert read == [{"status": None, "rejected": True}], text


def test_a_size_of_minus_one_is_none_and_nuls_before_a_record_are_no_client() -> None:
    line = re.sub(" 200 [0-9]+ ", " 200 -1 ", COMBINED % 1)
    assert logs.parse_lines([line], "COMBINED", ["size"]).to_pylist() == [{"size": None, "rejected": False}]
    data = b"\0" * 700 + lines(COMBINED % 1)
    assert logs.read([data], fields=["client"]).read_all().to_pylist() == [{"client": "192.0.2.1"}]


@pytest.mark.parametrize("request_line", ["-", "- - -", "- - - "])
def test_a_connection_without_a_request_has_no_target(fasturl: Run, request_line: str) -> None:
    data = lines((COMBINED % 1).replace("GET /a HTTP/1.1", request_line).replace(" 200 ", " 408 "))
    row = fasturl("parse", stdin=data).row
    assert (row["url"], row["path"], row["method"], row["status"]) == (None, None, None, 408)
    totals = json.loads(fasturl("stats", "--json", "-t", "all", stdin=data).out)
    assert totals["path"] == {} and totals["status"] == {"408": 1}


@pytest.mark.parametrize(("written", "time"), [
    ("31/Feb/2015:10:05:03 +0000", None),
    ("17/May/2015:25:05:03 +0000", None),
    ("17/May/2015:10:05:03 +9999", None),
    ("17/May/2015:10:60:03 +0000", None),
    ("31/Dec/2016:23:59:60 +0000", datetime(2017, 1, 1, tzinfo=UTC)),
    ("01/Jan/2017:05:29:60 +0530", datetime(2017, 1, 1, tzinfo=UTC)),
    ("17/May/2015:10:05:60 +0000", None),
    ("29/Feb/2016:10:05:03 +0000", datetime(2016, 2, 29, 10, 5, 3, tzinfo=UTC)),
    # A type of times has the years 1 to 9999, in UTC too.
    ("01/Jan/0001:13:59:59 +1400", None),
    ("01/Jan/0001:14:00:00 +1400", datetime(1, 1, 1, tzinfo=UTC)),
    ("01/Jan/0001:00:00:00 -1400", datetime(1, 1, 1, 14, tzinfo=UTC)),
    ("31/Dec/9999:00:01:00 -2359", None),
    ("31/Dec/9999:00:00:59 -2359", datetime(9999, 12, 31, 23, 59, 59, tzinfo=UTC)),
    ("31/Dec/9999:22:59:60 -0100", None),
])  # fmt: skip
def test_impossible_times_are_null_everywhere(fasturl: Run, tmp_path: Path, written: str, time: Any) -> None:
    data = lines((COMBINED % 1).replace("17/May/2015:10:05:01 +0000", written))
    spelled = '%h %^[%d:%t %^] "%r" %s %b "%R" "%u"'
    for fmt in ("COMBINED", spelled):
        assert logs.read([data], fmt, ["time"]).read_all()["time"].to_pylist() == [time], fmt
        row = fasturl("parse", "-F", "time", "--log-format", fmt, stdin=data).row
        assert (row["time"] and datetime.fromisoformat(row["time"])) == time
        csv = fasturl("parse", "-F", "time", "--to", "csv", "--log-format", fmt, stdin=data).out
        assert csv.count(b"T") == (time is not None)
        (shown,) = logs.detect([data], fmt).rows
        assert shown.get("time") == time
        ran = fasturl("sql", "SELECT time IS NULL AS n FROM requests", "--log-format", fmt, stdin=data)
        assert ran.row == {"n": time is None}
        for kind in ("parquet", "arrow"):
            assert fasturl("parse", "-o", f"out.{kind}", "--log-format", fmt, stdin=data, cwd=tmp_path).status == 0
            assert [row["time"] for row in rows_of_file(tmp_path / f"out.{kind}")] == [time]
    hours = json.loads(fasturl("stats", "--json", "-t", "hour_of_day", stdin=data).out)["hour_of_day"]
    assert sum(hours.values()) == (time is not None)


def test_each_time_of_an_edge_of_the_years_is_judged_by_itself() -> None:
    """A time is not taken from that of the line before, of the same day, whose zone is possible there."""
    later, earlier = ((COMMON % 1).replace("17/May/2015:10:05:01 +0000", f"01/Jan/0001:{hour}:00:00 +0300")
                      for hour in ("04", "02"))  # fmt: skip
    times = logs.read([lines(later, earlier, later)], fields=["time"]).read_all()["time"].to_pylist()
    assert times == [datetime(1, 1, 1, 1, tzinfo=UTC), None, datetime(1, 1, 1, 1, tzinfo=UTC)]


def test_impossible_times_of_other_formats() -> None:
    header = "#Fields: date time cs-uri-stem sc-status"
    w3c = lines(header, "2015-02-31 10:05:03 /a 200", "2015-05-17 25:05:03 /a 200", "2016-12-31 23:59:60 /a 200")
    found = logs.read([w3c], fields=["time"]).read_all()["time"].to_pylist()
    assert found == [None, None, datetime(2017, 1, 1, tzinfo=UTC)]
    for time in (
        *("2015-02-31T10:05:03Z", "2015-05-17T10:05:03+24:00", "0000-01-01T00:00:00Z", "0001-01-01T00:00:00.5+00:01"),
        *("9999-12-31T23:59:59.999-00:01", "0001-01-01T00:00+00:01", "9999-12-31 23:59-01", "0000-01-01", "2015-02-31"),
        *("0000-01-01 10", "0001-01-01 00+01:00", "9999/12/31 23:59:59-0001"),
    ):
        entry = lines(json.dumps({"u": "/a", "t": time}))
        for others in ([], [json.dumps({"u": "/a", "t": "2015-05-17"})], [json.dumps({"u": "/a", "t": "yesterday"})]):
            read = logs.read([entry, lines(*others)], {"target": "u", "time": "t"}, fields=["time"])
            assert read.read_all()["time"].to_pylist()[0] is None


def test_caddy_tolerates_objects_that_are_no_requests() -> None:
    access = '{"ts":1431857103.5,"logger":"http.log.access","request":{"uri":"/a"},"status":200}'
    data = lines(*['{"level":"info","msg":"serving"}'] * 8, "plain text", access, access)
    assert logs.detect([data]).name == "CADDY"
    assert logs.read([data], fields=["path"], allow_rejects=True).read_all().num_rows == 2


def test_the_user_of_a_template(fasturl: Run) -> None:
    data = lines((COMBINED % 1).replace("- - [", "- frank ["))
    assert fasturl("parse", "-q", "-g", "{user}|{username}", stdin=data).out == b"frank|\n"
    assert fasturl("parse", "-q", "-g", "{user}|{username}", stdin=b"http://me@h/\n").out == b"me|me\n"


def test_headers_are_counted_as_headers(fasturl: Run) -> None:
    data = lines("#Version: 1.0", "#Fields: cs-uri sc-status", "/a 200", "")
    ran = fasturl("parse", stdin=data)
    assert ran.err.splitlines()[0].endswith("0 lines rejected, 1 empty, 2 header")
    assert ran.err.splitlines()[-1] == "-: W3C, 1 of 1 line"


@pytest.mark.parametrize(("line", "why"), [
    ("192.0.2.1 - - [17/May/2015", "time, column 16"),
    ("192.0.2.1 - - [17/May/2015:10:05:03 +0000] GET", "request, column 44"),
    ('h\u00e9 - - [x] "GET /a HTTP/1.1" two 12', "status, column 30"),
    ('h - - [x] "GET /a HTTP/1.1" 200 1x', "size, column 34"),
    ('h - - [x] "GET /a HTTP/1.1" 200 12 "r"', "agent, column 39"),
    ("plain", "end of the line"),
])  # fmt: skip
def test_a_reject_names_the_field_and_the_column(fasturl: Run, tmp_path: Path, line: str, why: str) -> None:
    data = lines(COMBINED % 1, line)
    fasturl("parse", "--log-format", "COMBINED", "--rejects", "r.jsonl", "-o", "out", stdin=data, cwd=tmp_path)
    [told] = [json.loads(each) for each in (tmp_path / "r.jsonl").read_text().splitlines()]
    assert told["reason"].startswith("not in the format COMBINED: ") and told["line"] == 2
    assert why in told["reason"] or line == "plain"


def test_intervals_are_text_that_duckdb_reads(fasturl: Run) -> None:
    duckdb = pytest.importorskip("duckdb")
    query = "SELECT INTERVAL '14 months -3 days -01:02:03.5' AS a, INTERVAL '0' SECOND AS b FROM requests"
    row = fasturl("sql", query, stdin=lines(COMBINED % 1)).row
    asked = "SELECT ?::INTERVAL = INTERVAL '14 months -3 days -01:02:03.5' AND ?::INTERVAL = INTERVAL '0' SECOND"
    assert duckdb.execute(asked, [row["a"], row["b"]]).fetchall() == [(True,)]


def test_the_domain_of_a_host_with_a_port(fasturl: Run) -> None:
    pytest.importorskip("publicsuffixlist")
    data = lines("www.example.com:443 " + COMBINED % 1)
    assert fasturl("stats", "-q", "-t", "domain", stdin=data).out == b"domain\n1\texample.com\n"


# https://github.com/allinurl/goaccess/issues/2348: nginx's main behind a balancer
def test_the_visitor_of_a_line_is_the_last_forwarded_address_that_no_proxy_has() -> None:
    lists = ["6.6.6.6, 198.51.100.7:80, 10.0.0.1", "-", "unknown, [2001:db8::1]:80", "10.0.0.2"]
    data = lines(*(MAIN % ("10.0.0.9", number, each) for number, each in enumerate(lists)))
    assert logs.detect([data]).name == "NGINXMAIN"
    found = logs.read([data], fields=["client", "forwarded", "visitor"]).read_all()
    assert set(found["client"].to_pylist()) == {"10.0.0.9"}
    assert found["forwarded"].to_pylist() == [None if each == "-" else each for each in lists]
    assert found["visitor"].to_pylist() == ["198.51.100.7", "10.0.0.9", "2001:db8::1", "10.0.0.9"]


def test_a_client_that_is_no_proxy_is_the_visitor_whatever_it_forwards() -> None:
    clients = ("192.0.2.1", "10.0.0.9", "::ffff:10.0.0.9", "h.example")
    data = lines(*(MAIN % (client, 1, "198.51.100.7") for client in clients))
    found = logs.read([data], fields=["visitor"]).read_all()["visitor"].to_pylist()
    assert found == ["192.0.2.1", "198.51.100.7", "198.51.100.7", "198.51.100.7"]


def test_trusted_proxies_and_anonymized_visitors(fasturl: Run) -> None:
    log = lines(MAIN % ("10.0.0.9", 1, "203.0.113.9, 198.51.100.7"))
    told = ["parse", "-q", "-F", "visitor,forwarded", "--trusted-proxies", "198.51.100.0/24,10.0.0.0/8"]
    assert fasturl(*told, stdin=log).row["visitor"] == "203.0.113.9"
    hidden = fasturl(*told, "--anonymize-client", "/24", stdin=log).row
    assert hidden == {"visitor": "203.0.113.0", "forwarded": "203.0.113.0, 198.51.100.0"}
    assert fasturl("parse", "--trusted-proxies", "x", stdin=log).status == 2


def test_of_several_columns_of_addresses_none_is_the_client_and_the_run_and_detect_say_so(fasturl: Run) -> None:
    inferred = [f'10.0.0.{at} x 198.51.100.{at} 2015-05-17T10:05:03Z "GET /a HTTP/1.1" 200' for at in (1, 2, 3)]
    assert logs.read([lines(*inferred)], fields=["client"]).read_all()["client"].null_count == 3
    common = [f'10.0.0.{at} 198.51.100.{at} - - [17/May/2015:10:05:03 +0000] "GET /a HTTP/1.1" 200 5' for at in (1, 2)]
    told = "not read: the client, because several addresses could be the client. Write %h for the right one in --log"
    for log in (lines(*inferred[:2]), lines(*common)):
        assert told in fasturl("stats", stdin=log).err and told in fasturl("detect", stdin=log).out.decode()
    one = [line.replace("x 198", "x-198") for line in inferred[:2]]
    assert "not read" not in fasturl("stats", stdin=lines(*one)).err


def test_what_follows_a_combined_line_behind_its_host_is_named(fasturl: Run) -> None:
    line = 'h.example 192.0.2.1 - - [17/May/2015:10:05:03 +0000] "GET /a HTTP/1.1" 200 5 "-" "curl/8" 0.012'
    told = fasturl("detect", stdin=lines(line)).out.decode().splitlines()[-1]
    spelled = told.partition("--log-format '")[2].rstrip("'")
    assert fasturl("parse", "--log-format", spelled, stdin=lines(line)).row["duration"] == 0.012


def test_other_messages_of_a_log_of_objects_do_not_end_the_run(fasturl: Run) -> None:
    request = '{"request":{"uri":"/a","method":"GET"},"status":200}'
    message = '{"level":"info","msg":"serving initial configuration"}'
    ran = fasturl("parse", stdin=lines(*[message] * 30, *[request] * 10))
    assert len(ran.rows) == 10 and ran.status == 0 and "30" in ran.err
    assert fasturl("parse", stdin=lines(*["{torn"] * 30, *[request] * 10)).status == 2


def test_a_named_format_is_not_called_the_closest(fasturl: Run) -> None:
    ran = fasturl("parse", "--log-format", "COMBINED", stdin=lines(COMBINED % 1, *["started"] * 3))
    assert ran.status == 2 and "3 of the first 4 lines are rejected" in ran.err and "closest" not in ran.err


def test_a_host_in_parentheses_of_every_line_is_the_virtual_host() -> None:
    line = '192.0.2.%d - (%s) - [17/May/2015:10:05:03 +0000] "GET /a HTTP/1.1" 200 5 "-" "curl/8"'
    proven = lines(line % (1, "a.example"), line % (2, "b.example"))
    assert logs.read([proven], fields=["vhost"]).read_all()["vhost"].to_pylist() == ["a.example", "b.example"]


# https://github.com/scrapy/scrapy, https://github.com/encode/httpx, https://github.com/urllib3/urllib3
@pytest.mark.parametrize("line", [
    "2022-05-30 18:08:10 [scrapy.core.engine] DEBUG: Crawled (200) <GET https://h.example/a> (referer: None)",
    '2015-05-17 10:05:01,028 INFO HTTP Request: POST https://api.example/a "HTTP/1.1 200 OK"',
    '2018-10-26 02:16:38,142 urllib3.connectionpool https://192.0.2.3:5986 "POST /a HTTP/1.1" 200 753',
    '{"time":"2015-05-17T10:05:03Z","method":"get","url":"/a","status":200}',
])  # fmt: skip
def test_lines_of_http_clients_are_no_requests(line: str) -> None:
    assert logs.detect([lines(line, line)]).name in ("UNKNOWN", "JSONL")
