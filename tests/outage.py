"""A generated day of a shop: an outage of one route, two slow routes, and a scanner at three o'clock at night."""

import random
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

START = datetime(2026, 1, 5, tzinfo=UTC)
OUTAGE = range(14 * 3600 + 180, 14 * 3600 + 1380)  # seconds of the day: 14:03 to 14:23
ORDERS, SLOW = "/api/v1/orders/{n}", ("/export/{n}", "/api/v1/reports/{n}")
FORMAT = '$remote_addr - - [$time_local] "$request" $status $body_bytes_sent "$http_referer" "$http_user_agent" '
FORMAT += "$request_time"
# Templates, their share of the requests, their usual seconds, and their share of errors.
ROUTES = (
    ("/", 20, 0.05, 0.001), ("/search", 18, 0.09, 0.001), ("/login", 6, 0.08, 0.004), ("/products/{n}", 25, 0.06, 0.0),
    ("/cart", 8, 0.05, 0.0), (ORDERS, 9, 0.12, 0.0), ("/static/app.js", 12, 0.002, 0.0), (SLOW[0], 0.4, 1.4, 0.0),
    (SLOW[1], 0.3, 1.2, 0.0),
)  # fmt: skip
PROBES = ("/.env", "/wp-login.php", "/.git/config", "/admin.php", "/phpmyadmin/index.php", "/backup.zip")


def lines(requests: int, seed: int = 7, *, broken: bool = True) -> Iterator[str]:
    """Yield the lines of the day by time; `broken` adds the outage and the scanner."""
    rng = random.Random(seed)
    weights = [share for _, share, _, _ in ROUTES]
    seconds = sorted(int(rng.triangular(0, 86_399, 54_000)) for _ in range(requests))
    scanned = {3 * 3600 + n * 3600 * 25 // requests for n in range(requests // 25)} if broken else set()
    for second in seconds:
        template, _, usual, failing = rng.choices(ROUTES, weights)[0]
        is_out = broken and template == ORDERS and second in OUTAGE
        fails = rng.random() < (0.9 if is_out else failing)
        path = template.replace("{n}", str(rng.randrange(1, requests)))
        took = usual * rng.lognormvariate(0, 0.4) * (20 if fails and template == ORDERS else 1)
        yield line(second, f"198.51.{rng.randrange(100)}.{rng.randrange(200)}", path, 503 if fails else 200, took)
    for n, second in enumerate(sorted(scanned)):
        yield line(second, "203.0.113.66", PROBES[n % len(PROBES)], 404, 0.001)


def line(second: int, client: str, path: str, status: int, took: float) -> str:
    at = (START + timedelta(seconds=second)).strftime("%d/%b/%Y:%H:%M:%S +0000")
    agent = "Mozilla/5.0 (X11; Linux x86_64)" if client != "203.0.113.66" else "masscan/1.3"
    return f'{client} - - [{at}] "GET {path} HTTP/1.1" {status} {len(path) * 40} "-" "{agent}" {took:.3f}\n'
