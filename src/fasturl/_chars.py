# DO NOT EDIT: written by tools/gen_chars.py from grammar/rfc1738.bnf.
"""The classes of characters of RFC 1738 (section 2.2; section 5, the last productions)."""

import enum

__all__ = ["CharClass"]


class CharClass(enum.IntFlag):
    """A set of RFC 1738's character classes, with the names in the grammar (section 5).

    You can combine classes with ``|`` and ``&``. Every graphic byte is in exactly one class from ``LOWALPHA`` to
    ``PUNCTUATION``. A space, a control byte and a byte above 7E are in no class. ``HEX`` overlaps letters and digits.
    The other names are unions. For example, ``UCHAR`` and ``XCHAR`` contain the bytes that you can write without an
    escape where the grammar uses these names.

    Examples
    --------
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
