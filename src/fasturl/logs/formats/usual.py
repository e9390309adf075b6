"""Objects whose keys are usual in logs: JSON of Traefik, Cloudflare, Envoy, nginx and others, and LTSV."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial
from typing import Any

from fasturl._accesslog import split_request
from fasturl.logs.columns import DETAILS, EXTRAS, REFERER, TARGET
from fasturl.logs.formats.jsonlines import JsonLog, get_field, json_stop, json_time
from fasturl.logs.formats.logtext import octets
from fasturl.logs.formats.mismatch import Stop
from fasturl.logs.formats.records import Detail, LogFormat

# The keys of each column, in the order of preference. `a.b` is a nested key, or a key with a dot.
USUAL: dict[str, tuple[str, ...]] = {
    TARGET: ("request_uri", "RequestPath", "ClientRequestURI", "url.original", "uri", "path", "url.path", "url"),
    "request": ("request", "req", "request_line"),
    "method": ("request_method", "RequestMethod", "ClientRequestMethod", "http.request.method", "method", "verb"),
    "protocol": ("server_protocol", "RequestProtocol", "ClientRequestProtocol", "request_protocol", "protocol",
                 "proto"),
    "status": ("status", "DownstreamStatus", "EdgeResponseStatus", "response_code", "http.response.status_code",
               "response_status", "status_code"),
    "size": ("body_bytes_sent", "bytes_sent", "DownstreamContentSize", "EdgeResponseBytes", "http.response.body.bytes",
             "response_body_size", "size", "bytes"),
    "client": ("remote_addr", "ClientHost", "ClientIP", "downstream_remote_address", "source.ip", "source.address",
               "client_ip", "remote_ip", "clientip", "client", "ip", "host"),
    "user": ("remote_user", "ClientUsername", "user.name", "user"),
    "time": ("time_iso8601", "time_local", "StartUTC", "EdgeStartTimestamp", "start_time", "@timestamp", "timestamp",
             "time", "ts", "msec"),
    "agent": ("http_user_agent", "request_User-Agent", "ClientRequestUserAgent", "user_agent.original", "user_agent",
              "request_user_agent", "ua", "agent"),
    REFERER: ("http_referer", "request_Referer", "ClientRequestReferer", "http.request.referrer", "referer", "referrer",
              "request_referer"),
    "vhost": ("http_host", "RequestHost", "ClientRequestHost", "authority", "url.domain", "server_name", "vhost",
              "host"),
    "duration": ("request_time", "Duration", "event.duration", "reqtime", "duration", "elapsed"),
    "request_length": ("request_length", "ClientRequestBytes", "bytes_received", "http.request.body.bytes", "reqsize"),
    "forwarded": ("http_x_forwarded_for", "x_forwarded_for", "forwardedfor"),
    "request_id": ("request_id", "RayID", "x_request_id", "http_x_request_id", "http.request.id"),
    "cache_status": ("upstream_cache_status", "CacheCacheStatus", "cache_status", "cache"),
}  # fmt: skip
# The durations that are not in seconds.
_UNITS = {"Duration": 1e9, "event.duration": 1e9}
_PORT = re.compile(r"\A(\[[0-9A-Fa-f:.]+\]|[^:\[\]]+):[0-9]{1,5}\Z")
_LIKE_URL = re.compile(r"/|[a-z][a-z0-9+.-]*://")
_MAPPED = frozenset((TARGET, "request", REFERER, *DETAILS))  # the columns of `json_format`
_KEYS_KEPT = 1000  # sets of keys whose columns are remembered


def usual_fields(entry: dict[str, Any]) -> dict[str, str]:
    """Return the key of each column that an object has."""
    found: dict[str, str] = {}
    for column, keys in USUAL.items():
        for key in keys:
            value = get_field(entry, key, key.split("."))
            if isinstance(value, (str, int, float)) and key not in found.values():
                found[column] = key
                break
    if "request" in found and " " not in str(get_field(entry, found["request"], found["request"].split("."))):
        del found["request"]
    return found


def _leaves(entry: dict[str, Any], before: str = "", depth: int = 4) -> Iterator[tuple[str, Any]]:
    for key, value in entry.items():
        if isinstance(value, dict) and depth:
            yield from _leaves(value, f"{before}{key}.", depth - 1)
        else:
            yield before + key, value


def likely_fields(entry: dict[str, Any]) -> dict[str, str]:
    """Return a mapping that may fit an object of an unknown log, by the last names of its fields.

    >>> likely_fields({"http": {"uri": "/a", "code": 200}, "verb": "GET"})
    {'target': 'http.uri', 'method': 'verb'}
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


def is_request(fields: dict[str, str]) -> bool:
    """Return True if these columns are those of a request: its target, and two of the status, the method and others."""
    others = {"status", "method", "client", "time", "agent"} & {*fields}
    return bool({TARGET, "request"} & {*fields}) and len(others) > 1


def _text(value: Any) -> bytes | None:
    if isinstance(value, str):
        return octets(value) if value not in ("", "-") else None
    return str(value).encode() if type(value) in (int, float) else None


def _integer(value: Any) -> int | None:
    if isinstance(value, str) and value.isascii() and value.isdigit() and len(value) <= 20:
        return int(value)
    return int(value) if type(value) in (int, float) and 0 <= value < 1 << 63 else None


def _decimal(value: Any) -> float | None:
    try:
        number = float(value.split(",")[0] if isinstance(value, str) else value)
    except (TypeError, ValueError):
        return None
    return number if 0 <= number < 1e18 else None


class UsualLog(JsonLog):
    """A log of JSON objects with usual keys. `signature` are keys that each object of the format has."""

    details: tuple[str, ...] = (*DETAILS, *EXTRAS)

    def __init__(self, name: str, signature: tuple[str, ...] = (), unit: float = 1.0) -> None:
        self.name = name
        self._signature = signature
        self._unit = unit
        self._fields: dict[tuple[str, ...], tuple[tuple[str, str, list[str]], ...]] = {}

    def stop(self, line: bytes) -> Stop:
        return json_stop(line, " or ".join(self._signature or USUAL[TARGET][:2]))

    def _of(self, entry: dict[str, Any]) -> tuple[tuple[str, str, list[str]], ...]:
        keys = tuple(entry)
        known = self._fields.get(keys)
        if known is None:
            has_signature = all(key in entry for key in self._signature)
            fields = usual_fields(entry) if has_signature else {}
            known = tuple((column, key, key.split(".")) for column, key in fields.items()) if is_request(fields) else ()
            if len(self._fields) < _KEYS_KEPT:
                self._fields[keys] = known
        return known

    def _request(self, entry: Any) -> tuple[bytes | None, Detail, bytes | None] | None:
        fields = self._of(entry) if isinstance(entry, dict) else ()
        if not fields:
            return None
        get = {column: get_field(entry, key, path) for column, key, path in fields}
        method, protocol = _text(get.get("method")), _text(get.get("protocol"))
        line, target = get.get("request"), get.get(TARGET)
        if isinstance(line, str) and " " in line:
            method, uri, protocol = split_request(octets(line))
        elif isinstance(target, str):
            uri = _text(target)
        else:
            return None
        client = get.get("client")
        if isinstance(client, str) and (found := _PORT.match(client)):
            client = found[1].strip("[]")
        unit = next((_UNITS[key] for column, key, _ in fields if column == "duration" and key in _UNITS), self._unit)
        duration = _decimal(get.get("duration"))
        time = get.get("time")
        detail = (
            *(_text(client), _text(get.get("user")), json_time(time.strip("[]") if isinstance(time, str) else time)),
            *(method, protocol, _integer(get.get("status")), _integer(get.get("size")), _text(get.get("agent"))),
            *(_text(get.get("vhost")), None if duration is None else duration / unit),
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


def _json(name: str, reads: str, *signature: str, unit: float = 1.0) -> LogFormat:
    return LogFormat(name, reads, partial(UsualLog, name, signature, unit))


# In the order of detection: the formats with a signature come first.
USUAL_LOGS = (
    _json("TRAEFIK", "Traefik's JSON", "RequestPath", "DownstreamStatus"),
    _json("CLOUDFLARE", "Cloudflare's Logpush, `ClientRequestURI` and so on", "ClientRequestURI", "EdgeResponseStatus"),
    _json("ENVOYJSON", "Envoy's and Istio's JSON", "response_code", "path", unit=1e3),
    _json("NGINXJSON", "JSON lines with usual keys: nginx's variables, ECS, Fastly and others"),
    LogFormat("LTSV", "labels and values, divided by tabs", partial(Ltsv, "LTSV")),
)
OF_OBJECTS = frozenset(log.name for log in USUAL_LOGS[:-1])
