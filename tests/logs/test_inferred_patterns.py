"""Does each pattern that infers a format find what it is for, in a line of a sample?

The table is also the place to look up what a pattern of proven.py or inferred.py is for.
"""

import json
import re
from pathlib import Path

import pytest
from logsamples import PROVEN, REFUSED

from fasturl.logs.formats import inferred, proven

FOUND = [json.loads(line) for line in Path(__file__).with_name("found_logs.jsonl").read_text("utf-8").splitlines()]
LINES = {
    **{name: lines for name, lines, _ in PROVEN},
    **dict(REFUSED),
    **{sample["id"]: sample["lines"] for sample in FOUND},
}
KOA = "Koa's logger with its arrows"
SENT = "a request and the word before its status"
QUOTES = "commas and quotes"
UPSTREAM = "nginx with its upstream before the status"
DRUPAL = "drupal-request-01"

# Pattern, what it finds (its first group that took part, or all), the text in which it is sought, and the sample.
PATTERNS = [
    # The request
    ("METHOD", "GET", "GET /b Sent 404", SENT),
    ("TARGET_START", "/", "/b Sent 404", SENT),
    ("PROTOCOL", "HTTP/1.1", "/a HTTP/1.1", UPSTREAM),
    ("_QUERY_CELL", "/a/7?x=1", "DELETE  | /a/7?x=1 | boom", "fiber"),
    ("_HOST_AND_PORT", "192.0.2.1:44", "192.0.2.1:44 upstream", "an upstream after the client"),
    ("_CAPITALS", "GET", "GET /b", SENT),
    # What is around a field: a bracket or quote, a delimiter, the label of the next field
    ("_BESIDE", "rt", " rt=0.012s", "an upstream after the client"),
    ("_CLOSERS", '"', '","192.0.2.1"', QUOTES),
    ("_LABEL", "upstream", "upstream=10.0.0.2:80", "an upstream after the client"),
    ("_QUOTED", "curl/7", '"curl/7"', "a request and an agent in quotes, without a status"),
    ("_VALUE", "10.0.0.2:80", "10.0.0.2:80 ", "an upstream after the client"),
    ("_TOKEN", "rt=", "rt=0.012s", "an upstream after the client"),
    # The status: directly after the request or a label, before the request, after a word or an arrow, in a cell
    ("_STATUS_NEXT", "404", " 404 3ms", KOA),
    ("_STATUS_AT", "504", "504 rt=30.001s", "an upstream after the client"),
    ("_STATUS_BEFORE", "200", "-0800 200 ", "a status behind a zone"),
    ("_STATUS_ALONE", "500", " | 500 |  1.0024s", "fiber"),
    ("_STATUS_SAID", "404", "Sent 404 in 5ms", SENT),
    ("_STATUS_AFTER_QUOTE", "400", '"GET / HTTP/1.1" 400 26', "django-01"),
    ("_STATUS_CELL", "304", '"/b","304","0"', QUOTES),
    ("_STATUS_FIRST", "404", "(404) | [17/May/2015", "nginx with the status in brackets first"),
    ("_STATUS_AND_SIZE", "404", ' - 404 12 "-"', "an empty query between the target and its status"),
    # The size and the duration
    ("_SIZE_NEXT", "423", ' 423 "-"', UPSTREAM),
    ("_SIZE_AT", "423", '423 "-"', UPSTREAM),
    ("NUMBERS_NEXT", "423", ' 423 "-"', UPSTREAM),
    ("_BESIDE_UNIT", "3ms", "404 3ms -", KOA),
    ("_BEFORE_UNIT", "30.001", "rt=30.001s", "an upstream after the client"),
    ("_NUMBER", "404", "404 3ms", KOA),
    ("_REQUEST_TIME", "0.002", " request_time 0.002 404", UPSTREAM),
    # The client: an address, but not after a word for a server; more addresses are forwarded
    ("_ADDRESS", "192.0.2.1", "2015 192.0.2.1 GET", "ctime"),
    ("_NO_CLIENT", "-> ", "--> ", KOA),
    ("_CLIENT_WORD", "for ", '"/d" for ', "Rails: the lines of the start, without a status"),
    ("_MORE_ADDRESSES", ", 10.0.0.1", "192.0.2.7, 10.0.0.1", "a list of addresses"),
    ("_SYSLOG_TIME", "May 17 10:05:03 ", "May 17 10:05:03 ", "behind syslog"),
    ("_HOST", "example.com", ' "example.com" "GET', "nginx-host-quoted-nofmt-01"),
    ("_HOST_AFTER", "www.example.com", " www.example.com [17/May", UPSTREAM),
    ("_HOST_BEFORE", "test.local", " test.local ", DRUPAL),
    # The other columns
    ("AGENT", "curl/7", "curl/7", "a request and an agent in quotes, without a status"),
    ("_REFERER", "http://", "http://r.example/", "bars, with a referer and an agent"),
    ("_TIME", "2015-05-17", "[2015-05-17T10:05:03.123Z]", "a request and an agent in quotes, without a status"),
    ("_SLASHES", "25", "[25/02/2014:14:09:19 +0000]", "gorouter-old-14"),
    # What is no log of requests
    ("_SIGNS", "10:05:03", "2015-05-17 10:05:03 -0800", "a status behind a zone"),
    ("_FAILURE", "] 7#7: ", '[debug] 7#7: *1 http uri: "/a"', "nginx's log for debugging"),
    ("_PROSE", "static const char", "static const char *s", "c"),
    ("_CONDITION", "WHERE b =", "DELETE FROM a WHERE b = 200", "sql"),
    ("OF_A_CLIENT", 'https://38.38.51.3:5986 "POST /', 'https://38.38.51.3:5986 "POST /wsman', "no-urllib3-02"),
    ("_DUMP", r"HTTP/1.1\r\n", r"GET /a HTTP/1.1\r\n", "c"),
]


def pattern(name: str) -> re.Pattern[bytes]:
    found: re.Pattern[bytes] = getattr(proven, name, None) or getattr(inferred, name)
    return found


@pytest.mark.parametrize(("name", "finds", "text", "source"), PATTERNS, ids=[row[0] for row in PATTERNS])
def test_a_pattern_finds_what_it_is_for(name: str, finds: str, text: str, source: str) -> None:
    assert any(text in line for line in LINES[source]), "the sample has no such text"
    found = pattern(name).search(text.encode())
    assert found is not None
    groups = [group for group in found.groups() if group]
    assert (groups[0] if groups else found[0]).decode() == finds


def test_each_pattern_has_a_row() -> None:
    names = {name for part in (proven, inferred) for name, value in vars(part).items() if isinstance(value, re.Pattern)}
    assert names == {name for name, *_ in PATTERNS} and len(names) > 40
