"""Is a table read by the names of its header, and is a table of something else refused?"""

from datetime import UTC, datetime
from typing import Any

import pytest

from fasturl import logs

NAMES = ("time", "client", "method", "url", "protocol", "status", "size", "duration", "agent")
TIME = datetime(2015, 5, 17, 10, 5, 3, tzinfo=UTC)


def block(*lines: str) -> bytes:
    return "".join(f"{line}\n" for line in lines).encode()


@pytest.mark.parametrize(
    ("header", "row", "want"),
    [
        (
            "timestamp,method,path,status,duration_ms,client_ip,user_agent",
            '2015-05-17T10:05:03Z,GET,"/a,b",200,12.5,192.0.2.1,"Mozilla/5.0 (X11, ""x"")"',
            {"time": TIME, "method": "GET", "url": "/a,b", "status": 200, "duration": 0.0125, "client": "192.0.2.1",
             "agent": 'Mozilla/5.0 (X11, "x")'},
        ),
        ("Date;Time;IP;Request;Status;Bytes", "2015-05-17;10:05:03;192.0.2.1;GET /a HTTP/1.1;200;31",
         {"time": TIME, "client": "192.0.2.1", "method": "GET", "url": "/a", "protocol": "HTTP/1.1",
          "status": 200, "size": 31}),
        ("ip|ts|url|code|bytes|took", "192.0.2.1|1431857103000|/a|200|-|5",
         {"time": TIME, "client": "192.0.2.1", "url": "/a", "status": 200}),
        ("ts\tHTTP Method\tURI\tStatus Code\tResponse Time", "1431857103\tPOST\t/a b\t503\t1m2s",
         {"time": TIME, "method": "POST", "url": "/a b", "status": 503, "duration": 62.0}),
        ("time-local,remote-ip,http-verb,uri-path,resp-code,resp-bytes", "2015-05-17T10:05:03Z,192.0.2.1,GET,/a,200,31",
         {"time": TIME, "client": "192.0.2.1", "method": "GET", "url": "/a", "status": 200, "size": 31}),
        ('"Timestamp","Method","Url","Status","Latency"', '"2015-05-17 10:05:03","GET","https://h/a","204","12ms"',
         {"time": TIME, "method": "GET", "url": "https://h/a", "status": 204, "duration": 0.012}),
    ],
)  # fmt: skip
def test_a_header_names_the_columns(header: str, row: str, want: dict[str, Any]) -> None:
    for end in ("", "\r"):
        log = block(header + end, row + end, row + end)
        assert logs.detect([log]) == logs.Format("TABLE", 3, 3)
        rows = logs.read([log], fields=NAMES).read_all().to_pylist()
        assert rows == [{**dict.fromkeys(NAMES), **want}] * 2


@pytest.mark.parametrize(
    ("name", "duration"),
    [("duration_ms", 0.012), ("DurationMs", 0.012), ("request_time", 12.0), ("responseTime", None), ("Duration", None)],
)
def test_only_the_name_of_a_unit_tells_the_unit_of_a_table(name: str, duration: float | None) -> None:
    log = block(f"method,url,status,{name}", "GET,/a,200,12", "GET,/a,200,12")
    assert logs.read([log], fields=["duration"]).read_all().to_pylist() == [{"duration": duration}] * 2


@pytest.mark.parametrize(
    "lines",
    [
        ("name,age,city", "Ann,200,Paris"),
        ("title,url,status,date", "A,/a,200,2015-05-17"),
        ("id,method,url,status", "1,card,/a,paid"),
        ("method,url,status", "card,/a,200"),
        ("client,url,status", "ACME,http://h/a,200"),
        ("ip,url,status", "192.0.2.1,/a,1"),
        ("method,url,status",),
        ("method,url,status", "GET,/a"),
        ("Type,Name,Request Count,Failure Count", "GET,/a,200,0"),
    ],
)
def test_another_table_is_refused(lines: tuple[str, ...]) -> None:
    assert logs.detect([block(*lines, *lines[1:] * 20)]).name == "UNKNOWN"


def test_rows_of_another_kind_are_rejects() -> None:
    log = block("method,url,status", *["GET,/a,200"] * 20, "GET,/b", "method,url,status", "total,,20")
    assert logs.detect([log]) == logs.Format("TABLE", 24, 22)
    assert logs.read([log], fields=["url"]).read_all().num_rows == 20
