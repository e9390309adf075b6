"""TRAVERSAL: dot segments that climb above the root, in every spelling, in URLs and request targets."""

import random

import pytest
import reference_validator
from tries import TRIES

from fasturl import Finding, parse, problems

pytestmark = pytest.mark.usefixtures("kernel")

DOTS = ["..", ".%2e", "%2E.", "%2e%2E", "%252e%252e", "%25252e.", "%25%32%65%25%32%65", "%%32%65%%32e",
        "%252%65%25%32e"]  # fmt: skip
CLIMBS = ["/{}", "/{}/", "/{}/x", "/a/{0}/{0}/x", "/./{}/x", "//{}/x", "/a/./{0}/b/{0}/{0}", "/{}\\x", "/{}%2fx",
          "/{}%5Cx"]  # fmt: skip
STAYS = ["/a/{}", "/a/b/{0}/{0}", "/a{}", "/{}a", "/a/{}b/", "/?/{}", "/a/{}/b/", "/{}.", "/%2{}"]


@pytest.mark.parametrize("dots", DOTS)
@pytest.mark.parametrize(
    "before", ["http://h", "https://h:8080", "ftp://u:p@h", "gopher://h", "x-any://h", "file://", "HTTP://h_"]
)
def test_dot_segments_climb_above_the_root_of_a_url(before: str, dots: str) -> None:
    for path in CLIMBS:
        url = before + path.format(dots)
        assert Finding.TRAVERSAL in parse(url).findings, url
    for path in STAYS:
        if before.startswith(("ftp", "gopher", "file")) and "?" in path:
            continue  # there a "?" is data
        url = before + path.format(dots)
        assert Finding.TRAVERSAL not in parse(url).findings, url


@pytest.mark.parametrize("dots", DOTS)
def test_dot_segments_climb_above_the_root_of_a_request_target(dots: str) -> None:
    for path in CLIMBS:
        for target in (path.format(dots), path.format(dots)[1:]):
            if "{}/" in path or target.startswith("/"):
                assert Finding.TRAVERSAL in parse(target, form="request-target").findings, target
    for path in STAYS:
        assert Finding.TRAVERSAL not in parse(path.format(dots), form="request-target").findings


@pytest.mark.parametrize(("url", "place"), [
    ("http://h/../x", (9, 11)),            ("http://h/a/../../x", (14, 16)),
    ("http://h/a/%2e%2E/..%2f..", (18, 20)),
    ("http://h/%25252e%25252e/x", (9, 23)),                                       ("http://h\\..\\x", (9, 11)),
    ("http:\\\\h\\..\\..\\..", (12, 14)),  ("ftp://h/a?/../..", (14, 16)),        ("ftp://h/..?", (8, 10)),
    ("file:/..", (6, 8)),
])  # fmt: skip
def test_the_place_is_the_first_segment_that_climbs(url: str, place: tuple[int, int]) -> None:
    assert [(one.start, one.end) for one in problems(url) if one.finding == Finding.TRAVERSAL] == [place]


@pytest.mark.parametrize("url", [
    "mailto:/../a", "news:/../a@h", "x-any:a/../../b", "../a", "a/../../b", "http://h/?../../a", "http://h/#/../a",
    "http://h..:80",
])  # fmt: skip
def test_no_root_no_climb(url: str) -> None:
    assert Finding.TRAVERSAL not in parse(url).findings


PIECES = [
    *["/", "/../", "/../", "/%2e./", "\\", "%2f", "%5C", "%252f", "..", "..", ".", "%2e", "%2E", "%252e", "%25%32e",
      "%%32%65", "%25252e"],
    *["a", "a/", "b", "?", "#", ";", "%", "%2", "%25", "@", ":", "é", " "],
]  # fmt: skip
STARTS = ["http://h", "http://u@h", "ftp://h", "file://", "x-any:", "x-any://h", "mailto:", "news:", "wais://h", "",
          "/", "//", "3a://"]  # fmt: skip


def test_random_paths_agree_with_the_reference() -> None:
    rng = random.Random(1738)
    found = 0
    for _ in range(TRIES):
        text = rng.choice(STARTS) + rng.choice(["", "", "a" * rng.randrange(50, 140)])
        text += "".join(rng.choices(PIECES, k=rng.randrange(1, 14)))
        for form in ("url", "request-target"):
            told = [(p.finding.name, p.start, p.end) for p in problems(text, form=form)]  # type: ignore[arg-type]
            assert told == reference_validator.validate(text, form=form), (text, form)
            found += any(name == "TRAVERSAL" for name, *_ in told)
    assert found > TRIES // 10


@pytest.mark.parametrize("before", [*range(40, 72), *range(118, 136)])
def test_dots_are_found_across_the_blocks_of_a_kernel(before: int) -> None:
    for start in ("http://h/", "/"):
        text = start + "a" * (before - len(start)) + "/../../../x"
        found = [(p.finding, p.start) for p in problems(text, form="request-target")]
        assert found == [(Finding.TRAVERSAL, before + 4)]
