"""The tables of known schemes, which registration fills, and look-ups in them."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple, cast

from fasturl.errors import UnbuildableURL

if TYPE_CHECKING:
    from fasturl._fastparse import Productions
    from fasturl.schemes.base import SchemeParts


class Registered(NamedTuple):
    """A registered scheme: its name, the shape of its schemepart, its default port, the dataclass of its URLs."""

    name: str
    shape: str
    default_port: int | None
    dataclass: type[SchemeParts]


schemes: dict[str, Registered] = {}
productions: dict[str, Productions] = {}
# The functions that read a schemepart, by scheme. decompose calls them.
readers: dict[str, Callable[[str], SchemeParts]] = {}
# The class for schemes without a class of their own: Generic. registry.start() sets it.
fallback = cast("type[SchemeParts]", None)


def check_productions(scheme: str, part: str) -> str:
    """Return a built schemepart, or raise UnbuildableURL if the scheme's own productions do not derive it."""
    own = productions.get(scheme)
    if own is not None:
        stop = own.stop(part.encode("utf-8", "surrogatepass"))
        if stop is not None:
            raise UnbuildableURL("not as the scheme's productions have it", "schemepart", stop, "4")
    return part


def dataclass_of(scheme: str) -> type[SchemeParts]:
    """Return the class of a scheme's URLs. It is Generic for a scheme without its own class."""
    known = schemes.get(scheme)
    return fallback if known is None else known.dataclass


def is_known(scheme: str) -> bool:
    """Return True for a built-in or registered scheme.

    >>> is_known("gopher"), is_known("x-unknown")
    (True, False)
    """
    return scheme in schemes


def is_own(scheme: str) -> bool:
    """Return True if URLs of this scheme have their own class, so Generic must not build them."""
    return dataclass_of(scheme) is not fallback


def default_port_of(scheme: str) -> int | None:
    """Return the default port of a scheme, or None if the scheme has none or is unknown.

    >>> default_port_of("gopher"), default_port_of("x-unknown")
    (70, None)
    """
    known = schemes.get(scheme)
    return None if known is None else known.default_port
