"""Dict: define a word, or match words, on a dictionary server (RFC 2229 section 5)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Self

from fasturl._docstrings import documented
from fasturl._fastparse import SHAPES, _split_login
from fasturl._productions import RAW
from fasturl.errors import UnbuildableURL
from fasturl.schemes import _text
from fasturl.schemes._rfc1738 import RAW as RFC1738
from fasturl.schemes._text import check_sendable
from fasturl.schemes.base import DEFAULT_PORT, IpParts, set_fields

__all__ = ["Dict"]

# The arguments of each command after the word. Trailing ones may be omitted.
_ARGUMENTS: Final = {"d": ("database", "number"), "m": ("database", "strategy", "number")}
# What a client sends for each command: the server's name of it, and its arguments.
_SENT: Final = {"d": ("DEFINE", "database", "word"), "m": ("MATCH", "database", "strategy", "word")}


@documented(IpParts)
@dataclass(frozen=True, slots=True, repr=False)
class Dict(IpParts):
    """A query to a dictionary server, ``dict://user;auth@host:port/d:word:database:number`` (RFC 2229 section 5).

    To match a word, the URL has ``m:word:database:strategy:number``. When the URL omits an argument, you get None. An
    empty argument is "".

    Parameters
    ----------
    command : str
        "d" to define the word, "m" to match it, or "" when the URL names only the server.
    word : str
        The word, decoded.
    database : str
        The database to search, for example "!".
    strategy : str
        The matching strategy, for example "soundex".
    number : str
        The number of a definition, as digits.
    auth : str
        How the user authenticates. You must give ``user`` too.

    Examples
    --------
    >>> from fasturl.schemes import decompose
    >>> url = decompose("dict://dict.org/m:sun::soundex")
    >>> url.word, url.database, url.strategy
    ('sun', '', 'soundex')
    >>> url.request()
    'MATCH ! soundex sun'
    """

    scheme = "dict"
    section = "5"
    _shape = SHAPES["custom"]

    host: str = ""
    port: int = DEFAULT_PORT
    command: str = ""
    word: str = ""
    database: str | None = None
    strategy: str | None = None
    number: str | None = None
    user: str | None = None
    auth: str | None = None

    def request(self) -> str | None:
        """Return the command that a client sends (RFC 2229 sections 3.2 and 3.3).

        Returns
        -------
        str or None
            The command without a line end, or None when the URL names only the server. A missing database becomes "!",
            and a missing strategy ".". Arguments are quoted when they need it (RFC 2229 section 2.2).

        Raises
        ------
        UnsafeURL
            If an argument contains a control character.

        Examples
        --------
        >>> Dict("dict.org", command="d", word="sun dog").request()
        'DEFINE ! "sun dog"'
        """
        if self.command not in _SENT:
            return None
        given = {"database": self.database or "!", "strategy": self.strategy or ".", "word": self.word}
        command, *names = _SENT[self.command]
        return " ".join([command, *(_quote(given[name], name) for name in names)])

    @classmethod
    def from_schemepart(cls, part: str) -> Self:
        login, password, host, port, _, path, _ = _split_login(part, cls._shape)
        if password is not None:  # Invalid in this scheme, but keep the text.
            login = f"{login}:{password}"
        user, semicolon, auth = (login or "").rpartition(";")
        new = object.__new__(cls)
        set_fields(new, host=host or "", port=cls.default_port if port is None else port)
        set_fields(new, user=_text.decode_any(user if semicolon else login))
        set_fields(new, auth=_text.decode(auth) if semicolon else None)
        command, colon, rest = path.partition(":")
        names = _ARGUMENTS.get(command, ()) if colon else ()
        word, *arguments = rest.split(":", len(names)) if names else (path,)
        values = dict(zip(names, arguments, strict=False))
        set_fields(new, command=command if names else "", word=_text.decode(word))
        set_fields(new, **{name: _text.decode_any(values.get(name)) for name in _ARGUMENTS["m"]})
        return new

    def schemepart(self) -> str:
        login, names = "", _ARGUMENTS.get(self.command, ())
        if (self.user is None) != (self.auth is None):
            raise UnbuildableURL("user and auth go together", "auth", 0, self.section)
        if self.user is not None:
            login = f"{self._argument('user', 'dictuser')};{self._argument('auth', 'auth')}@"
        if not names and self.command:
            raise UnbuildableURL("neither d, m nor empty", "command", 0, self.section)
        for name in ("word", *_ARGUMENTS["m"]):
            if name not in names and getattr(self, name) is not None and (name != "word" or (self.word and not names)):
                raise UnbuildableURL("no argument of this command", name, 0, self.section)
        last = max((at for at, name in enumerate(names, 1) if getattr(self, name) is not None), default=0)
        path = ":".join([self.command, *(self._argument(name) for name in ("word", *names[:last]))]) if names else ""
        return f"//{login}{self._hostport()}/{path}"

    def _argument(self, name: str, term: str = "argchar") -> str:
        # RAW is read in a method: the generator imports this module before it has written RAW.
        # Only "/" and ":" divide the arguments, but another reader may reserve every reserved byte (section 2.2).
        raw = bytes(byte for byte in RAW["dict"][term] if byte in RFC1738["uchar"])
        return _text.escape(getattr(self, name) or "", name, self.section, raw=raw)


def _quote(argument: str, name: str) -> str:
    """Return an argument as a client sends it (RFC 2229 section 2.2)."""
    check_sendable(argument, name, bytes([*range(32), 127]))
    if argument and not set(argument) & set(" \"'\\"):
        return argument
    return '"' + argument.replace("\\", "\\\\").replace('"', '\\"') + '"'
