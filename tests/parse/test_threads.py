"""Several threads may parse shared texts at once."""

import sys

from support import run_in_threads

import fasturl

TEXTS = ["http://u:p@h:81/a?b#c", b"/x%00\xff", "ftp://h/a;type=x", "", "http://h\u20ac/ \U0001f600"] * 50


def test_eight_threads_get_the_same_answers() -> None:
    want = [(tuple(url), url.findings, url.error_offset) for url in fasturl.parse_many(TEXTS)]
    wrong = []

    def work() -> None:
        for _ in range(20):
            got = [(tuple(url), url.findings, url.error_offset) for url in map(fasturl.parse, TEXTS)]
            if got != want:
                wrong.append(got)
            for text in TEXTS[:10]:
                fasturl.problems(text)

    old = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    try:
        run_in_threads(*[work] * 8)
    finally:
        sys.setswitchinterval(old)
    assert not wrong
