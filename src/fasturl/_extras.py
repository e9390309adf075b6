"""Lazy imports of attributes, and errors that name the extra of a missing optional package."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from types import ModuleType

_EXTRAS = {"pyarrow": "arrow", "fsspec": "remote"}


@contextmanager
def needed_by(user: str) -> Iterator[None]:
    """Raise an error that names the extra to install if an import in the block misses an optional package."""
    try:
        yield
    except ModuleNotFoundError as error:
        if error.name not in _EXTRAS:
            raise
        why = f"{user} needs {error.name}: {pip_install(_EXTRAS[error.name])}"
        raise ModuleNotFoundError(why, name=error.name) from error


def pip_install(extra: str) -> str:
    """Return the command that installs an extra: from the index, or from the clone that this copy was built in."""
    from importlib.metadata import PackageNotFoundError, distribution

    try:
        found = distribution("fasturl")
    except PackageNotFoundError:  # a build in place
        found = None
    # pip records where a copy came from, if that is not the index.
    if found is not None and found.read_text("METADATA") and not found.read_text("direct_url.json"):
        return f"pip install 'fasturl[{extra}]'"
    return f"pip install '.[{extra}]' (in the clone)"


def is_installed(package: str) -> bool:
    """Return True if the package can be found. Do not import it."""
    from importlib.util import find_spec  # only dir() needs it

    try:
        return find_spec(package) is not None
    except (ImportError, ValueError):  # an import hook refuses it, or sys.modules maps it to None
        return False


def load(package: str, name: str, module: str) -> ModuleType:
    """Import the module behind an attribute of a package, for the package's __getattr__.

    Raises: AttributeError if the module cannot be imported, because hasattr, help() and inspect expect one. Its cause
        is the ImportError. An import statement gets the ImportError itself, because it would hide an AttributeError.
    """
    try:
        with needed_by(f"{package}.{name}"):
            return import_module(module)
    except ImportError as error:
        if sys._getframe(2).f_globals.get("__name__") == "importlib._bootstrap":
            raise
        why = f"module {package!r} has no attribute {name!r}: {error}"
        raise AttributeError(why, name=name, obj=sys.modules[package]) from error
