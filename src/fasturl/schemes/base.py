"""What the dataclasses of all schemes share."""

from __future__ import annotations

import dataclasses
from functools import cache
from typing import TYPE_CHECKING, Any, ClassVar, Final, Self

from fasturl._fastparse import _passwords, _split_login
from fasturl.errors import UnbuildableURL
from fasturl.findings import Finding
from fasturl.schemes import _text
from fasturl.schemes.known import check_productions, dataclass_of

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["SchemeParts"]

# The default of a `port` field: filled in from the class, which has it from the table of schemes.
DEFAULT_PORT: Any = None


class SchemeParts:
    """A URL taken apart by its scheme: the base of all classes that :func:`fasturl.schemes.decompose`
    returns.

    Values are immutable, compare by their components alone, and show no password in their ``repr``. A
    list is stored as a tuple.
    A class of its own derives from this one, is a frozen dataclass with slots, and says how its schemepart
    (what follows ``scheme:``) is read and written: :meth:`from_schemepart` and :meth:`schemepart`.
    """

    __slots__ = ("_origin",)

    scheme: ClassVar[str]
    # Any: the schemes with an ip-schemepart have one, and say `port: int`.
    default_port: ClassVar[Any] = None
    section: ClassVar[str] = "5"
    # Whether a login is read, so that a password in it is no part of another field.
    _has_login: ClassVar[bool] = False
    # The scheme that a class was made for by its registration, and is found again by.
    _made_for: ClassVar[str] = ""

    # What the value was read from: the URL's text where it was valid, the findings where it was not. A
    # value that was built has none. It is no component: it neither compares nor shows.
    _origin: str | int

    @classmethod
    def from_schemepart(cls, part: str) -> Self:
        """Read a schemepart, which need not be valid: then as much of it as can be told apart."""
        raise NotImplementedError

    def schemepart(self) -> str:
        """Write the schemepart from the components, or raise UnbuildableURL."""
        raise NotImplementedError

    def geturl(self) -> str:
        """The URL: as written where it was read from a valid one, built from the components otherwise.

        Returns: text of US-ASCII characters, valid by the scheme's production (RFC 1738 section 5). Octets
            that the
        production does not derive raw are escaped, with upper case digits; the scheme's own port is left out.
        Raises: UnbuildableURL for a component that no escape can express, or that is missing; TypeError for one
            of a wrong type.
        Cost: linear in the length.

        >>> from fasturl.schemes import Ftp
        >>> Ftp(user="anne", password="p@ss/word", host="host.dom", cwd=("/etc",), name="motd").geturl()
        'ftp://anne:p%40ss%2Fword@host.dom/%2Fetc/motd'
        """
        try:
            origin = self._origin
        except AttributeError:
            pass
        else:
            if isinstance(origin, str):
                return origin
        check_types(self)
        return f"{self.scheme}:{check_productions(self.scheme, self.schemepart())}"

    @property
    def findings(self) -> Finding:
        """What is wrong with the URL that ``decompose(url, strict=False)`` read this from; zero if nothing.

        Where there is a finding, the components are the best that can be told; ``fasturl.problems(url)``
        lists the places.

        >>> from fasturl.schemes import decompose
        >>> parts = decompose("ftp://h/a b", strict=False)
        >>> parts.name, parts.findings.name
        ('a b', 'UNSAFE')
        """
        origin = getattr(self, "_origin", 0)
        return Finding(0) if isinstance(origin, str) else Finding(origin) & Finding.VIOLATIONS

    def __repr__(self) -> str:
        shown = ", ".join(f"{field.name}={self._shown(field.name)}" for field in _fields(self))
        return f"{type(self).__name__}({shown})"

    def _shown(self, name: str) -> str:
        value = getattr(self, name)
        secret = name == "password" or (name not in ("scheme", "host", "port") and self._may_show_a_password())
        if secret and value:
            return "'***'"
        try:
            return repr(value)
        except ValueError:  # an int of more digits than Python writes
            return f"<{type(value).__name__}>"

    def _may_show_a_password(self) -> bool:
        """Whether fields that hold no password for this scheme hold what is one for another reader of the URL."""
        origin = getattr(self, "_origin", 0)
        if isinstance(origin, str):
            return not self._has_login and bool(_passwords(origin))
        ambiguous = bool(origin & Finding.AMBIGUOUS_AUTHORITY)
        return bool(origin & Finding.PASSWORD) and (ambiguous or not self._has_login)

    def __reduce__(self) -> tuple[Any, ...]:
        values = tuple(getattr(self, field.name) for field in _fields(self))
        return _restore, (self._pickled_class(), values, getattr(self, "_origin", None))

    @classmethod
    def _pickled_class(cls) -> type[SchemeParts] | str:
        return cls._made_for or cls


def _fields(value: Any) -> tuple[dataclasses.Field[Any], ...]:
    return dataclasses.fields(value)


def _is_tuple_of_text(value: object) -> bool:
    return isinstance(value, tuple) and all(isinstance(item, str) for item in value)


def _is_tuple_of_pairs(value: object) -> bool:
    return isinstance(value, tuple) and all(_is_tuple_of_text(pair) and len(pair) == 2 for pair in value)


def _is_number(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


# What a field may hold, by its annotation: how a message names it, and the test.
_TYPES: Final[dict[str, tuple[str, Callable[[object], bool]]]] = {
    "str": ("str", lambda value: isinstance(value, str)),
    "str | None": ("None or str", lambda value: value is None or isinstance(value, str)),
    "int": ("int", _is_number),
    "int | None": ("None or int", lambda value: value is None or _is_number(value)),
    "tuple[str, ...]": ("a tuple of str", _is_tuple_of_text),
    "tuple[tuple[str, str], ...]": ("a tuple of pairs of str", _is_tuple_of_pairs),
}
# The RFC's term for a field; a field that is not here has its term for a name.
_TERMS: Final = {
    "cwd": "fsegment",
    "name": "fsegment",
    "plus": "gopher+_string",
    "address": "encoded822addr",
    "message_id": "article",
    "fields": "fieldspec",
    "part": "schemepart",
    # These go by another name in another section.
    ("3.10", "path"): "fpath",
    ("5", "path"): "urlpath",
    ("3.7", "article"): "digits",
}


@cache
def _checks(cls: Any) -> list[tuple[str, str, str, Callable[[object], bool]]]:
    """Each field that a class of this package declares: its name, the RFC's term, what it may hold, the test."""
    ours = next(base for base in cls.__mro__ if base.__module__.startswith("fasturl.schemes."))
    checks = []
    for field in dataclasses.fields(ours) if dataclasses.is_dataclass(ours) else ():
        term = _TERMS.get((ours.section, field.name)) or _TERMS.get(field.name, field.name)
        checks.append((field.name, term, *_TYPES[str(field.type)]))
    return checks


def store_tuples(parts: Any) -> None:
    """Store the lists among the fields as tuples, which compare and hash as what is read from a URL does."""
    cls: Any = type(parts)
    for name, *_ in _checks(cls):
        if isinstance(value := getattr(parts, name), (list, tuple)):
            items = [tuple(item) if isinstance(item, list) else item for item in value]
            set_fields(parts, **{name: tuple(items)})


def check_types(parts: Any) -> None:
    """Refuse a field of a wrong type, by the RFC's term and without its value."""
    if hasattr(parts, "_origin"):
        return  # what was read has the right types
    cls: Any = type(parts)
    for name, term, expected, test in _checks(cls):
        value = getattr(parts, name)
        if test(value):
            continue
        items = value if isinstance(value, tuple) else ()
        if value is None or any(item is None or (isinstance(item, tuple) and None in item) for item in items):
            raise UnbuildableURL("missing", term, 0, parts.section)
        what = name if term == name else f"{name} ({term})"
        found = f" of {', '.join(sorted({type(item).__name__ for item in items}))}" if items else ""
        raise TypeError(f"{what}: expected {expected}, got {type(value).__name__}{found}")


def set_fields(value: Any, **fields: object) -> None:
    """Set fields of a frozen dataclass that is still being made."""
    for name, field in fields.items():
        object.__setattr__(value, name, field)


def _restore(cls: type[SchemeParts] | str, values: tuple[Any, ...], origin: str | int | None) -> SchemeParts:
    if isinstance(cls, str):
        cls = dataclass_of(cls)
    value = cls(*values)
    if origin is not None:
        set_fields(value, _origin=origin)
    return value


class IpParts(SchemeParts):
    """What the schemes with an ip-schemepart share: ``//``, a host and a port (RFC 1738 section 3.1)."""

    __slots__ = ()
    _has_login = True
    # The shape of the schemepart, which says where its login ends.
    _shape: ClassVar[int]

    host: str
    port: int

    def __post_init__(self) -> None:
        if self.port is None:
            set_fields(self, port=self.default_port)
        store_tuples(self)

    def _hostport(self) -> str:
        return _text.hostport(self.host, self.port, self.default_port)

    @classmethod
    def _read_login(cls, part: str) -> tuple[Self, str | None, str]:
        """A new value with a part's host and port, and with user and password where the scheme has them; the
        delimiter that ended the login, None without one; and what follows it.

        A login where the scheme has none is a finding; its host still counts. A part without ``//`` has no
        host: all of it counts as url-path.
        """
        user, password, host, port, mark, rest, _ = _split_login(part, cls._shape)
        new = object.__new__(cls)
        set_fields(new, host=host or "", port=cls.default_port if port is None else port)
        if hasattr(cls, "user"):
            set_fields(new, user=_text.decode_any(user), password=_text.decode_any(password))
        return new, mark, rest
