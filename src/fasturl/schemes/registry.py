"""The registry of schemes and their classes: the schemes of RFC 1738, and new ones (section 4).

The kernel has its own table of names, shapes and default ports (``fasturl._fastparse.schemes``). This module adds the
classes.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, Literal, cast, get_args

from fasturl import _fastparse, _productions
from fasturl._fastparse import SHAPES, URL, _split_login, exact_text, parse
from fasturl._quoted import quoted
from fasturl.errors import InvalidURL
from fasturl.schemes import base as tables
from fasturl.schemes import productions as grammar
from fasturl.schemes._rfc1738 import RAW
from fasturl.schemes.base import HOLDS_PASSWORD, IpParts, Registered, SchemeParts, dataclass_of, readers
from fasturl.schemes.generic import Generic

if TYPE_CHECKING:
    from typing_extensions import Buffer


# SQLAlchemy allows a "_" in the name of a dialect, which no RFC allows in a scheme.
_DATABASE = re.compile("[A-Za-z][A-Za-z0-9+.-]*_[A-Za-z0-9+._-]*(?=://)")
_set_origin: Any = SchemeParts.__dict__["_origin"].__set__


def decompose(url: str | Buffer | URL[Any], *, strict: bool = True) -> SchemeParts:
    """Decompose a URL into the components of its scheme (RFC 1738 section 3).

    url : str, bytes-like, or a URL from :func:`fasturl.parse`
    strict : True to raise InvalidURL for a URL that RFC 1738 section 5 does not derive. False to return a best effort,
        whose ``findings`` list the problems. It has no fragment. Raw bytes and malformed escapes stay as they are. An
        invalid port becomes the default port, and a missing host becomes "". For a generic scheme, login, host and
        port are read of any part that starts with ``//``. Unless the grammar derives the login, its first ``?`` ends
        it, as for other programs. Before ``://``, a scheme may hold a ``_``, as in names of SQLAlchemy's dialects.
        Other text without a scheme becomes a Generic without a scheme.
    Returns the scheme's dataclass of :mod:`fasturl.schemes`, or Generic for a scheme without one. Components are split
        first, then decoded once. Invalid UTF-8 is decoded with ``surrogateescape``, so no byte is lost. An absent
        component is None, an empty one "", and an absent port the scheme's default port.
    Raises: InvalidURL; TypeError for an object that is not a text.
    Cost: one parse and one object; linear in the length. Threads: safe.

    >>> decompose("ftp://@host.com/").user, decompose("ftp://host.com/").user
    ('', None)
    >>> decompose(b"http://host.com:8080/a?b")
    Http(host='host.com', port=8080, path='a', search='b')
    >>> decompose("http://u:p@host.com/#top", strict=False).findings.name
    'FRAGMENT|LOGIN'
    """
    if type(url) is not str:
        return _decompose_other(url, strict)
    try:
        scheme = parse(url, strict=True).scheme
    except InvalidURL:
        if strict:
            raise
        return _best(url, url)
    reader = readers.get(scheme)
    part = url[len(scheme) + 1 :]
    parts = Generic.of(scheme, part, strict=strict) if reader is None else reader(part)
    _set_origin(parts, url)
    return parts


def _decompose_other(url: Any, strict: bool) -> SchemeParts:
    """Decompose a URL that is not an exact str. Parse the original text, so that offsets count bytes of bytes."""
    url = exact_text(url, "decompose()")
    try:
        parse(url, strict=True)
    except InvalidURL:
        if strict:
            raise
        return _best(url, url if isinstance(url, str) else url.decode("utf-8", "surrogateescape"))
    return decompose(url if isinstance(url, str) else url.decode("ascii"), strict=strict)


def _best(url: str | bytes, text: str) -> SchemeParts:
    """Return the best effort for an invalid URL, with its problems in `findings`."""
    parsed = parse(url)
    size = 0 if (span := parsed.span("scheme")) is None else span[1]
    if not size and (database := _DATABASE.match(text)):
        size = database.end()
    scheme = text[:size].lower()
    whole, text = text, text.partition("#")[0]
    if not size:
        parts: SchemeParts = Generic.of("", text, strict=False, valid=False)
    else:
        cls = dataclass_of(scheme)
        part = text[size + 1 :]
        if cls is Generic:
            parts = Generic.of(scheme, part, strict=False, valid=False)
        else:
            parts = cls.from_schemepart(_ended_login(scheme, part) if hasattr(cls, "host") else part)
    holds = HOLDS_PASSWORD if parts.may_show_password_of(whole) else 0
    _set_origin(parts, int(parsed.findings) | holds)
    return parts


def _ended_login(scheme: str, part: str) -> str:
    """Return a schemepart with a "/" before the first "?", if only other readers end the login there.

    They alone read a login in an invalid URL. The RFC's login, which may hold a "?", is that of a valid one.
    """
    mark, rest = _split_login(part, SHAPES["http"])[4:6]
    if mark == "?" and _split_login(part, SHAPES[tables.schemes[scheme].shape])[4:6] != (mark, rest):
        part = f"{part[: len(part) - len(rest) - 1]}/?{rest}"
    return part


Shape = Literal["generic", "ftp", "http", "gopher", "mailto", "news", "nntp", "telnet", "wais", "file", "prospero"]

_SHAPES: Final[tuple[str, ...]] = get_args(Shape)

# RFC 1738 section 4: names that were proposed, and are reserved for future definition.
RESERVED_NAMES: Final = frozenset({"afs", "mid", "cid", "nfs", "tn3270", "mailserver", "z39.50"})
EXPERIMENTAL: Final = "x-"

# The classes of the built-in schemes. fasturl/schemes/__init__.py fills the dict.
_CLASSES: Final[dict[str, type[SchemeParts]]] = {}
_NAME_BYTES: Final = frozenset(RAW["scheme"].decode().lower())
# Not used with `with`: `with` allocates memory to release a lock, so MemoryError would leave the lock taken.
_LOCK = _fastparse._fork_lock()


def is_experimental(name: str) -> bool:
    """Return True if the name of a scheme is experimental: it starts with ``x-`` (RFC 1738 section 4).

    >>> is_experimental("x-blob"), is_experimental("xblob")
    (True, False)
    """
    return name[: len(EXPERIMENTAL)].lower() == EXPERIMENTAL


def registered() -> Mapping[str, Registered]:
    """Return all known schemes by name: the built-in schemes and the registered ones.

    >>> registered()["https"].default_port
    443
    """
    return MappingProxyType(tables.schemes)


def register(
    name: str,
    *,
    default_port: int | None = None,
    shape: Shape = "generic",
    productions: str | None = None,
    dataclass: type[SchemeParts] | None = None,
    reserved: bool = False,
) -> type[SchemeParts]:
    """Register a new scheme for parsing, decomposing and building (RFC 1738 section 4).

    name : a scheme's name in lower case; ``x-`` names are for experiments
    default_port : 1 to 65535. Required for every shape with a host, except ``file`` and ``generic``.
    shape : the scheme of RFC 1738 whose schemeparts have the same form, or ``generic``
    productions : a grammar of the schemepart (the text after ``name:``) in place of a shape, in the notation of RFC
        1738 section 5. It may use all terms of that section, and its first production derives the schemepart. See
        :mod:`fasturl.schemes.productions`.
    dataclass : the class of this scheme's URLs, a frozen dataclass with slots. For a shape, it derives from the shape's
        class and adds no fields. For ``generic`` or productions, it is any :class:`SchemeParts`. The default is a new
        class that derives from the shape's class, or :class:`Generic` for ``generic`` and productions.
    reserved : True to allow one of :data:`RESERVED_NAMES`
    Returns the dataclass. The registration holds for the whole process, and cannot be undone.
    Raises: TypeError for a name, port or productions of another type; ValueError for a name that is taken, reserved or
        malformed, and for arguments that exclude each other; GrammarError, a ValueError, for malformed productions.
        After an exception nothing is registered.
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
    name = str.__str__(name)  # an exact str, so that no method of a subclass runs below
    if default_port is not None and (not isinstance(default_port, int) or isinstance(default_port, bool)):
        raise TypeError(f"default_port: expected int, got {type(default_port).__name__}")
    if productions is not None and not isinstance(productions, str):
        raise TypeError(f"productions: expected str, got {type(productions).__name__}")
    if not name or not _NAME_BYTES.issuperset(name):
        raise ValueError(f"{quoted(name)} is not a scheme's name (section 2.1): a-z, 0-9, '+', '-' and '.' make one")
    if name in RESERVED_NAMES and not reserved:
        raise ValueError(f"the scheme {quoted(name)} is reserved for definition in the future (section 4)")
    if not isinstance(shape, str) or str.__str__(shape) not in _SHAPES:
        raise ValueError(f"{quoted(shape)} is not a shape: one of {', '.join(_SHAPES)}")
    if productions is not None and shape != "generic":
        raise ValueError("a scheme has either a shape or productions of its own")
    shape = cast("Shape", str.__str__(shape))
    base = _CLASSES.get(shape, Generic)
    if default_port is None and issubclass(base, IpParts):
        raise ValueError(f"a scheme of the shape {quoted(shape)} needs a default port")
    if default_port is not None and not issubclass(base, (IpParts, Generic)):
        raise ValueError(f"a scheme of the shape {quoted(shape)} has no port")
    table = None if productions is None else grammar.compile(productions)
    _LOCK.acquire()
    try:
        if name in tables.schemes:
            raise ValueError(f"the scheme {quoted(name)} is taken")
        cls = _derive(base, name) if dataclass is None else _check(dataclass, base, name)
        whole: Literal[Shape, "custom"] = shape if table is None else "custom"
        scheme = Registered(name, whole, default_port, cls)
        before = vars(cls).copy()
        try:
            if table is not None:
                tables.productions[name] = table
            _attach(scheme)
            # Last, because it either fails without effect or cannot be undone.
            _fastparse.register_scheme(name, whole, default_port, table)
        except BaseException:
            _detach(scheme, before)
            raise
    finally:
        _LOCK.release()
    return cls


def _detach(scheme: Registered, before: Mapping[str, object]) -> None:
    """Undo _attach, even if it ran only in part. before : the attributes of the class before it"""
    for table in (tables.schemes, tables.readers, tables.productions):
        table.pop(scheme.name, None)
    for attribute in () if scheme.dataclass is Generic else ("scheme", "default_port"):
        if attribute in before:
            type.__setattr__(scheme.dataclass, attribute, before[attribute])
        elif attribute in vars(scheme.dataclass):
            type.__delattr__(scheme.dataclass, attribute)


def _attach(scheme: Registered) -> None:
    cls = scheme.dataclass
    if cls is not Generic:
        cls.scheme = scheme.name
        cls.default_port = scheme.default_port
        tables.readers[scheme.name] = cls.from_schemepart
    tables.schemes[scheme.name] = scheme


def _derive(base: type[SchemeParts], name: str) -> type[SchemeParts]:
    """Return a new class for a scheme that has a shape but no class."""
    if base is Generic:
        return Generic
    title = "".join(word.capitalize() for word in re.split("[+.-]", name))
    title = title if title.isidentifier() else f"Scheme{title}"
    body = {"__slots__": (), "__module__": base.__module__, "_made_for": name}
    return type(title, (base,), body)


def _check(cls: type[SchemeParts], base: type[SchemeParts], name: str) -> type[SchemeParts]:
    """Return the caller's class, or raise ValueError if it does not fit the scheme."""
    if not (isinstance(cls, type) and issubclass(cls, SchemeParts) and dataclasses.is_dataclass(cls)):
        raise ValueError("dataclass: expected a dataclass that derives from fasturl.schemes.SchemeParts")
    parameters: Any = cls.__dataclass_params__
    if not parameters.frozen:
        raise ValueError(f"{cls.__name__} is not frozen")
    taken = any(other.dataclass is cls for other in tables.schemes.values())
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


def start(*classes: type[SchemeParts]) -> None:
    """Attach the classes to the schemes that the kernel knows."""
    tables.fallback = Generic
    tables.productions.update(_productions.TABLES)
    _CLASSES.update({cls.scheme: cls for cls in classes})
    for name, (shape, port) in _fastparse.schemes().items():
        cls = _CLASSES.get(name) or _derive(_CLASSES.get(shape, Generic), name)
        _attach(Registered(name, shape, port, cls))
