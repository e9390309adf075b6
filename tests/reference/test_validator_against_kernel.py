"""The compiled validator agrees with the slow one on every text. ``FASTURL_TRIES`` sets the number of texts. Each is
tried as str and as bytes, lenient and strict. ``FASTURL_SEED`` changes the texts."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest
import reference_inputs as inputs
import strategies
from hypothesis import given, settings
from reference_validator import BIT, VIOLATIONS, RefProblem, validate
from short_texts import representatives
from tries import ALL, TRIES

import fasturl
from fasturl import Finding, _fastparse

ROOT = Path(__file__).resolve().parents[2]
SEED = os.environ.get("FASTURL_SEED", "1738")
FORMS = ("url", "request-target")
MAKERS = (inputs.url, inputs.mutated_url, inputs.stretched_url, inputs.hostile, inputs.target)


def bits(problems: list[RefProblem]) -> int:
    found = 0
    for problem in problems:
        found |= 1 << BIT[problem.finding]
    return found


def disagreements(text: str | bytes, form: str) -> list[str]:
    """Return the differences between the two validators."""
    wrong = []
    expected = validate(text, form=form)
    told = [RefProblem(str(p.finding.name), p.start, p.end) for p in fasturl.problems(text, form=form)]
    if told != expected:
        wrong.append(f"problems: {told}, expected {expected}")

    violations = [problem for problem in expected if problem.finding in VIOLATIONS]
    parsed = fasturl.parse(text, form=form)
    offset = violations[0].start if violations else None
    facts = (int(parsed.findings), parsed.valid_rfc1738, parsed.error_offset)
    if facts != (bits(expected), not violations, offset):
        wrong.append(f"parse: {facts}, expected {Finding(bits(expected))!r} and {offset}")

    expected = validate(text, form=form, strict=True)
    violations = [problem for problem in expected if problem.finding in VIOLATIONS]
    try:
        parsed = fasturl.parse(text, form=form, strict=True)
    except fasturl.InvalidURL as error:
        raised = (error.finding.name, error.offset)
        if not violations or raised != (violations[0].finding, violations[0].start):
            wrong.append(f"strict: raised {raised}, expected {violations[:1]}")
    else:
        if violations or int(parsed.findings) != bits(expected):
            wrong.append(f"strict: {parsed.findings!r}, expected {expected}")
    return wrong


def shortest(text: str | bytes, form: str) -> str | bytes:
    """Return the text without every character that the disagreement does not need."""
    at = 0
    while at < len(text):
        less = text[:at] + text[at + 1 :]
        if disagreements(less, form):
            text, at = less, 0
        else:
            at += 1
    return text


def check(text: str, form: str) -> None:
    for content in (text, inputs.bytes_of(text)):
        if disagreements(content, form):
            content = shortest(content, form)
            pytest.fail(f"{content!r} as {form}: " + "; ".join(disagreements(content, form)))


@pytest.mark.parametrize("make", MAKERS, ids=lambda make: make.__name__)
def test_generated_texts_agree(make: inputs.Maker, kernel: str) -> None:
    choices = inputs.RandomChoices(f"{SEED} {make.__name__} {kernel}")
    for _ in range(2 * TRIES // (len(MAKERS) + 1) // len(_fastparse._kernels())):
        check(make(choices), choices.pick(FORMS))


def real_texts() -> list[str]:
    """Return the real URLs, and the targets and referrers of a real log."""
    folder = Path(os.environ.get("FASTURL_DATA", ROOT.parent / "shared" / "data"))
    if not (folder / "urls.txt").is_file():
        pytest.skip(f"no real URLs in {folder}")
    texts = (folder / "urls.txt").read_bytes().decode("latin-1").splitlines()
    if (folder / "access.log").is_file():
        log = (folder / "access.log").read_bytes().decode("latin-1")
        texts += re.findall(r'"[A-Z]+ (\S+) HTTP', log) + re.findall(r' "([^"]*)" "', log)
    return texts


def test_real_and_mutated_texts_agree(kernel: str) -> None:
    texts = real_texts()
    choices = inputs.RandomChoices(f"{SEED} real {kernel}")
    for _ in range(2 * TRIES // (len(MAKERS) + 1) // len(_fastparse._kernels())):
        text = choices.pick(texts)
        if choices.number(0, 3):
            text = inputs.mutated(choices, text)
        check(text, choices.pick(FORMS))


@settings(max_examples=300 if ALL else 100, deadline=None)
@given(strategies.anything, strategies.st.sampled_from(FORMS))
def test_texts_of_hypothesis_agree(text: str, form: str) -> None:
    assert disagreements(text, form) == []


@settings(max_examples=300 if ALL else 100, deadline=None)
@given(strategies.any_bytes, strategies.st.sampled_from(FORMS))
def test_bytes_of_hypothesis_agree(data: bytes, form: str) -> None:
    assert disagreements(data, form) == []


def test_every_byte_in_every_kind_of_part_agrees() -> None:
    """At each place of a URL of each kind, inserted or replacing the character there."""
    # Most parts are longer than one character, so most bytes are both inserted and put in place of another.
    models = ("http://h.a:80/a/b?c=d", "ftp://u:p@1.2.3.4:21/a/b;type=a", "gopher://h/1s%09q%09+", "mailto:a@b",
              "news:a.b", "news:a@h.b", "nntp://h/g/12", "telnet://u:p@h:23/", "wais://h/d?s", "wais://h/d/t/w",
              "file://h/a/b", "prospero://h/p/q;f=v", "x-1://u@h:8/", "h.a:443", "/a/b?c")  # fmt: skip
    choices = inputs.RandomChoices(SEED)
    for model in models:
        for at in range(len(model) + 1):
            for byte in range(256) if ALL else representatives():
                form = choices.pick(FORMS)
                text = (model[:at] + chr(byte) + model[at + byte % 2 :]).encode("latin-1")
                if disagreements(text, form):
                    pytest.fail(f"{text!r} as {form}: " + "; ".join(disagreements(text, form)))


@pytest.mark.long
def test_every_length_up_to_several_blocks_agrees(kernel: str) -> None:
    """The scan works in blocks of 64 bytes; a problem is reported at any place of a block."""
    lengths = (*range(4), *range(50, 70), *range(118, 132), 191, 192, 193) if ALL else (0, 1, 57, *range(62, 67), 128)
    for start in ("http://", "ftp://h/", "x:", "/", ""):
        for run in ("a", "a.", "%41", "/"):
            for wrong in (":", "@", "?", "#", "%", "%0", "[", "\x80", "\\", "", "-", ":8", ";"):
                for length in lengths:
                    text = start + (run * length)[:length] + wrong
                    assert disagreements(text.encode("latin-1"), "url") == []
