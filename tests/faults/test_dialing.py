"""Dials that lead nowhere: a typed error in time that says why and keeps the address secret; the next dial works."""

from __future__ import annotations

import socket
import time
from typing import Literal, get_args

import pytest

from cdp_typed import Connection, EndpointError, connect
from cdp_typed.protocol import browser as browser_domain
from tests.faults.rows import DIALS, Dial
from tests.faults.stub_browser import Refuser, StubBrowser

_SECRET = "canary"


Kind = Literal["websockets", "picows"]
on_both = pytest.mark.parametrize("kind", get_args(Kind))


async def refused(address: str, kind: Kind) -> tuple[EndpointError, float]:
    """The error of a dial to an address full of secrets, and the seconds until it came."""
    url = f"ws://{_SECRET}:{_SECRET}@{address}/devtools/browser/?token={_SECRET}"
    started = time.monotonic()
    with pytest.raises(EndpointError) as error:
        await connect(url, open_timeout=0.5, transport=kind)
    return error.value, time.monotonic() - started


async def assert_the_next_dial_works(kind: Kind) -> None:
    async with StubBrowser() as stub, connect(stub.url, transport=kind) as browser:
        assert isinstance(browser, Connection)
        assert (await browser.send(browser_domain.GetVersion(), timeout=1)).protocol_version == "1.3"


@on_both
@pytest.mark.parametrize("dial", DIALS, ids=lambda dial: dial.id)
async def test_a_refused_dial_is_explained(no_leaks: None, dial: Dial, kind: Kind) -> None:
    async with Refuser(dial.answer) as server:
        error, took = await refused(server.address, kind)

        assert server.dials == 1
    assert error.status == dial.status
    assert _SECRET not in f"{error} {error!r} {vars(error)}"
    assert took < 1
    await assert_the_next_dial_works(kind)


@on_both
async def test_f01_nobody_listens(no_leaks: None, kind: Kind) -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        error, took = await refused(f"127.0.0.1:{unused.getsockname()[1]}", kind)

    assert error.retryable
    assert _SECRET not in f"{error} {error!r} {vars(error)}"
    assert took < 1
    await assert_the_next_dial_works(kind)
