"""`wait_for_request` and `wait_for_response`: the traffic that a block sets off."""

from __future__ import annotations

import sys
from collections.abc import AsyncGenerator

from cdp_typed._base import Event
from cdp_typed.client.blocks import async_block
from cdp_typed.client.channel import Channel
from cdp_typed.client.streams import EventStream
from cdp_typed.errors import EventTimeout
from cdp_typed.helpers.shared.deadline import Deadline
from cdp_typed.helpers.shared.request_match import NETWORK_EVENTS, Awaited, RequestMatch, ResponsePart
from cdp_typed.protocol import network


@async_block
async def wait_for_request(
    tab: Channel, pattern: str, *, method: str | None = None, timeout: float = 30.0
) -> AsyncGenerator[Awaited[network.RequestWillBeSent]]:
    """Wait at the end of a block for the first request made in it whose URL has this pattern (`Network.enable`).

    `async with wait_for_request(tab, "*/api/order*", method="POST") as sent:`, then `sent.value.request`, after the
    block. In the pattern `*` is any text and `?` one character. Preflight requests of CORS do not count. Workers and
    cross-process iframes have separate sessions for their requests. Leaves Network enabled.

    The deadline begins with the block. Raises `RequestTimeout`, which names other requests, `timeout` seconds later;
    otherwise as `Session.send` and iterating over `Session.events` do.
    """
    awaited: Awaited[network.RequestWillBeSent] = Awaited()
    deadline, match = Deadline(timeout), RequestMatch(pattern, method, "headers", timeout)
    async with tab.events(*NETWORK_EVENTS, maxsize=sys.maxsize) as events:
        await tab.send(network.Enable(), timeout=deadline.left)
        yield awaited
        while match.request is None:
            await _feed(match, events, deadline)
        awaited.complete(match.request)


@async_block
async def wait_for_response(
    tab: Channel, pattern: str, *, method: str | None = None, until: ResponsePart = "headers", timeout: float = 30.0
) -> AsyncGenerator[Awaited[network.ResponseReceived]]:
    """Wait at the end of a block for the first response in it whose URL has this pattern (`Network.enable`).

    `async with wait_for_response(tab, "*/api/price") as answered:`, then `answered.value.response.status`, after the
    block. The pattern, the deadline and the sessions are those of `wait_for_request`. The response of a redirect is
    that of the address to which it leads. With `method`, a request made before the block does not count.

    With `until="body"` the block ends when the body has arrived or was broken off, and `response_body` reads it. A body
    does not end if the page's script never reads it, nor for a stream such as that of an `EventSource`.

    Raises `RequestTimeout`, which says whether the request was made and failed; otherwise as `wait_for_request` does.
    """
    awaited: Awaited[network.ResponseReceived] = Awaited()
    deadline, match = Deadline(timeout), RequestMatch(pattern, method, until, timeout)
    async with tab.events(*NETWORK_EVENTS, maxsize=sys.maxsize) as events:
        await tab.send(network.Enable(), timeout=deadline.left)
        yield awaited
        while match.response is None:
            await _feed(match, events, deadline)
        awaited.complete(match.response)


async def _feed(match: RequestMatch, events: EventStream[Event], deadline: Deadline) -> None:
    try:
        match.feed(await events.take(deadline.left))
    except EventTimeout:
        raise match.too_late() from None
