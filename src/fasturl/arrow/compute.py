"""``pyarrow.compute``, imported when one of its functions is asked for: that takes as long as all of ``fasturl``."""

from __future__ import annotations

from typing import Any


def __getattr__(name: str) -> Any:
    if name.startswith("__"):  # what the import system asks of every module
        raise AttributeError(name)
    import pyarrow.compute

    found = globals()[name] = getattr(pyarrow.compute, name)
    return found
