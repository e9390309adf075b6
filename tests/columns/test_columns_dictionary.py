"""A text field as a dictionary column has the values of the plain field."""

from typing import Any

import pyarrow as pa
import pytest

import fasturl.arrow as arrow

WORDS = ["http://h/a", "HTTPS://h", None, "ftp://h/", "//h", "mailto:a@b", "", "http://h/b", "no scheme"]
MANY = [f"s{number}://h/" for number in range(200)]
LONG = ["a-scheme-of-many-letters://h", "a-scheme-of-many-letters://i", "http://h", None]


def columns() -> list[Any]:
    return [
        pa.array(WORDS),                                        pa.array(WORDS * 50)[7:311],
        pa.array(WORDS, pa.large_string()),
        pa.array([None if text is None else text.encode() for text in WORDS], pa.binary()),
        pa.array(WORDS * 9).dictionary_encode(),                pa.chunked_array([WORDS, WORDS[:0], MANY[:3]]),
        pa.array(MANY),                                         pa.array(LONG),
        pa.array([None, None], pa.string()),                    pa.array([], pa.string()),
        pa.array(["no", "", "/scheme"]),
    ]  # fmt: skip


@pytest.mark.parametrize("strings", ["string", "view"])
@pytest.mark.parametrize("place", range(len(columns())))
def test_dictionary_values_equal_plain_ones(place: int, strings: Any) -> None:
    column = columns()[place]
    names = ["scheme", "host", "valid_rfc1738"]
    expected = arrow.parse(column, names, strings=strings)
    found = arrow.parse(column, names, strings=strings, dictionary=["scheme"])
    assert found.to_pydict() == expected.to_pydict()
    read = found.schema
    assert read == arrow.schema(names, strings=strings, dictionary=["scheme"], binary=pa.types.is_binary(column.type))
    for array in found.column("scheme").chunks if isinstance(found, pa.Table) else [found.column(0)]:
        array.validate(full=True)
        assert pa.types.is_dictionary(array.type)
        assert len(set(array.dictionary.to_pylist())) == len(array.dictionary)


@pytest.mark.parametrize("count", [63, 64, 65])
def test_a_dictionary_holds_as_many_words_as_fit(count: int) -> None:
    column = pa.array(MANY[:count] * 2)
    found = arrow.parse(column, ["scheme"], dictionary=["scheme"]).column(0)
    assert found.to_pylist() == [f"s{number}" for number in range(count)] * 2


@pytest.mark.parametrize("length", [11, 12, 13])
def test_words_as_long_as_an_inline_view_are_kept(length: int) -> None:
    name = "a" * length
    found = arrow.parse(pa.array([f"{name}://h", f"{name}b://h"]), ["scheme"], dictionary=["scheme"]).column(0)
    assert found.to_pylist() == [name, name + "b"]


def test_dictionaries_of_threads_and_streams_agree() -> None:
    texts = [text for text in WORDS if text is not None] * 30_000
    plain = arrow.parse(pa.array(texts), ["scheme"], threads=1).column(0).to_pylist()
    assert arrow.parse(pa.array(texts), ["scheme"], threads=4, dictionary=["scheme"]).column(0).to_pylist() == plain
    streamed = arrow.parse_batches([texts], ["scheme"], dictionary=["scheme"])
    assert [value for batch in streamed for value in batch.column(0).to_pylist()] == plain


@pytest.mark.parametrize(
    ("dictionary", "error"),
    [(["port"], ValueError), (["query"], ValueError), (["x"], ValueError), ("scheme", TypeError)],
)
def test_only_text_fields_become_dictionaries(dictionary: Any, error: type[Exception]) -> None:
    with pytest.raises(error, match="dictionary"):
        arrow.parse(["http://h"], ["scheme", "port"], dictionary=dictionary)
