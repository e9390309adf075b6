"""The site builds without a warning, fetches nothing from other hosts, and is complete."""

import html
import importlib
import importlib.util
import json
import math
import os
import re
import shutil
import subprocess
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pytest

import fasturl
from bench import plots
from fasturl import Finding

ROOT = Path(__file__).resolve().parents[2]
# Attributes by which a browser fetches. For a link it depends on its relation.
FETCHED = {"src", "srcset", "poster", "data", "background"}
FETCHED_LINKS = {"stylesheet", "preload", "prefetch", "preconnect", "dns-prefetch", "icon", "modulepreload", "manifest"}
ELSEWHERE = re.compile(r"(?:[a-z]+:)?//", re.IGNORECASE)


class Fetches(HTMLParser):
    """Collects the URLs that a browser would fetch from another host, the anchors, and the links within the site."""

    def __init__(self) -> None:
        super().__init__()
        self.elsewhere: list[str] = []
        self.own: list[str] = []
        self.anchors: set[str] = set()
        self.links: list[str] = []

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        held = {name: value or "" for name, value in attributes}
        self.anchors.add(held.get("id", ""))
        if tag == "a" and "href" in held and not re.match(r"[a-z]+:|//", held["href"], re.IGNORECASE):
            self.links.append(held["href"])
        asked = [value for name, value in held.items() if name in FETCHED]
        if tag == "link" and FETCHED_LINKS & set(held.get("rel", "").split()):
            asked.append(held.get("href", ""))
        self.elsewhere += [value for value in asked if ELSEWHERE.match(value)]
        self.own += [value for value in asked if not ELSEWHERE.match(value) and not value.startswith("data:")]
        assert "mermaid" not in held.get("class", ""), "the theme would fetch a script for it"


def read(page: Path) -> Fetches:
    found = Fetches()
    found.feed(page.read_text(encoding="utf-8"))
    return found


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    pytest.importorskip("mkdocs")
    pytest.importorskip("material")
    target = tmp_path_factory.mktemp("site")
    # Not -q: mkdocs would not count the warnings that --strict is about.
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "-d", str(target)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr
    return target


def test_nothing_is_fetched_from_elsewhere(site: Path) -> None:
    pages = sorted(site.rglob("*.html"))
    assert len(pages) > 40
    for page in pages:
        found = read(page)
        assert found.elsewhere == [], page.relative_to(site)
        if page.name != "404.html":  # served for paths of any depth, so its links are absolute
            assert not [name for name in found.own if not page.parent.joinpath(name.partition("?")[0]).is_file()]
    for sheet in site.rglob("*.css"):
        assert not re.search(r"(?:url\(\s*[\"']?|@import\s+[\"'])(?:https?:)?//", sheet.read_text(encoding="utf-8")), (
            sheet
        )


def test_each_link_leads_to_a_page_and_to_an_anchor_on_it(site: Path) -> None:
    """mkdocs checks the links of Markdown only. This checks those of HTML, of the theme and of included pages too."""
    pages = {page: read(page) for page in site.rglob("*.html") if page.name != "404.html"}
    anchored = 0
    for page, found in pages.items():
        for link in found.links:
            path, _, anchor = link.partition("#")
            target = page.parent.joinpath(unquote(path)).resolve() if path else page
            target = target / "index.html" if target.is_dir() else target
            where = f"{page.relative_to(site)} links to {link}"
            assert target.is_file(), where
            assert not anchor or unquote(anchor) in pages[target].anchors, where
            anchored += bool(anchor)
    assert anchored > 500


def ranking(index: dict[str, Any], query: str) -> list[str]:
    """Return the pages that the site's search finds, the best first.

    As the theme's script does it: lunr scores each section (BM25 with b = 0 and k1 = 1.2, each word a prefix), and the
    theme adds to a page's own section and for each word that matches.
    """
    boosts = {name: field["boost"] for name, field in index["config"]["fields"].items()}
    separator = re.compile(index["config"]["separator"].replace("&quot;", '"'))
    counts: dict[tuple[str, str], Counter[str]] = {}
    for section in index["docs"]:
        for name in boosts:
            words = section.get(name, "")
            text = re.sub(r"<[^>]*>", " ", words) if isinstance(words, str) else " ".join(words)
            counts[section["location"], name] = Counter(filter(None, separator.split(text.lower())))
    holding = Counter(word for field in counts.values() for word in field)
    wanted = query.split()
    vocabulary = {word for word in holding if word.startswith(tuple(wanted))}
    scores: defaultdict[str, float] = defaultdict(float)
    matched: defaultdict[str, set[str]] = defaultdict(set)
    for (location, name), field in counts.items():
        for word in vocabulary & field.keys():
            rarity = math.log(1 + abs((len(index["docs"]) - holding[word] + 0.5) / (holding[word] + 0.5)))
            scores[location] += rarity * 2.2 * field[word] / (1.2 + field[word]) * boosts[name]
            matched[location] |= {term for term in wanted if word.startswith(term)}
    for location in scores:
        scores[location] *= 1 + (("#" not in location) + len(matched[location]) / len(wanted)) ** 2
    ranked = sorted(scores, key=lambda location: -scores[location])
    return list(dict.fromkeys(location.partition("#")[0] for location in ranked))


@pytest.mark.parametrize(
    ("query", "page"),
    {
        "ssrf": "guides/fetch/",
        "asyncio": "threads/",
        "license": "",
        "install": "installation/",
        "nginx": "formats/",
        "thread safe": "threads/",
        "python versions": "installation/",
    }.items(),
)
def test_a_search_shows_the_right_page_first(site: Path, query: str, page: str) -> None:
    index = json.loads(site.joinpath("search", "search_index.json").read_text(encoding="utf-8"))
    assert index["config"]["pipeline"] == ["stopWordFilter"], "ranking() would also need a stemmer"
    assert ranking(index, query)[:1] == [page]


def test_titles_of_the_navigation_are_the_headings(site: Path) -> None:
    """A page without a title in mkdocs.yml gets the title of its heading."""
    yaml = pytest.importorskip("yaml")
    text = ROOT.joinpath("mkdocs.yml").read_text(encoding="utf-8")

    def pages(entries: list[Any]) -> Iterator[str]:
        for entry in entries:
            [(title, below)] = entry.items() if isinstance(entry, dict) else [(None, entry)]
            assert title is None or isinstance(below, list), f"{title}: the page has a heading"
            yield from pages(below) if isinstance(below, list) else [below]

    for page in pages(yaml.safe_load(text)["nav"]):
        name = re.sub(r"(README|index)$", "", page.removesuffix(".md"))
        shown = site.joinpath(name, "index.html").read_text(encoding="utf-8")
        assert len(re.findall(r"<h1\b", shown)) == 1, page


def test_colours_follow_the_system_and_the_toggle(site: Path) -> None:
    page = site.joinpath("index.html").read_text(encoding="utf-8")
    inputs = re.findall(r'<input class="md-option" data-md-color-media="([^"]*)"', page)
    assert inputs == ["(prefers-color-scheme)", "(prefers-color-scheme: light)", "(prefers-color-scheme: dark)"]
    assert page.count('class="md-header__button md-icon"') >= len(inputs)
    style = ROOT.joinpath("docs", "assets", "site.css").read_text(encoding="utf-8")
    assert re.search(r"^\.md-typeset :is\(p, .* a.*text-decoration: underline", style, re.MULTILINE)
    # The theme's rule for the dark colour of links names both attributes.
    assert '[data-md-color-scheme="slate"][data-md-color-primary] {\n  --md-typeset-a-color' in style


# Rules that only the theme's own markup breaks: the search's dialog, the copy buttons, and code that scrolls.
OF_THE_THEME = {"aria-dialog-name", "landmark-unique", "scrollable-region-focusable"}
AXE = """<script src="{}"></script><script>addEventListener("load", () => axe.run().then(found => {{
document.body.innerHTML = "<pre id=axe></pre>"
document.getElementById("axe").textContent = JSON.stringify(found.violations.map(one => [one.id, one.nodes[0].html]))
}}))</script></body>"""


@pytest.mark.parametrize(("scheme", "every"), [(0, 8), (1, 1)], ids=["dark", "light"])
def test_axe_finds_no_fault_of_ours(site: Path, scheme: int, every: int) -> None:
    """Look at each page in Chromium: contrast, headings, names. In the dark, look at one page in eight."""
    chromium, axe = shutil.which("chromium"), importlib.util.find_spec("axe_playwright_python")
    if chromium is None or axe is None or axe.origin is None:
        pytest.skip("no chromium, or no axe")
    script = Path(axe.origin).with_name("axe.min.js").as_uri()
    command = [chromium, "--headless", "--no-sandbox", "--allow-file-access-from-files", "--virtual-time-budget=20000"]
    command += ["--dump-dom", f"--blink-settings=preferredColorScheme={scheme}"]
    faults = []
    for page in sorted(site.glob("**/index.html"))[::every]:
        looked_at = page.with_name("axe.html")
        looked_at.write_text(page.read_text(encoding="utf-8").replace("</body>", AXE.format(script)), encoding="utf-8")
        shown = subprocess.run([*command, looked_at.as_uri()], capture_output=True, text=True, check=True).stdout
        looked_at.unlink()
        found = re.search(r'<pre id="axe">(.*?)</pre>', shown, re.DOTALL)
        assert found, f"{page}: axe did not run"
        named = [one for one in json.loads(html.unescape(found[1])) if one[0] not in OF_THE_THEME]
        faults += [(page.relative_to(site).as_posix(), *one) for one in named]
    assert faults == []


def test_each_finding_has_its_anchor(site: Path) -> None:
    anchors = read(site / "findings" / "index.html").anchors
    assert {str(finding.name).lower() for finding in Finding} <= anchors


def test_each_command_and_option_is_there(site: Path) -> None:
    click = pytest.importorskip("click")
    from fasturl.cli.app import main

    page = site.joinpath("commands", "index.html").read_text(encoding="utf-8")
    context = click.Context(main, info_name="fasturl")
    for name in main.list_commands(context):
        assert f'<h2 id="{name}">' in page
        command = main.get_command(context, name)
        assert command is not None
        for option in command.params:
            assert all(spelling in page for spelling in option.opts if spelling.startswith("--"))


@pytest.mark.skipif(sys.version_info[:2] != (3, 11), reason="Python versions word some signatures differently")
def test_the_reference_is_that_of_the_package() -> None:
    """In a process of its own: click keeps the help option of the first context that a command was seen in."""
    for module in ("click", "pyarrow", "publicsuffixlist"):
        pytest.importorskip(module)
    environment = {**os.environ, "PYTHONPATH": str(Path(fasturl.__file__).resolve().parents[1])}
    command = [sys.executable, "docs/hooks/reference.py", "--check"]
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr + "run python3 docs/hooks/reference.py"


def test_each_public_name_has_its_line() -> None:
    """The same without building the site."""
    lines = "".join(page.read_text(encoding="utf-8") for page in ROOT.joinpath("docs", "api").glob("*.md"))
    named = set(re.findall(r"^<!-- ::: fasturl\.(\w+) -->$", lines, re.MULTILINE))
    assert {name for name in fasturl.__all__ if not name.endswith(("Result", "ResultBytes"))} - named == set()


def test_the_docstrings_of_extensions_are_there(site: Path) -> None:
    page = re.sub(r"<[^>]+>", "", site.joinpath("api", "reading", "index.html").read_text(encoding="utf-8"))
    for name in ("parse", "parse_many", "problems", "normalize"):
        summary = (getattr(fasturl, name).__doc__ or "").strip().splitlines()
        assert any(line and line in page for line in summary), name


def test_the_drawn_pictures_are_those_of_the_script(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(ROOT / "docs" / "hooks"))
    drawn = importlib.import_module("pictures").PICTURES
    for name, draw in drawn.items():
        assert ROOT.joinpath("docs", "images", name).read_text(encoding="utf-8") == draw(), "run docs/hooks/pictures.py"


def test_the_plots_are_those_of_the_tables() -> None:
    assert plots.stale() == [], "run python -m bench.plots"


@pytest.mark.parametrize("finding", Finding, ids=lambda finding: finding.name)
def test_a_finding_has_all_texts_and_its_example_sets_it(finding: Finding) -> None:
    assert all((finding.sentence, finding.citation, finding.example, finding.reason, finding.advice))
    assert finding in fasturl.parse(finding.example).findings
