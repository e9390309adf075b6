"""find_urls() takes linear time and constant memory, reads nothing outside its buffer, and works in threads."""

import signal
import subprocess
import sys
import threading
from collections import Counter

import pytest
from guardpages import Guarded
from support import measured, run_in_threads, run_python

from fasturl._functions import find_urls, normalize


def test_a_long_text_is_searched_to_its_end():
    """Beyond the chunks of the search, and with matches across chunk borders."""
    for filler, match in (("x", "<URL:a>"), ("\u0416", "URL:x://y"), ("\U0001f600", " x://y")):
        for at in [2**16 - k for k in range(12)] + [2**16 + 2**24 - k for k in (0, 1, 3, 5)]:
            text = filler * at + match + " " * 100
            found = list(find_urls(text, bare=True))
            assert [text[f.start : f.end] for f in found] == [match.strip()], at
            if at > 2**16:
                assert found[0].start in (at, at + 1)
    long = "<URL:x:" + "y z" * 100_000 + "#" + "-\n" * 100_000 + ">"
    [found] = find_urls(long)
    assert len(found.url) == 2 + 200_000 and found.fragment == "-" * 100_000 and found.hyphen


@pytest.mark.skipif(sys.platform == "win32", reason="pages are guarded with mprotect")
def test_no_load_leaves_the_buffer(at_end):
    guarded = Guarded(1)
    pieces = b"<URL:http://h/a#b>|<URL:|URL:x://y|x://|<x:/|<mailto:|ur|<|<a|URL: |-\r|x".split(b"|")
    for length in range(1, 150):
        for piece in pieces:
            text = (b"." * length + piece)[-length:]
            given = guarded.view(guarded.size - length if at_end else 0, text)
            assert list(find_urls(given, bare=True)) == list(find_urls(text, bare=True))


CHURN = """
from contextlib import suppress
from fasturl import InvalidURL, equivalent, find_urls, normalize, wrap_url
from support import peak

def churn(rounds):
    text = "<URL:http://h/a b#c d> x URL:http://h/e <http://h> \\u00e9 \\u20ac"
    bytes = bytearray(b"<URL:http://h/a b#c d> x URL:http://h/e <http://h>")
    for _ in range(rounds):
        list(find_urls(text))
        next(find_urls(bytes))
        for bad in ("http://h/ b", "", None, memoryview(bytes)[::2]):
            with suppress(InvalidURL, TypeError, BufferError):
                find_urls(bad) if isinstance(bad, memoryview) else wrap_url(bad)
        wrap_url(normalize("HTTP://h:80/%7e" + "%41" * 500))
        normalize("HTTP://\\u20ac/%41")
        equivalent(b"HTTP://h" + b"%41" * 900, b"http://h" + b"A" * 900)
        with suppress(TypeError):
            equivalent("a", b"a")

churn(2000)
before = peak()
churn(20_000)
print(peak() - before)
"""

MANY_URLS = """
from fasturl import find_urls
from support import peak

text = b"<URL:http://host.example/a b> " * 200_000
for _ in find_urls(text[:300_000]):
    pass
before = peak()
count = sum(1 for _ in find_urls(text))
print(count, peak() - before)
"""


def in_a_process(script):
    """Return the output of a script that runs in its own process, because a large process grows by itself."""
    return [int(number) for number in run_python("-c", script, env=measured()).split()]


def test_repeated_searches_leak_no_memory():
    # In KiB: an object of 50 bytes lost per round makes a thousand; the longest buffer would make fifty thousand.
    assert in_a_process(CHURN)[0] < 700


def test_memory_is_constant_in_the_number_of_urls():
    count, grown = in_a_process(MANY_URLS)
    assert count == 200_000 and grown < 976  # KiB: less than a million bytes


def test_eight_threads_with_iterators_of_their_own_agree():
    text = "".join(" " * (k % 97) + f"<URL:http://h/{k}> HTTP://H:80/%41%{k % 256:02x} " for k in range(4000))
    expected = list(find_urls(text, bare=True))
    normal = [normalize(found.url) for found in expected]

    def work():
        for _ in range(5):
            found = list(find_urls(text, bare=True))
            assert found == expected
            assert [normalize(f.url) for f in found] == normal

    run_in_threads(*[work] * 8)


@pytest.mark.parametrize("gap", [0, 200_000])
def test_eight_threads_may_share_one_iterator(gap):
    """Each URL goes to one thread. With long gaps, the search releases the GIL."""
    text = b"".join(b"<URL:http://h/%d>" % k + b" " * gap for k in range(60 if gap else 4000))
    shared = find_urls(text)
    taken = Counter()
    lock = threading.Lock()

    def work():
        mine = [found.url for found in shared]
        with lock:
            taken.update(mine)

    run_in_threads(*[work] * 8)
    assert taken == Counter(found.url for found in find_urls(text))


def test_a_buffer_that_changes_during_the_search_does_not_crash():
    """The results may be nonsense, but the search stays inside the buffer."""
    text = bytearray(b"<URL:http://h/a b> x://y " * 20_000)
    stop = threading.Event()

    def write():
        data = memoryview(text)
        k = 0
        while not stop.is_set():
            data[k % len(data)] = b"<>: URL:#"[k % 9]
            k += 7919

    writer = threading.Thread(target=write)
    writer.start()
    try:
        for _ in range(5):
            for found in find_urls(text, bare=True):
                assert 0 <= found.start < found.end <= len(text)
    finally:
        stop.set()
        writer.join()


REENTRY = """
import signal
from fasturl import find_urls

refused = []
found = iter(())

def ask(signum, frame):
    try:
        next(found, None)
    except RuntimeError as error:
        refused.append(str(error))

signal.signal(signal.SIGALRM, ask)
text = b"a" * (3 << 24) + b" <URL:http://h/>"
signal.setitimer(signal.ITIMER_REAL, 0.0005, 0.0005)
while not refused:
    found = find_urls(text)
    for url in found:
        assert url.url == b"http://h/"
signal.setitimer(signal.ITIMER_REAL, 0)
assert set(refused) == {"find_urls iterator already executing"}, refused
# The refusal does not harm the search.
assert [url.url for url in find_urls(text)] == [b"http://h/"]
"""


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="needs timers that send signals")
def test_a_signal_handler_cannot_advance_a_running_iterator():
    """Runs in its own process, since a deadlock would hang it."""
    done = subprocess.run([sys.executable, "-c", REENTRY], capture_output=True, text=True, timeout=120)
    assert (done.returncode, done.stderr) == (0, "")


def test_a_thread_waits_for_a_running_iterator():
    text = (b"a" * (1 << 20) + b" <URL:http://h/>") * 20
    found = find_urls(text)
    taken = []

    def take():
        taken.extend(one.start for one in found)

    run_in_threads(*[take] * 4)
    assert sorted(taken) == [one.start for one in find_urls(text)] and len(taken) == 20
