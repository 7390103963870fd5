"""`har` and `replay_har`: write what a page loads to a HAR file, and answer requests from one."""

from __future__ import annotations

import json
import sys
from collections.abc import AsyncGenerator
from contextlib import suppress
from pathlib import Path
from typing import Literal

from cdp_typed._base import Event
from cdp_typed.client.blocks import async_block
from cdp_typed.client.session import Session
from cdp_typed.client.streams import EventStream
from cdp_typed.errors import CDPError, CommandError, TargetCrashed
from cdp_typed.helpers.request_interception import intercept
from cdp_typed.helpers.shared.har.har_answers import answer_for
from cdp_typed.helpers.shared.har.har_document import HAR_EVENTS, HarDocument
from cdp_typed.helpers.shared.har.har_reading import read_answers
from cdp_typed.helpers.shared.paused_request import PausedRequest, RequestAnswer
from cdp_typed.protocol import network, page

_BUFFER = 100 * 1024 * 1024


@async_block
async def har(tab: Session, path: str | Path, *, bodies: bool = False) -> AsyncGenerator[None]:
    """Record what the page loads during a block, and write it as HAR 1.2 to `path`: `async with har(tab, "a.har"):`.

    The file is written when the block ends, even with an exception. It contains the headers as they were on the wire,
    including cookies: treat it as a secret. With `bodies=True` it also contains the bodies of the responses that the
    browser still holds at the end, up to 100 MB. A request that has not ended has an `_error`. Uses `Network.enable`,
    `Page.enable`, their events and `Network.getResponseBody`. Iframes of other processes and workers have separate
    sessions and are not included. Raises as `send` does, and `OSError` if the file cannot be written.
    """
    async with tab.events(*HAR_EVENTS, maxsize=sys.maxsize) as events:
        await tab.send(network.Enable(max_total_buffer_size=_BUFFER, enable_durable_messages=bodies))
        await tab.send(page.Enable())
        try:
            yield
        finally:
            document = HarDocument(tab.target_id)
            await _take_in(events, document)
            if bodies:
                await _add_bodies(tab, document)
            _write(Path(path), document)


@async_block
async def replay_har(
    tab: Session, path: str | Path, *, pattern: str = "*", missing: Literal["abort", "continue"] = "abort"
) -> AsyncGenerator[None]:
    """Answer the page's requests from a HAR file during a block: `async with replay_har(tab, "a.har"):`.

    No server is needed. The file must contain bodies: `har(..., bodies=True)`, Playwright or a browser's developer
    tools write such files. A request gets the first answer for the same method, address and body. `pattern` (`*` and
    `?`) limits the requests. A request without an answer fails, or with `missing="continue"` goes on to its server.

    Uses `intercept`, whose notes about iframes of other processes and workers apply here, too. Raises `OSError` if the
    file cannot be read, `ValueError` for a file of another kind or without bodies, and otherwise as `intercept` does.
    """
    answers = read_answers(Path(path))

    def answer(request: PausedRequest) -> RequestAnswer:
        found = answer_for(answers, request.method, request.url, request.body.decode(errors="replace"))
        if found is not None:
            return found.command(request.event.request_id)
        return request.fail() if missing == "abort" else None

    async with intercept(tab, pattern, answer):
        yield


def _write(path: Path, document: HarDocument) -> None:
    path.write_text(json.dumps(document.document(), indent=1), encoding="utf-8")


async def _take_in(events: EventStream[Event], document: HarDocument) -> None:
    events.close()  # so that it ends after what has come
    while True:
        try:
            async for event in events:
                document.add(event)
        except TargetCrashed:
            continue  # told once; what came after it follows
        except CDPError:
            pass  # the end of the session, which is no reason to lose what was recorded
        return


async def _add_bodies(tab: Session, document: HarDocument) -> None:
    with suppress(CDPError):
        for request_id in document.requests_with_bodies():
            with suppress(CommandError):  # a preflight has none, and others may be gone
                body = await tab.send(network.GetResponseBody(request_id=network.RequestId(request_id)))
                document.add_body(request_id, body)
