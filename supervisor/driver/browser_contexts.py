"""The ids of browser contexts, as commands take them."""

from __future__ import annotations

from cdp_typed.protocol import target
from cdp_typed.protocol.browser import BrowserContextID

from .driver import Driver

TIMEOUT_S = 10.0


async def accepted_context(driver: Driver, context_id: BrowserContextID) -> BrowserContextID | None:
    """The id for a command's `browserContextId`: None for the default context, whose id Chromium 150 does not know
    there (`Target.getBrowserContexts`)."""
    if context_id == driver.state.world.page_ownership.context_id:
        return context_id
    made = (await driver.send_unrecorded(target.GetBrowserContexts(), None, TIMEOUT_S)).browser_context_ids
    return context_id if context_id in made else None
