"""Files on a host (RFC 1738 section 3.10)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

from fasturl._fastparse import SHAPES, _split_login
from fasturl.errors import UnbuildableURL
from fasturl.schemes import _text
from fasturl.schemes.base import SchemeParts, check_types, set_fields, store_tuples

__all__ = ["File"]


@dataclass(frozen=True, slots=True, repr=False)
class File(SchemeParts):
    """``file://host/path`` (RFC 1738 section 3.10). It names directories and a file, but is not a Unix path.

    ``host`` is "" if the URL has none. ``path`` holds the segments after the slash that ends the host.

    >>> from fasturl.schemes import decompose
    >>> decompose("file://vms.host.edu/disk$user/my/notes/note12345.txt")
    File(host='vms.host.edu', path=('disk$user', 'my', 'notes', 'note12345.txt'))
    """

    scheme = "file"
    section = "3.10"
    _has_login = True

    host: str = ""
    path: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        store_tuples(self)

    @property
    def is_local(self) -> bool:
        """True if the host is the machine that interprets the URL: empty, or ``localhost`` in any case.

        >>> File("", ("etc", "motd")).is_local, File("127.0.0.1", ("etc", "motd")).is_local
        (True, False)
        """
        check_types(self)
        return self.host == "" or self.host.lower() == "localhost"

    @classmethod
    def from_schemepart(cls, part: str) -> Self:
        _, _, host, _, mark, rest, _ = _split_login(part, SHAPES["file"])
        new = object.__new__(cls)
        segments = () if mark is None else tuple(map(_text.decode, rest.split("/")))
        set_fields(new, host=host or "", path=segments)
        return new

    def schemepart(self) -> str:
        if self.host != "":
            _text.checked_host(self.host)
        if not self.path:
            raise UnbuildableURL("no segment, not even an empty one", "fpath", 0, self.section)
        segments = [_text.escape(text, "fsegment", self.section) for text in self.path]
        return f"//{self.host}/" + "/".join(segments)
