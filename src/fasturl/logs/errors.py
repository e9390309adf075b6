"""Errors of inputs that cannot be read."""

from __future__ import annotations

from fasturl.logs.shown import Quote, hide_secrets


class LogError(ValueError):
    """An input cannot be opened, or is not in the format that was named. The message shows no secret.

    >>> str(LogError("no column http://me:secret@h/"))
    'no column http://me:***@h/'
    """

    def __init__(
        self, message: str, *, settings: tuple[str, ...] = (), offset: int | None = None, quote: Quote | None = None
    ) -> None:
        """`settings` names the settings of the input that may help, with a plus between two that go together.

        `offset` is the place in the text of a format.

        `quote` has the line at fault. Its excerpt, without secrets, is a note of the exception.
        """
        super().__init__(hide_secrets(message))
        self.settings = settings
        self.offset = offset
        self.quote = quote
        self.excerpt = "" if quote is None else quote.excerpt()
        if quote is not None:
            self.add_note(self.excerpt)


class SettingError(LogError):
    """A setting of an input has a value that cannot be used. The message begins with the name of the setting."""


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


class TornInput(LogError):
    """An input broke off. It is raised after everything that could be read."""


class MemoryLimitError(TornInput):
    """An input declares that reading it takes more memory than `memory_limit` allows."""

    def __str__(self) -> str:
        return f"{self.args[0]}; raise memory_limit to read it"


def reason(error: OSError) -> str:
    """Return the system's message, without the file name."""
    return error.strerror or str(error) or type(error).__name__
