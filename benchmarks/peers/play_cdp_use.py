"""Plays the procedures with cdp-use."""

from __future__ import annotations

from typing import Any

from cdp_use import CDPClient

from benchmarks.peers.procedures import Handler, main


class CdpUseClient:
    """`CDPClient`, which takes no deadline."""

    def __init__(self, client: CDPClient) -> None:
        self._client = client

    async def call(self, method: str, params: dict[str, Any], session: str | None) -> object:
        return await self._client.send_raw(method, params, session)

    async def listen(self, method: str, handler: Handler) -> None:
        async def hear(_params: object, _session: str | None) -> None:
            await handler()

        domain, name = method.split(".")
        getattr(getattr(self._client.register, domain), name)(hear)

    def pending(self) -> int:
        # cdp-use does not annotate the result type of its futures.
        return len(self._client.pending_requests)  # pyright: ignore[reportUnknownMemberType, reportUnknownArgumentType]

    async def close(self) -> None:
        await self._client.stop()  # type: ignore[no-untyped-call, unused-ignore]  # cdp-use does not say what it returns


async def connect(url: str, max_size: int, _deadline: int) -> CdpUseClient:
    """Connect."""
    client = CDPClient(url, max_ws_frame_size=max_size)
    await client.start()  # type: ignore[no-untyped-call, unused-ignore]  # cdp-use does not say what it returns
    return CdpUseClient(client)


if __name__ == "__main__":
    main(connect)
