"""The options that choose rows and change texts: `--where`, `--time-from`, `--time-to`, `--drop` and `--redact`."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from fasturl._quoted import quoted
from fasturl.cli.failure import Failure
from fasturl.secrets import SECRET_KEYS

if TYPE_CHECKING:
    from fasturl.logs.changes import Changes

_SECRETS = "secrets"  # the key that stands for all of SECRET_KEYS


def secret_keys(names: tuple[str, ...]) -> tuple[str, ...]:
    """Return the parameter names that the values of `--redact` stand for."""
    return tuple(dict.fromkeys(key for name in names for key in (SECRET_KEYS if name == _SECRETS else (name,))))


def _instant(option: str, text: str) -> datetime:
    """Return the time that an option names. A time without a zone is UTC, a date is its midnight.

    >>> _instant("--time-from", "2015-05-17T10:05+02:00").isoformat()
    '2015-05-17T08:05:00+00:00'
    """
    try:
        found = datetime.fromisoformat(text)
        return (found if found.tzinfo else found.replace(tzinfo=UTC)).astimezone(UTC)
    except (ValueError, OverflowError):
        message = f"{option}: {quoted(text)} is not a time such as 2015-05-17 or 2015-05-17T10:05:03+02:00"
        raise Failure(message) from None


@dataclass(frozen=True)
class Selection:
    """The rows of a command and the changes to their texts.

    where : an SQL expression over the columns, or None
    time_from, time_to : the first time, and the time before which rows end; None for no limit
    drop, redact : names of query parameters to remove, and names whose values become `***`
    """

    where: str | None = None
    time_from: str | None = None
    time_to: str | None = None
    drop: tuple[str, ...] = ()
    redact: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if "" in (*self.drop, *self.redact):
            raise Failure("--drop and --redact: the name of a parameter is empty")
        self._times()

    def _times(self) -> dict[str, datetime]:
        """Return the limits by their operators."""
        given = (("--time-from", ">=", self.time_from), ("--time-to", "<", self.time_to))
        return {operator: _instant(option, text) for option, operator, text in given if text is not None}

    @property
    def condition(self) -> str | None:
        """Return the condition on a row in SQL, or None if all rows are wanted. `--where` must have been checked."""
        parts = [] if self.where is None else [f"({self.where}\n)"]  # a line feed ends a comment
        parts += [f"time {operator} TIMESTAMPTZ '{time.isoformat()}'" for operator, time in self._times().items()]
        return " AND ".join(parts) or None

    def changes(self, *, always: tuple[str, ...] = (), keeps_findings: bool = False) -> Changes | None:
        """Return the changes to the texts, or None if there are none; `always` are further keys to redact."""
        from fasturl.logs.changes import Changes, Redaction

        keys = tuple(dict.fromkeys((*always, *secret_keys(self.redact))))
        if not keys and not self.drop:
            return None
        return Changes(self.drop, Redaction(keys) if keys else None, keeps_findings=keeps_findings)
