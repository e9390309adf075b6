"""Section 3.6: news."""

import pytest

from fasturl import InvalidURL
from fasturl.schemes import News, UnbuildableURL, decompose


@pytest.mark.parametrize("group", ["comp.infosystems.www.misc", "a", "a..b", "A.b+c_d-1", "a."])
def test_a_group_is_read_and_built(group):
    assert decompose(f"news:{group}") == News(group)
    assert News(group).geturl() == f"news:{group}"
    assert not News(group).all_groups


def test_a_star_is_all_groups():
    assert decompose("news:*") == News("*")
    assert decompose("news:*").all_groups
    assert News("*").geturl() == "news:*"


@pytest.mark.parametrize(
    ("text", "message_id"),
    [
        ("1994Dec1.1234@host.dom", "1994Dec1.1234@host.dom"), ("a/b?c;d:e&f=g@h", "a/b?c;d:e&f=g@h"),
        ("a%40b@h", "a@b@h"), ("%3C1%3E@1.2.3.4", "<1>@1.2.3.4"),
    ],
)  # fmt: skip
def test_the_at_sign_tells_a_message_id(text, message_id):
    assert decompose(f"news:{text}") == News(message_id=message_id)
    assert News(message_id=message_id).geturl() == f"news:{text}"


@pytest.mark.parametrize(
    "part",
    ["", "1a", ".a", "a%41", "**", "*a", "a/b", "@h", "a@", "a@h@h", "a@-", "a@h:1", "a@h/", "a@1.2", "a b", "%2A"],
)
def test_texts_that_the_production_does_not_derive_are_invalid(part):
    with pytest.raises(InvalidURL):
        decompose(f"news:{part}")
    assert decompose(f"news:{part}", strict=False).findings


@pytest.mark.parametrize(
    ("value", "term", "offset"),
    [
        (News(), "grouppart", 0), (News("a", "b@c"), "grouppart", 0), (News(""), "group", 0), (News("1a"), "group", 0),
        (News("a b"), "group", 1), (News("*a"), "group", 0), (News(message_id="a"), "article", 0),
        (News(message_id="@h"), "article", 0), (News(message_id="a@"), "article", 2),
        (News(message_id="a@h_"), "article", 3),
    ],
)  # fmt: skip
def test_unbuildable_values_are_refused(value, term, offset):
    with pytest.raises(UnbuildableURL) as refused:
        value.geturl()
    assert (refused.value.term, refused.value.offset, refused.value.section) == (term, offset, "3.6")
