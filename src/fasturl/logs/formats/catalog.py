"""The formats of input. LOGS is the one list of the logs: detection, the names of --log-format and the
documentation come from it. The names are goaccess's.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from fasturl.logs.formats.clf import CommonLog
from fasturl.logs.formats.jsonlines import Caddy
from fasturl.logs.formats.patterns import PatternLog
from fasturl.logs.formats.records import URL, LineFormat
from fasturl.logs.formats.w3c import W3C


class UrlList(LineFormat):
    """One URL a line: every line that is not empty is one, however broken."""

    reads_blocks = True

    def __init__(self, form: str = "url") -> None:
        if form == "request-target":
            self.targets = frozenset({URL})


@dataclass(frozen=True)
class LogFormat:
    """A log by its name; `reads` says for people what its lines are, `make` makes a fresh reader."""

    name: str
    reads: str
    make: Callable[[], LineFormat]


def _common(name: str, reads: str, *, vhost: bool = False, combined: int = 0) -> LogFormat:
    return LogFormat(name, reads, partial(CommonLog, name, vhost=vhost, combined=combined))


def _pattern(name: str, reads: str) -> LogFormat:
    return LogFormat(name, reads, partial(PatternLog, name))


# In the order of detection, where of formats that explain as many lines the first is taken: the more a format says the
# earlier it comes.
LOGS = (
    LogFormat(
        "W3C", "fields as the last `#Fields:` line names them; `cs-uri`, or `cs-uri-stem` and `cs-uri-query`", W3C
    ),
    LogFormat("CLOUDFRONT", "as W3C", partial(W3C, "CLOUDFRONT")),
    LogFormat("CADDY", "JSON lines with `request.uri`", Caddy),
    _pattern("AWSALB", "application load balancers of AWS"),
    _common("VCOMBINED", "as COMBINED, after the virtual host", vhost=True, combined=1),
    _common("COMBINED", 'Apache and nginx: as COMMON, then `"referer" "agent"`', combined=1),
    _common("TRAEFIKCLF", "as COMBINED", combined=1),
    _pattern("AWSELB", "classic load balancers of AWS"),
    _pattern("AWSS3", "storage of AWS"),
    _pattern("SQUID", "Squid's own"),
    _common("VMIXED", "VCOMMON and VCOMBINED lines in one log", vhost=True, combined=2),
    _common("MIXED", "COMMON and COMBINED lines in one log", combined=2),
    _common("VCOMMON", "as COMMON, after the virtual host", vhost=True),
    _common("COMMON", 'Apache and nginx: `host ident user [time] "request" status size`'),
)
_BY_NAME = {log.name: log for log in LOGS}
LOG_NAMES = tuple(_BY_NAME)


def make_format(log: str | LogFormat, form: str = "url") -> LineFormat:
    """A fresh reader for a format, or for the one of that name (`URLS` or one of LOG_NAMES)."""
    if log == "URLS":
        return UrlList(form)
    return (_BY_NAME[log] if isinstance(log, str) else log).make()
