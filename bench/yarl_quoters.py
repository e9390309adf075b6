"""yarl's compiled quoter and unquoter (private classes), set up for the rows that use them."""

from yarl._quoting import _Quoter, _Unquoter  # type: ignore[import-untyped, unused-ignore]

quoter = _Quoter(safe="/", requote=False)
"""The quoter closest to urllib's quote. It also keeps ``!$'()*,``."""
url_quoter = _Quoter(safe="/?:@#[]", protected="/?:@#[]+=&;", requote=True)
"""For a whole URL: it keeps reserved characters and escapes."""
unquoter = _Unquoter()
