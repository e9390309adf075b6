"""The failures that end a run, and their exit statuses."""

from __future__ import annotations

import signal

from fasturl.logs.errors import LogError, MissingSetting, SettingError

CLOSED_PIPE = 141  # as a shell reports a program that SIGPIPE ended
BAD_URLS = 1
TROUBLE = 2

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


# The options for the settings of an input, as a hint and as the answer to a request.
_HINTS = {
    "column": "--column NAME",
    "delimiter": "--delimiter CHAR",
    "detection": "another --log-format, or none, which detects it",
    "field": "another --field",
    "headers": "--no-headers",
    "keep": "--keep NAME",
    "log_format": "--log-format NAME (the server's own format string and @/etc/nginx/nginx.conf work too)",
    "mapping": "other fields with --map",
    "place": "--column NUMBER --no-headers",
    "memory_limit": "--memory-limit SIZE",
    "urls": "--log-format URLS",
    "max_line": "a larger --max-line",
}
_ANSWERS = {"column": "--column"}


def message_of(error: LogError) -> str:
    """Return the message of an error, with the options that may help."""
    if isinstance(error, MissingSetting) and error.fields:
        import shlex

        pairs = " ".join(f"--map {shlex.quote(pair)}" for pair in error.fields)
        return (
            f"{error.request} with {pairs}, or name the URL's field with --field, or say --log-format URLS{error.rest}"
        )
    if isinstance(error, MissingSetting):
        return f"{error.request} with {_ANSWERS[error.settings[0]]}{error.more}"
    message = str(error.args[0])
    if isinstance(error, SettingError):
        return f"--{message}"
    hints = " or ".join(" ".join(map(_HINTS.__getitem__, setting.split("+"))) for setting in error.settings)
    return f"{message}; try {hints}" if hints else message
