"""Change URLs before parsing: drop parameters, hide secrets, anonymize addresses."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, cast

import pyarrow as pa

from fasturl import _columns
from fasturl import drop_params as drop_params_of
from fasturl._patterns import lazy_pattern
from fasturl.arrow import compute as pc
from fasturl.arrow import drop_params, redact
from fasturl.arrow.columns_in import as_arrays
from fasturl.arrow.functions import Form
from fasturl.arrow.texts import map_texts
from fasturl.logs.addresses import each_distinct
from fasturl.logs.columns import REFERER, VISITOR
from fasturl.logs.errors import LogError
from fasturl.logs.units import Raw

if TYPE_CHECKING:
    from fasturl.logs.addresses import Anonymizer
    from fasturl.logs.redaction import Redaction

_BYTES = pa.binary_view()
CLIENT, USER, FORWARDED = "client", "user", "forwarded"
AFTER = " after"  # follows a column's name in the texts of a unit
_QUERY = lazy_pattern(rb"[?][^\s\"'<>\\]*")


def redacted_urls(hide: Redaction, column: pa.Array) -> pa.Array:
    """Redact a column of URLs."""
    if hide.alias is not None:
        return each_distinct(column, hide.url)
    hidden = redact(column, hide.keys, mark=hide.mark, user=hide.hides_users, threads=1)
    return hidden.cast(pa.binary()).cast(_BYTES)


def redacted_texts(hide: Redaction, column: pa.Array) -> pa.Array:
    """Redact a column of texts that may quote URLs."""
    if hide.alias is not None:
        return each_distinct(column, hide.text)
    arrays, kind, chunked = as_arrays(column)
    work = _columns.redacting(hide.keys, hide.mark, text=False, user=hide.hides_users, quotes_urls=True)
    return map_texts(arrays, kind, chunked, work, 1, "string").cast(pa.binary()).cast(column.type)


def redacted_users(hide: Redaction, column: pa.Array) -> pa.Array:
    """Hide each request's user. `-` stays, because it means that there is no user."""
    alias = hide.alias or (lambda _: hide.mark)
    return each_distinct(column, lambda user: user if user in (b"", b"-") else alias(user))


def texts_of(raw: Raw, suffix: str = "") -> dict[str, pa.Array]:
    """Return the columns whose changes `--to log` writes into the lines."""
    columns = {"url": raw.urls, **{name: raw.details[name] for name in (REFERER, CLIENT, USER) if name in raw.details}}
    return {name + suffix: column for name, column in columns.items()}


class Changes:
    """Changes to a unit's columns.

    drop : the query parameters to drop first, by name or with `*`
    redaction : then hides secrets in every text column
    anonymizer : finally anonymizes addresses in every text column
    keeps_findings : True if the findings describe the URLs before secrets were hidden
    """

    def __init__(
        self,
        drop: tuple[str, ...] = (),
        redaction: Redaction | None = None,
        anonymizer: Anonymizer | None = None,
        *,
        keeps_findings: bool = False,
    ) -> None:
        self.keeps_findings = keeps_findings
        self._drop = [name.encode("utf-8", "surrogateescape") for name in drop]
        self._redaction = redaction
        self.anonymizer = anonymizer

    def drop(self, raw: Raw) -> None:
        """Drop parameters, in place. Safe on any thread, as `hide` and `anonymize`."""
        if self._drop:
            raw.urls = self._drop_queries(raw)
            if REFERER in raw.details:
                raw.details[REFERER] = drop_params(raw.details[REFERER], self._drop, threads=1, strings="view")

    def hide(self, raw: Raw) -> None:
        """Hide secrets, in place."""
        hide = self._redaction
        if hide is None:
            return
        raw.urls = redacted_urls(hide, raw.urls)
        for name, column in raw.details.items():
            if column.type == _BYTES and not (self.keeps_findings and name == "time"):  # counts show no text of a time
                is_user = name == USER and hide.hides_users
                way = redacted_users if is_user else redacted_urls if name == REFERER else redacted_texts
                raw.details[name] = way(hide, column)
        for name, column in raw.kept.items():
            if column.type == pa.binary():
                raw.kept[name] = redacted_texts(hide, column)

    def anonymize(self, raw: Raw) -> None:
        """Anonymize addresses, in place."""
        hide = self.anonymizer
        if hide is None:
            return
        raw.urls = each_distinct(raw.urls, hide.text)
        ways = {CLIENT: hide.client, VISITOR: hide.client, FORWARDED: hide.clients}
        for name, column in raw.details.items():
            if column.type == _BYTES and name != "time":
                raw.details[name] = each_distinct(column, ways.get(name, hide.text))
        raw.kept = {name: hide.kept(column) for name, column in raw.kept.items()}

    @property
    def hides_users(self) -> bool:
        return self._redaction is not None and self._redaction.hides_users

    def hide_in_text(self, data: bytes) -> bytes:
        """Hide secrets in a text."""
        return data if self._redaction is None else self._redaction.text(data)

    def anonymize_line(self, line: bytes, client: bytes | None = None) -> bytes:
        """Anonymize addresses in a log line with this client."""
        return line if self.anonymizer is None else self.anonymizer.line(line, client)

    def line(self, data: bytes) -> bytes:
        """Hide secrets and anonymize addresses in a line that is not a record."""
        return self.anonymize_line(self.hide_in_text(data))

    def reject(self, data: bytes) -> bytes:
        """Apply the changes to a line that fits no format. White space and quotes end a query."""
        if self._drop:
            data = _QUERY.sub(lambda query: drop_params_of(query[0], self._drop), data)
        return self.line(data)

    def _drop_queries(self, raw: Raw) -> pa.Array:
        if raw.targets is None:
            return drop_params(raw.urls, self._drop, form=cast(Form, raw.form), threads=1, strings="view")
        forms: tuple[Form, ...] = ("request-target", "url")
        both = [drop_params(raw.urls, self._drop, form=form, threads=1).cast(pa.binary()) for form in forms]
        is_target = pa.Array.from_buffers(pa.bool_(), len(raw.urls), [None, raw.targets])
        return pc.if_else(is_target, *both).cast(_BYTES)


@contextmanager
def changed_quotes(changes: Changes | None) -> Iterator[None]:
    """If the block raises an error that quotes a line, redact that line too."""
    try:
        yield
    except LogError as error:
        if changes is not None and error.quote is not None:
            error.excerpt = error.quote.excerpt(changes.reject)
        raise
