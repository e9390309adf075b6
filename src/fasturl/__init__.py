"""Read URLs: faster than urllib.parse, and exactly as RFC 1738 has them.

Three ways in:

- ``import fasturl as parse`` where ``from urllib import parse`` stood: every function of urllib.parse, compiled;
- :func:`parse`, :func:`parse_many` and, for columns, ``fasturl.arrow.parse``: any text or octets, nothing raised,
  nothing lost, and a reason with its place for whatever is wrong;
- :func:`decompose` and ``fasturl.schemes``: what a URL means, scheme by scheme.
"""

from fasturl import _parts, dropin
from fasturl._context import Extracted, equivalent, extract, normalize, wrap
from fasturl._dropin import names_of_urllib
from fasturl._escapes import classify, classify_bytes, escape, escape_login, unescape, unquote_safe
from fasturl._fastparse import URL, parse, parse_many, register_scheme
from fasturl._parts import *  # noqa: F403 - the functions from a URL to a part, a text or a list
from fasturl._problems import problems
from fasturl._queries import query_value, redact
from fasturl._quoting import quote_many, unquote_many
from fasturl._version import __version__ as __version__
from fasturl.chars import CharClass
from fasturl.dropin import *  # noqa: F403 - the names of urllib.parse.__all__, and install, uninstall
from fasturl.errors import InvalidURL, UnbuildableURL, UnsafeURL
from fasturl.findings import Finding, Problem

TYPE_CHECKING = False  # typing's own costs its import; type checkers take any name of this spelling
if TYPE_CHECKING:
    from fasturl import arrow as arrow
    from fasturl import domains as domains
    from fasturl import engines as engines
    from fasturl import schemes as schemes
    from fasturl.dropin import _NetlocResultMixinBase as _NetlocResultMixinBase
    from fasturl.dropin import _NetlocResultMixinBytes as _NetlocResultMixinBytes
    from fasturl.dropin import _NetlocResultMixinStr as _NetlocResultMixinStr
    from fasturl.dropin import _QueryType as _QueryType
    from fasturl.dropin import _QuoteVia as _QuoteVia
    from fasturl.dropin import _ResultMixinBytes as _ResultMixinBytes
    from fasturl.dropin import _ResultMixinStr as _ResultMixinStr
    from fasturl.dropin import non_hierarchical as non_hierarchical
    from fasturl.dropin import scheme_chars as scheme_chars
    from fasturl.dropin import unwrap as unwrap
    from fasturl.dropin import uses_fragment as uses_fragment
    from fasturl.dropin import uses_netloc as uses_netloc
    from fasturl.dropin import uses_params as uses_params
    from fasturl.dropin import uses_query as uses_query
    from fasturl.dropin import uses_relative as uses_relative
    from fasturl.schemes import decompose
    from fasturl.secrets import SECRET_KEYS

__all__ = [
    "SECRET_KEYS",
    "URL",
    "CharClass",
    "Extracted",
    "Finding",
    "InvalidURL",
    "Problem",
    "UnbuildableURL",
    "UnsafeURL",
    "classify",
    "classify_bytes",
    "decompose",
    "equivalent",
    "escape",
    "escape_login",
    "extract",
    "normalize",
    "parse",
    "parse_many",
    "problems",
    "query_value",
    "quote_many",
    "redact",
    "unescape",
    "unquote_many",
    "unquote_safe",
    "wrap",
    *_parts.__all__,
    *dropin.__all__,
]

register_scheme("https", "http", 443)

# What costs more to import than a run that does not use it should pay.
_ON_FIRST_USE = {"decompose": "fasturl.schemes", "SECRET_KEYS": "fasturl.secrets"}
_ON_FIRST_USE |= dict.fromkeys(("arrow", "domains", "engines", "schemes"), "fasturl")

if not TYPE_CHECKING:  # to which a misspelt name would be one that is found here
    _name_of_urllib = names_of_urllib(__name__)

    def __getattr__(name: str) -> object:
        home = _ON_FIRST_USE.get(name)
        if home is None:
            return _name_of_urllib(name)
        from importlib import import_module

        value: object = import_module(f"fasturl.{name}") if home == "fasturl" else getattr(import_module(home), name)
        globals()[name] = value
        return value


def __dir__() -> list[str]:
    return sorted({*globals(), *_ON_FIRST_USE, *dropin.public_names()})
