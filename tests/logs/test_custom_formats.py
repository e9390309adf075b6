"""Are lines of custom formats, as real configurations spell them, read to what slow patterns say, others rejected?"""

import random
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from customjson import ALL
from customlogs import NAMES, Custom
from slowlog import text

from fasturl import logs

FIELDS = ["line", *NAMES]
PIECES = [b" ", b'"', b"\\", b"-", b"[", b"]", b"\\x41", b'\\"', b"\xe9", b"/", b":", b"0", b"\t", b"{", b",", b" - ",
          b"a b"]  # fmt: skip
MAY = datetime(2015, 5, 17, 10, 5, 3, tzinfo=UTC)
NGINX_JSON = 'log_format a escape=%s \'{"u":"$request_uri","a":"$http_user_agent","r":"$request"}\';'


def changed(rng: random.Random, line: bytes) -> bytes:
    for _ in range(rng.choice([0, 1, 1, 2, 3])):
        at = rng.randrange(len(line))
        line = line[:at] + rng.choice(PIECES) + line[at + rng.randrange(3) :]
    return line


@pytest.mark.parametrize("custom", ALL, ids=lambda custom: custom.name)
def test_records_and_rejects(custom: Custom) -> None:
    lines = [*custom.lines, *custom.rejects]
    found = logs.parse_lines(lines, custom.make(), list(NAMES)).to_pylist()
    assert [row["rejected"] for row in found] == [False] * len(custom.lines) + [True] * len(custom.rejects)
    assert {name: found[0][name] for name in NAMES} == custom.said


@pytest.mark.parametrize("custom", ALL, ids=lambda custom: custom.name)
def test_rows_are_those_of_a_slow_pattern(custom: Custom, tries: int) -> None:
    rng = random.Random(custom.name)
    lines = [changed(rng, rng.choice(custom.lines)) for _ in range(min(tries, 4000))]
    lines = [line for line in lines if line]
    want = [custom.row(line) for line in lines]
    assert len(lines) // 8 < sum(row is not None for row in want) < len(lines)
    read = logs.read([b"\n".join(lines)], custom.make(), FIELDS, threads=2, allow_rejects=True).read_all()
    found = {row.pop("line"): row for row in read.to_pylist()}
    for number, (line, row) in enumerate(zip(lines, want, strict=True), 1):
        said = row and {name: text(value) if isinstance(value := row[name], bytes) else value for name in NAMES}
        assert found.get(number) == said, line


@pytest.mark.parametrize("custom", ALL, ids=lambda custom: custom.name)
def test_rows_by_url_hold_targets_and_referers(custom: Custom) -> None:
    block = b"".join(line + b"\n" for line in custom.lines)
    rows = logs.read([block], custom.make(), ["line", "url"], rows="url").read_all().to_pylist()
    by_request = logs.read([block], custom.make(), ["line", "url", "referer"]).read_all().to_pylist()
    want = [(row["line"], url) for row in by_request for url in (row["url"], row["referer"]) if url is not None]
    assert [(row["line"], row["url"]) for row in rows] == want


# --- three ways to spell one format ----------------------------------------------------------------------------------
COMBINED = (
    '%h %^[%d:%t %^] "%r" %s %b "%R" "%u"', r"%h %l %u %t \"%r\" %>s %b \"%{Referer}i\" \"%{User-Agent}i\"",
    '$remote_addr - $remote_user [$time_local] "$request" $status $body_bytes_sent "$http_referer" "$http_user_agent"',
)  # fmt: skip


@pytest.mark.parametrize("spelled", COMBINED)
def test_what_spells_combined_reads_it(spelled: str) -> None:
    line = b'192.0.2.1 - - [17/May/2015:10:05:03 +0200] "GET /a?b HTTP/1.1" 200 12 "http://r/\\"" "x \\x41"'
    torn = b'192.0.2.1 - - [17/May/2015 192.0.2.1 - - [17/May/2015:10:05:03 +0200] "GET / HTTP/1.1" 200 1 "-" "-"'
    fields = ["url", "client", "time", "status", "size", "agent", "referer_host", "protocol"]
    lines = [line, torn, line.replace(b" 200 ", b" - ")]
    assert logs.parse_lines(lines, spelled, fields) == logs.parse_lines(lines, "COMBINED", fields)


def test_a_record_torn_into_another_is_a_reject() -> None:
    line = b'h - - [17/May/2015:10:05:03 +0200] "GET / HTTP/1.1" 200 1 "-" "-"'
    for spelled in COMBINED:
        for at in range(6, len(line)):
            row = logs.parse_lines([line[:at] + line], spelled, ["client", "url"]).to_pylist()[0]
            assert row["rejected"], line[:at]


# --- what a format may say --------------------------------------------------------------------------------------------
def said(line: str, spelled: Any, *fields: str, **times: str) -> tuple[Any, ...]:
    made = logs.line_format(spelled, **times) if isinstance(spelled, str) else logs.json_format(spelled)
    row = logs.parse_lines([line], made, list(fields)).to_pylist()[0]
    assert not row["rejected"], line
    return tuple(row[name] for name in fields)


@pytest.mark.parametrize(("written", "form", "micro"), [
    ("2015-05-17T12:05:03+02:00", "%Y-%m-%dT%H:%M:%S%z", 0),
    ("Sun, 17 May 2015 10:05:03.25 GMT", "%a, %d %B %Y %T.%f %Z", 250000),
    ("05/17/15 10:05:03 AM", "%D %I:%M:%S %p", 0),            ("1431857103", "%s", 0),
    ("1431857103.125", "%s.%f", 125000),                      ("1431857103125", "%*", 125000),
    ("1431857103125001", "%f", 125001),                       ("2015-05-17Z10:05:03Z", "%FZ%TZ", 0),
])  # fmt: skip
def test_forms_of_times(written: str, form: str, micro: int) -> None:
    found = said(f'[{written}] "GET /"', '[%x] "%r"', "time", date_format=form)
    assert found == (MAY.replace(microsecond=micro),)


@pytest.mark.parametrize(("written", "form", "found"), [
    ("05/17/15 12:05:03 am", "%D %I:%M:%S %p", datetime(2015, 5, 17, 0, 5, 3, tzinfo=UTC)),
    ("05/17/15 12:05:03 PM", "%D %I:%M:%S %p", datetime(2015, 5, 17, 12, 5, 3, tzinfo=UTC)),
    ("05/17/15 11:05:03 pM", "%D %I:%M:%S %p", datetime(2015, 5, 17, 23, 5, 3, tzinfo=UTC)),
    ("05/17/69 01:05:03", "%D %T", datetime(1969, 5, 17, 1, 5, 3, tzinfo=UTC)),
    ("05/17/68 01:05:03", "%D %T", datetime(2068, 5, 17, 1, 5, 3, tzinfo=UTC)),
    ("2015-01- 7 00:00:00", "%Y-%m-%e %T", datetime(2015, 1, 7, tzinfo=UTC)),
    ("2016-02-29 00:00:00", "%Y-%m-%e %T", datetime(2016, 2, 29, tzinfo=UTC)),
    ("2015-05-17 10:05:03.1234567891", "%Y-%m-%d %T.%f", None),
    ("2015-05-17 10:05:03.", "%Y-%m-%d %T.%f", None),         ("05/17/15 11:05:03 xm", "%D %I:%M:%S %p", None),
    ("05/17/15 11:05:03 ax", "%D %I:%M:%S %p", None),         ("05/17/15 11:05:03 p", "%D %I:%M:%S %p", None),
    ("99999999999999999999", "%s", None),                     ("", "%s", None),
    ("1 7 2015", "%b %d %Y", None),
])  # fmt: skip
def test_times_at_their_ends(written: str, form: str, found: datetime | None) -> None:
    row = logs.parse_lines([f'[{written}] "GET /"'], logs.line_format('[%x] "%r"', date_format=form), ["time"])
    assert row.to_pylist()[0].get("time") == found


def test_apache_writes_a_time_in_pieces() -> None:
    spelled = "%{%Y-%m-%d %H:%M:%S}t.%{usec_frac}t %{%z}t %U"
    assert said("2015-05-17 12:05:03.000250 +0200 /a", spelled, "time") == (MAY.replace(microsecond=250),)
    for letter, written in (("sec", "1431857103"), ("msec", "1431857103000"), ("usec", "1431857103000000")):
        assert said(f"{written} /a", f"%{{{letter}}}t %U", "time") == (MAY,)


@pytest.mark.parametrize("letter", "DT")
def test_the_argument_of_a_duration_of_apache_is_its_unit(letter: str) -> None:
    for unit, seconds in (("s", 250.0), ("ms", 0.25), ("us", 0.00025)):
        assert said("250 /a", f"%{{{unit}}}{letter} %U", "duration") == (seconds,)


@pytest.mark.parametrize(("escaping", "written", "url"), [
    ("json", r"/caf\u00e9\u20ac\ud83d\ude00", "/caf\xe9\u20ac\U0001f600"),
    ("json", r"/a\"b\\c\/d\n\t\u0000\u001f", '/a"b\\c/d\n\t\x00\x1f'),
    ("json", r"/lone\ud83dx \ude00 \u12 \uzzzz \x41 \a \v \ud83d", None),
    ("json", r"/cut\u00e", None),                             ("json", r"/cut\ud83d\ude0", None),
    ("json", r"/two\ud83d\u0041", r"/two\ud83dA"),            ("json", "/raw\u00e9", "/raw\xe9"),
    ("default", r"/a\x22\x5Cb\u00e9", '/a"\\b\\u00e9'),       ("none", r"/a\x41\n\u00e9", r"/a\x41\n\u00e9"),
])  # fmt: skip
def test_escapes_are_those_that_nginx_was_told_to_write(escaping: str, written: str, url: str | None) -> None:
    line = f'{{"u":"{written}","a":"{written}","r":"GET {written} HTTP/1.1"}}'
    want = written if url is None else url
    assert said(line, NGINX_JSON % escaping, "method", "url", "agent") == ("GET", want, want)
    # The parts of a request by themselves, and joined.
    parts = 'log_format a escape=%s \'{"u":"$uri","q":"$args"}\';' % escaping
    assert said(f'{{"u":"{written}","q":"{written}"}}', parts, "url") == (f"{want}?{want}",)


@pytest.mark.parametrize(("line", "spelled", "want"), [
    # A target is joined from its parts. Parts that a request line has too are read once.
    ("GET /a?b HTTP/1.1 200", "%m %U%q %H %>s", {"method": "GET", "url": "/a?b", "protocol": "HTTP/1.1"}),
    ('"GET https://h/a b HTTP/1.1" 200', '"$request_method $scheme://$host$request_uri $server_protocol" $status',
     {"url": "https://h/a b", "status": 200}),
    ("h/a?b 200", "$host$request_uri $status", {"vhost": "h", "url": "/a?b"}),
    ("/a b=1 200", "$uri $args $status", {"url": "/a?b=1"}),
    ("/a - 200", "$uri $args $status", {"url": "/a"}),
    ('"" "b=1" 200', 'log_format a escape=default \'"$uri" "$args" $status\';', {"url": "?b=1"}),
    ('"" "b=1" 200', 'log_format a escape=none \'"$uri" "$args" $status\';', {"url": "?b=1"}),
    ('"GET /a HTTP/1.1" /index.php 200', '"%r" %U %s', {"url": "/a"}),
    # Directives, and words of nginx. A format that looks like an object is escaped as one.
    ("a /b 200", r'CustomLog "logs/x.log" "%h %U %>s"', {"client": "a", "url": "/b"}),
    ('{"u":"/a[\\"b","s":200}', 'log_format a escape=json \'{"u":"$request_uri",\' \'"s":$status}\';',
     {"url": '/a["b', "status": 200}),
    (r'{"u":"/caf\u00e9","s":200}', '{"u":"$request_uri","s":$status}', {"url": "/caf\xe9", "status": 200}),
    (r'{"u":"/caf\u00e9","s":200}', 'log_format a \'{"u":"$request_uri","s":$status}\';', {"url": r"/caf\u00e9"}),
    # Any number of spaces, commas between fields, a time without a date, and milliseconds apart from their second
    ("a    7 /b", "%h%~%b %U", {"size": 7, "url": "/b"}),
    ("a 7 /b ", "%h   %b %U %~", {"size": 7, "url": "/b"}),
    ("a     7 /b ", "%h   %b %U %~", {"size": 7, "url": "/b"}),
    ("h,/a b[1],200,x", "%h,%U,%s,%^", {"url": "/a b[1]", "status": 200}),
    ("10:05:03 h /a", "%{%H:%M:%S}x %h %U", {"time": None, "url": "/a"}),
    ("[1431857103.125] /a 200", r"log-format [%Ts.%ms]\ %HU\ %ST", {"time": MAY.replace(microsecond=125000)}),
    # The first address of a list, words in quotes, and what is left
    ("192.0.2.7, 10.0.0.1 - /a", "~h{, } %^ %U", {"client": "192.0.2.7", "url": "/a"}),
    ("192.0.2.7 - /a", "~h{, } %^ %U", {"client": "192.0.2.7", "url": "/a"}),
    ('"192.0.2.7, 10.0.0.1" - /a', '"~h{, }" %^ %U', {"client": "192.0.2.7", "url": "/a"}),
    ('"h /a\\"b" 200', '"$host $request_uri" $status', {"vhost": "h", "url": '/a"b'}),
    ("h /a Mozilla/5.0 (X11; de)", "$host $request_uri $http_user_agent",
     {"vhost": "h", "agent": "Mozilla/5.0 (X11; de)"}),
    # goaccess: a skipped field holds anything up to the next delimiter; a field in brackets may follow text.
    ('h [a "b] c] - /a', "%h %^] - %U", {"client": "h", "url": "/a"}),
    ("h x:y - z, /a", "%h %^, %U", {"url": "/a"}),
    ('h {a b "c} /a [17/May/2015:10:05:03 +0000]', "%h {%^} %U [%x]", {"url": "/a"}),
    ("GET /a [ip: 192.0.2.1] [useragent: Mozilla/5.0 (X11) [FBAN/x;y] z] [status: 200] [17/May/2015:10:05:03 +0000]",
     "%m %U [ip: %h] [useragent: %u] [status: %s] [%x]",
     {"client": "192.0.2.1", "agent": "Mozilla/5.0 (X11) [FBAN/x;y] z", "status": 200}),
    # Apache: directives of modules, trailers, conditions, and what a later version may add
    ('h TLSv1.3 - 0.1 7 "/a" x', r'%{c}h %{SSL_PROTOCOL}x %{local}p %^FB %{ms}T "%U" %!400,501{N}^to', None),
    ('h "GET /a HTTP/1.1" 200 u1 x', '%h "%r" %>s %{UNIQUE_ID}e %Z', {"url": "/a", "status": 200, "request_id": "u1"}),
    # varnishncsa
    ('h - - [17/May/2015:10:05:03 +0000] "GET http://h/a HTTP/1.1" 200 7 "-" "x" 0.1 hit x',
     '%h %l %u %t "%r" %s %b "%{Referer}i" "%{User-agent}i" %{Varnish:time_firstbyte}x %{Varnish:hitmiss}x '
     "%{VCL_Log:k}x",
     {"url": "http://h/a", "cache_status": "hit", "agent": "x", "duration": None}),
    # gunicorn
    ('192.0.2.1 - - [17/May/2015:10:05:03 +0000] "GET /a HTTP/1.1" 200 7 "-" "x" 12 0.5 h <7>',
     '%(h)s %(l)s %(u)s %(t)s "%(r)s" %(s)s %(b)s "%(f)s" "%(a)s" %(M)s %(L)s %({Host}i)s %(p)s',
     {"client": "192.0.2.1", "url": "/a", "status": 200, "size": 7, "agent": "x", "duration": 0.012, "vhost": "h"}),
    # HAProxy
    ("192.0.2.1:33 [06/Feb/2009:12:14:14.655] in~ b/s 1/0/-1/7/+109 200 +7 - - ---- 1/1/1/1/0 0/0 {h|x y} "
     '"GET /a HTTP/1.1"',
     '"%ci:%cp [%tr] %ft %b/%s %TR/%Tw/%Tc/%Tr/%Ta %ST %B %CC %CS %tsc %ac/%fc/%bc/%sc/%rc %sq/%bq %hr %hs %{+Q}r"',
     {"client": "192.0.2.1", "url": "/a", "status": 200, "duration": 0.109,
      "time": datetime(2009, 2, 6, 12, 14, 14, 655000, tzinfo=UTC)}),
    ('192.0.2.1 - GET "/a" 17/May/2015:10:05:03 +0000 "x" 12',
     r"log-format %{+Q}o\ %{-Q}ci\ -\ %{-Q}HM\ %HU\ %T\ %[capture.req.hdr(0)]\ %Tt", None),
    ('{"u":"/a","c":"192.0.2.1","s":200,"t":12}', """log-format '{"u":"%HU","c":"%ci","s":%ST,"t":%Tt}'""",
     {"url": "/a", "client": "192.0.2.1", "status": 200, "duration": 0.012}),
])  # fmt: skip
def test_what_configurations_say(line: str, spelled: str, want: dict[str, Any] | None) -> None:
    want = want or {"url": "/a"}
    assert said(line, spelled, *want) == tuple(want.values())


FILES = {
    "nginx.conf": ("http {\n  # log_format no '$uri';\n  log_format main escape=default '$remote_addr $request_uri '\n"
                   "    '$status';\n  server { access_log x main; }\n}",
                   "h /a 200"),
    "httpd.conf": ('<IfModule x>\nLogFormat "%h %U %>s" short\n  CustomLog "logs/a" short\n</IfModule>', "h /a 200"),
    "haproxy.cfg": ('global\n  log x\nfrontend web\n  bind :80\n  log-format "%ci %HU %ST"\n', "h /a 200"),
    "gunicorn.conf.py": ("bind = 'x'\naccess_log_format = '%(h)s %(U)s %(s)s'\n", "h /a 200"),
    "goaccess.conf": ("# x\ntime-format %T\ndate-format %Y\n#log-format x\nlog-format %h %^ %U %s\n", "h x /a 200"),
}  # fmt: skip


@pytest.mark.parametrize("name", FILES)
def test_a_configuration_is_searched_for_its_format(name: str, tmp_path: Path) -> None:
    text, line = FILES[name]
    path = tmp_path / name
    path.write_text(text)
    found = logs.parse_lines([line, "x"], f"@{path}", ["client", "url", "status"]).to_pylist()
    assert found[0] == {"client": "h", "url": "/a", "status": 200, "rejected": False} and found[1]["rejected"]


def test_of_several_formats_one_is_named(tmp_path: Path) -> None:
    path = tmp_path / "nginx.conf"
    path.write_text("log_format a '$uri $status';\nlog_format 'b' '$status $uri';\n log_format c '$status $uri x';")
    assert logs.parse_lines(["200 /a"], f"@{path}:c", ["url"]).to_pylist()[0]["rejected"]
    assert logs.parse_lines(["/a 200"], f"@{path}:a", ["url"]).to_pylist()[0]["url"] == "/a"
    with pytest.raises(logs.LogError, match=r"has the formats .*nginx\.conf:a, .*:c: name one"):
        logs.parse_lines(["x"], f"@{path}", ["url"])
    with pytest.raises(logs.LogError, match=r"has no format 'd'"):
        logs.parse_lines(["x"], f"@{path}:d", ["url"])
    with pytest.raises(logs.LogError, match=r"No such file"):
        logs.parse_lines(["x"], f"@{path}x", ["url"])
    path.write_text("server {}")
    with pytest.raises(logs.LogError, match=r"has no log format"):
        logs.parse_lines(["x"], f"@{path}", ["url"])


def test_a_custom_format_behind_a_prefix() -> None:
    line = b"May  7 10:05:03 web1 nginx: h /a 200"
    found = logs.read([line], "syslog+$host $uri $status", ["url", "vhost"]).read_all().to_pylist()
    assert found == [{"url": "/a", "vhost": "h"}]


@pytest.mark.parametrize(("line", "spelled"), [
    ('" /a" 200', '"$host $request_uri" $status'),            ('"h\\', '"$host $request_uri" $status'),
    ('h /a Mozilla "5.0"', "$host $request_uri $http_user_agent"),
    (", - /a", "~h{, } %^ %U"),                               ("h,/a,200,x,y", "%h,%U,%>s,%f"),
])  # fmt: skip
def test_what_these_are_not(line: str, spelled: str) -> None:
    assert logs.parse_lines([line], spelled, ["url"]).to_pylist()[0]["rejected"]


@pytest.mark.parametrize(("line", "found"), [
    ("GET /a HTTP/1.1 1m2.5s", ("GET", "/a", "HTTP/1.1", 62.5)),
    ("M-SEARCH * 5µs", ("M-SEARCH", "*", None, 5e-6)),        ("GET http://h/a 5μs", ("GET", "http://h/a", None, 5e-6)),
    ("CONNECT h:443 HTTP/2 -", ("CONNECT", "h:443", "HTTP/2", None)),
    ("GET /a HTTP/1.1 12", ("GET", "/a", "HTTP/1.1", None)),  ("GET /a HTTP/1.1 5m", ("GET", "/a", "HTTP/1.1", 300.0)),
    ("get /a 1s", None),                                      ("-GET /a 1s", None),
    ("GET a 1s", None),                                       ("GET *a 1s", None),
    ("GET a:// 1s", ("GET", "a://", None, 1.0)),              ("GET a:/ 1s", None),
    ("GET", None),                                            ("GET ", None),
    ("GET  1s", None),                                        ("GET /a", None),
])  # fmt: skip
def test_words_of_a_request_and_a_unit(line: str, found: tuple[Any, ...] | None) -> None:
    row = logs.parse_lines([line], "%{words}r %{unit}T%~", ["method", "url", "protocol", "duration"]).to_pylist()[0]
    assert (None if row.pop("rejected") else tuple(row.values())) == found


@pytest.mark.parametrize(
    ("written", "micro"),
    [("10:05:03", 0), ("10:05:03.25", 250000), ("10:05:03.123456789", 123456), ("10:05:03.", None)],
)
def test_a_fraction_may_be_missing(written: str, micro: int | None) -> None:
    row = logs.parse_lines([f"2015-05-17 {written} /a"], "%{%F %T%.}x %U", ["time"]).to_pylist()[0]
    assert row["time"] == (None if micro is None else MAY.replace(microsecond=micro))


def test_a_form_in_an_argument_names_its_place() -> None:
    with pytest.raises(logs.LogError, match=r"offset 3: %\{%Y%Q\}x: .*unknown %Q"):
        logs.line_format("%U %{%Y%Q}x")


def test_mapped_fields() -> None:
    line = '{"a":{"r":"GET /a?b HTTP/1.1"},"c.d":"h","q":["x"],"t":"1431857103"}'
    names = {"request": "a.r", "vhost": "c.d", "agent": "q", "time": "t"}
    found = said(line, names, "method", "url", "protocol", "vhost", "agent", "time")
    assert found == ("GET", "/a?b", "HTTP/1.1", "h", "x", MAY)
    assert said('{"u":"/a","q":"b=1"}', {"target": "u", "query": "q"}, "url") == ("/a?b=1",)


def test_a_line_in_a_field_is_of_any_common_or_custom_format() -> None:
    line = b'{"log":"h /a 200\\n"}'
    made = logs.json_format({"line": "log"}, line=logs.line_format("%h %U %>s"))
    found = logs.parse_lines([line, b'{"log":"h"}', b"", b"{}"], made, ["url", "status"]).to_pylist()
    assert [row["url"] for row in found] == ["/a", None, None, None]
    table = logs.read([b"\n".join([line, b"", b"{}", line])], made, ["line", "url"]).read_all()
    assert table.to_pylist() == [{"line": 1, "url": "/a"}, {"line": 4, "url": "/a"}]


def test_a_field_reaches_up_to_its_whole_delimiter() -> None:
    spelled = "$when | $request_uri | $http_referer | $http_user_agent | $remote_addr | $body_bytes_sent | $zone"
    line = "17 May 10:05 | /a | http://r/ | a (b; c) [d] | 192.0.2.1 | 12 | a | b"
    fields = ("url", "referer", "agent", "client", "size")
    assert said(line, spelled, *fields) == ("/a", "http://r/", "a (b; c) [d]", "192.0.2.1", 12)
    for rest in ("", "a", 'a "b [c', 'a | "'):
        assert said(f"h | /a | 200 | {rest}", "%h | %U | %s | %^", "url", "status") == ("/a", 200)
    kept = logs.line_format(spelled).make()
    kept.keep(("when", "zone"))
    assert [column.name for column in kept.kept or ()] == ["when", "zone"]
    found = said("/a curl (x) -- 200", "$request_uri $http_user_agent -- $status", "agent", "status")
    assert found == ("curl (x)", 200)
    assert said("/a, b c, 200", "$request_uri, $http_user_agent, $status", "agent") == ("b c",)


@pytest.mark.parametrize("end", [r"\n", r"\r\n", "\n"])
def test_a_format_may_end_with_the_end_of_its_line(end: str) -> None:
    for spelled in (f"$remote_addr $request_uri{end}", f"log_format a '$remote_addr $request_uri{end}';"):
        assert said("h /a", spelled, "client", "url") == ("h", "/a")


@pytest.mark.parametrize("spelled", [
    "%H %s  %T secs:  %b bytes  %U", "$server_protocol $status  $request_time secs:  $bytes_sent bytes  $uri",
])  # fmt: skip
def test_two_blanks_stand_for_any_number(spelled: str) -> None:
    for blanks in (" ", "  ", "      "):
        line = f"HTTP/1.1 200{blanks}0.25 secs:{blanks}12 bytes{blanks}/a"
        assert said(line, spelled, "status", "duration", "size", "url") == (200, 0.25, 12, "/a")


# --- what cannot be a format -----------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("spelled", "message"),
    [
        ("%h%s %U", r"offset 2: %s: nothing separates it from %h"),
        ('$remote_addr$status "$request"', r"offset 12: \$status: nothing separates it from \$remote_addr"),
        (r'LogFormat "%h %>s%b \"%r\"" x', r"offset 17: %b: nothing separates it from %>s"),
        ("%h %r %s", "offset 3: %r: a request line has spaces"),
        ('%h "%r x" %^', "offset 4: %r: its quotes must contain only"),
        ("%h %s", "no field is a request"),
        ("%h %Y %^ %U", "offset 3: %Y: goaccess has no such field"),
        ("%h %Z %", "read as Apache's: offset 6: %: Apache has no field that starts"),
        ("%d %h%s %U", "read as goaccess's: offset 5: %s: nothing separates"),
        ("%(h)s %(", "read as gunicorn's: offset 6: %: gunicorn has no field"),
        ("%ci:%cp%ST %HU", "read as HAProxy's: offset 7: %ST: nothing separates"),
        ("$remote_addr $status", "read as nginx's: offset 0: no field is a request"),
        ("%h % %U", "offset 3: %: Apache has no field that starts"),
        ("%h\n%U", "offset 2: .*: a format is one line"),
        ("%{%Y-%Q}t %U", "unknown %Q"),
        ("LogFormat combined", "the format after it must be in quotes"),
        ("%h " * 200 + "%U", "too long"),
    ],
)
def test_a_format_that_cannot_be_read_names_the_place(spelled: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        logs.line_format(spelled)


@pytest.mark.parametrize(
    ("fields", "options", "message"),
    [
        ({"path": "a"}, {}, "unknown column 'path'"),
        ({"status": "a"}, {}, "no field is a request"),
        ({"line": "a", "status": "b"}, {}, "map only line"),
        ({"line": "a"}, {"line": "URLS"}, "not URLS"),
        ({"target": "a"}, {"line": "COMMON"}, "map line=FIELD"),
    ],
)
def test_a_mapping_that_says_no_request(fields: dict[str, str], options: dict[str, Any], message: str) -> None:
    with pytest.raises(logs.LogError, match=message):
        logs.json_format(fields, **options)


def test_times_belong_to_goaccess_formats() -> None:
    with pytest.raises(logs.LogError, match="only a goaccess format"):
        logs.line_format("$request_uri $status", date_format="%s")
