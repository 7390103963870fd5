"""A small MCP client over stdio, the same for every server."""

from __future__ import annotations

import json
import os
import queue
import subprocess
import threading
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any

PROTOCOL = "2025-06-18"
CALL_LIMIT_S = 60.0


class ServerEnded(Exception):
    """The server's process has ended, or does not answer any more."""


class StdioClient:
    """A server's process, for the length of a `with` block, and calls of its tools, one after the other."""

    def __init__(self, command: Sequence[str], folder: Path, environment: Mapping[str, str] | None = None) -> None:
        self._command = list(command)
        self.folder = folder
        self._environment = {**os.environ, **(environment or {})}
        self._number = 0
        self.greeting: dict[str, Any] = {}
        """The answer to `initialize`."""
        self._lines: queue.Queue[str | None] = queue.Queue()

    def __enter__(self) -> StdioClient:
        self._process = subprocess.Popen(
            self._command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
            cwd=self.folder, env=self._environment,
        )  # fmt: skip
        threading.Thread(target=self._read, daemon=True).start()
        client = {"name": "cdp-typed-benchmark", "version": "1"}
        self.greeting = self._request(
            "initialize", {"protocolVersion": PROTOCOL, "capabilities": {}, "clientInfo": client}
        )
        self._write({"jsonrpc": "2.0", "method": "notifications/initialized"})
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        assert self._process.stdin is not None
        self._process.stdin.close()
        try:
            self._process.wait(15)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()

    def tools(self) -> dict[str, dict[str, Any]]:
        """The definitions of the tools, by name."""
        found: dict[str, dict[str, Any]] = {}
        params: dict[str, object] = {}
        while True:
            page = self._request("tools/list", params)
            found.update({tool["name"]: tool for tool in page["tools"]})
            if not page.get("nextCursor"):
                return found
            params = {"cursor": page["nextCursor"]}

    def call(self, name: str, arguments: Mapping[str, object]) -> tuple[str, bool]:
        """Call a tool. Returns the text of its result, as a model reads it, and whether it is an error."""
        result = self._request("tools/call", {"name": name, "arguments": arguments})
        text = "\n".join(block["text"] for block in result.get("content", []) if block["type"] == "text")
        return text, bool(result.get("isError"))

    def _request(self, method: str, params: Mapping[str, object]) -> dict[str, Any]:
        self._number += 1
        self._write({"jsonrpc": "2.0", "id": self._number, "method": method, "params": params})
        while True:
            try:
                line = self._lines.get(timeout=CALL_LIMIT_S)
            except queue.Empty:
                raise ServerEnded(f"no answer to {method} within {CALL_LIMIT_S:g} s") from None
            if line is None:
                raise ServerEnded(f"ended during {method}")
            message = json.loads(line)
            if message.get("id") == self._number and "method" not in message:
                if "error" in message:
                    return {"content": [{"type": "text", "text": message["error"]["message"]}], "isError": True}
                result: dict[str, Any] = message["result"]
                return result

    def _write(self, message: Mapping[str, object]) -> None:
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(json.dumps(message) + "\n")
            self._process.stdin.flush()
        except OSError as error:
            raise ServerEnded(str(error)) from None

    def _read(self) -> None:
        assert self._process.stdout is not None
        with self._process.stdout as answers:
            for line in answers:
                self._lines.put(line)
        self._lines.put(None)
