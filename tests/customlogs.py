"""Line formats from real configurations, each with records, rejects and a hand-written pattern. The pattern tells
records from rejects and shares no code with the reader."""

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

import slowlog

from fasturl import logs

Row = dict[str, Any]
NAMES = ("client", "user", "time", "method", "url", "protocol", "status", "size", "agent", "vhost", "referer")

_WORD = rb'[^ "\[\]]+'
_ANY = rb"[^ ]+"  # a skipped field of a goaccess format
_CLIENT_AND_PORT = rb'(?P<client>[^ "\[\]]+):(?=[^ "\[\]:]*["\[\] ])[^ ]+'  # at the last colon of the word
_QUOTED = rb'(?:[^"\\]|\\.)*'
_ZONED = r"%d/%b/%Y:%H:%M:%S %z"
# Behind a time: its fraction and its zone. Anything else makes the time unknown.
_TAIL = re.compile(rb"\.[0-9]{1,9}(?:Z|z|[+-][0-9]{2}(?::?[0-9]{2})?)?")


@dataclass(frozen=True)
class Custom:
    """One format. `row` returns a line's fields, or None for a reject; `said` is the first line's row, by hand."""

    name: str
    make: Callable[[], logs.LogFormat]
    lines: list[bytes]
    rejects: list[bytes]
    said: Row
    row: Callable[[bytes], Row | None]
    more: list[bytes] = field(default_factory=list)  # records too


def _words(*pieces: bytes) -> bytes:
    return b" ".join(pieces)


def _zone(text: str) -> str:
    return re.sub(r"([+-][0-9]{2})\Z", r"\g<1>00", re.sub(r"[Zz]\Z", "+0000", text))


def moment_of(written: bytes | None, form: str) -> datetime | None:
    """Parse a time with Python's own reader. A fraction has up to nine digits, of which six count."""
    try:
        text = re.sub(r"(\.[0-9]{6})[0-9]{1,3}(?![0-9])", r"\1", _zone((written or b"").decode("latin-1")))
        text = re.sub(r"/([A-Za-z]{3})[A-Za-z]*/", r"/\1/", text)
        form = form if "." in text else form.replace(".%f", "")
        found = datetime.strptime(text, form if re.search(r"[+-][0-9:]{4,5}\Z", text) else form.replace("%z", ""))
    except ValueError:
        return None
    return found if found.tzinfo else found.replace(tzinfo=UTC)


def _by_pattern(pattern: bytes, form: str) -> Callable[[bytes], Row | None]:
    compiled = re.compile(pattern, re.DOTALL)

    def row(line: bytes) -> Row | None:
        said = slowlog.custom_row(compiled.fullmatch(line))
        if said is None:
            return None
        tail = said.pop("tail") or b""
        time = said["time"] and said["time"] + (tail if _TAIL.fullmatch(tail) else b"")
        return {**said, "time": moment_of(time, form)}

    return row


_ZONE = rb"(?:Z|z|[+-][0-9]{2}(?::?[0-9]{2})?)"
_DAY = rb"[0-9]{1,2}/(?i:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[A-Za-z]*/[0-9]{4}"
_TIME = rb"(?P<time>" + _DAY + rb":[0-9]{1,2}:[0-9]{1,2}:[0-9]{1,2} " + _ZONE + rb"|-)"
_STATUS = rb"(?P<status>[0-9]{1,3}|-[0-9]*)"
_SIZE = rb"(?P<size>[0-9]{1,20}|-[0-9]*)"
_REQUEST = rb'"(?P<request>' + _QUOTED + rb')"'
_REFERER = rb'"(?P<referer>' + _QUOTED + rb')"'
_AGENT = rb'"(?P<agent>' + _QUOTED + rb')"'
_USER = rb'(?P<user>""|[^"\[\]]+)'

# --- Apache: what Debian calls vhost_combined -----------------------------------------------------------------------
APACHE = Custom(
    "apache",
    lambda: logs.line_format(
        r'LogFormat "%v:%p %h %l %u %t \"%r\" %>s %O \"%{Referer}i\" \"%{User-Agent}i\"" vhost_combined'
    ),
    [
        b'www.example.org:443 192.0.2.7 - frank [10/Oct/2023:13:55:36 +0200] "GET /a?b=[1] HTTP/1.1" 200 5316 '
        rb'"https://example.org/\"x\"" "Mozilla/5.0 [de] (X11)"',
        b'::1:80 ::1 - Anna Maria [1/Jan/2024:00:00:00 -0500] "-" 408 - "-" "-"',
        b'h:80 c - "" [10/Oct/2023:13:55:36 +0200] "POST /a b HTTP/2.0" 500 0 "" ""',
    ],
    [
        b'www.example.org 192.0.2.7 - - [10/Oct/2023:13:55:36 +0200] "GET / HTTP/1.1" 200 5 "-" "-"',
        b'h:80 c - - [10/Oct/2023:13:55:36 +0200] "GET / HTTP/1.1" 200 5 "-" "-" more',
        b'h:80 c - - [10/Oct/2023:13:55 h:80 c - - [10/Oct/2023:13:55:36 +0200] "GET / HTTP/1.1" 200 5 "-" "-"',
        b'h:80 c - a - [10/Oct/2023:13:55:36 +0200] "GET / HTTP/1.1" 200 5 "-" "-"',
    ],
    {
        "client": "192.0.2.7", "user": "frank", "time": datetime(2023, 10, 10, 11, 55, 36, tzinfo=UTC), "method": "GET",
        "url": "/a?b=[1]", "protocol": "HTTP/1.1", "status": 200, "size": 5316, "agent": "Mozilla/5.0 [de] (X11)",
        "vhost": "www.example.org", "referer": 'https://example.org/"x"',
    },
    _by_pattern(
        _words(
            rb'(?P<vhost>[^ "\[\]]+):[^ "\[\]:]+',
            rb"(?P<client>" + _WORD + rb")",
            _WORD,
            *(_USER, rb"\[" + _TIME + rb"\]", _REQUEST, _STATUS, _SIZE, _REFERER, _AGENT),
        ),
        _ZONED,
    ),
)  # fmt: skip

# --- nginx: its own `main`, with times and an upstream --------------------------------------------------------------
NGINX = Custom(
    "nginx",
    lambda: logs.line_format("""
        log_format  main  '$remote_addr - $remote_user [$time_local] "$request" '
                          '$status $body_bytes_sent "$http_referer" '
                          '"$http_user_agent" "$http_x_forwarded_for" $request_time $upstream_response_time';
    """),
    [
        b'198.51.100.3 - - [17/May/2015:10:05:03 +0000] "GET /caf\\xC3\\xA9 HTTP/1.1" 200 12 "http://r.example/" '
        b'"curl/8" "203.0.113.9, 10.0.0.1" 0.005 0.004',
        b'h - u [17/May/2015:10:05:03 +0000] "\\x16\\x03" 400 157 "-" "-" "-" 0.0 -',
        b'h - u [17/May/2015:10:05:03 +0000] "GET / HTTP/1.1" 502 157 "-" "-" "-" 0.1 0.1, 0.2 : 0.3',
    ],
    [
        b'h - u [17/May/2015:10:05:03 +0000] "GET / HTTP/1.1" 502 157 "-" "-" "-" 0.1 0.1 0.2',
        b'h u [17/May/2015:10:05:03 +0000] "GET / HTTP/1.1" 200 157 "-" "-" "-" 0.1 0.1',
        b'h - u [17/May/2015] "GET / HTTP/1.1" 200 157 "-" "-" "-" 0.1 0.1',
        b'h - u [17/May/2015:10:05:03 +0000] "GET / HTTP/1.1" 200 157 "-" "-" "-"',
    ],
    {
        "client": "198.51.100.3", "user": None, "time": datetime(2015, 5, 17, 10, 5, 3, tzinfo=UTC), "method": "GET",
        "url": "/café", "protocol": "HTTP/1.1", "status": 200, "size": 12, "agent": "curl/8", "vhost": None,
        "referer": "http://r.example/",
    },
    _by_pattern(
        _words(
            *(
                rb"(?P<client>" + _WORD + rb")", b"-", _USER, rb"\[" + _TIME + rb"\]", _REQUEST, _STATUS, _SIZE,
                _REFERER,
            ),
            *(_AGENT, rb'"' + _QUOTED + rb'"', _WORD, _WORD + rb"(?:(?:(?<=,) | : )" + _WORD + rb")*"),
        ),
        _ZONED,
    ),
)  # fmt: skip

# --- IIS: W3C's fields, by a goaccess format ------------------------------------------------------------------------
IIS = Custom(
    "iis",
    lambda: logs.line_format(
        "%d %t %^ %m %U %q %^ %e %h %u %R %s %^ %^ %^", date_format="%Y-%m-%d", time_format="%H:%M:%S"
    ),
    [
        b"2023-10-10 13:55:36 10.0.0.4 GET /default.aspx id=7&x=[1] 443 - 192.0.2.7 Mozilla/5.0+(X11) "
        b"https://r.example/ 200 0 0 15".replace(b"[1]", b"1"),
        b"2023-10-10 23:59:59 10.0.0.4 POST /a - 80 DOM\\me ::1 - - 404 0 2 1",
    ],
    [
        b"#Fields: date time s-ip cs-method cs-uri-stem cs-uri-query",
        b"2023-10-10 13:55:36 10.0.0.4 GET /a - 443 - 192.0.2.7 Mozilla/5.0 (X11; x) - 200 0 0 15",
        b"2023-10-10 13:55 10.0.0.4 GET /a - 443 - 192.0.2.7 Mozilla - 200 0 0 15",
    ],
    {
        "client": "192.0.2.7", "user": None, "time": datetime(2023, 10, 10, 13, 55, 36, tzinfo=UTC), "method": "GET",
        "url": "/default.aspx?id=7&x=1", "protocol": None, "status": 200, "size": None, "agent": "Mozilla/5.0+(X11)",
        "vhost": None, "referer": "https://r.example/",
    },
    _by_pattern(
        _words(
            rb"(?P<time>[0-9]{4}-[0-9]{1,2}-[0-9]{1,2} [0-9]{1,2}:[0-9]{1,2}:[0-9]{1,2})",
            *(_WORD, rb"(?P<method>" + _WORD + rb")", rb"(?P<path>" + _WORD + rb")", rb"(?P<query>" + _WORD + rb")"),
            *(_ANY, rb"(?P<user>" + _WORD + rb")", rb"(?P<client>" + _WORD + rb")", rb"(?P<agent>" + _WORD + rb")"),
            *(rb"(?P<referer>" + _WORD + rb")", _STATUS, _ANY, _ANY, _ANY),
        )
        + rb"(?P<more>(?: .*)?)",
        "%Y-%m-%d %H:%M:%S",
    ),
)  # fmt: skip

# --- HAProxy: option httplog, behind syslog's own beginning ---------------------------------------------------------
_PART = rb"[^/]*"
HAPROXY = Custom(
    "haproxy",
    lambda: logs.line_format(
        '%^[%^]: %h:%^ [%d:%t.%^] %^ %^/%^ %^/%^/%^/%^/%^ %s %b %^ %^ %^ %^/%^/%^/%^/%^ %^/%^ {%^} {%^} "%r"'
    ),
    [
        b"Feb  6 12:14:14 localhost haproxy[14389]: 10.0.1.2:33317 [06/Feb/2009:12:14:14.655] http-in static/srv1 "
        b'10/0/30/69/109 200 2750 - - ---- 1/1/1/1/0 0/0 {1wt.eu|Mozilla/5.0 (X11)} {} "GET /index.html HTTP/1.1"',
        b"Feb  6 12:14:14 h haproxy[1]: 2001:db8::1:33317 [06/Feb/2009:12:14:14.655] in in/<NOSRV> "
        b'-1/-1/-1/-1/5001 408 212 - - cR-- 0/0/0/0/0 0/0 {} {} "<BADREQ>"',
    ],
    [
        b"Feb  6 12:14:14 h haproxy[1]: Proxy in started.",
        b"Feb  6 12:14:14 h haproxy[1]: 10.0.1.2:33317 [06/Feb/2009:12:14:14.655] in static/srv1 10/0/30/69/109 200",
        b"Feb  6 12:14:14 h haproxy[1]: 10.0.1.2:33317 [06/Feb/2009:12:14:14.655] in s/1 "
        b'10/0/30/69 200 2750 - - ---- 1/1/1/1/0 0/0 {} {} "GET /index.html HTTP/1.1"',
    ],
    {
        "client": "10.0.1.2", "user": None, "time": datetime(2009, 2, 6, 12, 14, 14, 655000, UTC), "method": "GET",
        "url": "/index.html", "protocol": "HTTP/1.1", "status": 200, "size": 2750, "agent": None, "vhost": None,
        "referer": None,
    },
    _by_pattern(
        _words(
            rb'(?P<words>[^"\[\]]*)\[(?:(?!\]: ).)*\]:',
            _CLIENT_AND_PORT[: -len(_ANY)] + rb"(?:(?! \[).)*",
            rb"\[(?P<time>" + _DAY + rb":[0-9]{1,2}:[0-9]{1,2}:[0-9]{1,2})(?P<tail>\." + _WORD + rb")\]",
            *(_ANY, _PART + rb"/" + _ANY, b"/".join([_PART] * 4) + rb"/" + _ANY, _STATUS, _SIZE, _ANY, _ANY, _ANY),
            *(b"/".join([_PART] * 4) + rb"/" + _ANY, _PART + rb"/(?:(?! \{).)*"),
            *(rb"\{(?:(?!\} \{).)*\}", rb'\{(?:(?!\} ").)*\}', _REQUEST),
        )
        + rb"(?P<more>(?: .*)?)",
        "%d/%b/%Y:%H:%M:%S.%f",
    ),
)  # fmt: skip

# --- Envoy: its default ---------------------------------------------------------------------------------------------
ENVOY = Custom(
    "envoy",
    lambda: logs.line_format(
        '[%dT%t.%^] "%r" %s %^ %^ %b %L %^ "~h{, }" "%u" "%^" "%v" "%^"', date_format="%Y-%m-%d", time_format="%H:%M:%S"
    ),
    [
        b'[2016-04-15T20:17:00.310Z] "POST /api/v1/locations?a=%5B HTTP/2" 204 - 154 0 226 100 "10.0.35.28, 10.0.0.1" '
        b'"nsq2http [x]" "cc21d9b0-cf5c-432b-8c7e-98aeb7988cd2" "locations" "tcp://10.0.2.1:80"',
        b'[2016-04-15T20:17:00.310Z] "- - HTTP/1.1" 0 DC 0 0 1 - "-" "-" "-" "-" "-"',
    ],
    [
        b"[2016-04-15 20:17:00.310][1][info] starting",
        b'[2016-04-15T20:17:00.310Z] "GET / HTTP/2" 2040 - 154 0 226 100 "10.0.35.28" "a" "b" "c" "d"',
        b'[2016-04-15T20:17:00.310Z] "GET / HTTP/2" 204 - 154 0 226 100 "10.0.35.28" "a" "b" "c',
    ],
    {
        "client": "10.0.35.28", "user": None, "time": datetime(2016, 4, 15, 20, 17, 0, 310000, UTC), "method": "POST",
        "url": "/api/v1/locations?a=%5B", "protocol": "HTTP/2", "status": 204, "size": 0, "agent": "nsq2http [x]",
        "vhost": "locations", "referer": None,
    },
    _by_pattern(
        _words(
            rb"\[(?P<time>[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}T[0-9]{1,2}:[0-9]{1,2}:[0-9]{1,2})(?P<tail>\."
            + _WORD
            + rb")\]",
            *(_REQUEST, _STATUS, _ANY, _ANY, _SIZE, _WORD, rb'(?:(?! ").)*'),
            rb'"(?P<client>(?:[^"\\ ,]|\\.)*)' + _QUOTED + rb'"',
            *(_AGENT, rb'"' + _QUOTED + rb'"', rb'"(?P<vhost>' + _QUOTED + rb')"', rb'"' + _QUOTED + rb'"'),
        )
        + rb"(?P<more>(?: .*)?)",
        "%Y-%m-%dT%H:%M:%S.%f%z",
    ),
)  # fmt: skip

# --- CloudFront: tabs -----------------------------------------------------------------------------------------------
_CELL = rb"[^\t]*"
CLOUDFRONT = Custom(
    "cloudfront",
    lambda: logs.line_format(
        r"%d\t%t\t%^\t%b\t%h\t%m\t%v\t%U\t%s\t%R\t%u\t%q\t%^", date_format="%Y-%m-%d", time_format="%H:%M:%S",
    ),
    [b"2019-12-04\t21:02:31\tLAX1\t392\t192.0.2.100\tGET\td111111abcdef8.cloudfront.net\t/index.html\t200\t-\t"
     b"Mozilla/5.0%20(Windows)\tq=1\t-",
     b'2019-12-04\t21:02:31\tLAX1\t\t192.0.2.100\tGET\th\t/a[b] "c"\t000\thttp://r/\t-\t-\tHit'],
    [b"#Version: 1.0",
     b"2019-12-04\t21:02:31\tLAX1\t392\t192.0.2.100\tGET\th\t/\t200\t-\t-\t-",
     b"2019-12-04\t21:02:31\tLAX1\t392\t192.0.2.100\tGET\th\t/\t200\t-\t-\t-\tHit\tHit",
     b"2019-12-04\t21:02:31\tLAX1\tsome\t192.0.2.100\tGET\th\t/\t200\t-\t-\t-\tHit"],
    {"client": "192.0.2.100", "user": None, "time": datetime(2019, 12, 4, 21, 2, 31, tzinfo=UTC), "method": "GET",
     "url": "/index.html?q=1", "protocol": None, "status": 200, "size": 392, "agent": "Mozilla/5.0%20(Windows)",
     "vhost": "d111111abcdef8.cloudfront.net", "referer": None},
    _by_pattern(
        b"\t".join((rb"(?P<time>[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}\t[0-9]{1,2}:[0-9]{1,2}:[0-9]{1,2})",
                    *(_CELL, rb"(?P<size>[0-9]{1,20}|-[0-9]*|)", rb"(?P<client>" + _CELL + rb")"),
                    *(rb"(?P<method>" + _CELL + rb")", rb"(?P<vhost>" + _CELL + rb")", rb"(?P<path>" + _CELL + rb")"),
                    *(rb"(?P<status>[0-9]{1,3}|-[0-9]*|)", rb"(?P<referer>" + _CELL + rb")",
                      rb"(?P<agent>" + _CELL + rb")"),
                    *(rb"(?P<query>" + _CELL + rb")", _CELL))),
        "%Y-%m-%d\t%H:%M:%S",
    ),
)  # fmt: skip

# --- ALB ------------------------------------------------------------------------------------------------------------
ALB = Custom(
    "alb",
    lambda: logs.line_format(
        '%^ %dT%t.%^ %v %h:%^ %^ %^ %T %^ %s %^ %^ %b "%r" "%u" %k %K %^', date_format="%Y-%m-%d", time_format="%T",
    ),
    [b"h2 2018-07-02T22:23:00.186641Z app/balancer/50dc6c495c0c9188 2001:db8::1:2817 10.0.0.1:80 0.000 0.001 0.000 "
     b'200 200 34 366 "GET http://www.example.com:80/a?b HTTP/1.1" "curl/7.46.0" - - arn:aws:tg "Root=1-58" "-" 0',
     b"http 2018-07-02T22:23:00.186641Z app/b/5 192.168.131.39:2817 - -1 -1 -1 460 - 34 0 "
     b'"- http://h:80- -" "-" ECDHE TLSv1.2 -'],
    [b'http 2018-07-02T22:23:00.186641Z app/b/5 192.168.131.39 - -1 -1 -1 460 - 34 0 "-" "-" - - -',
     b'http 2018-07-02T22:23:00.186641Z app/b/5 1.2.3.4:5 - -1 -1 -1 460 - 34 0 "GET / HTTP/1.1" "-" - - - '
     b'"GET /second HTTP/1.1"',
     b'http yesterday app/b/5 1.2.3.4:5 - -1 -1 -1 460 - 34 0 "-" "-" - - -'],
    {"client": "2001:db8::1", "user": None, "time": datetime(2018, 7, 2, 22, 23, 0, 186641, UTC), "method": "GET",
     "url": "http://www.example.com:80/a?b", "protocol": "HTTP/1.1", "status": 200, "size": 366, "agent": "curl/7.46.0",
     "vhost": "app/balancer/50dc6c495c0c9188", "referer": None},
    _by_pattern(
        _words(
            _ANY,
            rb"(?P<time>[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}T[0-9]{1,2}:[0-9]{1,2}:[0-9]{1,2})(?P<tail>\." + _WORD + rb")",
            rb"(?P<vhost>" + _WORD + rb")",
            _CLIENT_AND_PORT,
            *(_ANY, _ANY, _WORD, _ANY, _STATUS, _ANY, _ANY, _SIZE, _REQUEST, _AGENT, _WORD, _WORD, _ANY),
        ) + rb"(?P<more>(?: .*)?)",
        "%Y-%m-%dT%H:%M:%S.%f%z",
    ),
)  # fmt: skip

BY_PATTERN = (APACHE, NGINX, IIS, HAPROXY, ENVOY, CLOUDFRONT, ALB)
