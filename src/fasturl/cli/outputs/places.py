"""Which file an output names, so that no output takes the place of an input or of an open stream."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable

from fasturl.cli.failure import Failure
from fasturl.logs.inputs.source import Source, identity
from fasturl.logs.shown import visible

_DESCRIPTOR = re.compile(r"/(?:dev|proc/(?:self|thread-self|[0-9]+))/fd/([0-9]{1,9})")
_STREAMS = {"/dev/stdout": 1, "/dev/stderr": 2}
_LINKS_AT_MOST = 40


def descriptor_of(path: str | None) -> int | None:
    """The open descriptor that a path names: by `-` or nothing, as /dev/stderr or /dev/fd/3, by a link to one of
    these, or because standard output or standard error is that file.

    A file that takes the path's name would not be the one that is open.
    """
    if path is None or path == "-":
        return 1
    named = _by_name(path)
    if named is not None:
        return named
    wanted = _identity_of(path)
    if wanted is None:
        return None
    return next((number for number in (1, 2) if _identity_of(number) == wanted), None)


def _by_name(path: str) -> int | None:
    for _ in range(_LINKS_AT_MOST):
        path = os.path.normpath(path)
        if path in _STREAMS:
            return _STREAMS[path]
        found = _DESCRIPTOR.fullmatch(path)
        if found:
            return int(found[1])
        try:
            path = os.path.join(os.path.dirname(path), os.readlink(path))
        except (OSError, ValueError):
            return None
    return None


def _identity_of(place: str | int) -> tuple[int, int] | None:
    try:
        return identity(os.stat(place))
    except (OSError, ValueError):
        return None


def _place(path: str | None) -> str | int:
    number = descriptor_of(path)
    return str(path) if number is None else number


def refuse_inputs(sources: Iterable[Source], outputs: Iterable[str | None] = (None,)) -> None:
    """Failure when one of the outputs is an input, whatever links lead to it: it would be cut or replaced, or would
    grow while it is read. None and `-` are standard output.
    """
    inputs = {source.identity: source.name for source in sources if source.identity is not None}
    for path in outputs:
        known = _identity_of(_place(path))
        name = inputs.get(known) if known is not None else None
        if name is not None:
            shown = "standard output" if path in (None, "-") else visible(str(path))
            raise Failure(f"{shown} is an input too ({visible(name)}): name another file for the output")


def same_place(path: str | None, other: str | None) -> bool:
    """Whether two outputs are one: the same open descriptor, or the same file, which may not be there yet."""
    one, two = _place(path), _place(other)
    if isinstance(one, int) or isinstance(two, int):
        return one == two
    known = _identity_of(one)
    return os.path.realpath(one) == os.path.realpath(two) or (known is not None and known == _identity_of(two))
