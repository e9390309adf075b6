"""On every short text, all kernels agree with the scalar one, and that one with the slow validator and urllib.
``FASTURL_PROOF_LENGTH`` sets how many bytes follow each opening (one less for the slow validator and urllib).
``FASTURL_PROOF_OPENINGS`` limits the number of openings."""

import os
import urllib.parse
from collections.abc import Callable, Iterator

import pytest
from reference_validator import BIT, VIOLATIONS, validate
from short_texts import LENGTH, OPENINGS, kind_of, representatives, texts

import fasturl
from fasturl import _fastparse

pa = pytest.importorskip("pyarrow", reason="columns need pyarrow")

from fasturl import arrow  # noqa: E402

BYTES = representatives()
KERNELS = [name for name in _fastparse._kernels() if name != "scalar"]
CALLS: dict[str, Callable[[pa.Array], object]] = {
    "parse": lambda column: arrow.parse(column, arrow.FIELDS),
    "parse, views": lambda column: arrow.parse(column, arrow.FIELDS, strings="view"),
    "parse, targets": lambda column: arrow.parse(column, arrow.FIELDS, form="request-target"),
    "valid_rfc1738": lambda column: arrow.parse(column, ["valid_rfc1738"]),
    "problems": arrow.problems,                               "quote": arrow.quote,
    "unquote": arrow.unquote,                                 "unquote_plus": arrow.unquote_plus,
    "unquote_safe": arrow.unquote_safe,                       "normalize": arrow.normalize,
    "redact": lambda column: arrow.redact(column, [b"a"]),
    "query_value": lambda column: arrow.query_value(column, b"a"),
    "query_pairs": arrow.query_pairs,
    "drop_params": lambda column: arrow.drop_params(column, ["a*"]),
    "drop_parts": lambda column: arrow.drop_parts(column, "login", "fragment"),
    "path_template": arrow.path_template,                     "dedup_key": arrow.dedup_key,
    "canonicalize": arrow.canonicalize,                       "surt": arrow.surt,
}  # fmt: skip


@pytest.fixture(autouse=True)
def kernels_as_before() -> Iterator[None]:
    yield
    _fastparse._use_kernel(os.environ.get("FASTURL_KERNEL") or _fastparse._kernels()[-1])


def told_by(kernel: str, call: Callable[[pa.Array], object], column: pa.Array) -> object:
    _fastparse._use_kernel(kernel)
    return call(column)


def columns(opening: bytes, length: int) -> Iterator[pa.Array]:
    """Yield columns of all texts up to that length; the longest texts have a column per first two bytes."""
    for shorter in range(min(length, 3)):
        yield pa.array([opening + text for text in texts(shorter, BYTES)], pa.binary())
    for head in texts(max(length - 3, 0), BYTES):
        yield pa.array([opening + head + text for text in texts(min(length, 3), BYTES)], pa.binary())


def test_each_byte_has_its_kind() -> None:
    assert {kind_of(byte) for byte in BYTES} == {kind_of(byte) for byte in range(256)}
    assert len(BYTES) < 40


@pytest.mark.skipif(not KERNELS, reason="no kernel but the scalar one runs here")
@pytest.mark.parametrize("name", CALLS)
def test_every_kernel_agrees_with_the_scalar_one(name: str) -> None:
    for opening in OPENINGS:
        for column in columns(opening, LENGTH):
            expected = told_by("scalar", CALLS[name], column)
            for kernel in KERNELS:
                told = told_by(kernel, CALLS[name], column)
                assert told == expected, next(
                    (kernel, text)
                    for text in column
                    if told_by(kernel, CALLS[name], pa.array([text]))
                    != told_by("scalar", CALLS[name], pa.array([text]))
                )


def bits_of(text: bytes) -> tuple[int, int | None]:
    found, first = 0, None
    for problem in validate(text):
        found |= 1 << BIT[problem.finding]
        if problem.finding in VIOLATIONS and first is None:
            first = problem.start
    return found, first


@pytest.mark.parametrize("opening", OPENINGS)
def test_the_scalar_kernel_agrees_with_the_slow_validator(opening: bytes) -> None:
    _fastparse._use_kernel("scalar")
    for length in range(LENGTH):
        for text in texts(length, BYTES):
            url = fasturl.parse(opening + text)
            assert (int(url.findings), url.error_offset) == bits_of(opening + text), opening + text


@pytest.mark.parametrize("opening", OPENINGS)
def test_the_drop_in_agrees_with_urllib(opening: bytes) -> None:
    _fastparse._use_kernel("scalar")
    for text in texts(min(LENGTH, 2), BYTES):
        whole = (opening + text).decode("latin-1")
        try:
            expected: object = urllib.parse.urlsplit(whole)
        except ValueError as error:
            expected = str(error)
        try:
            told: object = fasturl.urlsplit(whole)
        except ValueError as error:
            told = str(error)
        assert told == expected, whole
