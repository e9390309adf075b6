"""Infer columns in JSON objects from keys and values, and read JSON and logfmt by given keys.

A key gets a column if the name and nearly all values fit. A request needs a method, a target and a status.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache
from typing import Any

from fasturl._accesslog import ObjectTemplate, is_object
from fasturl._quoted import unknown
from fasturl.logs.columns import REFERER, TARGET
from fasturl.logs.errors import LogError
from fasturl.logs.formats.evidence import METHODS, STATUSES, USUAL
from fasturl.logs.formats.jsonlines import load
from fasturl.logs.formats.objects import REPEATED, UNIT, Logfmt, ObjectLog, plain_name, scalars, unit_of
from fasturl.logs.inputs.lines import spread
from fasturl.logs.shown import as_bytes, visible

_ENOUGH = 0.9  # of the values of a key must be of its column's kind, and of the objects with a method must be requests
_REQUESTS = 0.1  # of all lines must be requests
# What inference reads: few objects of requests have a tenth of these keys, or a key of half of this length.
_SAMPLE = 1 << 15  # bytes
_PATHS_MAX = 256
_PATH_MAX = 80
_SYNTAXES: dict[str, type[ObjectLog]] = {"JSON": ObjectLog, "LOGFMT": Logfmt}
# Words before a name that tell whose it is, and a unit after it. W3C's logs write cs for the client's question to the
# server, sc for the answer, c for the client.
_OWNERS = r"(?:https?|access|log|event|x|nginx|apache|raw|full|original|orig)"
_ASKS, _ANSWERS = r"(?:requested|request|req|client|cs)", r"(?:response|resp|res|reply|result|final|server|sc)"
_UNIT = UNIT.decode("latin-1")
_AFTER = {"duration": rf"(?:in)?(?:{_UNIT})?", "time": r"(?:ms|local|iso)?"}
# The words before a column's names, the names without case and punctuation, and the values. A key has the first column.
_ADDRESS = r"\[?(?:[0-9]{1,3}(?:\.[0-9]{1,3}){3}|[0-9A-Fa-f]*:[0-9A-Fa-f:.]+)\]?(?::[0-9]+)?(?:, .*)?"
_TIME = r"[12][0-9]{9,18}(?:\.[0-9]+)?|\[?(?:[0-9]{4}[-/][0-9]{2}|[0-9]{1,2}[/ -][A-Z][a-z]{2}|[A-Z][a-z]{2}[ ,]).*"
_DURATION = r"[0-9.]+(?:[eE]-[0-9]+)? ?(?:ns|[u\xb5\u03bc]s|ms|s)?|(?:[0-9]+h)?(?:[0-9]+m)?[0-9.]+s"
_COLUMNS = {
    "method": (rf"{_ASKS}*", "method verb", METHODS.decode()),
    "status": (rf"(?:{_ANSWERS}|{_ASKS}|http)*", "status code statuscode resp", r"[1-5][0-9]{2}"),
    "request": ("", "request req requestline", rf"(?:{METHODS.decode()}) \S+(?: HTTP/[0-9.]+)?"),
    TARGET: (rf"{_ASKS}*(?:url|uri|target)?", "path uri url target pathname endpoint resource original stem",
             r"(?:/|https?://)\S*|\*"),
    "query": (rf"{_ASKS}*(?:url|uri)?", "query querystring args qs", r"\??[^\s=]+=\S*|-|"),
    "client": (r"(?:client|c|remote|peer|src|source|user|real|caller|visitor|from|ip|request|req)*",
               "ip addr address client remote peer src source from caller clienthost remotehost peerhost", _ADDRESS),
    "forwarded": ("", "forwardedfor xff forwarded fwd", rf"{_ADDRESS}|-?"),
    "time": (rf"(?:{_ASKS}|start|begin|received)*", "time timestamp ts date datetime t at", _TIME),
    "agent": (rf"{_ASKS}*(?:headers?|user)?", "useragent agent ua", r"-?|[^{]*/.*"),
    REFERER: (rf"{_ASKS}*(?:headers?)?", "referer referrer", r"-?|(?:/|[a-z][a-z0-9+.-]*:).*"),
    "request_length": (r"(?:request|req|cs)(?:body)?", "size bytes length len", r"[0-9]+|-?"),
    "size": (rf"{_ANSWERS}*(?:body)?", "size bytes length len contentlength bytessent byteswritten bytesout",
             r"[0-9]+|-?"),
    "duration": (rf"(?:{_ASKS}|{_ANSWERS}|total|processing|elapsed|run)*",
                 "duration elapsed total latency took cost timetaken time rt dur", _DURATION),
    "vhost": (rf"{_ASKS}*(?:headers?)?", "host authority vhost servername domain",
              r"(?=[^:]*[A-Za-z])(?:localhost|[\w-]+(?:\.[\w-]+)+)(?::[0-9]+)?"),
    "protocol": (rf"{_ASKS}*", "proto protocol httpversion version", r"HTTP/[0-9](?:\.[0-9])?|h[23]c?"),
    "user": (r"(?:remote)?", "user username", r"[^\s{]*"),
}  # fmt: skip
# The ends of all names: most keys have none of them, and the patterns are slow.
_ENDS = ("s", "sec", "second", "iso", "local", *(name for _, names, _ in _COLUMNS.values() for name in names.split()))


@cache
def _compile_columns() -> dict[str, tuple[re.Pattern[str], re.Pattern[str]]]:
    found = {}
    for column, (before, names, value) in _COLUMNS.items():
        name = rf"{_OWNERS}*{before}(?:{'|'.join(names.split())}){_AFTER.get(column, '')}"
        flags = re.DOTALL | (re.IGNORECASE if column == "method" else 0)
        found[column] = (re.compile(name), re.compile(value, flags))
    return found


# A method and a request line are such under any name.
_ANY_NAME = {
    "method": re.compile(METHODS.decode()),
    "request": re.compile(rf"(?:{METHODS.decode()}) \S+ HTTP/[0-9.]+"),
}
# Objects around the fields of a request: at most three words, because any number of words that overlap (meta, data,
# metadata) takes exponential time.
_AROUND = re.compile(
    r"(?i)@?(?:(?:https?|requests?|req|responses?|resp?|attributes?|attrs?|data|fields?|context|ctx|event|log|message|msg|meta"
    r"|metadata|payload|properties|props|network|extra|details?|jsonpayload|access|info|web|api|span|tags|labels|record"
    r"|client|entry|state|url|headers|transaction|nginx|apache)[_-]?){1,3}"
)


@lru_cache(4096)
def columns_of(path: str) -> dict[str, int]:
    """Return the columns that a key may have by its name, each with how many objects around it that name ignores."""
    found: dict[str, int] = {}
    parts = path.split(".") if len(path) <= _PATH_MAX else []
    for at in range(len(parts)):
        name = plain_name(as_bytes(".".join(parts[at:]))).decode()
        for column, (pattern, _) in _compile_columns().items() if name.endswith(_ENDS) else ():
            if pattern.fullmatch(name) and not (column == "size" and "request_length" in found):
                found.setdefault(column, at)
        if not _AROUND.fullmatch(parts[at]):
            break
    return found


def fits_column(path: str, column: str, value: str) -> bool:
    """Return True if a value may belong to a column that this key names."""
    return column in columns_of(path) and _compile_columns()[column][1].fullmatch(value) is not None


def infer_fields(entries: list[dict[str, Any]]) -> dict[str, str]:
    """Return the key for each column that these objects prove.

    >>> infer_fields([{"req": {"verb": "GET", "urlPath": "/a"}, "http_code": 200, "query": "SELECT 1"}])
    {'method': 'req.verb', 'status': 'http_code', 'target': 'req.urlPath'}
    """
    values: dict[str, list[str]] = {}
    for entry in entries:
        for path, value in scalars(entry).items():
            is_new = path not in values
            if not isinstance(value, bool) and not (is_new and (len(values) == _PATHS_MAX or set(path) & set(" =%$"))):
                values.setdefault(path, []).append(str(value))
    columns = {path: columns_of(path) for path, texts in values.items() if len(texts) >= len(entries) * _REQUESTS}
    fields: dict[str, str] = {}
    for column, (_, pattern) in _compile_columns().items():
        likely = sorted(
            (has[column], -len(values[path]), len(path), path)
            for path, has in columns.items()
            if column in has
            and path not in fields.values()
            and sum(pattern.fullmatch(text) is not None for text in values[path]) >= len(values[path]) * _ENOUGH
        )
        if likely:
            fields[column] = likely[0][3]
        elif column in _ANY_NAME:
            by_value = (path for path in columns if all(map(_ANY_NAME[column].fullmatch, values[path])))
            found = next((path for path in by_value if path not in fields.values()), None)
            if found is not None:
                fields[column] = found
    statuses = [as_bytes(text) in STATUSES for text in values.get(fields.get("status", ""), [])]
    methods = {as_bytes(text.upper()) for text in values.get(fields.get("method", ""), [])}
    is_http = sum(statuses) >= len(statuses) * _ENOUGH and not ("method" in fields and methods.isdisjoint(USUAL))
    return fields if is_http else {}


def _object_log(syntax: str, fields: dict[str, str]) -> ObjectLog:
    needed = [
        fields[column] for column in (("request", "status") if "request" in fields else ("method", TARGET, "status"))
    ]
    required = (*needed, *REPEATED)
    reader = _SYNTAXES[syntax]
    keys = [(column, as_bytes(key), unit_of(key, unit_of(key.rpartition(".")[2]))) for column, key in fields.items()]
    candidates = [*keys, ("kind", b"event.kind", 0)]
    objects = ObjectTemplate(candidates, [as_bytes(key) for key in required], reader.syntax, 2, False)
    log = reader("CUSTOM", required, objects=objects)
    log.what = f"is an object with the keys {visible(', '.join(needed))}"
    return log


def keyed_log(spelled: str) -> ObjectLog:
    """Return a reader of objects from its spelling: `JSON method=verb target=urlPath status=http_code`.

    Raises LogError for an unknown column, or without a request.
    """
    syntax, *pairs = spelled.split()
    fields = dict(pair.partition("=")[::2] for pair in pairs)
    for name in fields:
        if name not in _COLUMNS:
            raise LogError(f"{visible(spelled)}: {unknown('column', name, _COLUMNS)}")
    try:
        if all(fields.values()):
            return _object_log(syntax.upper(), fields)
    except KeyError:
        pass
    needs = f"write {syntax} method=KEY target=KEY status=KEY"
    raise LogError(f"{visible(spelled)}: {needs}")


def infer_keys(lines: list[bytes]) -> tuple[str, int] | None:
    """Return how to spell a format if the lines prove that objects are requests, and how many fit, or None.

    It reads the keys in a sample.
    """
    least = max(len(lines) * _REQUESTS, 1)
    objects = list(filter(is_object, lines))
    if len(objects) < least:
        return None
    sample = spread([line for line in objects if len(line) <= _SAMPLE], len(objects), _SAMPLE, _SAMPLE)
    fields = infer_fields([entry for entry in map(load, sample) if isinstance(entry, dict)])
    if not (fields.keys() >= {"status", "request"} or fields.keys() >= {"status", "method", TARGET}):
        return None
    fits = sum(map(_object_log("JSON", fields).detects, lines))
    return (" ".join(("JSON", *map("=".join, fields.items()))), fits) if fits >= least else None
