"""A text is taken once, by exact type, and no method of what was given is believed: whatever it answers, nothing
crashes, and the result is that of the plain object or a Python exception."""

import json
import pickle
import subprocess
import sys
from pathlib import Path
from typing import Any

import hostile
import pytest

import fasturl
from fasturl import schemes

SCRIPT = Path(hostile.__file__)


NAMES = list(dict.fromkeys("arrow" if "arrow." in name else name for name in hostile.CALLS))


@pytest.fixture(scope="module")
def ended() -> dict[str, tuple[int, str]]:
    """How the process of each name ended, and what it wrote last."""
    run = subprocess.run([sys.executable, str(SCRIPT), *NAMES], capture_output=True, text=True)
    assert run.returncode == 0, run.stderr[-2000:]
    return {name: (status, written) for name, status, written in map(json.loads, run.stdout.splitlines())}


@pytest.mark.parametrize("name", NAMES)
def test_lying_methods_change_no_answer(name: str, ended: dict[str, tuple[int, str]]) -> None:
    status, written = ended[name]
    assert status == 0, (status, written)
    assert "argument" in written, "nothing was replaced"


def test_every_public_callable_is_called() -> None:
    called = {name.partition(" ")[0] for name in hostile.CALLS}
    public = {
        name for module in (fasturl, schemes) for name in module.__all__ if callable(getattr(module, name))
    }
    # Made by others only, without an argument, or Python's own enums.
    public -= {"URL", "SchemeParts", "GrammarError", "registered", "install", "uninstall", "CharClass", "Finding"}
    assert {name for name in public - called if not name.endswith(("Result", "ResultBytes"))} == set()


class BytesOfItself(bytes):
    def __bytes__(self) -> "BytesOfItself":
        return self


@pytest.mark.parametrize("function", [fasturl.parse, fasturl.problems, schemes.decompose, fasturl.normalize])
def test_bytes_that_give_themselves_are_copied(function: Any) -> None:
    """What bytes() returns may be of a subclass: the octets are read where they stand instead."""
    octets = BytesOfItself(b"http://h/a")
    assert function(octets) == function(b"http://h/a")
    assert type(fasturl.parse(octets).text) is bytes
    assert next(fasturl.parse_many([octets])).path == b"/a"


@pytest.mark.parametrize("arguments", [(5, "url", False), ([1] * 3, "url", False), (None, "url", True)])
def test_a_pickle_makes_no_url_of_what_is_no_text(arguments: Any) -> None:
    with pytest.raises(TypeError):
        fasturl._fastparse._restore(*arguments)
    with pytest.raises(TypeError):
        pickle.loads(b"cfasturl._fastparse\n_restore\n(I5\nVurl\nI00\ntR.")


def test_a_bytearray_of_any_class_gives_its_own_octets() -> None:
    class Other(bytearray):
        def __buffer__(self, flags: int) -> memoryview:
            return memoryview(b"http://other/")

    assert fasturl.parse(Other(b"http://h/")).netloc == b"h"
    assert fasturl.escape(Other(b"a b")) == "a%20b"


@pytest.mark.parametrize("text", [b"abcd", bytes(range(8))])
def test_buffers_of_any_layout_are_read_in_order(text: bytes) -> None:
    strided = memoryview(text)[::2]
    assert fasturl.parse(strided).text == text[::2]
    assert fasturl.escape(strided) == fasturl.escape(text[::2])
    assert fasturl.unescape(strided) == text[::2]
