"""The code of docs/guides/fetch.md refuses a redirect to an inner address, and a name that resolves to one."""

import asyncio
import re
from pathlib import Path
from typing import Any

import pytest

PAGE = Path(__file__).resolve().parents[2] / "docs/guides/fetch.md"


def code(library: str) -> dict[str, Any]:
    """Run the block of the page that imports a library. Return its names."""
    pytest.importorskip(library)
    [block] = re.findall(rf"^```python\n(import {library}\n.*?)^```$", PAGE.read_text(encoding="utf-8"), re.S | re.M)
    names: dict[str, Any] = {}
    exec(block, names)
    return names


def test_requests_checks_each_redirect(monkeypatch: pytest.MonkeyPatch) -> None:
    names = code("requests")
    requests = names["requests"]
    places = {"http://a.example/": "/b", "http://a.example/b": "http://127.0.0.1/", "http://loop.example/": "/"}
    asked = []

    def get(url: str, **_: object) -> Any:
        asked.append(url)
        response = requests.Response()
        response.status_code = 302 if url in places else 200
        response.headers["Location"] = places.get(url, "")
        return response

    monkeypatch.setattr(requests, "get", get)
    assert names["fetch"]("http://h.example/").status_code == 200
    with pytest.raises(ValueError, match="refused: loopback"):
        names["fetch"]("http://a.example/")
    assert asked == ["http://h.example/", "http://a.example/", "http://a.example/b"]
    with pytest.raises(ValueError, match="too many"):
        names["fetch"]("http://loop.example/")


def test_httpx_checks_each_redirect() -> None:
    names = code("httpx")
    httpx = names["httpx"]

    def answer(request: Any) -> Any:
        return (
            httpx.Response(302, headers={"Location": "http://[::1]/"})
            if request.url.path == "/a"
            else httpx.Response(200)
        )

    with names["new_client"](transport=httpx.MockTransport(answer)) as client:
        assert client.get("http://h.example/").status_code == 200
        with pytest.raises(ValueError, match="refused: loopback"):
            client.get("http://h.example/a")


def test_aiohttp_checks_the_addresses_of_names(monkeypatch: pytest.MonkeyPatch) -> None:
    names = code("aiohttp")
    aiohttp = names["aiohttp"]
    addresses = ["8.8.8.8"]

    async def resolve(*_: object) -> Any:
        return [{"host": address} for address in addresses]

    monkeypatch.setattr(aiohttp.ThreadedResolver, "resolve", resolve)

    async def asked() -> Any:
        async with names["new_session"]() as session:
            return await session.connector._resolver.resolve("h.example", 80)

    assert asyncio.run(asked()) == [{"host": "8.8.8.8"}]
    for inner, scope in (("10.0.0.1", "private"), ("fe80::1", "link-local")):
        addresses[1:] = [inner]
        with pytest.raises(OSError, match=f"h.example resolves to a {scope} address"):
            asyncio.run(asked())
