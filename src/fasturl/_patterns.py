"""Regular expressions that are compiled on their first use, or whose search must be linear."""

from __future__ import annotations

import re
from typing import Any, AnyStr, cast


class _LazyPattern:
    def __init__(self, pattern: str | bytes, flags: int) -> None:
        self.pattern = pattern
        self._flags = flags

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):  # such names are looked up to learn what an object can do
            raise AttributeError(name)
        # The instance keeps the method, so this function is called once for each.
        method = self.__dict__[name] = getattr(re.compile(self.pattern, self._flags), name)
        return method


def lazy_pattern(pattern: AnyStr, flags: int = 0) -> re.Pattern[AnyStr]:
    """Return a pattern that is compiled on its first use.

    A module that knows many formats has many patterns, and a run uses few of them: to compile all of them would take a
    tenth of the time of a short run. Call its methods only: the functions of `re` do not accept it.

    >>> lazy_pattern("b+").sub("-", "abbc")
    'a-c'
    """
    return cast("re.Pattern[AnyStr]", _LazyPattern(pattern, flags))


def not_beside(data: bytes, text: bytes) -> re.Pattern[bytes]:
    """Return a pattern for a text that is not beside a byte of a class. Its search is linear: it begins with a literal.

    >>> not_beside(b"[a-z]", b"a,a").findall(b"ba,a,a a,ab")
    [b'a,a']
    """
    return re.compile(rb"%s(?<!%s(?s:.{%d}))(?!%s)" % (re.escape(text), data, len(text), data))
