"""URL components by scheme (RFC 1738 sections 3 and 4).

Call ``decompose`` to read a URL into the scheme's dataclass. ``geturl()`` builds the URL again. A dataclass can have
methods, for example for the commands that fetch an FTP URL. To add a scheme, call ``register``.

>>> decompose("ftp://myname@host.dom/%2Fetc/motd").commands()
[('USER', 'myname'), ('CWD', '/etc'), ('RETR', 'motd')]
>>> Http("host.dom", path=hpath(["a b", "c/d"])).geturl()
'http://host.dom/a%20b/c%2Fd'
"""

from fasturl.errors import UnbuildableURL
from fasturl.schemes.base import Registered, SchemeParts
from fasturl.schemes.dict import Dict
from fasturl.schemes.ftp import Ftp
from fasturl.schemes.generic import Generic
from fasturl.schemes.gopher import Gopher, PlusKind
from fasturl.schemes.http import Http, Https, hpath
from fasturl.schemes.mail import Mailto, News, Nntp
from fasturl.schemes.productions import GrammarError
from fasturl.schemes.registry import RESERVED_NAMES, decompose, is_experimental, register, registered, start
from fasturl.schemes.service import File, Prospero, Telnet, Wais

__all__ = [
    "RESERVED_NAMES",
    "Dict",
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

start(Dict, File, Ftp, Gopher, Http, Https, Mailto, News, Nntp, Prospero, Telnet, Wais)
del start
