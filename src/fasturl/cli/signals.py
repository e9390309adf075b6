"""Ctrl-C and SIGTERM end a run between two batches, so that what is written is whole lines."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

from fasturl.cli.failure import Interrupted

_SIGNALS = (signal.SIGINT, signal.SIGTERM)


class Signals:
    """While `waiting` (for input) a signal ends the run at once; else it is kept until `check` is called.

    A second signal ends the run wherever it is: the way out when a reader of the output has stopped reading.
    """

    def __init__(self) -> None:
        self._pending = 0
        self._waiting = False

    def _handle(self, number: int, frame: FrameType | None) -> None:
        ends = self._waiting or self._pending
        self._pending = number
        if ends:
            raise Interrupted(number)

    def check(self) -> None:
        if self._pending:
            raise Interrupted(self._pending)

    @contextmanager
    def waiting(self) -> Iterator[None]:
        self._waiting = True
        try:
            # After the flag is up: a signal that came before it must not wait for input that may never come.
            self.check()
            yield
        finally:
            self._waiting = False

    @contextmanager
    def installed(self) -> Iterator[None]:
        """Take the signals over, but leave those that the caller of this process has set to be ignored."""
        self._pending = 0
        before = {}
        for number in _SIGNALS:
            handler = signal.getsignal(number)
            if handler not in (signal.SIG_IGN, None):
                before[number] = handler
                signal.signal(number, self._handle)
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)


signals = Signals()
