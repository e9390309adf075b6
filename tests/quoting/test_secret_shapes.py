"""Secrets that are known by their shape, by their place in a path, and by their name: escapes/secrets.h."""

from urllib.parse import quote

import pytest
from secretshapes import OPAQUE, SHAPES, WEBHOOKS, WORDS, places

import fasturl
from fasturl import SECRET_KEYS, redact
from fasturl._urllib import _redact_text


@pytest.mark.parametrize("name", SHAPES)
def test_a_token_is_hidden_by_its_shape(name: str) -> None:
    for _ in range(20):
        token = SHAPES[name][0]()
        for url in places(token):
            shown = redact(url)
            assert token not in shown and token[-8:] not in shown and "***" in shown, url
            assert fasturl.redact(url.encode()) == shown.encode()
            assert redact(url, keys=()) == url
        assert token not in _redact_text(f'x "{token}" {token} y', None)


@pytest.mark.parametrize("name", WEBHOOKS)
def test_the_token_of_a_webhook_is_hidden(name: str) -> None:
    for _ in range(20):
        before, token = WEBHOOKS[name][0]()
        assert redact(before + token).endswith("/***" if name != "Telegram" else ":***"), before + token
        assert token not in redact("/go?u=" + quote(before + token, ""))


@pytest.mark.parametrize("word", WORDS)
def test_a_random_segment_behind_a_word_is_hidden(word: str) -> None:
    missed = 0
    for make in OPAQUE:
        for _ in range(60):
            token = make()
            urls = f"/account/{word}/{token}", f"http://h/{word.upper()}/MQ/{token}/?x=1", quote(f"/{word}/{token}", "")
            missed += sum(token in redact(url) for url in urls)
    assert missed <= 3 * 60 * len(OPAQUE) // 100


@pytest.mark.parametrize("url", [
    "/reset/instructions-for-the-new-password", "/share/2024-01-15-a-title-of-a-post", "/feed/comments-of-the-week",
    "/a/9f86d081884c7d659a2feaa0c55ad015", "/verify/1234567890123456789", "/token/a", "/invite/friends/and-family-2024",
    "/?filter=eyJhIjoxfQ", "/sk_live_/x", "/AKIA/x", "/hooks/docs/getting-started-with-webhooks", "/cb?code=12345",
])  # fmt: skip
def test_other_texts_stay(url: str) -> None:
    assert redact(url) == url


def test_a_name_without_a_condition_is_secret_beside_the_same_name_with_one() -> None:
    """Whichever of the two keys comes first: their order is that of a set."""
    for number in range(60):
        name = f"code{number}"
        keys = [f"{name}&other", name, f"{name}&third"]
        url = f"/cb?{name}=S3CR3T&n=1"
        assert redact(url, keys) == f"/cb?{name}=***&n=1"
        assert redact(url, [keys[0], keys[2]]) == url
        assert redact(url + "&third=1", [keys[0], keys[2]]) == f"/cb?{name}=***&n=1&third=1"
        assert _redact_text(f"x {url}", keys) == f"x /cb?{name}=***&n=1"
    assert redact("/cb?code=token=S3CR3T", ["code&state", "token"]) == "/cb?code=token=***"


@pytest.mark.parametrize(("text", "shown"), [
    ('{"Authorization":"Bearer abc def","n":1}', '{"Authorization":"***","n":1}'),
    ('{"headers":{"Cookie":["a=b; c=d","e=f"],"x":["y"]}}', '{"headers":{"Cookie":["***"],"x":["y"]}}'),
    ('{"Password":"x\\"y", "a":"b"}', '{"Password":"***", "a":"b"}'),
    ('{"msg":"{\\"api_key\\": \\"x y\\"}"}', '{"msg":"{\\"api_key\\": \\"***\\"}"}'),
    ('{"token":12,"secret":null}', '{"token":12,"secret":null}'),
    ("Authorization: Basic dXNlcjpw", "Authorization: ***"),
    ("uri:/a\tcookie:sid=5; q=1\tstatus:200", "uri:/a\tcookie:***\tstatus:200"),
    ('level=info password="se cret" token=abc path=/x', 'level=info password="***" token=*** path=/x'),
    ('"GET /a?token=" "Mozilla/5.0"', '"GET /a?token=***" "Mozilla/5.0"'),
    ("cannot read /k/key: it has 3 bytes", "cannot read /k/key: it has 3 bytes"),
])  # fmt: skip
def test_members_and_headers_of_logs(text: str, shown: str) -> None:
    assert _redact_text(text, None) == shown
    assert _redact_text(text, SECRET_KEYS) == shown
    assert _redact_text(text.encode(), None) == shown.encode()
    assert _redact_text(shown, None) == shown


def test_json_in_a_query() -> None:
    url = "/?q=" + quote('{"token":"abc","n":1}', "") + "&x=1"
    assert redact(url) == url.replace("abc", "***")


def test_what_keys_means() -> None:
    url = f"https://u:pw@h/verify/{'0a' * 16}?token=1&id=2"
    assert redact(url) == "https://u:***@h/verify/***?token=***&id=2"
    assert redact(url, keys=["id"]) == "https://u:***@h/verify/***?token=1&id=***"
    assert redact(url, keys=()) == url.replace("pw", "***")
    assert fasturl.parse(url).redact() == redact(url)


def test_marks_and_users() -> None:
    assert redact("https://u:pw@h/?token=1", mark="REDACTED") == "https://u:REDACTED@h/?token=REDACTED"
    assert redact("https://u:pw@h/a", user=True) == "https://***@h/a"
    assert redact("https://TOKEN@h/a@b", user=True) == "https://***@h/a@b"
    assert redact(b"https://u@h/?x=//v:w@i", keys=(), user=True) == b"https://***@h/?x=//***@i"
    for mark in ("", "a" * 65, "@/", "a b", "\u00e9", "%41", "a&b"):
        with pytest.raises(ValueError, match="a mark has 1 to 64"):
            redact("http://h/", mark=mark)


def test_columns_agree() -> None:
    arrow = pytest.importorskip("fasturl.arrow", reason="the extra fasturl[arrow] is not installed")
    urls = [url for make, _ in SHAPES.values() for url in places(make())] + [
        f"/{word}/{make()}" for word in WORDS for make in OPAQUE
    ]
    assert arrow.redact(urls).to_pylist() == [redact(url) for url in urls]
    found = arrow.redact([url.encode() for url in urls], mark="X", user=True).to_pylist()
    assert found == [redact(url, mark="X", user=True).encode() for url in urls]
