"""resolve() by section 5.2 of RFC 3986, and normalize(standard="rfc3986") by section 6.2."""

import random
import urllib.parse

import pytest
import reference_inputs as inputs
from rfc3986_grammar import derives
from tries import TRIES

import fasturl
from fasturl import InvalidURL, normalize, resolve
from fasturl._uris import without_dot_segments

BASE = "http://a/b/c/d;p?q"
EXAMPLES = {
    # section 5.4.1
    "g:h": "g:h", "g": "http://a/b/c/g", "./g": "http://a/b/c/g", "g/": "http://a/b/c/g/", "/g": "http://a/g",
    "//g": "http://g", "?y": "http://a/b/c/d;p?y", "g?y": "http://a/b/c/g?y", "#s": "http://a/b/c/d;p?q#s",
    "g#s": "http://a/b/c/g#s", "g?y#s": "http://a/b/c/g?y#s", ";x": "http://a/b/c/;x", "g;x": "http://a/b/c/g;x",
    "g;x?y#s": "http://a/b/c/g;x?y#s", "": "http://a/b/c/d;p?q", ".": "http://a/b/c/", "./": "http://a/b/c/",
    "..": "http://a/b/", "../": "http://a/b/", "../g": "http://a/b/g", "../..": "http://a/", "../../": "http://a/",
    "../../g": "http://a/g",
    # section 5.4.2
    "../../../g": "http://a/g", "../../../../g": "http://a/g", "/./g": "http://a/g", "/../g": "http://a/g",
    "g.": "http://a/b/c/g.", ".g": "http://a/b/c/.g", "g..": "http://a/b/c/g..", "..g": "http://a/b/c/..g",
    "./../g": "http://a/b/g", "./g/.": "http://a/b/c/g/", "g/./h": "http://a/b/c/g/h", "g/../h": "http://a/b/c/h",
    "g;x=1/./y": "http://a/b/c/g;x=1/y", "g;x=1/../y": "http://a/b/c/y", "g?y/./x": "http://a/b/c/g?y/./x",
    "g?y/../x": "http://a/b/c/g?y/../x", "g#s/./x": "http://a/b/c/g#s/./x", "g#s/../x": "http://a/b/c/g#s/../x",
    "http:g": "http:g",
}  # fmt: skip
MAKERS = (inputs.url, inputs.mutated_url, inputs.stretched_url, inputs.hostile)


def test_all_42_examples_of_section_5_4() -> None:
    assert len(EXAMPLES) == 42
    for ref, target in EXAMPLES.items():
        assert resolve(BASE, ref) == target
        assert resolve(BASE.encode(), ref.encode()) == target.encode()
        assert resolve(fasturl.parse(BASE), fasturl.parse(ref)) == target


@pytest.mark.parametrize(("base", "ref", "target"), [
    ("http://a", "g", "http://a/g"),  # 5.2.3: an authority and an empty path
    ("http://a?q", "g", "http://a/g"),
    ("http://a?q#f", "", "http://a?q"),
    ("http://a/b?", "", "http://a/b?"),  # an empty query is defined
    ("http://a/b?q", "?", "http://a/b?"),
    ("http://a/b", "#", "http://a/b#"),
    ("http://a/b", "//", "http://"),
    ("HTTP://A/%7e/b", "c", "HTTP://A/%7e/c"),  # no case, no escape
    ("mailto:a@b", "c@d", "mailto:c@d"),
    ("urn:a:b", "#c", "urn:a:b#c"),
    ("a:b/c", "../../d", "a:/d"),
    ("a:b/c", "..", "a:/"),
    ("a:b", "..", "a:"),
    ("a:/b", "/..//c", "a:/.//c"),  # not a://c
    ("a://h/b", "/..//c", "a://h//c"),
    ("x://h/a/b", "c:d", "c:d"),
    ("http://h/é/€", "ü", "http://h/é/ü"),
])  # fmt: skip
def test_more_references(base: str, ref: str, target: str) -> None:
    assert resolve(base, ref) == target


def test_resolve_refuses() -> None:
    for base in ("/a", "", "//h/a", "?q", "1:2"):
        with pytest.raises(InvalidURL, match=r"scheme: .*no scheme.*\(RFC 3986 section 3\)"):
            resolve(base, "b")
    with pytest.raises(TypeError, match="cannot mix"):
        resolve("a:b", b"c")
    with pytest.raises(TypeError):
        resolve("a:b", 1)


def by_the_letter(path: str) -> str:
    """Return the path after section 5.2.4, step by step."""
    output = ""
    while path:
        if path.startswith("../"):
            path = path[3:]
        elif path.startswith(("./", "/./")):
            path = path[2:]
        elif path == "/.":
            path = "/"
        elif path.startswith("/../"):
            path, output = path[3:], output[: max(output.rfind("/"), 0)]
        elif path == "/..":
            path, output = "/", output[: max(output.rfind("/"), 0)]
        elif path in (".", ".."):
            path = ""
        else:
            end = path.find("/", 1)
            end = len(path) if end < 0 else end
            path, output = path[end:], output + path[:end]
    return output


def test_dot_segments_agree_with_the_steps_of_section_5_2_4() -> None:
    pieces = ("/", ".", "..", "a", "//", "...", "b.")
    choices = random.Random(524)
    for _ in range(TRIES * 10):
        path = "".join(choices.choices(pieces, k=choices.randrange(9)))
        assert without_dot_segments(path) == by_the_letter(path), path


@pytest.mark.parametrize(("url", "normal"), [
    ("HTTP://www.EXAMPLE.com/", "http://www.example.com/"),  # 6.2.2.1
    ("http://h/%c3%a9", "http://h/%C3%A9"),
    ("http://h/%7Euser/%2d%5f%2E%41", "http://h/~user/-_.A"),  # 6.2.2.2
    ("http://h/%2f%3a%40?%2B%26%3d#%23", "http://h/%2F%3A%40?%2B%26%3D#%23"),
    ("example://a/b/c/%7Bfoo%7D", "example://a/b/c/%7Bfoo%7D"),  # 6.2.2
    ("eXAMPLE://a/./b/../b/%63/%7bfoo%7d", "example://a/b/c/%7Bfoo%7D"),
    ("http://h/%2e%2E/a/%2e/b", "http://h/a/b"),  # 6.2.2.3
    ("http://example.com", "http://example.com/"),  # 6.2.3
    ("http://example.com:/", "http://example.com/"),
    ("http://example.com:80/", "http://example.com/"),
    ("http://example.com:0080", "http://example.com/"),
    ("https://example.com:443?q", "https://example.com/?q"),
    ("http://example.com:443/", "http://example.com:443/"),
    ("http://example.com:0/", "http://example.com:0/"),
    ("http://example.com:080808", "http://example.com:80808/"),
    ("http://User:Pa%73s@EX%41mple%c3%89:80", "http://User:Pass@example%C3%89/"),
    ("http://[2001:DB8::A]:80/", "http://[2001:db8::a]/"),
    ("http://data/?", "http://data/?"),
    ("http://h/#", "http://h/#"),
    ("mailto:A@B", "mailto:A@B"),
    ("urn:a:../b", "urn:a:../b"),
    ("a:b/../../c", "a:/c"),
    ("a:/b/..//c", "a:/.//c"),
    ("../%7e/./a", "../~/./a"),  # a relative reference keeps its dot segments
    ("%61:b", "%61:b"),
    ("%%341", "%%341"),
    ("%4%31", "%4%31"),
    ("http://h:8a/", "http://h:8a/"),
    ("http://%%34A1/", "http://%%34a1/"),
])  # fmt: skip
def test_normal_forms(url: str, normal: str) -> None:
    assert normalize(url, standard="rfc3986") == normal
    assert normalize(url.encode(), standard="rfc3986") == normal.encode()
    assert normalize(normal, standard="rfc3986") is normal


@pytest.mark.parametrize("make", MAKERS, ids=lambda make: make.__name__)
def test_normal_forms_are_idempotent_and_stay_valid(make: inputs.Maker) -> None:
    choices = inputs.RandomChoices(f"6.2 {make.__name__}")
    for _ in range(TRIES):
        text = make(choices).replace("a", choices.pick(("a", "%61", "/..", "%2E", "/./")))
        once = normalize(text, standard="rfc3986")
        assert normalize(once, standard="rfc3986") == once, text
        data = inputs.bytes_of(text)
        if derives("URI", data):
            assert derives("URI", normalize(data, standard="rfc3986")), text


def test_normalize_refuses_another_standard() -> None:
    assert normalize("HTTP://h/%7e", standard="rfc1738") == normalize("HTTP://h/%7e") == "http://h/%7E"
    for standard in ("whatwg", None, 3986):
        with pytest.raises(ValueError, match="standard must be 'rfc1738' or 'rfc3986'"):
            normalize("http://h/", standard=standard)


def test_differences_from_urljoin() -> None:
    """The rows of the table in docs/rfc3986.md whose answer does not depend on the version of Python."""
    for base, ref, ours in (
        (BASE, "http:g", "http:g"),
        ("mailto:a@b", "c@d", "mailto:c@d"),
        ("foo://a/b/c", "../d", "foo://a/d"),
        ("a:/b", "/..//c", "a:/.//c"),
    ):
        assert resolve(base, ref) == ours != urllib.parse.urljoin(base, ref)
