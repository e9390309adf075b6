"""Seeded corpora of made-up URLs and request targets, and the URLs of a file.

The same name and count give the same bytes on every Python version and machine: the generators use only
``Random.randrange`` and ``Random.choice``, and no float, locale or clock.
"""

import gzip
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random

SEED = 1738
ROOT = Path(__file__).resolve().parent.parent

_WORDS = """
about account album archive article author basket blog book brand browse cable calendar cart case
catalog chart city cloud color comment contact cookie copper corner course daily data deal delta
design detail docs download draft edition editor email energy event export faq feature feed field
file film filter forum gallery garden global group guide harbor health help history home image index
item journal kitchen label lake legal letter library light list local login maple market media
member menu meadow mirror mobile model music network news north notes number ocean offer office
order page panel partner photo planet player point policy post press price print product profile
project public quick radio rate reader report review river route sample school search section
service session shop signal site sound source south sport stage static station status stone store
story style summer support table tag team theme thread ticket title tool topic track trade travel
tree update upload user valley value video view village water web week window
"""
WORDS = tuple(_WORDS.split())
SUBDOMAINS = ("www.", "www.", "www.", "", "", "m.", "api.", "shop.", "static.", "blog.", "de.", "mail2.")
DOMAINS = (".example.com", ".example.org", ".example.net", ".example", ".test")
SUFFIXES = ("", "", "", "", ".html", ".html", ".htm", ".php", ".aspx", ".jpg", ".png", ".css", ".js", ".pdf")
TEXTS = (
    "café", "naïve", "größe", "señor", "łódź", "smörgås", "Ελλάδα", "москва", "новости", "עברית", "العربية",
    "हिन्दी", "ไทย", "東京", "日本語", "中文网", "한국어", "🙂", "€uro", "±5µm",
)  # fmt: skip
FIRST_KEYS = tuple("q id page ref sort lang v utm_source utm_medium utm_campaign sid".split())
SPECIAL = tuple("%20 %2F %3A %26 %3D %25 %2B %C3%A9 %E6%9D%B1 %7E %22 %3c %3e %c3%bc %F0%9F%99%82".split())


def _host(rng: Random) -> str:
    name = rng.choice(WORDS)
    if rng.randrange(3) == 0:
        name += "-" + rng.choice(WORDS)
    if rng.randrange(4) == 0:
        name += str(rng.randrange(100))
    return rng.choice(SUBDOMAINS) + name + rng.choice(DOMAINS)


def _segment(rng: Random) -> str:
    kind = rng.randrange(6)
    if kind == 0:
        return str(rng.randrange(10**6))
    if kind == 1:
        return "-".join(rng.choice(WORDS) for _ in range(2 + rng.randrange(6)))
    return rng.choice(WORDS)


def _path(rng: Random, most: int = 5) -> str:
    depth = rng.randrange(most + 1)
    path = "".join("/" + _segment(rng) for _ in range(depth))
    if depth == 0 or rng.randrange(3) == 0:
        return path + "/"
    return path + rng.choice(SUFFIXES)


def _value(rng: Random) -> str:
    kind = rng.randrange(8)
    if kind < 3:
        return str(rng.randrange(10**8))
    if kind == 3:
        return f"{rng.randrange(16**12):012x}"
    if kind == 4:
        return "+".join(rng.choice(WORDS) for _ in range(1 + rng.randrange(4)))
    if kind == 5:
        return rng.choice(WORDS) + rng.choice(SPECIAL) + rng.choice(WORDS)
    return rng.choice(WORDS) if kind == 6 else ""


def _query(rng: Random, least: int, most: int) -> str:
    pairs = []
    for _ in range(least + rng.randrange(most - least + 1)):
        key = rng.choice(FIRST_KEYS) if rng.randrange(2) else rng.choice(WORDS)
        pairs.append(f"{key}={_value(rng)}" if rng.randrange(12) else key)
    return "&".join(pairs)


def _origin(rng: Random) -> str:
    return ("https://" if rng.randrange(5) else "http://") + _host(rng)


def web(rng: Random) -> str:
    """A plain web URL; one in twenty has a query, one in a hundred a port, one in a hundred a fragment."""
    port = f":{1 + rng.randrange(65535)}" if rng.randrange(100) == 0 else ""
    query = "?" + _query(rng, 1, 3) if rng.randrange(20) == 0 else ""
    fragment = "#" + rng.choice(WORDS) if rng.randrange(100) == 0 else ""
    return _origin(rng) + port + _path(rng) + query + fragment


def valid(rng: Random) -> str:
    """An http URL that section 5 of RFC 1738 derives."""
    query = "?" + _query(rng, 1, 4) if rng.randrange(4) == 0 else ""
    return "http://" + _host(rng) + _path(rng) + query


def query(rng: Random) -> str:
    """A URL with 3 to 20 parameters, some of them escaped, empty or without ``=``."""
    return _origin(rng) + _path(rng, 3) + "?" + _query(rng, 3, 20)


def _escaped(rng: Random) -> str:
    out = []
    for _ in range(2 + rng.randrange(6)):
        kind = rng.randrange(4)
        if kind == 0:
            out.append(rng.choice(SPECIAL))
        elif kind == 1:
            out.append(rng.choice(WORDS))
        else:
            form = "%{:02X}" if rng.randrange(4) else "%{:02x}"
            out.append("".join(form.format(byte) for byte in rng.choice(TEXTS).encode()))
    return "".join(out)


def escapes(rng: Random) -> str:
    """A URL of which half or more is escapes, of either letter case."""
    path = "".join("/" + _escaped(rng) for _ in range(1 + rng.randrange(4)))
    pairs = "&".join(f"{rng.choice(FIRST_KEYS)}={_escaped(rng)}" for _ in range(rng.randrange(4)))
    return _origin(rng) + path + ("?" + pairs if pairs else "")


def nonascii(rng: Random) -> str:
    """A URL with raw characters above 7E, in the path, in the query, in one of eight also in the host."""
    host = _host(rng)
    if rng.randrange(8) == 0:
        host = rng.choice(TEXTS[:8]).lower() + "." + host
    path = "".join("/" + rng.choice(TEXTS) + _segment(rng) for _ in range(1 + rng.randrange(3)))
    pairs = "&".join(f"{rng.choice(WORDS)}={rng.choice(TEXTS)}" for _ in range(rng.randrange(3)))
    return "https://" + host + path + ("?" + pairs if pairs else "")


def long(rng: Random) -> str:
    """A URL of 2 to 64 thousand characters: a deep path, many parameters, one value, or escapes."""
    size = 2 ** (11 + rng.randrange(5)) + rng.randrange(2048)
    kind = rng.randrange(4)
    head = _origin(rng)
    parts: list[str] = []
    length = 0
    while length < size:
        if kind == 0:
            part = "/" + _segment(rng)
        elif kind == 1:
            part = ("&" if parts else "/?") + f"{rng.choice(WORDS)}={_value(rng)}"
        elif kind == 2:
            part = f"{rng.randrange(16**32):032x}" if parts else "/blob?data="
        else:
            part = "/" + _escaped(rng)
        parts.append(part)
        length += len(part)
    return head + "".join(parts)


def malformed(rng: Random) -> str:
    """A URL that every parser rejects: its host opens a bracket and never closes it."""
    return f"http://[{rng.randrange(16**4):x}::{rng.randrange(16**4):x}" + _path(rng) + "?" + _query(rng, 1, 3)


def target(rng: Random) -> str:
    """A request target of an access log: mostly a path, sometimes another form."""
    kind = rng.randrange(200)
    if kind < 186:
        return _path(rng) + ("?" + _query(rng, 1, 6) if kind < 60 else "")
    if kind < 190:
        return web(rng)
    if kind < 193:
        return f"{_host(rng)}:{rng.choice((80, 443, 8080, 8443))}"
    if kind < 196:
        return "/" + _path(rng) + f"?{rng.randrange(10**6)}"
    if kind < 198:
        return rng.choice(("*", "-"))
    return "/" + _escaped(rng) + rng.choice(("%", "%2", "%zz", "{", "|", "\\", "[", "'", '"'))


_MAKERS = (web, valid, query, escapes, nonascii, long, malformed, target)
CORPORA: dict[str, Callable[[Random], str]] = {maker.__name__: maker for maker in _MAKERS}


def stream(name: str) -> Iterator[str]:
    """Yield texts of one corpus without end; some may repeat."""
    rng = Random(SEED)
    make = CORPORA[name]
    while True:
        yield make(rng)


def generate(name: str, count: int) -> list[str]:
    """Return ``count`` different texts of one corpus, in the order of the generator."""
    seen: dict[str, None] = {}
    for text in stream(name):
        if len(seen) >= count:
            break
        seen[text] = None
    return list(seen)


def read_urls(path: str | os.PathLike[str]) -> list[str]:
    """Return the URLs of a file with one URL per line, without a byte order mark, line ends and empty lines.

    Bytes that are not UTF-8 become lone surrogates (``surrogateescape``), so none is lost.
    """
    data = Path(path).read_bytes()
    if str(path).endswith(".gz"):
        data = gzip.decompress(data)
    data = data.removeprefix(b"\xef\xbb\xbf")
    lines = (line.removesuffix(b"\r") for line in data.split(b"\n"))
    return [line.decode("utf-8", "surrogateescape") for line in lines if line]


def to_bytes(text: str) -> bytes:
    """Return the bytes of a text. A lone surrogate becomes the byte that it stands for, if any."""
    try:
        return text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        return text.encode("utf-8", "surrogatepass")


def lines(name: str, count: int) -> Iterator[bytes]:
    """Yield ``count`` lines of a corpus. Texts that a line cannot hold (CR, LF, empty) are skipped."""
    yielded = 0
    for text in stream(name):
        if yielded >= count:
            return
        data = to_bytes(text)
        if data and b"\n" not in data and b"\r" not in data:
            yielded += 1
            yield data + b"\n"
