"""URLs by the column, from Arrow to Arrow: the same answers as the functions of one URL, millions of rows a second.

``parse`` reads a column of URLs into a column for each field and ``parse_batches`` a stream of them in constant memory;
``quote`` and the other functions of this name turn one column of texts into another.
"""

from fasturl.arrow.columns_in import Strings
from fasturl.arrow.functions import (
    FUNCTIONS,
    dedup_hash,
    dedup_key,
    drop_query,
    file_extension,
    file_name,
    first_segment,
    origin,
    path_and_query,
    path_depth,
    path_prefixes,
    path_template,
    public_suffix,
    query_and_fragment,
    query_names,
    query_pairs,
    query_values,
    registrable_domain,
    subdomain,
    url_prefixes,
    without,
)
from fasturl.arrow.parsing import DEFAULT_FIELDS, FIELDS, parse, parse_batches, schema
from fasturl.arrow.texts import normalize, query_value, quote, redact, unquote

__all__ = [
    "DEFAULT_FIELDS",
    "FIELDS",
    "FUNCTIONS",
    "Strings",
    "dedup_hash",
    "dedup_key",
    "drop_query",
    "file_extension",
    "file_name",
    "first_segment",
    "normalize",
    "origin",
    "parse",
    "parse_batches",
    "path_and_query",
    "path_depth",
    "path_prefixes",
    "path_template",
    "public_suffix",
    "query_and_fragment",
    "query_names",
    "query_pairs",
    "query_value",
    "query_values",
    "quote",
    "redact",
    "registrable_domain",
    "schema",
    "subdomain",
    "unquote",
    "url_prefixes",
    "without",
]
