"""`goto`, `go_back` and `go_forward`: navigate a page and wait until the new document has loaded."""

from __future__ import annotations

import asyncio

from cdp_typed._base import Event
from cdp_typed.client.channel import Channel
from cdp_typed.client.streams import EventStream
from cdp_typed.errors import CommandError, CommandTimeout, EventTimeout
from cdp_typed.helpers.shared.deadline import Deadline
from cdp_typed.helpers.shared.navigation_events import WATCHED, DocumentWatch, NavigationResult, Until, require_until
from cdp_typed.protocol import network, page

_ENABLE = (page.Enable(), page.SetLifecycleEventsEnabled(enabled=True), network.Enable())


async def goto(
    tab: Channel, url: str, *, until: Until = "load", timeout: float | None = 30.0, referrer: str | None = None
) -> NavigationResult:
    """Navigate to `url` (`Page.navigate`) and wait until the new document has reached the stage `until`.

    `"commit"` is its first byte, `"domcontentloaded"` the parsed document, `"load"` (the default) the document with its
    images and frames. If the page navigates on by itself before that, `goto` follows it. The result says how the
    navigation ended, for example with a download, a 204 or a fragment: see `NavigationResult`. A page with status 404
    or 500 is a document.

    Raises `NavigationFailed` at once with the browser's `net::ERR_...`, and `NavigationTimeout` after `timeout`
    seconds; `ValueError` for an address without a scheme (`example.com`), and `CommandError` for an invalid address;
    otherwise as `Session.send` does. Leaves Page, its lifecycle events and Network enabled.
    """
    require_until(until)
    deadline = Deadline(timeout)
    watch = DocumentWatch(url, until, timeout)
    async with tab.events(*WATCHED) as events:
        # Not waited for: a page that is busy, or waits for another response, is enabled only after that, and one that
        # shows a dialog is not before its answer.
        enabling = [tab.send_nowait(enable) for enable in _ENABLE]
        try:
            navigate = page.Navigate(url=url) if referrer is None else page.Navigate(url=url, referrer=referrer)
            reply = await tab.send(navigate, timeout=deadline.left)
            if reply.error_text is not None or reply.is_download:
                while events.held:
                    watch.feed(await events.take(None))
                return watch.without_document(reply)
            watch.expect(reply.frame_id, reply.loader_id)
            return await _arrived(tab, events, watch, deadline)
        except (CommandTimeout, EventTimeout) as error:
            while events.held:
                watch.feed(await events.take(None))
            raise watch.too_late(error.hint) from None
        finally:
            for reply_to_enable in enabling:
                reply_to_enable.cancel()


async def go_back(tab: Channel, *, until: Until = "load", timeout: float | None = 30.0) -> NavigationResult:
    """Go to the page before this one (`Page.navigateToHistoryEntry`) and wait as `goto` does.

    If there is none, the result's kind is `"no-entry"`. A document from the back/forward cache is `"restored"`. If the
    entry is now a download or a 204, the page stays where it is.
    """
    return await _go(tab, -1, until, timeout)


async def go_forward(tab: Channel, *, until: Until = "load", timeout: float | None = 30.0) -> NavigationResult:
    """Go to the page after this one (`Page.navigateToHistoryEntry`); see `go_back`."""
    return await _go(tab, 1, until, timeout)


async def _go(tab: Channel, step: int, until: Until, timeout: float | None) -> NavigationResult:
    require_until(until)
    deadline = Deadline(timeout)
    history = await _history(tab, deadline)
    index = history.current_index + step
    if not 0 <= index < len(history.entries):
        return NavigationResult(kind="no-entry", url=history.entries[history.current_index].url)
    watch = DocumentWatch(history.entries[index].url, until, timeout)
    async with tab.events(*WATCHED) as events:
        try:
            *_, tree = await tab.send_many((*_ENABLE, page.GetFrameTree()), timeout=deadline.left)
            watch.expect(tree.frame_tree.frame.id, None)
            entry_id = history.entries[index].id
            await tab.send(page.NavigateToHistoryEntry(entry_id=entry_id), timeout=deadline.left)
            arrival = await _arrived(tab, events, watch, deadline)
            if arrival.kind not in {"download", "no-content"}:
                await _reached(tab, index, deadline)
        except (CommandTimeout, EventTimeout) as error:
            raise watch.too_late(error.hint) from None
    return arrival


async def _history(tab: Channel, deadline: Deadline) -> page.GetNavigationHistoryResult:
    """Return the history. While the browser puts another document in place, it has none for the page."""
    for _ in range(50):
        try:
            return await tab.send(page.GetNavigationHistory(), timeout=deadline.left)
        except CommandError as error:  # pragma: no cover - only in the milliseconds of that change
            if "Not attached to an active page" not in str(error):
                raise
            await asyncio.sleep(0.01)
    return await tab.send(page.GetNavigationHistory(), timeout=deadline.left)  # pragma: no cover - as above


async def _reached(tab: Channel, index: int, deadline: Deadline) -> None:
    """Wait until this entry is the browser's current one: the page tells of it a little earlier."""
    for _ in range(50):  # pragma: no branch - it is a matter of milliseconds
        if (await _history(tab, deadline)).current_index == index:
            return
        await asyncio.sleep(0.01)  # pragma: no cover - only where the page was quicker


async def _arrived(
    tab: Channel, events: EventStream[Event], watch: DocumentWatch, deadline: Deadline
) -> NavigationResult:
    while watch.arrival is None:
        watch.feed(await events.take(deadline.left))
        if watch.lacks_frame:
            watch.announce((await tab.send(page.GetFrameTree(), timeout=deadline.left)).frame_tree.frame)
    return watch.arrival
