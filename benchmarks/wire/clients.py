"""Runs one task with one client in its own process, so that its processor time is measured alone.

    python -m benchmarks.wire.clients CLIENT (events | small_events | round_trips) URL COUNT

It prints the seconds and the processor seconds of the task, without imports and the connection, and the MiB of memory
that the process has taken at most. The events are sent twice, and the second time counts: work that is done once per
class does not matter in a long session. `node_client.mjs` does the same with clients on Node.
"""

from __future__ import annotations

import asyncio
import json
import re
import sys
import time
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

Task = Callable[[str, int], Coroutine[Any, Any, tuple[float, float]]]


class Clock:
    """Wall and processor time since its creation."""

    def __init__(self) -> None:
        self._started, self._used = time.perf_counter(), time.process_time()

    def read(self) -> tuple[float, float]:
        return time.perf_counter() - self._started, time.process_time() - self._used


async def typed_events(url: str, count: int) -> tuple[float, float]:
    """Receive events, each decoded to its class and delivered to a callback that reads a field."""
    from cdp_typed import connect
    from cdp_typed.protocol import network, runtime

    heard = [0, 0]

    def console(_session: str | None, event: runtime.ConsoleAPICalled) -> None:
        heard[0] += event.type == "error"

    def request(_session: str | None, event: network.RequestWillBeSent) -> None:
        heard[1] += event.request.method == "GET"

    async with connect(url) as browser:
        browser.listen(console, runtime.ConsoleAPICalled)
        browser.listen(request, network.RequestWillBeSent)
        await browser.send(runtime.Enable())
        clock = Clock()
        await browser.send(runtime.Enable())
        took = clock.read()
    assert heard == [count, count], heard
    return took


async def typed_small_events(url: str, count: int) -> tuple[float, float]:
    """Do the same as `typed_events` with small events."""
    from cdp_typed import connect
    from cdp_typed.protocol import network

    heard = [0, 0]

    def data(_session: str | None, event: network.DataReceived) -> None:
        heard[0] += event.data_length > 0

    def finished(_session: str | None, event: network.LoadingFinished) -> None:
        heard[1] += event.encoded_data_length > 0

    async with connect(url) as browser:
        browser.listen(data, network.DataReceived)
        browser.listen(finished, network.LoadingFinished)
        await browser.send(network.Enable())
        clock = Clock()
        await browser.send(network.Enable())
        took = clock.read()
    assert heard == [count, count], heard
    return took


async def typed_round_trips(url: str, count: int) -> tuple[float, float]:
    """Send typed commands, each after the result of the one before."""
    from cdp_typed import connect
    from cdp_typed.protocol import browser

    async with connect(url) as connection:
        assert (await connection.send(browser.GetVersion())).protocol_version == "1.3"
        clock = Clock()
        for _ in range(count):
            await connection.send(browser.GetVersion())
        return clock.read()


async def cdp_use_events(url: str, count: int) -> tuple[float, float]:
    """Receive events, each delivered as a dict to a callback that reads a field."""
    from cdp_use import CDPClient

    heard = [0, 0]

    def console(event: Any, _session: str | None) -> None:
        heard[0] += event["type"] == "error"

    def request(event: Any, _session: str | None) -> None:
        heard[1] += event["request"]["method"] == "GET"

    async with CDPClient(url) as client:
        client.register.Runtime.consoleAPICalled(console)
        client.register.Network.requestWillBeSent(request)
        await client.send.Runtime.enable()
        clock = Clock()
        await client.send.Runtime.enable()
        took = clock.read()
    assert heard == [count, count], heard
    return took


async def cdp_use_small_events(url: str, count: int) -> tuple[float, float]:
    """Do the same as `cdp_use_events` with small events."""
    from cdp_use import CDPClient

    heard = [0, 0]

    def data(event: Any, _session: str | None) -> None:
        heard[0] += event["dataLength"] > 0

    def finished(event: Any, _session: str | None) -> None:
        heard[1] += event["encodedDataLength"] > 0

    async with CDPClient(url) as client:
        client.register.Network.dataReceived(data)
        client.register.Network.loadingFinished(finished)
        await client.send.Network.enable()
        clock = Clock()
        await client.send.Network.enable()
        took = clock.read()
    assert heard == [count, count], heard
    return took


async def cdp_use_round_trips(url: str, count: int) -> tuple[float, float]:
    """Send commands, each after the result of the one before."""
    from cdp_use import CDPClient

    async with CDPClient(url) as client:
        assert (await client.send.Browser.getVersion())["protocolVersion"] == "1.3"
        clock = Clock()
        for _ in range(count):
            await client.send.Browser.getVersion()
        return clock.read()


async def bare_events(url: str, count: int, enable: str = "Runtime.enable") -> tuple[float, float]:
    """Receive events without a client, in a loop over websockets and json."""
    from websockets.asyncio.client import connect

    heard = 0
    clock = Clock()
    async with connect(url, max_size=None, compression=None) as socket:
        for number in (1, 2):
            clock = Clock()
            await socket.send(json.dumps({"id": number, "method": enable, "params": {}}))
            while "id" not in (message := json.loads(await socket.recv())):
                heard += "params" in message
        took = clock.read()
    assert heard == 2 * count, heard
    return took


async def bare_small_events(url: str, count: int) -> tuple[float, float]:
    """Do the same as `bare_events` with small events."""
    return await bare_events(url, count, "Network.enable")


async def bare_round_trips(url: str, count: int) -> tuple[float, float]:
    """Send commands without a client, in a loop over websockets and json."""
    from websockets.asyncio.client import connect

    async with connect(url, max_size=None, compression=None) as socket:
        clock = Clock()
        for number in range(count):
            await socket.send(json.dumps({"id": number, "method": "Browser.getVersion", "params": {}}))
            assert json.loads(await socket.recv())["id"] == number
        return clock.read()


CLIENTS: dict[str, dict[str, Task]] = {
    "bare websockets + json": {
        "events": bare_events,
        "small_events": bare_small_events,
        "round_trips": bare_round_trips,
    },
    "cdp_use": {
        "events": cdp_use_events,
        "small_events": cdp_use_small_events,
        "round_trips": cdp_use_round_trips,
    },
    "cdp_typed": {
        "events": typed_events,
        "small_events": typed_small_events,
        "round_trips": typed_round_trips,
    },
}


def memory_peak() -> float:
    """Return the MiB of memory that this program has taken at most (Linux).

    `getrusage` would also count what the process held before it became this program.
    """
    status = Path("/proc/self/status").read_text()
    return int(re.findall(r"^VmHWM:\s+(\d+) kB$", status, re.MULTILINE)[0]) / 1024


def main() -> None:
    """Run the task of the command line."""
    client, task, url, count = sys.argv[1:]
    took = asyncio.run(CLIENTS[client][task](url, int(count)))
    print(*took, memory_peak())


if __name__ == "__main__":
    main()
