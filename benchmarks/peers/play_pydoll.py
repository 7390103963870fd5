"""Plays the procedures with pydoll: the connection handler below its browsers and tabs, on a websocket address."""

from __future__ import annotations

from typing import Any

from pydoll.connection.connection_handler import ConnectionHandler

from benchmarks.peers.procedures import Handler, main


class PydollClient:
    """`ConnectionHandler`, which dials at the first command, and again when it finds its connection gone."""

    def __init__(self, handler: ConnectionHandler, deadline: int) -> None:
        self._handler = handler
        self._deadline = deadline

    async def call(self, method: str, params: dict[str, Any], session: str | None) -> object:
        command: Any = {"method": method, "params": params}
        if session is not None:
            command["sessionId"] = session
        return await self._handler.execute_command(command, timeout=self._deadline)

    async def listen(self, method: str, handler: Handler) -> None:
        async def hear(_event: object) -> None:
            await handler()

        await self._handler.register_callback(method, hear)

    def pending(self) -> int:
        return len(self._handler._command_manager._pending_commands)

    async def close(self) -> None:
        await self._handler.close()


async def connect(url: str, _max_size: int, deadline: int) -> PydollClient:
    """Return a client that is not connected yet; it accepts messages of any size."""
    return PydollClient(ConnectionHandler(ws_address=url), deadline)


if __name__ == "__main__":
    main(connect)
