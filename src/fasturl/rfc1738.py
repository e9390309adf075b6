"""RFC 1738's own classes of characters and its escapes (sections 2.2 and 5).

>>> classify("~"), classify(0x2F) in CharClass.RESERVED
(<CharClass.NATIONAL: 64>, True)
>>> escape("a b/é", CharClass.UNRESERVED | CharClass.RESERVED), unescape("a%20b")
('a%20b/%C3%A9', b'a b')
"""

from fasturl._chars import CharClass
from fasturl._urllib import classify, classify_bytes, escape, escape_login, unescape

__all__ = ["CharClass", "classify", "classify_bytes", "escape", "escape_login", "unescape"]
