"""``pyarrow.compute``, imported lazily: its import takes as long as that of all of ``fasturl``."""

from __future__ import annotations

from typing import Any


def __getattr__(name: str) -> Any:
    if name.startswith("__"):  # The import system looks up such names in every module.
        raise AttributeError(name)
    import pyarrow.compute

    found = globals()[name] = getattr(pyarrow.compute, name)
    return found
