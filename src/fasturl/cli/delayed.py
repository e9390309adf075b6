"""Delay imports of modules that other packages import and seldom use."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib.machinery import ModuleSpec, PathFinder
from importlib.util import LazyLoader
from types import ModuleType
from typing import Any


class delayed:
    """Within the block, an import of one of these modules creates it, and the first use of an attribute loads it.

    A second import loads it too. A module that was imported before, or that is not a file, is imported as usual.
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
