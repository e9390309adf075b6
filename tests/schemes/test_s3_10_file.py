"""Section 3.10: files."""

import pytest

from fasturl import InvalidURL
from fasturl.schemes import File, UnbuildableURL, decompose


def test_the_vms_file_of_the_prose():
    parts = decompose("file://vms.host.edu/disk$user/my/notes/note12345.txt")
    assert parts == File("vms.host.edu", ("disk$user", "my", "notes", "note12345.txt"))
    assert not parts.is_local


@pytest.mark.parametrize(
    ("url", "host", "path", "local"),
    [
        ("file:///etc/motd", "", ("etc", "motd"), True),
        ("file://localhost/etc/motd", "localhost", ("etc", "motd"), True),
        ("file://LocalHost/", "LocalHost", ("",), True),
        ("file://127.0.0.1/x", "127.0.0.1", ("x",), False),
        ("file:////x", "", ("", "x"), True),
        ("file:///a%2Fb/c%3Bd?e:@&=", "", ("a/b", "c;d?e:@&="), True),
        ("file:///%E9", "", ("\udce9",), True),
    ],
)
def test_a_file_url_gives_its_host_and_segments(url, host, path, local):
    assert decompose(url) == File(host, path)
    assert decompose(url).is_local is local
    assert decompose(File(host, path).geturl()) == File(host, path)


@pytest.mark.parametrize(
    "url",
    [
        "file:", "file:/a", "file:a", "file://", "file://h", "file://h:80/a", "file://u@h/a", "file:///a;b",
        "file://h_/a",
    ],
)  # fmt: skip
def test_texts_that_the_production_does_not_derive_are_invalid(url):
    with pytest.raises(InvalidURL):
        decompose(url)
    assert decompose(url, strict=False).findings


def test_an_invalid_url_gives_its_best_parts():
    assert decompose("file:/etc/motd", strict=False) == File("", ("etc", "motd"))
    assert decompose("file://h", strict=False) == File("h", ())
    assert decompose("file://u@h:80/a;b", strict=False) == File("h", ("a;b",))


@pytest.mark.parametrize(
    ("value", "term"), [(File("h", ()), "fpath"), (File("h_", ("a",)), "host"), (File(None, ("a",)), "host")]
)
def test_unbuildable_values_are_refused(value, term):
    with pytest.raises(UnbuildableURL) as refused:
        value.geturl()
    assert refused.value.term == term


def test_a_path_is_no_str():
    with pytest.raises(TypeError, match="path"):
        File("h", "abc").geturl()
