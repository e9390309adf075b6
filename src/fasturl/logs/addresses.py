"""Write the addresses of clients as networks, or as keyed hashes."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import lru_cache
from ipaddress import IPv4Address, IPv6Address, ip_address

import pyarrow as pa

from fasturl._patterns import not_beside

HIDDEN = b"***"
KEY_OCTETS = 16  # of a key, at least
IPV6_BITS = 48
_CACHED = 1 << 16

_V4 = rb"[0-9]{1,3}(?:[.][0-9]{1,3}){3}"
_GROUP, _COLON = rb"[0-9A-Fa-f]{1,4}", rb"(?::|%3[Aa])"
# Every text of an IPv6 address; ip_address decides. Without :: it has 8 groups, or 6 and an IPv4 address.
_V6 = (
    rb"(?:(?:G(?:CG){0,6})?CC(?:(?:GC){0,6}(?:V|G))?|(?:GC){6}(?:GCG|V))".replace(b"G", _GROUP)
    .replace(b"C", _COLON)
    .replace(b"V", _V4)
)
_ADDRESS = re.compile(rb"(?<![0-9A-Za-z:.%%])%s(?![0-9A-Za-z])|(?<![0-9])(?<![0-9][.])%s(?![.]?[0-9])" % (_V6, _V4))
# An IPv4 address from its first dot on: a pattern that begins with a literal is ten times as fast.
_FROM_DOT = re.compile(rb"[.](?<=[0-9][.])[0-9]{1,3}[.][0-9]{1,3}[.][0-9]{1,3}(?![.]?[0-9])")
_FIRST = re.compile(rb"(?<![0-9])(?<![0-9][.])[0-9]{1,3}$")
_TWO_COLONS = (b"::", b":%3", b"%3A:", b"%3a:", b"%3A%3", b"%3a%3")
_SIX_TO_FOUR = 0x2002
_NAME = rb"[0-9A-Za-z_.-]"


def _may_hold_ipv6(text: bytes) -> bool:
    if b"%3" not in text:
        return b"::" in text or text.count(b":") > 6
    return text.count(b":") + text.count(b"%3") > 6 or any(colons in text for colons in _TWO_COLONS)


def _spans(text: bytes) -> Iterator[tuple[int, int]]:
    """Yield the start and end of each text that is written as an address."""
    if _may_hold_ipv6(text):
        yield from (match.span() for match in _ADDRESS.finditer(text))
        return
    for match in _FROM_DOT.finditer(text):
        dot, end = match.span()
        first = _FIRST.search(text, max(dot - 5, 0), dot)
        if first is not None:
            yield first.start(), end


def _packed_by_spelling(text: bytes) -> IPv4Address | IPv6Address | None:
    """Return the address that a text spells, or None. An IPv4 address in IPv6 is an IPv4 address."""
    plain = text.replace(b"%3A", b":").replace(b"%3a", b":").decode("ascii", "replace")
    head, dot, tail = plain.rpartition(":")
    tail = ".".join(str(int(part)) if part.isdecimal() and len(part) < 4 else part for part in tail.split("."))
    try:
        found = ip_address(head + dot + tail if "." in tail else plain)
    except ValueError:
        return None
    return found.ipv4_mapped or found if isinstance(found, IPv6Address) else found


def _is_name(client: bytes) -> bool:
    """Return True if the client is not an address, and not absent."""
    return client not in (b"", b"-", HIDDEN) and next(_spans(client), None) is None


class Anonymizer:
    """Anonymizes the addresses in texts. Safe on any thread. The same address has the same result in every spelling.

    bits : how many bits of an IPv4 address to keep, also of one in 6to4 (2002::/16). Of any other IPv6 address, 48 bits
        are kept.
    key : a secret of at least 16 bytes: addresses become unique local addresses (RFC 4193) from their HMAC-SHA-256
    """

    def __init__(self, bits: int = 0, key: bytes | None = None) -> None:
        self._bits = bits
        self._key = key
        self._cached: Callable[[bytes], bytes] = lru_cache(_CACHED)(self._anonymize)
        self.is_name: Callable[[bytes], bool] = lru_cache(_CACHED)(_is_name)

    def _anonymize(self, text: bytes) -> bytes:
        found = _packed_by_spelling(text)
        # 0.0.0.0 and the versions of agents, such as Chrome/124.0.0.0, do not belong to a host.
        if found is None or not int(found) or (isinstance(found, IPv4Address) and not int(found) & 0xFFFFFF):
            return text
        if self._key is not None:
            address = str(self._hash(found.packed))
        elif isinstance(found, IPv4Address):
            address = str(IPv4Address(int(found) >> 32 - self._bits << 32 - self._bits))
        else:
            kept = 16 + self._bits if int(found) >> 112 == _SIX_TO_FOUR else IPV6_BITS
            address = str(IPv6Address(int(found) >> 128 - kept << 128 - kept))
        return address.encode().replace(b":", b"%3A" if b"%" in text else b":")

    def _hash(self, text: bytes) -> IPv6Address:
        import hmac  # loads OpenSSL, which takes milliseconds

        assert self._key is not None
        return IPv6Address(b"\xfd" + hmac.digest(self._key, text, "sha256")[:15])

    def text(self, octets: bytes) -> bytes:
        """Anonymize every address in a text.

        >>> Anonymizer(24).text(b"203.0.113.7, 2001:db8:1:2::3 /a?ip=203.0.113.8 Chrome/124.0.0.0 10:05:03")
        b'203.0.113.0, 2001:db8:1:: /a?ip=203.0.113.0 Chrome/124.0.0.0 10:05:03'
        """
        pieces: list[bytes] = []
        done = 0
        for start, end in _spans(octets):
            text = octets[start:end]
            changed = self._cached(text)
            if changed != text:
                # An IPv6 address stands in brackets where it is the host of a URL.
                is_host = self._key is not None and b":" not in text and octets.endswith((b"//", b"@"), 0, start)
                pieces += (octets[done:start], b"[%s]" % changed if is_host else changed)
                done = end
        return b"".join((*pieces, octets[done:])) if pieces else octets

    def client(self, name: bytes) -> bytes:
        """Anonymize the client of a request. A host name becomes `***`, or the keyed hash of the name.

        >>> Anonymizer(16).client(b"203.0.113.7"), Anonymizer(16).client(b"host-7.example"), Anonymizer(16).client(b"-")
        (b'203.0.0.0', b'***', b'-')
        """
        if not self.is_name(name):
            return self.text(name)
        return HIDDEN if self._key is None else str(self._hash(name.lower())).encode()

    def line(self, octets: bytes, client: bytes | None) -> bytes:
        """Anonymize a line of a log with this client: its addresses, and the client's name wherever it stands."""
        if client is not None and self.is_name(client):
            alias = self.client(client).replace(b"\\", rb"\\")
            # A name without a dot may also be another word of the line.
            octets = not_beside(_NAME, client).sub(alias, octets, count=0 if b"." in client else 1)
        return self.text(octets) if client is None or self._key is None else self._around(octets, client)

    def _around(self, octets: bytes, client: bytes) -> bytes:
        """Anonymize the text before and after each hash of the client's name. The hash itself looks like an address."""
        replaced = self.client(client) if self.is_name(client) else None
        return self.text(octets) if replaced is None else replaced.join(map(self.text, octets.split(replaced)))

    def column(self, texts: pa.Array, *, is_client: bool = False) -> pa.Array:
        """Anonymize a column of bytes, each distinct text once."""
        work = self.client if is_client else self.text
        coded = texts.cast(pa.binary()).dictionary_encode()
        values = [None if text is None else work(text) for text in coded.dictionary.to_pylist()]
        return pa.array(values, pa.binary()).take(coded.indices).cast(texts.type)
