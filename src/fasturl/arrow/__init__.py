"""Functions of Arrow columns of URLs, with the same answers as the functions of one URL.

``parse`` reads a column of URLs into one column per field. ``parse_batches`` reads a stream of columns in constant
memory. ``quote`` and the other functions map a column of texts to a column of results.
"""

from fasturl._extras import needed_by

with needed_by("fasturl.arrow"):
    import pyarrow  # noqa: F401 - imported here, so that the error names the extra

from fasturl.arrow import functions
from fasturl.arrow.columns_in import Strings
from fasturl.arrow.decomposing import decompose
from fasturl.arrow.functions import *  # noqa: F403 - the functions of one URL, for columns
from fasturl.arrow.gathering import equivalent, problems
from fasturl.arrow.parsing import DEFAULT_FIELDS, FIELDS, parse, parse_batches, schema
from fasturl.arrow.texts import (
    normalize,
    query_value,
    quote,
    quote_plus,
    redact,
    unquote,
    unquote_plus,
    unquote_safe,
    urljoin,
)

__all__ = [
    "DEFAULT_FIELDS",
    "FIELDS",
    "Strings",
    "decompose",
    "equivalent",
    "urljoin",
    "normalize",
    "parse",
    "parse_batches",
    "problems",
    "query_value",
    "quote",
    "quote_plus",
    "redact",
    "schema",
    "unquote",
    "unquote_plus",
    "unquote_safe",
    *functions.__all__,
]
