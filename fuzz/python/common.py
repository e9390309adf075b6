"""The frame of the Python targets: an input as options and a text, and answers that can be compared."""

from __future__ import annotations

import random
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

# Use the installed package, or else the one built in the checkout.
sys.path.append(str(Path(__file__).resolve().parents[2] / "src"))

# atheris measures the coverage of modules that are imported from here on. The kernels have targets in C.
atheris: Any = None
if sys.argv[1:2] == ["atheris"]:
    sys.argv.pop(1)
    import atheris

    atheris.instrument_imports(include=["fasturl"]).__enter__()

OPTIONS = 2  # bytes, as in the C targets
EXPECTED = (ValueError, TypeError, LookupError, OverflowError, AttributeError, RuntimeError, ZeroDivisionError)


class Input:
    """An input: two option bytes and a text. Random choices depend only on the input."""

    def __init__(self, data: bytes) -> None:
        self.one, self.two = data[0], data[1]
        self.data = data[OPTIONS:]
        self.chance = random.Random(data)

    @property
    def text(self) -> str:
        """Decode the bytes as Latin-1, as UTF-8 with lone surrogates, or to wider characters."""
        if self.one & 3 == 0:
            return self.data.decode("latin-1")
        if self.one & 3 == 1:
            return self.data.decode("utf-8", "surrogateescape")
        return "".join(chr(byte if byte < 0x80 else byte * (257 if self.one & 4 else 4353)) for byte in self.data)

    def pieces(self, separator: bytes = b"\n") -> list[bytes]:
        return self.data.split(separator)


def outcome(call: Callable[[], Any]) -> Any:
    """Return the answer, or the type and message of the exception."""
    try:
        return call()
    except EXPECTED as error:
        return type(error), str(error)


def fuzz(test_one: Callable[[Input], None]) -> None:
    """Run under atheris if the first argument is "atheris", else once per file of the arguments."""

    def test(data: bytes) -> None:
        if len(data) >= OPTIONS:
            test_one(Input(data))

    if atheris is not None:
        atheris.Setup(sys.argv, test)
        atheris.Fuzz()
        return
    tried = 0
    for name in sys.argv[1:]:
        path = Path(name)
        for file in sorted(path.iterdir()) if path.is_dir() else [path]:
            test(file.read_bytes())
            tried += 1
    print(f"{tried} inputs")
