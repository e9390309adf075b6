"""How a run ends when it does not end well, and with which status."""

from __future__ import annotations

import signal

# What the shell shows for a program that SIGPIPE ended, as head's other neighbours do.
CLOSED_PIPE = 141
BAD_URLS = 1
TROUBLE = 2

LINE_TOO_LONG = "the line is longer than --max-line allows"


class Failure(Exception):
    """One line for the user, and the exit status that goes with it."""

    def __init__(self, message: str, status: int = TROUBLE) -> None:
        super().__init__(message)
        self.message = message
        self.status = status


class TooMany(Failure):
    """More bad URLs and rejects than the options allow."""


class Interrupted(BaseException):
    """A signal asked the run to end. Not an Exception, so that nothing swallows it."""

    def __init__(self, signal_number: int) -> None:
        super().__init__(signal_number)
        self.status = 128 + signal_number
        self.name = signal.Signals(signal_number).name
