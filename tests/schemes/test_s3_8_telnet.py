"""Section 3.8: telnet."""

import pytest

from fasturl import InvalidURL
from fasturl.schemes import Telnet, decompose


@pytest.mark.parametrize(
    ("url", "parts"),
    [
        ("telnet://u:p@h:2323/", Telnet("u", "p", "h", 2323)),
        ("telnet://u@h/", Telnet("u", None, "h", 23)),
        ("telnet://h", Telnet(None, None, "h", 23)),
        ("telnet://a;&=b:%0D%0A@h", Telnet("a;&=b", "\r\n", "h", 23)),
    ],
)
def test_the_last_slash_may_be_omitted_and_so_may_the_login(url, parts):
    assert decompose(url) == parts
    assert decompose(url).geturl() == url
    assert decompose(parts.geturl()) == parts


def test_a_user_with_a_question_mark_is_built_with_an_escape():
    assert decompose("telnet://a?b@h") == Telnet("a?b", None, "h", 23)
    assert decompose("telnet://a?b@h").geturl() == "telnet://a%3Fb@h/"


def test_it_is_built_with_the_slash():
    assert Telnet("guest", host="host.dom").geturl() == "telnet://guest@host.dom/"


@pytest.mark.parametrize(
    "url", ["telnet:", "telnet:h", "telnet://", "telnet://h/a", "telnet://h//", "telnet://h?", "telnet://a:b:c@h"]
)
def test_texts_that_the_production_does_not_derive_are_invalid(url):
    with pytest.raises(InvalidURL):
        decompose(url)
    assert decompose(url, strict=False).findings
