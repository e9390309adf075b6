"""The schemes and their classes: those of RFC 1738, and new ones (section 4).

Names, shapes and default ports are the scan's own table (``fasturl._fastparse.schemes``); here stand the
classes.
"""

from __future__ import annotations

import dataclasses
import re
import threading
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, Final, Literal, get_args

from fasturl import _fastparse
from fasturl.findings import Finding
from fasturl.schemes import known
from fasturl.schemes import productions as _productions
from fasturl.schemes._rfc1738 import RAW
from fasturl.schemes.base import IpParts, SchemeParts
from fasturl.schemes.file import File
from fasturl.schemes.ftp import Ftp
from fasturl.schemes.generic import Generic
from fasturl.schemes.gopher import Gopher
from fasturl.schemes.http import Http, Https
from fasturl.schemes.known import Registered
from fasturl.schemes.mail import Mailto, News, Nntp
from fasturl.schemes.service import Prospero, Telnet, Wais

__all__ = ["RESERVED_NAMES", "Registered", "is_experimental", "register", "registered"]

Shape = Literal["generic", "ftp", "http", "gopher", "mailto", "news", "nntp", "telnet", "wais", "file", "prospero"]

_SHAPES: Final[tuple[str, ...]] = get_args(Shape)

# RFC 1738 section 4: proposed at various times, reserved for definition in the future.
RESERVED_NAMES: Final = frozenset({"afs", "mid", "cid", "nfs", "tn3270", "mailserver", "z39.50"})
EXPERIMENTAL: Final = "x-"

_CLASSES: Final[dict[str, type[SchemeParts]]] = {
    cls.scheme: cls for cls in (Ftp, Http, Https, Gopher, Mailto, News, Nntp, Telnet, Wais, File, Prospero)
}
_NAME_OCTETS: Final = frozenset(RAW["scheme"].decode().lower())
_LOCK = threading.RLock()


Validator = Callable[[bytes, int], list[tuple[Finding, str, int, int]]]


def is_experimental(name: str) -> bool:
    """Whether a scheme's name is one for experiments: it starts with ``x-`` (RFC 1738 section 4).

    >>> is_experimental("x-blob"), is_experimental("xblob")
    (True, False)
    """
    return name[: len(EXPERIMENTAL)].lower() == EXPERIMENTAL


def registered() -> Mapping[str, Registered]:
    """Every scheme that is known, by name: those of RFC 1738, ``https``, and what was registered.

    >>> registered()["https"].default_port
    443
    """
    return MappingProxyType(known.schemes)


def register(
    name: str,
    *,
    default_port: int | None = None,
    shape: Shape = "generic",
    productions: str | None = None,
    dataclass: type[SchemeParts] | None = None,
    reserved: bool = False,
) -> type[SchemeParts]:
    """Make a new scheme known: to parse, strict or not, to decompose, and to building (RFC 1738 section 4).

    name : a scheme's name in lower case; ``x-`` names are for experiments
    default_port : 1 to 65535; every shape with a host but ``file`` and ``generic`` needs one
    shape : what the part looks like: that of the scheme of RFC 1738 named so, or ``generic``
    productions : the part's own productions instead, in the notation of RFC 1738 section 5 with all of its
        terms; the first derives the part (what follows ``name:``). See :mod:`fasturl.schemes.productions`.
    dataclass : the class of this scheme's URLs: a frozen dataclass with slots. For a shape, one derived
        from the shape's own class, without fields of its own; for ``generic`` or productions, any
        :class:`SchemeParts`. By default a class derived from the shape's, named like the scheme, and
        :class:`Generic` for the other two.
    reserved : True to take one of :data:`RESERVED_NAMES` on purpose
    Returns the dataclass. It holds for the whole process, and cannot be undone.
    Raises: TypeError for a name, port or productions of another type; ValueError for a name that is taken,
        reserved or ill-formed, and for what does not go together;
        GrammarError, a ValueError, for productions that cannot be read. Then nothing is registered.
    Threads: safe.

    >>> register("x-finger", shape="telnet")
    Traceback (most recent call last):
    ValueError: a scheme of the shape 'telnet' needs a default port
    >>> register("http")
    Traceback (most recent call last):
    ValueError: the scheme 'http' is taken
    """
    if not isinstance(name, str):
        raise TypeError(f"name: expected str, got {type(name).__name__}")
    if default_port is not None and (not isinstance(default_port, int) or isinstance(default_port, bool)):
        raise TypeError(f"default_port: expected int, got {type(default_port).__name__}")
    if productions is not None and not isinstance(productions, str):
        raise TypeError(f"productions: expected str, got {type(productions).__name__}")
    if not name or not _NAME_OCTETS.issuperset(name):
        raise ValueError(f"{name!r} is no scheme's name (section 2.1): a-z, 0-9, '+', '-' and '.' make one")
    if name in RESERVED_NAMES and not reserved:
        raise ValueError(f"the scheme {name!r} is reserved for definition in the future (section 4)")
    if shape not in _SHAPES:
        raise ValueError(f"{shape!r} is no shape: one of {', '.join(_SHAPES)}")
    if productions is not None and shape != "generic":
        raise ValueError("a scheme has either a shape or productions of its own")
    base = _CLASSES.get(shape, Generic)
    if default_port is None and issubclass(base, IpParts):
        raise ValueError(f"a scheme of the shape {shape!r} needs a default port")
    if default_port is not None and not issubclass(base, (IpParts, Generic)):
        raise ValueError(f"a scheme of the shape {shape!r} has no port")
    recogniser = None if productions is None else _productions.compile(productions)
    with _LOCK:
        if name in known.schemes:
            raise ValueError(f"the scheme {name!r} is taken")
        cls = _derived(base, name) if dataclass is None else _checked(dataclass, base, name)
        validator = None if recogniser is None else _validator(recogniser)
        _fastparse.register_scheme(name, shape if validator is None else "custom", default_port, validator)
        if recogniser is not None:
            known.recognisers[name] = recogniser
        _attach(Registered(name, shape if validator is None else "custom", default_port, cls))
    return cls


def _attach(scheme: Registered) -> None:
    cls = scheme.dataclass
    if cls is not Generic:
        cls.scheme = scheme.name
        cls.default_port = scheme.default_port
        known.readers[scheme.name] = cls.from_schemepart
    known.schemes[scheme.name] = scheme


def _derived(base: type[SchemeParts], name: str) -> type[SchemeParts]:
    """A class for a scheme that has a shape but none of its own."""
    if base is Generic:
        return Generic
    title = "".join(word.capitalize() for word in re.split("[+.-]", name))
    title = title if title.isidentifier() else f"Scheme{title}"
    body = {"__slots__": (), "__module__": base.__module__, "_made_for": name}
    return type(title, (base,), body)


def _checked(cls: type[SchemeParts], base: type[SchemeParts], name: str) -> type[SchemeParts]:
    """The caller's own class, if it will do."""
    if not (isinstance(cls, type) and issubclass(cls, SchemeParts) and dataclasses.is_dataclass(cls)):
        raise ValueError("dataclass: expected a dataclass that derives from fasturl.schemes.SchemeParts")
    parameters: Any = cls.__dataclass_params__
    if not parameters.frozen:
        raise ValueError(f"{cls.__name__} is not frozen")
    taken = any(other.dataclass is cls for other in known.schemes.values())
    if taken or ("scheme" in vars(cls) and cls.scheme != name):
        raise ValueError(f"{cls.__name__} is the class of another scheme")
    if base is Generic:
        if cls.from_schemepart.__func__ is SchemeParts.from_schemepart.__func__ or (
            cls.schemepart is SchemeParts.schemepart
        ):
            raise ValueError(f"{cls.__name__} needs from_schemepart and schemepart of its own")
        if issubclass(cls, Generic):
            raise ValueError("Generic has its scheme in its values; derive from SchemeParts")
    elif not issubclass(cls, base):
        raise ValueError(f"{cls.__name__} does not derive from {base.__name__}")
    elif [f.name for f in dataclasses.fields(cls)] != [f.name for f in dataclasses.fields(base)]:
        raise ValueError(f"{cls.__name__} has other fields than {base.__name__}")
    return cls


def _validator(recogniser: _productions.Recogniser) -> Validator:
    """What the scan asks about a URL of a scheme with its own productions."""

    def validator(octets: bytes, start: int) -> list[tuple[Finding, str, int, int]]:
        part = octets[start:].partition(b"#")[0]
        stop = recogniser.stop(part)
        if stop is None:
            return []
        finding = Finding.MISSING if stop == len(part) else Finding.BAD_PART
        return [(finding, "schemepart", start + stop, start + len(part))]

    return validator


def _start() -> None:
    """Take over what the scan knows: the ten schemes of RFC 1738, and https, which was registered."""
    known.fallback = Generic
    for name, (shape, port) in _fastparse.schemes().items():
        cls = _CLASSES.get(name) or _derived(_CLASSES.get(shape, Generic), name)
        _attach(Registered(name, shape, port, cls))


_start()
