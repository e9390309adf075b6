"""The inputs that fuzzing kept: the package answers for each as its scalar kernel does, and the C targets find nothing.

docs: fuzz/README.md. Each input is two octets of options, which only the C targets read, and a text.
"""

import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import fasturl
from fasturl import _fastparse

FUZZ = Path(__file__).resolve().parents[2] / "fuzz"
OPTIONS = 2

pytestmark = pytest.mark.skipif(not FUZZ.is_dir(), reason="the fuzz targets are part of a checkout only")


def texts() -> list[bytes]:
    """Each kept text once, in an order that does not change."""
    folders = [FUZZ / "seeds", *sorted(path for path in (FUZZ / "corpus").iterdir() if path.is_dir())]
    found = {path.read_bytes()[OPTIONS:]: None for folder in folders for path in sorted(folder.iterdir())}
    return list(found)


def outcome(call: Callable[[], Any]) -> Any:
    try:
        return call()
    except ValueError as error:
        return type(error), str(error)


def answers(text: bytes) -> list[Any]:
    """What the package says of a text by every way that a kernel takes part in."""
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
    found += [list(map(tuple, fasturl.extract(one, bare=True))) for one in (wide, "\u20ac" + wide, "\U0001f600" + wide)]
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


def test_parts_and_escapes_are_brought_back() -> None:
    for text in texts():
        assert fasturl.unquote_to_bytes(fasturl.quote_from_bytes(text)) == text
        assert fasturl.unquote(fasturl.quote(text)) == text.decode("utf-8", "replace")
        normal = fasturl.normalize(text)
        assert fasturl.normalize(normal) == normal and len(normal) <= len(text)


@pytest.mark.skipif(sys.platform == "win32", reason="the targets guard pages with mprotect")
def test_the_targets_find_nothing_in_their_corpus(monkeypatch: pytest.MonkeyPatch) -> None:
    """Built without libFuzzer and without sanitizers: by any C compiler."""
    if shutil.which("cc") is None:
        pytest.skip("no C compiler")
    monkeypatch.delenv("CC", raising=False)
    assert replayed().count(" inputs, on scalar") == len(list((FUZZ / "targets").glob("*.c")))


def replayed(*targets: str) -> str:
    run = subprocess.run([sys.executable, FUZZ / "run.py", "--replay", *targets], capture_output=True, text=True)
    assert run.returncode == 0, run.stderr[-2000:]
    return run.stdout


@pytest.mark.parametrize("target", [path.stem for path in sorted((FUZZ / "python").glob("fuzz_*.py"))])
def test_the_targets_in_python_find_nothing_in_their_corpus(target: str) -> None:
    if target in ("fuzz_arrow", "fuzz_logs"):
        pytest.importorskip("pyarrow")
    kept = len(list((FUZZ / "seeds").iterdir())) + len(list((FUZZ / "corpus" / target).iterdir()))
    assert replayed(target) == f"{kept} inputs\n"
