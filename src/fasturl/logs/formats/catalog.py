"""The log formats by name. Detection, the list of names and the documentation use LOGS. The names are goaccess's."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import partial

from fasturl._accesslog import ObjectTemplate
from fasturl._patterns import lazy_pattern
from fasturl._quoted import unknown
from fasturl.logs.columns import DETAILS, REFERER, TARGET
from fasturl.logs.errors import LogError
from fasturl.logs.formats.dialects import line_format, server_format, server_template
from fasturl.logs.formats.kernel_logs import PREFIXES, CommonLog, ListLog, TemplateLog, read_behind_prefix
from fasturl.logs.formats.objects import USUAL_LOGS, MappedLog
from fasturl.logs.formats.records import LineFormat, LogFormat
from fasturl.logs.formats.w3c import W3C
from fasturl.logs.shown import as_bytes, visible


class UrlList(LineFormat):
    """A URL per line. Every line that is not empty is a URL."""

    reads_blocks = True

    def matches(self, line: bytes) -> bool:
        return True


def _common(name: str, description: str, *, vhost: bool = False, combined: int = 0) -> LogFormat:
    return LogFormat(name, description, partial(CommonLog, name, vhost=vhost, combined=combined))


def _list(name: str, description: str, *names: str) -> LogFormat:
    return LogFormat(name, description, lambda: _list_log(name, names))


def _list_log(name: str, names: Sequence[str | LogFormat]) -> ListLog:
    formats = [make_format(each) for each in names]
    for each in formats:
        if not isinstance(each, CommonLog) or each.keeps_state:
            raise LogError(f"{visible(name)}: {each.name} needs earlier lines, so it cannot be in a list")
    return ListLog(name, [each for each in formats if isinstance(each, CommonLog)])


class KnownByText(TemplateLog):
    """A log that also reads lines in other formats. It is detected by a text in the lines."""

    def __init__(self, name: str, text: str, known_by: bytes) -> None:
        super().__init__(name, server_template(text, has_more=True))
        self._known_by = known_by

    @property
    def detects(self) -> Callable[[bytes], bool]:
        return lambda line: self.template.is_record(line) and re.search(self._known_by, line) is not None


# Patterns, compiled on use: few lines need them.
_WORDS_AND_REFERER = rb'" [0-9]{3} [0-9-]+(?: [^" ]+){1,4} "(?:[a-z-]+:[^"]*" "|-?" "(?:-?"|[A-Za-z][^"]*/))'
# A quoted list of addresses, or a hyphen, as the third string after the size. `x` stands for digits that were hidden.
_PART = rb"(?:[0-9]{1,3}|x{1,3})"
_AFTER_AGENT = rb'" [0-9-]+ [0-9-]+ "[^"]*" "[^"]*" "'
FORWARDED = _AFTER_AGENT + (
    rb'(?:(?:unknown|%s(?:\.%s){3}(?::[0-9]+)?|\[?[0-9A-Fa-f]*:[0-9A-Fa-f:.]+(?:\]:[0-9]+)?)(?:, ?|(?=")))+"(?: |\Z)'
    % (_PART, _PART)
)
FORWARDED_LIST = FORWARDED + b"|" + _AFTER_AGENT + rb'-"(?: |\Z)'
# A request of Envoy: its log of TCP connections alone is not a log of requests.
_ENVOY_REQUEST = rb'\] "(?!- - -")'

# The fields after the client are the server, three times, two statuses, bytes received and sent, and the request.
_ELB = '%{iso}x %^ %{port}h %^ %T %T %T %s %^ %{number}^ %b "%r"'
# The end of ingress-nginx's format: the length of the request, the time, and the names of the upstreams.
_INGRESS = "%{length}^ %T [%^] [%^] %{until}^"
# The end of Envoy's default format, after the bytes that it received.
_ENVOY = '%{length}^ %b %L %^ "%{forwarded}^" "%u" "%{request_id}^" "%v" "%^"'


def _known_by(known_by: bytes, name: str, description: str, text: str) -> LogFormat:
    return LogFormat(name, description, partial(KnownByText, name, text, known_by), text)


_NGINX_MAIN = '%h %^ %e [%x] "%r" %s %b "%R" "%u" "%{forwarded}^"'
# The formats that people look for most. Lists begin with them.
USUAL = (
    *("NGINX", "APACHE", "COMBINED", "COMMON", "W3C", "CADDY", "NGINXJSON", "HAPROXY", "AWSALB", "SQUID"),
    *("CLOUDFRONT", "INGRESSNGINX", "TRAEFIKCOMMON", "LOGFMT", "ENVOY", "ISTIO", "AWSS3", "UWSGI"),
)

# In the order of detection: of formats that match the same number of lines, the first is taken. So a format with more
# fields comes earlier.
LOGS = (
    LogFormat(
        "W3C", "IIS and others: the fields in the last `#Fields:` line, such as `cs-uri-stem` and `cs-uri-query`", W3C
    ),
    LogFormat("CLOUDFRONT", "Amazon CloudFront: W3C, also without the `#Fields:` line", partial(W3C, "CLOUDFRONT")),
    *USUAL_LOGS,
    server_format(
        "AWSALB",
        "Amazon's application load balancers",
        f'%{{http|https|h2|grpcs|ws|wss}}^ {_ELB} "%u"',
        has_more=True,
        is_exact=True,
    ),
    server_format(
        "HAPROXY",
        "HAProxy's HTTP log",
        '%{port}h [%{written}x] %^ %^ %^/%^/%^/%^/%L %s %b %^ %^ %^ %^ %^ %{until}^"%r"',
        has_more=True,
    ),
    server_format(
        "HAPROXYTCP",
        "HAProxy's TCP log. Its rows have no target.",
        "%{port}h [%{written}x] %^ %^/%^ %^/%^/%L %b %^ %^/%^/%^/%^/%^ %^/%^",
        has_more=True,
    ),
    _known_by(
        _ENVOY_REQUEST,
        "ISTIO",
        "Istio's default format",
        f'[%{{iso}}x] "%r" %s %^ %^ %^ "%^" {_ENVOY}%? %^ %^ %^ %{{port}}h',
    ),
    _known_by(_ENVOY_REQUEST, "ENVOY", "Envoy's default format", f'[%{{iso}}x] "%r" %s %^ {_ENVOY}'),
    server_format(
        "INGRESS",
        "ingress-nginx before 0.23: COMBINED, with the client a second time in brackets",
        '%h - [%^] - %e [%x] "%r" %s %b "%R" "%u" %{length}^ %T [%^] %{until}^',
        has_more=True,
    ),
    _known_by(
        rb"\] [^ ]+ (?:TLS|SSL)v[0-9.]+ [A-Z][A-Z0-9]+[_-][A-Z0-9_-]+ \"",
        "SSLREQUEST",
        "Apache's `ssl_request_log`, which has no status",
        '[%x] %h %^ %^ "%r" %b',
    ),
    server_format(
        "PHP", "PHP's built-in server, without the method", "[%x] %{port}h [%s]: %U", date="%a %b %e %H:%M:%S %Y"
    ),
    server_format(
        "UWSGI",
        "uWSGI's request log",
        "[pid: %^|app: %^|req: %^] %h (%e) {%^ vars in %{length}^ bytes} [%x] %m %U => generated %b bytes in %L msecs "
        "(%H %s) %{until}^",
        date="%a %b %e %H:%M:%S %Y",
    ),
    server_format(
        "NPM",
        "Nginx Proxy Manager, for hosts with a proxy",
        '[%d:%t %^] %{cache_status}^ %^ %s - %m %^ %v "%U" [Client %h] [Length %b] [Gzip %^] [Sent-to %^] "%u" "%R"',
    ),
    server_format(
        "NPMSTANDARD",
        "Nginx Proxy Manager, for hosts without a proxy",
        '[%d:%t %^] %s - %m %^ %v "%U" [Client %h] [Length %b] [Gzip %^] "%u" "%R"',
    ),
    server_format("AIOHTTP", "aiohttp's access log", '%h [%x] "%r" %s %b "%R" "%u"'),
    server_format(
        "BUNNY",
        "Bunny's content delivery network",
        "%{HIT|MISS|BYPASS|EXPIRED|STALE|UPDATING|-}^|%s|%x|%b|%^|%h|%R|%U|%^|%u|%{request_id}^|%^",
        date="%*",
    ),
    server_format(
        "INGRESSNGINX",
        "ingress-nginx: COMBINED, then the request's length and duration",
        f'%h - %e [%x] "%r" %s %b "%R" "%u" {_INGRESS}',
    ),
    server_format(
        "NGINXTIMED",
        "nginx: COMBINED, then labels such as ` rt=`, which is the duration",
        '%h %^ %e [%x] "%r" %s %b "%R" "%u"%{fields}^ rt=%T',
        has_more=True,
    ),
    server_format(
        "TRAEFIKCOMMON",
        "Traefik: COMBINED, then router, server and duration",
        '%h %^ %e [%x] "%r" %s %b %{quotes}R "%u" %^ "%^" %{any}^ %Lms',
    ),
    _known_by(
        FORWARDED_LIST,
        "NGINXMAIN",
        "nginx's `main`: COMBINED, then X-Forwarded-For in quotes",
        _NGINX_MAIN,
    ),
    _common("VCOMBINED", "Apache: the virtual host, then COMBINED", vhost=True, combined=1),
    _common("COMBINED", 'nginx and Apache: COMMON, then `"referer" "agent"`', combined=1),
    _common("TRAEFIKCLF", "Traefik: only the fields of COMBINED", combined=1),
    server_format("APISIX", "APISIX's access log", '%h %^ %e [%x] %v "%r" %s %b %T "%R" "%u"', has_more=True),
    _known_by(
        _WORDS_AND_REFERER,
        "TIMED",
        "Jira, Tomcat, Apache with `%D`: COMBINED, with more words before the referer",
        '%h %^ %e [%x] "%r" %s %b %{until}^"%R" "%u"',
    ),
    server_format("AWSELB", "Amazon's classic load balancers", f'{_ELB}%? "%u"', has_more=True, is_exact=True),
    server_format(
        "AWSS3",
        "Amazon S3's access log",
        "%^ %v [%{written}x] %h %e %^ %^ %^ %{quotes}r %s %^ %b %^ %L %^ %{quotes}R %{quotes}u",
        has_more=True,
        is_exact=True,
    ),
    server_format(
        "SQUID",
        "Squid's native format",
        "%{epoch}x %~%{number}L %h %{any}^/%{digits}s %{digits}b %m %{any}U %e %{any}^/%{any}^ %^",
        is_exact=True,
    ),
    LogFormat(
        "NGINX",
        "nginx: COMBINED, or the format `main` of nginx's packages, which adds X-Forwarded-For",
        lambda: _list_log("NGINX", (server_format("NGINX", "", _NGINX_MAIN), "COMBINED")),
    ),
    _list(
        "APACHE",
        "Apache: `vhost_combined`, COMBINED, `vhost_common` or COMMON",
        "VCOMBINED",
        "COMBINED",
        "VCOMMON",
        "COMMON",
    ),
    _list("MIXED", "COMMON and COMBINED lines in the same log", "COMBINED", "COMMON"),
    _common("VCOMMON", "Apache: the virtual host, then COMMON", vhost=True),
    _common(
        "COMMON",
        'nginx and Apache: `host ident user [time] "request" status size`. A line can also have referer and agent.',
    ),
)
# In the order for readers.
BY_USE = sorted(LOGS, key=lambda log: (USUAL.index(log.name) if log.name in USUAL else len(USUAL), log.name))
BY_NAME = {log.name: log for log in LOGS}

LOG_NAMES = tuple(BY_NAME)


def make_format(log: str | LogFormat, form: str = "url") -> LineFormat:
    """Return a new reader for a format or a name, which is `URLS` or in LOG_NAMES."""
    if log == "URLS":
        return UrlList(form=form)
    if isinstance(log, str) and "," in log:
        return _list_log(log, log.split(","))
    if isinstance(log, str) and "+" in log:
        prefix, _, inner = log.partition("+")
        return read_behind_prefix(prefix, make_format(inner))
    return (BY_NAME[log] if isinstance(log, str) else log).make()


def prefix_of(name: str) -> tuple[str, str]:
    """Return a format's prefix, as in `SYSLOG+COMBINED`, or "", and the rest.

    >>> prefix_of("cri+%h %U"), prefix_of("%h+%U")
    (('CRI', '%h %U'), ('', '%h+%U'))
    """
    prefix, plus, inner = name.partition("+")
    return (prefix.upper(), inner) if plus and prefix.upper() in PREFIXES else ("", name)


def is_keyed(spelled: str) -> bool:
    """Return True for a format of objects, which names the key of each column: `JSON target=urlPath …`."""
    return re.match(r"(?i)(?:JSON|LOGFMT) +[a-z_]+=", spelled) is not None


_GOACCESS_NAME = lazy_pattern(r"\A\s*log-format\s+(\w+)\s*\Z")


def named_format(name: str | LogFormat) -> str | LogFormat:
    """Return a format by name in any case, list of names, spelling, or configuration.

    That is `@/etc/nginx/nginx.conf`, or `@/etc/nginx/nginx.conf:main`.

    Raises ValueError for an unknown name.
    """
    if isinstance(name, LogFormat):
        return name
    name = _GOACCESS_NAME.sub(r"\1", name)
    if name.startswith("@"):
        from fasturl.logs.formats.configured import configured_format  # compiles patterns that few runs need

        spelled = configured_format(name[1:])
        try:
            return line_format(spelled)
        except LogError as error:  # its message quotes the format
            where = "" if error.offset is None else f" at offset {error.offset}"
            raise LogError(f"{visible(name[1:])}: the log format cannot be read{where}", offset=error.offset) from None
    prefix, inner = prefix_of(name)
    if prefix and isinstance(behind := named_format(inner), LogFormat):
        return LogFormat(f"{prefix}+CUSTOM", behind.description, lambda: read_behind_prefix(prefix, behind.make()))
    if is_keyed(name):
        from fasturl.logs.formats.keyed import keyed_log  # compiles patterns that few runs need

        keyed_log(name)  # raises LogError
        return LogFormat("CUSTOM", "objects with keys that are given", partial(keyed_log, name))
    if "%" in name or "$" in name:
        return line_format(name)
    if prefix and inner.upper() in LOG_NAMES:
        return name.upper()
    if "," in name:
        several = ",".join(str(named_format(each.strip())) for each in name.split(","))
        make_format(several)  # raises LogError
        return several
    if name.upper() not in (*LOG_NAMES, "URLS"):
        raise unknown("format", name, ("URLS", *LOG_NAMES))
    return name.upper()


_MAPPED_NAMES = (TARGET, "request", "query", REFERER, *DETAILS, "line")


def json_format(fields: Mapping[str, str], *, line: str | LogFormat | None = None) -> LogFormat:
    """Return a format for JSON lines with an object per request, which you can pass to ``read`` and ``parse_lines``.

    Parameters
    ----------
    fields : mapping from str to str
        The field for each column, for example ``{"target": "request.uri"}``, where the dot selects a nested field. When
        a field holds a list, the first value is used. ``request`` is a whole request line. ``query`` is appended to
        ``target``. ``line`` alone is a field that holds a log line, for example in a container's log.
    line : str or LogFormat, optional
        The format for ``line``. By default, it is "COMBINED".

    Returns
    -------
    LogFormat
        The format with the name JSON.

    Raises
    ------
    LogError
        If a column is unknown, or if the mapping names no request.

    Examples
    --------
    >>> json_format({"target": "request.uri", "status": "status"}).name
    'JSON'
    """
    for name in fields:
        if name not in _MAPPED_NAMES:
            raise LogError(f"the mapping: {unknown('column', name, _MAPPED_NAMES)}")
    if "line" in fields:
        if len(fields) > 1:
            raise LogError("the mapping: map only line, because the other fields are in the line")
        held = partial(_nested_log, named_format(line or "COMBINED"), fields["line"])
        held()
        return LogFormat("JSON", "JSON objects that hold lines", held)
    if line is not None:
        raise LogError("the mapping: a format describes a line in a field: map line=FIELD")
    if not {TARGET, "request"} & fields.keys():
        raise LogError("the mapping: no field is a request: map target=FIELD or request=FIELD")
    return LogFormat("JSON", "JSON objects with fields that are mapped", partial(MappedLog, dict(fields)))


def _nested_log(line: str | LogFormat, field: str) -> CommonLog:
    """Return a reader of JSON objects with a field that holds a line of this format."""
    fmt = make_format(line)
    if not isinstance(fmt, CommonLog):
        raise LogError(f"the mapping: a line in a field must have a log format, not {fmt.name}")
    fmt.what = f"is a JSON object whose field {visible(field)} holds a line that {fmt.records}"
    fmt.behind("JSON", ObjectTemplate([(TARGET, as_bytes(field), 0)], [], "json", 0, True)).name = "JSON"
    return fmt
