"""Foreign text for messages and reprs, without secrets, bounded in length, and without control characters.

Every message that quotes an argument calls ``quoted``. The first such message imports this module.
"""

from fasturl._urllib import SECRET_KEYS, _redact_text, quote, redact

TYPE_CHECKING = False  # Type checkers accept any name of this spelling, and importing typing is slow.
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any, AnyStr

# The greatest number of characters of an argument that a message quotes.
_QUOTED_AT_MOST = 100


def without_secrets(text: "AnyStr") -> "AnyStr":
    """Return a text with all that ``fasturl.redact`` hides, read as a URL and as a text that quotes URLs."""
    return redact(_redact_text(text, SECRET_KEYS), SECRET_KEYS)


def quoted(value: object) -> str:
    r"""Return an argument as a message quotes it: the repr of a str, bytes or number, else the name of the type.

    >>> quoted("https://me:secret@h/?token=abc")
    "'https://me:***@h/?token=***'"
    >>> quoted(["https://me:secret@h/"]), quoted(1)
    ('<list>', '1')
    """
    if value is None or type(value) in (bool, float):
        return repr(value)
    if type(value) is int and value.bit_length() <= 64:
        return repr(value)
    if not isinstance(value, (str, bytes)):
        return f"<{type(value).__name__}>"
    shown = without_secrets(value[:]) if isinstance(value, bytes) else without_secrets(str.__str__(value))
    return repr(shown[:_QUOTED_AT_MOST]) + ("..." if len(shown) > _QUOTED_AT_MOST else "")


# The words that people write for a name of fasturl's, because other programs use them, by the name in lower case. The
# first name that is known is suggested.
_WORDS = {
    "client": "ip addr address remote_addr remote_host client_ip", "size": "bytes length body_bytes_sent bytes_sent",
    "status": "code status_code http_status", "agent": "ua user_agent useragent browser", "method": "verb",
    "target": "url uri request_uri", "path": "url uri uri_path", "time": "date datetime timestamp ts",
    "hour": "date time datetime timestamp", "referer": "referrer", "referer_host": "referer referrer",
    "host": "domain hostname server", "duration": "latency elapsed response_time request_time",
    "username": "user login", "password": "pass pw", "query": "args params query_string querystring",
    "query_key": "key parameter param", "fragment": "hash anchor", "findings": "finding errors faults",
    "finding": "findings errors faults", "valid_rfc1738": "valid is_valid", "route": "endpoint", "not_found": "404",
    "server_error": "5xx 500 error", "common": "clf ncsa", "w3c": "iis elf", "urls": "url list txt",
}  # fmt: skip


def nearest(name: object, known: "Iterable[str]", least: float = 0.6) -> str:
    """Return the known name that a user most likely means, or an empty str.

    least : how similar it must be, from 0 to 1

    >>> nearest("ip", ["host", "client"]), nearest("NGNIX", ["nginx"]), nearest("x", ["host"])
    ('client', 'nginx', '')
    """
    from difflib import get_close_matches

    if not isinstance(name, str) or len(name) > _QUOTED_AT_MOST:  # the time grows with the square of the length
        return ""
    names = {each.lower(): each for each in known}
    low = name.lower().replace("-", "_")
    meant = [each for each, words in _WORDS.items() if each in names and low in words.split()]
    return next((names[each] for each in meant or get_close_matches(low, names, 1, least)), "")


def unknown(kind: str, name: object, known: "Iterable[str]", listed: str = "") -> ValueError:
    """Return the exception for a name that is none of the known ones. It suggests a similar name, or lists all.

    listed : says where all are listed, if the list is too long for a message

    >>> print(unknown("column", "bytes", ["size", "url"]))
    unknown column 'bytes'; did you mean size?
    >>> print(unknown("column", "x", ["size", "url"]))
    unknown column 'x'; there are: size, url
    """
    names = list(known)
    near = nearest(name, names)
    rest = f"did you mean {near}?" if near else listed or f"there are: {', '.join(names)}"
    return ValueError(f"unknown {kind} {quoted(name)}; {rest}")


def shown_part(value: "Any") -> "Any":
    """Return a component of a URL without secrets, for a repr. Other objects than str, bytes and tuples stay as is."""
    if isinstance(value, str):
        return redact(f"?{value}", SECRET_KEYS)[1:]
    if isinstance(value, bytes):
        return redact(b"?" + value, SECRET_KEYS)[1:]
    if not isinstance(value, tuple):
        return value
    return tuple(
        [_shown_pair(*item) if isinstance(item, tuple) and len(item) == 2 else shown_part(item) for item in value]
    )


def _shown_pair(name: "Any", content: "Any") -> "Any":
    """Return a name and its value without the value of a secret name."""
    is_secret = isinstance(name, str) and redact(f"?{quote(name, '')}=x", SECRET_KEYS).endswith("***")
    return (shown_part(name), "***" if is_secret else shown_part(content))


def no_member(cls: type, value: object) -> ValueError:
    """Return enum's exception for a value that an enumeration lacks."""
    near = nearest(value, cls.__members__)  # type: ignore[attr-defined]
    hint = f"; did you mean {cls.__qualname__}.{near}?" if near else ""
    return ValueError(f"{quoted(value)} is not a valid {cls.__qualname__}{hint}")
