"""What keeps an input from being read."""

from __future__ import annotations

from fasturl.logs.shown import hide_passwords


class LogError(ValueError):
    """An input that cannot be opened, or is not in the format that was named. The message tells no password.

    >>> str(LogError("no column http://me:secret@h/"))
    'no column http://me:***@h/'
    """

    def __init__(self, message: str, option: str | None = None) -> None:
        """`option` is what of the command line may help."""
        super().__init__(hide_passwords(message))
        self.option = option


class TornInput(LogError):
    """The input broke off: all that could be read of it has been handed on before this is raised."""


def reason(error: OSError) -> str:
    """The system's words for what happened, without the file name that the caller says better."""
    return error.strerror or str(error) or type(error).__name__
