"""``pyarrow.compute``, imported lazily, because the import takes as long as importing ``fasturl``."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any

# The command line replaces it by an import without the optional packages that pyarrow looks for.
import_arrow: Callable[[str], Any] = import_module


def __getattr__(name: str) -> Any:
    if name.startswith("__"):  # The import system looks up such names in every module.
        raise AttributeError(name)
    found = globals()[name] = getattr(import_arrow("pyarrow.compute"), name)
    return found
