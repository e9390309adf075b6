"""What options change in the text of URLs before it is parsed: parameters are dropped, secrets are hidden."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import cast
from urllib.parse import unquote_to_bytes

import pyarrow as pa

from fasturl.arrow import compute as pc
from fasturl.arrow import redact
from fasturl.arrow.functions import Form, drop_query
from fasturl.logs.formats.records import REFERER
from fasturl.logs.shown import hide_passwords
from fasturl.logs.units import Raw

_OCTETS = pa.binary_view()
HIDDEN = b"***"
_BETWEEN = rb"\s?&;,\"'<>(){}\[\]|=#\\"
# Tried where a word begins only, so that no word is looked at twice.
_NAME = re.compile(rb"(?<![^%b])([^%b]++)=" % (_BETWEEN, _BETWEEN))
_VALUE = re.compile(rb"[^\s&\"'<>#]*+")
_WORD = re.compile(rb"[^\s\"'<>]++")
# How JSON writes the octet before a name.
_ESCAPED = re.compile(rb"\A(?:u00(?:26|3[fF])|x(?:26|3[fF]))")


class Redaction:
    """Hides passwords and the values of query parameters with these keys."""

    def __init__(self, keys: tuple[str, ...]) -> None:
        self._keys = [key.encode("utf-8", "surrogateescape") for key in keys]
        self._names = frozenset(self._keys)

    def urls(self, column: pa.Array) -> pa.Array:
        """Of a column of URLs: what `fasturl.redact` hides, and pairs in a fragment or behind a semicolon."""
        hidden = redact(column, self._keys, threads=1).cast(pa.binary())
        more = pc.or_(pc.match_substring(hidden, "#"), pc.match_substring(hidden, ";"))
        return _changed(hidden, more, self._url).cast(_OCTETS)

    def _url(self, url: bytes) -> bytes:
        head, hash_, fragment = url.partition(b"#")
        path, mark, query = head.partition(b"?")
        return path + mark + self._pairs(query) + hash_ + self._pairs(fragment)

    def texts(self, column: pa.Array) -> pa.Array:
        """Of a column of texts that may quote URLs, as `text`."""
        dense = column.cast(pa.binary())
        some = pc.or_(pc.match_substring(dense, "="), pc.match_substring(dense, "//"))
        return _changed(dense, some, self.text).cast(column.type)

    def text(self, octets: bytes) -> bytes:
        """A text that may quote URLs, as a line that is in no format: of KEY=VALUE the value, up to what ends one, and
        of a word with two slashes and an `@` what may be a password.

        >>> Redaction(("token",)).text(b'GET http://me:secret@h/?token=a%20b&c=1 "x"')
        b'GET http://me:***@h/?token=***&c=1 "x"'
        """
        if b"//" in octets and b"@" in octets:
            octets = _WORD.sub(_without_password, octets)
        return self._pairs(octets)

    def _pairs(self, octets: bytes) -> bytes:
        parts: list[bytes] = []
        done = 0
        for match in _NAME.finditer(octets) if b"=" in octets else ():
            if match.start() < done or not self._is_key(match):
                continue
            value = _VALUE.match(octets, match.end())
            parts += [octets[done : match.end()], HIDDEN]
            done = value.end() if value else match.end()
        return b"".join([*parts, octets[done:]]) if parts else octets

    def _is_key(self, match: re.Match[bytes]) -> bool:
        name, before = match[1], match.string[max(0, match.start() - 1) : match.start()]
        if before == b"\\":
            name = _ESCAPED.sub(b"", name, count=1)
        if b"%" in name or b"+" in name:
            name = unquote_to_bytes(name.replace(b"+", b" "))
        return name in self._names


def _without_password(match: re.Match[bytes]) -> bytes:
    word = match[0]
    return hide_passwords(word.decode("latin-1")).encode("latin-1") if b"@" in word else word


def _changed(column: pa.Array, where: pa.Array, change: Callable[[bytes], bytes]) -> pa.Array:
    """The column with these of its rows changed."""
    mask = pc.fill_null(where, False)
    if not mask.true_count:
        return column
    changed = [change(octets) for octets in column.filter(mask).to_pylist()]
    return pc.replace_with_mask(column, mask, pa.array(changed, pa.binary()))


class Changes:
    """What becomes of the URLs of a unit: parameters by the names in `drop`, which may hold `*`, go; then `redaction`
    hides secrets, in every column of text."""

    def __init__(self, drop: tuple[str, ...] = (), redaction: Redaction | None = None) -> None:
        self._drop = [name.encode("utf-8", "surrogateescape") for name in drop]
        self._redaction = redaction

    def apply(self, raw: Raw) -> None:
        """From any thread."""
        if self._drop:
            raw.urls = self._dropped(raw)
            if REFERER in raw.details:
                raw.details[REFERER] = drop_query(raw.details[REFERER], self._drop, threads=1, strings="view")
        hide = self._redaction
        if hide is None:
            return
        raw.urls = hide.urls(raw.urls)
        for name, column in raw.details.items():
            if column.type == _OCTETS:
                raw.details[name] = hide.urls(column) if name == REFERER else hide.texts(column)
        for name, column in raw.kept.items():
            if column.type == pa.binary():
                raw.kept[name] = hide.texts(column)

    def _dropped(self, raw: Raw) -> pa.Array:
        if raw.targets is None:
            return drop_query(raw.urls, self._drop, form=cast(Form, raw.form), threads=1, strings="view")
        forms: tuple[Form, ...] = ("request-target", "url")
        both = [drop_query(raw.urls, self._drop, form=form, threads=1).cast(pa.binary()) for form in forms]
        is_target = pa.Array.from_buffers(pa.bool_(), len(raw.urls), [None, raw.targets])
        return pc.if_else(is_target, *both).cast(_OCTETS)
