"""Options that several commands share."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar

import click

from fasturl.cli.failure import Failure
from fasturl.cli.formats.catalog import LOG_NAMES
from fasturl.cli.inputs.reading import InputOptions

F = TypeVar("F", bound=Callable[..., Any])

_INPUT = (
    click.argument("files", nargs=-1, type=click.Path(allow_dash=True)),
    click.option(
        "--log-format",
        metavar="NAME",
        type=click.Choice([*LOG_NAMES, "URLS"], case_sensitive=False),
        help=f"The input's format, by goaccess's names: {', '.join(LOG_NAMES)}; URLS for one URL a line. "
        "Found out from the first lines when not given.",
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
    click.option("--no-progress", is_flag=True, help="Show no progress on a terminal."),
    click.option("-q", "--quiet", is_flag=True, help="No counts at the end, no progress."),
)


def input_options(command: F) -> F:
    """Give a command the arguments and options of reading; it gets them as one `source: InputOptions`, and
    `quiet`.
    """

    @wraps(command)
    def wrapper(
        files: tuple[str, ...],
        log_format: str | None,
        field: str | None,
        column: str | None,
        delimiter: str,
        no_headers: bool,
        null: bool,
        form: str | None,
        no_progress: bool,
        quiet: bool,
        **rest: Any,
    ) -> Any:
        if sum(option is not None for option in (log_format, field, column)) > 1:
            raise Failure("--log-format, --field and --column: give one of them")
        if null and column is not None:
            raise Failure("-0 and --column: CSV has its own line ends")
        source = InputOptions(
            paths=files,
            log_format=log_format.upper() if log_format else None,
            json_field=field,
            column=column,
            delimiter=delimiter,
            headers=not no_headers,
            null_separated=null,
            form=form,
            progress=not (no_progress or quiet),
        )
        return command(source=source, quiet=quiet, **rest)

    decorated: Any = wrapper
    for option in reversed(_INPUT):
        decorated = option(decorated)
    return decorated  # type: ignore[no-any-return]
