"""The README as a package index shows it: with absolute links, if pyproject.toml names the repository."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
_PICTURE = re.compile(r'(!\[[^\]]*\]\(|(?:src|srcset)=")(?![a-z]+:)')
_LINK = re.compile(r"((?<!!)\[[^\]]*\]\()(?![a-z]+:|#)")


def address() -> str:
    """Return the address of the repository, `[project.urls] Repository`, or an empty text."""
    project = tomllib.loads(ROOT.joinpath("pyproject.toml").read_text(encoding="utf-8"))["project"]
    return str(project.get("urls", {}).get("Repository", "")).rstrip("/")


def absolute(text: str, repository: str) -> str:
    """Return the page with links and pictures of the repository's main branch.

    >>> absolute("[a](docs/a.md) ![b](b.svg) [c](#c) [d](https://d.example/)", "https://code.example/me/it")
    '[a](https://code.example/me/it/blob/main/docs/a.md) ![b](https://code.example/me/it/raw/main/b.svg) [c](#c) [d](https://d.example/)'
    """
    text = _PICTURE.sub(rf"\g<1>{repository}/raw/main/", text)
    return _LINK.sub(rf"\g<1>{repository}/blob/main/", text)


def readme() -> str:
    text = ROOT.joinpath("README.md").read_text(encoding="utf-8")
    to = address()
    return absolute(text, to) if to else text
