"""What a URL says, scheme by scheme: RFC 1738 sections 3 and 4.

:func:`decompose` takes a URL apart into the dataclass of its scheme; a dataclass builds its URL with
``geturl()`` and knows what it means: the commands of an FTP URL, the request of a Gopher URL.
:func:`register` adds a scheme.

>>> decompose("ftp://myname@host.dom/%2Fetc/motd").commands()
[('USER', 'myname'), ('CWD', '/etc'), ('RETR', 'motd')]
>>> Http("host.dom", path=hpath(["a b", "c/d"])).geturl()
'http://host.dom/a%20b/c%2Fd'
"""

from fasturl.errors import UnbuildableURL
from fasturl.schemes.base import SchemeParts
from fasturl.schemes.file import File
from fasturl.schemes.ftp import Ftp
from fasturl.schemes.generic import Generic
from fasturl.schemes.gopher import Gopher, PlusKind
from fasturl.schemes.http import Http, Https, hpath
from fasturl.schemes.mail import Mailto, News, Nntp
from fasturl.schemes.productions import GrammarError
from fasturl.schemes.reading import decompose
from fasturl.schemes.registry import RESERVED_NAMES, Registered, is_experimental, register, registered
from fasturl.schemes.service import Prospero, Telnet, Wais

__all__ = [
    "RESERVED_NAMES",
    "File",
    "Ftp",
    "Generic",
    "Gopher",
    "GrammarError",
    "Http",
    "Https",
    "Mailto",
    "News",
    "Nntp",
    "PlusKind",
    "Prospero",
    "Registered",
    "SchemeParts",
    "Telnet",
    "UnbuildableURL",
    "Wais",
    "decompose",
    "hpath",
    "is_experimental",
    "register",
    "registered",
]
