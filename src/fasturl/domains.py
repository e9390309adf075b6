"""The rules of the Public Suffix List, for :func:`fasturl.public_suffix` and its kin."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import product
from os import PathLike
from pathlib import Path
from threading import Lock

from fasturl._parts import Suffixes

__all__ = ["Suffixes", "installed", "read"]

_BEGIN_PRIVATE = "// ===BEGIN PRIVATE DOMAINS==="
_END_PRIVATE = "// ===END PRIVATE DOMAINS==="
_lock = Lock()
_installed: Suffixes | None = None


def _spellings(label: str) -> tuple[bytes, ...]:
    """A label in UTF-8 and, when it is not ASCII, in punycode."""
    return (label.encode(),) if label.isascii() else (label.encode(), b"xn--" + label.encode("punycode"))


def _rules(lines: Iterable[str]) -> Iterator[tuple[bytes, bool, bool, bool]]:
    private = False
    for line in lines:
        words = line.split(None, 1)
        if line.startswith("//") or not words:
            private = (private or line.startswith(_BEGIN_PRIVATE)) and not line.startswith(_END_PRIVATE)
            continue
        name = words[0].lower()
        exception, below = name.startswith("!"), name.startswith("*.")
        name = name.removeprefix("!").removeprefix("*.").strip(".")
        if "*" in name or not all(name.split(".")):
            raise ValueError(f"{words[0]!r} is no rule of a public suffix list")
        for labels in product(*map(_spellings, name.split("."))):
            yield b".".join(labels), private, below, exception


def read(path: str | PathLike[str]) -> Suffixes:
    """The rules of a file in the format of publicsuffix.org, in UTF-8, compiled.

    Raises: OSError, UnicodeDecodeError, and ValueError for a line that is no rule. Cost: O(n), some 40 ms for the whole
    list; keep the result.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = Path(folder, "rules.dat")
    ...     _ = file.write_text("com\\n*.example\\n!city.example\\n", encoding="utf-8")
    ...     rules = read(file)
    >>> import fasturl
    >>> hosts = ["b.example", "a.b.example", "x.city.example"]
    >>> [fasturl.registrable_domain(f"http://{host}/", rules=rules) for host in hosts]
    [None, 'a.b.example', 'city.example']
    """
    with Path(path).open(encoding="utf-8") as lines:
        return Suffixes(_rules(lines))


def installed() -> Suffixes:
    """The rules that the installed package ``publicsuffixlist`` brings, read at the first call.

    Raises: ModuleNotFoundError without it: ``pip install fasturl[domains]``.
    """
    global _installed
    with _lock:
        if _installed is None:
            from importlib.util import find_spec

            spec = find_spec("publicsuffixlist")
            if spec is None or not spec.submodule_search_locations:
                why = "public suffixes need the package publicsuffixlist: pip install 'fasturl[domains]'"
                raise ModuleNotFoundError(why, name="publicsuffixlist")
            _installed = read(Path(spec.submodule_search_locations[0], "public_suffix_list.dat"))
        return _installed
