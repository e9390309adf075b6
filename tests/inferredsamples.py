"""Samples of logs in no built-in format (inferredsamples.txt), and of no logs of requests (refusedsamples.txt)."""

import json
from pathlib import Path
from typing import Any


def _blocks(name: str) -> list[tuple[str, list[str]]]:
    text = Path(__file__).with_name(name).read_text(encoding="utf-8")
    blocks = [block.split("\n") for block in text.split("\n@ ")[1:]]
    return [(first, [line for line in lines if line]) for first, *lines in blocks]


# A name, the lines, and columns of the last line.
PROVEN: list[tuple[str, list[str], dict[str, Any]]] = [
    (name, lines[:-1], json.loads(lines[-1])) for name, lines in _blocks("inferredsamples.txt")
]
REFUSED = _blocks("refusedsamples.txt")
