"""URLs by the column, from Arrow to Arrow: the same answers as the functions of one URL, millions of rows a second.

``parse`` reads a column of URLs into a column for each field and ``parse_batches`` a stream of them in constant memory;
``quote`` and the other functions of this name turn one column of texts into another.
"""

from fasturl.arrow import functions
from fasturl.arrow.columns_in import Strings
from fasturl.arrow.decomposing import decompose
from fasturl.arrow.functions import *  # noqa: F403 - a function of one URL each, for columns
from fasturl.arrow.parsing import DEFAULT_FIELDS, FIELDS, parse, parse_batches, schema
from fasturl.arrow.problems_and_equivalence import equivalent, problems
from fasturl.arrow.texts import (
    join,
    normalize,
    query_value,
    quote,
    quote_plus,
    redact,
    unquote,
    unquote_plus,
    unquote_safe,
)

__all__ = [
    "DEFAULT_FIELDS",
    "FIELDS",
    "Strings",
    "decompose",
    "equivalent",
    "join",
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
