"""Seeded hostile texts: mutations of scheme, slashes, login, host and port."""

from __future__ import annotations

import random

SCHEMES = (
    *("http", "https", "HTTP", "ftp", "ws", "wss", "file", "gopher", "redis", "x", "git+ssh", "postgresql", "coap"),
    *("data", "h.ttp", "ht tp", "1x", "x-y", "example.com", "htt\xfd", "", "h\ttp", " http", "\x00http", "-x", "urn"),
    "javascript",
)  # fmt: skip
SLASHES = (
    *("//", "//", "//", "//", "//", "", "/", "///", "////", "\\\\", "/\\", "\\", "//\\", "/\t/", "// ", "/ /"),
    "\uff0f\uff0f",
)  # fmt: skip
USERS = (
    *("", "", "", "u@", "u:p@", "user:pa:ss@", "a@b@", ":p@", "u:@", "@", ":@", "u%40:p%3A@", "u;v=1:p@"),
    *("u!$&'()*+,:x@", "h.com:80@", "u?@", "u#@", "u/@", "u\\@", "u:p/w@", "u:p?w@", "u:p#w@", "u[:p]@", "[u]@", "u%@"),
    *("u%zz:p@", "u p@", "\xfc:p@", "u\u2028:p@", "u\t:p@", "u%00@", "u%2f:p%5c@", "u|v@", "u^:`@", '"u"@', "<u>@"),
    *("{u}@", "good.com\\@", "u~_.-@"),
)  # fmt: skip
HOSTS = (
    *("h", "h.com", "example.com", "EXAMPLE.com", "www.good-site.co.uk", "a-b.c_d.org", "_x._tcp.h", "h.", "h..com"),
    *(".h", "..", "h-.com", "127.0.0.1", "127.1", "2130706433", "0x7f000001", "0177.0.0.1", "127.0.0.01"),
    *("127.0.0.256", "1.2.3", "1.2.3.4.5", "0", "0x", "0x.h", "h.0x7f", "h.1", "1.h", "1.2.3.4.", "192.168.0.1"),
    *("08.1.1.1", "256", "4294967296", "1e3", "0xg", "h.08", "1.2.3.4h", "00.0.0.0", "[::1]", "[::1", "::1"),
    *("[::ffff:1.2.3.4]", "[::ffff:127.1]", "[1:2:3:4:5:6:7:8]", "[fe80::1%25eth0]", "[fe80::1%eth0]", "[v1.x]"),
    *("[::1]x", "x[::1]", "[h]", "[1.2.3.4]", "[::1]]", "[[::1]]", "[]", "[::G]", "[0:0::0:1]", "[::01]", "[::00001]"),
    *("[::1.2.3]", "[::%41]", "ex%61mple.com", "127%2e0%2e0%2e1", "h%2fx", "h%00.com", "h%", "h%zz", "%68"),
    *("h%40evil.com", "h%c3%bc.de", "%", "a%20b", "b\xfccher.de", "B\xdcCHER.de", "stra\xdfe.de", "\uff48.com"),
    *("h\u3002com", "h\uff0ecom", "\u2100.com", "\u2460.com", "h\xadx.com", "a\u200db.com", "a\u200cb.com"),
    *("\u0130.com", "\u03c3\u03c2.gr", "\u4f8b\u3048.jp", "\ud55c\uad6d.kr", "\u0440\u0444.ru", "\U0001f600.com"),
    *("\u212a.com", "o\u0308.de", "\u1e9e.de", "\u05d0.il", "\u0628.eg", "\ufb01.com", "h\u2044x", "h\uff1a80"),
    *("h\uff20x", "h\ufe55x", "\u0301a.de", "xn--bcher-kva.de", "xn--a.de", "xn--", "XN--BCHER-KVA.de", "xn--a-ecp.ru"),
    *("a--b.com", "ab--c.com", "-h.com", "h com", "h\tcom", "h\ncom", "h\x00", "h\x7f", " h", "h ", "h<x", "h>x"),
    *('h"x', "h^x", "h|x", "h`x", "h{x}", "h\\evil.com", "\\h", "h\\", "h!x", "h$x", "h&x", "h'x", "h(x)", "h*x"),
    *("h+x", "h,x", "h;x", "h=x", "h~x", "*.h.com", "", "localhost", "a" * 64 + ".com", "h#x", "h?x"),
)  # fmt: skip
PORTS = (
    *("", "", "", "", "", ":80", ":443", ":8080", ":", ":0", ":65535", ":65536", ":99999", ":100000", ":080", ":0080"),
    *(":00000080", ":-1", ":+80", ": 80", ":80 ", ":8x", ":x", ":80:90", "::80", ":\uff18\uff10", ":8_0", ":\u0663"),
    *(":1e2", ":0x50", ":80\t", ":80%", ":8%30"),
)  # fmt: skip
TAILS = (
    *("", "/", "/", "/a", "/a/b?x=1", "?q", "#f", "/a\\b", "/@evil.com/", "?@evil.com/", "#@evil.com/", "\\@evil.com/"),
    *("/a b", ";p", "/%2f", "/a\tb", "/..//x", "?a\\b", "/a?b c", "/\xfc", " "),
)  # fmt: skip
PLAIN = (
    ("http", "https"), ("//",), ("", "u:p@"), ("h.com", "example.com", "127.0.0.1"), ("", ":80"), ("", "/", "/a?b"),
)  # fmt: skip
PARTS = (SCHEMES, SLASHES, USERS, HOSTS, PORTS, TAILS)
NOISE = "/\\@:#?[]%.;&=+-_~!$'()*, \t\n\r\x00\x7f\"<>^`{|}0x1aA\u00fc\u3002\uff0f\uff20\u00ad\u200d"


def texts(seed: int | str, count: int) -> list[str]:
    """Return ``count`` texts: a plain URL in which each part may be replaced, then at times edited by character."""
    rng = random.Random(seed)
    found = []
    for _ in range(count):
        share = rng.choice((0.15, 0.3, 0.5, 1.0))
        scheme, slashes, user, host, port, tail = (
            rng.choice(odd if rng.random() < share else plain) for odd, plain in zip(PARTS, PLAIN, strict=True)
        )
        text = f"{scheme}{':' if scheme or rng.random() < 0.1 else ''}{slashes}{user}{host}{port}{tail}"
        for _ in range(rng.choice((0, 0, 0, 1, 1, 2))):
            at = rng.randrange(len(text) + 1)
            text = text[:at] + rng.choice((rng.choice(NOISE), "", text[at : at + 2])) + text[at + rng.randint(0, 1) :]
        found.append(text)
    return found
