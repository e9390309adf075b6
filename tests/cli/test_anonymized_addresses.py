"""`parse --anonymize-client` shows no full address, in any spelling of docs/redaction.md, place or output."""

import json
import re
from pathlib import Path

import pytest
from clihelpers import Run

from fasturl.logs.addresses import Anonymizer

# The last byte of each address: no output shows it. No other text of the lines has it.
LAST = re.compile("239|7[1f]ef")
SPELLINGS = [
    # IPv4
    "203.0.113.239", "203.000.113.239", "203.0.113.239:54321", "203%2E0%2E113%2E239", "203%2e0%2e113%2e239",
    "203%252E0%252E113%252E239", "203%25252E0%25252E113%25252E239", r"203\.0\.113\.239", r"203\\.0\\.113\\.239",
    r"203\u002e0\u002E113\u002e239", "203%u002E0%u002E113%u002E239", r"203\x2e0\x2E113\x2e239",
    "203%5C.0%5C.113%5C.239", "203%25u002e0%25u002e113%25u002e239", r"203%5Cu002e0%5Cu002e113%5Cu002e239",
    "%32%30%33.0.113.%32%33%39",
    # IPv4 in IPv6
    "::ffff:203.0.113.239", "::FFFF:203.0.113.239", "0:0:0:0:0:ffff:203.0.113.239", "::ffff:cb00:71ef",
    "[::ffff:203.0.113.239]:443", "%3A%3Affff%3A203%2E0%2E113%2E239", "64:ff9b::203.0.113.239", "::203.0.113.239",
    # IPv6
    "2001:db8:1:2::7fef", "2001:DB8:1:2::7FEF", "2001:0db8:0001:0002:0000:0000:0000:7fef", "2001:db8:1:2:0:0:0:7fef",
    "[2001:db8:1:2::7fef]", "[2001:db8:1:2::7fef]:443", "2001:db8:1:2::7fef:54321", "2001:db8:1:2:0:0:0:7fef:54321",
    "fe80::7fef%eth0", "fe80::7fef%25eth0", "fe80::7fef%41", "2001%3Adb8%3A1%3A2%3A%3A7fef",
    "2001%3adb8%3a1%3a2%3a%3a7fef", "2001%253Adb8%253A1%253A2%253A%253A7fef",
    r"2001\u003adb8\u003a1\u003a2\u003a\u003a7fef", r"2001\x3Adb8\x3A1\x3A2\x3A\x3A7fef", r"2001\:db8\:1\:2\:\:7fef",
    "%5B2001%3Adb8%3A1%3A2%3A%3A7fef%5D%3A443", "2001%u003Adb8%u003A1%u003A2%u003A%u003A7fef",
]  # fmt: skip
BEFORE = ["", "198.51.100.1, ", "198.51.100.1,", "198.51.100.1%2C%20", "from%20", "from%2520", "%22", r"\x22",
          r"\u0022", "%u0022", "ip%3D", "ip=", "ip:", "ip%3A", r"a\n", r"a\\n", r"a\t", r"\"", r"\/", r"\\", "%5B",
          "%5Cn", "%0A", "%7C", "(", "<", "%u3001", r"\u3001", "-", "_", "+", "~", "@", "*", "\u00e9"]  # fmt: skip
TEXTS = [*SPELLINGS, *(before + text for before in BEFORE for text in SPELLINGS[::12])]
assert len(SPELLINGS) >= 42

START, TIME = "203.0.113.1 - -", "[17/May/2015:10:05:03 +0000]"
PLACES = {
    "path": ("COMBINED", START + " " + TIME + ' "GET /p/{} HTTP/1.1" 200 1 "-" "-"'),
    "query": ("COMBINED", START + " " + TIME + ' "GET /?q={}&a=b HTTP/1.1" 200 1 "-" "-"'),
    "referer": ("COMBINED", START + " " + TIME + ' "GET / HTTP/1.1" 200 1 "http://h.example/?q={}" "-"'),
    "agent": ("COMBINED", START + " " + TIME + ' "GET / HTTP/1.1" 200 1 "-" "{}"'),
    "forwarded": ('%h %l %u %t "%r" %>s %b "%{X-Forwarded-For}i"', START + " " + TIME + ' "GET / HTTP/1.1" 200 1 "{}"'),
    "client": ("COMBINED", "{} - - " + TIME + ' "GET / HTTP/1.1" 200 1 "-" "-"'),
    "reject": ("COMBINED", "torn {} line"),
}


def _shows(output: bytes) -> set[str]:
    """Return the lines of an output that have the last byte of an address."""
    return {line for line in output.decode().lower().splitlines() if LAST.search(re.sub("%3(?=[0-9])", "", line))}


@pytest.mark.parametrize("how", ["/24", "hash"])
@pytest.mark.parametrize("place", PLACES)
def test_no_output_shows_an_address(fasturl: Run, tmp_path: Path, place: str, how: str) -> None:
    name, line = PLACES[place]
    texts = [text for text in TEXTS if place != "client" or not set(text) & set(' "')]
    log = "".join(line.format(text) + "\n" for text in texts).encode()
    (tmp_path / "key").write_bytes(b"k" * 16)
    secret = how if how != "hash" else f"hash:{tmp_path / 'key'}"
    if place == "reject":
        log += (PLACES["query"][1].format("a") + "\n").encode()
    for kind in ("log", "jsonl", "csv"):
        rejects = tmp_path / f"rejects.{kind}"
        ran = fasturl(
            "parse", "--log-format", name, "--to", kind, "--anonymize-client", secret, "--rejects", rejects, stdin=log
        )
        assert ran.out.count(b"\n") + rejects.read_bytes().count(b"\n") >= len(texts), ran.err
        assert not _shows(ran.out) | _shows(rejects.read_bytes()) | _shows(ran.err.encode())


def test_the_note_on_what_is_not_read_shows_no_address(fasturl: Run) -> None:
    """An address, or a secret under an own name, that stands behind the fields of COMBINED."""
    line = START + " " + TIME + ' "GET / HTTP/1.1" 200 1 "-" "-" via=203.0.113.239 code=S3CR3T'
    ran = fasturl(
        "parse", "--log-format", "COMBINED", "--anonymize-client", "/24", "--redact", "code", stdin=line.encode()
    )
    assert "not read: via=203.0.113.0 code=***" in ran.err
    ran = fasturl("stats", "--log-format", "COMBINED", "--redact", "code", stdin=line.encode())
    assert "not read: " in ran.err and "S3CR3T" not in ran.err
    ran = fasturl(
        "sql", "SELECT path FROM requests", "--log-format", "COMBINED", "--redact", "code", stdin=line.encode()
    )
    assert "not read: " in ran.err and "S3CR3T" not in ran.err


@pytest.mark.parametrize("mapped", [True, False])
def test_no_member_of_json_shows_an_address(fasturl: Run, mapped: bool) -> None:
    def member(text: str) -> str:
        raw = '"' + text + '"'
        try:
            json.loads(raw)
        except ValueError:
            return json.dumps(text)
        return raw

    objects = [f'{{"uri":"/a","status":200,"note":{member(text)},"deep":{json.dumps(member(text))}}}' for text in TEXTS]
    options = ("--map", "target=uri", "--map", "status=status") if mapped else ()
    log = "".join(one + "\n" for one in objects).encode()
    for kind in ("log", "jsonl"):
        keep = ("--keep", "*") if kind == "jsonl" else ()
        ran = fasturl("parse", *options, "--to", kind, "--anonymize-client", "/24", *keep, stdin=log)
        assert ran.out.count(b"\n") == (len(TEXTS) if mapped else 0), ran.err
        assert not _shows(ran.out) | _shows(ran.err.encode())


@pytest.mark.parametrize("kind", ["jsonl", "csv", "parquet"])
def test_no_kept_column_shows_an_address(fasturl: Run, tmp_path: Path, kind: str) -> None:
    pa, pq, one = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet"), "203.0.113.239"
    columns = {
        "text": pa.array([one, None]), "large": pa.array([one, None], pa.large_string()),
        "words": pa.array([one, "a"]).dictionary_encode(), "list": pa.array([[one, None], None]),
        "fixed": pa.array([[one, one], None], pa.list_(pa.string(), 2)),
        "struct": pa.array([{"x": one, "deep": [{"y": one}]}, None]),
        "map": pa.array([[("k", one)], None], pa.map_(pa.string(), pa.string())), "numbers": pa.array([[1.5], None]),
    }  # fmt: skip
    given, out = tmp_path / "given.parquet", tmp_path / f"out.{kind}"
    pq.write_table(pa.table({"u": ["/a", "/b"], **columns}), given)
    ran = fasturl("parse", "-q", "-c", "u", "--keep", "*", "--anonymize-client", "/24", "-o", out, given)
    assert ran.status == 0, ran.err
    shown = str(pq.read_table(out).to_pylist()).encode() if kind == "parquet" else out.read_bytes()
    assert not _shows(shown) and shown.count(b"203.0.113.0") == 9 and b"1.5" in shown


@pytest.mark.parametrize(
    ("text", "want"),
    {
        # The escapes of the place stay.
        "203%2E0%2E113%2E77": "203%2E0%2E113%2E0", r"203\.0\.113\.77": r"203\.0\.113\.0",
        r"203\u002e0\u002e113\u002e77": r"203\u002E0\u002E113\u002E0",
        "2001%253Adb8%253A%253A1": "2001%253Adb8%253A%253A", "[2001:db8::1]:443": "[2001:db8::]:443",
        "2001:db8::1:54321": "2001:db8:::54321", "fe80::1%eth0": "fe80::%eth0", "ip:2001:db8:1:2::3": "ip:2001:db8:1::",
        # What is none.
        "10:05:03 Chrome/124.0.0.0 1.2.3.4.5 256.1.1.1 1.2.3": None, "ab:cd:ef:01:23:45": None, "std::vector ::": None,
        "43:51:43:a1:b5:fc:8b:b7:0a:3a:a9:b1:0f:66:73:a8": None, "d41d8cd98f00b204e9800998ecf8427e": None,
        "2015-05-17T10:05:03.123 12:34:56:78": None, "2130706433 0xcb00714d x-203-0-113-77.sslip.io": None,
        "2026:01:02:03:04:05.678": None, "%25 %zz %": None,
    }.items(),
)  # fmt: skip
def test_spellings_in_texts(text: str, want: str | None) -> None:
    assert Anonymizer(24).text(text.encode()).decode() == (text if want is None else want)


def test_an_address_has_one_pseudonym_in_all_spellings() -> None:
    hashed = Anonymizer(key=b"k" * 16)
    one, other = (hashed.text(text) for text in (b"203.0.113.239", b"2001:db8:1:2::7fef"))
    spelled = {text: hashed.text(text.encode()).decode() for text in SPELLINGS}
    for text, shown in spelled.items():
        if text.startswith(("fe80", "64:", "::203")):
            continue
        plain = re.sub(r"(?i)(%(25)*u00|%(25)*5Cu00|\\+u00|\\+x|%(25)*)3a|(\\|%5C)+:", ":", shown)
        assert (one.decode() in plain) + (other.decode() in plain) == 1, (text, shown)
