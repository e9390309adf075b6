"""Section 3.2: FTP, with the prose's own examples."""

import pytest

from fasturl import UnsafeURL
from fasturl.schemes import Ftp, decompose


@pytest.mark.parametrize(("url", "commands"), [
    ("ftp://myname@host.dom/%2Fetc/motd", [("USER", "myname"), ("CWD", "/etc"), ("RETR", "motd")]),
    ("ftp://myname@host.dom/etc/motd", [("USER", "myname"), ("CWD", "etc"), ("RETR", "motd")]),
    ("ftp://myname@host.dom//etc/motd", [("USER", "myname"), ("CWD", ""), ("CWD", "etc"), ("RETR", "motd")]),
])  # fmt: skip
def test_s3_2_2_the_examples_of_the_prose(url, commands):
    parts = decompose(url)
    assert (parts.host, parts.port, parts.user, parts.password) == ("host.dom", 21, "myname", None)
    assert parts.commands() == commands


@pytest.mark.parametrize(("url", "cwd", "name", "typecode"), [
    ("ftp://info.cern.ch/pub/www/doc;type=d", ("pub", "www"), "doc", "d"),
    ("ftp://ds.internic.net/rfc", (), "rfc", None),
    ("ftp://ds.internic.net/rfc/rfc1436.txt;type=a", ("rfc",), "rfc1436.txt", "a"),
    ("ftp://boombox.micro.umn.edu/pub/gopher/gopher_protocol/Gopher+/Gopher+.txt",
     ("pub", "gopher", "gopher_protocol", "Gopher+"),
     "Gopher+.txt",
     None),
    ("ftp://info.cern.ch/pub/www/doc/http-spec.txt.Z", ("pub", "www", "doc"), "http-spec.txt.Z", None),
    ("ftp://uu.psi.com/wp/nir.txt", ("wp",), "nir.txt", None),
])  # fmt: skip
def test_the_urls_of_the_appendix_and_the_references(url, cwd, name, typecode):
    parts = decompose(url)
    assert (parts.cwd, parts.name, parts.typecode) == (cwd, name, typecode)
    assert Ftp(host=parts.host, cwd=cwd, name=name, typecode=typecode).geturl() == url


def test_s3_2_1_no_user_is_anonymous_with_the_users_mail_address():
    commands = decompose("ftp://host.dom/f").commands(anonymous="me@home.dom")
    assert commands == [("USER", "anonymous"), ("PASS", "me@home.dom"), ("RETR", "f")]
    assert decompose("ftp://host.dom/f").commands() == [("USER", "anonymous"), ("RETR", "f")]


def test_s3_2_1_a_user_without_a_password_has_the_program_ask():
    assert decompose("ftp://u@h/f").commands(anonymous="me@home.dom") == [("USER", "u"), ("RETR", "f")]
    assert decompose("ftp://u:@h/f").commands() == [("USER", "u"), ("PASS", ""), ("RETR", "f")]
    assert decompose("ftp://@h/f").commands() == [("USER", ""), ("RETR", "f")]


@pytest.mark.parametrize(("url", "commands"), [
    ("ftp://u@h", []),                                        ("ftp://u@h/", [("RETR", "")]),
    ("ftp://u@h/;type=d", [("NLST", "")]),                    ("ftp://u@h/pub;type=d", [("NLST", "pub")]),
    ("ftp://u@h/pub/;type=D", [("CWD", "pub"), ("NLST", "")]),
    ("ftp://u@h/f;type=a", [("TYPE", "A"), ("RETR", "f")]),   ("ftp://u@h/f;type=A", [("TYPE", "A"), ("RETR", "f")]),
    ("ftp://u@h/f;type=i", [("TYPE", "I"), ("RETR", "f")]),
    ("ftp://u@h/a//b", [("CWD", "a"), ("CWD", ""), ("RETR", "b")]),
    ("ftp://u@h/a%3Btype=a", [("RETR", "a;type=a")]),
])  # fmt: skip
def test_s3_2_2_the_commands_of_a_path(url, commands):
    assert decompose(url).commands() == [("USER", "u"), *commands]


@pytest.mark.parametrize("byte", ["%0D", "%0A", "%00", "%0D%0A"])
@pytest.mark.parametrize(("url", "term"), [
    ("ftp://u{}x@h/f", "user"), ("ftp://u:s3cret{}x@h/f", "password"), ("ftp://u@h/a{}x/f", "cwd"),
    ("ftp://u@h/a/f{}x", "name"),
])  # fmt: skip
def test_s6_no_cr_lf_or_nul_reaches_a_command(url, term, byte):
    parts = decompose(url.format(byte))
    with pytest.raises(UnsafeURL) as refused:
        parts.commands()
    value = getattr(parts, term) if term != "cwd" else parts.cwd[0]
    assert refused.value.term == term
    assert value[refused.value.offset] in "\r\n\0"
    assert refused.value.section == "6"
    assert "s3cret" not in str(refused.value)


def test_s6_the_mail_address_is_checked_too():
    with pytest.raises(UnsafeURL):
        decompose("ftp://h/f").commands(anonymous="me@h\r\nDELE f")
    assert decompose("ftp://u@h/f").commands(anonymous="unsent\r\n")


def test_commands_in_bytes_are_those_of_the_url():
    parts = decompose("ftp://u%E9:p@h/%C3%A9%FF/f;type=i")
    assert parts.commands(as_bytes=True) == [
        (b"USER", b"u\xe9"), (b"PASS", b"p"), (b"CWD", b"\xc3\xa9\xff"), (b"TYPE", b"I"), (b"RETR", b"f"),
    ]  # fmt: skip
    assert decompose("ftp://h/f").commands("é@h", as_bytes=True)[1] == (b"PASS", "é@h".encode())
    assert parts.commands(as_bytes=False) == parts.commands()
    with pytest.raises(UnsafeURL):
        decompose("ftp://u@h/a%0D").commands(as_bytes=True)


def test_question_marks_are_no_delimiters():
    assert decompose("ftp://us?er:p?w@h/d?r/n?me").commands() == [
        ("USER", "us?er"), ("PASS", "p?w"), ("CWD", "d?r"), ("RETR", "n?me"),
    ]  # fmt: skip


def test_wrong_types_are_type_errors():
    with pytest.raises(TypeError, match="cwd"):
        Ftp(host="h", cwd="abc", name="f").geturl()
    with pytest.raises(TypeError, match="fsegment"):
        Ftp(host="h", name=b"f").geturl()
