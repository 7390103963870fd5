"""A browser that asks its person before a client may connect."""

from __future__ import annotations

import asyncio

import pytest

from cdp_typed import EndpointError, NotAllowed, connect, connect_sync
from cdp_typed.client import consent
from tests.support.servers.asking import AskingBrowser


async def test_a_person_has_longer_than_the_handshake(asking: AskingBrowser) -> None:
    told = asyncio.Event()

    def tell(sentence: str) -> None:
        assert "click Allow in Chrome" in sentence
        told.set()
        asyncio.get_running_loop().call_later(0.6, asking.answer, "allow")

    async with connect(asking.url, open_timeout=0.5, on_consent=tell) as browser:
        assert await browser.kind() == "browser"
    assert told.is_set()


async def test_a_person_who_refuses_is_not_asked_again(asking: AskingBrowser) -> None:
    asking.answer("cancel")

    with pytest.raises(NotAllowed, match="refused by the person") as refused:
        await connect(lambda: asking.url, wait_for_browser=True)

    assert (refused.value.status, refused.value.retryable, asking.questions) == (403, False, 1)


async def test_a_person_who_does_not_answer_leaves_a_question(asking: AskingBrowser) -> None:
    with pytest.raises(NotAllowed, match=r"no person clicked Allow .* within 0\.2 s\. The question is still open"):
        await connect(asking.url, consent_timeout=0.2, wait_for_browser=True)

    assert asking.questions == 1


def test_the_blocking_client_waits_for_the_person_too(asking: AskingBrowser) -> None:
    asking.answer("allow")

    with connect_sync(asking.url) as browser:
        assert browser.kind() == "browser"


async def test_a_silent_server_that_answers_other_requests_has_the_ordinary_time(asking: AskingBrowser) -> None:
    asking.to_get = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}"

    with pytest.raises(EndpointError, match=r"no websocket handshake within 0\.4 s") as silent:
        await connect(asking.url, open_timeout=0.4)

    assert not isinstance(silent.value, NotAllowed)


async def test_a_service_elsewhere_that_is_silent_asks_nobody(asking: AskingBrowser) -> None:
    with pytest.raises(EndpointError, match=r"no websocket handshake within 0\.3 s"):
        await connect(f"ws://127.0.0.1:{asking.port}/session/1", open_timeout=0.3)


async def test_a_question_that_is_noticed_when_the_time_is_over_moves_no_deadline(asking: AskingBrowser) -> None:
    noticed = consent.Consent(asking.url, timeout=60, on_consent=None)

    async def late() -> None:
        async with asyncio.timeout(0) as deadline:
            try:
                await asyncio.Event().wait()
            finally:  # the time is over now
                await noticed.watch(deadline)

    with pytest.raises(TimeoutError):
        await late()
    assert not noticed.is_asked


async def test_an_error_of_the_function_that_tells_the_person_is_raised(asking: AskingBrowser) -> None:
    def tell(sentence: str) -> None:
        asking.answer("allow")
        raise ZeroDivisionError(sentence)

    with pytest.raises(ZeroDivisionError, match="click Allow"):
        await connect(asking.url, on_consent=tell)
