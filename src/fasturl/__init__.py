"""Read URLs: faster than urllib.parse, and exactly as RFC 1738 has them."""

from fasturl._fastparse import URL, parse, parse_many, problems, register_scheme
from fasturl._version import __version__ as __version__
from fasturl.chars import CharClass
from fasturl.errors import InvalidURL, UnsafeURL
from fasturl.findings import Finding, Problem

__all__ = [
    "URL",
    "CharClass",
    "Finding",
    "InvalidURL",
    "Problem",
    "UnsafeURL",
    "parse",
    "parse_many",
    "problems",
]

register_scheme("https", "http", 443)
