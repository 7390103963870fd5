"""`ThreadedMockServer`: the mock server on its own thread, for tests and programs that are not async."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Mapping
from types import TracebackType

from cdp_typed.mock.control.handshake_faults import HandshakeFault
from cdp_typed.mock.control.mock_browser import MockBrowser
from cdp_typed.mock.personality import LOCAL, Personality
from cdp_typed.mock.server.async_server import MockServer
from cdp_typed.mock.site import Page, Site


class ThreadedMockServer:
    """`MockServer` for `with`. Its `browser` may be scripted from any thread."""

    def __init__(
        self,
        site: Site | Mapping[str, Page] | MockBrowser | None = None,
        *,
        host: str = "127.0.0.1",
        port: int = 0,
        personality: Personality = LOCAL,
        samples: bool = False,
    ) -> None:
        self._server = MockServer(site, host=host, port=port, personality=personality, samples=samples)
        self._started = threading.Event()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._stop: asyncio.Event | None = None
        self._error: BaseException | None = None
        self._thread = threading.Thread(target=self._run, name="cdp_typed.mock", daemon=True)

    @property
    def browser(self) -> MockBrowser:
        """Return the browser that is served."""
        return self._server.browser

    @property
    def address(self) -> str:
        """Return host and port, as `connect` of a client takes them."""
        return self._server.address

    @property
    def ws_url(self) -> str:
        """Return `url`, under the name by which `connect` knows a browser."""
        return self.url

    @property
    def http_url(self) -> str:
        """Return the URL of the debugging port, for clients that request `/json/version`."""
        return self._server.http_url

    @property
    def url(self) -> str:
        """Return the websocket URL of the browser."""
        return self._server.url

    def next_dials(self, *dials: HandshakeFault) -> None:
        """Apply one fault to each of the next websocket handshakes; later ones succeed again."""
        self._server.next_dials(*dials)

    def __enter__(self) -> ThreadedMockServer:
        self._thread.start()
        self._started.wait()
        if self._error is not None:
            self._thread.join()
            raise self._error
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        assert self._loop is not None
        assert self._stop is not None
        self._loop.call_soon_threadsafe(self._stop.set)
        self._thread.join()
        if self._error is not None and error is None:
            raise self._error

    def _run(self) -> None:
        try:
            asyncio.run(self._serve())
        except Exception as error:
            self._error = error
        finally:
            self._started.set()

    async def _serve(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._stop = asyncio.Event()
        async with self._server:
            self._started.set()
            await self._stop.wait()
