"""A proxy in front of a browser that gives commands of its own, as some services do: most of all answers to dialogs."""

from __future__ import annotations

import asyncio
import contextlib
import json
import threading
from collections.abc import Coroutine
from types import TracebackType
from typing import Any, TypeVar

from websockets.asyncio.client import ClientConnection, connect
from websockets.asyncio.server import Server, ServerConnection, serve
from websockets.exceptions import ConnectionClosed

T = TypeVar("T")

_OURS = 1_000_000_000
"""The ids from here on are those of the proxy's own commands, whose replies no client is to see."""


class DismissingProxy:
    """For the length of a `with` block; `url` leads to the browser at `to`. Its own client, so to speak, answers a
    dialog as soon as it is announced (unless `dismisses` is False), while the announcement goes on to the real one."""

    def __init__(self, to: str, *, dismisses: bool = True) -> None:
        self.to = to
        self._dismisses = dismisses
        self._browser: ClientConnection | None = None
        self._count = 0
        self.url = ""
        self.answered = 0
        """The number of dialogs that the proxy has answered."""
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="dismissing proxy", daemon=True)
        self._server: Server | None = None

    def __enter__(self) -> DismissingProxy:
        self._thread.start()
        self._do(self._listen())
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._do(self._close())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    def intrude(self, method: str, **params: str | bool) -> None:
        """Give the browser a command that the client knows nothing of, over the client's own (last) connection."""
        assert self._browser is not None, "nobody has connected"
        self._do(self._send({"method": method, "params": params}))

    async def _send(self, command: dict[str, Any]) -> None:
        assert self._browser is not None
        self._count += 1
        await self._browser.send(json.dumps({"id": _OURS + self._count, **command}))

    def _do(self, work: Coroutine[Any, Any, T]) -> T:
        return asyncio.run_coroutine_threadsafe(work, self._loop).result(10)

    async def _listen(self) -> None:
        self._server = await serve(self._relay, "127.0.0.1", 0, max_size=None, compression=None)
        self.url = f"ws://127.0.0.1:{next(iter(self._server.sockets)).getsockname()[1]}/"

    async def _close(self) -> None:
        assert self._server is not None
        self._server.close()
        await self._server.wait_closed()

    async def _relay(self, client: ServerConnection) -> None:
        async with connect(self.to, max_size=None, compression=None, proxy=None) as browser:
            self._browser = browser

            async def upstream() -> None:
                async for message in client:
                    await browser.send(message)
                await browser.close()

            async def downstream() -> None:
                async for message in browser:
                    said = json.loads(message)
                    if said.get("id", 0) >= _OURS:
                        continue
                    await client.send(message)
                    if self._dismisses and said.get("method") == "Page.javascriptDialogOpening":
                        self.answered += 1
                        method, params = "Page.handleJavaScriptDialog", {"accept": False}
                        await self._send({"sessionId": said["sessionId"], "method": method, "params": params})
                await client.close()

            with contextlib.suppress(ConnectionClosed):  # whichever side it was, both end
                await asyncio.gather(upstream(), downstream())
