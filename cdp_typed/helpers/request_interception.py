"""`intercept`: a Python function decides what becomes of requests."""

from __future__ import annotations

import logging
from base64 import b64decode
from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from contextlib import suppress
from inspect import isawaitable
from typing import Any, TypeAlias

from cdp_typed._base import Command
from cdp_typed.client.blocks import async_block
from cdp_typed.client.session import Session
from cdp_typed.errors import CDPError, CommandError, ConnectionLost, SessionDetached
from cdp_typed.helpers.shared.paused_request import PausedRequest, Stage, checked_answer, failing_answer, patterns_of
from cdp_typed.protocol import fetch, network

Answer: TypeAlias = Command[Any] | None
RequestHandler: TypeAlias = Callable[[PausedRequest], Answer | Awaitable[Answer]]

_intercepted: set[Session] = set()
_log = logging.getLogger("cdp_typed")


@async_block
async def intercept(
    tab: Session,
    pattern: str | fetch.RequestPattern | Sequence[str | fetch.RequestPattern],
    handler: RequestHandler,
    *,
    stage: Stage = "Request",
    auth: bool = False,
) -> AsyncGenerator[None]:
    """Call `handler(request)` for every request that matches, during a block: `async with intercept(...):`.

    The handler returns `request.fulfill(...)`, `request.change(...)`, `request.fail(...)` or nothing, which lets the
    request go on. `pattern` has `*` and `?`, or is a `fetch.RequestPattern`, or several of both. With
    `stage="Response"` the response is there (`request.status`, `response_body`). With `auth=True` it is called for the
    challenges of requests that match, too (`request.challenge`), once for each, and answers with
    `request.authenticate(...)`.

    A request whose handler raises, or answers what the browser refuses, fails for the page; that error is logged at
    once, and the first one raised at the end of the block. A tab has one interception at a time, because the browser
    keeps the latest patterns only: a second one raises `RuntimeError`. Iframes of other processes and workers have
    their own sessions. Uses `Fetch.enable`, `Fetch.requestPaused`, `Fetch.authRequired` and `Fetch.disable`; raises
    as `send` does.
    """
    if tab in _intercepted:
        raise RuntimeError(f"{tab!r} has an interception already; give it several patterns instead")
    answering = _RequestAnswering(tab, handler)
    paused = tab.listen(answering.on_event, fetch.RequestPaused, fetch.AuthRequired)
    _intercepted.add(tab)
    try:
        await tab.send(fetch.Enable(patterns=patterns_of(pattern, stage), handle_auth_requests=auth))
        yield
    finally:
        _intercepted.discard(tab)
        paused.close()
        with suppress(CDPError):
            await tab.send(fetch.Disable())  # what is still paused goes on
    for error in answering.errors:
        raise error


class _RequestAnswering:
    """Asks the handler about each paused request, and answers each in any case."""

    def __init__(self, tab: Session, handler: RequestHandler) -> None:
        self._tab = tab
        self._handler = handler
        self._challenged: set[str] = set()
        self.errors: list[Exception] = []

    async def on_event(self, _session_id: str | None, event: fetch.RequestPaused | fetch.AuthRequired) -> None:
        """Answer one request."""
        request = PausedRequest(event)
        try:
            await self._tab.send(await self._answer(request))
        except (ConnectionLost, SessionDetached):
            return
        except Exception as error:  # whatever the handler raises, the request must not wait for ever
            await self._fail(request, error)

    async def _answer(self, request: PausedRequest) -> Command[Any]:
        if request.challenge is not None:
            if request.event.request_id in self._challenged:
                return failing_answer(request)  # the server has refused what the handler gave
            self._challenged.add(request.event.request_id)
        outcome = self._handler(request)
        return checked_answer(request, await outcome if isawaitable(outcome) else outcome)

    async def _fail(self, request: PausedRequest, error: Exception) -> None:
        try:
            await self._tab.send(failing_answer(request))
        except CDPError:
            if isinstance(error, CommandError):
                return  # the page has cancelled the request meanwhile, so that nobody waits for an answer
        self.errors.append(error)
        _log.error("the handler of intercept failed for %r", request, exc_info=error)


async def response_body(tab: Session, response: PausedRequest | network.ResponseReceived) -> bytes:
    """Return the body of a response, decompressed.

    `response` is one that `intercept` has paused (`stage="Response"`, `Fetch.getResponseBody`), or the value of
    `wait_for_response` (`Network.getResponseBody`). Raises as `send` does: a redirect has no body, and the browser
    forgets bodies when their page is left.
    """
    body: fetch.GetResponseBodyResult | network.GetResponseBodyResult
    if isinstance(response, PausedRequest):
        body = await tab.send(fetch.GetResponseBody(request_id=response.event.request_id))
    else:
        body = await tab.send(network.GetResponseBody(request_id=response.request_id))
    return b64decode(body.body) if body.base64_encoded else body.body.encode()
