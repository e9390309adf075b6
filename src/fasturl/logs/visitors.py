"""Find each request's visitor: the nearest forwarded address outside the trusted proxies, or the client."""

from __future__ import annotations

import re
from functools import lru_cache, partial
from ipaddress import IPv4Network, IPv6Network, ip_address, ip_network

import pyarrow as pa

from fasturl.arrow import compute as pc
from fasturl.logs.addresses import each_distinct

Networks = tuple[IPv4Network | IPv6Network, ...]
# An address of a list, perhaps with quotes, brackets and a port: 192.0.2.1:80, "[2001:db8::1]:80", for=192.0.2.1
_ADDRESS = re.compile(rb'(?i)\s*(?:for=)?"?\[?((?:[0-9]+\.){3}[0-9]+(?=\Z|[:"])|[0-9a-f:.]+)')
_CACHED = 1 << 16


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
        peer = each_distinct(client, lambda address: address if _is_visitor(address, trusted) else None).cast(
            pa.binary()
        )
        rest = pc.if_else(found.is_valid(), found, client.cast(pa.binary()))
        found = pc.if_else(peer.is_valid(), peer, rest)
    return found.cast(forwarded.type)
