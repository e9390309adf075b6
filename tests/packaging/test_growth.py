"""bench.growth counts every public callable, command and log format, and reports a step that grows too fast."""

from importlib.util import find_spec

import pytest

pytest.importorskip("publicsuffixlist")
pytest.importorskip("click")
pytest.importorskip("pyarrow")

from bench import growth, growth_subjects, instructions

SUBJECTS = list(growth_subjects.subjects())


def test_more_instructions_than_kept_are_told() -> None:
    kept = {"parse": 1000.0, "quote": 100.0, "gone": 1.0}
    counted = {"parse": 1020.0, "quote": 102.1, "new": 1.0}
    assert instructions.compare(kept, counted) == [
        "gone: not counted", "new: not kept", "quote: 102.1 instructions, 100.0 are kept (+2.1%)",
    ]  # fmt: skip


def test_names_are_unique_and_each_subject_has_thirty_shapes_or_more() -> None:
    assert len({subject.name for subject in SUBJECTS}) == len(SUBJECTS) > 500
    assert {"parse", "URL.span", "problems: standard 2", "arrow.parse", "logs.detect", "schemes.Ftp.commands",
            "logs.parse_lines: COMBINED",
            "fasturl check --log-format URLS --standard rfc3986"} <= {s.name for s in SUBJECTS}  # fmt: skip
    for subject in SUBJECTS:
        assert len(set(subject.shapes)) == len(subject.shapes) >= (9 if "productions" in subject.name else 30)


def test_a_callable_with_an_unknown_parameter_or_class_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    from fasturl import schemes

    def added(unheard_of: str) -> None: ...

    monkeypatch.setattr(schemes, "hpath", added)
    with pytest.raises(LookupError, match=r"schemes\.hpath: the parameter unheard_of has no row in REQUIRED"):
        list(growth_subjects.subjects())
    monkeypatch.setattr(schemes, "hpath", object)
    with pytest.raises(LookupError, match=r"schemes\.hpath: the class has no row in INSTANCES"):
        list(growth_subjects.subjects())


@pytest.mark.parametrize("part", range(8))
def test_every_call_takes_every_text(part: int) -> None:
    """No call fails on short texts, except by a ValueError."""
    for subject in SUBJECTS[part::8]:
        for shape in subject.shapes[:: 16 if subject.name.startswith("fasturl ") else 1]:
            growth.called(subject, growth.text(shape, 3 * len(shape[1])))


def test_the_commands_read_what_they_are_given() -> None:
    """Their arguments are right: a good input is no error."""
    line = '192.0.2.1 - - [17/May/2015:10:05:03 +0000] "GET /a HTTP/1.1" 200 1 "-" "-"\n'
    for subject in SUBJECTS:
        if subject.name.startswith("fasturl report") and find_spec("altair") is None:
            continue  # reports need the extra `report`
        if subject.name.startswith("fasturl "):
            is_url = subject.shapes is growth_subjects.URLS
            good = "fields" if subject.name == "fasturl help" else "http://h/" if is_url else line
            assert subject.prepare(good)() in (0, 1), subject.name


def test_quadratic_work_is_over_the_bound() -> None:
    assert growth.is_linear([10_000 + 5 * n for n in growth.SIZES])
    assert growth.is_linear([10_000 + n * n.bit_length() for n in growth.SIZES])  # sorting
    assert not growth.is_linear([10_000 + 5 * n + n * n // 64 for n in growth.SIZES])
