"""Work in the background that a mistake does not end."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable

_log = logging.getLogger("supervisor")


async def lasting(work: Callable[[], Awaitable[None]], pause_s: float) -> None:
    """Do this work until it returns. If it fails, log the traceback and begin again after `pause_s` seconds."""
    while True:
        try:
            await work()
            return
        except Exception:
            _log.exception("a mistake interrupted work in the background; it goes on in %g s", pause_s)
        await asyncio.sleep(pause_s)
