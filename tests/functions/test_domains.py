"""Public suffixes agree with the package publicsuffixlist: for hosts made of its rules, random hosts and real ones."""

import random
from pathlib import Path

import pytest

import fasturl
from fasturl import Finding, domains

publicsuffixlist = pytest.importorskip("publicsuffixlist")

LIST = Path(publicsuffixlist.__file__).with_name("public_suffix_list.dat")
PRIVATE = [True, False]


@pytest.fixture(scope="module", params=PRIVATE, ids=["both sections", "without the private one"])
def both(request: pytest.FixtureRequest) -> tuple[object, bool]:
    return publicsuffixlist.PublicSuffixList(only_icann=not request.param), request.param


@pytest.fixture(scope="module")
def rules() -> list[str]:
    lines = LIST.read_text(encoding="utf-8").splitlines()
    return [line.split()[0] for line in lines if line.strip() and not line.startswith("//")]


def check(host: str, both: tuple) -> None:
    theirs, private = both
    suffix, registrable = theirs.publicsuffix(host), theirs.privatesuffix(host)
    found = {name: getattr(fasturl, name)(host, private_suffixes=private, form="host")
             for name in ("public_suffix", "registrable_domain", "subdomain")}  # fmt: skip
    before = host.lower().rstrip(".")[: -len(registrable) - 1] if registrable else ""
    expected = {"public_suffix": suffix, "registrable_domain": registrable, "subdomain": before or None}
    assert found == expected, host
    if registrable is not None:
        url = fasturl.parse(f"http://u@{host}:80/?a.b")
        is_ambiguous = Finding.AMBIGUOUS_AUTHORITY in url.findings
        assert fasturl.registrable_domain(url, private_suffixes=private) == (None if is_ambiguous else registrable)


def test_every_rule_gives_publicsuffixlists_answer(both: tuple, rules: list[str]) -> None:
    """In Unicode and in punycode: the rule itself, and with one, two and three labels before it."""
    for rule in rules:
        name = rule.removeprefix("!").removeprefix("*.")
        for spelling in {name, name.encode("idna").decode("ascii")}:
            for before in ("", "a.", "b.a.", "www.b.a."):
                check(before + spelling, both)


def test_random_hosts_give_publicsuffixlists_answer(both: tuple, rules: list[str], tries: int) -> None:
    rng = random.Random("hosts")
    labels = sorted({label for rule in rules for label in rule.lstrip("!*.").split(".")})
    for _ in range(tries):
        host = ".".join(rng.choices(labels, k=rng.randrange(1, 5)))
        if rng.random() < 0.5:
            host += "." + rng.choice(rules).lstrip("!*.")
        if host.isascii() and rng.random() < 0.3:
            host = host.upper()
        if not host.rpartition(".")[2].isdigit():
            check(host + "." * (rng.random() < 0.1), both)


def test_real_hosts_give_publicsuffixlists_answer(both: tuple, real_urls: list[str]) -> None:
    hosts = {fasturl.parse(url).hostname for url in real_urls}
    for host in sorted(filter(None, hosts)):
        if ":" not in host and host.isascii() and not host.rpartition(".")[2].isdigit() and ".." not in host:
            check(host.strip("."), both)


def test_rules_are_read_from_a_file(tmp_path: Path) -> None:
    path = tmp_path / "rules.dat"
    path.write_text(
        "// a comment\ncom\nCo.UK and what follows\n*.ck\n!www.ck\n\u516c\u53f8.cn\n"
        "// ===BEGIN PRIVATE DOMAINS===\nhost.com\n// ===END PRIVATE DOMAINS===\norg\nof.org\n",
        encoding="utf-8",
    )
    rules = domains.read(path)

    def suffix(host: str, private: bool = True) -> str | None:
        return fasturl.public_suffix(host, form="host", rules=rules, private_suffixes=private)

    assert rules.rules == 9
    assert suffix("a.host.com") == "host.com" and suffix("a.host.com", False) == "com"
    assert suffix("a.co.uk") == "co.uk" and suffix("a.uk") == "uk"
    assert suffix("a.b.ck") == "b.ck" and suffix("a.www.ck") == "ck" and suffix("ck") == "ck"
    assert suffix("a.\u516c\u53f8.cn") == "\u516c\u53f8.cn" and suffix("a.xn--55qx5d.cn") == "xn--55qx5d.cn"
    assert suffix("a.org") == "org" and suffix("a.of.org", False) == "of.org"
    assert fasturl.public_suffix("\xff.com".encode("latin-1"), form="host", rules=rules) == b"com"


@pytest.mark.parametrize("line", ["a..b", "a.*.b", "*.*.b", "."])
def test_a_malformed_rule_is_refused(tmp_path: Path, line: str) -> None:
    path = tmp_path / "rules.dat"
    path.write_text(f"com\n{line}\n", encoding="utf-8")
    with pytest.raises(ValueError, match="is not a rule"):
        domains.read(path)


def test_without_rules_every_last_label_is_a_suffix(tmp_path: Path) -> None:
    path = tmp_path / "rules.dat"
    path.write_text("", encoding="utf-8")
    assert fasturl.registrable_domain("http://a.co.uk/", rules=domains.read(path)) == "co.uk"


def test_a_missing_package_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(domains, "_installed", None)
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(ModuleNotFoundError, match=r"\[domains\]"):
        fasturl.public_suffix("http://h/")


@pytest.mark.parametrize(("ruled", "other"), [
    ("dmwybrgp0123456789abcdef", "xhwpfyfs0123456789abcdef"),
    ("iikkijgr0123456789abcdef", "uheuuctw0123456789abcdef"),
])  # fmt: skip
def test_labels_with_equal_hashes_are_told_apart(tmp_path: Path, ruled: str, other: str) -> None:
    """Anyone can compute such pairs, so the table also compares the bytes of the labels."""
    file = tmp_path / "rules.dat"
    file.write_text(f"*.{ruled}\n", encoding="utf-8")
    rules = domains.read(file)
    assert fasturl.registrable_domain(f"http://x.y.{ruled}/", rules=rules) == f"x.y.{ruled}"
    assert fasturl.registrable_domain(f"http://x.y.{other}/", rules=rules) == f"y.{other}"
    assert fasturl.registrable_domain(f"http://X.Y.{ruled.upper()}/", rules=rules) == f"x.y.{ruled}"
