"""Every name of urllib.parse, its functions compiled; install() puts them in urllib.parse's own place.

``from fasturl import dropin as parse`` reads as ``from urllib import parse`` does: the names of ``__all__``,
and by ``__getattr__`` the others that programs use (``uses_relative``, ``unwrap``, ``clear_cache``,
``splittype`` and so on), which stay urllib's own objects, as the result classes do.
"""

import urllib.parse
from _thread import allocate_lock
from urllib.parse import (
    DefragResult,
    DefragResultBytes,
    ParseResult,
    ParseResultBytes,
    SplitResult,
    SplitResultBytes,
)

from fasturl._dropin import names_of_urllib, urldefrag, urljoin, urlparse, urlsplit, urlunparse, urlunsplit
from fasturl._forms import parse_qs, parse_qsl, urlencode
from fasturl._quoting import quote, quote_from_bytes, quote_plus, unquote, unquote_plus, unquote_to_bytes

__all__ = [
    "DefragResult",
    "DefragResultBytes",
    "ParseResult",
    "ParseResultBytes",
    "SplitResult",
    "SplitResultBytes",
    "install",
    "parse_qs",
    "parse_qsl",
    "quote",
    "quote_from_bytes",
    "quote_plus",
    "uninstall",
    "unquote",
    "unquote_plus",
    "unquote_to_bytes",
    "urldefrag",
    "urlencode",
    "urljoin",
    "urlparse",
    "urlsplit",
    "urlunparse",
    "urlunsplit",
]

__getattr__ = names_of_urllib(__name__)


def public_names() -> list[str]:
    """The names of urllib.parse that are its own to show: none with an underscore, no module.

    >>> "unwrap" in public_names(), "uses_netloc" in public_names()
    (True, True)
    """
    module = type(urllib.parse)
    return [name for name, value in vars(urllib.parse).items() if name[0] != "_" and type(value) is not module]


def __dir__() -> list[str]:
    return sorted({*globals(), *public_names()})


_functions = {
    function.__name__: function
    for function in (
        parse_qs,
        parse_qsl,
        quote,
        quote_from_bytes,
        quote_plus,
        unquote,
        unquote_plus,
        unquote_to_bytes,
        urldefrag,
        urlencode,
        urljoin,
        urlparse,
        urlsplit,
        urlunparse,
        urlunsplit,
    )
}
_homes = {name: function.__module__ for name, function in _functions.items()}
_lock = allocate_lock()
_replaced: dict[str, object] = {}


def install() -> None:
    """Make urllib.parse's functions fasturl's, for code that cannot be changed.

    Takes effect for ``urllib.parse.quote`` at once and for ``from urllib.parse import quote`` from now on; a
    module that took a function by name before keeps the one it has. Nothing else of urllib.parse is touched.
    Calling it again does nothing. While installed, the functions name urllib.parse as their module, so that
    what is pickled under that name can be read where fasturl is not.

    >>> install()
    >>> urllib.parse.urlsplit is urlsplit
    True
    >>> uninstall()
    >>> urllib.parse.urlsplit is urlsplit
    False
    """
    with _lock:
        if _replaced:
            return
        for name, function in _functions.items():
            _replaced[name] = getattr(urllib.parse, name)
            function.__module__ = "urllib.parse"
            setattr(urllib.parse, name, function)


def uninstall() -> None:
    """Give urllib.parse back what install() found there; without an install() before, do nothing.

    A name that someone else has replaced since is left to them.
    """
    with _lock:
        for name, original in _replaced.items():
            function = _functions[name]
            function.__module__ = _homes[name]
            if getattr(urllib.parse, name) is function:
                setattr(urllib.parse, name, original)
        _replaced.clear()
