"""The seeded corpora are the same on every Python, and the sample log has the combined format."""

import gzip
import hashlib
import re
import subprocess
import sys
from datetime import datetime
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).resolve().parents[2]

# The digests of the first 400 texts or log lines for the seed 1738. A change makes recorded benchmarks stale.
DIGESTS = {
    "web": "2bb99c7e5b05ef19",
    "valid": "a3afd999a5d3d96a",
    "query": "452f3d88c7cfd64e",
    "escapes": "5e197423edafa546",
    "nonascii": "abcb5c7f6db44326",
    "hostile": "f331f1e85e1849e9",
    "long": "9dba2f30436132e7",
    "schemes": "beeb3a21cde5d552",
    "malformed": "2dcff91c2c50aaf5",
    "target": "4927487cac3c8de3",
    "log": "e74e678878cb4693",
}

COMBINED = re.compile(
    r'(?P<host>\S+) (?P<ident>\S+) (?P<user>\S+) \[(?P<time>[^\]]+)\] "(?P<request>(?:\\.|[^"\\])*)" '
    r'(?P<status>\d{3}) (?P<size>\d+|-) "(?P<referer>(?:\\.|[^"\\])*)" "(?P<agent>(?:\\.|[^"\\])*)"'
)


@pytest.fixture
def corpora(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(str(ROOT))
    from bench import madeup

    return madeup


def make(*arguments: str) -> bytes:
    command = [sys.executable, "-m", "bench.corpora", *arguments]
    return subprocess.run(command, cwd=ROOT, capture_output=True, check=True).stdout


@pytest.mark.parametrize("name", DIGESTS)
def test_same_octets_on_every_python(name: str, corpora: ModuleType) -> None:
    from bench.accesslog import log_lines

    made = log_lines(400) if name == "log" else corpora.lines(name, 400)
    assert hashlib.sha256(b"".join(made)).hexdigest()[:16] == DIGESTS[name]


def test_every_corpus_is_checked(corpora: ModuleType) -> None:
    assert set(DIGESTS) == {*corpora.CORPORA, "log"}


def test_texts_are_unique_and_follow_the_seed(corpora: ModuleType) -> None:
    for name in corpora.CORPORA:
        made = corpora.generate(name, 300)
        assert len(made) == len(set(made)) == 300
        assert made == corpora.generate(name, 300)
        assert made != corpora.generate(name, 300, seed=2)


def test_corpora_are_what_they_say(corpora: ModuleType) -> None:
    def part(name: str, holds: str) -> float:
        made = corpora.generate(name, 300)
        return sum(holds in text for text in made) / len(made)

    assert part("query", "&") > 0.9
    assert part("escapes", "%") > 0.9
    assert part("escapes", "://") == 1
    assert not any(text.isascii() for text in corpora.generate("nonascii", 300))
    assert all(text.isascii() for text in corpora.generate("web", 300))
    assert min(map(len, corpora.generate("long", 50))) > 2000
    assert {text.partition(":")[0] for text in corpora.generate("schemes", 300)} == {
        "ftp", "gopher", "mailto", "news", "nntp", "telnet", "wais", "file", "prospero",
    }  # fmt: skip
    hostile = "".join(corpora.generate("hostile", 2000))
    assert all(sign in hostile for sign in ("\r\n", "\0", "\\", "%252e", "%c0%af", "@@", "[", "\x1b", "\udcff"))
    targets = corpora.generate("target", 3000)
    assert sum(text.startswith("/") for text in targets) / len(targets) > 0.9
    assert "*" in targets and "-" in targets
    assert any(re.fullmatch(r"[a-z0-9.-]+:\d+", text) for text in targets)


def test_sample_log_has_the_combined_format() -> None:
    lines = make("log", "--lines", "3000").decode("ascii").splitlines()
    assert len(lines) == 3000
    found = [COMBINED.fullmatch(line) for line in lines]
    damaged = found.count(None)
    assert 0 < damaged < 30
    moments = []
    requests = []
    referers = []
    for match in found:
        if match is not None:
            moments.append(datetime.strptime(match["time"][:20], "%d/%b/%Y:%H:%M:%S"))
            assert match["time"].endswith(" +0000")
            requests.append(match["request"].split(" ")[1:2])
            referers.append(match["referer"])
    assert moments == sorted(moments)
    assert 0.3 < referers.count("-") / len(referers) < 0.5
    assert any(target == ["*"] for target in requests)
    # a few pages get most of the requests
    assert len({" ".join(target) for target in requests}) < len(requests) / 2


def test_clean_log_has_no_damaged_line() -> None:
    lines = make("log", "--lines", "3000", "--clean").decode("ascii").splitlines()
    assert all(COMBINED.fullmatch(line) for line in lines)


def test_output_files(tmp_path: Path) -> None:
    plain, zipped = tmp_path / "log", tmp_path / "log.gz"
    make("log", "-n", "50", "-o", str(plain))
    make("log", "-n", "50", "-o", str(zipped))
    assert plain.read_bytes() == gzip.decompress(zipped.read_bytes()) == make("log", "-n", "50")
    failed = subprocess.run(
        [sys.executable, "-m", "bench.corpora", "web", "-o", str(tmp_path / "no" / "file")],
        cwd=ROOT,
        capture_output=True,
        text=True,
    )
    assert failed.returncode == 2
    assert failed.stderr.count("\n") == 1 and "No such file" in failed.stderr


def test_reading_a_file_of_urls(tmp_path: Path, corpora: ModuleType) -> None:
    file = tmp_path / "urls.txt"
    file.write_bytes(b"\xef\xbb\xbfhttp://a/\r\n\nhttp://b/\xe9\x0b\nhttp://c/")
    assert corpora.read_urls(file) == ["http://a/", "http://b/\udce9\x0b", "http://c/"]
    zipped = tmp_path / "urls.gz"
    zipped.write_bytes(gzip.compress(file.read_bytes()))
    assert corpora.read_urls(zipped) == corpora.read_urls(file)
