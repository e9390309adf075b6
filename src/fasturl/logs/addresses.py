"""Write client addresses as networks, or as keyed hashes, and find the visitor among a request's addresses."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, partial
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network

import pyarrow as pa

from fasturl._accesslog import find_addresses, replace_addresses
from fasturl._patterns import lazy_pattern, not_beside
from fasturl.arrow import compute as pc

HIDDEN = b"***"
IPV6_BITS = 48
_CACHED = 1 << 16

_SIX_TO_FOUR = 0x2002
_TEXTS = pa.binary(), pa.string(), pa.large_string(), pa.large_binary(), pa.string_view(), pa.binary_view()
_NAME = rb"[0-9A-Za-z_.-]"
_ITEM = lazy_pattern(rb"[^,\s]+")
Networks = tuple[IPv4Network | IPv6Network, ...]
# An address of a list, perhaps with quotes, brackets and a port: 192.0.2.1:80, "[2001:db8::1]:80", for=192.0.2.1
_ADDRESS = lazy_pattern(rb'(?i)\s*(?:for=)?"?\[?((?:[0-9]+\.){3}[0-9]+(?=\Z|[:"])|[0-9a-f:.]+)')


def _is_name(client: bytes) -> bool:
    """Return True if the client is not an address, and not absent."""
    return client not in (b"", b"-", HIDDEN) and not find_addresses(client)


def each_distinct(texts: pa.Array, work: Callable[[bytes], bytes | None]) -> pa.Array:
    """Return a column with the same type and another text, or null, per row. Each distinct text is changed once."""
    coded = texts.cast(pa.binary()).dictionary_encode()
    distinct = coded.dictionary.to_pylist()
    values = [None if text is None else work(text) for text in distinct]
    return texts if values == distinct else pa.array(values, pa.binary()).take(coded.indices).cast(texts.type)


class Anonymizer:
    """Anonymizes addresses in texts, on any thread. An address gives the same result in every spelling.

    bits : how many bits to keep in an IPv4 address, also inside 6to4 (2002::/16). Other IPv6 addresses keep 48 bits.
    key : a secret with at least 16 bytes, whose HMAC-SHA-256 turns addresses into unique local addresses (RFC 4193)
    """

    def __init__(self, bits: int = 0, key: bytes | None = None) -> None:
        self._bits = bits
        self._key = key
        self._cached: Callable[[bytes, bytes, bool], bytes | None] = lru_cache(_CACHED)(self._anonymize)
        self.is_name: Callable[[bytes], bool] = lru_cache(_CACHED)(_is_name)

    def _anonymize(self, packed: bytes, sign: bytes, is_host: bool) -> bytes | None:
        """Return what stands for an address whose first dot or colon is written as `sign`, or None if it stays."""
        found = ip_address(packed)
        # 0.0.0.0 and the versions of agents, such as Chrome/124.0.0.0, do not belong to a host.
        if not int(found) or (isinstance(found, IPv4Address) and not int(found) & 0xFFFFFF):
            return None
        if self._key is not None:
            address = str(self._hash(packed))
        elif isinstance(found, IPv4Address):
            address = str(IPv4Address(int(found) >> 32 - self._bits << 32 - self._bits))
        else:
            kept = 16 + self._bits if int(found) >> 112 == _SIX_TO_FOUR else IPV6_BITS
            address = str(IPv6Address(int(found) >> 128 - kept << 128 - kept))
        escape, dot, colon = (sign[:-1], b".", b":") if sign[-1:] in b".:" else (sign[:-2], b"2E", b"3A")
        spelled = address.encode().replace(b".", escape + dot).replace(b":", escape + colon)
        # An IPv6 address stands in brackets where it is the host of a URL.
        return b"[%s]" % spelled if is_host and self._key is not None and sign != b":" else spelled

    def _hash(self, text: bytes) -> IPv6Address:
        import hmac  # loads OpenSSL, which takes milliseconds

        assert self._key is not None
        return IPv6Address(b"\xfd" + hmac.digest(self._key, text, "sha256")[:15])

    def text(self, data: bytes) -> bytes:
        """Anonymize every address in a text.

        >>> Anonymizer(24).text(b"203.0.113.7, 2001:db8:1:2::3 /a?ip=203.0.113.8 Chrome/124.0.0.0 10:05:03")
        b'203.0.113.0, 2001:db8:1:: /a?ip=203.0.113.0 Chrome/124.0.0.0 10:05:03'
        """
        return replace_addresses(data, self._cached)

    def client(self, name: bytes) -> bytes:
        """Anonymize a request's client. A host name becomes `***`, or the name's keyed hash.

        >>> Anonymizer(16).client(b"203.0.113.7"), Anonymizer(16).client(b"host-7.example"), Anonymizer(16).client(b"-")
        (b'203.0.0.0', b'***', b'-')
        """
        if not self.is_name(name):
            return self.text(name)
        return HIDDEN if self._key is None else str(self._hash(name.lower())).encode()

    def line(self, data: bytes, client: bytes | None) -> bytes:
        """Anonymize the addresses in a log line, and the client's name wherever it stands."""
        if client is not None and self.is_name(client):
            alias = self.client(client).replace(b"\\", rb"\\")
            # A name without a dot may also be another word of the line.
            data = not_beside(_NAME, client).sub(alias, data, count=0 if b"." in client else 1)
        return self.text(data) if client is None or self._key is None else self._around(data, client)

    def _around(self, data: bytes, client: bytes) -> bytes:
        """Anonymize the text around each hash of the client's name, because the hash looks like an address."""
        replaced = self.client(client) if self.is_name(client) else None
        return self.text(data) if replaced is None else replaced.join(map(self.text, data.split(replaced)))

    def clients(self, data: bytes) -> bytes:
        """Anonymize a list of clients with commas between them.

        >>> Anonymizer(24).clients(b"203.0.113.7, host-7.example, unknown")
        b'203.0.113.0, ***, unknown'
        """
        return _ITEM.sub(lambda item: item[0] if item[0] == b"unknown" else self.client(item[0]), data)

    def kept(self, column: pa.Array) -> pa.Array:
        """Anonymize a column of bytes, or the texts in lists, structs and maps. Other columns stay."""
        kind = column.type
        if kind in _TEXTS:
            return each_distinct(column, self.text)
        if isinstance(column, pa.DictionaryArray):
            return pa.DictionaryArray.from_arrays(column.indices, self.kept(column.dictionary))
        if column.offset:
            column = pa.concat_arrays([column, column.slice(0, 0)])  # a copy that starts with its buffers
        if isinstance(column, pa.StructArray):
            own, children = 1, [column.field(place) for place in range(kind.num_fields)]
        elif isinstance(column, (pa.ListArray, pa.LargeListArray, pa.FixedSizeListArray)):
            own, children = 1 if isinstance(column, pa.FixedSizeListArray) else 2, [column.values]
        else:
            return column
        children = [self.kept(child) for child in children]
        return pa.Array.from_buffers(kind, len(column), column.buffers()[:own], children=children)


@lru_cache
def networks_of(text: str) -> Networks:
    """Return the networks in a list with commas. Raise ValueError if the list is malformed.

    >>> networks_of("192.0.2.7, 2001:db8::/32")
    (IPv4Network('192.0.2.7/32'), IPv6Network('2001:db8::/32'))
    """
    return tuple(ip_network(each.strip()) for each in text.split(","))


@lru_cache(_CACHED)
def _is_visitor(address: bytes, trusted: Networks) -> bool:
    try:
        found = ip_address(address.decode())
    except ValueError:
        return False
    found = getattr(found, "ipv4_mapped", None) or found
    return not any(found in network for network in trusted)


def visitor_of(forwarded: bytes, trusted: Networks) -> bytes | None:
    """Return the rightmost address of an X-Forwarded-For list outside these networks, or None.

    Each proxy appends an address to the list, and anyone can forge the start of the list.

    >>> visitor_of(b"203.0.113.9, 198.51.100.7:4711, 10.0.0.1", networks_of("10.0.0.0/8"))
    b'198.51.100.7'
    """
    items = map(_ADDRESS.match, reversed(forwarded.split(b",")))
    return next((item[1] for item in items if item and _is_visitor(item[1], trusted)), None)


def visitors(client: pa.Array | None, forwarded: pa.Array | None, trusted: Networks) -> pa.Array | None:
    """Return a column with visitors. Cost: linear in the bytes. Python reads each distinct list once.

    A client outside these networks is the visitor, because it is no proxy and may have forged the list.
    """
    if forwarded is None or forwarded.null_count == len(forwarded):
        return client
    found = each_distinct(forwarded, partial(visitor_of, trusted=trusted)).cast(pa.binary())
    if client is not None:
        peer = each_distinct(client, lambda address: address if _is_visitor(address, trusted) else None)
        found = pc.coalesce(peer.cast(pa.binary()), found, client.cast(pa.binary()))
    return found.cast(forwarded.type)
