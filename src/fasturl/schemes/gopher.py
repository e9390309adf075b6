"""Gopher and Gopher+ (RFC 1738 section 3.4)."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Self

from fasturl._docstrings import documented
from fasturl._fastparse import SHAPES
from fasturl._quoted import no_member
from fasturl.errors import UnbuildableURL
from fasturl.schemes import _text
from fasturl.schemes._text import check_sendable, unsafe
from fasturl.schemes.base import DEFAULT_PORT, IpParts, check_types, set_fields

__all__ = ["Gopher", "PlusKind"]

_TAB = "%09"
_FORM_START = "+\t1\r\n+-1\r\n"
_FORM_END = ".\r\n"


class PlusKind(StrEnum):
    """The kind of request in a gopher+ string (RFC 1738 sections 3.4.4 to 3.4.9)."""

    DEFAULT = "default"  # "+": the item in its default view
    ASK = "ask"  # "?": an item with an electronic form that the client fetches and fills
    ATTRIBUTES = "attributes"  # "!": attributes of the item
    DIRECTORY = "directory"  # "$": attributes of all items of the directory
    VIEW = "view"  # "+view language": an alternate view
    FORM = "form"  # a filled form
    OTHER = "other"  # none of these

    @classmethod
    def _missing_(cls, value: object) -> PlusKind:
        raise no_member(cls, value)


_WHOLE_KINDS = {"+": PlusKind.DEFAULT, "?": PlusKind.ASK}
_KINDS_BY_START = {"!": PlusKind.ATTRIBUTES, "$": PlusKind.DIRECTORY}


@documented(IpParts)
@dataclass(frozen=True, slots=True, repr=False)
class Gopher(IpParts):
    """A Gopher URL, ``gopher://host:port/`` gtype selector ``%09`` search ``%09`` plus (RFC 1738 section 3.4).

    Parameters
    ----------
    gtype : str
        The item's type, a single character. "1" means a directory.
    selector : str
        The item's name on the server, decoded.
    search : str
        The text to search for, decoded. When you give ``plus`` without a search, the search is "" (section 3.4.3).
    plus : str
        The gopher+ string, decoded, for example ``!+ABSTRACT`` to request an attribute.

    Examples
    --------
    >>> from fasturl.schemes import decompose
    >>> decompose("gopher://host.dom/7/find%09red%20fox")
    Gopher(host='host.dom', port=70, gtype='7', selector='/find', search='red fox', plus=None)
    >>> decompose("gopher://host.dom").gtype
    '1'
    """

    scheme = "gopher"
    section = "3.4"
    _shape = SHAPES["gopher"]

    host: str = ""
    port: int = DEFAULT_PORT
    gtype: str = "1"
    selector: str = ""
    search: str | None = None
    plus: str | None = None

    def __post_init__(self) -> None:
        IpParts.__post_init__(self)
        if self.plus is not None and self.search is None:
            set_fields(self, search="")

    @classmethod
    def from_schemepart(cls, part: str) -> Self:
        new, _, path = cls._read_login(part)
        # The gtype is one character or one escape. A "%" without two hex digits is one character.
        size = 3 if len(_text.decode(path[:3])) == 1 else 1
        gtype, path = _text.decode(path[:size]) or "1", path[size:]
        selector, tab, rest = path.partition(_TAB)
        search = plus = None
        if tab:
            search, tab, rest = rest.partition(_TAB)
            search = _text.decode(search)
            plus = _text.decode(rest) if tab else None
        selector = _text.decode(selector)
        set_fields(new, gtype=gtype, selector=selector, search=search, plus=plus)
        return new

    def schemepart(self) -> str:
        where = self._hostport()
        gtype = _text.bytes_of(self.gtype, "gtype", self.section)
        if len(gtype) != 1:
            raise UnbuildableURL("not one byte", "gtype", min(1, len(gtype)), self.section)
        for term in ("selector", "search"):
            value = getattr(self, term)
            if value is not None and "\t" in value:
                raise UnbuildableURL("a tab, which divides", term, value.index("\t"), self.section)
        text = f"//{where}/{_text.escape(self.gtype, 'gtype', self.section)}"
        text += _text.escape(self.selector, "selector", self.section)
        if self.search is not None:
            text += _TAB + _text.escape(self.search, "xchar", self.section)
        if self.plus is not None:
            text += _TAB + _text.escape(self.plus, "gopher+_string", self.section)
        return text

    def request(self, *, literal_form: bool = False) -> bytes:
        """Return the bytes that a client sends for the URL (RFC 1738 sections 3.4.1 to 3.4.3, 3.4.9).

        Parameters
        ----------
        literal_form : bool, default False
            True to send a filled form as section 3.4.9 prints it, right after the selector's tab. By default, an empty
            search and a tab come first, as section 3.4.3 requires. A search with text is always sent.

        Returns
        -------
        bytes
            The selector, the search and the gopher+ string with tabs between them, and CR LF.

        Raises
        ------
        UnsafeURL
            If the selector contains a CR, LF or tab, the search a CR, LF, NUL or tab, or the gopher+ string a CR, LF or
            NUL. A filled form can contain line ends only between values.

        Examples
        --------
        >>> from fasturl.schemes import decompose
        >>> decompose("gopher://host.dom/1/dir%09%09+").request()
        b'/dir\\t\\t+\\r\\n'
        >>> ask = Gopher("host.dom", gtype="0", selector="ask", plus=Gopher.filled("red"))
        >>> ask.request()[:5], ask.request(literal_form=True)[:5]
        (b'ask\\t\\t', b'ask\\t+')
        """
        check_types(self)
        data = check_sendable(self.selector, "selector", b"\t\r\n")
        if self.search is not None and (self.search or self.form is None or not literal_form):
            data += b"\t" + check_sendable(self.search, "search", b"\t\r\n\0")
        if self.plus is None:
            return data + b"\r\n"
        if self.form is not None:
            check_sendable("".join(self.form), "gopher+_string")
            return data + b"\t" + self.plus.encode("utf-8", "surrogateescape")
        return data + b"\t" + check_sendable(self.plus, "gopher+_string") + b"\r\n"

    @property
    def plus_kind(self) -> PlusKind | None:
        """The kind of request in the gopher+ string, or None without a gopher+ string.

        Examples
        --------
        >>> Gopher("h", plus="!+ABSTRACT").plus_kind
        <PlusKind.ATTRIBUTES: 'attributes'>
        """
        check_types(self)
        if self.plus is None:
            return None
        if kind := _WHOLE_KINDS.get(self.plus) or _KINDS_BY_START.get(self.plus[:1]):
            return kind
        if self.form is not None:
            return PlusKind.FORM
        return PlusKind.VIEW if self.plus[:1] == "+" and "\t" not in self.plus else PlusKind.OTHER

    @property
    def attributes(self) -> tuple[str, ...] | None:
        """The requested attributes' names, or None without such a request. () means all attributes.

        Examples
        --------
        >>> Gopher("h", plus="!+ABSTRACT +SMELL").attributes
        ('+ABSTRACT', '+SMELL')
        """
        check_types(self)
        if self.plus is None or self.plus[:1] not in ("!", "$"):
            return None
        return tuple(self.plus[1:].split(" ")) if len(self.plus) > 1 else ()

    @property
    def view(self) -> str | None:
        """The requested alternate view, or None if the URL requests no view.

        Examples
        --------
        >>> Gopher("h", plus="+application/postscript Es_ES").view
        'application/postscript'
        """
        check_types(self)
        return self.plus[1:].partition(" ")[0] if self.plus and self.plus_kind is PlusKind.VIEW else None

    @property
    def language(self) -> str | None:
        """The requested view's language, or None if the URL names no language.

        Examples
        --------
        >>> Gopher("h", plus="+application/postscript Es_ES").language
        'Es_ES'
        """
        check_types(self)
        if not self.plus or self.plus_kind is not PlusKind.VIEW:
            return None
        _, space, language = self.plus.partition(" ")
        return language if space else None

    @property
    def form(self) -> tuple[str, ...] | None:
        """A filled form's values, in order, or None if the gopher+ string is not a filled form.

        Examples
        --------
        >>> Gopher("h", plus=Gopher.filled("red", "fox")).form
        ('red', 'fox')
        """
        check_types(self)
        plus = self.plus
        if plus is None or not (plus.startswith(_FORM_START) and plus.endswith("\r\n" + _FORM_END)):
            return None
        *values, last = plus[len(_FORM_START) : -len(_FORM_END)].split("\r\n")
        # A lone period would end the form early, and the server would read the rest as another request.
        return None if last or "." in values else tuple(values)

    @staticmethod
    def filled(*values: str) -> str:
        """Return the gopher+ string for a form that you fill with these values (RFC 1738 section 3.4.9).

        Parameters
        ----------
        *values : str
            The form's values, in order.

        Returns
        -------
        str
            The text for the field ``plus``.

        Raises
        ------
        UnsafeURL
            If a value contains a CR, LF or NUL, or is a lone period, which would end the form.

        Examples
        --------
        >>> Gopher("host.dom", gtype="0", selector="ask", plus=Gopher.filled("red", "fox")).geturl()
        'gopher://host.dom/0ask%09%09+%091%0D%0A+-1%0D%0Ared%0D%0Afox%0D%0A.%0D%0A'
        """
        return _FORM_START + "".join(f"{_form_value(value)}\r\n" for value in values) + _FORM_END


def _form_value(value: str) -> str:
    check_sendable(value, "gopher+_string")
    if value == ".":
        raise unsafe("a lone period ends the form", "gopher+_string", 0, "3.4.9")
    return value
