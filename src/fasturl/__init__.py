"""A faster urllib.parse for Python that explains bad URLs and reads access logs.

Three ways in:

- ``import fasturl as parse`` replaces ``from urllib import parse``. It has every function of urllib.parse, compiled.
- ``parse``, ``parse_many`` and, for columns, ``fasturl.arrow.parse`` accept any str or bytes. No content raises, no
  byte is lost, and every problem has a reason and a range.
- ``decompose`` and ``fasturl.schemes`` return the components of a URL by its scheme.
"""

from fasturl import _fastparse, _functions, _originals, _productions, _urllib
from fasturl._fastparse import URL, parse, parse_many, problems
from fasturl._findings import Finding, Problem
from fasturl._functions import *  # noqa: F403 - the functions of one URL
from fasturl._functions import FoundURL, HostList, equivalent, find_urls, normalize, wrap_url
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
    query_value,
    quote,
    quote_from_bytes,
    quote_many,
    quote_plus,
    redact,
    unquote,
    unquote_many,
    unquote_plus,
    unquote_safe,
    unquote_to_bytes,
    urldefrag,
    urlencode,
    urljoin,
    urlparse,
    urlsplit,
    urlunparse,
    urlunsplit,
)
from fasturl._version import __version__ as __version__
from fasturl.errors import FasturlError, InvalidURL, UnbuildableURL, UnsafeURL

TYPE_CHECKING = False  # Type checkers accept any name of this spelling, and importing typing is slow.
if TYPE_CHECKING:
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

    from fasturl import arrow as arrow
    from fasturl import domains as domains
    from fasturl import engines as engines
    from fasturl import rfc1738 as rfc1738
    from fasturl import schemes as schemes
    from fasturl._edits import is_local_redirect, keep_params, set_params
    from fasturl._readings import Reading, readings
    from fasturl._uris import resolve
    from fasturl.schemes import decompose

__all__ = [
    "SECRET_KEYS",
    "URL",
    "DefragResult",
    "DefragResultBytes",
    "FasturlError",
    "Finding",
    "FoundURL",
    "HostList",
    "InvalidURL",
    "ParseResult",
    "ParseResultBytes",
    "Problem",
    "Reading",
    "SplitResult",
    "SplitResultBytes",
    "UnbuildableURL",
    "UnsafeURL",
    "decompose",
    "equivalent",
    "find_urls",
    "install",
    "is_local_redirect",
    "keep_params",
    "normalize",
    "parse",
    "parse_many",
    "parse_qs",
    "parse_qsl",
    "problems",
    "query_value",
    "quote",
    "quote_from_bytes",
    "quote_many",
    "quote_plus",
    "readings",
    "redact",
    "resolve",
    "set_params",
    "uninstall",
    "unquote",
    "unquote_many",
    "unquote_plus",
    "unquote_safe",
    "unquote_to_bytes",
    "urldefrag",
    "urlencode",
    "urljoin",
    "urlparse",
    "urlsplit",
    "urlunparse",
    "urlunsplit",
    "wrap_url",
    *_functions.__all__,
]

# The names in which well-known programs send secrets. The kernel holds them: src/kernel/escapes/secrets.h.
SECRET_KEYS: tuple[str, ...] = _urllib.SECRET_KEYS
"""The keys that ``fasturl.redact`` uses by default. A key ``*token`` matches every name that ends in ``token``."""

if "https" not in _fastparse.schemes():  # False after a reload, and after an import that failed later
    _fastparse.register_scheme("https", "http", _fastparse.registered_port("https"))
    for _name, _table in _productions.TABLES.items():
        _fastparse.register_scheme(_name, "custom", _fastparse.registered_port(_name), _table)

# Imported lazily: these modules are expensive, and many programs never use them.
_ON_FIRST_USE = {"decompose": "fasturl.schemes", "resolve": "fasturl._uris"}
_ON_FIRST_USE |= dict.fromkeys(("Reading", "readings"), "fasturl._readings")
_ON_FIRST_USE |= dict.fromkeys(("is_local_redirect", "keep_params", "set_params"), "fasturl._edits")
_ON_FIRST_USE |= dict.fromkeys(("arrow", "domains", "engines", "logs", "rfc1738", "schemes"), "fasturl")


def _take(name: str) -> object:
    from fasturl._extras import load

    home = _ON_FIRST_USE[name]
    module = load(__name__, name, f"fasturl.{name}" if home == "fasturl" else home)
    value: object = module if home == "fasturl" else getattr(module, name)
    globals()[name] = value
    return value


if not TYPE_CHECKING:  # A type checker that saw __getattr__ would accept misspelt names.
    __getattr__ = names_of_urllib(__name__, _ON_FIRST_USE, _take)


def _show_imports_of_extensions() -> None:
    """Import the modules that only extensions import. Never called: PyInstaller and similar tools read it."""
    import unicodedata  # noqa: F401

    from fasturl import _canonical, _edits, _terms  # noqa: F401


def __dir__() -> list[str]:
    from fasturl._extras import is_installed

    names = {*globals(), *_ON_FIRST_USE, *_originals.public_names()}
    names = {name for name in names if name[0] != "_" or name[:2] == "__"}
    names -= {"TYPE_CHECKING", "names_of_urllib"}
    return sorted(names if is_installed("pyarrow") else names - {"arrow"})
