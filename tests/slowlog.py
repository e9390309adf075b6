"""A slow reader of common and combined logs: one pattern per format and a few checks. It shares no code with the
program's reader. A line is one record or a reject. Only quoted fields hold a bracket or a quote. A name of several
words has no lone hyphen among them. Words may follow the known fields. They may hold brackets in pairs and end in a
quoted string, but hold no request line and no quoted string right after a bracket. In COMMON, a referer and an agent
are read if the line has them. NULs before a record are skipped. Two spaces may precede a user and a request. A list of
addresses in place of the client is the forwarded list. Neither a client nor a virtual host begins with a date, and no
client behind a host with a bracket. An ident with a dot that ends in a letter is the virtual host. The name of a file
may stand before an address of IPv4 that a search found in it. A client whose last label is a number is an address of
IPv4. A status is one of 100 to 599 or 999, or absent."""

import re
from datetime import UTC, datetime, timedelta
from typing import Any

Row = dict[str, Any]
# By name: True if a line starts with the virtual host; 1 if referer and agent follow.
FORMATS = {
    "COMMON": (False, 0), "COMBINED": (False, 1), "VCOMMON": (True, 0), "VCOMBINED": (True, 1),
    "TRAEFIKCLF": (False, 1), "MIXED": (False, 0),
}  # fmt: skip
DETAILS = ("client", "user", "time", "method", "protocol", "status", "size", "agent", "vhost")

# Without possessive groups, of which Python before 3.11.5 matches some wrongly.
_COMMON = (
    rb'(?P<client>[^ "\[\]]+(?:(?<=,) [^ "\[\]]+)*)(?<!,) (?P<ident>[^ "\[\]]+)(?: (?! )|  )'
    rb'(?P<user>""|[^"\[\]]+) \[(?P<time>[^"\[\]]{1,64})\](?: (?! )|  )'
    rb'"(?P<request>(?:[^"\\]|\\.)*)" (?P<status>[0-9]{1,3}|-1?) (?P<size>[0-9]{1,20}|-1?)'
)
_COMBINED = _COMMON + rb' "(?P<referer>(?:[^"\\]|\\.)*)" "(?P<agent>(?:[^"\\]|\\.)*)"'
_VHOST = rb'(?P<vhost>[^ "\[\]]+)(?<!,) (?!- |\()'
_MORE = re.compile(rb'(?: (?:[^ "\[\]]|\[[^ "\[\]]*\])*(?:"(?:[^"\\]|\\.)*"(?= |\Z))?)*', re.DOTALL)
_STRING = re.compile(rb'"((?:[^"\\]|\\.)*)"', re.DOTALL)
_REQUEST = re.compile(rb"([!#$%&'*+.^_`|~0-9A-Za-z-]+) (.*)", re.DOTALL)
_REQUEST_LINE = re.compile(rb"([!#$%&'*+.^_`|~0-9A-Za-z-]+) (.*) (HTTP/[^ ]*|)", re.DOTALL)
_TIME = re.compile(rb"(\d{1,2})/([A-Za-z]{3})/(\d{4})[: ](\d\d:\d\d:\d\d(?:\.\d{1,9})?)(?: ([+-]\d\d)(\d\d))?")
_ISO = re.compile(rb"([0-9]{4}([-/])[0-9]{2}\2[0-9]{2})(?:[Tt ]([0-9]{2}:[0-9]{2}(?::[0-9]{2})?)(.*))?", re.DOTALL)
_NO_REQUEST = re.compile(rb"|-|- .*- - ?|- - - ?|<BADREQ>", re.DOTALL)
_DATED = re.compile(rb"[0-9]..[0-9]-..-.[0-9]", re.DOTALL)
_PORT = re.compile(rb"\A([^:]+):[0-9]{1,5}\Z", re.DOTALL)
_FILE = re.compile(rb"(?=[^0-9]|.{16}).+:([0-9]*(?:\.[0-9]*){2}\.[0-9]+)", re.DOTALL)
_CANONICAL = re.compile(rb"(?:(?:25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])(?:\.(?!\Z)|\Z)){4}")
_IPV6 = re.compile(rb"[0-9A-Fa-f.]*:[0-9A-Fa-f.]*:[0-9A-Fa-f:.]*")
_MONTHS = [b"jan", b"feb", b"mar", b"apr", b"may", b"jun", b"jul", b"aug", b"sep", b"oct", b"nov", b"dec"]
_ESCAPE = re.compile(rb'\\(?:x([0-9A-Fa-f]{2})|(["\\abfnrtv]))')
_NAMED = dict(zip(b'"\\abfnrtv', b'"\\\a\b\f\n\r\t\v', strict=True))


def _pattern(vhost: bool, combined: int) -> re.Pattern[bytes]:
    whole = (_VHOST if vhost else b"") + (_COMBINED if combined else _COMMON) + rb"(?P<more>(?: .*)?)"
    return re.compile(whole, re.DOTALL)


_PATTERNS = {name: _pattern(*how) for name, how in FORMATS.items()}
_WIDEST = {"COMMON": "COMBINED", "VCOMMON": "VCOMBINED", "MIXED": "COMBINED"}


def text(data: bytes | None) -> str | None:
    """Return a text as columns hold it: bytes that are not UTF-8 as their escapes."""
    if data is None:
        return None
    return "".join(f"%{ord(c) - 0xDC00:02X}" if 0xDC80 <= ord(c) <= 0xDCFF else c
                   for c in data.decode("utf-8", "surrogateescape"))  # fmt: skip


def moment(written: str | None) -> datetime | None:
    """Return an ISO time as columns hold it: in UTC if it names no zone, None if it is impossible."""
    try:
        found = datetime.fromisoformat(written or "")
    except ValueError:
        return None
    return found if found.tzinfo else found.replace(tzinfo=UTC)


def unescape(text: bytes) -> bytes:
    def byte(found: re.Match[bytes]) -> bytes:
        return bytes([int(found[1], 16)]) if found[1] else bytes([_NAMED[found[2][0]]])

    return _ESCAPE.sub(byte, text)


def split_request(request: bytes) -> tuple[bytes | None, bytes | None, bytes | None]:
    if request in (b"-", b"- - -", b"- - - ", b"<BADREQ>") or _NO_REQUEST.fullmatch(
        request
    ):  # a connection without a request
        return None, None, None
    whole = _REQUEST_LINE.fullmatch(request)
    if whole:
        return whole[1], whole[2], whole[3]
    start = _REQUEST.fullmatch(request)
    return (start[1], start[2], None) if start else (None, request, None)


def iso_time(time: bytes) -> bytes | None:
    found = _TIME.fullmatch(time)
    if not found:
        return _checked_iso_time(time)
    if found[2].lower() not in _MONTHS:
        return time
    month = _MONTHS.index(found[2].lower()) + 1
    clock, dot, fraction = found[4].partition(b".")
    day = b"%s-%02d-%02d" % (found[3], month, int(found[1]))
    return _moment(day, clock, dot + fraction + (found[5] + b":" + found[6] if found[5] else b""))


def _checked_iso_time(time: bytes) -> bytes | None:
    found = _ISO.fullmatch(time)
    tail = (found[4] if found else b"") or b""
    zone = tail[max(tail.rfind(b"+"), tail.rfind(b"-")) :] if b"+" in tail or b"-" in tail else b""
    if not found or not re.fullmatch(rb"(?:[+-][0-9]{2}(?::?[0-9]{2})?)?", zone):
        return time
    clock = found[3] or b"00:00"
    checked = _moment(found[1].replace(b"/", b"-"), clock if clock[5:] else clock + b":00", tail)
    return time if checked and not clock[5:] else checked


def _moment(day: bytes, clock: bytes, tail: bytes) -> bytes | None:
    """Return a time with its tail, a fraction and a zone, or None if it is none in the years 1 to 9999 of UTC."""
    zone = re.search(rb"[+-]([0-9]{2}):?([0-9]{2})?\Z", tail)
    is_leap = clock.endswith((b":14:60", b":29:60", b":44:60", b":59:60"))
    try:
        moment = datetime.fromisoformat((day + b"T" + (clock[:-2] + b"59" if is_leap else clock)).decode())
        moment += timedelta(seconds=is_leap)
        if zone and (zone[1] > b"23" or (zone[2] or b"") > b"59"):
            return None
        datetime.fromisoformat(moment.isoformat() + (zone[0].decode() if zone else "Z")).astimezone(UTC)
    except (ValueError, OverflowError):
        return None
    return moment.isoformat().encode() + tail


def _is_one_record(user: bytes, more: bytes) -> bool:
    words = user.split(b" ")
    if (len(words) > 1 and b"-" in words) or not _MORE.fullmatch(more):
        return False
    strings: list[bytes] = _STRING.findall(more)
    return b'] ""' not in _STRING.sub(b'""', more) and not any(
        each[3] for each in map(_REQUEST_LINE.fullmatch, strings) if each
    )


def checked(row: Row, *, of_object: bool = False) -> Row | None:
    """Return the row without a status of zero; None for one with another number, or with a client that is none."""
    client, status = row["client"] or b"", row["status"] or 200
    is_numbered = re.search(rb"(?:\A|\.)[0-9]+\Z", client) and not _CANONICAL.fullmatch(re.split(rb"[ ,:]", client)[-1])
    if (is_numbered and not of_object) or not (100 <= status <= 599 or status == 999):
        return None
    return {**row, "status": row["status"] or None}


def custom_row(found: re.Match[bytes] | None) -> Row | None:
    """Return the row of a custom format's match; None for a reject. `path` and `query` are joined, `words` precede a
    bracket, `time` and its `tail` stay as written."""
    if found is None:
        return None
    whole = found.groupdict()
    words = (whole.get("words") or b"-").removesuffix(b" ").split(b" ")
    if set(words) != {b"-"} and len(words) > 2 and b"-" in words[1:]:
        return None
    if not _is_one_record(whole.get("user") or b"-", whole.get("more") or b""):
        return None
    field = {name: None if said in (None, b"-") else said for name, said in found.groupdict().items()}
    row = Row({name: field.get(name) for name in ("client", "vhost", "time", "tail")})
    if found.groupdict().get("request") is not None:
        row["method"], row["url"], row["protocol"] = split_request(unescape(found["request"]))
    else:
        row["method"], row["protocol"] = _said(field.get("method")), _said(field.get("protocol")) or None
        path, query = _said(field.get("path")), _said(field.get("query"))
        row["url"] = (path or b"") + b"?" + query.removeprefix(b"?") if query else path or None
    row["user"] = b"" if field.get("user") == b'""' else _said(field.get("user"))
    row["agent"], row["referer"] = _said(field.get("agent")), _said(field.get("referer")) or None
    for name in ("status", "size"):
        said = field.get(name)
        row[name] = int(said) if said and said.isdigit() and int(said) < 1 << 64 else None
    nonempty = ("client", "vhost", "method")
    return checked({name: value or None if name in nonempty else value for name, value in row.items()})


def _said(field: bytes | None) -> bytes | None:
    return None if field is None or field == b"-" else unescape(field)


def rows(name: str, line: bytes) -> list[Row] | None:
    """Return a row for the request and one for a referer, or None for a reject. Without a target `url` is None."""
    line = line.lstrip(b"\0")
    found = _PATTERNS[_WIDEST.get(name, name)].fullmatch(line) or _PATTERNS[name].fullmatch(line)
    if found is None or not _is_one_record(found["user"], found["more"]):
        return None
    field = found.groupdict()
    if _DATED.match(field.get("vhost") or b"") or _DATED.match(field["client"]):
        return None
    method, target, protocol = split_request(unescape(found["request"]))
    client, forwarded = (b"", found["client"]) if b"," in found["client"] else (found["client"], b"")
    status = int(found["status"]) if found["status"].isdigit() else None
    if checked({"client": client, "status": status}) is None:
        return None
    in_file = None if _IPV6.fullmatch(client) else _FILE.fullmatch(client)
    client = in_file[1] if in_file else client
    is_host = (
        len(found["ident"]) > 3 and b"." in found["ident"] and found["ident"][-1:].isalpha() and not FORMATS[name][0]
    )
    size = int(found["size"]) if found["size"].isdigit() else None
    row = Row(
        referer=False,
        url=target,
        client=None if client in (b"", b"-", b"unix:") else _PORT.sub(rb"\1", client),
        forwarded=_said(forwarded) or None,
        user=b"" if found["user"] == b'""' else _said(found["user"]),
        time=None if found["time"] == b"-" else iso_time(found["time"]),
        method=method,
        protocol=protocol,
        status=status or None,
        size=None if size is None or size >= 1 << 64 else size,
        agent=_said(field.get("agent")),
        vhost=field.get("vhost") or (found["ident"] if is_host else None),
    )
    referer = field.get("referer")
    if not referer or referer == b"-":
        return [row]
    return [row, {**row, "referer": True, "url": unescape(referer)}]
