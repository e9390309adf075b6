"""Copies of urllib.parse's functions. The compiled functions delegate unsupported input to them.

They are copies because install() replaces the code of the functions themselves. Tests and other software put mocks and
wrappers in the place of urllib's objects, perhaps while fasturl is imported. So a function whose name holds another
object is copied from FRESH, and all questions about the interpreter are asked there.
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
_URLLIB = vars(urllib.parse)


def _fresh() -> dict[str, Any]:
    """Run urllib.parse's code anew and return its names: none of them holds a mock, nor a list that a program changed.

    Without the code, as in a program that a compiler translated, return urllib.parse's own names.
    """
    names: dict[str, Any] = {"__name__": __name__}
    try:
        exec(urllib.parse.__spec__.loader.get_code(urllib.parse.__name__), names)  # type: ignore[union-attr]
    except (AttributeError, ImportError, OSError, TypeError):
        return _URLLIB
    return names


FRESH = _fresh()


def own_class(name: str, names: dict[str, Any] = _URLLIB) -> Any:
    """Return the result class that urllib.parse defines under this name, even if the name holds another object now.

    names : those of urllib.parse, or FRESH

    >>> own_class("SplitResult") is urllib.parse.SplitResult
    True
    """
    value, here = names.get(name), names["__name__"]
    if type(value) is type and value.__module__ == here:
        return value
    bases = [base for base in tuple.__subclasses__() if base.__module__ == here]  # named tuples, the newest last
    found = [one for base in bases for one in base.__subclasses__() if (one.__module__, one.__name__) == (here, name)]
    return found[-1] if found else value


def own_function(name: str, names: dict[str, Any] = _URLLIB) -> FunctionType | None:
    """Return the function that urllib.parse or its result classes hold now under this name, without its cache.

    names : those of urllib.parse, or FRESH
    Return None if the function is not urllib's own.

    >>> own_function("urlsplit").__name__, own_function("port").__qualname__
    ('urlsplit', '_NetlocResultMixinBase.port')
    """
    value: object = names.get(name)
    if name in PROPERTIES:
        value = getattr(getattr(own_class("SplitResult", names), name, None), "fget", None)
    if type(value) is _CACHED:
        value = getattr(value, "__wrapped__", None)
    if type(value) is FunctionType and value.__globals__ is names and value.__closure__ is None:
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
    """Return a copy of a function that reads the names of urllib.parse."""
    copy = FunctionType(function.__code__, _URLLIB, function.__name__, function.__defaults__)
    # Python 3.15 compares a default with an object of the module by identity.
    named = {id(value): name for name, value in function.__globals__.items() if not isinstance(value, int)}
    defaults = (function.__kwdefaults__ or {}).items()
    copy.__kwdefaults__ = {name: _URLLIB.get(named.get(id(value), ""), value) for name, value in defaults}
    return copy


# urllib's own functions, the parameters of the copies, and the copies. A name that held another object has no function.
FUNCTIONS: dict[str, FunctionType] = {}
SHAPES: dict[str, str] = {}
_ORIGINALS: dict[str, Callable[..., Any]] = {}


def _take() -> None:
    for name in (*NAMES, *PROPERTIES):
        function = own_function(name)
        if function is not None:
            FUNCTIONS[name] = function
        function = function or own_function(name, FRESH)
        if function is not None:
            SHAPES[name] = shape(function)
        elif name in PROPERTIES:
            continue
        original = getattr(urllib.parse, name) if function is None else _copy(function)
        _ORIGINALS[name] = _Counted(original) if COUNTS else original


_take()
CODES = {name: function.__code__ for name, function in FUNCTIONS.items()}
# The compiled functions that have the parameters of the running interpreter's functions, by name.
COMPILED: dict[str, Callable[..., Any]] = {}


def original(name: str) -> Callable[..., Any]:
    """Return urllib's function of this name, without its cache, for arguments that the compiled function delegates.

    If urllib's results lack the property, return a getter of the object's own property.
    """
    return _ORIGINALS.get(name) or attrgetter(name)


def cached(name: str) -> Callable[..., Any]:
    """Return urllib's function of this name with its cache, or with a new one if the name holds another object.

    >>> cached("urlsplit") is urllib.parse.urlsplit
    True
    """
    return lru_cache(typed=True)(original(name)) if own_function(name) is None else getattr(urllib.parse, name)


def take_shapes(names: dict[str, Any], shapes: dict[str, dict[str, Callable[..., Any]]]) -> None:
    """Bind, for each name, the function whose parameters match those of the running interpreter's function.

    shapes : for each name, the functions by the result of shape(). If the parameters are not known, the first function
        is bound. If no function here has them, urllib's own is bound.
    """
    for name, known in shapes.items():
        first = next(iter(known.values()))
        taken = known.get(SHAPES[name]) if name in SHAPES else first
        if taken is None:
            names[name] = getattr(urllib.parse, name) if name in FUNCTIONS else original(name)
            continue
        if taken is not first:
            taken.__doc__, taken.__name__, taken.__qualname__ = first.__doc__, name, name
        names[name] = COMPILED[name] = taken


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
    """Return True if a function agrees with FRESH's on all samples. This tests the interpreter, not its version.

    >>> agrees("urljoin", urllib.parse.urljoin), agrees("urljoin", urllib.parse.quote)
    (True, False)
    """
    for args in _SAMPLES[name]:
        try:
            ours, theirs = function(*args), FRESH[name](*args)
            if (type(ours), ours, hash(ours)) != (type(theirs), theirs, hash(theirs)):
                return False
            if ours.__reduce_ex__(2) != theirs.__reduce_ex__(2):
                return False
        except Exception:
            return False
    return True


def gives(name: str, args: tuple[Any, ...], answer: object) -> bool:
    """Return True if FRESH's function returns this answer without a warning.

    >>> gives("urljoin", ("http://h/a", "b"), "http://h/b"), gives("urljoin", (7, 7), 7)
    (True, False)
    """
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        try:
            return bool(FRESH[name](*args) == answer)
        except Exception:
            return False


def raises(name: str, args: tuple[Any, ...], error: Exception) -> bool:
    """Return True if FRESH's function raises an exception of the same class, with the same arguments and no cause.

    >>> raises("urlsplit", ("//[",), ValueError("Invalid IPv6 URL")), raises("urlsplit", ("//h",), ValueError())
    (True, False)
    """
    try:
        FRESH[name](*args)
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


def public_names() -> list[str]:
    """Return the public names that urllib.parse defines. Omit the modules and functions that it imports.

    >>> "unwrap" in public_names(), "uses_netloc" in public_names(), "namedtuple" in public_names()
    (True, True, False)
    """
    here, module = "urllib.parse", type(urllib.parse)
    named = [(name, value) for name, value in _URLLIB.items() if name[0] != "_"]
    return [name for name, value in named if type(value) is not module and getattr(value, "__module__", here) == here]


def handed_on() -> dict[str, int]:
    """Return the number of calls per function that were delegated to urllib.

    Calls are counted in builds with FASTURL_BUILD=debug, and if the environment has FASTURL_COUNT at import.

    >>> set(handed_on()) <= {*NAMES, *PROPERTIES}
    True
    """
    return {name: counted.calls for name, counted in _ORIGINALS.items() if isinstance(counted, _Counted)}
