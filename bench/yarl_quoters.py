"""yarl's compiled quoter and unquoter (private classes), set up for the rows that use them."""

from yarl._quoting import _Quoter, _Unquoter  # type: ignore[import-untyped, unused-ignore]

quoter = _Quoter(safe="/", requote=False)
"""Nearest to urllib's quote; but ``!$'()*,`` are safe to it as well."""
url_quoter = _Quoter(safe="/?:@#[]", protected="/?:@#[]+=&;", requote=True)
"""For a whole URL: what is reserved stays, an escape stays an escape."""
unquoter = _Unquoter()
