"""A str that is not ASCII is split like other text, at any length and character width.

The split sees one byte per character.
"""

import urllib.parse

import pytest

from fasturl import _urllib

# Latin-1, two and four bytes per character; each is FF, or becomes FF when narrowed.
CHARACTERS = ["ÿ", "\u20ac", "\U0001d11e", "\u0100", "\u2523"]


def same(name: str, *args: object) -> None:
    results = []
    for module in (_urllib, urllib.parse):
        try:
            results.append(getattr(module, name)(*args))
        except ValueError as error:
            results.append(type(error))
    assert results[0] == results[1] and type(results[0]) is type(results[1]), (name, args)


@pytest.mark.parametrize("character", CHARACTERS)
@pytest.mark.parametrize(
    "shape", ["http://h/{}", "http://h{}/a", "{}://h/a", "H{}:x", "x?{}", "ftp://h/{};a#b", "//h/a?b#{}", "\n{}", " {}"]
)
def test_wide_text_is_split_as_urllib_splits_it(character: str, shape: str) -> None:
    for length in (1, 2, 31, 63, 64, 65, 500, 511, 512, 513, 1500):
        for pad in ("a" * length + character, character * length, character + "/?#;" * length):
            text = shape.format(pad)
            same("urlsplit", text)
            same("urlsplit", text, "x", False)
            same("urlparse", text)
            same("urldefrag", text)
            same("urljoin", text, "../c")
            same("urljoin", "http://h/a/b", text)
