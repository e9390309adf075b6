"""Robots are told as the list of crawler-user-agents tells them, pattern by pattern."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from fasturl import logs
from fasturl.logs import agents
from fasturl.logs.agents import KINDS, AgentList, agent_bots, agent_kinds

LINE = '192.0.2.1 - - [17/May/2015:10:05:03 +0000] "GET / HTTP/1.1" 200 1 "-" "%s"\n'
BROWSER = "Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0"
ENTRIES = [("Googlebot\\/", "search"), ("[wW]get", "tool"), ("^LCC ", "monitor"), ("Chirp|goto[Ss]ocial", "crawler"),
           ("bot", "crawler"),
           ("(^| )PTST\\/", "monitor"), ("a.cd+e", "tool"), ("abcdefgh|ijklmnop", "assistant")]  # fmt: skip
AGENTS = ["Googlebot/2.1", "x Googlebot/", "Googlebot", "wget", "a Wget", "LCC 1", "x LCC 1", "Chirp",
          "gotoSocial", "b", "", "PTST/1", "x PTST/", "xPTST/", "abcdde", "a\ncde", "xijklmnopx", "ijklmno",
          BROWSER]  # fmt: skip


@pytest.mark.parametrize("shift", range(4))
def test_the_first_pattern_of_the_list_decides(shift: int) -> None:
    made = AgentList(ENTRIES)
    for agent in (("." * shift + text).encode() for text in AGENTS):
        want = next((kind for pattern, kind in ENTRIES if re.search(pattern.encode(), agent)), None)
        assert made.kind(agent) == want == made.kind(agent), agent


def check_installed_list(chosen: Callable[[list[Any]], set[bytes]]) -> None:
    """Compare the list with its patterns, on the agents that are chosen from its entries."""
    data = pytest.importorskip("crawleruseragents", reason="the list is a package").CRAWLER_USER_AGENTS_DATA
    made = agents.agent_list()
    patterns = [(re.compile(entry["pattern"].encode()), agents._kind_of(entry["tags"])) for entry in data]
    for agent in chosen(data):
        assert made.kind(agent) == next((kind for pattern, kind in patterns if pattern.search(agent)), None), agent
    assert {kind for _, kind in patterns} == set(KINDS)


def test_the_installed_list_decides_as_its_patterns() -> None:
    check_installed_list(
        lambda data: {*[text.encode() for entry in data for text in entry["instances"]][::7], BROWSER.encode()}
    )


def test_the_installed_list_decides_agents_of_a_real_log(access_log: Path) -> None:
    lines = access_log.read_bytes().splitlines()
    check_installed_list(lambda data: {line.rsplit(b'"', 2)[-2] for line in lines[::5]})


def test_memory_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(agents, "_MAX_KNOWN", 10)
    made = AgentList(ENTRIES)
    assert [made.kind(b"Googlebot/%d" % n) for n in range(50)] == ["search"] * 50 and len(made._known) <= 10


def test_columns() -> None:
    pytest.importorskip("crawleruseragents", reason="the list is a package")
    log = "".join(LINE % agent for agent in ("curl/8.5.0", BROWSER, "-", "Googlebot/2.1", "GPTBot/1.2")).encode()
    table = logs.read([log], fields=["agent_kind", "agent_bot"]).read_all()
    assert table["agent_kind"].to_pylist() == ["tool", None, None, "search", "assistant"]
    assert table["agent_bot"].to_pylist() == [True, False, None, True, True]
    assert agent_bots(pa.array([], pa.binary())).to_pylist() == agent_kinds(pa.array([], pa.binary())).to_pylist() == []
    urls = logs.read([b"http://h/\n"], format="URLS", fields=["agent_kind", "agent_bot"]).read_all().to_pylist()
    assert urls == [{"agent_kind": None, "agent_bot": None}]


def test_without_the_list_one_line_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "crawleruseragents", None)
    agents.agent_list.cache_clear()
    try:
        with pytest.raises(logs.LogError, match=r"need crawler-user-agents: pip install 'fasturl\[agents\]'"):
            logs.read([(LINE % "a").encode()], fields=["agent_bot"]).read_all()
    finally:
        agents.agent_list.cache_clear()
