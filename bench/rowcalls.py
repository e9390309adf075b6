"""Names for the timed calls that no library exports: the floor rows, and yarl's compiled quoters (private classes)."""

import operator
import struct
from typing import Any
from urllib.parse import SplitResult as SplitResult

new = tuple.__new__
"""The last step of a compiled splitter: make a tuple of the result's class, without its Python ``__new__``."""
ready = tuple(SplitResult("https", "www.example.com", "/index.html", "", ""))
"""Five finished texts, so that a row allocates no text."""
cut = operator.itemgetter(slice(5), slice(8, 24), slice(24, None), slice(0), slice(0))
"""A tuple of five slices, made in C at the same offsets of each URL: as many texts as a plain web URL has."""
unpack = struct.Struct("5s3x4s4s0s0s").unpack_from
"""The same from bytes with fewer steps: a tuple of three new bytes objects and two shared ones."""


def __getattr__(name: str) -> Any:
    from yarl._quoting import _Quoter, _Unquoter  # type: ignore[import-untyped, unused-ignore]

    match name:
        case "quoter":  # the quoter closest to urllib's quote; it also keeps !$'()*,
            return _Quoter(safe="/", requote=False)
        case "url_quoter":  # for a whole URL: it keeps reserved characters and escapes
            return _Quoter(safe="/?:@#[]", protected="/?:@#[]+=&;", requote=True)
        case "unquoter":
            return _Unquoter()
    raise AttributeError(name)
