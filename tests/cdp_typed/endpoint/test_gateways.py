"""`connect` through what may stand before a browser: refusals, redirects, fresh URLs, proxies, TLS, port files."""

from __future__ import annotations

import asyncio
import gc
import logging
import ssl
import traceback
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from websockets.http11 import Request, Response

from cdp_typed import ConnectionLost, EndpointError, InsecureEndpointWarning, connect
from cdp_typed.endpoint.sources import Endpoint
from cdp_typed.protocol import browser as browser_domain
from tests.support.secrets import CANARY
from tests.support.servers.gateways import CA, browser_behind, proxy, refusal, server_tls
from tests.support.servers.listeners import http_answer, listening

pytestmark = pytest.mark.usefixtures("no_leaks")

PATH = "/devtools/browser/0a1b2c3d-0000-4000-8000-000000000000"


async def _works(endpoint: Endpoint, **options: Any) -> bool:
    async with connect(endpoint, **options) as browser:
        return (await browser.send(browser_domain.GetVersion())).product == "P"


def _refuses_first(*answers: Response) -> Callable[[Request], Response | None]:
    left = list(answers)
    return lambda _: left.pop(0) if left else None


# -- fresh URLs --------------------------------------------------------------------------------------------------


def _signed(request: Request) -> Response | None:
    """Only the second signature is (still) good."""
    return None if request.path.endswith("sig=2") else refusal(403, "signature expired")


class _Signer:
    """Gives a URL with the next signature each time."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.given = 0

    def __call__(self) -> str:
        self.given += 1
        return f"ws://127.0.0.1:{self.port}{PATH}?sig={self.given}"


async def test_f03_a_fresh_url_is_asked_for_once_when_access_is_denied() -> None:
    async with browser_behind(_signed) as port:
        signer = _Signer(port)

        assert await _works(signer)
        assert signer.given == 2


@pytest.mark.parametrize("status", [401, 403, 410])
async def test_f03_a_fresh_url_that_is_refused_too_is_an_error(status: int) -> None:
    async with browser_behind(lambda _: refusal(status, "no")) as port:
        signer = _Signer(port)
        with pytest.raises(EndpointError) as refused:
            await _works(signer)

        assert (refused.value.status, signer.given) == (status, 2)


async def test_f03_an_async_callable_may_give_an_http_address() -> None:
    async with browser_behind() as port:

        async def fresh() -> str:
            await asyncio.sleep(0)
            return f"http://127.0.0.1:{port}"

        assert await _works(fresh)


async def test_f03_what_a_server_says_is_quoted_short_and_redacted() -> None:
    body = f"token {CANARY}-1 of {CANARY}-2 is over. " + "Ask again. " * 100
    async with browser_behind(lambda _: refusal(401, body)) as port:
        with pytest.raises(EndpointError) as refused:
            await _works(f"ws://127.0.0.1:{port}{PATH}?token={CANARY}-1", headers={"X-Key": f"{CANARY}-2"})

    start, _, said = str(refused.value).partition('; it says "')
    assert start == (
        f"ws://127.0.0.1:{port}/devtools/browser/...: "
        "access denied (HTTP 401); check the token, and send no Origin header"
    )
    assert said.startswith("token ... of ... is over. Ask again. ")
    assert len(said.rstrip('"')) == 200


async def test_f07_a_url_that_expires_ends_the_connection_and_the_next_one_has_a_fresh_url() -> None:
    async with browser_behind() as port:
        signer = _Signer(port)
        async with connect(signer) as browser:
            with pytest.raises(ConnectionLost, match=r"the browser closed the websocket with code 4001$"):
                await browser.send(browser_domain.Close())
        assert await _works(signer)
        assert signer.given == 2


# -- a server that is busy, or leads elsewhere -------------------------------------------------------------------


@pytest.mark.parametrize("status", [429, 503])
@pytest.mark.parametrize("endpoint", ["ws://127.0.0.1:{}/x", "http://127.0.0.1:{}"])
async def test_f04_a_busy_server_is_tried_again_when_it_says(status: int, endpoint: str) -> None:
    loop = asyncio.get_running_loop()
    async with browser_behind(_refuses_first(refusal(status, Retry_After="1"))) as port:
        started = loop.time()

        assert await _works(endpoint.format(port))
        assert 1 <= loop.time() - started < 10


async def test_f04_a_wait_beyond_the_deadline_is_not_begun() -> None:
    async with browser_behind(lambda _: refusal(503, "busy", Retry_After="3600")) as port:
        with pytest.raises(EndpointError, match=r'HTTP 503 .*; it says "busy"$') as refused:
            await asyncio.wait_for(_works(f"ws://127.0.0.1:{port}/x"), 2)

    assert (refused.value.retry_after, refused.value.retryable) == (3600.0, True)


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
@pytest.mark.parametrize("endpoint", ["ws://127.0.0.1:{}/x", "http://127.0.0.1:{}"])
async def test_f05_a_redirect_is_refused(status: int, endpoint: str) -> None:
    asked: list[str] = []

    def elsewhere(request: Request) -> Response | None:
        asked.append(request.path)
        return None

    async with browser_behind(elsewhere) as other:
        leads = refusal(status, Location=f"http://127.0.0.1:{other}/{CANARY}")
        async with browser_behind(lambda _: leads) as port:
            with pytest.raises(EndpointError, match=rf"redirects elsewhere \(HTTP {status}\), which is not followed$"):
                await _works(endpoint.format(port))

    assert asked == []


# -- the way there -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("endpoint", ["wss://127.0.0.1:{}/x", "https://127.0.0.1:{}"])
async def test_f06_a_private_ca_is_trusted_where_it_is_given(endpoint: str) -> None:
    async with browser_behind(tls=server_tls()) as port:
        assert await _works(endpoint.format(port), ssl=ssl.create_default_context(cafile=CA))
        with pytest.raises(EndpointError, match="the TLS certificate is not valid"):
            await _works(endpoint.format(port), wait_for_browser=True)


@pytest.mark.parametrize(
    "endpoint", [f"wss://localhost.example:9222/x?token={CANARY}", "https://localhost.example:9222"]
)
async def test_a_proxy_is_used_where_it_is_given(endpoint: str) -> None:
    heads: list[str] = []
    trust = ssl.create_default_context(cafile=CA)
    trust.check_hostname = False  # the test's certificate knows another name
    async with browser_behind(tls=server_tls()) as browser, proxy(browser, heads) as port:
        assert await _works(endpoint, ssl=trust, proxy=f"http://127.0.0.1:{port}", headers={"X-Key": CANARY})

    assert set(heads) == {"CONNECT localhost.example:9222 HTTP/1.1\r\nHost: localhost.example:9222\r\n\r\n"}


@pytest.mark.parametrize(
    "endpoint", [f"ws://localhost.example:9222/{CANARY}-{CANARY}-{CANARY}", "http://localhost.example:9222"]
)
async def test_an_unencrypted_way_to_another_machine_is_warned_of(endpoint: str) -> None:
    async with browser_behind() as browser, proxy(browser, []) as port:
        with pytest.warns(
            InsecureEndpointWarning, match=r"^(ws|http)://localhost\.example:9222\S*: not encrypted"
        ) as told:
            assert await _works(endpoint, proxy=f"http://127.0.0.1:{port}")

    assert CANARY not in "".join(str(warning.message) for warning in told)


async def test_no_origin_is_sent_and_headers_go_with_every_request() -> None:
    seen: list[tuple[str, str | None, str | None]] = []

    def look(request: Request) -> Response | None:
        seen.append((request.path.split("/")[1], request.headers.get("X-Key"), request.headers.get("Origin")))
        return None

    async with browser_behind(look) as port:
        assert await _works(f"http://127.0.0.1:{port}", headers={"X-Key": "k"})

    assert seen == [("json", "k", None), ("devtools", "k", None)]


def test_a_header_that_would_smuggle_another_is_refused_at_once() -> None:
    with pytest.raises(ValueError, match="the value of header 'X-Key' has a line break"):
        _ = connect("127.0.0.1:1", headers={"X-Key": "k\r\nHost: evil"})


# -- port files and browsers that are still starting --------------------------------------------------------------


async def test_a_browser_that_has_not_written_its_port_file_yet_is_waited_for_where_asked(tmp_path: Path) -> None:
    with pytest.raises(EndpointError, match="no DevToolsActivePort there"):
        await asyncio.wait_for(_works(str(tmp_path), open_timeout=30), 2)
    async with browser_behind() as port:
        opening = asyncio.create_task(_works(tmp_path, wait_for_browser=True))
        await asyncio.sleep(0.1)  # long enough to look once
        (tmp_path / "DevToolsActivePort").write_text(f"{port}\n/devtools/browser/abc")

        assert await opening


# -- secrets -----------------------------------------------------------------------------------------------------


async def _drips(reader: asyncio.StreamReader, _: asyncio.StreamWriter) -> None:
    await reader.readuntil(b"\r\n\r\n")


@pytest.mark.parametrize(
    "handler",
    [
        http_answer(status, CANARY, f"Location: http://{CANARY}/", f"Retry-After: {CANARY}")
        for status in (302, 401, 404, 500, 503)
    ]
    + [_drips],
    ids=["F05_redirect", "F03_denied", "not_found", "server_error", "F04_busy", "hangs_up"],
)
async def test_no_error_traceback_log_or_warning_has_a_secret(handler: Any, caplog: pytest.LogCaptureFixture) -> None:
    """Row 1 of the security requirements: a canary in user info, path, query, fragment, headers and proxy."""
    caplog.set_level(0)
    for name in ("websockets", "asyncio", "cdp_typed"):
        caplog.set_level(0, logger=name)
    texts: list[str] = []
    async with listening(handler) as port:
        for scheme, fragment in (("ws", ""), ("http", f"#{CANARY}")):
            opening = connect(
                f"{scheme}://{CANARY}:{CANARY}@127.0.0.1:{port}/{CANARY}-{CANARY}-{CANARY}?token={CANARY}&{CANARY}=1{fragment}",
                headers={"Authorization": f"Bearer {CANARY}"},
                proxy=f"http://{CANARY}:{CANARY}@127.0.0.1:1",
            )
            with warnings.catch_warnings(record=True) as told:
                warnings.simplefilter("always")
                with pytest.raises(EndpointError) as refused:
                    await opening
            error = refused.value
            texts += [str(error), repr(error), str(vars(error)), repr(opening), repr(told)]
            texts += traceback.format_exception(error, limit=0, chain=True)
    gc.collect()

    assert CANARY not in "\n".join([*texts, caplog.text])


async def test_no_secret_reaches_the_log_of_a_connection_that_works(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.CRITICAL, logger="websockets.server")
    for name in ("websockets.client", "asyncio", "cdp_typed"):
        caplog.set_level(0, logger=name)
    async with browser_behind() as port:
        url = f"ws://{CANARY}:{CANARY}@127.0.0.1:{port}/{CANARY}-{CANARY}-{CANARY}?token={CANARY}"
        async with connect(url, headers={"X-Key": CANARY}) as browser:
            with pytest.raises(ConnectionLost) as lost:
                await browser.send(browser_domain.Close())

    assert CANARY not in caplog.text
    assert CANARY not in "".join(traceback.format_exception(lost.value, limit=0))
