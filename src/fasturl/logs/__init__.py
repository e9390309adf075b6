"""Logs into tables: a row a request, whose columns are what the log says of it and the parts of its URLs.

``read`` reads files and streams, ``parse_lines`` a column of lines, ``detect`` tells the format; ``line_format`` and
``json_format`` make one of your own. They are loaded when
they are asked for: what reads lines alone needs no pyarrow.
"""

from typing import TYPE_CHECKING, Any

from fasturl.logs.errors import LogError, TornInput

if TYPE_CHECKING:
    from fasturl.logs.detection import Format
    from fasturl.logs.formats.catalog import LOG_NAMES, LogFormat
    from fasturl.logs.formats.dialects import line_format
    from fasturl.logs.formats.mapped import json_format
    from fasturl.logs.reader import detect, parse_lines, read

__all__ = [
    "LOG_NAMES",
    "Format",
    "LogError",
    "LogFormat",
    "TornInput",
    "detect",
    "json_format",
    "line_format",
    "parse_lines",
    "read",
]

_HOMES = {
    "Format": "detection",
    "LOG_NAMES": "formats.catalog",
    "LogFormat": "formats.catalog",
    "json_format": "formats.mapped",
    "line_format": "formats.dialects",
}


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(f"{__name__}.{_HOMES.get(name, 'reader')}"), name)
