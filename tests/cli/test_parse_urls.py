"""`fasturl parse` on lists of URLs: every part is written, and no byte is lost."""

import csv
import io
import json
import random
from pathlib import Path

import pytest
from clihelpers import COLUMNS, Run, as_bytes, parts_by_the_library

from fasturl.logs.columns import SETS
from fasturl.logs.formats.catalog import UrlList
from fasturl.logs.formats.records import Records
from fasturl.logs.inputs.source import Source
from fasturl.logs.units import Unit, finish_unit, raw_from_records

URLS = [
    b"http://user:secret@example.com:8080/a/b?x=1&y=2#top", b"https://example.com", b"http://h?#", b"http://h:/",
    b"http://h:99999/", b"http://h:8a/", b"http://@h/", b"http://:@h/", b"ftp://u@h/%2Fetc/x;type=i",
    b"mailto:a@b.example", b"/just/a/path?q", b"//h/a", b"example.com:443", b"*", b"-", b"http://[::1]:80/x",
    b"http://[::1/x", b"http://h/a b|c", b"http://h/caf\xe9", b"http://h/caf\xc3\xa9",
    b"http://h/\xf0\x9f\x90\x8d\xed\xa0\x80\xc0\x80\xf5\xff", b"http://h/\x00\x01\x1b[0m\x7f\"quoted\"\\back",
    b"http://h/%zz%2", b"x-unknown+1.2-3://h/part", b"\x16\x03\x01\x02\x00", b"HTTP://EXAMPLE.com/",
    b"http://good.example\\@evil.example/", b"a,b\"c", b" ",
]  # fmt: skip


def test_rows_have_all_parts_of_every_url(fasturl: Run) -> None:
    ran = fasturl("parse", "--invalid-bytes", "surrogate", stdin=b"\n".join(URLS) + b"\n")
    assert ran.status == 0
    assert ran.out.isascii()
    rows = ran.rows
    assert len(rows) == len(URLS)
    for number, (row, text) in enumerate(zip(rows, URLS, strict=True), start=1):
        assert list(row) == COLUMNS
        assert (row["file"], row["line"], row["field"]) == ("-", number, "url")
        found = as_bytes(row)
        expected = parts_by_the_library(text)
        assert {key: found[key] for key in expected} == expected


@pytest.mark.parametrize("form", ["url", "request-target"])
def test_rows_match_parse(form: str, tries: int) -> None:
    """Compare the columns of a unit with the URL object, on mutated URLs."""
    choose = random.Random(form)
    pieces = [bytes((o,)) for o in range(256)]
    pieces += [b"://", b"//", b":80", b"@", b"[", b"]", b"%41", b"%", b"?", b"#", b"http:", b"ftp://u:p@h/", b";type=a"]
    records = Records()
    for _ in range(tries):
        text = bytearray(choose.choice(URLS))
        for _ in range(choose.randrange(3)):
            at = choose.randrange(len(text) + 1)
            text[at : at + choose.randrange(4)] = choose.choice(pieces)
        records.urls.append(bytes(text))
    records.numbers = list(range(len(records.urls)))
    records.kept = [()] * len(records.urls)
    unit = Unit(Source("f"), UrlList(form=form))
    finish_unit(unit, raw_from_records(records, unit.fmt), tuple(COLUMNS))
    columns = {name: column.to_pylist() for name, column in unit.columns.items()}
    columns["findings"] = [list(SETS[bits]) for bits in columns["findings"]]
    for at, text in enumerate(records.urls):
        expected = parts_by_the_library(text, form)
        assert {name: columns[name][at] for name in expected} == expected


def test_form_request_target_reads_targets(fasturl: Run) -> None:
    texts = [b"/a?b", b"//a/b", b"h:443", b"*", b"-", b"http://h/a", b"/a#f"]
    ran = fasturl("parse", "--form", "request-target", stdin=b"\n".join(texts))
    for row, text in zip(ran.rows, texts, strict=True):
        expected = parts_by_the_library(text, "request-target")
        found = as_bytes(row)
        assert {key: found[key] for key in expected} == expected


def test_absent_is_null_and_empty_is_empty(fasturl: Run) -> None:
    absent, empty = fasturl("parse", stdin=b"http://h\nhttp://:@h?#\n").rows
    names = ("username", "password", "query", "fragment")
    assert [absent[name] for name in names] == [None] * 4
    assert [empty[name] for name in names] == [""] * 4
    assert absent["path"] == ""
    lines = fasturl("parse", "--to", "csv", "-F", ",".join(names), stdin=b"http://h\nhttp://:@h?#\n").lines
    assert lines == [b"username,password,query,fragment", b",,,", b'"","","",""']


def test_csv_holds_the_bytes_unchanged(fasturl: Run) -> None:
    ran = fasturl("parse", "--to", "csv", "--invalid-bytes", "surrogate", stdin=b"\n".join(URLS))
    # Python's csv, with one character per byte. It reads absent and empty alike.
    table = list(csv.reader(io.StringIO(ran.out.decode("latin-1"), newline="")))
    assert table[0] == COLUMNS
    for cells, text in zip(table[1:], URLS, strict=True):
        row = dict(zip(COLUMNS, (cell.encode("latin-1") for cell in cells), strict=True))
        for name, value in parts_by_the_library(text).items():
            if name == "findings":
                assert row[name] == "|".join(value).encode()
            elif isinstance(value, bool):
                assert row[name] == (b"true" if value else b"false")
            elif isinstance(value, int):
                assert row[name] == str(value).encode()
            else:
                assert row[name] == (value or b"")


def test_hostile_bytes_round_trip(fasturl: Run) -> None:
    choose = random.Random(1738)
    pool = bytes(o for o in range(256) if o not in b"\r\n")
    texts = [bytes(choose.choices(pool, k=choose.randrange(1, 80))) for _ in range(3000)]
    texts += [b"http://h/" + bytes((o,)) for o in pool]
    texts = [text.removeprefix(b"\xef\xbb\xbf") for text in texts]
    ran = fasturl("parse", "--log-format", "URLS", "--invalid-bytes", "surrogate", stdin=b"\n".join(texts) + b"\n")
    assert [row["url"].encode("utf-8", "surrogateescape") for row in ran.rows] == texts
    # The table as an input yields the same bytes.
    again = fasturl("parse", "--invalid-bytes", "surrogate", "--field", "url", "-F", "url", stdin=ran.out)
    assert [as_bytes(row)["url"] for row in again.rows] == texts


def test_real_urls_match_the_library(fasturl: Run, real_urls: list[str], tmp_path: Path) -> None:
    source = tmp_path / "urls.txt"
    texts = [url.encode("utf-8", "surrogateescape") for url in real_urls]
    source.write_bytes(b"\xef\xbb\xbf" + b"\r\n".join(texts))
    ran = fasturl("parse", source)
    rows = ran.rows
    assert ran.status == 0 and len(rows) == len(texts)
    for row, text in zip(rows[::97], texts[::97], strict=True):
        found, expected = as_bytes(row), parts_by_the_library(text)
        assert {key: found[key] for key in expected} == expected
    valid = sum(row["valid_rfc1738"] for row in rows)
    assert f"{len(texts):,} URLs: {valid:,} valid, {len(texts) - valid:,} invalid" in ran.err


@pytest.mark.parametrize(("data", "urls"), [
    (b"http://a\nhttp://b", ["http://a", "http://b"]),        (b"http://a\r\nhttp://b\r\n", ["http://a", "http://b"]),
    (b"\xef\xbb\xbfhttp://a\n\xef\xbb\xbfb\n", ["http://a", "\ufeffb"]),
    (b"\n\n\nhttp://a\n\n", ["http://a"]),                    (b"http://a\r\r\nb\rc\n", ["http://a\r", "b\rc"]),
    (b"\r\n", []),                                            (b"\n", []),
    (b"\xef\xbb\xbf", []),                                    (b"", []),
])  # fmt: skip
def test_lines_end_in_lf_or_crlf(fasturl: Run, data: bytes, urls: list[str]) -> None:
    ran = fasturl("parse", "--log-format", "URLS", "-F", "url,line", stdin=data)
    assert ran.status == 0
    assert [row["url"] for row in ran.rows] == urls


def test_null_separates_urls_by_nul(fasturl: Run) -> None:
    ran = fasturl("parse", "-0", "-F", "line,url", stdin=b"http://a/\nb\r\0\0http://c")
    assert ran.rows == [{"line": 1, "url": "http://a/\nb\r"}, {"line": 3, "url": "http://c"}]


def test_counts_are_printed_at_the_end(fasturl: Run) -> None:
    ran = fasturl("parse", stdin=b"http://a\n\nhttp://b c\nhttp://u:p@h/%00\n")
    assert ran.err.splitlines()[0] == "4 lines, 3 URLs: 1 valid, 2 invalid; 0 lines rejected, 1 empty"
    told = {line.split()[0]: int(line.split()[1]) for line in ran.err.splitlines()[1:-1]}
    assert ran.err.splitlines()[-1] == "-: URLS, 3 of 3 lines"
    assert told == dict.fromkeys(
        ("UNSAFE", "BAD_HOST", "LOGIN", "PASSWORD", "ENCODED_CONTROL", "AMBIGUOUS_AUTHORITY"), 1
    )
    assert fasturl("parse", "-q", stdin=b"http://a/<\n").err == ""


def test_several_files_keep_their_names_and_numbers(fasturl: Run, tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_bytes(b"http://a\nhttp://b\n")
    (tmp_path / "b.txt").write_bytes(b"http://c\n")
    ran = fasturl("parse", "a.txt", "-", "b.txt", stdin=b"http://s\n", cwd=tmp_path)
    found = [(row["file"], row["line"], row["url"]) for row in ran.rows]
    assert found == [("a.txt", 1, "http://a"), ("a.txt", 2, "http://b"), ("-", 1, "http://s"), ("b.txt", 1, "http://c")]


def test_a_file_name_may_hold_any_bytes(fasturl: Run, tmp_path: Path) -> None:
    name = b"caf\xe9\x1b.txt"
    try:
        (Path(tmp_path) / name.decode("utf-8", "surrogateescape")).write_bytes(b"http://a\n")
    except OSError:
        pytest.skip("this file system has no such names")
    ran = fasturl("parse", "--invalid-bytes", "surrogate", name, cwd=tmp_path)
    assert ran.rows[0]["file"].encode("utf-8", "surrogateescape") == name
    missing = fasturl("parse", b"no-" + name, cwd=tmp_path)
    assert missing.status == 2 and "\x1b" not in missing.err and "\\x1b" in missing.err


def test_fields_chooses_columns_and_order(fasturl: Run) -> None:
    ran = fasturl("parse", "-F", "host, port", stdin=b"http://h:81/\n")
    assert ran.out == b'{"host":"h","port":81}\n'
    assert fasturl("parse", "--fields", "host", stdin=b"http://h:81/\n").out == b'{"host":"h"}\n'
    # Columns of a log are null in a list of URLs.
    assert fasturl("parse", "-F", "status,host", stdin=b"http://h\n").out == b'{"status":null,"host":"h"}\n'


def test_python_m_fasturl_runs_the_command(fasturl: Run) -> None:
    # `fasturl` and `python -m fasturl` call the same function.
    from fasturl import __main__
    from fasturl.cli.__main__ import run

    assert __main__.run is run


def test_strict_readers_accept_the_json_of_every_row(fasturl: Run) -> None:
    ran = fasturl("parse", stdin=b"\n".join(URLS))

    def refuse(constant: str) -> None:
        raise AssertionError(constant)

    for line in ran.lines:
        json.loads(line.decode("ascii"), parse_constant=refuse)
