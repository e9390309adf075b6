"""Errors of inputs that cannot be read."""

from __future__ import annotations

import os
from typing import TypeAlias

from fasturl.errors import FasturlError
from fasturl.logs.shown import Quote, hide_secrets, visible


class LogError(FasturlError, ValueError):
    """An input is not in the format that you named, or has no known format. The message shows no secret.

    Examples
    --------
    >>> str(LogError("no column http://me:secret@h/"))
    'no column http://me:***@h/'
    """

    def __init__(
        self, message: str, *, settings: tuple[str, ...] = (), offset: int | None = None, quote: Quote | None = None
    ) -> None:
        """Store the message without secrets.

        settings : the settings that may help, with a plus between two that go together
        offset : where the format's text is malformed
        quote : the line at fault. The exception gets a note with an excerpt, without secrets.
        """
        super().__init__(hide_secrets(message))
        self.settings = settings
        self.offset = offset
        self.quote = quote
        self.excerpt = "" if quote is None else quote.excerpt()
        if quote is not None:
            self.add_note(self.excerpt)


class SettingError(LogError):
    """A setting has a value that cannot be used. The message begins with the setting's name."""


class MissingSetting(LogError):
    """An input can be read in several ways, and a setting must say which. `request` asks for it, `more` follows.

    fields, rest : the pairs `column=field` of a mapping that may fit, and a note about other fields; both are in `more`
    """

    def __init__(
        self,
        request: str,
        *,
        settings: tuple[str, ...] = (),
        more: str = "",
        quote: Quote | None = None,
        fields: tuple[str, ...] = (),
        rest: str = "",
    ) -> None:
        super().__init__(request + more, settings=settings, quote=quote)
        self.fields = tuple(map(hide_secrets, fields))
        self.rest = hide_secrets(rest)
        self.request = hide_secrets(request)
        self.more = hide_secrets(more)


class TruncatedInput(LogError):
    """An input is truncated. You get the error after all rows that could be read."""


class MemoryLimitError(LogError):
    """An input declares that it needs more memory than ``memory_limit`` allows."""

    def __str__(self) -> str:
        return f"{self.args[0]}; raise memory_limit to read it"


# What ends one input of several. It is raised after everything that could be read.
ENDS_INPUT = (TruncatedInput, MemoryLimitError)
EndOfInput: TypeAlias = TruncatedInput | MemoryLimitError


def system_error(number: int, name: str) -> OSError:
    """Return the system's error for an input, such as FileNotFoundError. The name shows no secret.

    >>> system_error(2, "a.log")
    FileNotFoundError(2, 'No such file or directory')
    """
    return OSError(number, os.strerror(number), visible(hide_secrets(name)))


def reason(error: OSError) -> str:
    """Return the system's message, without the file name."""
    return error.strerror or str(error) or type(error).__name__
