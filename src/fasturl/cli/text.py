"""Commands that turn lines of text into lines of text: from arguments, files or standard input."""

from __future__ import annotations

import os
from collections.abc import Callable

from fasturl.cli.counts import plural
from fasturl.cli.failure import TROUBLE
from fasturl.cli.outputs.places import refuse_inputs
from fasturl.cli.outputs.sink import Standard
from fasturl.cli.reading import InputOptions, Reading
from fasturl.cli.terminal import complain
from fasturl.logs.inputs.lines import LongLine


def convert(
    texts: tuple[str, ...],
    files: tuple[str, ...],
    null: bool,
    max_line: int,
    change: Callable[[list[bytes]], list[bytes]],
) -> int:
    """Write each text, or each line of the files (of standard input when neither is given), as `change` has it. Lines
    that are too long are left out, and said to be.
    """
    end = b"\0" if null else b"\n"
    out = Standard()
    reading: Reading | None = None
    if files or not texts:
        reading = Reading(InputOptions(paths=files, null_separated=null, max_line=max_line, progress=False))
        refuse_inputs(reading.sources)
    if texts:
        out.write(b"".join([text + end for text in change([os.fsencode(text) for text in texts])]))
    if reading is None:
        return 0
    too_long = 0
    for lines in reading.lines():
        if isinstance(lines, LongLine):
            too_long += lines.count
        else:
            out.write(b"".join([text + end for text in change(lines.stripped)]))
    if too_long:
        complain(f"{plural(too_long, 'line')} left out: longer than --max-line allows")
    return TROUBLE if reading.torn or too_long else 0
