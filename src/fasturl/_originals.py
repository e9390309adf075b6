"""Copies of urllib.parse's functions. The compiled functions delegate unsupported input to them.

They are copies because install() replaces the code of the functions themselves. An object in urllib.parse that is not
one of its own functions, such as a wrapper by other software, is used without a copy.
"""

from __future__ import annotations

import os
import urllib.parse
import warnings
from functools import lru_cache
from operator import attrgetter
from types import FunctionType

from fasturl._fastparse import _BUILD, _Counted

TYPE_CHECKING = False  # Type checkers accept any name of this spelling, and importing typing is slow.
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

COUNTS = _BUILD == "debug" or "FASTURL_COUNT" in os.environ

NAMES = (
    "parse_qs",
    "parse_qsl",
    "quote",
    "quote_from_bytes",
    "quote_plus",
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
)

# The properties of urlsplit's and urlparse's results that split a netloc.
PROPERTIES = ("hostname", "password", "port", "username")

_CACHED = type(lru_cache(len))


def own_function(name: str) -> FunctionType | None:
    """Return the function that urllib.parse or its result classes hold now under this name, without its cache.

    Return None if the function is not urllib's own.

    >>> own_function("urlsplit").__name__, own_function("port").__qualname__
    ('urlsplit', '_NetlocResultMixinBase.port')
    """
    value: object = vars(urllib.parse).get(name)
    if name in PROPERTIES:
        value = getattr(vars(vars(urllib.parse).get("_NetlocResultMixinBase", object)).get(name), "fget", None)
    if type(value) is _CACHED:
        value = getattr(value, "__wrapped__", None)
    if type(value) is FunctionType and value.__globals__ is vars(urllib.parse) and value.__closure__ is None:
        return value
    return None


def shape(function: FunctionType) -> str:
    """Return the parameters of a function in the syntax of "def". Omit the defaults of keyword-only parameters.

    >>> shape(own_function("quote_plus"))
    "string, safe='', encoding=None, errors=None"
    """
    code = function.__code__
    names = list(code.co_varnames[: code.co_argcount + code.co_kwonlyargcount])
    defaults = function.__defaults__ or ()
    for at, default in enumerate(defaults, code.co_argcount - len(defaults)):
        names[at] += "=" + (default.__name__ if callable(default) else repr(default))
    if code.co_kwonlyargcount:
        names.insert(code.co_argcount, "*")
    if code.co_posonlyargcount:
        names.insert(code.co_posonlyargcount, "/")
    if code.co_flags & 0x0C:
        names.append("...")  # it takes any arguments
    return ", ".join(names)


def _copy(function: FunctionType) -> FunctionType:
    copy = FunctionType(function.__code__, function.__globals__, function.__name__, function.__defaults__)
    copy.__kwdefaults__ = function.__kwdefaults__
    return copy


FUNCTIONS: dict[str, FunctionType] = {}
_ORIGINALS: dict[str, Callable[..., Any]] = {}


def _take() -> None:
    for name in (*NAMES, *PROPERTIES):
        function = own_function(name)
        if function is not None:
            FUNCTIONS[name] = function
        elif name in PROPERTIES:
            continue
        original = getattr(urllib.parse, name) if function is None else _copy(function)
        _ORIGINALS[name] = _Counted(original) if COUNTS else original


_take()
CODES = {name: function.__code__ for name, function in FUNCTIONS.items()}
SHAPES = {name: shape(function) for name, function in FUNCTIONS.items()}


def original(name: str) -> Callable[..., Any]:
    """Return urllib's function of this name, without its cache, for arguments that the compiled function delegates.

    If urllib's results lack the property, or other software replaced it, return a getter of the object's own property.
    """
    return _ORIGINALS.get(name) or attrgetter(name)


def take_shapes(names: dict[str, Any], shapes: dict[str, dict[str, Callable[..., Any]]]) -> None:
    """Bind, for each name, the function whose parameters match those of the running interpreter's function.

    shapes : for each name, the functions by the result of shape(). If other software replaced urllib's function, the
        first function is bound. If no function here has the parameters of urllib's function, urllib's own is bound.
    """
    for name, known in shapes.items():
        first = next(iter(known.values()))
        taken = known.get(SHAPES[name], getattr(urllib.parse, name)) if name in SHAPES else first
        if taken is not first and taken in known.values():
            taken.__doc__, taken.__name__, taken.__qualname__ = first.__doc__, name, name
        names[name] = taken


_SPLIT: tuple[tuple[Any, ...], ...] = (
    ("HTTPS://u@h:1/a;b/c;d?q/?#f",),
    (b"http://h#f",),
    ("mailto:a@b",),
    ("/a/b?c",),
    ("http://h/\u00e9?\u20ac#",),
    ("http://u@[::ffff:1.2.3.4]:8/",),
    ("http://[fe80::1%25eth0]/a",),
    ("//[v1.a]",),
)
_SAMPLES: dict[str, tuple[tuple[Any, ...], ...]] = {
    "urlsplit": (*_SPLIT, ("//h/a?b#c", "x", False)),
    "urlparse": (*_SPLIT, ("//h/a?b#c", "x", False)),
    "urldefrag": _SPLIT,
    "urlunsplit": (
        (("http", "h", "a", "q", "f"),),
        (["", "h", "", "", ""],),
        (("file", "", "/a", "", ""),),
        (("x", "", "a", "", ""),),
    ),
    "urlunparse": (
        (("http", "h", "a", "p", "q", "f"),),
        (["", "h", "", "p", "", ""],),
        (("file", "", "/a", "", "", ""),),
    ),
    "urljoin": (
        ("http://h/a//b/c;d?e", "../f//./g;p?q#r"),
        ("https://h", "?q"),
        ("http://h/a/b#f", "#g"),
        ("http://h/a", "//i"),
        ("a/b/c", "../../../d/.."),
        ("http://h/", "mailto:a"),
        ("http://h/a/b", "/../../c/."),
        ("http://h/a?b#c", "#"),
        ("http://h/a?b#c", "?"),
        ("http://h/a?b#c", "?#"),
        ("file:", "/a/b"),
        ("file:///a/b", "c"),
    ),
}


def agrees(name: str, function: Callable[..., Any]) -> bool:
    """Return True if a function agrees with urllib's on all samples. This tests the interpreter, not its version.

    >>> agrees("urljoin", urllib.parse.urljoin), agrees("urljoin", urllib.parse.quote)
    (True, False)
    """
    for args in _SAMPLES[name]:
        try:
            ours, theirs = function(*args), original(name)(*args)
            if (type(ours), ours, hash(ours)) != (type(theirs), theirs, hash(theirs)):
                return False
            if ours.__reduce_ex__(2) != theirs.__reduce_ex__(2):
                return False
        except Exception:
            return False
    return True


def gives(name: str, args: tuple[Any, ...], answer: object) -> bool:
    """Return True if urllib's function returns this answer without a warning.

    >>> gives("urljoin", ("http://h/a", "b"), "http://h/b"), gives("urljoin", (7, 7), 7)
    (True, False)
    """
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        try:
            return bool(original(name)(*args) == answer)
        except Exception:
            return False


def raises(name: str, args: tuple[Any, ...], error: Exception) -> bool:
    """Return True if urllib's function raises an exception of the same class, with the same arguments and no cause.

    >>> raises("urlsplit", ("//[",), ValueError("Invalid IPv6 URL")), raises("urlsplit", ("//h",), ValueError())
    (True, False)
    """
    try:
        original(name)(*args)
    except MemoryError:
        raise  # not an answer of the interpreter
    except Exception as raised:
        causes = raised.__cause__ or raised.__context__
        return type(raised) is type(error) and raised.args == error.args and causes is None
    return False


def state_of(result: object) -> tuple[tuple[str, object], ...] | None:
    """Return (name, value) of each attribute that the interpreter sets on its results, or None if there is none."""
    found = dict(getattr(result, "__dict__", {}))
    for one in type(result).__mro__:
        slots = vars(one).get("__slots__", ())
        for name in (slots,) if isinstance(slots, str) else slots:
            if hasattr(result, name):
                found[name] = getattr(result, name)
    return tuple(found.items()) or None


def handed_on() -> dict[str, int]:
    """Return the number of calls per function that were delegated to urllib.

    Calls are counted in builds with FASTURL_BUILD=debug, and if the environment has FASTURL_COUNT at import.

    >>> set(handed_on()) <= {*NAMES, *PROPERTIES}
    True
    """
    return {name: counted.calls for name, counted in _ORIGINALS.items() if isinstance(counted, _Counted)}
