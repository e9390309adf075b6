"""One command makes a log that can be given away: 2,000 random secrets and addresses, in every format and output."""

import random
import re
from pathlib import Path
from typing import Any
from urllib.parse import quote, unquote

import pytest
from clihelpers import Run, rows_of_file
from logsamples import SAMPLES
from secretshapes import LETTERS, OPAQUE, SHAPES, WEBHOOKS, WORDS, some

from fasturl import SECRET_KEYS

RNG = random.Random("give away")
COUNT = 2000
_QUERY = re.compile(r"(?<![0-9A-Za-z])b=1(?![0-9])")  # of most samples
HELD: dict[str, list[str]] = {}
for _, _name, _line, _ in SAMPLES:
    if _QUERY.search(_line):
        HELD.setdefault(_name, []).append(_line.replace("SESSION=1", "PAGE=1"))
NAMES = [key for key in SECRET_KEYS if "&" not in key and ":" not in key]
LINE = (
    b'203.0.113.7 - frank [10/Oct/2000:13:55:36 -0700] "GET /a?token=%s&u=http%%3A%%2F%%2Fme%%3Apw%%40h HTTP/1.0" '
    b'200 2 "http://me:pw@h/" "frank"\n'
)


def _named() -> tuple[str, str, str]:
    key, value = RNG.choice(NAMES), some(RNG.randrange(6, 40))
    name = key.replace("*", RNG.choice(("", "my_", "x-")))
    name = RNG.choice((name, name.upper(), name.title().replace("_", ""), name.replace("_", "-"), f"user[{name}]"))
    return f"name {key}", f"{name}={value}", value


def _shaped() -> tuple[str, str, str]:
    kind = RNG.choice(list(SHAPES))
    token = SHAPES[kind][0]()
    return f"shape {kind}", f"x={token}", token


def _webhook() -> tuple[str, str, str]:
    kind = RNG.choice(list(WEBHOOKS))
    before, token = WEBHOOKS[kind][0]()
    return f"webhook {kind}", "u=" + quote(before + token, safe=""), token


def _placed() -> tuple[str, str, str]:
    word, token = RNG.choice(WORDS), OPAQUE[RNG.randrange(2)]()  # hex digits or a UUID, which always look random
    return f"behind {word}", "u=" + quote(f"/account/{word}/{token}", safe=""), token


def _login() -> tuple[str, str, str]:
    password = some(12)
    return "login", "u=" + quote(f"https://me:{password}@h.example/", safe=""), password


def _address() -> tuple[str, str, str]:
    last = RNG.randrange(1, 0xFFFF)
    if last & 1:
        address = f"203.0.{RNG.randrange(256)}.{RNG.randrange(100, 256)}"
    else:
        address = f"2001:db8:{RNG.randrange(1, 0xFFFF):x}:7::{last | 0x1000:x}"
    written = RNG.choice((address, quote(address, safe=""), "%22" + address + "%22", "from%20" + address))
    return "address", "ip=" + written, address


MAKERS = (_named, _shaped, _webhook, _placed, _login, _address)
OUTPUTS = ("log", "jsonl", "csv", "parquet", "rejects")


def _texts(output: bytes) -> str:
    """Return an output with its escapes decoded up to three times, next to the output itself."""
    text = output.decode("utf-8", "replace")
    return "\n".join((text, once := unquote(text), twice := unquote(once), unquote(twice)))


@pytest.mark.parametrize("output", OUTPUTS)
def test_every_generated_secret_is_hidden(fasturl: Run, tmp_path: Path, output: str) -> None:
    shown: list[str] = []
    made = 0
    for place, (name, lines) in enumerate(HELD.items()):
        if output == "parquet" and place % 4:
            continue  # the columns are those of the other outputs
        secrets = [RNG.choice(MAKERS)() for _ in range(-(-COUNT // len(HELD)))]
        sent = [
            _QUERY.sub(lambda _, text=text: f"b=1&{text}&z=1", lines[at % len(lines)])
            for at, (_, text, _) in enumerate(secrets)
        ]
        if output == "rejects":
            sent = [lines[0], *("torn " + line.replace('"', "'") for line in sent)]
        options = ("-q", "--log-format", name, "--redact", "secrets", "--anonymize-client", "/24")
        out = tmp_path / (f"{place}.{output}" if output != "log" else f"{place}.txt")
        to = "jsonl" if output == "rejects" else output
        rejects = ("--rejects", out) if output == "rejects" else ()
        ran = fasturl("parse", *options, "--to", to, *(rejects or ("-o", out)), stdin=("\n".join(sent) + "\n").encode())
        assert output == "rejects" or (ran.status == 0 and out.stat().st_size), (name, ran.err)
        held = repr(rows_of_file(out)).encode() if output == "parquet" else out.read_bytes()
        text = _texts(held) + _texts(ran.out) + ran.err
        shown += [f"{name}: {shape}: {query}" for shape, query, secret in secrets if secret in text]
        made += len(secrets)
    assert not shown
    assert made >= (COUNT if output != "parquet" else COUNT // 4)


def test_how_secrets_are_written(fasturl: Run, tmp_path: Path) -> None:
    """Marks, the words of OpenTelemetry's conventions for url.full, and pseudonyms that join.
    https://opentelemetry.io/docs/specs/semconv/registry/attributes/url/"""

    def written(*options: Any, token: bytes = b"t0ken") -> bytes:
        ran = fasturl("parse", "-q", "--to", "log", *options, stdin=LINE % token)
        assert ran.status == 0, ran.err
        return bytes(ran.out)

    assert written("--redact-as", "mark:GONE") == LINE.replace(b"pw", b"GONE") % b"GONE"
    hidden = written("--redact-user")
    assert hidden == LINE.replace(b"me%%3Apw", b"***").replace(b"me:pw", b"***").replace(b"frank", b"***") % b"***"
    words = LINE.replace(b"me%%3Apw", b"R3%%3AR3").replace(b"me:pw", b"R3:R3").replace(b"frank", b"R3") % b"R3"
    assert written("--redact-as", "otel") == words.replace(b"R3", b"REDACTED")

    key = tmp_path / "key"
    key.write_bytes(b"0123456789abcdef")
    first, again = (written("--redact-as", f"hash:{key}", token=token) for token in (b"t0ken", b"t0%6ben"))
    assert first == again  # one pseudonym for all spellings
    names = re.findall(rb"[0-9a-f]{32}", first)
    assert len(names) == 7 and len({*names}) == 4  # frank twice, the token, me twice, pw twice
    rows = fasturl("parse", "-q", "--redact-as", f"hash:{key}", "-F", "user,url,referer", stdin=LINE % b"t0ken").rows
    assert rows[0]["user"].encode() == names[0] and re.findall(rb"[0-9a-f]{32}", rows[0]["url"].encode()) == names[1:4]
    other = tmp_path / "other"
    other.write_bytes(b"0123456789abcdeg")
    assert not {*names} & {*re.findall(rb"[0-9a-f]{32}", written("--redact-as", f"hash:{other}"))}


@pytest.mark.parametrize("how", ["mark:", "mark:@/", "mark:" + "x" * 65, "x", "hash:", "hash:/no/such/key", "otel:1"])
def test_other_marks_are_refused(fasturl: Run, how: str) -> None:
    ran = fasturl("parse", "--redact-as", how, stdin=LINE % b"t")
    assert ran.status == 2 and ran.err.startswith("fasturl: --redact-as") and ran.out == b""


def test_a_user_with_an_escape_is_hidden(fasturl: Run) -> None:
    line = b'{"request":{"remote_ip":"203.0.113.9","uri":"/zq"},"user_id":"z\\"q","ts":1.5,"status":200}\n'
    ran = fasturl("parse", "-q", "--log-format", "CADDY", "--to", "log", "--redact-user", stdin=line)
    assert ran.out == line.replace(b'z\\"q', b"***")


def test_a_long_random_text_of_letters_is_no_secret(fasturl: Run) -> None:
    """What is hidden has a reason: other values, paths and words stay."""
    line = LINE.replace(b"token=%s", b"page=%s") % some(40, LETTERS).encode()
    ran = fasturl("parse", "-q", "--to", "log", "--redact", "secrets", stdin=line)
    assert ran.out == line.replace(b"pw", b"***")
