"""listed finds the entry that a naive search finds; a HostList reads the lines of hosts files and lists of domains."""

import gzip
import pickle
import random
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from fasturl import HostList, listed

pytestmark = pytest.mark.usefixtures("kernel")

LABELS = ["a", "b", "com", "co", "www", "example", "x" * 15, "y" * 17, "z" * 40, "caf\xe9", "xn--p1ai", "1", "_a", "-"]


def naive(host: str, entries: set[str]) -> str | None:
    """Return the longest entry that is a suffix of the host's labels."""
    labels = host.removesuffix(".").split(".")
    for i in range(len(labels)):
        suffix = "".join(c.lower() if c.isascii() else c for c in ".".join(labels[i:]))
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
    names += [name.upper() for name in names[::3]] + [name + "." for name in names[::5]]
    wanted = [naive(name, entries) for name in names]
    assert [listed(name, hosts, form="host") for name in names] == wanted
    assert [listed(f"http://u:p@{name}:80/a.com", hosts) for name in names] == wanted
    assert [listed(name.encode(), hosts, form="host") for name in names] == [one and one.encode() for one in wanted]
    pa = pytest.importorskip("pyarrow")
    from fasturl import arrow

    for form, rows in (("host", names), ("url", [f"//{name}:80/" for name in names])):
        for strings in ("string", "view"):
            assert arrow.listed(pa.array(rows), hosts, form=form, strings=strings).to_pylist() == wanted
    wide = pa.array([*names, None] * 3)
    assert arrow.listed(wide, hosts, form="host", threads=4).to_pylist() == [*wanted, None] * 3


def test_every_entry_is_found_below_itself_and_not_beside_it() -> None:
    entries = [f"{i:x}.example{i % 97}.com" for i in range(20_000)]
    hosts = HostList("\n".join(entries).encode())
    for entry in entries[::7]:
        assert listed(f"http://{entry}/", hosts) == listed(f"http://www.{entry}/", hosts) == entry
        assert listed(f"http://x{entry}/", hosts) is listed(f"http://{entry}x/", hosts) is None
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
ENTRIES = [
    "localhost", "local", "ip6-localhost", "ads.example.com", "0.0.0.0", "1.2.3.4", "2001:db8::1", "plain.example",
    "second.example", "wild.example", "dotted.example", "caf\xe9.example",
]  # fmt: skip


def names_of(hosts: HostList) -> list[str]:
    [(content,)] = [hosts.__reduce__()[1]]
    return content.decode().split("\n")


def test_a_list_has_the_names_of_its_lines(tmp_path: Path) -> None:
    assert names_of(HostList(LINES)) == ENTRIES
    assert names_of(HostList(bytearray(LINES))) == names_of(HostList(memoryview(LINES))) == ENTRIES
    assert names_of(HostList(type("Octets", (bytes,), {})(LINES))) == ENTRIES
    assert names_of(HostList(LINES.splitlines())) == names_of(HostList(iter(LINES.decode().splitlines()))) == ENTRIES
    path = tmp_path / "hosts"
    path.write_bytes(LINES)
    (tmp_path / "hosts.gz").write_bytes(gzip.compress(LINES))
    assert names_of(HostList(path)) == names_of(HostList(str(path))) == ENTRIES
    with gzip.open(tmp_path / "hosts.gz") as lines:
        assert names_of(HostList(lines)) == ENTRIES
    assert listed("http://www.[::1]/", HostList(LINES)) is None
    assert listed("http://[2001:DB8::1]:80/", HostList(LINES)) == "2001:db8::1"
    assert listed("http://2.1.2.3.4/", HostList(LINES)) == "1.2.3.4"


def test_a_list_of_an_arrow_array_and_of_its_scalars() -> None:
    pa = pytest.importorskip("pyarrow")
    column = pa.array(["a.b", None, "c"])
    for source in (column, pa.chunked_array([column]), list(column), column.cast(pa.binary())):
        assert names_of(HostList(source)) == ["a.b", "c"]


@pytest.mark.parametrize(
    "word", ["a/b", "http://a.b/", "a..b", "a.b..", "||a.b^", "*", "a:80", "a*b", "x" * 256, "::g", "a b%", "@"]
)
def test_another_word_is_refused_or_counted(word: str) -> None:
    source = f"# one\na.b\n{word}\n{word} c\n"
    with pytest.raises(ValueError, match=r"^line 3: "):
        HostList(source.encode())
    hosts = HostList(source.encode(), errors="ignore")
    assert hosts.ignored == 2
    assert {"a.b", "c"} <= set(names_of(hosts)) <= {"a.b", "c", "a"}


@pytest.mark.parametrize(
    ("source", "error"),
    [(7, TypeError), (None, TypeError), ([7], TypeError), ("/no/such/file", FileNotFoundError), ([{}], TypeError)],
)
def test_another_source_raises(source: Any, error: type[Exception]) -> None:
    with pytest.raises(error):
        HostList(source)
    with pytest.raises(error):
        listed("http://h/", source)
    with pytest.raises(ValueError, match="errors"):
        HostList([], errors="replace")  # type: ignore[arg-type]


def test_a_path_with_a_lone_surrogate_is_in_no_exception() -> None:
    with pytest.raises((ValueError, OSError)) as raised:
        HostList("http://me:S3CR3T\ud800@h/")
    assert "S3CR3T" not in repr(raised.value) and raised.value.__context__ is None


def test_names_chosen_to_collide_are_refused() -> None:
    """Each name has one label of 16 bytes. Its first half undoes what the hash makes of its last half."""
    names: list[bytes] = []
    number = 0
    while len(names) < 1500:
        last = b"%08d" % number
        half = (int.from_bytes(last, "little") ^ 16 << 56) * 0x9E3779B97F4A7C15 % (1 << 64)
        first = (half ^ half >> 32 ^ 0x123456789ABCDEF0).to_bytes(8, "little")
        if all(octet >= 0x80 or chr(octet) in "abcdefghijklmnopqrstuvwxyz0123456789-_" for octet in first):
            names.append(first + last)
        number += 1
    few = HostList(b"\n".join(names[:500]))
    assert all(listed(b"a." + name, few, form="host") == name for name in names[:500])
    with pytest.raises(ValueError, match="one hash"):
        HostList(b"\n".join(names))
    assert len(HostList(f"{number:x}.example" for number in range(300_000))) == 300_000


def test_a_list_is_pickled_and_shared_by_threads() -> None:
    hosts = HostList(f"{i}.example" for i in range(1000))
    copy = pickle.loads(pickle.dumps(hosts))
    assert names_of(copy) == names_of(hosts) and copy.nbytes == hosts.nbytes
    urls = [f"http://{i}.example/" for i in range(0, 2000, 3)]
    with ThreadPoolExecutor(4) as pool:
        for found in pool.map(lambda _: [listed(url, hosts) for url in urls], range(8)):
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
        assert listed(held, hosts) == listed(bytes(bytearray(held)), hosts)
        del held


def test_a_list_costs_linear_time() -> None:
    hosts = HostList(b"a." * 120 + b"a\n" + b"b.a\n" * 300_000)
    assert len(hosts) == 2
    for text in ("a." * 1_000_000, "http://" + "a." * 1_000_000, "//" + "." * 1_000_000, "//" + "b" * 1_000_000 + ".a"):
        assert listed(text, hosts) == ("a." * 120 + "a" if text.startswith("http:") else None)
