"""Every name of urllib.parse, with compiled functions. install() makes urllib.parse itself run them.

``from fasturl import _dropin as parse`` replaces ``from urllib import parse``. ``__all__`` has the same names.
``__getattr__`` provides the other names that programs use: ``uses_relative``, ``unwrap``, ``clear_cache``,
``splittype`` and so on. These, and the result classes, are urllib's own objects.
"""

import urllib.parse

from fasturl._installing import install, uninstall
from fasturl._urllib import (
    DefragResult,
    DefragResultBytes,
    ParseResult,
    ParseResultBytes,
    SplitResult,
    SplitResultBytes,
    names_of_urllib,
    parse_qs,
    parse_qsl,
    quote,
    quote_from_bytes,
    quote_plus,
    unquote,
    unquote_plus,
    unquote_to_bytes,
    urldefrag,
    urlencode,
    urljoin,
    urlparse,
    urlsplit,
    urlunparse,
    urlunsplit,
)

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

TYPE_CHECKING = False  # Type checkers accept any name of this spelling, and importing typing is slow.
if TYPE_CHECKING:  # the names beyond __all__ that typeshed declares
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
    """Return the public names that urllib.parse defines. Omit the modules and functions that it imports.

    >>> "unwrap" in public_names(), "uses_netloc" in public_names(), "namedtuple" in public_names()
    (True, True, False)
    """
    here, module = "urllib.parse", type(urllib.parse)
    named = [(name, value) for name, value in vars(urllib.parse).items() if name[0] != "_"]
    return [name for name, value in named if type(value) is not module and getattr(value, "__module__", here) == here]


def __dir__() -> list[str]:
    return sorted({*globals(), *public_names()} - {"TYPE_CHECKING", "names_of_urllib"})
