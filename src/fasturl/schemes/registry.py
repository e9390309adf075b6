"""The registry of schemes and classes, from RFC 1738 or registered by you (section 4).

The kernel has a table with names, shapes and default ports (``fasturl._fastparse.schemes``). This module adds the
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
    """Decompose a URL into the components that its scheme defines (RFC 1738 section 3).

    Parameters
    ----------
    url : str, bytes-like or URL
        For example a ``URL`` from ``fasturl.parse``.
    strict : bool, default True
        False to get a best effort when the URL is invalid. Then ``findings`` names the violations.

    Returns
    -------
    SchemeParts
        The scheme's class in ``fasturl.schemes``, for example ``Http``, or ``Generic`` for a scheme without a class.
        If a component is absent, you get None. If it is empty, you get "". An absent port becomes the scheme's default
        port. Components are split first and then decoded once. Invalid UTF-8 is decoded with ``surrogateescape``, so no
        byte is lost.

    Raises
    ------
    InvalidURL
        If ``strict`` is true and RFC 1738 section 5 does not derive the URL.
    TypeError
        If the object is not a text.

    Notes
    -----
    A best effort has no fragment. Raw bytes and malformed escapes stay as they are. An invalid port becomes the default
    port, and a missing host becomes "". For a generic scheme, login, host and port are read from any part that starts
    with ``//``. The first ``?`` ends the login, as in other programs, unless the grammar derives the login. Before
    ``://``, a scheme can contain a ``_``, for example in SQLAlchemy's dialect names. Text without a scheme becomes a
    ``Generic`` without a scheme.

    Time: linear, with a parse and an object. You can call it from several threads.

    Examples
    --------
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
    """Return a best effort for an invalid URL, with the problems in `findings`."""
    parsed = parse(url)
    size = 0 if (span := parsed.span("scheme")) is None else span[1]
    if not size and (database := _DATABASE.match(text)):
        size = database.end()
    scheme = text[:size].lower()
    whole, text = text, text.partition("#")[0]
    part = text[size + 1 :] if size else text
    cls = dataclass_of(scheme)
    if cls is Generic:
        parts: SchemeParts = Generic.of(scheme, part, strict=False, valid=False)
    else:
        parts = cls.from_schemepart(_ended_login(scheme, part) if hasattr(cls, "host") else part)
    holds = HOLDS_PASSWORD if parts.may_show_password_of(whole) else 0
    _set_origin(parts, int(parsed.findings) | holds)
    return parts


def _ended_login(scheme: str, part: str) -> str:
    """Return a schemepart with a "/" before the first "?", if only other readers end the login there.

    Only other readers see a login in an invalid URL. In a valid URL, the RFC's login may hold a "?".
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
    """Return whether a scheme is experimental, because the name starts with ``x-`` (RFC 1738 section 4).

    Parameters
    ----------
    name : str
        The scheme, in any case.

    Returns
    -------
    bool
        True for an experimental scheme.

    Examples
    --------
    >>> is_experimental("x-blob"), is_experimental("xblob")
    (True, False)
    """
    return name[: len(EXPERIMENTAL)].lower() == EXPERIMENTAL


def registered() -> Mapping[str, Registered]:
    """Return all known schemes by name, built-in or registered.

    Returns
    -------
    mapping from str to Registered
        A read-only view. When you register a scheme, it appears in the view.

    Examples
    --------
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

    The registration holds for the whole process, and you cannot undo it. If it raises an error, nothing is registered.
    You can call it from several threads.

    Parameters
    ----------
    name : str
        The scheme in lower case. Use an ``x-`` name when you experiment.
    default_port : int, optional
        1 to 65535. You must give it for every shape with a host, except "file" and "generic".
    shape : str, default "generic"
        The RFC 1738 scheme whose URLs have the same form, for example "http".
    productions : str, optional
        A grammar for the text after ``name:``, instead of a shape, in RFC 1738's notation. The first production derives
        the text. You can use all terms in section 5. ``fasturl.schemes.productions`` describes the notation.
    dataclass : type, optional
        The class for the scheme's URLs, a frozen dataclass with slots. For a shape, derive it from the shape's class
        without new fields. For "generic" or productions, derive it from ``SchemeParts``. By default, you get a new
        class that derives from the shape's class, or ``Generic``.
    reserved : bool, default False
        True to allow a name in ``RESERVED_NAMES``.

    Returns
    -------
    type
        The class for the scheme's URLs.

    Raises
    ------
    TypeError
        If a name, port or grammar has a wrong type.
    ValueError
        If the name is taken, reserved or malformed, or if arguments exclude each other.
    GrammarError
        If the productions are malformed.

    Examples
    --------
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
