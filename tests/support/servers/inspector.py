"""The inspector of a JavaScript runtime, as Node 20 and Deno 2.9 have it: no browser, a websocket for each script."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Coroutine, Generator
from contextlib import contextmanager
from typing import Any, TypeVar

from websockets.asyncio.server import Server, ServerConnection, serve
from websockets.datastructures import Headers
from websockets.http11 import Request, Response

T = TypeVar("T")

_NODE = {"Browser": "node.js/v20.20.2", "Protocol-Version": "1.1"}
_CONTEXT = {"id": 1, "origin": "", "name": "node[1]", "uniqueId": "1.2", "auxData": {"isDefault": True}}


class Inspector:
    """A running inspector: its addresses, and the methods that were called."""

    def __init__(self, port: int, scripts: int) -> None:
        self.port = port
        self.http_url = f"http://127.0.0.1:{self.port}"
        self.ids = [f"{number:08x}-68c7-4c6c-9c2b-1d6c2d1f0e5a" for number in range(scripts)]
        self.calls: list[str] = []

    def ws_url(self, at: int = 0) -> str:
        """The websocket of one script."""
        return f"ws://127.0.0.1:{self.port}/{self.ids[at]}"

    def listed(self) -> list[dict[str, str]]:
        """The answer to `/json/list`."""
        return [
            {
                "description": "node.js instance",
                "id": id_,
                "title": f"node[{at}]",
                "type": "node",
                "url": "file://",
                "webSocketDebuggerUrl": f"ws://elsewhere.example:1/{id_}",
            }
            for at, id_ in enumerate(self.ids)
        ]

    def page(self, path: str) -> Response:
        """The answer to a request."""
        said = {"/json/version": _NODE, "/json/list": self.listed()}.get(path)
        body = json.dumps(said).encode()
        fields = Headers({"Content-Length": str(len(body)), "Connection": "close"})
        return Response(404 if said is None else 200, "Whatever", fields, body)

    def answer(self, call: dict[str, Any]) -> list[dict[str, Any]]:
        """The messages that answer a call: its reply, after events if it causes any."""
        method, number = call["method"], call["id"]
        self.calls.append(method)
        match method:
            case "Runtime.evaluate":
                return [{"id": number, "result": {"result": {"type": "number", "value": 42, "description": "42"}}}]
            case "Runtime.enable":
                event = {"method": "Runtime.executionContextCreated", "params": {"context": _CONTEXT}}
                return [event, {"id": number, "result": {}}]
            case _:
                return [{"id": number, "error": {"code": -32601, "message": f"'{method}' wasn't found"}}]


@contextmanager
def inspector(scripts: int = 1) -> Generator[Inspector]:
    """One that runs in a thread of its own for the length of a block."""
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever, name="inspector", daemon=True)
    thread.start()

    def do(work: Coroutine[Any, Any, T]) -> T:
        return asyncio.run_coroutine_threadsafe(work, loop).result(10)

    server, seen = do(_serve(scripts))
    try:
        yield seen
    finally:
        do(_close(server))
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.close()


async def _serve(scripts: int) -> tuple[Server, Inspector]:
    async def talk(peer: ServerConnection) -> None:
        async for message in peer:
            for reply in seen.answer(json.loads(message)):
                await peer.send(json.dumps(reply))

    def http(_: ServerConnection, request: Request) -> Response | None:
        return None if "Upgrade" in request.headers else seen.page(request.path.partition("?")[0])

    server = await serve(talk, "127.0.0.1", 0, process_request=http, close_timeout=0.1)
    seen = Inspector(next(iter(server.sockets)).getsockname()[1], scripts)
    return server, seen


async def _close(server: Server) -> None:
    server.close()
    await server.wait_closed()
