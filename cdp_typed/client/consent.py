"""The question that a browser asks its person before a client may connect (Chrome 144 and later)."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from urllib.parse import urlsplit

from cdp_typed.addresses import is_loopback, kind_of_address, parse_address, redact
from cdp_typed.endpoint.consent_lock import ConsentLock
from cdp_typed.errors import EndpointError, NotAllowed

CONSENT_TIMEOUT = 120.0
CHECK_AFTER_S = 0.2
"""A handshake that takes longer may wait for a person, who needs longer to click."""
TELL_AFTER_S = 1.0
"""So long after the dial the caller learns that a person is asked."""
CLICK_ALLOW = "a person has to allow the connection: click Allow in Chrome"
OTHER_FIRST = "another program asks first: click Allow in Chrome"
_CHECK_S = 1.0
_STEP_S = 0.1
"""The seconds between two attempts to take the turn."""
# Measured on Chromium 156, after Cancel.
_CANCELLED = '"Connection rejected"'


class Consent:
    """The consent to one dial of `url`, for which a person has `timeout` seconds.

    `on_consent` gets a sentence for the person.
    """

    def __init__(self, url: str, *, timeout: float, on_consent: Callable[[str], object] | None) -> None:
        self._url = url
        self._timeout = timeout
        self._on_consent = on_consent
        self._deadline: asyncio.Timeout | None = None
        """The deadline of the dial, once a person is asked."""

    @property
    def is_asked(self) -> bool:
        """Whether a person was asked."""
        return self._deadline is not None

    @asynccontextmanager
    async def turn(self, port_file: Path | None) -> AsyncGenerator[None]:
        """Hold the turn to ask the person: each question looks the same, and a newer one hides the older.

        Raises `NotAllowed` when the person does not answer another program within `timeout` seconds.
        """
        turn = ConsentLock(port_file)
        try:
            if not turn.take() and await _asks_person(self._url):
                await self._wait_for(turn)
            yield
        finally:
            turn.give_back()

    async def _wait_for(self, turn: ConsentLock) -> None:
        loop = asyncio.get_running_loop()
        begun, is_told = loop.time(), False
        while not turn.take():
            waited = loop.time() - begun
            if waited >= self._timeout:
                raise self._refused(
                    f"another program is asking, and no person answered it within {self._timeout:g} s: click Allow or "
                    "Cancel in Chrome, then try again"
                )
            if waited >= TELL_AFTER_S and not is_told:
                self._tell(OTHER_FIRST)
                is_told = True
            await asyncio.sleep(_STEP_S)

    async def watch(self, deadline: asyncio.Timeout) -> None:
        """Give the dial more time as soon as a person is asked."""
        await asyncio.sleep(CHECK_AFTER_S)
        if await _asks_person(self._url) and not deadline.expired():
            self._deadline = deadline
            deadline.reschedule(asyncio.get_running_loop().time() + self._timeout)
            await asyncio.sleep(TELL_AFTER_S - CHECK_AFTER_S)
            self._tell(CLICK_ALLOW)

    def _tell(self, sentence: str) -> None:
        if self._on_consent is not None:
            self._on_consent(sentence)

    def explain(self, error: EndpointError) -> EndpointError:
        """Return the error of a dial, or the one that tells what the person did."""
        if error.status == 403 and _CANCELLED in str(error) and _may_ask(self._url):
            return self._refused("refused by the person", 403)
        if self._deadline is not None and self._deadline.expired():
            return self._refused(
                f"no person clicked Allow in Chrome within {self._timeout:g} s. The question is still open there: "
                "click Cancel before the next attempt"
            )
        return error

    def _refused(self, why: str, status: int | None = None) -> NotAllowed:
        shown = redact(self._url)
        return NotAllowed(f"{shown}: {why}", url=shown, status=status)


async def _asks_person(url: str) -> bool:
    """Return True if the browser of a websocket on this machine asks a person: it answers 404 to `/json/version`."""
    if not _may_ask(url):
        return False
    from cdp_typed.endpoint.get_request import GetRequest
    from cdp_typed.endpoint.http_get import http_get

    address = parse_address(url)._replace(scheme="http", path="", query="")
    try:
        await http_get(GetRequest(address, "/json/version", {}, None, None), _CHECK_S)
    except EndpointError as error:
        return error.status == 404
    return False


def _may_ask(url: str) -> bool:
    parts = urlsplit(url)
    return parts.scheme == "ws" and is_loopback(parts.hostname or "") and kind_of_address(url) == "browser"
