"""`fasturl detect`: show the format of each input, and what is read by it."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Any

from fasturl.cli import options
from fasturl.cli.failure import TROUBLE, message_of
from fasturl.cli.inputs import CommandInputs
from fasturl.cli.outputs.sink import Standard
from fasturl.cli.terminal import complain
from fasturl.logs.errors import LogError
from fasturl.logs.formats.messages import unknown_format, unread
from fasturl.logs.formatted_inputs import InputOptions
from fasturl.logs.shown import hide_secrets, input_name, visible

if TYPE_CHECKING:
    from fasturl.logs.formats.detection import Format


@options.command("fasturl detect access.log", "fasturl detect --log-format '%h %^[%d:%t %^] \"%r\" %s' access.log")
@options.files_argument
@options.format_option("--log-format --format")
@options.null_lines_option
@options.max_line_option
@options.memory_limit_option
def command(log_format: str | None, **given: Any) -> int:
    """Show the format of a log, and what is read by it.

    For each input, you see the format, how many of the first 1,000 lines fit, and the first three rows. If a line does
    not fit, you see the first such line with a caret under the place. With --log-format, you see the same for that
    format. The status is 2 if an input is empty, has no known format, or has no line that fits.
    """
    with options.needing_pyarrow("detect", "pyarrow.compute"):  # the rows need a cast
        from fasturl.logs.reader import with_rows
    log = options.log_format_of(log_format, ())
    reading = CommandInputs(InputOptions(**given))
    out = Standard()
    status = 0
    for source in reading.sources:
        try:
            detector = reading.looked_at(source)
            found = with_rows(detector, log)
            if not detector.lines:
                raise LogError(f"{input_name(source.name)} is empty, so it has no format")
            if log is None and not found.rows:
                raise unknown_format(source.name, detector, found)
        except LogError as error:
            complain(message_of(error), error.excerpt)
            status = TROUBLE
            continue
        if not found.matched_lines:
            status = TROUBLE
        rest = filter(None, [unread(found.name, found.format_string, detector.sample)])
        text = "".join(f"{line}\n" for line in [f"{visible(source.name)}: {found}", *_details(found), *rest])
        out.write(text.encode("utf-8", "surrogateescape"))
    return TROUBLE if reading.torn else status


def _details(found: Format) -> list[str]:
    lines = [] if found.mismatch is None else [f"  {line}" for line in str(found.mismatch).splitlines()]
    for number, row in enumerate(found.rows, 1):
        lines.append(f"  row {number}")
        width = max(map(len, row))
        for name, value in row.items():
            shown = value.isoformat() if isinstance(value, datetime) else str(value)
            lines.append(f"    {name:{width}}  {visible(hide_secrets(shown))}")
    return lines
