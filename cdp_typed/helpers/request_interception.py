"""`intercept`: a Python function decides what happens to requests."""

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
from cdp_typed.helpers.shared.paused_request import (
    PausedRequest,
    RequestAnswer,
    Stage,
    checked_answer,
    failing_answer,
    going_on,
    has_pattern,
    patterns_of,
)
from cdp_typed.protocol import fetch, network

RequestHandler: TypeAlias = Callable[[PausedRequest], RequestAnswer | Awaitable[RequestAnswer]]

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

    The handler returns `request.fulfill(...)`, `request.change(...)`, `request.fail(...)`, or None to let the request
    continue. `pattern` is text with `*` and `?`, a `fetch.RequestPattern`, or several of both. With `stage="Response"`
    you can read `request.status` and `response_body`. With `auth=True` the handler is also called once for each login
    challenge of a matching request (`request.challenge`), and answers with `request.authenticate(...)`. Without it,
    Chromium holds a request for which the server wants a password until a person answers, even without a window, just
    as it does without interception.

    Blocks can be nested. The latest block that matches is asked first, and the next one if its handler returns None.

    If the handler raises, or returns an answer that the browser refuses, the request fails for the page. The error is
    logged at once, and the first one is raised at the end of the block. An answer of another type is such an error, a
    `WrongType`. Iframes of other processes and workers have separate sessions. Uses `Fetch.enable`,
    `Fetch.requestPaused`, `Fetch.authRequired` and `Fetch.disable`; raises as `send` does.
    """
    mine = _Interception(patterns_of(pattern, stage), handler, auth)
    tab_interceptions = _tabs.get(tab) or _TabInterceptions(tab)
    _tabs[tab] = tab_interceptions
    try:
        await tab_interceptions.add(mine)
        yield
    finally:
        await tab_interceptions.remove(mine)
    for error in mine.errors:
        raise error


class _Interception:
    """The patterns and handler of one block, and the requests that its handler has not answered yet."""

    def __init__(self, patterns: Sequence[fetch.RequestPattern], handler: RequestHandler, auth: bool) -> None:
        self.patterns = patterns
        self.handler = handler
        self.auth = auth
        self.ended = False
        self.held: set[PausedRequest] = set()
        self.errors: list[Exception] = []

    def matches(self, request: PausedRequest) -> bool:
        """Whether the handler is to be asked."""
        return (self.auth or not request.challenge) and any(has_pattern(request, each) for each in self.patterns)


class _TabInterceptions:
    """All interceptions of a tab: asks their handlers about each paused request, and answers every request."""

    def __init__(self, tab: Session) -> None:
        self._tab = tab
        self._interceptions: list[_Interception] = []
        self._challenged: set[tuple[str, str]] = set()
        self._paused = tab.listen(self._on_event, fetch.RequestPaused, fetch.AuthRequired)

    async def add(self, interception: _Interception) -> None:
        """Also intercept the requests that this one matches."""
        self._interceptions.append(interception)
        await self._enable(self._interceptions)

    async def remove(self, interception: _Interception) -> None:
        """Stop this interception; requests that its handler still holds continue."""
        interception.ended = True
        others = [each for each in self._interceptions if not each.ended]
        if not others:
            _tabs.pop(self._tab, None)
            self._paused.close()
        with suppress(CDPError):
            if not others:
                await self._tab.send(fetch.Disable())  # what is still paused goes on
                return
            await self._enable(others)
            self._interceptions.remove(interception)
            for request in tuple(interception.held):
                await self._send(going_on(request))

    async def _enable(self, interceptions: Sequence[_Interception]) -> None:
        patterns = [pattern for each in interceptions for pattern in each.patterns]
        auth = any(each.auth for each in interceptions)
        await self._tab.send(fetch.Enable(patterns=patterns, handle_auth_requests=auth))

    async def _on_event(self, _session_id: str | None, event: fetch.RequestPaused | fetch.AuthRequired) -> None:
        request = PausedRequest(event)
        asked = [each for each in reversed(self._interceptions) if each.matches(request)]
        challenge = request.challenge
        if challenge is None:
            # Chromium's `?` is also no character, so that one it has matched may match nothing here.
            await self._settle(request, asked or self._interceptions[::-1], going_on(request))
        elif not asked:
            await self._send(going_on(request))
        elif (event.request_id, challenge.origin) in self._challenged:
            await self._send(failing_answer(request))  # the server has refused what a handler gave
        else:
            self._challenged.add((event.request_id, challenge.origin))
            await self._settle(request, asked, failing_answer(request))

    async def _settle(self, request: PausedRequest, asked: Sequence[_Interception], otherwise: Command[Any]) -> None:
        """Give the first answer that is not `None`, or `otherwise`, unless the block of a handler has ended by then."""
        for interception in asked:
            if interception.ended:
                continue
            interception.held.add(request)
            try:
                outcome = interception.handler(request)
                answer = checked_answer(await outcome if isawaitable(outcome) else outcome)
                interception.held.discard(request)
                if interception.ended:
                    return
                if answer is not None:
                    await self._tab.send(answer)
                    return
            except (ConnectionLost, SessionDetached):
                return
            except Exception as error:  # whatever the handler raises, the request must not wait for ever
                await self._fail(request, interception, error)
                return
            finally:
                interception.held.discard(request)
        await self._send(otherwise)

    async def _fail(self, request: PausedRequest, interception: _Interception, error: Exception) -> None:
        try:
            await self._tab.send(failing_answer(request))
        except CDPError:
            if isinstance(error, CommandError):
                return  # the page has cancelled the request meanwhile, so that nobody waits for an answer
        interception.errors.append(error)
        _log.error("the handler of intercept failed for %r", request, exc_info=error)

    async def _send(self, answer: Command[Any]) -> None:
        with suppress(CDPError):  # the page may have cancelled the request
            await self._tab.send(answer)


_tabs: dict[Session, _TabInterceptions] = {}


async def response_body(tab: Session, response: PausedRequest | network.ResponseReceived) -> bytes:
    """Return the body of a response, decompressed.

    `response` is a response that `intercept` has paused (`stage="Response"`, `Fetch.getResponseBody`), or the value of
    `wait_for_response` (`Network.getResponseBody`). Raises as `send` does: a redirect has no body, and the browser
    forgets bodies when the page is left.
    """
    body: fetch.GetResponseBodyResult | network.GetResponseBodyResult
    if isinstance(response, PausedRequest):
        body = await tab.send(fetch.GetResponseBody(request_id=response.event.request_id))
    else:
        body = await tab.send(network.GetResponseBody(request_id=response.request_id))
    return b64decode(body.body) if body.base64_encoded else body.body.encode()
