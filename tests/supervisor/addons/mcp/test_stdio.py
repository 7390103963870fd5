"""The server over stdio and a client that goes away."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
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


def call_of(name: str, number: object, **arguments: Any) -> bytes:
    call = {"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": {"name": name, "arguments": arguments}}
    return json.dumps(call).encode() + b"\n"


FLOODS: dict[str, bytes] = {
    "calls": b"".join(call_of("browser_evaluate", number, expression="1") for number in range(10, 310)),
    "calls that wait": b"".join(call_of("browser_wait", n, until="time", value="60") for n in range(10, 310)),
    "one id": call_of("browser_wait", 7, until="time", value="60") * 100,
    "a long message": call_of("browser_evaluate", 7, expression="a" * 20_000_000),
    "a deep message": b'{"jsonrpc": "2.0", "id": 7, "method": ' + b'{"a":' * 100_000 + b"1" + b"}" * 100_001 + b"\n",
    "a long number": b'{"jsonrpc": "2.0", "id": 1' + b"0" * 10_000 + b', "method": "tools/list"}\n',
    "no messages": b"{]\x00\xff garbage\n" * 2_000,
    "cancelled": b'{"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 9}}\n' * 2_000,
}


@pytest.mark.parametrize("flood", FLOODS)
def test_after_a_flood_the_next_call_is_answered(flood: str) -> None:
    with served() as server:
        assert server.stdin is not None
        assert server.stdout is not None
        stdin = server.stdin
        work = threading.Thread(
            target=lambda: (stdin.write(FLOODS[flood] + call_of("browser_console", 9999)), stdin.flush())
        )
        work.start()
        while (answer := json.loads(server.stdout.readline())).get("id") != 9999:
            pass
        work.join()
        server.kill()

    assert answer["result"]["isError"] is False
