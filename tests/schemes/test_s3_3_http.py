"""Section 3.3: HTTP, and https, which has its shape."""

import pytest

from fasturl.schemes import Http, Https, decompose, hpath


def test_segments_are_decoded_after_the_split():
    assert decompose("http://h/a%2Fb/c%20d//").segments == ("a/b", "c d", "", "")
    assert decompose("http://h/").segments == ("",)
    assert decompose("http://h").segments == ()
    assert decompose("http://h/%FF").segments == ("\udcff",)


@pytest.mark.parametrize("segments", [(), ("",), ("a/b", "?#%"), ("é", "\udcff", "\0"), ("", "", "x")])
def test_hpath_joins_segments(segments):
    expected = segments or ("",)
    assert decompose(Http("h", path=hpath(segments)).geturl()).segments == expected


def test_https_is_a_class_of_its_own():
    assert Https("h", 443, "a") != Http("h", 443, "a")
    assert Https("h").port == 443
    assert Https("h", 443, "a").geturl() == "https://h/a"


@pytest.mark.parametrize("segments", ["etc", b"etc", bytearray(b"etc"), memoryview(b"etc")])
def test_hpath_takes_segments_and_no_text(segments):
    with pytest.raises(
        TypeError, match=f"^hpath.. argument must be an iterable of str, not {type(segments).__name__}$"
    ):
        hpath(segments)
    with pytest.raises(TypeError, match="hsegment: expected str, got bytes"):
        hpath(["a", b"etc"])
    assert hpath(iter(["a/b", "c"])) == "a%2Fb/c"
