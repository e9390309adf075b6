"""SIGINT and SIGTERM. They end a run between two batches, so that its output consists of whole lines."""

from __future__ import annotations

import os
import select
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType

from fasturl.cli.failure import Interrupted

_SIGNALS = (signal.SIGINT, signal.SIGTERM)
_REPEAT = 0.1  # seconds between two interrupts


class Signals:
    """The signals of a run. While it is `waiting` for input, a signal ends it at once, else at the next `check`.

    A second signal ends the run at once. It may be stuck because the reader of the output has stopped reading.
    """

    def __init__(self) -> None:
        self._pending = 0
        self._waiting = False
        self._input_waits = False  # a thread is in `wait`
        self._input_ended = False  # the handler has ended a wait on the main thread
        self.came = threading.Event()  # for threads: they may notice a signal before its handler runs
        self._woken: int | None = None  # a pipe to which the system writes signal numbers

    def _handle(self, number: int, frame: FrameType | None) -> None:
        ends = self._waiting or self._pending
        self._pending = number
        self.came.set()
        self._input_ended |= self._waiting
        if ends:
            raise Interrupted(number)

    def check(self) -> None:
        if self._pending:
            raise Interrupted(self._pending)

    @contextmanager
    def waiting(self) -> Iterator[None]:
        self._waiting = True
        try:
            # Check after the flag is set: an earlier signal must not wait for input that may never come.
            self.check()
            yield
        finally:
            self._waiting = False

    def wait(self, descriptor: int) -> None:
        """Wait for input on another thread than the main one, which runs DuckDB and handles no signals meanwhile."""
        if self._woken is None or threading.current_thread() is threading.main_thread():
            return
        self._input_waits = True
        try:
            ready, _, _ = select.select([descriptor, self._woken], [], [])
            if self._woken in ready:
                raise Interrupted(os.read(self._woken, 1)[0])
        except (OSError, ValueError):
            return  # select takes no pipes on Windows, and no descriptors above 1023
        finally:
            self._input_waits = False  # after the read: see _call

    @contextmanager
    def calling(self, interrupt: Callable[[], None]) -> Iterator[None]:
        """Call `interrupt` on another thread when a signal arrives: handlers do not run during a call of a library."""
        if self._woken is None or sys.platform == "win32":  # select takes no pipes on Windows
            yield
            return
        ended, end = os.pipe()
        thread = threading.Thread(target=self._call, args=(interrupt, self._woken, ended), daemon=True)
        thread.start()
        try:
            yield
        finally:
            os.close(end)
            thread.join()
            os.close(ended)

    def _call(self, interrupt: Callable[[], None], woken: int, ended: int) -> None:
        import selectors

        with selectors.DefaultSelector() as selector:
            selector.register(woken, selectors.EVENT_READ)
            selector.register(ended, selectors.EVENT_READ)
            ready = {key.fd for key, _ in selector.select()}
            # The thread that waits for input takes the first signal: the input ends, and the query counts it.
            while ended not in ready:
                if self._input_waits or self._waiting:
                    time.sleep(_REPEAT / 10)
                elif self._input_ended:
                    self._input_ended = False
                    os.read(woken, 1)
                else:
                    break
                ready = {key.fd for key, _ in selector.select()}
            selector.unregister(woken)
            # Repeat: the query may not have begun, or another one may follow.
            while ended not in ready:
                interrupt()
                ready = {key.fd for key, _ in selector.select(_REPEAT)}

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
        """Handle the signals, except those that the parent process has set to be ignored."""
        self._pending = 0
        self._input_ended = False
        self.came.clear()
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
