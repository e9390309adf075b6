"""Recognise robots by user agent, from the list in the package crawler-user-agents (the extra `agents`).

Most agents contain no pattern in the list. An index with four bytes from each pattern finds the few patterns that an
agent may contain, and only these patterns are searched for.
"""

from __future__ import annotations

import re
import sys
from collections import Counter
from collections.abc import Callable, Iterable
from functools import cache, lru_cache
from typing import Any, NamedTuple

import pyarrow as pa

from fasturl._extras import pip_install
from fasturl._patterns import lazy_pattern
from fasturl.arrow import compute as pc
from fasturl.logs.columns import AGENT_COLUMNS
from fasturl.logs.errors import LogError

PACKAGE = "crawler-user-agents"
# Why a robot asks: for a search engine, to train a model, because a user of an assistant asked (`user`), for a preview
# of a link, to monitor, as a tool of a programmer. `ai`: for an AI service, and nobody says why; `crawler`: any other.
PURPOSES = ("crawler", "search", "training", "user", "ai", "preview", "monitor", "tool")
AI_PURPOSES = ("training", "user", "ai")  # of robots for AI; those of search engines may use it too
# The purpose of each tag of the list, the first that an entry has.
_BY_TAG = {
    "search-engine": "search",
    "ai-crawler": "ai",
    "social-preview": "preview",
    "http-library": "tool",
    "browser-automation": "tool",
    "monitoring": "monitor",
}


class Robot(NamedTuple):
    """What a robot claims to be. Anybody can send any name, so compare the client's address with the operator's list.

    name : the part of the agent that names the robot
    operator : who runs the robot, or None if unknown
    purpose : an item in PURPOSES
    """

    name: str
    operator: str | None
    purpose: str


_OPENAI = "https://platform.openai.com/docs/bots"
_ANTHROPIC = "https://support.claude.com/en/articles/8896518"
_PERPLEXITY = "https://docs.perplexity.ai/guides/bots"
_GOOGLE = "https://developers.google.com/search/docs/crawling-indexing/overview-google-crawlers"
_GOOGLE_USERS = "https://developers.google.com/search/docs/crawling-indexing/google-user-triggered-fetchers"
_BING = "https://www.bing.com/webmasters/help/which-crawlers-does-bing-use-8c184ec0"
_META = "https://developers.facebook.com/docs/sharing/webmasters/web-crawlers"
_AMAZON = "https://developer.amazon.com/amazonbot"
_DUCKDUCKGO = "https://duckduckgo.com/duckduckgo-help-pages/results"
# The list has no operators. Name, operator, purpose (None: by the tags of the list), and where the operator says so.
# The first name in the agent of a robot decides, in any case, and not as the end of a word ("Fake-Googlebot").
_OPERATORS: tuple[tuple[str, str, str | None, str], ...] = (
    ("GPTBot", "OpenAI", "training", _OPENAI),
    ("ChatGPT-User", "OpenAI", "user", _OPENAI),
    ("OAI-SearchBot", "OpenAI", "search", _OPENAI),
    ("ClaudeBot", "Anthropic", "training", _ANTHROPIC),
    ("Claude-User", "Anthropic", "user", _ANTHROPIC),
    ("Claude-SearchBot", "Anthropic", "search", _ANTHROPIC),
    ("Claude-Web", "Anthropic", None, _ANTHROPIC),
    ("anthropic-ai", "Anthropic", None, _ANTHROPIC),
    ("PerplexityBot", "Perplexity", "search", _PERPLEXITY),
    ("Perplexity-User", "Perplexity", "user", _PERPLEXITY),
    ("Google-NotebookLM", "Google", "user", _GOOGLE_USERS),
    ("Google-Agent", "Google", "user", _GOOGLE_USERS),
    ("Google-CloudVertexBot", "Google", None, _GOOGLE),
    ("Feedfetcher-Google", "Google", None, _GOOGLE_USERS),
    ("GoogleOther", "Google", "crawler", _GOOGLE),
    ("Googlebot", "Google", "search", _GOOGLE),
    ("AdsBot-Google", "Google", None, _GOOGLE),
    ("Mediapartners-Google", "Google", None, _GOOGLE),
    ("Storebot-Google", "Google", "search", _GOOGLE),
    ("Google-InspectionTool", "Google", None, _GOOGLE),
    ("AzureAI-SearchBot", "Microsoft", "search", "https://azure.microsoft.com/en-us/products/ai-services"),
    ("BingPreview", "Microsoft", "preview", _BING),
    ("adidxbot", "Microsoft", None, _BING),
    ("bingbot", "Microsoft", "search", _BING),
    ("meta-externalagent", "Meta", "training", _META),
    ("meta-externalfetcher", "Meta", "user", _META),
    ("facebookexternalhit", "Meta", "preview", _META),
    ("facebookcatalog", "Meta", None, _META),
    ("FacebookBot", "Meta", "training", "https://developers.facebook.com/docs/sharing/bot/"),
    ("WhatsApp", "Meta", "preview", "https://www.whatsapp.com/"),
    ("Amzn-SearchBot", "Amazon", "search", _AMAZON),
    ("Amzn-User", "Amazon", "user", _AMAZON),
    ("Amazonbot", "Amazon", None, _AMAZON),
    ("Applebot", "Apple", "search", "https://support.apple.com/en-us/119829"),
    ("DuckAssistBot", "DuckDuckGo", "user", _DUCKDUCKGO + "/duckassistbot"),
    ("DuckDuckBot", "DuckDuckGo", "search", _DUCKDUCKGO + "/duckduckbot"),
    ("MistralAI-User", "Mistral", "user", "https://docs.mistral.ai/robots"),
    ("Bytespider", "ByteDance", None, "https://stackoverflow.com/questions/57908900"),
    ("CCBot", "Common Crawl", None, "https://commoncrawl.org/ccbot"),
    ("AI2Bot", "Allen Institute for AI", "training", "https://allenai.org/crawler"),
    ("archive.org_bot", "Internet Archive", None, "http://www.archive.org/details/archive.org_bot"),
    ("Yandex", "Yandex", None, "https://yandex.com/support/webmaster/robot-workings/check-yandex-robots.html"),
    ("Baiduspider", "Baidu", "search", "http://www.baidu.jp/spider/"),
    ("Sogou", "Sogou", "search", "http://www.sogou.com/docs/help/webmasters.htm#07"),
    ("PetalBot", "Huawei", "search", "https://webmaster.petalsearch.com/site/petalbot"),
    ("Twitterbot", "X", "preview", "https://dev.twitter.com/cards/getting-started"),
    ("Slackbot", "Slack", "preview", "https://api.slack.com/robots"),
    ("Discordbot", "Discord", "preview", "https://discordapp.com"),
    ("UptimeRobot", "UptimeRobot", "monitor", "http://www.uptimerobot.com/"),
)
_ROWS = {row[0].lower(): Robot(row[0], row[1], row[2] or "") for row in _OPERATORS}
_NAMES = lazy_pattern(rb"(?i)(?<![\w-])(?:%s)" % b"|".join(re.escape(row[0]).encode() for row in _OPERATORS))

_GRAM = 4
_MAX_KNOWN = 1 << 17  # distinct agents whose kinds are kept; a forged log has one per line
# A browser's agent: none of its bytes may lead to a pattern, as far as the pattern has others.
_BROWSERS = (
    b"Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:109.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/124.0.0.0 "
    b"Mobile Safari/537.36 Edg/124.0 OPR/109 Gecko/20100101 Firefox/115.0 Version/17.4 (Macintosh; Intel Mac OS X) "
    b"(X11; Ubuntu; Linux x86_64) (iPhone; CPU iPhone OS 17_4 like Mac OS X) Mobile/15E148 (Linux; Android 10; K) "
    b"(compatible; MSIE 9.0; Trident/5.0; .NET CLR 3.5) Opera/9.80 SamsungBrowser/24.0 (iPad; UCBrowser/ wv) WOW64 "
)


def _alternatives(pattern: str) -> list[list[bytes]]:
    """Return the texts with at least four bytes that each alternative in a pattern requires."""
    parsed: Any = re._parser.parse(pattern)  # type: ignore[attr-defined]
    if len(parsed) == 1 and str(parsed[0][0]) == "BRANCH":
        return [_literals(alternative) for alternative in parsed[0][1][1]]
    return [_literals(parsed)]


def _literals(parsed: Any) -> list[bytes]:
    found, run = [], bytearray()
    for operation, argument in (*parsed, (None, None)):
        if str(operation) == "LITERAL" and argument < 0x80:
            run.append(argument)
        else:
            found.append(bytes(run))
            run.clear()
    return [text for text in found if len(text) >= _GRAM]


def _grams(text: bytes) -> set[bytes]:
    return {text[at : at + _GRAM] for at in range(len(text) - _GRAM + 1)}


class AgentList:
    """The list's patterns in order, with an index. Safe on any thread.

    entries : regular expressions with purposes. The first pattern that an agent contains decides.
    """

    def __init__(self, entries: Iterable[tuple[str, str]]) -> None:
        self._purposes: list[str] = []
        self._patterns: list[re.Pattern[bytes]] = []
        self._index: dict[int, list[int]] = {}
        self._always: list[int] = []  # patterns without four bytes that an agent must hold
        texts = [(pattern, purpose, _alternatives(pattern)) for pattern, purpose in entries]
        frequent = Counter(gram for _, _, each in texts for some in each for text in some for gram in _grams(text))
        browsers = _grams(_BROWSERS)
        for place, (pattern, purpose, alternatives) in enumerate(texts):
            self._purposes.append(purpose)
            self._patterns.append(re.compile(pattern.encode()))
            choices = [sorted(gram for text in some for gram in _grams(text)) for some in alternatives]
            if all(choices):
                best = {min(grams, key=lambda gram: (gram in browsers, frequent[gram])) for grams in choices}
                for gram in best:
                    self._index.setdefault(int.from_bytes(gram, sys.byteorder), []).append(place)
            else:
                self._always.append(place)
        self.robot: Callable[[bytes], Robot | None] = lru_cache(_MAX_KNOWN)(self._find)

    def _find(self, agent: bytes) -> Robot | None:
        """Return the robot that sends this agent, or None for any other agent."""
        places = [*self._always]
        index = self._index
        length = len(agent)
        for start in range(_GRAM):
            end = length - (length - start) % _GRAM
            if start < end:
                words = memoryview(agent)[start:end].cast("I")
                if not index.keys().isdisjoint(words):
                    places += [place for word in set(words) if word in index for place in index[word]]
        for place in sorted(places):
            found = self._patterns[place].search(agent)
            if found is not None:
                return _robot(agent, found[0], self._purposes[place])
        return None


def _robot(agent: bytes, name: bytes, purpose: str) -> Robot:
    known = _NAMES.search(agent)
    if known is not None:
        robot = _ROWS[known[0].lower().decode()]
        return robot if robot.purpose else robot._replace(purpose=purpose)
    return Robot(name.strip(b" /;:(),+").decode("utf-8", "replace"), None, purpose)


@cache
def agent_list() -> AgentList:
    """Return the installed package's list. Raise LogError if the package is not installed."""
    try:
        from crawleruseragents import CRAWLER_USER_AGENTS_DATA as entries
    except ModuleNotFoundError:
        message = f"{', '.join(AGENT_COLUMNS)} need {PACKAGE}: {pip_install('agents')}"
        raise LogError(message) from None
    return AgentList((entry["pattern"], _purpose_of(entry.get("tags", ()))) for entry in entries)


def _purpose_of(tags: Iterable[str]) -> str:
    return next((purpose for tag, purpose in _BY_TAG.items() if tag in tags), PURPOSES[0])


def agent_texts(agents: pa.Array, name: str) -> pa.DictionaryArray:
    """Return a column of `agent_name`, `agent_operator` or `agent_purpose`.

    It is null if the agent is absent or is not a robot, or if the operator is unknown.

    >>> agents = pa.array([b"curl/8.5.0", None, b"Mozilla/5.0 (X11; Linux)", b"Mozilla/5.0 (compatible; GPTBot/1.2)"])
    >>> agent_texts(agents, "agent_name").to_pylist(), agent_texts(agents, "agent_purpose").to_pylist()
    ([b'curl', None, None, b'GPTBot'], [b'tool', None, None, b'training'])
    """
    coded = agents.cast(pa.binary()).dictionary_encode()
    member = Robot._fields.index(name.removeprefix("agent_"))
    robots = map(agent_list().robot, coded.dictionary.to_pylist())
    texts = [(robot[member] or "").encode() or None if robot is not None else None for robot in robots]
    of_distinct = pa.array(texts, pa.binary()).dictionary_encode()
    return pa.DictionaryArray.from_arrays(of_distinct.indices.take(coded.indices), of_distinct.dictionary)


def agent_bots(agents: pa.Array) -> pa.Array:
    """Return whether each agent is a robot, or null for an absent agent."""
    is_robot = agent_texts(agents, "agent_purpose").is_valid()
    return pc.if_else(agents.is_valid(), is_robot, pa.scalar(None, pa.bool_())) if agents.null_count else is_robot
