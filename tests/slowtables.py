"""Tables of values (W3C logs) and prefixes of lines, read slowly with regular expressions."""

import json
import re
from typing import Any

_VALUES = {separator: re.compile(rb'(?:"((?:[^"]|"")*+)"|([^%s]*+))%s' % (separator, separator))
           for separator in (b" ", b"\t")}  # fmt: skip
_NUMBER = re.compile(rb"[0-9]{1,20}|-1")
_DECIMAL = re.compile(rb"[0-9]{1,18}(?:\.[0-9]+)?")


def values_of(line: bytes) -> list[bytes]:
    """Return the values of a line, of which a quoted one may hold the separator and doubled quotes."""
    separator = b"\t" if b"\t" in line else b" "
    return [bare or quoted.replace(b'""', b'"') for quoted, bare in _VALUES[separator].findall(line + separator)]


def table_row(line: bytes, fields: list[str]) -> dict[str, Any] | None:
    """Return the columns of a line, or None for a reject. Times are not converted."""
    values = values_of(line)
    if line.startswith(b"#") or len(values) != len(fields):
        return None
    get = {name: None if value in (b"", b"-") else value for name, value in zip(fields, values, strict=True)}
    stem, query, referer = get.get("cs-uri-stem"), get.get("cs-uri-query"), get.get("cs(referer)")
    if any(get.get(name) and not _NUMBER.fullmatch(get[name] or b"") for name in ("sc-status", "sc-bytes")):
        return None
    status = int(get.get("sc-status") or 0)
    if status > 0 and not 100 <= status <= 599 and status != 999:
        return None
    if stem is None and query is None and referer is None:
        return None
    if (get.get("cs-method") or b"").startswith(b"["):  # a session of FTP stands there
        return None
    joined = stem if query is None else (stem or b"") + b"?" * (not query.startswith(b"?")) + query
    taken = get.get("time-taken")
    size = int(get.get("sc-bytes") or -1)
    seconds = None
    if taken and _DECIMAL.fullmatch(taken):
        whole, point, fraction = taken.partition(b".")
        seconds = float(whole + b"." + fraction[: min(9, 18 - len(whole))]) / (1 if point else 1000)
    return {
        "url": joined, "client": get.get("c-ip"), "method": get.get("cs-method"), "agent": get.get("cs(user-agent)"),
        "referer": referer, "status": status if status > 0 else None, "size": size if 0 <= size < 1 << 64 else None,
        "duration": seconds,
    }  # fmt: skip


_TIME = rb"[0-9]{4}-[0-9/-]{5}T[0-9:.]{5,24}(?:Z|[+-][0-9:.]{4,5})"
_DAY = rb"[A-Za-z]{3} [ 0-9][0-9] [0-9:.]{8,15}"
_TAG = rb"[^ :\[\n]{1,64}(?:\[[\w.]+\])?:"
_RFC3164 = rb"(?:<[0-9]{1,3}>)?(?:%s|%s) (?:%s |[^ \n]{1,255} %s ?)" % (_DAY, _TIME, _TAG, _TAG)
_RFC5424 = rb"<[0-9]{1,3}>1 (?:[^ \n]{1,255} ){5}(?:-|(?:\[[^\]]*+\])++) (?:\xef\xbb\xbf)?"
_IPV4 = rb"(?:[0-9]*\.){3}[0-9]*"
_ADDRESS = rb"(?:(?:[0-9]*\.){3}[0-9]*|[0-9A-Fa-f.]*:[0-9A-Fa-f.]*:[0-9A-Fa-f.:]*)"
_PREFIXES = {
    "SYSLOG": rb"%s|%s" % (_RFC5424, _RFC3164),
    "CRI": rb"%s (?:stdout|stderr) [FP] " % _TIME,
    "COMPOSE": rb"[a-z0-9][a-z0-9_.@|-]* {1,64}\| (?:%s[ \t])?" % _TIME,
    "KUBECTL": rb"\[pod/[\w.-]{1,253}/[\w.-]{1,253}\] (?:%s[ \t])?" % _TIME,
    "TIME": rb"[0-9/-]{10} [0-9:.]{8,15}(?:,[0-9]{1,6})? |%s[ \t]" % _TIME,
    "LOGGER": rb"[A-Z]{4,8}:[\w.-]{1,64}:|.*?[:)\]] +"
    rb"(?=(?:%s|(?:%s):[0-9]{1,5}|\[(?:%s)\]:[0-9]{1,5})(?: |$))" % (_ADDRESS, _IPV4, _ADDRESS),
}
_SENDER = re.compile(rb"\A[\w.-]{1,64} [A-Za-z][\w.-]{0,63}(?:\[[0-9]+\])?: ")


def behind_prefix(prefix: str, line: bytes) -> bytes | None:
    """Return the line behind a prefix, or the line that a JSON object holds."""
    if prefix != "DOCKER":
        start = re.match(_PREFIXES[prefix], line)
        return None if start is None else line[start.end() :]
    try:
        entry = json.loads(line.decode("utf-8", "surrogateescape"))
    except ValueError:
        return None
    if not isinstance(entry, dict):
        return None
    # A word such as null is not a text, so the next key counts.
    texts = (entry[key] for key in ("log", "MESSAGE", "message") if entry.get(key) not in (None, True, False))
    text = next(texts, None)
    if not isinstance(text, str) or "\n" in text.rstrip("\r\n"):
        return None
    return _SENDER.sub(b"", text.rstrip("\r\n").encode("utf-8", "surrogateescape"))
