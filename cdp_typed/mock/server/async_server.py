"""`MockServer`: the mock's browser behind a websocket on this machine, for `async with`.

The server adds sockets only: `MockBrowser` makes every decision, and may be scripted from any thread.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections import deque
from collections.abc import Mapping
from http import HTTPStatus
from types import TracebackType

from cdp_typed.mock.control.handshake_faults import HandshakeFault
from cdp_typed.mock.control.mock_browser import MockBrowser, as_browser
from cdp_typed.mock.personality import LOCAL, Personality
from cdp_typed.mock.server.debugging_port import BROWSER_PATH, DebuggingPort, PortRequest, PortResponse
from cdp_typed.mock.server.delivery import Delivery
from cdp_typed.mock.server.socket_connection import SocketConnection
from cdp_typed.mock.site import Page, Site


class UrlTokens:
    """Issues and checks tokens that expire after `expire_s`; with None there are none, and all URLs are valid."""

    def __init__(self, expire_s: float | None) -> None:
        self._expire_s = expire_s
        self._issued: dict[str, float] = {}

    def token(self) -> str:
        """Issue a token, as the query of a URL."""
        if self._expire_s is None:
            return ""
        name = f"?token={len(self._issued) + 1}"
        self._issued[name] = time.monotonic()
        return name

    def lets_in(self, path: str) -> bool:
        """Return whether the URL's token is valid now."""
        if self._expire_s is None:
            return True
        issued = self._issued.get(path[path.find("?") :])
        return issued is not None and time.monotonic() - issued < self._expire_s


_GOING_AWAY = 1001


class MockServer:
    """A mock browser that clients can connect to. `site` is what it can visit, or a whole `MockBrowser`.

    A command that the mock does not model is refused; with `samples` it is answered with a valid, meaningless sample of
    the schema. `docs/mock.md` lists the commands.

    An error of the test that shows only when a call arrives (a callable reply that the schema forbids) ends that
    connection, and is raised when the server's block ends.
    """

    def __init__(
        self,
        site: Site | Mapping[str, Page] | MockBrowser | None = None,
        *,
        host: str = "127.0.0.1",
        port: int = 0,
        personality: Personality = LOCAL,
        samples: bool = False,
    ) -> None:
        self.browser: MockBrowser = as_browser(site, samples=samples)
        for rule in personality.rules():
            self.browser.add_rule(rule)
        self._personality = personality
        self._url_tokens = UrlTokens(personality.urls_expire_s)
        self._port = DebuggingPort(self.browser, personality)
        self._delivery = Delivery(self.browser, personality, died=self._stop_listening)
        self._host = host
        self._number = port
        self._server: asyncio.Server | None = None
        self._is_ending = False
        self._connections: set[SocketConnection] = set()
        self._all_left = asyncio.Event()
        self._dials: deque[HandshakeFault] = deque()

    @property
    def address(self) -> str:
        """Return host and port, as `connect` of a client takes them."""
        return f"{self._host}:{self._number}"

    @property
    def ws_url(self) -> str:
        """Return `url`, under the name by which `connect` knows a browser."""
        return self.url

    @property
    def http_url(self) -> str:
        """Return the URL of the debugging port, for clients that request `/json/version`."""
        return f"http://{self.address}"

    @property
    def url(self) -> str:
        """Return the websocket URL of the browser; a new one each time where URLs expire."""
        return f"ws://{self.address}{BROWSER_PATH}{self._url_tokens.token()}"

    def next_dials(self, *dials: HandshakeFault) -> None:
        """Apply one fault to each of the next websocket handshakes; later ones succeed again."""
        self._dials.extend(dials)

    async def __aenter__(self) -> MockServer:
        self._server = await asyncio.get_running_loop().create_server(self._accept, self._host, self._number)
        self._number = self._server.sockets[0].getsockname()[1]
        self._is_ending = False
        self._delivery.open()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stop_listening()
        await asyncio.sleep(0)
        for connection in tuple(self._connections):
            connection.go_away()
        if self._connections:
            await self._all_left.wait()
        self._delivery.close()
        if self._delivery.errors and error is None:
            raise self._delivery.errors[0]

    def _stop_listening(self) -> None:
        """Refuse new connections; the open ones end by hangups.

        asyncio drops a connection, without closing it, whose server closes right after it was accepted. So the server
        first accepts no more, and closes when those that it has accepted are there. Windows needs only the second.
        """
        if self._server is None or self._is_ending:
            return
        self._is_ending, loop = True, asyncio.get_running_loop()
        with contextlib.suppress(NotImplementedError):
            for listening in self._server.sockets:
                loop.remove_reader(listening.fileno())
        loop.call_soon(self._close_server)

    def _close_server(self) -> None:
        if self._server is not None:
            self._server.close()
            self._server = None

    # -- connections -----------------------------------------------------------------------------------------------

    def _accept(self) -> SocketConnection:
        connection = SocketConnection(
            self._delivery, self._answer, self._leave, drops_pings=self._personality.drops_pings
        )
        if self._is_ending:
            connection.go_away()
        if self._server is not None:  # else asyncio drops it, so it is not to be waited for (the proactor of Windows)
            self._connections.add(connection)
        return connection

    def _leave(self, connection: SocketConnection) -> None:
        self._connections.discard(connection)
        if self._personality.closes_with_any_client and connection.was_open:
            self.browser.close(_GOING_AWAY)
        if self._server is None and not self._connections:
            self._all_left.set()

    def _answer(self, request: PortRequest) -> PortResponse | HandshakeFault | None:
        token = self._url_tokens.token()
        response = self._port.answer(request, token)
        if response is not None:
            return response
        if self._dials:
            return self._dials.popleft()
        if self._url_tokens.lets_in(f"?{request.query}"):
            return None
        return PortResponse(HTTPStatus.FORBIDDEN, b"This address has expired", "text/plain")
