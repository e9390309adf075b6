"""Objects whose keys are usual in logs: JSON of Traefik, Cloudflare, Envoy, nginx and others, and LTSV."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial
from typing import Any

from fasturl._accesslog import split_request
from fasturl.logs.columns import DETAILS, EXTRAS, REFERER, TARGET
from fasturl.logs.formats.jsonlines import ABSENT, JsonLog, get_field, json_stop, json_time
from fasturl.logs.formats.logtext import octets
from fasturl.logs.formats.mismatch import Stop
from fasturl.logs.formats.records import Detail, LogFormat

# The keys of each column, in the order of preference. `a.b` is a nested key, or a key with a dot.
_KEYS = {
    TARGET: """
        request_uri RequestPath ClientRequestURI url.original uri request.uri httpRequest.requestUrl httpRequest.uri
        properties.requestUri proxy.path reqPath protoPayload.resource CsUriStem x-envoy-origin-path path url.path
        http.url url http.target
    """,
    "query": "args query_string httpRequest.args properties.requestQuery queryStr CsUriQuery request_query query",
    "request": "request req request_line",
    "method": """
        request_method RequestMethod ClientRequestMethod http.request.method request.method
        httpRequest.requestMethod httpRequest.httpMethod properties.httpMethod http.http_method http.method
        proxy.method protoPayload.method CsMethod reqMethod httpMethod method verb
    """,
    "protocol": """
        server_protocol RequestProtocol ClientRequestProtocol request_protocol request.proto httpRequest.protocol
        httpRequest.httpVersion properties.httpVersion http.protocol request_proto protocol proto
    """,
    "status": """
        status DownstreamStatus EdgeResponseStatus response_code http.response.status_code response.status
        httpRequest.status properties.httpStatus properties.httpStatusCode http.status http.status_code
        proxy.statusCode protoPayload.status ScStatus statusCode response_status status_code code response
    """,
    "size": """
        body_bytes_sent bytes_sent DownstreamContentSize EdgeResponseBytes http.response.body.bytes response.size
        httpRequest.responseSize properties.sentBytes properties.responseBytes http.length response_body_size
        response_body_len responseLength response_bytes protoPayload.responseSize ScBytes written_bytes bytes_out
        size bytes
    """,
    "client": """
        remote_addr ClientHost ClientIP downstream_remote_address source.ip source.address request.client_ip
        request.remote_ip httpRequest.remoteIp httpRequest.clientIp properties.clientIP properties.clientIp
        proxy.clientIp id.orig_h client.addr protoPayload.ip CIp remoteIP cliIP src_ip client_ip remote_ip clientip
        client ip remote fwd
    """,
    "user": "remote_user ClientUsername user.name user_id user auth",
    "time": """
        time_iso8601 time_local StartUTC EdgeStartTimestamp start_time @timestamp proxy.timestamp
        protoPayload.startTime timestamp time ts msec requestTime reqTimeSec datetime started_at date t
    """,
    "agent": """
        http_user_agent request_User-Agent ClientRequestUserAgent user_agent.original request.headers.User-Agent
        request.headers.user-agent httpRequest.userAgent properties.userAgent http.http_user_agent proxy.userAgent
        protoPayload.userAgent UserAgent userAgent user-agent user_agent request_user_agent UA ua agent
    """,
    REFERER: """
        http_referer request_Referer ClientRequestReferer http.request.referrer request.headers.Referer
        request.headers.referer httpRequest.referer properties.referer http.http_refer proxy.referer
        protoPayload.referrer http_referrer Referer referer referrer request_referer
    """,
    "vhost": """
        http_host RequestHost ClientRequestHost authority url.domain request.host request.headers.host
        properties.hostName properties.host http.hostname proxy.host reqHost protoPayload.host CsHost :authority
        server_name vhost host
    """,
    "duration": """
        request_time Duration event.duration reqtime latencies.request httpRequest.latency properties.timeTaken
        turnAroundTimeMSec protoPayload.latency TimeTaken total_ns responsetime duration_ms duration_s time_ms
        duration elapsed latency service
    """,
    "request_length": """
        request_length ClientRequestBytes bytes_received http.request.body.bytes request.size
        httpRequest.requestSize properties.receivedBytes properties.requestBytes CsBytes request_body_len bytes_in
        reqsize
    """,
    "forwarded": "http_x_forwarded_for x_forwarded_for x-forwarded-for xff forwardedfor",
    "request_id": """
        request_id RayID x_request_id http_x_request_id http.request.id requestId httpRequest.requestId
        properties.trackingReference x-request-id correlation_id
    """,
    "cache_status": "upstream_cache_status CacheCacheStatus properties.cacheStatus cache_status cache",
}
USUAL = {column: tuple(keys.split()) for column, keys in _KEYS.items()}
# The durations that are not in the unit of their format. A unit after the number comes first.
_UNITS = {
    **dict.fromkeys(("Duration", "event.duration", "latency", "total_ns"), 1e9),
    **dict.fromkeys(("duration_ms", "time_ms", "latencies.request", "turnAroundTimeMSec", "TimeTaken"), 1e3),
    "duration_s": 1.0,
}
_DURATION = re.compile(r"([0-9.]{1,40})(s|ms|us|\u00b5s|ns|)")
_SUFFIXES = {"s": 1.0, "ms": 1e3, "us": 1e6, "\u00b5s": 1e6, "ns": 1e9}
_ADDRESS = re.compile(r"[0-9]{1,3}(?:\.[0-9]{1,3}){3}|[0-9A-Fa-f:]*:[0-9A-Fa-f:.]*")
_PORT = re.compile(r"\A(\[[0-9A-Fa-f:.]+\]|[^:\[\]]+):[0-9]{1,5}\Z")
_LIKE_URL = re.compile(r"/|[a-z][a-z0-9+.-]*://")
_MAPPED = frozenset((TARGET, "request", REFERER, *DETAILS))  # the columns of `json_format`
_KEYS_KEPT = 1000  # sets of keys whose columns are remembered


def usual_fields(entry: dict[str, Any]) -> dict[str, str]:
    """Return the key of each column that an object has."""
    found: dict[str, str] = {}
    for column, keys in USUAL.items():
        for key in keys:
            if isinstance(_value(entry, key, key.split(".")), (str, int, float)):
                found[column] = key
                break
    if "request" in found and " " not in (line := str(get_field(entry, found["request"], found["request"].split(".")))):
        request = found.pop("request")
        if line.startswith("/"):
            found.setdefault(TARGET, request)
    # `host` is the server's name, or an address of the client.
    if found.get("vhost") == "host" and "client" not in found and _ADDRESS.fullmatch(str(entry["host"])):
        found["client"] = found.pop("vhost")
    return found


def _value(entry: dict[str, Any], key: str, path: list[str]) -> Any:
    """Return a field of an object, or the first of several values, as of a header."""
    value = get_field(entry, key, path)
    return value[0] if isinstance(value, list) and value else value


def _leaves(entry: dict[str, Any], before: str = "", depth: int = 4) -> Iterator[tuple[str, Any]]:
    for key, value in entry.items():
        if isinstance(value, dict) and depth:
            yield from _leaves(value, f"{before}{key}.", depth - 1)
        else:
            yield before + key, value


def likely_fields(entry: dict[str, Any]) -> dict[str, str]:
    """Return a mapping that may fit an object of an unknown log, by the last names of its fields.

    >>> likely_fields({"http": {"uri": "/a", "code": 200}, "verb": "GET"})
    {'target': 'http.uri', 'method': 'verb', 'status': 'http.code'}
    """
    found: dict[str, str] = {}
    leaves = {key: value for key, value in _leaves(entry) if isinstance(value, (str, int, float)) and key.isprintable()}
    for column, keys in USUAL.items():
        likely = (key for last in keys for key in leaves if key in (last, f"{key.rpartition('.')[0]}.{last}"))
        key = next((key for key in likely if key not in found.values()), None)
        if key is not None and column in _MAPPED:
            found[column] = key
    if TARGET in found or "request" not in found:
        found.pop("request", None)
        urls = (key for key, value in leaves.items() if isinstance(value, str) and _LIKE_URL.match(value))
        found = {TARGET: found.get(TARGET) or next(urls, "FIELD"), **found}
    return found


def _is_there(entry: dict[str, Any], key: str) -> bool:
    return get_field(entry, key, key.split(".")) is not ABSENT


def is_request(fields: dict[str, str], needs: int) -> bool:
    """Return True if these columns are those of a request: its target, and so many of the status and others."""
    others = {"status", "method", "client", "time", "agent"} & {*fields}
    return bool({TARGET, "request"} & {*fields}) and len(others) >= needs


def _text(value: Any) -> bytes | None:
    if isinstance(value, str):
        text = value[1:-1] if len(value) > 1 and value[0] == value[-1] == '"' else value  # as grok leaves them
        return octets(text) if text not in ("", "-") else None
    return str(value).encode() if type(value) in (int, float) else None


def _integer(value: Any) -> int | None:
    if isinstance(value, str) and value.isascii() and value.isdigit() and len(value) <= 20:
        return int(value)
    return int(value) if type(value) in (int, float) and 0 <= value < 1 << 63 else None


def _seconds(value: Any, unit: float) -> float | None:
    """Return a duration, which may name its unit, else `unit` has so many per second."""
    match = _DURATION.fullmatch(str(value).split(",")[0]) if type(value) in (str, int, float) else None
    try:
        number = float(match[1]) if match else -1.0
    except ValueError:
        return None
    return number / _SUFFIXES.get(match[2], unit) if match and 0 <= number < 1e18 else None


class UsualLog(JsonLog):
    """A log of JSON objects with usual keys. `signature` are keys that each object of the format has.

    needs : how many of the status, the method and others tell a request from other objects
    """

    details: tuple[str, ...] = (*DETAILS, *EXTRAS)

    def __init__(self, name: str, signature: tuple[str, ...] = (), unit: float = 1.0, needs: int = 2) -> None:
        self.name = name
        self._signature = signature
        self._unit = unit
        self._needs = needs
        self._fields: dict[tuple[str, ...], tuple[tuple[str, str, list[str]], ...]] = {}

    def stop(self, line: bytes) -> Stop:
        return json_stop(line, " or ".join(self._signature or USUAL[TARGET][:2]))

    def _of(self, entry: dict[str, Any]) -> tuple[tuple[str, str, list[str]], ...]:
        keys = tuple(entry)
        known = self._fields.get(keys)
        if known is None:
            has_signature = all(_is_there(entry, key) for key in self._signature)
            fields = usual_fields(entry) if has_signature else {}
            known = (
                tuple((column, key, key.split(".")) for column, key in fields.items())
                if is_request(fields, self._needs)
                else ()
            )
            if len(self._fields) < _KEYS_KEPT:
                self._fields[keys] = known
        return known

    def _request(self, entry: Any) -> tuple[bytes | None, Detail, bytes | None] | None:
        fields = self._of(entry) if isinstance(entry, dict) else ()
        if not fields:
            return None
        get = {column: _value(entry, key, path) for column, key, path in fields}
        method, protocol = _text(get.get("method")), _text(get.get("protocol"))
        line, target = get.get("request"), get.get(TARGET)
        if isinstance(line, str) and " " in line:
            method, uri, protocol = split_request(octets(line))
        elif isinstance(target, str):
            uri, query = _text(target), _text(get.get("query"))
            if query is not None and b"?" not in (uri or b""):
                uri = (uri or b"") + b"?" * (not query.startswith(b"?")) + query
        else:
            return None
        client = get.get("client")
        if isinstance(client, str) and (found := _PORT.match(client)):
            client = found[1].strip("[]")
        unit = next((_UNITS[key] for column, key, _ in fields if column == "duration" and key in _UNITS), self._unit)
        time = get.get("time")
        detail = (
            *(_text(client), _text(get.get("user")), json_time(time.strip("[]") if isinstance(time, str) else time)),
            *(method, protocol, _integer(get.get("status")), _integer(get.get("size")), _text(get.get("agent"))),
            *(_text(get.get("vhost")), _seconds(get.get("duration"), unit)),
            *(_integer(get.get("request_length")), _text(get.get("forwarded"))),
            *(_text(get.get("request_id")), _text(get.get("cache_status"))),
        )
        return uri, detail, _text(get.get(REFERER))


class Ltsv(UsualLog):
    """Labeled tab-separated values: `label:value`, divided by tabs."""

    def _load(self, line: bytes) -> Any:
        pairs = [field.partition(b":") for field in line.split(b"\t")]
        if len(pairs) < 3 or not all(colon and key.replace(b"_", b"").isalnum() for key, colon, _ in pairs):
            return None
        return {key.decode(): value.decode("utf-8", "surrogateescape") for key, _, value in pairs}

    def matches(self, line: bytes) -> bool:
        return self._request(self._load(line)) is not None

    def stop(self, line: bytes) -> Stop:
        at = 0
        for field in line.split(b"\t"):
            if b"\t" not in line or b":" not in field:
                break
            at += len(field) + 1
        return Stop(min(at, len(line)), "label")


class Logfmt(UsualLog):
    """Pairs `key=value`, divided by blanks. A value with blanks has quotes."""

    def _load(self, line: bytes) -> Any:
        text = line.decode("utf-8", "surrogateescape")
        pairs = _PAIRS.match(text) and _PAIR.findall(text)
        return {key: _QUOTED.sub(r"\1", value[1:-1]) if value[:1] == '"' else value for key, value in pairs or ()}

    def matches(self, line: bytes) -> bool:
        return self._request(self._load(line)) is not None

    def stop(self, line: bytes) -> Stop:
        found = _SOME_PAIRS.match(line.decode("latin-1"))
        return Stop(found.end() if found else 0, "pair")


_PAIR = re.compile(r"""([A-Za-z_][\w.@-]*)=("(?:[^"\\]|\\.)*+"|[^\s"]*+)(?: +|\Z)""")
_SOME_PAIRS = re.compile(rf"(?:{_PAIR.pattern})++")
_PAIRS = re.compile(rf"(?:{_PAIR.pattern})++\Z")
_QUOTED = re.compile(r"\\(.)")


def _json(name: str, reads: str, *signature: str, unit: float = 1.0, needs: int = 2) -> LogFormat:
    return LogFormat(name, reads, partial(UsualLog, name, signature, unit, needs))


# In the order of detection: the formats with a signature come first.
USUAL_LOGS = (
    _json("KONG", "Kong's JSON", "request.uri", "latencies", "started_at"),
    _json("CADDY", "JSON lines with `request.uri`", "request.uri", needs=0),
    _json("TRAEFIK", "Traefik's JSON", "RequestPath", "DownstreamStatus"),
    _json("CLOUDFLARE", "Cloudflare's Logpush, `ClientRequestURI` and so on", "ClientRequestURI", "EdgeResponseStatus"),
    _json("ENVOYJSON", "Envoy's and Istio's JSON", "response_code", "start_time", unit=1e3),
    _json("NGINXJSON", "JSON lines with usual keys: nginx's variables, ECS, Fastly, cloud providers and others"),
    LogFormat("LTSV", "labels and values, divided by tabs", partial(Ltsv, "LTSV")),
    LogFormat("LOGFMT", "pairs `key=value`: Heroku's router, lograge, Grafana", partial(Logfmt, "LOGFMT", (), 1e3)),
)
OF_OBJECTS = frozenset(log.name for log in USUAL_LOGS[:-2])
