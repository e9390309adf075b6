"""install() and uninstall(): the compiled functions behind urllib.parse's own objects.

urllib.parse keeps its functions, and each gets a code object that calls the compiled one. So whoever has taken one by
name before is reached, too; it pickles, shows its signature and its source, and is what isinstance and mocks expect.
"""

from __future__ import annotations

import warnings
from _thread import allocate_lock
from types import CodeType, FunctionType

from fasturl import _dropin, _queries, _quoting
from fasturl._dropin import exchange, new_trampoline
from fasturl._fastparse import _Counted
from fasturl._originals import COUNTS, FUNCTIONS, NAMES, own_function

TYPE_CHECKING = False  # as typing has it, without the cost of importing typing
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

COMPILED: dict[str, Callable[..., Any]] = {
    name: getattr(module, name)
    for module in (_dropin, _queries, _quoting)
    for name in NAMES
    if hasattr(module, name) and getattr(module, name) is not FUNCTIONS.get(name)
}
_CALLED: dict[str, Callable[..., Any]] = COMPILED | {
    name: compiled for name, compiled in _dropin.PROPERTIES.items() if name in FUNCTIONS
}
if COUNTS:
    _CALLED = {name: _Counted(compiled) for name, compiled in _CALLED.items()}
_lock = allocate_lock()


class _Exchanged:
    """A function, its own code, and the code that calls the compiled function."""

    def __init__(self, name: str, function: FunctionType) -> None:
        self.function = function
        self.own = function.__code__
        self.trampoline = new_trampoline(function, _CALLED[name])

    def is_installed(self) -> bool:
        return self.function.__code__ is self.trampoline

    def installing(self) -> tuple[FunctionType, CodeType]:
        if not self.is_installed():
            self.own = self.function.__code__
        return self.function, self.trampoline


# By id, every function that was ever exchanged: where urllib.parse was reloaded there are two of a name.
_exchanged: dict[int, _Exchanged] = {}


def _functions(name: str) -> list[FunctionType]:
    """urllib's functions of this name: the first there was, and after a reload the one there is."""
    return [one for one in (FUNCTIONS.get(name), own_function(name)) if one is not None]


def install() -> None:
    """Make urllib.parse's functions fasturl's, for code that cannot be changed.

    Takes effect at once and for everyone: for ``urllib.parse.quote``, for what ``from urllib.parse import quote`` took
    before, for partials and tables that hold it. The functions of urllib.parse stay the objects that they are, with
    their signatures, and pickle as before; ``urlsplit`` keeps its cache. So do the properties of urllib's results that
    divide a netloc. All are changed, or, where an error is raised,
    none. Calling it again does nothing, except after ``importlib.reload(urllib.parse)``: then the new functions are
    reached as well. Other threads may call meanwhile.
    Warns: RuntimeWarning for a function that cannot be reached, since something else stands under its name, or since
        this Python's has a parameter that fasturl does not know; it stays as it is.
    Cost: 0.2 ms the first time; a call costs 10 to 65 ns more than one of fasturl's own function.

    >>> from urllib.parse import urlsplit
    >>> install()
    >>> sorted(reached()) == sorted(COMPILED), urlsplit("http://h/a").netloc
    (True, 'h')
    >>> uninstall()
    >>> reached()
    frozenset()
    """
    with _lock:
        missed = sorted(name for name in NAMES if name not in COMPILED or not _functions(name))
        for name in _CALLED:
            for function in _functions(name):
                if id(function) not in _exchanged:
                    _exchanged[id(function)] = _Exchanged(name, function)
        _dropin.take_results()
        exchange([one.installing() for one in _exchanged.values()])
    if missed:
        names = ", ".join(f"urllib.parse.{name}" for name in missed)
        warnings.warn(f"fasturl.install() cannot reach {names}: not the functions it knows", RuntimeWarning, 2)


def uninstall() -> None:
    """Give urllib.parse's functions their own code back; without an install() before, do nothing.

    A function that somebody else has given another code since is left to them.
    """
    with _lock:
        exchange([(one.function, one.own) for one in _exchanged.values() if one.is_installed()])


def reached() -> frozenset[str]:
    """The names in urllib.parse that are fasturl's at the moment: all fifteen under install(), or none.

    >>> reached()
    frozenset()
    """
    known = {name: _exchanged.get(id(own_function(name))) for name in NAMES}
    return frozenset(name for name, one in known.items() if one is not None and one.is_installed())


def called() -> dict[str, int]:
    """How many calls under install() each compiled function had; counted where handed_on() counts.

    >>> all(calls >= 0 for calls in called().values())
    True
    """
    return {name: made.calls for name, made in _CALLED.items() if isinstance(made, _Counted)}
