"""What the Python targets share: options and a text out of an input, and answers that can be compared."""

from __future__ import annotations

import random
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

# The package that this Python has, or else the one built in the checkout.
sys.path.append(str(Path(__file__).resolve().parents[2] / "src"))

# What is imported from here on tells atheris where an input came: the modules in Python; the kernels have targets in C.
atheris: Any = None
if sys.argv[1:2] == ["atheris"]:
    sys.argv.pop(1)
    import atheris

    atheris.instrument_imports(include=["fasturl"]).__enter__()

OPTIONS = 2  # octets, as the targets in C have them
EXPECTED = (ValueError, TypeError, LookupError, OverflowError, AttributeError, RuntimeError, ZeroDivisionError)


class Input:
    """An input: two octets of options, and a text. What is drawn depends on all of it and on nothing else."""

    def __init__(self, data: bytes) -> None:
        self.one, self.two = data[0], data[1]
        self.octets = data[OPTIONS:]
        self.chance = random.Random(data)

    @property
    def text(self) -> str:
        """The octets as characters: of one octet, of UTF-8 with lone surrogates, or wider."""
        if self.one & 3 == 0:
            return self.octets.decode("latin-1")
        if self.one & 3 == 1:
            return self.octets.decode("utf-8", "surrogateescape")
        return "".join(chr(octet if octet < 0x80 else octet * (257 if self.one & 4 else 4353)) for octet in self.octets)

    def pieces(self, separator: bytes = b"\n") -> list[bytes]:
        return self.octets.split(separator)


def outcome(call: Callable[[], Any]) -> Any:
    """The answer, or the kind of exception and what it says."""
    try:
        return call()
    except EXPECTED as error:
        return type(error), str(error)


def fuzz(test_one: Callable[[Input], None]) -> None:
    """Run under atheris where the first argument says so; or else once for each file and folder that is named."""

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
