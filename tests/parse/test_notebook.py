"""A notebook shows URLs, problems and Arrow batches as HTML tables: escaped, without controls and secrets."""

import pickle
from html.parser import HTMLParser
from typing import Any

import pytest

import fasturl
from fasturl import notebook

HOSTILE = [
    "http://h/<script>alert(1)</script>?a=\"'><img src=x onerror=y>#<b>",
    "http://u:S3CR3T@h/a;jsessionid=S3CR3T?token=S3CR3T&x=1#access_token=S3CR3T",
    "http:/u:S3CR3T@h/",
    "postgresql://u:S3C/R3T@h/db",
    "http://h/\x1b[31m\u202e\x00\r\n<i>",
    b"http://u:S3CR3T@h/<b>\xff\x1b&amp;?token=S3CR3T",
    "//evil/<b>?password=S3CR3T",
    "",
    "&lt;b&gt;",
    "http://h/?next=http%3A%2F%2Fme%3AS3CR3T%40h%2F",
]


class Texts(HTMLParser):
    """Collects the tags and the texts of a page, and refuses attributes."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.texts: list[str] = []

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        assert attributes == []
        self.tags.add(tag)

    def handle_data(self, data: str) -> None:
        self.texts.append(data)


def texts(html: str) -> list[str]:
    """Return the texts of the cells, and check that the page shows nothing that it must not."""
    page = Texts()
    page.feed(html)
    assert page.tags <= {"table", "tr", "th", "td", "p"}
    assert "S3CR3T" not in html and "R3T" not in html
    assert all(character.isprintable() for character in html)
    return page.texts


@pytest.mark.parametrize("text", HOSTILE)
@pytest.mark.parametrize("form", ["url", "request-target"])
def test_a_url_is_an_escaped_table_without_secrets(text: Any, form: Any) -> None:
    url = fasturl.parse(text, form=form)
    shown = texts(url._repr_html_())
    assert shown[:3] == ["part", "value", "place"]
    assert shown[shown.index("valid") + 1] == ("yes" if url.valid else "no")
    assert all(str(finding.name) in " ".join(shown) for finding in url.findings)


def test_a_url_has_its_parts_with_their_places() -> None:
    shown = texts(fasturl.parse("http://h.example:80/<b>")._repr_html_())
    assert shown[shown.index("path") :][:3] == ["path", "'/<b>'", "19–23"]
    assert shown[shown.index("port") :][:3] == ["port", "'80'", "17–19"]


@pytest.mark.parametrize("text", HOSTILE)
def test_problems_are_an_escaped_table(text: Any) -> None:
    problems = fasturl.problems(text)
    shown = texts(problems._repr_html_())  # type: ignore[attr-defined]
    assert shown[:4] == ["finding", "start", "end", "message"]
    assert shown[4::4] == [problem.finding.name for problem in problems]
    assert problems == list(problems) == pickle.loads(pickle.dumps(problems))


class IPython:
    """As much of IPython as the extension uses."""

    def __init__(self) -> None:
        self.display_formatter = self
        self.formatters = {"text/html": self}
        self.registered: dict[tuple[str, str], Any] = {}

    def for_type_by_name(self, module: str, name: str, function: Any) -> None:
        self.registered[module, name] = function


def test_batches_are_escaped_tables() -> None:
    pa = pytest.importorskip("pyarrow")
    from fasturl import arrow

    shell = IPython()
    notebook.load_ipython_extension(shell)
    # A cell is redacted alone, so a password that readers divide between two parts is recognized in the URL only.
    whole_logins = [text for text in HOSTILE if not fasturl.Finding.AMBIGUOUS_AUTHORITY & fasturl.parse(text).findings]
    strings = [text if isinstance(text, str) else text.decode("latin-1") for text in whole_logins]
    column = pa.array(strings + [None] * (30 - len(strings)))
    batch = arrow.parse(column, list(arrow.FIELDS))
    whole = batch.append_column("url", column)
    for shape in (whole, pa.Table.from_batches([whole])):
        kind = type(shape)
        shown = texts(shell.registered[kind.__module__, kind.__name__](shape))
        assert shown[:2] == ["30 rows", "scheme"] and "PASSWORD" in " ".join(shown)
    assert notebook.batch_table(whole).count("<tr>") == 21
    raw = arrow.parse([HOSTILE[5]], ["query", "path"])
    assert "b'token=***'" in texts(notebook.batch_table(raw))
