"""Rules from the Public Suffix List, for ``fasturl.public_suffix``, ``registrable_domain`` and ``subdomain``."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import product
from os import PathLike
from pathlib import Path

from fasturl._extras import pip_install
from fasturl._fastparse import _fork_lock
from fasturl._functions import Suffixes
from fasturl._quoted import quoted, without_secrets

__all__ = ["Suffixes", "installed", "read"]

_BEGIN_PRIVATE = "// ===BEGIN PRIVATE DOMAINS==="
_END_PRIVATE = "// ===END PRIVATE DOMAINS==="
# Not used with `with`: `with` allocates memory to release a lock, so MemoryError would leave the lock taken.
_lock = _fork_lock()
_installed: Suffixes | None = None


def _spellings(label: str) -> tuple[bytes, ...]:
    """Return a label in UTF-8 and, if it is not ASCII, also in punycode."""
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
            raise ValueError(f"{quoted(words[0])} is not a rule of a public suffix list")
        for labels in product(*map(_spellings, name.split("."))):
            yield b".".join(labels), private, below, exception


def read(path: str | PathLike[str]) -> Suffixes:
    """Compile the rules in a file with publicsuffix.org's format.

    Keep the result and pass it as ``rules``, for example to ``fasturl.registrable_domain``.

    Parameters
    ----------
    path : str or os.PathLike
        UTF-8 file with the list.

    Returns
    -------
    Suffixes
        Compiled rules.

    Raises
    ------
    OSError
        If the file cannot be read.
    UnicodeDecodeError
        If the file is not UTF-8.
    ValueError
        If a line is not a rule.

    Notes
    -----
    Cost: O(n), about 40 ms for the whole list.

    Examples
    --------
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
    try:
        with Path(path).open(encoding="utf-8") as lines:
            return Suffixes(_rules(lines))
    except OSError as error:
        number, words = error.errno, error.strerror
    # Raised outside the except clause: the original error would be the __context__, and it holds the unredacted path.
    raise OSError(number, words, without_secrets(str(path)))


def installed() -> Suffixes:
    """Return the rules that the installed package ``publicsuffixlist`` contains. The first call reads them.

    Returns
    -------
    Suffixes
        Compiled rules.

    Raises
    ------
    ModuleNotFoundError
        If the package is missing. ``pip install 'fasturl[domains]'`` installs it.

    Notes
    -----
    Cost: about 40 ms at the first call.
    """
    global _installed
    _lock.acquire()
    try:
        if _installed is None:
            from importlib.util import find_spec

            spec = find_spec("publicsuffixlist")
            if spec is None or not spec.submodule_search_locations:
                why = f"public suffixes need publicsuffixlist: {pip_install('domains')}"
                raise ModuleNotFoundError(why, name="publicsuffixlist")
            _installed = read(Path(spec.submodule_search_locations[0], "public_suffix_list.dat"))
        return _installed
    finally:
        _lock.release()
