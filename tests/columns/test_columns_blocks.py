"""No row of a block changes another, also where rows of another kind stand among web URLs."""

import pyarrow as pa
import pytest
from expected import bytes_of, parsed, rows

from fasturl.arrow import FIELDS, parse

WEB = [
    "https://www.example.com/some/path/of/several/bytes", "http://a/", "https://EXAMPLE.com",
    "http://Capitals.In.A.Long.Hostname.example.org/p?q=of-more-than-twelve-bytes",
    "https://www.example.com/" + "p" * 60 + "?q" + "r" * 200, "https://h/%zz~",
]  # fmt: skip
AMONG = [None, "", "//only.a.netloc/p", "https://USER:pass@Long.Host.example.com:8080/p?q#f",
         "https://www.example.com/p?q#fragment-of-more-than-twelve-bytes", "https://127.0.0.1/",
         "https://[FE80::1%Eth0]/", "X-Scheme.Of.Many.Bytes:rest", "https://", "/path?query"]  # fmt: skip
HOSTS = ["a", "a.b", "a-b", "a.", ".a", "a..b", "-a", "a-", "a.-b", "a-.b", "1.a", "a.1", "1", "A.B", "a_b", "a.b1"]

pytestmark = pytest.mark.usefixtures("kernel")


def check(texts: list[str | None], form: str = "url") -> None:
    want = [{k: bytes_of(v) for k, v in parsed(bytes_of(text), form).items()} for text in texts]
    for kind in (pa.string(), pa.string_view()):
        column = pa.array(texts, kind)
        assert rows(parse(column, FIELDS, form=form)) == want
        for name in FIELDS:
            assert rows(parse(column, [name], form=form)) == [{name: row[name]} for row in want]


@pytest.mark.parametrize("among", AMONG)
@pytest.mark.parametrize("places", [[0], [63], [64], [5, 70], list(range(64)), list(range(1, 129, 2))], ids=str)
def test_a_row_keeps_apart_from_the_web_urls_around_it(among: str | None, places: list[int]) -> None:
    texts: list[str | None] = [WEB[i % len(WEB)] for i in range(130)]
    for place in places:
        texts[place] = among
    check(texts)


def test_a_column_may_get_its_first_value_late() -> None:
    for late in [*WEB, *AMONG]:
        check([None] * 70 + ["x"] * 60 + [late] + ["y"] * 70)


@pytest.mark.parametrize("edge", range(60, 68))
def test_hosts_and_delimiters_are_found_at_the_end_of_a_block(edge: int) -> None:
    """The host, or the text after it, ends at byte `edge`; the first block has 64 bytes."""
    texts: list[str | None] = []
    for host in HOSTS:
        for start in ("https://", "http://"):
            filled = start + "h" * (edge - len(start) - len(host) - 1) + "." + host
            texts += [filled, filled + "/", filled + "?q", filled + "/?", filled + "#f", start + host]
            path = start + host + "/" + "p" * (edge - len(start) - len(host) - 1)
            texts += [path, path + "?", path + "?a?b", path + "?a/b", path + "#", path + "é"]
    check(texts)
    check(texts, "request-target")


@pytest.mark.parametrize("place", [12, 61, 62, 63, 64, 253, 254, 255, 256, 400])
def test_escapes_are_judged_alike_alone_and_among_others(place: int) -> None:
    """Every two bytes behind a "%": alone, and in a block with several escapes."""
    pairs = [bytes([first, second]) for first in range(256) for second in range(256)]
    alone = pa.array([b"http://h/%" + pair for pair in pairs])
    start = (b"http://h/" + b"%41" * 200)[:place].rpartition(b"%")[0].ljust(place, b"a")
    among = pa.array([start + b"%" + pair for pair in pairs])
    expected = parse(alone, ["finding_bits", "error_offset"])
    found = parse(among, ["finding_bits", "error_offset"])
    assert found["finding_bits"] == expected["finding_bits"]
    assert found["error_offset"].is_valid() == expected["error_offset"].is_valid()
    offsets = [None if offset is None else offset + place - 9 for offset in expected["error_offset"].to_pylist()]
    assert found["error_offset"].to_pylist() == offsets
