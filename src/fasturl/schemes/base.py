"""What the dataclasses of all schemes share."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Any, ClassVar, Self

from fasturl.schemes import _text
from fasturl.schemes.known import check_productions, dataclass_of

if TYPE_CHECKING:
    from fasturl.findings import Finding

__all__ = ["SchemeParts"]

# The default of a `port` field: filled in from the class, which has it from the table of schemes.
DEFAULT_PORT: Any = None


class SchemeParts:
    """A URL taken apart by its scheme: the base of all classes that :func:`fasturl.schemes.decompose`
    returns.

    Values are immutable, compare by their components alone, and show no password in their ``repr``.
    A class of its own derives from this one, is a frozen dataclass with slots, and says how its schemepart
    (what follows ``scheme:``) is read and written: :meth:`from_schemepart` and :meth:`schemepart`.
    """

    __slots__ = ("_origin",)

    scheme: ClassVar[str]
    # Any: the schemes with an ip-schemepart have one, and say `port: int`.
    default_port: ClassVar[Any] = None
    section: ClassVar[str] = "5"
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
        Raises: UnbuildableURL for a component that no escape can express; TypeError for one of a wrong type.
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
        from fasturl.findings import Finding

        origin = getattr(self, "_origin", 0)
        return Finding(0 if isinstance(origin, str) else origin)

    def __repr__(self) -> str:
        shown = ", ".join(f"{field.name}={self._shown(field.name)}" for field in _fields(self))
        return f"{type(self).__name__}({shown})"

    def _shown(self, name: str) -> str:
        value = getattr(self, name)
        return "'***'" if name == "password" and value else repr(value)

    def __reduce__(self) -> tuple[Any, ...]:
        values = tuple(getattr(self, field.name) for field in _fields(self))
        return _restore, (self._pickled_class(), values, getattr(self, "_origin", None))

    @classmethod
    def _pickled_class(cls) -> type[SchemeParts] | str:
        return cls._made_for or cls


def _fields(value: Any) -> tuple[dataclasses.Field[Any], ...]:
    return dataclasses.fields(value)


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

    host: str
    port: int

    def __post_init__(self) -> None:
        if self.port is None:
            object.__setattr__(self, "port", self.default_port)

    def _hostport(self) -> str:
        return _text.hostport(self.host, self.port, self.default_port)

    @classmethod
    def _port(cls, text: str | None) -> Any:
        port = _text.port_number(text) if text else None
        return cls.default_port if port is None else port

    @classmethod
    def _read_hostport(cls, part: str, ends: str = "/") -> tuple[str, Any, str | None, str]:
        """Host, port, the delimiter that ended the login (None: nothing did) and what follows it.

        A login where the scheme has none is a finding; its host still counts. A part without ``//`` has no
        host: all of it counts as url-path.
        """
        text, mark, rest = cut(part, ends)
        if text is None:
            return "", cls.default_port, "/", rest
        host, port = _text.split_hostport(text.rpartition("@")[2])
        return host, cls._port(port), mark, rest


def cut(part: str, ends: str = "/") -> tuple[str | None, str | None, str]:
    """The login of a schemepart (None: no ``//``), the delimiter that ended it, what follows that."""
    if not part.startswith("//"):
        return None, None, part[1:] if part.startswith("/") else part
    end = min((at for at in (part.find(mark, 2) for mark in ends) if at >= 0), default=-1)
    if end < 0:
        return part[2:], None, ""
    return part[2:end], part[end], part[end + 1 :]
