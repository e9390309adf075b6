"""Logs into tables: a row a request, whose columns are what the log says of it and the parts of its URLs.

``read`` reads files and streams, ``parse_lines`` a column of lines, ``detect`` tells the format. They are loaded when
they are asked for: what reads lines alone needs no pyarrow.
"""

from typing import TYPE_CHECKING, Any

from fasturl.logs.errors import LogError, TornInput

if TYPE_CHECKING:
    from fasturl.logs.detection import Format
    from fasturl.logs.formats.catalog import LOG_NAMES
    from fasturl.logs.reader import detect, parse_lines, read

__all__ = ["LOG_NAMES", "Format", "LogError", "TornInput", "detect", "parse_lines", "read"]

_HOMES = {"Format": "detection", "LOG_NAMES": "formats.catalog"}


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(f"{__name__}.{_HOMES.get(name, 'reader')}"), name)
