"""A list blocks and allows hosts as a naive search of all readings. A HostList reads hosts files."""

import gzip
import ipaddress
import itertools
import pickle
import random
import sys
import unicodedata
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from nasty import NASTY

import fasturl
from fasturl import Finding, HostList, parse, readings

pytestmark = pytest.mark.usefixtures("kernel")

LABELS = ["a", "b", "com", "co", "www", "example", "x" * 15, "y" * 17, "z" * 40, "caf\xe9", "xn--p1ai", "1x", "_a", "-"]


# --- a slow search in all readings of a URL, by `readings` and `ipaddress` alone -------------------------------------

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
LISTED = ("blocked.example", "a.b", "10.0.0.0/8", "1.2.3.4", "\u4e2d\u56fd", "xn--mnchen-3ya.de", "example", "h",
          "::1", "fc00::/7", "caf\xe9.x")  # fmt: skip
NETWORKS = [ipaddress.ip_network(entry) for entry in LISTED if "/" in entry or entry in ("1.2.3.4", "::1")]
PIECES = [
    "http:", "https:", "ftp:", "x:", "file:", "a.b:", "/", "//", "@", "u:p@", "?", "#", "\\", ":", ":80", ":99999",
    ".", "..", "blocked.example", "bl%6fcked.example", "ok.example", "a.b", "10.0.0.1", "0x0a.1", "012.0.0.1",
    "167772161", "1.2.3.4", "[::1]", "[::ffff:10.0.0.1]", "[fc00::5]", "\u4e2d\u56fd", "xn--fiqs8s", "M\xdcNCHEN.de",
    "xn--mnchen-3ya.de", "\t", "\n", " ", "%2e", "%00", "\u3002", "\uff0e", "\u24b6", "\uff42locked.example", "\xad",
    "cafe\u0301.x", "CAF\xc9.x", "H", "%40", "%2f", "%5c", "x", "-", "_", "[", "]", "%", "\u212a", "\xdf", "0",
    "http://", "http:/", "/p", "?q",
]  # fmt: skip
HOSTS = HostList(LISTED)


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


NAMES = {".".join(_ascii(entry)) for entry in LISTED if _address(entry) is None and "/" not in entry}


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


# --- the tests -------------------------------------------------------------------------------------------------------


def naive(host: str, entries: set[str]) -> str | None:
    """Return the longest entry that is a suffix of the host's labels."""
    labels = host.rstrip(".").split(".")
    for i in range(len(labels)):
        suffix = ".".join(labels[i:]).lower()
        if suffix in entries:
            return suffix
    return None


def random_hosts(rng: random.Random, count: int, most: int) -> list[str]:
    return [".".join(rng.choices(LABELS, k=rng.randrange(1, most))) for _ in range(count)]


@pytest.mark.parametrize("size", [0, 1, 2, 20, 3000])
def test_random_hosts_agree_with_a_naive_search(size: int, tries: int) -> None:
    rng = random.Random(size)
    entries = set(random_hosts(rng, size, 5))
    hosts = HostList(sorted(entries))
    assert len(hosts) == len(entries)
    names = [*random_hosts(rng, tries // 5, 9), "", ".", "a.", ".a", "a..com", "com.." + "q" * 300, "a." * 300 + "com"]
    names += [name.upper() for name in names[::3] if name.isascii()] + [name + "." for name in names[::5]]
    wanted = [naive(name, entries) for name in names]
    assert [hosts.blocks(name, form="host") for name in names] == wanted
    assert [hosts.blocks(f"http://u:p@{name}:80/a.com") for name in names] == wanted
    assert [hosts.blocks(name.encode(), form="host") for name in names] == [one and one.encode() for one in wanted]
    pa = pytest.importorskip("pyarrow")
    from fasturl import arrow

    for form, rows in (("host", names), ("url", [f"//{name}:80/" for name in names])):
        for strings in ("string", "view"):
            assert arrow.blocks(pa.array(rows), hosts, form=form, strings=strings).to_pylist() == wanted
    wide = pa.array([*names, None] * 3)
    assert arrow.blocks(wide, hosts, form="host", threads=4).to_pylist() == [*wanted, None] * 3


def test_every_entry_is_found_below_itself_and_not_beside_it() -> None:
    entries = [f"{i:x}.example{i % 97}.com" for i in range(20_000)]
    hosts = HostList("\n".join(entries).encode())
    for entry in entries[::7]:
        assert hosts.blocks(f"http://{entry}/") == hosts.blocks(f"http://www.{entry}/") == entry
        assert hosts.blocks(f"http://x{entry}/") is hosts.blocks(f"http://{entry}x/") is None
    assert hosts.nbytes < 45 * len(entries)


LINES = b"""\xef\xbb\xbf# a hosts file
127.0.0.1 localhost local # loopback
::1\tip6-localhost
0.0.0.0  ADS.example.com.\r
0.0.0.0 0.0.0.0

1.2.3.4
2001:db8::1
plain.example\tsecond.example#comment
*.wild.example
.dotted.example
plain.example
caf\xc3\xa9.example"""
ENTRIES = ["localhost", "local", "ip6-localhost", "ads.example.com", "0.0.0.0", "1.2.3.4", "2001:db8::1",
           "plain.example", "second.example", "wild.example", "dotted.example", "caf\xe9.example"]  # fmt: skip


def names_of(hosts: HostList) -> list[str]:
    [(content,)] = [hosts.__reduce__()[1]]
    return content.decode().split("\n")


def test_names_of_every_length_are_found_in_columns() -> None:
    arrow = pytest.importorskip("fasturl.arrow")
    labels = ".".join(["abcdefghij"] * 8)
    for length in range(1, 80):
        name = labels[-length:].lstrip(".")
        urls = [f"http://{host}/" for host in (name, f"{name}.", f"{name}..", f"b.{name}", f"b{name}", name[1:])]
        wanted = [fasturl.blocks(url, [name]) for url in urls]
        assert wanted[:4] == [name] * 4 and arrow.blocks(urls, [name]).to_pylist() == wanted, name
        assert arrow.allows(urls, [name]).to_pylist() == [fasturl.allows(url, [name]) for url in urls], name


def test_a_list_has_the_names_of_its_lines(tmp_path: Path) -> None:
    assert names_of(HostList(LINES)) == ENTRIES
    assert names_of(HostList(bytearray(LINES))) == names_of(HostList(memoryview(LINES))) == ENTRIES
    assert names_of(HostList(type("Bytes", (bytes,), {})(LINES))) == ENTRIES
    assert names_of(HostList(LINES.splitlines())) == names_of(HostList(iter(LINES.decode().splitlines()))) == ENTRIES
    path = tmp_path / "hosts"
    path.write_bytes(LINES)
    (tmp_path / "hosts.gz").write_bytes(gzip.compress(LINES))
    assert names_of(HostList.from_file(path)) == names_of(HostList.from_file(str(path))) == ENTRIES
    assert names_of(HostList("hosts.example")) == ["hosts.example"]
    with gzip.open(tmp_path / "hosts.gz") as lines:
        assert names_of(HostList(lines)) == ENTRIES
    assert HostList(LINES).blocks("http://www.[::2]/") is None
    assert HostList(LINES).blocks("http://[2001:DB8:0::1]:80/") == "2001:db8::1"
    assert HostList(LINES).blocks("http://2.1.2.3.4/") is None


def test_a_list_of_an_arrow_array_and_of_its_scalars() -> None:
    pa = pytest.importorskip("pyarrow")
    column = pa.array(["a.b", None, "c"])
    for source in (column, pa.chunked_array([column]), list(column), column.cast(pa.binary())):
        assert names_of(HostList(source)) == ["a.b", "c"]


@pytest.mark.parametrize("word", [
    "a/b", "http://a.b/", "a..b", "a.b..", "||a.b^", "*", "a:80", "a*b", "10.0.0.0/33", "10/8", "::/129", "1.2.3.4/",
    "x" * 256, "::g", "a b%", "@",
])  # fmt: skip
def test_another_word_is_refused_or_counted(word: str) -> None:
    source = f"# one\na.b\n{word}\n{word} c\n"
    with pytest.raises(ValueError, match=r"^line 3 of a host list: [a-z, ]+$"):
        HostList(source.encode())
    hosts = HostList(source.encode(), errors="ignore")
    assert hosts.ignored == 2
    assert {"a.b", "c"} <= set(names_of(hosts)) <= {"a.b", "c", "a"}


@pytest.mark.parametrize(
    ("source", "error"),
    [(7, TypeError), (None, TypeError), ([7], TypeError), (Path("a"), TypeError), ("/no/such", ValueError)],
)
def test_another_source_raises(source: Any, error: type[Exception]) -> None:
    with pytest.raises(error):
        HostList(source)
    with pytest.raises(error):
        fasturl.allows("http://h/", source)
    with pytest.raises(ValueError, match="errors"):
        HostList([], errors="replace")  # type: ignore[arg-type]


def test_a_path_with_a_lone_surrogate_is_in_no_exception() -> None:
    with pytest.raises((ValueError, OSError)) as raised:
        HostList.from_file("http://me:S3CR3T\ud800@h/")
    assert "S3CR3T" not in repr(raised.value) and raised.value.__context__ is None


def hashed(name: bytes) -> int:
    """Return the kernel's hash of a label of up to eight bytes."""
    found = (int.from_bytes(name, "little") ^ len(name) << 56) * 0x9E3779B97F4A7C15 % (1 << 64)
    found = (found ^ found >> 32) * 0xBF58476D1CE4E5B9 % (1 << 64)
    return found ^ found >> 29


def test_names_chosen_to_collide_are_refused() -> None:
    """The slots of all names are among the first of 64 parts."""
    names = [name for name in (b"x%x" % number for number in range(75_000)) if hashed(name) >> 58 == 0]
    few = HostList(b"\n".join(names[:500]))
    assert all(few.blocks(b"a." + name, form="host") == name for name in names[:500])
    with pytest.raises(ValueError, match="one hash"):
        HostList(b"\n".join(names))
    assert len(HostList(f"{number:x}.example" for number in range(300_000))) == 300_000


def test_a_list_is_pickled_and_shared_by_threads() -> None:
    hosts = HostList(f"{i}.example" for i in range(1000))
    copy = pickle.loads(pickle.dumps(hosts))
    assert names_of(copy) == names_of(hosts) and copy.nbytes == hosts.nbytes
    urls = [f"http://{i}.example/" for i in range(0, 2000, 3)]
    with ThreadPoolExecutor(4) as pool:
        for found in pool.map(lambda _: [hosts.blocks(url) for url in urls], range(8)):
            assert found == [url[7:-1] if i < 1000 else None for i, url in zip(range(0, 2000, 3), urls, strict=True)]


@pytest.mark.skipif(sys.platform == "win32", reason="pages are guarded with mprotect")
def test_nothing_outside_a_list_or_a_host_is_read() -> None:
    from guardpages import Guarded

    guarded = Guarded()
    hosts = HostList(["a.b.example", "b.example", "q"])
    for text in (LINES, b"0.0.0.0", b"::1", b"#", b"*.", b"1.2.3.4 ", b"a.b\n\n"):
        for end in range(8, len(text) + 1, 8):
            held = guarded.bytes_at_end(text[end - end // 8 * 8 : end])
            assert len(HostList(held, errors="ignore")) == len(HostList(bytes(bytearray(held)), errors="ignore"))
            del held
    for text in (b"http://x.a.b.example", b"//www.q.", b"//" + b"x" * 70 + b".b.example"):
        held = guarded.bytes_at_end(text[len(text) % 8 :])
        assert hosts.blocks(held) == hosts.blocks(bytes(bytearray(held)))
        del held


def test_a_list_costs_linear_time() -> None:
    hosts = HostList(b"a." * 120 + b"a\n" + b"b.a\n" * 300_000)
    assert len(hosts) == 2
    for text in ("a." * 1_000_000, "http://" + "a." * 1_000_000, "//" + "." * 1_000_000, "//" + "b" * 1_000_000 + ".a"):
        assert hosts.blocks(text) == ("a." * 120 + "a" if not text.startswith("//") else None)


@pytest.mark.parametrize("url", SPELLINGS)
def test_no_spelling_hides_a_blocked_host(url: str) -> None:
    hosts = HostList(["blocked.example"])
    assert hosts.blocks(url) == "blocked.example"
    assert hosts.blocks(url.encode()) == b"blocked.example"
    assert not differences(url)


def test_an_allow_list_refuses_a_url_that_goes_elsewhere() -> None:
    hosts = HostList(["trusted.com"])
    assert not hosts.allows("http://evil.com\\@trusted.com/") and not hosts.allows("http://trusted.com\\@evil.com/")
    assert not hosts.allows("http://tru\u017fted.com/") and not hosts.allows("//[@trusted.com/")
    assert hosts.allows("https://Login.Trusted.com./a?b@evil.com")
    assert hosts.allows("https://trusted.com/", exact=True) and not hosts.allows("https://a.trusted.com/", exact=True)


def test_both_spellings_of_a_name_and_all_of_an_address_are_one_entry() -> None:
    for entry, url in itertools.product(
        ("\u4e2d\u56fd", "xn--fiqs8s", "XN--FIQS8S."), ("\u4e2d\u56fd", "Xn--Fiqs8s..")
    ):
        hosts = HostList([entry])
        assert hosts.blocks(f"http://a.{url}/") == entry.lower().rstrip(".") and hosts.allows(f"http://{url}:80/")
    assert HostList(["M\xdcNCHEN.example"]).allows("http://xn--mnchen-3ya.example/")
    hosts = HostList(["10.0.0.0/8", "0x01020304", "fc00::/7", "[::1]"])
    for host in ("10.255.0.1", "0xa.1", "012.0.0.1", "167772161", "[::ffff:10.0.0.1]", "[64:ff9b::a00:1]",
                 "[2002:a00:1::]"):  # fmt: skip
        assert hosts.blocks(f"http://{host}/") == "10.0.0.0/8", host
    assert [hosts.blocks(f"http://{host}/") for host in ("16909060", "[0:0::1]", "[fdff::1]", "11.0.0.0")] == [
        "0x01020304", "[::1]", "fc00::/7", None,
    ]  # fmt: skip
    assert hosts.allows("http://[::ffff:a00:1]/") and not hosts.allows("http://0xa.1/")


def test_random_hosts_agree_with_all_readings(tries: int) -> None:
    """Without the readings, an independent search of what readings() returns."""
    rng = random.Random("hosts")
    for url in [random_url(rng)
                for _ in range(tries // 2)] + [text for text, form, *_ in NASTY if isinstance(text, str)]:  # fmt: skip
        assert not differences(url), ascii(url)


def test_real_hosts_agree_with_all_readings(real_urls: list[str], tries: int) -> None:
    for url in real_urls[:: max(1, 10 * len(real_urls) // tries)]:
        assert not differences(url), ascii(url)


def test_an_ambiguous_host_has_no_domain() -> None:
    for url in ("http://evil.com\\@login.example.co.uk/", "http:/example.co.uk/", "http://ex%61mple.co.uk/"):
        assert fasturl.registrable_domain(url) is fasturl.public_suffix(url) is fasturl.subdomain(url) is None
    assert fasturl.registrable_domain("ftp://u@login.example.co.uk:80/") == "example.co.uk"
