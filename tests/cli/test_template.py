"""Do templates say what trurl's say, and end where something must be there?"""

from collections.abc import Callable
from typing import Any

import pytest

URLS = b"http://h/a\nhttps://h:8443/\nftp://h:x/\nxyz://h/\n/path?k=\nnews:a\n"


@pytest.mark.parametrize(
    ("template", "want"),
    [
        ("{default:port}", ["80", "8443", "", "", "", ""]),
        ("{:default:port}-{port}", ["80-", "8443-8443", "-", "-", "-", "-"]),
        ("{must:path}", ["/a", "/", "/", "/", "/path", "a"]),
        ("{{must:path}}", ["{must:path}"] * 6),
    ],
)
def test_prefixes(fasturl: Callable[..., Any], template: str, want: list[str]) -> None:
    ran = fasturl("parse", "-q", "-g", template, stdin=URLS)
    assert ran.status == 0 and ran.out.decode().split("\n")[:-1] == want


@pytest.mark.parametrize(
    ("template", "line", "what"),
    [("{must:host}", 5, "host"), ("{must:default:port}", 3, "port"), ("{:must:query:k}", 1, "query:k")],
)
def test_what_must_be_there_ends_the_run(fasturl: Callable[..., Any], template: str, line: int, what: str) -> None:
    ran = fasturl("parse", "-q", "-g", template, stdin=URLS)
    assert ran.status == 1 and len(ran.lines) == line - 1
    assert ran.err == f"fasturl: -:{line}: no {what}, which the template must have\n"


def test_an_empty_value_is_there(fasturl: Callable[..., Any]) -> None:
    ran = fasturl("parse", "-q", "-g", "{must:query:k}{must:query}", stdin=b"http://h/?k=\n")
    assert (ran.status, ran.out) == (0, b"k=\n")


def test_rows_that_are_left_out_need_nothing(fasturl: Callable[..., Any]) -> None:
    ran = fasturl("parse", "-q", "--on-error", "skip", "-g", "{must:host}", stdin=b"/\nhttp://h/\n")
    assert (ran.status, ran.out) == (0, b"h\n")


@pytest.mark.parametrize("template", ["{default:host}", "{must:}", "{must:default:}", "{default:query:k}"])
def test_a_prefix_of_nothing_is_a_mistake(fasturl: Callable[..., Any], template: str) -> None:
    ran = fasturl("parse", "-g", template, stdin=URLS)
    assert ran.status == 2 and ran.err.startswith("fasturl: --get: ") and ran.err.count("\n") == 1
