"""Forty-two inputs that common parsers refuse, rewrite or misread, with their parts and findings."""

NUL_PATH = "http://ex/a\0b%00c"
LONG = "http://ex/" + "a" * 8400
TLS = b"\x16\x03\x01\x02\0"

# text, form, the five parts, names of the findings, error_offset
TARGET, URL = "request-target", "url"
NASTY = [
    ("/index.html?x=1", TARGET, ("", "", "/index.html", "x=1", ""), "", None),
    ("*", TARGET, ("", "", "*", "", ""), "", None),
    ("example.com:443", TARGET, ("", "example.com:443", "", "", ""), "", None),
    ("//admin/x?y", TARGET, ("", "", "//admin/x", "y", ""), "", None),
    ("//a[b]/c", TARGET, ("", "", "//a[b]/c", "", ""), "UNSAFE", 3),
    ("-", TARGET, ("", "", "-", "", ""), "", None),           ("", URL, ("", "", "", "", ""), "NO_SCHEME", 0),
    ("http://ex/a%", URL, ("http", "ex", "/a%", "", ""), "BAD_ESCAPE", 11),
    ("http://ex/a%2", URL, ("http", "ex", "/a%2", "", ""), "BAD_ESCAPE", 11),
    ("http://ex/%zz", URL, ("http", "ex", "/%zz", "", ""), "BAD_ESCAPE", 10),
    ("http://ex/%u0041", URL, ("http", "ex", "/%u0041", "", ""), "BAD_ESCAPE", 10),
    ("http://ex/caf\xe9", URL, ("http", "ex", "/caf\xe9", "", ""), "NON_ASCII", 13),
    ("http://ex/caf%E9", URL, ("http", "ex", "/caf%E9", "", ""), "", None),
    ("http://ex/a|b{c}^`", URL, ("http", "ex", "/a|b{c}^`", "", ""), "UNSAFE", 11),
    ("http://ex/a b", URL, ("http", "ex", "/a b", "", ""), "UNSAFE", 11),
    ("/s?q=<script>alert(1)</script>", TARGET, ("", "", "/s", "q=<script>alert(1)</script>", ""), "UNSAFE RESERVED", 5),
    ("http://u:p:q@ex:8080/", URL, ("http", "u:p:q@ex:8080", "/", "", ""), "LOGIN PASSWORD NONDEFAULT_PORT", 7),
    ("http://u:p@ss@ex/", URL, ("http", "u:p@ss@ex", "/", "", ""), "LOGIN PASSWORD MULTIPLE_AT", 7),
    ("http://[::1]:80/x", URL, ("http", "[::1]:80", "/x", "", ""), "UNSAFE BAD_HOST", 7),
    ("http://[fe80::1%25eth0]/", URL, ("http", "[fe80::1%25eth0]", "/", "", ""), "UNSAFE BAD_HOST AMBIGUOUS_AUTHORITY",
     7),
    ("http://[::1/x", URL, ("http", "[::1", "/x", "", ""), "UNSAFE BAD_HOST BAD_PORT AMBIGUOUS_AUTHORITY", 7),
    ("http://ex:99999/", URL, ("http", "ex:99999", "/", "", ""), "BAD_PORT AMBIGUOUS_AUTHORITY", 10),
    ("http://ex:8a/", URL, ("http", "ex:8a", "/", "", ""), "BAD_PORT AMBIGUOUS_AUTHORITY", 11),
    ("http://ex:/", URL, ("http", "ex:", "/", "", ""), "BAD_PORT", 10),
    ("http://ex/a\r\nSet-Cookie: x", URL, ("http", "ex", "/a\r\nSet-Cookie: x", "", ""), "CONTROL UNSAFE", 11),
    ("http://ex/a%0d%0aX", URL, ("http", "ex", "/a%0d%0aX", "", ""), "ENCODED_CONTROL", None),
    (NUL_PATH, URL, ("http", "ex", "/a\0b%00c", "", ""), "CONTROL ENCODED_CONTROL", 11),
    ("http://ex/%252e%252e%252f", URL, ("http", "ex", "/%252e%252e%252f", "", ""), "DOUBLE_ENCODED TRAVERSAL", None),
    ("http://ex/..%c0%af..", URL, ("http", "ex", "/..%c0%af..", "", ""), "OVERLONG_UTF8", None),
    (LONG, URL, ("http", "ex", "/" + "a" * 8400, "", ""), "", None),
    (TLS, TARGET, (b"", b"", TLS, b"", b""), "CONTROL", 0),
    ("http://good.com\\@evil.com/", URL, ("http", "good.com\\@evil.com", "/", "", ""),
     "UNSAFE LOGIN BACKSLASH AMBIGUOUS_AUTHORITY", 7),
    ("http://a\u2100b.com/", URL, ("http", "a\u2100b.com", "/", "", ""), "NON_ASCII BAD_HOST AMBIGUOUS_AUTHORITY", 8),
    ("http://ex/a\x1b[0m", URL, ("http", "ex", "/a\x1b[0m", "", ""), "CONTROL UNSAFE", 11),
    ("/${jndi:ldap://x:1/a}", TARGET, ("", "", "/${jndi:ldap://x:1/a}", "", ""), "UNSAFE", 2),
    ("gopher://ex/11/x%09s%09+", URL, ("gopher", "ex", "/11/x%09s%09+", "", ""), "", None),
    ("mailto:a@b?subject=x", URL, ("mailto", "", "a@b", "subject=x", ""), "", None),
    ("ftp://u@ex/%2Fetc/x;type=i", URL, ("ftp", "u@ex", "/%2Fetc/x;type=i", "", ""), "", None),
    ("news:comp.lang.python", URL, ("news", "", "comp.lang.python", "", ""), "", None),
    ("HTTP://EX.com:80/%7Euser/../b", URL, ("http", "EX.com:80", "/%7Euser/../b", "", ""), "", None),
    ("/a#f?x", TARGET, ("", "", "/a", "", "f?x"), "FRAGMENT", 2),
    ("http://ex/?#", URL, ("http", "ex", "/", "", ""), "FRAGMENT", 11),
]  # fmt: skip
