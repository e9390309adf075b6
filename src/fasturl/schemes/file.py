"""Files on a host (RFC 1738 section 3.10)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

from fasturl.errors import UnbuildableURL
from fasturl.schemes import _text
from fasturl.schemes.base import SchemeParts, cut, set_fields

__all__ = ["File"]


@dataclass(frozen=True, slots=True, repr=False)
class File(SchemeParts):
    """``file://host/path`` (RFC 1738 section 3.10): directories and a name, no Unix file name as such.

    ``host`` is "" where the URL has none; ``path`` holds the segments after the slash that ends the host.

    >>> from fasturl.schemes import decompose
    >>> decompose("file://vms.host.edu/disk$user/my/notes/note12345.txt")
    File(host='vms.host.edu', path=('disk$user', 'my', 'notes', 'note12345.txt'))
    """

    scheme = "file"
    section = "3.10"

    host: str = ""
    path: tuple[str, ...] = ()

    @property
    def is_local(self) -> bool:
        """Whether the host is the machine that interprets the URL: empty or ``localhost``, in any case.

        >>> File("", ("etc", "motd")).is_local, File("127.0.0.1", ("etc", "motd")).is_local
        (True, False)
        """
        return self.host == "" or self.host.lower() == "localhost"

    @classmethod
    def from_schemepart(cls, part: str) -> Self:
        text, slash, path = cut(part)
        new = object.__new__(cls)
        segments = tuple(map(_text.decode, path.split("/"))) if slash or text is None else ()
        set_fields(new, host=_text.split_hostport((text or "").rpartition("@")[2])[0], path=segments)
        return new

    def schemepart(self) -> str:
        if self.host != "":
            _text.checked_host(self.host)
        if isinstance(self.path, str):
            raise TypeError("path: expected a tuple of str, got str")
        if not self.path:
            raise UnbuildableURL("no segment, not even an empty one", "fpath", 0, self.section)
        segments = [_text.escape(text, "fsegment", self.section) for text in self.path]
        return f"//{self.host}/" + "/".join(segments)
