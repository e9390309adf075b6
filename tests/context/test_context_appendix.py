"""RFC 1738, the appendix, sentence by sentence, and its examples."""

import pickle

import pytest

from fasturl._functions import FoundURL, find_urls

JIM = """\
Yes, Jim, I found it under <URL:ftp://info.cern.ch/pub/www/doc;
type=d> but you can probably pick it up from <URL:ftp://ds.in
ternic.net/rfc>.  Note the warning in <URL:http://ds.internic.
net/instructions/overview.html#WARNING>.
"""

# As in the RFC's references, with the line breaks of different printings.
REFERENCES = [
    ("<URL:ftp://ds.internic.net/rfc/rfc1436.txt;type=a>", "ftp://ds.internic.net/rfc/rfc1436.txt;type=a"),
    ("<URL:ftp://boombox.micro.umn.edu/pub/gopher/gopher_protocol\n/Gopher+/Gopher+.txt>",
     "ftp://boombox.micro.umn.edu/pub/gopher/gopher_protocol/Gopher+/Gopher+.txt"),
    ("December 1994. <URL:ftp://ds.internic.net/internet-drafts\r\n   /draft-ietf-uri-irl-fun-req-02.txt>",
     "ftp://ds.internic.net/internet-drafts/draft-ietf-uri-irl-fun-req-02.txt"),
    ("<URL:ftp://uu.psi.com/wp/nir.txt>, June 1991.", "ftp://uu.psi.com/wp/nir.txt"),
    ("(as in <URL:news:*>)", "news:*"),
    ("<URL:file://vms.host.edu/disk$user/my/notes/note12345.txt>",
     "file://vms.host.edu/disk$user/my/notes/note12345.txt"),
    ("(E.g., <URL:prospero://host.dom//pros/name> denotes", "prospero://host.dom//pros/name"),
    ("<URL:ftp://foo:@host.com/> has", "ftp://foo:@host.com/"),
    ("<URL:ftp://myname@host.dom/%2Fetc/motd>", "ftp://myname@host.dom/%2Fetc/motd"),
    ("在<URL:ftp://info.cern.ch/pub/www/doc;type=d>上", "ftp://info.cern.ch/pub/www/doc;type=d"),
]  # fmt: skip


def urls(text, **options):
    return [found.url for found in find_urls(text, **options)]


def test_the_example_of_the_appendix_is_extracted():
    assert [(found.url, found.fragment) for found in find_urls(JIM)] == [
        ("ftp://info.cern.ch/pub/www/doc;type=d", None),
        ("ftp://ds.internic.net/rfc", None),
        ("http://ds.internic.net/instructions/overview.html", "WARNING"),
    ]


@pytest.mark.parametrize(("text", "url"), REFERENCES)
def test_the_urls_of_the_references_are_extracted(text, url):
    [found] = find_urls(text)
    assert found.url == url
    assert text[found.start : found.end].startswith("<URL:") and text[found.start : found.end].endswith(">")
    data = text.encode()
    [found] = find_urls(data)
    assert found.url == url.encode()
    whole = data[found.start : found.end]
    assert whole.startswith(b"<URL:") and whole.endswith(b">")


def test_prefix_distinguishes_urls():
    assert urls("Its URL:http://h/a is not URN:x:y") == ["http://h/a"]
    found = urls("在URL:http://www.acl.lanl.gov/URI/archive/uri-archive.index.html。")
    assert found == ["http://www.acl.lanl.gov/URI/archive/uri-archive.index.html"]


def test_brackets_and_prefix_keep_the_punctuation_out():
    assert urls("(see <URL:http://h/a.>, <URL:http://h/b;>; and so on)") == ["http://h/a.", "http://h/b;"]


def test_wrapper_is_no_part_of_the_url():
    assert list(find_urls("at <URL:http://h/> too")) == [("http://h/", 3, 18, None)]


def test_fragment_stands_in_the_brackets():
    assert next(find_urls("<URL:http://h/a#b>"))[::3] == ("http://h/a", "b")
    assert next(find_urls("<URL:http://h/a#>"))[::3] == ("http://h/a", "")
    assert next(find_urls("<URL:http://h/a#b#c>"))[::3] == ("http://h/a", "b#c")
    assert next(find_urls(b"<URL:http://h/a # b c >"))[::3] == (b"http://h/a", b"bc")


@pytest.mark.parametrize("space", [" ", "\n", "\r\n", "\t", "\v", "\f", " \n\t "])
def test_white_space_is_ignored(space):
    text = f"<URL:{space}ht{space}tp://h{space}/a{space}b{space}>"
    assert list(find_urls(text)) == [("http://h/ab", 0, len(text), None)]
    assert list(find_urls(text.encode())) == [(b"http://h/ab", 0, len(text), None)]
    text = f"<{space}URL:http://h/a>"
    assert urls(text) == ["http://h/a"]


def test_only_ascii_white_space_is_ignored():
    assert urls("<URL:http://h/a\xa0b\u2028c\x85d>") == ["http://h/a\xa0b\u2028c\x85d"]


@pytest.mark.parametrize("line_break", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("indent", ["", "    ", "\t"])
def test_hyphen_at_a_line_break_is_kept_and_reported(line_break, indent):
    [found] = find_urls(f"<URL:http://h/long-{line_break}{indent}name.html>")
    assert found.url == "http://h/long-name.html" and found.hyphen is True
    [found] = find_urls(f"<URL:http://h/a#frag-{line_break}{indent}ment>".encode())
    assert found == (b"http://h/a", 0, found.end, b"frag-ment") and found.hyphen is True


def test_other_hyphens_are_not_reported():
    for inside in ("a-b>", "a- b>", "a\n-b>", "a-%0Ab>", "a->\n"):
        [found] = find_urls("<URL:http://h/" + inside)
        assert found.hyphen is False


def test_escapes_do_not_count_as_white_space():
    assert urls("<URL:http://h/a%20b-%0A%20c>") == ["http://h/a%20b-%0A%20c"]


@pytest.mark.parametrize("mark", ["URL", "url", "Url", "uRl"])
def test_the_prefix_has_no_case(mark):
    assert urls(f"<{mark}:http://h/a>") == ["http://h/a"]
    assert urls(f"{mark}:http://h/a") == ["http://h/a"]


@pytest.mark.parametrize("text", [
    "<URL:http://h/a", "<URL:http://h/a <b>", "<URL:", "<URL:>", "<URL: \n >", "<URL:#fragment>",
    "<URL: # fragment>", "<http://h/a", "<", "", "<>", "<URL http://h>", "<URI:http:/h>",
])  # fmt: skip
def test_an_open_or_empty_wrapper_gives_no_url(text):
    assert not urls(text) and not urls(text.encode())


def test_an_open_wrapper_does_not_hide_the_next():
    assert urls("<URL:http://a and <URL:http://b> and <URL:http://c") == ["http://b"]


def test_the_content_of_a_wrapper_is_not_searched_again():
    """parse() decides if the content is a URL."""
    for held in ("relative", 'x:"y"', "файл://h", "URL:x:y"):
        assert urls(f"<URL:{held}>") == [held]
    assert urls(b"<URL:a\x00\xffb>") == [b"a\x00\xffb"]


def test_an_extracted_is_a_tuple_of_four():
    [found] = find_urls("<URL:http://h/-\n#f>")
    url, start, end, fragment = found
    assert (found.url, found.start, found.end, found.fragment) == (url, start, end, fragment) == tuple(found)
    assert type(found) is FoundURL and found.hyphen
    match found:
        case FoundURL(url, start, end, fragment):
            assert url == "http://h/-" and fragment == "f"
    assert hash(found) == hash(tuple(found))
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        again = pickle.loads(pickle.dumps(found, protocol))
        assert again == found and again.hyphen and type(again) is FoundURL


def test_no_repr_shows_a_password() -> None:
    [found] = find_urls("see <URL:ftp://me:secret@h/a#b>")
    assert found.url == "ftp://me:secret@h/a"
    for shown in (repr(found), found.__repr__(), str(found), f"{[found]}"):
        assert "fasturl.FoundURL(url='ftp://me:***@h/a', start=4, end=31, fragment='b')" in shown
    [data] = find_urls(b"<URL:db://me:secret\xff@h>")
    assert repr(data) == "fasturl.FoundURL(url=b'db://me:***@h', start=0, end=23, fragment=None)"
    assert repr(FoundURL((None, "a", 2, 3))) == "fasturl.FoundURL(url=None, start='a', end=2, fragment=3)"
