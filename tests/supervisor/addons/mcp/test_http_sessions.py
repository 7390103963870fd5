"""Sessions of HTTP clients, each with an agent of its own; and a task of a fleet as such an agent, without a fleet."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable, Mapping
from contextlib import asynccontextmanager
from typing import Any

import httpx2
import pytest
from mcp_types.version import HANDSHAKE_PROTOCOL_VERSIONS, LATEST_MODERN_VERSION
from starlette.types import ASGIApp, Message

from supervisor.addons.mcp import http_sessions, server
from supervisor.addons.mcp.http_sessions import HttpSessions
from supervisor.addons.mcp.server import SupervisorServer

INITIALIZE = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}


class NotedAgent:
    """An agent that notes what is asked of it."""

    def __init__(self) -> None:
        self.notes: list[str] = []

    async def start(self) -> None:
        self.notes.append("start")

    async def stop(self) -> None:
        self.notes.append("stop")

    def definitions(self, *, structured: bool) -> list[dict[str, Any]]:
        return []

    def as_content(self, name: str, result: Mapping[str, Any]) -> list[dict[str, Any]]:
        return [{"type": "text", "text": name}]

    async def call(self, name: str, arguments: object) -> dict[str, Any]:
        return {"success": True}


class Wire:
    """Clients of a server that is in this process."""

    def __init__(self, http: httpx2.AsyncClient, agents: list[NotedAgent]) -> None:
        self.agents = agents
        self._http = http

    async def ask(
        self, method: str, params: dict[str, Any] | None = None, session: str = "", version: str = "2025-11-25"
    ) -> httpx2.Response:
        """Post a request."""
        body = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params or {}}
        return await self._http.post("/mcp", json=body, headers=_headers(session, version))

    async def begin(self) -> str:
        """Begin a session; its id."""
        return (await self.ask("initialize", INITIALIZE)).headers["mcp-session-id"]

    async def end(self, session: str) -> None:
        """End a session."""
        await self._http.delete("/mcp", headers=_headers(session, "2025-11-25"))


def _headers(session: str, version: str) -> dict[str, str]:
    always = {"accept": "application/json, text/event-stream", "mcp-protocol-version": version}
    return {**always, "mcp-session-id": session} if session else always


@asynccontextmanager
async def lifespan(app: ASGIApp) -> AsyncGenerator[None]:
    """Start an ASGI application, and end it."""
    to_app: asyncio.Queue[Message] = asyncio.Queue()
    from_app: asyncio.Queue[Message] = asyncio.Queue()
    running = asyncio.ensure_future(app({"type": "lifespan", "asgi": {"version": "3.0"}}, to_app.get, from_app.put))
    to_app.put_nowait({"type": "lifespan.startup"})
    assert (await from_app.get())["type"] == "lifespan.startup.complete"
    yield
    to_app.put_nowait({"type": "lifespan.shutdown"})
    await running


@asynccontextmanager
async def serving() -> AsyncGenerator[Wire]:
    agents: list[NotedAgent] = []

    def make() -> NotedAgent:
        agents.append(NotedAgent())
        return agents[-1]

    served = SupervisorServer(HttpSessions(make, ask_user=False))
    app = served.http_app("/mcp")
    http = httpx2.AsyncClient(transport=httpx2.ASGITransport(app), base_url="http://localhost")
    async with served.running(), lifespan(app), http:
        yield Wire(http, agents)


async def until(holds: Callable[[], object]) -> None:
    async with asyncio.timeout(20):
        while not holds():  # noqa: ASYNC110 - what is waited for tells nobody
            await asyncio.sleep(0.005)


async def test_each_session_has_an_agent_from_its_first_request_to_its_end() -> None:
    async with serving() as wire:
        first, second = await wire.begin(), await wire.begin()
        assert wire.agents == []

        for session in (first, second, first):
            assert (await wire.ask("tools/list", session=session)).status_code == 200
        assert [agent.notes for agent in wire.agents] == [["start"], ["start"]]

        await wire.end(first)
        assert [agent.notes for agent in wire.agents] == [["start", "stop"], ["start"]]
        assert (await wire.ask("tools/list", session=first)).status_code == 404
        assert len(wire.agents) == 2

    assert wire.agents[1].notes == ["start", "stop"]


async def test_a_protocol_without_sessions_is_refused_with_those_that_have() -> None:
    async with serving() as wire:
        answer = await wire.ask("server/discover", version=LATEST_MODERN_VERSION)

    assert answer.status_code == 400
    assert answer.json()["error"]["data"]["supported"] == list(HANDSHAKE_PROTOCOL_VERSIONS)


async def test_a_session_that_nobody_uses_any_more_is_forgotten_with_its_agent(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(http_sessions, "IDLE_S", 0.0)
    monkeypatch.setattr(http_sessions, "LATER_S", 0.0)
    async with serving() as wire:
        session = await wire.begin()
        await wire.ask("tools/list", session=session)

        await until(lambda: wire.agents[0].notes == ["start", "stop"])


async def test_a_session_that_nobody_uses_any_more_is_unknown_before_its_agent_ends(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(server, "IDLE_S", 0.01)
    async with serving() as wire, asyncio.timeout(20):
        session = await wire.begin()
        pause = 0.02
        while (await wire.ask("tools/list", session=session)).status_code != 404:  # noqa: ASYNC110 - the library tells nobody
            await asyncio.sleep(pause := 2 * pause)


async def test_there_are_so_many_sessions_and_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(http_sessions, "MOST", 2)
    async with serving() as wire:
        sessions = [await wire.begin() for _ in range(2)]
        for session in sessions:
            await wire.ask("tools/list", session=session)

        answer = await wire.ask("tools/list", session=await wire.begin())

        assert "this server serves 2 sessions at a time, and has as many" in answer.text
        assert len(wire.agents) == 2
