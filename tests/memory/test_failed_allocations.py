"""If a Python allocation fails, the call raises MemoryError or gives its right answer, and the next call works."""

import os
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest
from support import run_python

HERE = Path(__file__).resolve().parent

# CPython 3.13t's own lists crash then: list_allocate_array writes before its check.
NO_MEMORY = pytest.mark.skipif(
    bool(sysconfig.get_config_var("Py_GIL_DISABLED")), reason="a list of CPython itself crashes without memory"
)

SCRIPT = """
import _testcapi, gc, itertools, sys
import fasturl
from fasturl import rfc1738

WIDE = "http://h/" + "\\u20ac" * 700 + "%e2%82%ac#f"
URL = "http://u:p@h.example:8080/a;b?c=%41&d=e+f#g"
BYTES = bytearray(URL.encode())
# Made before a call: if this allocation fails, CPython 3.13 reads an uninitialised count of exports.
MANY = BYTES * 20
LONG = "a %41/\\xe9" * 300

PARTS = "file_name file_extension first_segment path_and_query query_and_fragment origin".split()
PARTS += ["path_template", "path_depth", "dedup_key", "dedup_hash", "canonicalize", "surt"]
LISTS = "query_pairs query_names path_prefixes url_prefixes".split()

def attributes(url):
    names = "scheme netloc path query fragment username password hostname host port findings error_offset form strict"
    return [getattr(url, name) for name in names.split()], tuple(url), repr(url)

def refused(function, *args, **kwargs):
    try:
        return function(*args, **kwargs)
    except ValueError as error:
        return str(error)

def loses_words():
    \"\"\"Whether this CPython raises without its message where there is no memory for that; some of 3.11 did.\"\"\"
    for k in range(40):
        _testcapi.set_nomemory(k, k + 1)
        try:
            len(5)
        except (TypeError, MemoryError) as error:
            raised = error
        finally:
            _testcapi.remove_mem_hooks()
        if isinstance(raised, TypeError) and not raised.args:
            return True
    return False

LOSES_WORDS = loses_words()

def said(one):
    return type(one).__name__ if LOSES_WORDS and isinstance(one, TypeError) else repr(one)

# Python code (decompose, texts that urllib refuses) is left out: without memory, CPython itself crashes there.
CALLS = {
    "parse": lambda k: [fasturl.parse(text).findings for text in (URL, WIDE, BYTES, memoryview(BYTES)[::2])],
    "parse attributes": lambda k: [attributes(fasturl.parse(text)) for text in (URL, "//h/[", "x")],
    "parse strict": lambda k: refused(fasturl.parse, URL, strict=True),
    "parse_many": lambda k: [said(one) for one in fasturl.parse_many([URL, WIDE, 5], strict=True, errors="keep")],
    "problems": lambda k: fasturl.problems("http://h:x/ %\\u20ac\\n[" + URL),
    "normalize": lambda k: [fasturl.normalize(text) for text in (URL, WIDE, "HTTP://h/%41" + LONG, BYTES)],
    "equivalent": lambda k: [fasturl.equivalent(text, text + "#") for text in (URL, WIDE, "HTTP://h/%41" + LONG)],
    "extract": lambda k: [tuple(one) for one in fasturl.find_urls("a <URL:http://h/ b\\u20ac#c> b <x://y#z>")],
    "wrap": lambda k: [fasturl.wrap_url("http://h/", "f"), fasturl.wrap_url(b"x:y"), refused(fasturl.wrap_url, "a b")],
    "classify": lambda k: [rfc1738.classify(one) for one in (65, "a", b"b", bytearray(b"c"))],
    "classify_bytes": lambda k: rfc1738.classify_bytes(BYTES),
    "escape": lambda k: [rfc1738.escape(text, k & 511) for text in (URL, LONG, BYTES)] and rfc1738.escape(LONG),
    "escape_login": lambda k: rfc1738.escape_login(LONG),
    "unescape": lambda k: [rfc1738.unescape(text) for text in (URL, LONG, MANY)],
    "unquote_safe": lambda k: [fasturl.unquote_safe(one, code) for one in (URL, LONG) for code in ("utf8", "cp437")],
    "query_value": lambda k: [fasturl.query_value(*args) for args in ((URL, "d"), (BYTES, b"c"), (WIDE, "x"))],
    "redact": lambda k: [fasturl.redact(URL, ["c", "d"]), fasturl.redact(BYTES), fasturl.redact(WIDE, "c")],
    "quote": lambda k: [fasturl.quote(text) for text in (LONG, "a\\u20ac", LONG.encode())],
    "quote safe": lambda k: fasturl.quote("\\xe9" * 9, safe=chr(33 + k % 9) + "-" * (k % 300)) and None,
    "quote_plus": lambda k: fasturl.quote_plus(LONG),
    "quote_from_bytes": lambda k: fasturl.quote_from_bytes(LONG.encode()),
    "quote_many": lambda k: [repr(one) for one in fasturl.quote_many([LONG, "\\ud800"], errors="keep")],
    "unquote": lambda k: [fasturl.unquote(text) for text in (LONG, "%41" * 300, "%C3%A9", b"%41%ff")],
    "unquote codec": lambda k: fasturl.unquote("%41%e9" * 300, "latin-1"),
    "unquote_plus": lambda k: fasturl.unquote_plus("a+%41"),
    "unquote_to_bytes": lambda k: fasturl.unquote_to_bytes(LONG),
    "unquote_many": lambda k: list(fasturl.unquote_many([LONG, b"%41"], errors="null")),
    "parse_qsl": lambda k: [fasturl.parse_qsl(text) for text in (URL, LONG + "&a=b", bytes(BYTES))],
    "parse_qs": lambda k: fasturl.parse_qs("a=%41&b=2&a=c" + LONG),
    "urlencode": lambda k: [fasturl.urlencode({"a": LONG, b"b": 5, "c": 1.5}), fasturl.urlencode([("a", [2])], True)],
    "parse_qsl codec": lambda k: [fasturl.parse_qsl(text, True, encoding="latin-1") for text in (URL, WIDE + "&a=%e9")],
    "quote codec": lambda k: [fasturl.quote("\\u20ac", encoding="utf-16"), fasturl.quote_from_bytes(bytearray(b"a"))],
    "urlencode codec": lambda k: fasturl.urlencode({"a": "\\xe9 b"}, encoding="latin-1"),
    "urljoin wide": lambda k: [fasturl.urljoin(URL, "\\u20ac"), fasturl.urljoin(b"http://h/a", b" b\\n")],
    "urlsplit hosts": lambda k: [fasturl.urlsplit(text) for text in ("http://[::1]/", "//\\xe9/", " //h\\n", b"\\t/")],
    "urlunsplit wide": lambda k: [fasturl.urlunsplit(["x", None, a, "", None]) for a in ("\\u20ac", "//a")],
    "urldefrag rebuilt": lambda k: [fasturl.urldefrag(text) for text in ("HTTP://h?#b", b"HTTP://h?#b")],
    "urljoin": lambda k: [fasturl.urljoin(URL, "../" + text) for text in ("x", "a/" * 700)],
    "urlsplit": lambda k: [fasturl.urlsplit(text) for text in (URL, WIDE, bytes(BYTES), "x\\t", "HTTPX://h")],
    "urlparse": lambda k: [fasturl.urlparse(text) for text in (URL, WIDE, "ftp://h/a;b")],
    "urldefrag": lambda k: [fasturl.urldefrag(text) for text in (URL, WIDE)],
    "urlunsplit": lambda k: fasturl.urlunsplit(["http", "h", "a", "b", "c"]),
    "parts": lambda k: [getattr(fasturl, name)(text) for text in (URL, WIDE, bytes(BYTES)) for name in PARTS],
    "lists": lambda k: [getattr(fasturl, name)(text) for text in (URL, WIDE, bytes(BYTES)) for name in LISTS],
    "parts with settings": lambda k: [
        fasturl.drop_parts(URL, "login", "query"), fasturl.drop_params(WIDE + "?a=%41&b", ["a", "c*"]),
        fasturl.query_values(URL, ["c", "x"]), fasturl.path_template(WIDE, keep=["a"]),
        fasturl.dedup_key(LONG, drop=["a*"]), fasturl.unwrap("<URL:" + URL + ">"),
    ],
    "host lists": lambda k: [len(fasturl.HostList(["a.b", b"c", "h.example"])), fasturl.blocks(URL, b"h.example\\nx")],
    "urlunparse": lambda k: fasturl.urlunparse(("http", "h", "a", "p", "b", "c")),
}

def sweep(call, stop_after):
    \"\"\"Fail the k-th allocation, for k from 0 on, until the call takes no notice any more.\"\"\"
    expected = [call(k) for k in range(4)][-1]
    unnoticed = failures = 0
    for k in itertools.count():
        _testcapi.set_nomemory(k, stop_after and k + stop_after)
        try:
            result = call(k)
        except MemoryError:
            _testcapi.remove_mem_hooks()
            unnoticed = 0
            failures += 1
            continue
        finally:
            _testcapi.remove_mem_hooks()
        assert result == expected, (k, result)
        assert call(k) == expected, k
        unnoticed += 1
        if unnoticed > 30:
            return failures

gc.disable()
failures = sweep(CALLS[sys.argv[1]], 1) + sweep(CALLS[sys.argv[1]], 0)
print(f"{failures} failed")
"""
NAMES = [line.split('"')[1] for line in SCRIPT.splitlines() if '": lambda k' in line]


@NO_MEMORY
@pytest.mark.parametrize("name", NAMES)
def test_a_failed_allocation_is_a_memory_error(name: str) -> None:
    pytest.importorskip("_testcapi")
    run = subprocess.run([sys.executable, "-c", SCRIPT, name], capture_output=True, text=True, timeout=300)
    assert run.returncode == 0, (run.returncode, run.stderr[-1500:])
    assert "SystemError" not in run.stderr
    assert not run.stdout.startswith("0 ") or name == "classify", "no allocation was made to fail"


@pytest.mark.skipif(sys.platform != "linux", reason="a library is put before glibc's")
@pytest.mark.skipif(shutil.which("cc") is None, reason="no C compiler")
@pytest.mark.skipif("libasan" in os.environ.get("LD_PRELOAD", ""), reason="AddressSanitizer has its own malloc")
def test_no_failed_allocation_of_c_is_overlooked(tmp_path: Path) -> None:
    """If a C allocation of the extensions fails, once or from then on, the call raises MemoryError or answers right. It
    holds no more memory than before, and the next call works."""
    pytest.importorskip("pyarrow")
    library = tmp_path / "failing_malloc.so"
    built = subprocess.run(
        ["cc", "-shared", "-fPIC", "-O1", HERE / "failing_malloc.c", "-o", library], capture_output=True
    )
    if b"__libc_" in built.stderr:
        pytest.skip("another C library than glibc")
    assert built.returncode == 0, built.stderr
    environment = {**os.environ, "LD_PRELOAD": str(library)}
    lines = run_python(HERE / "failing.py", library, env=environment).splitlines()
    failed = {name: int(count.split()[0]) for name, _, count in (line.rpartition(": ") for line in lines)}
    assert len(failed) > 25
    without = {name for name, count in failed.items() if not count}
    assert without <= {"strict"}, f"nothing was made to fail: {without}"
