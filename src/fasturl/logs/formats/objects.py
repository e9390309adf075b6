"""Objects whose keys are usual in logs: JSON of Traefik, Cloudflare, Envoy, nginx and others, and logfmt."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cache, partial
from typing import Any

from fasturl._accesslog import ObjectTemplate, is_object
from fasturl._patterns import lazy_pattern
from fasturl.logs.columns import DETAILS, EXTRAS, REFERER, TARGET
from fasturl.logs.formats.jsonlines import KeptFields, json_stop, load
from fasturl.logs.formats.kernel_logs import CommonLog
from fasturl.logs.formats.records import LogFormat, Stop
from fasturl.logs.inputs.lines import Lines
from fasturl.logs.shown import as_bytes, visible

# The keys of each column, and of the kind of an event, in the order of preference. `a.b` is a nested key, or a key
# with a dot.
_KEYS = {
    TARGET: """
        request_uri RequestPath ClientRequestURI url.original uri request.uri httpRequest.requestUrl httpRequest.uri
        properties.requestUri proxy.path reqPath protoPayload.resource CsUriStem x-envoy-origin-path path url.path
        resourcePath http.url req.url requestURI requestPath url http.target properties.url http.request.uri URI
        request.url http_path http_uri
    """,
    "query": "args query_string httpRequest.args properties.requestQuery queryStr CsUriQuery request_query query",
    "request": "request req request_line requested_url requestLine",
    "method": """
        request_method RequestMethod ClientRequestMethod http.request.method request.method httpRequest.requestMethod
        httpRequest.httpMethod properties.httpMethod http.http_method http.method proxy.method req.method
        protoPayload.method CsMethod reqMethod httpMethod http_method method verb properties.method httpmethod
        requestMethod
    """,
    "protocol": """
        server_protocol RequestProtocol ClientRequestProtocol request_protocol request.proto httpRequest.protocol
        httpRequest.httpVersion properties.httpVersion http.protocol request_proto protocol proto
    """,
    "status": """
        status DownstreamStatus EdgeResponseStatus http_status response_code http.response.status_code response.status
        httpRequest.status properties.httpStatus properties.httpStatusCode http.status http.status_code proxy.statusCode
        res.statusCode responseStatus.code api.statusCode protoPayload.status ScStatus statusCode response_status
        status_code code response responseCode properties.responseCode StatusCode http.response.status httpStatus
        statuscode
    """,
    "size": """
        body_bytes_sent bytes_sent DownstreamContentSize EdgeResponseBytes http.response.body.bytes response.size
        httpRequest.responseSize properties.sentBytes properties.responseBytes http.length response_body_size
        response_body_len responseLength response_bytes protoPayload.responseSize ScBytes written_bytes bytes_out size
        bytes content_length bytesSent properties.responseSize http.response.written
    """,
    "client": """
        remote_ip remote_addr ClientHost ClientIP downstream_remote_address source.ip source.address client.ip
        request.client_ip request.remote_ip request.remote_addr httpRequest.remoteIp httpRequest.clientIp
        properties.clientIP properties.clientIp proxy.clientIp req.remoteAddress id.orig_h client.addr protoPayload.ip
        CIp remoteIP cliIP src_ip client_ip clientip sourceIPs remotehost client ip remote remote_host client_address
        ip_source remoteHost callerIpAddress http.request.remoteaddr srcIp remoteAddress remote_address sourceIpPort
    """,
    "user": "remote_user ClientUsername user.name user.username user_id user auth remoteUser",
    "time": """
        time_iso8601 time_local StartUTC EdgeStartTimestamp requestReceivedTimestamp start_time @timestamp
        proxy.timestamp protoPayload.startTime timestamp time ts msec requestTime reqTimeSec timeStamp datetime
        started_at EdgeEndTimestamp date t dateTime @t req_start_time startTime requestTimeEpoch
    """,
    "agent": """
        http_user_agent request_User-Agent ClientRequestUserAgent user_agent.original request.headers.User-Agent
        request.headers.user-agent httpRequest.userAgent properties.userAgent req.headers.user-agent
        http.http_user_agent proxy.userAgent protoPayload.userAgent UserAgent userAgent user-agent user_agent
        request_user_agent UA ua agent properties.userAgentHeader http.request.useragent clientUa
    """,
    REFERER: """
        http_referer request_Referer ClientRequestReferer http.request.referrer request.headers.Referer
        request.headers.referer httpRequest.referer properties.referer req.headers.referer http.http_refer proxy.referer
        protoPayload.referrer http_referrer Referer referer referrer request_referer
    """,
    "vhost": """
        http_host RequestHost ClientRequestHost authority url.domain request.host request.headers.host
        properties.hostName properties.host req.headers.host http.hostname proxy.host requestHost reqHost
        protoPayload.host CsHost :authority server_name vhost host http.request.host domainName
    """,
    "duration": """
        request_time Duration event.duration reqtime latencies.request httpRequest.latency properties.timeTaken
        turnAroundTimeMSec protoPayload.latency TimeTaken total_ns api.timeToResponse responsetime responseTime
        res.responseTime duration_ms duration_s time_ms duration elapsed elapsed_time latency_human latency_ms latency
        service Elapsed durationMs http.response.duration totalDuration
    """,
    "request_length": """
        request_length ClientRequestBytes bytes_received http.request.body.bytes request.size httpRequest.requestSize
        properties.receivedBytes properties.requestBytes CsBytes request_body_len bytes_in reqsize
    """,
    "forwarded": "http_x_forwarded_for x_forwarded_for x-forwarded-for xff forwardedfor fwd",
    "request_id": """
        request_id RayID x_request_id http_x_request_id http.request.id requestId httpRequest.requestId
        properties.trackingReference x-request-id correlation_id
    """,
    "cache_status": "upstream_cache_status CacheCacheStatus properties.cacheStatus cache_status cache",
    "kind": "event.kind",
}
# Keys that a request does not have. Suricata repeats the request with each alert and file.
REPEATED = ("!alert.signature_id", "!fileinfo.filename")
USUAL = {column: tuple(keys.split()) for column, keys in _KEYS.items()}
# A unit of time: a prefix, and a word for seconds. The prefixes divide by a thousand, by a million, and so on.
_PREFIXES = (b"m|milli", b"u|\xc2\xb5|\xce\xbc|micro", b"n|nano")
_SECONDS = b"(?:s|secs?|seconds?)"
UNIT = b"(?:%s)?%s" % (b"|".join(_PREFIXES), _SECONDS)
_UNIT_PARTS = lazy_pattern(b"(?:(%s)|(%s)|(%s))?" % _PREFIXES + _SECONDS)
# A single "s" may end a word, and the "n" of durations, timetakensec and inseconds is not nano.
_NAMED_UNIT = lazy_pattern(rb"(?:(?<![a-z])s|(?!s\Z|(?<=duratio)n|(?<=take)n|(?<=i)n)%s)\Z" % UNIT)
# The exponents of the units of durations whose keys do not name them. A unit after the number comes first.
# UNKNOWN_UNIT: some servers write seconds, others milliseconds or nanoseconds under this name, so a number without a
# unit is none.
UNKNOWN_UNIT = 1
_UNITS = {
    key: exponent
    for exponent, keys in (
        (0, "request_time reqtime responsetime properties.timeTaken"),
        (3, "latencies.request TimeTaken responseTime res.responseTime elapsed_time Elapsed totalDuration"),
        (9, "Duration event.duration"),
        (UNKNOWN_UNIT, "latency elapsed"),
    )
    for key in keys.split()
}


def plain_name(name: bytes) -> bytes:
    """Return a field's name without case and punctuation.

    >>> plain_name(b"Status-Code")
    b'statuscode'
    """
    return re.sub(rb"[^a-z0-9]", b"", name.lower())


def exponent_of(unit: bytes) -> int:
    """Return a time unit's exponent. UNIT matches the text.

    >>> exponent_of(b"s"), exponent_of(b"msec"), exponent_of(b"nanoseconds")
    (0, 3, 9)
    """
    parts = _UNIT_PARTS.fullmatch(unit)
    assert parts
    return 3 * (parts.lastindex or 0)


def unit_of(name: str, otherwise: int = UNKNOWN_UNIT) -> int:
    """Return the exponent of a duration's unit, or `otherwise` if the key names no unit.

    >>> unit_of("request_time"), unit_of("took_millis"), unit_of("took")
    (0, 3, 1)
    """
    if name in _UNITS:
        return _UNITS[name]
    named = _NAMED_UNIT.search(as_bytes(name.lower()))
    return exponent_of(named[0]) if named else otherwise


# A method that no server writes so: of a client of HTTP, of a procedure. Node's servers write it so beside the answer.
_OTHER_METHOD = lazy_pattern(rb'(?s)\A(?!.*"res":).*?"(?:http_?|request_?)?[mM]ethod"\s*:\s*"[^"A-Z-]')
_PATH_MAX = 256  # a key of half a megabyte before many others would be written as often
_LIKE_URL = lazy_pattern(r"/|[a-z][a-z0-9+.-]*://")
_MAPPED = frozenset((TARGET, "request", REFERER, *DETAILS))  # the columns of `json_format`


def _leaves(entry: dict[str, Any], before: str = "", depth: int = 4) -> Iterator[tuple[str, Any]]:
    for key, value in entry.items():
        if len(before) + len(key) > _PATH_MAX:
            continue
        if isinstance(value, dict) and depth:
            yield from _leaves(value, f"{before}{key}.", depth - 1)
        else:
            yield before + key, value


def scalars(entry: dict[str, Any]) -> dict[str, str | int | float]:
    """Return the texts and numbers in an object and in nested objects, except after unusually long keys."""
    return {key: value for key, value in _leaves(entry) if isinstance(value, (str, int, float)) and key.isprintable()}


def likely_fields(entry: dict[str, Any]) -> dict[str, str]:
    """Return a mapping that may fit an object in an unknown log, by the last part of each field's name.

    >>> likely_fields({"http": {"uri": "/a", "code": 200}, "verb": "GET"})
    {'target': 'http.uri', 'method': 'verb', 'status': 'http.code'}
    """
    found: dict[str, str] = {}
    leaves = scalars(entry)
    named: dict[str, list[str]] = {}
    for key in leaves:
        for name in {key, key.rpartition(".")[2]}:
            named.setdefault(name, []).append(key)
    for column, keys in USUAL.items():
        likely = (key for last in keys for key in named.get(last, ()))
        free = next((key for key in likely if key not in found.values()), None)
        if free is not None and column in _MAPPED:
            found[column] = free
    if TARGET in found or "request" not in found:
        found.pop("request", None)
        urls = (key for key, value in leaves.items() if isinstance(value, str) and _LIKE_URL.match(value))
        found = {TARGET: found.get(TARGET) or next(urls, "FIELD"), **found}
    return found


@cache
def _usual_template(required: tuple[str, ...], syntax: str, unit: int, needs: int) -> ObjectTemplate:
    candidates = [
        (column, as_bytes(key), unit_of(key, unit) if column == "duration" else 0)
        for column, keys in USUAL.items()
        for key in keys
    ]
    return ObjectTemplate(candidates, [as_bytes(key) for key in required], syntax, needs, False)


class ObjectLog(CommonLog):
    """A log of objects, which the kernel reads by the usual keys, or by a template of its own.

    required : keys that each object of the format has, or after a `!` does not have
    unit : the exponent of the durations' unit, or UNKNOWN_UNIT if the key names no unit
    needs : as of ObjectTemplate: how many of these columns tell a request from other objects
    """

    details: tuple[str, ...] = (*DETAILS, *EXTRAS)
    syntax = "json"
    _others: KeptFields | None = None

    def __init__(
        self,
        name: str,
        required: tuple[str, ...] = (),
        unit: int = 0,
        needs: int = 2,
        objects: ObjectTemplate | None = None,
    ) -> None:
        super().__init__(name)
        self._required = required
        self.objects = objects or _usual_template(required, self.syntax, unit, needs)

    def load(self, line: bytes) -> Any:
        return load(line)

    @property
    def detects(self) -> Callable[[bytes], bool]:
        assert self.objects is not None
        is_record = self.objects.is_record
        return lambda line: is_record(line) and not _OTHER_METHOD.search(line)

    def is_other_message(self, line: bytes) -> bool:
        return is_object(self.line(line))

    def place(self, line: bytes) -> Stop:
        has = [key for key in self._required if not key.startswith("!")]
        return json_stop(line, " or ".join(has or USUAL[TARGET][:2]))

    def keep(self, wanted: tuple[str, ...]) -> None:
        self._others = KeptFields(wanted, None)
        self.kept = None

    def look_ahead(self, lines: Lines) -> None:
        if self._others is not None:
            self.kept = self._others.of([self.load(self.line(line)) for line in lines.stripped if line])

    def kept_values(self, lines: list[bytes]) -> list[tuple[bytes | None, ...]]:
        assert self._others is not None
        return [self._others.values(self.load(self.line(line))) for line in lines]


class MappedLog(ObjectLog):
    """JSON objects with a field for each column."""

    details = DETAILS

    def __init__(self, fields: dict[str, str]) -> None:
        candidates = [(column, as_bytes(field), unit_of(field, 0)) for column, field in fields.items()]
        super().__init__("JSON", objects=ObjectTemplate(candidates, [], self.syntax, 0, True))
        self._shown = " and ".join(visible(fields[name]) for name in ("request", TARGET) if name in fields)

    @property
    def records(self) -> str:
        return f"is a JSON object with a string in its field {self._shown}"

    def place(self, line: bytes) -> Stop:
        return json_stop(line, self._shown)


class Logfmt(ObjectLog):
    """Pairs `key=value`, divided by blanks. A value with blanks has quotes."""

    syntax = "logfmt"

    def load(self, line: bytes) -> Any:
        pairs = _PAIR.findall(line.decode("utf-8", "surrogateescape"))
        return {key: _QUOTED.sub(r"\1", value[1:-1]) if value[:1] == '"' else value for key, value in pairs}

    def place(self, line: bytes) -> Stop:
        found = _PAIRS.match(line.decode("latin-1"))
        return Stop(found.end() if found else 0, "pair")


_PAIRS = lazy_pattern(r"""(?:([A-Za-z_][\w.@-]*+)=("(?:[^"\\]|\\.)*+"|[^\s"]*+)(?: ++|\Z))++""")
# A key may follow digits and marks, but no letter: then the search is linear.
_PAIR = lazy_pattern(r"(?<![\w.@-])(?:(?![A-Za-z_])[\w.@-])*+" + _PAIRS.pattern.removesuffix("++"))
_QUOTED = lazy_pattern(r"\\(.)")


# In the order of detection: the format with a signature comes first.
USUAL_LOGS = (
    LogFormat(
        "CADDY", "Caddy: JSON lines with `request.uri`", partial(ObjectLog, "CADDY", ("request.uri",), 0, 0), "%^{%^"
    ),
    LogFormat(
        "NGINXJSON",
        "JSON lines with usual keys: nginx's variables, Traefik, ECS, cloud providers and others",
        partial(ObjectLog, "NGINXJSON", REPEATED, UNKNOWN_UNIT),
        "%^{%^",
    ),
    LogFormat(
        "LOGFMT", "pairs `key=value`: Heroku's router, lograge, Grafana", partial(Logfmt, "LOGFMT", (), 3), "%^=%^"
    ),
)
OF_OBJECTS = frozenset(("CADDY", "NGINXJSON"))
