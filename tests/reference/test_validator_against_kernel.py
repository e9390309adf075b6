"""Do the compiled validator and the slow one say the same of every text?

``FASTURL_TRIES`` sets the number of texts (each is tried as str and as octets, lenient and strict);
``FASTURL_SEED`` other texts than the usual ones.
"""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest
import reference_inputs as inputs
import strategies
from hypothesis import given, settings
from reference_validator import BIT, VIOLATIONS, RefProblem, validate
from tries import TRIES

import fasturl
from fasturl import Finding, _fastparse

ROOT = Path(__file__).resolve().parents[2]
SEED = os.environ.get("FASTURL_SEED", "1738")
FORMS = ("url", "request-target")


def bits(problems: list[RefProblem]) -> int:
    found = 0
    for problem in problems:
        found |= 1 << BIT[problem.finding]
    return found


def disagreements(text: str | bytes, form: str) -> list[str]:
    """What the two say differently; empty when they agree."""
    wrong = []
    expected = validate(text, form=form)
    told = [RefProblem(str(p.finding.name), p.start, p.end) for p in fasturl.problems(text, form=form)]
    if told != expected:
        wrong.append(f"problems: {told}, expected {expected}")

    violations = [problem for problem in expected if problem.finding in VIOLATIONS]
    parsed = fasturl.parse(text, form=form)
    offset = violations[0].start if violations else None
    facts = (int(parsed.findings), parsed.valid, parsed.error_offset)
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
    """The text with everything cut out of it that the disagreement does not need."""
    at = 0
    while at < len(text):
        less = text[:at] + text[at + 1 :]
        if disagreements(less, form):
            text, at = less, 0
        else:
            at += 1
    return text


def check(text: str, form: str) -> None:
    for content in (text, inputs.octets_of(text)):
        if disagreements(content, form):
            content = shortest(content, form)
            pytest.fail(f"{content!r} as {form}: " + "; ".join(disagreements(content, form)))


MAKERS = (inputs.url, inputs.mutated_url, inputs.stretched_url, inputs.hostile, inputs.target)


@pytest.mark.parametrize("make", MAKERS, ids=lambda make: make.__name__)
def test_made_texts(make: inputs.Maker, kernel: str) -> None:
    choices = inputs.RandomChoices(f"{SEED} {make.__name__} {kernel}")
    for _ in range(2 * TRIES // (len(MAKERS) + 1) // len(_fastparse._kernels())):
        check(make(choices), choices.pick(FORMS))


def real_texts() -> list[str]:
    """The lines of real URLs, and the targets and referers of a real log."""
    folder = Path(os.environ.get("FASTURL_DATA", ROOT.parent / "shared" / "data"))
    if not (folder / "urls.txt").is_file():
        pytest.skip(f"no real URLs in {folder}")
    texts = (folder / "urls.txt").read_bytes().decode("latin-1").splitlines()
    if (folder / "access.log").is_file():
        log = (folder / "access.log").read_bytes().decode("latin-1")
        texts += re.findall(r'"[A-Z]+ (\S+) HTTP', log) + re.findall(r' "([^"]*)" "', log)
    return texts


def test_real_texts_and_the_same_changed(kernel: str) -> None:
    texts = real_texts()
    choices = inputs.RandomChoices(f"{SEED} real {kernel}")
    for _ in range(2 * TRIES // (len(MAKERS) + 1) // len(_fastparse._kernels())):
        text = choices.pick(texts)
        if choices.number(0, 3):
            text = inputs.mutated(choices, text)
        check(text, choices.pick(FORMS))


@settings(max_examples=300, deadline=None)
@given(strategies.anything, strategies.st.sampled_from(FORMS))
def test_what_hypothesis_finds(text: str, form: str) -> None:
    assert disagreements(text, form) == []


@settings(max_examples=300, deadline=None)
@given(strategies.any_octets, strategies.st.sampled_from(FORMS))
def test_octets_that_hypothesis_finds(octets: bytes, form: str) -> None:
    assert disagreements(octets, form) == []


def test_every_octet_in_every_kind_of_part() -> None:
    """At each place of a URL of each kind, put in, or put in place of what stands there."""
    # Most parts are longer than one place, so most octets are tried in them in both ways.
    models = (
        "http://h.a:80/a/b?c=d", "ftp://u:p@1.2.3.4:21/a/b;type=a", "gopher://h/1s%09q%09+", "mailto:a@b",
        "news:a.b", "news:a@h.b", "nntp://h/g/12", "telnet://u:p@h:23/", "wais://h/d?s", "wais://h/d/t/w",
        "file://h/a/b", "prospero://h/p/q;f=v", "x-1://u@h:8/", "h.a:443", "/a/b?c",
    )  # fmt: skip
    choices = inputs.RandomChoices(SEED)
    for model in models:
        for at in range(len(model) + 1):
            for octet in range(256):
                form = choices.pick(FORMS)
                text = (model[:at] + chr(octet) + model[at + octet % 2 :]).encode("latin-1")
                if disagreements(text, form):
                    pytest.fail(f"{text!r} as {form}: " + "; ".join(disagreements(text, form)))


def test_every_length_up_to_several_blocks(kernel: str) -> None:
    """The scan works in blocks of 64: what is wrong with a text is told wherever it stands in one."""
    for start in ("http://", "ftp://h/", "x:", "/", ""):
        for run in ("a", "a.", "%41", "/"):
            for wrong in (":", "@", "?", "#", "%", "%0", "[", "\x80", "\\", "", "-", ":8", ";"):
                for length in (*range(4), *range(50, 70), *range(118, 132), 191, 192, 193):
                    text = start + (run * length)[:length] + wrong
                    assert disagreements(text.encode("latin-1"), "url") == []
