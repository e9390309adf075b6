"""Methods and status codes of HTTP, which prove that a field is one."""

from __future__ import annotations

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
