"""`MockServer`: the mock's browser behind a websocket on this machine, for `async with`.

The server adds nothing but the wire: every decision is `MockBrowser`'s, and scripts are given to it, from any thread.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Mapping
from http import HTTPStatus
from types import TracebackType

from websockets.asyncio.server import Server, ServerConnection, serve
from websockets.datastructures import Headers
from websockets.exceptions import ConnectionClosed
from websockets.http11 import Request, Response

from cdp_typed.mock import http
from cdp_typed.mock.browser import MockBrowser
from cdp_typed.mock.messages import Hangup
from cdp_typed.mock.outgoing import Frame, Outgoing
from cdp_typed.mock.pace import Gate, Pace
from cdp_typed.mock.personality import LOCAL, Personality
from cdp_typed.mock.script import Refuse, Rule
from cdp_typed.mock.site import Page, Site

__all__ = ["MockServer"]

_LARGEST_FRAME = 100 * 2**20
_GOING_AWAY = 1001
_POLICY_VIOLATION = 1008


class MockServer:
    """A mock browser that clients can dial. `site` is what it can visit, or a whole `MockBrowser`.

    A mistake of the test that shows only when a call arrives (a callable reply that the schema forbids) ends that
    connection, and is raised when the server's block ends.
    """

    def __init__(
        self,
        site: Site | Mapping[str, Page] | MockBrowser | None = None,
        *,
        host: str = "127.0.0.1",
        port: int = 0,
        personality: Personality = LOCAL,
    ) -> None:
        self.browser = site if isinstance(site, MockBrowser) else MockBrowser(site)
        for method, refusal in personality.refusals().items():
            self.browser.add_rule(Rule(method, Refuse(refusal)))
        self._personality = personality
        self._gate = Gate(personality.urls_expire_s)
        self._pace = Pace(personality)
        self._host = host
        self._port = port
        self._server: Server | None = None
        self._writers: dict[int, asyncio.Queue[tuple[float, Outgoing]]] = {}
        self._timer: asyncio.TimerHandle | None = None
        self._delayed: set[asyncio.TimerHandle] = set()
        self._errors: list[Exception] = []

    @property
    def address(self) -> str:
        """Host and port, as `connect` of a client takes them."""
        return f"{self._host}:{self._port}"

    @property
    def http_url(self) -> str:
        """The address of the debugging port, for clients that look for `/json/version`."""
        return f"http://{self.address}"

    @property
    def url(self) -> str:
        """The websocket address of the browser; a fresh one each time where addresses expire."""
        return f"ws://{self.address}{http.BROWSER_PATH}{self._gate.token()}"

    async def __aenter__(self) -> MockServer:
        loop = asyncio.get_running_loop()

        def deliver(item: Outgoing) -> None:
            # Also called from other threads, and by calls that the loop itself is just handling: order is kept.
            loop.call_soon_threadsafe(self._put, item)

        self._server = await serve(
            self._serve,
            self._host,
            self._port,
            process_request=self._http,
            max_size=_LARGEST_FRAME,
            compression=None,
            ping_interval=None,
            close_timeout=1,
        )
        self._port = next(iter(self._server.sockets)).getsockname()[1]
        backlog, self.browser.sent = self.browser.sent, []
        self.browser.deliver = deliver
        for item in backlog:
            deliver(item)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for handle in self._delayed:
            handle.cancel()
        if self._timer is not None:
            self._timer.cancel()
        if self._server is not None:
            self._server.close()
            await self._server.wait_closed()
        self.browser.deliver = self.browser.sent.append
        if self._errors and error is None:
            raise self._errors[0]

    def _http(self, connection: ServerConnection, request: Request) -> Response | None:
        host = request.headers.get("Host", self.address)
        token, missing = self._gate.token(), self._personality.missing
        found = http.answer(self.browser, request.path, host, token=token, missing=missing)
        if found is None:
            if self._gate.lets_in(request.path):
                return None
            found = http.Answer(HTTPStatus.FORBIDDEN, b"This address has expired", "text/plain")
        headers = Headers({"Content-Type": found.content_type, "Content-Length": str(len(found.body))})
        headers["Connection"] = "close"
        return Response(found.status.value, found.status.phrase, headers, found.body)

    async def _serve(self, socket: ServerConnection) -> None:
        path = socket.request.path.partition("?")[0] if socket.request is not None else http.BROWSER_PATH
        target = path.removeprefix(http.PAGE_PATH) if path.startswith(http.PAGE_PATH) else None
        number = self.browser.connect(target)
        self._writers[number] = asyncio.Queue()
        writer = asyncio.create_task(self._write(socket, self._writers[number]))
        try:
            async for message in socket:
                if isinstance(message, bytes):
                    # Chrome drops the socket, without a word.
                    socket.transport.abort()
                    break
                self.browser.receive(number, message)
                self._answer_dialogs()
        except ConnectionClosed:
            pass
        except Exception as error:
            self._errors.append(error)
            await socket.close(_POLICY_VIOLATION, "the mock's script is wrong")
        finally:
            self.browser.disconnect(number)
            writer.cancel()
            await asyncio.gather(writer, return_exceptions=True)
            del self._writers[number]
            if self._personality.closes_with_any_client:
                self.browser.close(_GOING_AWAY)

    async def _write(self, socket: ServerConnection, queue: asyncio.Queue[tuple[float, Outgoing]]) -> None:
        while True:
            due, item = await queue.get()
            if due:
                await asyncio.sleep(due - asyncio.get_running_loop().time())
            if isinstance(item, Hangup):
                if item.code is None:
                    socket.transport.abort()
                else:
                    await socket.close(item.code)
                return
            try:
                await socket.send(item.data)
            except ConnectionClosed:
                return

    def _put(self, item: Outgoing) -> None:
        self._wake()
        if isinstance(item, Frame) and item.delay_s > 0:
            late = Frame(item.connection, item.data)
            handle = asyncio.get_running_loop().call_later(item.delay_s, self._put, late)
            self._delayed.add(handle)
            return
        if self.browser.state.dead and self._server is not None:
            # A browser that died refuses the next dial; its connections end by their own hangups.
            self._server.close(close_connections=False)
        queue = self._writers.get(item.connection)
        if queue is not None:
            queue.put_nowait((self._pace.due(asyncio.get_running_loop().time()), item))

    def _wake(self) -> None:
        """Arm the clock for the next timer of a page; whatever may have set one has sent something as well."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        due = self.browser.next_due
        if due is not None:
            self._timer = asyncio.get_running_loop().call_later(max(0.0, due - time.time()), self._tick)

    def _tick(self) -> None:
        self._timer = None
        self.browser.advance()
        self._answer_dialogs()
        self._wake()

    def _answer_dialogs(self) -> None:
        """Somebody on the way may dismiss what is open: at once, or a moment later."""
        after = self._personality.dialogs_end_after_s
        if after is None or not self.browser.dialogs:
            return
        if after == 0:
            self.browser.dismiss_dialogs()
        else:
            self._delayed.add(asyncio.get_running_loop().call_later(after, self.browser.dismiss_dialogs))
