"""Formats of JSON lines from real configurations, read by Python's own json; and the list of all ten custom formats."""

import json
import re
from datetime import UTC, datetime

import slowlog
from customlogs import BY_PATTERN, NAMES, Custom, Row, moment_of

from fasturl import logs


def _text(value: object) -> bytes | None:
    if isinstance(value, list):
        value = value[0] if value else None
    return None if value is None or value in ("", "-") else str(value).encode("utf-8", "surrogateescape")


def _client(value: object) -> bytes | None:
    """Return the text, or None for a list of addresses."""
    text = _text(value)
    first = (text or b"").partition(b",")[0]
    is_ipv4 = re.fullmatch(rb"[0-9]*(?:\.[0-9]*){3}", first) is not None
    is_address = is_ipv4 or (re.fullmatch(rb"[0-9A-Fa-f:.]+", first) is not None and first.count(b":") > 1)
    return None if is_address and first != text else text


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")


def _number(value: object) -> int | None:
    if isinstance(value, str) and re.fullmatch("[0-9]{1,20}", value):
        value = int(value)
    return value if type(value) is int and value >= 0 else None


def _object(line: bytes) -> Row | None:
    try:
        loaded = json.loads(line.decode("utf-8", "surrogateescape"))
    except (ValueError, RecursionError):
        return None
    return loaded if isinstance(loaded, dict) else None


def _inside(value: object) -> Row:
    return value if isinstance(value, dict) else {}


_TRAEFIK = {
    "client": "ClientHost", "time": "StartUTC", "method": "RequestMethod", "target": "RequestPath",
    "protocol": "RequestProtocol", "status": "DownstreamStatus", "size": "DownstreamContentSize",
    "agent": "request_User-Agent", "referer": "request_Referer", "vhost": "RequestHost", "user": "ClientUsername",
}  # fmt: skip


def _traefik_row(line: bytes) -> Row | None:
    entry = _object(line)
    if entry is None or not isinstance(entry.get("RequestPath"), str):
        return None
    row: Row = {name: _text(entry.get(key)) for name, key in _TRAEFIK.items() if name != "target"}
    time = row["time"] if row["time"] and re.fullmatch(rb"[^:]{13}:[0-9]{2}:[0-9]{2}(?:\..*)?", row["time"]) else None
    row |= {"client": _client(entry.get("ClientHost"))}
    row |= {"url": _bytes(entry["RequestPath"]), "time": moment_of(time, "%Y-%m-%dT%H:%M:%S.%f%z")}
    row |= {"status": _number(entry.get("DownstreamStatus")), "size": _number(entry.get("DownstreamContentSize"))}
    return slowlog.checked(row, of_object=True)


TRAEFIK = Custom(
    "traefik",
    lambda: logs.json_format(_TRAEFIK),
    [json.dumps({"ClientHost": "192.0.2.7", "ClientUsername": "-", "DownstreamContentSize": 19, "DownstreamStatus": 404,
                 "RequestHost": "example.org", "RequestMethod": "GET", "RequestPath": "/a?b=é",
                 "RequestProtocol": "HTTP/2.0", "StartUTC": "2023-10-10T13:55:36.123456789Z", "level": "info",
                 "request_Referer": "https://r.example/", "request_User-Agent": "curl/8"}).encode(),
     b'{"RequestPath":"/","DownstreamStatus":"200","StartUTC":null}'],
    [b'{"level":"info","msg":"Configuration loaded"}', b'{"RequestPath":"/a"', b'["/a"]', b'{"RequestPath":7}'],
    {"client": "192.0.2.7", "user": None, "time": datetime(2023, 10, 10, 13, 55, 36, 123456, UTC), "method": "GET",
     "url": "/a?b=é", "protocol": "HTTP/2.0", "status": 404, "size": 19, "agent": "curl/8", "vhost": "example.org",
     "referer": "https://r.example/"},
    _traefik_row,
)  # fmt: skip


def _caddy_row(line: bytes) -> Row | None:
    entry = _object(line)
    request = _inside(entry and entry.get("request"))
    headers = _inside(request.get("headers"))
    if entry is None or not isinstance(request.get("uri"), str):
        return None
    moment = entry.get("ts")
    # Larger numbers count smaller units.
    while type(moment) in (int, float) and moment >= 10**11:
        moment /= 1000
    row: Row = {
        "client": _client(request.get("client_ip")), "user": None,
        "time": datetime.fromtimestamp(moment, UTC) if type(moment) in (int, float) and moment >= 0 else None,
        "method": _text(request.get("method")), "url": _bytes(request["uri"]), "protocol": _text(request.get("proto")),
        "status": _number(entry.get("status")), "size": _number(entry.get("size")),
        "agent": _text(headers.get("User-Agent")), "vhost": _text(request.get("host")),
        "referer": _text(headers.get("Referer")),
    }  # fmt: skip
    return slowlog.checked(row, of_object=True)


CADDY = Custom(
    "caddy",
    lambda: logs.json_format({
        "client": "request.client_ip", "time": "ts", "method": "request.method", "target": "request.uri",
        "protocol": "request.proto", "status": "status", "size": "size", "agent": "request.headers.User-Agent",
        "vhost": "request.host", "referer": "request.headers.Referer",
    }),
    [b'{"level":"info","ts":1431857103.25,"request":{"client_ip":"192.0.2.7","proto":"HTTP/2.0","method":"GET",'
     b'"host":"example.org","uri":"/a?b","headers":{"User-Agent":["curl/8"],"Referer":["https://r.example/"]}},'
     b'"size":12,"status":200}',
     b'{"ts":1431857103.5,"request":{"uri":"/","headers":{}},"status":0}'],
    [b'{"level":"info","ts":1431857103.25,"msg":"serving initial configuration"}', b"{}", b'{"request":"/a"}'],
    {"client": "192.0.2.7", "user": None, "time": datetime(2015, 5, 17, 10, 5, 3, 250000, UTC), "method": "GET",
     "url": "/a?b", "protocol": "HTTP/2.0", "status": 200, "size": 12, "agent": "curl/8", "vhost": "example.org",
     "referer": "https://r.example/"},
    _caddy_row,
)  # fmt: skip


def _fluent_row(line: bytes) -> Row | None:
    entry = _object(line)
    inner = entry.get("log") if entry else None
    if not isinstance(inner, str):
        return None
    data = re.sub(rb"\r?\n\Z", b"", inner.encode("utf-8", "surrogateescape"))
    rows = None if b"\n" in data else slowlog.rows("COMBINED", data)
    if not rows:
        return None
    row: Row = {name: rows[0].get(name) for name in NAMES} | {"referer": rows[1]["url"] if len(rows) > 1 else None}
    return row | {"time": None if row["time"] is None else moment_of(row["time"], "%Y-%m-%dT%H:%M:%S.%f%z")}


_CLF = '192.0.2.7 - frank [10/Oct/2023:13:55:36 +0200] "GET /a?b HTTP/1.1" 200 5316 "https://r.example/" "curl \\"8\\""'
FLUENT_BIT = Custom(
    "fluent-bit",
    lambda: logs.json_format({"line": "log"}, line="COMBINED"),
    [json.dumps({"date": 1431857103.0, "stream": "stdout", "log": _CLF + "\n", "kubernetes": {"pod": "a"}}).encode(),
     json.dumps({"log": _CLF}).encode()],
    [b'{"log":"GET /a 200\\n","stream":"stdout"}', json.dumps({"log": _CLF + "\n" + _CLF + "\n"}).encode(),
     _CLF.encode(), b'{"log":""}', b'{"stream":"stdout"}'],
    {"client": "192.0.2.7", "user": "frank", "time": datetime(2023, 10, 10, 11, 55, 36, tzinfo=UTC), "method": "GET",
     "url": "/a?b", "protocol": "HTTP/1.1", "status": 200, "size": 5316, "agent": 'curl "8"', "vhost": None,
     "referer": "https://r.example/"},
    _fluent_row,
)  # fmt: skip

ALL = (*BY_PATTERN, TRAEFIK, CADDY, FLUENT_BIT)
