"""Read logs into tables with a row for each request, which has the log's details and the URL's parts.

Call ``read`` for files and streams, and ``parse_lines`` for a column of lines. ``detect`` detects the format. When your
log has a custom format, call ``line_format`` or ``json_format``. ``Routes`` learns an application's routes from paths.
Names are loaded lazily, because you can read lines without pyarrow.
"""

from typing import TYPE_CHECKING, Any

from fasturl.logs.errors import LogError, MemoryLimitError, TruncatedInput

if TYPE_CHECKING:
    from fasturl.logs.formats.catalog import LOG_NAMES, json_format
    from fasturl.logs.formats.detection import Format
    from fasturl.logs.formats.dialects import line_format
    from fasturl.logs.formats.records import LogFormat, Mismatch
    from fasturl.logs.reader import LogReader, detect, parse_lines, read
    from fasturl.logs.routes import Routes

__all__ = [
    "LOG_NAMES",
    "Format",
    "LogError",
    "LogFormat",
    "LogReader",
    "MemoryLimitError",
    "Mismatch",
    "Routes",
    "TruncatedInput",
    "detect",
    "json_format",
    "line_format",
    "parse_lines",
    "read",
]

_HOMES = {
    "Format": "formats.detection",
    "LOG_NAMES": "formats.catalog",
    "LogFormat": "formats.records",
    "Mismatch": "formats.records",
    "Routes": "routes",
    "json_format": "formats.catalog",
    "line_format": "formats.dialects",
}


def __getattr__(name: str) -> Any:
    if name not in __all__:
        from fasturl._quoted import quoted

        raise AttributeError(f"module {__name__!r} has no attribute {quoted(name)}")
    from fasturl._extras import load

    return getattr(load(__name__, name, f"{__name__}.{_HOMES.get(name, 'reader')}"), name)


def __dir__() -> list[str]:
    from fasturl._extras import is_installed

    names = {*globals(), *__all__} - {"TYPE_CHECKING", "Any"}
    return sorted(
        names if is_installed("pyarrow") else names - {"LogReader", "Routes", "detect", "parse_lines", "read"}
    )
