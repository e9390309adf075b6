"""Robots are told as the list of crawler-user-agents tells them, pattern by pattern."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from fasturl import logs
from fasturl.logs import agents
from fasturl.logs.agents import PURPOSES, AgentList, Robot, agent_bots, agent_texts

LINE = '192.0.2.1 - - [17/May/2015:10:05:03 +0000] "GET / HTTP/1.1" 200 1 "-" "%s"\n'
BROWSER = "Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0"
FAKE = "s4a-probe-bot/1.0; Fake-Googlebot"
ENTRIES = [("Examplebt\\/", "search"), ("[wW]get", "tool"), ("^LCC ", "monitor"), ("Chirp|goto[Ss]ocial", "crawler"),
           ("bt", "crawler"),
           ("(^| )PTST\\/", "monitor"), ("a.cd+e", "tool"), ("abcdefgh|ijklmnop", "ai")]  # fmt: skip
AGENTS = ["Examplebt/2.1", "x Examplebt/", "Examplebt", "wget", "a Wget", "LCC 1", "x LCC 1", "Chirp", "gotoSocial",
          "b", "", "PTST/1", "x PTST/", "xPTST/", "abcdde", "a\ncde", "xijklmnopx", "ijklmno", BROWSER]  # fmt: skip


@pytest.mark.parametrize("shift", range(4))
def test_the_first_pattern_of_the_list_decides(shift: int) -> None:
    made = AgentList(ENTRIES)
    for agent in (("." * shift + text).encode() for text in AGENTS):
        want = next((purpose for pattern, purpose in ENTRIES if re.search(pattern.encode(), agent)), None)
        assert purpose_of(made.robot(agent)) == want == purpose_of(made.robot(agent)), agent


def purpose_of(robot: Robot | None) -> str | None:
    return None if robot is None else robot.purpose


def check_installed_list(chosen: Callable[[list[Any]], set[bytes]]) -> None:
    """Compare the list with its patterns, on the agents that are chosen from its entries."""
    data = pytest.importorskip("crawleruseragents", reason="the list is a package").CRAWLER_USER_AGENTS_DATA
    made = agents.agent_list()
    patterns = [(re.compile(entry["pattern"].encode()), agents._purpose_of(entry["tags"])) for entry in data]
    for agent in chosen(data):
        robot = made.robot(agent)
        found = next(((pattern.search(agent), purpose) for pattern, purpose in patterns if pattern.search(agent)), None)
        assert (robot is None) == (found is None), agent
        if robot is not None and found is not None and robot.operator is None:
            assert robot.purpose == found[1] and robot.name in found[0][0].decode("utf-8", "replace"), agent
    assert {purpose for _, purpose in patterns} == {*PURPOSES} - {"training", "user"}


def test_each_operator_has_an_agent_in_the_list() -> None:
    data = pytest.importorskip("crawleruseragents", reason="the list is a package").CRAWLER_USER_AGENTS_DATA
    texts = [text.encode() for entry in data for text in (*entry["instances"], entry["pattern"].replace("\\", ""))]
    named = {robot.name for robot in map(agents.agent_list().robot, texts) if robot is not None and robot.operator}
    assert named == {row[0] for row in agents._OPERATORS} and len(agents._OPERATORS) <= 60
    assert all(row[3].startswith("http") and row[2] in (None, *PURPOSES) for row in agents._OPERATORS)


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
    assert [purpose_of(made.robot(b"Examplebt/%d" % n)) for n in range(50)] == ["search"] * 50
    assert made.robot.cache_info().currsize <= 10  # type: ignore[attr-defined]


def test_columns() -> None:
    pytest.importorskip("crawleruseragents", reason="the list is a package")
    log = "".join(LINE % agent for agent in ("curl/8.5.0", BROWSER, "-", "Googlebot/2.1", "GPTBot/1.2", FAKE)).encode()
    names = ["agent_bot", "agent_name", "agent_operator", "agent_purpose"]
    assert logs.read([log], fields=names).read_all().to_pydict() == {
        "agent_bot": [True, False, None, True, True, True],
        "agent_name": ["curl", None, None, "Googlebot", "GPTBot", "s4a-probe-bot"],
        "agent_operator": [None, None, None, "Google", "OpenAI", None],
        "agent_purpose": ["tool", None, None, "search", "training", "crawler"],
    }
    nothing = pa.array([], pa.binary())
    assert agent_bots(nothing).to_pylist() == agent_texts(nothing, "agent_name").to_pylist() == []
    urls = logs.read([b"http://h/\n"], format="URLS", fields=names).read_all().to_pylist()
    assert urls == [dict.fromkeys(names)]


def test_without_the_list_one_line_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "crawleruseragents", None)
    agents.agent_list.cache_clear()
    try:
        with pytest.raises(logs.LogError, match=r"need crawler-user-agents: pip install '.*\[agents\]'"):
            logs.read([(LINE % "a").encode()], fields=["agent_bot"]).read_all()
    finally:
        agents.agent_list.cache_clear()
