"""Section 3.5: mailto."""

import pytest

from fasturl import InvalidURL
from fasturl.schemes import Mailto, UnbuildableURL, decompose


@pytest.mark.parametrize(
    ("url", "address"),
    [
        ("mailto:uri@bunyip.com", "uri@bunyip.com"), ("mailto:joe%25host@gateway", "joe%host@gateway"),
        ("mailto:a@b?subject=x", "a@b?subject=x"), ("MAILTO:%22a%20b%22@c", '"a b"@c'), ("mailto:%E9", "\udce9"),
        ("mailto:/", "/"),
    ],
)  # fmt: skip
def test_everything_after_the_colon_is_the_address(url, address):
    assert decompose(url) == Mailto(address)
    assert decompose(Mailto(address).geturl()) == Mailto(address)


def test_the_percent_sign_is_escaped():
    assert Mailto("joe%host@gateway").geturl() == "mailto:joe%25host@gateway"


def test_an_empty_address_is_refused():
    with pytest.raises(InvalidURL):
        decompose("mailto:")
    with pytest.raises(UnbuildableURL) as refused:
        Mailto("").geturl()
    assert (refused.value.term, refused.value.section) == ("encoded822addr", "3.5")
    assert decompose("mailto:", strict=False) == Mailto("")


@pytest.mark.parametrize("url", ["mailto:a", "mailto:@", "mailto:%00", "mailto:a@@b", "mailto:/?;"])
def test_an_address_is_not_checked_as_an_addr_spec(url):
    """Section 5 derives any 1*xchar; docs/deviations.md says why that decides."""
    assert decompose(url).findings == 0
    assert decompose(url).geturl() == url
