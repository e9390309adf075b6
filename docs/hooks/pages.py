"""The site's own work on a page before it is rendered: what is included or made comes in, links lead to pages.

A page says `<!-- include: PATH -->` or `<!-- include: PATH#section -->`, PATH from the repository's root, where the
text of another file belongs, and `<!-- made: NAME -->` where a function of this folder makes it. So each text has one
home, and the repository's own pages read well without the site.
"""

from __future__ import annotations

import os
import posixpath
import re
import sys
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]

# Files outside of docs that a page of the site holds.
PAGE_OF = {
    "README.md": "docs/index.md",
    "CHANGELOG.md": "docs/changes.md",
    "CONTRIBUTING.md": "docs/contributing.md",
    "SECURITY.md": "docs/security.md",
    "bench/README.md": "docs/benchmarks.md",
    "docs/schemes": "docs/schemes/README.md",
    "docs/engines": "docs/engines/README.md",
}
DIRECTIVE = re.compile(r"^<!-- (include|made): (\S+) -->$", re.MULTILINE)
FENCE = re.compile(r"^( *)(```|~~~)", re.MULTILINE)
# Of a picture for light and dark, which Markdown has no words for. It works on the first page, at the root.
PICTURE = re.compile(r'\b(src|srcset)="(?!https?:)([^"]+)"')
LINK = re.compile(r"(!?)\[((?:[^\[\]]|\[[^\]]*\])*)\]\(([^)\s]+)\)")


def section(text: str, anchor: str) -> str:
    """The part of a page under the heading with this anchor, to the next heading that is as high."""
    headings = list(re.finditer(r"^(#+) (.+)$", text, re.MULTILINE))
    for place, heading in enumerate(headings):
        if re.sub(r"[^\w]+", "-", heading[2].lower()).strip("-") == anchor:
            rest = (later.start() for later in headings[place + 1 :] if len(later[1]) <= len(heading[1]))
            return text[heading.end() : next(rest, len(text))].strip() + "\n"
    raise LookupError(f"no heading has the anchor #{anchor}")


def made(name: str) -> str:
    """What this folder makes for a page."""
    # mkdocs takes a hook's folder out again.
    sys.path[:0] = [str(ROOT / os.environ.get("FASTURL_PACKAGE", "src")), str(HERE)]
    import commands
    import explained
    import urllibs

    return {"commands": commands.page, "findings": explained.page, "urllib": urllibs.page}[name]()


def moved(text: str, source: str, page: str) -> str:
    """The text of the file `source`, its links set for the page `page`; both are paths from the root.

    What is no page of the site, as the licence, loses its link.
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

    def lead_by_attribute(found: re.Match[str]) -> str:
        path = posixpath.normpath(posixpath.join(posixpath.dirname(source), found[2]))
        return f'{found[1]}="{posixpath.relpath(path, posixpath.dirname(page))}"'

    return outside_of_fences(text, lambda piece: PICTURE.sub(lead_by_attribute, LINK.sub(lead, piece)))


def outside_of_fences(text: str, change: Any) -> str:
    """The text, its lines outside of fenced blocks changed."""
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
    """Lists and tables that follow a paragraph's line get the blank line that Python-Markdown needs; a bar of code
    within a table stands without its backslash.
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
    """Fenced interpreter's sessions are coloured as such, without the blank line that doctest needs at their end."""
    return re.sub(r"^```python\n(>>> .*?)\n*^```$", r"```pycon\n\1\n```", text, flags=re.DOTALL | re.MULTILINE)


def on_page_markdown(markdown: str, page: Any, **_: Any) -> str:
    own = "docs/" + page.file.src_uri

    def bring(found: re.Match[str]) -> str:
        if found[1] == "made":
            return made(found[2])
        path, _, anchor = found[2].partition("#")
        text = ROOT.joinpath(path).read_text(encoding="utf-8")
        return moved(section(text, anchor) if anchor else text, path, own)

    text = moved(markdown, own, own)
    return sessions(outside_of_fences(DIRECTIVE.sub(bring, text), spaced))
