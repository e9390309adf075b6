"""`problems` and `equivalent` for columns."""

from __future__ import annotations

from typing import Any, Literal

import pyarrow as pa

from fasturl._fastparse import is_request_target
from fasturl.arrow.columns_in import as_arrays, paired
from fasturl.arrow.gathering import Problems, Same, gathered
from fasturl.arrow.threads import run

__all__ = ["equivalent", "problems"]


def problems(
    column: Any, *, form: Literal["url", "request-target"] = "url", threads: int | None = None
) -> pa.Array | pa.ChunkedArray:
    """Every violation and hazard of each URL of a column, with its range: ``fasturl.problems``.

    column, threads : as for ``fasturl.arrow.parse``
    form : "url" or "request-target"
    Returns lists of structs of ``finding`` (uint32, a bit of ``Finding``), ``start`` and ``end`` (int32), sorted by
    start. The offsets count bytes, also in text. A URL without a problem has an empty list. Null stays null.
    Raises: TypeError for another column, ValueError for another form or a text over 2**30 bytes.
    Cost: O(bytes), and 12 bytes per problem. Source: RFC 1738 sections 2.2, 3, 5 and 6.

    >>> problems(["http://h/a b#c", "http://h/", None]).to_pylist()
    [[{'finding': 16, 'start': 10, 'end': 11}, {'finding': 32, 'start': 12, 'end': 13}], [], None]
    """
    is_request_target(form)  # raises ValueError for another form, even for a column without rows
    kind = pa.list_(Problems.KIND)
    return gathered(as_arrays(column), lambda rows: Problems(rows, form), Problems.lists, kind, threads)


def equivalent(a: Any, b: str | bytes | Any, *, threads: int | None = None) -> pa.Array | pa.ChunkedArray:
    """True for each row whose URLs in two columns are equivalent by RFC 1738 section 2.2: ``fasturl.equivalent``.

    a : a column as for ``fasturl.arrow.parse``
    b : a column of as many rows, of text or binary like the other; or str, or bytes-like for a binary column
    threads : as for ``fasturl.arrow.parse``
    Returns an Array of bool, or a ChunkedArray if a column has chunks. A row is null if one of its URLs is null.
    Raises: TypeError for other columns, ValueError for columns of different lengths or a text over 2**30 bytes.
    Cost: O(bytes). Source: RFC 1738 sections 2.2 and 3.1 to 3.11.

    >>> equivalent(["http://h", "http://h/a", None], ["HTTP://H:80/", "http://h/a/", "x"]).to_pylist()
    [True, False, None]
    """
    pieces, _, chunked = paired(a, b)
    jobs = [Same(one, other) for one, other in pieces]
    run(jobs, threads)
    if chunked:
        return pa.chunked_array([job.result() for job in jobs], pa.bool_())
    return jobs[0].result() if jobs else pa.array([], pa.bool_())
