"""Ctrl-C and SIGTERM end a run between two batches, so that what is written is whole lines."""

from __future__ import annotations

import os
import select
import signal
import threading
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
        self._woken: int | None = None  # where the system writes the numbers of signals, whatever Python does

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

    def wait(self, descriptor: int) -> None:
        """Wait for input on a thread that no signal reaches: while a query runs, the main thread is DuckDB's."""
        if self._woken is None or threading.current_thread() is threading.main_thread():
            return
        try:
            ready, _, _ = select.select([descriptor, self._woken], [], [])
        except (OSError, ValueError):
            return  # no pipe can be asked on Windows, nor a descriptor of over 1023
        if self._woken in ready:
            raise Interrupted(os.read(self._woken, 1)[0])

    @contextmanager
    def _waking(self) -> Iterator[None]:
        self._woken, written = os.pipe()
        os.set_blocking(written, False)
        before = signal.set_wakeup_fd(written, warn_on_full_buffer=False)
        try:
            yield
        finally:
            signal.set_wakeup_fd(before)
            os.close(written)
            os.close(self._woken)
            self._woken = None

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
            with self._waking():
                yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)


signals = Signals()
