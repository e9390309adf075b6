"""The peers: the distribution of each, and how its caches are emptied.

A class says what a peer does with a URL, so that only times for the same work are compared:

split      splits the text and keeps it as written
validate   splits it and rejects what its rules reject
normalise  also rewrites the text (case, dot segments, escapes, default port), by the WHATWG rules or its own
quote      escapes or unescapes, by its own sets of characters
"""

import platform
from dataclasses import dataclass
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from typing import Any


@dataclass(frozen=True)
class Peer:
    """A library beside fasturl: its distribution's name, and the caches to empty before each timed pass."""

    name: str
    distribution: str | None
    caches: tuple[str, ...] = ()

    def version(self) -> str:
        if self.distribution is None:
            return platform.python_version()
        try:
            return version(self.distribution)
        except PackageNotFoundError:
            found = getattr(import_module(self.distribution.replace("-", "_")), "__version__", "?")
            return str(found)

    def clear(self) -> None:
        """Empty the caches that this version of the peer keeps between calls."""
        for spec in self.caches:
            try:
                load(spec)()
            except (ImportError, AttributeError):
                continue


_CACHES_OF_YARL = ("yarl:cache_clear", "yarl._url:encode_url.cache_clear", "yarl._parse:make_netloc.cache_clear")
PEERS = {
    peer.name: peer
    for peer in (
        Peer("urllib", None, ("urllib.parse:clear_cache",)),
        Peer("fasturl", "fasturl", ("fasturl:urlsplit.cache_clear",)),
        Peer("can_ada", "can_ada"),  # Ada (C++) behind pybind11
        Peer("ada_url", "ada-url"),  # Ada (C++) behind cffi
        Peer("yarl", "yarl", _CACHES_OF_YARL),  # quoters, split_url and query_to_pairs are private names
        Peer("httptools", "httptools"),  # takes bytes; parses request targets too
        Peer("liburlparser", "liburlparser"),  # C++; has its own list of suffixes
        Peer("crup", "crup"),  # Rust's url crate (WHATWG)
        Peer("pyurlc", "pyurlc"),  # C; meant to replace urllib's quote and unquote
        Peer("w3lib", "w3lib"),  # only where its quoting fits
    )
}


def load(spec: str) -> Any:
    """Return the object that ``module:attribute.path`` names."""
    module, _, path = spec.partition(":")
    found = import_module(module)
    for name in path.split(".") if path else ():
        found = getattr(found, name)
    return found


_QUOTERS: dict[str, dict[str, Any]] = {
    "quoter": {"safe": "/", "requote": False},  # the quoter closest to urllib's quote; it also keeps !$'()*,
    # For a whole URL: it keeps reserved characters and escapes.
    "url_quoter": {"safe": "/?:@#[]", "protected": "/?:@#[]+=&;", "requote": True},
}


def __getattr__(name: str) -> Any:
    """Return a compiled quoter of yarl, whose classes are private."""
    if name != "unquoter" and name not in _QUOTERS:  # an import asks for __path__, also where yarl is not installed
        raise AttributeError(name)
    from yarl._quoting import _Quoter, _Unquoter  # type: ignore[import-not-found, import-untyped, unused-ignore]

    return _Unquoter() if name == "unquoter" else _Quoter(**_QUOTERS[name])
