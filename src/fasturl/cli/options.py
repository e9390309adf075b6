"""Options that several commands share."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime
from functools import wraps
from typing import Any, ClassVar, TypeVar

import click

from fasturl.cli.arrowmodules import arrow_module
from fasturl.cli.failure import Failure
from fasturl.cli.reading import InputOptions
from fasturl.logs.formats.catalog import LOG_NAMES, LogFormat
from fasturl.logs.formats.dialects import line_format, named_format
from fasturl.logs.formats.logtext import time_of
from fasturl.logs.formats.mapped import json_format

F = TypeVar("F", bound=Callable[..., Any])


def examples(first: str, second: str) -> str:
    """The end of a command's help. The tests run what follows each `$`."""
    # click keeps the lines of a paragraph that \b begins.
    return f"\b\nExamples:\n  $ {first}\n  $ {second}"


class Size(click.ParamType):  # type: ignore[type-arg, unused-ignore]
    """A number of octets, from 1 to `most`; K, M and G after it are 2^10, 2^20 and 2^30."""

    name = "size"
    _UNITS: ClassVar = {"": 0, "K": 10, "M": 20, "G": 30}

    def __init__(self, most: int = 1 << 30) -> None:
        self._most = most

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        if isinstance(value, int):
            return value
        found = re.fullmatch(r"([0-9]{1,10})([KMG]?)", value.upper(), re.ASCII)
        size = int(found[1]) << self._UNITS[found[2]] if found else 0
        if not 1 <= size <= self._most:
            self.fail(f"{value!r} is no size from 1 to {self._most >> 30}G, as 512K or 16M", param, ctx)
        return size


class Moment(click.ParamType):  # type: ignore[type-arg, unused-ignore]
    """A time as RFC 3339 writes it, or a date alone, its midnight; in UTC where no zone is named."""

    name = "time"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> datetime:
        if isinstance(value, datetime):
            return value
        time = time_of(value)
        if time is None:
            self.fail(f"{value!r} is no time as 2015-05-17T10:05:03Z, 2015-05-17T10:05 or 2015-05-17", param, ctx)
        return time


MOMENT = Moment()

max_line_option = click.option(
    "--max-line",
    metavar="SIZE",
    type=Size(),
    default="16M",
    show_default=True,
    help="Longer lines are rejects, and are not held in memory; K, M and G are units.",
)

octets_option = click.option(
    "--octets",
    type=click.Choice(["escape", "surrogate"]),
    default="escape",
    show_default=True,
    help="How octets that cannot be UTF-8 are written: as %E9, or so that they can be read back (docs/cli.md).",
)

_FILES = click.argument("files", nargs=-1, type=click.Path(allow_dash=True))


def _complete_format(context: click.Context, option: click.Parameter, begun: str) -> list[str]:
    """The names that a shell offers; a format that is written out is the user's to write."""
    return [name for name in (*LOG_NAMES, "URLS") if name.startswith(begun.upper())]


def _format_option(*names: str) -> Callable[[F], F]:
    return click.option(
        *names,
        "log_format",
        metavar="FORMAT",
        shell_complete=_complete_format,
        help=f"The input's format: a name as goaccess has it ({', '.join(LOG_NAMES)}, or URLS for one URL a line), or "
        "a goaccess format, an Apache LogFormat or an nginx log_format as the configuration has it. Found out from the "
        "first lines when not given.",
    )


_INPUT = (
    click.option(
        "--date-format",
        metavar="FORM",
        help="Of %d in a goaccess format, as strftime spells it; else %d/%b/%Y. Also of %x.",
    ),
    click.option("--time-format", metavar="FORM", help="Of %t in a goaccess format; else %H:%M:%S."),
    click.option(
        "--map",
        "mapping",
        metavar="NAME=FIELD",
        multiple=True,
        help="Input is JSON lines, an object a request: which field (a.b for nested ones) holds target, status and the "
        "like, request for a whole request line, or line for a line of a log.",
    ),
    click.option(
        "--field", metavar="NAME", help="Input is JSON lines; the URL is in this field (a.b for nested ones)."
    ),
    click.option(
        "-c",
        "--column",
        metavar="NAME",
        help="Input is CSV; the URL is in this column (name, or number from 1).",
    ),
    click.option(
        "-d",
        "--delimiter",
        metavar="CHAR",
        default=",",
        show_default=True,
        help=r"Of CSV columns; \t for tab.",
    ),
    click.option("-n", "--no-headers", is_flag=True, help="The CSV has no header line."),
    click.option("-0", "--null", "null", is_flag=True, help="Lines end in NUL instead of line feed."),
    click.option(
        "--form",
        type=click.Choice(["url", "request-target"]),
        help="How each URL is read when the input is no log; request-target takes /path and host:port too.",
    ),
    max_line_option,
    click.option(
        "--threads",
        metavar="N",
        type=click.IntRange(min=1),
        help="How many threads read and parse; else as many as there are processors.",
    ),
    click.option("--no-progress", is_flag=True, help="Show no progress on a terminal."),
    click.option("-q", "--quiet", is_flag=True, help="No counts at the end, no progress."),
)


def _log_format(
    written: str | None, date_format: str | None, time_format: str | None, mapping: tuple[str, ...]
) -> str | LogFormat | None:
    """What the options that name a format say."""
    log: str | LogFormat | None = None
    try:
        if date_format is not None or time_format is not None:
            log = line_format(written or "", date_format=date_format, time_format=time_format)
        elif written is not None:
            log = named_format(written)
    except ValueError as error:
        raise Failure(f"--log-format: {error}") from None
    if not mapping:
        return log
    fields = dict(each.partition("=")[::2] for each in mapping)
    if not all(fields.values()) or len(fields) < len(mapping):
        raise Failure("--map: give each NAME=FIELD once, as --map target=request.uri")
    return json_format(fields, line=log)


def input_options(command: F, *, names: tuple[str, ...] = ("--log-format", "--format")) -> F:
    """Give a command the arguments and options of reading; it gets them as one `source: InputOptions`, and
    `quiet`. `names` are those of the option that names the input's format.
    """

    @wraps(command)
    def wrapper(
        files: tuple[str, ...],
        log_format: str | None,
        date_format: str | None,
        time_format: str | None,
        mapping: tuple[str, ...],
        field: str | None,
        column: str | None,
        delimiter: str,
        no_headers: bool,
        null: bool,
        form: str | None,
        max_line: int,
        threads: int | None,
        no_progress: bool,
        quiet: bool,
        **rest: Any,
    ) -> Any:
        if sum((log_format is not None or bool(mapping), field is not None, column is not None)) > 1:
            raise Failure("--log-format, --map, --field and --column: give one of them")
        if null and column is not None:
            raise Failure("-0 and --column: CSV has its own line ends")
        source = InputOptions(
            paths=files,
            log_format=_log_format(log_format, date_format, time_format, mapping),
            json_field=field,
            column=column,
            delimiter=delimiter,
            headers=not no_headers,
            null_separated=null,
            form=form,
            max_line=max_line,
            threads=threads,
            progress=not (no_progress or quiet),
        )
        return command(source=source, quiet=quiet, **rest)

    decorated: Any = wrapper
    for option in reversed((_FILES, _format_option(*names), *_INPUT)):
        decorated = option(decorated)
    return decorated  # type: ignore[no-any-return]


@contextmanager
def needing_pyarrow(command: str, *modules: str) -> Iterator[None]:
    """Import it, and those of its modules; say what to install when the imports of a command fail for want of it."""
    try:
        for name in ("pyarrow", *modules):
            arrow_module(name)
        yield
    except ModuleNotFoundError as error:
        if error.name is None or not error.name.startswith("pyarrow"):
            raise
        raise Failure(f"fasturl {command} needs pyarrow: pip install 'fasturl[cli]'") from None


texts_argument = click.argument("texts", nargs=-1, metavar="[TEXT]...")
files_option = click.option(
    "-f",
    "--file",
    "files",
    metavar="FILE",
    multiple=True,
    type=click.Path(allow_dash=True),
    help="Read lines from here; - is standard input.",
)
