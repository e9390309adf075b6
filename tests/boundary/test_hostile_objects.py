"""Each argument is converted once, by its exact type; no overridden method is trusted. Nothing crashes, and the result
is that of the plain object or a Python exception."""

import json
import pickle
from pathlib import Path
from typing import Any

import hostile
import pytest
from support import run_python

import fasturl
from fasturl import schemes

SCRIPT = Path(hostile.__file__)

NAMES = list(dict.fromkeys("arrow" if "arrow." in name else name for name in hostile.CALLS))


@pytest.fixture(scope="module")
def outcomes() -> dict[str, tuple[int, str]]:
    """Return the exit status and the last output of each name's process."""
    lines = run_python(SCRIPT, *NAMES).splitlines()
    return {name: (status, written) for name, status, written in map(json.loads, lines)}


@pytest.mark.parametrize("name", NAMES)
def test_lying_methods_change_no_answer(name: str, outcomes: dict[str, tuple[int, str]]) -> None:
    status, written = outcomes[name]
    assert status == 0, (status, written)
    assert "argument" in written, "nothing was replaced"


def test_every_public_callable_is_called() -> None:
    called = {name.partition(" ")[0] for name in hostile.CALLS}
    public = {name for module in (fasturl, schemes) for name in module.__all__ if callable(getattr(module, name))}
    # These are created by others only, take no argument, or are Python's own enums.
    public -= {"URL", "FasturlError", "Reading", "SchemeParts", "GrammarError", "registered", "install", "uninstall",
               "Finding"}  # fmt: skip
    assert {name for name in public - called if not name.endswith(("Result", "ResultBytes"))} == set()


class BytesOfItself(bytes):
    def __bytes__(self) -> "BytesOfItself":
        return self


@pytest.mark.parametrize("function", [fasturl.parse, fasturl.problems, schemes.decompose, fasturl.normalize])
def test_bytes_subclasses_are_copied(function: Any) -> None:
    """bytes() may return an object of a subclass, so the bytes are read from the object's memory."""
    data = BytesOfItself(b"http://h/a")
    assert function(data) == function(b"http://h/a")
    assert type(fasturl.parse(data).text) is bytes
    assert next(fasturl.parse_many([data])).path == b"/a"


@pytest.mark.parametrize(
    "arguments", [(5, "url", False, "rfc1738"), ([1] * 3, "url", False, "rfc1738"), (None, "url", True, "rfc1738")]
)
def test_a_pickle_makes_urls_of_text_only(arguments: Any) -> None:
    with pytest.raises(TypeError):
        fasturl._fastparse._restore(*arguments)
    with pytest.raises(TypeError):
        pickle.loads(b"cfasturl._fastparse\n_restore\n(I5\nVurl\nI00\nVrfc1738\ntR.")


def test_a_bytearray_subclass_gives_its_own_bytes() -> None:
    class Other(bytearray):
        def __buffer__(self, flags: int) -> memoryview:
            return memoryview(b"http://other/")

    assert fasturl.parse(Other(b"http://h/")).netloc == b"h"
    assert fasturl.rfc1738.escape(Other(b"a b")) == "a%20b"


@pytest.mark.parametrize("text", [b"abcd", bytes(range(8))])
def test_strided_buffers_are_read_in_order(text: bytes) -> None:
    strided = memoryview(text)[::2]
    assert fasturl.parse(strided).text == text[::2]
    assert fasturl.rfc1738.escape(strided) == fasturl.rfc1738.escape(text[::2])
    assert fasturl.rfc1738.unescape(strided) == text[::2]
