"""Infer the columns of objects by their keys and values: JSON, logfmt and LTSV with keys of no known program.

A key has a column if both its name and nearly all of its values fit. A request needs a method, a target and a status.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Any

from fasturl._accesslog import ObjectTemplate
from fasturl.logs.columns import REFERER, TARGET
from fasturl.logs.errors import LogError
from fasturl.logs.formats.http_words import METHODS, STATUSES, USUAL
from fasturl.logs.formats.kernel_logs import CommonLog
from fasturl.logs.formats.logtext import octets
from fasturl.logs.formats.mismatch import Stop
from fasturl.logs.formats.usual import REPEATED, UNKNOWN_UNIT, Logfmt, Ltsv, ObjectLog, plain_name, scalars, unit_of
from fasturl.logs.shown import visible

_ENOUGH = 0.9  # of the values of a key must be of its column's kind, and of the objects with a method must be requests
_REQUESTS = 0.1  # of all lines must be requests
_SYNTAXES: dict[str, type[ObjectLog]] = {"JSON": ObjectLog, "LOGFMT": Logfmt, "LTSV": Ltsv}
# Words before a name that tell whose it is.
_OWNERS = r"(?:https?|cs|sc|access|log|event|x|nginx|apache|raw|full|original|orig)"
_ASKS, _ANSWERS = r"(?:requested|request|req|client)", r"(?:response|resp|res|reply|result|final|server)"
_UNITS = r"(?:in)?(?:ns|us|ms|s|nanos|micros|millis|seconds|sec|nanoseconds|microseconds|milliseconds)?"
# The names of each column, without case and punctuation, and the values. Earlier columns take a key first.
_COLUMNS = {
    "method": (rf"{_ASKS}*(?:method|verb)", METHODS.decode()),
    "status": (rf"(?:{_ANSWERS}|{_ASKS})*(?:http)?(?:status|code|statuscode)", r"[1-5][0-9]{2}"),
    "request": (r"(?:request|req)(?:line)?", rf"(?:{METHODS.decode()}) \S+(?: HTTP/[0-9.]+)?"),
    TARGET: (rf"{_ASKS}*(?:url|uri|target)?(?:path|uri|url|target|pathname|endpoint|resource)", r"(?:/|https?://)\S*|\*"),
    "query": (rf"{_ASKS}*(?:url|uri)?(?:query|querystring|args|qs)", r"\??[^\s=]+=\S*|-|"),
    "client": (
        r"(?:client|remote|peer|src|source|user|real|caller|visitor|forwarded|from|request|req)*"
        r"(?:ip|ipaddr|ipaddress|addr|address|host|client|remote|peer|src|source|from)",
        r"\[?(?:[0-9]{1,3}(?:\.[0-9]{1,3}){3}|[0-9A-Fa-f]*:[0-9A-Fa-f:.]+)\]?(?::[0-9]+)?(?:, .*)?",
    ),
    "time": (
        rf"(?:{_ASKS}|start|begin)*(?:time|timestamp|ts|date|datetime|t|at|timelocal|timeiso)(?:ms|utc|received)?",
        r"[12][0-9]{9,18}(?:\.[0-9]+)?|\[?(?:[0-9]{4}[-/][0-9]{2}|[0-9]{1,2}[/ -][A-Z][a-z]{2}|[A-Z][a-z]{2}[ ,]).*",
    ),
    "agent": (rf"{_ASKS}*(?:headers?)?(?:useragent|agent|ua)", r".*"),
    REFERER: (rf"{_ASKS}*(?:headers?)?(?:referr?er)", r"-?|(?:/|[a-z][a-z0-9+.-]*:).*"),
    "request_length": (r"(?:request|req)(?:body)?(?:size|bytes|length|len)|bytes(?:received|in)", r"[0-9]+|-?"),
    "size": (
        rf"{_ANSWERS}*(?:body)?(?:size|bytes|length|len|contentlength|bytessent|bodybytessent|byteswritten|bytesout)",
        r"[0-9]+|-?",
    ),
    "duration": (
        rf"(?:{_ASKS}|{_ANSWERS}|total|processing)*(?:duration|elapsed|elapsedtime|latency|took|timetaken|time|rt|runtime|dur){_UNITS}",
        r"[0-9.]+(?:[eE]-[0-9]+)? ?(?:ns|[uµμ]s|ms|s)?|(?:[0-9]+h)?(?:[0-9]+m)?[0-9.]+s",
    ),
    "vhost": (rf"{_ASKS}*(?:headers?)?(?:host|hostname|authority|vhost|servername)", r"[\w.-]+(?::[0-9]+)?|\[.*"),
    "protocol": (rf"{_ASKS}*(?:proto|protocol|httpversion|version)", r"(?:HTTP/)?[0-9](?:\.[0-9])?|h[23]c?"),
    "user": (r"(?:remote)?(?:user|username)", r"[^\s{]*"),
}  # fmt: skip


@cache
def _compiled() -> dict[str, tuple[re.Pattern[str], re.Pattern[str]]]:
    flags = {"method": re.IGNORECASE}
    return {
        column: (re.compile(rf"{_OWNERS}*(?:{name})"), re.compile(value, flags.get(column, re.DOTALL)))
        for column, (name, value) in _COLUMNS.items()
    }


# Objects about another server's part of a request.
_OTHERS = re.compile(
    r"(?i)(?:\A|[._])(?:upstream|backend|origin|error|err|db|tls|ssl|parent|destination|dst|dest)(?:[._]|\Z)"
)


@cache
def _names(path: str) -> dict[str, int]:
    """Return the columns that a key may have by its name, each with how many objects around it that name ignores."""
    found: dict[str, int] = {}
    parts = [] if _OTHERS.search(path) else path.split(".")
    for at in range(len(parts)):
        name = plain_name(".".join(parts[at:]).encode()).decode()
        for column, (pattern, _) in _compiled().items():
            if pattern.fullmatch(name):
                found.setdefault(column, at)
    return found


def infer_fields(entries: list[dict[str, Any]]) -> dict[str, str]:
    """Return the key of each column that the keys and values of these objects prove.

    >>> infer_fields([{"req": {"verb": "GET", "urlPath": "/a"}, "http_code": 200, "query": "SELECT 1"}])
    {'method': 'req.verb', 'status': 'http_code', 'target': 'req.urlPath'}
    """
    values: dict[str, list[str]] = {}
    for entry in entries:
        for path, value in scalars(entry).items():
            if not isinstance(value, bool) and not set(path) & set(" =%$"):
                values.setdefault(path, []).append(str(value))
    fields: dict[str, str] = {}
    for column, (_, pattern) in _compiled().items():
        likely = sorted(
            (ignored, -len(texts), len(path), path)
            for path, texts in values.items()
            if (ignored := _names(path).get(column)) is not None and path not in fields.values()
            and sum(pattern.fullmatch(text) is not None for text in texts) >= len(texts) * _ENOUGH
        )  # fmt: skip
        if likely:
            fields[column] = likely[0][3]
    statuses = values.get(fields.get("status", ""), [])
    methods = {text.upper().encode() for text in values.get(fields.get("method", ""), [])}
    if sum(text.isdecimal() and int(text) in STATUSES for text in statuses) < len(statuses) * _ENOUGH:
        return {}
    if "method" in fields and methods.isdisjoint(USUAL):
        return {}
    return fields


def _needed(fields: dict[str, str]) -> tuple[str, ...]:
    """Return the columns without which an object is no request."""
    return ("request", "status") if "request" in fields else ("method", TARGET, "status")


class KeyedLog(ObjectLog):
    """Objects with keys that their values prove. It is spelled `JSON method=verb target=urlPath status=http_code`."""

    def __init__(self, syntax: str, fields: dict[str, str]) -> None:
        required = tuple(fields[column] for column in _needed(fields))
        self._required = required
        self._of = _SYNTAXES[syntax]
        self.syntax = self._of.syntax
        CommonLog.__init__(self, "CUSTOM")
        self.what = f"is an object with the keys {visible(', '.join(required))}"
        units = (unit_of(key) or unit_of(key.rpartition(".")[2]) for key in fields.values())
        given = zip(fields, map(octets, fields.values()), units, strict=True)
        candidates = [(column, key, int(unit or UNKNOWN_UNIT)) for column, key, unit in given]
        candidates.append(("kind", b"event.kind", 0))
        conditions = [octets(key) for key in (*required, *REPEATED)]
        self.objects = ObjectTemplate(candidates, conditions, self.syntax, 2, False)

    def load(self, line: bytes) -> Any:
        return self._of.load(self, line)

    def place(self, line: bytes) -> Stop:
        return self._of.place(self, line)


def keyed_log(spelled: str) -> KeyedLog:
    """Return a reader of objects from its spelling. Raises LogError for an unknown column, or without a request."""
    syntax, *pairs = spelled.split()
    fields = dict(pair.partition("=")[::2] for pair in pairs)
    if not fields.keys() <= _COLUMNS.keys() or not fields.keys() >= set(_needed(fields)) or not all(fields.values()):
        needs = f"write {syntax} method=KEY target=KEY status=KEY"
        raise LogError(f"{visible(spelled)}: {needs}; the columns are {', '.join(_COLUMNS)}")
    return KeyedLog(syntax.upper(), fields)


# The lines whose objects are looked at, per syntax.
_SHAPES = {
    "JSON": rb"\s*\{",
    "LOGFMT": rb'[^="]*[\w.@-]+=',
    "LTSV": rb"(?:[A-Za-z0-9_]+:[^\t]*\t)+[A-Za-z0-9_]+:[^\t]*\Z",
}


def infer_keys(lines: list[bytes]) -> tuple[str, int] | None:
    """Return the spelling of a format of objects that the lines prove to be requests, and how many fit, or None."""
    least = max(len(lines) * _REQUESTS, 1)
    for syntax, log in _SYNTAXES.items():
        shape = re.compile(_SHAPES[syntax])
        found = (log.load(log.__new__(log), line) for line in lines if shape.match(line))
        entries = [entry for entry in found if isinstance(entry, dict)]
        fields = infer_fields(entries) if len(entries) >= least else {}
        if fields.keys() >= set(_needed(fields)):
            keyed = KeyedLog(syntax, fields)
            fits = sum(map(keyed.fits, lines))
            if fits >= least:
                return " ".join((syntax, *map("=".join, fields.items()))), fits
    return None
