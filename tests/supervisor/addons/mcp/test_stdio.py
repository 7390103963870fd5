"""The server over stdio and a client that goes away."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Generator
from contextlib import contextmanager
from typing import Any

import pytest

from cdp_typed.mock import Page, ThreadedMockServer

pytestmark = pytest.mark.thorough


def send(server: subprocess.Popen[bytes], **message: Any) -> None:
    assert server.stdin is not None
    server.stdin.write(json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n")
    server.stdin.flush()


@contextmanager
def served(*arguments: str) -> Generator[subprocess.Popen[bytes]]:
    """A server on a mock browser, whose client has said hello."""
    hello = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "client", "version": "1"}}
    with ThreadedMockServer({"http://shop.test/": Page(title="Shop")}) as browser:
        server = subprocess.Popen(
            [sys.executable, "-m", "supervisor", "mcp", "--cdp-url", browser.url, *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        with server:
            assert server.stdout is not None
            send(server, id=1, method="initialize", params=hello)
            server.stdout.readline()
            send(server, method="notifications/initialized")
            yield server


@pytest.mark.parametrize("closed", [("stdout",), ("stdout", "stdin"), ("stdin",)])
def test_a_client_that_goes_away_ends_the_server_without_a_word(closed: tuple[str, ...]) -> None:
    """It goes while a call is under way, whose result nobody reads then."""
    with served() as server:
        assert server.stderr is not None
        wait = {"name": "browser_wait", "arguments": {"until": "time", "value": "0.2"}}
        send(server, id=2, method="tools/call", params=wait)
        for name in closed:
            getattr(server, name).close()

        assert server.wait(30) == 0
        assert server.stderr.read() == b""


def test_tools_that_the_client_cannot_use_are_left_out() -> None:
    with served("--disabled", "browser_vision", "browser_get_images") as server:
        assert server.stdout is not None
        assert server.stdin is not None
        send(server, id=2, method="tools/list")
        listed = {tool["name"] for tool in json.loads(server.stdout.readline())["result"]["tools"]}
        server.stdin.close()

    assert "browser_snapshot" in listed
    assert listed.isdisjoint({"browser_vision", "browser_get_images"})
