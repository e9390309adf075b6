"""The kernel's check by RFC 3986 agrees with the recogniser that is built from the ABNF alone, on every text. ``--all``
raises the length of the short texts from 3 to 4 bytes, to 5 without an opening, and the number of mutated texts from
10^5 to 10^7 (``FASTURL_TRIES_3986``)."""

import os
import pickle
from collections.abc import Iterator

import numpy as np
import pytest
import reference_inputs as inputs
from rfc3986_grammar import GRAMMAR, RULES, Table, derives
from short_texts import representatives
from tries import ALL, TRIES

import fasturl
from fasturl import Finding, InvalidURL, _fastparse
from fasturl._rfc3986 import citation_of

pa = pytest.importorskip("pyarrow", reason="columns need pyarrow")

from fasturl import arrow  # noqa: E402

BYTES = representatives()
SHORT = 4 if ALL else 3
MUTATED = int(os.environ.get("FASTURL_TRIES_3986", 10_000_000 if ALL else 100_000))
# Openings that change the meaning of the text behind them: none, schemes, each part, beginnings of addresses.
OPENINGS = tuple(
    opening.encode()
    for opening in (
        "", "a:", "1a:", "http:/", "http://", "HTTP://h:", "a://h", "a://u@", "a://u:p@h:8", "http://h/%", "http://h/?",
        "http://h#", "/", "//", "*", "a.b:", "[", "[::1]", "http://[", "http://[v", "http://[V1.", "http://[::",
        "http://[1::", "http://[1:2:3:4:5:6", "http://[1:2:3:4:5:6:7", "http://[::1.2.3.", "http://[1:2:3:4:5::",
        "http://[::1.2.3.25", "http://[1:2:3:4:5:6:1.2.3.", "a:" + "b" * 62, "http://" + "h" * 55 + "/",
        "http://h/" + "p" * 246, "http://h/" + "p" * 247 + "%",
    )
)  # fmt: skip
MAKERS = (inputs.url, inputs.mutated_url, inputs.stretched_url, inputs.hostile, inputs.target)


@pytest.fixture(scope="module")
def tables() -> dict[str, Table]:
    return {form: Table(rule) for form, rule in RULES.items()}


@pytest.fixture
def each_kernel() -> Iterator[list[str]]:
    """The kernels of this run: FASTURL_KERNEL, or all, the scalar one first. A table of answers serves them all."""
    named = os.environ.get("FASTURL_KERNEL")
    yield [named] if named else ["scalar", *(name for name in _fastparse._kernels() if name != "scalar")]
    _fastparse._use_kernel(named or _fastparse._kernels()[-1])


def column_of(texts: np.ndarray, lengths: np.ndarray) -> pa.Array:
    """Return the rows of a matrix, up to their lengths, as a column."""
    offsets = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int32)
    data = texts[np.arange(texts.shape[1]) < lengths[:, None]]
    return pa.Array.from_buffers(pa.binary(), len(texts), [None, pa.py_buffer(offsets), pa.py_buffer(data)])


def short_texts(opening: bytes, length: int) -> pa.Array:
    """Return the column of the opening followed by each text of this length, in the order of Table.after."""
    kinds = np.frombuffer(BYTES, np.uint8)
    rows = len(kinds) ** length
    texts = np.empty((rows, len(opening) + length), np.uint8)
    texts[:, : len(opening)] = np.frombuffer(opening, np.uint8)
    for at in range(length):
        texts[:, len(opening) + at] = np.tile(np.repeat(kinds, len(kinds) ** (length - 1 - at)), len(kinds) ** at)
    return column_of(texts, np.full(rows, texts.shape[1]))


def check(column: pa.Array, form: str, expected: np.ndarray, kernels: list[str]) -> None:
    for kernel in kernels:
        _fastparse._use_kernel(kernel)
        for beside in ([], ["valid_rfc1738"], ["finding_bits"]):  # it takes what validation by RFC 1738 found
            told = np.asarray(arrow.parse(column, [*beside, "valid_rfc3986"], form=form)["valid_rfc3986"])
            wrong = np.nonzero(told != expected)[0]
            assert not len(wrong), [(kernel, beside, form, column[int(row)].as_py()) for row in wrong[:5]]


@pytest.mark.parametrize("form", RULES)
@pytest.mark.parametrize("opening", OPENINGS)
def test_every_kernel_agrees_on_every_short_text(
    opening: bytes, form: str, tables: dict[str, Table], each_kernel: list[str]
) -> None:
    for length in range(SHORT + 1):
        check(short_texts(opening, length), form, tables[form].after(opening, BYTES, length), each_kernel)


@pytest.mark.skipif(not ALL, reason="52 million texts: run with --all")
@pytest.mark.parametrize("form", RULES)
def test_every_text_of_five_bytes(form: str, tables: dict[str, Table], each_kernel: list[str]) -> None:
    for byte in BYTES:
        opening = bytes([byte])
        check(short_texts(opening, 4), form, tables[form].after(opening, BYTES, 4), each_kernel)


@pytest.mark.long
@pytest.mark.parametrize("form", RULES)
def test_mutated_texts_agree(form: str, tables: dict[str, Table], each_kernel: list[str]) -> None:
    """Texts that the rule derives, with up to three bytes replaced, most of them longer than a block."""
    random = np.random.default_rng(3986)
    for start in range(0, MUTATED, 100_000):
        rows, width = min(100_000, MUTATED - start), int(random.choice([24, 80, 150]))
        texts, lengths = tables[form].mutated(BYTES, rows, width, random)
        derived = tables[form].derived(texts, lengths)
        assert 0.2 < derived.mean() < 0.9
        check(column_of(texts, lengths), form, derived, each_kernel)


# ---- examples, typed from the RFC
URIS = (
    # section 1.1.2
    "ftp://ftp.is.co.za/rfc/rfc1808.txt", "http://www.ietf.org/rfc/rfc2396.txt", "ldap://[2001:db8::7]/c=GB?objectClass?one",
    "mailto:John.Doe@example.com", "news:comp.infosystems.www.servers.unix", "tel:+1-816-555-1212",
    "telnet://192.0.2.16:80/", "urn:oasis:names:specification:docbook:dtd:xml:4.1.2",
    # section 3
    "foo://example.com:8042/over/there?name=ferret#nose", "urn:example:animal:ferret:nose", "a:", "a:/", "a://", "a:///",
    "a://@:/", "a://u:p:q@h:/", "a://;&=+$,!*'()@%41:0099999", "http:example.com", "a:b:c", "a:@", "a:?", "a:#",
    "a:?#?/",
    "http://999.999.999.999/", "http://my_host/", "http://h/~u", "http://h/?a=b/c", "http://h/a//b", "http://h./",
    "http://[v1.a:]/", "http://[VF.~]:80", "http://[::]/", "http://[1:2:3:4:5:6:7::]", "http://[::2:3:4:5:6:7:8]",
    "http://[1:2:3:4:5:6:1.2.3.4]", "http://[::255.255.255.255]", "http://[1::2:3:4:5:1.2.3.4]", "http://[AbCd::0001]",
)  # fmt: skip
NO_URIS = (
    "", "a", "/a", "//h/a", "?a", "#a", ":", ":a", "1:", "+a:b", "a_b:c", "a%41:b", "http://h h/", "http://h/a b",
    "http://h/%", "http://h/%4", "http://h/%g0", "http://h/a#b#c", "http://h/[", "http://h/?q[]=", "http://h/#]",
    "http://h/\\", "http://h/|", "http://h/^", "http://h/`", "http://h/{}", "http://h/<>", 'http://h/"', "http://h/é",
    "http://h/\x7f", "http://h/\x00", "http://a@b@c/", "http://h:80a/", "http://h:1:2/", "http://[::1/", "http://::1/",
    "http://[::1]a/", "http://[]/", "http://[::1%25eth0]/", "http://[v.a]/", "http://[v1.]/", "http://[v1]/",
    "http://[1:2:3:4:5:6:7]", "http://[1:2:3:4:5:6:7:8:9]", "http://[1::2::3]", "http://[1:2:3:4:5:6:7:8::]",
    "http://[::12345]", "http://[::1.2.3.256]", "http://[::01.2.3.4]", "http://[:1]", "http://[1:]", "http://[1.2.3.4::]",
    "http://u[@h/", "http://]/",
)  # fmt: skip
TARGETS = (
    # RFC 9112 section 3.2
    "/where?q=now", "http://www.example.org/pub/WWW/TheProject.html", "www.example.com:80", "*", "/", "//a/b",
    "/a;b?c:d@/?", "h:443", "[::1]:443", "h:", "[::1]:", ":80", ":", "1h:", "%41:1", "mailto:a", "1.2.3.4:8",
)  # fmt: skip
NO_TARGETS = ("", "-", "**", "a", "a/b", "?a", "#", "/#", "/a b", "/[", "http://h/#f", "u@h:80", "1h:80:90", "h:80/a b",
              "1h:x", "[::1]", "[::1]:8a", "[:80", "a[:80", "/%zz")  # fmt: skip


def test_the_grammar_has_every_rule_of_appendix_a() -> None:
    appendix = (
        "URI hier-part URI-reference absolute-URI relative-ref relative-part scheme authority userinfo host port "
        "IP-literal IPvFuture IPv6address h16 ls32 IPv4address dec-octet reg-name path path-abempty path-absolute "
        "path-noscheme path-rootless path-empty segment segment-nz segment-nz-nc pchar query fragment pct-encoded "
        "unreserved reserved gen-delims sub-delims"
    )
    core, targets = "ALPHA DIGIT HEXDIG", "request-target origin-form absolute-form authority-form asterisk-form"
    assert " ".join(GRAMMAR) == f"{appendix} {core} {targets} uri-host absolute-path"


@pytest.mark.parametrize(
    ("form", "derived", "refused"), [("url", URIS, NO_URIS), ("request-target", TARGETS, NO_TARGETS)]
)
def test_the_examples_of_the_rfcs(form: str, derived: tuple[str, ...], refused: tuple[str, ...]) -> None:
    for text in (*derived, *refused):
        data = text.encode("latin-1")
        expected = text in derived
        assert derives(RULES[form], data) is expected, text
        assert fasturl.parse(text, form=form).valid_rfc3986 is expected, text
        assert fasturl.parse(data, form=form).valid_rfc3986 is expected, text


# ---- problems and strict parses
def disagreements(text: str | bytes, form: str) -> list[str]:
    """Return the differences between valid_rfc3986, the problems and a strict parse."""
    data = inputs.bytes_of(text) if isinstance(text, str) else text
    expected = derives(RULES[form], data)
    url = fasturl.parse(text, form=form)
    found = fasturl.problems(text, form=form, standard="rfc3986")
    wrong = []
    if (url.valid_rfc3986, not found) != (expected, expected):
        wrong.append(f"{url.valid_rfc3986}, {found}, expected {expected}")
    if [problem.start for problem in found] != sorted(problem.start for problem in found):
        wrong.append(f"unsorted: {found}")
    if not all(
        0 <= problem.start <= problem.end <= len(text) and problem.finding & Finding.VIOLATIONS for problem in found
    ):
        wrong.append(f"outside: {found}")
    try:
        strict = fasturl.parse(text, form=form, strict=True, standard="rfc3986")
    except InvalidURL as error:
        first = found[0] if found else None
        if first is None or (first.finding, first.start, first.message) != (error.finding, error.offset, str(error)):
            wrong.append(f"strict: {error}, expected {found[:1]}")
        elif citation_of(error.finding, error.term).rpartition(" ")[2] != error.section:
            wrong.append(f"section: {error.section}")
    else:
        if not expected or (strict.findings, strict.valid_rfc1738) != (url.findings, url.valid_rfc1738):
            wrong.append("strict: no error")
    return wrong


@pytest.mark.parametrize("make", MAKERS, ids=lambda make: make.__name__)
def test_problems_and_strict_agree(make: inputs.Maker) -> None:
    choices = inputs.RandomChoices(f"3986 {make.__name__}")
    for _ in range(TRIES):
        text, form = make(choices), choices.pick(tuple(RULES))
        for content in (text, inputs.bytes_of(text)):
            assert disagreements(content, form) == [], (content, form)


# The text, and the finding, term, offset and section of its first problem.
PROBLEMS = [
    ("", "NO_SCHEME", "scheme", 0, "3"),                      ("/a", "NO_SCHEME", "scheme", 0, "3"),
    ("1a:b", "BAD_SCHEME", "scheme", 0, "3.1"),               ("a_b:c", "BAD_SCHEME", "scheme", 1, "3.1"),
    ("http://h/a b", "UNSAFE", "path", 10, "3.3"),            ("http://h/?a b", "UNSAFE", "query", 11, "3.4"),
    ("http://h/# ", "UNSAFE", "fragment", 10, "3.5"),         ("http://h/#a#", "RESERVED", "fragment", 11, "3.5"),
    ("http://h/?q[]=", "RESERVED", "query", 11, "3.4"),       ("http://h/\t", "CONTROL", "path", 9, "3.3"),
    ("http://h/\xe9", "NON_ASCII", "path", 9, "3.3"),         ("http://h/%4", "BAD_ESCAPE", "path", 9, "2.1"),
    ("http://a@b@c/", "RESERVED", "userinfo", 8, "3.2.1"),    ("http://a b@c/", "UNSAFE", "userinfo", 8, "3.2.1"),
    ("http://h_|/", "UNSAFE", "host", 9, "3.2.2"),            ("http://h]/", "RESERVED", "host", 8, "3.2.2"),
    ("http://[::1%25e]/", "BAD_HOST", "host", 11, "3.2.2"),   ("http://[1:2]/", "BAD_HOST", "host", 8, "3.2.2"),
    ("http://[::1/", "BAD_HOST", "host", 7, "3.2.2"),         ("http://[::1]x/", "BAD_HOST", "host", 12, "3.2.2"),
    ("http://h:8x/", "BAD_PORT", "port", 10, "3.2.3"),        ("http://h:8:9/", "BAD_PORT", "port", 10, "3.2.3"),
]  # fmt: skip
TARGET_PROBLEMS = [
    ("", "MISSING", "request-target", 0, "3.2"),
    ("-", "MISSING", "request-target", 1, "3.2"),
    ("a/b", "MISSING", "request-target", 0, "3.2"),
    ("/a#b", "FRAGMENT", "request-target", 2, "3.2"),
]


@pytest.mark.parametrize(
    ("form", "text", "finding", "term", "offset", "section"),
    [("url", *row) for row in PROBLEMS] + [("request-target", *row) for row in TARGET_PROBLEMS],
)
def test_each_problem_has_its_place_and_section(
    form: str, text: str, finding: str, term: str, offset: int, section: str
) -> None:
    with pytest.raises(InvalidURL) as raised:
        fasturl.parse(text, form=form, strict=True, standard="rfc3986")
    error = raised.value
    assert (error.finding.name, error.term, error.offset, error.section) == (finding, term, offset, section)
    document = "RFC 9112" if term == "request-target" else "RFC 3986"
    assert str(error).startswith(f"{term}: ") and str(error).endswith(f"({document} section {section})")


def test_a_message_shows_no_secret() -> None:
    for text in ("http://u:\xe9secret@h/", "http://u:[secret@h/", "http://a@\xe9@h/", "http://u:se@\xe9t@h/x y"):
        for problem in fasturl.problems(text, standard="rfc3986"):
            assert "secret" not in problem.message and "xe9" not in problem.message and "'['" not in problem.message


def test_strict_values_and_pickles() -> None:
    text = "http://h/~u"
    for strict, standard in ((False, "rfc1738"), (True, "rfc3986")):
        first = fasturl.parse(text, strict=strict, standard=standard)
        for url in (first, pickle.loads(pickle.dumps(first)), first._replace(path="/~v")):
            assert (url.strict, url.standard) == (strict, standard) and type(url.strict) is bool
    with pytest.raises(InvalidURL, match="RFC 1738"):
        fasturl.parse(text, strict=True)
    assert not fasturl.parse(text).valid_rfc1738 and fasturl.parse(text).findings
    with pytest.raises(TypeError, match="strict must be True or False, not a str"):
        fasturl.parse(text, strict="rfc3986")
    with pytest.raises(ValueError, match="standard must be 'rfc1738' or 'rfc3986'"):
        fasturl.parse(text, standard="whatwg")
    with pytest.raises(ValueError, match="standard must be 'rfc1738' or 'rfc3986'"):
        fasturl.problems(text, standard="whatwg")
    many = fasturl.parse_many([text, "http://h/[", "//h"], strict=True, standard="rfc3986", errors="null")
    assert [url and str(url) for url in many] == [text, None, None]


def test_a_strict_scheme_may_start_with_a_digit_by_rfc_1738_alone() -> None:
    assert fasturl.parse("3com:x", strict=True).valid_rfc3986 is False


def test_every_byte_at_every_place_of_a_block(each_kernel: list[str]) -> None:
    """A byte is judged the same in every block, recorded by the split or not."""
    places = (
        range(9, 340) if ALL else (*range(9, 13), *range(60, 68), *range(124, 130), *range(252, 260), *range(316, 322))
    )
    texts = [b"http://h/" + b"p" * (at - 9) + bytes([byte]) + tail for at in places for byte in range(256)
             for tail in (b"", b"41", b"4")]  # fmt: skip
    expected = np.array([derives("URI", text) for text in texts])
    check(pa.array(texts, pa.binary()), "url", expected, each_kernel)
