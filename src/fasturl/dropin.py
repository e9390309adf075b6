"""Every name of urllib.parse, its functions compiled; install() puts them in urllib.parse's own place.

``from fasturl import dropin as parse`` reads as ``from urllib import parse`` does: the names of ``__all__``,
and by ``__getattr__`` the others that programs use (``uses_relative``, ``unwrap``, ``clear_cache``,
``splittype`` and so on), which stay urllib's own objects, as the result classes do.
"""

import urllib.parse
from urllib.parse import (
    DefragResult,
    DefragResultBytes,
    ParseResult,
    ParseResultBytes,
    SplitResult,
    SplitResultBytes,
)

from fasturl._dropin import names_of_urllib, urldefrag, urljoin, urlparse, urlsplit, urlunparse, urlunsplit
from fasturl._installing import install, uninstall
from fasturl._queries import parse_qs, parse_qsl, urlencode
from fasturl._quoting import quote, quote_from_bytes, quote_plus, unquote, unquote_plus, unquote_to_bytes

__all__ = [
    "DefragResult",
    "DefragResultBytes",
    "ParseResult",
    "ParseResultBytes",
    "SplitResult",
    "SplitResultBytes",
    "install",
    "parse_qs",
    "parse_qsl",
    "quote",
    "quote_from_bytes",
    "quote_plus",
    "uninstall",
    "unquote",
    "unquote_plus",
    "unquote_to_bytes",
    "urldefrag",
    "urlencode",
    "urljoin",
    "urlparse",
    "urlsplit",
    "urlunparse",
    "urlunsplit",
]

TYPE_CHECKING = False  # typing's own costs its import; type checkers take any name of this spelling
if TYPE_CHECKING:  # what they know of urllib.parse beyond its __all__
    from urllib.parse import _NetlocResultMixinBase as _NetlocResultMixinBase
    from urllib.parse import _NetlocResultMixinBytes as _NetlocResultMixinBytes
    from urllib.parse import _NetlocResultMixinStr as _NetlocResultMixinStr
    from urllib.parse import _QueryType as _QueryType
    from urllib.parse import _QuoteVia as _QuoteVia
    from urllib.parse import _ResultMixinBytes as _ResultMixinBytes
    from urllib.parse import _ResultMixinStr as _ResultMixinStr
    from urllib.parse import non_hierarchical as non_hierarchical
    from urllib.parse import scheme_chars as scheme_chars
    from urllib.parse import unwrap as unwrap
    from urllib.parse import uses_fragment as uses_fragment
    from urllib.parse import uses_netloc as uses_netloc
    from urllib.parse import uses_params as uses_params
    from urllib.parse import uses_query as uses_query
    from urllib.parse import uses_relative as uses_relative
else:
    __getattr__ = names_of_urllib(__name__)


def public_names() -> list[str]:
    """The names of urllib.parse that are its own to show: none with an underscore, no module.

    >>> "unwrap" in public_names(), "uses_netloc" in public_names()
    (True, True)
    """
    module = type(urllib.parse)
    return [name for name, value in vars(urllib.parse).items() if name[0] != "_" and type(value) is not module]


def __dir__() -> list[str]:
    return sorted({*globals(), *public_names()})
