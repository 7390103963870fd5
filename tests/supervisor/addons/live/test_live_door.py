"""Who is let in to the live view, and what a viewer may say."""

from __future__ import annotations

import asyncio
import json
import tempfile
from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

import httpx2
import pytest
from websockets import ClientConnection, connect
from websockets.exceptions import ConnectionClosedError
from websockets.typing import Subprotocol

from cdp_typed.mock import ThreadedMockServer
from supervisor import AsyncSupervisor
from supervisor.addons.live import Address, LiveView, serve_live
from supervisor.tools.handlers.handler_calls import RunningCall
from tests.supervisor.addons.live.conftest import PATIENCE_S
from tests.support.secrets import CANARY

TOKEN = "token." + CANARY.encode().hex()
PROTOCOLS = ["cdp-live", TOKEN]


@asynccontextmanager
async def served() -> AsyncGenerator[tuple[AsyncSupervisor, str]]:
    """The live view of a supervisor of the mock, and its URL."""
    with ThreadedMockServer() as mock:
        async with (
            AsyncSupervisor(mock.url) as supervisor,
            serve_live(LiveView(supervisor), Address(token=CANARY)) as url,
        ):
            yield supervisor, url


async def status_of(url: str, path: str, headers: Mapping[str, str]) -> tuple[int, str]:
    """The status and the head of the answer to a request with exactly these headers."""
    host, _, port = url.removeprefix("http://").partition(":")
    reader, writer = await asyncio.open_connection(host, int(port))
    lines = [f"GET {path} HTTP/1.1", *(f"{name}: {value}" for name, value in headers.items())]
    writer.write("\r\n".join([*lines, "", ""]).encode())
    head = (await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), 20)).decode()
    writer.close()
    await writer.wait_closed()
    return int(head.split()[1]), head


@pytest.mark.parametrize(
    ("changed", "status"),
    [
        ({}, 101),
        ({"Origin": "http://localhost:1"}, 101),
        ({"Sec-WebSocket-Protocol": "cdp-live"}, 401),
        ({"Sec-WebSocket-Protocol": "cdp-live, token.00"}, 401),
        ({"Sec-WebSocket-Protocol": "cdp-live, token.nohex"}, 401),
        ({"Sec-WebSocket-Protocol": "cdp-live", "Cookie": f"token={CANARY}"}, 401),
        ({"Host": "evil.example"}, 421),
        ({"Origin": "https://evil.example"}, 403),
        ({"Origin": "null"}, 403),
    ],
)
async def test_the_websocket_lets_in_who_has_the_token_and_is_no_foreign_page(
    changed: dict[str, str], status: int
) -> None:
    good = {
        "Host": "127.0.0.1",
        "Connection": "Upgrade",
        "Upgrade": "websocket",
        "Sec-WebSocket-Version": "13",
        "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
        "Sec-WebSocket-Protocol": ", ".join(PROTOCOLS),
    }
    async with served() as (_, url):
        assert (await status_of(url, "/feed", {**good, **changed}))[0] == status


@pytest.mark.parametrize(
    ("path", "host", "status"),
    [("/", "127.0.0.1", 200), ("/", "evil.example", 421), ("/feed", "127.0.0.1", 401), ("/x", "127.0.0.1", 401)],
)
async def test_files_are_for_everybody_who_knows_the_name_and_nothing_else_is(
    path: str, host: str, status: int
) -> None:
    async with served() as (_, url):
        found, head = await status_of(url, path, {"Host": host})

    assert found == status
    assert ("Content-Security-Policy" in head.title()) is (status == 200)


def feed(url: str) -> connect:
    """A viewer's connection, without a browser."""
    return connect(f"{url.replace('http', 'ws')}/feed", subprotocols=[Subprotocol(name) for name in PROTOCOLS])


@pytest.mark.parametrize(
    "said", ["no json", '{"do": "fly"}', '{"do": "look", "targetId": 5}', '{"do": "mouse", "type": "x"}', b"\xff"]
)
async def test_who_says_what_no_page_of_ours_says_is_shown_the_door(said: str | bytes) -> None:
    async with served() as (supervisor, url), feed(url) as socket:
        await socket.send(said)
        with suppress(ConnectionClosedError):
            async for _ in socket:
                pass

        assert socket.close_code == 1008
        assert supervisor.is_running


async def test_what_does_not_work_is_told_in_a_sentence() -> None:
    async with served() as (_, url), feed(url) as socket:
        await socket.send('{"do": "answer", "dialogId": "d-9", "accept": true}')

        assert await section(socket, "notices") == [{"text": "dialog 'd-9' is not open; open: none"}]


async def section(socket: ClientConnection, name: str, wanted: Any = None) -> Any:
    """The next section of this name that a viewer gets, or the next that is what is wanted."""
    async with asyncio.timeout(PATIENCE_S):
        while name not in (told := json.loads(await socket.recv())) or wanted not in (None, told[name]):
            pass
    return told[name]


async def test_a_supervisor_that_comes_later_is_shown_then_and_the_next_one_after_it() -> None:
    there: list[AsyncSupervisor] = []
    view = LiveView(lambda: there[-1] if there else None)
    with ThreadedMockServer() as mock:
        async with serve_live(view, Address(token=CANARY)) as url, feed(url) as socket:
            await section(socket, "connection", {"state": "not started", "reason": ""})

            async with AsyncSupervisor(mock.url) as first:
                there.append(first)
                await section(socket, "connection", {"state": "ready", "reason": ""})
            await section(socket, "connection", {"state": "stopped", "reason": "stopped"})

            async with AsyncSupervisor(mock.url) as second:
                there.append(second)
                await section(socket, "connection", {"state": "ready", "reason": ""})


async def test_tools_and_calls_that_wait_for_the_person_are_told_each() -> None:
    tools = [RunningCall("browser_click", 5.0), RunningCall("browser_click", 6.0), RunningCall("browser_wait", 7.0)]
    with ThreadedMockServer() as mock:
        async with AsyncSupervisor(mock.url) as supervisor:
            supervisor.takeover.begin()
            held = ("browser_click", "Page.navigate", "Page.navigate")
            waiting = [asyncio.create_task(supervisor.takeover.wait_until_allowed(what, 60)) for what in held]
            async with (
                serve_live(LiveView(supervisor, tools=lambda: tools), Address(token=CANARY)) as url,
                feed(url) as socket,
            ):
                calls = await section(socket, "calls")
            supervisor.takeover.end()
            await asyncio.gather(*waiting)

    person = "the person in control"
    assert [(call["what"], call["waits"], call["tool"]) for call in calls] == [
        ("browser_click", person, True),
        ("browser_click", "", True),
        ("browser_wait", "", True),
        ("Page.navigate", person, False),
        ("Page.navigate", person, False),
    ]


@pytest.mark.parametrize(
    ("name", "token", "status", "answer"),
    [
        ("a.txt", "", 401, "token"),
        ("a.txt", "wrong", 401, "token"),
        ("", CANARY, 400, "needs a name"),
        ("..%2F..", CANARY, 400, "needs a name"),
        ("x" * 201, CANARY, 400, "needs a name"),
        ("..%2F..%2Fetc%2Fpasswd", CANARY, 200, "/passwd"),
    ],
)
async def test_a_file_is_taken_only_with_the_token_and_stays_in_its_directory(
    name: str, token: str, status: int, answer: str
) -> None:
    async with served() as (_, url):
        got, text = await uploaded(url, name, token)

        assert (got, answer in text) == (status, True)
        if status == 200:
            assert kept(text) == (b"some bytes", 0o700)
    if status == 200:
        assert kept(text) is None


async def test_a_file_for_a_browser_of_another_machine_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    def is_elsewhere(host: str) -> bool:
        return host == "elsewhere"

    monkeypatch.setattr("supervisor.addons.live.uploads.is_loopback", is_elsewhere)
    told = "The browser runs on another machine. Type the path of a file there."
    async with served() as (_, url):
        assert await uploaded(url, "a.txt", CANARY) == (409, told)


async def test_a_file_that_is_too_large_is_refused_and_removed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("supervisor.addons.live.uploads.MAX_UPLOAD", 9)
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    async with served() as (_, url):
        assert (await uploaded(url, "large.txt", CANARY))[0] == 413
        assert kept_in(tmp_path) == []


def kept_in(folder: Path) -> list[Path]:
    return list(folder.glob("cdp-live-*/*"))


def kept(answer: str) -> tuple[bytes, int] | None:
    """The file that the server keeps for an upload, and the rights of the directory of all files."""
    path = Path(json.loads(answer)["path"])
    return (path.read_bytes(), path.parent.parent.stat().st_mode & 0o777) if path.exists() else None


async def uploaded(url: str, name: str, token: str) -> tuple[int, str]:
    """The status and the body of the answer to a file that a viewer sends."""
    headers = {"Authorization": f"Bearer {token}".strip()}
    async with httpx2.AsyncClient() as client:
        answer = await client.post(f"{url}/upload?name={name}", content=b"some bytes", headers=headers)
    return answer.status_code, answer.text
