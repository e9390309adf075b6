"""Random URLs that RFC 1738 section 5 derives."""

import fasturl
from fasturl.schemes._rfc1738 import GRAMMAR
from fasturl.schemes.productions import read

PRODUCTIONS = read(GRAMMAR)
URLS = ["ftpurl", "fileurl", "httpurl", "gopherurl", "mailtourl", "newsurl", "nntpurl", "telneturl", "waisurl",
        "prosperourl"]  # fmt: skip


def derive(tree, rng):
    """Return a random text that the production derives."""
    match tree:
        case ("literal", data):
            return data.decode()
        case ("name", name):
            return derive(PRODUCTIONS[name], rng)
        case ("sequence", items):
            return "".join(derive(item, rng) for item in items)
        case ("either", items):
            return derive(rng.choice(items), rng)
        case ("optional", item):
            return derive(item, rng) if rng.random() < 0.6 else ""
        case ("repeat", minimum, item):
            count = minimum + min(rng.randrange(5), rng.randrange(5))
            return "".join(derive(item, rng) for _ in range(count))
    raise AssertionError(tree)


def derived_url(rng):
    if rng.random() < 0.12:
        text = rng.choice(["foo", "x-a.b+c", "9p"]) + ":" + derive(("name", "schemepart"), rng)
    else:
        text = derive(("name", rng.choice(URLS)), rng)
    if rng.random() < 0.2:
        scheme, colon, part = text.partition(":")
        text = scheme.upper() + colon + part
    return text


def is_port_too_large(url):
    """Return True for a derived port above 65535, the one step beyond the grammar."""
    return any(problem.finding is fasturl.Finding.BAD_PORT for problem in fasturl.problems(url))
