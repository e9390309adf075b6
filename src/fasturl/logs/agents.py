"""Tell robots by their user agents, from the list of the package crawler-user-agents (the extra `agents`).

Most agents hold no pattern of the list. An index of four bytes from each pattern finds the few patterns that an agent
may hold, and only these are searched for.
"""

from __future__ import annotations

import re
import sys
from collections import Counter
from collections.abc import Iterable
from functools import cache
from typing import Any

import pyarrow as pa

from fasturl.logs.errors import LogError

PACKAGE = "crawler-user-agents"
# The kinds, and the kind of each tag of the list. An agent of any other tag is a crawler.
KINDS = ("crawler", "search", "assistant", "tool", "monitor")
_BY_TAG = {
    "search-engine": "search",
    "ai-crawler": "assistant",
    "http-library": "tool",
    "browser-automation": "tool",
    "monitoring": "monitor",
}
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
    """Return for each alternative of a pattern the texts that it must hold, each of at least four bytes."""
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
    """The patterns of a list, in its order, and their index. Safe on any thread.

    entries : pairs of a regular expression and a kind; the first that an agent holds decides
    """

    def __init__(self, entries: Iterable[tuple[str, str]]) -> None:
        self._kinds: list[str] = []
        self._patterns: list[re.Pattern[bytes] | bytes] = []  # bytes: the pattern is this text
        self._index: dict[int, list[int]] = {}
        self._always: list[int] = []  # patterns without four bytes that an agent must hold
        texts = [(pattern, kind, _alternatives(pattern)) for pattern, kind in entries]
        frequent = Counter(gram for _, _, each in texts for some in each for text in some for gram in _grams(text))
        browsers = _grams(_BROWSERS)
        for place, (pattern, kind, alternatives) in enumerate(texts):
            self._kinds.append(kind)
            is_plain = not re.search(r"[\\^$.|?*+()\[\]{}]", pattern)
            self._patterns.append(pattern.encode() if is_plain else re.compile(pattern.encode()))
            choices = [sorted(gram for text in some for gram in _grams(text)) for some in alternatives]
            if all(choices):
                best = {min(grams, key=lambda gram: (gram in browsers, frequent[gram])) for grams in choices}
                for gram in best:
                    self._index.setdefault(int.from_bytes(gram, sys.byteorder), []).append(place)
            else:
                self._always.append(place)
        self._known: dict[bytes, str | None] = {}

    def kind(self, agent: bytes) -> str | None:
        """Return the kind of a robot, or None for any other agent."""
        try:
            return self._known[agent]
        except KeyError:
            pass
        kind = self._find(agent)
        if len(self._known) >= _MAX_KNOWN:
            self._known = {}
        self._known[agent] = kind
        return kind

    def _find(self, agent: bytes) -> str | None:
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
            pattern = self._patterns[place]
            if pattern in agent if isinstance(pattern, bytes) else pattern.search(agent):
                return self._kinds[place]
        return None


@cache
def agent_list() -> AgentList:
    """Return the list of the installed package. Raise LogError if it is not installed."""
    try:
        from crawleruseragents import CRAWLER_USER_AGENTS_DATA as entries
    except ModuleNotFoundError:
        message = f"agent_bot and agent_kind need {PACKAGE}: pip install 'fasturl[agents]'"
        raise LogError(message) from None
    return AgentList((entry["pattern"], _kind_of(entry.get("tags", ()))) for entry in entries)


def _kind_of(tags: Iterable[str]) -> str:
    return next((_BY_TAG[tag] for tag in tags if tag in _BY_TAG), KINDS[0])


def agent_kinds(agents: pa.Array) -> pa.DictionaryArray:
    """Return the kinds of a column of agents: null for an absent agent, and for one that is not a robot.

    >>> agent_kinds(pa.array([b"curl/8.5.0", None, b"Mozilla/5.0 (X11; Linux x86_64)"])).to_pylist()
    [b'tool', None, None]
    """
    coded = agents.cast(pa.binary()).dictionary_encode()
    kind = agent_list().kind
    places = {name: place for place, name in enumerate(KINDS)}
    of_distinct = [places.get(kind(agent) or "") for agent in coded.dictionary.to_pylist()]
    words = pa.array([name.encode() for name in KINDS], pa.binary())
    return pa.DictionaryArray.from_arrays(pa.array(of_distinct, pa.int8()).take(coded.indices), words)


def agent_bots(agents: pa.Array) -> pa.Array:
    """Return whether each agent of a column is a robot, null for an absent agent."""
    is_robot = agent_kinds(agents).is_valid()
    if not agents.null_count:
        return is_robot
    present = pa.concat_arrays([agents.is_valid(), pa.array([], pa.bool_())])
    return pa.Array.from_buffers(pa.bool_(), len(agents), [present.buffers()[1], is_robot.buffers()[1]])
