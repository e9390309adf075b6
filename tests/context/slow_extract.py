"""A slow, plain find_urls(), written from docs/context.md. It shares no code with the kernel and applies every rule
anew at every place of the text."""

from __future__ import annotations

import string
from typing import NamedTuple

SPACE = " \t\n\v\f\r"
SCHEME = string.ascii_letters + string.digits + "+-."
# xchar, "%", "#" and "~"
RUN = string.ascii_letters + string.digits + "$-_.+" + "!*'()," + ";/?:@&=" + "%#~"
SENTENCE = ".,:;!?'"
OPAQUE = ("mailto", "news")


class Found(NamedTuple):
    url: str
    start: int
    end: int
    fragment: str | None
    hyphen: bool


def without_space(text: str) -> str:
    return "".join(c for c in text if c not in SPACE)


def after_space(text: str, at: int) -> int:
    while text[at : at + 1] and text[at] in SPACE:
        at += 1
    return at


def opening(text: str, at: int) -> str:
    """Return the "scheme://" or "mailto:" at a place, or ""."""
    end = at
    while end < len(text) and text[end] in SCHEME:
        end += 1
    scheme = text[at:end]
    if not scheme or scheme[0] not in string.ascii_letters or text[end : end + 1] != ":":
        return ""
    if text[end : end + 3] == "://":
        return scheme + "://"
    return scheme + ":" if scheme.lower() in OPAQUE else ""


def bracket(text: str, start: int) -> Found | None:
    body = after_space(text, start + 1)
    marked = text[body : body + 4].lower() == "url:" and text[body : body + 4].isascii()
    prefix = "" if marked else opening(text, body)
    if not marked and not prefix:
        return None
    if marked:
        body += 4
    close, other = text.find(">", body), text.find("<", body)
    if close < 0 or 0 <= other < close:
        return None
    inside = text[body:close]
    if not marked and any(c == '"' or c == "\x7f" or (c < " " and c not in SPACE) for c in inside):
        return None
    url, hash_, fragment = inside.partition("#")
    if not without_space(url[len(prefix) :]):
        return None
    hyphen = "-\n" in inside or "-\r" in inside
    return Found(without_space(url), start, close + 1, without_space(fragment) if hash_ else None, hyphen)


def run(text: str, start: int, body: int) -> Found | None:
    prefix = opening(text, body)
    if not prefix:
        return None
    before = text[start - 1 : start] if start else ""
    end = first = body + len(prefix)
    while end < len(text) and text[end] in RUN:
        rest = text[first : end + 1]
        if text[end] == ")" and before == "(" and rest.count(")") > rest.count("("):
            break
        if text[end] == "'" and before == "'":
            break
        end += 1
    hyphen = end > first and text[end - 1] == "-" and text[end : end + 1] in ("\n", "\r")
    while end > first:
        rest = text[first:end]
        if rest[-1] in SENTENCE or (rest[-1] == ")" and rest.count(")") > rest.count("(")):
            end -= 1
        else:
            break
    if end == first or text[first] == "#":
        return None
    url, hash_, fragment = text[body:end].partition("#")
    return Found(url, start, end, fragment if hash_ else None, hyphen)


def slow_extract(text: str, *, bare: bool = False) -> list[Found]:
    found: list[Found] = []
    at = 0
    while at < len(text):
        match = None
        skip = 1
        is_mark = text[at : at + 4].lower() == "url:" and text[at : at + 4].isascii()
        if text[at] == "<":
            match = bracket(text, at)
            body = after_space(text, at + 1)
            if text[body : body + 4].lower() == "url:" and text[body : body + 4].isascii():
                skip = body + 4 - at
        elif is_mark and not (at and text[at - 1] in string.ascii_letters + string.digits):
            match = run(text, at, after_space(text, at + 4))
        if match is None and bare and text[at] in string.ascii_letters and opening(text, at).endswith("://"):
            before = text[found[-1].end if found else 0 : at]
            scheme_so_far = before[len(before.rstrip(SCHEME)) :]
            if not any(c in string.ascii_letters for c in scheme_so_far):
                match = run(text, at, at)
        if match:
            found.append(match)
            at = match.end
        else:
            at += skip
    return found
