"""Dials that lead nowhere: a typed error in time that says why and keeps the address secret; the next dial works."""

from __future__ import annotations

import asyncio
import socket
import ssl as tls
import time

import pytest

from cdp_typed import Connection, EndpointError, connect
from cdp_typed.protocol import browser as browser_domain
from tests.faults.rows import DIALS, Dial
from tests.faults.stub_browser import Refuser, StubBrowser
from tests.support.secrets import CANARY
from tests.support.servers.gateways import CA, browser_behind, proxy, server_tls
from tests.support.servers.listeners import Handler, listening

_AT_ONCE, _PATIENT, _SHORT = 10.0, 20.0, 0.5


async def refused(address: str, scheme: str = "ws", open_timeout: float = _PATIENT) -> tuple[EndpointError, float]:
    """The error of a dial to an address full of secrets, and the seconds until it came."""
    url = f"{scheme}://{CANARY}:{CANARY}@{address}/devtools/browser/?token={CANARY}"
    started = time.monotonic()
    with pytest.raises(EndpointError) as error:
        await connect(url, open_timeout=open_timeout)
    return error.value, time.monotonic() - started


async def assert_the_next_dial_works() -> None:
    async with StubBrowser() as stub, connect(stub.url) as browser:
        assert isinstance(browser, Connection)
        assert (await browser.send(browser_domain.GetVersion(), timeout=_PATIENT)).protocol_version == "1.3"


@pytest.mark.parametrize("dial", DIALS, ids=lambda dial: dial.id)
async def test_a_refused_dial_is_explained(no_leaks: None, dial: Dial) -> None:
    async with Refuser(dial.answer) as server:
        error, took = await refused(server.address, open_timeout=_SHORT if dial.answer is None else _PATIENT)

        assert server.dials == 1
    assert error.status == dial.status
    assert CANARY not in f"{error} {error!r} {vars(error)}"
    assert took < _AT_ONCE
    await assert_the_next_dial_works()


async def test_f01_nobody_listens(no_leaks: None) -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        error, took = await refused(f"127.0.0.1:{unused.getsockname()[1]}")

    assert error.retryable
    assert CANARY not in f"{error} {error!r} {vars(error)}"
    assert took < _AT_ONCE
    await assert_the_next_dial_works()


async def test_f06_an_unknown_certificate_is_refused_whatever_it_costs(no_leaks: None) -> None:
    """Verification is never switched off: the browser behind it never hears of us."""
    asked: list[str] = []
    async with browser_behind(lambda request: asked.append(request.path), tls=server_tls()) as port:
        error, _ = await refused(f"127.0.0.1:{port}", "wss")

    assert "the TLS certificate is not valid" in str(error)
    assert (error.retryable, asked) == (False, [])
    assert CANARY not in f"{error} {error!r} {vars(error)}"
    await assert_the_next_dial_works()


async def test_f06_a_certificate_for_another_name_is_refused_though_its_ca_is_trusted(no_leaks: None) -> None:
    trust = tls.create_default_context(cafile=CA)
    async with browser_behind(tls=server_tls()) as port, proxy(port, []) as way:
        with pytest.raises(EndpointError, match=r"the TLS certificate is not valid: [Hh]ostname mismatch"):
            await connect("wss://browsers.test/x", proxy=f"http://127.0.0.1:{way}", ssl=trust)
        async with connect(f"wss://127.0.0.1:{port}/x", ssl=trust) as browser:
            assert (await browser.send(browser_domain.GetVersion(), timeout=_PATIENT)).protocol_version == "1.3"


async def _answers_in_plain_text(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    await reader.read(1)
    writer.write(b"HTTP/1.1 400 Bad Request\r\n\r\n")
    await reader.read()


async def _hangs_up(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    await reader.read(1)


@pytest.mark.parametrize("handler", [_answers_in_plain_text, _hangs_up])
async def test_f06_a_port_without_tls_is_told(no_leaks: None, handler: Handler) -> None:
    async with listening(handler) as port:
        error, _ = await refused(f"127.0.0.1:{port}", "wss")

    assert error.status is None
    assert CANARY not in f"{error} {error!r} {vars(error)}"
    await assert_the_next_dial_works()
