"""The failures and signals that end a run, and their exit statuses.

SIGINT and SIGTERM end a run between two batches, so that its output consists of whole lines.
"""

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

from fasturl.logs.errors import LogError, MissingSetting, SettingError
from fasturl.logs.inputs.source import Watch

CLOSED_PIPE = 141  # as a shell reports a program that SIGPIPE ended
BAD_URLS = 1
TROUBLE = 2

ALL_FIELDS = "`fasturl help fields` lists all columns"
LINE_TOO_LONG = "the line is longer than --max-line allows"


class Failure(Exception):
    """A failure with one line for the user and an exit status."""

    def __init__(self, message: str, status: int = TROUBLE) -> None:
        super().__init__(message)
        self.message = message
        self.status = status


class BadInput(Failure):
    """The first invalid URL or rejected line under `--on-error fail`."""


class Interrupted(BaseException):
    """A signal that ends the run. Not an Exception, so that no handler swallows it."""

    def __init__(self, signal_number: int) -> None:
        super().__init__(signal_number)
        self.status = 128 + signal_number
        self.name = signal.Signals(signal_number).name


# The options for the settings of an input.
_HINTS = {
    "column": "--column NAME",
    "delimiter": "--delimiter CHAR",
    "detection": "another --log-format, or none to detect it",
    "field": "another --field",
    "headers": "--no-headers",
    "keep": "--keep NAME",
    "log_format": "--log-format NAME (`fasturl help formats` also says how to give your own)",
    "mapping": "other fields with --map",
    "place": "--column NUMBER --no-headers",
    "memory_limit": "--memory-limit SIZE",
    "rejects": "--allow-rejects",
    "urls": "--log-format URLS",
    "max_line": "a larger --max-line",
}


def message_of(error: LogError) -> str:
    """Return the message of an error, with the options that may help."""
    if isinstance(error, MissingSetting) and error.fields:
        import shlex

        pairs = " ".join(f"--map {shlex.quote(pair)}" for pair in error.fields)
        return (
            f"{error.request} with {pairs}, or name the URL's field with --field, or give --log-format URLS{error.rest}"
        )
    if isinstance(error, MissingSetting):
        return f"{error.request} with --{error.settings[0]}{error.more}"
    message = str(error.args[0])
    if isinstance(error, SettingError):
        return f"--{message}"
    hints = " or ".join(" ".join(map(_HINTS.__getitem__, setting.split("+"))) for setting in error.settings)
    return f"{message}; try {hints}" if hints else message


_SIGNALS = (signal.SIGINT, signal.SIGTERM)
_REPEAT = 0.1  # seconds between two interrupts


class Signals(Watch):
    """The signals of a run. While it is `waiting` for input, a signal ends it at once, else at the next `check`.

    A second signal ends the run at once. It may be stuck because the reader of the output has stopped reading.
    """

    def __init__(self) -> None:
        self._pending = 0
        self._waiting = False
        self._input_waits = False  # a thread is in `wait`
        self._input_ended = False  # the handler has ended a wait on the main thread
        self.came = threading.Event()  # for threads: they may notice a signal before its handler runs

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
        """Wait for input or a signal, on any thread.

        A signal that arrives just before `os.read` would be handled after the read only, so `select` waits for both.
        While DuckDB runs on the main thread, no handler runs there, and the thread that reads takes the signal.
        """
        if self.woken is None:
            return
        self._input_waits = True
        try:
            ready, _, _ = select.select([descriptor, self.woken], [], [])
            if self.woken in ready and threading.current_thread() is not threading.main_thread():
                raise Interrupted(os.read(self.woken, 1)[0])
        except (OSError, ValueError):
            return  # select takes no pipes on Windows, and no descriptors above 1023
        finally:
            self._input_waits = False  # after the read: see _call
        self.check()

    @contextmanager
    def calling(self, interrupt: Callable[[], None]) -> Iterator[None]:
        """Call `interrupt` on another thread when a signal arrives: handlers do not run during a call of a library."""
        if self.woken is None or sys.platform == "win32":  # select takes no pipes on Windows
            yield
            return
        ended, end = os.pipe()
        thread = threading.Thread(target=self._call, args=(interrupt, self.woken, ended), daemon=True)
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
        self.woken, written = os.pipe()
        os.set_blocking(written, False)
        before = signal.set_wakeup_fd(written, warn_on_full_buffer=False)
        try:
            yield
        finally:
            signal.set_wakeup_fd(before)
            os.close(written)
            os.close(self.woken)
            self.woken = None

    @contextmanager
    def handling(self) -> Iterator[None]:
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
