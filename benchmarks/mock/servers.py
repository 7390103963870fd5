"""Fake browsers to be measured, in their own process.

    python -m benchmarks.mock.servers serve NAME EVENTS    prints an address, and serves until it is killed
    python -m benchmarks.mock.servers start NAME COUNT     prints the seconds and the bytes that each of many takes

`mock` is `cdp_typed.mock`. `canned` is a fake as projects write it by hand: a websocket server and a dictionary of
results. `echo` sends every message back, without JSON. `Page.bringToFront` is answered after EVENTS events.
"""

from __future__ import annotations

import asyncio
import json
import sys
import time
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager, AsyncExitStack
from pathlib import Path
from typing import Any

from websockets.asyncio.server import Server, ServerConnection, serve

from cdp_typed.mock import MockServer
from cdp_typed.protocol import network, page

NAMES = ("mock", "canned", "echo")
_EVENT = {"requestId": "R1", "timestamp": 1.5, "dataLength": 100, "encodedDataLength": 90}
_VERSION = {"protocolVersion": "1.3", "product": "P", "revision": "R", "userAgent": "U", "jsVersion": "J"}
_CANNED: dict[str, Any] = {"Browser.getVersion": _VERSION, "Network.enable": {}, "Page.bringToFront": {}}


def mock(events: int) -> MockServer:
    """Return `cdp_typed.mock`: every call, reply and event is checked against the schema."""
    server = MockServer()
    event = network.DataReceived(
        request_id=network.RequestId("R1"),
        timestamp=network.MonotonicTime(1.5),
        data_length=100,
        encoded_data_length=90,
    )

    def flood(_params: dict[str, Any]) -> dict[str, Any]:
        for _ in range(events):
            server.browser.emit(event)
        return {}

    server.browser.on(page.BringToFront, flood)
    return server


def canned(events: int) -> AbstractAsyncContextManager[Server]:
    """Return a server with a dictionary of results, without checks."""

    async def talk(socket: ServerConnection) -> None:
        async for message in socket:
            call = json.loads(message)
            if call["method"] == "Page.bringToFront":
                for _ in range(events):
                    await socket.send(json.dumps({"method": "Network.dataReceived", "params": _EVENT}))
            await socket.send(json.dumps({"id": call["id"], "result": _CANNED[call["method"]]}))

    return serve(talk, "127.0.0.1", 0, compression=None)


def echo(events: int) -> AbstractAsyncContextManager[Server]:
    """Return a server that is the websocket library alone."""
    event = json.dumps({"method": "Network.dataReceived", "params": _EVENT})

    async def talk(socket: ServerConnection) -> None:
        async for message in socket:
            if "bringToFront" in str(message):
                for _ in range(events):
                    await socket.send(event)
            await socket.send(message)

    return serve(talk, "127.0.0.1", 0, compression=None)


_MAKERS: dict[str, Callable[[int], AbstractAsyncContextManager[MockServer | Server]]] = {
    "mock": mock,
    "canned": canned,
    "echo": echo,
}


async def _serve(name: str, events: int) -> None:
    async with _MAKERS[name](events) as server:
        print(_address(server), flush=True)
        await asyncio.Event().wait()


def _address(server: MockServer | Server) -> str:
    if isinstance(server, MockServer):
        return f"{server.address} /devtools/page/{server.browser.pages[0].id}"
    return f"127.0.0.1:{next(iter(server.sockets)).getsockname()[1]} /"


async def _start(name: str, count: int) -> None:
    async with _MAKERS[name](0), AsyncExitStack() as stack:
        before, started = _resident(), time.perf_counter()
        for _ in range(count):
            await stack.enter_async_context(_MAKERS[name](0))
        print((time.perf_counter() - started) / count, (_resident() - before) / count, flush=True)


def _resident() -> int:
    return int(Path("/proc/self/statm").read_text().split()[1]) * 4096


def main() -> None:
    """Run the task of the command line."""
    task, name, number = sys.argv[1:]
    asyncio.run((_serve if task == "serve" else _start)(name, int(number)))


if __name__ == "__main__":
    main()
