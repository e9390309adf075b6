"""The options that choose rows and change texts: `--where`, `--time-from`, `--time-to`, `--drop` and `--redact`."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from fasturl._quoted import quoted
from fasturl.cli.failure import Failure
from fasturl.logs.errors import reason
from fasturl.logs.shown import visible
from fasturl.secrets import SECRET_KEYS

if TYPE_CHECKING:
    from fasturl.logs.addresses import Anonymizer
    from fasturl.logs.changes import Changes

_KEY_MAX = 1 << 12
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

    def changes(
        self,
        *,
        always: tuple[str, ...] = (),
        anonymize: str | None = None,
        keeps_findings: bool = False,
    ) -> Changes | None:
        """Return the changes to the texts, or None if there are none; `always` are further keys to redact.

        anonymize : the value of `--anonymize-client`
        """
        from fasturl.logs.changes import Changes, Redaction

        keys = tuple(dict.fromkeys((*always, *secret_keys(self.redact))))
        if not keys and not self.drop and anonymize is None:
            return None
        anonymizer = None if anonymize is None else _anonymizer(anonymize)
        return Changes(self.drop, Redaction(keys) if keys else None, anonymizer, keeps_findings=keeps_findings)


def _anonymizer(text: str) -> Anonymizer:
    """Return the anonymizer that `--anonymize-client` names."""
    from fasturl.logs.addresses import KEY_OCTETS, Anonymizer

    if text.removeprefix("/") in ("16", "24"):
        return Anonymizer(int(text.removeprefix("/")))
    name, _, path = text.partition(":")
    if name != "hash" or not path:
        raise Failure(f"--anonymize-client: {quoted(text)} is none of /16, /24 and hash:FILE")
    try:
        with open(path, "rb") as file:
            key = file.read(_KEY_MAX).strip()
    except OSError as error:
        raise Failure(f"--anonymize-client: {visible(path)}: {reason(error)}") from None
    if len(key) < KEY_OCTETS:
        raise Failure(f"--anonymize-client: {visible(path)}: a key has at least {KEY_OCTETS} bytes")
    return Anonymizer(key=key)
