"""The compiler of productions: its syntax, its errors, and the offsets at which its recognisers stop."""

import random
import re

import pytest

import fasturl
from fasturl.schemes._rfc1738 import GRAMMAR
from fasturl.schemes.productions import GrammarError, Productions, compile, read


@pytest.mark.parametrize(("productions", "derived", "broken"), [
    ('p = "a"', ["a"], {"": 0, "b": 0, "aa": 1, "A": 0}),
    ('p = "ab" | "ac"', ["ab", "ac"], {"a": 1, "ad": 1, "abc": 2}),
    ('p = *"a"', ["", "a", "aaa"], {"b": 0, "ab": 1}),        ('p = 1*"a"', ["a", "aa"], {"": 0}),
    ('p = 3*"a"', ["aaa", "aaaa"], {"aa": 2}),
    ('p = 2*[ "a" | "bc" ]', ["abc", "bcbc", "aa"], {"a": 1, "b": 1, "bcb": 3}),
    ('p = "a" [ "b" ] "c"', ["abc", "ac"], {"ab": 2, "abbc": 2}),
    ('p = ( "a" | "b" ) "c"', ["ac", "bc"], {"c": 0}),
    ('p = q "." q ; a comment | "x"\nq = 1*digit', ["1.2"], {"1.": 2, ".": 0}),
    ('p = "a"\n    | "b"\n\n; a comment line\n\t| "c"\n', ["a", "b", "c"], {"d": 0}),
    ("p = *uchar", ["", "a%41", "%ff"], {"/": 0, "a/": 1}),   ("p = *digit [ *digit ]", ["", "12"], {"a": 0}),
    ('p = *[ *"a" ]', ["", "aaaa"], {"b": 0}),
    ('p = *[ [ "a" ] [ "b" ] ] "c"', ["c", "abbac"], {"ab": 2}),
    ("p = hostport", ["h", "h:1", "1.2.3.4"], {"1.2.3": 5, "h:": 2, "a-": 2, "h:x": 2}),
    ('p = digit\ndigit = "x"', ["x"], {"1": 0}),
    ('p = Middle-Of_A+name1\nMiddle-Of_A+name1 = "x"', ["x"], {"1": 0}),
])  # fmt: skip
def test_productions_derive_these_texts_and_break_others_here(productions, derived, broken):
    recogniser = compile(productions)
    for text in derived:
        assert recogniser.stop(text.encode()) is None, text
    for text, at in broken.items():
        assert recogniser.stop(text.encode()) == at, text


@pytest.mark.parametrize(("text", "message"), [
    ("", "no production"),                                    ("; nothing", "no production"),
    ("= a", "no production"),                                 ("1p = a", "no production"),
    ("p = ", "p: an alternative is empty"),                   ("p = a | ", "p: an alternative is empty"),
    ('p = [ "a"', "p: a ] is missing"),                       ('p = ( "a" ]', "p: a ) is missing"),
    ('p = "a" ]', "p: unexpected ']'"),                       ('p = "a', "p: cannot read"),
    ('p = "a" ""', "p: cannot read"),                         ("p = a ~ b", "p: cannot read"),
    ("p = *", "p: unexpected end"),                           ('p = "é"', "p: not US-ASCII"),
    ('p = 257*"a"', "repetition of more than 256"),
    ('p = 99999999999999999999*"a"', "repetition of more than 256"),
    ('p = "a"\np = "b"', "p: defined twice"),                 ("p = q", "p: q is not defined"),
    ("p = p", "p: leads back to itself"),                     ("p = q\nq = [ p ]", "p: leads back to itself"),
    ('p = "~"', "no URL holds raw: '~'"),                     ("p = punctuation", "no URL holds raw"),
    ("p = " + "[ " * 60 + '"a"' + " ]" * 60, "brackets nest deeper than 50"),
    ("\n".join(f"p{i} = p{i + 1}" for i in range(80)) + '\np80 = "a"', "more than 50 productions deep"),
    ("\n".join(f"p{i} = p{i + 1} p{i + 1}" for i in range(30)) + '\np30 = "a"', "more than 20000 nodes"),
    ('p = *[ "a" | "b" ] "a" ' + '( "a" | "b" ) ' * 12 + '"c"', "more than 2000 states"),
])  # fmt: skip
def test_unreadable_productions_say_why(text, message):
    with pytest.raises(GrammarError, match=re.escape(message)):
        compile(text)


def test_the_limits_are_where_documented() -> None:
    """Fifty levels are read, 51 are refused; 256 repetitions are read."""

    def chain(depth: int) -> str:
        return "\n".join(f"p{i} = p{i + 1}" for i in range(depth - 1)) + f'\np{depth - 1} = "a"'

    assert compile(chain(50)).stop(b"a") is None
    with pytest.raises(GrammarError, match="more than 50 productions deep"):
        compile(chain(51))
    assert compile('p = 256*"a"').stop(b"a" * 256) is None
    assert compile('p = 256*"a"').stop(b"a" * 255) == 255
    assert compile('p = *"a"').stop(b"") is None


# The productions of the ten schemes against regular expressions typed from the RFC by hand.
U, HEX = r"A-Za-z0-9$\-_.+!*'(),", "%[0-9A-Fa-f]{2}"
REST = "(?:[A-Za-z0-9-]*[A-Za-z0-9])?"
HOST = rf"(?:(?:[A-Za-z0-9]{REST}\.)*[A-Za-z]{REST}|\d+\.\d+\.\d+\.\d+)"
HOSTPORT = rf"{HOST}(?::\d+)?"
LOGIN = rf"(?:(?:[{U};?&=]|{HEX})*(?::(?:[{U};?&=]|{HEX})*)?@)?{HOSTPORT}"
FPATH = rf"(?:[{U}?:@&=/]|{HEX})*"
SEARCH = rf"(?:[{U};:@&=]|{HEX})*"
UCHARS = rf"(?:[{U}]|{HEX})*"
XCHARS = rf"(?:[{U};/?:@&=]|{HEX})*"
GROUP = r"[A-Za-z][A-Za-z0-9.+_-]*"
FIELD = rf"(?:[{U}?:@&]|{HEX})*"
BY_HAND = {
    "ftpurl": rf"ftp://{LOGIN}(?:/{FPATH}(?:;type=[AIDaid])?)?",
    "fileurl": rf"file://(?:{HOST})?/{FPATH}",
    "httpurl": rf"http://{HOSTPORT}(?:/(?:[{U};:@&=/]|{HEX})*(?:\?{SEARCH})?)?",
    "gopherurl": rf"gopher://{HOSTPORT}(?:/{XCHARS})?",
    "mailtourl": rf"mailto:(?:[{U};/?:@&=]|{HEX})+",
    "newsurl": rf"news:(?:\*|{GROUP}|(?:[{U};/?:&=]|{HEX})+@{HOST})",
    "nntpurl": rf"nntp://{HOSTPORT}/{GROUP}(?:/\d+)?",
    "telneturl": rf"telnet://{LOGIN}/?",
    "waisurl": rf"wais://{HOSTPORT}/{UCHARS}(?:\?{SEARCH}|/{UCHARS}/{UCHARS})?",
    "prosperourl": rf"prospero://{HOSTPORT}/{FPATH}(?:;{FIELD}={FIELD})*",
}


@pytest.mark.parametrize("production", BY_HAND)
def test_the_rfcs_productions_agree_with_regular_expressions(production, tries):
    recogniser, by_hand = compile(f"p = {production}"), re.compile(BY_HAND[production], re.ASCII)
    scheme = BY_HAND[production].partition(":")[0]
    rng = random.Random(production)
    bits = ["a", "1", "-", ".", "/", "//", ":", "@", "?", ";", "=", "&", "%41", "%09", ";type=", "a", "h", "80", "*",
            "1.2.3.4"]  # fmt: skip
    derived = 0
    for _ in range(max(tries // 5, 400)):  # fewer would not meet every production
        text = scheme + rng.choice(["://h/", "://", ":", "://h"]) + "".join(rng.choices(bits, k=rng.randrange(8)))
        expected = by_hand.fullmatch(text) is not None
        stop = recogniser.stop(text.encode())
        assert (stop is None) == expected, text
        derived += expected
    assert derived > tries // 1000


def test_the_table_has_a_row_for_each_state_and_no_way_out_of_it():
    table = compile("p = ftpurl | gopherurl | prosperourl")
    rows = memoryview(table.rows).cast("I").tolist()
    assert len(rows) == len(table.accepting) * table.width
    assert max(rows) < len(rows) and not any(row % table.width for row in rows)
    assert set(table.columns) == set(range(table.width))
    assert set(rows[: table.width]) == {0}


def stop_of(table, part):
    """Run the same table in Python."""
    rows, row = memoryview(table.rows).cast("I"), table.width
    for at, column in enumerate(re.sub(rb"%(?![0-9A-Fa-f]{2})", b"\0", part).translate(table.columns)):
        row = rows[row + column]
        if not row:
            return at
    return None if table.accepting[row // table.width] else len(part)


BITS = [*rb"ftp://h/ prospero://h/ //h // %41 %4 % %zz a / ; :".split(b" "), b"\x00", b"\xff", b" "]


@pytest.mark.parametrize(
    "production", ["ftpurl", "prosperourl", "1*xchar", '*[ "a" | 2*escape ]', '"//" login [ "/" *hsegment ]']
)
def test_the_kernel_runs_a_table_as_python_does(production, tries):
    table = compile(f"p = {production}")
    rng = random.Random(production)
    stops = set()
    for _ in range(max(tries // 5, 1000)):
        part = b"".join(rng.choices(BITS, k=rng.randrange(8)))
        stop = table.stop(part)
        assert stop == stop_of(table, part), part
        stops.add(stop)
    assert len(stops) > 1 and None in stops


GOOD = (bytes(256), 1, b"\0\0\0\0\1\0\0\0", b"\0\1")


@pytest.mark.parametrize("table", [
    (bytes(255), *GOOD[1:]), (b"\1" + bytes(255), *GOOD[1:]), (GOOD[0], 0, b"", GOOD[3]),
    (GOOD[0], 257, bytes(8 * 257), GOOD[3]), (GOOD[0], -1, b"", b""), (GOOD[0], 1, b"\0\0\0\0\2\0\0\0", GOOD[3]),
    (GOOD[0], 1, GOOD[2][:-1], GOOD[3]), (GOOD[0], 2, bytes(8) + b"\1\0\0\0\0\0\0\0", GOOD[3]),
    (GOOD[0], 1, GOOD[2], b"\0"), (GOOD[0], 1, bytes(4), b"\1"), (GOOD[0], 1, bytes(4 * 65536), bytes(65536)),
])  # fmt: skip
def test_a_table_that_leads_out_of_itself_is_refused(table):
    assert Productions(*GOOD).stop(b"anything") is None
    with pytest.raises(ValueError):
        Productions(*table)


def test_the_rfcs_productions_are_all_there():
    assert {"httpurl", "xchar", "gopher+_string", "hostnumber", "escape"} <= read(GRAMMAR).keys()


def test_the_limit_of_ports_holds_wherever_hostport_stands() -> None:
    table = compile('part = "//" hostport "/"')
    for number in (*range(70_000), 99_999, 655_350, 10**9):
        for port in (str(number), f"000{number}"):
            assert (table.stop(f"//h:{port}/".encode()) is None) == (number <= 65535), port
    for number in (0, 65535, 65536, 99_999):
        valid, parts = (
            fasturl.parse(f"dict://h:{number}/d:a").valid_rfc1738,
            fasturl.decompose(f"dict://h:{number}/d:a", strict=False),
        )
        assert valid == (number <= 65535) == (parts.port == number)
