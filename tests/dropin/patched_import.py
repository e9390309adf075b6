"""Import fasturl while names of urllib.parse are patched; print what is wrong after the patch, one line per fault.
patched_import.py KIND [each]: KIND is "answer" for mocks that return "x", or "plain" for mocks without options. With
"each", one name after the other is patched, each in a forked process. Otherwise all public names are patched
together."""

import contextlib
import os
import sys
import urllib.parse
import warnings
from unittest import mock

TEXTS = None
with contextlib.suppress(ImportError):
    import pyarrow

    TEXTS = pyarrow.array(["abc d/~"])

CALLS = r"""
urlsplit("http://u:p@[::1]:8080/a;b?c#d")
urlsplit("S3://B/\u00e9")
urlsplit(b"ftp://h:x/a%20b#c")
urlsplit(" //h/\ta\n")
urlsplit("//[")
urlsplit("//u@\uff1ah/")
urlparse("ftp://h/a;type=i", "x", False)
urlparse(Text("http://h/a;b"))
urlunsplit(("http", "", "a", "", ""))
urlunsplit(("", "", "//a", "", ""))
urlunparse(["x", "", "a", None, None, None])
urlunparse((b"http", b"h", b"", b"p", b"", b""))
urljoin("http://h/a/b?c", "../d;e?#f")
urljoin("s3://b/k", "x")
urljoin("x", "")
urldefrag("HTTP://h/a#b")
urldefrag(b"file:///a#b")
quote("abc d/~\u00e9&")
quote(b"a b\xff", "\u00e9/")
quote("a b", encoding="utf-16")
quote(7)
quote_plus("abc d/~\u00e9&", safe=b"/")
quote_from_bytes(bytearray(b"a b/~\xff"))
quote_from_bytes("a")
unquote("%C3%A9+\u00e9%zz")
unquote(Text("%41"))
unquote(b"%e9", "latin-1")
unquote_plus("a+b%2Bc")
unquote_plus(b"a")
unquote_to_bytes("a%20b\u00e9")
unquote_to_bytes(bytearray(b"%41"))
parse_qs("a=1&b=%C3%A9&a=+")
parse_qs("a", strict_parsing=True)
parse_qsl(b"\xff=%FF")
parse_qsl(None)
parse_qsl("a=1;b", separator=";", keep_blank_values=Text("x"))
urlencode({"a b": None, "c": "\u00e9/"})
urlencode([("a", ["b", "c d"])], doseq=True, quote_via=quote)
urlencode(UserDict(a="b c"))
""".split("\n")[1:-1]  # fmt: skip


def answer(line, names):
    """Return the value of a line with its type, or its exception, and the warnings."""
    from collections import UserDict

    names = {**names, "Text": type("Text", (str,), {}), "UserDict": UserDict}
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        try:
            value = eval(line, names)
            value = value, type(value), [getattr(value, name, None) for name in ("username", "password", "hostname")]
        except Exception as error:
            value = type(error), error.args
    return value, [(one.category, str(one.message), one.filename) for one in said]


def code_of(name):
    function = getattr(urllib.parse, name)
    return getattr(function, "__wrapped__", function).__code__


PRISTINE = dict(vars(urllib.parse))
FUNCTIONS = {name for name in urllib.parse.__all__ if type(PRISTINE[name]) is not type}
EXPECTED = {line: answer(line, PRISTINE) for line in CALLS}
CODES = {name: code_of(name) for name in FUNCTIONS}


def faults(kind, names):
    """Patch these names during the import and the first use of fasturl. Yield what is wrong afterwards."""
    options = {"return_value": "x"} if kind == "answer" else {}
    with contextlib.ExitStack() as patches:
        for name in names:
            patches.enter_context(mock.patch(f"urllib.parse.{name}", **options))
        import fasturl
        from fasturl import _installing, _originals, _urllib

        fasturl.canonicalize("itms-services://\u00e9/a;b?c=%41")
        fasturl.readings("http://%41/")
        if TEXTS:
            import fasturl.arrow
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # install() cannot reach a mock
            fasturl.install()
        fasturl.uninstall()

    for line, expected in EXPECTED.items():
        if answer(line, vars(fasturl)) != expected:
            yield line, answer(line, vars(fasturl)), expected
    for name in set(urllib.parse.__all__) - FUNCTIONS:
        if getattr(fasturl, name) is not PRISTINE[name]:
            yield name
    if _urllib.compiled_here() != {name for name in FUNCTIONS if name[:3] == "url" and name != "urlencode"}:
        yield "compiled", _urllib.compiled_here()
    if fasturl.urlsplit.cache_info() != urllib.parse.urlsplit.cache_info():
        yield "cache_info", fasturl.urlsplit.cache_info()
    if fasturl.canonicalize("itms-services://\u00e9/a;b?c=%41") != "itms-services://xn--9ca/a;b?c=A":
        yield "canonicalize", fasturl.canonicalize("itms-services://\u00e9/a;b?c=%41")
    if fasturl.readings("http://%41/")["whatwg"].host != "a":
        yield "readings", fasturl.readings("http://%41/")
    if TEXTS and fasturl.arrow.quote(TEXTS).to_pylist() != ["abc%20d/~"]:
        yield "arrow", fasturl.arrow.quote(TEXTS)

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        fasturl.install()
    installed = {one.function.__name__ for one in _installing._exchanged.values() if one.is_installed()}
    if _installing.reached() != FUNCTIONS or installed != FUNCTIONS | {*_originals.PROPERTIES}:
        yield "installed", installed
    urllib.parse.clear_cache()
    for line, expected in EXPECTED.items():
        if answer(line, vars(urllib.parse)) != expected:
            yield "installed", line, answer(line, vars(urllib.parse)), expected
    fasturl.uninstall()
    left = {name: getattr(urllib.parse, name) for name in urllib.parse.__all__}
    if {name: code_of(name) for name in FUNCTIONS} != CODES or not left.items() <= PRISTINE.items():
        yield "not uninstalled", left


def main(kind, each=""):
    names = [name for name in PRISTINE if name[:2] != "__"]
    if not each:
        print(*faults(kind, [name for name in names if name[0] != "_"]), sep="\n", end="")
        return
    for name in [*names, "SplitResult.hostname", "SplitResult.port"]:
        child = os.fork()
        if child == 0:
            try:
                for fault in faults(kind, [name]):
                    print(name, fault)
            except BaseException as error:
                print(name, repr(error))
            sys.stdout.flush()
            os._exit(0)
        os.waitpid(child, 0)


if __name__ == "__main__":
    main(*sys.argv[1:])
