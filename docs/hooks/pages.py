"""Prepare a page before mkdocs renders it: add included text, and set links.

When you write `<!-- include: PATH -->` or `<!-- include: PATH#section -->`, the page gets the text of another file.
PATH starts at the repository's root. So you can show a text on the site without a second copy. The rest of a page is
plain Markdown, so a code host can show it too.
"""

from __future__ import annotations

import posixpath
import re
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]

# Files outside docs that are pages of the site.
PAGE_OF = {
    "README.md": "docs/index.md",
    "CHANGELOG.md": "docs/changes.md",
    "CONTRIBUTING.md": "docs/contributing.md",
    "SECURITY.md": "docs/security.md",
    "bench/README.md": "docs/benchmarks.md",
    "docs/schemes": "docs/schemes/README.md",
    "docs/engines": "docs/engines/README.md",
}
# Words that the search looks up before the words of titles, and the page that answers them.
KEYWORDS = {
    "installation.md": ["install", "Python versions"],
    "threads.md": ["asyncio", "thread safe"],
    "formats.md": ["nginx"],
    "guides/fetch.md": ["SSRF"],
}
DIRECTIVE = re.compile(r"^<!-- include: (\S+) -->$", re.MULTILINE)
# The anchor of a public name, which the site gives to the heading, so that the search finds it.
ANCHOR = re.compile(r'^<a id="([\w.]+)"></a>\n\n(##+ .+)$', re.MULTILINE)
FENCE = re.compile(r"^( *)(```|~~~)", re.MULTILINE)
# Markdown has no syntax for a picture with a light and a dark form. On the site, the toggle chooses the form.
PICTURE = re.compile(r'<picture>.*?srcset="([^"]+)".*?alt="([^"]*)" src="([^"]+)".*?</picture>', re.DOTALL)
LINK = re.compile(r"(!?)\[((?:[^\[\]]|\[[^\]]*\])*)\]\(([^)\s]+)\)")


def section(text: str, anchor: str) -> str:
    """Return the section with this anchor. It ends before the next heading with the same or a higher level."""
    headings = list(re.finditer(r"^(#+) (.+)$", text, re.MULTILINE))
    for place, heading in enumerate(headings):
        if re.sub(r"[^\w]+", "-", heading[2].lower()).strip("-") == anchor:
            rest = (later.start() for later in headings[place + 1 :] if len(later[1]) <= len(heading[1]))
            return text[heading.end() : next(rest, len(text))].strip() + "\n"
    raise LookupError(f"no heading has the anchor #{anchor}")


def moved(text: str, source: str, page: str) -> str:
    """Return the text of the file `source` with links that work on the page `page`. Both paths start at the root.

    When a link leads to a file that the site does not show, for example the licence, only its text stays.
    """

    def lead(found: re.Match[str]) -> str:
        target, mark, anchor = found[3].partition("#")
        if not target or re.match(r"[a-z][a-z+.-]*:", target):
            return found[0]
        path = posixpath.normpath(posixpath.join(posixpath.dirname(source), target))
        path = PAGE_OF.get(path, path)
        if not path.startswith("docs/") or not ROOT.joinpath(path).is_file():
            return f"{found[2]}"
        return f"{found[1]}[{found[2]}]({posixpath.relpath(path, posixpath.dirname(page))}{mark}{anchor})"

    text = PICTURE.sub(r"![\2](\3){ .only-light } ![\2](\1){ .only-dark }", text)
    return outside_of_fences(text, lambda piece: LINK.sub(lead, piece))


def outside_of_fences(text: str, change: Any) -> str:
    """Apply a change to the lines outside fenced blocks."""
    pieces: list[str] = []
    lines: list[str] = []
    fence = ""
    for line in text.splitlines(keepends=True):
        mark = FENCE.match(line)
        if not fence and mark:
            pieces.append(change("".join(lines)))
            lines, fence = [line], mark[2]
        elif fence and mark and mark[2] == fence:
            pieces.append("".join([*lines, line]))
            lines, fence = [], ""
        else:
            lines.append(line)
    pieces.append(change("".join(lines)))
    return "".join(pieces)


def spaced(text: str) -> str:
    """Add the blank line that Python-Markdown needs before a list or a table.

    A code host needs a backslash before a bar in a table's code, and Python-Markdown shows it. So remove it.
    """
    lines: list[str] = []
    for line in text.split("\n"):
        before = lines[-1] if lines else ""
        item = re.match(r"( *)(- |\d+\. )", line)
        in_list = re.match(r" *(- |\d+\. )|  +\S", before)
        if before and ((item and not in_list) or (line.startswith("|") and not before.startswith("|"))):
            lines.append("")
        if line.startswith("|"):
            line = re.sub(r"(`+)(.+?)\1", lambda code: code[0].replace("\\|", "|"), line)
        lines.append(line)
    return "\n".join(lines)


def sessions(text: str) -> str:
    """Mark a fenced interpreter session as `pycon`, and remove the blank line that doctest needs at the end."""
    return re.sub(r"^```python\n(>>> .*?)\n*^```$", r"```pycon\n\1\n```", text, flags=re.DOTALL | re.MULTILINE)


def on_page_markdown(markdown: str, page: Any, **_: Any) -> str:
    own = "docs/" + page.file.src_uri
    if page.file.src_uri in KEYWORDS:
        page.meta.setdefault("tags", KEYWORDS[page.file.src_uri])

    def bring(found: re.Match[str]) -> str:
        path, _, anchor = found[1].partition("#")
        text = ROOT.joinpath(path).read_text(encoding="utf-8")
        return moved(section(text, anchor) if anchor else text, path, own)

    text = moved(markdown, own, own)
    text = ANCHOR.sub(r"\2 { #\1 }", DIRECTIVE.sub(bring, text))
    return sessions(outside_of_fences(text, spaced))
