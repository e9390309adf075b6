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


def unknown(kind: str, name: object, known: "Iterable[str]") -> ValueError:
    """Return the exception for a name that is none of the known ones. It suggests a similar name.

    >>> print(unknown("field", "hots", ["port", "host"]))
    unknown field 'hots' (did you mean 'host'?): expected some of port, host
    """
    from difflib import get_close_matches

    names = list(known)
    # The time grows with the square of the length.
    near = get_close_matches(name, names, n=1) if isinstance(name, str) and len(name) <= _QUOTED_AT_MOST else []
    hint = f" (did you mean {near[0]!r}?)" if near else ""
    return ValueError(f"unknown {kind} {quoted(name)}{hint}: expected some of {', '.join(names)}")


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
    return ValueError(f"{quoted(value)} is not a valid {cls.__qualname__}")
