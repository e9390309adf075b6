"""Every short text: RFC 1738 knows few kinds of octets, so one octet of each kind stands for all of its kind."""

import itertools
import os
from collections.abc import Iterator

from fasturl import classify

# An octet that the grammar, urllib or a browser names has no other like it.
NAMED = b":/?#@;=&%.+-_*[]\\~ \x00\t\n\x7f"

# The beginnings behind which a short text is another thing each time: none, each scheme, a login, a host, a part.
OPENINGS = tuple(
    opening.encode()
    for opening in (
        "", "http://", "http://h", "http://h/", "http://u@h:", "HTTPS://h/?a=", "//", "ftp://", "ftp://u?:p@h/",
        "ftp://h/a;type=", "file://", "gopher://h/1", "gopher://h/1s%09", "mailto:", "news:", "nntp://h/g/",
        "telnet://", "wais://h/", "prospero://h/p;", "x://", "x:", "URL:ftp:", "http://[", "http://h/%",
    )
)  # fmt: skip
OPENINGS = OPENINGS[: int(os.environ.get("FASTURL_PROOF_OPENINGS", len(OPENINGS)))]

# How long a text is behind its opening. With 3 the kernels read a million texts, with 4 36 million; with 5 and only the
# first opening, which is none, 54 million.
LENGTH = int(os.environ.get("FASTURL_PROOF_LENGTH", "3"))


def kind_of(octet: int) -> tuple[object, ...]:
    return (
        octet if octet in NAMED else None,
        classify(bytes([octet])),
        octet in b"abcdefABCDEF",
        octet in b"0123456789" and octet < ord("8"),  # what %8. and above decode to is no ASCII
        octet < 0x20,
        octet >= 0x80,
    )


def representatives() -> bytes:
    """The first octet of each kind."""
    first: dict[tuple[object, ...], int] = {}
    for octet in range(256):
        first.setdefault(kind_of(octet), octet)
    return bytes(first.values())


def texts(length: int, octets: bytes) -> Iterator[bytes]:
    """All texts of so many of these octets."""
    return map(bytes, itertools.product(octets, repeat=length))
