"""Mail and news: mailto, news and nntp (RFC 1738 sections 3.5 to 3.7)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

from fasturl._docstrings import documented
from fasturl._fastparse import SHAPES, _break
from fasturl.errors import UnbuildableURL
from fasturl.schemes import _text
from fasturl.schemes.base import DEFAULT_PORT, IpParts, SchemeParts, set_fields

__all__ = ["Mailto", "News", "Nntp"]


@documented(SchemeParts)
@dataclass(frozen=True, slots=True, repr=False)
class Mailto(SchemeParts):
    """A mail address, ``mailto:address`` (RFC 1738 section 3.5).

    Parameters
    ----------
    address : str
        An RFC 822 addr-spec, decoded.

    Examples
    --------
    >>> from fasturl.schemes import decompose
    >>> decompose("mailto:joe%25host@gateway.dom")
    Mailto(address='joe%host@gateway.dom')
    """

    scheme = "mailto"
    section = "3.5"

    address: str = ""

    @classmethod
    def from_schemepart(cls, part: str) -> Self:
        new = object.__new__(cls)
        set_fields(new, address=_text.decode(part))
        return new

    def schemepart(self) -> str:
        if self.address == "":
            raise UnbuildableURL("an empty address", "encoded822addr", 0, self.section)
        return _text.escape(self.address, "encoded822addr", self.section)


@documented(SchemeParts)
@dataclass(frozen=True, slots=True, repr=False)
class News(SchemeParts):
    """A newsgroup or an article, ``news:group`` or ``news:unique@domain`` (RFC 1738 section 3.6).

    Parameters
    ----------
    group : str
        The newsgroup, for example ``comp.lang.c``, or ``*`` for all newsgroups.
    message_id : str
        The article's message-id, decoded. Give either this or the group.

    Examples
    --------
    >>> from fasturl.schemes import decompose
    >>> decompose("news:comp.infosystems.www.misc")
    News(group='comp.infosystems.www.misc', message_id=None)
    >>> decompose("news:1994%2F5@host.dom").message_id
    '1994/5@host.dom'
    """

    scheme = "news"
    section = "3.6"

    group: str | None = None
    message_id: str | None = None

    @property
    def all_groups(self) -> bool:
        """True for ``news:*``, which means all available newsgroups.

        Examples
        --------
        >>> News("*").all_groups, News("comp.lang.c").all_groups
        (True, False)
        """
        return self.group == "*"

    @classmethod
    def from_schemepart(cls, part: str) -> Self:
        new = object.__new__(cls)
        if "@" in part:
            set_fields(new, group=None, message_id=_text.decode(part))
        else:
            set_fields(new, group=_text.decode(part), message_id=None)
        return new

    def schemepart(self) -> str:
        if (self.group is None) == (self.message_id is None):
            raise UnbuildableURL("one of group and message-id is wanted", "grouppart", 0, self.section)
        if self.message_id is None:
            group = self.group or ""
            return group if group == "*" else _text.checked_name(group, "group", self.section)
        _text.bytes_of(self.message_id, "article", self.section)
        # A host has no "@", so the last one is the delimiter. The unique part may hold an escaped "@".
        unique, at, host = self.message_id.rpartition("@")
        if not at or not unique:
            raise UnbuildableURL("not unique@host", "article", 0, self.section)
        broken = _break(host, False)
        if broken is not None:
            raise UnbuildableURL("no host after the @", "article", len(unique) + 1 + broken, self.section)
        return f"{_text.escape(unique, 'article', self.section)}@{host}"


@documented(IpParts)
@dataclass(frozen=True, slots=True, repr=False)
class Nntp(IpParts):
    """An article on a news server, ``nntp://host:port/group/article`` (RFC 1738 section 3.7).

    Parameters
    ----------
    group : str
        The newsgroup.
    article : int
        The article's number. It is missing when the URL names only the group, or has more than 640 digits.

    Examples
    --------
    >>> from fasturl.schemes import decompose
    >>> decompose("nntp://news.dom/comp.lang.c/0042")
    Nntp(host='news.dom', port=119, group='comp.lang.c', article=42)
    """

    scheme = "nntp"
    section = "3.7"
    _shape = SHAPES["nntp"]

    host: str = ""
    port: int = DEFAULT_PORT
    group: str = ""
    article: int | None = None

    @classmethod
    def from_schemepart(cls, part: str) -> Self:
        new, _, path = cls._read_login(part)
        group, slash, digits = path.partition("/")
        article = None
        if slash and digits.isascii() and digits.isdecimal():
            digits = digits.lstrip("0") or "0"
            if len(digits) <= _text.MAX_DIGITS:
                article = int(digits)
        set_fields(new, group=_text.decode(group), article=article)
        return new

    def schemepart(self) -> str:
        text = f"//{self._hostport()}/{_text.checked_name(self.group, 'group', self.section)}"
        if self.article is None:
            return text
        if not 0 <= self.article < 10**_text.MAX_DIGITS:
            why = f"not a number of up to {_text.MAX_DIGITS} digits"
            raise UnbuildableURL(why, "digits", 0, self.section)
        return f"{text}/{self.article}"
