"""Views make the answers of different peers comparable with ``==``.

A view is a pair of functions: one reads the peer's result, the other urllib's result for the same input. An exception
is the answer ``("raises", name of its type)``.
"""

from collections.abc import Callable
from typing import Any

Answer = Any
View = tuple[Callable[[Any], Answer], Callable[[Any], Answer]]


def guarded(read: Callable[[Any], Answer], value: Any) -> Answer:
    """Return ``read(value)``, or the exception as an answer."""
    try:
        return read(value)
    except Exception as error:
        return ("raises", type(error).__name__)


def raised(answer: Answer) -> bool:
    return type(answer) is tuple and len(answer) == 2 and answer[0] == "raises"


def _nine(result: Any) -> Answer:
    names = ("scheme", "netloc", "path", "query", "fragment", "username", "password", "hostname")
    # port may raise although the others have answers
    return (*(getattr(result, name) for name in names), guarded(lambda r: r.port, result))


def _six(scheme: Any, host: Any, port: Any, path: Any, query: Any, fragment: Any) -> Answer:
    def text(part: str | bytes | None) -> str:
        return part.decode("utf-8", "surrogateescape") if isinstance(part, bytes) else part or ""

    return text(scheme), text(host).lower(), port or None, text(path), text(query), text(fragment)


def _six_of_urllib(result: Any) -> Answer:
    return _six(result.scheme, result.hostname, result.port, result.path, result.query, result.fragment)


def _six_of_whatwg(url: Any) -> Answer:
    host = url.hostname
    if host.startswith("["):
        host = host[1:-1]
    port = int(url.port) if url.port else None
    return _six(url.protocol[:-1], host, port, url.pathname, url.search[1:], url.hash[1:])


def _six_of_yarl(url: Any) -> Answer:
    port = url.explicit_port
    return _six(url.scheme, url.raw_host, port, url.raw_path, url.raw_query_string, url.raw_fragment)


def _six_of_httptools(url: Any) -> Answer:
    return _six(url.schema, url.host, url.port, url.path, url.query, url.fragment)


def _six_of_liburlparser(url: Any) -> Answer:
    host = url.host_text.removeprefix("[").removesuffix("]")
    return _six(url.protocol, host, url.port, url.abspath, url.query, url.fragment)


SAME: View = (lambda value: (type(value), value),) * 2
"""The value and its type, as a drop-in needs."""
PLAIN: View = (lambda value: value,) * 2
PAIRS: View = (lambda value: [tuple(pair) for pair in value],) * 2
VALID: View = (lambda value: True,) * 2
"""Any answer but an exception."""
TRUE: View = (lambda value: value, lambda value: True)
NINE: View = (_nine, _nine)
"""The nine attributes of urllib's result, by value."""
SIX: View = (_six_of_urllib, _six_of_urllib)
"""Scheme, host, port, path, query, fragment. Absent and empty are equal, and the host is in lower case."""
SIX_OF_WHATWG: View = (_six_of_whatwg, _six_of_urllib)
SIX_OF_YARL: View = (_six_of_yarl, _six_of_urllib)
SIX_OF_HTTPTOOLS: View = (_six_of_httptools, _six_of_urllib)
SIX_OF_LIBURLPARSER: View = (_six_of_liburlparser, _six_of_urllib)
