"""Reading and building take time in proportion to the length, whatever the text."""

import contextlib
import dataclasses

import pytest
from cputime import cpu_seconds

from fasturl import UnsafeURL
from fasturl.schemes import Gopher, UnbuildableURL, decompose

FAMILIES = {
    "ftp segments": ("ftp://h/", "a/", ""),
    "ftp semicolons": ("ftp://h/", ";type=a", ""),
    "ftp at signs": ("ftp://", "@", "h/"),
    "http slashes": ("http://h/", "/", ""),
    "http question marks": ("http://h/a", "?", ""),
    "gopher tabs": ("gopher://h/1", "%09", ""),
    "gopher form": ("gopher://h/1%09%09+%091%0D%0A+-1%0D%0A", "a%0D%0A", ".%0D%0A"),
    "mailto percents": ("mailto:", "%", ""),
    "mailto escapes": ("mailto:", "%E9", ""),
    "mailto surrogates": ("mailto:%41", "\ud800", ""),
    "news at signs": ("news:", "a@", "h"),
    "nntp digits": ("nntp://h/a/", "9", ""),
    "port zeros": ("http://h:", "0", "80/"),
    "host labels": ("foo://", "a.", "b/"),
    "host hyphens": ("foo://a", "-", "b/"),
    "wais slashes": ("wais://h/", "a/", ""),
    "prospero fields": ("prospero://h/", ";a=b", ""),
    "prospero equals": ("prospero://h/;", "=", ""),
    "file segments": ("file:///", "%2F/", ""),
    "generic colons": ("foo://", ":", "@h/"),
}


def run(url):
    parts = decompose(url, strict=False)
    hash(parts)
    with contextlib.suppress(UnbuildableURL):
        dataclasses.replace(parts).geturl()
    if isinstance(parts, Gopher):
        with contextlib.suppress(UnsafeURL):
            parts.request()


def spent(url):
    return cpu_seconds(lambda: run(url))


@pytest.mark.parametrize("before, unit, after", FAMILIES.values(), ids=FAMILIES)
def test_time_grows_with_the_length(before, unit, after):
    short, long = (before + unit * count + after for count in (4_000, 64_000))
    assert spent(long) < 40 * spent(short) + 0.02
