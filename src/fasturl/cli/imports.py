"""Imports that take less time: delayed ones, and that of pyarrow without the packages that it looks for."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib import import_module
from importlib.machinery import ModuleSpec, PathFinder
from importlib.util import LazyLoader
from types import ModuleType
from typing import Any

from fasturl._fastparse import _fork_lock

_REMOTE_STORES = ("pyarrow._s3fs", "pyarrow._gcsfs", "pyarrow._azurefs", "pyarrow._hdfs")  # fsspec opens remote inputs
_HIDDEN = ("numpy", "pandas", "cloudpickle", "dateutil", *_REMOTE_STORES)
_lock = _fork_lock()
_imported_here = False  # True if pyarrow was imported by this module


class delayed:
    """Within the block, an import of one of these modules creates it, and the first use of an attribute loads it.

    It is for modules that other packages import and seldom use. A second import loads it too. A module that was
    imported before, or that is not a file, is imported as usual.
    """

    def __init__(self, *names: str) -> None:
        self._names = names

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Return a module's specification, for the import system, which asks this object first."""
        spec = PathFinder.find_spec(name) if name in self._names else None
        if spec is not None and hasattr(spec.loader, "exec_module"):
            assert spec.loader is not None
            spec.loader = LazyLoader(spec.loader)
        return spec

    def __enter__(self) -> None:
        finders: list[Any] = sys.meta_path
        finders.insert(0, self)

    def __exit__(self, *error: object) -> None:
        finders: list[Any] = sys.meta_path
        finders.remove(self)


def arrow_module(name: str) -> Any:
    """Import and return `pyarrow` or a module in it.

    pyarrow imports NumPy, pandas, cloudpickle, dateutil and the libraries of remote stores if they are installed. No
    command needs them, and they take longer to import than pyarrow. They are hidden during the import only. If another
    program has imported pyarrow before, nothing is hidden.

    Raise ModuleNotFoundError if pyarrow is not installed.
    """
    global _imported_here
    with _lock:
        if name in sys.modules:
            return sys.modules[name]
        _imported_here |= "pyarrow" not in sys.modules
        hidden = [each for each in _HIDDEN if _imported_here and each not in sys.modules]
        sys.modules.update(dict.fromkeys(hidden))  # type: ignore[arg-type] # None hides a module
        try:
            with delayed("socket"):
                module = import_module(name)
            if name == "pyarrow":
                module.array([None])  # the first array of objects looks for pandas, later ones do not
            return module
        finally:
            for each in hidden:
                del sys.modules[each]
