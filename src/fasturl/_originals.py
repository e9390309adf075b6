"""urllib.parse's functions as they were when this was first imported: what the compiled ones hand on to.

Copies, since install() gives the functions themselves another code. What stands in urllib.parse and is no function of
its own (somebody else's wrapper) is taken as it is.
"""

from __future__ import annotations

import os
import urllib.parse
import warnings
from functools import lru_cache
from operator import attrgetter
from types import FunctionType

from fasturl._fastparse import _BUILD, _Counted

TYPE_CHECKING = False  # as typing has it, without the cost of importing typing
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

# Of the results of urlsplit and urlparse: what is read of a netloc.
PROPERTIES = ("hostname", "password", "port", "username")

_CACHED = type(lru_cache(len))


def own_function(name: str) -> FunctionType | None:
    """The function of this name that urllib.parse, or its results, hold now, without its cache; None if it is not
    urllib's own.

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
    """The parameters of a function, as its "def" has them, without the defaults of those that need a keyword.

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
    made = FunctionType(function.__code__, function.__globals__, function.__name__, function.__defaults__)
    made.__kwdefaults__ = function.__kwdefaults__
    return made


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
SHAPES = {name: shape(function) for name, function in FUNCTIONS.items()}


def original(name: str) -> Callable[..., Any]:
    """urllib's function of this name, without its cache: for the arguments that the compiled one does not take.

    For a property that its results do not have, or that is somebody else's, the one of the object itself.
    """
    return _ORIGINALS.get(name) or attrgetter(name)


def take_shapes(names: dict[str, Any], shapes: dict[str, dict[str, Callable[..., Any]]]) -> None:
    """Put into a module's names, for each of shapes, the function that has the parameters of the running interpreter's.

    shapes : by name, the functions by what shape() gives. Where urllib's own is replaced by somebody else, the first is
        taken; where it has parameters that no function here has, it is urllib's own that is taken.
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
    """Whether a function gives what urllib's of this name gives: this asks the interpreter, not its version.

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
    """Whether urllib's function gives this answer, and says nothing.

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
    """Whether urllib's function raises an exception of this one's class, with its arguments, for no other's sake.

    >>> raises("urlsplit", ("//[",), ValueError("Invalid IPv6 URL")), raises("urlsplit", ("//h",), ValueError())
    (True, False)
    """
    try:
        original(name)(*args)
    except Exception as raised:
        causes = raised.__cause__ or raised.__context__
        return type(raised) is type(error) and raised.args == error.args and causes is None
    return False


def state_of(result: object) -> tuple[tuple[str, object], ...] | None:
    """(name, value) of each attribute that an interpreter sets on its results, or None."""
    found = dict(getattr(result, "__dict__", {}))
    for one in type(result).__mro__:
        slots = vars(one).get("__slots__", ())
        for name in (slots,) if isinstance(slots, str) else slots:
            if hasattr(result, name):
                found[name] = getattr(result, name)
    return tuple(found.items()) or None


def handed_on() -> dict[str, int]:
    """How many calls of each function went to urllib's own. Counted by builds made with FASTURL_BUILD=debug, and where
    FASTURL_COUNT is in the environment when fasturl is imported.

    >>> set(handed_on()) <= {*NAMES, *PROPERTIES}
    True
    """
    return {name: made.calls for name, made in _ORIGINALS.items() if isinstance(made, _Counted)}
