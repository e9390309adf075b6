"""Commands that turn lines of text into lines of text: from arguments, files or standard input."""

from __future__ import annotations

import os
from collections.abc import Callable

from fasturl.cli.failure import TROUBLE
from fasturl.cli.inputs.reading import InputOptions, Reading
from fasturl.cli.outputs.sink import Standard


def convert(
    texts: tuple[str, ...], files: tuple[str, ...], null: bool, change: Callable[[list[bytes]], list[bytes]]
) -> int:
    """Write each text, or each line of the files (of standard input when neither is given), as `change` has
    it.
    """
    end = b"\0" if null else b"\n"
    out = Standard()
    if texts:
        out.write(b"".join([text + end for text in change([os.fsencode(text) for text in texts])]))
    if texts and not files:
        return 0
    reading = Reading(InputOptions(paths=files, null_separated=null, progress=False))
    for lines in reading.lines():
        out.write(b"".join([text + end for text in change(lines.clean)]))
    return TROUBLE if reading.torn else 0
