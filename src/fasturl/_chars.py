# DO NOT EDIT: written by tools/gen_chars.py from grammar/rfc1738.bnf.
"""The classes of characters of RFC 1738 (section 2.2; section 5, the last productions)."""

import enum

__all__ = ["CharClass"]


class CharClass(enum.IntFlag):
    """The named sets of RFC 1738 section 5, by the BNF's names; a value is a set of them.

    Every graphic byte is in exactly one of the first eight; space, control chars and chars above 7E are
    in none. ``HEX`` overlaps letters and digits. The rest are unions; ``UCHAR`` and ``XCHAR`` are the chars
    that may stand raw in the terms of those names, so without the escape.

    >>> CharClass.UNRESERVED == CharClass.ALPHA | CharClass.DIGIT | CharClass.SAFE | CharClass.EXTRA
    True
    >>> CharClass.RESERVED in CharClass.XCHAR, CharClass.RESERVED in CharClass.UCHAR
    (True, False)
    """

    LOWALPHA = 0x001
    HIALPHA = 0x002
    DIGIT = 0x004
    SAFE = 0x008
    EXTRA = 0x010
    RESERVED = 0x020
    NATIONAL = 0x040
    PUNCTUATION = 0x080
    HEX = 0x100
    ALPHA = LOWALPHA | HIALPHA
    ALPHADIGIT = ALPHA | DIGIT
    UNRESERVED = ALPHADIGIT | SAFE | EXTRA
    UCHAR = UNRESERVED
    XCHAR = UNRESERVED | RESERVED

    @classmethod
    def _missing_(cls, value: object) -> "CharClass":
        if isinstance(value, int):
            member: CharClass = super()._missing_(value)
            return member
        from fasturl._quoted import no_member

        raise no_member(cls, value)

    def __str__(self) -> str:
        """Return the names, joined by "|", and "none" for the empty set."""
        return self.name or "none"
