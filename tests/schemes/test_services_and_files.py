"""Sections 3.8 to 3.11: telnet, wais, file and prospero. test_each_scheme.py reads and builds their URLs."""

import pytest

from fasturl.schemes import File, Prospero, Telnet, decompose


def test_a_user_with_a_question_mark_is_built_with_an_escape():
    assert decompose("telnet://a?b@h") == Telnet("a?b", None, "h", 23)
    assert decompose("telnet://a?b@h").geturl() == "telnet://a%3Fb@h/"


def test_a_telnet_url_is_built_with_its_last_slash():
    assert Telnet("guest", host="host.dom").geturl() == "telnet://guest@host.dom/"


@pytest.mark.parametrize(("part", "kind"), [
    ("db", "database"), ("", "database"), ("db?", "index"), ("db?red%20fox;a=b", "index"),
    ("db/TEXT/1%2F2", "document"), ("//", "document"),
])  # fmt: skip
def test_a_url_names_a_database_a_search_or_a_document(part, kind):
    assert decompose(f"wais://h/{part}").kind == kind


def test_the_vms_file_of_section_3_10():
    parts = decompose("file://vms.host.edu/disk$user/my/notes/note12345.txt")
    assert parts == File("vms.host.edu", ("disk$user", "my", "notes", "note12345.txt"))
    assert not parts.is_local


@pytest.mark.parametrize(
    ("host", "local"), [("", True), ("localhost", True), ("LocalHost", True), ("127.0.0.1", False)]
)
def test_a_file_is_local_without_a_host_or_on_localhost(host, local):
    assert decompose(f"file://{host}/etc/motd").is_local is local


def test_a_path_is_no_str():
    with pytest.raises(TypeError, match="path"):
        File("h", "abc").geturl()


def test_the_double_slash_of_section_3_11():
    assert decompose("prospero://host.dom//pros/name") == Prospero("host.dom", 1525, "/pros/name", ())
    assert Prospero("host.dom", hsoname="/pros/name").geturl() == "prospero://host.dom//pros/name"


@pytest.mark.parametrize("fields", [(("a",),), ("ab",), (5,), (("a", "b", "c"),)])
def test_fields_that_are_no_pairs_are_type_errors(fields):
    with pytest.raises(TypeError, match="pairs of str"):
        Prospero("h", 1525, "a", fields).geturl()
