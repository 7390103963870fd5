"""Procedures for any client, such as a fault and then a second command. Needs only the standard library.

A peer's own module passes its `connect` to `main`; the plan is JSON in the last argument, and the outcome is printed as
JSON.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import sys
import time
from collections.abc import Awaitable, Callable
from typing import Any, Protocol

PATIENCE_S = 1.0
"""Seconds beyond the client's own deadline that the harness waits for a call that the client does not end."""
DIAL_PATIENCE_S = 12.0
"""Seconds that the harness waits for a dial: a little longer than the clients' own ten seconds."""
EVENTS = (
    "Page.javascriptDialogOpening",
    "Page.javascriptDialogClosed",
    "Page.loadEventFired",
    "Runtime.consoleAPICalled",
)
_DIALOG = EVENTS[0]

Handler = Callable[[], Awaitable[None]]


class Client(Protocol):
    """The interface of a connected client."""

    async def call(self, method: str, params: dict[str, Any], session: str | None) -> object: ...
    async def listen(self, method: str, handler: Handler) -> None: ...
    def pending(self) -> int | None: ...
    async def close(self) -> None: ...


Open = Callable[[str, int, int], Awaitable[Client]]
"""`connect(url, max_size, deadline)`: `max_size` is in bytes, `deadline` in seconds for each call, where supported."""


async def outcome(call: Awaitable[object], plan: dict[str, Any]) -> str:
    """Wait for a call; return `ok`, the name of its exception, or `hang`."""
    task = asyncio.ensure_future(call)
    done, _ = await asyncio.wait([task], timeout=plan["deadline"] + PATIENCE_S)
    if not done:
        task.cancel()
        return "hang"
    error = task.exception()
    return "ok" if error is None else type(error).__name__


async def row(client: Client, plan: dict[str, Any]) -> dict[str, Any]:
    """Send a command that meets a fault, then a second one; count events."""
    heard = 0

    async def hear() -> None:
        nonlocal heard
        heard += 1

    for method in EVENTS:
        await client.listen(method, hear)
    session = plan["session"]
    if session is not None:
        await client.call("Target.attachToTarget", {"targetId": "T1", "flatten": True}, None)
    method, params = ("Runtime.evaluate", {"expression": "1"}) if session else ("Browser.getVersion", {})
    first = await outcome(client.call(method, params, session), plan)
    started = time.monotonic()
    second = await outcome(client.call("Browser.getVersion", {}, None), plan)
    took = time.monotonic() - started
    await asyncio.sleep(0.1)  # some clients hand events to their own task
    return {"first": first, "second": second, "heard": heard, "took": took}


async def two_handlers(client: Client, plan: dict[str, Any]) -> dict[str, Any]:
    """Register two handlers of one event, and count those that were called."""
    heard: set[str] = set()

    async def first_handler() -> None:
        heard.add("first")

    async def second_handler() -> None:
        heard.add("second")

    await client.listen(_DIALOG, first_handler)
    await client.listen(_DIALOG, second_handler)
    first = await outcome(client.call("Browser.getVersion", {}, None), plan)
    await asyncio.sleep(0.1)
    return {"first": first, "heard": len(heard)}


async def handler_awaits(client: Client, plan: dict[str, Any]) -> dict[str, Any]:
    """Await a command inside a handler."""
    inside: list[str] = []
    done = asyncio.Event()

    async def handler() -> None:
        inside.append(await outcome(client.call("Browser.getVersion", {}, None), plan))
        done.set()

    await client.listen(_DIALOG, handler)
    first = asyncio.ensure_future(outcome(client.call("Browser.getVersion", {}, None), plan))
    with contextlib.suppress(asyncio.TimeoutError):
        await asyncio.wait_for(done.wait(), 2 * plan["deadline"] + PATIENCE_S)
    return {"first": await first, "inside": inside[0] if inside else "hang"}


async def cancel(client: Client, plan: dict[str, Any]) -> dict[str, Any]:
    """Cancel a call before its reply, and count the calls left pending; then send a second command."""
    task = asyncio.ensure_future(client.call("Browser.getVersion", {}, None))
    await asyncio.sleep(0.3)
    task.cancel()
    await asyncio.wait([task])
    return {"pending": client.pending(), "second": await outcome(client.call("Browser.getVersion", {}, None), plan)}


_PROCEDURES = {procedure.__name__: procedure for procedure in (row, two_handlers, handler_awaits, cancel)}


async def refused(connect: Open, plan: dict[str, Any]) -> dict[str, Any]:
    """Connect to a server that refuses; some clients connect at their first command only."""

    async def dial() -> None:
        client = await connect(plan["url"], plan["max_size"], plan["deadline"])
        await client.call("Browser.getVersion", {}, None)

    dialling = asyncio.ensure_future(dial())
    done, _ = await asyncio.wait([dialling], timeout=DIAL_PATIENCE_S)
    if not done:
        return {"first": "hang"}
    error = dialling.exception()
    return {"first": type(error).__name__, "secret": plan["secret"] in f"{error} {error!r}"}


async def run(connect: Open, plan: dict[str, Any]) -> None:
    """Run the plan's procedure on a new client, and print its outcome before the client is closed."""
    if plan["procedure"] == "dial":
        print(json.dumps(await refused(connect, plan)), flush=True)
        return
    client = await connect(plan["url"], plan["max_size"], plan["deadline"])
    print(json.dumps(await _PROCEDURES[plan["procedure"]](client, plan)), flush=True)
    with contextlib.suppress(Exception):  # the close of a broken client is not measured
        await asyncio.wait_for(client.close(), 1)


def main(connect: Open) -> None:
    """Run the plan of the command line."""
    asyncio.run(run(connect, json.loads(sys.argv[-1])))
