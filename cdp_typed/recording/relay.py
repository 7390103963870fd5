"""A websocket relay on this machine: clients connect to it as to a browser, and it forwards messages both ways."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Generator
from contextlib import contextmanager
from http import HTTPStatus
from types import TracebackType
from typing import TypeAlias

from websockets.asyncio.server import Server, ServerConnection, serve
from websockets.datastructures import Headers
from websockets.exceptions import ConnectionClosed
from websockets.http11 import Request, Response

from cdp_typed.addresses import host_of_header, is_loopback
from cdp_typed.errors import EndpointError
from cdp_typed.recording.taps import Direction
from cdp_typed.transport import Transport, TransportClosed
from cdp_typed.transport.handshake import SILENT

BROWSER_PATH = "/devtools/browser/relay"
PAGE_PATH = "/devtools/page/"

RelayCallback: TypeAlias = Callable[[int, Direction, bytes], object]
_INTERNAL_ERROR = 1011


class Relay:
    """A websocket server on 127.0.0.1 for the length of an `async with` block.

    `dial` opens the transport to the browser for a client that requested this path; `watch` is called with the client's
    number and each message before it is forwarded. A client whose browser cannot be reached is closed with code 1011;
    when the browser's connection ends, the client's ends without a close frame, as it would have. An exception of
    `watch` ends that client's connection, and is the result of `failed`.
    """

    def __init__(
        self,
        dial: Callable[[str], Awaitable[Transport]],
        watch: RelayCallback,
        *,
        port: int = 0,
        max_size: int = 256 * 2**20,
    ) -> None:
        self._dial = dial
        self._watch = watch
        self._port = port
        self._max_size = max_size
        self._server: Server | None = None
        self._clients = 0
        self.failed: asyncio.Future[Exception] = asyncio.get_running_loop().create_future()

    @property
    def url(self) -> str:
        """The address of the whole browser."""
        return f"ws://127.0.0.1:{self._port}{BROWSER_PATH}"

    async def __aenter__(self) -> Relay:
        self._server = await serve(
            self._serve,
            "127.0.0.1",
            self._port,
            process_request=self._http,
            max_size=self._max_size,
            compression=None,
            ping_interval=None,
            close_timeout=1,
            logger=SILENT,
        )
        self._port = next(iter(self._server.sockets)).getsockname()[1]
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        assert self._server is not None
        self._server.close()
        await self._server.wait_closed()

    def _http(self, connection: ServerConnection, request: Request) -> Response | None:
        # Chromium's own rules, without which any web page could drive the browser through the relay.
        if "Origin" in request.headers:
            return _answer(HTTPStatus.FORBIDDEN, {"error": "no Origin header is let in"})
        hosts = request.headers.get_all("Host")
        if len(hosts) != 1 or not is_loopback(host_of_header(hosts[0]) or ""):
            return _answer(HTTPStatus.INTERNAL_SERVER_ERROR, {"error": "the Host must be this machine"})
        path = request.path.partition("?")[0]
        if path.rstrip("/") == "/json/version":
            return _answer(HTTPStatus.OK, {"Protocol-Version": "1.3", "webSocketDebuggerUrl": self.url})
        if path == BROWSER_PATH or path.startswith(PAGE_PATH):
            return None
        return _answer(HTTPStatus.NOT_FOUND, {"error": "here are /json/version and its websocket only"})

    async def _serve(self, client: ServerConnection) -> None:
        assert client.request is not None
        number, self._clients = self._clients, self._clients + 1
        try:
            browser = await self._dial(client.request.path)
        except EndpointError as error:
            await client.close(_INTERNAL_ERROR, str(error)[:100])
            return
        down = asyncio.create_task(self._down(number, browser, client))
        try:
            with self._failing(client):
                await self._up(number, client, browser)
        finally:
            down.cancel()
            await asyncio.gather(down, return_exceptions=True)
            await browser.close()

    async def _up(self, number: int, client: ServerConnection, browser: Transport) -> None:
        async for message in client:
            if isinstance(message, bytes):
                client.transport.abort()  # as Chromium does, without a close frame
                return
            data = message.encode()
            self._watch(number, "sent", data)
            browser.send(data)

    async def _down(self, number: int, browser: Transport, client: ServerConnection) -> None:
        with self._failing(client):
            while True:
                data = await browser.receive()
                self._watch(number, "received", data)
                await client.send(data, text=True)

    @contextmanager
    def _failing(self, client: ServerConnection) -> Generator[None]:
        """Abort the client's connection when the block raises, and keep an error that is no end of a connection."""
        try:
            yield
        except (ConnectionClosed, TransportClosed):
            client.transport.abort()
        except Exception as error:
            client.transport.abort()
            if not self.failed.done():
                self.failed.set_result(error)


def _answer(status: HTTPStatus, body: dict[str, str]) -> Response:
    text = json.dumps(body).encode()
    headers = Headers({"Content-Type": "application/json", "Content-Length": str(len(text)), "Connection": "close"})
    return Response(status.value, status.phrase, headers, text)
