"""The limit of the memory that an input can make its reader allocate by the sizes it declares."""

from __future__ import annotations

from fasturl.logs.errors import MemoryLimitError

# Twice the dictionary of `xz -9`.
MEMORY_LIMIT = 128 << 20
_UNITS = ((30, "GiB"), (20, "MiB"), (10, "KiB"))


def checked_limit(memory_limit: int) -> int:
    """Return the limit. Raises ValueError if it is below 1."""
    if memory_limit < 1:
        raise ValueError(f"memory_limit must be 1 or more, not {memory_limit}")
    return memory_limit


def written_size(size: int) -> str:
    """Return a size as text.

    >>> written_size(3 << 29), written_size(1000)
    ('1.5 GiB', '1,000 bytes')
    """
    shift, unit = next((each for each in _UNITS if size >> each[0]), (0, "bytes"))
    return f"{size / (1 << shift):,.4g} {unit}" if shift else f"{size:,} {unit}"


def above_limit(name: str, what: str, limit: int, declared: int | None = None) -> MemoryLimitError:
    """Return the error for an input that declares `what` with this size, if known. `name` must be safe to show."""
    size = "" if declared is None else f" of {written_size(declared)}"
    message = f"{name}: {what}{size} is above the memory limit of {written_size(limit)}"
    return MemoryLimitError(message, settings=("memory_limit",))
