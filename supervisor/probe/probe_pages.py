"""Two pages on two sites that exist nowhere: the browser gets them through Fetch, wherever it runs."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, suppress

from cdp_typed import Session
from cdp_typed.errors import CDPError
from cdp_typed.protocol import fetch
from cdp_typed.wire.base64_fields import base64_text

TOP = "http://top.cdp-probe-one.invalid/"
INNER = "http://inner.cdp-probe-two.invalid/"
INNER_TITLE = "inner"

HTML = {
    TOP: f'<!doctype html><title>top</title><iframe name="inner" src="{INNER}"></iframe>',
    INNER: f"<!doctype html><title>{INNER_TITLE}</title>",
}


def answer_to(event: fetch.RequestPaused) -> fetch.FulfillRequest:
    """One of the two pages. Without a content type, QtWebEngine 6.8 and Chrome 83 wait for more, and never navigate."""
    return fetch.FulfillRequest(
        request_id=event.request_id,
        response_code=200,
        response_headers=[fetch.HeaderEntry(name="Content-Type", value="text/html")],
        body=base64_text(HTML.get(event.request.url, "").encode()),
    )


@asynccontextmanager
async def served(tab: Session) -> AsyncGenerator[str]:
    """Answer the tab's requests for the two pages (`Fetch.fulfillRequest`). Raises `CommandError` where that is not
    allowed. Yields the address of the top one."""
    async with tab.events(fetch.RequestPaused) as paused:

        async def answer() -> None:
            async for event in paused:
                await tab.send(answer_to(event))

        patterns = [fetch.RequestPattern(url_pattern=f"{url}*") for url in HTML]
        await tab.send(fetch.Enable(patterns=patterns))
        answering = asyncio.create_task(answer())
        try:
            yield TOP
        finally:
            answering.cancel()
            with suppress(asyncio.CancelledError, CDPError):
                await answering
