"""Functions for Arrow columns, with the same answers as the functions for a single URL.

You can call ``parse`` to read a column of URLs into a column for each field. When the URLs do not fit into memory, call
``parse_batches``. The other functions, for example ``quote``, map a column to a column with the results.
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
