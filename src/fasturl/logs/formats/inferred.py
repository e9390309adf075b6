"""Infer a goaccess format from lines that fit no built-in format.

Only evidence counts. A field gets a column if the text, place or label proves it (proven.py).
tests/logs/test_inferred_patterns.py has a table of the patterns, with an example from a real log for each.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from functools import lru_cache
from itertools import compress, islice
from operator import not_
from typing import NamedTuple

from fasturl._accesslog import LineTemplate
from fasturl.logs.errors import LogError
from fasturl.logs.formats.catalog import is_keyed, prefix_of
from fasturl.logs.formats.dialects import dialect_of, line_template
from fasturl.logs.formats.evidence import METHODS, STATUSES, USUAL
from fasturl.logs.formats.kernel_logs import CommonLog, CustomLog, read_behind_prefix
from fasturl.logs.formats.keyed import columns_of, keyed_log
from fasturl.logs.formats.proven import (
    AGENT,
    MANY,
    METHOD,
    NUMBERS_NEXT,
    PROTOCOL,
    TARGET_START,
    ProvenField,
    ProvenLine,
    closers,
)
from fasturl.logs.inputs.lines import spread

INFERRED = "INFERRED"
# What inference reads: all requests of a log have the same shape, so a few of them tell the format. To prove the fields
# of a megabyte would take a second. Servers refuse request lines above 8 KiB, and few have a tenth of that.
_CLIP = 4096  # the bytes of a line that may prove fields
_SOUGHT = 1 << 18  # the bytes of all lines among which requests are sought
_PROVEN = 1 << 14  # the bytes of the requests whose fields are proven, MANY at most
_SPELLED = 1024  # the characters of a format: the longest that is known to be right has 200
_TRIED = 4  # sequences of fields that are tried
_ENOUGH = 0.9  # of the lines with a request must fit
_REQUESTS = 0.1  # of all lines must have a request

_SLASHES = re.compile(rb"(?<![\d/])([0-9]{1,2})/([0-9]{1,2})/[0-9]{4}[ ,:T-](?:.{0,14}?([AP]M)\b)?")
_NAME = rb"((?![Xx.]+\b)(?:[A-Za-z0-9_-]+\.)+(?!(?i:html?|php|jsp?|css|png|log|aspx?)\b)[A-Za-z]{2,})(?::[0-9]{1,5})?"
_HOST = re.compile(rb'(?<= )(?:"(?=[^"]*")|\((?=[^)]*\)))%s[")](?= |\Z)' % _NAME)
_HOST_AFTER = re.compile(rb"(?: -)? %s(?= )" % _NAME)
_HOST_BEFORE = re.compile(rb"(?:\A| )%s \Z" % _NAME)
_TOKEN = re.compile(
    rb"""(?P<blanks>[ ]+)"""
    rb"""|(?P<pair>"[^"]*+"|\[[^\[\]"]*+\]|\([^()"]*+\)|\{[^{}"]*+\}|<[^<>"]*+>)"""
    rb"""|(?P<label>[A-Za-z_][\w.-]*+(?:=|:(?=[ ]?["'(\[/]?\Z)))"""
    rb"""|(?P<mark>[\[\](){}<>"'`|,;\t])"""
    rb"""|(?P<word>[-=]>|[^\s\[\](){}<>"'`|,;=]++|.)""",
    re.DOTALL,
)
_SKIP = "%^"
_CAPITALS = re.compile(rb"[A-Z-]++")
_METHODS = frozenset(METHODS.split(b"|"))


def _gaps(line: ProvenLine) -> tuple[tuple[str, ...], ...]:
    """Return the text before each field, as tokens of a format, and the closing brackets after the last."""
    found, at = [], 0
    for place, each in enumerate(line.fields):
        found.append(_tokens(line.text[at : each.start], bool(place)))
        at = each.end
    found.append((_literal(closers(line.text, at)),))
    return tuple(found)


def _next(line: ProvenLine) -> bytes:
    """Return the byte after the last field and the brackets that close it."""
    at = line.fields[-1].end
    at += len(closers(line.text, at))
    return line.text[at : at + 1]


def _literal(text: bytes) -> str:
    spelled = text.decode("utf-8", "surrogateescape").replace("\\", "\\\\").replace("%", "%%")
    return spelled.replace("\t", "\\t").replace("\x1b", "\\e")


@lru_cache(256)
def _tokens(gap: bytes, follows: bool) -> tuple[str, ...]:
    """Return the tokens of the text between two fields: words are skipped, labels and delimiters stay."""
    tokens, before = list[str](), ""
    closing = closers(gap) if follows else b""
    if closing:
        tokens.append(_literal(closing))
    for match in _TOKEN.finditer(gap, len(closing)):
        text, kind = match[0], match.lastgroup
        first, last = follows and match.start() == 0, match.end() == len(gap)
        if kind == "label" and text.endswith(b":") and not columns_of(text[:-1].decode()):
            kind = "word"
        if kind == "blanks":
            found = [" " if len(text) == 1 else "  "]
        elif kind == "pair":
            found = [_literal(text[:1]), _SKIP, _literal(text[-1:])]
        elif kind == "word" and not (first or last):
            found = [*([] if before == _SKIP else [_SKIP]), *([":"] if text[-1:] == b":" and len(text) > 1 else [])]
        else:
            found = [_literal(text)]
        tokens += filter(None, found)
        before = found[-1] if found else before
    return tuple(tokens)


def _merge(rows: list[tuple[str, ...]]) -> tuple[str, ...]:
    """Return tokens that fit the text of all lines: what all begin and end with, and between them any text."""
    first = rows[0]
    if all(row == first for row in rows):
        return first
    if len({len(row) for row in rows}) == 1:
        columns = [set(column) for column in zip(*rows, strict=True)]
        if all(len(column) == 1 or column == {" ", "  "} for column in columns):
            return tuple(max(column, key=len) for column in columns)
    least = min(map(len, rows))
    start = next((at for at in range(least) if len({row[at] for row in rows}) > 1), least)
    end = next((at for at in range(least - start) if len({row[-1 - at] for row in rows}) > 1), least - start)
    head, tail = first[:start], first[len(first) - end :]
    while head and head[-1] == _SKIP:
        head = head[:-1]
    while tail and tail[0] == _SKIP:
        tail = tail[1:]
    return (*head, _SKIP, *tail)


def _candidates(lines: list[ProvenLine]) -> Iterator[str]:
    """Yield formats of the most usual sequences of fields."""
    groups: dict[tuple[str, ...], list[ProvenLine]] = {}
    for line in lines:
        groups.setdefault(tuple(each.spelled for each in line.fields), []).append(line)
    for fields, group in sorted(groups.items(), key=lambda item: -len(item[1]))[:_TRIED]:
        gaps = [_gaps(line) for line in group]
        after = Counter(filter(None, map(_next, group))).most_common(1)
        between = ["".join(_merge([each[place] for each in gaps])) for place in range(len(fields) + 1)]
        text = "".join(f"{before}{spelled}" for before, spelled in zip(between, (*fields, ""), strict=True))
        if len(text) <= _SPELLED:
            yield text
            yield from (f"{text}%?{_literal(first)}%{{until}}^" for first, _ in after)


_VALUES = {
    "request": re.compile(rb"(?:%s) (?:%s|[^ ]+:[0-9]+(?: |\Z))" % (METHODS, TARGET_START.pattern)),
    "method": re.compile(rb"(?i:%s)\Z" % METHODS),
    "target": re.compile(TARGET_START.pattern + rb"|[^ ]+:[0-9]+\Z"),
    "status": re.compile(rb"[1-5][0-9]{2}\Z"),
    "client": re.compile(rb"[0-9A-Fa-f:.]+(?:,[0-9A-Fa-f:.]+)*\Z"),
    "protocol": PROTOCOL,
    "agent": AGENT,
    "referer": re.compile(rb"[A-Za-z][\w+.-]*:|/|\Z"),
}
_MAY_VARY = {"agent": 0.5, "referer": _ENOUGH}  # the share of the values that must look like their kind


class _Trial(NamedTuple):
    """How the lines fit a format: how many, in how many columns, and columns with values of another kind."""

    spelled: str
    template: LineTemplate
    fits: float
    columns: int
    wrong: frozenset[str]


def _try_format(spelled: str, lines: list[ProvenLine], stands_for: float, others: list[bytes]) -> _Trial | None:
    """Return how lines with a request, and others, fit a format, or None if they do not.

    stands_for : how many lines each line with a request stands for
    """
    if dialect_of(spelled) != "goaccess":
        spelled += "%~"
    try:
        template, _, dialect = line_template(spelled)
    except LogError:
        return None
    rows = [values for line in lines if (values := template.fields(line.text)) is not None]
    more = sum(map(template.is_record, others))
    if dialect != "goaccess" or len(rows) < len(lines) * _ENOUGH or more > len(rows) * stands_for * _REQUESTS:
        return None
    counts, right = Counter[str](), Counter[str]()
    for name, value in (item for values in rows for item in values.items()):
        if name in _VALUES and value != b"-":
            counts[name] += 1
            right[name] += _VALUES[name].match(value) is not None and b"\x1b" not in value
    wrong = {name for name in counts if right[name] < counts[name] * _MAY_VARY.get(name, 1)}
    if sum(values.get("status", b"200") in STATUSES for values in rows) < len(rows) * _ENOUGH:
        wrong.add("status")
    return _Trial(spelled, template, len(rows) * stands_for + more, count_columns(spelled), frozenset(wrong))


def _may_have_request(line: bytes) -> bool:
    """Return False for a line without a method. It is ten times as fast as the pattern, for lines of noise."""
    return not _METHODS.isdisjoint(_CAPITALS.findall(line[:_CLIP]))


def infer(lines: list[bytes], *, is_logged: bool = False) -> tuple[str, int] | None:
    """Return a format that the lines prove, and how many of them fit, or None.

    is_logged : whether a logger's prefix stood before the lines
    At least a tenth of the lines must have a request: a method, its target, and a status, or a protocol, a time and a
    client. Nine of ten of these must fit, with a value of the right kind in each column. Cost: O(bytes), of which the
    proof reads few.

    >>> infer([b"2015-05-17T10:05:03Z GET /a HTTP/1.1 -> 200 12ms"])
    ('%{%Y-%m-%dT%H:%M:%S%.%z}x %{words}r %^ %s %{unit}T', 1)
    """
    looked = spread(lines, len(lines), _SOUGHT, _CLIP)
    may_be = list(map(_may_have_request, looked))
    requests = list(compress(looked, may_be))
    texts = spread(requests, MANY, _PROVEN, _CLIP)
    starts = [text[:_CLIP] for text in texts]
    if not any(map(METHOD.search, starts)):
        return None
    stands_for = len(requests) / len(texts)
    others = list(compress(looked, map(not_, may_be)))
    day_first = _day_first(requests if any(map(_SLASHES.search, starts)) else [])
    without: frozenset[str] = frozenset()
    while True:
        proven = [ProvenLine(start, day_first, without, is_logged) for start in starts]
        best = _best_format(proven, texts, stands_for, others, looked)
        if best is None:
            return None
        if not best.wrong:
            return best.spelled, sum(map(best.template.is_record, lines))
        if best.wrong & {"request", "method", "target"} or best.wrong <= without or len(without) > 2:
            return None
        without |= best.wrong


def _day_first(lines: list[bytes]) -> bool | None:
    """Return whether the day stands before the month in dates of numbers, or None if no date tells it."""
    slashes = [match for line in lines if (match := _SLASHES.search(line, 0, _CLIP))]
    if any(int(match[1]) > 12 for match in slashes):
        return True
    return False if any(int(match[2]) > 12 or match[3] for match in slashes) else None


def _best_format(
    proven: list[ProvenLine], texts: list[bytes], stands_for: float, others: list[bytes], looked: list[bytes]
) -> _Trial | None:
    """Return the format that fits best, or None if the lines prove no format.

    texts : the whole lines; others : the lines without a method; looked : the lines among which requests were sought
    """
    with_request, others = [], [*others]
    for line, text in zip(proven, texts, strict=True):
        if line.prove():
            line.text = text
            with_request.append(line)
        else:
            others.append(text)
    first = [
        line for line in with_request if line.fields and any(_is_before_request(line, each) for each in line.fields)
    ]
    for line in first if len(first) < len(with_request) else ():
        line.fields = [each for each in line.fields if each.column != "status"]
    answered = [line for line in with_request if "status" in line.columns]
    if answered and len(answered) < len(with_request) * _ENOUGH:
        # The other lines tell the start of the same requests.
        others += [line.text for line in with_request if "status" not in line.columns]
        with_request = answered
    starts = [(line, each) for line in with_request for each in line.fields if each.column in ("request", "method")]
    is_usual = any(line.text[each.start : each.end].upper().startswith(USUAL) for line, each in starts)
    if not is_usual or len(with_request) * stands_for < max(len(looked) * _REQUESTS, 1):
        return None
    if any(line.contradicts(looked[0]) for line in with_request):
        return None
    _compare_sizes(with_request)
    _compare_clients(with_request)
    _compare_hosts(with_request)
    found = (_try_format(each, with_request, stands_for, others) for each in _candidates(with_request))
    return max(filter(None, found), key=lambda trial: (not trial.wrong, trial.columns, trial.fits), default=None)


def _is_before_request(line: ProvenLine, each: ProvenField) -> bool:
    """Return True for a status without a label before the request."""
    starts = [other.start for other in line.fields if other.column in ("request", "method")]
    is_labelled = any(end == each.start for _, _, end in line.labels)
    return each.column == "status" and each.end <= min(starts) and not is_labelled


def _compare_sizes(lines: list[ProvenLine]) -> None:
    """Drop the size directly after the status if it is none in some line, and take the next number if that is proven.

    A number with a fraction is a duration. An answer without a body has no size.
    """
    placed, proven = [], True
    for line in lines:
        has = {each.column: each for each in line.fields}
        found = NUMBERS_NEXT.match(line.text, has["status"].end) if "status" in has else None
        if found and (found[1] or ("size" in has and has["size"].start == found.start(2))):
            is_empty = line.text[slice(*has["status"][:2])] in (b"204", b"304") or b"HEAD " in line.text
            proven = proven and not found[1] and not (is_empty and int(found[2]) and found[3] in (b"0", b"-"))
            placed.append((line, found))
    for line, found in placed if not proven else ():
        line.fields = [each for each in line.fields if each.start != found.start(2)]
        if not any(each[1] for _, each in placed) and found[3]:
            line.add(*found.span(3), "size", "%b")


def _compare_clients(lines: list[ProvenLine]) -> None:
    """Drop the client if some lines have several addresses that may be it."""
    if sum(line.addresses > 1 for line in lines) * 10 >= len(lines):
        for line in lines:
            line.fields = [each for each in line.fields if each.column != "client" or not line.addresses]


def _compare_hosts(lines: list[ProvenLine]) -> None:
    """Add the virtual host if each line has a single host name in quotes or parentheses, or next to the client."""
    found = []
    for line in lines:
        client = next((each for each in line.fields if each.column == "client"), None)
        hosts = [match.span(1) for match in islice(_HOST.finditer(line.text), MANY)]
        if client is not None:
            beside = _HOST_AFTER.match(line.text, client.end) or _HOST_BEFORE.search(line.text, 0, client.start)
            hosts += [beside.span(1)] if beside else []
        found.append([each for each in hosts if line.is_free(*each)])
    if all(len(each) == 1 for each in found):
        for line, ((start, end),) in zip(lines, found, strict=True):
            line.add(start, end, "vhost", "%v")


def has_several_clients(lines: list[bytes]) -> bool:
    """Return True if the first line with a request has several addresses that may be the client's."""
    proven = (ProvenLine(line[:_CLIP], None, frozenset(), True) for line in lines[:MANY])
    return next((line.addresses > 1 for line in proven if line.prove()), False)


def count_columns(spelled: str, *, with_time: bool = False) -> int:
    """Return the number of columns in an inferred format, by default without the time."""
    if "%" not in spelled:
        return len(re.findall(r"=" if with_time else r"(?<! time)=", spelled))
    fields, times = re.subn(r"%\{[^}]*%[^}]*\}x|%x", "", spelled)
    return times * with_time + len(re.findall(r"%(?!\^)(?:\{(?!until)[^}]*\})?[A-Za-z]|~h", fields))


def inferred_log(spelled: str) -> CommonLog:
    """Return a reader of an inferred format, which may begin with a prefix, as in `SYSLOG+%h …` or `CRI+JSON …`."""
    prefix, inner = prefix_of(spelled)
    log: CommonLog = keyed_log(inner) if is_keyed(inner) else CustomLog(*line_template(inner))
    log.name, log.format_string, log.what = INFERRED, inner, "fits the format that the first lines prove"
    return read_behind_prefix(prefix, log) if prefix else log
