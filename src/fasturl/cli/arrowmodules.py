"""Import pyarrow without the optional packages that it looks for."""

from __future__ import annotations

import sys
from importlib import import_module
from typing import Any

from fasturl._fastparse import _fork_lock
from fasturl.cli.delayed import delayed

_REMOTE_STORES = ("pyarrow._s3fs", "pyarrow._gcsfs", "pyarrow._azurefs", "pyarrow._hdfs")  # fsspec opens remote inputs
_HIDDEN = ("numpy", "pandas", "cloudpickle", "dateutil", *_REMOTE_STORES)
_lock = _fork_lock()
_imported_here = False  # True if pyarrow was imported by this module


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
