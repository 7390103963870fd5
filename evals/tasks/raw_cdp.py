"""CDP by hand, so that a task is judged by nothing that it was played with."""

from __future__ import annotations

import itertools
import json
import os
import signal
from base64 import b64decode
from contextlib import ExitStack
from types import TracebackType
from typing import Any

from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

__all__ = ["RawBrowser"]

LIMIT_S = 2.0
"""A page that does not answer in this time cannot be asked."""


class RawBrowser:
    """A connection to a browser that enables nothing and attaches to a page only to ask it."""

    def __init__(self, ws_url: str) -> None:
        self._ws_url = ws_url
        self._numbers = itertools.count(1)

    def __enter__(self) -> RawBrowser:
        self._stack = ExitStack()
        self._socket = self._stack.enter_context(connect(self._ws_url, max_size=None, compression=None))
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stack.close()

    def targets(self) -> list[dict[str, Any]]:
        """The pages and frames of their own processes."""
        result = self._send("Target.getTargets")
        return [] if result is None else list(result["targetInfos"])

    def evaluate(self, url: str, expression: str) -> object:
        """Evaluate an expression in a page at an address, or below it; None when there is none that answers."""
        pages = [info for info in self.targets() if info["type"] == "page" and info["url"].startswith(url)]
        for info in pages:
            value = self._evaluate_in(info["targetId"], expression)
            if value is not None:
                return value
        return None

    def is_true(self, url: str, expression: str) -> bool:
        """Whether an expression is true in a page at an address, or below it."""
        pages = [info for info in self.targets() if info["type"] == "page" and info["url"].startswith(url)]
        return any(self._evaluate_in(info["targetId"], f"Boolean({expression})") is True for info in pages)

    def picture(self, url: str) -> bytes:
        """The viewport of the page at an address, as PNG."""
        page = next(info for info in self.targets() if info["type"] == "page" and info["url"].startswith(url))
        attached = self._send("Target.attachToTarget", {"targetId": page["targetId"], "flatten": True})
        assert attached is not None
        taken = self._send("Page.captureScreenshot", {}, attached["sessionId"])
        self._send("Target.detachFromTarget", {"sessionId": attached["sessionId"]})
        assert taken is not None
        return b64decode(taken["data"])

    def crash(self, url: str) -> None:
        """Crash the page at an address, or below it."""
        for info in self.targets():
            if info["type"] == "page" and info["url"].startswith(url):
                attached = self._send("Target.attachToTarget", {"targetId": info["targetId"], "flatten": True})
                if attached is not None:
                    self._write("Page.crash", {}, attached["sessionId"])
                    self.targets()  # the answer comes after the command was read

    def kill(self) -> None:
        """Kill the browser, as the system does that runs out of memory."""
        known = self._send("SystemInfo.getProcessInfo")
        assert known is not None
        os.kill(next(process["id"] for process in known["processInfo"] if process["type"] == "browser"), signal.SIGKILL)

    def _evaluate_in(self, target_id: str, expression: str) -> object:
        attached = self._send("Target.attachToTarget", {"targetId": target_id, "flatten": True})
        if attached is None:
            return None
        params: dict[str, object] = {"expression": expression, "returnByValue": True}
        result = self._send("Runtime.evaluate", params, attached["sessionId"])
        self._send("Target.detachFromTarget", {"sessionId": attached["sessionId"]})
        return None if result is None else result["result"].get("value")

    def _write(self, method: str, params: dict[str, object], session: str | None = None) -> int:
        number = next(self._numbers)
        message: dict[str, object] = {"id": number, "method": method, "params": params}
        if session is not None:
            message["sessionId"] = session
        self._socket.send(json.dumps(message))
        return number

    def _send(
        self, method: str, params: dict[str, object] | None = None, session: str | None = None
    ) -> dict[str, Any] | None:
        """The result; None for an error, or when there is no answer in time."""
        try:
            number = self._write(method, params or {}, session)
            while True:
                answer = json.loads(self._socket.recv(timeout=LIMIT_S))
                if answer.get("id") == number:
                    result: dict[str, Any] | None = answer.get("result")
                    return result
        except (TimeoutError, ConnectionClosed):
            return None
