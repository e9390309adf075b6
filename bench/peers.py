"""The peers, one entry each: where it is, how its caches are emptied, and how its answer is read.

A class says what a peer does with a URL, so that times are compared for what they are:

split      cuts the text and keeps it as written
validate   cuts it and refuses what its rules refuse
normalise  rewrites the text too (case, dot segments, escapes, default port), by the WHATWG rules or its own
quote      escapes or unescapes, by its own sets of characters
floor      no parsing at all: what it costs to build a like result, or only to pass over the text
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
    note: str = ""

    def version(self) -> str:
        if self.distribution is None:
            return platform.python_version()
        try:
            return version(self.distribution)
        except PackageNotFoundError:
            found = getattr(import_module(self.distribution.replace("-", "_")), "__version__", "?")
            return str(found)

    def clear(self) -> None:
        """Empty every cache that the peer keeps between calls (those that this version of it has)."""
        for spec in self.caches:
            try:
                load(spec)()
            except (ImportError, AttributeError):
                continue


PEERS = {
    peer.name: peer
    for peer in (
        Peer(
            "urllib",
            None,
            ("urllib.parse:clear_cache",),
            "urllib.parse of the running interpreter; its caches are emptied before each pass",
        ),
        Peer("fasturl", "fasturl", note="keeps no cache"),
        Peer("can_ada", "can_ada", note="Ada (C++) behind pybind11"),
        Peer("ada_url", "ada-url", note="Ada (C++) behind cffi"),
        Peer(
            "yarl",
            "yarl",
            ("yarl:cache_clear", "yarl._url:encode_url.cache_clear", "yarl._parse:make_netloc.cache_clear"),
            "quoters, split_url and query_to_pairs are private names; its caches are emptied as well",
        ),
        Peer("httptools", "httptools", note="takes bytes; reads request targets too"),
        Peer("liburlparser", "liburlparser", note="C++; reads hosts by its own list of suffixes"),
        Peer("crup", "crup", note="Rust's url crate (WHATWG)"),
        Peer("pyurlc", "pyurlc", note="C; its quote and unquote are meant to stand in for urllib's"),
        Peer("w3lib", "w3lib", note="only where its quoting fits"),
        Peer("floor", None, note="built-in operations, no parsing"),
    )
}


def load(spec: str) -> Any:
    """The object that ``module:attribute.path`` names."""
    module, _, path = spec.partition(":")
    found = import_module(module)
    for name in path.split(".") if path else ():
        found = getattr(found, name)
    return found
