"""Helpers: the expected columns of a URL, and a command whose output is a terminal."""

import os
import subprocess
import sys
from collections.abc import Sequence
from typing import Any

import pytest

import fasturl as library

try:
    import pty
except ImportError:
    pty = None  # type: ignore[assignment]


PARTS = ("scheme", "netloc", "username", "password", "host", "port", "path", "query", "fragment")
COLUMNS = ["file", "line", "field", "url", *PARTS, "valid", "findings", "error_offset"]


def parts_by_the_library(text: bytes, form: str = "url") -> dict[str, Any]:
    """Return the expected columns of a URL, except the first three, with texts as bytes."""
    url = library.parse(text, form=form)

    def part(name: str) -> bytes | None:
        span = url.span(name)
        return None if span is None else text[slice(*span)]

    try:
        port = url.port
    except ValueError:
        port = None
    return {
        "url": text,
        "scheme": url.scheme or None,
        **{name: part(name) for name in PARTS if name not in ("scheme", "port")},
        "port": port,
        "valid": url.valid,
        "findings": [f.name for f in library.Finding if f.value.bit_count() == 1 and f in url.findings],
        "error_offset": url.error_offset,
    }


def as_octets(row: dict[str, Any]) -> dict[str, Any]:
    """Return a JSON row with its strings as bytes."""
    return {
        key: value.encode("utf-8", "surrogateescape") if isinstance(value, str) else value for key, value in row.items()
    }


def take_over(terminal: int) -> None:
    """Make it the controlling terminal, /dev/tty."""
    import fcntl
    import termios

    fcntl.ioctl(terminal, termios.TIOCSCTTY, 0)


COMMAND = ("-m", "fasturl")
# The command, with a progress bar from the start.
AT_ONCE = ("-c", "from fasturl.cli import __main__, terminal; terminal._PROGRESS_AFTER = 0; __main__.run()")


def on_a_terminal(
    arguments: list[str], stdin: bytes, *, program: Sequence[str] = COMMAND, to_pipe: Any = None, **env: str
) -> tuple[bytes, int]:
    """Run the command on a terminal. Return the text on the terminal and the exit status.

    to_pipe : replaces the terminal as standard output
    """
    if pty is None:
        pytest.skip("no terminals to open here")
    leader, follower = os.openpty()
    arguments = [argument.replace("{name}", os.ttyname(follower)) for argument in arguments]
    environment = {**os.environ, "TERM": "xterm", "COLUMNS": "120", **env}
    process = subprocess.Popen(
        [sys.executable, *program, *arguments],
        stdin=subprocess.PIPE, stdout=to_pipe or follower, stderr=follower, env=environment,
        start_new_session=True, preexec_fn=lambda: take_over(follower),
    )  # fmt: skip
    os.close(follower)
    assert process.stdin is not None
    process.stdin.write(stdin)
    process.stdin.close()
    shown = []
    while True:
        try:
            block = os.read(leader, 65536)
        except OSError:  # on Linux: the other side has closed
            break
        if not block:
            break
        shown.append(block)
    os.close(leader)
    return b"".join(shown), process.wait(60)
