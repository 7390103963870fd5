"""`network_idle`: waits until a page's requests have ended."""

from __future__ import annotations

from collections.abc import AsyncGenerator

from cdp_typed._base import Event
from cdp_typed.client.blocks import async_block
from cdp_typed.client.channel import Channel
from cdp_typed.client.streams import EventStream
from cdp_typed.errors import EventTimeout, NetworkBusy
from cdp_typed.helpers.shared.deadline import Deadline
from cdp_typed.helpers.shared.request_watch import REQUEST_EVENTS, RequestWatch
from cdp_typed.protocol import network, page


async def network_idle(tab: Channel, quiet_s: float = 0.5, *, timeout: float = 30.0) -> None:
    """Wait until the page has had no pending request, and received no data, for `quiet_s` seconds (`Network.enable`).

    A request is pending until its response begins. For requests that began before this call, the browser reports only
    when all of them have ended, and it never reports that if a script does not read a body. `network_idle_after` sees
    every request. Leaves Page, its lifecycle events and Network enabled. Raises `NetworkBusy` after `timeout` seconds,
    with the addresses of the pending requests; otherwise as `Session.send` does.
    """
    async with network_idle_after(tab, quiet_s, timeout=timeout):
        pass


@async_block
async def network_idle_after(tab: Channel, quiet_s: float = 0.5, *, timeout: float = 30.0) -> AsyncGenerator[None]:
    """Wait as `network_idle` does at the end of a block, and also for the requests that were made in the block.

    `async with network_idle_after(tab): await goto(tab, url)`, or a click. A websocket does not count. The deadline
    begins at the end of the block.
    """
    watch = RequestWatch()
    async with tab.events(*REQUEST_EVENTS) as events:
        commands = (page.Enable(), network.Enable(), page.GetFrameTree())
        *_, tree = await tab.send_many(commands, timeout=timeout)
        watch.expect(tree.frame_tree.frame.loader_id)
        await tab.send(page.SetLifecycleEventsEnabled(enabled=True), timeout=timeout)  # repeats what has happened
        yield
        await _quiet(events, watch, quiet_s, timeout)


async def _quiet(events: EventStream[Event], watch: RequestWatch, quiet_s: float, timeout: float) -> None:
    deadline = Deadline(timeout)
    while True:
        left = deadline.left or 0.0
        try:
            watch.feed(await events.take(min(left, quiet_s) if watch.is_quiet else left))
        except EventTimeout as error:
            if watch.is_quiet and left >= quiet_s:
                return
            raise NetworkBusy(watch.urls, timeout=timeout, hint=error.hint) from None
