"""Section 3.1: the common Internet scheme syntax, by ftp and telnet, which allow all of its parts."""

import pytest

from fasturl import InvalidURL
from fasturl.schemes import Ftp, Http, Telnet, UnbuildableURL, decompose


def test_an_empty_user_is_not_no_user():
    assert (decompose("ftp://@host.com/").user, decompose("ftp://@host.com/").password) == ("", None)
    assert (decompose("ftp://host.com/").user, decompose("ftp://host.com/").password) == (None, None)
    assert (decompose("ftp://foo:@host.com/").user, decompose("ftp://foo:@host.com/").password) == ("foo", "")


def test_an_empty_user_may_have_a_password():
    url = decompose("ftp://:p@h/")
    assert (url.user, url.password) == ("", "p")


@pytest.mark.parametrize("reserved", [":", "@", "/"])
def test_colon_at_and_slash_are_escaped_in_user_and_password(reserved):
    built = Ftp(user=f"a{reserved}b", password=f"c{reserved}d", host="h").geturl()
    escaped = f"%{ord(reserved):02X}"
    assert built == f"ftp://a{escaped}b:c{escaped}d@h"
    assert decompose(built) == Ftp(user=f"a{reserved}b", password=f"c{reserved}d", host="h")


def test_there_is_no_way_to_specify_a_password_without_a_user():
    with pytest.raises(UnbuildableURL, match="password without a user") as refused:
        Telnet(password="secret", host="h").geturl()
    assert (refused.value.term, refused.value.section) == ("password", "3.1")
    assert "secret" not in str(refused.value)


@pytest.mark.parametrize(
    "host", ["h", "h1", "a.b", "0a.1b.c2", "a-b.c-d", "1.2.3.com", "x.1a.b-c", "1.2.3.4", "A.B", "a.b2c"]
)
def test_host_names_and_numbers_are_accepted(host):
    assert decompose(f"ftp://{host}/").host == host
    assert Ftp(host=host).geturl() == f"ftp://{host}"


def test_a_number_that_is_no_address_is_read_but_not_built():
    assert decompose("ftp://999.0.00.256/").host == "999.0.00.256"
    with pytest.raises(UnbuildableURL, match="in different ways"):
        Ftp(host="999.0.00.256").geturl()


@pytest.mark.parametrize(("host", "offset"), [
    ("", 0), (".", 0), ("a.", 2), (".a", 0), ("a..b", 2), ("-a", 0), ("a-", 2), ("a.b-", 4), ("a-.b", 2),
    ("a_b", 1), ("1", 1), ("1.2.3", 5), ("1.2.3.4.5", 9), ("a.1", 3), ("a.1b", 4), ("é", 0), ("a b", 1), ("a:1", 1),
    ("[::1]", 0), ("a/b", 1), ("u@h", 1), ("%41", 0), ("a\n", 1), ("1.2.3.-4", 6),
])  # fmt: skip
def test_a_malformed_host_is_refused_where_it_breaks(host, offset):
    with pytest.raises(UnbuildableURL) as refused:
        Ftp(host=host).geturl()
    assert (refused.value.term, refused.value.offset, refused.value.section) == ("host", offset, "3.1")


@pytest.mark.parametrize(
    ("text", "port"), [("0", 0), ("21", 21), ("0021", 21), ("65535", 65535), ("0" * 5000 + "80", 80)]
)
def test_ports_are_numbers(text, port):
    assert decompose(f"ftp://h:{text}/").port == port
    assert decompose(f"http://h:{text}/").port == port
    if port:
        assert decompose(Http("h", port).geturl()).port == port
    else:  # some programs drop port 0
        with pytest.raises(UnbuildableURL, match="in different ways"):
            Http("h", port).geturl()


@pytest.mark.parametrize("text", ["", "65536", "99999", "100000", "x", "8o", "-1", "٨", "9" * 5000])
def test_a_malformed_port_is_invalid_and_leaves_the_default(text):
    for url in (f"ftp://h:{text}/", f"http://h:{text}/a"):
        with pytest.raises(InvalidURL):
            decompose(url)
        parts = decompose(url, strict=False)
        assert parts.port == parts.default_port
        assert parts.host == "h"


@pytest.mark.parametrize("port", [-1, 65536, 10**30])
def test_a_port_out_of_range_is_refused(port):
    with pytest.raises(UnbuildableURL) as refused:
        Http("h", port).geturl()
    assert refused.value.term == "port"


@pytest.mark.parametrize("port", ["80", 80.5, True])
def test_a_port_of_a_wrong_type_is_a_type_error(port):
    with pytest.raises(TypeError, match="port"):
        Http("h", port).geturl()


def test_the_default_port_is_filled_in_and_left_out():
    assert decompose("ftp://h").port == 21
    assert Ftp(host="h").port == 21
    assert Ftp(host="h", port=21).geturl() == "ftp://h"
    assert Ftp(host="h", port=2121).geturl() == "ftp://h:2121"


def test_the_slash_before_the_path_is_not_part_of_it():
    paths = [(decompose(url).cwd, decompose(url).name) for url in ("ftp://h/%2Fetc", "ftp://h//etc", "ftp://h/etc")]
    assert paths == [((), "/etc"), (("",), "etc"), ((), "etc")]


def test_the_last_at_divides_and_the_others_are_a_finding():
    with pytest.raises(InvalidURL):
        decompose("ftp://a@b@h/")
    assert decompose("ftp://a@b@h/", strict=False).user == "a@b"
