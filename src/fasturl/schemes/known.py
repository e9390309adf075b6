"""What is known of every scheme: the tables that registration fills, and what the classes ask of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple, cast

from fasturl.errors import UnbuildableURL

if TYPE_CHECKING:
    from fasturl.schemes.base import SchemeParts
    from fasturl.schemes.productions import Recogniser


class Registered(NamedTuple):
    """A scheme as it is known: its name, what its part looks like, its own port, its URLs' class."""

    name: str
    shape: str
    default_port: int | None
    dataclass: type[SchemeParts]


schemes: dict[str, Registered] = {}
recognisers: dict[str, Recogniser] = {}
# What decompose asks, by scheme: the reader of a schemepart.
readers: dict[str, Callable[[str], SchemeParts]] = {}
# The class of a scheme that has none of its own: Generic, which the registry puts here when it starts.
fallback = cast("type[SchemeParts]", None)


def check_productions(scheme: str, part: str) -> str:
    """A part that was built; UnbuildableURL where the scheme's own productions do not derive it."""
    recogniser = recognisers.get(scheme)
    if recogniser is not None:
        stop = recogniser.stop(part.encode("utf-8", "surrogatepass"))
        if stop is not None:
            raise UnbuildableURL("not as the scheme's productions have it", "schemepart", stop, "4")
    return part


def dataclass_of(scheme: str) -> type[SchemeParts]:
    """The class of a scheme's URLs; Generic for one that has none."""
    known = schemes.get(scheme)
    return fallback if known is None else known.dataclass


def is_own(scheme: str) -> bool:
    """Whether URLs of this scheme have a class of their own, so are none of Generic's."""
    return dataclass_of(scheme) is not fallback


def default_port_of(scheme: str) -> int | None:
    """The scheme's own port, None where it has none or is not known.

    >>> default_port_of("gopher"), default_port_of("x-unknown")
    (70, None)
    """
    known = schemes.get(scheme)
    return None if known is None else known.default_port
