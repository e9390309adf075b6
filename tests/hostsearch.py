"""A slow search of host lists in all readings of a URL, by ``fasturl.readings`` and ``ipaddress`` alone."""

import ipaddress
import random
import unicodedata

from fasturl import Finding, HostList, parse, readings

# What browsers, or other programs, take for http://blocked.example/.
SPELLINGS = [
    "http://blocked.example\\@ok.example/", "http://bl%6fcked.example/", "http:/blocked.example/",
    "http:blocked.example", "http:\\\\blocked.example/", "http://b\u24dbocked.example/", "http://blocked\u3002example/",
    "http://blo\tck\ned.example", "http://ok.example@blocked.example/", "http://\uff42locked.example/",
    "http://blocked.example../", "HTTP://BLOCKED.Example", "http://////blocked.example/", "http:///\\blocked.example",
    " \x01http://blocked.example", "http://blo\xadcked.example/", "http://%E2%93%91locked.example/",
    "http://u:p@www.blocked%2eexample:80\\@ok.example/", "a.b://blocked.example/", "blocked.example:80",
    "//blocked.example/", "\\\\blocked.example/", "http://blocked.example#@ok.example/",
]  # fmt: skip
ENTRIES = ("blocked.example", "a.b", "10.0.0.0/8", "1.2.3.4", "\u4e2d\u56fd", "xn--mnchen-3ya.de", "example", "h",
           "::1", "fc00::/7", "caf\xe9.x")  # fmt: skip
NETWORKS = [ipaddress.ip_network(entry) for entry in ENTRIES if "/" in entry or entry in ("1.2.3.4", "::1")]
PIECES = [
    "http:", "https:", "ftp:", "x:", "file:", "a.b:", "/", "//", "@", "u:p@", "?", "#", "\\", ":", ":80", ":99999",
    ".", "..", "blocked.example", "bl%6fcked.example", "ok.example", "a.b", "10.0.0.1", "0x0a.1", "012.0.0.1",
    "167772161", "1.2.3.4", "[::1]", "[::ffff:10.0.0.1]", "[fc00::5]", "\u4e2d\u56fd", "xn--fiqs8s", "M\xdcNCHEN.de",
    "xn--mnchen-3ya.de", "\t", "\n", " ", "%2e", "%00", "\u3002", "\uff0e", "\u24b6", "\uff42locked.example", "\xad",
    "cafe\u0301.x", "CAF\xc9.x", "H", "%40", "%2f", "%5c", "x", "-", "_", "[", "]", "%", "\u212a", "\xdf", "0",
    "http://", "http:/", "/p", "?q",
]  # fmt: skip
HOSTS = HostList(ENTRIES)


def random_url(rng: random.Random) -> str:
    starts = ["", "http://", "https://", "http:/", "http:", "//", "ftp://", "ws://", "x://", "http:\\\\", "http:///"]
    logins = ["", "u@", "u:p@", "ok.example\\@", "a.b#@", "@"]
    ends = ["", "/", ":80/", "?q", "/p@x", "\\@ok.example/"]
    middle = "".join(rng.choices(PIECES, k=rng.randrange(1, 7)))
    return rng.choice(starts) + rng.choice(logins) + middle + rng.choice(ends)


def _number(text: str) -> int:
    base = 16 if text[:2] in ("0x", "0X") else 8 if text[:1] == "0" and text != "0" else 10
    return int(text[2:] or "0" if base == 16 else text, base)


def _address(host: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    """Read an address, as ``inet_aton`` or between brackets."""
    try:
        if ":" in host:
            found = ipaddress.IPv6Address(host.partition("%")[0])
            return found.ipv4_mapped or found
        *bytes_, rest = map(_number, host.removesuffix(".").split("."))
        if len(bytes_) > 3 or any(number > 255 for number in bytes_) or rest >= 256 ** (4 - len(bytes_)):
            return None
        return ipaddress.IPv4Address(rest + sum(number << (24 - 8 * i) for i, number in enumerate(bytes_)))
    except ValueError:
        return None


def _ascii(host: str) -> list[str]:
    labels = unicodedata.normalize("NFKC", host).lower().rstrip(".").split(".")
    return [label if label.isascii() else f"xn--{label.encode('punycode').decode()}" for label in labels]


NAMES = {".".join(_ascii(entry)) for entry in ENTRIES if _address(entry) is None and "/" not in entry}


def _has(host: str) -> bool:
    if (address := _address(host)) is not None:
        return any(address in network for network in NETWORKS)
    labels = _ascii(host)
    return any(".".join(labels[at:]) in NAMES for at in range(len(labels)))


def differences(url: str) -> list[str]:
    """Return how the list's answers contradict the readings. A list may be stricter where other readers differ."""
    accepted = [reading for reading in readings(url).values() if reading.refusal is None]
    is_blocked = any(reading.host and _has(reading.host) for reading in accepted)
    is_allowed = bool(accepted) and all(reading.host and _has(reading.host) for reading in accepted)
    is_ambiguous = Finding.AMBIGUOUS_AUTHORITY in parse(url).findings
    blocks, allows = HOSTS.blocks(url) is not None, HOSTS.allows(url)
    found = []
    if is_blocked and not blocks:
        found.append("a blocked host is not found")
    if allows and (not is_allowed or is_ambiguous):
        found.append("a host is allowed that some reading does not have")
    if blocks and not is_blocked and not is_ambiguous and accepted:
        found.append("a host is blocked that no reading has")
    if (
        is_allowed
        and not allows
        and not is_ambiguous
        and url[:4].lower() == "http"
        and "[" not in url.partition("@")[0]
    ):
        found.append("a host is not allowed that all readings have")
    return found
