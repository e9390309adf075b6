"""A URL as a reader sees it: in rows of a terminal's width, without its password, with carets under its places."""

from __future__ import annotations

from collections.abc import Iterator

from fasturl._fastparse import _passwords
from fasturl.cli.terminal import octets_visible

_HIDDEN = "***"
# A URL of many megabytes is shown by its beginning.
_SHOWN_AT_MOST = 4000
# A fault of more rows is shown by its first ones.
_ROWS_AT_MOST = 3


class Picture:
    """How each octet of a text is shown: itself or an escape; and a password not at all, unless `passwords`."""

    def __init__(self, text: bytes, *, passwords: bool = False) -> None:
        self._length = len(text)
        self._shown = octets_visible(text[:_SHOWN_AT_MOST])
        for start, end in () if passwords else _passwords(text):
            for at in range(start, min(end, len(self._shown))):
                self._shown[at] = _HIDDEN if at == start else ""

    def rows(self, width: int, start: int = 0, end: int | None = None) -> list[str]:
        """The text of a place in rows of at most so many columns."""
        end = self._length if end is None else end
        rows = [self._row(*span) for span in self._spans(width, start, min(end, len(self._shown)))]
        if end > len(self._shown):
            rows.append("...")
        return rows

    def carets(self, width: int, start: int, end: int) -> list[str]:
        """The rows of the whole text in which a place stands, each over its carets; none for what is not shown."""
        if start > len(self._shown):
            return []
        end = min(max(end, start), len(self._shown))
        lines: list[str] = []
        for first, last in self._spans(width, 0, len(self._shown)) or [(0, 0)]:
            is_last = last == len(self._shown)
            if last < start or (last == start and not is_last) or (first >= end and first > start):
                continue
            if len(lines) == 2 * _ROWS_AT_MOST:
                return [*lines, "..."]
            left = len(self._row(first, max(first, start)))
            marked = len(self._row(max(first, start), min(last, end)))
            more = "..." if is_last and last < self._length else ""
            lines += [self._row(first, last) + more, " " * left + "^" * max(1, marked)]
        return lines

    def _row(self, start: int, end: int) -> str:
        return "".join(self._shown[start:end])

    def _spans(self, width: int, start: int, end: int) -> list[tuple[int, int]]:
        """Where rows begin and end; an escape stands in one row."""
        return list(self._cut(width, start, end))

    def _cut(self, width: int, start: int, end: int) -> Iterator[tuple[int, int]]:
        columns = 0
        for at in range(start, end):
            if columns + len(self._shown[at]) > width:
                yield start, at
                start, columns = at, 0
            columns += len(self._shown[at])
        if start < end:
            yield start, end
