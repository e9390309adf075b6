"""On the inputs that fuzzing kept, every kernel answers as the scalar one, and the fuzz targets find nothing.
fuzz/README.md describes the inputs: two bytes of options, which only the C targets read, and a text."""

import shutil
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from support import run_python

import fasturl
from fasturl import _fastparse

FUZZ = Path(__file__).resolve().parents[2] / "fuzz"
OPTIONS = 2

pytestmark = pytest.mark.skipif(not (FUZZ / "corpus").is_dir(), reason="the inputs are part of a checkout only")


def texts() -> list[bytes]:
    """Return each kept text once, in a stable order."""
    lines = (FUZZ / "seeds.txt").read_text("ascii").splitlines()
    seeds = [line.partition(": ")[2].encode().decode("unicode_escape").encode("latin-1") for line in lines]
    found = dict.fromkeys(seeds)
    for corpus in sorted((FUZZ / "corpus").glob("*_seed_corpus.zip")):
        with zipfile.ZipFile(corpus) as archive:
            found |= {archive.read(name)[OPTIONS:]: None for name in archive.namelist()}
    return list(found)


def outcome(call: Callable[[], Any]) -> Any:
    try:
        return call()
    except ValueError as error:
        return type(error), str(error)


def answers(text: bytes) -> list[Any]:
    """Return every answer about a text in which a kernel takes part."""
    wide = text.decode("latin-1")
    found: list[Any] = []
    for form in ("url", "request-target"):
        url = fasturl.parse(text, form=form)
        found += [tuple(url), url.findings, url.error_offset, outcome(lambda url=url: url.port), url.hostname]
        found += [(one.finding, one.start, one.end) for one in fasturl.problems(text, form=form)]
    found += [fasturl.quote_from_bytes(text, safe=safe) for safe in ("/", "", "!#%&+,:;=@")]
    found += [fasturl.quote_plus(text), fasturl.unquote_to_bytes(text)]
    found += [fasturl.unquote(wide), fasturl.unquote_plus(wide)]
    found += [fasturl.unquote_safe(text), fasturl.normalize(text), fasturl.redact(text, ["key", "a"])]
    found += [fasturl.query_value(text, "key"), outcome(lambda: fasturl.parse_qsl(text, keep_blank_values=True))]
    found += [list(map(tuple, fasturl.find_urls(one, bare=True)))
              for one in (wide, "\u20ac" + wide, "\U0001f600" + wide)]  # fmt: skip
    found += [outcome(lambda: fasturl.urlsplit(wide)), outcome(lambda: fasturl.urljoin("http://h/a?b", wide))]
    return found


def test_every_kernel_answers_as_the_scalar_one(kernel: str) -> None:
    if kernel == "scalar":
        pytest.skip("it is what the others are compared with")
    for text in texts():
        found = answers(text)
        _fastparse._use_kernel("scalar")
        try:
            want = answers(text)
        finally:
            _fastparse._use_kernel(kernel)
        assert found == want, text


def test_quoting_and_normalizing_round_trip() -> None:
    for text in texts():
        assert fasturl.unquote_to_bytes(fasturl.quote_from_bytes(text)) == text
        assert fasturl.unquote(fasturl.quote(text)) == text.decode("utf-8", "replace")
        normal = fasturl.normalize(text)
        assert fasturl.normalize(normal) == normal and len(normal) <= len(text)


@pytest.mark.long
@pytest.mark.skipif(sys.platform == "win32", reason="the targets guard pages with mprotect")
def test_the_targets_find_nothing_in_their_corpus(monkeypatch: pytest.MonkeyPatch) -> None:
    """Any C compiler builds them, without libFuzzer and without sanitizers."""
    if shutil.which("cc") is None:
        pytest.skip("no C compiler")
    monkeypatch.delenv("CC", raising=False)
    assert replayed().count(" inputs, on scalar") == len(list((FUZZ / "targets").glob("*.c")))


def replayed(*targets: str) -> str:
    return run_python(FUZZ / "run.py", "--replay", *targets)


@pytest.mark.long
@pytest.mark.parametrize("target", [path.stem for path in sorted((FUZZ / "python").glob("fuzz_*.py"))])
def test_the_targets_in_python_find_nothing_in_their_corpus(target: str) -> None:
    if target in ("fuzz_arrow", "fuzz_logs"):
        pytest.importorskip("pyarrow")
    with zipfile.ZipFile(FUZZ / "corpus" / f"{target}_seed_corpus.zip") as archive:
        kept = len((FUZZ / "seeds.txt").read_text("ascii").splitlines()) + len(archive.namelist())
    assert replayed(target) == f"{kept} inputs\n"
