"""Parsing from several threads at once, over shared texts."""

import sys
import threading

import fasturl

TEXTS = ["http://u:p@h:81/a?b#c", b"/x%00\xff", "ftp://h/a;type=x", "", "http://h\u20ac/ \U0001f600"] * 50


def test_eight_threads_get_the_same_answers() -> None:
    want = [(tuple(url), url.findings, url.error_offset) for url in fasturl.parse_many(TEXTS)]
    start = threading.Barrier(8)
    wrong = []

    def work() -> None:
        start.wait()
        for _ in range(20):
            got = [(tuple(url), url.findings, url.error_offset) for url in map(fasturl.parse, TEXTS)]
            if got != want:
                wrong.append(got)
            for text in TEXTS[:10]:
                fasturl.problems(text)

    old = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    try:
        threads = [threading.Thread(target=work) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    finally:
        sys.setswitchinterval(old)
    assert not wrong
