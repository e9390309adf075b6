"""Generated applications with known routes, for tests of learned routes. An application is a list of routes with
weights. A parameter is named by the kind of its values."""

from __future__ import annotations

import random
import re
import uuid
from itertools import accumulate
from typing import ClassVar

_SYLLABLES = "ba ce di fo gu ha ki lo mu ne pa ri so tu va we xi yo zu cra ble tri sto gno fla".split()
_BASE62 = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
_NOISE = """
/.env /.git/config /wp-login.php /xmlrpc.php /phpmyadmin/index.php /admin.php /cgi-bin/luci /vendor/phpunit/eval.php
/api/v2/.env /backup.zip /shell.php /HNAP1 /actuator/health /solr/admin/info /owa/auth/x.js /manager/html
""".split()


class Values:
    """The values of parameters. A closed kind has few values, and Zipf's law gives their shares."""

    CLOSED: ClassVar = {"tenant": 40, "category": 30, "language": 5, "tag": 80, "user": 700, "title": 900, "page": 150,
              "product": 600, "project": 120, "city": 60, "repository": 250}  # fmt: skip

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self._pools: dict[str, tuple[list[str], list[float]]] = {}

    def word(self, least: int = 2, most: int = 4) -> str:
        return "".join(self.random.choices(_SYLLABLES, k=self.random.randint(least, most)))

    def text(self, count: int, letters: str = _BASE62) -> str:
        return "".join(self.random.choices(letters, k=count))

    def make(self, kind: str) -> str:
        """Return a new value."""
        pick = self.random
        if kind == "title":
            return "_".join(self.word().title() for _ in range(pick.randint(1, 3))) + pick.choice(["", "", "%C3%A9"])
        if kind in ("page", "product", "article"):
            return "-".join(self.word() for _ in range(pick.randint(1, 5)))
        return {
            "n": lambda: str(pick.randint(1, 90000)),
            "uuid": lambda: str(uuid.UUID(int=pick.getrandbits(128))),
            "hash": lambda: self.text(40, "0123456789abcdef"),
            "date": lambda: f"2024-{pick.randint(1, 12):02}-{pick.randint(1, 28):02}",
            "token": lambda: self.text(22),
            "mail": lambda: f"{self.word()}{pick.randint(1, 99)}@{self.word()}.example",
            "sku": lambda: f"{self.text(2, _BASE62[:26])}-{pick.randint(1000, 9999)}",
            "short": lambda: self.text(7),
            "hex": lambda: self.text(8, "0123456789abcdef"),
            "prefixed": lambda: f"ord_{self.text(14)}",
            "file": lambda: f"{self.word()}.{self.text(6, '0123456789abcdef')}.{pick.choice(['js', 'css', 'png'])}",
        }.get(kind, self.word)()

    def value(self, kind: str) -> str:
        if kind not in self.CLOSED:
            return self.make(kind)
        if kind not in self._pools:
            values = list(dict.fromkeys(self.make(kind) for _ in range(self.CLOSED[kind])))
            self._pools[kind] = values, [*accumulate(1 / rank for rank in range(1, len(values) + 1))]
        values, weights = self._pools[kind]
        return self.random.choices(values, cum_weights=weights)[0]


def requests(routes: str, count: int, seed: int) -> tuple[list[str], list[int], list[str | None]]:
    """Return paths, their statuses, and their true routes; None for the noise of scanners.

    routes : weights, each before its route
    """
    values = Values(seed)
    weights, templates = routes.split()[::2], routes.split()[1::2]
    paths: list[str] = []
    statuses: list[int] = []
    truth: list[str | None] = []
    for route in values.random.choices(templates, list(map(float, weights)), k=count):
        if values.random.random() < 0.05:
            noise = values.random.choice(_NOISE)
            paths.append(noise if values.random.random() < 0.5 else f"/{values.word()}{noise}")
            statuses.append(404)
            truth.append(None)
            continue
        paths.append(re.sub(r"\{(\w+)\}", lambda found: values.value(found[1]), route))
        statuses.append(values.random.choices([200, 404, 500], [95, 4, 1])[0])
        truth.append(route)
    return paths, statuses, truth


def agreement(truth: list[str | None], found: list[str | None]) -> tuple[float, float]:
    """Return precision and recall, the means over all requests that are no noise. Of a request: the share of its found
    route's requests that have its true route, and the share of its true route's requests that have its found route."""
    both: dict[tuple[str | None, object], int] = {}
    true: dict[str | None, int] = {}
    guessed: dict[object, int] = {}
    for row, (a, b) in enumerate(zip(truth, found, strict=True)):
        if a is None:
            continue
        group: object = row if b is None else b  # no route: a group of its own
        both[a, group] = both.get((a, group), 0) + 1
        true[a] = true.get(a, 0) + 1
        guessed[group] = guessed.get(group, 0) + 1
    total = sum(true.values())
    precision = sum(n * n / guessed[b] for (_, b), n in both.items()) / total
    recall = sum(n * n / true[a] for (a, _), n in both.items()) / total
    return precision, recall


REST = """
20 /api/v1/users/{n}  5 /api/v1/users  3 /api/v1/users/me  6 /api/v1/users/{n}/orders
4 /api/v1/users/{n}/orders/{uuid}  9 /api/v1/orders/{n}  4 /api/v1/orders  2 /api/v1/orders/{n}/refund
7 /api/v1/products/{sku}  3 /api/v1/products  2 /api/v1/products/{sku}/reviews  3 /api/v1/products/search
4 /api/v1/sessions/{token}  2 /api/v1/sessions  1 /api/v1/accounts/{mail}  2 /api/v1/commits/{hash}
3 /api/v1/reports/{date}  1 /api/v1/reports/{date}/export  2 /api/v1/invoices/{prefixed}  1 /api/v1/invoices
2 /api/v1/links/{short}  1 /api/v1/health  1 /api/v1/metrics  2 /oauth/token  1 /oauth/authorize
"""
SHOP = """
10 /  14 /products/{product}  3 /products  8 /category/{category}  5 /category/{category}/{product}  4 /cart
2 /cart/add  1 /cart/remove  2 /checkout  1 /checkout/payment  1 /checkout/done  3 /account  1 /account/orders
2 /account/orders/{prefixed}  1 /account/addresses/{n}  4 /search  2 /brands/{tag}  1 /wishlist/{short}
9 /static/{file}  6 /media/{hash}.jpg  1 /login  1 /logout  1 /register  1 /about  1 /contact
"""
WIKI = """
30 /wiki/{title}  3 /wiki/{title}/history  2 /wiki/{title}/edit  2 /wiki/{title}/talk  1 /wiki/{title}/diff/{n}
5 /user/{user}  2 /user/{user}/contributions  4 /search  2 /recent  1 /random  3 /tags/{tag}  2 /revisions/{n}
1 /uploads/{date}/{short}.png  1 /archive/{date}  2 /login  1 /logout  1 /special/pages  1 /special/statistics
1 /special/export
"""
SAAS = """
10 /{tenant}/dashboard  8 /{tenant}/projects  12 /{tenant}/projects/{project}  5 /{tenant}/projects/{project}/board
3 /{tenant}/projects/{project}/issues  7 /{tenant}/projects/{project}/issues/{n}  2 /{tenant}/members
2 /{tenant}/members/{user}  2 /{tenant}/settings  1 /{tenant}/settings/billing  1 /{tenant}/settings/security
2 /{tenant}/files/{uuid}  1 /{tenant}/invites/{token}  3 /login  1 /signup  1 /pricing  4 /api/events
2 /api/webhooks/{hex}  5 /assets/{file}  1 /healthz
"""
CMS = """
9 /  9 /{page}  14 /blog/{article}  4 /blog  2 /blog/page/{n}  3 /blog/archive/{date}  2 /tag/{tag}
2 /category/{category}  1 /author/{user}  2 /author/{user}/feed  3 /feed  2 /search  1 /media/{n}.jpg
5 /media/{hash}.png  2 /themes/css/{file}  2 /themes/js/{file}  1 /forms/submit  1 /admin/login  1 /admin/pages
1 /admin/pages/{n}/edit  1 /events/{date}/{page}
"""

APPLICATIONS = {"rest": REST, "shop": SHOP, "wiki": WIKI, "saas": SAAS, "cms": CMS}
