"""All readings of a text give the same user, password, host and port, or the text is AMBIGUOUS_AUTHORITY. No output
shows a text that is a password in any reading. ``tests/reference`` works out the readings; it shares no code with the
package."""

from __future__ import annotations

import dataclasses
import random
import re
from collections.abc import Iterator
from typing import Any
from urllib.parse import unquote

import pytest
import reference_inputs as inputs
import urlgen
from reference_validator import PORTS, Login, divided, logins, valid

import fasturl
from fasturl import Finding, InvalidURL, _terms, decompose, find_urls, parse, problems, readings, redact
from fasturl._findings import REASONS, TERMS
from fasturl.schemes import Generic, SchemeParts, registered

PIECES = (
    "http:", "HTTPS:", "ftp:", "telnet:", "gopher:", "file:", "ws:", "x:", "redis:", "mailto:", "news:", "URL:",
    "ht!tp:", "1x:", "//", "//", "//", "/", "\\", "\\\\", "?", "#", "@", "@", ":", "[", "]", "[::1]", "user",
    "trusted.com", "evil.com", "my_host", "hunter2", "s3cr3t", "%61bc", ":25", ":80", ";", "=", "&",
    "\xe9", "\u20ac", " ", "h",
)  # fmt: skip


def made_like_a_url(rng: random.Random) -> str:
    """Return a URL whose login holds confusing characters."""
    schemes = "http https ftp telnet gopher ws x redis nntp file ht!tp URL:ftp"
    scheme = rng.choice(schemes.split())
    slashes = rng.choice(("//", "//", "//", "\\\\", "/\\", "\\", "///", "//\\"))
    pieces = ("u", "?", "?", "\\", "@", ":", ":", "pw1234", "h.com", "%70", "#", ":25", "/")
    login = "".join(rng.choices(pieces, k=rng.randint(1, 8)))
    return f"{scheme}:{slashes}{login}" + rng.choice(("", "@h/", "@h:80/x", "/a?b", "?c@d"))


def texts(tries: int, lines: list[str]) -> Iterator[str]:
    rng = random.Random("one login")
    choices = inputs.RandomChoices("one login")
    generator = urlgen.Generator("one login", lines)
    makers = (
        lambda: "".join(rng.choices(PIECES, k=rng.randint(3, 12))),
        lambda: made_like_a_url(rng), lambda: made_like_a_url(rng), generator.text,
        lambda: inputs.mutated(choices, rng.choice(lines)), lambda: inputs.url(choices),
        lambda: inputs.mutated_url(choices), lambda: inputs.stretched_url(choices), lambda: inputs.hostile(choices),
    )  # fmt: skip
    for at in range(tries):
        yield makers[at % len(makers)]()


def part(text: str, place: tuple[int, int] | None) -> str | None:
    return None if place is None else text[slice(*place)]


def number(digits: str | None) -> int | None:
    """Return the number of a port, or None if it is malformed."""
    if not digits or not set(digits) <= set("0123456789"):
        return None
    value = int(digits.lstrip("0")[:6] or 0)
    return value if value <= 65535 else None


def port_of(url: Any) -> int | None:
    try:
        found: int | None = url.port
    except ValueError:
        return None
    return found


def check_attributes(text: str, own: Login | None) -> None:
    """Check that URL's attributes follow urllib's reading."""
    url = parse(text)
    if own is None:
        assert (url.username, url.password, url.host, url.port) == (None,) * 4, text
        return
    assert (url.username, url.password) == (part(text, own.user), part(text, own.password)), text
    assert (url.host or "") == part(text, own.host), text
    assert port_of(url) == number(part(text, own.port)), text


def check_decomposed(text: str) -> None:
    """Check that a scheme's dataclass follows the RFC's reading of a login that the RFC derives, else urllib's."""
    parts: Any = decompose(text, strict=False)
    is_valid = valid(text, strict=True)
    read = logins(text, strict=is_valid)
    login = read.get("rfc") if parts.scheme else read["urllib"]
    if isinstance(parts, Generic) and parts.host is None:
        return  # an opaque part
    if login is not None and not (is_valid and getattr(decompose(text), "host", None) is not None):
        login = read["urllib"]
    if login is None:
        assert getattr(parts, "host", "") == "", text
        return
    host = part(text, login.host)
    several = isinstance(parts, Generic) and len(parts.hosts) > 1
    assert parts.host == (host.partition(",")[0] if several and host else host), text
    for name, place in (("user", login.user), ("password", login.password)):
        value = part(text, place)
        if hasattr(parts, name) and "%" not in (value or "") and (value or "").isascii():
            assert getattr(parts, name) == value, text
    if hasattr(parts, "port") and not several:
        given = number(part(text, login.port))
        known = registered().get(parts.scheme)
        own = PORTS.get(parts.scheme) if known is None else known.default_port
        assert parts.port == (own if given is None else given) or (isinstance(parts, Generic) and given is None), text


def test_all_readings_agree_or_the_text_is_ambiguous(tries: int, real_urls: list[str]) -> None:
    counts = [0, 0, 0]
    for text in texts(3 * tries, real_urls):
        read = logins(text)
        check_attributes(text, read["urllib"])
        check_decomposed(text)
        agreed = len({login and login[2:] for login in read.values()}) == 1
        found = parse(text).findings
        assert Finding.AMBIGUOUS_AUTHORITY in found or agreed, text
        assert Finding.PASSWORD in found or not any(login and login.password for login in read.values()), text
        counts[2 if not agreed else read["urllib"] is None] += 1
    assert min(counts) > tries // 10, counts


ODD = ("?", "?", "@", "@", "/", ":", "\\", "[", "]", ",", "#", ";", "=", "&", " ", "\t", "%40", "%", "u", "pw", "h",
       "h.com", "my_host", "::1", ":25", "\xe9")  # fmt: skip
SCHEMES = dict(registered())


def made_for_any_scheme(rng: random.Random) -> str:
    scheme = rng.choice((*SCHEMES, "smtp", "postgresql+x", "3com", "a.b"))
    return f"{scheme}:{rng.choice(('//', '//', '//', '/', ''))}{''.join(rng.choices(ODD, k=rng.randint(1, 10)))}"


def one_spelling(host: str | None) -> str:
    """Return a host decoded, in lower case, without brackets and without what urllib and browsers delete."""
    return re.sub("[\t\r\n]", "", unquote(host or "", "utf-8", "surrogateescape")).lower().strip("[]")


def hosts_in(text: str, login: Login) -> list[str | None]:
    """Return the hosts of a login that names several."""
    places = text[login.start : login.end].rpartition("@")[2].split(",")
    return [part(place, divided(place, 0, len(place)).host) for place in places]


def test_each_host_of_a_best_effort_is_one_that_a_reading_names(tries: int, real_urls: list[str]) -> None:
    rng = random.Random("best effort")
    made = (made_for_any_scheme(rng) for _ in range(3 * tries))
    named = set()
    for text in (*texts(3 * tries, real_urls), *made, *rng.sample(real_urls, min(len(real_urls), tries))):
        parts: Any = decompose(text, strict=False)
        if not getattr(parts, "host", None):
            continue
        named.add(parts.scheme)
        told: set[str | None] = {reading.host for reading in readings(text).values()}
        own = logins(text)["urllib"]
        if own is not None:  # urllib refuses some ports and brackets
            told.add(part(text, own.host))
        if own is not None and len(getattr(parts, "hosts", ())) > 1:
            read = [own, *([logins(text, strict=True)["rfc"]] if valid(text, strict=True) else [])]
            assert [host for host, _ in parts.hosts] in [hosts_in(text, login) for login in read if login], text
        else:
            assert one_spelling(parts.host) in {one_spelling(host) for host in told if host}, text
    assert named >= {name for name, scheme in SCHEMES.items() if hasattr(scheme.dataclass, "host")}


def test_columns_say_what_parse_says(tries: int, real_urls: list[str]) -> None:
    pytest.importorskip("pyarrow")
    from fasturl import arrow

    rows = [text.encode("utf-8", "surrogatepass") for text in texts(tries, real_urls)]
    names = ["username", "password", "host", "port", "finding_bits"]
    for text, row in zip(rows, arrow.parse(rows, names).to_pylist(), strict=True):
        url = parse(text)
        host = None if url.span("host") is None else url.host or b""
        told = (url.username, url.password, host, port_of(url), int(url.findings))
        assert tuple(row[name] for name in names) == told, text
    assert [redact(text) for text in rows] == arrow.redact(rows).to_pylist()


# The words of the messages themselves, which may contain a password by chance.
WORDS = " ".join(
    [
        "at offset 1234567890".join(_terms.sentence(finding, "byte", "file", ord(" "), reason))
        for finding in Finding
        for reason in ("", *REASONS.get(finding.name or "", ()))
    ]
    + [f"{term}:" for term in TERMS]
    + [f"{name} {scheme.dataclass.__name__}" for name, scheme in registered().items()]
    + [field.name for scheme in registered().values() for field in dataclasses.fields(scheme.dataclass)]
    + ["URL FoundURL url start end fragment *** None 21 23 70 80 119 210 443 1525"]
)


def secrets(text: str) -> set[str]:
    """Return each password that occurs once in the text, in any reading, as written and decoded."""
    found = set()
    for claimed in {text, text.removeprefix("URL:")}:
        for login in logins(claimed).values():
            if login and login.password:
                password = claimed[slice(*login.password)]
                found |= {password, unquote(password, "utf-8", "surrogateescape")}
    return {secret for secret in found if len(secret) >= 3 and text.count(secret) < 2 and secret not in WORDS}


def shown(text: str) -> Iterator[str]:
    """Yield every text that the package shows for a URL."""
    url = parse(text)
    yield repr(url)
    yield url.redact()
    yield redact(text)
    yield from (problem.message for problem in problems(text))
    yield from (problem.message for problem in problems(text, strict=True))
    parts: SchemeParts = decompose(text, strict=False)
    yield repr(parts)
    for read in (parse, decompose):
        try:
            read(text, strict=True)
        except InvalidURL as error:
            yield str(error)
    try:
        _ = url.port
    except ValueError as error:
        yield str(error)
    yield from map(repr, find_urls(f"<URL:{text}>"))


def check_hidden(text: str, secret: str, outputs: list[str]) -> None:
    for output in outputs:
        output = re.sub(r" at offset \d+: ", " ", output)  # these digits belong to no part
        for form in (secret, ascii(secret)[1:-1], repr(secret)[1:-1]):
            assert form not in output, (text, secret, output)


def test_no_password_of_any_reading_is_shown(tries: int, real_urls: list[str]) -> None:
    hidden = 0
    for text in texts(6 * tries, real_urls):
        for secret in secrets(text):
            check_hidden(text, secret, list(shown(text)))
            hidden += 1
    assert hidden > tries // 10


def test_explain_shows_no_password_of_any_reading(tries: int, real_urls: list[str]) -> None:
    runner = pytest.importorskip("click.testing", reason="the command line needs click").CliRunner()
    from fasturl.cli.commands.explain import command as explain

    rng = random.Random("explain")
    hidden = 0
    while hidden < max(20, tries // 200):
        text = made_like_a_url(rng)
        for secret in secrets(text):
            told = runner.invoke(explain, ["--", text], standalone_mode=False)
            assert told.exception is None, told.exception
            check_hidden(text, secret, [told.output])
            hidden += 1


READINGS = [
    # text, urllib's host, decompose's host, the redacted text
    ("ftp://trusted.com?@evil.com/x", "trusted.com", "evil.com", "ftp://trusted.com?@evil.com/x"),
    ("ftp://u?:secret@h:25/", "u", "h", "ftp://u?:***@h:25/"),
    ("ftp://u:p@a?:q@h/", "a", "a", "ftp://u:***@h/"),
    ("http://u:pw\\@h/", "h", "h", "http://u:***@h/"),
    ("http:\\\\u:pw@h/", None, "", "http:\\\\u:***@h/"),
    ("http:\\u:pw@h/", None, "", "http:\\u:***@h/"),
    ("http:/\\/u:pw@h/", None, "", "http:/\\/u:***@h/"),
    ("/\\u:pw@h/", None, None, "/\\u:***@h/"),
    ("ws:\\\\u:pw@h/", None, None, "ws:\\\\u:***@h/"),
    ("URL:http:\\\\u:pw@h/", None, None, "URL:http:\\\\u:***@h/"),
    ("x:\\\\u:pw@h/", None, None, "x:\\\\u:pw@h/"),
    ("x://a?b@h/c/d", "a", "h", "x://a?b@h/c/d"),
    ("x://a?b@h?c/d", "a", "a", "x://a?b@h?c/d"),
    ("x://u?:pw@my_host/", "u", "u", "x://u?:***@my_host/"),
    ("smtp://u:pw@h.com:587?a=b@c", "h.com", "h.com", "smtp://u:***@c"),
    ("redis://u:pw@h?db=1", "h", "h", "redis://u:***@h?db=1"),
    ("http://h?u:p@q", "h", "h", "http://h?u:p@q"),
    ("mailto://u:pw@h", "h", None, "mailto://u:***@h"),
]


@pytest.mark.parametrize(("text", "own", "rfcs", "redacted"), READINGS, ids=[case[0] for case in READINGS])
def test_each_reading_has_its_host(text: str, own: str | None, rfcs: str | None, redacted: str) -> None:
    assert parse(text).host == own
    parts: Any = decompose(text, strict=False)
    assert getattr(parts, "host", None) == rfcs
    assert redact(text) == redacted == parse(text).redact()
    assert "pw" not in repr(parts) or "pw" in redacted
    for data in (text.encode(), memoryview(text.encode())):
        assert redact(data) == redacted.encode()


def test_columns_hide_what_the_readings_hide() -> None:
    pytest.importorskip("pyarrow")
    texts = [text for text, *_ in READINGS]
    assert fasturl.arrow.redact([*texts, None]).to_pylist() == [*(case[3] for case in READINGS), None]


def test_redact_hides_a_query_value_that_overlaps_a_password() -> None:
    assert redact("ftp://u?k=1:secret@h:25/&a=2", ["k"]) == "ftp://u?k=***&a=2"
    assert redact("ftp://u:se?k=cret@h/", ["k"]) == "ftp://u:***"
    assert redact("ftp://u:se?k=c&x=ret@h/?k=v", ["k", "x"]) == "ftp://u:***"
    assert redact("ftp://u?:a@h/?k=1&k=2", ["k"]) == "ftp://u?:***@h/?k=***&k=***"
