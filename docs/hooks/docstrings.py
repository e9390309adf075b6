"""Convert the package's docstrings to Markdown: examples become fenced sessions, fields become lists."""

from __future__ import annotations

import inspect
import re
from typing import Any

import griffe

# "name, name : description", and the words that begin a docstring's last lines.
FIELD = re.compile(r"(\**\w+(?:, \**\w+)*) : |(Returns|Yields|Raises|Warns|Cost|Source|Time|Memory|Threads):? ")
SIGNATURE = re.compile(r"\A\w+(?:\.\w+)*\([^\n]*\)(?: -> [^\n]*)?\n\n")


def listed(block: str) -> str:
    """Convert a block of fields to a list. Further lines of a field belong to its item."""
    lines: list[str] = []
    in_list = False
    for line in block.split("\n"):
        found = FIELD.match(line)
        if not found:
            lines.append(("  " if in_list else "") + line.strip())
        else:
            if lines and not in_list:
                lines.append("")
            in_list = True
            name = ", ".join(f"`{one}`" for one in found[1].split(", ")) if found[1] else f"**{found[2]}**"
            lines.append(f"- {name}: {line[found.end() :]}")
    return "\n".join(lines)


def as_markdown(text: str) -> str:
    """Convert a docstring."""
    text = SIGNATURE.sub("", inspect.cleandoc(text))
    text = re.sub(r":(?:func|class|meth|mod|data|attr):`([^`]+)`", r"`\1`", text)
    blocks = []
    for block in re.split(r"\n{2,}", text):
        if ">>> " in block:
            before, mark, session = block.partition(">>> ")
            fenced = f"```pycon\n{inspect.cleandoc(mark + session)}\n```"
            blocks.append(f"{listed(before.rstrip())}\n\n{fenced}" if before.strip() else fenced)
        else:
            blocks.append(listed(block))
    return "\n\n".join(blocks)


class Docstrings(griffe.Extension):
    """The griffe extension that converts each docstring once."""

    def on_object(self, *, obj: griffe.Object, **_: Any) -> None:
        if obj.docstring is not None and "```" not in obj.docstring.value:
            obj.docstring.value = as_markdown(obj.docstring.value)
