"""The time from a click to its picture in Chromium itself: plain CDP messages, without any of our code."""

from __future__ import annotations

import asyncio
import itertools
import json
import time
from typing import Any

from websockets.asyncio.client import ClientConnection, connect

__all__ = ["click_to_frame_ms"]

RED_OF_CORNER = """(async jpeg => {
    const bytes = Uint8Array.from(atob(jpeg), character => character.charCodeAt(0));
    const bitmap = await createImageBitmap(new Blob([bytes], { type: 'image/jpeg' }));
    const canvas = new OffscreenCanvas(bitmap.width, bitmap.height).getContext('2d');
    canvas.drawImage(bitmap, 0, 0);
    return canvas.getImageData(bitmap.width / 20, bitmap.height / 20, 1, 1).data[0] })"""
CLICK = {"x": 20, "y": 20, "button": "left", "buttons": 1, "clickCount": 1}
SCREENCAST = {"format": "jpeg", "quality": 70, "maxWidth": 1280, "maxHeight": 960}


class RawTab:
    """A new tab; its pictures are acknowledged when they come."""

    def __init__(self, socket: ClientConnection) -> None:
        self.frames: asyncio.Queue[tuple[float, str]] = asyncio.Queue()
        self.session: str | None = None
        self._socket = socket
        self._numbers = itertools.count(1)
        self._replies: dict[int, asyncio.Future[dict[str, Any]]] = {}

    async def call(self, method: str, **params: Any) -> dict[str, Any]:
        number = next(self._numbers)
        reply: asyncio.Future[dict[str, Any]] = asyncio.get_running_loop().create_future()
        self._replies[number] = reply
        await self._write(number, method, params)
        return await reply

    async def post(self, method: str, **params: Any) -> None:
        """Send a command without waiting for its reply."""
        await self._write(next(self._numbers), method, params)

    async def _write(self, number: int, method: str, params: dict[str, Any]) -> None:
        session = {"sessionId": self.session} if self.session else {}
        await self._socket.send(json.dumps({"id": number, "method": method, "params": params, **session}))

    async def read(self) -> None:
        async for text in self._socket:
            message = json.loads(text)
            if message.get("id") in self._replies:
                self._replies.pop(message["id"]).set_result(message["result"])
            elif message.get("method") == "Page.screencastFrame":
                self.frames.put_nowait((time.monotonic(), message["params"]["data"]))
                await self.post("Page.screencastFrameAck", sessionId=message["params"]["sessionId"])

    async def shows_red(self, jpeg: str) -> bool:
        expression = f"{RED_OF_CORNER}({json.dumps(jpeg)})"
        reply = await self.call("Runtime.evaluate", expression=expression, awaitPromise=True)
        return bool(reply["result"]["value"] > 150)

    async def click_ms(self, *, is_red: bool) -> float:
        """Click, and wait for the first picture with the effect."""
        before = time.monotonic()
        for kind in ("mousePressed", "mouseReleased"):
            await self.post("Input.dispatchMouseEvent", type=kind, **CLICK)
        while True:
            at, jpeg = await self.frames.get()
            if at > before and await self.shows_red(jpeg) == is_red:
                return (at - before) * 1000


async def click_to_frame_ms(browser_url: str, page_url: str, clicks: int) -> list[float]:
    """Return the times from clicks on a page that turns red and back until the pictures that show it have come."""
    async with connect(browser_url, max_size=None) as socket:
        tab = RawTab(socket)
        reading = asyncio.create_task(tab.read())
        target_id = (await tab.call("Target.createTarget", url=page_url))["targetId"]
        attached = await tab.call("Target.attachToTarget", targetId=target_id, flatten=True)
        tab.session = attached["sessionId"]
        await tab.call("Page.startScreencast", **SCREENCAST)
        for _ in range(10):
            await tab.frames.get()
        times = [await tab.click_ms(is_red=number % 2 == 0) for number in range(clicks)]
        tab.session = None
        await tab.call("Target.closeTarget", targetId=target_id)
        reading.cancel()
        return times
