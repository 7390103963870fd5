"""The key under which the browser keeps the storage of a frame."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

from cdp_typed._base import Command
from cdp_typed.errors import MethodNotFound
from cdp_typed.protocol import storage
from cdp_typed.protocol.ids import FrameId


async def storage_key(send: Callable[[Command[Any]], Awaitable[Any]], frame_id: str) -> str:
    """Ask for the key (`Storage.getStorageKey`; browsers before it have `Storage.getStorageKeyForFrame`).

    Raises what `send` raises.
    """
    try:
        return str((await send(storage.GetStorageKey(frame_id=FrameId(frame_id)))).storage_key)
    except MethodNotFound:
        ask = storage.GetStorageKeyForFrame(frame_id=FrameId(frame_id))  # pyright: ignore[reportDeprecated]  # for those
        return str((await send(ask)).storage_key)
