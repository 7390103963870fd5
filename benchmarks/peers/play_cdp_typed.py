"""Plays the procedures with cdp_typed."""

from __future__ import annotations

import asyncio
from typing import Any

from benchmarks.peers.procedures import Handler, main
from cdp_typed import Connection, Event, EventStream
from cdp_typed import connect as open_connection
from cdp_typed.protocol import browser, runtime, target
from cdp_typed.protocol.registry import event_class


class CdpTypedClient:
    """`Connection`; a handler is a task that iterates over a stream."""

    def __init__(self, connection: Connection, deadline: int) -> None:
        self._connection = connection
        self._deadline = deadline
        self._tasks: list[asyncio.Task[None]] = []

    async def call(self, method: str, params: dict[str, Any], session: str | None) -> object:
        match method:
            case "Target.attachToTarget":
                return await self._connection.attach(target.TargetID(params["targetId"]), timeout=self._deadline)
            case "Runtime.evaluate":
                evaluate = runtime.Evaluate(expression=params["expression"])
                return await self._connection.send(evaluate, session_id=session, timeout=self._deadline)
            case _:
                return await self._connection.send(browser.GetVersion(), timeout=self._deadline)

    async def listen(self, method: str, handler: Handler) -> None:
        stream = await self._connection.events(event_class(method)).__aenter__()
        self._tasks.append(asyncio.create_task(self._consume(stream, handler)))

    async def _consume(self, stream: EventStream[Event], handler: Handler) -> None:
        async for _ in stream:
            await handler()

    def pending(self) -> int:
        return self._connection.pending

    async def close(self) -> None:
        for task in self._tasks:
            task.cancel()
        await self._connection.close()


async def connect(url: str, max_size: int, deadline: int) -> CdpTypedClient:
    """Connect."""
    return CdpTypedClient(await open_connection(url, max_size=max_size), deadline)


if __name__ == "__main__":
    main(connect)
