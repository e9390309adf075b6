"""install() and uninstall() put compiled code behind urllib.parse's own function objects.

urllib.parse keeps its functions, and each gets a code object that calls the compiled function. So code that imported a
function earlier is reached too. The function objects pickle, show their signatures and their source, and satisfy
isinstance and mocks.
"""

from __future__ import annotations

import warnings
from types import FunctionType

from fasturl import _urllib
from fasturl._fastparse import _Counted, _fork_lock
from fasturl._originals import CODES, COMPILED, COUNTS, FUNCTIONS, NAMES, own_function
from fasturl._urllib import exchange, new_trampoline

TYPE_CHECKING = False  # Type checkers accept any name of this spelling, and importing typing is slow.
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

_CALLED: dict[str, Callable[..., Any]] = COMPILED | _urllib.PROPERTIES
if COUNTS:
    _CALLED = {name: _Counted(compiled) for name, compiled in _CALLED.items()}
# Not used with `with`: `with` allocates memory to release a lock, so MemoryError would leave the lock taken.
_lock = _fork_lock()


class _Exchanged:
    """A function with its own code, and with the code that calls the compiled function."""

    def __init__(self, name: str, function: FunctionType) -> None:
        self.function = function
        self.own = CODES[name] if function is FUNCTIONS.get(name) else function.__code__
        self.trampoline = new_trampoline(FunctionType(self.own, {}), _CALLED[name])

    def is_installed(self) -> bool:
        return self.function.__code__ is self.trampoline

    def is_taken(self) -> bool:
        """Return True if other software has replaced the code of the function."""
        return self.function.__code__ is not self.own and not self.is_installed()


# Every function that was ever exchanged, by id. After a reload of urllib.parse, two functions share a name.
_exchanged: dict[int, _Exchanged] = {}


def _functions(name: str) -> list[FunctionType]:
    """Return urllib's functions of this name: the first one, and after a reload also the current one."""
    return [one for one in (FUNCTIONS.get(name), own_function(name)) if one is not None]


def install() -> None:
    """Make urllib.parse's functions run fasturl's code, when you cannot change the program that calls them.

    The change works at once for all code. For example, it reaches ``urllib.parse.quote``, a ``quote`` that a
    module imported earlier, and partials that hold the function. The functions remain the same objects with the same
    signatures, so that you can pickle them as before. ``urlsplit`` keeps its cache. The properties of urllib's results
    that split a netloc change too.

    A second call does nothing, unless you called ``importlib.reload(urllib.parse)`` before. Then the new functions
    change too.

    Warns
    -----
    RuntimeWarning
        When a function cannot change and stays as it is. For example, other software has replaced the function or its
        code, or your Python's function has a parameter that fasturl does not know.

    See Also
    --------
    uninstall : Undo the change.

    Notes
    -----
    Cost: 0.2 ms at the first call. Each call through urllib costs about 100 ns more than a direct call. If an error is
    raised, no function changes. Other threads can call the functions meanwhile.

    Examples
    --------
    >>> from urllib.parse import urlsplit
    >>> install()
    >>> sorted(reached()) == sorted(COMPILED), urlsplit("http://h/a").netloc
    (True, 'h')
    >>> uninstall()
    >>> reached()
    frozenset()
    """
    _lock.acquire()
    try:
        missed = {name for name in NAMES if name not in COMPILED or not _functions(name)}
        for name in _CALLED:
            for function in _functions(name):
                if id(function) not in _exchanged:
                    _exchanged[id(function)] = _Exchanged(name, function)
                if name in NAMES and _exchanged[id(function)].is_taken():
                    missed.add(name)
    finally:
        _lock.release()
    if missed:  # Warn before any code is changed: a filter may turn the warning into an exception.
        names = ", ".join(f"urllib.parse.{name}" for name in sorted(missed))
        warnings.warn(f"fasturl.install() cannot reach {names}: not the functions it knows", RuntimeWarning, 2)
    _lock.acquire()
    try:
        exchange([(one.function, one.trampoline) for one in _exchanged.values() if not one.is_taken()], renews=True)
    finally:
        _lock.release()


def uninstall() -> None:
    """Give urllib.parse's functions back the code that they had before ``install``.

    Without an earlier ``install``, nothing happens. When other software has replaced a function's code meanwhile, the
    function keeps that code.

    See Also
    --------
    install : Make urllib.parse's functions run fasturl's code.

    Examples
    --------
    >>> install()
    >>> uninstall()
    >>> reached()
    frozenset()
    """
    _lock.acquire()
    try:
        exchange([(one.function, one.own) for one in _exchanged.values() if one.is_installed()])
    finally:
        _lock.release()


def reached() -> frozenset[str]:
    """Return the names in urllib.parse that run fasturl's code now: all fifteen under install(), otherwise none.

    >>> reached()
    frozenset()
    """
    known = {name: _exchanged.get(id(own_function(name))) for name in NAMES}
    return frozenset(name for name, one in known.items() if one is not None and one.is_installed())


def called() -> dict[str, int]:
    """Return the number of calls per compiled function under install(). Counted in the builds where handed_on() counts.

    >>> all(calls >= 0 for calls in called().values())
    True
    """
    return {name: counted.calls for name, counted in _CALLED.items() if isinstance(counted, _Counted)}
