"""What may be wrong with a URL (violations) or dangerous in one that is right (hazards)."""

from collections import namedtuple
from enum import IntFlag

__all__ = ["Finding", "Problem"]


class Finding(IntFlag):
    """What a scan found in a URL; a value is a set of findings.

    The bits are stable: they are what columns and pickles hold. ``Finding.VIOLATIONS`` masks what makes a URL
    invalid under RFC 1738 section 5, ``Finding.HAZARDS`` what section 6 warns of.

    >>> found = Finding.UNSAFE | Finding.PASSWORD
    >>> found & Finding.HAZARDS
    <Finding.PASSWORD: 65536>
    >>> [finding.name for finding in found]
    ['UNSAFE', 'PASSWORD']
    """

    NO_SCHEME = 1 << 0
    BAD_SCHEME = 1 << 1
    CONTROL = 1 << 2
    NON_ASCII = 1 << 3
    UNSAFE = 1 << 4
    FRAGMENT = 1 << 5
    BAD_ESCAPE = 1 << 6
    RESERVED = 1 << 7
    BAD_HOST = 1 << 8
    BAD_PORT = 1 << 9
    LOGIN = 1 << 10
    MISSING = 1 << 11
    BAD_PART = 1 << 12

    PASSWORD = 1 << 16
    NONDEFAULT_PORT = 1 << 17
    RESERVED_PORT = 1 << 18
    ENCODED_CONTROL = 1 << 19
    DOUBLE_ENCODED = 1 << 20
    OVERLONG_UTF8 = 1 << 21
    BACKSLASH = 1 << 22
    MULTIPLE_AT = 1 << 23
    AMBIGUOUS_AUTHORITY = 1 << 24

    VIOLATIONS = (1 << 13) - 1
    HAZARDS = ((1 << 25) - 1) ^ ((1 << 16) - 1)

    @property
    def ndim(self) -> int:
        """0: a scalar. pandas takes what can be iterated for a list of values, unless it says so."""
        return 0


# Of collections: typing.NamedTuple would bring in typing, which costs more to import than all the rest here.
class Problem(namedtuple("Problem", ("finding", "start", "end", "message"))):
    """One finding with its place: ``start`` and ``end`` count characters of a str, octets of bytes.

    >>> Problem(Finding.FRAGMENT, 10, 11, "hpath: '#' at offset 10 ...").finding
    <Finding.FRAGMENT: 32>
    """

    __slots__ = ()

    finding: Finding
    start: int
    end: int
    message: str
