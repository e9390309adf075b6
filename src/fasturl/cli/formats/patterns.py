"""The lines of logs, as patterns with the groups of GROUPS.

Every pattern runs in time linear in the line: words and quoted strings are possessive, what is not is bounded
or ends at a place that can be tried only so often.
"""

import re

GROUPS = (
    *("client", "user", "time", "method", "protocol", "status", "size", "agent", "vhost"),
    *("target", "request", "referer"),
)


def _words(*pieces: bytes) -> bytes:
    return b" ".join(pieces)


def _quoted(group: bytes) -> bytes:
    return rb'"(?P<' + group + rb'>[^"\\]*+(?:\\.[^"\\]*+)*+)"'


# A request line in full, the common case, or whatever else the client sent.
_REQUEST = (
    rb'"(?:(?P<method>[A-Z]++) (?P<target>[^ "\\]++) (?P<protocol>HTTP/[0-9.]++)"'
    rb'|(?P<request>[^"\\]*+(?:\\.[^"\\]*+)*+)")'
)
_WORD = rb"[^ ]++"
_TIME = rb"\[(?P<time>[^\]\[]{1,64})\]"
_STATUS = rb"(?P<status>[0-9]{3}|-)"
_SIZE = rb"(?P<size>[0-9]{1,20}|-)"
_MORE = rb"(?: .*+)?"

# A user's name may hold spaces; it ends where a bracketed time and a quote follow.
_COMMON = _words(rb"(?P<client>[^ ]++)", _WORD, rb"(?P<user>.+?)", _TIME, _REQUEST, _STATUS, _SIZE)
_COMBINED = _words(_COMMON, _quoted(b"referer"), _quoted(b"agent"))
# A hyphen after the host would be the second word of a log without hosts.
_VHOST = rb"(?P<vhost>[^ ]++) (?!- )"

_ELB = _words(
    rb"(?P<time>[0-9][0-9T:.Z-]{9,40})",
    _WORD,  # the balancer
    rb"(?P<client>[^ ]{1,255}?)(?::[0-9]{1,5})?",
    *(_WORD, _WORD, _WORD, _WORD),  # the server and three times
    _STATUS,
    *(_WORD, rb"[0-9-]++"),  # the server's status, octets received
    _SIZE,
    _REQUEST,
)

PATTERNS: dict[str, bytes] = {
    "COMBINED": _COMBINED + _MORE,
    "VCOMBINED": _VHOST + _COMBINED + _MORE,
    "COMMON": _COMMON + _MORE,
    "VCOMMON": _VHOST + _COMMON + _MORE,
    "TRAEFIKCLF": _COMBINED + _MORE,
    "SQUID": _words(
        rb"(?P<time>[0-9]{1,12}\.[0-9]{1,6}) *+[0-9-]++",  # and how long it took, right-aligned
        rb"(?P<client>[^ ]++)",
        rb"[^ /]++/(?P<status>[0-9]{3})",
        rb"(?P<size>[0-9]{1,20})",
        rb"(?P<method>[^ ]++)",
        rb"(?P<target>.+?)",
        rb"(?P<user>[^ ]++)",
        rb"[^ /]++/[^ ]++",
        _WORD,
    ),
    "AWSELB": _ELB + rb"(?: " + _quoted(b"agent") + rb")?" + _MORE,
    "AWSALB": _words(rb"(?:https?|h2|grpcs|wss?)", _ELB, _quoted(b"agent")) + _MORE,
    "AWSS3": _words(
        *(_WORD, rb"(?P<vhost>[^ ]++)"),  # owner, bucket
        _TIME,
        *(rb"(?P<client>[^ ]++)", rb"(?P<user>[^ ]++)"),
        *(_WORD, _WORD, _WORD),  # request id, operation, key
        _REQUEST,
        *(_STATUS, _WORD, _SIZE),  # and the error's name
        *(_WORD, _WORD, _WORD),  # the object's size, two times
        *(_quoted(b"referer"), _quoted(b"agent")),
    )
    + _MORE,
}

# The formats whose plain lines `fasturl._clf` reads without a pattern: whether they start with the host, and
# whether referer and agent follow.
PLAIN = {
    "COMBINED": (False, True),
    "VCOMBINED": (True, True),
    "COMMON": (False, False),
    "VCOMMON": (True, False),
    "TRAEFIKCLF": (False, True),
}


def compile_pattern(name: str) -> re.Pattern[bytes]:
    """The pattern with all groups: those that a format lacks never match, and so are None."""
    pattern = PATTERNS[name]
    for group in GROUPS:
        if b"(?P<" + group.encode() + b">" not in pattern:
            pattern += b"(?P<" + group.encode() + b">(?!))?"
    return re.compile(pattern, re.DOTALL)
