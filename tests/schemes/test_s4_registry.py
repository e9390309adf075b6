"""Section 4: new schemes. A registered name stays for the process, so each test takes its own."""

import dataclasses
import pickle
import subprocess
import sys
import urllib.parse
from dataclasses import dataclass
from typing import Self

import pytest
from support import run_python

import fasturl
from fasturl import Finding, InvalidURL, _terms

# isort: off
from fasturl.schemes import (RESERVED_NAMES, Generic, GrammarError, Http, Https, SchemeParts, Telnet, UnbuildableURL,
                             decompose, is_experimental, register, registered)  # fmt: skip

RFC_SECTIONS = {
    "ftp": "3.2.2", "http": "3.3", "gopher": "3.4", "mailto": "3.5", "news": "3.6", "nntp": "3.7", "telnet": "3.8",
    "wais": "3.9", "file": "3.10", "prospero": "3.11",
}  # fmt: skip
CHANNEL = 'part = "//" hostport "/" channel\nchannel = 1*alphadigit'


@dataclass(frozen=True, slots=True, repr=False)
class Channel(SchemeParts):
    """A class with parts of its own, at module level so that it pickles."""

    host: str = ""
    channel: str = ""

    @classmethod
    def from_schemepart(cls, part: str) -> Self:
        host, _, channel = part.removeprefix("//").partition("/")
        return cls(host, channel)

    def schemepart(self) -> str:
        return f"//{self.host}/{self.channel}"


def test_a_class_and_its_findings_name_the_same_section():
    sections = {name: found.dataclass.section for name, found in registered().items() if name in RFC_SECTIONS}
    assert sections == RFC_SECTIONS
    for name, section in RFC_SECTIONS.items():
        citation = _terms.citation_of(Finding.MISSING, "urlpath", name)
        assert f"RFC 1738 section {section}.".startswith(f"{citation}.")


def test_the_names_of_the_rfc():
    names = ["ftp", "http", "gopher", "mailto", "news", "nntp", "telnet", "wais", "file", "prospero", "https"]
    assert set(names) <= registered().keys()
    assert {name: registered()[name].default_port for name in names} == {
        "ftp": 21, "http": 80, "gopher": 70, "mailto": None, "news": None, "nntp": 119, "telnet": 23, "wais": 210,
        "file": None, "prospero": 1525, "https": 443,
    }  # fmt: skip
    assert registered()["https"].shape == "http" and registered()["https"].dataclass is Https
    with pytest.raises(TypeError):
        registered()["x-no"] = None  # type: ignore[index]


def test_the_seven_reserved_names():
    assert {"afs", "mid", "cid", "nfs", "tn3270", "mailserver", "z39.50"} == RESERVED_NAMES
    for name in RESERVED_NAMES:
        with pytest.raises(ValueError, match="reserved"):
            register(name)
        assert type(decompose(f"{name}:a")) is Generic
    register("tn3270", default_port=23, shape="telnet", reserved=True)
    assert decompose("tn3270://h").port == 23


def test_experimental_names_start_with_x():
    assert is_experimental("x-a") and is_experimental("X-A") and not is_experimental("x") and not is_experimental("ax-")


@pytest.mark.parametrize("name", ["", "a b", "a_b", "A", "Http", "é", "a:", "a/b", "a\n", "x" * 64])
def test_an_ill_formed_name_is_refused(name):
    with pytest.raises(ValueError):
        register(name)
    assert name not in registered()


@pytest.mark.parametrize("name", [None, 1, b"abc"])
def test_a_name_is_a_str(name):
    with pytest.raises(TypeError):
        register(name)


@pytest.mark.parametrize(
    ("argument", "value"),
    [("default_port", "80"), ("default_port", True), ("default_port", 1.5), ("productions", 5), ("productions", b"")],
)
def test_a_port_is_an_int_and_productions_are_a_str(argument, value):
    with pytest.raises(TypeError, match=f"{argument}: expected"):
        register("x-mistyped", **{argument: value})
    assert "x-mistyped" not in registered()


@pytest.mark.parametrize("name", ["http", "https", "ftp", "mailto"])
def test_a_taken_name_is_refused(name):
    with pytest.raises(ValueError, match="taken"):
        register(name, default_port=None if name == "mailto" else 99, shape="mailto" if name == "mailto" else "http")


def test_a_shape_makes_a_class_that_parses_decomposes_judges_and_builds():
    cls = register("x-web.one", default_port=8080, shape="http")
    assert issubclass(cls, Http) and cls.__name__ == "XWebOne"
    assert decompose("X-Web.One://h/a?b") == cls("h", 8080, "a", "b")
    assert decompose("x-web.one://h/a?b") != Http("h", 8080, "a", "b")
    assert cls("h", path="a").geturl() == "x-web.one://h/a"
    assert cls("h", 80, "a").geturl() == "x-web.one://h:80/a"
    assert fasturl.parse("x-web.one://h:80/").findings & Finding.NONDEFAULT_PORT
    with pytest.raises(InvalidURL):
        decompose("x-web.one://u@h/")
    assert decompose("x-web.one://u@h/", strict=False) == cls("h", 8080, "")
    assert pickle.loads(pickle.dumps(cls("h", 1, "a"))) == cls("h", 1, "a")
    with pytest.raises(ValueError, match="taken"):
        register("x-web.one", default_port=1, shape="http")


@pytest.mark.parametrize("shape", RFC_SECTIONS)
def test_each_scheme_of_the_rfc_is_a_shape(shape):
    port = registered()[shape].default_port
    of_shape = register(f"x-of-{shape}", default_port=port, shape=shape)
    assert issubclass(of_shape, registered()[shape].dataclass)
    assert registered()[f"x-of-{shape}"].shape == shape


def test_a_generic_scheme_with_a_port():
    assert register("x-db", default_port=5432) is Generic
    assert decompose("x-db://u:p@h/name").port == 5432
    assert Generic("x-db", user="u", host="h", path="name").geturl() == "x-db://u@h/name"
    assert Generic("x-db", host="h", port=1).geturl() == "x-db://h:1"


def test_a_custom_class_may_have_a_shape():
    @dataclass(frozen=True, slots=True, repr=False)
    class Shell(Telnet):
        @property
        def is_root(self) -> bool:
            return self.user == "root"

    assert register("x-shell", default_port=22, shape="telnet", dataclass=Shell) is Shell
    assert decompose("x-shell://root@h").is_root
    assert Shell("a", host="h").geturl() == "x-shell://a@h/"
    assert Shell(host="h").port == 22
    with pytest.raises(ValueError, match="another scheme"):
        register("x-shell2", default_port=22, shape="telnet", dataclass=Shell)


def test_a_custom_class_may_have_productions():
    register("x-chan", default_port=6667, productions=CHANNEL, dataclass=Channel)
    assert registered()["x-chan"].shape == "custom"
    parts = decompose("x-chan://irc.dom/lobby1")
    assert parts == Channel("irc.dom", "lobby1")
    assert parts.geturl() == Channel("irc.dom", "lobby1").geturl() == "x-chan://irc.dom/lobby1"
    assert pickle.loads(pickle.dumps(parts)) == parts
    assert fasturl.parse("x-chan://irc.dom/lobby1").valid_rfc1738
    for url, finding, offset in (
        ("x-chan://irc.dom/a-b", Finding.BAD_PART, 18), ("x-chan://irc.dom/", Finding.MISSING, 17),
        ("x-chan:", Finding.MISSING, 7), ("x-chan://irc.dom/a#b", Finding.FRAGMENT, 18),
    ):  # fmt: skip
        assert not fasturl.parse(url).valid_rfc1738
        assert fasturl.parse(url).error_offset == offset
        with pytest.raises(InvalidURL) as refused:
            decompose(url)
        assert (refused.value.finding, refused.value.offset) == (finding, offset)
        assert [problem.start for problem in fasturl.problems(url)] == [offset]
        assert decompose(url, strict=False).findings == finding
    with pytest.raises(UnbuildableURL) as unbuildable:
        Channel("irc.dom", "a-b").geturl()
    assert (unbuildable.value.term, unbuildable.value.offset, unbuildable.value.section) == ("schemepart", 11, "4")


def test_productions_without_a_class_give_a_generic():
    assert register("x-num", productions="part = 1*digit") is Generic
    assert decompose("x-num:123") == Generic("x-num", "123")
    assert Generic("x-num", "123").geturl() == "x-num:123"
    with pytest.raises(InvalidURL):
        decompose("x-num:12a")
    with pytest.raises(UnbuildableURL):
        Generic("x-num", "12a").geturl()


def test_a_raw_byte_is_reported_once_where_an_escape_may_stand():
    register("x-oct", productions='part = "a" *uchar ";" digits')
    assert [p.finding for p in fasturl.problems("x-oct:aé b;1")] == [Finding.NON_ASCII, Finding.UNSAFE]
    assert [p.start for p in fasturl.problems("x-oct:a%;1")] == [7]
    assert [p.finding for p in fasturl.problems("x-oct:a;1é")] == [Finding.NON_ASCII, Finding.BAD_PART]


@pytest.mark.parametrize(("wrong", "why"), [
    ({"shape": "nonsense"}, "'nonsense' is not a shape: one of generic, ftp,"),
    ({"shape": "custom"}, "'custom' is not a shape"),
    ({"shape": "http"}, "a scheme of the shape 'http' needs a default port"),
    ({"shape": "telnet", "default_port": 0}, "0 is not a port"),
    ({"shape": "telnet", "default_port": 65536}, "65536 is not a port"),
    ({"shape": "mailto", "default_port": 25}, "a scheme of the shape 'mailto' has no port"),
    ({"shape": "http", "default_port": 80, "productions": "part = digits"},
     "a scheme has either a shape or productions of its own"),
    ({"dataclass": Generic}, "Generic"),
    ({"dataclass": Http}, "Http"),
    ({"dataclass": int}, "dataclass: expected a dataclass that derives from"),
    ({"dataclass": SchemeParts}, "dataclass: expected a dataclass that derives from"),
    ({"shape": "http", "default_port": 80, "dataclass": Channel}, "Channel"),
])  # fmt: skip
def test_contradictory_settings_register_nothing(wrong, why):
    before = dict(registered())
    with pytest.raises(ValueError, match=f"^{why}"):
        register("x-wrong", **wrong)
    assert dict(registered()) == before
    assert "x-wrong" not in fasturl._fastparse.schemes()


def test_a_class_is_frozen_and_has_no_fields_beyond_its_shape():
    @dataclass(slots=True)
    class Thawed(SchemeParts):
        part: str = ""

        from_schemepart = Channel.from_schemepart
        schemepart = Channel.schemepart

    with pytest.raises(ValueError, match="not frozen"):
        register("x-thawed", dataclass=Thawed)

    @dataclass(frozen=True, slots=True)
    class More(Telnet):
        extra: str = ""

    with pytest.raises(ValueError, match="other fields"):
        register("x-more", default_port=1, shape="telnet", dataclass=More)

    @dataclass(frozen=True, slots=True)
    class Mute(SchemeParts):
        part: str = ""

    with pytest.raises(ValueError, match="from_schemepart"):
        register("x-mute", dataclass=Mute)
    assert [field.name for field in dataclasses.fields(Mute)] == ["part"]


@pytest.mark.parametrize("productions", ["", "part", "part = ", 'part = "a', "part = unheard-of", "part = part"])
def test_productions_that_cannot_be_read_register_nothing(productions):
    with pytest.raises(GrammarError):
        register("x-unread", productions=productions)
    assert "x-unread" not in registered()


def test_importing_fasturl_does_not_import_the_schemes():
    code = "import sys, fasturl; print(sorted({'fasturl.schemes', 'dataclasses'} & sys.modules.keys()))"
    assert run_python("-c", code).strip() == "[]"


@pytest.mark.parametrize(("name", "port", "productions", "valid"), [
    ("x-norm-port", 7, 'part = "//" host ":" digits', ["//h:7", "//h:007", "//H:8"]),
    ("x-norm-case", None, 'part = "//" *xchar', ["//FooBar", "//Foo/%61"]),
    ("x-norm-hex", None, "part = hex hex", ["ff", "FF"]),
    ("x-norm-lower", None, 'part = "%4a" | "%61"', ["%4a", "%61"]),
])  # fmt: skip
def test_normalize_respects_registered_productions(name, port, productions, valid):
    register(name, default_port=port, productions=productions)
    for part in valid:
        url = f"{name}:{part}"
        assert fasturl.parse(url).valid_rfc1738
        assert fasturl.normalize(url) is url
        assert fasturl.normalize(url.encode()) == url.encode()
        upper = f"{name.upper()}:{part}"
        assert fasturl.normalize(upper) == url and fasturl.equivalent(upper, url)
        assert decompose(fasturl.normalize(upper)) == decompose(url)
    # A text that is not derived is kept too: "%66" is not hex.
    assert fasturl.normalize(f"{name}:%66f") == f"{name}:%66f"


def test_urls_of_registered_productions_are_compared_by_bytes_and_validity():
    register("x-norm-same", productions='part = "//" 1*uchar | hex hex')
    assert fasturl.equivalent("x-norm-same://a%61%2f", "X-NORM-SAME://aa%2F")
    assert not fasturl.equivalent("x-norm-same://a", "x-norm-same://A")
    assert not fasturl.equivalent("x-norm-same:%66f", "x-norm-same:ff")
    assert fasturl.equivalent("x-norm-same:%66g", "x-norm-same:fg")


def test_a_registered_scheme_may_start_with_a_digit_without_strict():
    url = "9p-test://u:p@H:564/a%41"
    assert fasturl.parse(url).scheme == "" and fasturl.normalize(url) == "9p-test://u:p@H:564/aA"
    register("9p-test", default_port=564)
    for given, name in ((url, "9p-test"), (url.encode(), b"9p-test"), (url.upper(), "9p-test")):
        parsed = fasturl.parse(given)
        assert (parsed.scheme, parsed.valid_rfc1738) == (name, True)
        assert parsed.findings == fasturl.parse(given, strict=True).findings
    assert fasturl.parse(url).hostname == "h" and decompose(url + " ", strict=False).host == "H"
    assert fasturl.normalize(url) == "9p-test://u:p@h/aA"
    # The drop-in does not use the table of schemes.
    assert fasturl.urlsplit(url) == urllib.parse.urlsplit(url)
    assert fasturl.parse("9p-tesu://h/a").scheme == "" == fasturl.parse("127.0.0.1:80/x").scheme


def test_a_question_mark_ends_the_login_in_registered_productions():
    register("x-qmark", productions='part = "//" *[ uchar | "?" ]')
    for url in ("x-qmark://h?u:p", "x-generic://h?u:p"):
        parsed = fasturl.parse(url)
        assert (parsed.hostname, parsed.password, fasturl.redact(url)) == ("h", None, url)
    assert fasturl.redact("x-qmark://u:a?b@h") == "x-qmark://u:***@h"
    # In text, a registered scheme is recognised without "//".
    assert [found.url for found in fasturl.find_urls("<x-qmark:abc>")] == ["x-qmark:abc"]


FULL = """
import fasturl
from fasturl.schemes import register, registered
refused, builtin = [], len(registered())
for i in range(1100):
    try:
        register(f"x-{i}", default_port=1 + i)
    except ValueError as error:
        refused.append((f"x-{i}", str(error)))
assert len(registered()) == 1024 and len(refused) == 1100 - (1024 - builtin)
assert {said for _, said in refused} == {"the table of schemes is full"}
assert not {name for name, _ in refused} & registered().keys()
last = fasturl.parse("x-1000://h:1001/")
assert last.scheme == "x-1000" and last.valid_rfc1738 and not last.findings & fasturl.Finding.NONDEFAULT_PORT
assert fasturl.parse("x-1099://h:1/").scheme == "x-1099" and fasturl.decompose("http://h/").host == "h"
"""


def test_a_full_table_refuses_one_more_and_keeps_what_it_has():
    """Runs in its own process, since registered names stay."""
    done = subprocess.run([sys.executable, "-c", FULL], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
