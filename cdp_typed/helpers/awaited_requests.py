"""`wait_for_request` and `wait_for_response`: the traffic that a block causes."""

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
    """Wait at the end of a block for the first request in it whose URL matches the pattern (`Network.enable`).

    `async with wait_for_request(tab, "*/api/order*", method="POST") as sent:`; after the block, read
    `sent.value.request`. In the pattern, `*` matches any text and `?` one character. CORS preflight requests do not
    count. Workers and cross-process iframes report their requests on separate sessions. Leaves Network enabled.

    The deadline begins with the block. `timeout` seconds later this raises `RequestTimeout`, which names other
    requests; otherwise it raises as `Session.send` and iterating over `Session.events` do.
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
    """Wait at the end of a block for the first response in it whose URL matches the pattern (`Network.enable`).

    `async with wait_for_response(tab, "*/api/price") as answered:`; after the block, read
    `answered.value.response.status`. The pattern, the deadline and the sessions are those of `wait_for_request`. If a
    request is redirected, its response is that of the final address. With `method`, a request made before the block
    does not count.

    With `until="body"` the block ends when the body has arrived or was interrupted, and `response_body` reads it. A
    body never ends if the page's script does not read it, or if it is a stream such as that of an `EventSource`.

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
    except EventTimeout as error:
        raise match.too_late(error.hint) from None
