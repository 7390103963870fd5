"""Gateways between a client and a browser: a proxy, TLS, a server that refuses a few times first."""

from __future__ import annotations

import asyncio
import json
import ssl
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from http import HTTPStatus
from pathlib import Path

from websockets.asyncio.server import ServerConnection, serve
from websockets.datastructures import Headers
from websockets.http11 import Request, Response

from tests.support.secrets import CANARY
from tests.support.servers.listeners import Handler, listening

_TLS = Path(__file__).parent / "tls"
CA = _TLS / "ca.pem"
"""A certificate authority for tests alone; its key is thrown away. The server's key is in the repository."""

VERSION = {"protocolVersion": "1.3", "product": "P", "revision": "R", "userAgent": "U", "jsVersion": "J"}

Answer = Callable[[Request], Response | None]
"""Decides on a request to a gateway: a response, or `None` to let it through."""


def server_tls() -> ssl.SSLContext:
    """The server's side of TLS for `localhost` and `127.0.0.1`, with a certificate of `CA`."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(_TLS / "server.pem")
    return context


def refusal(status: int, body: str = "", **headers: str) -> Response:
    """An HTTP answer; underscores in the names of headers stand for hyphens."""
    fields = Headers({"Content-Length": str(len(body.encode()))})
    for name, value in headers.items():
        fields[name.replace("_", "-")] = value
    return Response(status, HTTPStatus(status).phrase, fields, body.encode())


@asynccontextmanager
async def browser_behind(answer: Answer = lambda _: None, tls: ssl.SSLContext | None = None) -> AsyncGenerator[int]:
    """A server that answers `/json/version` and `Browser.getVersion`, behind `answer`; gives its port.

    A command `Browser.close` makes it close the websocket with 4001.
    """

    def process(_: ServerConnection, request: Request) -> Response | None:
        said = answer(request)
        if said is None and request.path.startswith("/json/version"):
            return refusal(200, json.dumps({"webSocketDebuggerUrl": "ws://elsewhere.example/devtools/browser/abc"}))
        return said

    async def talk(peer: ServerConnection) -> None:
        async for message in peer:
            command = json.loads(message)
            if command["method"] == "Browser.close":
                await peer.close(4001, f"signature expired {CANARY}")
                return
            await peer.send(json.dumps({"id": command["id"], "result": VERSION}))

    async with serve(talk, "127.0.0.1", 0, process_request=process, ssl=tls) as server:
        port: int = next(iter(server.sockets)).getsockname()[1]
        yield port


@asynccontextmanager
async def proxy(to: int, heads: list[str]) -> AsyncGenerator[int]:
    """An HTTP proxy that leads every `CONNECT` to this port of the machine; the requests are kept in `heads`."""

    async def tunnel(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        heads.append((await reader.readuntil(b"\r\n\r\n")).decode())
        onward, back = await asyncio.open_connection("127.0.0.1", to)
        writer.write(b"HTTP/1.1 200 Connection established\r\n\r\n")
        try:
            await asyncio.gather(_pour(reader, back), _pour(onward, writer))
        finally:
            back.transport.abort()

    handler: Handler = tunnel
    async with listening(handler) as port:
        yield port


async def _pour(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    while data := await reader.read(65536):
        writer.write(data)
    if writer.can_write_eof() and not writer.is_closing():
        writer.write_eof()
