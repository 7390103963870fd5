"""A second session of the current page, for recordings that neither the core nor a flight recording should see."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

from cdp_typed import Session, connect
from cdp_typed.protocol.target import TargetID
from supervisor.aio import AsyncSupervisor
from supervisor.core.vocabulary.errors import NoPage

OPEN_TIMEOUT_S = 10.0


@asynccontextmanager
async def second_session(supervisor: AsyncSupervisor) -> AsyncGenerator[Session]:
    """Connect to the browser once more, and attach to the current page until the end of the block.

    Raises `NoPage`, and what `connect` and `attach` raise.
    """
    page_id = next((page.target_id for page in supervisor.snapshot().pages if page.is_current), None)
    if page_id is None:
        raise NoPage
    config = supervisor.config_of_others
    opening = connect(
        config.cdp_url,
        open_timeout=OPEN_TIMEOUT_S,
        headers=config.headers,
        proxy=config.proxy,
        ssl=config.ssl,
        ping_interval=config.ping_interval_s,
    )
    async with opening as connection:
        yield await connection.attach(TargetID(page_id))
