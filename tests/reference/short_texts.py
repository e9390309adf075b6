"""Every short text: RFC 1738 has few kinds of bytes, so one byte of each kind represents its kind."""

import itertools
import os
from collections.abc import Iterator

from tries import PROOF_LENGTH

from fasturl.rfc1738 import classify

# A byte that the grammar, urllib or a browser names is a kind of its own.
NAMED = b":/?#@;=&%.+-_*[]\\~ \x00\t\n\x7f"

# Openings that change the meaning of the short text behind them: none, each scheme, a login, a host, a part.
OPENINGS = tuple(
    opening.encode()
    for opening in (
        "", "http://", "http://h", "http://h/", "http://u@h:", "HTTPS://h/?a=", "//", "ftp://", "ftp://u?:p@h/",
        "ftp://h/a;type=", "file://", "gopher://h/1", "gopher://h/1s%09", "mailto:", "news:", "nntp://h/g/",
        "telnet://", "wais://h/", "prospero://h/p;", "x://", "x:", "URL:ftp:", "http://[", "http://h/%",
    )
)  # fmt: skip
OPENINGS = OPENINGS[: int(os.environ.get("FASTURL_PROOF_OPENINGS", len(OPENINGS)))]

# The length of a text behind its opening (tests/tries.py). With 3 the kernels read a million texts, with 4 36 million;
# with 5 and only the first, empty opening, 54 million.
LENGTH = PROOF_LENGTH


def kind_of(byte: int) -> tuple[object, ...]:
    return (
        byte if byte in NAMED else None, classify(bytes([byte])), byte in b"abcdefABCDEF",
        byte in b"0123456789" and byte < ord("8"),  # %8. and above decode to bytes beyond ASCII
        byte < 0x20, byte >= 0x80,
    )  # fmt: skip


def representatives() -> bytes:
    """Return the first byte of each kind."""
    first: dict[tuple[object, ...], int] = {}
    for byte in range(256):
        first.setdefault(kind_of(byte), byte)
    return bytes(first.values())


def texts(length: int, data: bytes) -> Iterator[bytes]:
    """Yield all texts of this length over these bytes."""
    return map(bytes, itertools.product(data, repeat=length))
