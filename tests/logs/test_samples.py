"""Is each sample of a server's log detected by itself and read to what the server means?"""

import json
from typing import Any

import pytest
from logsamples import PREFIXES, REFUSED, SAMPLES, SOURCES

from fasturl import logs


def found(lines: list[str], want: dict[str, Any], name: str) -> None:
    data = "".join(f"{line}\n" for line in lines).encode()
    assert logs.detect([data]).name == name
    rows = logs.read([data], fields=[*want]).read_all().to_pylist()
    assert rows == [want] * len(lines)


def test_there_are_a_hundred_samples_and_each_has_a_source() -> None:
    assert len(SAMPLES) + len(REFUSED) >= 100
    assert all(address.startswith("https://") for address in SOURCES.values()) and len(SOURCES) >= 40


@pytest.mark.parametrize("line", REFUSED)
def test_a_line_of_another_log_is_no_request(line: str) -> None:
    data = f"{line}\n".encode() * 3
    assert logs.detect([data]).name in ("UNKNOWN", "JSONL")
    with pytest.raises(logs.LogError):
        logs.read([data])


@pytest.mark.parametrize(("source", "name", "line", "want"), SAMPLES, ids=[sample[0] for sample in SAMPLES])
def test_a_sample_is_detected_and_read(source: str, name: str, line: str, want: dict[str, Any]) -> None:
    found([line] * 3, want, name)


@pytest.mark.parametrize("prefix", PREFIXES, ids=[start for _, start in PREFIXES])
@pytest.mark.parametrize("source", ["httpd", "haproxy http", "envoy", "nginx json", "uwsgi"])
def test_a_sample_behind_a_prefix(prefix: tuple[str, str], source: str) -> None:
    name, line, want = next(sample[1:] for sample in SAMPLES[::-1] if sample[0] == source)
    want = {column: value for column, value in want.items() if column != "time"}  # the prefix may have one
    found([prefix[1] + line] * 3, want, f"{prefix[0]}+{name}")


def test_a_sample_in_the_objects_of_docker() -> None:
    _, name, line, want = SAMPLES[1]
    found([json.dumps({"log": line + "\n", "stream": "stdout"})] * 3, want, f"DOCKER+{name}")


@pytest.mark.parametrize("prefix", [
    "2015-05-17T10:05:03.003+00:00 app[web.1]: ", "<165>1 2015-05-17T10:05:03.003Z web1 app 123 - - ",
    "2015-05-17T10:05:03.003000000Z stdout F ", "2015-05-17T10:05:03.003Z ", "web-1  | 2015-05-17T10:05:03.003Z ",
    '{"stream":"stdout","time":"2015-05-17T12:05:03.003456789+02:00","log":"',
    "[pod/web-1/app] 2015-05-17T12:05:03.003+02:00 ",
])  # fmt: skip
def test_a_line_without_a_time_has_that_of_its_prefix(prefix: str) -> None:
    own = '192.0.2.1 - - [17/May/2015:10:05:04 +0000] "GET /a HTTP/1.1" 200 5'
    texts = ['INFO:     192.0.2.1:51382 - "GET /a HTTP/1.1" 200 OK', own, "method=GET path=/a status=200"]
    for text, second in zip(texts, (3, 4, 3), strict=True):
        text = json.dumps(text)[1:] + "}" if prefix.startswith("{") else text
        row = logs.read([f"{prefix}{text}\n".encode()], fields=["url", "time"]).read_all().to_pylist()[0]
        assert (row["url"], row["time"].second, row["time"].hour) == ("/a", second, 10)


@pytest.mark.parametrize(
    ("prefix", "time"), [("May 17 10:05:03 web1 app: ", None), ("2015-02-31T10:05:03Z ", None), ("web-1  | ", None)]
)
def test_a_prefix_without_a_year_or_with_an_impossible_time_gives_none(prefix: str, time: None) -> None:
    line = f'{prefix}INFO:     192.0.2.1:51382 - "GET /a HTTP/1.1" 200 OK\n'.encode()
    assert logs.read([line], fields=["url", "time"]).read_all().to_pylist() == [{"url": "/a", "time": time}]


@pytest.mark.parametrize(("ident", "vhost"), [
    ("-", None), ("www.example.com", "www.example.com"), ("192.0.2.9", None), ("me", None), ("2001:db8::1", None),
])  # fmt: skip
def test_a_host_in_place_of_the_ident(ident: str, vhost: str | None) -> None:
    line = f'192.0.2.1 {ident} - [17/May/2015:10:05:04 +0000] "GET /a HTTP/1.1" 200 5\n'.encode()
    read = logs.read([line], fields=["vhost", "client"]).read_all().to_pylist()
    assert read == [{"vhost": vhost, "client": "192.0.2.1"}]


def test_a_client_with_its_port_before_a_host_with_its_port() -> None:
    record = '- - [17/May/2015:10:05:04 +0000] "GET /a HTTP/1.1" 200 5'
    hosts = ["www.example.com:443 192.0.2.1", "192.0.2.1:4242 www.example.com:443", "192.0.2.9:443 h.example.com"]
    rows = logs.parse_lines([f"{host} {record}" for host in hosts], "VCOMMON", ["vhost", "client"]).to_pylist()
    assert [(row["vhost"], row["client"]) for row in rows] == [
        ("www.example.com:443", "192.0.2.1"), ("www.example.com:443", "192.0.2.1"), ("192.0.2.9:443", "h.example.com")
    ]  # fmt: skip


@pytest.mark.parametrize(("written", "time"), [
    ("Sun, 17 May 2015 10:05:03 GMT", "2015-05-17T10:05:03+00:00"),
    ("Sun, 31 Feb 2015 10:05:03 GMT", None),
    ("Sun, 17 Mai 2015 10:05:03 GMT", None),
    ("Sun, 17 May 2015 10:05:03 CET", None),
])  # fmt: skip
def test_a_common_log_with_dates_of_http(written: str, time: str | None) -> None:
    line = f'192.0.2.1 - - [{written}] "GET /a HTTP/1.1" 200 5\n'.encode()
    row = logs.read([line], fields=["time", "url"]).read_all().to_pylist()[0]
    assert row["url"] == "/a" and (row["time"] and row["time"].isoformat()) == time


def test_columns_that_blanks_align() -> None:
    log = b"#Fields:  c-ip   cs-uri   sc-status\n192.0.2.1     /a    200\n192.0.2.19    /b?c  404\n"
    rows = logs.read([log], fields=["client", "url", "status"]).read_all().to_pylist()
    assert [tuple(row.values()) for row in rows] == [("192.0.2.1", "/a", 200), ("192.0.2.19", "/b?c", 404)]


def test_commands_of_ftp_are_no_requests() -> None:
    log = b"#Fields: c-ip cs-method cs-uri-stem sc-status\n192.0.2.1 [2]USER me 331\n192.0.2.1 [3]sent /a 226\n"
    with pytest.raises(logs.LogError, match="none of the"):
        logs.read([log]).read_all()


def test_the_client_of_a_common_log_is_its_first_address() -> None:
    record = '- [17/May/2015:10:05:04 +0000] "GET /a HTTP/1.1" 200 5'
    clients = ["192.0.2.1 192.0.2.9", "h 192.0.2.9", "https 2001:db8::1", "h example.com"]
    rejected = logs.parse_lines([f"{client} {record}" for client in clients], "COMMON", ["client"])["rejected"]
    assert rejected.to_pylist() == [False, True, True, False]


@pytest.mark.parametrize(("server", "duration"), [("s-ip", 0.0599171), ("s-computername", 0.0599171), ("x", 59.9171)])
def test_servers_of_windows_write_milliseconds(server: str, duration: float) -> None:
    log = f"#Fields: cs-uri-stem {server} time-taken\n/a 192.0.2.9 59.9171\n".encode()
    assert logs.read([log], fields=["duration"]).read_all().to_pylist() == [{"duration": duration}]


def test_a_reject_behind_a_prefix_keeps_its_prefix() -> None:
    lines = [PREFIXES[0][1] + SAMPLES[1][2], PREFIXES[0][1] + "started"]
    first = logs.detect(["".join(f"{line}\n" for line in lines).encode()]).mismatch
    assert first is not None and first.text == lines[1].encode() and first.column > len(PREFIXES[0][1])


@pytest.mark.parametrize(
    ("written", "duration"), [("1m2.5s", 62.5), ("1h2m3s", 3723.0), ("5", 5.0), ("1m2.5", None), ("1s5", None)]
)
def test_only_a_lone_number_has_the_unit_of_its_key(written: str, duration: float | None) -> None:
    line = '{"method":"GET","path":"/a","status":200,"remote_addr":"h","duration_s":"%s"}' % written
    row = logs.parse_lines([line], "NGINXJSON", ["duration"]).to_pylist()[0]
    assert row == {"duration": duration, "rejected": False}


@pytest.mark.parametrize("host", ["99-1-12-73.dyn.example", "9999-aa-99.example", "2015-05.example"])
def test_a_host_that_begins_almost_like_a_date_is_a_host(host: str) -> None:
    record = '- - [17/May/2015:10:05:04 +0000] "GET /a HTTP/1.1" 200 5'
    for name, line in (("COMMON", f"{host} {record}"), ("VCOMMON", f"{host} 192.0.2.1 {record}")):
        assert logs.parse_lines([line], name, ["url"]).to_pylist() == [{"url": "/a", "rejected": False}]


@pytest.mark.parametrize("start", ["2015-05-17 10:05:03,125 log ", "2015-05-17T10:05:03Z ", "2015-05-17 "])
def test_a_date_is_no_host(start: str) -> None:
    record = '192.0.2.1 - - [17/May/2015:10:05:04 +0000] "GET /a HTTP/1.1" 200 5'
    for name in ("COMMON", "VCOMMON"):
        assert logs.parse_lines([start + record, "h " + record], name, ["url"])["rejected"].to_pylist()[0]


def test_escapes_of_a_pair_are_undone() -> None:
    line = rb'method=GET path="/a\"b\\c" status=200 time=2015-05-17T10:05:03Z' + b"\n"
    assert logs.read([line], fields=["url"]).read_all().to_pylist() == [{"url": '/a"b\\c'}]
