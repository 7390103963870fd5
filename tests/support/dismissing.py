"""A proxy in front of a real browser that answers its dialogs at once, as some services do."""

from __future__ import annotations

import asyncio
import contextlib
import json
import threading
from collections.abc import Coroutine
from types import TracebackType
from typing import Any, TypeVar

from websockets.asyncio.client import connect
from websockets.asyncio.server import Server, ServerConnection, serve
from websockets.exceptions import ConnectionClosed

__all__ = ["DismissingProxy"]

T = TypeVar("T")

_OURS = 1_000_000_000
"""The ids from here on are those of the proxy's own commands, whose replies no client is to see."""


class DismissingProxy:
    """For the length of a `with` block; `url` leads to the browser at `to`. Its own client, so to speak, answers a
    dialog as soon as it is announced, while the announcement goes on to the real one."""

    def __init__(self, to: str) -> None:
        self.to = to
        self.url = ""
        self.answered = 0
        """How many dialogs it has answered."""
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
                    if said.get("method") == "Page.javascriptDialogOpening":
                        self.answered += 1
                        answer = {
                            "id": _OURS + self.answered,
                            "sessionId": said["sessionId"],
                            "method": "Page.handleJavaScriptDialog",
                            "params": {"accept": False},
                        }
                        await browser.send(json.dumps(answer))
                await client.close()

            with contextlib.suppress(ConnectionClosed):  # whichever side it was, both end
                await asyncio.gather(upstream(), downstream())
