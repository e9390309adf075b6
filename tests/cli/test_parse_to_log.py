"""`parse --to log` writes the lines again: changed where the options say so, byte for byte elsewhere."""

import contextlib
import json
import re
from ipaddress import IPv4Address, IPv6Address, ip_address
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from clihelpers import Run

pytest.importorskip("hypothesis", reason="random lines need hypothesis")
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from logsamples import SAMPLES
from tries import ALL, TRIES

from fasturl.logs.addresses import Anonymizer

LOG = (
    b'203.0.113.7 - - [17/May/2015:10:05:03 +0000] "GET /a?utm_x=1&b=%22&token=t0k HTTP/1" 200 2 "http://u:pw@h/" "a"\n'
    b"\n"
    b'2001:db8:1:2::3 - bob [17/May/2015:10:05:04 +0000] "GET /b HTTP/1.1" 500 \xff "-" "b"\n'
    b'2001:db8:1:2::3 - bob [17/May/2015:10:05:04 +0000] "GET /b\\"?c=\\x16&token=t0k HTTP/1" 500 9 "-" "\xff\1"\r\n'
    b'host-7.example.net - - [17/May/2015:10:05:05 +0000] "GET / HTTP/1.1" 404 1 "-" "from host-7.example.net"\n'
    b"torn 203.0.113.7 http://u:pw@h/?utm_x=2&token=t0k\n"
)


def test_without_changes_every_byte_stays(fasturl: Run, tmp_path: Path) -> None:
    ran = fasturl("parse", "-q", "--to", "log", "--rejects", tmp_path / "rejects", stdin=LOG)
    lines = LOG.splitlines(keepends=True)
    assert ran.out == b"".join(lines[place] for place in (0, 1, 3, 4)), ran.err
    assert (tmp_path / "rejects").read_bytes() == lines[2] + lines[5]


def test_changes_stand_where_the_texts_stood(fasturl: Run, tmp_path: Path) -> None:
    options = ("--drop", "utm_*", "--redact", "token", "--anonymize-client", "/24", "--rejects", tmp_path / "rejects")
    want = LOG
    for old, new in {
        b"203.0.113.7": b"203.0.113.0", b"2001:db8:1:2::3": b"2001:db8:1::", b"utm_x=1&": b"", b"t0k": b"***",
        b":pw@": b":***@", b"utm_x=2&": b"", b"host-7.example.net": b"***",
    }.items():  # fmt: skip
        want = want.replace(old, new)
    lines = want.splitlines(keepends=True)
    assert fasturl("parse", "-q", "--to", "log", *options, stdin=LOG).out == b"".join(lines[n] for n in (0, 1, 3, 4))
    assert (tmp_path / "rejects").read_bytes() == lines[2] + lines[5]
    clients = [row["client"] for row in fasturl("parse", "-q", "-F", "client", *options, stdin=LOG).rows]
    assert clients == ["203.0.113.0", "2001:db8:1::", "***"]


def test_rows_and_errors_choose_lines(fasturl: Run) -> None:
    pytest.importorskip("duckdb", reason="conditions need duckdb")
    lines = LOG.splitlines(keepends=True)
    ran = fasturl("parse", "-q", "--to", "log", "--where", "status = 200", stdin=LOG)
    assert ran.out == lines[0] + lines[1]
    assert fasturl("parse", "-q", "--to", "log", "--on-error", "skip", stdin=LOG).out == lines[0] + lines[1] + lines[4]
    ran = fasturl("parse", "-q", "--to", "log", "--on-error", "fail", stdin=LOG)
    assert ran.status == 1 and ran.out == lines[0]


def test_formats_keep_their_own_writing(fasturl: Run) -> None:
    options = ("--redact", "token", "--drop", "utm*", "--anonymize-client", "16", "-q", "--to", "log")
    w3c = (
        b"#Fields: date time c-ip cs-method cs-uri-stem cs-uri-query sc-status\r\n"
        b"2015-05-17 10:00:00 203.0.113.9 GET /a token=5&b=1 200\r\n"
        b"2015-05-17 10:00:00 203.0.113.9 GET /b utm_x=2 200\r\n"
    )
    want = w3c.replace(b"token=5", b"token=***").replace(b"utm_x=2", b"-").replace(b"203.0.113.9", b"203.0.0.0")
    assert fasturl("parse", *options, stdin=w3c).out == want
    line = rb'{"request":{"remote_ip":"203.0.113.9","uri":"/a\/b?q=1\u0026token=abc\u0026utm_x=2"},"ts":1.5,'
    line += b'"status":200}'
    want = line.replace(b"abc", b"***").replace(rb"\u0026utm_x=2", b"").replace(b"203.0.113.9", b"203.0.0.0") + b"\n"
    assert fasturl("parse", *options, "--log-format", "CADDY", stdin=line + b"\n").out == want
    pod = b'{"log":"203.0.113.9 - - [17/May/2015:10:05:03 +0000] \\"GET /a?utm=1&b HTTP/1.1\\" 200 1\\n","s":"o"}\n'
    want = pod.replace(b"utm=1&", b"").replace(b"203.0.113.9", b"203.0.0.0")
    assert fasturl("parse", *options, "--map", "line=log", "--log-format", "COMMON", stdin=pod).out == want
    urls = b"http://h/?token=1\n http://203.0.113.9/?utm_x=1\n"
    found = fasturl("parse", *options, "--log-format", "URLS", stdin=urls).out
    assert found == b"http://h/?token=***\n http://203.0.0.0/\n"


def test_a_keyed_hash_is_an_address_that_tells_clients_apart(fasturl: Run, tmp_path: Path) -> None:
    key = tmp_path / "key"
    key.write_bytes(b"0123456789abcdef\n")
    options = ("-q", "--anonymize-client", f"hash:{key}")
    out = fasturl("parse", *options, "--to", "log", stdin=LOG).out
    rows = fasturl("parse", *options, "-F", "client", stdin=LOG).rows
    assert fasturl("parse", "-q", "-F", "client", stdin=out).rows == rows
    clients = [ip_address(row["client"]) for row in rows]
    assert len(set(clients)) == 3 and all(client.is_private for client in clients)
    other = tmp_path / "other"
    other.write_bytes(b"0123456789abcdeg")
    assert fasturl("parse", "-q", "--anonymize-client", f"hash:{other}", "-F", "client", stdin=LOG).rows != rows
    for value, message in {
        "8": "expected /16, /24 or hash:FILE", "hash:": "expected /16", f"hash:{tmp_path / 'no'}": "No such file",
    }.items():  # fmt: skip
        ran = fasturl("parse", "--anonymize-client", value, stdin=LOG)
        assert ran.status == 2 and message in ran.err and ran.out == b""
    key.write_bytes(b"short\n")
    ran = fasturl("parse", *options, stdin=LOG)
    assert ran.status == 2 and "at least 16 bytes" in ran.err and "short" not in ran.err


def test_a_table_has_no_lines(fasturl: Run, tmp_path: Path) -> None:
    ran = fasturl("parse", "--to", "log", "--column", "u", stdin=b"u\nhttp://h/\n")
    assert ran.status == 2 and "is a table" in ran.err
    pq.write_table(pa.table({"u": ["http://h/"]}), tmp_path / "u.parquet")
    ran = fasturl("parse", "--to", "log", tmp_path / "u.parquet")
    assert ran.status == 2 and "is a table" in ran.err and ran.out == b""
    for options in (["--rows", "url"], ["-F", "path"], ["--keep", "*"]):
        assert fasturl("parse", "--to", "log", *options, stdin=LOG).status == 2


# A query with a secret, in place of the one that most samples of the documented shapes have.
HELD = [(name, line) for _, name, line, _ in SAMPLES if re.search(r"(?<![0-9A-Za-z])b=1(?![0-9])", line)]


@pytest.mark.parametrize(("name", "line"), HELD, ids=[f"{at} {name}" for at, (name, _) in enumerate(HELD)])
def test_a_line_of_each_format_is_written_with_its_secrets_hidden(fasturl: Run, name: str, line: str) -> None:
    """Nothing is withheld, and every other byte stays."""
    for secret in ("s3cret", "x/y.z", "A" * 40, "%22q%22", "a:b@c"):
        line = line.replace("SESSION=1", "PAGE=1")
        sent = re.sub(r"(?<![0-9A-Za-z])b=1(?![0-9])", f"b=1&token={secret}", line)
        options = ("-q", "--log-format", name, "--to", "log", "--redact", "secrets")
        ran = fasturl("parse", *options, stdin=(sent + "\n").encode())
        assert ran.out.decode() == sent.replace(secret, "***") + "\n" and ran.status == 0, ran.err


@pytest.mark.parametrize(("path", "written"), [
    (b"/a", b"203.0.113.7 [17/May/2015:10:05:03 +0000] /a 200 token=***\n"),
    (b"/a;token=t0k", None),  # the path must change too, and no text of the line is the URL
])  # fmt: skip
def test_a_query_apart_from_its_path_is_changed_and_a_url_that_is_not_found_is_withheld(
    fasturl: Run, path: bytes, written: bytes | None
) -> None:
    line = b"203.0.113.7 [17/May/2015:10:05:03 +0000] %s 200 id=1&token=t0k\n" % path
    changes = ("--drop", "id", "--redact", "token")
    ran = fasturl("parse", "--log-format", "%h [%d:%t %^] %U %s %q", "--to", "log", *changes, stdin=line)
    assert ran.out == (written or b"") and ran.status == (0 if written else 2)
    assert ("1 line not written" in ran.err) == (written is None)


# --- No full address, password or named value in any output ---
SECRET = "S3CR3T"
# A network is written as it is: take addresses with bits for the host.
_v4 = st.integers(0x01000101, 0xDFFFFFFE).map(lambda bits: IPv4Address(bits | 1))
_v6 = st.integers(1 << 125, (1 << 126) - 1).map(lambda bits: IPv6Address(bits | 1))


@st.composite
def spelled_addresses(draw: Any) -> tuple[str, str]:
    """Return an address, and one of its spellings."""
    address = draw(st.one_of(_v4, _v6))
    if isinstance(address, IPv4Address):
        return str(address), draw(st.sampled_from(["{}", "::ffff:{}", "::FFFF:{}"])).format(address)
    text = draw(st.sampled_from([str(address), address.exploded, str(address).upper()]))
    return str(address), text


def _escaped(text: str) -> str:
    return text.replace(":", "%3A")


@st.composite
def lines(draw: Any) -> tuple[str, list[str]]:
    """Return a line of a log, whole or torn, and the addresses in it."""
    found, texts = zip(*[draw(spelled_addresses()) for _ in range(4)], strict=True)
    client, first, second, third = texts
    target = draw(st.sampled_from([
        f"/a?ip={_escaped(first)}&token={SECRET}", f"/ip/{first}?mine={SECRET}&x=1", f"http://u:{SECRET}@h/{first}",
        f"/?next=http%3A%2F%2Fu%3A{SECRET}%40h%2F&a={_escaped(first)}", f"/?x=%22\\\"&mine={SECRET}",
        f"/a;token={SECRET}?b",
    ]))  # fmt: skip
    referer = draw(st.sampled_from([
        f"https://u:{SECRET}@h.example/", f"http://h.example/?mine={SECRET}&from={_escaped(second)}", "-",
        f"http://{second}/" if ":" not in second else f"http://[{second}]:80/",
    ]))  # fmt: skip
    agents = [f"bot (+http://h/?token={SECRET}; {third})", f"Mozilla/5.0 Chrome/124.0.0.0 {third}"]
    agent = draw(st.sampled_from(agents))
    more = draw(st.sampled_from(["", f' "{third}, {second}"', f" {third}:4711"]))
    line = f'{client} - - [17/May/2015:10:05:03 +0000] "GET {target} HTTP/1.1" 200 12 "{referer}" "{agent}"{more}'
    return (line if draw(st.booleans()) else f"torn {line[len(client) // 9 :]}"), list(found)


def _shown(output: str) -> set[str]:
    """Return the addresses that the output has, in any spelling."""
    shown = set()
    for word in set(re.findall(r"[0-9A-Fa-f:.]+", output.replace("%3A", ":"))):
        for text in (word, word.strip(":."), word.rpartition(":")[0], word.rpartition(":")[2]):
            with contextlib.suppress(ValueError):
                address = ip_address(text)
                mapped = address.ipv4_mapped if isinstance(address, IPv6Address) else None
                shown.add(str(mapped or address))
    return shown


@pytest.mark.long
@pytest.mark.parametrize("how", ["/16", "/24", "hash"])
@settings(max_examples=TRIES // 50 if ALL else 5, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.lists(lines(), min_size=1, max_size=12))
def test_no_output_shows_an_address_a_password_or_a_named_value(
    fasturl: Run, tmp_path_factory: pytest.TempPathFactory, how: str, made: list[tuple[str, list[str]]]
) -> None:
    folder = tmp_path_factory.mktemp("log")
    (folder / "key").write_bytes(b"k" * 16)
    (folder / "log").write_text("".join(line + "\n" for line, _ in made))
    anonymize = how if how != "hash" else f"hash:{folder / 'key'}"
    for kind in ("log", "jsonl", "csv"):
        ran = fasturl(
            "parse", folder / "log", "--log-format", "COMBINED", "--to", kind, "--redact", "secrets",
            "--redact", "mine", "--anonymize-client", anonymize,
            "-o", folder / f"out.{kind}", "--rejects", folder / f"rejects.{kind}",
        )  # fmt: skip
        assert "Traceback" not in ran.err
        output = ran.err
        for path in folder.glob("*.*"):
            output += path.read_text()
            path.unlink()
        assert SECRET not in output
        assert _shown(output).isdisjoint(each for _, found in made for each in found)


@settings(max_examples=50 if ALL else 10, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.lists(lines(), min_size=1, max_size=12))
def test_the_lines_have_the_columns_of_the_table(fasturl: Run, made: list[tuple[str, list[str]]]) -> None:
    log = "".join(line + "\n" for line, _ in made if not line.startswith("torn")).encode()
    options = ("--redact", "secrets", "--redact", "mine", "--drop", "x", "--anonymize-client", "/24")
    columns = ("-q", "--log-format", "COMBINED", "-F", "client,url,referer,agent,status,size,time")
    again = fasturl("parse", "-q", "--log-format", "COMBINED", "--to", "log", *options, stdin=log).out
    assert fasturl("parse", *columns, stdin=again).rows == fasturl("parse", *columns, *options, stdin=log).rows
    assert again.count(b"\n") == log.count(b"\n")


@pytest.mark.parametrize(("text", "want"), [
    ("203.0.113.7:80 [::1] x203.0.113.7.", "203.0.113.0:80 [::] x203.0.113.0."),
    ("1.2.3.4.5 256.1.1.1 Chrome/124.0.0.0 0.0.0.0 ::", "1.2.3.4.5 256.1.1.1 Chrome/124.0.0.0 0.0.0.0 ::"),
    ("::ffff:1.2.3.4 2002:102:304::5 64:ff9b::1.2.3.4", "1.2.3.0 2002:102:300:: 64:ff9b::"),
    ("2001%3Adb8%3a1::5 1:2:3:4:5:6:7:8", "2001%3Adb8%3A1%3A%3A 1:2:3::"), ("010.001.002.003", "10.1.2.0"),
    ("10:05:03 ab:cd:ef:01:23:45 std::vector", "10:05:03 ab:cd:ef:01:23:45 std::vector"),
])  # fmt: skip
def test_addresses_in_text(text: str, want: str) -> None:
    assert Anonymizer(24).text(text.encode()).decode() == want


def test_every_spelling_has_one_hash() -> None:
    hashed = Anonymizer(key=b"k" * 16)
    spellings = [b"2001:db8::5", b"2001:DB8:0:0:0:0:0:5", b"2001:0db8::0005"]
    assert len({hashed.client(text) for text in spellings}) == 1
    assert len({hashed.client(text) for text in (b"1.2.3.4", b"::ffff:1.2.3.4", b"001.2.3.4")}) == 1
    assert hashed.client(b"Host.Example") == hashed.client(b"host.example") != hashed.client(b"host2.example")
    assert json.loads(json.dumps(hashed.text(b"http://1.2.3.4:80/").decode())).startswith("http://[fd")
