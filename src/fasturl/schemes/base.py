"""SchemeParts, the base class for all schemes' dataclasses, and the tables that registration fills."""

from __future__ import annotations

import dataclasses
import re
from functools import cache
from typing import TYPE_CHECKING, Any, ClassVar, Final, NamedTuple, Self, cast

from fasturl._fastparse import _split_login, parse
from fasturl._findings import Finding
from fasturl._quoted import shown_part
from fasturl._urllib import _hidden_places
from fasturl.errors import UnbuildableURL
from fasturl.schemes import _text

if TYPE_CHECKING:
    from collections.abc import Callable

    from fasturl._fastparse import Productions

__all__ = ["SchemeParts"]

# A bit beside the findings in `_origin`: some field may hold a password.
HOLDS_PASSWORD = 1 << 31
_AMBIGUOUS = Finding.AMBIGUOUS_AUTHORITY.value
# The text before the password in the URL's own login: a scheme, slashes and a user. The RFC allows a "?" in the user.
_BEFORE_PASSWORD = re.compile(rb"[^/\\?#]*+[/\\]*+[^/\\#]*+")
# The default of a `port` field. The class fills in its own port, which comes from the table of schemes.
DEFAULT_PORT: Any = None


class Registered(NamedTuple):
    """A registered scheme.

    Parameters
    ----------
    name : str
        The scheme in lower case.
    shape : str
        The RFC 1738 scheme whose URLs have the same form, "generic", or "custom" for own productions.
    default_port : int, optional
        The port that a URL may omit.
    dataclass : type
        The class for the scheme's URLs.
    """

    name: str
    shape: str
    default_port: int | None
    dataclass: type[SchemeParts]


schemes: dict[str, Registered] = {}
productions: dict[str, Productions] = {}
# The functions that read a schemepart, by scheme. decompose calls them.
readers: dict[str, Callable[[str], SchemeParts]] = {}
# The class for schemes without a class of their own: Generic. registry.start() sets it.
fallback = cast("type[SchemeParts]", None)


def check_productions(scheme: str, part: str) -> str:
    """Return a built schemepart, or raise UnbuildableURL if the scheme's productions do not derive it."""
    own = productions.get(scheme)
    if own is not None:
        stop = own.stop(part.encode("utf-8", "surrogatepass"))
        if stop is not None:
            raise UnbuildableURL("not as the scheme's productions have it", "schemepart", stop, "4")
    return part


def dataclass_of(scheme: str) -> type[SchemeParts]:
    """Return the class for a scheme's URLs, which is Generic unless the scheme has a class."""
    known = schemes.get(scheme)
    return fallback if known is None else known.dataclass


def is_own(scheme: str) -> bool:
    """Return True if the scheme has a class, because then Generic must not build the URL."""
    return dataclass_of(scheme) is not fallback


def default_port_of(scheme: str) -> int | None:
    """Return a scheme's default port, or None if the scheme has no port or is unknown.

    >>> default_port_of("gopher"), default_port_of("x-unknown")
    (70, None)
    """
    known = schemes.get(scheme)
    return None if known is None else known.default_port


class SchemeParts:
    """The components of a URL. This is the base class for all results of ``decompose``.

    Values are immutable. Two values are equal when the components are equal. The ``repr`` shows no password. When you
    pass a list, it is stored as a tuple.

    When you define a class for your scheme, derive it from this class, as a frozen dataclass with slots. You must
    implement ``from_schemepart`` and ``schemepart``. The schemepart is the text after ``scheme:``.
    """

    __slots__ = ("_origin",)

    scheme: ClassVar[str]
    # Any, because schemes with an ip-schemepart declare `port: int` and the others have no port.
    default_port: ClassVar[Any] = None
    section: ClassVar[str] = "5"
    # True if the class has fields for the login. A password is in none of the other fields then.
    _has_login: ClassVar[bool] = False
    # The scheme for which registration made the class. Pickles name the class by it.
    _made_for: ClassVar[str] = ""

    # For a value from decompose: the URL's text if it was valid, else its findings. A value that a caller built has no
    # such attribute. It is not a component: equality and repr ignore it.
    _origin: str | int

    @classmethod
    def from_schemepart(cls, part: str) -> Self:
        """Read a schemepart. When it is invalid, read as many components as possible.

        Parameters
        ----------
        part : str
            The text after ``scheme:``.

        Returns
        -------
        SchemeParts
            A value of this class.
        """
        raise NotImplementedError

    def schemepart(self) -> str:
        """Write the schemepart from the components.

        Returns
        -------
        str
            The text after ``scheme:``.

        Raises
        ------
        UnbuildableURL
            If a component is missing, or if no escape can express it.
        """
        raise NotImplementedError

    def geturl(self) -> str:
        """Return the URL. If ``decompose`` read a valid URL, you get the original text. Otherwise, the URL is built.

        Returns
        -------
        str
            ASCII text that is valid by the scheme's production (RFC 1738 section 5). If the value has a host, all
            programs read the same host. ``Generic`` describes exceptions for database URLs. A built text omits the
            scheme's default port, and escapes each byte that may not stand raw, and a ``?`` in a user or password.

        Raises
        ------
        UnbuildableURL
            If a component is missing, if no escape can express it, or if programs would read different hosts.
        TypeError
            If a component has a wrong type.

        Notes
        -----
        Time: linear.

        Examples
        --------
        >>> from fasturl.schemes import Ftp
        >>> Ftp(user="anne", password="p@ss/word", host="host.dom", cwd=("/etc",), name="motd").geturl()
        'ftp://anne:p%40ss%2Fword@host.dom/%2Fetc/motd'
        """
        origin = getattr(self, "_origin", None)
        if isinstance(origin, str) and not self._is_ambiguous(origin):
            return origin
        check_types(self)
        text = f"{self.scheme}:{check_productions(self.scheme, self.schemepart())}"
        if any(map(self._is_ambiguous, self._readings_of(text))):
            raise UnbuildableURL("a login, host or port that programs read in different ways", "login", 0, "3.1")
        return text

    def _is_ambiguous(self, text: str) -> bool:
        """Return True if programs read a different host than this value names. A value may name no host."""
        return getattr(self, "host", None) is not None and is_ambiguous(text)

    def _readings_of(self, text: str) -> tuple[str, ...]:
        """Return the texts that every reader must read alike before geturl() returns the URL."""
        return (text,)

    @property
    def findings(self) -> Finding:
        """The violations in the URL that ``decompose(url, strict=False)`` read. Zero means a valid URL.

        When there is a violation, the components are a best effort. Call ``fasturl.problems(url)`` to list the places.

        Examples
        --------
        >>> from fasturl.schemes import decompose
        >>> parts = decompose("ftp://h/a b", strict=False)
        >>> parts.name, parts.findings.name
        ('a b', 'UNSAFE')
        """
        origin = getattr(self, "_origin", 0)
        return Finding(0) if isinstance(origin, str) else Finding(origin) & Finding.VIOLATIONS

    def __repr__(self) -> str:
        shown = ", ".join(f"{field.name}={self._repr_of(field.name)}" for field in _fields(self))
        return f"{type(self).__name__}({shown})"

    def _repr_of(self, name: str) -> str:
        value = getattr(self, name)
        secret = name == "password" or (name not in ("scheme", "host", "port") and self._may_show_a_password())
        if secret and value:
            return "'***'"
        try:
            return repr(shown_part(value))
        except ValueError:  # an int with more digits than Python converts
            return f"<{type(value).__name__}>"

    def _may_show_a_password(self) -> bool:
        """Return True if a field may hold what another reader takes for a password."""
        origin = getattr(self, "_origin", 0)
        if isinstance(origin, str):
            return self.may_show_password_of(origin)
        if origin & HOLDS_PASSWORD:
            return True
        ambiguous = bool(origin & Finding.AMBIGUOUS_AUTHORITY)
        return bool(origin & Finding.PASSWORD) and (ambiguous or not self._has_login)

    def may_show_password_of(self, url: str) -> bool:
        """Return True if some program could read the URL's password in a field other than ``password``.

        Parameters
        ----------
        url : str
            The URL that gave this value.

        Returns
        -------
        bool
            True if ``repr`` must hide such fields.
        """
        data = url.encode("utf-8", "surrogatepass")
        password = getattr(self, "password", None) if self._has_login else None
        own = data.find(b":", data.find(b"//") + 2) + 1
        for start, end in _hidden_places(data, ()):
            if _BEFORE_PASSWORD.fullmatch(data, 0, start):
                written = data[own:end].decode("utf-8", "surrogatepass")
                if password is None or _text.decode(written) != password:
                    return True
        return False

    def __reduce__(self) -> tuple[Any, ...]:
        values = tuple(getattr(self, field.name) for field in _fields(self))
        return _restore, (self._made_for or type(self), values, getattr(self, "_origin", None))


def is_ambiguous(text: str) -> bool:
    """Return True if programs read different logins, hosts or ports in a text.

    The name of the scheme does not matter: urllib3 takes a scheme with "." for a host, whatever follows.
    """
    scheme, colon, part = text.partition(":")
    return bool(parse(f"x:{part}" if colon and "." in scheme else text).findings.value & _AMBIGUOUS)


def _fields(value: Any) -> tuple[dataclasses.Field[Any], ...]:
    return dataclasses.fields(value)


def _is_tuple_of_text(value: object) -> bool:
    return isinstance(value, tuple) and all(isinstance(item, str) for item in value)


def _is_tuple_of_pairs(value: object) -> bool:
    return isinstance(value, tuple) and all(_is_tuple_of_text(pair) and len(pair) == 2 for pair in value)


def _is_tuple_of_hosts(value: object) -> bool:
    return isinstance(value, tuple) and all(
        isinstance(pair, tuple)
        and len(pair) == 2
        and isinstance(pair[0], str)
        and (pair[1] is None or _is_number(pair[1]))
        for pair in value
    )


def _is_number(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


# By the annotation of a field: the name of its type in messages, and a test for its values.
_TYPES: Final[dict[str, tuple[str, Callable[[object], bool]]]] = {
    "str": ("str", lambda value: isinstance(value, str)),
    "str | None": ("None or str", lambda value: value is None or isinstance(value, str)),
    "int": ("int", _is_number),
    "int | None": ("None or int", lambda value: value is None or _is_number(value)),
    "tuple[str, ...]": ("a tuple of str", _is_tuple_of_text),
    "tuple[tuple[str, str], ...]": ("a tuple of pairs of str", _is_tuple_of_pairs),
    "tuple[tuple[str, str], ...] | None": (
        "None or a tuple of pairs of str",
        lambda value: value is None or _is_tuple_of_pairs(value),
    ),
    "tuple[tuple[str, int | None], ...]": ("a tuple of pairs of a host and a port", _is_tuple_of_hosts),
}
# The RFC's term for a field. For other fields, the term is the field's name.
_TERMS: Final = {
    "cwd": "fsegment",
    "name": "fsegment",
    "plus": "gopher+_string",
    "address": "encoded822addr",
    "message_id": "article",
    "fields": "fieldspec",
    "part": "schemepart",
    # These terms differ by section.
    ("3.10", "path"): "fpath",
    ("5", "path"): "urlpath",
    ("3.7", "article"): "digits",
}


@cache
def _checks(cls: Any) -> list[tuple[str, str, str, Callable[[object], bool]]]:
    """Return, per field that this package's base declares, the name, the RFC's term, the type's name and the test."""
    ours = next(base for base in cls.__mro__ if base.__module__.startswith("fasturl.schemes."))
    checks = []
    for field in dataclasses.fields(ours) if dataclasses.is_dataclass(ours) else ():
        term = _TERMS.get((ours.section, field.name)) or _TERMS.get(field.name, field.name)
        checks.append((field.name, term, *_TYPES[str(field.type)]))
    return checks


def store_tuples(parts: Any) -> None:
    """Store the lists among the fields as tuples, so that built and decomposed values compare and hash alike."""
    cls: Any = type(parts)
    for name, *_ in _checks(cls):
        if isinstance(value := getattr(parts, name), (list, tuple)):
            items = [tuple(item) if isinstance(item, list) else item for item in value]
            set_fields(parts, **{name: tuple(items)})


def check_types(parts: Any) -> None:
    """Raise an error if a field has a wrong type. The message names the RFC's term, not the value."""
    if hasattr(parts, "_origin"):
        return  # decompose sets the right types
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
    """Set fields of a frozen dataclass while it is under construction."""
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
    """The base class for schemes whose URLs have ``//``, a host and a port (RFC 1738 section 3.1).

    Parameters
    ----------
    user : str
        The user, decoded.
    password : str
        The password, decoded. The ``repr`` hides it.
    host : str
        The host, as written.
    port : int
        The port. By default, you get the scheme's default port.
    """

    __slots__ = ()
    _has_login = True
    # The shape of the schemepart. It determines where the login ends.
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
        """Read a schemepart's login. Return a new value, the delimiter that ended the login or None, and the rest.

        The value has the host and the port, and the user and password if the class has these fields. If the scheme
        allows no user, a user is a finding, and the host is read anyway. Without ``//``, the whole part is the rest.
        """
        user, password, host, port, mark, rest, _ = _split_login(part, cls._shape)
        new = object.__new__(cls)
        set_fields(new, host=host or "", port=cls.default_port if port is None else port)
        if hasattr(cls, "user"):
            set_fields(new, user=_text.decode_any(user), password=_text.decode_any(password))
        return new, mark, rest
