"""Slow versions of every function from a URL to a part, a text or a list, by regular expressions. They share no code
with the kernel. A text is a str with one character, below U+0100, per byte."""

import ipaddress
import re

SPLIT = re.compile(r"(?:([A-Za-z][A-Za-z0-9+.-]*):)?(?://([^/?#]*))?([^?#]*)(?:\?([^#]*))?(?:#(.*))?", re.DOTALL)
AUTHORITY = re.compile(r"(\[[^/?#@]+\]|[^/?#@:]+):[0-9]+", re.DOTALL)
PORTS = {"http": "80", "https": "443", "ftp": "21", "gopher": "70", "nntp": "119", "telnet": "23", "wais": "210",
         "prospero": "1525"}  # fmt: skip
NUMBER = re.compile("0[xX][0-9a-fA-F]*|0[0-7]*|[1-9][0-9]*")
CAPITALS = {ord(c): c.lower() for c in "ABCDEFGHIJKLMNOPQRSTUVWXYZ"}

Bytes = str


def split(url: Bytes, form: str = "url") -> tuple[str | None, str | None, str, str | None, str | None]:
    """Return scheme, netloc, path, query and fragment; None for an absent part."""
    if form == "request-target" and url.startswith("/"):
        path, mark, fragment = url.partition("#")
        path, qmark, query = path.partition("?")
        return None, None, path, query if qmark else None, fragment if mark else None
    if form == "request-target" and AUTHORITY.fullmatch(url):
        return None, url, "", None, None
    found = SPLIT.fullmatch(url)
    assert found is not None
    return found.groups()  # type: ignore[return-value]


def file_name(url: Bytes, form: str = "url") -> Bytes | None:
    path = split(url, form)[2]
    return path.rpartition("/")[2].partition(";")[0] if path else None


def file_extension(url: Bytes, form: str = "url") -> Bytes | None:
    name = (file_name(url, form) or "").lstrip(".")
    return name.rpartition(".")[2] if "." in name else None


def first_segment(url: Bytes, form: str = "url") -> Bytes | None:
    path = split(url, form)[2]
    return path.removeprefix("/").partition("/")[0] if path else None


def path_depth(url: Bytes, form: str = "url") -> int:
    return len(list(filter(None, split(url, form)[2].split("/"))))


def path_and_query(url: Bytes, form: str = "url") -> Bytes:
    _, _, path, query, _ = split(url, form)
    return path if query is None else f"{path}?{query}"


def query_and_fragment(url: Bytes, form: str = "url") -> Bytes | None:
    _, _, _, query, fragment = split(url, form)
    if query is None:
        return None if fragment is None else "#" + fragment
    return query if fragment is None else f"{query}#{fragment}"


def host_and_port(netloc: str) -> tuple[str, str | None]:
    """Return the host with its brackets, and the port."""
    hostport = netloc.rpartition("@")[2]
    opened = hostport.find("[")
    closed = hostport.find("]", opened) if opened >= 0 else 0
    colon = -1 if closed < 0 else hostport.find(":", closed)
    return (hostport, None) if colon < 0 else (hostport[:colon], hostport[colon + 1 :])


def origin(url: Bytes, form: str = "url") -> Bytes | None:
    scheme, netloc = split(url, form)[:2]
    if scheme is None or netloc is None:
        return None
    host, port = host_and_port(netloc)
    result = f"{scheme}://{host}".translate(CAPITALS)
    if not port:
        return result
    if re.fullmatch("[0-9]+", port) and int(port) <= 65535:
        port = port.lstrip("0") or "0"
        return result if port == PORTS.get(scheme.translate(CAPITALS)) else f"{result}:{port}"
    return f"{result}:{port}"


UUID = "[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}"
DAY = r"[0-9]{4}([-_.])(0[1-9]|1[0-2])\1(0[1-9]|[12][0-9]|3[01])([T_]([0-9:.+Z-]|%3[aA])+)?"
NAMES = [
    ("{n}", re.compile("[0-9]+")),
    ("{uuid}", re.compile(f"(?=.*[0-9]){UUID}")),
    ("{date}", re.compile(f"{DAY}|[0-9]{{4}}-(0[1-9]|1[0-2])")),
    ("{hash}", re.compile("(?=.*[0-9])[0-9a-fA-F]{16,}")),
    ("{token}", re.compile("(?=(.*?([0-9](?=[A-Za-z])|[A-Za-z](?=[0-9]))){3})[0-9A-Za-z_.~=-]{16,}")),
]
MAIL = re.compile("((?!@|%40).)+(@|%40)[0-9A-Za-z.-]+", re.DOTALL)
EXTENSION = re.compile(r"(.+)(\.[A-Za-z][0-9A-Za-z]{0,4})", re.DOTALL)


def segment_name(segment: str) -> str | None:
    return next((name for name, rule in NAMES if rule.fullmatch(segment)), None)


def template_of_segment(segment: str, keep: tuple[str, ...]) -> str:
    segment = segment.partition(";")[0]
    if segment in keep:
        return segment
    mail = MAIL.fullmatch(segment)
    if mail and "." in re.split("@|%40", segment)[1][1:-1]:
        return "{mail}"
    divided = EXTENSION.fullmatch(segment)
    stem = segment_name(divided[1]) if divided else None
    if divided and stem:
        return f"{stem}{divided[2]}"
    return segment_name(segment) or segment


def path_template(url: Bytes, keep: tuple[str, ...] = (), form: str = "url") -> Bytes:
    return "/".join(template_of_segment(segment, keep) for segment in split(url, form)[2].split("/"))


def decoded(text: Bytes) -> Bytes:
    return re.sub("%([0-9A-Fa-f]{2})", lambda found: chr(int(found[1], 16)), text.replace("+", " "))


def matches(name: Bytes, pattern: Bytes) -> bool:
    return re.fullmatch(".*".join(map(re.escape, pattern.split("*"))), decoded(name), re.DOTALL) is not None


def dropped(query: Bytes, names: tuple[Bytes, ...]) -> list[Bytes]:
    """Return the pieces that stay."""
    return [piece for piece in query.split("&")
            if not piece or not any(matches(piece.partition("=")[0], name) for name in names)]  # fmt: skip


def together(before: Bytes, query: Bytes | None, fragment: Bytes | None) -> Bytes:
    return before + ("" if query is None else f"?{query}") + ("" if fragment is None else f"#{fragment}")


def before_query(url: Bytes) -> Bytes:
    return re.split("[?#]", url, maxsplit=1)[0]


def drop_params(url: Bytes, names: tuple[Bytes, ...], form: str = "url") -> Bytes:
    query, fragment = split(url, form)[3:]
    if query is None:
        return url
    left = dropped(query, names)
    if len(left) == len(query.split("&")):
        return url
    return together(before_query(url), "&".join(left) if any(left) else None, fragment)


def drop_parts(url: Bytes, parts: tuple[str, ...], form: str = "url") -> Bytes:
    scheme, netloc, path, query, fragment = split(url, form)
    if "scheme" in parts:
        scheme = None
    if netloc is not None:
        login, at, hostport = netloc.rpartition("@")
        if "login" in parts:
            login = at = ""
        elif "password" in parts:
            login = login.partition(":")[0]
        host, port = host_and_port(hostport)
        opened = host.find("[") + 1
        if "www" in parts and re.match(r"www\.[^]]*?\.", host[opened:].partition("]")[0], re.IGNORECASE | re.DOTALL):
            host = host[:opened] + host[opened + 4 :]
        if "port" in parts:
            port = None
        netloc = login + at + host + ("" if port is None else f":{port}")
    result = ("" if scheme is None else f"{scheme}:") + ("" if netloc is None else "" if slashless(url, form) else "//")
    return together(
        result + (netloc or "") + ("" if "path" in parts else path), None if "query" in parts else query,
        None if "fragment" in parts else fragment,
    )  # fmt: skip


def slashless(url: Bytes, form: str) -> bool:
    """Return True if a netloc stands there without "//"."""
    return form == "request-target" and not url.startswith("/") and AUTHORITY.fullmatch(url) is not None


def query_pairs(url: Bytes, form: str = "url") -> list[tuple[Bytes, Bytes]]:
    query = split(url, form)[3] or ""
    return [(piece.partition("=")[0], piece.partition("=")[2]) for piece in query.split("&") if piece]


def prefixes(path: Bytes) -> list[Bytes]:
    """Return the prefixes of a path, without the root."""
    ends = [found.end() for found in re.finditer(r"[^/]+/*", path)]
    return [path[:end] for end in ends]


def path_prefixes(url: Bytes, form: str = "url", limit: int = 32) -> list[Bytes]:
    return prefixes(split(url, form)[2])[:limit]


def url_prefixes(url: Bytes, form: str = "url", limit: int = 32) -> list[Bytes]:
    path = split(url, form)[2]
    whole = before_query(url)
    before = whole[: len(whole) - len(path)]
    root = re.match("/*", path)
    assert root is not None
    found = [before + root[0]] if root[0] or (not path and before) else []
    return [*found, *(before + prefix for prefix in prefixes(path))][:limit]


def _host(url: Bytes, form: str) -> tuple[str, bool]:
    """Return the host, and True if it was in brackets."""
    netloc = split(url, form)[1]
    if netloc is None:
        return "", False
    place = netloc.rpartition("@")[2]
    if "[" in place:
        return place.partition("[")[2].partition("]")[0], True
    return place.partition(":")[0], False


def read_ipv4(host: str) -> ipaddress.IPv4Address | None:
    """Read an IPv4 address as inet_aton does, after its escapes are decoded."""
    host = re.sub("%([0-9A-Fa-f]{2})", lambda escape: chr(int(escape[1], 16)), host)
    numbers = host.removesuffix(".").split(".")
    if len(numbers) > 4 or not all(
        re.fullmatch("(?i:0x[0-9a-f]*)|0[0-7]*|[1-9][0-9]*", one, re.ASCII) for one in numbers
    ):
        return None
    values = [int(one[2:] or "0", 16) if one[:2] in ("0x", "0X") else int(one, 8 if one[0] == "0" else 10)
              for one in numbers]  # fmt: skip
    if any(value > 255 for value in values[:-1]) or values[-1] >= 256 ** (5 - len(values)):
        return None
    return ipaddress.IPv4Address(sum(value << 24 - 8 * i for i, value in enumerate(values[:-1])) + values[-1])


def read_ipv6(host: str) -> ipaddress.IPv6Address | None:
    try:
        return ipaddress.IPv6Address(host.partition("%")[0]) if host.isascii() else None
    except ValueError:
        return None


def host_kind(url: Bytes, form: str = "url") -> str:
    host, bracketed = _host(url, form)
    if bracketed:
        return "ipv6" if read_ipv6(host) else "name"
    if host == "":
        return "none"
    if re.fullmatch(r"(?:(?:0|[1-9][0-9]{0,2})\.){3}(?:0|[1-9][0-9]{0,2})", host, re.ASCII) and read_ipv4(host):
        return "ipv4"
    return "numeric" if read_ipv4(host) else "name"


# Carrier-grade NAT, which ipaddress calls neither private nor global, and networks that some of its versions lack.
PRIVATE = ("100.64.0.0/10", "fec0::/10", "64:ff9b:1::/48", "2001::/23", "2002::/16", "3fff::/20", "192.0.0.0/24")
# IANA's exceptions, of which some versions of ipaddress have none.
GLOBAL = ("192.0.0.9/32", "192.0.0.10/32", "2001:1::1/128", "2001:1::2/128", "2001:3::/32", "2001:4:112::/48",
          "2001:20::/28", "2001:30::/28")  # fmt: skip


def is_among(address: ipaddress.IPv4Address | ipaddress.IPv6Address, networks: tuple[str, ...]) -> bool:
    return any(address in ipaddress.ip_network(text) for text in networks)


def scope_of(address: ipaddress.IPv4Address | ipaddress.IPv6Address) -> str:
    """Return the scope by the properties of ipaddress, and by the address that an IPv6 address holds."""
    if isinstance(address, ipaddress.IPv6Address) and int(address) > 1:
        number = int(address)
        inner = ipaddress.IPv4Address(number & 0xFFFFFFFF)
        if address.ipv4_mapped or address in ipaddress.ip_network("64:ff9b::/96"):
            return scope_of(inner)
        if address.sixtofour:
            inner = address.sixtofour
        if (address.sixtofour or number >> 32 in (0, 0xFFFF0000)) and scope_of(inner) != "global":
            return scope_of(inner)
    for name in ("unspecified", "loopback", "link_local", "multicast"):
        if getattr(address, f"is_{name}"):
            return name.replace("_", "-")
    if is_among(address, GLOBAL):
        return "global"
    if is_among(address, PRIVATE):
        return "private"
    return "reserved" if address.is_reserved else "private" if address.is_private else "global"


def address_scope(url: Bytes, form: str = "url") -> str | None:
    host, bracketed = _host(url, form)
    address = read_ipv6(host) if bracketed else read_ipv4(host) if host else None
    return None if address is None else scope_of(address)
