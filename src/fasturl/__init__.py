"""A faster urllib.parse for Python that explains bad URLs and reads access logs.

Three ways in:

- ``import fasturl as parse`` replaces ``from urllib import parse``. It has every function of urllib.parse, compiled.
- ``parse``, ``parse_many`` and, for columns, ``fasturl.arrow.parse`` accept any str or bytes. No content raises, no
  byte is lost, and every problem has a reason and a range.
- ``decompose`` and ``fasturl.schemes`` return the components of a URL by its scheme.
"""

from fasturl import _dropin, _fastparse, _functions, _productions
from fasturl._dropin import *  # noqa: F403 - the names of urllib.parse.__all__, and install, uninstall
from fasturl._fastparse import URL, parse, parse_many, problems
from fasturl._findings import Finding, Problem
from fasturl._functions import *  # noqa: F403 - the functions of one URL
from fasturl._functions import FoundURL, HostList, equivalent, find_urls, normalize, wrap_url
from fasturl._urllib import (
    names_of_urllib,
    query_value,
    quote_many,
    redact,
    unquote_many,
    unquote_safe,
)
from fasturl._version import __version__ as __version__
from fasturl.errors import FasturlError, InvalidURL, UnbuildableURL, UnsafeURL

TYPE_CHECKING = False  # Type checkers accept any name of this spelling, and importing typing is slow.
if TYPE_CHECKING:
    from fasturl import arrow as arrow
    from fasturl import domains as domains
    from fasturl import engines as engines
    from fasturl import rfc1738 as rfc1738
    from fasturl import schemes as schemes
    from fasturl._dropin import _NetlocResultMixinBase as _NetlocResultMixinBase
    from fasturl._dropin import _NetlocResultMixinBytes as _NetlocResultMixinBytes
    from fasturl._dropin import _NetlocResultMixinStr as _NetlocResultMixinStr
    from fasturl._dropin import _QueryType as _QueryType
    from fasturl._dropin import _QuoteVia as _QuoteVia
    from fasturl._dropin import _ResultMixinBytes as _ResultMixinBytes
    from fasturl._dropin import _ResultMixinStr as _ResultMixinStr
    from fasturl._dropin import non_hierarchical as non_hierarchical
    from fasturl._dropin import scheme_chars as scheme_chars
    from fasturl._dropin import unwrap as unwrap
    from fasturl._dropin import uses_fragment as uses_fragment
    from fasturl._dropin import uses_netloc as uses_netloc
    from fasturl._dropin import uses_params as uses_params
    from fasturl._dropin import uses_query as uses_query
    from fasturl._dropin import uses_relative as uses_relative
    from fasturl._edits import is_local_redirect, keep_params, set_params
    from fasturl._readings import Reading, readings
    from fasturl._secrets import SECRET_KEYS
    from fasturl._uris import resolve
    from fasturl.schemes import decompose

__all__ = [
    "SECRET_KEYS",
    "URL",
    "FasturlError",
    "FoundURL",
    "Finding",
    "HostList",
    "InvalidURL",
    "Problem",
    "Reading",
    "UnbuildableURL",
    "UnsafeURL",
    "decompose",
    "equivalent",
    "find_urls",
    "is_local_redirect",
    "keep_params",
    "normalize",
    "parse",
    "parse_many",
    "problems",
    "query_value",
    "quote_many",
    "readings",
    "redact",
    "resolve",
    "set_params",
    "unquote_many",
    "unquote_safe",
    "wrap_url",
    *_functions.__all__,
    *_dropin.__all__,
]

if "https" not in _fastparse.schemes():  # False after a reload, and after an import that failed later
    _fastparse.register_scheme("https", "http", _fastparse.registered_port("https"))
    for _name, _table in _productions.TABLES.items():
        _fastparse.register_scheme(_name, "custom", _fastparse.registered_port(_name), _table)

# Imported lazily: these modules are expensive, and many programs never use them.
_ON_FIRST_USE = {"SECRET_KEYS": "fasturl._secrets", "decompose": "fasturl.schemes", "resolve": "fasturl._uris"}
_ON_FIRST_USE |= dict.fromkeys(("Reading", "readings"), "fasturl._readings")
_ON_FIRST_USE |= dict.fromkeys(("is_local_redirect", "keep_params", "set_params"), "fasturl._edits")
_ON_FIRST_USE |= dict.fromkeys(("arrow", "domains", "engines", "logs", "rfc1738", "schemes"), "fasturl")

if not TYPE_CHECKING:  # A type checker that saw __getattr__ would accept misspelt names.
    _name_of_urllib = names_of_urllib(__name__)

    def __getattr__(name: str) -> object:
        home = _ON_FIRST_USE.get(name)
        if home is None:
            return _name_of_urllib(name)
        from fasturl._extras import load

        module = load(__name__, name, f"fasturl.{name}" if home == "fasturl" else home)
        value: object = module if home == "fasturl" else getattr(module, name)
        globals()[name] = value
        return value


def _show_imports_of_extensions() -> None:
    """Import the modules that only extensions import. Never called: PyInstaller and similar tools read it."""
    import unicodedata  # noqa: F401

    from fasturl import _canonical, _edits, _terms  # noqa: F401


def __dir__() -> list[str]:
    from fasturl._extras import is_installed

    names = {
        name for name in (*globals(), *_ON_FIRST_USE, *_dropin.public_names()) if name[0] != "_" or name[:2] == "__"
    }
    names -= {"TYPE_CHECKING", "names_of_urllib"}
    return sorted(names if is_installed("pyarrow") else names - {"arrow"})
