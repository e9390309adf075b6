"""surt gives the keys of a slow reference, whose rules are those that the package surt 0.3.1 shows from outside."""

import random
import re
import socket

import pytest
from nasty import NASTY

import fasturl

pytestmark = pytest.mark.usefixtures("kernel")

PARTS = re.compile(rb"(?:([a-zA-Z][a-zA-Z0-9+.-]*):)?(?://([^/?#]*))?([^?#]*)(?:\?([^#]*))?", re.DOTALL)
PATH_SESSIONS = [rb"(.*/)\((?:[a-z]\([0-9a-z]{24}\))+\)/([^?]+\.aspx.*)", rb"(.*/)\([0-9a-z]{24}\)/([^?]+\.aspx.*)"]
QUERY_SESSIONS = [
    rb"(.*)jsessionid=[0-9a-z]{32}(?:&(.*))?", rb"(.*)phpsessid=[0-9a-z]{32}(?:&(.*))?",
    rb"(.*)sid=[0-9a-z]{32}(?:&(.*))?", rb"(.*)aspsessionid[a-z]{8}=[a-z]{24}(?:&(.*))?",
    rb"(.*)cfid=[^&]+&cftoken=[^&]+(?:&(.*))?",
]  # fmt: skip
PIECES = [
    "http://", "https://", "HTTP://", "ftp://", "foo:", "x+y://", "dns:", "filedesc:", "http:", "https:/", "//", "/",
    "/", "/", ".", "..", "./", "../", "/..", "?", "?", "#", "&", "&", "=", "@", ":", ":80", ":443", ":8080", ":080",
    ":x", "[", "]", "[::1]", "www.", "www2.", "WWW", "a.com", "EXAMPLE.org", "1.2.3.4", "0", "010", "256", "12", "8",
    "a", "C", "D=1", "%41", "%2e", "%2f", "%25", "%3f", "%23", "%26", "%3D", "%", "%2", "%zz", "%c3%a9", "%FF", "%00",
    "%20", "%5b", "+", " ", "\t", "\n", "\0", "\x7f", "\x0b", "\xe9", "\xfc.de", "\xdf", "\u516c", "\u3002", "\u212a",
    "\u0130", "\uff05", "e\u0301", "x" * 64, "xn--", "_", "~", "!", "(", ")", ";", "\\", "|", '"',
    "sid=", "SID=" + "a1" * 16, "jsessionid=" + "0aB1" * 8, "PHPSESSID=" + "c3" * 16, "aspsessionidabcdefg=" + "X" * 24,
    "aspsessionidabcdefgh=" + "X" * 24,
    "cfid=1&cftoken=2", "cfid=", "cftoken=", "(S(" + "4h" * 12 + "))/", "/(" + "4H" * 12 + ")/", ".aspx", "0" * 24,
]  # fmt: skip
STARTS = ["http://", "https://h", "http://h/", "http://h/?", "http://a.b/c?", "//", "foo:", "",
          "http://u:p@www.e.com:80/"]  # fmt: skip


def decoded(text: bytes) -> bytes:
    while (shorter := re.sub(rb"%([0-9a-fA-F]{2})", lambda found: bytes([int(found[1], 16)]), text)) != text:
        text = shorter
    return text


def escaped(text: bytes) -> bytes:
    return re.sub(rb"[\x00-\x20\x7f-\xff#%]", lambda found: b"%%%02x" % found[0][0], text.lower())


def without_sessions(text: bytes, sessions: list[bytes]) -> bytes:
    for session in sessions:
        if found := re.fullmatch(session, text):
            text = found[1] + (found[2] or b"")
    return text


def address(host: bytes) -> bytes:
    if re.fullmatch(rb"[0-9]+", host):
        return socket.inet_ntoa((int(host) & 0xFFFFFFFF).to_bytes(4, "big")).encode()
    if re.fullmatch(rb"0[0-7]*(\.[0-7]+){1,3}|[1-9][0-9]*(\.[0-9]+){1,3}", host):
        try:
            return socket.inet_ntoa(socket.inet_aton(host.decode())).encode()
        except OSError:
            pass
    return host


def final_host(host: bytes) -> bytes:
    host = decoded(host)
    try:
        host = host.decode("utf-8", "ignore").encode("idna")
    except UnicodeError:
        pass
    return re.sub(rb"\Awww\d*\.", b"", escaped(address(host.strip(b".").replace(b"..", b"."))))


def segments(path: bytes) -> bytes:
    kept: list[bytes] = []
    for one in path[1:].split(b"/"):
        if one == b".." and kept:
            kept.pop()
        elif one != b".":
            kept.append(one)
    return re.sub(rb"//+", b"/", b"/" + b"/".join(kept))


def reference(url: bytes) -> bytes | None:
    if not url or url.startswith(b"filedesc"):
        return url or b"-"
    text = url.strip().translate(None, b"\t\r\n")
    if not text:
        return None
    text = text if re.match(rb"[a-zA-Z][a-zA-Z0-9+.-]*:", text) else b"http://" + text
    found = PARTS.match(re.sub(rb"\A(?:https?://)+(?=https?://)", b"", text))
    assert found
    scheme, netloc, path, query = found.groups(b"")
    host, port = netloc.rstrip(b":").rpartition(b"@")[2], b""
    if b"[" in host:
        host, _, port = host.partition(b"[")[2].partition(b"]")
        port = port.partition(b":")[2]
    else:
        host, _, port = host.partition(b":")
    if port and not (port.isdigit() and int(port) < 65536):
        return None
    if not host and path and scheme.startswith(b"http"):
        host, _, path = path.lstrip(b"/").partition(b"/")
        path = b"/" + path
    host, path = final_host(host), decoded(path)
    path = without_sessions(escaped(segments(path) if host else path), PATH_SESSIONS)
    path = path[:-1] if len(path) > 1 and path.endswith(b"/") else path
    query = without_sessions(escaped(decoded(query)), QUERY_SESSIONS)
    query = b"&".join(sorted(query.split(b"&"), key=lambda pair: pair.split(b"=", 1)))
    tail = path + b"?" + query if path and query else path or (query and b"/?" + query)
    if not host:
        return scheme + b":" + tail
    port = b"%d" % int(port or 0)
    shown = b"" if port == b"0" or (scheme.lower(), port) in ((b"http", b"80"), (b"https", b"443")) else b":" + port
    return b",".join(host.split(b".")[::-1]) + shown + b")" + tail


def random_texts(seed: str, count: int) -> list[bytes]:
    rng = random.Random(seed)
    texts = [rng.choice(STARTS) + "".join(rng.choices(PIECES, k=rng.randrange(12))) for _ in range(count)]
    return [text.encode().replace(b"\xc3", b"\xff" if i % 2 else b"\xc3") for i, text in enumerate(texts)]


def test_single_texts_agree_with_the_reference(tries: int) -> None:
    texts = [text.encode(errors="surrogatepass") for text, *_ in NASTY if isinstance(text, str)]
    for url in [*random_texts("surt", tries), *texts, b"\t", b"-", b"http:", b"8", b"http://%EF%BC%85%EF%BC%9441.x/"]:
        wanted = reference(url)
        assert fasturl.surt(url) == wanted, url
        try:
            text = url.decode()
        except UnicodeDecodeError:
            continue
        assert fasturl.surt(text) == (None if wanted is None else wanted.decode()), url


def test_columns_agree_with_the_reference(tries: int) -> None:
    pa = pytest.importorskip("pyarrow")
    from fasturl import arrow

    texts = random_texts("columns", tries)
    wanted = [reference(url) for url in texts]
    for strings in ("string", "view"):
        assert arrow.surt(pa.array(texts), strings=strings).to_pylist() == wanted


def test_real_urls_agree_with_the_reference(real_urls: list[str], tries: int) -> None:
    for url in real_urls[:: max(1, 5 * len(real_urls) // tries)]:
        assert fasturl.surt(url.encode()) == reference(url.encode()), url


def test_a_key_costs_linear_time() -> None:
    """By length alone: a scan of the rest per byte would take hours."""
    n = 1 << 16
    units = ("%25", "%2", "%%32", "/..", "/(", "(" + "a" * 24 + ")/", "cfid=", "sid=" + "a" * 32 + "&", "&", "=", ".",
             "1", "http://")  # fmt: skip
    for unit in units:
        for start in ("", "//\xe9", "http://", "http://h/", "http://h/x.aspx/", "http://h/?id="):
            fasturl.surt(start + unit * (n // len(unit)))
