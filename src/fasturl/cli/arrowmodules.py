"""pyarrow's modules, without its optional companions."""

from __future__ import annotations

import sys
import threading
from importlib import import_module
from typing import Any

_HIDDEN = ("numpy", "pandas", "cloudpickle")
_lock = threading.Lock()
_is_alone = False  # whether pyarrow was imported here


def arrow_module(name: str) -> Any:
    """The module `pyarrow` or one in it, imported if it is not yet.

    pyarrow looks for NumPy and pandas, to take and give their arrays, and for cloudpickle. No command needs any, and
    they take longer to import than pyarrow does: so they are not found while it looks. Whoever imports them later has
    them. Where pyarrow was imported before, by another program around the command, it has found them, and is left as
    it is.

    Raises ModuleNotFoundError where pyarrow is not installed.
    """
    global _is_alone
    with _lock:
        if name in sys.modules:
            return sys.modules[name]
        _is_alone |= "pyarrow" not in sys.modules
        hidden = [each for each in _HIDDEN if _is_alone and each not in sys.modules]
        sys.modules.update(dict.fromkeys(hidden))  # type: ignore[arg-type] # None: it cannot be imported
        try:
            module = import_module(name)
            if name == "pyarrow":
                module.array([None])  # pandas is looked for when the first array is made of objects, and not again
            return module
        finally:
            for each in hidden:
                del sys.modules[each]
