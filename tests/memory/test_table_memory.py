"""Tables of values, and lines behind prefixes or in objects: as slow models read them, and inside their buffers."""

import json
import random
import re
import sys
from typing import Any

import pytest

pytest.importorskip("pyarrow", reason="formats of logs are read to columns")

from guardpages import Guarded
from logmodel import Columns
from logsamples import COMBINED, PREFIXES
from tries import TRIES

from fasturl import _accesslog, logs
from fasturl.logs.formats.dialects import server_template
from fasturl.logs.formats.kernel_logs import without_prefix
from fasturl.logs.formats.w3c import W3C

guarded_pages = pytest.mark.skipif(sys.platform == "win32", reason="pages are guarded with mprotect")
FIELDS = "date time c-ip cs-method cs-uri-stem cs-uri-query sc-status sc-bytes time-taken cs(user-agent) cs(referer)"
COLUMNS = ("url", "client", "method", "agent", "referer", "status", "size", "duration")
ROWS = [
    b'2015-05-17 10:05:03 192.0.2.1 GET /a b=1 200 2326 125 "Mozilla/5.0 (X11; a ""q"")" http://r.example/',
    b"2015-05-17\t10:05:03\t192.0.2.1\tGET\t/a\t-\t304\t0\t0.125\tMozilla/5.0 (X11)\t-",
]
QUOTED = [b'2015-05-17 10:05:03 192.0.2.1 GET "/a""%s" b=1 200 1 1 a "http://r.example/""%s"' % (b"x" * 80, b"y" * 80)]
PIECES = [b'"', b'""', b" ", b"\t", b"-", b"?", b"", b"#", b"70000", b"99999999999999999999", b'"a b"', b'a""b',
          b'""""', b"."]  # fmt: skip
HELD = [
    json.dumps({"log": COMBINED + "\n", "stream": "stdout"}).encode(),
    json.dumps({"a": 1, "MESSAGE": "frontend.0 nginx[12]: " + COMBINED}).encode(),
    b'{"message": "\\u00e9\\u0041\\/", "log": null}',
]
TIMED = [b'{"log": "INFO: h - \\"GET /a HTTP/1.1\\" 200", "time": "2015-05-17T10:05:03%s"}' % zone
         for zone in (b"", b"Z", b".123456789+02:00", b".1 x")]  # fmt: skip
LINES = [
    *(((name, (prefix + COMBINED).encode())) for name, prefix in PREFIXES),
    ("SYSLOG", b'<165>1 2015-05-17T10:05:03Z web1 nginx - - [a@1 b="c"][d] \xef\xbb\xbf' + COMBINED.encode()),
    ("SYSLOG", b"2015-05-17T10:05:03+00:00 app[web.1]: INFO:     192.0.2.1:5 - x"),
    ("KUBECTL", b"[pod/web-1/a_b.c] 2015-05-17T10:05:03.003+00:00 x"),
    ("LOGGER", b"INFO  [log] (executor-1)   2001:db8::1 - - x"),
    ("LOGGER", b"INFO:werkzeug:192.0.2.1 - - x"),             ("TIME", b"2015-05-17 10:05:03,123 x"),
    ("TIME", b"2015/05/17 10:05:03.123456 x"),                *(("DOCKER", line) for line in HELD),
]  # fmt: skip


# --- the slow models, with regular expressions -----------------------------------------------------------------------

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


# --- the tests -------------------------------------------------------------------------------------------------------


def changed(rng: random.Random, line: bytes) -> bytes:
    for _ in range(rng.randrange(4)):
        at = rng.randrange(len(line) + 1)
        other = rng.choice([*PIECES, line[at : at + 9], b":", b"[", b"]", b"\\", b"{", b"<", b"Z", b"|"])
        line = line[:at] + other + line[at + rng.choice([0, 1, 2, 9]) :]
    return line.replace(b"\n", b"").replace(b"\r", b"")


def test_a_table_is_read_as_the_model_reads_it() -> None:
    rng = random.Random(27)
    lines = [changed(rng, rng.choice(ROWS)) for _ in range(TRIES)]
    read = logs.parse_lines([f"#Fields: {FIELDS}", *lines], "W3C", list(COLUMNS)).to_pylist()[1:]
    for line, row in zip(lines, read, strict=True):
        said = table_row(line, FIELDS.split())
        assert row.pop("rejected") is (said is None), line
        if said is not None:
            assert row == {
                name: value.decode() if isinstance(value, bytes) else value for name, value in said.items()
            }, line


@pytest.mark.parametrize(("name", "line"), LINES)
def test_a_prefix_is_found_as_the_model_finds_it(name: str, line: bytes) -> None:
    rng, guarded = random.Random(line), Guarded() if sys.platform != "win32" else None
    assert without_prefix(name, line) == behind_prefix(name, line) is not None
    for _ in range(TRIES // 8):
        other = changed(rng, line)
        assert without_prefix(name, other) == behind_prefix(name, other), other
        other = other[len(other) % 8 :]
        if other and guarded is not None:
            whole = guarded.bytes_at_end(other)
            assert without_prefix(name, whole) == behind_prefix(name, other), other
            del whole


@guarded_pages
def test_rows_of_tables_and_of_held_lines_stay_in_buffers_of_the_documented_size(at_end: bool) -> None:
    rng, columns = random.Random(3), Columns()
    table = W3C()
    table.keep(("cs-uri-stem", "cs(referer)"))
    assert table.matches(b"#Fields: " + FIELDS.encode())
    holder = _accesslog.ObjectTemplate(
        [("target", key, 0) for key in (b"log", b"MESSAGE", b"message")], [], "json", 0, True
    )
    timed = _accesslog.ObjectTemplate([("target", b"log", 0), ("time", b"time", 0)], [], "json", 0, True)
    uvicorn = server_template('INFO: %~%{port}h - "%r" %s', True)
    ways: list[tuple[list[bytes], dict[str, Any], int]] = [
        (ROWS, {"template": table.template}, 1),
        *((QUOTED, {"template": reader.template}, 2) for reader in table.kept_by),
        (HELD, {"prefix": "DOCKER", "holder": holder}, 2),
        (TIMED, {"prefix": "DOCKER", "holder": timed, "template": uvicorn}, 2),
    ]
    for _ in range(TRIES // 10):
        seeds, settings, share = rng.choice(ways)
        lines = [changed(rng, rng.choice(seeds)) for _ in range(rng.randrange(1, 8))]
        blocks = [b"".join(line + b"\n" for line in lines)]
        for by_request in (False, True):
            given = columns.arguments(blocks, at_end)
            size = share * len(blocks[0]) + ("template" in settings) * _accesslog.TEMPLATE_ARENA_A_LINE * len(lines)
            given |= {"arena": columns.arena.buffer(size, at_end), "arena_size": size}
            rows, *_, empty, rejects = _accesslog.read_lines(
                blocks, first=1, vhost=False, combined=1, by_request=by_request, **settings, **given
            )
            columns.check()
            assert rows >= 0 and empty + len(rejects) <= len(lines)
            with pytest.raises(ValueError, match="arena"):
                given["arena_size"] -= 1
                _accesslog.read_lines(blocks, first=1, vhost=False, combined=1, by_request=True, **settings, **given)


def test_a_prefix_needs_its_holder() -> None:
    holder = _accesslog.ObjectTemplate([("target", b"log", 0)], [], "json", 0, True)
    for prefix, given in (
        ("DOCKER", None), ("JSON", None), ("SYSLOG", holder), ("", holder), ("x", None), ("x", holder),
    ):  # fmt: skip
        with pytest.raises(ValueError, match="prefix must be one of PREFIXES"):
            _accesslog.behind_prefix(b"x", prefix, given)
