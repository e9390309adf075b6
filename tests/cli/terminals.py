"""Run the command with its output on a terminal of its own."""

import os
import subprocess
import sys
from collections.abc import Sequence
from typing import Any

import pytest

try:
    import pty
except ImportError:
    pty = None  # type: ignore[assignment]


def take_over(terminal: int) -> None:
    """Make it the one that /dev/tty names."""
    import fcntl
    import termios

    fcntl.ioctl(terminal, termios.TIOCSCTTY, 0)


COMMAND = ("-m", "fasturl")
# The same with a bar from the beginning.
AT_ONCE = ("-c", "from fasturl.cli import __main__, progress; progress._AFTER = 0; __main__.run()")


def on_a_terminal(
    arguments: list[str], stdin: bytes, *, program: Sequence[str] = COMMAND, to_pipe: Any = None, **env: str
) -> tuple[bytes, int]:
    """Run the command with its output on a terminal: what the terminal gets, and the status.

    to_pipe : what takes its standard output instead
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
        except OSError:  # how Linux says that the other side has closed
            break
        if not block:
            break
        shown.append(block)
    os.close(leader)
    return b"".join(shown), process.wait(60)
