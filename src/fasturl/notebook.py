"""HTML tables for notebooks: of a URL, of its problems, and of Arrow batches after ``%load_ext fasturl.notebook``.

Each text is escaped, shown with its control characters as in a ``repr``, and without passwords and values of
:data:`fasturl.SECRET_KEYS`. A cell of a batch is redacted alone: where readers disagree about a login
(``AMBIGUOUS_AUTHORITY``), the columns of parts hold pieces of a password that no rule recognizes.

>>> from fasturl import parse
>>> parse("http://u:pw@h/<b>")._repr_html_()[:62]
'<table><tr><th>part</th><th>value</th><th>place</th></tr><tr><'
"""

from collections.abc import Iterable, Sequence
from html import escape
from typing import Any

from fasturl._fastparse import URL, parse
from fasturl._quoted import without_secrets
from fasturl.findings import Finding, Problem
from fasturl.secrets import SECRET_KEYS

_PARTS = ("scheme", "username", "password", "host", "port", "path", "query", "fragment")
_ROWS = 20
# Text that a redactor needs in front of a part of a URL.
_PREFIXES = {"netloc": "//", "query": "?", "fragment": "#", "referer_netloc": "//", "referer_query": "?"}


def _table(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    lines = [("th", head), *(("td", row) for row in rows)]
    cells = ("".join(f"<{tag}>{escape(str(cell))}</{tag}>" for cell in line) for tag, line in lines)
    return f"<table>{''.join(f'<tr>{row}</tr>' for row in cells)}</table>"


def url_table(url: URL[Any]) -> str:
    """Return the parts of a URL with their places, its validity and its findings as an HTML table."""
    shown = parse(url.redacted(SECRET_KEYS), form=url.form)
    spans = {name: (url.span(name), shown.span(name)) for name in _PARTS}
    rows: list[tuple[object, ...]] = [
        (name, repr(shown.text[slice(*there)]), "{}–{}".format(*here)) for name, (here, there) in spans.items()
        if here and there
    ]  # fmt: skip
    rows.append(("valid", "yes" if url.valid else "no", "" if url.valid else url.error_offset))
    rows.append(("findings", _names(url.findings), ""))
    return _table(("part", "value", "place"), rows)


def problems_table(problems: Iterable[Problem]) -> str:
    """Return problems as an HTML table."""
    return _table(Problem._fields, ((one.finding.name, *one[1:]) for one in problems))


def batch_table(batch: Any) -> str:
    """Return the first rows of an Arrow RecordBatch or Table as an HTML table, with findings by name."""
    names = batch.schema.names
    rows = batch.slice(0, _ROWS).to_pylist()
    head = f"<p>{batch.num_rows:,} rows</p>"
    return head + _table(names, ([_cell(name, row[name]) for name in names] for row in rows))


def load_ipython_extension(ipython: Any) -> None:
    """Let a notebook show Arrow batches by :func:`batch_table`; ``%load_ext fasturl.notebook`` calls this."""
    formatter = ipython.display_formatter.formatters["text/html"]
    for name in ("RecordBatch", "Table"):
        formatter.for_type_by_name("pyarrow.lib", name, batch_table)


def _names(findings: Finding) -> str:
    return ", ".join(str(each.name) for each in findings)


def _cell(column: str, value: object) -> str:
    if value is None:
        return ""
    if column.endswith("findings") and isinstance(value, int):
        return _names(Finding(value))
    if column.endswith("password"):
        return "***"
    if not isinstance(value, str | bytes):
        return without_secrets(str(value))
    before = _PREFIXES.get(column, "")
    if isinstance(value, bytes):
        return repr(without_secrets(before.encode() + value)[len(before) :])
    return repr(without_secrets(before + value)[len(before) :])
