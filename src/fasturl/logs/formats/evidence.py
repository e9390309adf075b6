"""Shapes by which a text is recognised: HTTP methods and status codes, URLs, and table values."""

from __future__ import annotations

import re

from fasturl._fastparse import schemes
from fasturl._patterns import lazy_pattern

# The methods of RFC 9110 and PATCH, which most programs know, and the others of IANA's registry.
USUAL = tuple(b"GET HEAD POST PUT DELETE OPTIONS PATCH CONNECT TRACE".split())
_OTHERS = (
    b"ACL BASELINE-CONTROL BIND CHECKIN CHECKOUT COPY LABEL LINK LOCK MERGE MKACTIVITY MKCALENDAR MKCOL MKREDIRECTREF "
    b"MKWORKSPACE MOVE ORDERPATCH PROPFIND PROPPATCH QUERY REBIND REPORT SEARCH UNBIND UNCHECKOUT UNLINK UNLOCK "
    b"UPDATEREDIRECTREF UPDATE VERSION-CONTROL"
).split()
METHODS = b"|".join((*USUAL, *_OTHERS))
# Registered status codes, and those that nginx, Cloudflare and load balancers added.
STATUSES = frozenset(
    b"%d" % status for status in
    (*range(100, 104), *range(200, 209), 218, 226, *range(300, 309), *range(400, 419), *range(420, 432), 440, 444, 449,
     450, 451, 460, 463, 464, *range(494, 500), *range(500, 512), *range(520, 531), 561, 598, 599)
)  # fmt: skip
# The bytes that divide the values of a table.
DELIMITERS = (b"\t", b",", b";", b"|")
# A value of data, which no name of a column is: it begins as a number, an address, a time, a path or a URL.
LIKE_DATA = lazy_pattern(rb'"?(?:[0-9]|/|[a-z]+://)')

# A line of a list of URLs looks like a scheme with slashes, a known scheme without them, a path, or a host with a dot,
# a port or a path. It holds no blank and no control character.
_OPAQUE = ("about", "blob", "cid", "data", "geo", "javascript", "magnet", "mid", "sip", "sips", "sms", "tel", "urn",
           "view-source", "xmpp")  # fmt: skip
_SCHEME = rb"[A-Za-z][A-Za-z0-9+.-]{0,30}+:[/\\]{2}|(?i:%s):(?=.)"
_NAME, _PORT = rb"[A-Za-z0-9_-]{1,63}+", rb":[0-9]{1,5}+"
_HOST = (
    rb"(?:\[[0-9A-Fa-f:.]++\]|(?=[0-9_-]*+[A-Za-z.])"
    rb"(?:%(name)s(?:\.%(name)s){1,126}+\.?+(?:%(port)s)?+(?=[/?#]|\Z)|%(name)s(?:%(port)s(?=[/?#]|\Z)|/)))"
) % {b"name": _NAME, b"port": _PORT}


def url_start() -> re.Pattern[bytes]:
    """Return the pattern for lines in a list of URLs. It is long, and few runs need it."""
    names = "|".join(re.escape(name) for name in dict.fromkeys((*schemes(), *_OPAQUE)))
    return re.compile(rb"(?:%s|[/?#]|%s)[^\x00-\x20\x7f]*+\Z" % (_SCHEME % names.encode(), _HOST))
